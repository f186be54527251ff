"""Tallies of games in which each player has a column of the sheet: CSV, PDF forms, cells and empty files, by the plan.

A count is at ``players.N.COLUMN.ROW`` of the document, or at ``players.N.ROW`` in a row of one column.
:func:`cell_trail` says so once; all formats follow from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ppgen.errors import InputError, Problems, Spot
from ppgen.lines import format_json
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, Json, RawGame, SheetCell, SheetPlan, SheetRow, TypedTotal,
                                   missing_sheet, nearest_trail)
from ppgen.play.validation import Checker, NameIndex
from ppgen.reading.fields import CsvRow, Trail, escape_formula, unescape_formula, write_csv
from ppgen.reading.texts import Texts


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


def read_cells(player: Mapping[str, object]) -> Iterator[tuple[SheetCell, object]]:
    """Yield the cells of a player's table in a document, without a seat, and their values."""
    for key, value in player.items():
        if isinstance(value, Mapping):
            yield from ((SheetCell(0, row, key), entry) for row, entry in value.items())
        else:
            yield SheetCell(0, key), value


def read_players(check: Checker, plan: SheetPlan, game: str) -> list[tuple[str, Mapping[str, object]]]:
    """Read the name and the table of each player; unknown keys of the game and unsuitable names are noted."""
    check.note_unknown((), check.raw.document, ("game", *FACTS, "players"))
    check.game(game)
    players = check.raw.document.get("players")
    if not isinstance(players, list) or any(not isinstance(player, dict) for player in players):
        check.note(("players",), check.say("wrong.players"), check.say("wrong.players_like"))
        return []
    names = check.players([player.get(NAME_ROW, "") for player in players], plan.least, plan.most,
                          lambda number: ("players", number, NAME_ROW))
    return list(zip(names, players, strict=False))


# PDF forms: fields are the cells of the plan (``p1.name``, ``p1.france.cards``, ``p1.ships``), ``date`` and ``place``,
# and the points of each column (``p1.france.country_points``, ``p1.total``).

def read_form(plan: SheetPlan, fields: Mapping[str, str], place: str) -> RawGame:
    """Read the tallies of a filled-in form without empty columns. Raises InputError if it is not a score sheet."""
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
    return re.sub(r"(?<!\s)\s*+\+[\s+]*+", "+", text).strip("+")


# CSV, laid out as the score sheet: the columns of each player under the player's name; their labels in the second row,
# unless each player has only one; then the rows of the plan, and optionally ``date`` and ``place``. A seat is the name
# of a player and the numbers of the player's columns (from 0) by their keys.

def read_csv(plan: SheetPlan, rows: Sequence[CsvRow], place: str, names: NameIndex) -> RawGame:
    """Read the tallies of a CSV file. Raises InputError if its first rows do not name the players' columns."""
    say, labelled = names.say, bool(plan.column_keys)
    if len(rows) < 1 + labelled:
        raise InputError.at(place, say("wrong.sheet"), say("wrong.layout"))
    head, body = rows[0], rows[1 + labelled:]
    problems = Problems()
    if labelled:
        seats = _find_seats(plan, head, rows[1], names, place, problems)
    else:
        seats = [(unescape_formula(head.cell(at)), {"": at}) for at in range(1, max(len(row.cells) for row in rows))]
    # a template for five players may be filled in for three
    seats = [seat for seat in seats if seat[0] or any(row.cell(at) for row in body for at in seat[1].values())]
    facts: dict[str, object] = {}
    columns: list[dict[SheetCell, object]] = [{SheetCell(0, NAME_ROW): name} for name, _ in seats]
    spots: dict[Trail, Spot] = {trail: Spot(place, head.line, name) for number, (name, _) in enumerate(seats)
                                for trail in (("players", number), ("players", number, NAME_ROW))}
    for key, row in find_rows(body, names, place, problems):
        if key in FACTS:
            facts[key] = read_fact(row)
            spots[key,] = Spot(place, row.line, key)
            continue
        note_strays(row, {column for _, keys in seats for column in keys.values()}, names, place, problems)
        for number, (name, keys) in enumerate(seats):
            for cell, text in _entries(plan, row, key, keys):
                columns[number][cell] = text
                spots[cell_trail(cell, number)] = Spot(place, row.line, f"{name} {cell.column or key}".strip())
    return RawGame(place=place, document=make_document(plan, columns, **facts), where=nearest_trail(spots, place),
                   problems=tuple(problems))


def find_rows(body: Iterable[CsvRow], names: NameIndex, place: str, problems: Problems) -> Iterator[tuple[str, CsvRow]]:
    """Yield the key of each row with the row; unknown and repeated rows are noted."""
    first_lines: dict[str, int] = {}
    for row in body:
        word = row.cell(0)
        if not (key := names.row(word)):
            problems.note(place, names.say("wrong.row", word=word[:40]), names.like_row(word), line=row.line)
        elif key in first_lines:
            problems.note(place, names.say("wrong.again_here", word=word),
                          names.say("wrong.first_line", number=first_lines[key]), line=row.line)
        else:
            first_lines[key] = row.line
            yield key, row


def read_fact(row: CsvRow) -> str:
    """The date or the place in a row."""
    return unescape_formula(next(filter(None, row.cells[1:]), ""))


def note_strays(row: CsvRow, columns: Container[int], names: NameIndex, place: str, problems: Problems) -> None:
    """Note cells outside the known columns: most likely a separator inside a number."""
    for column, text in enumerate(row.cells):
        if column and text and column not in columns:
            problems.note(place, names.say("wrong.stray", text=text[:40]), names.say("wrong.stray_quote"),
                          line=row.line)


def _entries(plan: SheetPlan, row: CsvRow, key: str, columns: Mapping[str, int]) -> list[tuple[SheetCell, str]]:
    if plan.has_columns(key):
        return [(SheetCell(0, key, column), row.cell(at)) for column, at in columns.items()]
    # a number in any of the player's cells; two numbers are refused as one invalid count
    return [(SheetCell(0, key), " ".join(filter(None, map(row.cell, sorted(columns.values())))))]


def _find_seats(plan: SheetPlan, head: CsvRow, labels: CsvRow, names: NameIndex, place: str, problems: Problems
                ) -> list[tuple[str, dict[str, int]]]:
    """Find the players' columns. A player begins at a name, or at a repeated label such as ``cards``."""
    say = names.say
    if not any(names.find("columns", label) for label in labels.cells[1:]):
        raise InputError.at(place, say("wrong.columns"), say("wrong.layout"), line=labels.line)
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
    return seats


# --- Empty files ---

def blank_csv(plan: SheetPlan, names: Sequence[str], texts: Texts, game: str = "") -> str:
    """Make an empty file for :func:`read_csv`, with the name of the game if it is given."""
    keys = plan.column_keys
    width = len(keys) or 1
    return write_csv([
        ["", *(cell for name in names for cell in (escape_formula(name), *[""] * (width - 1)))],
        *([["", *[texts(f"tally.{key}") for key in keys] * len(names)]] if keys else []),
        *([["game", game, *[""] * (width * len(names) - 1)]] if game else []),
        *([texts(row.label), *[""] * (width * len(names))] for row in plan.rows)], texts("template.separator"))


def blank_json(plan: SheetPlan, names: Sequence[str], game: str) -> str:
    """Make an empty file in JSON: every count is 0, or null where an empty cell differs from it."""
    zeros = {cell: None if column and column.keeps_blank else 0
             for cell in plan.column(0) for column in [plan.column_of(cell)]}
    columns = [{SheetCell(0, NAME_ROW): name, **zeros} for name in names]
    return format_json(make_document(plan, columns, game=game, date="", place=""))


def blank_toml(plan: SheetPlan, names: Sequence[str], texts: Texts, remarks: Mapping[str, str], game: str = "") -> str:
    """Make an empty TOML file with comments on its ``singles``, on the ``columns`` and on each column."""
    tables = [row for row in plan.rows if plan.has_columns(row.key)]
    singles = [row for row in plan.rows if not plan.has_columns(row.key)]

    def entry(row: SheetRow, key: str = "") -> str:
        column = plan.column_of(SheetCell(0, row.key, key))
        return f"# {row.key} =" if column and column.keeps_blank else f"{row.key} = 0"

    def number(row: SheetRow) -> str:
        return f"# {texts('template.exist', country=texts(row.label), number=row.exist)}" if row.exist else ""
    lines = [f"# {texts('template.head')}", f"# {texts('template.sums')}", "",
             *([f'game = "{game}"'] if game else []),
             *(f'{key} = ""'.ljust(22) + f"# {texts(f'scoring.{key}')}" for key in FACTS)]
    for name in names:
        lines += ["", "", "[[players]]", f"name = {json.dumps(name, ensure_ascii=False)}", f"# {remarks['singles']}",
                  *map(entry, singles), *([f"# {remarks['columns']}"] if tables else [])]
        for key in plan.column_keys:
            lines += ["", f"[players.{key}]".ljust(22) + f"# {remarks[key]}", *(
                (entry(row, key).ljust(22) + number(row)).rstrip() for row in tables
                if any(column.key == key for column in row.columns))]
    return "\n".join(lines) + "\n"
