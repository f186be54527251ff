"""Copies of the shipped data of a game, to spoil."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ppgen.engine.geometry import Formats
from ppgen.errors import InputError, Problem
from ppgen.games.board_game.game import open_board_game
from ppgen.games.card_game.deck import load_deck
from ppgen.shipped import shipped_root


@dataclass(frozen=True)
class GameFolder:
    """The data of a game in the working folder; ``load`` reads them and returns its warnings."""

    path: Path
    load: Callable[[Path], tuple[Problem, ...]]

    def change(self, name: str, *changes: tuple[str, str]) -> None:
        """Replace the first occurrence of each old text in a file."""
        file = self.path / name
        text = file.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text, f"{name} has no {old!r}"
            text = text.replace(old, new, 1)
        file.write_text(text, encoding="utf-8")

    def problems(self) -> list[str]:
        """The messages about what is wrong."""
        with pytest.raises(InputError) as caught:
            self.load(self.path)
        return [str(problem) for problem in caught.value.problems]

    def warnings(self) -> list[str]:
        """The messages about what is right, but strange."""
        return [str(warning) for warning in self.load(self.path)]


@pytest.fixture
def deck_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GameFolder:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(shipped_root() / "data" / "card_game", tmp_path, dirs_exist_ok=True)
    return GameFolder(Path(), lambda path: load_deck(path)[1])


@pytest.fixture
def board_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, formats: Formats) -> GameFolder:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(shipped_root() / "data" / "board_game", tmp_path, dirs_exist_ok=True)
    return GameFolder(Path(), lambda path: open_board_game(path, formats).warnings)
