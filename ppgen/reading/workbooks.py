"""Workbooks: the rows of one sheet of an XLSX or ODS file. The only home of python-calamine.

calamine lays a sheet out from its first filled cell to its last before anyone can look: one stray cell far out costs
gigabytes. So the places of cells are looked at first, by a parser that keeps nothing of them.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime, time
from pathlib import Path
from typing import IO, TYPE_CHECKING
from xml.etree import ElementTree
from xml.parsers import expat

from ppgen.cache import cached_by
from ppgen.errors import InputError, Problem, join_names, suggest
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import read_inside
from ppgen.reading.file_limits import display_place
from ppgen.reading.workbook_looks import SheetLook, column_number, read_look

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

ZIP_START = b"PK\x03\x04"  # the first bytes of a workbook
MAX_UNPACKED_BYTES, MAX_PACKED_FILES = 100_000_000, 2_000  # of a workbook, which is a zip archive
MAX_CELLS = 400_000  # cells of a sheet
_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")  # the place of a cell (ECMA-376, 18.18.7): at most XFD1048576
_FILLED = frozenset(("v", "is"))
_START_BYTES = 4_000
_SAVE_AGAIN = "save it again as XLSX, ODS or CSV"

RawRow = tuple[int, Sequence[object]]  # the line of a row, and its cells
_Note = tuple[int, str, str]  # a line, what was found there, and a remedy


def read_workbook(path: Path, data: bytes, sheet: str) -> tuple[list[RawRow], list[Problem]]:
    """Read the rows of a sheet (or of the only filled one) with their numbers, as they look, and what was left out.

    Dates are texts. Raises InputError.
    """
    options = {"place": display_place(path), "sheet": sheet}
    rows, notes = json.loads(cached_by("workbook", data, options, make=lambda: json.dumps(read_supervised(
        read_rows, data, options, options["place"], _SAVE_AGAIN)).encode()))
    return rows, [Problem(place=options["place"], line=line, what=what, remedy=remedy) for line, what, remedy in notes]


def sheet_names(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not empty; none of a text file. Raises InputError."""
    data = read_inside(path.parent, path.name)
    if not data.startswith(ZIP_START):
        return []
    options = {"place": display_place(path)}
    return list(json.loads(cached_by("sheets", data, options, make=lambda: json.dumps(read_supervised(
        read_names, data, options, options["place"], _SAVE_AGAIN)).encode())))


def read_names(data: bytes, options: Options) -> list[str]:
    """Read the names of sheets, in the supervised child. Raises InputError."""
    with _refusing(options["place"]):
        return _filled_sheets(_open_book(options["place"], data))


def read_rows(data: bytes, options: Options) -> tuple[list[RawRow], list[_Note]]:
    """Read the rows of a sheet and notes as JSON, in the supervised child. Raises InputError."""
    with _refusing(options["place"]):
        return _read_sheet(options["place"], data, options["sheet"])


@contextmanager
def _refusing(place: str) -> Iterator[None]:
    """Make what libraries raise a problem of the file."""
    from python_calamine import CalamineError

    try:
        yield
    except (CalamineError, zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError,
            zlib.error, expat.ExpatError) as error:
        raise _refuse(place, f"is not a workbook that can be read: {str(error)[:200]}", _SAVE_AGAIN) from error


def _open_book(place: str, data: bytes) -> CalamineWorkbook:
    from python_calamine import CalamineWorkbook

    _check_archive(place, data)
    return CalamineWorkbook.from_filelike(io.BytesIO(data))


def _filled_sheets(book: CalamineWorkbook) -> list[str]:
    return [name for name in book.sheet_names if book.get_sheet_by_name(name).height]


def _read_sheet(place: str, data: bytes, sheet: str) -> tuple[list[RawRow], list[_Note]]:
    book = _open_book(place, data)
    names = book.sheet_names
    if sheet and sheet not in names:
        raise _refuse(place, f"has no sheet '{sheet}'", suggest(sheet, names, f"sheets: {join_names(names)}"))
    filled = [sheet] if sheet else _filled_sheets(book)
    if len(filled) > 1:
        raise _refuse(place, f"has {len(filled)} sheets: {join_names(filled)}",
                          f'name one of them: sheet = "{filled[0]}"')
    if not filled:
        return [], []
    found = book.get_sheet_by_name(filled[0])
    if found.height * found.width > MAX_CELLS:
        raise _refuse(place, f"has {found.height:,} rows and {found.width:,} columns",
                          f"at most {MAX_CELLS:,} cells: delete what is empty")
    first, left = found.start or (0, 0)
    rows: dict[int, list[object]] = {number: [*map(_plain_cell, cells)]
                                     for number, cells in enumerate(found.iter_rows(), first + 1)}
    for (top, column), (bottom, _) in found.merged_cell_ranges or ():
        if top + 1 in rows and 0 <= column - left < len(rows[top + 1]):
            for row in range(top + 2, min(bottom + 1, first + len(rows)) + 1):
                rows[row][column - left] = rows[top + 1][column - left]
    look = SheetLook()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, suppress(LookupError, ValueError, StopIteration, ArithmeticError,
                                                                          ElementTree.ParseError):
        look = read_look(archive, filled[0])  # of other workbooks than XLSX there is none
    for (row, column), text in look.texts.items():
        if row in rows and 0 <= column - left < len(rows[row]):
            rows[row][column - left] = text
    notes = [(lines[0], f"{what}: {join_names(map(str, lines[:10]))}{' …' if len(lines) > 10 else ''}", remedy)
             for lines, what, remedy in (
                 ([row for row in look.hidden if row in rows], "hidden rows, left out", "show them, if they are cards"),
                 (look.pictures, "pictures in rows, left out", "save them as files, and name them in a column art"),
                 (sorted({*look.uncomputed}), "formulas without a value in rows",
                  "save it again in a spreadsheet program")) if lines]
    return [(number, cells) for number, cells in rows.items() if number not in look.hidden], notes


def _plain_cell(cell: object) -> str | int | float:
    match cell:
        case str():
            return cell.replace("\r\n", "\n").replace("\r", "\n").strip()
        case bool() | int() | float():
            return cell
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case datetime() | date() | time():
            return cell.isoformat()
    return str(cell)


def _refuse(place: str, what: str, remedy: str) -> InputError:
    return InputError([Problem(place=place, what=what, remedy=remedy)])


def _check_archive(place: str, data: bytes) -> None:
    """Look at the size of an archive, and at the places of all cells of its sheets. Raises InputError."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = archive.infolist()
        if len(files) > MAX_PACKED_FILES or sum(file.file_size for file in files) > MAX_UNPACKED_BYTES:
            raise _refuse(place, f"is larger than {MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked",
                              "save the table alone, as CSV")
        if any(file.filename.lower() == "xl/workbook.bin" for file in files):
            raise _refuse(place, "is a binary workbook", "save it as XLSX or CSV")
        for file in files:
            with archive.open(file) as start:
                is_sheet = b"worksheet" in start.read(_START_BYTES)
            if is_sheet:
                with archive.open(file) as content:
                    _check_extent(place, content)


def _check_extent(place: str, content: IO[bytes]) -> None:
    """Refuse a sheet whose filled cells lie too far apart. Raises InputError, ExpatError."""
    rows, columns = [0, 0], [0, 0]
    row, column, cell = 0, 0, ""

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, cell
        name = tag.rpartition(":")[2]
        if name == "row":
            row, column = int(attributes["r"]) if attributes.get("r", "").isdecimal() else row + 1, 0
        elif name == "c":
            column, cell = column + 1, attributes.get("r", "")
            if cell:
                match = _PLACE.fullmatch(cell)
                if not match:
                    raise _refuse(place, f"has a cell at '{cell[:40]}', beyond every sheet", "delete that cell")
                row, column = int(match[2]), column_number(match[1])
        elif name in _FILLED and column:
            rows[:] = min(rows[0] or row, row), max(rows[1], row)
            columns[:] = min(columns[0] or column, column), max(columns[1], column)
            height, width = rows[1] - rows[0] + 1, columns[1] - columns[0] + 1
            if height * width > MAX_CELLS:
                where = f"a cell at {cell}" if cell else "cells"
                raise _refuse(place, f"has {where}, so {height:,} rows and {width:,} columns",
                                  f"at most {MAX_CELLS:,} cells: delete what lies far out")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.ParseFile(content)
