"""Turns TOML and CSV files into checked values; what is wrong is noted with file, line and key.

A reader goes on after a problem with a harmless stand-in, so that one run names them all; whoever
reads a file calls ``problems.raise_if_any()`` before it uses the values. Decks come from strangers: whatever
stands in a file, reading it takes a bounded time and raises nothing but :class:`InputError`.
"""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, Problems, listed
from ppgen.reading.csv_rows import MAX_CHARACTERS, CsvRow, NoCsv, csv_rows, separator_of
from ppgen.reading.limits import UNSEEN, Trail, called, decoded, out_of_bounds, place_of, read_bytes, refusal
from ppgen.reading.toml_lines import line_of_long_key, toml_lines

__all__ = ["MAX_CHARACTERS", "Fields", "Source", "Trail", "parse_toml", "read_csv", "read_header", "read_source",
           "read_toml"]

MAX_BYTES = 8_000_000
"""A data file larger than this is refused before it is read (downloaded decks are not trusted)."""
MAX_TOML = 500_000
"""Characters of a TOML file; more would take seconds to parse."""
MAX_ROWS, MAX_COLUMNS = 20_000, 200
"""The most rows and columns of a CSV file, and the most entries of a TOML list of tables."""
MAX_LINES = 200_000
"""The most lines of a CSV file, empty ones and those inside of cells included."""
MAX_DEPTH = 12
"""How deep tables and lists may lie in each other."""
MAX_PROBLEMS = 500
"""So many are noted of a run; who has read those knows what is wrong."""

@dataclass(frozen=True, slots=True)
class Source:
    """A text file that knows on which line its keys stand."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return place_of(self.path)

    def line_of(self, trail: Trail) -> int:
        """The line (from 1) of a TOML key, or of the nearest table around it; 0 if there is none."""
        lines = toml_lines(self.text)
        for end in range(len(trail), 0, -1):
            if trail[:end] in lines:
                return lines[trail[:end]]
        return 0


def read_source(folder: Path, name: str) -> Source:
    """The text file ``name`` inside ``folder``.

    Raises InputError when it is missing, lies outside the folder (also by a symbolic link), is too
    large, is no plain file, is neither UTF-8 nor UTF-16, or holds characters that nobody sees.
    """
    path = folder / name
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a link in a circle, a name with a zero byte
        raise refusal(path, "leads nowhere", "put the file itself there") from error
    if not inside:
        raise refusal(path, "lies outside the folder it was asked for in", "put the file itself there")
    data = read_bytes(path, MAX_BYTES, "data files are small texts")
    text = decoded(data, place_of(path))
    if unseen := UNSEEN.search(text):
        raise refusal(path, f"holds {called(unseen[0])}", "take it out", text.count("\n", 0, unseen.start()) + 1)
    return Source(path, text)


class Fields:
    """The fields of one TOML table or CSV row, taken one by one and checked.

    Each ``take_…`` notes a problem and returns a stand-in when the field is missing (and has no
    default) or of the wrong kind. ``close()`` notes the fields that nobody took.
    """

    def __init__(self, source: Source, values: Mapping[str, object], problems: Problems,
                 trail: Trail = (), line: int = 0) -> None:
        self.source, self.problems, self.trail = source, problems, trail
        self._values, self._line, self._taken = values, line, set[str]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def raw(self, key: str) -> object:
        """The value as it stands in the file, of whatever kind."""
        self._taken.add(key)
        return self._values.get(key)

    def is_table(self, key: str) -> bool:
        return isinstance(self._values.get(key), dict)

    def line(self, key: str = "") -> int:
        return self._line or self.source.line_of((*self.trail, key) if key else self.trail)

    def note(self, key: str, what: str, remedy: str = "") -> None:
        """Note a problem of this field, also one that the caller found."""
        if len(self.problems) >= MAX_PROBLEMS:
            return
        shown = ".".join(map(str, (*(part for part in self.trail if isinstance(part, str)), key)))
        self.problems.note(self.source.name, what, remedy, line=self.line(key), key=shown.strip("."))

    def _take(self, key: str, kind: type | tuple[type, ...], kind_called: str, required: bool) -> object:
        self._taken.add(key)
        value = self._values.get(key)
        if value is None:
            if required:
                self.note(key, "is missing", f"add {kind_called}")
        elif not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.note(key, f"{shown_value(value)} is not {kind_called}")
        else:
            return value
        return None

    def take_text(self, key: str, default: str | None = None) -> str:
        value = self._take(key, str, "a text", default is None)
        if isinstance(value, str):
            if value or default is not None:
                return value
            self.note(key, "is empty", "write a text")
        return default or ""

    def take_int(self, key: str, minimum: int, maximum: int, default: int | None = None) -> int:
        value = self._take(key, int, "a whole number", default is None)
        if isinstance(value, int):
            if minimum <= value <= maximum:
                return value
            self.note(key, f"{value} is out of range", f"from {minimum} to {maximum}")
        return minimum if default is None else default

    def take_number(self, key: str, minimum: float, maximum: float, default: float | None = None) -> float:
        value = self._take(key, (int, float), "a number", default is None)
        if isinstance(value, (int, float)):
            if minimum <= value <= maximum:
                return float(value)
            self.note(key, f"{value} is out of range", f"from {minimum:g} to {maximum:g}")
        return minimum if default is None else default

    def take_flag(self, key: str, default: bool) -> bool:
        value = self._take(key, bool, "true or false", False)
        return value if isinstance(value, bool) else default

    def take_choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        value = self.take_text(key, default)
        if value and value not in choices:
            self.note(key, f"'{value}' is not known", f"one of {listed(choices)}")
            return default or ""
        return value

    def take_texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        value = self._take(key, list, "a list of texts", default is None)
        if isinstance(value, list):
            if all(isinstance(part, str) for part in value):
                return tuple(value)
            self.note(key, "is not a list of texts")
        return default or ()

    def take_table(self, key: str, required: bool = True) -> Fields:
        value = self._take(key, dict, "a table", required)
        inside = value if isinstance(value, dict) else {}
        return Fields(self.source, inside, self.problems, (*self.trail, key), self._line)

    def take_tables(self, key: str) -> list[Fields]:
        """The entries of a TOML ``[[key]]``."""
        value = self._take(key, list, f"a list of tables: [[{key}]]", True)
        rows = value if isinstance(value, list) else []
        if any(not isinstance(row, dict) for row in rows):
            self.note(key, f"is not a list of tables: [[{key}]]")
            rows = []
        if len(rows) > MAX_ROWS:
            self.note(key, f"has more than {MAX_ROWS} entries")
            rows = []
        return [Fields(self.source, row, self.problems, (*self.trail, key, n)) for n, row in enumerate(rows)]

    def close(self) -> None:
        """Note every field that nobody asked for: most likely a slip of the pen."""
        for key in self._values:
            if key not in self._taken:
                self.note(key, "is not known", f"known: {listed(sorted(self._taken))}")


def read_toml(folder: Path, name: str, problems: Problems) -> Fields:
    """The top table of a TOML file. A file that can't be parsed is a problem with its line."""
    try:
        source = read_source(folder, name)
        return Fields(source, parse_toml(source), problems)
    except InputError as error:
        problems.extend(error.problems)
        return Fields(Source(folder / name, ""), {}, Problems())


def parse_toml(source: Source) -> dict[str, Any]:
    """The tables of a TOML text. Raises InputError, with a line, for what can't be parsed or is out of bounds."""
    if len(source.text) > MAX_TOML:
        raise refusal(source.path, f"is larger than {MAX_TOML // 1000} kB", "data files are small texts")
    if line := line_of_long_key(source.text):
        raise refusal(source.path, "has a key of too many parts", "put fewer tables into tables", line)
    try:
        document = tomllib.loads(source.text)
    except RecursionError as error:
        raise refusal(source.path, "is not valid TOML: nested too deep", "make it flatter") from error
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else source.text.count("\n") + 1
        raise refusal(source.path, f"is not valid TOML: {error}", line=line) from error
    except ValueError as error:  # Python reads neither numbers of thousands of digits nor the 31st of February
        long = re.search("[0-9_]{4000}", source.text)
        line = source.text.count("\n", 0, long.start()) + 1 if long else 0
        what = "a number is too long" if long else str(error)
        raise refusal(source.path, f"is not valid TOML: {what}", line=line) from error
    if found := out_of_bounds(document, MAX_DEPTH, MAX_CHARACTERS):
        trail, what, remedy = found
        key = ".".join(part for part in trail if isinstance(part, str))
        raise refusal(source.path, what, remedy, source.line_of(trail), key)
    return document


def shown_value(value: object, longest: int = 100) -> str:
    """A value of a file as people would write it, at most so many characters of it."""
    match value:
        case str() | float():
            words = repr(value)
        case datetime.date() | datetime.time():
            words = str(value)
        case _:
            words = json.dumps(value, ensure_ascii=False, default=str)
    return words if len(words) <= longest else words[:longest - 1] + "…"


def read_header(folder: Path, name: str, problems: Problems) -> tuple[str, ...]:
    """The columns of a CSV file, for tables that choose their own; none where it can't be read."""
    header, _ = _table(folder, name, problems)
    return header.cells if header else ()


def read_csv(folder: Path, name: str, columns: Sequence[str], problems: Problems) -> list[Fields]:
    """The rows of a CSV file with a header line; comma, semicolon or tab, as spreadsheets save them.

    Empty cells are missing fields. Unknown or missing columns are problems.
    """
    header, body = _table(folder, name, problems)
    if header is None:
        return []
    source = Source(folder / name, "")

    def note(what: str, remedy: str = "", line: int = 1, key: str = "") -> None:
        if len(problems) < MAX_PROBLEMS:
            problems.note(source.name, what, remedy, line=line, key=key)

    for column in columns:
        if header.cells.count(column) != 1:
            note("column must stand in the first line once", key=column)
    for column in header.cells:
        if column not in columns:
            note("column is not known", f"known: {listed(columns)}", key=column)
    rows: list[Fields] = []
    try:
        for row in body:
            if len(rows) == MAX_ROWS:
                note(f"has more than {MAX_ROWS} rows", line=row.line)
                break
            if len(row.cells) > len(header.cells):
                note(f"has {len(row.cells)} cells, the first line {len(header.cells)}",
                     "quote cells that hold the separator", row.line)
            values = {key: cell for key, cell in zip(header.cells, row.cells, strict=False) if cell}
            rows.append(Fields(source, values, problems, line=row.line))
    except NoCsv as error:
        note(error.what, error.remedy, error.line)
    return rows


def _table(folder: Path, name: str, problems: Problems) -> tuple[CsvRow | None, Iterator[CsvRow]]:
    """The first row of a CSV file, and those below; None where it can't be read."""
    try:
        text = read_source(folder, name).text
        rows = csv_rows(text, separator_of(text.partition("\n")[0]), MAX_LINES)
        header = next(rows, CsvRow(1, ()))
    except InputError as error:
        problems.extend(error.problems)
        return None, iter(())
    except NoCsv as error:
        problems.note(place_of(folder / name), error.what, error.remedy, line=error.line)
        return None, iter(())
    if len(header.cells) > MAX_COLUMNS:
        problems.note(place_of(folder / name), f"has more than {MAX_COLUMNS} columns", line=header.line)
        return None, iter(())
    return header, rows
