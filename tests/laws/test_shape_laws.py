"""Laws of shapes, over kinds, sizes, turns and bleeds."""

from itertools import pairwise
from math import cos, hypot, pi, sin

import pytest
from hypothesis import assume, given, strategies as st

from ppgen.engine.geometry import A4, Insets, Point, Rect, Size
from ppgen.engine.imposition.impose import impose
from ppgen.engine.imposition.sheets import Backs, Item, Marks, SheetSpec
from ppgen.engine.shapes import (CIRCLE, HEXAGON, OCTAGON, RECTANGLE, Shape, ShapeKind, arc_points, grow_outline,
                                 rounded_shape, standee, tent)
from tests.pdf_reading import box_around

SLACK = 1e-4
lengths = st.integers(100, 800).map(lambda tenths: tenths / 10)
sizes = st.builds(Size, lengths, lengths)


@st.composite
def stars(draw):
    """Paths around a middle, convex or not: no two ways of theirs cross."""
    reaches = draw(st.lists(st.integers(10, 50), min_size=3, max_size=12))
    return Shape(kind=ShapeKind.PATH, path=tuple(
        Point(0.5 + reach / 100 * cos(2 * pi * n / len(reaches)), 0.5 + reach / 100 * sin(2 * pi * n / len(reaches)))
        for n, reach in enumerate(reaches)))


shapes = st.sampled_from([RECTANGLE, CIRCLE, HEXAGON, OCTAGON, rounded_shape(4), tent(10, 8, 9, 4).shape,
                          standee(Size(9, 18), 5).shape]) | stars()


def inside(point, ring):
    found = False
    for a, b in pairwise((*ring, ring[0])):
        if (a.y > point.y) != (b.y > point.y) and point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x):
            found = not found
    return found


def distance(point, ring):
    """From a point to a ring, in mm."""
    found = []
    for a, b in pairwise((*ring, ring[0])):
        dx, dy = b.x - a.x, b.y - a.y
        along = max(0.0, min(1.0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy or 1)))
        found.append(hypot(a.x + along * dx - point.x, a.y + along * dy - point.y))
    return min(found)


@given(shapes, sizes, st.sampled_from([0, 180]), st.booleans())
def test_the_outline_and_the_folds_lie_within_the_trim(shape, size, turn, behind):
    trim = Rect(20, 30, size.width, size.height).grown(Insets.all(SLACK))
    seen = shape.mirrored if behind else shape
    points = seen.outline(size).place(Rect(20, 30, size.width, size.height), turn).points
    ends = [end for fold in seen.place_folds(Rect(20, 30, size.width, size.height), turn)
            for end in (fold.start, fold.end)]
    assert all(trim.contains(Rect(point.x, point.y, 0, 0)) for point in (*points, *ends))


@given(shapes, sizes, st.floats(0.2, 5), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=30,
                                                max_size=30))
def test_the_bleed_is_what_lies_no_further_than_it_from_the_outline(shape, size, bleed, places):
    outline = shape.outline(size)
    rings = grow_outline(outline, bleed)
    around = Rect(0, 0, size.width, size.height).grown(Insets.all(bleed * 1.5))
    for x, y in places:
        point = Point(around.x + x * around.width, around.y + y * around.height)
        far = 0.0 if inside(point, outline.points) else distance(point, outline.points)
        if abs(far - bleed) > 0.02:
            assert any(inside(point, ring) for ring in rings) == (far < bleed)


@given(shapes, sizes, st.integers(1, 12), st.sampled_from(Backs), st.sampled_from(Marks), st.booleans())
def test_on_a_sheet_no_bleed_and_no_mark_lies_on_another_piece(shape, size, count, backs, marks, has_back):
    spec = SheetSpec(paper=A4, backs=backs, marks=marks)
    items = [Item(id="piece", size=size, shape=shape, has_back=has_back) for _ in range(count)]
    assume(size.height < 90)
    for sheet in impose(items, spec, "part").sheets:
        for side in sheet.sides:
            for placed in side.placements:
                bleed = min(placed.bleed.top, placed.bleed.right, placed.bleed.bottom, placed.bleed.left)
                assert bleed > 1.9  # pieces with an outline of their own share no cut
                assert not any(placed.bleed_box.overlaps(other.trim)
                               for other in side.placements if other is not placed)
                assert not any(placed.bleed_box.overlaps(box_around((mark.start, mark.end)), SLACK)
                               for mark in side.creases)
            fronts = [placed for placed in side.placements if placed.face == "front"]
            shown = marks in (Marks.TICKS, Marks.LINES)
            assert len(side.outlines) == (len(fronts) if shown and not shape.is_ruled else 0)
            assert [*side.outlines] == [placed.outline for placed in fronts][:len(side.outlines)]
            if not shown:
                assert side.creases == ()
                continue
            for row in {round(placed.trim.y, 4): placed for placed in fronts}.values():
                for fold in (fold for fold in row.folds if abs(fold.start.y - fold.end.y) < SLACK):
                    beside = [mark for mark in side.creases if abs(mark.start.y - fold.start.y) < 1e-3]
                    assert [mark for mark in beside if mark.end.x < min(placed.trim.x for placed in fronts)]
                    assert [mark for mark in beside if mark.start.x > row.trim.right]


@given(st.floats(5, 40), st.floats(5, 40), st.floats(-90, 180), st.booleans(), st.booleans(),
       st.complex_numbers(min_magnitude=1, max_magnitude=9))
def test_an_arc_and_the_rest_of_it_go_once_around_their_ellipse(rx, ry, tilt, large, sweep, end):
    arc = arc_points(0j, [rx, ry, tilt, large, sweep], end)
    rest = arc_points(end, [rx, ry, tilt, not large, sweep], 0j)
    area = sum((a.conjugate() * b).imag for a, b in pairwise((0j, *arc, *rest))) / 2
    assert area == pytest.approx(pi * rx * ry * (1 if sweep else -1), rel=0.005)
    assert (len(arc) > len(rest)) == large
