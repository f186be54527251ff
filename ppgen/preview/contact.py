"""Turns an album into a contact sheet: all its pictures side by side, in proportion, with their names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, floor, log, sqrt
from pathlib import Path

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.pictures.rasters import mounted
from ppgen.engine.typesetting import booklet_pdf
from ppgen.engine.units import INCH
from ppgen.preview.album import Album, Section, Shot
from ppgen.preview.darkroom import Darkroom, Negative

WIDTH = 2400
"""The most pixels that a contact sheet is wide: a large screen."""
MOST_DPI = 120.0
"""A few pieces are not shown larger than this."""
SHAPE = 1.3
"""Width to height of a sheet as it is meant to come out."""
PAGE_SCALE = 0.5
"""Whole pages and boards are shown at half the scale of the pieces."""
TITLE, HEADING = 1.9, 1.25
"""The size of these words to that of the names under the pictures."""
TITLE_NOTE, NOTE = 0.58, 0.85
"""The size of the words beside a title or heading to its own."""
LONG_NAME = 8.2
"""A name that is wider (in sizes of its type) is set smaller."""
LABEL_PIXELS = 17.0
"""Height of the names' type: to be read without magnifying."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """Words on the sheet: ``at`` is the middle of their baseline for names, its left end for headings; mm."""

    words: str
    note: str
    at: Point
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShot:
    """A picture in its place on the sheet: ``rect`` is its trim, mm."""

    shot: Shot
    rect: Rect
    label: Label


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSheet:
    """Where everything stands on the sheet, in mm; pieces have their true size, pages and boards half of it.

    ``type`` is the size of the names' type.
    """

    size: Size
    type: float
    title: Label
    headings: tuple[Label, ...]
    pictures: tuple[PlacedShot, ...]

    @property
    def dpi(self) -> float:
        """The pixels an inch at which the sheet fits a screen."""
        return min(MOST_DPI, (WIDTH - 1) / self.size.width * INCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Widths:
    """How wide words are in type of size 1 (of the names; others are larger in proportion)."""

    title: float
    headings: Mapping[str, float]
    names: Mapping[str, float]
    """The widest of each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """The measures of a sheet, in mm, for its size of ``type``."""

    type: float
    widths: _Widths

    @property
    def gap(self) -> float:
        return 1.1 * self.type

    @property
    def below(self) -> float:
        """What a name takes under its picture, with the space to the next row."""
        return 2.9 * self.type

    @property
    def head(self) -> float:
        """What a heading takes above its pieces."""
        return 3.2 * self.type

    @property
    def margin(self) -> float:
        return 3.2 * self.type

    @property
    def between(self) -> float:
        """The space between two parts that stand side by side."""
        return 4.0 * self.type

    @property
    def title(self) -> float:
        return 4.6 * self.type

    def cell(self, shot: Shot, section: Section) -> Size:
        """The room of a picture: as wide as it, or as the names of its part where those are not too long."""
        scale = _scale(section)
        return Size(max(shot.size.width * scale, min(self.widths.names[section.name], LONG_NAME) * self.type),
                    shot.size.height * scale + self.below)

    def natural(self, section: Section, most: float) -> float:
        """The width of a part: all its pieces in a row if there is room, and never less than its heading."""
        cells = [self.cell(shot, section).width for shot in section.shots]
        return min(most, max(sum(cells) + self.gap * (len(cells) - 1), self.widths.headings[section.name] * self.type))


def _scale(section: Section) -> float:
    return PAGE_SCALE if section.large else 1.0


def _width(sections: Sequence[Section], columns: int, grid: _Grid) -> float:
    """The width between the margins: so many pieces of the first part, and room for each piece, heading, the title."""
    cells = [grid.cell(shot, section).width for section in sections for shot in section.shots]
    first = grid.cell(sections[0].shots[0], sections[0]).width
    words = (grid.widths.title * grid.type, *(width * grid.type for width in grid.widths.headings.values()))
    return max(columns * (first + grid.gap) - grid.gap, *cells, *words)


@lru_cache(maxsize=8)  # as a rule only what the pictures show has changed
def lay_out(album: Album, fonts: FontBook) -> ContactSheet:
    """Where the pictures and names of an album stand, in the number of columns that gives the sheet its shape."""
    widths = _widths(album, fonts)
    grid = _Grid(type=LABEL_PIXELS / MOST_DPI * INCH, widths=widths)
    first = album.sections[0]
    cells = [grid.cell(shot, section) for section in album.sections for shot in section.shots]
    area = sum((cell.width + grid.gap) * (cell.height + grid.gap) for cell in cells)
    ideal = sqrt(area * SHAPE) / (grid.cell(first.shots[0], first).width + grid.gap)
    candidates = (_laid_out(album, fonts, columns, widths)
                  for columns in range(max(1, floor(0.7 * ideal)), ceil(1.7 * ideal) + 1))
    return min(candidates, key=lambda sheet: abs(log(sheet.size.width / sheet.size.height / SHAPE)))


def _laid_out(album: Album, fonts: FontBook, columns: int, widths: _Widths) -> ContactSheet:
    """The sheet with so many pieces of the first part side by side."""
    width, grid = 0.0, _Grid(type=LABEL_PIXELS / MOST_DPI * INCH, widths=widths)
    for _ in range(4):  # larger sheets are shown smaller and need larger type, which makes them larger: it settles
        width = _width(album.sections, columns, grid)
        dpi = min(MOST_DPI, WIDTH / (width + 2 * grid.margin) * INCH)
        grid = _Grid(type=LABEL_PIXELS / dpi * INCH, widths=widths)
    width = _width(album.sections, columns, grid)
    pictures: list[PlacedShot] = []
    headings: list[Label] = []
    y = grid.margin + grid.title
    for band in _bands(album.sections, width, grid):
        x, lowest = grid.margin, y
        for section in band:
            wide = grid.natural(section, width)
            headings.append(_heading(section, Point(x, y + 1.7 * grid.type), grid))
            placed, end = _pieces(section, Point(x, y + grid.head), wide, grid, fonts)
            pictures += placed
            x, lowest = x + wide + grid.between, max(lowest, end)
        y = lowest + 1.2 * grid.type
    return ContactSheet(
        size=Size(width + 2 * grid.margin, y - 2.8 * grid.type + grid.margin), headings=tuple(headings),
        pictures=tuple(pictures), type=grid.type,
        title=Label(words=album.title, note=album.facts, size=TITLE * grid.type,
                    at=Point(grid.margin, grid.margin + 1.6 * grid.type)))


def contact_png(album: Album, fonts: FontBook, darkroom: Darkroom, dpi: float) -> tuple[bytes, Size, float]:
    """The contact sheet of an album, its size in mm and its pixels an inch.

    The darkroom makes what it has not made before: the ground, and single pictures, at ``dpi`` if that is enough.
    """
    sheet = lay_out(album.frames, fonts)
    keys = {shot.name: shot.key for shot in album.shots}
    ground = _ground(sheet, album.lang, fonts)
    darkroom.expose(album.shots, fonts.folder)
    darkroom.add(ground)
    dpi = max(dpi, sheet.dpi)
    darkroom.all_pictures([*keys.values()], dpi)
    pixel = INCH / sheet.dpi
    content = mounted(darkroom.picture(ground.key, sheet.dpi), sheet.dpi, [
        (round(placed.rect.x / pixel), round(placed.rect.y / pixel),
         darkroom.reduced(keys[placed.shot.name], dpi, round(placed.rect.width / pixel),
                          round(placed.rect.height / pixel)))
        for placed in sheet.pictures])
    return content, sheet.size, sheet.dpi


def _ground(sheet: ContactSheet, lang: str, fonts: FontBook) -> Negative:
    """Everything but the pictures."""
    inputs = {"sheet": json.dumps({
        "lang": lang, "type": sheet.type, "width": sheet.size.width, "height": sheet.size.height,
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles.get(style, fonts.styles["text"]))]
                  for style in ("text", "title")},
        "notes": {"title": TITLE_NOTE, "heading": NOTE},
        "title": _words(sheet.title, fonts), "headings": [_words(label, fonts) for label in sheet.headings],
        "pictures": [{"x": placed.rect.x, "y": placed.rect.y, "width": placed.rect.width,
                      "height": placed.rect.height, "label": _words(placed.label, fonts)}
                     for placed in sheet.pictures]}, ensure_ascii=False, sort_keys=True)}
    key = hashlib.sha256(inputs["sheet"].encode()).hexdigest()[:24]
    return Negative(key=key, size=sheet.size, document=booklet_pdf(_source(), inputs, fonts.folder), page=0)


@lru_cache(maxsize=1)
def _source() -> bytes:
    return (Path(__file__).parent / "contact.typ").read_bytes()


def _words(label: Label, fonts: FontBook) -> dict[str, object]:
    """A label as plain values; a character that no font has is left out."""
    def printable(words: str) -> str:
        return "".join(run.text for run in fonts.runs(words, "text") if run.font.has(run.text[0]))

    return {"words": printable(label.words), "note": printable(label.note), "x": label.at.x, "y": label.at.y,
            "size": label.size}


def _bands(sections: Iterable[Section], width: float, grid: _Grid) -> Iterator[list[Section]]:
    """The parts that stand side by side, band by band."""
    band: list[Section] = []
    taken = 0.0
    for section in sections:
        wide = grid.natural(section, width)
        if band and (taken + wide > width + 1e-6 or section.large != band[-1].large):
            yield band
            band, taken = [], 0.0
        band.append(section)
        taken += wide + grid.between
    if band:
        yield band


def _heading(section: Section, at: Point, grid: _Grid) -> Label:
    return Label(words=section.title, note=_count(section), at=at, size=HEADING * grid.type)


def _count(section: Section) -> str:
    """How many pieces there are, and the scale if it is not the true one."""
    count = sum(piece.copies for piece in section.pieces)
    return f"{count} · 1 : {1 / PAGE_SCALE:g}" if section.large else str(count)


def _widths(album: Album, fonts: FontBook) -> _Widths:
    def width(style: str, words: str) -> float:
        return fonts.width(words, style if style in fonts.styles else "text", 1.0)

    return _Widths(
        title=TITLE * (width("title", album.title) + 1.5 + TITLE_NOTE * width("text", album.facts)),
        headings={section.name: HEADING * (width("title", section.title) + 0.5 + NOTE * width("text", _count(section)))
                  for section in album.sections},
        names={section.name: max(width("text", f"{shot.name} ×00") for shot in section.shots)
               for section in album.sections})


def _pieces(section: Section, at: Point, width: float, grid: _Grid, fonts: FontBook) -> tuple[list[PlacedShot], float]:
    """The pictures of a part in rows, standing on common lines; and where the last row ends."""
    copies = {piece.front.name: piece.copies for piece in section.pieces}
    placed: list[PlacedShot] = []
    y = at.y
    for row in _rows(section, width, grid):
        height = max(grid.cell(shot, section).height for shot in row)
        x = at.x
        for shot in row:
            cell, scale = grid.cell(shot, section), _scale(section)
            size = Size(shot.size.width * scale, shot.size.height * scale)
            rect = Rect(x + (cell.width - size.width) / 2, y + height - grid.below - size.height,
                        size.width, size.height)
            number = copies.get(shot.name, 1)
            label = _fitted(shot.name, f"×{number}" if number > 1 else "", cell.width, grid, fonts)
            label = replace(label, at=Point(x + cell.width / 2, rect.bottom + 1.25 * grid.type))
            placed.append(PlacedShot(shot=shot, rect=rect, label=label))
            x += cell.width + grid.gap
        y += height
    return placed, y


def _rows(section: Section, width: float, grid: _Grid) -> Iterator[list[Shot]]:
    row: list[Shot] = []
    x = 0.0
    for shot in section.shots:
        wide = grid.cell(shot, section).width
        if row and x + wide > width + 1e-6:
            yield row
            row, x = [], 0.0
        row.append(shot)
        x += wide + grid.gap
    if row:
        yield row


def _fitted(name: str, note: str, width: float, grid: _Grid, fonts: FontBook) -> Label:
    """A name that is no wider than its cell: smaller first, then shortened."""
    size, least = grid.type, 0.7 * grid.type
    shown = name
    while True:
        needed = fonts.width(f"{shown} {note}".strip(), "text", 1.0)
        if needed * least <= width or len(shown) <= 2:
            return Label(words=shown, note=note, at=Point(0, 0), size=min(size, max(least, width / needed)))
        shown = shown.removesuffix("…")[:-1] + "…"
