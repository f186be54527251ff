"""Turns measures into SVG that is computed rather than drawn: rulers, scales, a plain diaper.

Templates call these as functions; lengths are millimetres.
"""

from __future__ import annotations

import svgwrite
from svgwrite.base import BaseElement

INK = "#3B2A1E"
"""The umber of all outlines."""
THIN, FINE = 0.2, 0.15


def ruler(*, x: float, y: float, length: int, upright: bool = False, ink: str = INK) -> str:
    """A ruler from x, y to the right (or down) with a tick each millimetre, longer each 5 and 10."""
    group = _group(ink, THIN)
    group.add(_line(x, y, length, upright))
    for mm in range(length + 1):
        tick = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        if upright:
            group.add(_drawing.line((x, y + mm), (x + tick, y + mm)))
        else:
            group.add(_drawing.line((x + mm, y), (x + mm, y + tick)))
    return str(group.tostring())


def drift_scale(*, x: float, y: float, reach: int, upright: bool = False, ink: str = INK) -> str:
    """A scale with its zero at x, y and a tick each 0.5 mm to ``reach`` mm on both sides.

    The ticks of a level scale point up, those of an upright one to the left.
    """
    group = _group(ink, FINE)
    for half in range(-2 * reach, 2 * reach + 1):
        at, tick = half / 2, 5.0 if half == 0 else 3.4 if half % 2 == 0 else 1.8
        if upright:
            group.add(_drawing.line((x, y + at), (x - tick, y + at)))
        else:
            group.add(_drawing.line((x + at, y), (x + at, y - tick)))
    return str(group.tostring())


def lozenges(*, id: str, size: float, stroke: str, width: float = FINE, dot: str = "none") -> str:
    """A diaper: a ``<pattern>`` of lozenges ``size`` mm wide, with a dot in each, to fill shapes with."""
    height = round(size * 1.4, 3)
    pattern = _drawing.pattern(id=id, size=(size, height), patternUnits="userSpaceOnUse")
    half, middle = round(size / 2, 3), round(height / 2, 3)
    pattern.add(_drawing.path(d=f"M0 0L{size} {height}M{size} 0L0 {height}", stroke=stroke, stroke_width=width,
                              fill="none"))
    if dot != "none":
        for place in ((half, 0), (0, middle), (size, middle), (half, height)):
            pattern.add(_drawing.circle(place, round(size / 12, 3), fill=dot))
    return str(pattern.tostring())


_drawing = svgwrite.Drawing(debug=False)


def _group(ink: str, width: float) -> BaseElement:
    return _drawing.g(fill="none", stroke=ink, stroke_width=width)


def _line(x: float, y: float, length: float, upright: bool) -> BaseElement:
    return _drawing.line((x, y), (x, y + length) if upright else (x + length, y))
