"""Turns SVG path data (SVG 1.1, 8.3) into chains of points: each of its lines, curves as few chords. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import acos, ceil, sqrt

from ppgen.engine.shapes.paths import STEP, arc
from ppgen.engine.svg.subset import NUMBER

_COMMAND = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*+)")  # an e belongs to a number
_TAKES = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "S": 4, "Q": 4, "C": 6, "A": 7, "Z": 0}
MOST = 12
"""Chords of a curve."""

Chain = tuple[tuple[complex, ...], bool]
"""The points of a line (x + y·i, in the path's own units), and whether it is closed."""


def chains_of(data: str, bend: float) -> tuple[Chain, ...]:
    """The lines of path data that fits the subset. A chord lies at most about ``bend`` from its curve."""
    chains: list[Chain] = []
    points: list[complex] = []
    at = control = 0j
    last = ""
    for command, words in _COMMAND.findall(data):
        kind = command.upper()
        if kind == "Z":
            if points:
                chains.append((tuple(points), True))
                at, points = points[0], []
            last = kind
            continue
        numbers = [float(number) for number in NUMBER.findall(words)]
        takes = _TAKES[kind]
        for n in range(0, len(numbers), takes):
            given = numbers[n:n + takes]
            origin = at if command.islower() else 0j
            if kind == "M" and n == 0:
                if points:
                    chains.append((tuple(points), False))
                at = origin + complex(*given)
                points = [at]
                continue
            points = points or [at]
            found, control = _drawn(kind, at, origin, given, control if last in _SMOOTH.get(kind, "") else at, bend)
            points += found
            at, last = found[-1], kind
        last = kind
    return (*chains, *([(tuple(points), False)] if points else []))


_SMOOTH = {"S": "CS", "T": "QT"}
"""What a smooth curve goes on from."""


def _drawn(kind: str, at: complex, origin: complex, given: Sequence[float], control: complex,
           bend: float) -> tuple[list[complex], complex]:
    """The points of one command after ``at``, and the last control point of its curve."""
    if kind == "A":
        found = arc(at, list(given), origin + complex(*given[5:]))
        least = max(min(abs(given[0]), abs(given[1])), bend)
        every = max(1, int(2 * acos(1 - bend / least) / STEP))
        return [*found[every - 1:-1:every], found[-1]], at
    if kind in "HV":
        return [complex(origin.real + given[0], at.imag) if kind == "H" else
                complex(at.real, origin.imag + given[0])], at
    ends = [origin + complex(*given[i:i + 2]) for i in range(0, len(given), 2)]
    if kind in _SMOOTH:
        ends.insert(0, 2 * at - control)
    return (list(_curve([at, *ends], bend)), ends[-2]) if len(ends) > 1 else (ends, at)


def _curve(ends: list[complex], bend: float) -> Iterator[complex]:
    """The chords of a Bézier curve, without its beginning; their number from its second differences."""
    swing = max(abs(a - 2 * b + c) for a, b, c in zip(ends, ends[1:], ends[2:], strict=False))
    degree = len(ends) - 1
    count = min(MOST, max(1, ceil(sqrt(degree * (degree - 1) / 8 * swing / bend))))
    for n in range(1, count + 1):
        row, share = ends, n / count
        while len(row) > 1:
            row = [a + (b - a) * share for a, b in pairwise(row)]
        yield row[0]
