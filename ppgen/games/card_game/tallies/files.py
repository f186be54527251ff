"""Turns a file of tallies into a :class:`RawGame`: TOML and JSON here, CSV and PDF forms next door."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ppgen.errors import InputError, Problem, RequestError, listed, shown_path
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.raw import RawGame, Spot
from ppgen.reading import Source, Trail

MAX_BYTES = 1_000_000
"""A hundred times what the tallies of five players need."""
STANDARD_INPUT = "standard input"
SUFFIXES = (".toml", ".json", ".csv", ".tsv", ".pdf")


def read_file(path: Path, names: Names) -> RawGame:
    """The tallies in a file; its ending tells the format.

    Raises InputError for what can't be read at all, RequestError for an unknown ending.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise RequestError([Problem(place=shown_path(path), what="is no file of tallies by its name",
                                    remedy=f"one of {listed(SUFFIXES)}, or - for JSON on standard input")])
    if suffix == ".pdf":
        from ppgen.form_reading import read_form_fields  # pikepdf, only for who has a PDF
        from ppgen.games.card_game.tallies.forms import read_form

        return read_form(read_form_fields(path), shown_path(path))
    data = _bytes_of(path)
    if suffix in (".csv", ".tsv"):
        from ppgen.games.card_game.tallies.csv_sheet import read_csv_tallies

        return read_csv_tallies(data, shown_path(path), names)
    text = _decoded(data, shown_path(path))
    return read_json(text, shown_path(path)) if suffix == ".json" else read_toml_tallies(text, path)


def read_json(text: str, place: str) -> RawGame:
    """The tallies of a JSON text. Keys that stand twice, and NaN and the like, are problems."""
    problems: list[Problem] = []

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            keys = [key for key, _ in pairs]
            problems.extend(Problem(place=place, key=key, what="stands twice in one table", remedy="take one out")
                            for key in values if keys.count(key) > 1)
        return values

    try:
        document = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        raise InputError([Problem(place=place, line=error.lineno, what=f"is not valid JSON: {error.msg}")]) from error
    except (RecursionError, ValueError) as error:
        raise InputError([Problem(place=place, what="is not valid JSON: nested too deep, or with a number too long")
                          ]) from error
    return RawGame(place=place, document=_top(document, place), problems=tuple(problems),
                   where=lambda trail: Spot(place, 0, _json_path(trail)))


def read_toml_tallies(text: str, path: Path) -> RawGame:
    """The tallies of a TOML text."""
    source = Source(path, text)
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        at = re.search(r"line (\d+)", str(error))
        last = len(text.splitlines())
        raise InputError([Problem(place=source.name, line=int(at[1]) if at else last,
                                  what=f"is not valid TOML: {error}")]) from error

    def where(trail: Trail) -> Spot:
        return Spot(source.name, source.line_of(trail), ".".join(part for part in trail if isinstance(part, str)))

    return RawGame(place=source.name, document=document, where=where)


def _top(document: object, place: str) -> Mapping[str, object]:
    """The document as a table; a bare list of players is taken as one."""
    if isinstance(document, list):
        return {"players": document}
    if not isinstance(document, dict):
        raise InputError([Problem(place=place, what="holds no game", remedy='write {"players": […]}')])
    return document


def _json_path(trail: Trail) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in trail).removeprefix(".")


def _bytes_of(path: Path) -> bytes:
    place = shown_path(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise InputError([Problem(place=place, what="file not found", remedy="mend the name")]) from error
    except OSError as error:
        raise InputError([Problem(place=place, what=f"can't be read: {error.strerror}")]) from error
    if len(data) > MAX_BYTES:
        raise InputError([Problem(place=place, what=f"is larger than {MAX_BYTES // 1_000_000} MB",
                                  remedy="tallies are small files")])
    return data


def _decoded(data: bytes, place: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError([Problem(place=place, what="is not UTF-8 text",
                                  remedy="save it with the encoding UTF-8")]) from error
