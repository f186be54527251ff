"""Turns drawn SVG into clean SVG, or into everything that the chain would drop without a word.

SVG comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file, and
no more shapes than a face can need, however often they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.svgsubset import ATTRIBUTES, ELEMENTS, OWN, REFERENCES, VALUES
from ppgen.errors import listed

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

MAX_DEPTH, MAX_ELEMENTS = 60, 20_000
TOLERANCE = 0.02
"""Text may be this many millimetres wider than its box: the measuring, not the eye."""

_URL = re.compile(r"url\(#([\w.-]+)\)")

Fault = tuple[str, str]
"""What is wrong, and what to do."""


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


def check_svg(text: str, fonts: FontBook, view_box: str) -> tuple[CheckedSvg | None, tuple[Violation, ...]]:
    """The clean SVG, or None and all that is wrong with it. ``view_box`` is the one that the root must have."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        marks = re.findall(r'data-src="([^"]*)"', "\n".join(text.splitlines()[:error.lineno or 0]))
        return None, (Violation(marks[-1] if marks else "", f"is not well-formed XML: {error.msg}"),)
    if root.getroottree().docinfo.internalDTD is not None:
        return None, (Violation("", "has a DOCTYPE", "take it out: entities are not supported"),)
    violations = tuple(_violations(root, fonts, view_box))
    if violations:
        return None, violations
    edge = root.get("data-edge", "")
    for element in root.iter():
        for name in OWN & set(element.attrib):
            del element.attrib[name]
    etree.cleanup_namespaces(root)
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge), ()


def _violations(root: etree._Element, fonts: FontBook, view_box: str) -> Iterator[Violation]:
    if root.tag != f"{{{SVG}}}svg" or root.get("viewBox", "").split() != view_box.split():
        yield Violation(_mark(root), "does not begin as an <svg> with the face's view box",
                        'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">')
        return
    elements = list(root.iter())
    if len(elements) > MAX_ELEMENTS:
        yield Violation(_mark(root), f"has more than {MAX_ELEMENTS} elements", "draw repeated shapes as a pattern")
        return
    named: dict[str, etree._Element] = {}
    for element in elements:
        if name := element.get("id"):
            if name in named:
                yield Violation(_mark(element), f"id '{name}' stands twice", "give each its own id")
            named[name] = element
    faulty = False
    for element in elements:
        for what, remedy in _faults(element, named, fonts):
            faulty = True
            yield Violation(_mark(element), what, remedy)
    if not faulty and (fault := _overused(root, named)):
        yield Violation(_mark(root), *fault)


def _faults(element: etree._Element, named: Mapping[str, etree._Element], fonts: FontBook) -> Iterator[Fault]:
    """What is wrong with one element."""
    tag = _tag(element)
    if element.tag != f"{{{SVG}}}{tag}" or tag not in ELEMENTS:
        yield f"<{tag}> is not supported", "see docs/svg-subset.md"
        return
    if sum(1 for _ in element.iterancestors()) > MAX_DEPTH:
        yield f"is nested deeper than {MAX_DEPTH}", "flatten the groups"
    for name, value in element.attrib.items():
        yield from _attribute_faults(tag, str(name), str(value), named)
    if tag == "path" and not element.get("d"):
        yield "path has no data", "add d"
    if tag == "text" and _well_written(element):
        yield from _text_faults(element, fonts)
    elif tag == "g" and element.get("data-needs") and _well_written(element):
        over = _number(element, "data-needs") - _number(element, "data-height")
        if over > TOLERANCE:
            yield (f"text '{_shortened(element)}' is {over:.1f} mm too high for its box",
                   "shorten it, or give it more room")


def _attribute_faults(tag: str, name: str, value: str, named: Mapping[str, etree._Element]) -> Iterator[Fault]:
    if name in (XLINK, "href"):
        if not value.startswith("#"):
            yield f"refers to '{value}' outside the file", "use <defs> and #names only"
        elif value[1:] not in named:
            yield f"refers to #{value[1:]}, which is not defined", f"ids: {listed(named) or 'none'}"
        return
    if name not in ATTRIBUTES and name not in OWN and name != SPACE:
        yield f'attribute {name}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"
        return
    if not _fits(name, value):
        kind, _, remedy = VALUES[name]
        yield f"{name} '{value[:40]}' is not {kind}", remedy
    elif name in REFERENCES and (reference := _URL.fullmatch(value)):
        target = named.get(reference[1])
        if target is None:
            yield f"{name} refers to #{reference[1]}, which is not defined", f"ids: {listed(named) or 'none'}"
        elif _tag(target) not in REFERENCES[name]:
            yield f"{name} refers to #{reference[1]}, a <{_tag(target)}>", f"use {listed(sorted(REFERENCES[name]))}"


@lru_cache(maxsize=10_000)
def _fits(name: str, value: str) -> bool:
    return name not in VALUES or bool(VALUES[name][1].fullmatch(value))


def _overused(root: etree._Element, named: Mapping[str, etree._Element]) -> Fault | None:
    """Too many shapes once every ``<use>`` is drawn, or one that uses itself."""
    sizes: dict[etree._Element, int] = {}
    open_: set[etree._Element] = set()

    def size(element: etree._Element) -> int:
        if element in sizes:
            return sizes[element]
        if element in open_:
            raise RecursionError
        open_.add(element)
        total = 1 + sum(size(child) for child in element)
        for target in _targets(element):
            total += size(named[target])
        open_.discard(element)
        sizes[element] = total
        return total

    try:
        return None if size(root) <= MAX_ELEMENTS else (
            f"draws more than {MAX_ELEMENTS} shapes by <use>", "use fewer, or a pattern")
    except RecursionError:
        return "has something that refers to itself", "take it out"


def _targets(element: etree._Element) -> Iterator[str]:
    """The ids that an element refers to."""
    if target := element.get(XLINK) or element.get("href"):
        yield target[1:]
    for name in REFERENCES:
        if reference := _URL.fullmatch(element.get(name, "")):
            yield reference[1]


def _text_faults(element: etree._Element, fonts: FontBook) -> Iterator[Fault]:
    """Unknown fonts, missing glyphs, and a text wider than the box that it states."""
    width = 0.0
    for words, holder in _pieces(element):
        family = _inherited(holder, "font-family")
        font = fonts.find(family, int(_inherited(holder, "font-weight") or 400),
                          _inherited(holder, "font-style") == "italic")
        if font is None:
            yield (f"font '{family}' is not in the set in that weight and style",
                   f"known: {listed(fonts.families)}; or use text() of the templates")
            return
        if missing := dict.fromkeys(character for character in words if not font.has(character)):
            signs = listed(f"'{character}' (U+{ord(character):04X})" for character in missing)
            yield f"no font of the text style has {signs}", "use other characters, or add a font to the style"
        spacing = float(_inherited(holder, "letter-spacing") or 0)
        if not (size := float(_inherited(holder, "font-size") or 0)):
            yield f"text '{_shortened(element)}' has no font-size", "use text() or paragraph(), or add it"
        width += font.advance(words, not spacing) * size + spacing * len(words)
    if not element.get("data-width"):
        yield f"text '{_shortened(element)}' states no box", "use text() or paragraph(), or add data-width"
    elif (over := width - _number(element, "data-width")) > TOLERANCE:
        yield (f"text '{_shortened(element)}' is {over:.1f} mm too wide for its box",
               "shorten it, or give it more room")


def _well_written(element: etree._Element) -> bool:
    """Whether the numbers of a text are numbers, its own and those around and inside it."""
    return all(_fits(str(name), str(value)) for holder in (*element.iterancestors(), *element.iter())
               for name, value in holder.attrib.items())


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


def _number(element: etree._Element, name: str) -> float:
    return float(element.get(name, "0"))


def _tag(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _shortened(element: etree._Element) -> str:
    """The words of a text, or the first of them; the lines of a paragraph with spaces between."""
    lines = [element] if _tag(element) == "text" else element.iter(f"{{{SVG}}}text")
    words = " ".join(" ".join("".join(map(str, line.itertext())) for line in lines).split())
    return words if len(words) <= 40 else words[:39] + "…"


def _mark(element: etree._Element) -> str:
    return _inherited(element, "data-src")
