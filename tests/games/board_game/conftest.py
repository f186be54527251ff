"""The shipped board, its map, and its set."""

from dataclasses import replace

import pytest

from ppgen.assets import Assets
from ppgen.games.board_game.board import Board, Borders, load_board
from ppgen.games.board_game.components import DrawnMap, read_drawn_map
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root

DATA = shipped_root() / "data" / "board_game"


@pytest.fixture(scope="session")
def board() -> Board:
    """The shipped board."""
    return load_board(DATA)


@pytest.fixture(scope="session")
def drawn_map(board: Board) -> DrawnMap:
    """The shipped map."""
    return read_drawn_map(DATA, board)


@pytest.fixture(scope="session")
def borders(drawn_map: DrawnMap) -> Borders:
    """The shipped outlines of its lands."""
    return drawn_map.borders


@pytest.fixture(scope="session")
def board_set() -> Workshop:
    """The shipped set, opened; its texts and parts are made once."""
    return replace(Workshop.open(Assets.at(), game="board-game"), results={})
