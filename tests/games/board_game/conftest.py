"""The shipped board, and copies of its data to spoil."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ppgen.errors import InputError
from ppgen.games.board_game.board import Board, Borders
from ppgen.games.board_game.board_loading import load_board
from ppgen.games.board_game.drawn_map import DrawnMap, read_drawn_map
from ppgen.games.board_game.game import open_board_game
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


@dataclass(frozen=True)
class BoardFolder:
    """The data of a board in the working folder."""

    path: Path
    formats: Any

    def change(self, name: str, *changes: tuple[str, str]) -> None:
        """Replace the first occurrence of each old text in a file."""
        text = (self.path / name).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"{name} has no {old!r}"
            text = text.replace(old, new, 1)
        (self.path / name).write_text(text, encoding="utf-8")

    def problems(self) -> list[str]:
        """The messages about what is wrong."""
        with pytest.raises(InputError) as caught:
            open_board_game(self.path, self.formats)
        return [str(problem) for problem in caught.value.problems]


@pytest.fixture
def board_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, formats: Any) -> BoardFolder:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(DATA, tmp_path, dirs_exist_ok=True)
    return BoardFolder(Path(), formats)
