"""Turns a CSV file, laid out as the score sheet is, into a :class:`RawGame`.

Two columns a player under the player's name, ``cards`` and ``symbols``; a row for each country, then
``ships``, ``carriages`` and ``minus_two``, and ``date`` and ``place`` if wanted. Comma, semicolon or tab;
UTF-8 with or without BOM, UTF-16, or the Windows code page that older spreadsheets save.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.errors import InputError, Problem, Problems, Spot
from ppgen.games.card_game.tallies.names import COLUMNS, Names
from ppgen.play.raw import RawGame
from ppgen.reading.fields import Trail
from ppgen.reading.limits import UNSEEN, called, decoded
from ppgen.reading.spreadsheets import unguarded

SEPARATORS = ";\t,"
MAX_ROWS, MAX_COLUMNS, MAX_LINES = 500, 200, 50_000
"""Twenty rows and eleven columns make a sheet; the rest may be empty."""
MAX_SIGNS = 80
"""Characters of a cell; a name has 60 at most."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the file: its number and its cells, trimmed."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class _Seat:
    """The columns of a player (from 0; None if there is no such column)."""

    name: str
    cards: int | None
    symbols: int | None

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(column for column in (self.cards, self.symbols) if column is not None)


def read_csv_tallies(data: bytes, place: str, names: Names) -> RawGame:
    """The tallies of a CSV file. Raises InputError if its first two lines don't tell the columns."""
    text = decoded(data, place, "cp1252")
    if unseen := UNSEEN.search(text):
        raise InputError([Problem(place=place, line=text.count("\n", 0, unseen.start()) + 1,
                                  what=f"holds {called(unseen[0])}", remedy="take it out")])
    rows = _rows(text, place)
    if len(rows) < 2:
        raise InputError([Problem(place=place, what=names.say("wrong.sheet"), remedy=names.say("wrong.layout"))])
    head, labels, *body = rows
    problems = Problems()
    seats = _seats(head, labels, body, names, place, problems)
    players: list[dict[str, object]] = [{"name": seat.name, "cards": {}, "symbols": {}} for seat in seats]
    document: dict[str, object] = {"players": players}
    spots: dict[Trail, Spot] = {}
    for number, seat in enumerate(seats):
        spots["players", number] = spots["players", number, "name"] = Spot(place, head.line, seat.name)
    known = {column for seat in seats for column in seat.columns}
    first: dict[str, int] = {}
    for row in body:
        key = names.row(row.cell(0)) or names.country(row.cell(0))
        if not key:
            problems.note(place, names.say("wrong.row", word=row.cell(0)[:40]), names.like_row(row.cell(0)),
                          line=row.line)
        elif key in first:
            problems.note(place, names.say("wrong.again_here", word=row.cell(0)),
                          names.say("wrong.first_line", number=first[key]), line=row.line)
        elif key in ("date", "place"):
            document[key] = unguarded(next(filter(None, row.cells[1:]), ""))
            spots[key,] = Spot(place, row.line, key)
        else:
            _note_strays(row, known, names, place, problems)
            for number, seat in enumerate(seats):
                for trail, value, column in _values(row, key, seat, number, names):
                    spots[trail] = Spot(place, row.line, f"{seat.name} {column}".strip())
                    _put(players[number], trail[2:], value)
        first.setdefault(key or row.cell(0), row.line)

    def where(trail: Trail) -> Spot:
        return next((spots[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in spots), Spot(place))

    return RawGame(place=place, document=document, where=where, problems=tuple(problems))


def _values(row: _Row, key: str, seat: _Seat, number: int, names: Names) -> Iterator[tuple[Trail, str, str]]:
    """What a row says of a player, each with its trail and the name of its column."""
    if names.country(key) == key:
        if seat.cards is not None:
            yield ("players", number, "cards", key), row.cell(seat.cards), "cards"
        if seat.symbols is not None:
            yield ("players", number, "symbols", key), row.cell(seat.symbols), "symbols"
    else:  # one number a player, in whichever of the two cells; two of them are refused as such
        yield ("players", number, key), " ".join(filter(None, map(row.cell, seat.columns))), key


def _put(player: dict[str, object], trail: Trail, value: str) -> None:
    if len(trail) == 2:
        inside = player[str(trail[0])]
        assert isinstance(inside, dict)
        inside[trail[1]] = value
    else:
        player[str(trail[0])] = value


def _seats(head: _Row, labels: _Row, body: Sequence[_Row], names: Names, place: str,
           problems: Problems) -> list[_Seat]:
    """The players' columns. A player begins where a name stands, or where ``cards`` comes round again."""
    if not any(names.column(label) for label in labels.cells[1:]):
        raise InputError([Problem(place=place, line=labels.line, what=names.say("wrong.columns"),
                                  remedy=names.say("wrong.layout"))])
    groups: list[list[int]] = []
    called: list[dict[str, int]] = []
    for column in range(1, max(len(head.cells), len(labels.cells))):
        label = labels.cell(column)
        key = names.column(label) if label else None
        if label and not key:
            known = ", ".join(names.say(f"tally.{column}") for column in COLUMNS)
            problems.note(place, names.say("wrong.column", word=label[:40]), names.say("wrong.one_of", words=known),
                          line=labels.line)
        if not key:
            if head.cell(column) and not label:
                problems.note(place, names.say("wrong.column_bare", name=head.cell(column)[:40]),
                              names.say("wrong.layout"), line=labels.line)
            continue
        if head.cell(column) or not groups or key in called[-1]:
            groups.append([])
            called.append({})
        groups[-1].append(column)
        called[-1][key] = column
    seats = [_Seat(unguarded(head.cell(group[0])), keys.get("cards"), keys.get("symbols"))
             for group, keys in zip(groups, called, strict=True)]
    problems.raise_if_any()
    # a template for five players, filled in for three
    return [seat for seat in seats if seat.name or any(row.cell(column) for row in body for column in seat.columns)]


def _note_strays(row: _Row, known: set[int], names: Names, place: str, problems: Problems) -> None:
    """A cell beside the players' columns: most likely a separator inside a number."""
    for column, cell in enumerate(row.cells):
        if column and cell and column not in known:
            problems.note(place, names.say("wrong.stray", text=cell[:40]), names.say("wrong.stray_quote"),
                          line=row.line)


def _rows(text: str, place: str) -> list[_Row]:
    """The rows that are not empty; lines that begin with # are remarks."""
    separator, text = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=separator, strict=True)
    rows = []
    try:
        for cells in reader:
            if len(cells) > MAX_COLUMNS or reader.line_num > MAX_LINES:
                what = f"has more than {MAX_COLUMNS} columns, or {MAX_LINES} lines"
                raise InputError([Problem(place=place, line=reader.line_num, what=what)])
            trimmed = tuple(cell.strip() for cell in cells)
            if any(trimmed) and not trimmed[0].startswith("#"):
                if any(len(cell) > MAX_SIGNS for cell in trimmed):
                    what = f"has a cell of more than {MAX_SIGNS} characters"
                    raise InputError([Problem(place=place, line=reader.line_num, what=what, remedy="shorten it")])
                rows.append(_Row(reader.line_num, trimmed))
            if len(rows) > MAX_ROWS:
                raise InputError([Problem(place=place, line=reader.line_num, what=f"has more than {MAX_ROWS} rows")])
    except csv.Error as error:
        raise InputError([Problem(place=place, line=reader.line_num, what=f"is not valid CSV: {error}")]) from error
    return rows


def _separator(text: str) -> tuple[str, str]:
    """The separator, and the text without the ``sep=;`` line that spreadsheets may put first."""
    lines = text.splitlines()
    if lines and (first := lines[0].lower()).startswith("sep=") and len(first) == 5:
        # the line stays as an empty one, so that line numbers still count
        return first[4], text[len(lines[0]):]
    # the line with "cards" and "symbols" holds no free text, so it counts before the line of names
    for line in [line for line in lines if line.strip() and not line.startswith("#")][1::-1]:
        best = max(SEPARATORS, key=line.count)
        if best in line:
            return best, text
    return ",", text
