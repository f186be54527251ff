"""Turns a cut sheet into DXF as AutoCAD R12 wrote it, in millimetres: what every cutter's program opens.

The home of ezdxf. Closed cuts are closed polylines, corners true arcs (bulges), each kind of line on a layer of its
own. DXF counts y upwards: this module turns it over.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ppgen.engine.cutting.outlines import CutSheet, Outline
from ppgen.engine.geometry import Point, Rect, bounds

if TYPE_CHECKING:
    from ezdxf.document import Drawing
    from ezdxf.layouts.layout import Modelspace

LAYERS = {"FOLD": 5, "CUT": 1, "REGISTRATION": 7}
"""The layers in the order in which they are run, with their colours (AutoCAD colour index: blue, red, black)."""
_VERSION = "  1\nAC1009\n"
_UNITS = "  9\n$INSUNITS\n 70\n     4\n"


def to_dxf(sheet: CutSheet) -> bytes:
    """The drawing as a DXF file; the same sheet gives the same bytes."""
    import ezdxf  # half a second: only for who cuts

    options = ezdxf.options  # type: ignore[attr-defined]  # public by its documentation only
    before = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True  # else the hour of writing goes into the file
    try:
        text = io.StringIO()
        _document(sheet).write(text)
    finally:
        options.write_fixed_meta_data_for_testing = before
    # The variable is younger than R12, so ezdxf leaves it out; programs that know it read millimetres then, not inches.
    return text.getvalue().replace(_VERSION, _VERSION + _UNITS, 1).encode("ascii")


def _document(sheet: CutSheet) -> Drawing:
    from ezdxf.document import Drawing

    document = Drawing.new("R12")  # as ezdxf.new, which says on stderr that it leaves out the units of R12
    for name, colour in LAYERS.items():
        document.layers.add(name, color=colour)
    space, height = document.modelspace(), sheet.size.height
    for line in sheet.folds:
        space.add_line(_at(line.start, height), _at(line.end, height), dxfattribs={"layer": "FOLD"})
    for outline in sheet.cuts:
        _add(space, outline, height, "CUT")
    for mark in sheet.registration:
        _add(space, mark, height, "REGISTRATION")
    box = _box(sheet)
    low, high = _at(Point(box.x, box.bottom), height), _at(Point(box.right, box.y), height)
    space.reset_extents((*low, 0), (*high, 0))
    space.reset_limits((0, 0), (round(sheet.size.width, 4), round(height, 4)))
    return document


def _add(space: Modelspace, outline: Outline, height: float, layer: str) -> None:
    """A bulge above 0 runs anticlockwise in DXF, clockwise in the house."""
    points = [(*_at(vertex.at, height), -round(vertex.bulge, 9)) for vertex in outline.vertices]
    space.add_polyline2d(points, format="xyb", close=outline.closed, dxfattribs={"layer": layer})


def _at(point: Point, height: float) -> tuple[float, float]:
    """To a tenth of a micrometre, y up; no minus before a nought."""
    return round(point.x, 4) + 0.0, round(height - point.y, 4) + 0.0


def _box(sheet: CutSheet) -> Rect:
    points = [vertex.at for outline in (*sheet.cuts, *sheet.registration) for vertex in outline.vertices]
    points += [point for line in sheet.folds for point in (line.start, line.end)]
    return bounds(tuple(Rect(point.x, point.y, 0, 0) for point in points))
