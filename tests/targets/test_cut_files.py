"""``ppgen export cut``: drawings that match the printed sheets, read back without the libraries that wrote them."""

import io
import math
import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.cutting import CutSheet
from ppgen.engine.geometry import LineSegment, Point, Rect, Size
from ppgen.engine.shapes import Outline, Vertex, polygon, round_corners
from ppgen.targets.cut_files import FORMATS

NEAR = 0.01
"""What a drawing may be off its sheet, in mm."""
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


class Shape:
    """A way of the knife: its corners, y down, and whether it is closed; arcs as (start, end, centre, radius)."""

    def __init__(self, layer, points, closed, arcs=()):
        self.layer, self.points, self.closed, self.arcs = layer, points, closed, arcs

    @property
    def box(self):
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def read_svg(content):
    """The size in mm and the shapes, by layer."""
    root = ElementTree.fromstring(content)
    width, height = (float(re.fullmatch(r"([\d.]+)mm", root.get(key))[1]) for key in ("width", "height"))
    assert [float(number) for number in root.get("viewBox").split()] == [0, 0, width, height]
    shapes = []
    for layer in root.findall(f"{SVG}g"):
        assert layer.get(f"{INKSCAPE}groupmode") == "layer"
        assert layer.get(f"{INKSCAPE}label") == layer.get("id")
        assert layer.get("fill") == "none"
        shapes += [svg_shape(layer.get("id").upper(), path.get("d")) for path in layer.findall(f"{SVG}path")]
    return (width, height), shapes


def svg_shape(layer, data):
    points, arcs = [], []
    for command, numbers in re.findall(r"([MLAZ])([^MLAZ]*)", data):
        values = [float(number) for number in numbers.split()]
        if command == "A":
            radius, other, turn, large, sweep, x, y = values
            assert (radius, turn, large, sweep) == (other, 0, 0, 1)
            (x0, y0), right = points[-1], (y - points[-1][1]) * (x - points[-1][0]) > 0
            # A quarter, clockwise: its centre is one of the two corners of the box around start and end.
            arcs.append(((x0, y0), (x, y), (x0, y) if right else (x, y0), radius))
        if command != "Z":
            points.append((values[-2], values[-1]))
    closed = data.endswith("Z")
    if closed and math.dist(points[0], points[-1]) < 1e-9:
        points.pop()
    return Shape(layer, points, closed, arcs)


def read_dxf(content):
    """The limits of the drawing and its shapes, by layer, as another program opens them without complaint."""
    import ezdxf  # takes long, and each worker imports this module

    drawing = ezdxf.read(io.StringIO(content.decode("ascii")))
    audit = drawing.audit()
    assert not audit.errors and not audit.fixes
    assert (drawing.dxfversion, drawing.units) == ("AC1009", 4)  # millimetres
    width, height = drawing.header["$LIMMAX"][:2]
    assert [layer.dxf.name for layer in drawing.layers if layer.dxf.name.isupper()] == ["FOLD", "CUT", "REGISTRATION"]
    shapes = []
    for entity in drawing.modelspace():
        if entity.dxftype() == "LINE":
            ends = [(end.x, height - end.y) for end in (entity.dxf.start, entity.dxf.end)]
            shapes.append(Shape(entity.dxf.layer, ends, False))
        else:
            assert {vertex.dxf.layer for vertex in entity.vertices} == {entity.dxf.layer}
            points = [(vertex.dxf.location.x, height - vertex.dxf.location.y) for vertex in entity.vertices]
            shapes.append(Shape(entity.dxf.layer, points, entity.is_closed, []))
            add_arcs(shapes[-1], [vertex.dxf.get("bulge", 0) for vertex in entity.vertices])
    if points := [point for shape in shapes for point in shape.points]:
        (left, low), (right, high) = (drawing.header[key][:2] for key in ("$EXTMIN", "$EXTMAX"))
        assert near((left, height - high), map(min, zip(*points, strict=True)))
        assert near((right, height - low), map(max, zip(*points, strict=True)))
    return (width, height), shapes


def add_arcs(shape, bulges):
    """Where bulges bend the way: a quarter of a circle to the right, in DXF with a minus."""
    for (start, end), bulge in zip(pairwise([*shape.points, shape.points[0]]), bulges, strict=True):
        if bulge:
            assert bulge == pytest.approx(-math.tan(math.pi / 8), abs=1e-8)
            (x0, y0), (x1, y1) = start, end
            radius = math.dist(start, end) / (2 * math.sin(2 * math.atan(abs(bulge))))
            shape.arcs.append((start, end, (x0, y1) if (y1 - y0) * (x1 - x0) > 0 else (x1, y0), radius))


def near(one, other):
    return all(abs(a - b) < NEAR for a, b in zip(one, other, strict=True))


READERS = {"svg": read_svg, "dxf": read_dxf}


def places(low: float, high: float):
    return st.integers(int(low * 100), int(high * 100)).map(lambda number: number / 100)


POINTS = st.builds(Point, places(1, 200), places(1, 280))
CARDS = st.builds(lambda x, y, width, height, share: (Rect(x, y, width, height), round(share * min(width, height), 2)),
                  places(1, 100), places(1, 150), places(5, 90), places(5, 90), st.sampled_from([0, 0.1, 0.3]))


@settings(max_examples=8)
@given(st.lists(CARDS, min_size=1, max_size=4),
       st.lists(st.lists(POINTS, min_size=3, max_size=6, unique=True), max_size=2),
       st.lists(st.tuples(POINTS, POINTS).filter(lambda ends: ends[0] != ends[1]), max_size=3), st.booleans(),
       st.builds(Size, places(201, 300), places(281, 400)))
def test_both_formats_draw_all_that_a_sheet_has_in_its_order(cards, rings, folds, has_marks, size):
    bracket = Outline(vertices=tuple(map(Vertex, (Point(-1e-6, 9), Point(9, 9), Point(9, 30)))), closed=False)
    marks = (bracket,) * has_marks
    cuts = (*(round_corners(trim, radius) for trim, radius in cards), *map(polygon, rings))
    sheet = CutSheet(size=size, cuts=cuts, folds=tuple(LineSegment(*ends) for ends in folds), registration=marks)
    wanted = [*(("FOLD", ends, False) for ends in folds),
              *(("CUT", [vertex.at for vertex in cut.vertices], True) for cut in cuts),
              *(("REGISTRATION", [vertex.at for vertex in mark.vertices], False) for mark in marks)]
    for kind, write in FORMATS.items():
        drawn, shapes = READERS[kind](write(sheet))
        assert near(drawn, (size.width, size.height)) and b" -0.0" not in write(sheet).replace(b"\n", b" ")
        for shape, (layer, points, closed) in zip(shapes, wanted, strict=True):
            assert (shape.layer, shape.closed) == (layer, closed)
            assert all(near(found, (point.x, point.y)) for found, point in zip(shape.points, points, strict=True))
        for shape, (trim, radius) in zip([each for each in shapes if each.layer == "CUT"], cards, strict=False):
            assert near(shape.box, (trim.x, trim.y, trim.width, trim.height)) and len(shape.arcs) == 4 * bool(radius)
            for *ends, (x, y), found in shape.arcs:
                assert near((found, min(x - trim.x, trim.right - x), min(y - trim.y, trim.bottom - y)), (radius,) * 3)
                assert near([math.dist(end, (x, y)) for end in ends], (radius,) * 2)
