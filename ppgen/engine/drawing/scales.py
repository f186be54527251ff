"""Turns measures into SVG that is computed rather than drawn: rulers, scales, a plain diaper.

Templates call these as functions; lengths are millimetres.
"""

from __future__ import annotations

from ppgen.engine.svg.write import element

INK = "#3B2A1E"
"""The umber of all outlines."""
THIN, FINE = 0.2, 0.15
TICK, FAN = 3.4, 10.0
"""Length of a scale's ticks, and how far their lines spread out, in mm."""


def ruler(*, x: float, y: float, length: int, upright: bool = False, ink: str = INK) -> str:
    """A ruler from x, y to the right (or down) with a tick each millimetre, longer each 5 and 10."""
    lines = [_line(x, y, x, y + length) if upright else _line(x, y, x + length, y)]
    for mm in range(length + 1):
        tick = 5.0 if mm % 10 == 0 else 3.5 if mm % 5 == 0 else 2.0
        lines.append(_line(x, y + mm, x + tick, y + mm) if upright else _line(x + mm, y, x + mm, y + tick))
    return _group(lines, ink, THIN)


def drift_scale(*, x: float, y: float, reach: int, upright: bool = False, far: bool = False, fan: float = 1.0,
                length: float = FAN, ink: str = INK) -> str:
    """A scale with its zero at x, y and a tick each 0.5 mm to ``reach`` mm on both sides.

    The ticks of a level scale point up, those of an upright one to the left; with ``far`` down and right. Those of
    whole millimetres lead on to where, ``length`` mm from the scale, they are ``fan`` mm apart, with room for labels.
    """
    side = 1 if far else -1
    lines = []

    def add(at: float, start: float, to: float, end: float) -> None:
        lines.append(_line(x + side * start, y + at, x + side * end, y + to) if upright else
                     _line(x + at, y + side * start, x + to, y + side * end))

    for half in range(-2 * reach, 2 * reach + 1):
        at = half / 2
        add(at, 0, at, 1.8 if half % 2 else TICK if half or fan != 1 else 1.5 * TICK)
        if half % 2 == 0 and fan != 1:
            add(at, TICK, at * fan, length)
    return _group(lines, ink, FINE)


def lozenges(*, id: str, size: float, stroke: str, width: float = FINE, dot: str = "none") -> str:
    """A diaper: a ``<pattern>`` of lozenges ``size`` mm wide, with a dot in each, to fill shapes with."""
    height = round(size * 1.4, 3)
    half, middle = round(size / 2, 3), round(height / 2, 3)
    inside = [element("path", d=f"M0 0L{size} {height}M{size} 0L0 {height}", stroke=stroke, stroke_width=width,
                      fill="none")]
    if dot != "none":
        inside += [element("circle", cx=cx, cy=cy, r=round(size / 12, 3), fill=dot)
                   for cx, cy in ((half, 0), (0, middle), (size, middle), (half, height))]
    return element("pattern", *inside, id=id, x=0, y=0, width=size, height=height,
                   patternUnits="userSpaceOnUse")


def _group(lines: list[str], ink: str, width: float) -> str:
    return element("g", *lines, fill="none", stroke=ink, stroke_width=width)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2)
