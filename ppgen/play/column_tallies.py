"""Tallies of games in which each player has a column of the sheet: CSV, PDF forms, cells and empty files, by the plan.

A count is at ``players.N.COLUMN.ROW`` of the document, or at ``players.N.ROW`` in a row of one column.
:func:`cell_trail` says so once; all formats follow from it.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ppgen.errors import InputError, Problem, Problems, Spot
from ppgen.play.sheet_plan import (
    NAME_ROW,
    Json,
    RawGame,
    SheetCell,
    SheetPlan,
    TypedTotal,
    missing_sheet,
    nearest_trail,
)
from ppgen.play.validation import NameIndex
from ppgen.reading.csv_tables import CsvRow, escape_formula, unescape_formula
from ppgen.reading.file_limits import Trail
from ppgen.reading.texts import Texts

FACTS = ("date", "place")
"""Entries of a game that belong to no player."""


def cell_trail(cell: SheetCell, number: int) -> Trail:
    """The trail of a cell in the document, for the player with this number (from 0)."""
    return ("players", number, *filter(None, (cell.column, cell.row)))


def make_document(plan: SheetPlan, columns: Sequence[Mapping[SheetCell, object]], **facts: object) -> Json:
    """Make the document of the cells of each player's column; it has all tables, also empty ones."""
    players: list[dict[str, Any]] = [{NAME_ROW: "", **{key: {} for key in plan.column_keys}} for _ in columns]
    for player, column in zip(players, columns, strict=True):
        for cell, value in column.items():
            (player[cell.column] if cell.column else player)[cell.row] = value
    return {**facts, "players": players}


def to_cells(tallies: Json) -> dict[SheetCell, str]:
    """The cells of a checked document."""
    return {SheetCell(seat, row, key if isinstance(value, dict) else ""): str(count)
            for seat, player in enumerate(tallies["players"], 1) for key, value in player.items()
            for row, count in (value.items() if isinstance(value, dict) else [(key, value)])}


# PDF forms: fields are the cells of the plan (``p1.name``, ``p1.france.cards``, ``p1.ships``), ``date`` and ``place``,
# and the points of each column (``p1.france.country_points``, ``p1.total``).

def read_form(plan: SheetPlan, fields: Mapping[str, str], place: str) -> RawGame:
    """Read the tallies of a filled-in form without empty columns.

    Raises InputError if no field belongs to a score sheet. Other fields (a signature, a note) are ignored. A row that
    the game lacks is kept, so that the check can report it.
    """
    counts: dict[int, dict[SheetCell, str]] = {}
    points: dict[int, dict[SheetCell, str]] = {}
    for field, value in fields.items():
        if (cell := SheetCell.parse(field)) and cell.seat:
            column, text = counts.setdefault(cell.seat, {}), value.strip()
            if cell.row == NAME_ROW and not cell.column:
                column[cell] = text
            elif plan.is_count(cell):
                column[cell] = _finish_sum(text)
            elif text and (cell.column or cell.row) in plan.points:
                points.setdefault(cell.seat, {})[cell] = text
    if not counts:
        raise InputError([missing_sheet(place)])
    seats = [seat for seat in sorted(counts) if any(text.strip("0 ") for text in counts[seat].values())]
    spots: dict[Trail, Spot] = {(key,): Spot(place, 0, key) for key in FACTS}
    for number, seat in enumerate(seats):
        spots["players", number] = Spot(place, 0, f"p{seat}")
        spots |= {cell_trail(cell, number): Spot(place, 0, cell.field) for cell in counts[seat]}
    return RawGame(
        place=place, where=nearest_trail(spots, place),
        document=make_document(plan, [counts[seat] for seat in seats], **{key: fields.get(key, "") for key in FACTS}),
        totals=tuple(TypedTotal(seat=number, cell=cell, text=text, spot=Spot(place, 0, cell.field))
                     for number, seat in enumerate(seats) for cell, text in points.get(seat, {}).items()))


def _finish_sum(text: str) -> str:
    """A count as the form's scripts read it: an unfinished sum like ``3+`` counts so far."""
    return re.sub(r"\s*\+[\s+]*", "+", text).strip("+")


# CSV, laid out as the score sheet: the columns of each player under the player's name, their labels in the second row;
# then the rows of the plan, and optionally ``date`` and ``place``.

_Seats = Sequence[tuple[str, Mapping[str, int]]]
"""The name of each player, and the numbers of the player's columns (from 0) by their keys."""


def read_csv(plan: SheetPlan, rows: Sequence[CsvRow], place: str, names: NameIndex) -> RawGame:
    """Read the tallies of a CSV file. Raises InputError if its first two rows do not name the columns."""
    say = names.say
    if len(rows) < 2:
        raise InputError([Problem(place=place, what=say("wrong.sheet"), remedy=say("wrong.layout"))])
    head, labels, *body = rows
    problems = Problems()
    seats = _find_seats(plan, head, labels, body, names, place, problems)
    facts: dict[str, object] = {}
    columns: list[dict[SheetCell, object]] = [{SheetCell(0, NAME_ROW): name} for name, _ in seats]
    spots: dict[Trail, Spot] = {trail: Spot(place, head.line, name) for number, (name, _) in enumerate(seats)
                                for trail in (("players", number), ("players", number, NAME_ROW))}
    first_lines: dict[str, int] = {}
    for row in body:
        word = row.cell(0)
        if not (key := names.row(word)):
            problems.note(place, say("wrong.row", word=word[:40]), names.like_row(word), line=row.line)
        elif key in first_lines:
            problems.note(place, say("wrong.again_here", word=word), say("wrong.first_line", number=first_lines[key]),
                          line=row.line)
        elif key in FACTS:
            facts[key] = unescape_formula(next(filter(None, row.cells[1:]), ""))
            spots[key,] = Spot(place, row.line, key)
        else:
            _note_strays(row, seats, names, place, problems)
            for number, (name, keys) in enumerate(seats):
                for cell, text in _entries(plan, row, key, keys):
                    columns[number][cell] = text
                    spots[cell_trail(cell, number)] = Spot(place, row.line, f"{name} {cell.column or key}".strip())
        first_lines.setdefault(key or word, row.line)
    return RawGame(place=place, document=make_document(plan, columns, **facts), where=nearest_trail(spots, place),
                   problems=tuple(problems))


def _entries(plan: SheetPlan, row: CsvRow, key: str, columns: Mapping[str, int]) -> list[tuple[SheetCell, str]]:
    """The entries of a player in a row."""
    if plan.has_columns(key):
        return [(SheetCell(0, key, column), row.cell(at)) for column, at in columns.items()]
    # a number in any of the player's cells; two numbers are refused as one invalid count
    return [(SheetCell(0, key), " ".join(filter(None, map(row.cell, sorted(columns.values())))))]


def _find_seats(plan: SheetPlan, head: CsvRow, labels: CsvRow, body: Sequence[CsvRow], names: NameIndex, place: str,
                problems: Problems) -> _Seats:
    """Find the players' columns. A player begins at a name, or at a repeated label such as ``cards``."""
    say = names.say
    if not any(names.find("columns", label) for label in labels.cells[1:]):
        raise InputError([Problem(place=place, line=labels.line, what=say("wrong.columns"),
                                  remedy=say("wrong.layout"))])
    seats: list[tuple[str, dict[str, int]]] = []
    for column in range(1, max(len(head.cells), len(labels.cells))):
        label, name = labels.cell(column), head.cell(column)
        if key := names.find("columns", label) if label else None:
            if name or not seats or key in seats[-1][1]:
                seats.append((unescape_formula(name), {}))
            seats[-1][1][key] = column
        elif label:
            known = ", ".join(say(f"tally.{each}") for each in plan.column_keys)
            problems.note(place, say("wrong.column", word=label[:40]), say("wrong.one_of", words=known),
                          line=labels.line)
        elif name:
            problems.note(place, say("wrong.column_bare", name=name[:40]), say("wrong.layout"), line=labels.line)
    problems.raise_if_any()
    # a template for five players may be filled in for three
    return [seat for seat in seats if seat[0] or any(row.cell(at) for row in body for at in seat[1].values())]


def _note_strays(row: CsvRow, seats: _Seats, names: NameIndex, place: str, problems: Problems) -> None:
    """Note cells outside the players' columns: most likely a separator inside a number."""
    known = {column for _, columns in seats for column in columns.values()}
    for column, text in enumerate(row.cells):
        if column and text and column not in known:
            problems.note(place, names.say("wrong.stray", text=text[:40]), names.say("wrong.stray_quote"),
                          line=row.line)


# Empty files

def blank_csv(plan: SheetPlan, names: Sequence[str], texts: Texts) -> str:
    """Make an empty file for :func:`read_csv`."""
    out, width = io.StringIO(), len(plan.column_keys)
    # spreadsheets separate cells by the list separator of their language
    writer = csv.writer(out, lineterminator="\n", delimiter=texts("template.separator"))
    writer.writerow(["", *(cell for name in names for cell in (escape_formula(name), *[""] * (width - 1)))])
    writer.writerow(["", *[texts(f"tally.{key}") for key in plan.column_keys] * len(names)])
    writer.writerows([texts(row.label), *[""] * (width * len(names))] for row in plan.rows)
    return out.getvalue()


def blank_json(plan: SheetPlan, names: Sequence[str], game: str) -> str:
    """Make an empty file in JSON: every count is 0."""
    columns = [{SheetCell(0, NAME_ROW): name, **{cell: 0 for row in plan.rows for cell in plan.cells_of(row, 0)}}
               for name in names]
    return json.dumps(make_document(plan, columns, game=game, date="", place=""), ensure_ascii=False, indent=1) + "\n"


def blank_toml(plan: SheetPlan, names: Sequence[str], texts: Texts, remarks: Mapping[str, str]) -> str:
    """Make an empty file in TOML: every count is 0.

    ``remarks`` are comments: ``singles`` above the rows of one column, ``columns`` below them, and one for each column.
    """
    tables = [row for row in plan.rows if plan.has_columns(row.key)]
    singles = [row for row in plan.rows if not plan.has_columns(row.key)]
    lines = [f"# {texts('template.head')}", f"# {texts('template.sums')}", "",
             *(f'{key} = ""'.ljust(22) + f"# {texts(f'tally.{key}')}" for key in FACTS)]
    for name in names:
        lines += ["", "", "[[players]]", f"name = {json.dumps(name, ensure_ascii=False)}", f"# {remarks['singles']}",
                  *(f"{row.key} = 0" for row in singles), f"# {remarks['columns']}"]
        for key in plan.column_keys:
            lines += ["", f"[players.{key}]".ljust(22) + f"# {remarks[key]}", *(
                f"{row.key} = 0".ljust(22) + f"# {texts('template.exist', country=texts(row.label), number=row.exist)}"
                for row in tables)]
    return "\n".join(lines) + "\n"
