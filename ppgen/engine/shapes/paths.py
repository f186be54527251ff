"""Turns SVG path data (SVG 1.1, 8.3) into chains of points: each of its lines, curves as chords. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt

from ppgen.engine.geometry import Point
from ppgen.engine.svg.subset import NUMBER, fits

LARGEST = 1e6
"""Numbers beyond it are no places on a piece."""
CURVE, STEP = 24, radians(7.5)
"""So many chords make a Bézier curve; an arc has a chord for each such angle."""
FEW = 12
"""Chords of a curve at most, where they may lie beside it."""
_COMMAND = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*+)")  # an e belongs to a number
_TAKES = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "S": 4, "Q": 4, "C": 6, "A": 7}
_SMOOTH = {"S": "CS", "T": "QT"}
"""What a smooth curve goes on from."""

Chain = tuple[tuple[complex, ...], bool]
"""The points of a line (x + y·i, in the path's own units), and whether it is closed."""


def ring_of(data: str) -> tuple[Point, ...]:
    """The points of the one closed ring that the path data has, each once.

    ValueError for what is no path data, too far away, or more than one ring.
    """
    if not fits("d", data):
        raise ValueError("the outline is not path data (it begins with M; each command has its numbers)")
    if any(abs(float(number)) > LARGEST for number in NUMBER.findall(data)):
        raise ValueError("the outline is out of range")
    (points, _), *more = chains_of(data)
    if more:
        raise ValueError("the outline has more than one ring")
    return tuple(Point(place.real, place.imag) for n, place in enumerate(points) if abs(place - points[n - 1]) > 1e-9)


def chains_of(data: str, bend: float = 0.0) -> tuple[Chain, ...]:
    """The lines of path data that fits the subset. Chords that may lie about ``bend`` from their curve are few."""
    chains: list[Chain] = []
    points: list[complex] = []
    at = control = 0j  # the latter is where the last curve came from, for S and T
    last = ""
    for command, words in _COMMAND.findall(data):
        kind = command.upper()
        if kind == "Z":
            if points:
                chains.append((tuple(points), True))
                at, points = points[0], []
            last = kind
            continue
        numbers, takes = [float(number) for number in NUMBER.findall(words)], _TAKES[kind]
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


def _drawn(kind: str, at: complex, origin: complex, given: Sequence[float], control: complex,
           bend: float) -> tuple[list[complex], complex]:
    """The points of one command after ``at``, and the last control point of its curve."""
    if kind == "A":
        found = arc(at, list(given), origin + complex(*given[5:]))
        least = max(min(abs(given[0]), abs(given[1])), bend)
        every = max(1, int(2 * acos(1 - bend / least) / STEP)) if bend else 1
        return [*found[every - 1:-1:every], found[-1]], at
    if kind in "HV":
        return [complex(origin.real + given[0], at.imag) if kind == "H" else
                complex(at.real, origin.imag + given[0])], at
    ends = [origin + complex(*given[i:i + 2]) for i in range(0, len(given), 2)]
    if kind in _SMOOTH:
        ends.insert(0, 2 * at - control)
    return (list(_curve([at, *ends], bend)), ends[-2]) if len(ends) > 1 else (ends, at)


def _curve(ends: list[complex], bend: float) -> Iterator[complex]:
    """The chords of a Bézier curve of any degree, without its beginning (de Casteljau)."""
    count = _chords(ends, bend) if bend else CURVE
    for n in range(1, count + 1):
        row, share = ends, n / count
        while len(row) > 1:
            row = [a + (b - a) * share for a, b in pairwise(row)]
        yield row[0]


def _chords(ends: Sequence[complex], bend: float) -> int:
    """How many chords lie near enough, from the curve's second differences."""
    swing = max(abs(a - 2 * b + c) for a, b, c in zip(ends, ends[1:], ends[2:], strict=False))
    degree = len(ends) - 1
    return min(FEW, max(1, ceil(sqrt(degree * (degree - 1) / 8 * swing / bend))))


def arc(start: complex, given: list[float], end: complex) -> list[complex]:
    """An elliptical arc, without its beginning (SVG 1.1, F.6.5)."""
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
    steps = ceil(abs(angle) / STEP - 1e-9) or 1
    found = []
    for n in range(1, steps):
        unit = middle + first * complex(cos(angle * n / steps), sin(angle * n / steps))
        found.append(complex(unit.real * rx, unit.imag * ry) * turn + (start + end) / 2)
    return [*found, end]
