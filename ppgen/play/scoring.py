"""The port of scoring: what a game hands over to be scored, and what the house asks of a scored game.

A game that can be scored has a :class:`Scoring`; ``ppgen.games.catalogue`` finds it. Whatever wrote the tallies
down makes a :class:`~ppgen.play.raw.RawGame` of them; ``score`` checks that and makes a :class:`ScoredGame`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ppgen.errors import Problem
    from ppgen.play.raw import RawGame
    from ppgen.play.sheet import Cell, Running, SheetPlan
    from ppgen.play.table import Table
    from ppgen.reading.csv_rows import CsvRow
    from ppgen.reading.texts import Texts

Json = dict[str, Any]


class ScoredGame(Protocol):
    """A game with its result, and every way of telling it."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What deserves a second look."""

    @property
    def result(self) -> Json:
        """The result in the contract's JSON; ``players``, ``winners`` and ``tie_break`` at least."""

    @property
    def written(self) -> Json:
        """The tallies as a JSON file holds them, with ``game``, ``date`` and ``place``."""

    def table(self) -> Table:
        """The filled-in sheet as rows of cells."""

    def verdict(self) -> str:
        """Who won, and what decided; or who leads."""

    def reasons(self) -> Iterator[str]:
        """A sentence for each point."""

    def lines(self) -> list[Json]:
        """A flat record for each player, for spreadsheets."""

    def fields(self) -> dict[str, str]:
        """What stands in the fields of the printed sheet's form, counts and points; not those that stay blank."""

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """What was counted in a way that the printed sheet has no fields for."""


class Scoring(Protocol):
    """How a game is scored, in one language. ``game`` is its name, ``plan`` its sheet; ``interim``: it can be scored
    before its end, too, by rules of their own. ``say`` has the texts of the game and the common ones.
    """

    @property
    def game(self) -> str: ...
    @property
    def plan(self) -> SheetPlan: ...
    @property
    def interim(self) -> bool: ...
    @property
    def say(self) -> Texts: ...

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        """The tallies of a CSV file. Raises InputError."""

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        """The tallies in the fields of a form, or of a sheet being filled in. Raises InputError if none is ours."""

    def to_cells(self, tallies: Json) -> dict[Cell, str]:
        """The cells of kept tallies, to be changed: the other way round, names and counts only."""

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredGame:
        """Raises InputError with everything that is wrong with the tallies."""

    def running(self, cells: Mapping[Cell, str], *, interim: bool = False) -> Running:
        """The score so far; what can't be read counts nothing."""

    def blank(self, form: str, players: Sequence[str]) -> str:
        """An empty file to fill in (``toml``, ``csv`` or ``json``); without players, for as few as can play."""
