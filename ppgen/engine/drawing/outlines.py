"""Turns the words in checked SVG into outlines: a picture of words, which nobody finds, copies or hears read aloud."""

from __future__ import annotations

from lxml import etree

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.svg.tree import SPACE, SVG, inherited, pieces

_OF_TEXT = frozenset({"x", "y", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
                      "letter-spacing", SPACE})
_SHIFTS = ("x", "y", "dx", "dy")
_STARTS = {"middle": 0.5, "end": 1.0}


def outlined(svg: str, fonts: FontBook) -> str:
    """The same picture without text.

    Texts are drawn as ``text()`` and ``paragraph()`` of the templates write them. One of a template's own that moves
    about in its line, or leaves its spaces to the browser, stays as it is.
    """
    if "<text" not in svg:
        return svg
    root = etree.fromstring(svg.encode())
    for text in list(root.iter(f"{{{SVG}}}text")):
        moved = any(name in inner.attrib for inner in text.iterdescendants() for name in _SHIFTS)
        if not moved and not {"dx", "dy"} & set(text.attrib) and text.get(SPACE) == "preserve":
            _outline(text, fonts)
    return etree.tostring(root, encoding="unicode")


def _outline(text: etree._Element, fonts: FontBook) -> None:
    """Make a group of paths of the text, each run of characters one path, with the paint of its <tspan>."""
    size, spacing = float(inherited(text, "font-size")), float(inherited(text, "letter-spacing") or 0)
    at, runs = 0.0, []
    for words, holder in pieces(text):
        font = fonts.find(inherited(holder, "font-family"), int(inherited(holder, "font-weight") or 400),
                          inherited(holder, "font-style") == "italic")
        assert font is not None, "the check has found every font"
        runs.append((font.outline(words, size, at, spacing), holder))
        at += font.advance(words, not spacing) * size + spacing * len(words)
    at -= spacing  # the renderer puts it between letters only
    start = float(text.get("x", "0")) - at * _STARTS.get(inherited(text, "text-anchor"), 0.0)
    group = etree.Element(f"{{{SVG}}}g")
    for name, value in text.attrib.items():
        if name not in _OF_TEXT:
            group.set(name, value)
    place = etree.SubElement(group, f"{{{SVG}}}g", transform=f"translate({start:.3f} {text.get('y', '0')})")
    for outline, holder in runs:
        if outline:
            path = etree.SubElement(place, f"{{{SVG}}}path", d=outline)
            for name, value in holder.attrib.items() if holder is not text else ():
                if name not in _OF_TEXT:
                    path.set(name, value)
    group.tail = text.tail
    around = text.getparent()
    assert around is not None
    around.replace(text, group)
