"""Cells of a CSV or TSV file are replaced, and not a byte around them.

A cell's place in the text is looked up and only its characters are exchanged: separator, quotes of other cells, ends of
lines, a byte order mark and a missing last newline stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from ppgen.reading.csv_tables import detect_table_separator
from ppgen.reading.file_edit import EditConflict, EditError, FileHistory
from ppgen.reading.file_limits import INVISIBLE

EDITABLE_SUFFIXES = (".csv", ".tsv")
MAX_CELL_CHARACTERS = 2_000
NEW_ROW = "New"  # in the first column of a new row: rows without words are not cards
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(r"\r\n|\n|\r")


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


def set_column(text: str, beside: str, heading: str, cells: Mapping[int, str]) -> str:
    """Set cells of a column by line; a new one stands right of ``beside``. Raises EditError."""
    records, separator = _find_table(text), detect_table_separator(text)
    headings = [" ".join(cell.value.split()) for cell in records[0].cells] if records else []
    if beside not in headings:
        raise EditError(f"has no column '{beside}'")
    is_new = heading not in headings
    place = headings.index(beside if is_new else heading)
    for nth, record in reversed([*enumerate(records)]):
        words = heading if is_new and not nth else cells.get(record.line)
        if len(record.cells) > place and (is_new or words is not None) and (words or len(record.cells) > 1):
            span = record.cells[place]
            start = span.end if is_new else span.start
            written = _written(words or "", separator, not is_new and span.is_quoted)
            text = text[:start] + (separator if is_new else "") + written + text[span.end:]
        elif words is not None:  # cells that are missing at the end of the row
            end, gap = record.cells[-1].end, separator * (place + 1 - len(record.cells))
            text = text[:end] + gap + _written(words, separator) + text[end:]
    return text


def _written(words: str, separator: str, is_quoted: bool = False) -> str:
    if is_quoted or words != words.strip() or any(sign in words for sign in f'{separator}"\r\n'):
        return '"' + words.replace('"', '""') + '"'
    return words


class CellEditor:
    """Changes cells of the tables in a folder; its history takes the changes back."""

    def __init__(self, history: FileHistory) -> None:
        self.history = history

    def read(self, path: Path) -> list[Record]:
        """Return the rows of a table that may be changed. Raises EditError for any other file."""
        return _find_table(_decode(self._read(path)))

    def write(self, path: Path, line: int, column: int, old: str, new: str) -> None:
        """Replace a cell (line of its row, column) if it still is ``old``. Raises EditConflict, EditError."""
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
        words = _written(words, detect_table_separator(text), span.is_quoted)
        after = (text[:span.start] + words + text[span.end:]).encode()
        self.history.write(path, before, _BOM + after if before.startswith(_BOM) else after)

    def change_row(self, path: Path, line: int, known: Sequence[str], action: str) -> None:
        """Change (``add``, ``copy``, ``delete``) the row that begins there. Raises EditConflict, EditError."""
        before = self._read(path)
        text = _decode(before)
        head, *rows = _find_table(text)
        row = next((record for record in rows if record.line == line), None)
        if row is None or [_plain(cell.value) for cell in row.cells] != [*map(_plain, known)]:
            raise EditConflict("This row is no longer as the page shows it: the file has been changed meanwhile.")
        start, stop = row.cells[0].start, row.cells[-1].end
        line_end = _LINE_END.match(text, stop)
        end = line_end.end() if line_end else stop
        ids = [cell.value.strip().lower() == "id" for cell in head.cells]
        new: str | None = None
        match action:
            case "add":
                words = ["" if is_id else NEW_ROW if n == ids.index(False) else "" for n, is_id in enumerate(ids)]
                new = detect_table_separator(text).join(words)
            case "copy":
                new = text[start:stop]
                for cell in (row.cells[ids.index(True)],) if True in ids[:len(row.cells)] else ():
                    new = text[start:cell.start] + text[cell.end:stop]
            case "delete":
                pass
            case _:
                raise EditError("This can't be done with a row.")
        newline = line_end[0] if line_end else "\r\n" if "\r\n" in text else "\n"
        after = (text[:start] + text[end:] if new is None else text[:stop] + newline + new + text[stop:])
        self.history.write(path, before, (_BOM if before.startswith(_BOM) else b"") + after.encode())

    def _read(self, path: Path) -> bytes:
        if path.suffix.lower() not in EDITABLE_SUFFIXES:
            raise EditError("Only CSV and TSV files can be changed here: change it in your spreadsheet program.")
        return self.history.read(path)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EditError("The file is not UTF-8 text: change it in your spreadsheet program.") from error


def _plain(words: str) -> str:
    """A text with the ends of lines that browsers use."""
    return _LINE_END.sub("\n", words)
