"""Outlines, and the shapes of pieces that they bound."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from math import acos, atan, atan2, ceil, cos, fsum, hypot, pi, radians, sin, sqrt, tan
from operator import itemgetter

from ppgen.engine.geometry import Insets, LineSegment, Point, Rect, Size, bounding_box, format_decimal
from ppgen.engine.svg.elements import path_steps
from ppgen.engine.svg.subset import NUMBER, is_valid_value
from ppgen.errors import Phrase
from ppgen.records import dataclass, field, replace

# --- Outlines ---
# Outlines of pieces: paths of corners and arcs in millimetres, y down; and SVG path data as chains of points.

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


# --- Shapes ---
# A component sets the shape of its faces: ``FaceRequest(…, size=Size(12, 12), shape=CIRCLE)``. The template draws to
# ``face.outline`` (path data in mm of the trim) and beyond, as far as the bleed; anything further out is clipped.
# Sheets place the piece on its trim, with a line to cut along; cut files, virtual tables and pictures follow the
# outline. A net is used in the same way: its size and shape go to the face, and the net itself to the template::
#
#     net = tent(length=10, base=8, roof=9, tab=4)
#     FaceRequest(template=…, size=net.size, shape=net.shape, values={"net": net, …})
#
# The template draws each of ``net.panels`` (rectangles of the trim, in mm; those in ``net.turned`` are upside down on
# the sheet, so they are drawn turned by 180 degrees), and nothing on ``net.glued``. Sheets show where to cut and, with
# marks outside the piece, where to fold; cut files have the folds on their own layer; the making guide explains the
# folding.

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
    """True also for lines that touch, to a billionth: a shape and its mirror image are judged alike."""
    near = 1e-9
    if (max(a.x, b.x) < min(c.x, d.x) - near or max(c.x, d.x) < min(a.x, b.x) - near
            or max(a.y, b.y) < min(c.y, d.y) - near or max(c.y, d.y) < min(a.y, b.y) - near):
        return False
    sides = [round(area(ring), 12) for ring in ((a, b, c), (a, b, d), (c, d, a), (c, d, b))]
    return sides[0] * sides[1] <= 0 and sides[2] * sides[3] <= 0


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


def is_inside(ring: Sequence[complex], x: float, y: float) -> bool:
    """True if the ring contains the point: a ray from it to the right crosses the ring an odd number of times."""
    inside, a = False, ring[-1]
    is_below = a.imag > y
    for b in ring:
        if (b.imag > y) is not is_below:
            is_below = not is_below
            if x < a.real + (y - a.imag) / (b.imag - a.imag) * (b.real - a.real):
                inside = not inside
        a = b
    return inside
