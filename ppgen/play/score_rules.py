"""Rules of scoring as plain data, the same for Python and JavaScript: :meth:`Rules.data` is their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ppgen.play.score_formula import MAX_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A line of the sheet that scores: a row, or a column of it."""

    key: str
    group: str
    row: str
    column: str = ""
    label: str = ""
    entries: tuple[str, ...] = ()  # its own cells
    counts: tuple[str, ...] = ()  # cells that it counts: its entries, or those of other lines
    points_of: tuple[int, ...] = ()  # earlier lines by number whose points it counts
    computed: bool = False
    take: str = "sum"
    whose: str = "own"
    least: int = 0
    up_to: int = MAX_COUNT
    each: int = 1
    per: int = 1
    table: tuple[tuple[int, int], ...] = ()  # (from this count on, points)
    places: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # points of the places by number of players
    before: bool = False  # each place scores the count of the place before
    ties: str = "each"
    only: str = ""
    want: str = "most"
    not_all: bool = False
    formula: Any = None  # tree of score_formula
    exist: int = 0
    needs: str = ""
    added: bool = True  # else only shown
    late: bool = False
    signed: bool = False  # entries are points themselves

    @property
    def points_field(self) -> str:
        """The field of its points without the player: its entry if that is points itself."""
        if self.signed:
            return self.entries[0]
        return f"{self.row}.{self.column}_points" if self.column else f"{self.row}_points"

    def data(self) -> dict[str, Any]:
        """The line without default values."""
        return {each.name: value for each in fields(self)
                if (value := getattr(self, each.name)) != each.default and value not in ((), {}, "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game."""

    least: int
    most: int
    lines: tuple[ScoreLine, ...]
    lowest: bool = False
    tie_break: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # ("most" or "fewest", line, cells)
    verdicts: tuple[tuple[int, str], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # the game's own texts
    rows: Mapping[str, str] = field(default_factory=dict)  # labels by key
    columns: Mapping[str, str] = field(default_factory=dict)  # labels by key
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in all languages of the file

    def line(self, key: str) -> ScoreLine:
        return next(line for line in self.lines if line.key == key)

    def data(self) -> dict[str, Any]:
        return {"least": self.least, "most": self.most, "lowest": self.lowest, "tie_break": self.tie_break,
                "verdicts": self.verdicts, "words": dict(self.words), "lines": [line.data() for line in self.lines]}

    def scored_data(self) -> dict[str, Any]:
        """Data for scripts that score: without those for files and labels, and counts of the line's own cell."""
        lines = [{key: value for key, value in line.data().items()
                  if key not in ("label", "entries", "needs") and (key != "counts" or value != (line.key,))}
                 for line in self.lines]
        return {"lowest": self.lowest, "tie_break": self.tie_break, "verdicts": (), "lines": lines}

    @property
    def digest(self) -> str:
        """A digest of all that decides about points and winners, whatever the language."""
        import hashlib

        lines = [{key: value for key, value in line.data().items() if key != "label"} for line in self.lines]
        text = json.dumps([self.lowest, self.tie_break, lines], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
