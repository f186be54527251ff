"""Rules of scoring as plain data, the same for Python and JavaScript: :meth:`Rules.data` is their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from ppgen.play.score_formula import MAX_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A line of the sheet that scores: a row, or a column of it.

    ``counts`` are the cells that it counts: its ``entries``, or unless it has any, those of other lines; ``points_of``
    are earlier lines by number whose points it counts. ``table`` has pairs (from this count on, points); ``places`` the
    points of the places by number of players; with ``before`` each place scores the count of the place before.
    ``formula`` is the tree of :mod:`~.score_formula`. Points that are not ``added`` are only shown; ``signed`` entries
    are points themselves.
    """

    key: str
    group: str
    row: str
    column: str = ""
    label: str = ""
    entries: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    points_of: tuple[int, ...] = ()
    computed: bool = False
    take: str = "sum"
    whose: str = "own"
    least: int = 0
    up_to: int = MAX_COUNT
    each: int = 1
    per: int = 1
    table: tuple[tuple[int, int], ...] = ()
    places: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    before: bool = False
    ties: str = "each"
    only: str = ""
    want: str = "most"
    not_all: bool = False
    formula: Any = None
    exist: int = 0
    needs: str = ""
    added: bool = True
    late: bool = False
    signed: bool = False

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
    """The rules of a game. ``tie_break`` has ("most" or "fewest", line, cells) each, ``words`` the game's own texts.

    ``rows`` and ``columns`` are the labels by key, ``spellings`` the labels in all languages of the file.
    """

    least: int
    most: int
    lines: tuple[ScoreLine, ...]
    lowest: bool = False
    tie_break: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    verdicts: tuple[tuple[int, str], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

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
