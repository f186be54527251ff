"""Cutting machines: the cuts, folds and registration marks of a sheet, as SVG and DXF."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO

from ppgen.engine.geometry import LineSegment, Point, Rect, Size, bounding_box, format_decimal
from ppgen.engine.imposition.impose import nested_outlines
from ppgen.engine.imposition.sheets import Placement, Sheet
from ppgen.engine.shapes import RECTANGLE, Outline, Vertex, round_corners
from ppgen.records import dataclass

# Millimetres from the top left corner of the leaf that is put into the machine, y down.


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSheet:
    """The paths that a machine runs on one leaf, each kind in the order of cutting; ``size`` is that of the leaf."""

    size: Size
    cuts: tuple[Outline, ...]
    folds: tuple[LineSegment, ...] = ()
    registration: tuple[Outline, ...] = ()


def cut_sheet(sheet: Sheet, corners: float) -> CutSheet:
    """The cuts of a sheet's fronts above its fold; rectangles get round ``corners`` (mm). Raises ValueError."""
    front = sheet.sides[0]
    leaf = Rect(0, 0, sheet.leaf.width, sheet.leaf.height)
    # From left to right and from the top down, so that the sheet is fed in one direction.
    placements = sorted((placement for placement in front.placements if leaf.contains(placement.trim)),
                        key=lambda placement: (round(placement.trim.y, 3), round(placement.trim.x, 3)))
    folds = front.folds if sheet.leaf == sheet.size else ()
    nested = nested_outlines([placement for placement in placements if placement.clip])
    return CutSheet(size=leaf.size, cuts=nested or tuple(_cut(placement, corners) for placement in placements),
                    folds=(*folds, *(fold for placement in placements for fold in placement.folds)),
                    registration=registration_outlines(sheet))


def _cut(placement: Placement, corners: float) -> Outline:
    if placement.shape == RECTANGLE and not placement.tile:
        return round_corners(placement.trim, corners)
    return placement.outline


def registration_outlines(sheet: Sheet) -> tuple[Outline, ...]:
    """The registration marks on the side that the machine's camera sees."""
    return tuple(Outline(vertices=tuple(Vertex(point) for point in mark.path), closed=mark.kind == "square")
                 for mark in sheet.sides[0].registration)


# SVG in millimetres, with a layer for each kind of line.
#
# Layers are groups with Inkscape's attributes, which LightBurn and others read as well. Elements are plain, with
# their own attributes: not every cutter program reads style sheets and transforms.

HAIRLINE = "0.1"  # width of all lines in mm: machines follow the middle of a line, people must see it
SVG_LAYERS = {"fold": "#0000FF", "cut": "#FF0000", "registration": "#000000"}
"""Layers and their colours in the order of cutting: folds are scored while the sheet is whole."""


def to_svg(sheet: CutSheet) -> bytes:
    """Write the SVG file. The same sheet gives the same bytes."""
    from svgwrite import Drawing  # takes a tenth of a second, needed by cutters only
    from svgwrite.extensions import Inkscape

    width, height = format_decimal(sheet.size.width), format_decimal(sheet.size.height)
    drawing = Drawing(size=(f"{width}mm", f"{height}mm"), viewBox=f"0 0 {width} {height}", debug=False)
    layers = Inkscape(drawing)
    folds = tuple(Outline(vertices=(Vertex(line.start), Vertex(line.end)), closed=False) for line in sheet.folds)
    outlines = {"fold": folds, "cut": sheet.cuts, "registration": sheet.registration}
    for name, colour in SVG_LAYERS.items():
        layer = drawing.add(layers.layer(label=name, id=name, fill="none", stroke=colour, stroke_width=HAIRLINE))
        for number, outline in enumerate(outlines[name], 1):
            layer.add(drawing.path(d=outline.svg, id=f"{name}-{number}"))
    target = StringIO()
    drawing.write(target, pretty=True, indent=1)
    return target.getvalue().encode()


# DXF in millimetres, in the format of AutoCAD R12, which every cutter program opens.
#
# A DXF is a list of pairs of lines, a group code and its value (AutoCAD R12 Customization Manual, chapter 11). The few
# entries that a cut needs are written here, as the library for it takes a hundred megabytes. Closed cuts are closed
# polylines, corners true arcs (bulges), each kind of line on its own layer. In DXF y points up.

DXF_LAYERS = {"FOLD": 5, "CUT": 1, "REGISTRATION": 7}  # in the order of cutting (AutoCAD's blue, red, black)
MILLIMETRES = 4  # the value of `$INSUNITS`, which is younger than R12: programs that know it read millimetres
_CLOSED = 1

Pair = tuple[int, object]  # a group code and its value


def to_dxf(sheet: CutSheet) -> bytes:
    """Write the DXF file. The same sheet gives the same bytes."""
    return "".join(f"{code:>3}\n{value}\n" for code, value in _pairs(sheet)).encode("ascii")


def _pairs(sheet: CutSheet) -> Iterator[Pair]:
    height, box = sheet.size.height, _box(sheet)
    yield from ((0, "SECTION"), (2, "HEADER"))
    for name, pairs in (("$ACADVER", [(1, "AC1009")]), ("$INSUNITS", [(70, MILLIMETRES)]),
                        ("$EXTMIN", [*_at(Point(box.x, box.bottom), height), (30, 0.0)]),
                        ("$EXTMAX", [*_at(Point(box.right, box.y), height), (30, 0.0)]),
                        ("$LIMMIN", [(10, 0.0), (20, 0.0)]),
                        ("$LIMMAX", [(10, round(sheet.size.width, 4)), (20, round(height, 4))])):
        yield 9, name
        yield from pairs
    yield from ((0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"))
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"),
                (72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, len(DXF_LAYERS)))
    for layer, colour in DXF_LAYERS.items():
        yield from ((0, "LAYER"), (2, layer), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"), (0, "SECTION"), (2, "ENTITIES"))
    for line in sheet.folds:
        yield from ((0, "LINE"), (8, "FOLD"), *_at(line.start, height), *_at(line.end, height, 11))
    for layer, outlines in (("CUT", sheet.cuts), ("REGISTRATION", sheet.registration)):
        for outline in outlines:
            yield from _polyline(outline, height, layer)
    yield from ((0, "ENDSEC"), (0, "EOF"))


def _polyline(outline: Outline, height: float, layer: str) -> Iterator[Pair]:
    """A polyline. A positive bulge runs anticlockwise in DXF, clockwise in ppgen."""
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, _CLOSED if outline.closed else 0),
                (10, 0.0), (20, 0.0), (30, 0.0))
    for vertex in outline.vertices:
        yield from ((0, "VERTEX"), (8, layer))
        yield from _at(vertex.at, height)
        if bulge := round(vertex.bulge, 9):
            yield 42, -bulge
    yield from ((0, "SEQEND"), (8, layer))


def _at(point: Point, height: float, code: int = 10) -> list[Pair]:
    """A point to a tenth of a micrometre, y up, its x under ``code``; 0 is never written as -0."""
    return [(code, round(point.x, 4) + 0.0), (code + 10, round(height - point.y, 4) + 0.0)]


def _box(sheet: CutSheet) -> Rect:
    points = [vertex.at for outline in (*sheet.cuts, *sheet.registration) for vertex in outline.vertices]
    points += [point for line in sheet.folds for point in (line.start, line.end)]
    return bounding_box(tuple(Rect(point.x, point.y, 0, 0) for point in points))
