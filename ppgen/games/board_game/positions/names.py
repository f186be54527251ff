"""What people call a country, a row of the sheet, and a player in one letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from ppgen.games.board_game.board.model import MAX_PLAYERS, Board
from ppgen.play import names
from ppgen.play.checking import letters_of
from ppgen.play.names import Sort, fold

ROWS = ("before", "chains", "date", "place")
"""The rows of a sheet beside the countries, by the keys of a position."""
NOBODY = frozenset(".·-–_")
"""What may stand for an empty space."""
SEATS = "ABCDE"[:MAX_PLAYERS]


class Names(names.Names):
    """What the things on the score sheet are called."""

    def __init__(self, board: Board, locales: Path, lang: str, common: Path) -> None:
        codes = {fold(country.code): country.id for country in board.countries}
        super().__init__({"countries": Sort(tuple(board.labels), "countries", codes), "rows": Sort(ROWS, "tally")},
                         locales, lang, common)

    def country(self, text: str) -> str | None:
        return self.find("countries", text)

    def row(self, text: str) -> str | None:
        """The key of a country, or of one of the :data:`ROWS`."""
        return self.find("rows", text) or self.country(text)


class Letters:
    """The letter that stands for each player: the first of the name where those differ, else A to E by seat.

    Where nobody's name begins with a letter from A to Z, those of the seats are understood, too.
    """

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.own = letters_of([_plain(name) for name in players])
        self._seats = {letter: seat for seat, letter in enumerate(self.own)}
        if not any("A" <= letter <= "Z" for letter in self.own):
            self._seats |= {letter: seat for seat, letter in enumerate(SEATS[:len(players)])}

    def seat(self, word: str) -> int | None:
        """The seat (from 0) of a letter or a whole name."""
        name = word.strip()
        return self.players.index(name) if name in self.players else self._seats.get(_plain(name).upper())

    def spelled(self) -> str:
        """``A = Andreas, B = Barbra`` for messages."""
        return ", ".join(f"{letter} = {name}" for letter, name in zip(self.own, self.players, strict=True))


def letters_in(text: str) -> list[str]:
    """The letters of a row, without spaces between them."""
    return [letter for letter in _plain(text).upper() if not letter.isspace()]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)
