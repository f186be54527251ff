"""Turns areas that are painted one over another into the paint that shows at a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from ppgen.engine.guard.prices import RefusedError
from ppgen.engine.svg.matrix import Matrix


@dataclass(frozen=True, slots=True)
class _Area:
    paint: str
    points: tuple[complex, ...]
    left: float
    top: float
    right: float
    bottom: float


@dataclass(slots=True)
class Grounds:
    """The areas painted so far, the uppermost last. Points are x + y·i, moved by a matrix.

    Only so many ``looks`` may be taken at areas and at the points of their rings.
    """

    looks: int
    areas: list[_Area] = field(default_factory=list)

    def paint(self, paint: str, ring: Sequence[complex], matrix: Matrix) -> None:
        moved = tuple(_moved(point, matrix) for point in ring)
        across, down = [point.real for point in moved], [point.imag for point in moved]
        self.areas.append(_Area(paint, moved, min(across), min(down), max(across), max(down)))

    def under(self, place: complex, matrix: Matrix, first: int = 0) -> str:
        """The paint at a place, of the ``first`` area or a later one; empty if none lies there. Raises RefusedError."""
        at = _moved(place, matrix)
        for area in islice(reversed(self.areas), len(self.areas) - first):
            self.spend(1)
            if area.left <= at.real <= area.right and area.top <= at.imag <= area.bottom:
                self.spend(len(area.points))
                if _holds(area.points, at):
                    return area.paint
        return ""

    def spend(self, looks: int) -> None:
        """Take so many of the looks. Raises RefusedError if there are none left."""
        self.looks -= looks
        if self.looks < 0:
            raise RefusedError("woodcut() is given too many lines and areas one over another",
                               "draw less of it")


def middle(points: Sequence[complex], closed: bool) -> complex:
    """A place in the middle of a line, or of the ring that it is."""
    return sum(points) / len(points) if closed else points[len(points) // 2]


def _moved(point: complex, matrix: Matrix) -> complex:
    a, b, c, d, e, f = matrix
    return complex(a * point.real + c * point.imag + e, b * point.real + d * point.imag + f)


def _holds(ring: Sequence[complex], at: complex) -> bool:
    """Whether the ring holds the place: a line from it to the right crosses the ring an odd number of times."""
    inside = False
    for a, b in pairwise((*ring, ring[0])):
        if (a.imag > at.imag) != (b.imag > at.imag) and \
                at.real < a.real + (at.imag - a.imag) / (b.imag - a.imag) * (b.real - a.real):
            inside = not inside
    return inside
