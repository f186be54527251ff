"""Lines of points as smooth paths, the ground that they take, and what is placed on the ground left free."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.geometry import Rect
from ppgen.games.board_game.board import BoardPoint
from ppgen.games.board_game.drawn_map import curve, loop
from tools.board_map.drawing import place_mountains
from tools.board_map.labels import CELL, OccupancyGrid
from tools.board_map.scenery import Range
from tools.board_map.shapes import MOUTH, SPRING, river_shape, simplify

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


@given(points, st.floats(0.5, 8), points)
def test_a_disc_takes_every_cell_that_it_touches(middle: BoardPoint, radius: float, point: BoardPoint) -> None:
    ground = OccupancyGrid(60, 50)
    ground.take_disc(middle, radius)
    cell = Rect(point.x, point.y, 0.01, 0.01)
    if dist(middle, point) < radius:
        assert ground.count_taken(cell)
    elif dist(middle, point) > radius + 3 * CELL:
        assert not ground.count_taken(cell)


@given(lines, st.floats(0.5, 4), points)
def test_a_line_takes_what_is_beside_it(line: tuple[BoardPoint, ...], radius: float, point: BoardPoint) -> None:
    ground = OccupancyGrid(60, 50)
    ground.take_line(line, radius)
    nearest = min(_away(point, *ends) for ends in pairwise(line))
    if nearest > radius + 3 * CELL:
        assert not ground.count_taken(Rect(point.x, point.y, 0.01, 0.01))
    elif nearest < 0.6 * radius - CELL:
        assert ground.count_taken(Rect(point.x, point.y, 0.01, 0.01))


def test_what_is_outside_all_rings_is_taken() -> None:
    ground = OccupancyGrid(60, 50)
    ground.take_outside([(BoardPoint(10, 10), BoardPoint(30, 10), BoardPoint(30, 30), BoardPoint(10, 30)),
                         (BoardPoint(30, 10), BoardPoint(40, 10), BoardPoint(40, 30), BoardPoint(30, 30))])
    assert not ground.count_taken(Rect(11, 11, 28, 18))
    assert ground.count_taken(Rect(1, 1, 2, 2)) and ground.count_taken(Rect(50, 20, 2, 2))


def test_a_range_may_be_narrow_and_has_its_largest_mountain_in_the_middle() -> None:
    line = BoardPoint(50, 100), BoardPoint(250, 100)
    small, chain = ([*place_mountains(OccupancyGrid(300, 200), [Range(line=line, spread=spread)])]
                    for spread in (0.0, 12.0))
    assert {stand.size for stand in small} == {0.55}
    middle = [stand.size for stand in chain if 100 < stand.x < 200]
    assert min(middle) > max(stand.size for stand in chain if stand.x < 60)


def test_a_river_gets_wider_from_its_spring_to_its_mouth() -> None:
    path = river_shape(tuple(BoardPoint(5.0 * n, 100) for n in range(61)))
    ys = [float(y) for y in re.findall(r"[\d.]+ ([\d.]+)", path)]
    assert abs(ys[0] - 100) == pytest.approx(SPRING / 2)
    assert max(ys) - min(ys) == pytest.approx(MOUTH, abs=0.02)
