"""Turns TOML and CSV files into checked values; what is wrong is noted with file, line and key.

A reader goes on after a problem with a harmless stand-in, so that one run names them all; whoever
reads a file calls ``problems.raise_if_any()`` before it uses the values.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ppgen.errors import InputError, Problem, Problems, listed, shown_path

MAX_BYTES = 8_000_000
"""A data file larger than this is refused before it is read (downloaded decks are not trusted)."""
MAX_ROWS = 20_000
"""The most rows of a CSV file."""

Trail = tuple[str | int, ...]
"""Where a value stands in a TOML file: ``("countries", "france", "number")``; an int counts [[tables]]."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text file that knows on which line its keys stand."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return shown_path(self.path)

    def line_of(self, trail: Trail) -> int:
        """The line (from 1) of a TOML key, or of the nearest table around it; 0 if there is none."""
        lines = _toml_lines(self.text)
        for end in range(len(trail), 0, -1):
            if trail[:end] in lines:
                return lines[trail[:end]]
        return 0


def read_source(folder: Path, name: str) -> Source:
    """The text file ``name`` inside ``folder``.

    Raises InputError when it is missing, lies outside the folder (also by a symbolic link), is too
    large, or is not UTF-8.
    """
    path = folder / name

    def refused(what: str, remedy: str = "") -> InputError:
        return InputError([Problem(place=shown_path(path), what=what, remedy=remedy)])

    if not path.is_file():
        raise refused("file not found", "copy it from the shipped set, or mend the folder's name")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise refused("lies outside the folder it was asked for in", "put the file itself there")
    if path.stat().st_size > MAX_BYTES:
        raise refused(f"is larger than {MAX_BYTES // 1_000_000} MB", "data files are small texts")
    try:
        return Source(path, path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise refused("is not UTF-8 text", "save it with the encoding UTF-8") from error
    except OSError as error:
        raise refused(f"cannot be read: {error.strerror}") from error


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
        shown = ".".join(map(str, (*(part for part in self.trail if isinstance(part, str)), key)))
        self.problems.note(self.source.name, what, remedy, line=self.line(key), key=shown.strip("."))

    def _take(self, key: str, kind: type | tuple[type, ...], called: str, required: bool) -> object:
        self._taken.add(key)
        value = self._values.get(key)
        if value is None:
            if required:
                self.note(key, "is missing", f"add {called}")
        elif not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.note(key, f"{value!r} is not {called}")
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
    except InputError as error:
        problems.extend(error.problems)
        return Fields(Source(folder / name, ""), {}, Problems())
    try:
        return Fields(source, tomllib.loads(source.text), problems)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        at = re.search(r"line (\d+)", str(error))
        problems.note(source.name, f"is not valid TOML: {error}", line=int(at[1]) if at else 0)
        return Fields(source, {}, Problems())


def read_csv(folder: Path, name: str, columns: Sequence[str], problems: Problems) -> list[Fields]:
    """The rows of a CSV file with a header line; comma, semicolon or tab, as spreadsheets save them.

    Empty cells are missing fields. Unknown or missing columns are problems.
    """
    try:
        source = read_source(folder, name)
    except InputError as error:
        problems.extend(error.problems)
        return []
    head = source.text.partition("\n")[0]
    reader = csv.reader(io.StringIO(source.text), delimiter=max(",;\t", key=head.count), strict=True)
    rows: list[Fields] = []
    try:
        header = [cell.strip() for cell in next(reader, [])]
        for column in columns:
            if header.count(column) != 1:
                problems.note(source.name, "column must stand in the first line once", line=1, key=column)
        for column in header:
            if column not in columns:
                problems.note(source.name, "column is not known", f"known: {listed(columns)}", line=1, key=column)
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(rows) == MAX_ROWS:
                problems.note(source.name, f"has more than {MAX_ROWS} rows", line=reader.line_num)
                break
            if len(cells) > len(header):
                problems.note(source.name, f"has {len(cells)} cells, the first line {len(header)}",
                              "quote cells that hold the separator", line=reader.line_num)
            values = {key: cell.strip() for key, cell in zip(header, cells, strict=False) if cell.strip()}
            rows.append(Fields(source, values, problems, line=reader.line_num))
    except csv.Error as error:
        problems.note(source.name, f"is not valid CSV: {error}", line=reader.line_num)
    return rows


_HEADER = re.compile(r"\s*(\[{1,2})\s*([^\]#]+?)\s*\]{1,2}")
_KEY = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")


@lru_cache(maxsize=8)  # asked for anew with every key of a file
def _toml_lines(text: str) -> dict[Trail, int]:
    """The line of each table and key of a TOML text (tomllib keeps none)."""
    lines: dict[Trail, int] = {}
    counts: dict[Trail, int] = {}
    table: Trail = ()
    inside = ""  # the quotes of a text that runs over several lines
    brackets = 0  # how deep inside a list that runs over several lines
    for number, line in enumerate(text.splitlines(), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if brackets > 0:
            brackets += _brackets(line)
            continue
        if header := _HEADER.match(line):
            table = tuple(part.strip("\"'") for part in _PART.findall(header[2]))
            table = next(((*head, counts[head] - 1, *table[n:]) for n in range(len(table) - 1, 0, -1)
                          if (head := table[:n]) in counts), table)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *(part.strip("\"'") for part in _PART.findall(key[1]))), number)
            for quotes in ('"""', "'''"):
                inside = quotes if line.count(quotes) == 1 else inside
            brackets = 0 if inside else _brackets(line[key.end():])
    return lines


def _brackets(line: str) -> int:
    """How many lists a line opens more than it closes; brackets in quotes and comments don't count."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*', "", line)
    return bare.count("[") + bare.count("{") - bare.count("]") - bare.count("}")
