"""A filled-in sheet as a table of words: what a terminal, Markdown and a page show of a scored game."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A line: its label, and for each player one text or two (left and right half); ``shared`` is one text for all.

    ``strong`` lines sum up; a ``parted`` one stands below a rule.
    """

    label: str
    cells: tuple[tuple[str, ...], ...] = ()
    shared: str = ""
    strong: bool = False
    parted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The players' names, the names of the two halves of a column (empty where there is one), the rows, and what a
    cell means, in a sentence."""

    players: tuple[str, ...]
    halves: tuple[str, ...] = ()
    rows: tuple[TableRow, ...]
    legend: str
