"""Shapes by name and by path, what is no shape; nets of folded pieces: panels, folds, glue."""

from dataclasses import replace

import pytest

from ppgen.engine.component import Component
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import LineSegment, Point, Rect, Size
from ppgen.engine.shapes import (CIRCLE, HEXAGON, RECTANGLE, UNDERLAP_MM, Shape, ShapeKind, area, die, path_shape,
                                 rounded_shape, standee, tent)
from ppgen.printing.tuck_box import box_net

BOX = Rect(0, 0, 100, 100)
SHIELD = "M10 8H90V48C90 74 72 88 50 97C28 88 10 74 10 48Z"
BOOT = "M0 0H50V60H100V100H0Z"


def test_path_data_becomes_a_ring_of_its_area_or_is_refused(golden_cases):
    def answer(data):
        try:
            yield f"{abs(area(path_shape(data, BOX).outline(BOX.size).points)):.0f}"
        except ValueError as error:
            yield error

    golden_cases("paths", answer)


def test_what_is_symmetrical_is_the_same_from_behind():
    for shape in (RECTANGLE, CIRCLE, HEXAGON, rounded_shape(2), path_shape(SHIELD, BOX)):
        assert shape.mirrored is shape
    boot = path_shape(BOOT, BOX)
    assert boot.mirrored != boot
    assert boot.mirrored.outline(BOX.size).vertices[1].at == Point(50, 0)
    folded = Shape(folds=(LineSegment(Point(0.2, 0), Point(0.2, 1)),))
    assert folded.mirrored.place_folds(Rect(5, 0, 10, 10)) == (LineSegment(Point(13, 10), Point(13, 0)),)


def test_a_back_has_the_shape_of_its_front_from_behind():
    front = FaceRequest(template="a", size=Size(10, 10), values={}, shape=path_shape(BOOT, BOX))
    back = FaceRequest(template="b", size=Size(10, 10), values={}, shape=front.shape.mirrored)
    assert Component(id="boot", front=front, back=back).shape.kind is ShapeKind.PATH
    with pytest.raises(ValueError, match="boot: the back has not the shape"):
        Component(id="boot", front=front, back=front)


@pytest.mark.parametrize("net", [die(16), tent(10, 8, 9, 4), standee(Size(9, 18), 5), box_net(Size(45, 69), 19)])
def test_the_shape_of_a_net_is_its_outline_with_its_folds(net):
    shape, trim = net.shape, Rect(20, 30, net.size.width, net.size.height)
    placed = shape.outline(net.size).place(trim, 0)
    moved = [Point(20 + point.x, 30 + point.y) for point in net.outline]
    assert all(abs(a.x - b.at.x) < 1e-5 and abs(a.y - b.at.y) < 1e-5
               for a, b in zip(moved, placed.vertices, strict=True))
    folds = shape.place_folds(trim)
    assert len(folds) == len(net.folds)
    for fold, own in zip(folds, net.folds, strict=True):
        assert fold.start.x == pytest.approx(own.start.x + 20, abs=1e-5)
        assert fold.end.y == pytest.approx(own.end.y + 30, abs=1e-5)
    assert shape.kind is (ShapeKind.PATH if len(net.outline) > 4 else ShapeKind.RECTANGLE)


@pytest.mark.parametrize("net", [die(16), tent(10, 8, 9, 4), standee(Size(9, 18), 5), box_net(Size(45, 69), 19)])
def test_a_panel_bleeds_where_it_is_free_and_reaches_under_panels_drawn_later(net):
    for number, name in enumerate(net.panels):
        panel, room = net.panels[name], net.panel_room(name, 2)
        assert room.contains(panel)
        sides = {"left": panel.x - room.x, "top": panel.y - room.y, "right": room.right - panel.right,
                 "bottom": room.bottom - panel.bottom}
        for side, reach in sides.items():
            strip = {"left": replace(panel, x=panel.x - 0.1, width=0.1),
                     "right": replace(panel, x=panel.right, width=0.1),
                     "top": replace(panel, y=panel.y - 0.1, height=0.1),
                     "bottom": replace(panel, y=panel.bottom, height=0.1)}[side]
            later = [at > number for at, other in enumerate(net.panels.values()) if other.overlaps(strip)]
            assert reach == pytest.approx(UNDERLAP_MM if later and all(later) else 0 if later else 2), (name, side)


def test_corners_are_at_most_as_round_as_the_piece_allows():
    assert rounded_shape(11).outline(Size(22, 22)) == CIRCLE.outline(Size(22, 22))
    assert rounded_shape(12).outline(Size(22, 30)) == rounded_shape(11).outline(Size(22, 30))
