"""Boxes of templates: tracks go round, hexes are regular and stay in their room, rows fill theirs."""

from itertools import combinations, pairwise
from math import hypot, isclose, sqrt

from hypothesis import given, strategies as st

from ppgen.engine.drawing.face_tools import lay_hexes, lay_rows, lay_track
from ppgen.engine.geometry import Rect

rooms = st.builds(Rect, st.floats(-5, 50), st.floats(-5, 50), st.floats(40, 600), st.floats(40, 600))
SLACK = 1e-6


def rect(box) -> Rect:
    return Rect(box.x, box.y, box.width, box.height)


def touch(one: Rect, other: Rect) -> bool:
    """Whether they lie side by side: without a common area, with a common stretch of edge."""
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return abs(min(across, down)) < SLACK and max(across, down) > SLACK


@given(rooms, st.integers(8, 120), st.integers(-3, 40), st.one_of(st.none(), st.floats(1, 12)))
def test_a_track_goes_round_the_edge_from_field_to_field_and_closes(room, count, first, depth):
    boxes = lay_track(first, first + count - 1, "edge", depth, room)
    fields = [rect(box) for box in boxes]
    assert [box.n for box in boxes] == [*range(first, first + count)]
    assert all(touch(one, other) for one, other in pairwise([*fields, fields[0]]))
    assert not any(one.overlaps(other, SLACK) for one, other in combinations(fields, 2))
    assert all(room.contains(field, SLACK) for field in fields)
    assert isclose(fields[0].x, room.x)
    assert isclose(fields[0].bottom, room.bottom)
    assert fields[1].y < fields[0].y  # upwards first: clockwise


@given(rooms, st.integers(1, 20), st.integers(1, 20), st.booleans())
def test_hexes_are_regular_touch_and_stay_in_their_room(room, columns, rows, pointy):
    boxes = lay_hexes(columns, rows, pointy, room)
    assert [(box.n, box.q, box.r) for box in boxes] == [
        (n, n % columns, n // columns) for n in range(columns * rows)]
    side = boxes[0].side
    for box in boxes:
        assert room.contains(box.bounds, 1e-6)
        points = [tuple(map(float, point.split(","))) for point in box.points.split()]
        assert all(isclose(hypot(x - box.cx, y - box.cy), side, abs_tol=2e-4) for x, y in points)
        for x, y in ((box.x, box.y), (box.x + box.width, box.y + box.height)):  # its box lies inside of it
            across, down = (abs(y - box.cy), abs(x - box.cx)) if pointy else (abs(x - box.cx), abs(y - box.cy))
            assert across / sqrt(3) * sqrt(3) + down / sqrt(3) <= side + SLACK
            assert down <= side * sqrt(3) / 2 + SLACK
    bounds = [box.bounds for box in boxes]
    beside = [min(box.x for box in bounds) - room.x, room.right - max(box.right for box in bounds)]
    above = [min(box.y for box in bounds) - room.y, room.bottom - max(box.bottom for box in bounds)]
    if rows > 1 < columns:  # in the middle, and as large as one side allows
        assert isclose(*beside, abs_tol=1e-6) and isclose(*above, abs_tol=1e-6)
        assert min(beside[0], above[0]) < 1e-6
    distances = [hypot(one.cx - other.cx, one.cy - other.cy) for one, other in combinations(boxes[:columns + 2], 2)]
    assert not distances or isclose(min(distances), sqrt(3) * side, rel_tol=1e-6) or columns * rows < 3


@given(rooms, st.integers(1, 60), st.integers(1, 9), st.floats(0, 2))
def test_rows_fill_their_room(room, count, columns, gap):
    boxes = lay_rows(count, columns, gap, room)
    assert len(boxes) == count
    assert all(room.contains(rect(box)) for box in boxes)
    assert isclose(max(box.y + box.height for box in boxes), room.bottom, abs_tol=SLACK)
    assert not any(rect(one).overlaps(rect(other)) for one, other in combinations(boxes, 2))
    for one, other in pairwise(boxes):  # in reading order, all of a size, the gap between them
        assert isclose(one.width, other.width) and isclose(one.height, other.height)
        if isclose(one.y, other.y):
            assert isclose(other.x - one.x, one.width + gap)
        else:
            assert isclose(other.x, room.x) and isclose(other.y - one.y, one.height + gap)
    assert isclose(boxes[0].x, room.x) and isclose(boxes[0].y, room.y)
