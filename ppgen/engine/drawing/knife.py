"""Turns path data into the same cut with a knife: few straight cuts for a curve, none quite where it should be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from math import ceil, log10
from random import Random
from zlib import crc32

from ppgen.engine.guard.prices import RefusedError
from ppgen.engine.shapes.paths import Chain, chains_of

BEND, CUT, MOST = 0.07, 2.4, 60
"""In mm: how far a cut may lie from its curve, and how long a straight one gets. And how many a line is cut into."""
FEW = 10_000
"""So many points a path may have, and one more for each character of its data."""
SMALL = 0.03
"""No point is pushed by more than this share of its line's size."""
FINE = 0.02
"""In mm: what is finer is not written."""


@dataclass(frozen=True, slots=True)
class Cut:
    """One line as it is cut: path data, its points in the path's units, whether it is closed."""

    data: str
    points: tuple[complex, ...]
    closed: bool


@lru_cache(maxsize=20_000)
def cuts(data: str, knife: float, scale: float) -> tuple[Cut, ...]:
    """The lines of path data as a knife cuts them; the same data is cut the same way each time.

    ``knife`` is how far a point is pushed at most, in mm; ``scale`` the mm of a unit of the path. Raises RefusedError
    for lines that are far too long.
    """
    chance = Random(crc32(data.encode()))
    decimals = max(0, ceil(log10(scale / FINE)))
    left, found = FEW + len(data), []
    for points, closed in chains_of(data, BEND / scale):
        if len(points) > 1:
            pushed = tuple(islice(_pushed((points, closed), knife, scale, chance), left + 1))
            left -= len(pushed)
            if left < 0:
                raise RefusedError("woodcut() is given lines that are far too long", "draw them in millimetres")
            found.append(Cut(_written(pushed, closed, decimals), pushed, closed))
    return tuple(found)


def _pushed(chain: Chain, knife: float, scale: float, chance: Random) -> Iterator[complex]:
    points, closed = chain
    size = abs(complex(max(p.real for p in points) - min(p.real for p in points),
                       max(p.imag for p in points) - min(p.imag for p in points)))
    far = min(knife / scale, SMALL * size)

    def push(point: complex, share: float = 1.0) -> complex:
        return point + complex(chance.uniform(-far, far), chance.uniform(-far, far)) * share

    if closed and abs(points[0] - points[-1]) < FINE / scale:
        points = points[:-1]
    ends = (*points, points[0]) if closed else points
    yield (first := push(points[0]))
    for start, end in pairwise(ends):
        steps = min(MOST, max(1, round(abs(end - start) * scale / CUT)))
        for n in range(1, steps):
            yield push(start + (end - start) * (n + chance.uniform(-0.2, 0.2)) / steps, 0.6)
        if end is not ends[-1] or not closed:
            yield push(end)
    if closed:
        yield first


def _written(points: tuple[complex, ...], closed: bool, decimals: int) -> str:
    """Relative steps, rounded so that the errors do not add up."""
    grid = 10 ** decimals
    at = [(round(point.real * grid), round(point.imag * grid)) for point in (points[:-1] if closed else points)]
    data = f"M{_number(at[0][0], decimals)}{_after(_number(at[0][1], decimals))}"
    steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(at) if (a, b) != (c, d)]
    for n, (x, y) in enumerate(steps):
        word = _number(x, decimals)
        data += ("l" + word if n == 0 else _after(word)) + _after(_number(y, decimals))
    return data + ("Z" if closed else "")


def _after(word: str) -> str:
    return word if word.startswith("-") else " " + word


def _number(units: int, decimals: int) -> str:
    """A number of so many decimals as short as SVG has it."""
    if not decimals or not units:
        return str(units)
    digits = str(abs(units)).rjust(decimals + 1, "0")
    whole, part = digits[:-decimals].lstrip("0"), digits[-decimals:].rstrip("0")
    return ("-" if units < 0 else "") + whole + ("." + part if part else "" if whole else "0")
