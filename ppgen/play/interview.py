"""The score sheet while it is being filled in: what stands in its cells, where the pen is, and what comes of a key.

Nothing here knows a terminal, nor a game but by the plan of its sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppgen.play.checking import letters_of
from ppgen.play.counts import count_so_far
from ppgen.play.sheet import LONGEST, LONGEST_NAME, NAME, Cell, Column, Row, SheetPlan, Takes

FIRST = Cell(1, NAME)
NOBODY, MAP = ".", ("?", "？")
"""Written where a place is empty; typed to see the map, or the sheet again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A sheet, ``at`` the cell where the pen is. ``fresh``: nothing was typed there since the pen came.

    ``passed`` are the cells that the pen went on from: what was left empty there is 0, and not forgotten. ``map_open``:
    a row that lies on a map is shown there.
    """

    plan: SheetPlan
    cells: Mapping[Cell, str] = field(default_factory=dict)
    at: Cell = FIRST
    fresh: bool = True
    passed: frozenset[Cell] = frozenset()
    map_open: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The columns (from 1) in which anything stands."""
        return tuple(sorted({cell.seat for cell, text in self.cells.items() if cell.seat and text.strip()}))

    @property
    def row(self) -> Row | None:
        """The row of the pen; None for the names."""
        return self.row_of(self.at)

    @property
    def letters(self) -> Mapping[int, str]:
        """What each seat is called in cells that take letters; A to E if all names are in another script."""
        letters = letters_of([self.name(seat) for seat in self.seats])
        typed = any("A" <= letter <= "Z" for letter in letters)
        return dict(zip(self.seats, letters if typed else letters_of([""] * len(letters)), strict=True))

    def name(self, seat: int) -> str:
        return self.text(Cell(seat, NAME)).strip()

    def text(self, cell: Cell) -> str:
        return self.cells.get(cell, "")

    def row_of(self, cell: Cell) -> Row | None:
        return next((row for row in self.plan.rows if row.key == cell.row), None)

    def column_of(self, cell: Cell) -> Column | None:
        row = self.row_of(cell)
        return next((column for column in row.columns if column.key == cell.column), None) if row else None

    def takes(self, cell: Cell) -> Takes:
        column = self.column_of(cell)
        return column.takes if column else Takes.NAME


def typed(sheet: Interview, characters: str) -> Interview:
    """Characters at the pen. The first one replaces what stood there, but in a name, and a plus goes on with it.

    A single letter is a whole cell: the pen goes on by itself.
    """
    takes = sheet.takes(sheet.at)
    if characters.startswith("\x1b"):  # a key that has no meaning here
        return sheet
    if characters in MAP and takes is not Takes.NAME:
        return replace(sheet, map_open=not sheet.map_open)
    if takes is Takes.LETTER:
        for number, character in enumerate(characters.upper().replace(" ", NOBODY)):
            if sheet.takes(sheet.at) is not Takes.LETTER:
                return typed(sheet, characters[number:])
            if character == NOBODY or character in sheet.letters.values():
                sheet = moved(_written(sheet, character), 1)
        return sheet
    if takes is Takes.NAME:
        wanted = "".join(filter(str.isprintable, characters))
    elif takes is Takes.COUNT:
        wanted = "".join(character for character in characters if character in "0123456789+")
    else:
        wanted = "".join(character for character in characters.upper() if character in sheet.letters.values())
    old = "" if sheet.fresh and takes is not Takes.NAME and not wanted.startswith("+") else sheet.text(sheet.at)
    return _written(sheet, (old + wanted)[:LONGEST_NAME if takes is Takes.NAME else LONGEST]) if wanted else sheet


def erased(sheet: Interview) -> Interview:
    """The last character at the pen taken away."""
    return _written(sheet, sheet.text(sheet.at)[:-1])


def moved(sheet: Interview, steps: int) -> Interview:
    """The pen on the next cell (or the one before), row by row; at the ends it stays.

    Nobody is asked for what needs something that they don't have.
    """
    order = [cell for cell in _order(sheet) if cell == sheet.at or not _needless(sheet, cell)]
    here = order.index(sheet.at) if sheet.at in order else 0
    named = [seat for seat in sheet.seats if sheet.name(seat)]
    if steps > 0 and sheet.row is None and not sheet.name(sheet.at.seat) and len(named) >= sheet.plan.least:
        here = sheet.plan.most - 1  # no more players: on to the first row
    passed = sheet.passed | {sheet.at} if steps > 0 else sheet.passed
    return replace(put(sheet, order[min(max(here + steps, 0), len(order) - 1)]), passed=passed)


def moved_row(sheet: Interview, steps: int) -> Interview:
    """The pen in the same column, a row down or up."""
    rows = (None, *sheet.plan.rows)
    row = rows[min(max(rows.index(sheet.row) + steps, 0), len(rows) - 1)]
    if row is None:
        return put(sheet, Cell(sheet.at.seat or 1, NAME))
    if not sheet.seats:
        return sheet
    seat = sheet.at.seat if sheet.at.seat in sheet.seats else min(sheet.seats)
    cells = sheet.plan.cells_of(row, seat)
    return put(sheet, next((cell for cell in cells if cell.column == sheet.at.column), cells[0]))


def put(sheet: Interview, cell: Cell) -> Interview:
    """The pen on a cell; the first character will replace what stands there."""
    return replace(sheet, at=cell, fresh=True)


def cell_of(sheet: Interview, field_name: str) -> Cell:
    """The cell that a problem of a form's field is about; a name to be filled in, if it is about none."""
    cell = Cell.parse(field_name)
    if cell and cell in _order(sheet):
        return cell
    return next((Cell(seat, NAME) for seat in sheet.plan.seats if not sheet.name(seat)), FIRST)


def untouched(sheet: Interview) -> tuple[Row, ...]:
    """The rows in which a cell is neither filled in nor passed; the one at the pen may be the last to be passed."""
    open_rows = {cell.row for cell in _order(sheet)[sheet.plan.most:]
                 if not sheet.text(cell).strip() and cell not in sheet.passed and not _needless(sheet, cell)
                 and not (cell == sheet.at and is_last(sheet))}
    return tuple(row for row in sheet.plan.rows if row.key in open_rows)


def is_last(sheet: Interview) -> bool:
    return sheet.at == _order(sheet)[-1] and sheet.row is not None


def counted(sheet: Interview, row: Row) -> int:
    """How many of a row are counted so far, in its first column."""
    return sum(count_so_far(sheet.text(sheet.plan.cells_of(row, seat)[0])) for seat in sheet.seats)


def from_draft(plan: SheetPlan, draft: object) -> Interview | None:
    """The sheet of :func:`to_draft`, without what this plan has no cell for; None if nothing is left."""
    if not isinstance(draft, dict) or not isinstance(draft.get("cells"), dict):
        return None
    known = {cell.field: cell for cell in plan.cells()}
    cells = {known[key]: text for key, text in draft["cells"].items()
             if key in known and isinstance(text, str) and text}
    at, passed = draft.get("at"), draft.get("passed")
    sheet = Interview(plan=plan, cells=cells, passed=frozenset(
        known[key] for key in (passed if isinstance(passed, list) else ()) if isinstance(key, str) and key in known))
    pen = known.get(at) if isinstance(at, str) else None
    return (put(sheet, pen) if pen and pen in _order(sheet) else sheet) if cells else None


def to_draft(sheet: Interview) -> dict[str, object]:
    """The sheet as JSON, to go on with later."""
    return {"cells": fields(sheet), "at": sheet.at.field, "passed": sorted(cell.field for cell in sheet.passed)}


def fields(sheet: Interview) -> dict[str, str]:
    """What stands in the cells, as in those of a form."""
    return {cell.field: text for cell, text in sheet.cells.items()}


def _order(sheet: Interview) -> Sequence[Cell]:
    """The cells in the order of the rules: names, then row by row from seat to seat."""
    taken = set(sheet.seats)
    return [cell for cell in sheet.plan.cells() if cell.row == NAME or not cell.seat or cell.seat in taken]


def _needless(sheet: Interview, cell: Cell) -> bool:
    """Whether a cell is empty, and needs something that is not there."""
    column = sheet.column_of(cell)
    return bool(column and column.needs and not sheet.text(cell).strip()
                and not count_so_far(sheet.text(replace(cell, column=column.needs))))


def _written(sheet: Interview, text: str) -> Interview:
    return replace(sheet, cells={**sheet.cells, sheet.at: text}, fresh=False)
