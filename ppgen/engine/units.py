"""Turns written lengths (``63mm``, ``2.5in``; a bare number is mm) into millimetres, and those into PDF points."""

from __future__ import annotations

import re
from math import inf

from ppgen.engine.geometry import Point, Rect, Size

INCH = 25.4
"""mm."""
MM = {"mm": 1.0, "cm": 10.0, "in": INCH, "pt": INCH / 72, "": 1.0}
"""Millimetres in a unit. The point is the PDF's, 1/72 inch (ISO 32000-1, 8.3.2.3)."""

_NUMBER = r"(-?\d+(?:\.\d+)?)\s*(mm|cm|in|pt|)"
_LENGTH = re.compile(_NUMBER)
_SIZE = re.compile(rf"{_NUMBER}\s*[x×]\s*{_NUMBER}")
_SHIFT = re.compile(rf"{_NUMBER}\s*,\s*{_NUMBER}")


def parse_length(text: str) -> float:
    """Millimetres of a written length. ValueError says in plain words what is wrong."""
    if not (match := _LENGTH.fullmatch(text.strip().lower())):
        raise ValueError(f"'{text}' is not a length (write it like 63mm, 2.5in or 12pt)")
    return _mm(match[1], match[2])


def parse_size(text: str) -> Size:
    """The size in ``63x88``, ``63mm x 88mm``, ``2.5x3.5in`` (a unit at the end counts for both)."""
    if not (match := _SIZE.fullmatch(text.strip().lower())):
        raise ValueError(f"'{text}' is not a size (write it like 63x88mm or 2.5x3.5in)")
    width, height = _mm(match[1], match[2] or match[4]), _mm(match[3], match[4])
    if min(width, height) <= 0:
        raise ValueError(f"'{text}' is not a size (both lengths must be above 0)")
    if max(width, height) == inf:
        raise ValueError("the size is out of range (write it like 63x88mm or 2.5x3.5in)")
    return Size(width, height)


def parse_shift(text: str) -> Point:
    """The shift in ``0.5,-1.2mm``: to the right and down."""
    if not (match := _SHIFT.fullmatch(text.strip().lower().replace("−", "-"))):
        raise ValueError(f"'{text}' is not a shift (write it like 0.5,-1.2)")
    return Point(_mm(match[1], match[2] or match[4]), _mm(match[3], match[4]))


def _mm(number: str, unit: str) -> float:
    """Millimetres, to a millionth: 3.5in is 88.9mm, however it is written."""
    return round(float(number) * MM[unit], 6)


def decimal(number: float) -> str:
    """A number as PDF and SVG are written with it, to a ten thousandth: 0.1 µm, if it is mm."""
    return f"{round(number, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def points(mm: float) -> float:
    """PDF points of a length in millimetres."""
    return mm / MM["pt"]


def pdf_box(rect: Rect, page: Size) -> tuple[float, float, float, float]:
    """A PDF rectangle (left, bottom, right, top in points; origin bottom left): the one place where y flips."""
    return (points(rect.x), points(page.height - rect.bottom),
            points(rect.right), points(page.height - rect.y))
