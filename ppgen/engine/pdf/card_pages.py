"""Turns faces into a PDF for a print shop: a page for each side of each card, as large as its bleed.

Page boxes are those of ISO 32000-1, 14.11.2: the media box is the bleed box, the trim box lies inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Name, Pdf

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.pdf.assembly import DocumentInfo, describe, forms_of
from ppgen.engine.pdf_file import box_of, saved
from ppgen.engine.units import points


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A page that shows a face, turned clockwise by 0, 90 or 270 degrees."""

    face: Face
    turn: int = 0

    @property
    def trim(self) -> Size:
        """mm."""
        return self.face.size.turned if self.turn else self.face.size


def card_pages(pages: Sequence[CardPage], drawn: Iterable[tuple[Sequence[Face], bytes]], info: DocumentInfo) -> bytes:
    """The document; ``drawn`` has the PDF pages of all faces, each of which is kept once.

    The same input gives the same bytes.
    """
    with Pdf.new() as pdf:
        forms = forms_of(pdf, drawn)
        for wanted in pages:
            _add_page(pdf, wanted, forms[wanted.face])
        describe(pdf, info)
        return saved(pdf)


def _add_page(pdf: Pdf, wanted: CardPage, form: pikepdf.Object) -> None:
    bleed, trim = wanted.face.bleed, wanted.trim
    size = Size(trim.width + 2 * bleed, trim.height + 2 * bleed)
    whole = Rect(0, 0, size.width, size.height)
    page = pdf.add_blank_page(page_size=(round(points(size.width), 4), round(points(size.height), 4)))
    page.mediabox = page.cropbox = box_of(whole, size)
    page.obj[Name.BleedBox] = box_of(whole, size)
    page.trimbox = box_of(whole.grown(Insets.all(-bleed)), size)
    # Turned about the corner, then moved back onto the page (ISO 32000-1, 8.3.3).
    matrix = {0: "1 0 0 1 0 0", 90: f"0 -1 1 0 0 {points(size.height):.4f}",
              270: f"0 1 -1 0 {points(size.width):.4f} 0"}[wanted.turn]
    page.resources[Name.XObject] = Dictionary(Face=form)
    page.contents_add(pdf.make_stream(f"q {matrix} cm /Face Do Q".encode("ascii")))
