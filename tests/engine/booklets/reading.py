"""What a PDF reader sees of the type on a page."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_float, c_int
from math import hypot, sqrt

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


def strokes_on(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float]]:
    """The width in mm of each stroke, where its matrix shrinks it most, and its distance from the top of the page."""
    height = page.get_height()
    for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=15):
        fill, stroke, width, matrix = c_int(), c_int(), c_float(), found.get_matrix()
        for outer in _containers(found):
            matrix = matrix.multiply(outer.get_matrix())
        pdfium.FPDFPath_GetDrawMode(found, byref(fill), byref(stroke))
        pdfium.FPDFPageObj_GetStrokeWidth(found, byref(width))
        if stroke.value:
            a, b, c, d, _, f = matrix.get()
            least = abs(hypot(a + d, b - c) - hypot(a - d, b + c)) / 2
            yield width.value * least / 72 * 25.4, (height - f) / 72 * 25.4


def _containers(found: pypdfium2.PdfObject) -> Iterator[pypdfium2.PdfObject]:
    """The forms that an object stands in, from the innermost."""
    while found.container is not None:
        found = found.container
        yield found
