"""What the tests of the scorer page share: the page itself, and what opens it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.pages.scorer_page import scorer_page
from ppgen.printing.workshop import Workshop
from tests.node import Node, find_node

MAX_PAGE_BYTES = 400_000
"""A page is sent around, and opened on small phones."""

HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def node() -> Node:
    return find_node(HERE)


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory, workshop: Workshop) -> Path:
    """The page of all games that have one, which opens in the device's language."""
    path = tmp_path_factory.mktemp("scorer") / "kardinal-koenig.html"
    board_game = Workshop.open(Assets.at(), game="board-game")
    path.write_text(scorer_page([workshop, board_game]), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Callable[..., dict]:
    """Runs a script of this folder in Chromium: given(script, page, …) → what it prints."""
    def run(script: str, page: Path, *words: str, given: object = None) -> dict:
        return find_node(HERE).run(script, chromium, page.as_uri(), *words, given=given)

    return run
