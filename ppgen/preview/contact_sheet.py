"""Contact sheet: all pictures of an album side by side, to scale, with their names."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import INCH, Point, Rect, Size
from ppgen.engine.pdf.typesetting import booklet_pdf
from ppgen.engine.pictures.face_pictures import mount_on_page
from ppgen.preview.album import Album, Section, Shot
from ppgen.preview.picture_renderer import PictureRenderer, PictureSource

MAX_WIDTH_PX = 2400
"""Maximum width of a contact sheet: a large screen."""
MAX_SHEET_DPI = 120.0
"""Maximum resolution, for sheets of few pieces."""
MIN_ASPECT_RATIO = 1.3
"""Minimum ratio of width to height of a sheet."""
PAGE_SCALE = 0.5
"""Scale of whole pages and boards."""
TITLE, HEADING = 1.9, 1.25
"""Type sizes, relative to the names under the pictures."""
TITLE_NOTE, NOTE = 0.58, 0.85
"""Type size of the note beside a title or heading, relative to its own."""
MAX_NAME_WIDTH = 8.2
"""Wider names (relative to their type size) are set smaller."""
NAME_HEIGHT_PX = 17.0
"""Type size of names: legible without magnifying."""
MARGIN, TITLE_ROOM, HEADING_ROOM, NAME_ROOM, GAP, PART_GAP = 3.2, 4.6, 3.2, 2.9, 1.1, 4.0
"""Relative to the type size of names: margin, room for the title, for the heading above a part and for the name under a
picture, gap between pictures, and gap between parts side by side."""
_SIZES = (*((MAX_SHEET_DPI, width) for width in range(300, MAX_WIDTH_PX, 100)),
          *((MAX_SHEET_DPI * 0.96 ** n, MAX_WIDTH_PX) for n in range(90)))
"""Resolution (pixels per inch) and width (pixels): ever wider sheets, then ever smaller pictures."""

ContactItem = TypeVar("ContactItem")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactLabel:
    """A label; ``at`` is the middle of its baseline for names, the left end for headings; mm."""

    words: str
    note: str
    at: Point
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShot:
    """A picture on the sheet: ``rect`` is its trim, mm."""

    shot: Shot
    rect: Rect
    label: ContactLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSheet:
    """Layout of a sheet in mm; pieces have their true size, pages and boards half of it.

    ``type`` is the type size of names.
    """

    size: Size
    type: float
    title: ContactLabel
    headings: tuple[ContactLabel, ...]
    pictures: tuple[PlacedShot, ...]

    @property
    def dpi(self) -> float:
        """Resolution at which the sheet fits a screen."""
        return min(MAX_SHEET_DPI, (MAX_WIDTH_PX - 1) / self.size.width * INCH)


def lay_out(album: Album, fonts: FontBook) -> ContactSheet:
    """Lay out an album: the first of :data:`_SIZES` with a wide enough sheet."""
    def sheet(dpi_and_width: tuple[float, float]) -> ContactSheet:
        dpi, width = dpi_and_width
        return _Layout(album, fonts, NAME_HEIGHT_PX / dpi * INCH, width / dpi * INCH).sheet()

    def is_wide(dpi_and_width: tuple[float, float]) -> bool:
        size = sheet(dpi_and_width).size
        return size.width >= MIN_ASPECT_RATIO * size.height

    return sheet(_SIZES[min(bisect_left(_SIZES, True, key=is_wide), len(_SIZES) - 1)])


class _Layout:
    """Layout with names of that ``type`` size on a sheet of that width, or wider if labels need it; mm."""

    def __init__(self, album: Album, fonts: FontBook, type: float, width: float) -> None:
        self.album, self.fonts, self.type = album, fonts, type
        self.names = {section.name: min(MAX_NAME_WIDTH, max(self._width(f"{shot.name} ×00") for shot in section.shots))
                      for section in album.sections}
        self.title = ContactLabel(words=album.title, note=album.facts, size=TITLE * type,
                                  at=Point(MARGIN * type, (MARGIN + 1.6) * type))
        self.headings = {section.name: ContactLabel(words=section.title, note=_count(section), at=Point(0, 0),
                                                    size=HEADING * type) for section in album.sections}
        words = [self._heading_width(self.title, 1.5, TITLE_NOTE)]
        words += [self._heading_width(heading, 0.5, NOTE) for heading in self.headings.values()]
        cells = [self._cell_size(shot, section).width for section in album.sections for shot in section.shots]
        self.width = max(width - 2 * MARGIN * type, *cells, *words)

    def sheet(self) -> ContactSheet:
        pictures: list[PlacedShot] = []
        headings: list[ContactLabel] = []
        y = (MARGIN + TITLE_ROOM) * self.type
        for band in self._bands():
            x, lowest = MARGIN * self.type, y
            for section in band:
                headings.append(replace(self.headings[section.name], at=Point(x, y + 1.7 * self.type)))
                width = self._natural_width(section)
                placed, end = self._place_pieces(section, Point(x, y + HEADING_ROOM * self.type), width)
                pictures += placed
                x, lowest = x + width + PART_GAP * self.type, max(lowest, end)
            y = lowest + 1.2 * self.type
        return ContactSheet(
            size=Size(self.width + 2 * MARGIN * self.type, y + (MARGIN - 2.8) * self.type), type=self.type,
            title=self.title, headings=tuple(headings), pictures=tuple(pictures))

    def _bands(self) -> Iterator[list[Section]]:
        """Parts side by side, band by band; pages and boards have bands of their own."""
        for _, alike in groupby(self.album.sections, key=lambda section: section.large):
            yield from _flow([(section, self._natural_width(section)) for section in alike],
                             PART_GAP * self.type, self.width)

    def _natural_width(self, section: Section) -> float:
        """Width of a part: all its pieces in a row if there is room, at least its heading."""
        cells = [self._cell_size(shot, section).width + GAP * self.type for shot in section.shots]
        return min(self.width, max(sum(cells) - GAP * self.type,
                                   self._heading_width(self.headings[section.name], 0.5, NOTE)))

    def _cell_size(self, shot: Shot, section: Section) -> Size:
        """Room of a picture: as wide as itself, or as the names of its part if these are not too long."""
        scale = _scale(section)
        return Size(max(shot.size.width * scale, self.names[section.name] * self.type),
                    shot.size.height * scale + NAME_ROOM * self.type)

    def _place_pieces(self, section: Section, at: Point, width: float) -> tuple[list[PlacedShot], float]:
        """Place the pictures of a part in rows, with common baselines; return them and the end of the last row."""
        copies = {piece.front.name: piece.copies for piece in section.pieces}
        placed: list[PlacedShot] = []
        y, scale = at.y, _scale(section)
        cells = {shot: self._cell_size(shot, section) for shot in section.shots}
        for row in _flow([(shot, cells[shot].width) for shot in cells], GAP * self.type, width):
            x, y = at.x, y + max(cells[shot].height for shot in row)
            for shot in row:
                cell, size = cells[shot], Size(shot.size.width * scale, shot.size.height * scale)
                rect = Rect(x + (cell.width - size.width) / 2, y - NAME_ROOM * self.type - size.height,
                            size.width, size.height)
                label = self._name_label(shot.name, copies.get(shot.name, 1), cell.width,
                                         Point(x + cell.width / 2, rect.bottom + 1.25 * self.type))
                placed.append(PlacedShot(shot=shot, rect=rect, label=label))
                x += cell.width + GAP * self.type
        return placed, y

    def _name_label(self, name: str, copies: int, width: float, at: Point) -> ContactLabel:
        """Label that fits its cell: first set smaller, then shortened."""
        note, min_size = f"×{copies}" if copies > 1 else "", 0.7 * self.type
        while (needed := self._width(f"{name} {note}".strip())) * min_size > width and len(name) > 2:
            name = name.removesuffix("…")[:-1] + "…"
        return ContactLabel(words=name, note=note, at=at, size=min(self.type, max(min_size, width / needed)))

    def _heading_width(self, label: ContactLabel, space: float, note: float) -> float:
        """Width in mm of a title or heading with its note; ``space`` and ``note`` are relative to its type size."""
        return label.size * (self._width(label.words, "title") + space + note * self._width(label.note))

    def _width(self, words: str, style: str = "text") -> float:
        """Width of words at type size 1."""
        return self.fonts.width(words, style if style in self.fonts.styles else "text", 1.0)


def _flow(items: Iterable[tuple[ContactItem, float]], gap: float, line_width: float) -> Iterator[list[ContactItem]]:
    """Break items with their widths into lines."""
    line: list[ContactItem] = []
    end = 0.0
    for item, width in items:
        if line and end + width > line_width + 1e-6:
            yield line
            line, end = [], 0.0
        line.append(item)
        end += width + gap
    if line:
        yield line


def _scale(section: Section) -> float:
    return PAGE_SCALE if section.large else 1.0


def _count(section: Section) -> str:
    """Number of pieces, and the scale if it is not 1 : 1."""
    count = sum(piece.copies for piece in section.pieces)
    return f"{count} · 1 : {1 / PAGE_SCALE:g}" if section.large else str(count)


def contact_png(album: Album, fonts: FontBook, renderer: PictureRenderer, dpi: float) -> tuple[bytes, Size, float]:
    """Render the contact sheet of an album; return the PNG, its size in mm and its resolution.

    Single pictures are rendered at ``dpi``, or at the sheet's own resolution if that is higher, and scaled down.
    """
    sheet = lay_out(album, fonts)
    background = _background(sheet, album.lang, fonts)
    renderer.add_faces(album.shots, fonts.folder)
    renderer.add(background)
    dpi = max(dpi, sheet.dpi)
    renderer.render_all([shot.key for shot in album.shots], dpi)
    pixel = INCH / sheet.dpi
    content = mount_on_page(renderer.picture(background.key, sheet.dpi), sheet.dpi, [
        (round(placed.rect.x / pixel), round(placed.rect.y / pixel),
         renderer.scaled_picture(placed.shot.key, dpi, round(placed.rect.width / pixel),
                                 round(placed.rect.height / pixel)))
        for placed in sheet.pictures])
    return content, sheet.size, sheet.dpi


def _background(sheet: ContactSheet, lang: str, fonts: FontBook) -> PictureSource:
    """Typeset the sheet without its pictures."""
    inputs = {"sheet": json.dumps({
        "lang": lang, "type": sheet.type, "width": sheet.size.width, "height": sheet.size.height,
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles.get(style, fonts.styles["text"]))]
                  for style in ("text", "title")},
        "notes": {"title": TITLE_NOTE, "heading": NOTE},
        "title": _label_values(sheet.title, fonts),
        "headings": [_label_values(label, fonts) for label in sheet.headings],
        "pictures": [{"x": placed.rect.x, "y": placed.rect.y, "width": placed.rect.width,
                      "height": placed.rect.height, "label": _label_values(placed.label, fonts)}
                     for placed in sheet.pictures]}, ensure_ascii=False, sort_keys=True)}
    key = hashlib.sha256(inputs["sheet"].encode()).hexdigest()[:24]
    source = (Path(__file__).parent / "contact.typ").read_bytes()
    return PictureSource(key=key, size=sheet.size, document=booklet_pdf(source, inputs, fonts.folder), page=0)


def _label_values(label: ContactLabel, fonts: FontBook) -> dict[str, object]:
    """Convert a label to plain values, without characters that no font has."""
    def printable(words: str) -> str:
        return "".join(run.text for run in fonts.runs(words, "text") if run.font.has(run.text[0]))

    return {"words": printable(label.words), "note": printable(label.note), "x": label.at.x, "y": label.at.y,
            "size": label.size}
