"""Turns the inside of a box into the net of a tuck box: panels, folds, the cut, and the marks beside it. Pure.

The net is one row of panels – glue flap, front, side, back, side – with a lid that tucks in behind the front and a
base that does so below, and dust flaps at the sides. It is seen from outside; millimetres from the top left corner
of its bounding box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import cos, hypot, pi, sin

from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.shapes.net import Folded, Net

GLUE_FLAP, TUCK = 11.0, 13.0
"""Width of the glue flap and length of the tucks, in mm."""
SLANT, RELIEF = 1.5, 0.5
"""Flaps taper by so much and begin so far beside their fold's ends, in mm, so that they don't
catch; less in a flat box."""
FLAP = 0.8
"""Length of a dust flap as a share of the depth; two of them never overlap."""
NOTCH, NOTCH_SHARE, ROUND = 9.0, 0.22, 32
"""Radius of the thumb notch in mm, at most as a share of the width; and how many straight cuts make half a circle."""
BLEED = 2.0
"""The picture goes so far over the cut, in mm."""
CLEAR, REACH, STEP, LEAST = 0.4, 6.0, 0.1, 1.5
"""Marks keep so clear of the net, end so far beyond the line they prolong, and have a length to be seen, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxNet(Net):
    """The net of a box, whose ``marks`` prolong cuts and folds beyond it.

    ``panels`` are ``front back left right lid base``, ``tucks`` the two that go inside. ``bleed`` is how far the
    picture goes over the cut.
    """

    tucks: tuple[Rect, ...]
    notch: float
    marks: tuple[Line, ...]
    bleed: float = BLEED

    @property
    def glue(self) -> Rect:
        """The flap that is glued inside and stays bare."""
        return self.glued[0]


@lru_cache(maxsize=100)
def net(inside: Size, depth: float) -> BoxNet:
    """The net of a box with that room inside, all in mm."""
    width, height = inside.width, inside.height
    top = depth + TUCK  # the upper edge of the panels
    bottom = top + height
    xs = [GLUE_FLAP]
    for panel in (width, depth, width, depth):
        xs.append(xs[-1] + panel)
    front, left, back, right = (Rect(x, top, end - x, height) for x, end in pairwise(xs))
    lid, base = Rect(back.x, TUCK, width, depth), Rect(back.x, bottom, width, depth)
    tucks = (Rect(back.x, 0, width, TUCK), Rect(back.x, base.bottom, width, TUCK))
    flap = min(FLAP * depth, width / 2 - RELIEF)
    notch = min(NOTCH, NOTCH_SHARE * width)
    middle = front.x + width / 2
    # Clockwise from the glue flap; the way along the bottom is the way along the top, seen from below.
    above = (*_dust_flap(left, top, -flap), (back.x, top), (back.x, lid.y), (back.x + 2 * SLANT, 0),
             (back.right - 2 * SLANT, 0), (back.right, lid.y), (back.right, top), *_dust_flap(right, top, -flap))
    below = tuple((x, top + bottom - y) for x, y in reversed(above))
    outline = tuple(Point(x, y) for x, y in (
        (0, top + 3 * SLANT), (GLUE_FLAP, top),
        *((middle - notch * cos(pi * n / ROUND), top + notch * sin(pi * n / ROUND)) for n in range(ROUND + 1)),
        (front.right, top), *above, (right.right, top), (right.right, bottom), *below, (front.right, bottom),
        (GLUE_FLAP, bottom), (0, bottom - 3 * SLANT)))
    folds = (
        *(Line(Point(x, top), Point(x, bottom)) for x in xs[:-1]),
        *(Line(Point(panel.x, y), Point(panel.right, y)) for panel in (left, back, right) for y in (top, bottom)),
        *(Line(Point(panel.x, y), Point(panel.right, y)) for panel, y in ((lid, lid.y), (base, base.bottom))))
    return BoxNet(
        kind=Folded.BOX, size=Size(right.right, base.bottom + TUCK), outline=outline, folds=folds, tucks=tucks,
        notch=notch,
        panels={"front": front, "left": left, "back": back, "right": right, "lid": lid, "base": base},
        glued=(Rect(0, top, GLUE_FLAP, height),), marks=tuple(_marks(outline, folds)))


def _dust_flap(panel: Rect, root: float, length: float) -> tuple[tuple[float, float], ...]:
    """A flap of that length from its fold, from left to right; ``length`` is below 0 for one that points up."""
    near = min(RELIEF, panel.width / 12)
    far = near + min(SLANT, panel.width / 6)
    return ((panel.x + near, root), (panel.x + far, root + length), (panel.right - far, root + length),
            (panel.right - near, root))


def _marks(outline: Sequence[Point], folds: Sequence[Line]) -> Iterator[Line]:
    """Each straight cut and each fold, prolonged at both ends where that meets nothing of the net.

    The glue flap is left out: it has lines of its own.
    """
    edges = [Line(start, end) for start, end in pairwise((*outline, outline[0]))]
    straight = [edge for edge in edges if hypot(edge.end.x - edge.start.x, edge.end.y - edge.start.y) > LEAST
                and min(edge.start.x, edge.end.x) > 0]
    seen: set[tuple[float, ...]] = set()
    for line in (*straight, *folds):
        for end, other in ((line.end, line.start), (line.start, line.end)):
            if mark := _mark(end, other, edges):
                key = tuple(round(value, 3) for value in (mark.start.x, mark.start.y, mark.end.x, mark.end.y))
                if key not in seen:
                    seen.add(key)
                    yield mark


def _mark(end: Point, other: Point, edges: Sequence[Line]) -> Line | None:
    """The first clear stretch of the line from ``other`` beyond ``end``."""
    long = hypot(end.x - other.x, end.y - other.y)
    way = [Point(end.x + (end.x - other.x) / long * step * STEP, end.y + (end.y - other.y) / long * step * STEP)
           for step in range(1, round(REACH / STEP) + 1)]
    xs, ys = [point.x for point in way], [point.y for point in way]
    near = [edge for edge in edges if max(edge.start.x, edge.end.x) > min(xs) - CLEAR  # those that decide
            and min(edge.start.y, edge.end.y) < max(ys) + CLEAR and max(edge.start.y, edge.end.y) > min(ys) - CLEAR]
    clear = [_is_clear(point, near) for point in way]
    if True not in clear:
        return None
    first = clear.index(True)
    last = (clear.index(False, first) if False in clear[first:] else len(clear)) - 1
    return Line(way[first], way[last]) if (last - first) * STEP >= LEAST else None


def _is_clear(point: Point, edges: Sequence[Line]) -> bool:
    """Whether a place lies outside the net and not close to it."""
    inside = False
    for edge in edges:
        a, b = edge.start, edge.end
        dx, dy = b.x - a.x, b.y - a.y
        along = max(0.0, min(1.0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy)))
        if hypot(a.x + along * dx - point.x, a.y + along * dy - point.y) < CLEAR:
            return False
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / dy * dx:
            inside = not inside
    return not inside
