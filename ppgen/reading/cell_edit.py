"""One cell of a CSV or TSV file is replaced, and not a byte around it.

A cell's place in the text is looked up and only its characters are exchanged: separator, quotes of other cells, ends of
lines, a byte order mark and a missing last newline stay as they are. The file is replaced as a whole, and only if it
still is what was read.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from ppgen.errors import InputError
from ppgen.reading.csv_tables import detect_table_separator
from ppgen.reading.file_limits import INVISIBLE, read_bytes

EDITABLE_SUFFIXES = (".csv", ".tsv")
MAX_CELL_CHARACTERS = 2_000
MAX_FILE_BYTES = 10_000_000
MAX_UNDO = 100
"""Changes that can be taken back."""
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n|\n|\r")


class EditError(Exception):
    """A cell can't be changed; the file is as it was."""


class EditConflict(EditError):
    """The file is no longer what the change was made for."""


class CellSpan(NamedTuple):
    """A cell: where it stands in the text, with its quotes, if it has them, and its value."""

    start: int
    end: int
    is_quoted: bool
    value: str


class Record(NamedTuple):
    """A row of a file with its first line, counted from 1."""

    line: int
    cells: Sequence[CellSpan]


def find_cells(text: str) -> list[Record]:
    """Find every cell of a text. Raises EditError for a quote that is not closed or closed within a cell."""
    separator = detect_table_separator(text)
    plain = re.compile(rf"[^{re.escape(separator)}\r\n]*")
    records: list[Record] = []
    cells: list[CellSpan] = []
    place, line, first = 0, 1, 1
    while place < len(text) or cells:
        start = place
        if text.startswith('"', place):
            place = _quoted_end(text, place)
            cells.append(CellSpan(start, place, True, text[start + 1:place - 1].replace('""', '"')))
            line += len(_LINE_END.findall(text, start, place))
            if place < len(text) and text[place] not in f"{separator}\r\n":
                raise EditError(f"Line {line} has a quote within a cell: change it in your spreadsheet program.")
        else:
            match = plain.match(text, place)
            assert match
            place = match.end()
            cells.append(CellSpan(start, place, False, match[0]))
        if text.startswith(separator, place):
            place += 1
            continue
        end = _LINE_END.match(text, place)
        place = end.end() if end else place
        records.append(Record(first, cells))
        cells, line = [], line + 1
        first = line
    return records


def _find_table(text: str) -> list[Record]:
    """The rows of a text from its headings on: blank lines before them are skipped, as readers of tables do."""
    return [*dropwhile(lambda record: not any(cell.value.strip() for cell in record.cells), find_cells(text))]


def _quoted_end(text: str, start: int) -> int:
    place = start + 1
    while (close := text.find('"', place)) >= 0:
        if not text.startswith('"', close + 1):
            return close + 1
        place = close + 2
    raise EditError("A quote is not closed: change the file in your spreadsheet program.")


@dataclass(frozen=True, slots=True)
class _Change:
    """Bytes of a file from ``start`` before and after a change, and the digest of the whole file after it."""

    path: Path
    start: int
    before: bytes
    after: bytes
    digest: bytes


class CellEditor:
    """Changes cells of the tables in a folder, and takes the changes back, the last one first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._changes: list[_Change] = []

    @property
    def undo_count(self) -> int:
        return len(self._changes)

    def read(self, path: Path) -> list[Record]:
        """Return the rows of a table that may be changed. Raises EditError for any other file."""
        return _find_table(_decode(self._read(path)))

    def write(self, path: Path, line: int, column: int, old: str, new: str) -> None:
        """Replace the cell in that column of the row that begins in that line, if it still is ``old``.

        Raises EditConflict if the file has changed, EditError for values that can't stand there.
        """
        if len(new) > MAX_CELL_CHARACTERS:
            raise EditError(f"A cell has at most {MAX_CELL_CHARACTERS} characters.")
        if INVISIBLE.search(new.replace("\t", " ").replace("\n", " ")):
            raise EditError("The text has characters that can't be seen: take them out.")
        before = self._read(path)
        text = _decode(before)
        records = _find_table(text)
        row = next((record for record in records[1:] if record.line == line), None)
        if row is None or not 0 <= column < len(row.cells):
            raise EditConflict("This row is no longer there: the file has been changed meanwhile.")
        if [cell.value.strip().lower() for cell in records[0].cells[column:column + 1]] == ["id"]:
            raise EditError("An id is changed in your spreadsheet program: other files may name it.")
        span = row.cells[column]
        if _plain(span.value) != _plain(old):
            raise EditConflict(f"The file has been changed meanwhile: the cell is now “{_plain(span.value)}”.")
        words = _plain(new).replace("\n", "\r\n" if "\r\n" in text else "\n")
        signs = f'{detect_table_separator(text)}"\r\n'
        if span.is_quoted or words != words.strip() or any(sign in words for sign in signs):
            words = '"' + words.replace('"', '""') + '"'
        start = len(text[:span.start].encode()) + (len(_BOM) if before.startswith(_BOM) else 0)
        there, put = text[span.start:span.end].encode(), words.encode()
        after = self._splice(path, before, start, there, put)
        change = _Change(path, start, there, put, sha256(after).digest())
        self._changes = [*self._changes, change][-MAX_UNDO:]

    def undo(self) -> Path:
        """Take the last change back; return its file. Raises EditConflict if the file has been changed since."""
        if not self._changes:
            raise EditError("There is nothing to take back.")
        change = self._changes[-1]
        content = self._read(change.path)
        if sha256(content).digest() != change.digest:
            raise EditConflict(f"{change.path.name} has been changed since by another program: take it back there.")
        self._splice(change.path, content, change.start, change.after, change.before)
        del self._changes[-1]
        return change.path

    def _read(self, path: Path) -> bytes:
        if path.suffix.lower() not in EDITABLE_SUFFIXES:
            raise EditError("Only CSV and TSV files can be changed here: change it in your spreadsheet program.")
        if path.is_symlink() or not path.resolve().is_relative_to(self._folder):
            raise EditError("The file lies outside the folder of the deck.")
        try:
            return read_bytes(path, MAX_FILE_BYTES, "make it smaller")
        except InputError as error:
            raise EditConflict(str(error)) from error

    def _splice(self, path: Path, before: bytes, start: int, old: bytes, new: bytes) -> bytes:
        """Replace ``old`` from ``start`` in a file that still has the bytes ``before``; return its new content.

        The file is written as a whole. Raises EditError if that is impossible.
        """
        after = before[:start] + new + before[start + len(old):]
        temporary = ""
        try:
            if not os.access(path, os.W_OK):
                raise EditError(f"{path.name} may not be written.")
            mode = path.stat().st_mode
            handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".ppgen-")
            with os.fdopen(handle, "wb") as file:
                file.write(after)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(mode)
            if path.read_bytes() != before:
                raise EditConflict("The file has been changed meanwhile; nothing was written.")
            Path(temporary).replace(path)
        except OSError as error:
            raise EditError(f"{path.name} can't be written: {error.strerror or error}") from error
        finally:
            if temporary:
                with suppress(OSError):  # as a rule it has replaced the file
                    Path(temporary).unlink()
        return after


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EditError("The file is not UTF-8 text: change it in your spreadsheet program.") from error


def _plain(words: str) -> str:
    """A text with the ends of lines that browsers use."""
    return _LINE_END.sub("\n", words)
