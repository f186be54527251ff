"""Turns sheets into PDF pages with their words: the label in one strip, the hint beside the scale bar in the other.

The home of reportlab.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppgen.cache.marks import mark_of
from ppgen.cache.store import digest_of, made
from ppgen.engine.drawing.fonts import Font, FontBook
from ppgen.engine.drawing.shaping import damaged
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.imposition.values import Furniture, Sheet, Tile
from ppgen.engine.pdf.marks import BAR_INSET, BASELINE, GREY, SCALE_BAR, key_length, tile_on
from ppgen.engine.units import MM, points

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

BAR_APART = 2.0
"""The hint keeps this far from the scale bar, in mm."""
LETTER_SIZE = 5.8 * MM["pt"]
"""Type size of the label and the hint at most, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Captions:
    """The words on one page: its label, and the hint beside the scale bar."""

    label: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """Words in a strip of a page: from the strip's ``start`` on there is ``room`` for them. All in mm."""

    text: str
    strip: Rect
    start: float
    room: float


def draw_pages(sheets: Sequence[Sheet], captions: Sequence[Captions], fonts: FontBook) -> bytes:
    """A PDF with a page for each side of each sheet; ``captions`` has one entry a page. It is kept between runs."""
    sides = [(sheet, side) for sheet in sheets for side in sheet.sides]
    pages = [(sheet.size, sheet.furniture.upright, tuple(_lines(sheet.furniture, tile_on(side), words)))
             for (sheet, side), words in zip(sides, captions, strict=True)]
    digest = digest_of(fonts.folder)
    return made(mark_of("pages", digest, fonts, pages) if digest else None, lambda: _drawn(pages, fonts))


def _lines(furniture: Furniture, tile: Tile | None, captions: Captions) -> Iterator[_Line]:
    """The label, less the key to the tiles at its strip's end, and the hint behind the scale bar."""
    length = max(furniture.label.width, furniture.label.height)
    taken, behind = key_length(tile, furniture) if tile else 0.0, BAR_INSET + SCALE_BAR + BAR_APART
    yield _Line(text=captions.label, strip=furniture.label, start=0.0, room=length - taken)
    yield _Line(text=captions.hint, strip=furniture.foot, start=behind, room=length - behind)


def _drawn(pages: Sequence[tuple[Size, bool, tuple[_Line, ...]]], fonts: FontBook) -> bytes:
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # pikepdf compresses the pages anew
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, initialFontName=_registered(fonts.styles["text"][0]))
    for size, upright, lines in pages:
        canvas.setPageSize((points(size.width), points(size.height)))
        canvas.setFillGray(GREY)
        for line in lines:
            canvas.saveState()
            if upright:
                canvas.translate(points(line.strip.x), points(size.height - line.strip.y))
                base = line.strip.height * BASELINE
            else:  # read from the bottom to the top
                canvas.translate(points(line.strip.x), points(size.height - line.strip.bottom))
                canvas.rotate(90)
                base = line.strip.width * BASELINE
            _set(line, base, canvas, fonts)
            canvas.restoreState()
        canvas.showPage()
    with damaged(fonts.folder):  # fonts are cut to their use here
        canvas.save()
    return target.getvalue()


def _set(line: _Line, base: float, canvas: Canvas, fonts: FontBook) -> None:
    """Set words on a baseline so far (mm) below the canvas's origin, as large as they may be."""
    runs = [(run.text, _registered(run.font)) for run in fonts.runs(line.text, "text")]
    widths = [float(canvas.stringWidth(text, name, points(LETTER_SIZE))) for text, name in runs]
    share = points(line.room) / max(sum(widths), points(line.room))
    at = points(line.start)
    for (text, name), width in zip(runs, widths, strict=True):
        canvas.setFont(name, points(LETTER_SIZE) * share)
        canvas.drawString(at, -points(base), text)
        at += width * share


def _registered(font: Font) -> str:
    """The name that reportlab knows the font by; it is read when the first words in it are set."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = str(font.path)
    if name not in pdfmetrics.getRegisteredFontNames():
        with damaged(font.path):
            pdfmetrics.registerFont(TTFont(name, str(font.path), asciiReadable=False))
    return name
