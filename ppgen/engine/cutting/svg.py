"""Turns a cut sheet into SVG in millimetres, a layer for each kind of line.

The layers are groups with Inkscape's marks, which LightBurn and others read as well. Plain elements with
attributes of their own: programs of cutters read neither style sheets nor transforms with certainty.
"""

from __future__ import annotations

from io import StringIO

from ppgen.engine.cutting.outlines import CutSheet
from ppgen.engine.geometry import Line
from ppgen.engine.shapes.outline import Outline, Vertex
from ppgen.engine.units import decimal

HAIRLINE = "0.1"
"""Width of all lines in mm: machines follow a line's middle, people must see it."""
COLOURS = {"fold": "#0000FF", "cut": "#FF0000", "registration": "#000000"}
"""The layers in the order in which they are run, with their colours: folds are scored while the sheet is whole."""


def to_svg(sheet: CutSheet) -> bytes:
    """The drawing as an SVG file; the same sheet gives the same bytes."""
    from svgwrite import Drawing  # a tenth of a second, only for cutters
    from svgwrite.extensions import Inkscape

    width, height = decimal(sheet.size.width), decimal(sheet.size.height)
    drawing = Drawing(size=(f"{width}mm", f"{height}mm"), viewBox=f"0 0 {width} {height}", debug=False)
    layers = Inkscape(drawing)
    ways = {"fold": map(_line, sheet.folds), "cut": (outline.svg for outline in sheet.cuts),
            "registration": (outline.svg for outline in sheet.registration)}
    for name, colour in COLOURS.items():
        layer = drawing.add(layers.layer(label=name, id=name, fill="none", stroke=colour, stroke_width=HAIRLINE))
        for number, way in enumerate(ways[name], 1):
            layer.add(drawing.path(d=way, id=f"{name}-{number}"))
    written = StringIO()
    drawing.write(written, pretty=True, indent=1)
    return written.getvalue().encode()


def _line(line: Line) -> str:
    return Outline(vertices=(Vertex(line.start), Vertex(line.end)), closed=False).svg
