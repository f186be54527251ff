"""Scoring of any game, and a scored one: what each game fills in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from ppgen.errors import Problem
from ppgen.play.ranking import Player, Ranking
from ppgen.play.result_text import ScoreTable
from ppgen.play.score_lines import LineScore, Words, compose_line_verdict
from ppgen.play.score_rules import Rules
from ppgen.play.sheet_plan import Json, RawGame, SheetCell, SheetPlan
from ppgen.play.validation import NameIndex
from ppgen.reading.fields import CsvRow
from ppgen.reading.texts import Texts


class Scoring:
    """The scoring of a game in one language, which :mod:`ppgen.games.catalogue` finds."""

    game: str
    names: NameIndex  # has its texts, and the names of its rows
    interim: bool = False  # its rules also have a scoring before the end

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

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        """Read the tallies of a CSV file. Raises InputError."""
        raise NotImplementedError

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        """Read the fields of a form or of an unfinished sheet. Raises InputError if none belongs to the game."""
        raise NotImplementedError

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        """The cells of saved tallies, to edit them: names and counts only."""
        raise NotImplementedError

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredGame[Any]:
        """Score a game. Raises InputError with all problems of the tallies."""
        raise NotImplementedError

    def blank(self, form: str, players: Sequence[str]) -> str:
        """An empty file to fill in (``toml``, ``csv`` or ``json``); without names, for the fewest players."""
        names = players or [self.say("template.player", n=number) for number in range(1, self.plan.least + 1)]
        return self.make_blank(form, names)

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        """An empty file for players of these names."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ScoredGame(Generic[Player]):
    """A game with its result, and the formats to report it in."""

    scoring: Scoring
    scored: LineScore
    score: Ranking[Player]  # the result of the lines
    facts: Mapping[str, str]  # date and place
    complete: bool  # nothing is missing
    over: bool = True  # False for a game that has not ended
    warnings: tuple[Problem, ...] = ()  # entries that deserve a second look

    @property
    def written(self) -> Json:
        """The tallies in the format of a JSON file, with ``game``, ``date`` and ``place``."""
        raise NotImplementedError

    def table(self) -> ScoreTable:
        """The filled-in sheet as rows of cells."""
        raise NotImplementedError

    def reasons(self) -> Iterator[str]:
        """A sentence for each point."""
        raise NotImplementedError

    @property
    def say(self) -> Texts:
        return self.scoring.say

    @property
    def result(self) -> Json:
        """The result for JSON output."""
        return self.score.result(self.scoring.game, self.complete, self.warnings)

    def lines(self) -> list[Json]:
        """A flat record for each player, for spreadsheets."""
        return self.score.lines()

    def verdict(self) -> str:
        """The winner and the tie-break, or the leader."""
        return compose_line_verdict(self.scoring.spoken_rules, self.scored, self.scoring.words, over=self.over)

    def fields(self) -> dict[str, str]:
        """The values of the printed sheet's form fields, counts and points, without empty ones."""
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
        """Entries for which the printed sheet has no fields."""
        return ()
