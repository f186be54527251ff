"""Workbooks: the rows of one sheet of an XLSX or ODS file. The only home of python-calamine.

calamine lays a sheet out from its first filled cell to its last before anyone can look: one stray cell far out costs
gigabytes. So the places of cells are looked at first, by a parser that keeps nothing of them.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO
from xml.parsers import expat

from ppgen.errors import join_names
from ppgen.reading.file_limits import refuse_file

MAX_UNPACKED_BYTES, MAX_PACKED_FILES = 100_000_000, 2_000
"""Size and number of the files in a workbook, which is a zip archive."""
MAX_CELLS = 400_000
"""Cells of a sheet."""
_PLACE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
"""The place of a cell (ECMA-376, 18.18.7): at most XFD1048576."""
_FILLED = frozenset(("v", "is"))
_START_BYTES = 4_000
_SAVE_AGAIN = "save it again as XLSX, ODS or CSV"

RawRow = tuple[int, Sequence[object]]
"""The line of a row, and its cells."""


def read_workbook(path: Path, data: bytes, sheet: str) -> list[RawRow]:
    """Return the rows of a sheet with their numbers; without a name those of the only sheet that is not empty.

    Raises InputError.
    """
    from python_calamine import CalamineError

    try:
        _check_archive(path, data)
        with _mute_stderr():
            return _read_sheet(path, data, sheet)
    except (CalamineError, zipfile.BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError,
            MemoryError, zlib.error, expat.ExpatError) as error:
        raise refuse_file(path, f"is not a workbook that can be read: {str(error)[:200]}", _SAVE_AGAIN) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # of calamine, which is written in Rust
            raise
        raise refuse_file(path, "is damaged", _SAVE_AGAIN) from error


@contextmanager
def _mute_stderr() -> Iterator[None]:
    """Keep Rust from writing of its panics, with advice for its programmers, where users read."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _read_sheet(path: Path, data: bytes, sheet: str) -> list[RawRow]:
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    names = book.sheet_names
    if sheet and sheet not in names:
        near = get_close_matches(sheet, names, n=1)
        guess = f"did you mean {near[0]}? " if near else ""
        raise refuse_file(path, f"has no sheet '{sheet}'", f"{guess}sheets: {join_names(names)}")
    filled = [sheet] if sheet else [name for name in names if book.get_sheet_by_name(name).height]
    if len(filled) > 1:
        raise refuse_file(path, f"has {len(filled)} sheets: {join_names(filled)}",
                          f'name one of them: sheet = "{filled[0]}"')
    if not filled:
        return []
    found = book.get_sheet_by_name(filled[0])
    if found.height * found.width > MAX_CELLS:
        raise refuse_file(path, f"has {found.height:,} rows and {found.width:,} columns",
                          f"at most {MAX_CELLS:,} cells: delete what is empty")
    first = found.start[0] + 1 if found.start else 1
    return [(number, [cell.replace("\r\n", "\n").replace("\r", "\n").strip() if isinstance(cell, str) else cell
                      for cell in cells]) for number, cells in enumerate(found.iter_rows(), first)]


def _check_archive(path: Path, data: bytes) -> None:
    """Look at the size of an archive, and at the places of all cells of its sheets. Raises InputError."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = archive.infolist()
        if len(files) > MAX_PACKED_FILES or sum(file.file_size for file in files) > MAX_UNPACKED_BYTES:
            raise refuse_file(path, f"is larger than {MAX_UNPACKED_BYTES // 1_000_000} MB when unpacked",
                              "save the table alone, as CSV")
        if any(file.filename.lower() == "xl/workbook.bin" for file in files):
            raise refuse_file(path, "is a binary workbook", "save it as XLSX or CSV")
        for file in files:
            with archive.open(file) as start:
                is_sheet = b"worksheet" in start.read(_START_BYTES)
            if is_sheet:
                with archive.open(file) as content:
                    _check_extent(path, content)


def _check_extent(path: Path, content: IO[bytes]) -> None:
    """Refuse a sheet whose filled cells lie too far apart. Raises InputError, ExpatError."""
    rows, columns = [0, 0], [0, 0]
    row, column, place = 0, 0, ""

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, place
        name = tag.rpartition(":")[2]
        if name == "row":
            row, column = int(attributes["r"]) if attributes.get("r", "").isdecimal() else row + 1, 0
        elif name == "c":
            column, place = column + 1, attributes.get("r", "")
            if place:
                match = _PLACE.fullmatch(place)
                if not match:
                    raise refuse_file(path, f"has a cell at '{place[:40]}', beyond every sheet", "delete that cell")
                row, column = int(match[2]), _column_number(match[1])
        elif name in _FILLED and column:
            rows[:] = min(rows[0] or row, row), max(rows[1], row)
            columns[:] = min(columns[0] or column, column), max(columns[1], column)
            height, width = rows[1] - rows[0] + 1, columns[1] - columns[0] + 1
            if height * width > MAX_CELLS:
                where = f"a cell at {place}" if place else "cells"
                raise refuse_file(path, f"has {where}, so {height:,} rows and {width:,} columns",
                                  f"at most {MAX_CELLS:,} cells: delete what lies far out")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.ParseFile(content)


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number
