"""Turns the form fields of a filled-in score sheet into a :class:`RawGame`, with the points that were typed into it.

Fields are the cells of the plan (``p1.name``, ``france.FR1``, ``france.councillors``, ``p1.before``), the letters at
the interim scoring (``france.interim``), ``date`` and ``place``, and points (``p1.france.points``, ``p1.total``).
"""

from __future__ import annotations

from collections.abc import Mapping

from ppgen.errors import InputError, Spot
from ppgen.games.board_game.board.model import Board
from ppgen.games.board_game.scoring.plan import COUNCILLORS, INTERIM, INTERIM_POINTS, POINTS, SUMS
from ppgen.play.raw import RawGame, TypedTotal, nearest
from ppgen.play.sheet import NAME, Cell, no_sheet
from ppgen.reading.limits import Trail


def read_form(fields: Mapping[str, str], place: str, board: Board) -> RawGame:
    """The position in a filled-in form; columns in which neither a name nor points were written are left out.

    Raises InputError if none of the fields is one of a score sheet. Fields with other names are not
    ours (a signature, a note) and are passed over.
    """
    cells = {cell: text.strip() for field, text in fields.items() if (cell := Cell.parse(field))}
    if not any(cell.seat and cell.row == NAME for cell in cells):
        raise InputError([no_sheet(place)])
    # without letters the points at the interim scoring are what was written down
    early = not any(text for cell, text in cells.items() if cell.column == INTERIM)
    seats = sorted({cell.seat for cell, text in cells.items() if cell.seat and (
        text if cell.row == NAME else early and cell.row == "before" and text.strip("0 "))})
    trails: dict[Trail, str] = {("players", number): Cell(seat, NAME).field for number, seat in enumerate(seats)}
    document: dict[str, object] = {"players": [cells.get(Cell(seat, NAME), "") for seat in seats]}
    tables: dict[str, dict[str, object]] = {"spaces": {}, COUNCILLORS: {}, INTERIM: {}}
    for country, labels in board.labels.items():
        for label in labels:
            _put(tables["spaces"], ("spaces", label), cells, Cell(0, country, label), trails)
        for key in (COUNCILLORS, INTERIM):
            _put(tables[key], (key, country), cells, Cell(0, country, key), trails)
    document |= {key: table for key, table in tables.items() if table}
    if early and any(cells.get(Cell(seat, "before")) for seat in seats):
        document["before"] = [cells.get(Cell(seat, "before"), "") for seat in seats]
        trails |= {("before", number): Cell(seat, "before").field for number, seat in enumerate(seats)}
    document |= {key: fields.get(key, "") for key in ("date", "place")}
    trails |= {(key,): key for key in ("date", "place")}
    totals = [TypedTotal(seat=seats.index(cell.seat), cell=cell, text=text, spot=Spot(place, 0, cell.field))
              for cell, text in cells.items() if text and cell.seat in seats and _is_total(cell, early)]
    spots = {trail: Spot(place, 0, field) for trail, field in trails.items()}
    return RawGame(place=place, document=document, where=nearest(spots, place), totals=tuple(totals))


def _put(table: dict[str, object], at: Trail, cells: Mapping[Cell, str], cell: Cell, trails: dict[Trail, str]) -> None:
    if cells.get(cell):
        table[str(at[-1])] = cells[cell]
        trails[at] = cell.field


def _is_total(cell: Cell, early: bool) -> bool:
    """Whether the points of a cell follow from the letters."""
    if cell.column:
        return cell.column == POINTS or (cell.column == INTERIM_POINTS and not early)
    return (cell.row in SUMS and not (early and cell.row == "before")) or cell.row.startswith("box")
