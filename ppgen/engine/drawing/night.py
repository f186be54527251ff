"""Scenes by night: the colours of a drawing mixed with the dark, and light in its windows."""

from __future__ import annotations

import re
from copy import deepcopy

from lxml import etree

from ppgen.engine.colours import mix_colours
from ppgen.engine.svg.elements import parse_fragment, write_fragment

DARK, SHARE = "#1B2250", 0.32  # the colour of the night, and its share in all others
WINDOW, LIGHT = "#3A2C22", "#FFD65C"  # the colour of windows by day, and of light; lamps have it or one next to it
MOONLIT = {"#FFF1C6": "#B9C8F2",  # the lit edges of things by day, and by moonlight
           "#E6B83F": "#E2C26A"}  # gold cloth behind a dark sign: a banner with a key
LIGHTS = frozenset((LIGHT, "#FFD65D", "#FFF3B8"))
GLOW = ((0.12, 2.2), (0.16, 1.3))  # opacity and width of the glow around a window, the outer one first
_PAINT = re.compile("#[0-9a-fA-F]{6}")


def to_night(*, drawing: str) -> str:
    """Show a coloured drawing by night: all colours are darker and bluer, windows (areas of ``#3A2C22``) are lit, and
    edges in the sun (``#FFF1C6``) and gold cloth (``#E6B83F``) lie in the moon.

    A window's glow is painted just before it: so what stands before the window hides both. Flames of ``#FFD65D`` stay.
    """
    root = parse_fragment(drawing)
    for element in [*root.iter(etree.Element)]:
        if element.tag == "path" and element.get("fill") == WINDOW:
            element.set("fill", LIGHT)
            for opacity, width in GLOW:
                element.addprevious(_glow(element, opacity, width))
    for element in root.iter(etree.Element):
        for name in ("fill", "stroke", "stop-color"):
            paint = element.get(name, "")
            if paint in MOONLIT:
                element.set(name, MOONLIT[paint])
            elif _PAINT.fullmatch(paint) and paint.upper() not in LIGHTS:
                element.set(name, mix_colours(paint, DARK, SHARE))
    return write_fragment(root)


def _glow(window: etree._Element, opacity: float, width: float) -> etree._Element:
    glow = deepcopy(window)
    glow.tail = None
    for name in [*glow.attrib]:
        if name not in ("d", "transform"):
            del glow.attrib[name]
    glow.attrib.update({"fill": LIGHT, "fill-opacity": f"{opacity:g}", "stroke": LIGHT,
                        "stroke-opacity": f"{opacity:g}", "stroke-width": f"{width:g}"})
    return glow
