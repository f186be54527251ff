"""Checked values from TOML and CSV files: fields with file, line and key, and the value types that games share.

A reader goes on after a problem with a harmless stand-in, so that one run reports all problems; callers call
``problems.raise_if_any()`` before they use the values. Decks come from strangers: whatever is in a file, reading it
takes a bounded time and raises only :class:`InputError`.
"""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, Problems, format_count, join_names, suggest
from ppgen.reading.csv_tables import MAX_CHARACTERS, CsvError, CsvRow, csv_rows, detect_separator
from ppgen.reading.file_limits import (INVISIBLE, Trail, decode, describe_character, display_place, find_excess,
                                       is_file_name, read_bytes, refuse_file)
from ppgen.shipped import Phrase

MAX_BYTES = 8_000_000  # size limit of a data file, checked before it is parsed (downloaded decks are not trusted)
MAX_TOML = 500_000  # characters of a TOML file; more would take seconds to parse
MAX_ROWS, MAX_COLUMNS = 20_000, 200  # of a CSV file; rows also limit the tables of a TOML list
MAX_LINES = 200_000  # lines of a CSV file, including empty lines and lines inside cells
MAX_DEPTH = 12  # nesting of tables and lists
MAX_PROBLEMS = 500  # problems noted in a run; more would tell the reader nothing new
# Patterns for the lines of a TOML file. Every repetition is possessive (*+): with backtracking, a line of a million
# characters that is nearly a key would be tried in every way that it can be cut up.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAME = rf"""{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"""
_HEADER = re.compile(rf"[ \t]*+(\[{{1,2}}+)[ \t]*+({_NAME})[ \t]*+\]{{1,2}}")
_KEY = re.compile(rf"[ \t]*+({_NAME})[ \t]*+=")
_PARTS = re.compile(_PART)
_QUOTED = re.compile(r"""\"(?:[^"\\]|\\.)*+(?:"|$)|'[^']*+(?:'|$)|#.*+""")
_LONG_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*+((?:{_PART}[ \t]*+\.[ \t]*+){{12}})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Source:
    """A text file and the lines of its TOML keys."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return display_place(self.path)

    def line_of(self, trail: Trail) -> int:
        """The line (from 1) of a TOML key, or of the nearest table around it; 0 if unknown."""
        lines = _toml_lines(self.text)
        for end in range(len(trail), 0, -1):
            if trail[:end] in lines:
                return lines[trail[:end]]
        return 0


def read_source(folder: Path, name: str, maximum: int = MAX_BYTES) -> Source:
    """Read the text file ``name`` inside ``folder``, of at most ``maximum`` bytes.

    Raises InputError if it is missing, outside the folder (also by a symbolic link), too large, not a regular file,
    neither UTF-8 nor UTF-16, or holds invisible characters.
    """
    path = folder / name
    text = decode(read_inside(folder, name, maximum), display_place(path))
    if match := INVISIBLE.search(text):
        raise refuse_file(path, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out"),
                          text.count("\n", 0, match.start()) + 1)
    return Source(path, text)


def read_inside(folder: Path, name: str, maximum: int = MAX_BYTES) -> bytes:
    """Read a data file in ``folder``. Raises InputError if it is missing, outside (links), large, not regular."""
    path = folder / name
    if (name != path.name or "\\" in name) and not is_file_name(name):  # one without folders may be the user's, and any
        raise InputError.at(name, "lies outside the folder it was asked for in", Phrase("put_file"))
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError) as error:  # a circular link, a zero byte in the name
        raise refuse_file(path, "leads nowhere", Phrase("put_file")) from error
    if not inside:
        raise refuse_file(path, "lies outside the folder it was asked for in", Phrase("put_file"))
    return read_bytes(path, maximum, "data files are small texts" if maximum == MAX_BYTES else "make it smaller")


class Fields:
    """The fields of a TOML table or CSV row, taken one by one and checked.

    Each ``take_…`` notes a problem and returns a stand-in if the field is missing (and has no default) or of the wrong
    type. ``close()`` notes the fields that were not taken.
    """

    def __init__(self, source: Source, values: Mapping[str, object], problems: Problems,
                 trail: Trail = (), line: int = 0) -> None:
        self.source, self.problems, self.trail = source, problems, trail
        self._values, self._line, self._taken = values, line, set[str]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def raw(self, key: str) -> object:
        """The unchecked value."""
        self._taken.add(key)
        return self._values.get(key)

    def is_table(self, key: str) -> bool:
        return isinstance(self._values.get(key), dict)

    def line(self, key: str = "") -> int:
        return self._line or self.source.line_of((*self.trail, key) if key else self.trail)

    def note(self, key: str, what: str, remedy: str = "") -> None:
        """Note a problem of this field."""
        if len(self.problems) >= MAX_PROBLEMS:
            return
        path = ".".join((*(part for part in self.trail if isinstance(part, str)), key))
        self.problems.note(self.source.name, what, remedy, line=self.line(key), key=path.strip("."))

    def _take(self, key: str, kind: type | tuple[type, ...], type_name: str, required: bool) -> object:
        self._taken.add(key)
        value = self._values.get(key)
        if value is None:
            if required:
                self.note(key, Phrase("is_missing"), f"add {type_name}")
        elif not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.note(key, f"{format_value(value)} is not {type_name}")
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

    def take_measure(self, key: str, default: str | None = None) -> str:
        """Take the text of a length or size; a bare number is in mm."""
        value = self._take(key, (str, int, float), "a length like 4mm", default is None)
        return default or "" if value is None else str(value)

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

    def take_flag(self, key: str) -> bool:
        """Take true or false; the default is false."""
        return self._take(key, bool, "true or false", False) is True

    def take_choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        value = self.take_text(key, default)
        if value and value not in choices:
            self.note(key, Phrase("unknown_value", value=value), Phrase("one_of", message=join_names(choices)))
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
        """Take the entries of a TOML ``[[key]]``."""
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
        """Note each field that was not taken: most likely a misspelled key."""
        for key in self._values:
            if key not in self._taken:
                known = Phrase("known", message=join_names(sorted(self._taken)))
                self.note(key, "is not known", suggest(key, self._taken, known))


def format_value(value: object, max_length: int = 100) -> str:
    """Format a value as users write it, shortened to ``max_length`` characters."""
    match value:
        case str() | float():
            words = repr(value)
        case datetime.date() | datetime.time():
            words = str(value)
        case _:
            words = json.dumps(value, ensure_ascii=False, default=str)
    return words if len(words) <= max_length else words[:max_length - 1] + "…"


# --- TOML files ---

def read_toml(folder: Path, name: str, problems: Problems) -> Fields:
    """Read the top table of a TOML file. A file that can't be parsed is a problem with its line."""
    try:
        source = read_source(folder, name)
        return Fields(source, parse_toml(source), problems)
    except InputError as error:
        problems.extend(error.problems)
        return Fields(Source(folder / name, ""), {}, Problems())


@lru_cache(maxsize=128)  # each language is compared with the texts of the reference, and games share files
def parse_toml(source: Source) -> Mapping[str, Any]:
    """Parse a TOML text. Raises InputError, with the line, if it is invalid or exceeds a limit."""
    if len(source.text) > MAX_TOML:
        raise refuse_file(source.path, f"is larger than {MAX_TOML // 1000} kB", "data files are small texts")
    if line := _find_long_key(source.text):
        raise refuse_file(source.path, "has a key of too many parts", "put fewer tables into tables", line)
    try:
        document = tomllib.loads(source.text)
    except RecursionError as error:
        raise refuse_file(source.path, "is not valid TOML: nested too deep", Phrase("flatter")) from error
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        line = int(at[1]) if at else source.text.count("\n") + 1
        remedy = _remedy_of_value(source.text.splitlines()[line - 1:line])
        raise refuse_file(source.path, Phrase("not_toml", message=error), remedy, line=line) from error
    except ValueError as error:  # numbers of thousands of digits, the 31st of February
        long = re.search("[0-9_]{4000}", source.text)
        line = source.text.count("\n", 0, long.start()) + 1 if long else 0
        what = "a number is too long" if long else str(error)
        raise refuse_file(source.path, Phrase("not_toml", message=what), line=line) from error
    if excess := find_excess(document, MAX_DEPTH, MAX_CHARACTERS):
        trail, what, remedy = excess
        key = ".".join(part for part in trail if isinstance(part, str))
        raise refuse_file(source.path, what, remedy, source.line_of(trail), key)
    return document


_BARE_TEXT = re.compile(r"""\s*+([\w.-]{1,60}+)\s*+=\s*+([^\s"'\[{#=0-9+-][^"'#\[\]{}]{0,80}+)(?:\s*+#.*+)?""")
"""A key with a text that is not in quotation marks, the slip that is made most."""


def _remedy_of_value(lines: Sequence[str]) -> str:
    bare = _BARE_TEXT.fullmatch(lines[0]) if lines else None
    example = f'{bare[1]} = "{bare[2].strip()}"' if bare else ""
    return Phrase("quote_text", example=example) if example else ""


def _find_long_key(text: str) -> int:
    """The line of the first key of more than twelve parts (tomllib takes longer with each); 0 if there is none."""
    match = _LONG_KEY.search(text)
    return text.count("\n", 0, match.start(1)) + 1 if match else 0


@lru_cache(maxsize=8)  # Source looks each key up in it
def _toml_lines(text: str) -> dict[Trail, int]:
    """The line (from 1) of each table and key, which tomllib does not report; an int in a trail counts [[tables]]."""
    lines: dict[Trail, int] = {}
    counts: dict[Trail, int] = {}
    table: Trail = ()
    inside = ""  # the quotes of an open text of several lines
    brackets = 0  # the depth inside a list of several lines
    for number, line in enumerate(text.split("\n"), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        if brackets > 0:
            brackets += _brackets(line)
            continue
        if header := _HEADER.match(line):
            table = tuple(part.strip("\"'") for part in _PARTS.findall(header[2]))
            table = next(((*head, counts[head] - 1, *table[n:]) for n in range(len(table) - 1, 0, -1)
                          if (head := table[:n]) in counts), table)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *(part.strip("\"'") for part in _PARTS.findall(key[1]))), number)
            for quotes in ('"""', "'''"):
                inside = quotes if line.count(quotes) == 1 else inside
            brackets = 0 if inside else _brackets(line[key.end():])
    return lines


def _brackets(line: str) -> int:
    """Opening minus closing brackets of a line, without those in quotes and comments."""
    code = _QUOTED.sub("", line)
    return code.count("[") + code.count("{") - code.count("]") - code.count("}")


# --- CSV files ---

def read_csv(folder: Path, name: str, columns: Sequence[str], problems: Problems) -> list[Fields]:
    """Read the rows of a CSV file with a header (, ; or tab). Empty cells are missing, wrong columns problems."""
    header, body = _read_table(folder, name, problems)
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
            note("column is not known", Phrase("known", message=join_names(columns)), key=column)
    rows: list[Fields] = []
    try:
        for row in body:
            if len(rows) == MAX_ROWS:
                note(Phrase("many_rows", number=MAX_ROWS), line=row.line)
                break
            if len(row.cells) > len(header.cells):
                note(f"has {len(row.cells)} cells, the first line {len(header.cells)}",
                     "quote cells that hold the separator", row.line)
            values = {key: cell for key, cell in zip(header.cells, row.cells, strict=False) if cell}
            rows.append(Fields(source, values, problems, line=row.line))
    except CsvError as error:
        note(error.what, error.remedy, error.line)
    return rows


def _read_table(folder: Path, name: str, problems: Problems) -> tuple[CsvRow | None, Iterator[CsvRow]]:
    """The header and the other rows of a CSV file; None if it can't be read."""
    try:
        text = read_source(folder, name).text
        rows = csv_rows(text, detect_separator(text.partition("\n")[0]), MAX_LINES)
        header = next(rows, CsvRow(1, ()))
    except InputError as error:
        problems.extend(error.problems)
        return None, iter(())
    except CsvError as error:
        problems.note(display_place(folder / name), error.what, error.remedy, line=error.line)
        return None, iter(())
    if len(header.cells) > MAX_COLUMNS:
        problems.note(display_place(folder / name), Phrase("many_columns", number=MAX_COLUMNS), line=header.line)
        return None, iter(())
    return header, rows


# --- Types of values ---

def take_id(row: Fields, key: str) -> str:  # ids become file names
    return take_pattern(row, key, r"[a-z0-9][a-z0-9_-]{0,39}", "small letters, digits and hyphens")


def take_code(row: Fields) -> str:
    return take_pattern(row, "code", r"[A-Z]{2}", "two capital letters, like FR")


def take_colour(row: Fields, key: str = "colour") -> str:
    return take_pattern(row, key, r"#[0-9A-Fa-f]{6}", "# and six hexadecimal digits, like #332288")


def take_pattern(row: Fields, key: str, pattern: str, description: str) -> str:
    text = row.take_text(key)
    if text and not re.fullmatch(pattern, text):
        row.note(key, f"'{text}' is not allowed here", f"write {description}")
    return text


def take_numbers(row: Fields, key: str, count: int, most: float) -> tuple[float, ...]:
    """Take a list of ``count`` numbers from 0 to ``most``; if it is invalid, the stand-in are zeros."""
    value = row.raw(key)
    if (numbers := _numbers(value, most)) and len(numbers) == count:
        return numbers
    row.note(key, Phrase("is_missing") if value is None else f"{format_value(value)} is not allowed here",
             f"write {format_count(count, 'number')} from 0 to {most:g}, like [{', '.join('0' * count)}]")
    return (0.0,) * count


def take_number_cell(row: Fields, key: str, least: float, most: float) -> float:
    """Take a number from a CSV cell; the stand-in is ``least``."""
    text = row.take_text(key)
    if re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?", text, re.ASCII) and least <= float(text) <= most:
        return float(text)
    if text:
        row.note(key, f"'{text}' is not allowed here", f"write a number from {least:g} to {most:g}")
    return least


def report_duplicates(rows: Sequence[Fields], key: str, values: Sequence[object]) -> None:
    """Note each value that an earlier row already has, except stand-ins for invalid values."""
    wrong = {(problem.place, problem.line) for row in rows[:1] for problem in row.problems}
    first: dict[object, Fields] = {}
    for row, value in zip(rows, values, strict=True):
        if wrong and (row.source.name, row.line(key)) in wrong:
            continue
        if first.setdefault(value, row) is not row:
            row.note(key, f"'{value}' is given twice", f"first on line {first[value].line(key)}")


def _numbers(value: object, most: float) -> tuple[float, ...]:
    """A list of numbers from 0 to ``most``; empty for anything else."""
    if not isinstance(value, list):
        return ()
    numbers = tuple(float(part) for part in value if isinstance(part, int | float) and not isinstance(part, bool))
    return numbers if len(numbers) == len(value) and all(0 <= each <= most for each in numbers) else ()


def close_all(*tables: Fields) -> None:
    """Close all of the tables."""
    for table in tables:
        table.close()
