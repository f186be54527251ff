"""Outlines: closed ways of a knife, of corners and arcs, in millimetres, y down; and those as SVG writes them. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import atan, atan2, ceil, cos, hypot, radians, sin, tan

from ppgen.engine.geometry import Point, Rect, Size, bounds
from ppgen.engine.units import decimal

QUARTER = tan(radians(90) / 4)
"""The bulge of a quarter of a circle."""
STEP = radians(5)
"""An arc as a row of points has one so often: on a circle of 20 mm the chords are 0.01 mm off."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A corner of an outline.

    ``bulge`` bends the way to the next one: the tangent of a quarter of the arc's angle (DXF reference, POLYLINE,
    group 42), here above 0 where the arc is run through clockwise, as seen on the page.
    """

    at: Point
    bulge: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A way of the knife; ``closed`` ones lead back to the first corner."""

    vertices: tuple[Vertex, ...]
    closed: bool = True

    @property
    def ways(self) -> Iterator[tuple[Vertex, Vertex]]:
        """From corner to corner."""
        return pairwise((*self.vertices, self.vertices[0]) if self.closed else self.vertices)

    @property
    def points(self) -> tuple[Point, ...]:
        """The way as a row of points: arcs as chords."""
        found = [point for start, end in self.ways for point in _along(start, end)]
        return tuple(found if self.closed else [*found, self.vertices[-1].at])

    @property
    def box(self) -> Rect:
        """The smallest rectangle around it."""
        return bounds(tuple(Rect(point.x, point.y, 0, 0) for point in self.points))

    @property
    def svg(self) -> str:
        """Path data: straight lines and arcs."""
        ways = list(self.ways)
        steps = [_step(start, end, self.closed and n == len(ways)) for n, (start, end) in enumerate(ways, 1)]
        return f"M{_pair(self.vertices[0].at)}{''.join(steps)}{'Z' if self.closed else ''}"

    def on(self, trim: Rect, turn: int = 0) -> Outline:
        """The outline of a piece where that lies: in its trim on the sheet, turned by 0 or 180 degrees."""
        return Outline(closed=self.closed, vertices=tuple(
            Vertex(placed(vertex.at, trim, turn), vertex.bulge) for vertex in self.vertices))


def polygon(points: Iterable[Point]) -> Outline:
    """A closed outline of straight ways."""
    return Outline(vertices=tuple(map(Vertex, points)))


def rounded(trim: Rect, radius: float) -> Outline:
    """A rectangle with true arcs for corners, clockwise from the left end of its upper edge.

    Raises ValueError if the radius is more than half of a side.
    """
    if radius > min(trim.width, trim.height) / 2 + 1e-6:
        raise ValueError(f"corners of {radius:g} mm are too large for {trim.size}")
    if not radius:
        return polygon((Point(trim.x, trim.y), Point(trim.right, trim.y), Point(trim.right, trim.bottom),
                        Point(trim.x, trim.bottom)))
    left, right = trim.x + radius, trim.right - radius
    top, bottom = trim.y + radius, trim.bottom - radius
    ends = ((Point(left, trim.y), Point(right, trim.y)), (Point(trim.right, top), Point(trim.right, bottom)),
            (Point(right, trim.bottom), Point(left, trim.bottom)), (Point(trim.x, bottom), Point(trim.x, top)))
    vertices: list[Vertex] = []
    for start, end in ends:
        if abs(start.x - end.x) + abs(start.y - end.y) > 1e-6:  # where arcs meet there is no straight way between
            vertices.append(Vertex(start))
        vertices.append(Vertex(end, QUARTER))
    return Outline(vertices=tuple(vertices))


def circle(size: Size) -> Outline:
    """The largest circle in the middle of a trim."""
    side = min(size.width, size.height)
    return rounded(Rect((size.width - side) / 2, (size.height - side) / 2, side, side), side / 2)


def placed(point: Point, trim: Rect, turn: int) -> Point:
    """A point of a piece on its sheet."""
    if turn == 180:
        return Point(trim.right - point.x, trim.bottom - point.y)
    return Point(trim.x + point.x, trim.y + point.y)


def grown(outline: Outline, by: float) -> tuple[tuple[Point, ...], ...]:
    """Rings of points that together cover all that lies inside a closed outline or no further than ``by`` from it.

    They overlap and run all the same way round, so that they are filled as one (non-zero winding). Where the outline
    is convex they are one ring.
    """
    ring = _clockwise(outline.points)
    if by <= 0:
        return (ring,)
    ways = list(pairwise((*ring, ring[0])))
    out = [_outwards(start, end, by) for start, end in ways]
    fans = [_fan(corner, out[n - 1], out[n], by) for n, corner in enumerate(ring)]
    if all(fans):
        return (tuple(point for fan in fans for point in fan),)
    strips = ((end, start, Point(start.x + shift.x, start.y + shift.y), Point(end.x + shift.x, end.y + shift.y))
              for (start, end), shift in zip(ways, out, strict=True))
    return (ring, *strips, *((corner, *fan) for corner, fan in zip(ring, fans, strict=True) if fan))


def rings_svg(rings: Iterable[tuple[Point, ...]]) -> str:
    """Path data of rings of points."""
    return "".join(polygon(ring).svg for ring in rings)


def _clockwise(ring: tuple[Point, ...]) -> tuple[Point, ...]:
    """The ring as one runs through it clockwise on the page, each point once."""
    apart = [point for point, after in pairwise((*ring, ring[0])) if hypot(point.x - after.x, point.y - after.y) > 1e-6]
    return tuple(apart if area(apart) > 0 else reversed(apart))


def area(ring: Iterable[Point]) -> float:
    """What a ring of points encloses, in mm²; below 0 if one runs through it anticlockwise on the page."""
    points = tuple(ring)
    return sum(a.x * b.y - b.x * a.y for a, b in pairwise((*points, points[0]))) / 2


def _outwards(start: Point, end: Point, by: float) -> Point:
    """A shift across a way of a clockwise ring, to its outside."""
    dx, dy = end.x - start.x, end.y - start.y
    long = hypot(dx, dy)
    return Point(dy / long * by, -dx / long * by)


def _fan(corner: Point, before: Point, after: Point, by: float) -> tuple[Point, ...]:
    """The arc about a corner from one way's outside to the next one's; nothing at a corner that points inwards."""
    turn = atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y)
    if turn < -1e-9:
        return ()
    start, steps = atan2(before.y, before.x), ceil(turn / (2 * STEP))
    reach = by / cos(turn / steps / 2) if steps else by  # chords keep outside of the arc
    turns = [0.0, *(turn * (n + 0.5) / steps for n in range(steps)), turn]
    reaches = [by, *([reach] * steps), by]
    return tuple(Point(corner.x + far * cos(start + angle), corner.y + far * sin(start + angle))
                 for angle, far in zip(turns, reaches, strict=True))


def _along(start: Vertex, end: Vertex) -> Iterator[Point]:
    """The points of a way, without its end."""
    yield start.at
    if not start.bulge:
        return
    angle = 4 * atan(start.bulge)
    dx, dy = end.at.x - start.at.x, end.at.y - start.at.y
    # The centre lies across the middle of the chord, to the right of a clockwise arc.
    far = (1 - start.bulge ** 2) / (4 * start.bulge)
    middle = Point(start.at.x + dx / 2 - dy * far, start.at.y + dy / 2 + dx * far)
    first, radius = atan2(start.at.y - middle.y, start.at.x - middle.x), hypot(start.at.x - middle.x,
                                                                             start.at.y - middle.y)
    steps = ceil(abs(angle) / STEP - 1e-9)
    for n in range(1, steps):
        turn = first + angle * n / steps
        yield Point(middle.x + radius * cos(turn), middle.y + radius * sin(turn))


def _step(start: Vertex, end: Vertex, last: bool) -> str:
    """A straight line, or an arc, clockwise for bulges above 0; the last straight line of a closed way is its Z."""
    if start.bulge:
        chord = hypot(end.at.x - start.at.x, end.at.y - start.at.y)
        radius = decimal(chord * (1 + start.bulge ** 2) / (4 * abs(start.bulge)))
        return f"A{radius} {radius} 0 {int(abs(start.bulge) > 1)} {int(start.bulge > 0)} {_pair(end.at)}"
    return "" if last else f"L{_pair(end.at)}"


def _pair(point: Point) -> str:
    return f"{decimal(point.x)} {decimal(point.y)}"
