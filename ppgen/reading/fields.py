"""Files of strangers into checked values: limits, texts of CSV, and the fields of tables."""

from __future__ import annotations

import codecs
import csv
import datetime
import io
import json
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ppgen.errors import InputError, Phrase, Problems, Spot, display_path, format_count, join_names, suggest
from ppgen.records import dataclass
from ppgen.shipped import find_compiled, parse_toml_text

# --- Limits of files ---
# Limits for untrusted files: regular files only, bounded in size and depth, without invisible characters.

Trail = tuple[str | int, ...]
"""The path of a value in a document: ``("countries", "france", "number")``; an int counts the entries of a list."""

INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""Invisible characters with an effect: control characters steer terminals, overrides reverse the direction of reading,
surrogates and U+FFFE are not text."""


MAX_ACCENTS = 30  # accents on one letter (Unicode Standard Annex 15, 12.1): thousands of them take gigabytes to set
PICTURE_KINDS = {b"GIF8": "a GIF", b"II*\0": "a TIFF", b"MM\0*": "a TIFF", b"8BPS": "a Photoshop file",
                 b"BM": "a BMP", b"\0\0\1\0": "an icon of Windows"}
"""The beginnings of pictures that are not printed, and what people call these."""
MAX_FILE_NAME = 200  # characters of a file's name, with its folders, in strangers' files
_LONG_RUN = rf"[^\x00-\u02ff\s]{{{MAX_ACCENTS + 1},}}+"  # compiled when used, as all that few runs need


def _find_stack(text: str) -> int | None:
    """Return the position of a letter with too many accents on it, if any."""
    for run in re.finditer(_LONG_RUN, text):
        accents = 0
        for position in range(run.start(), run.end()):
            accents = accents + 1 if unicodedata.category(text[position]).startswith("M") else 0
            if accents > MAX_ACCENTS:
                return position - accents
    return None


def describe_character(character: str) -> str:
    """Describe one of the :data:`INVISIBLE` characters in plain words."""
    if "\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069":
        kind = Phrase("direction_character")
    else:
        kind = Phrase("no_character") if character >= "\ud800" else Phrase("control_character")
    return Phrase("code_point", message=kind, code=f"{ord(character):04X}")


def is_file_name(name: str) -> bool:
    """True if the name of a file in a stranger's file stays in its folder, by its words alone.

    Ask this before the file system: Windows sends the user's name and a hash of the password to ``server`` when it is
    asked whether there is a ``//server/share``.
    """
    folders = name.replace("\\", "/").split("/")
    return (len(name) <= MAX_FILE_NAME and name.isprintable() and ":" not in name
            and folders[0] != "" and ".." not in folders and not is_reserved_name(name))


_DEVICE = r"(?i)(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³]|conin\$|conout\$) *(?:\..*)?"
FOLDS_CASE = sys.platform in ("win32", "darwin")  # finds files by other spellings, too


def is_reserved_name(name: str) -> bool:
    """True if Windows takes the name of a file, or of a folder above it, for a device: it can't be unpacked there."""
    return any(re.fullmatch(_DEVICE, part) for part in name.replace("\\", "/").split("/"))


def is_spelt(folder: Path, name: str) -> bool:
    """True if a stranger's file spells the name of another one as the folder does.

    Windows and macOS also find a file with small for capital letters, Windows with a dot at the end. Its maker would
    see a picture printed that is missing on other systems.
    """
    return not FOLDS_CASE or all(unicodedata.normalize("NFC", part) in _list_names(parent, parent.stat().st_mtime_ns)
                                 for path in (folder / name, *(folder / name).parents)
                                 if path != folder and path.is_relative_to(folder)
                                 for part, parent in [(path.name, path.parent)])


@lru_cache(500)
def _list_names(folder: Path, _: int) -> frozenset[str]:
    return frozenset(unicodedata.normalize("NFC", name) for name in os.listdir(folder))  # noqa: PTH208


def read_bytes(path: Path, maximum: int, remedy: str, missing: str = "") -> bytes:
    """Read a file. Raises InputError if missing, too large or not regular; pipes and devices don't block."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(path, flags), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise refuse_file(path, Phrase("not_regular"), Phrase("put_file"))
            data = stream.read(maximum + 1)
    except IsADirectoryError as error:
        raise refuse_file(path, Phrase("is_folder"), Phrase("name_file")) from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise refuse_file(path, Phrase("no_file"), missing or Phrase("check_name_folder")) from error
    except (OSError, ValueError) as error:  # no permission, a circular link, a zero byte in the name
        if isinstance(error, PermissionError) and path.is_dir():  # as Windows says of a folder
            raise refuse_file(path, Phrase("is_folder"), Phrase("name_file")) from error
        raise refuse_file(path, Phrase("unreadable", message=getattr(error, "strerror", "") or error)) from error
    if len(data) > maximum:
        raise refuse_file(path, Phrase("too_large", number=maximum // 1000000), remedy)
    return data


def decode(data: bytes, place: str, fallback: str = "") -> str:
    """Decode the bytes of a file, with line feeds as line ends.

    UTF-8, UTF-16 with a byte order mark as Windows' shells and spreadsheets write it, or else the encoding ``fallback``
    if one is given. Raises InputError for anything else, and for accents in towers.
    """
    if data.startswith(b"PK\x03\x04"):
        raise InputError.at(place, Phrase("packed"), Phrase("save_as_text"))
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if not fallback:
            raise InputError.at(place, Phrase("not_utf8"), Phrase("save_as_utf8")) from error
        text = data.decode(fallback, errors="replace")
    if (position := _find_stack(text)) is not None:
        raise InputError.at(place, Phrase("accents", number=MAX_ACCENTS), Phrase("take_accents_off"),
                            line=text.count("\n", 0, max(position, 0)) + 1)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def refuse_file(path: Path, what: str, remedy: str = "", line: int = 0, key: str = "") -> InputError:
    """The InputError to raise for a file that is refused."""
    return InputError.at(display_path(path), what, remedy, line=line, key=key)


def find_excess(document: object, depth: int, characters: int) -> tuple[Trail, str, str] | None:
    """Find the first value of a parsed document that breaks the limits: its trail, the problem and the remedy.

    Refused are lists and tables nested deeper than ``depth``, keys and texts longer than ``characters`` or with
    :data:`INVISIBLE` characters, and whole numbers that don't fit 64 bits.
    """
    todo: list[tuple[Trail, object]] = [((), document)]
    while todo:
        trail, value = todo.pop()
        key = trail[-1] if trail else 0
        for text in (key, value):
            if not isinstance(text, str):
                continue
            if len(text) > characters:
                where = trail[:-1] if text is key else trail
                return where, Phrase("long_text", number=characters), Phrase("shorten")
            if match := INVISIBLE.search(text):
                return trail, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out")
        if isinstance(value, dict | list):
            if len(trail) >= depth:
                return trail[:3], Phrase("deep", number=depth), Phrase("flatter")
            inside = value.items() if isinstance(value, dict) else enumerate(value)
            todo.extend([((*trail, name), each) for name, each in reversed(list(inside))
                         if type(each) is not float or isinstance(name, str)])
        elif isinstance(value, int) and not -2 ** 63 <= value < 2 ** 63:
            return trail, Phrase("huge_number"), Phrase("smaller_number")
    return None


# --- CSV ---
# CSV: rows from users' files, and output that is safe to open in a spreadsheet program.

MAX_CHARACTERS = 20_000  # characters of a cell or text: ten pages
# Cells that begin with ``= + - @``, a tab or a carriage return may be run as formulas (OWASP, "CSV Injection"). Such
# texts get an apostrophe in front, also after a separator, as programs in other languages split cells at others.
# Our own reader removes the apostrophes.
_START = r"((?:^|[;,\t|]) *)"
_FORMULA = r"(?='*[=+\-@\t\r＝＋－＠])"
_HARMFUL, _GUARDED = _START + _FORMULA, f"{_START}'{_FORMULA}"


class CsvRow(NamedTuple):
    """A row of a CSV file: its first line, and its cells, trimmed."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """The cell of a column (from 0), empty if the row is shorter."""
        return self.cells[column] if column < len(self.cells) else ""


class CsvError(ValueError):
    """Invalid CSV, or too much of it: the line, the problem and its remedy."""

    def __init__(self, line: int, what: str, remedy: str = "") -> None:
        super().__init__(line, what)
        self.line, self.what, self.remedy = line, what, remedy


def csv_rows(text: str, separator: str, max_lines: int) -> Iterator[CsvRow]:
    """Yield the first row and all others that are not empty. Raises :class:`CsvError` at an invalid row."""
    reader, line = csv.reader(io.StringIO(text), delimiter=separator, strict=True), 1
    try:
        for number, cells in enumerate(reader):
            if reader.line_num > max_lines:
                raise CsvError(reader.line_num, Phrase("many_lines", number=max_lines))
            if any(len(cell) > MAX_CHARACTERS for cell in cells):
                raise CsvError(reader.line_num, Phrase("long_cell", number=MAX_CHARACTERS), Phrase("open_quote"))
            row, line = CsvRow(line, tuple(cell.strip() for cell in cells)), reader.line_num + 1
            if any(row.cells) or not number:
                yield row
    except csv.Error as error:
        remedy = ('where a cell begins with a quote, write """x"" and ""y"""; or look for a quote that is not closed'
                  if "expected after" in str(error) else "look for a quote that is not closed")
        raise CsvError(line, Phrase("not_csv", message=error), remedy) from error


def detect_separator(line: str, known: str = ",;\t|") -> str:
    """The separator that is most frequent in a line; among equals the first of ``known``."""
    return max(known, key=line.count)


def detect_table_separator(text: str) -> str:
    """The separator of a table: the most frequent one in its first line that is not blank, outside quotes."""
    first = re.search(r"\S", text)
    start = max(text.rfind("\n", 0, first.start()), text.rfind("\r", 0, first.start())) + 1 if first else 0
    line = re.split(r"[\r\n]", text[start:], maxsplit=1)[0]
    return detect_separator(re.sub(r'"[^"]*"', "", line))


def escape_formula(text: str) -> str:
    """The text as a cell that is not run as a formula."""
    return re.sub(_HARMFUL, r"\1'", text)


def unescape_formula(cell: str) -> str:
    """The text of a cell that :func:`escape_formula` wrote; other cells stay as they are."""
    return re.sub(_GUARDED, r"\1", cell)


def write_csv(rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Format rows as CSV."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def csv_text(rows: Sequence[Mapping[str, object]], separator: str = ",") -> str:
    """Format rows as CSV with a header of all their keys, in order of first appearance; no cell is a formula."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = ([keys] if keys else []) + [[row.get(key) for key in keys] for row in rows]
    return write_csv([[escape_formula(cell) if isinstance(cell, str) else cell for cell in line] for line in lines],
                     separator)


# --- Fields ---
# Checked values from TOML and CSV files: fields with file, line and key, and the value types that games share. A reader
# goes on after a problem with a harmless stand-in, so that one run reports all problems; callers call
# ``problems.raise_if_any()`` before they use the values. Decks come from strangers: whatever is in a file, reading it
# takes a bounded time and raises only :class:`InputError`.

MAX_BYTES = 8_000_000  # size limit of a data file, checked before it is parsed (downloaded decks are not trusted)
MAX_TOML = 500_000  # characters of a TOML file; more would take seconds to parse
MAX_ROWS, MAX_COLUMNS = 20_000, 200  # of a CSV file; rows also limit the tables of a TOML list
MAX_LINES = 200_000  # lines of a CSV file, including empty lines and lines inside cells
MAX_NESTING = 12  # nesting of tables and lists
MAX_PROBLEMS = 500  # problems noted in a run; more would tell the reader nothing new
# Patterns for the lines of a TOML file. Every repetition is possessive (*+): with backtracking, a line of a million
# characters that is nearly a key would be tried in every way that it can be cut up.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_NAME = rf"""{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+"""
_HEADER = rf"[ \t]*+(\[{{1,2}}+)[ \t]*+({_NAME})[ \t]*+\]{{1,2}}"
_KEY = rf"[ \t]*+({_NAME})[ \t]*+="
_QUOTED = r"""\"(?:[^"\\]|\\.)*+(?:"|$)|'[^']*+(?:'|$)|#.*+"""
_LONG_KEY = rf"(?m)(?:^|[\[{{,])[ \t]*+((?:{_PART}[ \t]*+\.[ \t]*+){{12}})"


@dataclass(frozen=True, slots=True)
class Source:
    """A text file and the lines of its TOML keys."""

    path: Path
    text: str

    @property
    def name(self) -> str:
        return display_path(self.path)

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
    text = decode(read_inside(folder, name, maximum), display_path(path))
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
        self.problems.append(self.spot(key).problem(what, remedy))

    def spot(self, key: str) -> Spot:
        """The place of this field."""
        path = ".".join((*(part for part in self.trail if isinstance(part, str)), key))
        return Spot(self.source.name, self.line(key), path.strip("."))

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
    if (document := find_compiled(source.text)) is not None:
        return document
    if len(source.text) > MAX_TOML:
        raise refuse_file(source.path, f"is larger than {MAX_TOML // 1000} kB", "data files are small texts")
    if key := re.search(_LONG_KEY, source.text):  # more than twelve: tomllib takes longer with each
        raise refuse_file(source.path, "has a key of too many parts", "put fewer tables into tables",
                          source.text.count("\n", 0, key.start(1)) + 1)
    try:
        document = parse_toml_text(source.text)
    except RecursionError as error:
        raise refuse_file(source.path, "is not valid TOML: nested too deep", Phrase("flatter")) from error
    except ValueError as error:
        from tomllib import TOMLDecodeError

        if isinstance(error, TOMLDecodeError):
            at = re.search(r"line (\d+)", str(error))
            line = int(at[1]) if at else source.text.count("\n") + 1
            words = "".join(source.text.splitlines()[line - 1:line])
            bare = re.fullmatch(_BARE_TEXT, words)
            remedy = Phrase("quote_text", example=f'{bare[1]} = "{bare[2].strip()}"') if bare else ""
            raise refuse_file(source.path, Phrase("not_toml", message=error), remedy, line=line) from error
        # numbers of thousands of digits, the 31st of February
        long = re.search("[0-9_]{4000}", source.text)
        line = source.text.count("\n", 0, long.start()) + 1 if long else 0
        what = "a number is too long" if long else str(error)
        raise refuse_file(source.path, Phrase("not_toml", message=what), line=line) from error
    if excess := find_excess(document, MAX_NESTING, MAX_CHARACTERS):
        trail, what, remedy = excess
        raise refuse_file(source.path, what, remedy, source.line_of(trail),
                          ".".join(part for part in trail if isinstance(part, str)))
    return document


_BARE_TEXT = r"""\s*+([\w.-]{1,60}+)\s*+=\s*+([^\s"'\[{#=0-9+-][^"'#\[\]{}]{0,80}+)(?:\s*+#.*+)?"""
"""A key with a text that is not in quotation marks, the slip that is made most."""


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
        if header := re.match(_HEADER, line):
            table = tuple(part.strip("\"'") for part in re.findall(_PART, header[2]))
            table = next(((*head, counts[head] - 1, *table[n:]) for n in range(len(table) - 1, 0, -1)
                          if (head := table[:n]) in counts), table)
            if header[1] == "[[":
                counts[table] = counts.get(table, 0) + 1
                table = (*table, counts[table] - 1)
            lines.setdefault(table, number)
        elif key := re.match(_KEY, line):
            lines.setdefault((*table, *(part.strip("\"'") for part in re.findall(_PART, key[1]))), number)
            for quotes in ('"""', "'''"):
                inside = quotes if line.count(quotes) == 1 else inside
            brackets = 0 if inside else _brackets(line[key.end():])
    return lines


def _brackets(line: str) -> int:
    """Opening minus closing brackets of a line, without those in quotes and comments."""
    code = re.sub(_QUOTED, "", line)
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
        problems.note(display_path(folder / name), error.what, error.remedy, line=error.line)
        return None, iter(())
    if len(header.cells) > MAX_COLUMNS:
        problems.note(display_path(folder / name), Phrase("many_columns", number=MAX_COLUMNS), line=header.line)
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
