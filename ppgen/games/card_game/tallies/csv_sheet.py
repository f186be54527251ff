"""Turns the rows of a CSV file, laid out as the score sheet is, into a :class:`RawGame`.

Two columns a player under the player's name, ``cards`` and ``symbols``; a row for each country, then
``ships``, ``carriages`` and ``minus_two``, and ``date`` and ``place`` if wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.errors import InputError, Problem, Problems, Spot
from ppgen.games.card_game.scoring.points import COLUMNS
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.raw import RawGame, nearest
from ppgen.reading.csv_rows import CsvRow
from ppgen.reading.fields import Trail
from ppgen.reading.spreadsheets import unguarded


@dataclass(frozen=True, slots=True)
class _Seat:
    """The columns of a player (from 0; None if there is no such column)."""

    name: str
    cards: int | None
    symbols: int | None

    @property
    def columns(self) -> tuple[int, ...]:
        return tuple(column for column in (self.cards, self.symbols) if column is not None)


def read_rows(rows: Sequence[CsvRow], place: str, names: Names) -> RawGame:
    """The tallies of a CSV file. Raises InputError if its first two rows don't tell the columns."""
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
        key = names.row(row.cell(0))
        if not key:
            problems.note(place, names.say("wrong.row", word=row.cell(0)[:40]),
                          names.like(row.cell(0), "countries", "rows"), line=row.line)
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
    return RawGame(place=place, document=document, where=nearest(spots, place), problems=tuple(problems))


def _values(row: CsvRow, key: str, seat: _Seat, number: int, names: Names) -> Iterator[tuple[Trail, str, str]]:
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


def _seats(head: CsvRow, labels: CsvRow, body: Sequence[CsvRow], names: Names, place: str,
           problems: Problems) -> list[_Seat]:
    """The players' columns. A player begins where a name stands, or where ``cards`` comes round again."""
    if not any(names.find("columns", label) for label in labels.cells[1:]):
        raise InputError([Problem(place=place, line=labels.line, what=names.say("wrong.columns"),
                                  remedy=names.say("wrong.layout"))])
    groups: list[list[int]] = []
    called: list[dict[str, int]] = []
    for column in range(1, max(len(head.cells), len(labels.cells))):
        label = labels.cell(column)
        key = names.find("columns", label) if label else None
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


def _note_strays(row: CsvRow, known: set[int], names: Names, place: str, problems: Problems) -> None:
    """A cell beside the players' columns: most likely a separator inside a number."""
    for column, cell in enumerate(row.cells):
        if column and cell and column not in known:
            problems.note(place, names.say("wrong.stray", text=cell[:40]), names.say("wrong.stray_quote"),
                          line=row.line)
