"""Turns a file of tallies into a :class:`RawGame`: TOML and JSON here, CSV and PDF forms next door.

Tallies are sent around and downloaded, so a file may hold anything: it is read in a bounded time, and what a
program should not be handed is refused (:mod:`ppgen.reading.limits`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ppgen.errors import InputError, Problem, RequestError, Spot, listed
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.raw import RawGame
from ppgen.reading.fields import Source, Trail, parse_toml
from ppgen.reading.limits import decoded, out_of_bounds, place_of, read_bytes

MAX_BYTES = 1_000_000
"""A hundred times what the tallies of five players need."""
MAX_VALUES, MAX_SIGNS, MAX_DEPTH = 5_000, 80, 8
"""Values of a game, characters of a text (a name has 60), and how deep tables may lie in each other."""
STANDARD_INPUT = "standard input"
SUFFIXES = (".toml", ".json", ".csv", ".tsv", ".pdf")


def read_file(path: Path, names: Names) -> RawGame:
    """The tallies in a file; its ending tells the format.

    Raises InputError for what can't be read at all, RequestError for an unknown ending.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RequestError([Problem(place=place_of(path), what="is no file of tallies by its name",
                                    remedy=f"one of {listed(SUFFIXES)}, or - for JSON on standard input")])
    if suffix == ".pdf":
        from ppgen.games.card_game.tallies.forms import read_form
        from ppgen.reading.pdf_form import read_form_fields  # pikepdf, only for who has a PDF

        return read_form(read_form_fields(path), place_of(path))
    data = read_bytes(path, MAX_BYTES, "tallies are small files")
    if suffix in (".csv", ".tsv"):
        from ppgen.games.card_game.tallies.csv_sheet import read_csv_tallies

        return read_csv_tallies(data, place_of(path), names)
    text = decoded(data, place_of(path))
    return read_json(text, place_of(path)) if suffix == ".json" else read_toml_tallies(text, path)


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
    return out_of_bounds(document, MAX_DEPTH, MAX_SIGNS)


def _top(document: object, place: str) -> Mapping[str, object]:
    """The document as a table; a bare list of players is taken as one."""
    if isinstance(document, list):
        return {"players": document}
    if not isinstance(document, dict):
        raise InputError([Problem(place=place, what="holds no game", remedy='write {"players": […]}')])
    return document


def _json_path(trail: Trail) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in trail).removeprefix(".")
