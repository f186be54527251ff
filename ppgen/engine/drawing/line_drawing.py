"""Line drawings for low ink. Apart from :mod:`ppgen.engine.drawing.woodcut`, which few templates need."""

from __future__ import annotations

import re

from lxml import etree

from ppgen.engine.colours import contrast
from ppgen.engine.svg.elements import REMOVED, parse_fragment, write_fragment

DARK, LIGHT = 9.5, 2.4  # contrasts to white: darker areas are ink, lighter lines are paint
_SHADE = ("fill-opacity", "stroke-opacity")
_PAINT = re.compile(r"#[0-9A-Fa-f]{6}|url\(.*\)")


def to_line_drawing(*, drawing: str, line: str) -> str:
    """Turn a coloured drawing into lines: lines and dark areas get the colour ``line``, other areas become white.

    Elements with an opacity are shade and are removed. Only colours of six digits and references are replaced.
    """
    root = parse_fragment(drawing)
    for element in root.iter(etree.Element):
        if len(element) == 0 and any(name in element.attrib for name in _SHADE):
            element.tag = REMOVED
            continue
        for name, limit in (("fill", DARK), ("stroke", LIGHT)):
            if (paint := element.get(name)) and _PAINT.fullmatch(paint):
                dark = paint.startswith("#") and contrast(paint, "#FFFFFF") > limit
                element.set(name, line if dark else "#FFFFFF")
    return write_fragment(root)
