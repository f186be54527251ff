"""Turns the data folder of the board game into how the house has it scored.

What not every scoring needs is imported where it is needed: the command is to be quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.errors import InputError, Problem, Spot
from ppgen.games.board_game import NAME
from ppgen.games.board_game.board.loading import load_board
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.positions.names import Names
from ppgen.games.board_game.positions.scored import ScoredGame, score_raw
from ppgen.play.raw import RawGame
from ppgen.reading.csv_rows import CsvRow
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.scoring import Json
    from ppgen.play.sheet import Cell, Running, SheetPlan


def open_scoring(folder: Path, common: Path, lang: str) -> BoardScoring:
    """The scoring of the board in a data folder; ``common`` has the common texts. Raises InputError."""
    board = load_board(folder)
    return BoardScoring(board=board, names=Names(board, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class BoardScoring:
    """How the board game is scored."""

    board: Board
    names: Names
    game: str = NAME
    interim: bool = True

    @cached_property
    def plan(self) -> SheetPlan:
        from ppgen.games.board_game.scoring.plan import plan_of

        return plan_of(self.board)

    @property
    def say(self) -> Texts:
        return self.names.say

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        from ppgen.games.board_game.positions.csv_sheet import read_rows

        return read_rows(rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        from ppgen.games.board_game.positions.forms import read_form

        return read_form(fields, place, self.board)

    def to_cells(self, tallies: Json) -> dict[Cell, str]:
        from ppgen.games.board_game.positions.cells import to_cells

        if tallies.get("cloisters"):
            raise InputError([Problem(place=NAME, key="cloisters", what=self.say("wrong.no_spaces"),
                                      remedy=self.say("wrong.no_spaces_remedy"))])
        raw = RawGame(place=NAME, document=tallies, where=lambda trail: Spot(NAME))
        checked = score_raw(raw, self.board, self.names).checked
        return to_cells(checked.position, checked.letters, self.board)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredGame:
        return score_raw(raw, self.board, self.names, partial, interim)

    def running(self, cells: Mapping[Cell, str], *, interim: bool = False) -> Running:
        from ppgen.games.board_game.positions.cells import running

        return running(cells, self.board, interim)

    def blank(self, form: str, players: Sequence[str]) -> str:
        from ppgen.games.board_game.positions.blanks import template

        return template(form, self.board, players, self.say)
