"""Turns the form fields of a filled-in score sheet into a :class:`RawGame`, with the points that were typed into it.

Fields are the cells of the plan (``p1.name``, ``p1.france.cards``, ``p1.ships``), ``date`` and ``place``, and the
points of each column (``p1.france.country_points``, ``p1.total``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ppgen.errors import InputError, Spot
from ppgen.games.card_game.scoring.points import COLUMNS, COUNTRY_POINTS, POINTS, SINGLE_COUNTS
from ppgen.play.raw import RawGame, TypedTotal, nearest
from ppgen.play.sheet import NAME, Cell, no_sheet
from ppgen.reading.fields import Trail


def read_form(fields: Mapping[str, str], place: str) -> RawGame:
    """The tallies in a filled-in form; columns in which nothing stands are left out.

    Raises InputError if none of the fields is one of a score sheet. Fields with other names are not
    ours (a signature, a note) and are passed over.
    """
    columns: dict[int, dict[Cell, str]] = {}
    for field, value in fields.items():
        if (cell := Cell.parse(field)) and cell.seat:
            columns.setdefault(cell.seat, {})[cell] = value.strip()
    if not columns:
        raise InputError([no_sheet(place)])
    trails: dict[Trail, str] = {}
    players: list[dict[str, object]] = []
    totals: list[TypedTotal] = []
    for seat, (_, column) in enumerate(filter(lambda each: _is_used(each[1]), sorted(columns.items()))):
        players.append(_player(column, ("players", seat), trails))
        totals += (TypedTotal(seat=seat, cell=cell, text=text, spot=Spot(place, 0, cell.field))
                   for cell, text in column.items() if text and _is_total(cell))
    document: dict[str, object] = {"players": players}
    for key in ("date", "place"):
        document[key] = fields.get(key, "")
        trails[key,] = key
    spots = {trail: Spot(place, 0, field) for trail, field in trails.items()}
    return RawGame(place=place, document=document, where=nearest(spots, place), totals=tuple(totals))


def _is_used(column: Mapping[Cell, str]) -> bool:
    """Whether a name or a count stands in it; points may compute themselves to 0 in empty columns too."""
    return any(text.strip("0 ") for cell, text in column.items() if not _is_total(cell))


def _is_total(cell: Cell) -> bool:
    return cell.column in COUNTRY_POINTS or (not cell.column and cell.row in POINTS)


def _player(column: Mapping[Cell, str], at: Trail, trails: dict[Trail, str]) -> dict[str, object]:
    counts: dict[str, dict[str, str]] = {key: {} for key in COLUMNS}
    player: dict[str, object] = {NAME: "", **counts}
    for cell, text in column.items():
        trails.setdefault(at, f"p{cell.seat}")
        if cell.column in counts:
            counts[cell.column][cell.row] = _sum(text)
            trails[*at, cell.column, cell.row] = cell.field
        elif not cell.column and cell.row in (NAME, *SINGLE_COUNTS):
            player[cell.row] = text if cell.row == NAME else _sum(text)
            trails[*at, cell.row] = cell.field
    return player


def _sum(value: str) -> str:
    """A count as the form's own scripts read it: an unfinished sum like ``3+`` is what stands there so far."""
    return re.sub(r"\s*\+[\s+]*", "+", value).strip("+")
