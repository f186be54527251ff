"""Turns the rows of a CSV file into a :class:`RawGame`.

The first row names the players. Then a row for each country: the letters of its spaces, those of its councillors, and,
if wanted, those of its cloisters at the interim scoring; and rows with a number for each player: ``before``, and
``chains`` where the letters of cloisters were not noted space by space.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.errors import InputError, Problem, Problems, Spot
from ppgen.games.board_game.positions.names import Names
from ppgen.play.raw import RawGame, nearest
from ppgen.reading.csv_rows import CsvRow
from ppgen.reading.limits import Trail
from ppgen.reading.spreadsheets import unguarded

COLUMNS = ("spaces", "councillors", "interim")
"""What stands behind the name of a country."""


def read_rows(rows: Sequence[CsvRow], place: str, names: Names) -> RawGame:
    """The position of a CSV file. Raises InputError if it has no row of names."""
    if not rows or not any(rows[0].cells[1:]):
        raise InputError([Problem(place=place, what=names.say("wrong.sheet"), remedy=names.say("wrong.layout"))])
    head, *body = rows
    problems = Problems()
    players = [unguarded(cell) for cell in _trimmed(head.cells[1:])]
    document: dict[str, object] = {"players": players}
    spots: dict[Trail, Spot] = {("players",): Spot(place, head.line)}
    tables: dict[str, dict[str, object]] = {key: {} for key in COLUMNS}
    first: dict[str, int] = {}
    for row in body:
        key = names.row(row.cell(0))
        if not key:
            problems.note(place, names.say("wrong.row", word=row.cell(0)[:40]),
                          names.like(row.cell(0), "countries", "rows"), line=row.line)
            continue
        if key in first:
            problems.note(place, names.say("wrong.again_here", word=row.cell(0)),
                          names.say("wrong.first_line", number=first[key]), line=row.line)
            continue
        first[key] = row.line
        width = len(COLUMNS) if names.country(key) == key else len(players)
        for cell in filter(None, row.cells[1 + width:]):
            problems.note(place, names.say("wrong.stray", text=cell[:40]), names.say("wrong.stray_quote"),
                          line=row.line)
        spots[key,] = Spot(place, row.line, key)
        if key in ("date", "place"):
            document[key] = unguarded(next(filter(None, row.cells[1:]), ""))
        elif names.country(key) != key:
            if any(numbers := list(row.cells[1:1 + len(players)])):  # a blank row is none
                document[key] = numbers
        else:
            for column, table in enumerate(COLUMNS, 1):
                spots[table, key] = Spot(place, row.line, f"{table}.{key}")
                if row.cell(column):
                    tables[table][key] = row.cell(column)
    if "chains" in first:
        tables["cloisters"] = tables.pop("spaces")
        spots |= {("cloisters", *trail[1:]): spot for trail, spot in spots.items() if trail[0] == "spaces"}
    document |= {key: table for key, table in tables.items() if table}
    return RawGame(place=place, document=document, where=nearest(spots, place), problems=tuple(problems))


def _trimmed(cells: Sequence[str]) -> list[str]:
    """The cells up to the last that is not empty."""
    filled = [number for number, cell in enumerate(cells, 1) if cell]
    return list(cells[:max(filled, default=0)])
