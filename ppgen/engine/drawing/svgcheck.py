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

from ppgen.engine.drawing import tags
from ppgen.engine.drawing.anchors import ANCHOR, SEAM, Anchor, anchor_of, is_on, seams_of
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.tags import MAX_ATTRIBUTES, WRITING, Known, known_of, referred, value_fault
from ppgen.engine.drawing.textcheck import Fault, height_faults, some, writing_faults
from ppgen.engine.geometry import Seams
from ppgen.engine.guard.cost import sheets_of
from ppgen.engine.guard.svgcost import too_much
from ppgen.engine.guard.tagcost import cost_of
from ppgen.engine.svg.seen import Attributes
from ppgen.engine.svg.subset import MARK, OWN, REFERENCES
from ppgen.engine.svg.tree import HREFS, SVG, inherited, tag_of
from ppgen.errors import listed

MAX_DEPTH, MAX_ELEMENTS = 60, 20_000
MAX_FAULTS = 50
"""So many are told of a face; who has read those knows where to look."""
_DECLARATION = re.compile(r"<(?:!D|\?)")
_TOO_DEEP = etree.XPath("/*" * (MAX_DEPTH + 2))
"""The outermost elements that are nested too deep."""

Named = Mapping[str, etree._Element]
"""Elements by the names that they are referred to by."""
Looked = Sequence[tuple[etree._Element, Known]]


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
    root = _parsed(text)
    if isinstance(root, Violation):
        return None, (root,)
    if not marked:
        etree.strip_attributes(root, MARK)  # where something was written matters once something is wrong
    most = int(MAX_ELEMENTS * sheets_of(view_box))
    looked = [(element, known_of(element.tag, _attributes(element)))
              for element in islice(root.iter(), most + 1)]
    violations, anchors = _judged(looked, most, fonts, view_box, ours)
    if violations:
        return None, violations if marked else check_svg(text, fonts, view_box, True, ours)[1]
    edge, seams = root.get("data-edge", ""), seams_of(root)
    etree.strip_attributes(root, *(OWN - {MARK} if marked else OWN))
    etree.cleanup_namespaces(root)
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge, anchors, seams), ()


def _parsed(text: str) -> etree._Element | Violation:
    """The tree. No parser sees entities, which can name files and multiply, nor what is no text."""
    if _DECLARATION.search(text):
        if "<!DOCTYPE" in text:
            return Violation("", "has a DOCTYPE", "take it out: entities are not supported")
        if "<?" in text.removeprefix("<?xml "):
            return Violation("", "has a processing instruction <?…?>", "take it out")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                             remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        return etree.fromstring(text.encode(), parser)
    except UnicodeEncodeError as error:
        return Violation("", f"has half a character (U+{ord(text[error.start]):04X})", "write the character itself")
    except etree.XMLSyntaxError as error:
        marks = re.findall(r'data-src="([^"]*)"', "\n".join(text.splitlines()[:error.lineno or 0]))
        return Violation(marks[-1] if marks else "", f"is not well-formed XML: {error.msg}")


def _attributes(element: etree._Element) -> Attributes:
    """Names and values; of far too many only the names, as lxml takes ever longer for each value."""
    if len(element.attrib) > MAX_ATTRIBUTES + 1:
        return tuple((str(name), "") for name in element.attrib)
    return cast(Attributes, tuple(element.items()))  # a parsed document has no bytes


def _judged(looked: Looked, most: int, fonts: FontBook, view_box: str,
            ours: bool) -> tuple[tuple[Violation, ...], Mapping[str, Anchor]]:
    """What is wrong with a drawing of so many elements at most; and its anchors, if nothing is."""
    root, special = looked[0][0], [(element, known) for element, known in looked if not known.common]
    if unfit := _unfit(looked, special, most, view_box):
        return (unfit,), {}
    names = [(known.name, element) for element, known in special if known.name]
    named = dict(names)
    violations = list(islice(_twice(names), MAX_FAULTS)) if len(named) < len(names) else []
    if faults := list(islice(_element_violations(looked, special, named, fonts), MAX_FAULTS)):
        return (*violations, *faults)[:MAX_FAULTS], {}
    if not ours and (found := too_much(root, named, {element: cost_of(known.tag, known.attributes)
                                                     for element, known in looked})):
        return (*violations, Violation(_mark(found[0]), *found[1]))[:MAX_FAULTS], {}
    stating = [element for element, known in special if known.stating]
    anchored = [(element, anchor_of(element)) for element in stating if element.get(ANCHOR)]
    violations += _anchor_violations(anchored, view_box)
    violations += _seam_violations(root, stating, view_box)
    return tuple(violations[:MAX_FAULTS]), dict(found for _, found in anchored if not isinstance(found, str))


def _unfit(looked: Looked, special: Looked, most: int, view_box: str) -> Violation | None:
    """What is wrong with a drawing of which nobody need look at more."""
    root = looked[0][0]
    if root.tag != f"{{{SVG}}}svg" or root.get("viewBox", "").split() != view_box.split():
        return Violation(_mark(root), "does not begin as an <svg> with the face's view box",
                         'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">')
    if len(looked) > most:
        return Violation(_mark(root), f"has more than {most} elements", "draw repeated shapes as a pattern")
    for element, known in special:
        if not known.sound and tags.has_too_many(element.keys()):
            return Violation(_mark(element), f"<{known.tag}> has more than {MAX_ATTRIBUTES} attributes",
                             "take some out")
    return None


def _twice(names: Iterable[tuple[str, etree._Element]]) -> Iterator[Violation]:
    """Names that stand twice."""
    seen = set()
    for name, element in names:
        if name in seen:
            yield Violation(_mark(element), f"id '{name}' stands twice", "give each its own id")
        seen.add(name)


def _element_violations(looked: Looked, special: Looked, named: Named, fonts: FontBook) -> Iterator[Violation]:
    """What is wrong with each element: a ``special`` one, and any in a text or too deep."""
    outermost = cast(list[etree._Element], _TOO_DEEP(looked[0][0]))
    too_deep = {inner for element in outermost for inner in element.iter()}
    in_text = {inner for element, known in special if known.tag in WRITING for inner in element}
    if strays := (in_text | too_deep).difference(element for element, _ in special):
        special = [(element, known) for element, known in looked if not known.common or element in strays]
    all_sound = all(known.sound for _, known in special)
    for element, known in special:
        for fault in _faults(element, known, element in in_text, element in too_deep, named, fonts, all_sound):
            yield Violation(_mark(element), *fault)


def _faults(element: etree._Element, known: Known, in_text: bool, too_deep: bool, named: Named, fonts: FontBook,
            all_sound: bool) -> Iterator[Fault]:
    """What is wrong with one element; nothing is with any for itself if they are ``all_sound``."""
    tag = known.tag
    if not known.sound and not tags.is_supported(str(element.tag)):
        yield f"<{tag}> is not supported", "see docs/svg-subset.md"
        return
    if too_deep:
        yield f"is nested deeper than {MAX_DEPTH}", "flatten the groups"
        return
    for name, value in known.references if known.sound else known.attributes:
        if fault := value_fault(tag, name, value) or _reference_fault(name, value, named):
            yield fault
    if tag == "path" and not element.get("d"):
        yield "path has no data", "add d"
    if in_text and tag != "tspan":
        yield f"<{tag}> stands in a <text>", "put only words and <tspan> into it"
    elif tag == "tspan" and not in_text:
        yield "<tspan> stands outside a <text>", "put it into one"
    elif tag == "text":
        yield from writing_faults(element, fonts, all_sound)
    elif tag == "g" and element.get("data-needs"):
        yield from height_faults(element, all_sound)


def _reference_fault(name: str, value: str, named: Named) -> Fault | None:
    """What is wrong with an attribute that refers to what is not there, or can't be referred to."""
    reference = referred(name, value)
    if reference is None:
        return None
    if reference not in named:
        what = f"refers to #{reference[:80]}, which is not defined"
        return what if name in HREFS else f"{name} {what}", f"ids: {some(named)}"
    target = tag_of(named[reference])
    if name in REFERENCES and target not in REFERENCES[name]:
        return f"{name} refers to #{reference[:80]}, a <{target}>", f"use {listed(sorted(REFERENCES[name]))}"
    return None


def _anchor_violations(anchored: Iterable[tuple[etree._Element, tuple[str, Anchor] | str]],
                       view_box: str) -> Iterator[Violation]:
    """Anchors without a place on the face, or with two. All attributes fit the subset."""
    seen: set[str] = set()
    for element, found in anchored:
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


def _seam_violations(root: etree._Element, elements: Sequence[etree._Element], view_box: str) -> Iterator[Violation]:
    """Seams that cut nothing off, or that nobody would find. All attributes fit the subset."""
    if not elements:
        return
    for element in elements:
        if element is not root and element.get(SEAM):
            yield Violation(_mark(element), f"<{tag_of(element)}> has a {SEAM}", "state all seams on the root")
    left, top, width, height = map(float, view_box.split())
    for axis, places, least, length in (("x", seams_of(root).x, left, width), ("y", seams_of(root).y, top, height)):
        if off := [place for place in places if not 0 < place < length + 2 * least]:  # bleeds lie below 0
            yield Violation(_mark(root), f"seam {axis} {off[0]:g} lies off the face",
                            f"between 0 and {length + 2 * least:g}: mm of the trim")


def _mark(element: etree._Element) -> str:
    return inherited(element, MARK)
