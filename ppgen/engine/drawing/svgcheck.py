"""Turns drawn SVG into clean SVG, or into everything that the chain would drop without a word.

SVG comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file, and
nothing that would take the programs of the chain minutes to draw (:mod:`ppgen.engine.guard.svgcost`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

from ppgen.engine.drawing.anchors import ANCHOR, SEAM, Anchor, anchor_of, anchors_of, is_on, seams_of
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Seams
from ppgen.engine.guard.svgcost import MAX_FONT_SIZE, sheets_of, too_much
from ppgen.engine.svg.subset import ATTRIBUTES, ELEMENTS, MARK, OWN, REFERENCES, VALUES
from ppgen.errors import listed

SVG = "http://www.w3.org/2000/svg"
XLINK = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

MAX_DEPTH, MAX_ELEMENTS, MAX_ATTRIBUTES = 60, 20_000, 60
MAX_TEXT, MAX_SPANS = 2_000, 100
"""Characters and <tspan> of a <text>: a line of type has a tenth of them."""
MAX_FAULTS = 50
"""So many are told of a face; who has read those knows where to look."""
TOLERANCE = 0.02
"""Text may be this many millimetres wider than its box: the measuring, not the eye."""

_URL = re.compile(r"url\(#([\w.-]+)\)")

Fault = tuple[str, str] | tuple[str, str, str, float]
"""What is wrong, and what to do; of a text that can't be set also the text and the share that is too much."""


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong with an element; ``mark`` is the nearest ``data-src``, the rest as in :data:`Fault`."""

    mark: str
    what: str
    remedy: str = ""
    words: str = ""
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class CheckedSvg:
    """SVG inside the subset, without ppgen's own attributes; the edge and seams that its root declares; its anchors."""

    text: str
    edge: str
    anchors: Mapping[str, Anchor]
    seams: Seams


def check_svg(text: str, fonts: FontBook, view_box: str, marked: bool = False,
              ours: bool = False) -> tuple[CheckedSvg | None, tuple[Violation, ...]]:
    """The clean SVG, or None and all that is wrong with it. ``view_box`` is the one that the root must have.

    ``marked`` leaves the lines of templates (``data-src``) in it. What shipped templates drew is ``ours``: nobody
    reckons how long it takes to draw.
    """
    if fault := _unparsable(text):
        return None, (Violation("", *fault),)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        marks = re.findall(r'data-src="([^"]*)"', "\n".join(text.splitlines()[:error.lineno or 0]))
        return None, (Violation(marks[-1] if marks else "", f"is not well-formed XML: {error.msg}"),)
    violations = tuple(islice(_violations(root, fonts, view_box, ours), MAX_FAULTS))
    if violations:
        return None, violations
    edge, anchors, seams = root.get("data-edge", ""), anchors_of(root), seams_of(root)
    spoken = OWN - {MARK} if marked else OWN
    for element in root.iter():
        for name in spoken & set(element.attrib):
            del element.attrib[name]
    etree.cleanup_namespaces(root)
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge, anchors, seams), ()


def _unparsable(text: str) -> Fault | None:
    """What no parser should see: entities, which can name files and multiply, and what is no text."""
    if "<!DOCTYPE" in text:
        return "has a DOCTYPE", "take it out: entities are not supported"
    if "<?" in text.removeprefix("<?xml "):
        return "has a processing instruction <?…?>", "take it out"
    if half := re.search("[\ud800-\udfff]", text):
        return f"has half a character (U+{ord(half[0]):04X})", "write the character itself"
    return None


def _violations(root: etree._Element, fonts: FontBook, view_box: str, ours: bool) -> Iterator[Violation]:
    if root.tag != f"{{{SVG}}}svg" or root.get("viewBox", "").split() != view_box.split():
        yield Violation(_mark(root), "does not begin as an <svg> with the face's view box",
                        'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">')
        return
    elements = list(root.iter())
    if len(elements) > (most := int(MAX_ELEMENTS * sheets_of(view_box))):
        yield Violation(_mark(root), f"has more than {most} elements", "draw repeated shapes as a pattern")
        return
    many = next((element for element in elements if len(element.attrib) > MAX_ATTRIBUTES), None)
    if many is not None:  # lxml takes ever longer for each of them
        yield Violation(_mark(root), f"<{_tag(many)}> has more than {MAX_ATTRIBUTES} attributes", "take some out")
        return
    named: dict[str, etree._Element] = {}
    for element in elements:
        if name := element.get("id"):
            if name in named:
                yield Violation(_mark(element), f"id '{name}' stands twice", "give each its own id")
            named[name] = element
    faulty = False
    depths: dict[etree._Element, int] = {}
    for element in elements:
        around = element.getparent()
        depths[element] = 0 if around is None else depths[around] + 1
        for fault in _faults(element, depths[element], named, fonts):
            faulty = True
            yield Violation(_mark(element), *fault)
    if faulty:
        return
    if not ours and (found := too_much(root, named)):
        yield Violation(_mark(found[0]), *found[1])
    else:
        yield from _anchor_violations(elements, view_box)
        yield from _seam_violations(elements, view_box)


def _anchor_violations(elements: Iterable[etree._Element], view_box: str) -> Iterator[Violation]:
    """Anchors without a place on the face, or with two. All attributes fit the subset."""
    seen: set[str] = set()
    for element in elements:
        if not element.get(ANCHOR):
            continue
        found = anchor_of(element)
        if isinstance(found, str):
            yield Violation(_mark(element), found, "state it beside what is drawn there, outside of it")
            continue
        name, anchor = found
        if name in seen:
            yield Violation(_mark(element), f"anchor '{name}' stands twice", "state each once")
        elif not is_on(anchor, view_box):
            yield Violation(_mark(element), f"anchor '{name}' lies off the face, at {anchor.x:.4g} {anchor.y:.4g}",
                            "give x y in mm, counted as in the element that has it")
        seen.add(name)


def _seam_violations(elements: Sequence[etree._Element], view_box: str) -> Iterator[Violation]:
    """Seams that cut nothing off, or that nobody would find. All attributes fit the subset."""
    root = elements[0]
    for element in elements[1:]:
        if element.get(SEAM):
            yield Violation(_mark(element), f"<{_tag(element)}> has a {SEAM}", "state all seams on the root")
    left, top, width, height = map(float, view_box.split())
    for axis, places, least, length in (("x", seams_of(root).x, left, width), ("y", seams_of(root).y, top, height)):
        if off := [place for place in places if not 0 < place < length + 2 * least]:  # bleeds lie below 0
            yield Violation(_mark(root), f"seam {axis} {off[0]:g} lies off the face",
                            f"between 0 and {length + 2 * least:g}: mm of the trim")


def _faults(element: etree._Element, depth: int, named: Mapping[str, etree._Element],
            fonts: FontBook) -> Iterator[Fault]:
    """What is wrong with one element."""
    tag = _tag(element)
    if element.tag != f"{{{SVG}}}{tag}" or tag not in ELEMENTS:
        yield f"<{tag}> is not supported", "see docs/svg-subset.md"
        return
    if depth > MAX_DEPTH:
        yield f"is nested deeper than {MAX_DEPTH}", "flatten the groups"
        return
    for name, value in element.attrib.items():
        yield from _attribute_faults(tag, str(name), str(value), named)
    if tag == "path" and not element.get("d"):
        yield "path has no data", "add d"
    in_text = _parent_tag(element) in ("text", "tspan")
    if in_text and tag != "tspan":
        yield f"<{tag}> stands in a <text>", "put only words and <tspan> into it"
    elif tag == "tspan" and not in_text:
        yield "<tspan> stands outside a <text>", "put it into one"
    elif tag == "text":
        yield from _writing_faults(element, fonts)
    elif tag == "g" and element.get("data-needs") and _well_written(element):
        needed = _number(element, "data-needs")
        over = needed - _number(element, "data-height")
        if over > TOLERANCE:
            yield (f"text '{_shortened(element)}' is {over:.1f} mm too high for its box",
                   "shorten it, or give it more room", _words(element), over / needed)


def _attribute_faults(tag: str, name: str, value: str, named: Mapping[str, etree._Element]) -> Iterator[Fault]:
    if name in (XLINK, "href"):
        if not value.startswith("#"):
            yield f"refers to '{value[:80]}' outside the file", "use <defs> and #names only"
        elif value[1:] not in named:
            yield f"refers to #{value[1:81]}, which is not defined", f"ids: {_some(named)}"
        return
    if name not in ATTRIBUTES and name not in OWN and name != SPACE:
        yield f'attribute {name[:80]}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"
        return
    if not _fits(name, value):
        kind, _, remedy = VALUES[name]
        yield f"{name} '{value[:40]}' is not {kind}", remedy
    elif name in REFERENCES and (reference := _URL.fullmatch(value)):
        target = named.get(reference[1])
        if target is None:
            yield f"{name} refers to #{reference[1][:80]}, which is not defined", f"ids: {_some(named)}"
        elif _tag(target) not in REFERENCES[name]:
            yield (f"{name} refers to #{reference[1][:80]}, a <{_tag(target)}>",
                   f"use {listed(sorted(REFERENCES[name]))}")


@lru_cache(maxsize=10_000)
def _fits(name: str, value: str) -> bool:
    return name not in VALUES or bool(VALUES[name][1].fullmatch(value))


def _writing_faults(element: etree._Element, fonts: FontBook) -> Iterator[Fault]:
    """What is wrong with a <text> and all that is in it."""
    if sum(len(words) for words in element.itertext()) > MAX_TEXT:
        yield f"text '{_shortened(element)}' has more than {MAX_TEXT} characters", "use paragraph(), or several texts"
    elif sum(1 for _ in element.iter()) > MAX_SPANS:
        yield f"text '{_shortened(element)}' has more than {MAX_SPANS} <tspan>", "use several texts"
    elif _well_written(element):
        yield from _text_faults(element, fonts)


def _text_faults(element: etree._Element, fonts: FontBook) -> Iterator[Fault]:
    """Unknown fonts, missing glyphs, and a text wider than the box that it states."""
    width = 0.0
    for words, holder in pieces(element):
        family = inherited(holder, "font-family")
        font = fonts.find(family, int(inherited(holder, "font-weight") or 400),
                          inherited(holder, "font-style") == "italic")
        if font is None:
            yield (f"font '{family}' is not in the set in that weight and style",
                   f"known: {listed(fonts.families)}; or use text() of the templates")
            return
        if missing := dict.fromkeys(character for character in words if not font.has(character)):
            signs = _some(f"'{character}' (U+{ord(character):04X})" for character in missing)
            yield (f"no font of the text style has {signs}", "use other characters, or add a font to the style",
                   _words(_paragraph(element)), 0.0)
        spacing = float(inherited(holder, "letter-spacing") or 0)
        size = float(inherited(holder, "font-size") or 0)
        if not 0 < size <= MAX_FONT_SIZE:
            what = f"a font-size of {size:g}" if size else "no font-size"
            yield f"text '{_shortened(element)}' has {what}", "use text() or paragraph(), or write it in mm"
        width += font.advance(words, not spacing) * size + spacing * len(words)
    if not element.get("data-width"):
        yield f"text '{_shortened(element)}' states no box", "use text() or paragraph(), or add data-width"
    elif (over := width - _number(element, "data-width")) > TOLERANCE:
        yield (f"text '{_shortened(element)}' is {over:.1f} mm too wide for its box",
               "shorten it, or give it more room", _words(_paragraph(element)), over / width)


def _well_written(element: etree._Element) -> bool:
    """Whether the numbers of a text are numbers, its own and those around and inside it."""
    return all(_fits(str(name), str(value)) for holder in (*element.iterancestors(), *element.iter())
               for name, value in holder.attrib.items())


def pieces(element: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Each run of characters inside a text element, with the element that styles it."""
    for inner in element.iter():
        if inner.text:
            yield inner.text, inner
        if inner.tail and inner is not element and (parent := inner.getparent()) is not None:
            yield inner.tail, parent


def inherited(element: etree._Element, name: str) -> str:
    holder: etree._Element | None = element
    while holder is not None:
        if value := holder.get(name):
            return str(value)
        holder = holder.getparent()
    return ""


def _number(element: etree._Element, name: str) -> float:
    return float(element.get(name, "0"))


def _tag(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2][:80]


def _parent_tag(element: etree._Element) -> str:
    around = element.getparent()
    return "" if around is None else _tag(around)


def _some(names: Iterable[str]) -> str:
    """The first of some names, as people read them."""
    first = list(islice(names, 21))
    return listed(first[:20]) + ("…" if len(first) > 20 else "") or "none"


def _shortened(element: etree._Element) -> str:
    """The words of a text, or the first of them."""
    words = _words(element)
    return words if len(words) <= 40 else words[:39] + "…"


def _words(element: etree._Element) -> str:
    """The words of a text; the lines of a paragraph with spaces between."""
    lines = [element] if _tag(element) == "text" else element.iter(f"{{{SVG}}}text")
    return " ".join(" ".join("".join(map(str, line.itertext())) for line in lines).split())


def _paragraph(line: etree._Element) -> etree._Element:
    """The paragraph that a text is a line of, or the text itself."""
    around = line.getparent()
    return line if around is None or not around.get("data-needs") else around


def _mark(element: etree._Element) -> str:
    return inherited(element, MARK)
