"""A law over sheets that most examples do not come to looks like one that holds: it fails."""

from collections.abc import Iterator

import pytest

from tests.laws.sheets import tried

LEAST_SHARE = 0.6
"""Share of the examples that are imposed, not refused."""


@pytest.fixture(autouse=True)
def most_examples_are_imposed() -> Iterator[None]:
    tried.clear()
    yield
    assert tried["imposed"] >= LEAST_SHARE * tried.total(), f"refused: {tried['refused']} of {tried.total()}"
