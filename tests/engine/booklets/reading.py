"""What a PDF reader sees of the type on a page."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref
from math import sqrt

import pypdfium2
import pypdfium2.raw as pdfium


def type_on(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float, float]]:
    """Each character with its size in points and its distance from the top of the page in mm."""
    words, height = page.get_textpage(), page.get_height()
    for at, sign in enumerate(words.get_text_range()):
        if sign.isspace():
            continue
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(words, at, byref(matrix))
        stretched = sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        yield sign, pdfium.FPDFText_GetFontSize(words, at) * stretched, (height - matrix.f) / 72 * 25.4
