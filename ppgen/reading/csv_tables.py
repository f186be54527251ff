"""CSV: rows from users' files, and output that is safe to open in a spreadsheet program."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ppgen.shipped import Phrase

MAX_CHARACTERS = 20_000  # characters of a cell or text: ten pages
# Cells that begin with ``= + - @``, a tab or a carriage return may be run as formulas (OWASP, "CSV Injection"). Such
# texts get an apostrophe in front, also after a separator, as programs in other languages split cells at others.
# Our own reader removes the apostrophes.
_START = r"((?:^|[;,\t|]) *)"
_FORMULA = r"(?='*[=+\-@\t\r＝＋－＠])"
_HARMFUL, _GUARDED = re.compile(_START + _FORMULA), re.compile(f"{_START}'{_FORMULA}")


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
        raise CsvError(line, Phrase("not_csv", message=error), "look for a quote that is not closed") from error


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
    return _HARMFUL.sub(r"\1'", text)


def unescape_formula(cell: str) -> str:
    """The text of a cell that :func:`escape_formula` wrote; other cells stay as they are."""
    return _GUARDED.sub(r"\1", cell)


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
