"""A filled-in sheet as a table of words, and what a terminal and Markdown show of it.

Written by hand: a library for tables would take longer to import than the whole command may run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.lines import display_width, fit

WIDTH = 80
"""Characters a line: the narrowest terminal that is still common."""
COLUMN, ENTRY = 15, 5
"""Characters of a player's column if there is room, and of the longest entry, ``10→8 ``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """A line: its label, and for each player a text for each half of the column; ``shared`` is one text for all.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a terminal; ``strong`` ones sum up, ``rule`` ones part."""

    text: str
    strong: bool = False
    rule: bool = False


def points_cell(count: int, points: str) -> str:
    """What was counted and the points it makes, so that arrows stand below each other; a dot where nothing is."""
    return f"{count}→{points:<2}" if count else "·   "


def terminal_lines(table: Table) -> Iterator[Line]:
    """The table in plain characters: rows down, players across."""
    label = max(display_width(row.label) for row in table.rows)
    count = len(table.players)
    words = [display_width(half) for half in table.halves]
    column = min((WIDTH - label) // count - 3, max(sum(words) + 1, COLUMN))
    rule = Line(text="─" * label + f"─┼{'─' * (column + 1)}" * count, rule=True)

    def line(name: str, cells: Sequence[str], strong: bool = False) -> Line:
        return Line(text=f"{fit(name, label)}{''.join(f' │ {cell}' for cell in cells)}".rstrip(), strong=strong)

    headed, half = False, column // 2
    if table.halves:
        wide = min(half, max(column - words[1] - 1, ENTRY))
        headed = words[0] <= wide and words[1] < column - wide
        half = wide if headed else half

    def cell(texts: Sequence[str]) -> str:
        first, last = texts if len(texts) > 1 else ("", texts[0])
        return f"{_right(first, half)}{_right(last, column - half)}"

    yield line("", [fit(player, column) for player in table.players], strong=True)
    if headed:  # else the legend has to do
        yield line("", [cell(table.halves)] * count)
    yield rule
    for row in table.rows:
        if row.parted:
            yield rule
        cells = [row.shared] if row.shared else [cell(texts) for texts in row.cells]
        yield line(row.label, cells, row.strong)


def markdown(table: Table) -> str:
    """The same table in Markdown, one column a player."""
    rows = [["", *map(_escaped, table.players)], ["---", *["---:"] * len(table.players)]]
    for row in table.rows:
        cells = [row.shared] if row.shared else [" / ".join(text.strip() for text in texts if text)
                                                 for texts in row.cells]
        rows.append([f"**{cell}**" if row.strong else cell for cell in (row.label, *cells)])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _right(text: str, width: int) -> str:
    return " " * (width - display_width(text)) + text


def _escaped(name: str) -> str:
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>|#~" else character for character in name)
