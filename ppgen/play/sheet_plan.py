"""Plan of a score sheet, and unchecked games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from ppgen.errors import Problem, Spot
from ppgen.reading.fields import Trail
from ppgen.shipped import Phrase

_FIELD = re.compile(r"(?:p(\d{1,2})\.)?([^.]+)(?:\.([^.]+))?")
NAME_ROW, TOTAL_ROW = "name", "total"  # keys of the rows of the players' names and of their totals
FACTS = ("date", "place")  # entries of a game that belong to no player
LONGEST, LONGEST_NAME = 24, 60  # characters of a count or of letters; of a name or a place
Json = dict[str, Any]


class Takes(StrEnum):
    """The kind of entry in a cell: a name, a count (or a sum like 3+2), points (also below 0: 3-5), a player's letter,
    or several of them."""

    NAME = "name"
    COUNT = "count"
    POINTS = "points"
    LETTER = "letter"
    LETTERS = "letters"


@dataclass(frozen=True, slots=True, order=True)
class SheetCell:
    """Address of a cell: the ``seat`` (from 1; 0 in a shared row), the row, and the column if the row has any.

    It is spelled as the name of its form field: ``p1.name``, ``p1.france.cards``, ``p1.ships`` in a player's column,
    ``france.FR1`` in a shared row. Form, CSV, questions, drafts and messages use it in every game.
    """

    seat: int
    row: str
    column: str = ""

    @property
    def field(self) -> str:
        """The name of its form field."""
        return ".".join(filter(None, (f"p{self.seat}" if self.seat else "", self.row, self.column)))

    @classmethod
    def parse(cls, field: str) -> SheetCell | None:
        """The cell of a field name; None for any other name."""
        match = _FIELD.fullmatch(field)
        return cls(int(match[1] or 0), match[2], match[3] or "") if match else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetColumn:
    """A column of a row."""

    key: str = ""
    takes: Takes = Takes.COUNT
    ask: str  # key of the question with `{name}` of the player, `{row}`, and `{number}` that exists
    needs: str = ""  # a column: asked for only if that one is filled in
    late: bool = False  # for the end of a game, not asked for at an interim scoring
    keeps_blank: bool = False  # an empty cell differs from 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRow:
    """A row of the sheet, with a cell for each seat and column."""

    key: str
    label: str  # key of its name
    columns: tuple[SheetColumn, ...]
    shared: bool = False  # by all: one cell for each column
    exist: int = 0  # number to be counted in its first column over all seats; 0 if unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlan:
    """The players, and the rows below that of the names, in the order of the rules."""

    least: int  # players
    most: int
    rows: tuple[SheetRow, ...]
    total: str = "score.total"  # key of the name of the row of totals
    points: tuple[str, ...] = ()  # other rows and columns, of points instead of counts

    @property
    def seats(self) -> range:
        return range(1, self.most + 1)

    @property
    def early(self) -> SheetPlan:
        """The plan of an interim scoring."""
        rows = (replace(row, columns=tuple(column for column in row.columns if not column.late)) for row in self.rows)
        return replace(self, rows=tuple(row for row in rows if row.columns))

    @property
    def column_keys(self) -> tuple[str, ...]:
        """The keys of columns, in rows with several."""
        return tuple(dict.fromkeys(column.key for row in self.rows for column in row.columns if column.key))

    def has_columns(self, key: str) -> bool:
        """Check for several columns in a row; unknown rows have them."""
        return not any(row.key == key and not row.columns[0].key for row in self.rows)

    def is_count(self, cell: SheetCell) -> bool:
        """Check for a count in a cell, also in an unknown row of several columns."""
        return cell.column in self.column_keys if cell.column else not self.has_columns(cell.row)

    def text_keys(self) -> Iterator[str]:
        """List the keys of the texts that the plan names."""
        for row in self.rows:
            yield row.label
            yield from (column.ask for column in row.columns)
        yield self.total

    def cells_of(self, row: SheetRow, seat: int) -> tuple[SheetCell, ...]:
        """The cells of a row in a seat's column, or all of a shared one."""
        return tuple(SheetCell(0 if row.shared else seat, row.key, column.key) for column in row.columns)

    def column_of(self, cell: SheetCell) -> SheetColumn | None:
        """The column of a cell; None for names and unknown cells."""
        return next((column for row in self.rows if row.key == cell.row for column in row.columns
                     if column.key == cell.column), None)

    def column(self, seat: int) -> tuple[SheetCell, ...]:
        """The cells of a seat's column, without the name."""
        return tuple(cell for row in self.rows if not row.shared for cell in self.cells_of(row, seat))

    def cells(self) -> Iterator[SheetCell]:
        """All cells: the names, then row by row from seat to seat."""
        yield from (SheetCell(seat, NAME_ROW) for seat in self.seats)
        for row in self.rows:
            for seat in self.seats[:1] if row.shared else self.seats:
                yield from self.cells_of(row, seat)


# --- Unchecked games ---

@dataclass(frozen=True, slots=True, kw_only=True)
class TypedTotal:
    """Points typed into a filled-in sheet, to compare with the computed ones."""

    seat: int  # of the players, from 0
    cell: SheetCell  # may have another seat, as empty columns are left out
    text: str
    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class RawGame:
    """A game as written down, before any check."""

    place: str
    document: Mapping[str, object]  # with the keys of the JSON format, whatever the file's format
    where: Callable[[Trail], Spot]  # the spot of a trail like ("players", 0, "ships")
    problems: tuple[Problem, ...] = ()  # that the reader could read past
    totals: tuple[TypedTotal, ...] = field(default=())
    quoted: bool = False  # a sum needs quotes in this format


def nearest_trail(spots: Mapping[Trail, Spot], place: str) -> Callable[[Trail], Spot]:
    """Make a function that finds the spot of a trail, or of the nearest table around it, or else the file itself."""
    return lambda trail: next((spots[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in spots),
                              Spot(place))


def missing_sheet(place: str) -> Problem:
    """The problem of a form without any cell of a score sheet."""
    return Problem(place, Phrase("not_a_sheet"), Phrase("fill_in_sheet"))
