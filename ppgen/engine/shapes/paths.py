"""Turns SVG path data (SVG 1.1, 8.3) of one closed ring into a row of points: curves as chords. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import acos, ceil, cos, hypot, pi, radians, sin, sqrt

from ppgen.engine.geometry import Point
from ppgen.engine.svg.subset import NUMBER, VALUES

LARGEST = 1e6
"""Numbers beyond it are no places on a piece."""
CURVE, STEP = 24, radians(7.5)
"""So many chords make a Bézier curve; an arc has a chord for each such angle."""
_COMMAND = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*+)")  # an e belongs to a number
_TAKES = {"M": 2, "L": 2, "T": 2, "H": 1, "V": 1, "S": 4, "Q": 4, "C": 6, "A": 7, "Z": 0}


def ring_of(data: str) -> tuple[Point, ...]:
    """The points of the ring, each once. ValueError for what is no path data, too far away, or more than one ring."""
    if not VALUES["d"][1].fullmatch(data):
        raise ValueError("the outline is not path data (it begins with M; each command has its numbers)")
    points: list[complex] = []
    control, last = 0j, ""  # where the last curve came from, for S and T
    for command, words in _COMMAND.findall(data):
        kind, takes = command.upper(), _TAKES[command.upper()]
        if last == "Z" or (kind == "M" and points):
            raise ValueError("the outline has more than one ring")
        numbers = [float(number) for number in NUMBER.findall(words)]
        if any(abs(number) > LARGEST for number in numbers):
            raise ValueError("the outline is out of range")
        for n in range(0, len(numbers), takes or 1):
            at = points[-1] if points else 0j
            origin = at if command.islower() else 0j
            given = numbers[n:n + takes]
            if kind == "A":
                found = arc(at, given, origin + complex(*given[5:]))
            elif kind in "HV":
                found = [complex(origin.real + given[0], at.imag) if kind == "H" else
                         complex(at.real, origin.imag + given[0])]
            else:
                ends = [origin + complex(*given[i:i + 2]) for i in range(0, takes, 2)]
                if kind in "ST":
                    ends.insert(0, 2 * at - control if last in ("CS" if kind == "S" else "QT") else at)
                found = list(_curve([at, *ends])) if len(ends) > 1 else ends
                control = ends[-2] if len(ends) > 1 else ends[-1]
            points += found
            last = kind
        last = kind
    return tuple(Point(place.real, place.imag) for n, place in enumerate(points) if abs(place - points[n - 1]) > 1e-9)


def _curve(ends: list[complex]) -> Iterator[complex]:
    """A Bézier curve of any degree, without its beginning (de Casteljau)."""
    for n in range(1, CURVE + 1):
        row, share = ends, n / CURVE
        while len(row) > 1:
            row = [a + (b - a) * share for a, b in pairwise(row)]
        yield row[0]


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
