"""Scoring of any game: bases of its scoring and its scored games, with defaults for all that follows from its plan and
the lines of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Generic

from ppgen.errors import Problem
from ppgen.play.column_tallies import blank_csv, blank_json, blank_toml, read_cells, read_csv, read_form
from ppgen.play.ranking import Player, Ranking
from ppgen.play.result_text import ScoreTable, ScoreTableRow, points_cell, value_row
from ppgen.play.score_lines import LineScore, Words, compose_line_verdict
from ppgen.play.score_rules import Rules
from ppgen.play.sheet_plan import NAME_ROW, TOTAL_ROW, Json, RawGame, SheetCell, SheetPlan
from ppgen.play.validation import NameIndex
from ppgen.reading.csv_tables import CsvRow
from ppgen.reading.texts import Texts

Counts = Mapping[SheetCell, int]
"""The counts of a player by cell, without a seat."""


class SheetScoring:
    """Base of the :class:`~.sheet_plan.Scoring` of a game. ``names`` has its texts and the names of its rows."""

    game: str
    names: NameIndex
    interim: bool = False

    @property
    def plan(self) -> SheetPlan:
        raise NotImplementedError

    @property
    def say(self) -> Texts:
        return self.names.say

    @cached_property
    def words(self) -> Words:
        return Words(common=self.say.words)

    @property
    def spoken_rules(self) -> Rules:
        """The lines that points come from, with labels in the language of the messages."""
        raise NotImplementedError

    def blank(self, form: str, players: Sequence[str]) -> str:
        names = players or [self.say("template.player", n=number) for number in range(1, self.plan.least + 1)]
        return self.make_blank(form, names)

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        """An empty file for players of these names."""
        raise NotImplementedError


class ColumnScoring(SheetScoring):
    """Base of the scoring of a game in which each player has a column.

    A game adds ``score``, ``points`` and the ``remarks`` in its empty TOML file
    (:func:`~.column_tallies.blank_toml`). Files without the name of a game are of the ``default`` one.
    """

    default: ClassVar[bool] = False

    @property
    def remarks(self) -> Mapping[str, str]:
        raise NotImplementedError

    def points(self, columns: Sequence[Counts]) -> Sequence[Counts]:
        """The points of each player by the cell that they are for; their sum is the total."""
        raise NotImplementedError

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        return read_csv(self.plan, rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        return read_form(self.plan, fields, place)

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        return {replace(cell, seat=seat): str(value) for seat, player in enumerate(tallies["players"], 1)
                for cell, value in read_cells(player)}

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        game = "" if self.default else self.game
        if form == "toml":
            return blank_toml(self.plan, names, self.say, self.remarks, game)
        return blank_csv(self.plan, names, self.say, game) if form == "csv" else blank_json(self.plan, names, self.game)


@dataclass(frozen=True, kw_only=True)
class ScoredSheet(Generic[Player]):
    """Base of a :class:`~.sheet_plan.ScoredGame`; ``over`` is False for a game that has not ended.

    ``scored`` are its lines, of which ``score`` is the result; ``facts`` are its date and place; it is ``complete`` if
    nothing is missing. A game adds ``written``, ``table`` and ``reasons``, and the entries and points on its printed
    sheet.
    """

    scoring: SheetScoring
    scored: LineScore
    score: Ranking[Player]
    facts: Mapping[str, str]
    complete: bool
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def say(self) -> Texts:
        return self.scoring.say

    @property
    def result(self) -> Json:
        return self.score.result(self.scoring.game, self.complete, self.warnings)

    def lines(self) -> list[Json]:
        return self.score.lines()

    def verdict(self) -> str:
        return compose_line_verdict(self.scoring.spoken_rules, self.scored, self.scoring.words, over=self.over)

    def fields(self) -> dict[str, str]:
        cells = {**self.entries(), **{cell: str(points) for cell, points in self.sheet_points().items()}}
        values = {**self.facts, **{cell.field: text for cell, text in cells.items()}}
        return {name: text for name, text in values.items() if text}

    def entries(self) -> Mapping[SheetCell, str]:
        """The names and the counts on the sheet."""
        raise NotImplementedError

    def sheet_points(self) -> Mapping[SheetCell, int]:
        """The points on the sheet."""
        raise NotImplementedError

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        return ()


@dataclass(frozen=True, kw_only=True)
class ScoredColumns(ScoredSheet[Player]):
    """Base of a scored game in which each player has a column; ``players`` are the players' tables in a document."""

    scoring: ColumnScoring
    players: Sequence[Json]

    @property
    def written(self) -> Json:
        return {"game": self.scoring.game, **self.facts, "players": list(self.players)}

    @cached_property
    def columns(self) -> list[tuple[Counts, Counts]]:
        """The counts of each player and their points."""
        counts = [{cell: value for cell, value in read_cells(player) if isinstance(value, int)}
                  for player in self.players]
        return list(zip(counts, self.scoring.points(counts), strict=True))

    def table(self) -> ScoreTable:
        say, plan, players = self.say, self.scoring.plan, self.score.players
        rows = [ScoreTableRow(label=say(row.label), cells=tuple(
            tuple(points_cell(counts.get(cell, 0), points.get(cell, 0)) for cell in plan.cells_of(row, 0))
            for counts, points in self.columns)) for row in plan.rows]
        return ScoreTable(
            players=tuple(player.name for player in players), legend=say("results.legend"),
            halves=tuple(say(f"tally.{key}") for key in plan.column_keys), rows=(
                *rows, value_row(say(plan.total), (player.total for player in players), strong=True, parted=True),
                value_row(say("results.rank"), (player.rank for player in players))))

    def entries(self) -> Mapping[SheetCell, str]:
        return {cell: text for cell, text in self.scoring.to_cells(self.written).items()
                if text != "0" or cell.row == NAME_ROW}

    def sheet_points(self) -> Mapping[SheetCell, int]:
        return {SheetCell(seat, TOTAL_ROW): player.total for seat, player in enumerate(self.score.players, 1)}



def document_key(cell: SheetCell) -> str:
    """The key of a cell in a player's table."""
    return ".".join(filter(None, (cell.column, cell.row)))
