"""Turns drawn SVG into clean SVG, or into everything that the chain would drop without a word.

SVG comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file, and
nothing that would take the programs of the chain minutes to draw (:mod:`ppgen.engine.guard.svgcost`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from ppgen.engine.drawing.anchors import ANCHOR, SEAM, Anchor, anchor_of, anchors_of, is_on, seams_of
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.textcheck import Fault, height_faults, some, writing_faults
from ppgen.engine.geometry import Seams
from ppgen.engine.guard.svgcost import sheets_of, too_much
from ppgen.engine.svg.subset import ATTRIBUTES, ELEMENTS, MARK, OWN, REFERENCES, VALUES, fits
from ppgen.engine.svg.tree import HREFS, SPACE, SVG, inherited, tag_of
from ppgen.errors import listed

MAX_DEPTH, MAX_ELEMENTS, MAX_ATTRIBUTES = 60, 20_000, 60
MAX_FAULTS = 50
"""So many are told of a face; who has read those knows where to look."""
_URL = re.compile(r"url\(#([\w.-]+)\)")


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
        yield Violation(_mark(root), f"<{tag_of(many)}> has more than {MAX_ATTRIBUTES} attributes", "take some out")
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
            yield Violation(_mark(element), f"<{tag_of(element)}> has a {SEAM}", "state all seams on the root")
    left, top, width, height = map(float, view_box.split())
    for axis, places, least, length in (("x", seams_of(root).x, left, width), ("y", seams_of(root).y, top, height)):
        if off := [place for place in places if not 0 < place < length + 2 * least]:  # bleeds lie below 0
            yield Violation(_mark(root), f"seam {axis} {off[0]:g} lies off the face",
                            f"between 0 and {length + 2 * least:g}: mm of the trim")


def _faults(element: etree._Element, depth: int, named: Mapping[str, etree._Element],
            fonts: FontBook) -> Iterator[Fault]:
    """What is wrong with one element."""
    tag = tag_of(element)
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
        yield from writing_faults(element, fonts)
    elif tag == "g" and element.get("data-needs"):
        yield from height_faults(element)


def _attribute_faults(tag: str, name: str, value: str, named: Mapping[str, etree._Element]) -> Iterator[Fault]:
    if name in HREFS:
        if not value.startswith("#"):
            yield f"refers to '{value[:80]}' outside the file", "use <defs> and #names only"
        elif value[1:] not in named:
            yield f"refers to #{value[1:81]}, which is not defined", f"ids: {some(named)}"
        return
    if name not in ATTRIBUTES and name not in OWN and name != SPACE:
        yield f'attribute {name[:80]}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"
        return
    if not fits(name, value):
        kind, _, remedy = VALUES[name]
        yield f"{name} '{value[:40]}' is not {kind}", remedy
    elif name in REFERENCES and (reference := _URL.fullmatch(value)):
        target = named.get(reference[1])
        if target is None:
            yield f"{name} refers to #{reference[1][:80]}, which is not defined", f"ids: {some(named)}"
        elif tag_of(target) not in REFERENCES[name]:
            yield (f"{name} refers to #{reference[1][:80]}, a <{tag_of(target)}>",
                   f"use {listed(sorted(REFERENCES[name]))}")


def _parent_tag(element: etree._Element) -> str:
    around = element.getparent()
    return "" if around is None else tag_of(around)


def _mark(element: etree._Element) -> str:
    return inherited(element, MARK)
