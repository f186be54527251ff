"""Turns a cut sheet into DXF as AutoCAD R12 wrote it, in millimetres: what every cutter's program opens.

A DXF is pairs of lines, a group code and its value (AutoCAD R12 Customization Manual, chapter 11); the few kinds of
entry that a cut needs are written here, as the library for it weighs a hundred megabytes. Closed cuts are closed
polylines, corners true arcs (bulges), each kind of line on a layer of its own. DXF counts y upwards: this module
turns it over.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppgen.engine.cutting.outlines import CutSheet
from ppgen.engine.geometry import Line, Point, Rect, bounds
from ppgen.engine.shapes.outline import Outline

LAYERS = {"FOLD": 5, "CUT": 1, "REGISTRATION": 7}
"""The layers in the order in which they are run, with their colours (AutoCAD colour index: blue, red, black)."""
MILLIMETRES = 4
"""The value of ``$INSUNITS``. It is younger than R12: programs that know it read millimetres then, not inches."""
_CLOSED = 1

Pair = tuple[int, object]
"""A group code and its value."""


def to_dxf(sheet: CutSheet) -> bytes:
    """The drawing as a DXF file; the same sheet gives the same bytes."""
    return "".join(f"{code:>3}\n{value}\n" for code, value in _pairs(sheet)).encode("ascii")


def _pairs(sheet: CutSheet) -> Iterator[Pair]:
    height, box = sheet.size.height, _box(sheet)
    yield from _section("HEADER")
    for name, pairs in (("$ACADVER", [(1, "AC1009")]), ("$INSUNITS", [(70, MILLIMETRES)]),
                        ("$EXTMIN", [*_at(Point(box.x, box.bottom), height), (30, 0.0)]),
                        ("$EXTMAX", [*_at(Point(box.right, box.y), height), (30, 0.0)]),
                        ("$LIMMIN", [(10, 0.0), (20, 0.0)]),
                        ("$LIMMAX", [(10, round(sheet.size.width, 4)), (20, round(height, 4))])):
        yield 9, name
        yield from pairs
    yield 0, "ENDSEC"
    yield from _section("TABLES")
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1), (0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"),
                (72, 65), (73, 0), (40, 0.0), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, len(LAYERS)))
    for layer, colour in LAYERS.items():
        yield from ((0, "LAYER"), (2, layer), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))
    yield from _section("ENTITIES")
    for line in sheet.folds:
        yield from _line(line, height)
    for layer, outlines in (("CUT", sheet.cuts), ("REGISTRATION", sheet.registration)):
        for outline in outlines:
            yield from _polyline(outline, height, layer)
    yield from ((0, "ENDSEC"), (0, "EOF"))


def _section(name: str) -> Iterator[Pair]:
    yield 0, "SECTION"
    yield 2, name


def _line(line: Line, height: float) -> Iterator[Pair]:
    yield from ((0, "LINE"), (8, "FOLD"))
    yield from _at(line.start, height)
    yield from _at(line.end, height, 11)


def _polyline(outline: Outline, height: float, layer: str) -> Iterator[Pair]:
    """A bulge above 0 runs anticlockwise in DXF, clockwise in the house."""
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, _CLOSED if outline.closed else 0),
                (10, 0.0), (20, 0.0), (30, 0.0))
    for vertex in outline.vertices:
        yield from ((0, "VERTEX"), (8, layer))
        yield from _at(vertex.at, height)
        if bulge := round(vertex.bulge, 9):
            yield 42, -bulge
    yield from ((0, "SEQEND"), (8, layer))


def _at(point: Point, height: float, code: int = 10) -> list[Pair]:
    """A place to a tenth of a micrometre, y up, its x under the group code; no minus before a nought."""
    return [(code, round(point.x, 4) + 0.0), (code + 10, round(height - point.y, 4) + 0.0)]


def _box(sheet: CutSheet) -> Rect:
    points = [vertex.at for outline in (*sheet.cuts, *sheet.registration) for vertex in outline.vertices]
    points += [point for line in sheet.folds for point in (line.start, line.end)]
    return bounds(tuple(Rect(point.x, point.y, 0, 0) for point in points))
