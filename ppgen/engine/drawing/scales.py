"""Turns measures into SVG that is computed rather than drawn: rulers, scales, a plain diaper.

Templates call these as functions; lengths are millimetres.
"""

from __future__ import annotations

import svgwrite
from svgwrite.base import BaseElement

INK = "#3B2A1E"
"""The umber of all outlines."""
THIN, FINE = 0.2, 0.15
TICK, FAN = 3.4, 10.0
"""Length of a scale's ticks, and how far their lines spread out, in mm."""


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


def drift_scale(*, x: float, y: float, reach: int, upright: bool = False, far: bool = False, fan: float = 1.0,
                length: float = FAN, ink: str = INK) -> str:
    """A scale with its zero at x, y and a tick each 0.5 mm to ``reach`` mm on both sides.

    The ticks of a level scale point up, those of an upright one to the left; with ``far`` down and right. Those of
    whole millimetres lead on to where, ``length`` mm from the scale, they are ``fan`` mm apart, with room for labels.
    """
    group, side = _group(ink, FINE), 1 if far else -1

    def add(at: float, start: float, to: float, end: float) -> None:
        ends = ((x + at, y + side * start), (x + to, y + side * end))
        if upright:
            ends = ((x + side * start, y + at), (x + side * end, y + to))
        group.add(_drawing.line(*ends))

    for half in range(-2 * reach, 2 * reach + 1):
        at = half / 2
        add(at, 0, at, 1.8 if half % 2 else TICK if half or fan != 1 else 1.5 * TICK)
        if half % 2 == 0 and fan != 1:
            add(at, TICK, at * fan, length)
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
