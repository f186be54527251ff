"""Turns the text of a CSV file into its rows, of whatever table they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

MAX_CHARACTERS = 20_000
"""Characters of one cell or text: ten pages."""


class CsvRow(NamedTuple):
    """A row of a CSV file: the line where it ends, and its cells, trimmed."""

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """The cell of a column (from 0), empty where the row is shorter."""
        return self.cells[column] if column < len(self.cells) else ""


class NoCsv(ValueError):
    """What stands there is no CSV, or too much of it: the line, what is wrong, and what to do."""

    def __init__(self, line: int, what: str, remedy: str = "") -> None:
        super().__init__(line, what)
        self.line, self.what, self.remedy = line, what, remedy


def csv_rows(text: str, separator: str, most_lines: int) -> Iterator[CsvRow]:
    """The rows that are not empty, the first one always. Raises NoCsv where one can't be read."""
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        for number, cells in enumerate(reader):
            if reader.line_num > most_lines:
                raise NoCsv(reader.line_num, f"has more than {most_lines} lines")
            if any(len(cell) > MAX_CHARACTERS for cell in cells):
                raise NoCsv(reader.line_num, f"has a cell of more than {MAX_CHARACTERS} characters",
                            "shorten it, or look for an open quote")
            row = CsvRow(reader.line_num, tuple(cell.strip() for cell in cells))
            if any(row.cells) or not number:
                yield row
    except csv.Error as error:
        raise NoCsv(reader.line_num, f"is not valid CSV: {error}") from error


def separator_of(line: str, known: str = ",;\t") -> str:
    """What parts the cells of a line; of several as many, the first that is ``known``."""
    return max(known, key=line.count)
