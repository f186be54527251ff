"""Scoring of any game: bases of its scoring and its scored games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from ppgen.errors import Problem
from ppgen.play.ranking import Player, Ranking
from ppgen.play.score_lines import LineScore, Words, compose_line_verdict
from ppgen.play.score_rules import Rules
from ppgen.play.sheet_plan import Json, SheetCell, SheetPlan
from ppgen.play.validation import NameIndex
from ppgen.reading.texts import Texts


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


@dataclass(frozen=True, kw_only=True)
class ScoredSheet(Generic[Player]):
    """Base of a scored game, which adds ``written``, ``table``, ``reasons``, and the entries and points on its sheet.
    """

    scoring: SheetScoring
    scored: LineScore
    score: Ranking[Player]  # the result of the lines
    facts: Mapping[str, str]  # date and place
    complete: bool  # nothing is missing
    over: bool = True  # False for a game that has not ended
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
