"""Lines of points as smooth paths, the ground that they take, and what is placed on the ground left free."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist

from hypothesis import given, strategies as st

from ppgen.games.board_game.board import BoardPoint
from ppgen.games.board_game.drawn_map import curve, loop
from tools.board_map.shapes import simplify

points = st.builds(BoardPoint, st.floats(0, 50), st.floats(0, 40))
lines = st.lists(points, min_size=2, max_size=12, unique=True).map(tuple)


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


def test_a_curve_goes_through_its_ends_and_the_middles_between() -> None:
    line = (BoardPoint(0, 0), BoardPoint(10, 0), BoardPoint(10, 10), BoardPoint(20, 10))
    assert curve(line) == "M0 0Q10 0 10 5Q10 10 20 10"
    assert curve(line, lambda point: point == (10, 0)) == "M0 0L10 0Q10 10 20 10"
    assert curve(line[:2]) == "M0 0L10 0"


def test_backwards_a_curve_is_the_same() -> None:
    """Two lands that share a border draw the same line."""
    line = (BoardPoint(0, 0), BoardPoint(4, 2), BoardPoint(8, 1), BoardPoint(14, 6), BoardPoint(20, 0))
    there, back = numbers(curve(line)), numbers(curve(line[::-1]))
    pairs = list(zip(there[::2], there[1::2], strict=True))
    assert pairs == list(zip(back[::2], back[1::2], strict=True))[::-1]


def test_a_ring_is_closed_where_it_began() -> None:
    path = loop((BoardPoint(0, 0), BoardPoint(10, 0), BoardPoint(10, 10), BoardPoint(0, 10)))
    assert numbers(path)[:2] == numbers(path)[-2:]
    assert path.endswith("Z")


@given(lines)
def test_a_simpler_line_keeps_its_ends_and_stays_near(line: tuple[BoardPoint, ...]) -> None:
    short = simplify(line, 1.0)
    assert (short[0], short[-1]) == (line[0], line[-1])
    assert set(short) <= set(line)
    assert all(min(_away(point, *ends) for ends in pairwise(short)) <= 1 + 1e-9 for point in line)


def _away(point: BoardPoint, one: BoardPoint, other: BoardPoint) -> float:
    length = dist(one, other) ** 2
    along = ((point.x - one.x) * (other.x - one.x) + (point.y - one.y) * (other.y - one.y)) / length
    share = min(1.0, max(0.0, along))
    return dist(point, (one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share))
