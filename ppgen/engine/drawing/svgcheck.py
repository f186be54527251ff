"""Turns drawn SVG into clean SVG, or into everything that the chain would drop without a word.

SVG comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file, and
nothing that would take the programs of the chain minutes to draw (:mod:`ppgen.engine.guard.svgcost`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from lxml import etree

from ppgen.engine.drawing.anchors import ANCHOR, SEAM, Anchor, anchor_of, anchors_of, is_on, seams_of
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.tags import MAX_ATTRIBUTES, Known, known_of, value_faults
from ppgen.engine.drawing.textcheck import Fault, height_faults, some, writing_faults
from ppgen.engine.geometry import Seams
from ppgen.engine.guard.svgcost import sheets_of, too_much
from ppgen.engine.svg.subset import ELEMENTS, MARK, OWN, REFERENCES
from ppgen.engine.svg.tree import HREFS, SVG, inherited, tag_of
from ppgen.errors import listed

MAX_DEPTH, MAX_ELEMENTS = 60, 20_000
MAX_FAULTS = 50
"""So many are told of a face; who has read those knows where to look."""
_URL = re.compile(r"url\(#([\w.-]+)\)")
_TOO_DEEP = "/".join("*" * (MAX_DEPTH + 1))


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
    looked = [(element, known_of(str(element.tag), _attributes(element)))
              for element in islice(root.iter(), _most_elements(view_box) + 1)]
    violations = tuple(islice(_violations(looked, fonts, view_box, ours), MAX_FAULTS))
    if violations:
        return None, violations
    stating = (element for element, known in looked if known.stating)
    edge, anchors, seams = root.get("data-edge", ""), anchors_of(stating), seams_of(root)
    etree.strip_attributes(root, *(OWN - {MARK} if marked else OWN))
    etree.cleanup_namespaces(root)
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge, anchors, seams), ()


def _attributes(element: etree._Element) -> tuple[tuple[str, str], ...]:
    """Names and values; of too many only the names, as lxml takes ever longer for each value."""
    if len(element.attrib) > MAX_ATTRIBUTES:
        return tuple((str(name), "") for name in element.attrib)
    return cast("tuple[tuple[str, str], ...]", tuple(element.items()))  # a parsed document has no bytes


def _most_elements(view_box: str) -> int:
    return int(MAX_ELEMENTS * sheets_of(view_box))


def _unparsable(text: str) -> Fault | None:
    """What no parser should see: entities, which can name files and multiply, and what is no text."""
    if "<!DOCTYPE" in text:
        return "has a DOCTYPE", "take it out: entities are not supported"
    if "<?" in text.removeprefix("<?xml "):
        return "has a processing instruction <?…?>", "take it out"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"has half a character (U+{ord(text[error.start]):04X})", "write the character itself"
    return None


def _violations(looked: Sequence[tuple[etree._Element, Known]], fonts: FontBook, view_box: str,
                ours: bool) -> Iterator[Violation]:
    root = looked[0][0]
    if root.tag != f"{{{SVG}}}svg" or root.get("viewBox", "").split() != view_box.split():
        yield Violation(_mark(root), "does not begin as an <svg> with the face's view box",
                        'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">')
        return
    if len(looked) > (most := _most_elements(view_box)):
        yield Violation(_mark(root), f"has more than {most} elements", "draw repeated shapes as a pattern")
        return
    unsound = (element for element, known in looked if not known.sound)
    many = next((element for element in unsound if len(element.attrib) > MAX_ATTRIBUTES), None)
    if many is not None:
        yield Violation(_mark(many), f"<{tag_of(many)}> has more than {MAX_ATTRIBUTES} attributes", "take some out")
        return
    named: dict[str, etree._Element] = {}
    stating = [element for element, known in looked if known.stating]
    for element in stating:
        if name := element.get("id"):
            if name in named:
                yield Violation(_mark(element), f"id '{name}' stands twice", "give each its own id")
            named[name] = element
    # what may be wrong with an element by what is around it
    placed = {inner for element, known in looked if known.written for inner in (element, *element)}
    placed.update(inner for element in root.iterfind(_TOO_DEEP) for inner in element.iter())
    faulty = False
    for element, known in looked:
        if known.sound and element not in placed and not any(
                _reference_faults(name, value, named) for name, value in known.references):
            continue
        for fault in _faults(element, named, fonts):
            faulty = True
            yield Violation(_mark(element), *fault)
    if faulty:
        return
    if not ours and (found := too_much(root, named)):
        yield Violation(_mark(found[0]), *found[1])
    else:
        yield from _anchor_violations(stating, view_box)
        yield from _seam_violations(root, stating, view_box)


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


def _seam_violations(root: etree._Element, elements: Iterable[etree._Element], view_box: str) -> Iterator[Violation]:
    """Seams that cut nothing off, or that nobody would find. All attributes fit the subset."""
    for element in elements:
        if element is not root and element.get(SEAM):
            yield Violation(_mark(element), f"<{tag_of(element)}> has a {SEAM}", "state all seams on the root")
    left, top, width, height = map(float, view_box.split())
    for axis, places, least, length in (("x", seams_of(root).x, left, width), ("y", seams_of(root).y, top, height)):
        if off := [place for place in places if not 0 < place < length + 2 * least]:  # bleeds lie below 0
            yield Violation(_mark(root), f"seam {axis} {off[0]:g} lies off the face",
                            f"between 0 and {length + 2 * least:g}: mm of the trim")


def _faults(element: etree._Element, named: Mapping[str, etree._Element], fonts: FontBook) -> Iterator[Fault]:
    """What is wrong with one element."""
    tag = tag_of(element)
    if element.tag != f"{{{SVG}}}{tag}" or tag not in ELEMENTS:
        yield f"<{tag}> is not supported", "see docs/svg-subset.md"
        return
    if sum(1 for _ in element.iterancestors()) > MAX_DEPTH:
        yield f"is nested deeper than {MAX_DEPTH}", "flatten the groups"
        return
    for name, value in element.items():
        yield from value_faults(tag, str(name), str(value))
        yield from _reference_faults(str(name), str(value), named)
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


def _reference_faults(name: str, value: str, named: Mapping[str, etree._Element]) -> tuple[Fault, ...]:
    """What is wrong with an attribute that refers to what is not there, or can't be referred to."""
    if name in HREFS and value.startswith("#") and value[1:] not in named:
        return (f"refers to #{value[1:81]}, which is not defined", f"ids: {some(named)}"),
    if name in REFERENCES and (reference := _URL.fullmatch(value)):
        target = named.get(reference[1])
        if target is None:
            return (f"{name} refers to #{reference[1][:80]}, which is not defined", f"ids: {some(named)}"),
        if tag_of(target) not in REFERENCES[name]:
            return (f"{name} refers to #{reference[1][:80]}, a <{tag_of(target)}>",
                    f"use {listed(sorted(REFERENCES[name]))}"),
    return ()


def _parent_tag(element: etree._Element) -> str:
    around = element.getparent()
    return "" if around is None else tag_of(around)


def _mark(element: etree._Element) -> str:
    return inherited(element, MARK)
