"""Nets of folded pieces: panels, folds, glue."""

from itertools import combinations

import pytest

from ppgen.engine.geometry import LineSegment, Point, Rect, Size
from ppgen.engine.shapes import UNDERLAP_MM, ShapeKind, die, standee, tent
from ppgen.production.tuck_box import box_net


def test_a_tent_is_a_strip_of_base_two_roofs_and_a_tab_that_is_glued():
    net = tent(length=10, base=8, roof=9, tab=4)
    assert net.size == Size(10, 30)
    assert [fold.start.y for fold in net.folds] == [8, 17, 26]
    assert net.panels == {"base": Rect(0, 0, 10, 8), "back": Rect(0, 8, 10, 9), "front": Rect(0, 17, 10, 9),
                          "tab": Rect(0, 26, 10, 4)}
    assert net.glued == (net.panels["tab"],)
    assert net.turned == ("back",)


def test_a_standee_is_folded_at_its_head_and_has_two_feet():
    net = standee(Size(9, 18), feet=5)
    assert net.size == Size(9, 46)
    assert [(fold.start.x, fold.end.x, fold.start.y) for fold in net.folds] == [(0, 9, 5), (0, 9, 23), (0, 9, 41)]
    assert net.panels["front"] == Rect(0, 23, 9, 18)
    assert net.turned == ("back",)


def test_a_die_is_a_cross_whose_opposite_faces_sum_to_seven():
    net = die(16)
    panels = net.panels
    assert {(box.width, box.height) for box in panels.values()} == {(16, 16)}
    row = sorted((box.x, name) for name, box in panels.items() if box.y == panels["1"].y)
    assert "".join(name for _, name in row) == "3146"
    assert (panels["2"].bottom, panels["5"].y) == (panels["1"].y, panels["1"].bottom)
    assert len(net.outline) == 12 + 2 * 7  # the cross and its flaps
    assert not any(one.overlaps(other) for one, other in combinations(panels.values(), 2))


def test_a_panel_has_a_bleed_where_no_other_adjoins():
    net = die(16)
    top = net.panels["1"].y - 2
    assert net.panel_room("3", 2) == Rect(-2, top, 18, 20)
    assert net.panel_room("4", 2) == Rect(32, top, 16 + UNDERLAP_MM, 20)  # the 6 is drawn later, the 1 earlier
    assert net.panel_room("6", 2) == Rect(48, top, 18, 20)
    assert standee(Size(9, 18), 5).panel_room("front", 2) == Rect(-2, 23, 13, 18 + UNDERLAP_MM)


@pytest.mark.parametrize("net", [die(16), tent(10, 8, 9, 4), standee(Size(9, 18), 5), box_net(Size(45, 69), 19)])
def test_the_shape_of_a_net_is_its_outline_with_its_folds(net):
    shape, trim = net.shape, Rect(20, 30, net.size.width, net.size.height)
    placed = shape.outline(net.size).place(trim)
    moved = [Point(20 + point.x, 30 + point.y) for point in net.outline]
    assert all(abs(a.x - b.at.x) < 1e-5 and abs(a.y - b.at.y) < 1e-5
               for a, b in zip(moved, placed.vertices, strict=True))
    folds = shape.place_folds(trim)
    assert len(folds) == len(net.folds)
    for fold, own in zip(folds, net.folds, strict=True):
        assert fold.start.x == pytest.approx(own.start.x + 20, abs=1e-5)
        assert fold.end.y == pytest.approx(own.end.y + 30, abs=1e-5)
    assert shape.kind is (ShapeKind.PATH if len(net.outline) > 4 else ShapeKind.RECTANGLE)


def test_folds_of_a_turned_piece_are_turned():
    (first, *_) = tent(10, 8, 9, 4).shape.place_folds(Rect(0, 0, 10, 30), 180)
    assert first == LineSegment(Point(10, 22), Point(0, 22))
