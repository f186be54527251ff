"""Fitting of texts that were never tried on a page: widths for their tables, and breaks for words wider than a line.

A table without widths gets them from its words, and smaller letters if there is no room. A word that no line has room
for gets soft hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from ppgen.engine.booklets.booklet import (CELL_INSET_MM, COVER_SIZE_PT, HEADING_SIZES_PT, Block, Booklet, BookletTable,
                                           Cover, Figure, Gallery, Heading, InlinePicture, TextLine, map_lines,
                                           span_style)
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import MM
from ppgen.errors import Problem, Problems

STAR_MM = 5.0  # room for the star beside a heading
MIN_TABLE_SIZE = 0.75  # least size of a table's letters in parts of the booklet's
SLACK = 1.04  # width that words may have beyond their measured one: strong figures, icons in between
_LONG = re.compile(r"[^\s/\u3000-\u9fff\uff00-\uffef]{12,}")  # words that may be too wide for a line
_PIECES = re.compile(r"[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+")
"""Units that a line does not break in: a word, or a wide character."""


def fit_booklet(booklet: Booklet, fonts: FontBook) -> tuple[Booklet, tuple[Problem, ...]]:
    """Fit a booklet of a file's words; also return what is set smaller. Raises InputError for tables too wide."""
    if not booklet.source:
        return booklet, ()
    fitter = _Fitter(fonts, booklet.size * MM["pt"])
    blocks = fitter.fit_blocks(booklet.blocks, booklet.measure)
    fitter.problems.raise_if_any()
    return replace(booklet, blocks=blocks), tuple(fitter.warnings)


class _Fitter:
    """``size`` is that of the text in mm."""

    def __init__(self, fonts: FontBook, size: float) -> None:
        self._fonts, self._size = fonts, size
        self.problems, self.warnings = Problems(), Problems()

    def fit_blocks(self, blocks: Sequence[Block], room: float) -> tuple[Block, ...]:
        return tuple(self._fit(block, room) for block in blocks)

    def _fit(self, block: Block, room: float) -> Block:
        match block:
            case Cover(title=title):
                return replace(block, title=self._break_words(title, "title", COVER_SIZE_PT * MM["pt"], room))
            case Heading(words=words, level=level, line=line):
                size = HEADING_SIZES_PT[level - 1] * MM["pt"]
                return replace(block, words=self._break_words(words, "title", size, room - STAR_MM),
                               line=self._break_line(line, room - STAR_MM, "title", size))
            case BookletTable(widths=(), spot=spot) if spot:
                return self._fit_table(block, room)
        return map_lines(block, lambda line, less: self._break_line(line, room - less),
                         lambda blocks, less: self.fit_blocks(blocks, room - less))

    def _break_line(self, line: TextLine, room: float, style: str = "", size: float = 0.0) -> TextLine:
        return tuple(span if span.shown else replace(span, words=self._break_words(
            span.words, style or span_style(span), size or self._size, room)) for span in line)

    def _break_words(self, words: str, style: str, size: float, room: float) -> str:
        """Put a soft hyphen after every few letters of each word that is wider than the room."""
        def break_word(match: re.Match[str]) -> str:
            if self._fonts.width(match[0], style, size) * SLACK <= room:
                return match[0]
            return "\u00ad".join(match[0][at:at + 3] for at in range(0, len(match[0]), 3))

        return _LONG.sub(break_word, words)

    def _fit_table(self, table: BookletTable, room: float) -> BookletTable:
        rows = [row for row in (table.head, *table.rows) if row]
        columns = [[row[n] for row in rows] for n in range(len(rows[0]))] if rows else []
        needs = [max(self._need(cell) for cell in column) for column in columns]
        wishes = [max(self._wish(cell) for cell in column) for column in columns]
        room -= 2 * CELL_INSET_MM * len(columns)
        size = min(1.0, room / max(fsum(needs), 1e-6))
        if size < 1 and table.spot:
            over, remedy = fsum(needs) - room, "make two of it, or shorten its longest words"
            what = f"the table of {len(columns)} columns is {over:.0f} mm too wide"
            if size < MIN_TABLE_SIZE:
                self.problems.append(table.spot.problem(what, remedy))
            else:
                self.warnings.append(table.spot.problem(f"{what}: its letters are shrunk to {size:.0%}", remedy))
        spare = min(1.0, max(0.0, room / size - fsum(needs)) / max(fsum(wishes) - fsum(needs), 1e-6))
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
