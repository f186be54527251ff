"""Turns what lies on the board into cells that are taken: so that words and trees find room beside it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil, dist, floor, sqrt

from ppgen.engine.geometry import Rect
from ppgen.games.board_game.board.model import Line, Point

CELL = 0.5
"""The side of a cell, in mm."""


class Ground:
    """The cells of an area of so many millimetres, each taken or free; what is taken stays taken.

    A row of cells is a whole number with a bit for each, the first the lowest.
    """

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.lines = ceil(width / CELL), ceil(height / CELL)
        self._rows = [0] * self.lines

    def take_disc(self, at: Point, radius: float) -> None:
        """Take every cell that a disc touches."""
        for row in range(max(0, floor((at.y - radius) / CELL)), min(self.lines, ceil((at.y + radius) / CELL))):
            near = min(max(at.y, row * CELL), (row + 1) * CELL) - at.y
            half = sqrt(max(0.0, radius * radius - near * near))
            self._take(row, at.x - half, at.x + half)

    def take_line(self, points: Line, radius: float) -> None:
        """Take the cells along a line, so far to both sides of it."""
        step = max(CELL, radius * 0.8)
        for one, other in pairwise(points):
            count = max(1, ceil(dist(one, other) / step))
            for n in range(count):
                share = n / count
                self.take_disc(Point(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share), radius)
        self.take_disc(points[-1], radius)

    def take_all(self, other: Ground) -> None:
        """Take what is taken of another ground of the same size."""
        self._rows = [one | more for one, more in zip(self._rows, other._rows, strict=True)]

    def take_box(self, box: Rect) -> None:
        for row in range(max(0, floor(box.y / CELL)), min(self.lines, ceil(box.bottom / CELL))):
            self._take(row, box.x, box.right)

    def take_outside(self, rings: Iterable[Line]) -> None:
        """Take every cell whose middle lies in none of the rings."""
        crossings: list[list[float]] = [[] for _ in range(self.lines)]
        for ring in rings:
            for one, other in zip(ring, (*ring[1:], ring[0]), strict=True):
                top, bottom = sorted((one.y, other.y))
                for row in range(max(0, ceil(top / CELL - 0.5)), min(self.lines, ceil(bottom / CELL - 0.5))):
                    y = (row + 0.5) * CELL
                    crossings[row].append(one.x + (other.x - one.x) * (y - one.y) / (other.y - one.y))
        for row, found in enumerate(crossings):
            edges = [0.0, *sorted(found), self.columns * CELL]
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                self._take(row, left, right)

    def taken(self, box: Rect) -> int:
        """How many cells of a box are taken: all of them if it reaches out of the area."""
        left, top, right, bottom = (floor(box.x / CELL), floor(box.y / CELL),
                                    ceil(box.right / CELL), ceil(box.bottom / CELL))
        if left < 0 or top < 0 or right > self.columns or bottom > self.lines:
            return (right - left) * (bottom - top)
        mask = (1 << (right - left)) - 1
        return sum((row >> left & mask).bit_count() for row in self._rows[top:bottom])

    def _take(self, row: int, left: float, right: float) -> None:
        first, last = max(0, floor(left / CELL)), min(self.columns, ceil(right / CELL))
        if last > first:
            self._rows[row] |= (1 << last) - (1 << first)
