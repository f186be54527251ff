"""Turns PDF pages into PNG pictures: the home of pypdfium2.

PDFium is what Chromium shows PDFs with: a picture is what people see when they open the file.
"""

from __future__ import annotations

import atexit
import io
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import Any

from ppgen.engine.geometry import Size
from ppgen.engine.pictures.png import png
from ppgen.engine.units import MM, points

QUICK = 1
"""Pictures for the screen are packed in half the time, a sixth larger."""
_PDFIUM = Lock()
"""PDFium must not be called from two threads at once, not even for two documents."""


def page_sizes(document: bytes) -> tuple[Size, ...]:
    """The size of each page of a PDF, in mm."""
    with _PDFIUM:
        pdf = _opened(document)
        sizes = [pdf.get_page_size(n) for n in range(len(pdf))]
    return tuple(Size(width * MM["pt"], height * MM["pt"]) for width, height in sizes)


def page_png(document: bytes, page: int, dpi: float, inset: float = 0.0) -> bytes:
    """A page of a PDF (counted from 0) on white paper, at so many pixels an inch.

    ``inset`` is the strip in mm that is left away at each edge, such as a bleed.
    """
    with _PDFIUM:
        shown = _opened(document)[page]
        left, bottom, right, top = shown.get_mediabox()
        edge = points(inset)
        shown.set_cropbox(left + edge, bottom + edge, right - edge, top - edge)
        picture = shown.render(scale=dpi / 72).to_pil()
        shown.close()
    return png(picture.width, picture.height, "RGB", picture.tobytes(), dpi, QUICK)


@lru_cache(maxsize=8)
def _opened(document: bytes) -> Any:
    """A PDF, kept open: its fonts are read once for all its pages. Only to be called with the lock held."""
    import pypdfium2

    atexit.unregister(_leave)
    atexit.register(_leave)  # after pypdfium2's own, so that it comes before: that closes the library
    return pypdfium2.PdfDocument(document)


def _leave() -> None:
    """At the end of the program: wait for who is drawing, let nobody in any more, and close what is open."""
    _PDFIUM.acquire()
    _opened.cache_clear()


def mounted(ground: bytes, dpi: float, pictures: Iterable[tuple[int, int, bytes]]) -> bytes:
    """A PNG with other PNGs on it: each with the place of its top left corner, in pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(ground)) as sheet:
        for x, y, content in pictures:
            with Image.open(io.BytesIO(content)) as picture:
                sheet.paste(picture, (x, y))
        return png(sheet.width, sheet.height, "RGB", sheet.tobytes(), dpi, QUICK)


def smaller(picture: bytes, width: int, height: int, dpi: float) -> bytes:
    """A PNG made smaller, to so many pixels; ``dpi`` is what it then says of itself."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as large:
        small = large.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=2.0)
    return png(width, height, "RGB", small.tobytes(), dpi, QUICK)
