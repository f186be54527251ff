"""Turns an album into a contact sheet: all its pictures side by side, in proportion, with their names."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TypeVar

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
MARGIN, TITLE_ROOM, HEAD, BELOW, GAP, BETWEEN = 3.2, 4.6, 3.2, 2.9, 1.1, 4.0
"""In sizes of the names' type: around all, for the title, above the pieces of a part for its heading, under a picture
for its name, between pictures, and between parts that stand side by side."""
_WAYS = (*((MOST_DPI, width) for width in range(300, WIDTH, 100)), *((MOST_DPI * 0.96 ** n, WIDTH) for n in range(90)))
"""Pixels an inch and across: ever wider sheets, then ever smaller pictures."""

Thing = TypeVar("Thing")


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


@lru_cache(maxsize=8)  # as a rule only what the pictures show has changed
def lay_out(album: Album, fonts: FontBook) -> ContactSheet:
    """Where the pictures and names of an album stand: the first of :data:`_WAYS` that makes the sheet broad enough."""
    def sheet(way: tuple[float, float]) -> ContactSheet:
        dpi, width = way
        return _Layout(album, fonts, LABEL_PIXELS / dpi * INCH, width / dpi * INCH).sheet()

    def is_broad(way: tuple[float, float]) -> bool:
        size = sheet(way).size
        return size.width >= SHAPE * size.height

    return sheet(_WAYS[min(bisect_left(_WAYS, True, key=is_broad), len(_WAYS) - 1)])


class _Layout:
    """A sheet whose names have so large a ``type`` and that is so wide, or wider where words need it; mm."""

    def __init__(self, album: Album, fonts: FontBook, type: float, width: float) -> None:
        self.album, self.fonts, self.type = album, fonts, type
        self.names = {section.name: min(LONG_NAME, max(self._width(f"{shot.name} ×00") for shot in section.shots))
                      for section in album.sections}
        self.title = Label(words=album.title, note=album.facts, size=TITLE * type,
                           at=Point(MARGIN * type, (MARGIN + 1.6) * type))
        self.headings = {section.name: Label(words=section.title, note=_count(section), at=Point(0, 0),
                                             size=HEADING * type) for section in album.sections}
        words = [self._titled(self.title, 1.5, TITLE_NOTE)]
        words += [self._titled(heading, 0.5, NOTE) for heading in self.headings.values()]
        cells = [self._cell(shot, section).width for section in album.sections for shot in section.shots]
        self.width = max(width - 2 * MARGIN * type, *cells, *words)

    def sheet(self) -> ContactSheet:
        pictures: list[PlacedShot] = []
        headings: list[Label] = []
        y = (MARGIN + TITLE_ROOM) * self.type
        for band in self._bands():
            x, lowest = MARGIN * self.type, y
            for section in band:
                headings.append(replace(self.headings[section.name], at=Point(x, y + 1.7 * self.type)))
                wide = self._natural(section)
                placed, end = self._pieces(section, Point(x, y + HEAD * self.type), wide)
                pictures += placed
                x, lowest = x + wide + BETWEEN * self.type, max(lowest, end)
            y = lowest + 1.2 * self.type
        return ContactSheet(
            size=Size(self.width + 2 * MARGIN * self.type, y + (MARGIN - 2.8) * self.type), type=self.type,
            title=self.title, headings=tuple(headings), pictures=tuple(pictures))

    def _bands(self) -> Iterator[list[Section]]:
        """The parts that stand side by side, band by band; pages and boards have bands of their own."""
        for _, alike in groupby(self.album.sections, key=lambda section: section.large):
            yield from _flow([(section, self._natural(section)) for section in alike], BETWEEN * self.type, self.width)

    def _natural(self, section: Section) -> float:
        """The width of a part: all its pieces in a row if there is room, and never less than its heading."""
        cells = [self._cell(shot, section).width + GAP * self.type for shot in section.shots]
        return min(self.width, max(sum(cells) - GAP * self.type,
                                   self._titled(self.headings[section.name], 0.5, NOTE)))

    def _cell(self, shot: Shot, section: Section) -> Size:
        """The room of a picture: as wide as it, or as the names of its part where those are not too long."""
        scale = _scale(section)
        return Size(max(shot.size.width * scale, self.names[section.name] * self.type),
                    shot.size.height * scale + BELOW * self.type)

    def _pieces(self, section: Section, at: Point, width: float) -> tuple[list[PlacedShot], float]:
        """The pictures of a part in rows, standing on common lines; and where the last row ends."""
        copies = {piece.front.name: piece.copies for piece in section.pieces}
        placed: list[PlacedShot] = []
        y, scale = at.y, _scale(section)
        cells = {shot: self._cell(shot, section) for shot in section.shots}
        for row in _flow([(shot, cells[shot].width) for shot in cells], GAP * self.type, width):
            x, y = at.x, y + max(cells[shot].height for shot in row)
            for shot in row:
                cell, size = cells[shot], Size(shot.size.width * scale, shot.size.height * scale)
                rect = Rect(x + (cell.width - size.width) / 2, y - BELOW * self.type - size.height,
                            size.width, size.height)
                label = self._named(shot.name, copies.get(shot.name, 1), cell.width)
                label = replace(label, at=Point(x + cell.width / 2, rect.bottom + 1.25 * self.type))
                placed.append(PlacedShot(shot=shot, rect=rect, label=label))
                x += cell.width + GAP * self.type
        return placed, y

    def _named(self, name: str, copies: int, width: float) -> Label:
        """A name that is no wider than its cell: smaller first, then shortened."""
        note, least = f"×{copies}" if copies > 1 else "", 0.7 * self.type
        while (needed := self._width(f"{name} {note}".strip())) * least > width and len(name) > 2:
            name = name.removesuffix("…")[:-1] + "…"
        return Label(words=name, note=note, at=Point(0, 0), size=min(self.type, max(least, width / needed)))

    def _titled(self, label: Label, space: float, note: float) -> float:
        """The width of a title or heading with its note after a space, in mm; both in sizes of its type."""
        return label.size * (self._width(label.words, "title") + space + note * self._width(label.note))

    def _width(self, words: str, style: str = "text") -> float:
        """The width of words in type of size 1."""
        return self.fonts.width(words, style if style in self.fonts.styles else "text", 1.0)


def _flow(things: Iterable[tuple[Thing, float]], gap: float, most: float) -> Iterator[list[Thing]]:
    """The things with their widths in lines that are no wider than that."""
    line: list[Thing] = []
    taken = 0.0
    for thing, width in things:
        if line and taken + width > most + 1e-6:
            yield line
            line, taken = [], 0.0
        line.append(thing)
        taken += width + gap
    if line:
        yield line


def _scale(section: Section) -> float:
    return PAGE_SCALE if section.large else 1.0


def _count(section: Section) -> str:
    """How many pieces there are, and the scale if it is not the true one."""
    count = sum(piece.copies for piece in section.pieces)
    return f"{count} · 1 : {1 / PAGE_SCALE:g}" if section.large else str(count)


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
