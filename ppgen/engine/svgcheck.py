"""Turns drawn SVG into clean SVG, or into everything that the chain would drop without a word.

The supported subset is written down in ``docs/svg-subset.md``; this module is its other half. SVG
comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from ppgen.engine.fonts import FontBook
from ppgen.errors import listed

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

SHAPES = frozenset("path rect circle ellipse line polyline polygon".split())
ELEMENTS = SHAPES | frozenset(
    "svg g defs symbol use text tspan linearGradient radialGradient stop pattern clipPath mask title desc".split())
ATTRIBUTES = frozenset(
    # structure
    "id transform viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points href "
    # paint
    "fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin "
    "stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility "
    "clip-path clip-rule mask "
    # gradients, patterns, clips
    "gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity "
    "patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits "
    # text
    "dx dy font-family font-size font-weight font-style text-anchor letter-spacing".split())
OWN = frozenset("data-src data-width data-height data-needs data-edge".split())
"""Attributes that talk to ppgen and are taken out before drawing."""

PAINTS = frozenset("fill stroke stop-color color".split())
NUMBERS = frozenset(
    "width height x y x1 y1 x2 y2 cx cy r rx ry stroke-width font-size letter-spacing".split())
MAX_DEPTH, MAX_ELEMENTS = 60, 20_000
TOLERANCE = 0.02
"""Text may be this many millimetres wider than its box: the measuring, not the eye."""

_PAINT = re.compile(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|none|currentColor|inherit|black|white|url\(#[\w.-]+\)")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?")
_URL = re.compile(r"url\(\s*['\"]?([^)'\"]*)")
_PATH = re.compile(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAa\d\seE+.,-]*")


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with an element; ``mark`` is the nearest ``data-src``."""

    mark: str
    what: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class CheckedSvg:
    """SVG inside the subset, without ppgen's own attributes, and the edge that its root declares."""

    text: str
    edge: str


def check_svg(text: str, fonts: FontBook) -> tuple[CheckedSvg | None, tuple[Violation, ...]]:
    """The clean SVG, or None and all that is wrong with it."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line = text.splitlines()[error.lineno - 1:error.lineno] if error.lineno else []
        mark = re.search(r'data-src="([^"]*)"', "".join(line))
        return None, (Violation(mark[1] if mark else "", f"is not well-formed XML: {error.msg}"),)
    if root.getroottree().docinfo.internalDTD is not None:
        return None, (Violation("", "has a DOCTYPE", "take it out: entities are not supported"),)
    violations = tuple(_violations(root, fonts))
    if violations:
        return None, violations
    edge = root.get("data-edge", "")
    for element in root.iter():
        for name in OWN & set(element.attrib):
            del element.attrib[name]
    etree.cleanup_namespaces(root)
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge), ()


def _violations(root: etree._Element, fonts: FontBook) -> Iterator[Violation]:
    if root.tag != f"{{{SVG}}}svg" or not root.get("viewBox"):
        yield Violation(_mark(root), "is not an <svg> with a viewBox",
                        'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="…">')
        return
    elements = list(root.iter())
    if len(elements) > MAX_ELEMENTS:
        yield Violation(_mark(root), f"has more than {MAX_ELEMENTS} elements", "draw repeated shapes as a pattern")
        return
    ids = [element.get("id", "") for element in elements if element.get("id")]
    for twice in {name for name in ids if ids.count(name) > 1}:
        yield Violation(_mark(root), f"id '{twice}' stands twice", "give each its own id")
    known = frozenset(ids)
    for element in elements:
        yield from (Violation(_mark(element), *found) for found in _faults(element, known, fonts))


def _faults(element: etree._Element, ids: frozenset[str], fonts: FontBook) -> Iterator[tuple[str, str]]:
    """What is wrong with one element, and the remedy."""
    space, _, tag = str(element.tag).rpartition("}")
    if space != f"{{{SVG}" or tag not in ELEMENTS:
        yield f"<{tag}> is not supported", "see docs/svg-subset.md"
        return
    if sum(1 for _ in element.iterancestors()) > MAX_DEPTH:
        yield f"is nested deeper than {MAX_DEPTH}", "flatten the groups"
    for name, value in element.attrib.items():
        yield from _attribute_faults(tag, str(name), str(value), ids)
    if tag == "path" and not _PATH.fullmatch(element.get("d", "")):
        yield "path data is not valid", "it begins with M and holds commands and numbers only"
    if tag == "text":
        yield from _text_faults(element, fonts)
    elif tag == "g" and element.get("data-needs"):
        over = float(element.get("data-needs", "0")) - float(element.get("data-height", "0"))
        if over > TOLERANCE:
            yield (f"text '{_shortened(element)}' is {over:.1f} mm too high for its box",
                   "shorten it, or give it more room")


def _attribute_faults(tag: str, name: str, value: str, ids: frozenset[str]) -> Iterator[tuple[str, str]]:
    if name in (XLINK, "href"):
        if not value.startswith("#"):
            yield f"refers to '{value}' outside the file", "use <defs> and #names only"
        elif value[1:] not in ids:
            yield f"refers to #{value[1:]}, which is not defined", f"ids: {listed(sorted(ids)) or 'none'}"
        return
    if name not in ATTRIBUTES and name not in OWN and name != SPACE:
        yield f'attribute {name}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"
        return
    for reference in _URL.findall(value):
        if not reference.startswith("#") or reference[1:] not in ids:
            yield f"{name} refers to {reference}, which is not defined", f"ids: {listed(sorted(ids)) or 'none'}"
    if name in PAINTS and not _PAINT.fullmatch(value):
        yield f"{name} '{value}' is not a colour", "#rrggbb, none or url(#id)"
    if name in NUMBERS and not _NUMBER.fullmatch(value):
        yield f"{name} '{value}' is not a number", "in millimetres, without a unit"


def _text_faults(element: etree._Element, fonts: FontBook) -> Iterator[tuple[str, str]]:
    """Unknown fonts, missing glyphs, and a text wider than the box that it states."""
    size, width = float(element.get("font-size", "0") or 0), 0.0
    spacing = float(element.get("letter-spacing", "0") or 0)
    for words, holder in _pieces(element):
        family = _inherited(holder, "font-family")
        font = fonts.find(family, int(_inherited(holder, "font-weight") or 400),
                          _inherited(holder, "font-style") == "italic")
        if font is None:
            yield (f"font '{family}' is not in the set in that weight and style",
                   f"known: {listed(fonts.families)}; or use text() of the templates")
            return
        missing = dict.fromkeys(character for character in words if not font.has(character))
        if missing:
            signs = listed(f"'{character}' (U+{ord(character):04X})" for character in missing)
            yield f"no font of the text style has {signs}", "use other characters, or add a font to the style"
        width += font.advance(words, not spacing) * size + spacing * len(words)
    if not element.get("data-width"):
        yield f"text '{_shortened(element)}' states no box", "use text() or paragraph(), or add data-width"
    elif (over := width - float(element.get("data-width", "0"))) > TOLERANCE:
        yield (f"text '{_shortened(element)}' is {over:.1f} mm too wide for its box",
               "shorten it, or give it more room")


def _pieces(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Each run of characters inside a text element, with the element that styles it."""
    for inner in element.iter():
        if inner.text:
            yield inner.text, inner
        if inner.tail and inner is not element and (parent := inner.getparent()) is not None:
            yield inner.tail, parent


def _inherited(element: etree._Element, name: str) -> str:
    holder: etree._Element | None = element
    while holder is not None:
        if value := holder.get(name):
            return str(value)
        holder = holder.getparent()
    return ""


def _shortened(element: etree._Element) -> str:
    words = " ".join("".join(map(str, element.itertext())).split())
    return words if len(words) <= 40 else words[:39] + "…"


def _mark(element: etree._Element) -> str:
    return _inherited(element, "data-src")
