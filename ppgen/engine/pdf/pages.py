"""Turns sheets into PDF pages with everything but the faces: cut and registration marks, folds, labels, scale bars.

The home of reportlab.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ppgen.cache.marks import mark_of
from ppgen.cache.store import digest_of, made
from ppgen.engine.drawing.fonts import Font, FontBook
from ppgen.engine.drawing.shaping import damaged
from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.imposition.values import Furniture, Sheet, Side, Tile
from ppgen.engine.shapes.outline import Outline
from ppgen.engine.units import MM, points

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MARK_WIDTH = 0.15
"""Width of cut marks in mm: under 0.09 mm inkjets lose them."""
CASING = 0.3
"""Width of the white line below a mark that lies on a picture, in mm."""
SCALE_BAR = 50.0
"""Length of the scale bar on every sheet in mm."""
BAR_INSET = 2.0
"""The scale bar keeps this far from the strip's end, where a cross stands, in mm."""
KEY_LENGTH, KEY_APART = 20.0, 2.0
"""Length of the key to the tiles of a long face at most, and how far the label keeps from it, in mm."""
LETTER_SIZE = 5.8 * MM["pt"]
"""Type size of the label and the hint, in mm."""
GREY = 0.25
"""How dark labels are (0 is black)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captions:
    """The words on one page: its label, and the hint beside the scale bar."""

    label: str
    hint: str


def draw_pages(sheets: Sequence[Sheet], captions: Sequence[Captions], fonts: FontBook) -> bytes:
    """A PDF with a page for each side of each sheet; ``captions`` has one entry a page. It is kept between runs."""
    digest = digest_of(fonts.folder)
    return made(mark_of("pages", digest, fonts, sheets, captions) if digest else None,
                lambda: _drawn(sheets, captions, fonts))


def _drawn(sheets: Sequence[Sheet], captions: Sequence[Captions], fonts: FontBook) -> bytes:
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # pikepdf compresses the pages anew
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, initialFontName=_registered(fonts.styles["text"][0]))
    words = iter(captions)
    for sheet in sheets:
        for side in sheet.sides:
            canvas.setPageSize((points(sheet.size.width), points(sheet.size.height)))
            _draw_side(_Pen(canvas, sheet.size, fonts), sheet, side, next(words))
            canvas.showPage()
    with damaged(fonts.folder):  # fonts are cut to their use here
        canvas.save()
    return target.getvalue()


class _Pen:
    """A reportlab canvas that is driven in millimetres from the top left corner."""

    def __init__(self, canvas: Canvas, page: Size, fonts: FontBook) -> None:
        self.canvas, self.page, self.fonts = canvas, page, fonts

    def lines(self, lines: Sequence[Line], dash: tuple[float, ...] = (), width: float = MARK_WIDTH) -> None:
        """Draw marks; all of them at once, as large decks have hundreds of thousands."""
        if lines:
            self.canvas.setLineWidth(points(width))
            self.canvas.setDash([points(length) for length in dash])
            height = self.page.height
            self.canvas.lines([(points(line.start.x), points(height - line.start.y),
                                points(line.end.x), points(height - line.end.y)) for line in lines])

    def cased(self, lines: Sequence[Line], dash: tuple[float, ...] = ()) -> None:
        """Draw marks that lie on the picture: with a white line below, so that they show on dark colours, too."""
        if lines:
            self.canvas.setStrokeGray(1)
            self.lines(lines, width=CASING)
            self.canvas.setStrokeGray(0)
            self.lines(lines, dash)

    def outlines(self, outlines: Sequence[Outline]) -> None:
        """Draw what is cut along with scissors."""
        self.cased([Line(start, end) for outline in outlines
                    for start, end in pairwise((*outline.points, outline.points[0]))])

    def box(self, rect: Rect) -> None:
        self.canvas.rect(points(rect.x), points(self.page.height - rect.bottom),
                         points(rect.width), points(rect.height), stroke=0, fill=1)

    def words(self, text: str, at: Point, size: float) -> float:
        """Set a line with its baseline at a point; returns its width in mm."""
        width = 0.0
        for run in self.fonts.runs(text, "text"):
            name = _registered(run.font)
            self.canvas.setFont(name, points(size))
            self.canvas.drawString(points(at.x + width), points(self.page.height - at.y), run.text)
            width += float(self.canvas.stringWidth(run.text, name, points(size))) * MM["pt"]
        return width

    def width(self, text: str, size: float) -> float:
        return sum(float(self.canvas.stringWidth(run.text, _registered(run.font), points(size))) * MM["pt"]
                   for run in self.fonts.runs(text, "text"))


def _draw_side(pen: _Pen, sheet: Sheet, side: Side, captions: Captions) -> None:
    canvas = pen.canvas
    canvas.saveState()
    if side.rotation:
        middle = points(sheet.size.width / 2), points(sheet.size.height / 2)
        canvas.translate(*middle)
        canvas.rotate(-side.rotation)  # reportlab turns anticlockwise
        canvas.translate(-middle[0], -middle[1])
    canvas.setStrokeGray(0)
    pen.lines(side.cuts)
    pen.lines(side.folds, (2, 1.2))
    pen.outlines(side.outlines)
    pen.cased(side.creases, (0.5, 0.3))
    pen.lines([line for seam in side.seams for line in _arrow(seam)])
    canvas.restoreState()
    canvas.setFillGray(0)  # black ink only: a camera looks for these
    for mark in side.registration:
        for rect in mark.ink:
            pen.box(rect)
    canvas.setStrokeGray(GREY)
    canvas.setFillGray(GREY)
    for cross in sheet.furniture.crosses:
        _draw_cross(pen, cross)
    tile = next((placed.tile for placed in side.placements if placed.tile), None)
    _draw_strips(pen, sheet.furniture, captions, tile)


def _arrow(line: Line) -> tuple[Line, Line]:
    """An arrowhead whose tip is where the line starts: no mark to cut by."""
    across, down = (line.end.x - line.start.x) / 2, (line.end.y - line.start.y) / 2
    return (Line(line.start, Point(line.end.x + down, line.end.y + across)),
            Line(line.start, Point(line.end.x - down, line.end.y - across)))


def _draw_cross(pen: _Pen, at: Point, arm: float = 1.5) -> None:
    """Where front and back meet: hold the sheet against the light, and both crosses should be one."""
    pen.lines([Line(Point(at.x - arm, at.y), Point(at.x + arm, at.y)),
               Line(Point(at.x, at.y - arm), Point(at.x, at.y + arm))])
    pen.canvas.circle(points(at.x), points(pen.page.height - at.y), points(arm * 0.6))


def _draw_strips(pen: _Pen, furniture: Furniture, captions: Captions, tile: Tile | None) -> None:
    """The label in one strip, with the key to the tiles at its end; the scale bar and the hint in the other."""
    taken = _draw_key(pen, tile, furniture.label, furniture.upright) if tile else 0.0
    for strip, is_foot in ((furniture.label, False), (furniture.foot, True)):
        pen.canvas.saveState()
        length, thickness = (strip.width, strip.height) if furniture.upright else (strip.height, strip.width)
        # Draw along a strip that starts at the page's top left corner, then move it to its place.
        if furniture.upright:
            pen.canvas.translate(points(strip.x), -points(strip.y))
        else:  # read from the bottom to the top
            pen.canvas.translate(points(strip.x), points(pen.page.height - strip.bottom))
            pen.canvas.rotate(90)
            pen.canvas.translate(0, -points(pen.page.height))
        if is_foot:
            _draw_foot(pen, captions.hint, length, thickness)
        else:
            _draw_label(pen, captions.label, length - taken, thickness)
        pen.canvas.restoreState()


def _draw_key(pen: _Pen, tile: Tile, strip: Rect, upright: bool) -> float:
    """All tiles small at the end of a strip, the sheet's own filled; returns how much of the strip this takes (mm)."""
    width, height = tile.columns[-1], tile.rows[-1]
    scale = min(strip.height / height, KEY_LENGTH / width) if upright else min(strip.width / width, KEY_LENGTH / height)
    left, top = (strip.right - width * scale if upright else strip.x), strip.y

    def at(x: float, y: float) -> Point:
        return Point(left + x * scale, top + y * scale)

    own = tile.own
    corner = at(own.x, own.y)
    pen.box(Rect(corner.x, corner.y, own.width * scale, own.height * scale))
    pen.lines([*(Line(at(x, 0), at(x, height)) for x in tile.columns),
               *(Line(at(0, y), at(width, y)) for y in tile.rows)])
    return (width if upright else height) * scale + KEY_APART


def _draw_label(pen: _Pen, label: str, length: float, thickness: float) -> None:
    size = LETTER_SIZE * min(1.0, length / pen.width(label, LETTER_SIZE))
    pen.words(label, Point(0, thickness * 0.72), size)


def _draw_foot(pen: _Pen, hint: str, length: float, thickness: float) -> None:
    base = thickness * 0.72
    bar = [Line(Point(BAR_INSET, base), Point(BAR_INSET + SCALE_BAR, base))]
    for n in range(11):  # a tick every 5 mm, longer ones every 10 mm
        x, height = BAR_INSET + n * SCALE_BAR / 10, 1.6 if n % 2 == 0 else 0.9
        bar.append(Line(Point(x, base), Point(x, base - height)))
    pen.lines(bar)
    behind = BAR_INSET + SCALE_BAR + 2
    room = length - behind
    size = LETTER_SIZE * min(1.0, room / pen.width(hint, LETTER_SIZE))
    pen.words(hint, Point(behind, base), size)


def _registered(font: Font) -> str:
    """The name that reportlab knows the font by; it is read when the first words in it are set."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = str(font.path)
    if name not in pdfmetrics.getRegisteredFontNames():
        with damaged(font.path):
            pdfmetrics.registerFont(TTFont(name, str(font.path)))
    return name
