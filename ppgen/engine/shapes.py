"""Shapes of pieces, and nets of folded pieces.

A component sets the shape of its faces: ``FaceRequest(…, size=Size(12, 12), shape=CIRCLE)``. The template draws to
``face.outline`` (path data in mm of the trim) and beyond, as far as the bleed; anything further out is clipped. Sheets
place the piece on its trim, with a line to cut along; cut files, virtual tables and pictures follow the outline.

A net is used in the same way: its size and shape go to the face, and the net itself to the template::

    net = tent(length=10, base=8, roof=9, tab=4)
    FaceRequest(template=…, size=net.size, shape=net.shape, values={"net": net, …})

The template draws each of ``net.panels`` (rectangles of the trim, in mm; those in ``net.turned`` are upside down on the
sheet, so they are drawn turned by 180 degrees), and nothing on ``net.glued``. Sheets show where to cut and, with marks
outside the piece, where to fold; cut files have the folds on their own layer; the making guide explains the folding.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, pairwise
from math import hypot, sqrt
from operator import itemgetter

from ppgen.engine.geometry import Insets, LineSegment, Point, Rect, Size
from ppgen.engine.svg.outlines import Outline, area, circle, parse_ring, place_point, polygon, round_corners

MAX_SHAPE_POINTS = 400  # points of a path: enough for any curve, few enough to compare all pairs of segments
_TOLERANCE, _MIN_AREA = 1e-6, 1e-3  # rounding error of a share; smallest area of an outline, by the trim


class ShapeKind(StrEnum):
    """Kinds of shape."""

    RECTANGLE = "rectangle"
    ROUNDED = "rounded"
    CIRCLE = "circle"
    HEXAGON = "hexagon"
    OCTAGON = "octagon"
    PATH = "path"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The shape of a piece of any size, within its trim. Raises ValueError for a path that can't be one."""

    kind: ShapeKind = ShapeKind.RECTANGLE
    radius: float = 0.0  # of rounded corners in mm, reduced where there is not enough room
    path: tuple[Point, ...] = ()  # corners in shares of the trim's width and height, 0 to 1
    folds: tuple[LineSegment, ...] = ()  # ends likewise

    def __post_init__(self) -> None:
        ends = (end for fold in self.folds for end in (fold.start, fold.end))
        shares = (share for point in (*self.path, *ends) for share in (point.x, point.y))
        if not all(-_TOLERANCE <= share <= 1 + _TOLERANCE for share in shares):
            raise ValueError("the outline leaves the piece")
        if self.kind is ShapeKind.PATH and (fault := _fault(self.path)):
            raise ValueError(fault)

    @property
    def is_ruled(self) -> bool:
        """True if it is cut along a ruler, from mark to mark; any rounded corners are cut afterwards."""
        return self.kind in (ShapeKind.RECTANGLE, ShapeKind.ROUNDED)

    @property
    def mirrored(self) -> Shape:
        """The shape of the piece's back; the same shape if it is symmetrical."""
        path = tuple(Point(1 - point.x, point.y) for point in self.path)
        folds = tuple(LineSegment(Point(1 - fold.end.x, fold.end.y), Point(1 - fold.start.x, fold.start.y))
                      for fold in self.folds)
        if _same_points(path, self.path) and all(any(_same_points((fold.start, fold.end), (other.start, other.end))
                                                     for other in self.folds) for fold in folds):
            return self
        return replace(self, path=path, folds=folds)

    def outline(self, size: Size) -> Outline:
        """Return the closed outline of a piece of that trim size (mm), from its top left corner."""
        width, height = size.width, size.height
        match self.kind:
            case ShapeKind.CIRCLE:
                return circle(size)
            case ShapeKind.HEXAGON:
                return polygon(_scale(size, _HEXAGON if width >= height else _UPRIGHT))
            case ShapeKind.OCTAGON:
                cut = min(width, height) / (2 + sqrt(2))
                return polygon(map(Point, (cut, width - cut, width, width, width - cut, cut, 0, 0),
                                   (0, 0, cut, height - cut, height, height, height - cut, cut)))
            case ShapeKind.PATH:
                return polygon(_scale(size, self.path))
        return round_corners(Rect(0, 0, width, height), min(self.radius, width / 2, height / 2))

    def place_folds(self, trim: Rect, turn: int = 0) -> tuple[LineSegment, ...]:
        """Move the folds to the piece's trim on the sheet, like :meth:`Outline.place`."""
        ends = (_scale(trim.size, (fold.start, fold.end)) for fold in self.folds)
        return tuple(LineSegment(place_point(start, trim, turn), place_point(end, trim, turn)) for start, end in ends)


_HEXAGON = tuple(map(Point, (0.25, 0.75, 1.0, 0.75, 0.25, 0.0), (0.0, 0.0, 0.5, 1.0, 1.0, 0.5)))
_UPRIGHT = tuple(Point(point.y, point.x) for point in reversed(_HEXAGON))
RECTANGLE, CIRCLE, HEXAGON, OCTAGON = (
    Shape(kind=kind) for kind in (ShapeKind.RECTANGLE, ShapeKind.CIRCLE, ShapeKind.HEXAGON, ShapeKind.OCTAGON))


def rounded_shape(radius: float) -> Shape:
    """Return a rectangle with corners of that radius (mm)."""
    return Shape(kind=ShapeKind.ROUNDED, radius=radius)


def path_shape(data: str, box: Rect) -> Shape:
    """The shape of path data, one closed ring in a box that becomes the trim. Raises ValueError for users."""
    ring = parse_ring(data)
    if len(ring) > MAX_SHAPE_POINTS:
        raise ValueError(f"the outline has more than {MAX_SHAPE_POINTS} corners (a curve counts as many)")
    return Shape(kind=ShapeKind.PATH, path=tuple(Point((point.x - box.x) / box.width, (point.y - box.y) / box.height)
                                                 for point in ring))


def _scale(size: Size, shares: tuple[Point, ...]) -> tuple[Point, ...]:
    """Convert shares of a size to mm, rounded to a millionth."""
    return tuple(Point(round(share.x * size.width, 6), round(share.y * size.height, 6)) for share in shares)


def _same_points(one: tuple[Point, ...], other: tuple[Point, ...]) -> bool:
    return all(any(hypot(point.x - each.x, point.y - each.y) < 1e-4 for each in other) for point in one)


def _fault(ring: tuple[Point, ...]) -> str:
    """Return why a ring of points can't be an outline; empty if it can."""
    if len(ring) < 3 or abs(area(ring)) < _MIN_AREA:
        return "the outline encloses nothing"
    segments = list(pairwise((*ring, ring[0])))
    spans = sorted((min(start.x, end.x), max(start.x, end.x), n) for n, (start, end) in enumerate(segments))
    for place, (_, right, n) in enumerate(spans, 1):
        overlapping = spans[place:bisect(spans, right, key=itemgetter(0))]
        if any(1 < abs(m - n) < len(segments) - 1 and _cross(*segments[n], *segments[m]) for _, _, m in overlapping):
            return "the outline crosses itself"
    return ""


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    if (max(a.x, b.x) < min(c.x, d.x) or max(c.x, d.x) < min(a.x, b.x)
            or max(a.y, b.y) < min(c.y, d.y) or max(c.y, d.y) < min(a.y, b.y)):
        return False
    return area((a, b, c)) * area((a, b, d)) <= 0 and area((c, d, a)) * area((c, d, b)) <= 0


# Nets: pieces that are printed flat, cut out, folded and glued – a tuck box, a standee, a tent

UNDERLAP_MM = 0.1  # reach of a panel under its neighbour


class Folded(StrEnum):
    """Kinds of folded pieces."""

    BOX = "box"
    STANDEE = "standee"
    TENT = "tent"
    DIE = "die"


@dataclass(frozen=True, slots=True, kw_only=True)
class Net:
    """A net in mm from the top left corner of its bounding box, seen from outside."""

    kind: Folded  # what it becomes
    size: Size
    outline: tuple[Point, ...]  # the closed cut
    folds: tuple[LineSegment, ...]  # are scored
    glued: tuple[Rect, ...] = ()  # areas that take glue and stay unprinted
    panels: Mapping[str, Rect] = field(default_factory=dict, hash=False)  # visible parts of the finished piece
    turned: tuple[str, ...] = ()  # panels that are upside down on the sheet

    def panel_room(self, name: str, bleed: float) -> Rect:
        """The panel with a bleed at edges without a neighbour, and a little under panels drawn later."""
        panel, names = self.panels[name], [*self.panels]
        grow = {}
        for side in ("left", "top", "right", "bottom"):
            wider = panel.grown(replace(Insets.all(0.0), **{side: UNDERLAP_MM}))
            next_to = [other for other in names if other != name and wider.overlaps(self.panels[other])]
            later = all(names.index(other) > names.index(name) for other in next_to)
            grow[side] = bleed if not next_to else UNDERLAP_MM if later else 0.0
        return panel.grown(Insets(**grow))

    @property
    def shape(self) -> Shape:
        """The shape with folds of a piece whose trim is the net's bounding box: that rectangle, or a path."""
        width, height = self.size.width, self.size.height

        def share(point: Point) -> Point:
            return Point(point.x / width, point.y / height)

        corners = {(x, y) for x in (0, width) for y in (0, height)}
        is_trim = {(point.x, point.y) for point in self.outline} == corners
        return Shape(kind=ShapeKind.RECTANGLE if is_trim else ShapeKind.PATH,
                     path=() if is_trim else tuple(map(share, self.outline)),
                     folds=tuple(LineSegment(share(fold.start), share(fold.end)) for fold in self.folds))


def standee(figure: Size, feet: float) -> Net:
    """Return the net of a standing figure, from the top: ``back_foot``, ``back``, ``front``, ``front_foot``."""
    return _strip(Folded.STANDEE, figure.width,
                  {"back_foot": feet, "back": figure.height, "front": figure.height, "front_foot": feet})


def tent(length: float, base: float, roof: float, tab: float) -> Net:
    """Return the net of two roofs over a base, ``length`` along the ridge: a house, or a card that stands on a table.

    From the top: the ``base``, the ``back`` roof upside down, the ``front`` roof, and the ``tab``, which is glued
    to the inside of the base. A strip: straight cuts only.
    """
    net = _strip(Folded.TENT, length, {"base": base, "back": roof, "front": roof, "tab": tab})
    return replace(net, glued=(net.panels["tab"],))


FLAP_SHARE, FLAP_BEVEL = 0.28, 0.6  # depth of a die's flaps by its side; what is cut off their corners


def die(side: float) -> Net:
    """Return the net of a die with panels ``1`` to ``6``: a cross of squares, with seven flaps that are glued inside.

    Opposite faces sum to 7, and 1, 2, 3 go round their corner against the clock, as on dice of the West. The row holds
    3, 1, 4 and 6, with 2 above the 1 and 5 below it. Each flap is opposite to an edge without one.
    """
    flap = side * FLAP_SHARE
    bevel, left, middle, right, end = flap * FLAP_BEVEL, 0.0, side, 2 * side, 4 * side
    top, upper, lower, bottom = flap, flap + side, flap + 2 * side, flap + 3 * side

    def flap_on(start: Point, stop: Point) -> tuple[Point, Point]:
        """The corners of the flap on an edge; it lies on the left of the way from ``start`` to ``stop``."""
        x, y = (stop.x - start.x) / side, (stop.y - start.y) / side
        return (Point(start.x + x * bevel + y * flap, start.y + y * bevel - x * flap),
                Point(stop.x - x * bevel + y * flap, stop.y - y * bevel - x * flap))

    corners = tuple(map(Point, (left, middle, middle, right, right, end, end, right, right, middle, middle, left),
                        (upper, upper, top, top, upper, upper, lower, lower, bottom, bottom, lower, lower)))
    outline: list[Point] = []
    for n, (start, stop) in enumerate(pairwise((*corners, corners[0]))):
        outline.append(start)
        if n in _FLAPPED_EDGES:
            outline += flap_on(start, stop)
    squares = {"1": (middle, upper), "2": (middle, top), "3": (left, upper), "4": (right, upper), "5": (middle, lower),
               "6": (right + side, upper)}
    folds = [LineSegment(Point(x, top), Point(x, bottom)) for x in (middle, right)]
    folds += [LineSegment(Point(x, upper), Point(x, lower)) for x in (right + side, end)]
    folds += [LineSegment(Point(middle, y), Point(right, y)) for y in (top, upper, lower, bottom)]
    return Net(kind=Folded.DIE, size=Size(end + flap, bottom + flap), outline=tuple(outline),
               folds=tuple(folds), panels={name: Rect(x, y, side, side) for name, (x, y) in squares.items()})


_FLAPPED_EDGES = (1, 2, 3, 5, 7, 8, 9)
"""Edges of the cross that have a flap, counted from the one above the 3: around the 2, right of the 6, around the 5."""


def _strip(kind: Folded, width: float, heights: Mapping[str, float]) -> Net:
    """Return panels below each other with folds between them; the back is upside down."""
    ends = [round(end, 6) for end in accumulate(heights.values(), initial=0.0)]
    panels = {name: Rect(0.0, top, width, end - top) for name, (top, end) in zip(heights, pairwise(ends), strict=True)}
    size = Size(width, ends[-1])
    corners = (Point(0.0, 0.0), Point(width, 0.0), Point(width, size.height), Point(0.0, size.height))
    return Net(kind=kind, size=size, outline=corners, panels=panels, turned=("back",),
               folds=tuple(LineSegment(Point(0.0, at), Point(width, at)) for at in ends[1:-1]))
