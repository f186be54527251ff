"""Positions in files: CSV, form fields, cells of the sheet in the terminal, and empty files to fill in."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ppgen.errors import InputError, Problems, Spot
from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import Board
from ppgen.games.board_game.points import INTERIM, Position, interim_points
from ppgen.games.board_game.score_text import COUNCILLORS, INTERIM_POINTS, POINTS, SUMS, letter_cells
from ppgen.games.board_game.tallies import Letters, TallyNames
from ppgen.lines import format_json
from ppgen.play.game_scoring import find_rows, note_strays, read_fact
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, RawGame, SheetCell, SheetPlan, TypedTotal, missing_sheet,
                                   nearest_trail)
from ppgen.reading.fields import CsvRow, Trail, escape_formula, unescape_formula, write_csv
from ppgen.reading.texts import Texts

# CSV
#
# The first row has the names of the players. Then comes a row for each country: the letters of its spaces, of its
# councillors, and optionally of its cloisters at the interim scoring; and rows with a number for each player:
# ``before``, and ``chains`` if the letters of cloisters are not in the order of the spaces.

COLUMNS = ("spaces", "councillors", "interim")  # columns after the name of a country


def read_rows(rows: Sequence[CsvRow], place: str, names: TallyNames) -> RawGame:
    """Read the position of a CSV file. Raises InputError if it has no row of names."""
    if not rows or not any(rows[0].cells[1:]):
        raise InputError.at(place, names.say("wrong.sheet"), names.say("wrong.layout"))
    head, *body = rows
    problems = Problems()
    players = [unescape_formula(cell) for cell in _trimmed(head.cells[1:])]
    document: dict[str, object] = {"players": players}
    spots: dict[Trail, Spot] = {("players",): Spot(place, head.line)}
    tables: dict[str, dict[str, object]] = {key: {} for key in COLUMNS}
    for key, row in find_rows(body, names, place, problems):
        is_country = names.find("countries", key) == key
        width = len(COLUMNS) if is_country else len(players)
        note_strays(row, range(1, 1 + width), names, place, problems)
        spots[key,] = Spot(place, row.line, key)
        if key in FACTS:
            document[key] = read_fact(row)
        elif is_country:
            for column, table in enumerate(COLUMNS, 1):
                spots[table, key] = Spot(place, row.line, f"{table}.{key}")
                if row.cell(column):
                    tables[table][key] = row.cell(column)
        elif any(numbers := list(row.cells[1:1 + width])):  # ignores a blank row
            document[key] = numbers
    if ("chains",) in spots:
        tables["cloisters"] = tables.pop("spaces")
        spots |= {("cloisters", *trail[1:]): spot for trail, spot in spots.items() if trail[0] == "spaces"}
    document |= {key: table for key, table in tables.items() if table}
    return RawGame(place=place, document=document, where=nearest_trail(spots, place), problems=tuple(problems))


def _trimmed(cells: Sequence[str]) -> list[str]:
    return list(cells[:max((number for number, cell in enumerate(cells, 1) if cell), default=0)])


# Form fields
#
# They are the cells of the plan (``p1.name``, ``france.FR1``, ``france.councillors``, ``p1.before``), the letters of
# all spaces (``france``) or at the interim scoring (``france.interim``), ``date`` and ``place``, and points
# (``p1.france.points``, ``p1.total``).

def read_form(plan: SheetPlan, fields: Mapping[str, str], place: str) -> RawGame:
    """Read position and typed points in a form without empty columns. Raises InputError without a field."""
    cells = {cell: text.strip() for field, text in fields.items() if (cell := SheetCell.parse(field))}
    if not any(cell.seat and cell.row == NAME_ROW for cell in cells):
        raise InputError([missing_sheet(place)])
    # Without letters the points at the interim scoring are those typed into the sheet.
    early = not any(text for cell, text in cells.items() if cell.column == INTERIM)
    seats = sorted({cell.seat for cell, text in cells.items() if cell.seat and (
        text if cell.row == NAME_ROW else early and cell.row == "before" and text.strip("0 "))})
    document: dict[str, Any] = {key: fields.get(key, "") for key in FACTS}
    spots: dict[Trail, Spot] = {(key,): Spot(place, 0, key) for key in FACTS}
    for key, row_key in (("players", NAME_ROW), ("before", "before")):
        own = [SheetCell(seat, row_key) for seat in seats]
        if key == "players" or (early and any(map(cells.get, own))):
            document[key] = [cells.get(cell, "") for cell in own]
            spots |= {(key, number): Spot(place, 0, cell.field) for number, cell in enumerate(own)}
    for row in plan.rows:
        own = [SheetCell(0, row.key), *plan.cells_of(row, 0), SheetCell(0, row.key, INTERIM)] if row.shared else []
        for cell in own:
            if cells.get(cell):
                table, key = ((cell.column, cell.row) if cell.column in (COUNCILLORS, INTERIM)
                              else ("spaces", cell.column or cell.row))
                document.setdefault(table, {})[key] = cells[cell]
                spots[table, key] = Spot(place, 0, cell.field)
    totals = [TypedTotal(seat=seats.index(cell.seat), cell=cell, text=text, spot=Spot(place, 0, cell.field))
              for cell, text in cells.items() if text and cell.seat in seats and _is_total(cell, early)]
    return RawGame(place=place, document=document, where=nearest_trail(spots, place), totals=tuple(totals))


def _is_total(cell: SheetCell, early: bool) -> bool:
    if cell.column:
        return cell.column == POINTS or (cell.column == INTERIM_POINTS and not early)
    return (cell.row in SUMS and not (early and cell.row == "before")) or cell.row.startswith("box")


# --- Cells of the sheet in the terminal ---

def to_cells(position: Position, letters: Letters, board: Board) -> dict[SheetCell, str]:
    """The cells of a checked position; the interim scoring has points only."""
    before = position.before or interim_points(position.interim or {}, len(position.players))
    cells = letter_cells(position, letters.by_seat, board)
    return {**cells, **{SheetCell(seat, "before"): str(points) for seat, points in enumerate(before, 1)}}


# --- Empty files ---

EMPTY = "."  # sign of an empty space
EXAMPLE = ("23", "25", "19", "21", "24")  # of points at the interim scoring: missing ones are noticed


def blank_toml(board: Board, names: Sequence[str], texts: Texts) -> str:
    """Make an empty file in TOML."""
    letters = Letters(names)
    quoted = ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
    one, other = letters.by_seat[:2]
    return "\n".join((
        f"# {texts('template.head')}", f"# {texts('template.letters', letters=letters.spelled())}", "",
        f'game = "{NAME}"', f'date = ""             # {texts("tally.date")}',
        f'place = ""            # {texts("tally.place")}', f"players = [{quoted}]",
        f"before = []           # {texts('template.before')}: [{', '.join(EXAMPLE[:len(names)])}]", "",
        f"# {texts('template.spaces', example=one + other + EMPTY)}", "[spaces]",
        *_rows(board, texts, {country: EMPTY * len(labels) for country, labels in board.labels.items()}), "",
        f"# {texts('template.councillors', example=one + one + other)}", "[councillors]",
        *_rows(board, texts, {}), ""))


def _rows(board: Board, texts: Texts, spaces: Mapping[str, str]) -> Iterator[str]:
    """A row for each country, with the labels of its spaces if there is a letter for each."""
    for country, labels in board.labels.items():
        remark = f"# {texts(f'countries.{country}')}" + (f": {labels[0]} … {labels[-1]}" if spaces else "")
        yield f'{country} = "{spaces.get(country, "")}"'.ljust(26) + remark


def blank_csv(board: Board, names: Sequence[str], texts: Texts) -> str:
    """Make an empty file for :func:`read_rows`."""
    def row(first: str, second: str = "") -> list[str]:
        return [first, second, *[""] * (len(names) - 1)]

    return write_csv([["", *map(escape_formula, names)], row("game", NAME), row(texts("tally.before")),
                      *(row(texts(f"countries.{country}"), EMPTY * len(labels))
                        for country, labels in board.labels.items())], texts("template.separator"))


def blank_json(board: Board, names: Sequence[str]) -> str:
    """Make an empty file in JSON."""
    return format_json({
        "game": NAME, "date": "", "place": "", "players": list(names), "before": [],
        "spaces": {country: EMPTY * len(labels) for country, labels in board.labels.items()},
        "councillors": dict.fromkeys(board.labels, "")})
