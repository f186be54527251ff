"""Lines on the board: how far apart, whether one crosses the other, what lies inside a ring. Millimetres.

Written by hand: a library for geometry is larger than the rest of what the program needs, and judging a map takes it
a quarter of a second this way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import floor, hypot
from typing import Generic, TypeVar

from ppgen.games.board_game.board.model import Line, Point

Segment = tuple[Point, Point]
T = TypeVar("T")

CELL = 12.0
"""The side of an index's squares: a few of the segments of a border lie in each."""


def segments(line: Line, closed: bool = False) -> Iterator[Segment]:
    """The straight pieces of a line; of a ring, the one back to its beginning, too."""
    yield from pairwise((*line, line[0]) if closed else line)


def distance(point: Point, line: Line, closed: bool = False) -> float:
    """How far a point lies from a line."""
    return min(_to_segment(point, *segment) for segment in segments(line, closed))


def near(point: Point, line: Line, reach: float) -> bool:
    """Whether a point may lie within reach of a line: it does of the line's bounding box."""
    across, down = [place.x for place in line], [place.y for place in line]
    return (min(across) - reach <= point.x <= max(across) + reach
            and min(down) - reach <= point.y <= max(down) + reach)


def is_inside(point: Point, ring: Line) -> bool:
    """Whether a point lies inside a ring."""
    inside = False
    for (x0, y0), (x1, y1) in segments(ring, closed=True):
        if (y0 > point.y) != (y1 > point.y) and point.x < x0 + (x1 - x0) * (point.y - y0) / (y1 - y0):
            inside = not inside
    return inside


def signed_area(ring: Line) -> float:
    """The area of a ring; negative if it runs the other way round."""
    return sum(one.x * other.y - other.x * one.y for one, other in segments(ring, closed=True)) / 2


def crossing(one: Segment, other: Segment) -> Point | None:
    """Where two segments cross; touching is no crossing."""
    (a, b), (c, d) = one, other
    across = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
    if not across:
        return None
    along = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / across
    share = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / across
    if 1e-9 < along < 1 - 1e-9 and 1e-9 < share < 1 - 1e-9:
        return Point(a.x + along * (b.x - a.x), a.y + along * (b.y - a.y))
    return None


def square(middle: Point, side: float) -> Line:
    """The corners of a square that stands straight."""
    half = side / 2
    return tuple(Point(middle.x + x * half, middle.y + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def from_square(point: Point, middle: Point, side: float) -> float:
    """How far a point lies from a square; 0 inside."""
    return hypot(max(abs(point.x - middle.x) - side / 2, 0), max(abs(point.y - middle.y) - side / 2, 0))


class Index(Generic[T]):
    """Segments by the squares of the board that they lie in, each with whose it is."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Segment, T]]] = defaultdict(list)

    def add(self, found: Sequence[Segment] | Iterator[Segment], owner: T) -> None:
        for segment in found:
            for cell in _cells(segment):
                self._cells[cell].append((segment, owner))

    def crossings(self, segment: Segment) -> Iterator[tuple[Point, Segment, T]]:
        """Where indexed segments cross this one, some of them perhaps twice."""
        for cell in _cells(segment):
            for other, owner in self._cells.get(cell, ()):
                if point := crossing(segment, other):
                    yield point, other, owner


def _cells(segment: Segment) -> Iterator[tuple[int, int]]:
    (x0, y0), (x1, y1) = segment
    for column in range(floor(min(x0, x1) / CELL), floor(max(x0, x1) / CELL) + 1):
        for row in range(floor(min(y0, y1) / CELL), floor(max(y0, y1) / CELL) + 1):
            yield column, row


def _to_segment(point: Point, start: Point, end: Point) -> float:
    across, down = end.x - start.x, end.y - start.y
    length = across * across + down * down
    share = ((point.x - start.x) * across + (point.y - start.y) * down) / length if length else 0.0
    share = min(1.0, max(0.0, share))
    return hypot(point.x - start.x - share * across, point.y - start.y - share * down)
