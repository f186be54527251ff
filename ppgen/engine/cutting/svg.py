"""Turns a cut sheet into SVG in millimetres, a layer for each kind of line.

The layers are groups with Inkscape's marks, which LightBurn and others read as well. Plain elements with
attributes of their own: programs of cutters read neither style sheets nor transforms with certainty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from ppgen.engine.cutting.outlines import CutSheet, Outline, Vertex
from ppgen.engine.geometry import Line
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
    ways = {"fold": map(_line, sheet.folds), "cut": map(_way, sheet.cuts),
            "registration": map(_way, sheet.registration)}
    for name, colour in COLOURS.items():
        layer = ElementTree.SubElement(root, "g", {
            "id": name, "inkscape:groupmode": "layer", "inkscape:label": name, "fill": "none", "stroke": colour,
            "stroke-width": HAIRLINE})
        for number, way in enumerate(ways[name], 1):
            ElementTree.SubElement(layer, "path", {"id": f"{name}-{number}", "d": way})
    ElementTree.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root) + b"\n"


def _way(outline: Outline) -> str:
    first, *others = outline.vertices
    targets = [*others, first] if outline.closed else others
    steps = _steps(zip(outline.vertices, targets, strict=False), outline.closed)
    return f"M{_pair(first.at.x, first.at.y)}{''.join(steps)}{'Z' if outline.closed else ''}"


def _steps(ways: Iterable[tuple[Vertex, Vertex]], closed: bool) -> Iterator[str]:
    """Straight lines, and arcs clockwise for bulges above 0; the last straight line of a closed way is its Z."""
    found = list(ways)
    for number, (start, end) in enumerate(found, 1):
        if start.bulge:
            chord = ((end.at.x - start.at.x) ** 2 + (end.at.y - start.at.y) ** 2) ** 0.5
            radius = decimal(chord * (1 + start.bulge ** 2) / (4 * abs(start.bulge)))
            large, sweep = int(abs(start.bulge) > 1), int(start.bulge > 0)
            yield f"A{radius} {radius} 0 {large} {sweep} {_pair(end.at.x, end.at.y)}"
        elif number < len(found) or not closed:
            yield f"L{_pair(end.at.x, end.at.y)}"


def _line(line: Line) -> str:
    return f"M{_pair(line.start.x, line.start.y)}L{_pair(line.end.x, line.end.y)}"


def _pair(x: float, y: float) -> str:
    return f"{decimal(x)} {decimal(y)}"
