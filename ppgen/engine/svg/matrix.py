"""Turns the transforms of SVG into matrices (SVG 1.1, 7.6)."""

from __future__ import annotations

import re
from functools import lru_cache
from math import cos, inf, isfinite, radians, sin, tan

from ppgen.engine.svg.subset import NUMBER

Matrix = tuple[float, float, float, float, float, float]
"""a b c d e f, as ``matrix()`` has them: x, y become ax + cy + e, bx + dy + f."""
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_TURN = re.compile(r"(\w+)\(([^)]*)\)")
_LARGEST = 1e9
_BEYOND: Matrix = (inf, inf, inf, inf, inf, inf)


@lru_cache(maxsize=10_000)
def matrix_of(words: str) -> Matrix:
    """The matrix of a ``transform`` that fits the subset; numbers beyond calculating give infinite ones."""
    whole = IDENTITY
    for name, inside in _TURN.findall(words):
        given = [float(number) for number in NUMBER.findall(inside)]
        if any(abs(number) > _LARGEST for number in given):
            return _BEYOND
        whole = product(whole, _one(name, given))
    return whole if all(map(isfinite, whole)) else _BEYOND


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does first the inner and then the outer one."""
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f


def _one(name: str, given: list[float]) -> Matrix:
    first = given[0]
    if name == "matrix":
        a, b, c, d, e, f = given
        return a, b, c, d, e, f
    if name == "translate":
        return 1, 0, 0, 1, first, given[1] if len(given) > 1 else 0
    if name == "scale":
        return first, 0, 0, given[1] if len(given) > 1 else first, 0, 0
    if name == "skewX":
        return 1, 0, tan(radians(first)), 1, 0, 0
    if name == "skewY":
        return 1, tan(radians(first)), 0, 1, 0, 0
    x, y = given[1:3] if len(given) > 2 else (0.0, 0.0)
    cosine, sine = cos(radians(first)), sin(radians(first))
    return cosine, sine, -sine, cosine, x - cosine * x + sine * y, y - sine * x - cosine * y
