"""Boxes of templates: tracks go round, hexes are regular and stay in their room, rows fill theirs."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import hypot, isclose, sqrt

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.drawing.face_boxes import MAX_BOXES, lay_hexes, lay_rows, lay_track
from ppgen.engine.geometry import Rect
from ppgen.engine.guard.refusals import RefusedError

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


@given(rooms, st.integers(1, 60))
def test_a_track_in_a_row_and_a_column_fills_its_length(room, count):
    row, column = (lay_track(1, count, along, None, room) for along in ("row", "column"))
    assert isclose(sum(box.width for box in row), room.width)
    assert isclose(sum(box.height for box in column), room.height)
    assert isclose(column[0].y + column[0].height, room.bottom, abs_tol=SLACK)
    assert row[0].height <= row[0].width + SLACK


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
    distances = [hypot(one.cx - other.cx, one.cy - other.cy) for one, other in combinations(boxes[:columns + 2], 2)]
    assert not distances or isclose(min(distances), sqrt(3) * side, rel_tol=1e-6) or columns * rows < 3


@given(rooms, st.integers(1, 60), st.integers(1, 9), st.floats(0, 2))
def test_rows_fill_their_room(room, count, columns, gap):
    boxes = lay_rows(count, columns, gap, room)
    assert len(boxes) == count
    assert all(room.contains(rect(box)) for box in boxes)
    assert isclose(max(box.y + box.height for box in boxes), room.bottom, abs_tol=SLACK)
    assert not any(rect(one).overlaps(rect(other)) for one, other in combinations(boxes, 2))


ROOM = Rect(0, 0, 60, 80)
SLIPS = {
    "too short a track": (lambda: lay_track(1, 7, "edge", None, ROOM), "7 fields do not go round a board"),
    "an unknown way": (lambda: lay_track(1, 9, "circle", None, ROOM), "along 'circle' is not known"),
    "a deep track": (lambda: lay_track(1, 9, "edge", 30, ROOM), "corners of 30 mm are too large"),
    "no depth": (lambda: lay_track(1, 9, "row", 0, ROOM), "depth is 0 mm"),
    "a track backwards": (lambda: lay_track(9, 1, "row", None, ROOM), "is to make -7 boxes"),
    "many fields": (lambda: lay_track(0, MAX_BOXES, "edge", None, ROOM), "is to make 10,001 boxes"),
    "many hexes": (lambda: lay_hexes(999, 999, False, ROOM), "is to make 998,001 boxes"),
    "half a row": (lambda: lay_rows(2.5, 1, 0, ROOM), "rows() is given '2.5' in place of a whole number"),
    "wide gaps": (lambda: lay_rows(4, 2, 60, ROOM), "4 boxes with gaps of 60 mm have no room"),
}


@pytest.mark.parametrize(("call", "what"), SLIPS.values(), ids=SLIPS)
def test_slips_are_refused(call, what):
    with pytest.raises(RefusedError) as refused:
        call()
    assert what in str(refused.value)


def test_none_is_no_box():
    assert lay_rows(0, 3, 1, ROOM) == lay_hexes(0, 3, False, ROOM) == lay_track(1, 0, "row", None, ROOM) == []
