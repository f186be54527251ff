"""Turns a cut sheet into SVG in millimetres, a layer for each kind of line.

The layers are groups with Inkscape's marks, which LightBurn and others read as well. Plain elements with
attributes of their own: programs of cutters read neither style sheets nor transforms with certainty.
"""

from __future__ import annotations

from xml.etree import ElementTree

from ppgen.engine.cutting.outlines import CutSheet
from ppgen.engine.geometry import Line
from ppgen.engine.shapes.outline import Outline, Vertex
from ppgen.engine.units import decimal

HAIRLINE = "0.1"
"""Width of all lines in mm: machines follow a line's middle, people must see it."""
COLOURS = {"fold": "#0000FF", "cut": "#FF0000", "registration": "#000000"}
"""The layers in the order in which they are run, with their colours: folds are scored while the sheet is whole."""
_SVG, _INKSCAPE = "http://www.w3.org/2000/svg", "http://www.inkscape.org/namespaces/inkscape"


def to_svg(sheet: CutSheet) -> bytes:
    """The drawing as an SVG file; the same sheet gives the same bytes."""
    width, height = decimal(sheet.size.width), decimal(sheet.size.height)
    root = ElementTree.Element("svg", {
        "xmlns": _SVG, "xmlns:inkscape": _INKSCAPE, "version": "1.1", "width": f"{width}mm", "height": f"{height}mm",
        "viewBox": f"0 0 {width} {height}"})
    ways = {"fold": map(_line, sheet.folds), "cut": (outline.svg for outline in sheet.cuts),
            "registration": (outline.svg for outline in sheet.registration)}
    for name, colour in COLOURS.items():
        layer = ElementTree.SubElement(root, "g", {
            "id": name, "inkscape:groupmode": "layer", "inkscape:label": name, "fill": "none", "stroke": colour,
            "stroke-width": HAIRLINE})
        for number, way in enumerate(ways[name], 1):
            ElementTree.SubElement(layer, "path", {"id": f"{name}-{number}", "d": way})
    ElementTree.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root) + b"\n"


def _line(line: Line) -> str:
    return Outline(vertices=(Vertex(line.start), Vertex(line.end)), closed=False).svg
