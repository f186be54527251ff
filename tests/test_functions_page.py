"""docs/functions.md: its examples can be drawn."""

from __future__ import annotations

import pytest

from tests.conftest import Desk
from tools.functions_page import write_example_deck


@pytest.mark.slow
def test_each_example_is_drawn_without_a_problem(desk: Desk) -> None:
    names = write_example_deck(desk.folder)
    checked = desk.ppgen("check")
    assert (checked.exit_code, checked.stderr.count("warning")) == (0, 0), checked.stderr
    listed = desk.ppgen("list", "--json").stdout
    assert all(name.replace("_", "-") in listed for name in names)
