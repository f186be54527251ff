"""Shapes: what a piece is cut out as, whatever its size. Pure.

A component says so of its faces: ``FaceRequest(…, size=Size(12, 12), shape=CIRCLE)``. Its template draws to
``face.outline`` (path data in mm of the trim) and beyond, its bleed all around; what is drawn further out is cut away.
Sheets place the piece on its trim, with a line to cut along; cut files, virtual tables and pictures follow the outline.
What is folded has a net: :mod:`ppgen.engine.shapes.net`.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from math import hypot, sqrt
from operator import itemgetter

from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.shapes.outline import Outline, area, circle, placed, polygon, rounded
from ppgen.engine.shapes.paths import ring_of

MOST_POINTS = 400
"""Of a path: enough for any curve, few enough to look at each two of its ways."""
_SLACK, _LEAST = 1e-6, 1e-3
"""How far a share may be off by rounding; and the least share of the trim that an outline encloses."""


class Kind(StrEnum):
    """Shapes with a name."""

    RECTANGLE = "rectangle"
    ROUNDED = "rounded"
    CIRCLE = "circle"
    HEXAGON = "hexagon"
    OCTAGON = "octagon"
    PATH = "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a piece is cut out as. Its outline lies within the trim, whatever the size.

    ``radius`` is that of rounded corners, in mm, or as much of it as there is room for. The corners of a path, and the
    ends of ``folds``, are shares of the trim's width and height, 0 to 1. ValueError for what is no shape: a path that
    leaves the trim or crosses itself.
    """

    kind: Kind = Kind.RECTANGLE
    radius: float = 0.0
    path: tuple[Point, ...] = ()
    folds: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        ends = (end for fold in self.folds for end in (fold.start, fold.end))
        if not all(-_SLACK <= share <= 1 + _SLACK for point in (*self.path, *ends) for share in (point.x, point.y)):
            raise ValueError("the outline leaves the piece")
        if self.kind is Kind.PATH and (fault := _fault(self.path)):
            raise ValueError(fault)

    @property
    def is_ruled(self) -> bool:
        """Whether it is cut out along a ruler, from mark to mark; corners are rounded afterwards, if they are."""
        return self.kind in (Kind.RECTANGLE, Kind.ROUNDED)

    @property
    def mirrored(self) -> Shape:
        """The shape from behind: that of the piece's back. What is symmetrical is the same."""
        path = tuple(Point(1 - point.x, point.y) for point in self.path)
        folds = tuple(Line(Point(1 - fold.end.x, fold.end.y), Point(1 - fold.start.x, fold.start.y))
                      for fold in self.folds)
        if _alike(path, self.path) and all(any(_alike((fold.start, fold.end), (other.start, other.end))
                                               for other in self.folds) for fold in folds):
            return self
        return replace(self, path=path, folds=folds)

    def outline(self, size: Size) -> Outline:
        """The closed way around a piece of that trim size (mm), from its top left corner."""
        width, height = size.width, size.height
        match self.kind:
            case Kind.CIRCLE:
                return circle(size)
            case Kind.HEXAGON:
                return polygon(_in(size, _HEXAGON if width >= height else _UPRIGHT))
            case Kind.OCTAGON:
                cut = min(width, height) / (2 + sqrt(2))
                return polygon(map(Point, (cut, width - cut, width, width, width - cut, cut, 0, 0),
                                   (0, 0, cut, height - cut, height, height, height - cut, cut)))
            case Kind.PATH:
                return polygon(_in(size, self.path))
        return rounded(Rect(0, 0, width, height), min(self.radius, width / 2, height / 2))

    def folds_on(self, trim: Rect, turn: int = 0) -> tuple[Line, ...]:
        """The folds of a piece where it lies, as :meth:`Outline.on` has it."""
        ends = (_in(trim.size, (fold.start, fold.end)) for fold in self.folds)
        return tuple(Line(placed(start, trim, turn), placed(end, trim, turn)) for start, end in ends)


_HEXAGON = tuple(map(Point, (0.25, 0.75, 1.0, 0.75, 0.25, 0.0), (0.0, 0.0, 0.5, 1.0, 1.0, 0.5)))
_UPRIGHT = tuple(Point(point.y, point.x) for point in reversed(_HEXAGON))
RECTANGLE, CIRCLE, HEXAGON, OCTAGON = (Shape(kind=kind) for kind in (Kind.RECTANGLE, Kind.CIRCLE, Kind.HEXAGON,
                                                                     Kind.OCTAGON))


def rounded_shape(radius: float) -> Shape:
    """A rectangle with corners of that radius (mm)."""
    return Shape(kind=Kind.ROUNDED, radius=radius)


def path_shape(data: str, box: Rect) -> Shape:
    """The shape of SVG path data, one closed ring in a box that becomes the trim; curves become many short ways.

    Raises ValueError in plain words.
    """
    ring = ring_of(data)
    if len(ring) > MOST_POINTS:
        raise ValueError(f"the outline has more than {MOST_POINTS} corners (a curve counts as many)")
    return Shape(kind=Kind.PATH, path=tuple(Point((point.x - box.x) / box.width, (point.y - box.y) / box.height)
                                            for point in ring))


def _in(size: Size, shares: tuple[Point, ...]) -> tuple[Point, ...]:
    """Shares of a size in mm, to a millionth."""
    return tuple(Point(round(share.x * size.width, 6), round(share.y * size.height, 6)) for share in shares)


def _alike(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    """Whether the same points are in both, in whatever order."""
    return all(any(hypot(point.x - each.x, point.y - each.y) < 1e-4 for each in other) for point in one)


def _fault(ring: tuple[Point, ...]) -> str:
    """What keeps a ring of points from being an outline."""
    if len(ring) < 3 or abs(area(ring)) < _LEAST:
        return "the outline encloses nothing"
    ways = list(pairwise((*ring, ring[0])))
    spans = sorted((min(start.x, end.x), max(start.x, end.x), n) for n, (start, end) in enumerate(ways))
    for place, (_, right, n) in enumerate(spans, 1):
        beside = spans[place:bisect(spans, right, key=itemgetter(0))]
        if any(1 < abs(m - n) < len(ways) - 1 and _cross(*ways[n], *ways[m]) for _, _, m in beside):
            return "the outline crosses itself"
    return ""


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two ways meet."""
    if (max(a.x, b.x) < min(c.x, d.x) or max(c.x, d.x) < min(a.x, b.x)
            or max(a.y, b.y) < min(c.y, d.y) or max(c.y, d.y) < min(a.y, b.y)):
        return False
    return area((a, b, c)) * area((a, b, d)) <= 0 and area((c, d, a)) * area((c, d, b)) <= 0
