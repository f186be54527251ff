"""A copy of the shipped deck to spoil."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from ppgen.errors import InputError, Problem
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.shipped import shipped_root


@dataclass(frozen=True)
class DeckFolder:
    """The data of a deck in the working folder."""

    path: Path

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
            load_deck(self.path)
        return [str(problem) for problem in caught.value.problems]

    def warnings(self) -> list[str]:
        """The messages about what is right, but strange."""
        warnings: tuple[Problem, ...] = load_deck(self.path)[1]
        return [str(warning) for warning in warnings]


@pytest.fixture
def deck_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DeckFolder:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(shipped_root() / "data" / "card_game", tmp_path, dirs_exist_ok=True)
    return DeckFolder(Path())
