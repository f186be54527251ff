"""Workbooks: the sheets of XLSX and ODS as tables of text."""

from __future__ import annotations

import io
import json
import posixpath
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ppgen.cache import cached_by
from ppgen.errors import InputError, Problem, display_path, join_names, shorten, suggest
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import read_inside
from ppgen.records import dataclass, field

if TYPE_CHECKING:  # few runs read workbooks, many import this module
    from xml.etree.ElementTree import Element
    from zipfile import ZipFile

# --- Formats of numbers ---

BUILT_IN = {9: "0%", 10: "0.00%", 12: "# ?/?", 13: "# ??/??", 14: "yyyy-mm-dd", 15: "d-mmm-yy", 16: "d-mmm",
            17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm",
            45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", **dict.fromkeys((*range(27, 32), *range(50, 59)), "yyyy-mm-dd")}
"""Formats by number (ECMA-376, 18.8.30) that show more than a number. What a language may change is as here."""
_MONTHS = "January February March April May June July August September October November December".split()
_TOKEN = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[\$([^]-]*)(?:-[^]]*)?\]|\[(?!hh?\])[^]]*\]|(?<=s)\.0+', re.IGNORECASE)
_DIGITS = re.compile(r"(?P<whole>[#0?][#0?,]*)(?:\.(?P<part>[#0?]+))?")
_FRACTION = re.compile(r"(?:(#)\s*)?\?+/(\?+|[0-9]+)")
_PLAIN = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
EPOCH = datetime(1899, 12, 30)
_DATE = re.compile(r"\[hh?\]|yyyy|yy|m{1,4}|d{1,2}|h{1,2}|n{1,2}|s{1,2}|am/pm", re.IGNORECASE)


class Written:
    """A number that prints as its cell writes it: ``+1``, ``1.50``. Computing with it gives a plain number."""

    text: str

    def __new__(cls, value: float, text: str = "") -> Self:
        self = super().__new__(cls, value)  # type: ignore[call-arg]  # of int or float
        self.text = text
        return self

    def __str__(self) -> str:
        return self.text


class WrittenInt(Written, int):
    """A whole number with its text."""


class WrittenFloat(Written, float):
    """A number with decimals and its text."""


def write_as(value: float, text: str) -> int | float:
    """Return the number, an integer if it is whole, with the text of its cell if it would print in another way."""
    number = int(value) if float(value).is_integer() else value
    if str(number) == text:
        return number
    return WrittenInt(number, text) if isinstance(number, int) else WrittenFloat(number, text)


def plain_number(value: object) -> object:
    """Return a number without the text of its cell; any other value as it is."""
    return int(value) if isinstance(value, WrittenInt) else float(value) if isinstance(value, WrittenFloat) else value


def is_plain(shown: str, value: float) -> bool:
    """True if a cell shows its number and nothing else, whichever signs part its digits."""
    digits = re.sub(r"[\s'’]", "", shown)
    return any(_PLAIN.fullmatch(words) and float(words) == value
               for words in (digits.replace(",", ""), digits.replace(".", "").replace(",", ".")))


def format_number(value: float, code: str, epoch: datetime = EPOCH) -> str | None:
    """Write a number or date as its format does, a whole date in figures as 2026-03-01; None for the number itself."""
    if code == "General":
        return _format_general(value)
    literals: list[str] = []

    def keep(match: re.Match[str]) -> str:
        literals.append(match[1] or match[2] or match[3] or "")
        return chr(0xE000 + len(literals) - 1)

    sections = _TOKEN.sub(keep, code).split(";")
    section = sections[1] if value < 0 and len(sections) > 1 else sections[0]
    sign = "-" if value < 0 and len(sections) == 1 else ""
    number = abs(value)
    if "general" in section.lower() or "@" in section:
        return _format_general(value)
    if _DATE.search(section) and not _DIGITS.search(section):
        shown = _format_date(value, section, epoch)
    elif fraction := _FRACTION.search(section):
        from fractions import Fraction

        limit = int(fraction[2]) if fraction[2].isdigit() else 10 ** len(fraction[2]) - 1
        whole, rest = divmod(Fraction(number).limit_denominator(limit), 1) if fraction[1] else (0, Fraction(number))
        rest = rest.limit_denominator(limit)
        words = " ".join(str(part) for part in (whole, rest) if part) or "0"
        shown = section[:fraction.start()] + sign + words + section[fraction.end():]
    elif digits := _DIGITS.search(section):
        places, least = len(digits["part"] or ""), (digits["part"] or "").count("0")
        words = f"{number * (100 if '%' in section else 1):{',' if ',' in digits['whole'] else ''}.{places}f}"
        if places > least:
            words = words[:len(words) - places + least] + words[len(words) - places + least:].rstrip("0")
        words = words.rstrip(".").rjust(digits["whole"].count("0"), "0")
        shown = section[:digits.start()] + sign + words + section[digits.end():]
    else:
        return None
    shown = re.sub("[\ue000-\uf8ff]", lambda match: literals[ord(match[0]) - 0xE000], shown).strip()
    return shown or None


def _format_general(value: float) -> str | None:
    """Write a number with at most eleven signs, as spreadsheets do without a format; None for large and tiny ones."""
    if not 1e-4 <= abs(value) < 1e11 or float(value).is_integer():
        return None
    return f"{value:.{10 - len(str(int(abs(value))))}f}".rstrip("0").rstrip(".")


def _format_date(value: float, section: str, epoch: datetime) -> str:
    section = re.sub(r"(?i)(?:(?<=h:)|(?<=h\]:))m{1,2}|m{1,2}(?=:s)", "nn", section)
    tokens = {token.lower() for token in _DATE.findall(section)}
    date = epoch + timedelta(seconds=round(value * 86_400))
    if {token[0] for token in tokens} >= {"y", "m", "d"} and not tokens & {"mmm", "mmmm"}:
        return f"{date:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
    hour = str((date.hour + 11) % 12 + 1 if "am/pm" in tokens else date.hour)
    elapsed = str((date - epoch) // timedelta(hours=1))
    names = {"yyyy": f"{date:%Y}", "yy": f"{date.year % 100:02}", "mmmm": _MONTHS[date.month - 1],
             "mmm": _MONTHS[date.month - 1][:3], "mm": f"{date:%m}", "m": str(date.month), "dd": f"{date:%d}",
             "d": str(date.day), "hh": hour.zfill(2), "h": hour, "[h]": elapsed, "[hh]": elapsed.zfill(2),
             "nn": f"{date:%M}", "ss": f"{date:%S}", "s": str(date.second), "am/pm": "AM" if date.hour < 12 else "PM"}
    return _DATE.sub(lambda match: names.get(match[0].lower(), match[0]), section)


# --- Sheets ---

MAX_CELLS = 400_000  # cells of a sheet
_XLSX_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")  # a cell (ECMA-376, 18.18.7): at most XFD1048576
_ESCAPED = re.compile("_x00([0-7][0-9A-F])_")  # a character in XLSX (ECMA-376, 22.9.2.19)
_HIDDEN = ("1", "true", "collapse", "filter")

Cell = str | int | float
_Run = tuple[str, str]  # words, and the marks around them


@dataclass(slots=True)
class RawSheet:
    """A sheet: its filled cells by row from 1 and column from 0, and what of it is hidden or can't be read."""

    place: str
    cells: dict[int, dict[int, Cell]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    pictures: set[int] = field(default_factory=set)  # rows that have some
    uncomputed: set[int] = field(default_factory=set)  # rows with formulas that have no value
    merged: list[tuple[int, int, int]] = field(default_factory=list)  # first row, column and last row
    rows: range = range(0)
    columns: range = range(0)
    is_hidden: bool = False

    def put(self, row: int, column: int, value: Cell) -> None:
        """Fill a cell. Raises InputError if it lies too far from the others."""
        if isinstance(value, str):
            value = value.replace("\r\n", "\n").replace("\r", "\n").strip()
        if value == "":
            return
        if row not in self.rows or column not in self.columns:
            self.rows, self.columns = _stretch(self.rows, row), _stretch(self.columns, column)
        if len(self.rows) * len(self.columns) > MAX_CELLS:
            raise InputError.at(self.place, f"has a cell in row {row:,}, column {column + 1:,}, so {len(self.rows):,} "
                                f"rows and {len(self.columns):,} columns",
                                f"at most {MAX_CELLS:,} cells: delete what lies far out")
        self.cells.setdefault(row, {})[column] = value

    def fill_merged(self) -> None:
        """Repeat the value of merged cells in each row."""
        for top, column, bottom in self.merged:
            for row in range(top + 1, min(bottom + 1, self.rows.stop)):
                if column in self.cells.get(top, {}):
                    self.cells.setdefault(row, {})[column] = self.cells[top][column]


def _stretch(numbers: range, number: int) -> range:
    return range(min(numbers.start, number), max(numbers.stop, number + 1)) if numbers else range(number, number + 1)


def read_sheets(archive: ZipFile, place: str) -> dict[str, RawSheet]:
    """Read all sheets of a workbook by name. Raises InputError, and what libraries raise for damaged files."""
    names = archive.namelist()
    if "content.xml" not in names and _BOOK not in names:
        raise ValueError("it is neither XLSX nor ODS")
    sheets = _read_ods(archive, place) if "content.xml" in names else _Xlsx(archive).read_sheets(place)
    for sheet in sheets.values():
        sheet.fill_merged()
    return sheets


def _walk(archive: ZipFile, name: str) -> Iterator[tuple[str, Element]]:
    """Yield start and end of each element of a file, without its namespace."""
    from xml.etree import ElementTree

    with archive.open(name) as content:
        for event, element in ElementTree.iterparse(content, ("start", "end")):
            if event == "start":
                element.tag = _local(element.tag)
            yield event, element


def _parse(archive: ZipFile, name: str) -> Element:
    """Return the root of a file; elements are without namespaces."""
    (_, root), *_ = _walk(archive, name)
    return root


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _attributes(element: Element) -> dict[str, str]:
    return {_local(key): value for key, value in element.attrib.items()}


def _emphasise(runs: Iterable[_Run]) -> str:
    """Join words with marks around bold and italic ones, unless all look alike or have marks of their own."""
    runs = [*runs]
    plain = "".join(words for words, _ in runs)
    if len({mark for words, mark in runs if words.strip()}) < 2 or "*" in plain:
        return plain
    joined = [("".join(words for words, _ in group), mark) for mark, group in groupby(runs, key=lambda run: run[1])]
    return "".join(words.replace(bare, f"{mark}{bare}{mark}", 1) if (bare := words.strip()) else words
                   for words, mark in joined)


# --- XLSX ---

_BOOK = "xl/workbook.xml"


class _Xlsx:
    """An XLSX file: what its sheets share."""

    def __init__(self, archive: ZipFile) -> None:
        self.archive, self.links = archive, _read_links(archive, _BOOK)
        self.book, self.epoch = _parse(archive, _BOOK), EPOCH
        properties = self.book.find("workbookPr")
        if properties is not None and properties.get("date1904") in ("1", "true"):
            self.epoch = datetime(1904, 1, 1)
        self.strings = [_xlsx_words(item) for event, item in _walk(archive, self.links["sharedStrings"])
                        if (event, item.tag) == ("end", "si")] if "sharedStrings" in self.links else []
        self.formats = [*self._read_formats()]

    def _read_formats(self) -> Iterator[str]:
        """Yield the number format of each style of cells."""
        if "styles" in self.links:
            root = _parse(self.archive, self.links["styles"])
            own = {each.get("numFmtId"): each.get("formatCode") or "" for each in root.iterfind("numFmts/numFmt")}
            for style in root.iterfind("cellXfs/xf"):
                number = style.get("numFmtId") or "0"
                yield own.get(number) or BUILT_IN.get(int(number), "General")

    def read_sheets(self, place: str) -> dict[str, RawSheet]:
        return {each.get("name", ""): self._read_sheet(
            RawSheet(place, is_hidden="hidden" in each.get("state", "").lower()), self.links[_attributes(each)["id"]])
                for each in self.book.iterfind("sheets/sheet")}

    def _read_sheet(self, sheet: RawSheet, name: str) -> RawSheet:
        row, column = 0, -1
        for event, element in _walk(self.archive, name):
            match event, element.tag:
                case "start", "row":
                    row, column = int(element.get("r") or row + 1), -1
                    if element.get("hidden") in _HIDDEN:
                        sheet.hidden_rows.add(row)
                case "end", "c":
                    row, column = _find_place(sheet, element.get("r"), row, column)
                    sheet.put(row, column, self._read_cell(sheet, row, element))
                case "end", "row":
                    element.clear()
                case "end", "col" if element.get("hidden") in _HIDDEN:
                    first, last = element.attrib["min"], element.attrib["max"]
                    sheet.hidden_columns.update(range(int(first) - 1, min(int(last), MAX_CELLS)))
                case "end", "mergeCell":
                    first, _, last = element.attrib["ref"].partition(":")
                    top, left = _find_place(sheet, first, 0, 0)
                    sheet.merged.append((top, left, _find_place(sheet, last or first, 0, 0)[0]))
                case "end", "drawing":
                    with suppress(LookupError):  # a file is missing
                        anchors = _parse(self.archive, _read_links(self.archive, name)[_attributes(element)["id"]])
                        sheet.pictures |= {int(anchor.findtext("from/row") or 0) + 1 for anchor in anchors
                                           if anchor.find("pic") is not None}
        return sheet

    def _read_cell(self, sheet: RawSheet, row: int, cell: Element) -> Cell:
        value = cell.findtext("v")
        match kind := cell.get("t", "n"):
            case "inlineStr":
                return _xlsx_words(words) if (words := cell.find("is")) is not None else ""
            case "e":
                (sheet.pictures if cell.get("vm") else sheet.uncomputed).add(row)
                return ""
            case "s" if value:
                if int(value) not in range(len(self.strings)):
                    raise ValueError(f"there is no text with the number {value}")
                return self.strings[int(value)]
            case "b" if value:
                return "TRUE" if value == "1" else "FALSE"
            case "n" if value:
                style, number = int(cell.get("s") or 0), float(value)
                code = self.formats[style] if style in range(len(self.formats)) else "General"
                with suppress(ValueError, ArithmeticError):  # a format of no sense, or a date out of range
                    return _as_shown(number, format_number(number, code, self.epoch))
                return number
        if (value is None or kind == "n") and cell.find("f") is not None:
            sheet.uncomputed.add(row)
        return value or ""


def _read_links(archive: ZipFile, name: str) -> Mapping[str, str]:
    """The files that a file refers to, by their identifiers and by their kinds."""
    folder, file = posixpath.split(name)
    return {key: posixpath.normpath(posixpath.join("/", folder, each.get("Target", "")))[1:]
            for each in _parse(archive, f"{folder}/_rels/{file}.rels")
            for key in (each.get("Type", "").rpartition("/")[2], each.get("Id", ""))}


def _as_shown(value: float, shown: str | None) -> Cell:
    """The cell of a number: what the sheet shows, with the number if it shows nothing else."""
    return value if not shown else write_as(value, shown) if is_plain(shown, value) else shown


def _find_place(sheet: RawSheet, reference: str | None, row: int, column: int) -> tuple[int, int]:
    """The row and column of a cell: by its reference, or else right of the last one."""
    if not reference:
        return row, column + 1
    if not (match := _XLSX_PLACE.fullmatch(reference)):
        raise InputError.at(sheet.place, f"has a cell at '{reference[:40]}', beyond every sheet", "delete that cell")
    number = 0
    for letter in match[1]:
        number = 26 * number + ord(letter) - 64
    return int(match[2]), number - 1


def _xlsx_words(item: Element) -> str:
    """The words of a cell: runs with a look each, without the readings of Chinese characters."""
    runs = [(item.findtext("t") or "", "")]
    for run in item.findall("r"):
        looks = {each.tag for each in run.iterfind("rPr/*") if each.get("val") not in ("0", "false")}
        runs.append((run.findtext("t") or "", "**" * ("b" in looks) + "*" * ("i" in looks)))
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), _emphasise(runs))


# --- ODS ---

def _read_ods(archive: ZipFile, place: str) -> dict[str, RawSheet]:
    sheets: dict[str, RawSheet] = {}
    marks: dict[str, str] = {}  # of styles
    hidden: set[str] = set()  # styles of hidden sheets
    cells: dict[int, Cell] = {}
    sheet, row, column, style = RawSheet(place), 0, 0, ""
    for event, element in _walk(archive, "content.xml"):
        get = _attributes(element)
        match event, element.tag:
            case "end", "style" if (look := element.find("text-properties")) is not None:
                looks = _attributes(look)
                marks[get.get("name", "")] = "**" * (looks.get("font-weight") == "bold") + "*" * (
                    looks.get("font-style") == "italic")
            case "end", "table-properties" if get.get("display") == "false":
                hidden.add(style)
            case "start", "style":
                style = get.get("name", "")
            case "start", "table":
                sheet, row, column = RawSheet(place, is_hidden=get.get("style-name") in hidden), 0, 0
                if "name" in get:
                    sheets[get["name"]] = sheet
            case "end", "table-column":
                times = _times(get, "columns")
                sheet.hidden_columns.update(range(column, column + times) if get.get("visibility") in _HIDDEN else ())
                column += times
            case "start", "table-row":
                row, column, cells = row + 1, 0, {}
            case "end", "table-cell" | "covered-table-cell":
                times = _times(get, "columns")
                value = _read_ods_cell(sheet, row, element, get, marks) if element.tag == "table-cell" else ""
                cells |= dict.fromkeys(range(column, column + times) if value != "" else (), value)
                if (spanned := int(get.get("number-rows-spanned", 1))) > 1:
                    sheet.merged.append((row, column, row + spanned - 1))
                column += times
            case "end", "frame" if element.find("image") is not None and element.find("object") is None:
                sheet.pictures.add(max(row, 1))
            case "end", "table-row":
                rows = range(row, row + _times(get, "rows"))
                sheet.hidden_rows.update(rows if get.get("visibility") in _HIDDEN else ())
                for number in rows if cells else ():
                    for position, value in cells.items():
                        sheet.put(number, position, value)
                row = rows[-1]
                element.clear()
    return sheets


def _times(get: Mapping[str, str], what: str) -> int:
    return max(1, min(int(get.get(f"number-{what}-repeated", 1)), MAX_CELLS + 1))


def _read_ods_cell(sheet: RawSheet, row: int, cell: Element, get: Mapping[str, str], marks: Mapping[str, str]) -> Cell:
    runs: list[_Run] = []
    for paragraph in cell.findall("p"):
        runs += [("\n", ""), *_ods_runs(paragraph, marks, "")]
    shown = _emphasise(runs).strip()
    match get.get("value-type"):
        case "float":
            return _as_shown(float(get["value"]), shown)
        case "boolean":
            return get["boolean-value"].upper()
        case "error":
            sheet.uncomputed.add(row)
            return ""
        case None if "formula" in get:
            sheet.uncomputed.add(row)
    return shown


def _ods_runs(element: Element, marks: Mapping[str, str], mark: str) -> Iterator[_Run]:
    """Yield the words within an element, and the marks of their styles."""
    yield element.text or "", mark
    for child in element:
        get = _attributes(child)
        match child.tag:
            case "s":
                yield " " * min(int(get.get("c", 1)), 99), mark
            case "line-break":
                yield "\n", mark
            case "span" | "a":
                yield from _ods_runs(child, marks, marks.get(get.get("style-name", ""), mark))
        yield child.tail or "", mark


# --- Workbooks ---
# Workbooks and records: the rows of one sheet of an XLSX or ODS file, and of the objects of a JSON, YAML or MSE file.
# They are read in the supervised child.

ZIP_START = b"PK\x03\x04"  # the first bytes of a workbook
MAX_UNPACKED_BYTES, MAX_PACKED_FILES = 100_000_000, 2_000  # of a workbook, which is a zip archive
YAML_ENDINGS = (".yaml", ".yml")
MAX_NESTING = 4  # levels of a card's object
_OBJECTS = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[\s*\{\s*\"|\{\s*\")")  # the beginning of JSON, and of no CSV file
_NAMES = {"name", "title", "titel", "titre", "naam", "nom", "navn", "名前"}
_YAML_VALUES = {"~": "", "null": "", "true": "TRUE", "false": "FALSE"}
_MSE_KEYS = frozenset(("has styling", "stylesheet", "stylesheet version", "time created", "time modified"))
"""Keys of cards of Magic Set Editor that are not for players."""
_SAVE_AGAIN = "save it again as XLSX, ODS or CSV"

RawRow = tuple[int, Sequence[object]]  # the line of a row, and its cells
_Note = tuple[int, str, str]  # a line, what was found there, and a remedy
_RawSheet = tuple[Sequence[RawRow], Sequence[_Note], bool]  # whether it is hidden


def is_workbook(path: Path, data: bytes) -> bool:
    """True for a workbook or records, False for a text with separators."""
    return data.startswith(ZIP_START) or path.suffix.lower() in (".json", *YAML_ENDINGS) or bool(_OBJECTS.match(data))


def read_workbook(path: Path, data: bytes, sheet: str) -> tuple[list[RawRow], list[Problem]]:
    """Read the rows of a sheet (or of the only filled one) with their numbers, as they look, and what was left out.

    Raises InputError.
    """
    place, sheets = display_path(path), _read_all(path, data)
    if sheet and sheet not in sheets:
        raise InputError.at(place, f"has no sheet '{sheet}'", suggest(sheet, sheets, f"sheets: {join_names(sheets)}"))
    filled = [sheet] if sheet else _shown(sheets)
    if len(filled) > 1:
        raise InputError.at(place, f"has {len(filled)} sheets: {join_names(filled)}",
                             f'name one of them: sheet = "{filled[0]}"')
    rows, notes, _ = sheets[filled[0]] if filled else ((), (), False)
    return [(line, [write_as(*cell) if isinstance(cell, list) else cell for cell in cells]) for line, cells in rows], [
        Problem(place=place, line=line, what=what, remedy=remedy) for line, what, remedy in notes]


def sheet_names(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not empty or hidden; none of a text file. Raises InputError."""
    data = read_inside(path.parent, path.name)
    return _shown(_read_all(path, data)) if is_workbook(path, data) else []


def _shown(sheets: Mapping[str, _RawSheet]) -> list[str]:
    return [name for name, (rows, _, is_hidden) in sheets.items() if rows and not is_hidden]


def _read_all(path: Path, data: bytes) -> Mapping[str, _RawSheet]:
    place = display_path(path)
    options = {"place": place, "is_yaml": path.suffix.lower() in YAML_ENDINGS}
    content = cached_by("workbook", data, options, make=lambda: json.dumps(read_supervised(
        read_rows, data, options, place, _SAVE_AGAIN)).encode())
    return dict(json.loads(content))


def read_rows(data: bytes, options: Options) -> list[tuple[str, _RawSheet]]:
    """Read names, rows and notes of all sheets as JSON, in the supervised child. Raises InputError."""
    from zipfile import BadZipFile, ZipFile

    kind = "workbook" if data.startswith(ZIP_START) else "table"
    try:
        if kind == "table":
            text = data.decode("utf-8-sig")
            document = _load_yaml(text) if options["is_yaml"] else json.loads(
                text, parse_int=str, parse_float=str, parse_constant=str)  # numbers as they are written
            return [(name, (_list_records(options["place"], records), [], False))
                    for name, records in _find_records(options["place"], document).items()]
        with ZipFile(io.BytesIO(data)) as archive:
            _check_archive(options["place"], archive)
            if "set" in archive.namelist():
                cards = _read_mse_cards(archive.read("set").decode("utf-8-sig"))
                return [("", (_list_records(options["place"], cards), [], False))]
            return [(name, ([*_list_rows(sheet)], [*_list_notes(sheet)], sheet.is_hidden))
                    for name, sheet in read_sheets(archive, options["place"]).items()]
    except (BadZipFile, OSError, ValueError, LookupError, NotImplementedError, RuntimeError, EOFError,
            ArithmeticError, zlib.error, SyntaxError) as error:  # of XML
        reason = "it is nested too deep" if isinstance(error, RecursionError) else str(
            error.args[0] if isinstance(error, KeyError) else error)[:200]
        raise InputError.at(options["place"], f"is not a {kind} that can be read: {reason}", _SAVE_AGAIN) from error


def _check_archive(place: str, archive: ZipFile) -> None:
    files = archive.infolist()
    if len(files) > MAX_PACKED_FILES or sum(file.file_size for file in files) > MAX_UNPACKED_BYTES:
        raise InputError.at(place, f"is larger than {MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked",
                             "save the table alone, as CSV")
    if any(file.filename.lower() == "xl/workbook.bin" for file in files):
        raise InputError.at(place, "is a binary workbook", "save it as XLSX or CSV")


def _list_rows(sheet: RawSheet) -> Iterator[RawRow]:
    shown = [column for column in sheet.columns if column not in sheet.hidden_columns]
    for number in sorted(sheet.cells.keys() - sheet.hidden_rows):
        cells = [sheet.cells[number].get(column, "") for column in shown]
        yield number, [(plain_number(cell), str(cell)) if isinstance(cell, Written) else cell for cell in cells]


def _list_notes(sheet: RawSheet) -> Iterator[_Note]:
    """What a sheet has that is not printed."""
    hidden: dict[int, str] = {}  # columns, by their headings
    for _, cells in sorted(sheet.cells.items()):
        hidden |= {column: str(cells[column]) for column in sheet.hidden_columns & cells.keys() - hidden.keys()}
    for line, found, what, remedy in (
            (0, sheet.hidden_rows & sheet.cells.keys(), "hidden rows, left out", "show them, if they are cards"),
            (sheet.rows.start, hidden, "hidden columns, left out", "show them, if the cards are to have them"),
            (0, sheet.pictures, "pictures in rows, left out", "save them as files, and name them in a column art"),
            (0, sheet.uncomputed, "formulas without a value in rows", "save it again in a spreadsheet program")):
        if found:
            names = [hidden[each] if found is hidden else str(each) for each in sorted(found)]
            yield line or min(found), f"{what}: {shorten(names)}", remedy


# --- Records ---

def _load_yaml(text: str) -> Any:
    """Load YAML whose values are all texts as they are written. References are refused: few of them can make billions.
    """
    import yaml

    class TextLoader(yaml.BaseLoader):  # type: ignore[misc]
        def compose_node(self, parent: object, index: object) -> object:
            if self.check_event(yaml.AliasEvent):
                raise ValueError("it refers to other entries (*name): write them out")
            return super().compose_node(parent, index)

    try:
        return yaml.load(text, TextLoader)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def _find_records(place: str, document: Any) -> Mapping[str, Sequence[Any]]:
    """Find the lists of objects of a document by name: its only list has none."""
    if isinstance(document, list):
        return {"": document}
    if isinstance(document, dict):
        if "ObjectStates" in document:
            raise InputError.at(place, "is a save of Tabletop Simulator", "give the picture of its sheet of cards")
        if document.get("formatName") == "dexie":  # the database of Cider
            return {str(table["tableName"]): table["rows"] for table in document["data"]["data"]
                    if table["tableName"] == "cards"}
        lists = {name: value for name, value in document.items()
                 if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)}
        if lists:
            return lists if len(lists) > 1 else {"": next(iter(lists.values()))}
        if document and all(isinstance(value, dict) for value in document.values()):
            names = {heading.casefold() for value in document.values() for heading in value}
            key = "name" if names.isdisjoint(_NAMES) else "id"
            return {"": [{key: name, **value} for name, value in document.items()]}
    raise InputError.at(place, "has no list of objects", "write an object for each card, in a list")


def _list_records(place: str, records: Sequence[Any]) -> list[RawRow]:
    """The rows of objects below their keys; the line of a row is its number."""
    flat: list[dict[str, str]] = []
    for n, record in enumerate(records, 1):
        if not isinstance(record, dict):
            raise InputError.at(place, f"entry {n} of its list is not an object", "write an object for each card")
        flat.append(dict(_flatten(place, n, "", record, 0)))
    headings = list(dict.fromkeys(name for each in flat for name in each))
    if len(flat) * len(headings) > MAX_CELLS:
        raise InputError.at(place, f"has more than {MAX_CELLS:,} cells", "make several tables of it")
    return [(0, headings), *((n, [each.get(name, "") for name in headings]) for n, each in enumerate(flat, 1))]


def _flatten(place: str, number: int, name: str, value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the values within a value by their keys, ``stats hp``; a list of words is one cell."""
    if isinstance(value, dict) and depth < MAX_NESTING:
        for key, each in value.items():
            yield from _flatten(place, number, f"{name} {key}".strip(), each, depth + 1)
    elif isinstance(value, list) and not any(isinstance(each, list | dict) for each in value):
        yield name, ", ".join(map(_write_value, value))
    elif isinstance(value, list | dict):
        raise InputError.at(place, f"'{name}' of entry {number} holds further objects",
                            "leave it out, or write it as text")
    else:
        yield name, _write_value(value)


def _write_value(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).upper()
    return _YAML_VALUES.get(str(value), str(value).strip())


def _read_mse_cards(text: str) -> list[dict[str, str]]:
    """Read the cards of Magic Set Editor: a level for each tab, and values of several lines a level deeper."""
    cards: list[dict[str, str]] = []
    card: dict[str, str] | None = None
    key = ""
    for line in text.splitlines():
        level, words = len(line) - len(line.lstrip("\t")), line.strip()
        if level == 0:
            card = {} if words == "card:" else None
            cards += [card] if card is not None else []
        elif card is not None and level == 1:
            key, _, value = words.partition(":")
            card[key] = value.strip()
        elif card is not None and key:
            card[key] = f"{card[key]}\n{words}".strip()
    return [{key: _mse_words(value) if key != "image" or not value else f"{value}.png"
             for key, value in card.items() if key not in _MSE_KEYS} for card in cards]


def _mse_words(value: str) -> str:
    """Words with ``**`` and ``*`` for bold and italic tags, without the others."""
    bare = re.sub(r"<(/?)(b|i)(?:-[\w-]*)?>", r"<\1\2>", re.sub(r"<(?!/?[bi][->])[^<>]*>", "", value))
    return re.sub(r"</?b>", "**", re.sub(r"</?i>", "*", re.sub(r"<b></b>|<i></i>", "", bare)))
