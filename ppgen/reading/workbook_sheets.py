"""The sheets of XLSX and ODS files as they look: words with their emphasis, formats of numbers, what is hidden."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from ppgen.errors import InputError, Problem
from ppgen.reading.number_formats import BUILT_IN, EPOCH, format_number, is_plain, write_as

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
            raise refuse(self.place, f"has a cell in row {row:,}, column {column + 1:,}, so {len(self.rows):,} rows "
                         f"and {len(self.columns):,} columns", f"at most {MAX_CELLS:,} cells: delete what lies far out")
        self.cells.setdefault(row, {})[column] = value

    def fill_merged(self) -> None:
        """Repeat the value of merged cells in each row."""
        for top, column, bottom in self.merged:
            for row in range(top + 1, min(bottom + 1, self.rows.stop)):
                if column in self.cells.get(top, {}):
                    self.cells.setdefault(row, {})[column] = self.cells[top][column]


def refuse(place: str, what: str, remedy: str) -> InputError:
    """The error of a workbook that is not read."""
    return InputError([Problem(place=place, what=what, remedy=remedy)])


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
        raise refuse(sheet.place, f"has a cell at '{reference[:40]}', beyond every sheet", "delete that cell")
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
