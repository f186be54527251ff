"""Workbooks: the rows of one sheet of an XLSX or ODS file, read in the supervised child."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from ppgen.cache import cached_by
from ppgen.errors import Problem, join_names, shorten, suggest
from ppgen.process.supervision import Options, read_supervised
from ppgen.reading.fields import read_inside
from ppgen.reading.file_limits import display_place
from ppgen.reading.number_formats import Written, plain_number, write_as
from ppgen.reading.workbook_sheets import RawSheet, read_sheets, refuse

ZIP_START = b"PK\x03\x04"  # the first bytes of a workbook
MAX_UNPACKED_BYTES, MAX_PACKED_FILES = 100_000_000, 2_000  # of a workbook, which is a zip archive
_SAVE_AGAIN = "save it again as XLSX, ODS or CSV"

RawRow = tuple[int, Sequence[object]]  # the line of a row, and its cells
_Note = tuple[int, str, str]  # a line, what was found there, and a remedy
_RawSheet = tuple[Sequence[RawRow], Sequence[_Note], bool]  # whether it is hidden


def read_workbook(path: Path, data: bytes, sheet: str) -> tuple[list[RawRow], list[Problem]]:
    """Read the rows of a sheet (or of the only filled one) with their numbers, as they look, and what was left out.

    Raises InputError.
    """
    place, sheets = display_place(path), _read_all(path, data)
    if sheet and sheet not in sheets:
        raise refuse(place, f"has no sheet '{sheet}'", suggest(sheet, sheets, f"sheets: {join_names(sheets)}"))
    filled = [sheet] if sheet else _shown(sheets)
    if len(filled) > 1:
        raise refuse(place, f"has {len(filled)} sheets: {join_names(filled)}",
                      f'name one of them: sheet = "{filled[0]}"')
    rows, notes, _ = sheets[filled[0]] if filled else ((), (), False)
    return [(line, [write_as(*cell) if isinstance(cell, list) else cell for cell in cells]) for line, cells in rows], [
        Problem(place=place, line=line, what=what, remedy=remedy) for line, what, remedy in notes]


def sheet_names(path: Path) -> list[str]:
    """The names of the sheets of a workbook that are not empty or hidden; none of a text file. Raises InputError."""
    data = read_inside(path.parent, path.name)
    return _shown(_read_all(path, data)) if data.startswith(ZIP_START) else []


def _shown(sheets: Mapping[str, _RawSheet]) -> list[str]:
    return [name for name, (rows, _, is_hidden) in sheets.items() if rows and not is_hidden]


def _read_all(path: Path, data: bytes) -> Mapping[str, _RawSheet]:
    options = {"place": display_place(path)}
    content = cached_by("workbook", data, options, make=lambda: json.dumps(read_supervised(
        read_rows, data, options, options["place"], _SAVE_AGAIN)).encode())
    return dict(json.loads(content))


def read_rows(data: bytes, options: Options) -> list[tuple[str, _RawSheet]]:
    """Read names, rows and notes of all sheets as JSON, in the supervised child. Raises InputError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_archive(options["place"], archive)
            return [(name, ([*_list_rows(sheet)], [*_list_notes(sheet)], sheet.is_hidden))
                    for name, sheet in read_sheets(archive, options["place"]).items()]
    except (zipfile.BadZipFile, OSError, ValueError, LookupError, NotImplementedError, RuntimeError, EOFError,
            ArithmeticError, zlib.error, ElementTree.ParseError) as error:
        reason = str(error.args[0] if isinstance(error, KeyError) else error)[:200]
        raise refuse(options["place"], f"is not a workbook that can be read: {reason}", _SAVE_AGAIN) from error


def _check_archive(place: str, archive: zipfile.ZipFile) -> None:
    files = archive.infolist()
    if len(files) > MAX_PACKED_FILES or sum(file.file_size for file in files) > MAX_UNPACKED_BYTES:
        raise refuse(place, f"is larger than {MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked",
                      "save the table alone, as CSV")
    if any(file.filename.lower() == "xl/workbook.bin" for file in files):
        raise refuse(place, "is a binary workbook", "save it as XLSX or CSV")


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
