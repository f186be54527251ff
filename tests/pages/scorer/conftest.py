"""What the tests of the scorer page share: the page itself, and what opens it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.pages.single_pages import scorer_page
from ppgen.printing.workshop import Workshop
from tests.conftest import OnceForAll
from tests.node import Node, find_node

MAX_PAGE_BYTES = 300_000
"""A page is sent around, and opened on small phones."""

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def node() -> Node:
    return find_node(HERE)


@pytest.fixture(scope="session")
def page(once_for_all: OnceForAll, workshop: Workshop) -> Path:
    """The page of all games that have one, which opens in the device's language."""
    def make(folder: Path) -> str:
        games = [workshop, Workshop.open(Assets.at(), game="board-game")]
        (folder / "kardinal-koenig.html").write_text(scorer_page(games), encoding="utf-8")
        return ""

    return once_for_all("scorer-page", make)[0] / "kardinal-koenig.html"


@pytest.fixture(scope="session")
def browser(chromium: str) -> Callable[..., dict]:
    """Runs a script of this folder in Chromium: given(script, page, …) → what it prints."""
    def run(script: str, page: Path, *words: str, given: object = None) -> dict:
        return find_node(HERE).run(script, chromium, page.as_uri(), *words, given=given)

    return run
