"""Widths of tables that were written without any: as their words need, in smaller letters if there is no room."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ppgen.engine.booklets.booklet import (
    Block,
    Booklet,
    BookletTable,
    Entry,
    Figure,
    Gallery,
    InlinePicture,
    Listing,
    Panel,
    TextLine,
    span_style,
)
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import MM
from ppgen.errors import InputError, Problem, Problems

CELL_INSET_MM, PANEL_INSET_MM, ENTRY_INDENT_MM = 1.3, 3.0, 6.0
"""Room at each side of a cell and of a panel, and before the words of an entry, as booklet.typ sets them."""
MIN_TABLE_SIZE = 0.75
"""Least size of a table's letters in parts of the booklet's."""
SLACK = 1.04
"""What words may be wider than measured: strong figures, icons in between."""
_PIECES = re.compile(r"[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+")
"""What a line does not break in: a word, or a wide character."""


def fit_tables(booklet: Booklet, fonts: FontBook) -> tuple[Booklet, tuple[Problem, ...]]:
    """Give each table without widths those of its words; also return what had to be set smaller.

    Raises InputError for tables that are too wide all the same.
    """
    fitter = _TableFitter(fonts, booklet.size * MM["pt"])
    blocks = fitter.fit_blocks(booklet.blocks, booklet.measure)
    fitter.problems.raise_if_any()
    return replace(booklet, blocks=blocks), tuple(fitter.warnings)


class _TableFitter:
    """``size`` is that of the text in mm."""

    def __init__(self, fonts: FontBook, size: float) -> None:
        self._fonts, self._size = fonts, size
        self.problems, self.warnings = Problems(), Problems()

    def fit_blocks(self, blocks: Sequence[Block], room: float) -> tuple[Block, ...]:
        return tuple(self._fit(block, room) for block in blocks)

    def _fit(self, block: Block, room: float) -> Block:
        match block:
            case Panel():
                return replace(block, blocks=self.fit_blocks(block.blocks, room - 2 * PANEL_INSET_MM))
            case Listing():
                return replace(block, entries=tuple(
                    replace(entry, blocks=self.fit_blocks(entry.blocks, room - ENTRY_INDENT_MM))
                    if isinstance(entry, Entry) else entry for entry in block.entries))
            case BookletTable(widths=(), spot=spot) if spot:
                return self._fit_table(block, room)
        return block

    def _fit_table(self, table: BookletTable, room: float) -> BookletTable:
        rows = [row for row in (table.head, *table.rows) if row]
        columns = [[row[n] for row in rows] for n in range(len(rows[0]))] if rows else []
        needs = [max(self._need(cell) for cell in column) for column in columns]
        wishes = [max(self._wish(cell) for cell in column) for column in columns]
        room -= 2 * CELL_INSET_MM * len(columns)
        size = min(1.0, room / max(sum(needs), 1e-6))
        if size < MIN_TABLE_SIZE and table.spot:
            self.problems.append(table.spot.problem(
                f"the table of {len(columns)} columns is {sum(needs) * MIN_TABLE_SIZE - room:.0f} mm too wide for its "
                "place", "make two of it, or shorten its longest words"))
        elif size < 1 and table.spot:
            self.warnings.append(table.spot.problem(
                f"the table of {len(columns)} columns is {sum(needs) - room:.0f} mm too wide: its letters are shrunk to "
                f"{size:.0%}", "make two of it, or shorten its longest words"))
        spare = min(1.0, max(0.0, room / size - sum(needs)) / max(sum(wishes) - sum(needs), 1e-6))
        widths = [(need + (wish - need) * spare) * size + 2 * CELL_INSET_MM
                  for need, wish in zip(needs, wishes, strict=True)]
        return replace(table, widths=tuple(round(width, 2) for width in widths), size=round(size - 0.0005, 3))

    def _need(self, cell: TextLine | Figure | Gallery) -> float:
        """The width of the widest piece that can't be broken, in mm."""
        if isinstance(cell, Figure | Gallery):
            return cell.size.width if isinstance(cell, Figure) else 0.0
        return SLACK * max([self._size, *(self._width(piece, span_style(span)) for span in cell if not span.shown
                                          for piece in _PIECES.findall(span.words)),
                            *(self._picture_width(span.shown) for span in cell
                              if isinstance(span.shown, InlinePicture))])

    def _wish(self, cell: TextLine | Figure | Gallery) -> float:
        """The width of the widest line, if nothing is broken."""
        if isinstance(cell, Figure | Gallery):
            return self._need(cell)
        widest = line = 0.0
        for span in cell:
            if isinstance(span.shown, InlinePicture):
                line += self._picture_width(span.shown)
                continue
            for n, words in enumerate(span.words.split("\n")):
                widest, line = (max(widest, line), 0.0) if n else (widest, line)
                line += self._width(words, span_style(span))
        return max(SLACK * max(widest, line), self._need(cell))

    def _width(self, words: str, style: str) -> float:
        return self._fonts.width(words, style, self._size)

    def _picture_width(self, picture: InlinePicture) -> float:
        return (picture.height * picture.request.size.width / picture.request.size.height + 0.2) * self._size
