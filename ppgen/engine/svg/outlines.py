"""Outlines of pieces: paths of corners and arcs in millimetres, y down; and SVG path data as chains of points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import acos, atan, atan2, ceil, cos, fsum, hypot, pi, radians, sin, sqrt, tan

from ppgen.engine.geometry import Point, Rect, Size, bounding_box, format_decimal
from ppgen.engine.svg.elements import path_steps
from ppgen.engine.svg.subset import NUMBER, is_valid_value
from ppgen.shipped import Phrase

QUARTER = tan(radians(90) / 4)  # the bulge of a quarter circle
STEP = radians(5)  # angle of a chord when an arc becomes points: on a circle of 20 mm the chords are 0.01 mm off


@dataclass(frozen=True, slots=True)
class Vertex:
    """A corner of an outline; ``bulge`` bends the segment to the next, above 0 clockwise (DXF, POLYLINE, group 42)."""

    at: Point
    bulge: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A path to cut; a ``closed`` one leads back to the first corner."""

    vertices: tuple[Vertex, ...]
    closed: bool = True

    @property
    def segments(self) -> Iterator[tuple[Vertex, Vertex]]:
        return pairwise((*self.vertices, self.vertices[0]) if self.closed else self.vertices)

    @property
    def points(self) -> tuple[Point, ...]:
        """The path as points, with arcs as chords."""
        points = [point for start, end in self.segments for point in _segment_points(start, end)]
        return tuple(points if self.closed else [*points, self.vertices[-1].at])

    @property
    def box(self) -> Rect:
        """The smallest rectangle around it."""
        return bounding_box(tuple(Rect(point.x, point.y, 0, 0) for point in self.points))

    @property
    def svg(self) -> str:
        """Path data: straight lines and arcs."""
        segments = list(self.segments)
        commands = [_command(start, end, self.closed and n == len(segments))
                    for n, (start, end) in enumerate(segments, 1)]
        return f"M{_pair(self.vertices[0].at)}{''.join(commands)}{'Z' if self.closed else ''}"

    def place(self, trim: Rect, turn: int) -> Outline:
        """Move the outline of a piece to the piece's trim on the sheet, turned by 0 or 180 degrees."""
        return Outline(closed=self.closed, vertices=tuple(
            Vertex(place_point(vertex.at, trim, turn), vertex.bulge) for vertex in self.vertices))


def polygon(points: Iterable[Point]) -> Outline:
    """Return a closed outline of straight lines."""
    return Outline(vertices=tuple(map(Vertex, points)))


def round_corners(trim: Rect, radius: float) -> Outline:
    """A rectangle with arcs for corners, clockwise from its upper left. Raises ValueError for a large radius."""
    if radius > min(trim.width, trim.height) / 2 + 1e-6:
        raise ValueError(Phrase("corners_too_large", length=f"{radius:g}", size=trim.size))
    if not radius:
        return polygon((Point(trim.x, trim.y), Point(trim.right, trim.y), Point(trim.right, trim.bottom),
                        Point(trim.x, trim.bottom)))
    left, right = trim.x + radius, trim.right - radius
    top, bottom = trim.y + radius, trim.bottom - radius
    ends = ((Point(left, trim.y), Point(right, trim.y)), (Point(trim.right, top), Point(trim.right, bottom)),
            (Point(right, trim.bottom), Point(left, trim.bottom)), (Point(trim.x, bottom), Point(trim.x, top)))
    vertices: list[Vertex] = []
    for start, end in ends:
        if abs(start.x - end.x) + abs(start.y - end.y) > 1e-6:  # else two arcs meet, without a line between them
            vertices.append(Vertex(start))
        vertices.append(Vertex(end, QUARTER))
    return Outline(vertices=tuple(vertices))


def circle(size: Size) -> Outline:
    """Return the largest circle in the middle of a trim."""
    side = min(size.width, size.height)
    return round_corners(Rect((size.width - side) / 2, (size.height - side) / 2, side, side), side / 2)


def place_point(point: Point, trim: Rect, turn: int) -> Point:
    """Move a point of a piece to its place on the sheet."""
    if turn == 180:
        return Point(trim.right - point.x, trim.bottom - point.y)
    return Point(trim.x + point.x, trim.y + point.y)


def grow_outline(outline: Outline, by: float) -> tuple[tuple[Point, ...], ...]:
    """Return rings of points that together cover the inside of a closed outline and everything within ``by`` of it.

    The rings overlap and all run in the same direction, so that they fill as one (non-zero winding). A convex outline
    needs only one ring. Otherwise there is one for the outline, a strip along each segment, and a fan of the round
    corner at each vertex that points outwards.
    """
    ring = _clockwise(outline.points)
    if by <= 0:
        return (ring,)
    segments = list(pairwise((*ring, ring[0])))
    shifts = [_shift_outwards(start, end, by) for start, end in segments]
    fans = [_fan(corner, shifts[n - 1], shifts[n], by) for n, corner in enumerate(ring)]
    if all(fans):
        return (tuple(point for fan in fans for point in fan),)
    strips = ((end, start, Point(start.x + shift.x, start.y + shift.y), Point(end.x + shift.x, end.y + shift.y))
              for (start, end), shift in zip(segments, shifts, strict=True))
    return (ring, *strips, *((corner, *fan) for corner, fan in zip(ring, fans, strict=True) if fan))


def offset_sides(ring: Sequence[Point], distances: Sequence[float]) -> tuple[Point, ...]:
    """Return the corners of a convex clockwise ring whose sides are each moved outwards by a distance of their own."""
    shifts = [_shift_outwards(start, end, by) for start, end, by in
              zip(ring, (*ring[1:], ring[0]), distances, strict=True)]
    corners = []
    for n, corner in enumerate(ring):  # where the moved sides before and after it meet
        one, other = shifts[n - 1], shifts[n]
        before, after = Point(corner.x - ring[n - 1].x, corner.y - ring[n - 1].y), ring[(n + 1) % len(ring)]
        along = Point(after.x - corner.x, after.y - corner.y)
        share = (((other.x - one.x) * along.y - (other.y - one.y) * along.x)
                 / (before.x * along.y - before.y * along.x))
        corners.append(Point(corner.x + one.x + before.x * share, corner.y + one.y + before.y * share))
    return tuple(corners)


def rings_svg(rings: Iterable[tuple[Point, ...]]) -> str:
    """Return path data of rings of points."""
    return "".join(polygon(ring).svg for ring in rings)


def _clockwise(ring: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return the ring clockwise as seen on the page, without repeated points."""
    apart = [point for point, after in pairwise((*ring, ring[0])) if hypot(point.x - after.x, point.y - after.y) > 1e-6]
    return tuple(apart if area(apart) > 0 else reversed(apart))


def area(ring: Iterable[Point]) -> float:
    """Compute the area of a ring of points in mm²; below 0 if the ring is anticlockwise on the page."""
    points = tuple(ring)
    return fsum(a.x * b.y - b.x * a.y for a, b in pairwise((*points, points[0]))) / 2


def _shift_outwards(start: Point, end: Point, by: float) -> Point:
    """Return the vector across a segment of a clockwise ring, to its outside."""
    dx, dy = end.x - start.x, end.y - start.y
    long = hypot(dx, dy)
    return Point(dy / long * by, -dx / long * by)


def _fan(corner: Point, before: Point, after: Point, by: float) -> tuple[Point, ...]:
    """Return the arc around a corner from one segment's outside to the next one's; nothing if it points inwards."""
    turn = atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y)
    if turn < -1e-9:
        return ()
    start, steps = atan2(before.y, before.x), ceil(turn / (2 * STEP))
    reach = by / cos(turn / steps / 2) if steps else by  # chords stay outside the arc
    turns = [0.0, *(turn * (n + 0.5) / steps for n in range(steps)), turn]
    reaches = [by, *([reach] * steps), by]
    return tuple(Point(corner.x + far * cos(start + angle), corner.y + far * sin(start + angle))
                 for angle, far in zip(turns, reaches, strict=True))


def _segment_points(start: Vertex, end: Vertex) -> Iterator[Point]:
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


def _command(start: Vertex, end: Vertex, last: bool) -> str:
    """Return the path data of a line or an arc; nothing for the ``last`` line of a closed path, which Z draws."""
    if start.bulge:
        chord = hypot(end.at.x - start.at.x, end.at.y - start.at.y)
        radius = format_decimal(chord * (1 + start.bulge ** 2) / (4 * abs(start.bulge)))
        return f"A{radius} {radius} 0 {int(abs(start.bulge) > 1)} {int(start.bulge > 0)} {_pair(end.at)}"
    return "" if last else f"L{_pair(end.at)}"


def _pair(point: Point) -> str:
    return f"{format_decimal(point.x)} {format_decimal(point.y)}"


# SVG path data (SVG 1.1, 8.3) as chains of points, with chords for curves

MAX_COORDINATE = 1e6  # larger numbers can't be places on a piece
CURVE, CHORD_STEP = 24, radians(7.5)  # chords of a Bézier curve; angle of an arc's chord
MAX_CHORDS = 12  # chords of a curve at most, if they may deviate from it
_SMOOTH = {"S": "CS", "T": "QT"}  # the curves that a smooth curve continues

PointChain = tuple[tuple[complex, ...], bool]  # points of a line (x + y·i, in the path's units); is it closed?


def parse_ring(data: str) -> tuple[Point, ...]:
    """The points of path data with a single ring, without repeated ones. Raises ValueError."""
    if not is_valid_value("d", data):
        raise ValueError("the outline is not path data (it begins with M; each command has its numbers)")
    if any(abs(float(number)) > MAX_COORDINATE for number in NUMBER.findall(data)):
        raise ValueError("the outline is out of range")
    (points, _), *more = parse_chains(data)
    if more:
        raise ValueError("the outline has more than one ring")
    return tuple(Point(place.real, place.imag) for n, place in enumerate(points) if abs(place - points[n - 1]) > 1e-9)


def parse_chains(data: str, bend: float = 0.0) -> tuple[PointChain, ...]:
    """The lines of path data; with ``bend`` chords may deviate by so much, so that there are fewer."""
    chains: list[PointChain] = []
    points: list[complex] = []
    at = control = 0j  # the latter: the last control point, for S and T
    last = ""
    for command, given in path_steps(data):
        kind, origin = command.upper(), at if command.islower() else 0j
        if kind == "Z":
            if points:
                chains.append((tuple(points), True))
                at, points = points[0], []
        elif kind == "M":
            if points:
                chains.append((tuple(points), False))
            at = origin + complex(*given)
            points = [at]
        else:
            points = points or [at]
            control = control if last in _SMOOTH.get(kind, "") else at
            more, control = _command_points(kind, at, origin, given, control, bend)
            points += more
            at = more[-1]
        last = kind
    return (*chains, *([(tuple(points), False)] if points else []))


def _command_points(kind: str, at: complex, origin: complex, given: Sequence[float], control: complex,
                    bend: float) -> tuple[list[complex], complex]:
    if kind == "A":
        points = arc_points(at, list(given), origin + complex(*given[5:]))
        radius = max(min(abs(given[0]), abs(given[1])), bend)
        every = max(1, int(2 * acos(1 - bend / radius) / CHORD_STEP)) if bend else 1
        return [*points[every - 1:-1:every], points[-1]], at
    if kind in "HV":
        return [complex(origin.real + given[0], at.imag) if kind == "H" else
                complex(at.real, origin.imag + given[0])], at
    ends = [origin + complex(*given[i:i + 2]) for i in range(0, len(given), 2)]
    if kind in _SMOOTH:
        ends.insert(0, 2 * at - control)
    return (list(_curve_points([at, *ends], bend)), ends[-2]) if len(ends) > 1 else (ends, at)


def _curve_points(controls: list[complex], bend: float) -> Iterator[complex]:
    """Yield the points of a Bézier curve of any degree, without its start (de Casteljau)."""
    count = _chord_count(controls, bend) if bend else CURVE
    for n in range(1, count + 1):
        row, share = controls, n / count
        while len(row) > 1:
            row = [a + (b - a) * share for a, b in pairwise(row)]
        yield row[0]


def _chord_count(controls: Sequence[complex], bend: float) -> int:
    """Return how many chords stay close enough to the curve, from its second differences."""
    difference = max(abs(a - 2 * b + c) for a, b, c in zip(controls, controls[1:], controls[2:], strict=False))
    degree = len(controls) - 1
    return min(MAX_CHORDS, max(1, ceil(sqrt(degree * (degree - 1) / 8 * difference / bend))))


def arc_points(start: complex, given: list[float], end: complex) -> list[complex]:
    """Return the points of an elliptical arc, without its start (SVG 1.1, F.6.5)."""
    rx, ry, tilt, large, sweep = abs(given[0]), abs(given[1]), radians(given[2]), given[3], given[4]
    if not rx or not ry or start == end:
        return [end]
    turn = complex(cos(tilt), sin(tilt))
    half = (start - end) / 2 / turn
    x, y = half.real / rx, half.imag / ry
    if (long := hypot(x, y)) > 1:
        rx, ry, x, y = rx * long, ry * long, x / long, y / long
    far = sqrt(max(0.0, 1 / (x * x + y * y) - 1)) * (-1 if large == sweep else 1)
    middle = complex(far * y, -far * x)
    first, second = complex(x, y) - middle, complex(-x, -y) - middle
    angle = acos(max(-1.0, min(1.0, (first.conjugate() * second).real)))
    if (first.conjugate() * second).imag < 0:
        angle = -angle
    if sweep and angle < 0:
        angle += 2 * pi
    elif not sweep and angle > 0:
        angle -= 2 * pi
    steps = ceil(abs(angle) / CHORD_STEP - 1e-9) or 1
    points = []
    for n in range(1, steps):
        unit = middle + first * complex(cos(angle * n / steps), sin(angle * n / steps))
        points.append(complex(unit.real * rx, unit.imag * ry) * turn + (start + end) / 2)
    return [*points, end]
