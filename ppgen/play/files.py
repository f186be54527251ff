"""Turns a file of tallies, of whichever game, into what a game's own scoring makes a :class:`RawGame` of.

TOML and JSON are documents, CSV is rows, a filled-in PDF is fields. Tallies are sent around and downloaded, so a file
may hold anything: it is read in a bounded time, and what a program should not be handed is refused
(:mod:`ppgen.reading.limits`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ppgen.errors import InputError, Problem, RequestError, Spot, listed
from ppgen.play.names import fold
from ppgen.play.raw import RawGame
from ppgen.reading.csv_rows import CsvRow, NoCsv, csv_rows, separator_of
from ppgen.reading.fields import Source, Trail, parse_toml
from ppgen.reading.limits import UNSEEN, called, decoded, out_of_bounds, place_of, read_bytes

if TYPE_CHECKING:
    from ppgen.play.scoring import Scoring
    from ppgen.play.sheet import Cell

MAX_BYTES = 1_000_000
"""A hundred times what the tallies of five players need."""
MAX_VALUES, MAX_CHARACTERS, MAX_DEPTH = 5_000, 80, 8
"""Values of a game, characters of a text (a name has 60), and how deep tables may lie in each other."""
STANDARD_INPUT = "standard input"
SUFFIXES = (".toml", ".json", ".csv", ".tsv", ".pdf")
MAX_ROWS, MAX_COLUMNS, MAX_LINES = 500, 200, 50_000
"""Of CSV. Twenty rows and eleven columns make a sheet; the rest may be empty."""


class Written(NamedTuple):
    """The tallies of a file: the ``game`` that it names (empty if none), the ``cells`` of a form, and what makes a
    raw game of them once it is known how they are scored."""

    raw: Callable[[Scoring], RawGame]
    game: str = ""
    cells: frozenset[Cell] = frozenset()


def read_file(path: Path) -> Written:
    """The tallies in a file; its ending tells the format.

    Raises InputError for what can't be read at all, RequestError for an unknown ending.
    """
    suffix, place = path.suffix.lower(), place_of(path)
    if suffix not in SUFFIXES:
        raise RequestError([Problem(place=place, what="is no file of tallies by its name",
                                    remedy=f"one of {listed(SUFFIXES)}, or - for JSON on standard input")])
    if suffix == ".pdf":
        from ppgen.play.sheet import Cell
        from ppgen.reading.pdf_form import read_form_fields  # pikepdf, only for who has a PDF

        fields = read_form_fields(path)
        return Written(cells=frozenset(filter(None, map(Cell.parse, fields))),
                       raw=lambda scoring: scoring.from_fields(fields, place))
    data = read_bytes(path, MAX_BYTES, "tallies are small files")
    if suffix in (".csv", ".tsv"):
        return written_rows(tally_rows(data, place), place)
    text = decoded(data, place)
    return written(read_json(text, place) if suffix == ".json" else read_toml_tallies(text, path))


def written(document: RawGame) -> Written:
    """The tallies of a document."""
    return Written(game=str(document.document.get("game", "")), raw=lambda scoring: document)


def written_rows(rows: list[CsvRow], place: str) -> Written:
    """The tallies of a CSV file, in which a row ``game`` may name the game."""
    named = next((row for row in rows if fold(row.cell(0)) == "game"), None)
    if named is None:
        return Written(raw=lambda scoring: scoring.from_csv(rows, place))
    game = next(filter(None, named.cells[1:]), "")

    def raw(scoring: Scoring) -> RawGame:
        read = scoring.from_csv([row for row in rows if row is not named], place)
        spot = Spot(place, named.line, "game")
        return replace(read, document={**read.document, "game": game},
                       where=lambda trail: spot if trail == ("game",) else read.where(trail))

    return Written(game=game, raw=raw)


def tally_rows(data: bytes, place: str) -> list[CsvRow]:
    """The rows of CSV tallies that are not empty; lines that begin with # are remarks.

    Comma, semicolon or tab; UTF-8 with or without BOM, UTF-16, or the Windows code page that older spreadsheets save.
    """
    text = decoded(data, place, "cp1252")
    if unseen := UNSEEN.search(text):
        raise InputError([Problem(place=place, line=text.count("\n", 0, unseen.start()) + 1,
                                  what=f"holds {called(unseen[0])}", remedy="take it out")])
    separator, text = _separator(text)
    try:
        return list(_bounded(row for row in csv_rows(text, separator, MAX_LINES)
                             if any(row.cells) and not row.cells[0].startswith("#")))
    except NoCsv as error:
        raise InputError([Problem(place=place, line=error.line, what=error.what, remedy=error.remedy)]) from error


def _bounded(rows: Iterator[CsvRow]) -> Iterator[CsvRow]:
    for number, row in enumerate(rows, 1):
        if len(row.cells) > MAX_COLUMNS:
            raise NoCsv(row.line, f"has more than {MAX_COLUMNS} columns")
        if any(len(cell) > MAX_CHARACTERS for cell in row.cells):
            raise NoCsv(row.line, f"has a cell of more than {MAX_CHARACTERS} characters", "shorten it")
        if number > MAX_ROWS:
            raise NoCsv(row.line, f"has more than {MAX_ROWS} rows")
        yield row


def _separator(text: str) -> tuple[str, str]:
    """The separator, and the text without the ``sep=;`` line that spreadsheets may put first."""
    lines = text.splitlines()
    if lines and (first := lines[0].lower()).startswith("sep=") and len(first) == 5:
        # the line stays as an empty one, so that line numbers still count
        return first[4], text[len(lines[0]):]
    # the first line holds names, which may have separators in them; the second has none of such free texts
    for line in [line for line in lines if line.strip() and not line.startswith("#")][1::-1]:
        best = separator_of(line, ";\t,")
        if best in line:
            return best, text
    return ",", text


def read_json(text: str, place: str) -> RawGame:
    """The tallies of a JSON text. Keys that stand twice, and NaN and the like, are problems."""
    problems: list[Problem] = []

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            problems.extend(Problem(place=place, key=key, what="stands twice in one table", remedy="take one out")
                            for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return values

    try:
        document = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        raise InputError([Problem(place=place, line=error.lineno, what=f"is not valid JSON: {error.msg}")]) from error
    except (RecursionError, ValueError) as error:
        raise InputError([Problem(place=place, what="is not valid JSON: nested too deep, or with a number too long")
                          ]) from error
    if found := _unfit(document):
        trail, what, remedy = found
        raise InputError([Problem(place=place, key=_json_path(trail), what=what, remedy=remedy)])
    return RawGame(place=place, document=_top(document, place), problems=tuple(problems),
                   where=lambda trail: Spot(place, 0, _json_path(trail)), quoted=True)


def read_toml_tallies(text: str, path: Path) -> RawGame:
    """The tallies of a TOML text."""
    source = Source(path, text)
    document = parse_toml(source)
    if found := _unfit(document):
        trail, what, remedy = found
        key = ".".join(part for part in trail if isinstance(part, str))
        raise InputError([Problem(place=source.name, line=source.line_of(trail), key=key, what=what, remedy=remedy)])

    def where(trail: Trail) -> Spot:
        return Spot(source.name, source.line_of(trail), ".".join(part for part in trail if isinstance(part, str)))

    return RawGame(place=source.name, document=document, where=where, quoted=True)


def _unfit(document: object) -> tuple[Trail, str, str] | None:
    """The first thing in a document that no game has: where, what, and what to do."""
    todo, count = [document], 0
    while todo:
        value = todo.pop()
        count += 1
        if count > MAX_VALUES:
            return (), f"holds more than {MAX_VALUES} values", "tallies are small files"
        if isinstance(value, dict | list):
            todo.extend(value.values() if isinstance(value, dict) else value)
    return out_of_bounds(document, MAX_DEPTH, MAX_CHARACTERS)


def _top(document: object, place: str) -> Mapping[str, object]:
    """The document as a table; a bare list of players is taken as one."""
    if isinstance(document, list):
        return {"players": document}
    if not isinstance(document, dict):
        raise InputError([Problem(place=place, what="holds no game", remedy='write {"players": […]}')])
    return document


def _json_path(trail: Trail) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in trail).removeprefix(".")
