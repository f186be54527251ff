"""*Make it with me* on a published site: the making guide of the chosen files, to tick off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.node import find_node
from tests.pages.conftest import STRANGE, QuietHandler, served

pytestmark = pytest.mark.slow


def test_each_choice_leads_to_the_guide_of_its_own_files(site: Path) -> None:
    page = (site / "en" / "index.html").read_text("utf-8")
    links = re.findall(r'href="(any-guide-[^"#]*)#make"', page)
    assert links == [f"any-guide-a4-{backs}-full.html" for backs in ("duplex", "fold", "none")]
    for link in links:
        guide = (site / "en" / link).read_text("utf-8")
        assert STRANGE not in guide
        assert re.search('<div id="making"[^>]* hidden>', guide), "its buttons are dead without scripts"


def assert_remembered(found: dict[str, Any]) -> None:
    count = found["count"]
    assert not found["hidden"] and count > 10
    assert found["headings"].index("Printing") < found["headings"].index("Which file goes on which paper")
    assert any(re.search("First cuts 1–[0-9]+, then [0-9]+–[0-9]+", name) for name in found["names"])
    assert (found["before"], found["after"], found["again"]) == (
        f"0 of {count} done", f"2 of {count} done", f"0 of {count} done")
    assert found["kept"] == [[0, 2]] and found["focus"] == 1 and found["eager"]
    assert found["done"] == ["All done. Enjoy the game!", "none"]


class StoppingHandler(QuietHandler):
    """A web server that answers no more once ``stop`` was asked for."""

    is_stopped = False

    def do_GET(self) -> None:
        if self.path.endswith("/stop"):
            type(self).is_stopped = True
        if self.is_stopped:
            self.close_connection = True
        else:
            super().do_GET()


def test_the_companion_remembers_and_needs_no_network_once_one_has_begun(site: Path, chromium: str) -> None:
    handler, page = type("Handler", (StoppingHandler,), {}), site / "en" / "any-guide-a4-fold-full.html"
    with served(site, handler) as address:
        found = find_node(Path(__file__).parent).run(
            "companion.mjs", chromium, f"{address}/en/{page.name}", f"{page.as_uri()}#make")
    assert found["violations"] == []
    for each in (found, *found["others"]):  # the other is a file
        assert_remembered(each)
    assert len(found["offline"]) > 5 and set(found["offline"]) == {True}
    assert found["other"] == "no network"
