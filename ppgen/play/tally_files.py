"""Tally files of any game: readers that hand their content to the scoring of the game as a :class:`RawGame`.

TOML and JSON are documents, CSV is rows, a filled-in PDF is fields. Tallies are sent around and downloaded, so a file
may hold anything: it is read in a bounded time, and unsuitable content is refused (:mod:`ppgen.reading.fields`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ppgen.errors import InputError, Problem, RequestError, Spot, join_names
from ppgen.play.sheet_plan import RawGame
from ppgen.play.validation import fold_case
from ppgen.reading.fields import (INVISIBLE, CsvError, CsvRow, Source, Trail, csv_rows, decode, describe_character,
                                  detect_separator, display_place, find_excess, parse_toml, read_bytes)
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.play.sheet_plan import SheetCell
    from ppgen.play.sheet_scoring import Scoring

MAX_BYTES = 1_000_000  # size limit of a file: a hundred times the tallies of five players
MAX_VALUES, MAX_CHARACTERS, MAX_DEPTH = 5_000, 80, 8  # of a game, of a text (a name has 60), of tables
SUFFIXES = (".toml", ".json", ".csv", ".tsv", ".pdf")
MAX_ROWS, MAX_COLUMNS, MAX_LINES = 500, 200, 50_000  # of a CSV file; a sheet has twenty rows and eleven columns


class TallyFile(NamedTuple):
    """The tallies of a file: the ``game`` that it names (empty if none), the ``cells`` of a form, and ``raw``, which
    makes a raw game of them once their scoring is known."""

    raw: Callable[[Scoring], RawGame]
    game: str = ""
    cells: frozenset[SheetCell] = frozenset()


def read_file(path: Path) -> TallyFile:
    """Read tallies by the format of the suffix. Raises InputError, RequestError for an unknown suffix."""
    suffix, place = path.suffix.lower(), display_place(path)
    if suffix not in SUFFIXES:
        raise RequestError.at(place, Phrase("unknown_type", suffix=suffix) if suffix else Phrase("no_type"),
                              Phrase("tally_types", names=join_names(SUFFIXES)))
    if suffix == ".pdf":
        from ppgen.play.sheet_plan import SheetCell
        from ppgen.reading.pdf_form import read_form_fields  # pikepdf is slow to import

        fields = read_form_fields(path)
        return TallyFile(cells=frozenset(filter(None, map(SheetCell.parse, fields))),
                         raw=lambda scoring: scoring.from_fields(fields, place))
    data = read_bytes(path, MAX_BYTES, Phrase("tallies_small"))
    if suffix in (".csv", ".tsv"):
        return open_tally_rows(tally_rows(data, place), place)
    text = decode(data, place)
    return open_tally_file(read_json(text, place) if suffix == ".json" else read_toml_tallies(text, path))


def open_tally_file(document: RawGame) -> TallyFile:
    """The tallies of a document."""
    return TallyFile(game=str(document.document.get("game", "")), raw=lambda scoring: document)


def open_tally_rows(rows: list[CsvRow], place: str) -> TallyFile:
    """The tallies of a CSV file. A row ``game`` may name the game."""
    game_row = next((row for row in rows if fold_case(row.cell(0)) == "game"), None)
    if game_row is None:
        return TallyFile(raw=lambda scoring: scoring.from_csv(rows, place))
    game = next(filter(None, game_row.cells[1:]), "")

    def raw(scoring: Scoring) -> RawGame:
        raw_game = scoring.from_csv([row for row in rows if row is not game_row], place)
        spot = Spot(place, game_row.line, "game")
        return replace(raw_game, document={**raw_game.document, "game": game},
                       where=lambda trail: spot if trail == ("game",) else raw_game.where(trail))

    return TallyFile(game=game, raw=raw)


def tally_rows(data: bytes, place: str) -> list[CsvRow]:
    """The filled rows of CSV tallies (, ; or tab, UTF-8, UTF-16, old Windows); # begins a comment."""
    text = decode(data, place, "cp1252")
    if match := INVISIBLE.search(text):
        raise InputError.at(place, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out"),
                            line=text.count("\n", 0, match.start()) + 1)
    separator, text = _split_separator(text)
    try:
        return list(_check_limits(row for row in csv_rows(text, separator, MAX_LINES)
                                  if any(row.cells) and not row.cells[0].startswith("#")))
    except CsvError as error:
        raise InputError.at(place, error.what, error.remedy, line=error.line) from error


def _check_limits(rows: Iterator[CsvRow]) -> Iterator[CsvRow]:
    for number, row in enumerate(rows, 1):
        if len(row.cells) > MAX_COLUMNS:
            raise CsvError(row.line, Phrase("many_columns", number=MAX_COLUMNS))
        if any(len(cell) > MAX_CHARACTERS for cell in row.cells):
            raise CsvError(row.line, Phrase("long_cell", number=MAX_CHARACTERS), Phrase("shorten"))
        if number > MAX_ROWS:
            raise CsvError(row.line, Phrase("many_rows", number=MAX_ROWS))
        yield row


def _split_separator(text: str) -> tuple[str, str]:
    """The separator, and the text without the ``sep=;`` in its first line that spreadsheets may write."""
    lines = text.splitlines()
    if lines and (first := lines[0].lower()).startswith("sep=") and len(first) == 5:
        # the empty line stays: line numbers must not change
        return first[4], text[len(lines[0]):]
    # the second line first: the names in the first may contain separators
    for line in [line for line in lines if line.strip() and not line.startswith("#")][1::-1]:
        best = detect_separator(line, ";\t,")
        if best in line:
            return best, text
    return ",", text


def read_json(text: str, place: str) -> RawGame:
    """Parse the tallies of a JSON text. Duplicate keys are problems."""
    problems: list[Problem] = []

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            problems.extend(Problem(place, Phrase("twice"), Phrase("take_one_out"), key=key)
                            for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return values

    try:
        document = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        raise InputError.at(place, Phrase("not_json", message=error.msg), line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise InputError.at(place, "is not valid JSON: nested too deep, or with a number too long") from error
    if excess := _find_excess(document):
        trail, what, remedy = excess
        raise InputError.at(place, what, remedy, key=_json_path(trail))
    return RawGame(place=place, document=_top_table(document, place), problems=tuple(problems),
                   where=lambda trail: Spot(place, 0, _json_path(trail)), quoted=True)


def read_toml_tallies(text: str, path: Path) -> RawGame:
    """Parse the tallies of a TOML text."""
    source = Source(path, text)
    document = parse_toml(source)
    if excess := _find_excess(document):
        trail, what, remedy = excess
        key = ".".join(part for part in trail if isinstance(part, str))
        raise InputError.at(source.name, what, remedy, line=source.line_of(trail), key=key)

    def where(trail: Trail) -> Spot:
        return Spot(source.name, source.line_of(trail), ".".join(part for part in trail if isinstance(part, str)))

    return RawGame(place=source.name, document=document, where=where, quoted=True)


def _find_excess(document: object) -> tuple[Trail, str, str] | None:
    """The first value of a document that breaks a limit: its trail, the problem and the remedy."""
    todo, count = [document], 0
    while todo:
        value = todo.pop()
        count += 1
        if count > MAX_VALUES:
            return (), f"holds more than {MAX_VALUES} values", Phrase("tallies_small")
        if isinstance(value, dict | list):
            todo.extend(value.values() if isinstance(value, dict) else value)
    return find_excess(document, MAX_DEPTH, MAX_CHARACTERS)


def _top_table(document: object, place: str) -> Mapping[str, object]:
    """The document as a table; a bare list of players becomes one."""
    if isinstance(document, list):
        return {"players": document}
    if not isinstance(document, dict):
        example = '{"players": […]}'
        raise InputError.at(place, Phrase("no_game_inside"), Phrase("write_like", example=example))
    return document


def _json_path(trail: Trail) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in trail).removeprefix(".")
