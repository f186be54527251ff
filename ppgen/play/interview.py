"""Score sheet on the terminal: the state of an interview, and what its keys do.

It depends neither on a terminal library nor on a game, except by the plan of its sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppgen.play.sheet_plan import (
    LONGEST,
    LONGEST_NAME,
    NAME_ROW,
    SheetCell,
    SheetPlan,
    SheetRow,
    Takes,
)
from ppgen.play.validation import parse_partial_count, split_letters

FIRST_CELL = SheetCell(1, NAME_ROW)
NOBODY, MAP = ".", ("?", "？")
"""Entry of an empty place; keys that toggle the map."""
_TYPED = {Takes.COUNT: "0123456789+", Takes.POINTS: "0123456789+-"}
"""Characters of the cells that hold numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interview:
    """A sheet with a cursor on a cell. ``fresh``: nothing was typed there since the cursor arrived.

    ``passed`` are the cells that the cursor has left forwards: empty ones count as 0, not as forgotten. ``map_open``: a
    row with places on a map is shown there.
    """

    plan: SheetPlan
    cells: Mapping[SheetCell, str] = field(default_factory=dict)
    cursor: SheetCell = FIRST_CELL
    fresh: bool = True
    passed: frozenset[SheetCell] = frozenset()
    map_open: bool = False

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats (from 1) whose columns are not empty."""
        return tuple(sorted({cell.seat for cell, text in self.cells.items() if cell.seat and text.strip()}))

    @property
    def row(self) -> SheetRow | None:
        """The row of the cursor; None for the names."""
        return self.row_of(self.cursor)

    @property
    def letters(self) -> Mapping[int, str]:
        """The letter of each seat in cells that take letters; A to E if no name begins with a Latin letter."""
        letters = split_letters([self.name(seat) for seat in self.seats])
        is_latin = any("A" <= letter <= "Z" for letter in letters)
        return dict(zip(self.seats, letters if is_latin else split_letters([""] * len(letters)), strict=True))

    def name(self, seat: int) -> str:
        return self.text(SheetCell(seat, NAME_ROW)).strip()

    def text(self, cell: SheetCell) -> str:
        return self.cells.get(cell, "")

    def row_of(self, cell: SheetCell) -> SheetRow | None:
        return next((row for row in self.plan.rows if row.key == cell.row), None)

    def takes(self, cell: SheetCell) -> Takes:
        column = self.plan.column_of(cell)
        return column.takes if column else Takes.NAME


def type_key(sheet: Interview, characters: str) -> Interview:
    """Type at the cursor. The first character replaces the cell, except in names; a plus continues the sum.

    A single letter fills a cell and moves the cursor on.
    """
    takes = sheet.takes(sheet.cursor)
    if characters.startswith("\x1b"):  # an unknown key
        return sheet
    if characters in MAP and takes is not Takes.NAME:
        return replace(sheet, map_open=not sheet.map_open)
    if takes is Takes.LETTER:
        for number, character in enumerate(characters.upper().replace(" ", NOBODY)):
            if sheet.takes(sheet.cursor) is not Takes.LETTER:
                return type_key(sheet, characters[number:])
            if character == NOBODY or character in sheet.letters.values():
                sheet = move_cursor(_fill_cell(sheet, character), 1)
        return sheet
    if takes is Takes.NAME:
        accepted = "".join(filter(str.isprintable, characters))
    elif takes in _TYPED:
        accepted = "".join(character for character in characters.replace("−", "-") if character in _TYPED[takes])
    else:
        accepted = "".join(character for character in characters.upper() if character in sheet.letters.values())
    old = "" if sheet.fresh and takes is not Takes.NAME and not accepted.startswith("+") else sheet.text(sheet.cursor)
    return _fill_cell(sheet, (old + accepted)[:LONGEST_NAME if takes is Takes.NAME else LONGEST]) if accepted else sheet


def erase_cell(sheet: Interview) -> Interview:
    """Delete the last character of the cell."""
    return _fill_cell(sheet, sheet.text(sheet.cursor)[:-1])


def is_complete(sheet: Interview) -> bool:
    """Check that the cell of the cursor has a count that no further digit can follow."""
    column, text = sheet.plan.column_of(sheet.cursor), sheet.text(sheet.cursor)
    if not column or column.takes is not Takes.COUNT or not text.isdecimal() or sheet.fresh:
        return False
    return text == "0" or int(text) <= column.most < 10 * int(text)


def move_cursor(sheet: Interview, steps: int) -> Interview:
    """Move the cursor to a later or earlier cell, row by row, up to the ends.

    Cells that need another one are skipped if that one is empty.
    """
    order = [cell for cell in _order(sheet) if cell == sheet.cursor or not _is_skipped(sheet, cell)]
    here = order.index(sheet.cursor) if sheet.cursor in order else 0
    named = [seat for seat in sheet.seats if sheet.name(seat)]
    if steps > 0 and sheet.row is None and not sheet.name(sheet.cursor.seat) and len(named) >= sheet.plan.least:
        here = sheet.plan.most - 1  # no more players: go to the first row
    passed = sheet.passed | {sheet.cursor} if steps > 0 else sheet.passed
    return replace(set_cell(sheet, order[min(max(here + steps, 0), len(order) - 1)]), passed=passed)


def move_row(sheet: Interview, steps: int) -> Interview:
    """Move the cursor to another row in the same column."""
    rows = (None, *sheet.plan.rows)
    row = rows[min(max(rows.index(sheet.row) + steps, 0), len(rows) - 1)]
    if row is None:
        return set_cell(sheet, SheetCell(sheet.cursor.seat or 1, NAME_ROW))
    if not sheet.seats:
        return sheet
    seat = sheet.cursor.seat if sheet.cursor.seat in sheet.seats else min(sheet.seats)
    cells = sheet.plan.cells_of(row, seat)
    return set_cell(sheet, next((cell for cell in cells if cell.column == sheet.cursor.column), cells[0]))


def set_cell(sheet: Interview, cell: SheetCell) -> Interview:
    """Put the cursor on a cell; the first character will replace its text."""
    return replace(sheet, cursor=cell, fresh=True)


def cell_at(sheet: Interview, field_name: str) -> SheetCell:
    """Find the cell of a form field that has a problem; for any other key, the first empty name."""
    cell = SheetCell.parse(field_name)
    if cell and cell in _order(sheet):
        return cell
    return next((SheetCell(seat, NAME_ROW) for seat in sheet.plan.seats if not sheet.name(seat)), FIRST_CELL)


def untouched_rows(sheet: Interview) -> tuple[SheetRow, ...]:
    """The rows with a cell that is neither filled in nor passed; the last cell counts as passed under the cursor."""
    open_rows = {cell.row for cell in _order(sheet)[sheet.plan.most:]
                 if not sheet.text(cell).strip() and cell not in sheet.passed and not _is_skipped(sheet, cell)
                 and not (cell == sheet.cursor and is_last(sheet))}
    return tuple(row for row in sheet.plan.rows if row.key in open_rows)


def is_last(sheet: Interview) -> bool:
    return sheet.cursor == _order(sheet)[-1] and sheet.row is not None


def count_row(sheet: Interview, row: SheetRow) -> int:
    """Sum up the first column of a row over all seats."""
    return sum(parse_partial_count(sheet.text(sheet.plan.cells_of(row, seat)[0])) for seat in sheet.seats)


def from_draft(plan: SheetPlan, draft: object) -> Interview | None:
    """Read the sheet of :func:`to_draft` without cells that are not in the plan; None if no entry is left."""
    if not isinstance(draft, dict) or not isinstance(draft.get("cells"), dict):
        return None
    known = {cell.field: cell for cell in plan.cells()}
    cells = {known[key]: text for key, text in draft["cells"].items()
             if key in known and isinstance(text, str) and text}
    cursor, passed = draft.get("at"), draft.get("passed")
    sheet = Interview(plan=plan, cells=cells, passed=frozenset(
        known[key] for key in (passed if isinstance(passed, list) else ()) if isinstance(key, str) and key in known))
    cell = known.get(cursor) if isinstance(cursor, str) else None
    return (set_cell(sheet, cell) if cell and cell in _order(sheet) else sheet) if cells else None


def to_draft(sheet: Interview) -> dict[str, object]:
    """Convert the sheet to JSON, to continue later."""
    return {"cells": fields(sheet), "at": sheet.cursor.field, "passed": sorted(cell.field for cell in sheet.passed)}


def fields(sheet: Interview) -> dict[str, str]:
    """The cells as form fields."""
    return {cell.field: text for cell, text in sheet.cells.items()}


def _order(sheet: Interview) -> Sequence[SheetCell]:
    """All names, then the cells of the seats in use, in the order of the plan."""
    seats = set(sheet.seats)
    return [cell for cell in sheet.plan.cells() if cell.row == NAME_ROW or not cell.seat or cell.seat in seats]


def _is_skipped(sheet: Interview, cell: SheetCell) -> bool:
    """Check that a cell is empty, and so is the one that it needs."""
    column = sheet.plan.column_of(cell)
    return bool(column and column.needs and not sheet.text(cell).strip()
                and not parse_partial_count(sheet.text(replace(cell, column=column.needs))))


def _fill_cell(sheet: Interview, text: str) -> Interview:
    return replace(sheet, cells={**sheet.cells, sheet.cursor: text}, fresh=False)
