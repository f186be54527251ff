"""Turns what lies on the board into cells that are taken: so that words and trees find room beside it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from math import ceil, dist, floor, inf, sqrt

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
        """Take the cells along a line on the area, so far to both sides of it, a cell more or less."""
        stamp = _stamp(radius)
        step = max(CELL, radius * 0.8)
        for one, other in pairwise((*points, points[-1])):
            count = max(1, ceil(dist(one, other) / step))
            for n in range(count):
                column = round((one.x + (other.x - one.x) * n / count) / CELL - 0.5)
                row = round((one.y + (other.y - one.y) * n / count) / CELL - 0.5)
                for away, left, cells in stamp:
                    if 0 <= row + away < self.lines:
                        self._rows[row + away] |= cells << column - left if column >= left else cells >> left - column

    def take_all(self, other: Ground) -> None:
        """Take what is taken of another ground of the same size."""
        self._rows = [one | more for one, more in zip(self._rows, other._rows, strict=True)]

    def take_rest(self, other: Ground) -> None:
        """Take what is free of another ground of the same size."""
        everything = (1 << self.columns) - 1
        self._rows = [one | everything & ~more for one, more in zip(self._rows, other._rows, strict=True)]

    def take_box(self, box: Rect) -> None:
        for row in range(max(0, floor(box.y / CELL)), min(self.lines, ceil(box.bottom / CELL))):
            self._take(row, box.x, box.right)

    def take_outside(self, rings: Iterable[Line]) -> None:
        """Take every cell whose middle lies in none of the rings."""
        crossings: dict[int, list[float]] = {}
        for ring in rings:
            for one, other in pairwise((*ring, ring[0])):
                top, bottom = sorted((one.y, other.y))
                for row in range(max(0, ceil(top / CELL - 0.5)), min(self.lines, ceil(bottom / CELL - 0.5))):
                    y = (row + 0.5) * CELL
                    crossing = one.x + (other.x - one.x) * (y - one.y) / (other.y - one.y)
                    crossings.setdefault(row, []).append(crossing)
        everything = (1 << self.columns) - 1
        self._rows = [each if row in crossings else everything for row, each in enumerate(self._rows)]
        for row, found in crossings.items():
            edges = [0.0, *sorted(found), self.columns * CELL]
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                self._take(row, left, right)

    def taken(self, box: Rect, most: float = inf) -> int:
        """How many cells of a box are taken, or some number above ``most``; all are if it reaches out of the area."""
        left, top, right, bottom = (floor(box.x / CELL), floor(box.y / CELL),
                                    ceil(box.right / CELL), ceil(box.bottom / CELL))
        if left < 0 or top < 0 or right > self.columns or bottom > self.lines:
            return (right - left) * (bottom - top)
        mask, count = (1 << (right - left)) - 1, 0
        for row in self._rows[top:bottom]:
            count += (row >> left & mask).bit_count()
            if count > most:
                break
        return count

    def _take(self, row: int, left: float, right: float) -> None:
        first, last = max(0, floor(left / CELL)), min(self.columns, ceil(right / CELL))
        if last > first:
            self._rows[row] |= (1 << last) - (1 << first)


@cache
def _stamp(radius: float) -> tuple[tuple[int, int, int], ...]:
    """The rows of a disc about a cell: how far below it, how far to the left it begins, and its cells."""
    reach = ceil(radius / CELL)
    halves = {away: int(sqrt(max(0.0, (radius / CELL + 0.3) ** 2 - away * away))) for away in range(-reach, reach + 1)}
    return tuple((away, half, (1 << 2 * half + 1) - 1) for away, half in halves.items())
