"""The plan of a score sheet: who sits where, what is counted in which row and column, and what each cell is called.

A cell has one address, :class:`Cell`, and one spelling of it, the name of the form field: ``p1.name``,
``p1.france.cards``, ``p1.ships`` in a player's column, ``france.FR1`` where a row belongs to all. Form, CSV,
interview, drafts and messages use it, whatever the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ppgen.errors import Problem

_FIELD = re.compile(r"(?:p(\d{1,2})\.)?([^.]+)(?:\.([^.]+))?")
NAME = "name"
"""The row of the players' names."""
LONGEST, LONGEST_NAME = 24, 60
"""Characters of a count, or of letters; and of a name or a place."""


def no_sheet(place: str) -> Problem:
    """What is wrong with a form that has no cell of any score sheet."""
    return Problem(place=place, what="has no fields of a score sheet",
                   remedy="fill in the score sheet that ppgen build prints")


class Takes(StrEnum):
    """What may be written into a cell: a name, a count (or a sum like 3+2), one player's letter, or any of them."""

    NAME = "name"
    COUNT = "count"
    LETTER = "letter"
    LETTERS = "letters"


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A place to write: the ``seat`` (from 1; 0 where a row belongs to all), the row, and the column if it has any."""

    seat: int
    row: str
    column: str = ""

    @property
    def field(self) -> str:
        """Its name as a form field."""
        return ".".join(filter(None, (f"p{self.seat}" if self.seat else "", self.row, self.column)))

    @classmethod
    def parse(cls, field: str) -> Cell | None:
        """The cell of a field's name, None for a name that is none."""
        match = _FIELD.fullmatch(field)
        return cls(int(match[1] or 0), match[2], match[3] or "") if match else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is written of a row; ``ask`` is the key of the question, in which ``{name}`` is the player, ``{row}`` the
    row and ``{number}`` what exists of it. A column that ``needs`` another is asked for only where that one holds
    something. ``label`` is what a cell of a row for all is called on the board, like FR1. A ``late`` column is for the
    end of a game, and not asked for at an interim scoring.
    """

    key: str = ""
    takes: Takes = Takes.COUNT
    ask: str
    needs: str = ""
    label: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the sheet, with a cell for each seat and column, or ``shared`` by all with one for each column.

    ``label`` is the key of the text that it is called by. ``exist`` is how many there are to be counted in its first
    column, all seats together; 0 where no number is known. ``places`` are where the cells of its columns lie on a map,
    if they do (x to the right, y down, in any unit), and ``links`` which of them are joined there.
    """

    key: str
    label: str
    columns: tuple[Column, ...]
    shared: bool = False
    exist: int = 0
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    links: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlan:
    """The rows that are asked for, in the order of the rules, below a row of names; the fewest and most players.

    ``total`` is the key of what the row of the totals is called.
    """

    least: int
    most: int
    rows: tuple[Row, ...]
    total: str = "score.total"

    @property
    def seats(self) -> range:
        return range(1, self.most + 1)

    @property
    def early(self) -> SheetPlan:
        """What is asked for at an interim scoring."""
        rows = (replace(row, columns=tuple(column for column in row.columns if not column.late)) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if row.columns))

    def cells_of(self, row: Row, seat: int) -> tuple[Cell, ...]:
        """The cells of a row in a seat's column, or all of a shared one."""
        return tuple(Cell(0 if row.shared else seat, row.key, column.key) for column in row.columns)

    def cells(self) -> Iterator[Cell]:
        """All cells: the names, then row by row from seat to seat."""
        yield from (Cell(seat, NAME) for seat in self.seats)
        for row in self.rows:
            for seat in self.seats[:1] if row.shared else self.seats:
                yield from self.cells_of(row, seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The score of a sheet that is being filled in: each seat's total, and the points that a cell makes."""

    totals: Mapping[int, int]
    points: Mapping[Cell, int]
