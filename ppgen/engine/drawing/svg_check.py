"""The check of drawn faces: what they draw and how often, their texts, colours and lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, cast

from lxml import etree

from ppgen.engine.drawing.face import ANCHOR, SEAM, Anchor, Face, is_on, parse_anchor, parse_seams
from ppgen.engine.drawing.lettering import SetText, find_texts
from ppgen.engine.drawing.ornament import MIN_CODE_CONTRAST, MIN_MODULE
from ppgen.engine.geometry import Seams, points
from ppgen.engine.pictures.picture import is_picture_tag, picture_digest
from ppgen.engine.svg.elements import (HREFS, IDENTITY, SPACE, SVG, Attributes, Matrix, inherited_value, local_tag,
                                       matrix_scales, memoise, multiply, parse_transform)
from ppgen.engine.svg.subset import (CHECKED_ATTRIBUTES, ELEMENTS, NUMBER, OWN_ATTRIBUTES, PLACED_BY_REFERENCE,
                                     REFERENCES, SHAPES, SOURCE_ATTRIBUTE, TEXT_ATTRIBUTES, TEXT_TAGS, VALUES,
                                     is_valid_value)
from ppgen.errors import Phrase, Problem, join_names
from ppgen.records import dataclass, replace

# --- Counts ---
# Counts of what an SVG draws, as often as it is drawn: a ``<use>`` of a ``<use>`` makes millions of shapes of few. They
# are for printers and viewers: the supervised child bounds the time and memory of ppgen's own renderers.

SHEET = 210.0 * 297.0  # the area of A4 in mm²; the limits of larger faces grow with their area
MAX_HEIGHT = 100  # levels of references: renderers call themselves for each
MAX_DRAWN = 50_000
LAYER, NUMBERS = 50, 2  # a layer counts as so many shapes, so many numbers of an outline as one
_LAYERS = frozenset(("clip-path", "mask", "opacity", "stroke-dasharray"))
_OUTLINES = frozenset(("d", "points"))

References = Mapping[etree._Element, Sequence[str]]  # the ids that elements refer to


def count_sheets(view_box: str) -> float:
    """Return the area of a face, bleed included, in sheets of A4, at least 1; the view box must be valid."""
    _, _, width, height = map(float, view_box.split())
    return max(1.0, width * height / SHEET)


def whole_sheets(sheets: float) -> int:
    return max(1, round(sheets))


class ExcessError(Exception):
    """An element draws too much."""

    def __init__(self, element: etree._Element, what: str, remedy: str) -> None:
        super().__init__(what)
        self.element, self.fault = element, (what, remedy)


def weigh_tag(tag: str, attributes: Attributes) -> int:
    """Return the number of shapes that an element counts as: more if it needs a bitmap of its own, or is long."""
    layers = sum(value.startswith("url(") if name in ("fill", "stroke") else value != "none"
                 for name, value in attributes if name in _LAYERS or name in ("fill", "stroke"))
    return (1 + LAYER * (layers + (tag == "image"))
            + sum(len(NUMBER.findall(value)) for name, value in attributes if name in _OUTLINES) // NUMBERS)


def count_drawn(weights: Mapping[etree._Element, int], references: References,
                elements_by_id: Mapping[str, etree._Element], sheets: float) -> None:
    """Count what a drawing draws, with all that its elements refer to. Raises ExcessError.

    All references must have a target. ``weights`` are those of all elements.
    """
    known: dict[str, int] = {}
    begun: set[str] = set()

    def expand(element: etree._Element, name: str, depth: int) -> int:
        if name in known:
            return known[name]
        if name in begun:
            raise ExcessError(element, "has something that refers to itself", Phrase("take_it_out"))
        if depth > MAX_HEIGHT:
            raise ExcessError(element, f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                              "refer to shapes, not to what refers to others")
        begun.add(name)
        known[name] = sum(weights[inner] + sum(expand(inner, each, depth + 1) for each in references.get(inner, ()))
                          for inner in elements_by_id[name].iter())
        return known[name]

    drawn, most = sum(weights.values()), int(sheets * MAX_DRAWN)
    heaviest = max(weights, key=weights.__getitem__)
    for element, names in (*references.items(), (heaviest, ())):
        drawn += sum(expand(element, name, 1) for name in names)
        if drawn > most:
            raise ExcessError(element, f"draws more than {most:,} shapes; clips, masks, opacities, dashes and "
                              f"gradients count as {LAYER}", "use fewer, or put one around several shapes")


# --- Elements and texts ---
# Checks of drawn SVG: clean SVG, or every fault in tags, attributes and texts that the tool chain would drop silently.
# SVG comes from strangers' templates: no DTD, no entities, no scripts, nothing from outside the file, and nothing that
# would take the programs of the chain minutes to draw (:mod:`ppgen.engine.drawing.svg_check`).

MAX_ATTRIBUTES = 60
MAX_LEVELS, MAX_ELEMENTS = 60, 20_000
MAX_FAULTS = 50  # faults reported of a face; more would not help to find the cause
MAX_REACH = 1_000_000.0  # in mm: numbers far beyond it crash the renderer of pictures
_LARGE = re.compile(r"[0-9](?:[eE]|[0-9]{6})")  # twice as fast as with two branches of \d
_MEASURES = frozenset(name for name, (kind, _, _) in VALUES.items() if name[:5] != "data-" and name != "font-size"
                      and kind in ("a number", "a number or share", "path data", "a transform", "a list of points",
                                   "a list of numbers", "four numbers"))
_REFERRING = frozenset(REFERENCES).union(HREFS)
_URL = re.compile(r"url\(#([\w.-]+)\)")
_XML_POSITION = re.compile(r", line \d+, column \d+(?: \([^()]*\))?$")
_UNCLOSED = re.compile(r"(?:Opening and ending tag mismatch:|Premature end of data in tag) (?P<tag>\S+) line "
                       r"(?P<line>\d+)(?: and (?P<other>\S+))?")
NO_TEXTS: Mapping[str, SetText] = {}
_ESCAPED_MARKUP = re.compile("&#3[49];|&lt;")
_DECLARATION = re.compile(r"<(?:!D|\?)")
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
                          remove_comments=True, remove_pis=True, encoding="utf-8")
_ANCHORED = etree.XPath(f"//*[@{ANCHOR}]")
_TOO_DEEP = etree.XPath("/*" * (MAX_LEVELS + 2))  # the outermost elements that are nested too deep

Fault = tuple[str, str]  # what is wrong, and a remedy
ElementsById = Mapping[str, etree._Element]


@dataclass(frozen=True, slots=True)
class CheckedSvg:
    """SVG inside the subset without ppgen's own attributes; the edge, seams and anchors that it declared.

    ``markup`` are signs of markup that its texts print, each with its ``data-src``.
    """

    text: str
    edge: str
    anchors: Mapping[str, Anchor]
    seams: Seams
    markup: tuple[tuple[str, str], ...]


# --- Facts about a tag and its attributes, wherever it stands ---

class TagFacts(NamedTuple):
    """Facts about a tag that do not depend on its surroundings."""

    tag: str
    attributes: Attributes
    name: str  # its id
    declares: bool  # anchors or seams of the face
    references: Attributes  # attributes that refer to other elements
    sound: bool  # nothing is wrong with it
    common: bool  # sound, and none of these: most tags
    weight: int  # the number of shapes that it counts as


Inspection = Sequence[tuple[etree._Element, TagFacts]]


@memoise
def tag_facts(tag: str, attributes: Attributes) -> TagFacts:
    short, has = tag.rpartition("}")[2], dict(attributes)
    name, declares = has.get("id", ""), ANCHOR in has or SEAM in has
    references = tuple([each for each in attributes if each[0] in _REFERRING and referenced_id(*each) is not None])
    sound = (is_supported(tag) and (short != "path" or bool(has.get("d"))) and not has_too_many(has)
             and not any(value_fault(short, *each) for each in attributes))
    if tag == f"{{{SVG}}}image":
        sound = is_picture_tag(attributes)
    common = not (name or declares or references or short == "image") and sound
    return TagFacts(short[:80], attributes, name, declares, references, sound, common, weigh_tag(short, attributes))


def is_supported(tag: str) -> bool:
    """Whether the subset has elements of this name."""
    space, _, short = tag.rpartition("}")
    return space == f"{{{SVG}" and short in ELEMENTS


def value_fault(tag: str, name: str, value: str) -> tuple[str, str] | None:
    """Return what is wrong with an attribute, with a remedy, whatever surrounds its element; None if nothing is."""
    if name in TEXT_ATTRIBUTES and tag not in TEXT_TAGS:
        return f"{name} of <{tag}> is not supported", "give words their look with text(), paragraph() or rich()"
    if name in VALUES:
        if is_valid_value(name, value):
            is_far = name in _MEASURES and _LARGE.search(value) and any(
                not abs(float(number)) <= MAX_REACH for number in NUMBER.findall(value))
            return (f"{name} has a number beyond {MAX_REACH:,.0f}", "keep numbers small") if is_far else None
        kind, _, remedy = VALUES[name]
        return f"{name} '{value[:40]}' is not {kind}", remedy
    if name in HREFS:
        return None if value.startswith("#") else (f"refers to '{value[:80]}' outside the file",
                                                   "use <defs> and #names only")
    if name in (SOURCE_ATTRIBUTE, SPACE):
        return None
    return f'attribute {name[:80]}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"


def referenced_id(name: str, value: str) -> str | None:
    """Return the id that an attribute refers to, if it does."""
    if name in REFERENCES:
        match = _URL.fullmatch(value)
        return match[1] if match else None
    return value[1:] if name in HREFS and value.startswith("#") else None


def has_too_many(attributes: Collection[object]) -> bool:
    """Whether there are more attributes (their names) than a tag may have; ``data-src`` does not count."""
    return len(attributes) - (SOURCE_ATTRIBUTE in attributes) > MAX_ATTRIBUTES


def sample_words(names: Iterable[str]) -> str:
    """Join the first of some names for a message."""
    first = list(islice(names, 21))
    return join_names(first[:20]) + ("…" if len(first) > 20 else "") or "none"


# --- Whole drawings ---

def check_svg(text: str, view_box: str, marked: bool = False, ours: bool = False, pictures: Collection[str] = (),
              texts: Mapping[str, SetText] = NO_TEXTS) -> tuple[CheckedSvg | None, tuple[Problem, ...]]:
    """Return the clean SVG, or None and its faults; their place is the nearest ``data-src``.

    The root must have this ``view_box``. ``marked`` keeps the template lines (``data-src``). Shipped templates
    (``ours``) keep to the subset, whatever their values: unless they are marked, as for a check, only their texts are
    judged. ``pictures`` are the digests of those that the drawing may show, ``texts`` are its texts.
    """
    root = _parse(text)
    if isinstance(root, Problem):
        return None, (root,)
    if not marked:
        etree.strip_attributes(root, SOURCE_ATTRIBUTE)  # needed only once something is wrong: see below
    faults, drawn = _check_texts(text, texts)
    if ours and not marked:
        parsed = map(parse_anchor, cast(list[etree._Element], _ANCHORED(root)))
        violations: tuple[Problem, ...] = (*faults,)
        anchors: Mapping[str, Anchor] = dict(each for each in parsed if not isinstance(each, str))
    else:
        violations, anchors = _inspect(root, faults, view_box, ours, pictures)
    if violations:
        return None, violations if marked else check_svg(text, view_box, True, ours, pictures, texts)[1]
    edge, seams = root.get("data-edge", ""), parse_seams(root)
    etree.strip_attributes(root, *(OWN_ATTRIBUTES - CHECKED_ATTRIBUTES if marked else OWN_ATTRIBUTES))
    etree.cleanup_namespaces(root)
    root.text = root.text or ""  # an empty face has an end tag, too
    markup = tuple(dict.fromkeys((mark, each.source) for each in drawn for mark in each.markup))
    return CheckedSvg(etree.tostring(root, encoding="unicode"), edge, anchors, seams, markup), ()


def _check_texts(svg: str, texts: Mapping[str, SetText]) -> tuple[Sequence[Problem], Sequence[SetText]]:
    """Return the faults of a drawing's texts, and those that were set by a function."""
    faults, drawn = list[Problem](), list[SetText]()
    for text, match in find_texts(svg):
        if known := texts.get(text):
            drawn.append(known)
            faults += [replace(fault, place=known.source) for fault in known.faults]
        else:
            source = match["source"] or _last_source(svg[:match.start()])
            faults.append(Problem(source, f"<{match['tag']}> is not set by text(), or was changed since",
                                  "set words with text(), paragraph() or rich()"))
        if len(faults) >= MAX_FAULTS:
            break
    return faults, drawn


def _parse(text: str) -> etree._Element | Problem:
    """Parse the SVG. Entities, which can name files and multiply, and processing instructions are refused before."""
    if _DECLARATION.search(text):
        if "<!DOCTYPE" in text:
            return Problem("", "has a DOCTYPE", "take it out: entities are not supported")
        if "<?" in text.removeprefix("<?xml "):
            return Problem("", "has a processing instruction <?…?>", Phrase("take_it_out"))
    try:
        return etree.fromstring(text.encode(), _PARSER)
    except UnicodeEncodeError as error:
        return Problem("", f"has half a character (U+{ord(text[error.start]):04X})", "write the character itself")
    except etree.XMLSyntaxError as error:
        return _syntax_violation(text, error)


def _syntax_violation(text: str, error: etree.XMLSyntaxError) -> Problem:
    """Describe an XML error by the template's lines: nobody sees those of the drawn SVG."""
    lines = text.split("\n")
    line = error.lineno or 1
    before = "\n".join((*lines[:line - 1], "".join(lines[line - 1:line])[:error.offset or 0]))
    what = _XML_POSITION.sub("", error.msg or "")
    if unclosed := _UNCLOSED.fullmatch(what):
        tag, opening = unclosed["tag"], "\n".join(lines[:int(unclosed["line"])])
        opened = re.findall(rf'<{re.escape(tag)}\b[^<>]*?{SOURCE_ATTRIBUTE}="([^"<>]*)"', opening)
        what = f"<{tag}>{f' of {opened[-1]}' if opened else ''} is not closed"
        what += f" before </{unclosed['other']}>" if unclosed["other"] else ""
        return Problem(_last_source(before), f"is not well-formed XML: {what}", f"close it with </{tag}>")
    start = before.rfind("<")
    escaped = _ESCAPED_MARKUP.search(text[start:].partition(">")[0]) if start >= 0 else None
    remedy = 'markup that a macro is given is printed as plain words: pass it on with "| safe"' if escaped else ""
    return Problem(_last_source(before), f"is not well-formed XML: {what}", remedy)


def _last_source(text: str) -> str:
    at = text.rfind(f'{SOURCE_ATTRIBUTE}="')
    return text[at:].split('"', 2)[1] if at >= 0 else ""


def _attributes(element: etree._Element) -> Attributes:
    """Return names and values; of far too many only the names, as lxml takes longer and longer for each value."""
    if len(element.attrib) > MAX_ATTRIBUTES + 1:
        return tuple((str(name), "") for name in element.attrib)
    return cast(Attributes, tuple(element.items()))  # a parsed document has no bytes


def _inspect(root: etree._Element, faulty: Sequence[Problem], view_box: str, ours: bool,
             pictures: Collection[str]) -> tuple[tuple[Problem, ...], Mapping[str, Anchor]]:
    max_elements = int(MAX_ELEMENTS * count_sheets(view_box))
    inspection = [(element, tag_facts(element.tag, _attributes(element)))
                  for element in islice(root.iter(), max_elements + 1)]
    special = [(element, facts) for element, facts in inspection if not facts.common]
    if violation := _structure_violation(inspection, special, max_elements, view_box):
        return (violation,), {}
    ids = [(facts.name, element) for element, facts in special if facts.name]
    elements_by_id, firsts = dict(ids), dict(reversed(ids))
    violations = [Problem(_source(element), f"id '{name}' stands twice", "give each its own id")
                  for name, element in ids if firsts[name] is not element][:MAX_FAULTS]
    violations += [Problem(_source(element), "<image> is not supported", "draw pictures with image()")
                   for element, facts in special if facts.tag == "image" and facts.sound
                   and picture_digest(element.get("href", "")) not in pictures]
    if faults := [*faulty, *islice(_element_violations(inspection, special, elements_by_id), MAX_FAULTS)]:
        return (*violations, *faults)[:MAX_FAULTS], {}
    try:
        if not ours:
            count_drawn({element: facts.weight for element, facts in inspection},
                        {element: targets for element, facts in special if (targets := [
                            name for each in facts.references if (name := referenced_id(*each)) is not None])},
                        elements_by_id, count_sheets(view_box))
    except ExcessError as error:
        return (*violations, Problem(_source(error.element), *error.fault))[:MAX_FAULTS], {}
    declaring = [element for element, facts in special if facts.declares]
    anchored = [(element, parse_anchor(element)) for element in declaring if element.get(ANCHOR)]
    violations += _anchor_violations(anchored, view_box)
    violations += _seam_violations(root, declaring, view_box)
    return tuple(violations[:MAX_FAULTS]), dict(parsed for _, parsed in anchored if not isinstance(parsed, str))


def _structure_violation(inspection: Inspection, special: Inspection, max_elements: int,
                         view_box: str) -> Problem | None:
    """Return a fault after which the rest need not be checked: a wrong root, or too many elements or attributes."""
    root = inspection[0][0]
    if root.tag != f"{{{SVG}}}svg" or root.get("viewBox", "").split() != view_box.split():
        return Problem(_source(root), "does not begin as an <svg> with the face's view box",
                         'begin with <svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">')
    if len(inspection) > max_elements:
        return Problem(_source(root), f"has more than {max_elements} elements", "draw repeated shapes as a pattern")
    for element, facts in special:
        if not facts.sound and has_too_many(element.keys()):
            return Problem(_source(element), f"<{facts.tag}> has more than {MAX_ATTRIBUTES} attributes",
                             "take some out")
    return None


def _element_violations(inspection: Inspection, special: Inspection,
                        elements_by_id: ElementsById) -> Iterator[Problem]:
    """Check each ``special`` element, and any that is too deep."""
    outermost = cast(list[etree._Element], _TOO_DEEP(inspection[0][0]))
    too_deep = {inner for element in outermost for inner in element.iter()}
    if too_deep:
        special = [(element, facts) for element, facts in inspection if not facts.common or element in too_deep]
    for element, facts in special:
        for fault in _faults(element, facts, element in too_deep, elements_by_id):
            yield Problem(_source(element), *fault)


def _faults(element: etree._Element, facts: TagFacts, too_deep: bool, elements_by_id: ElementsById) -> Iterator[Fault]:
    tag = facts.tag
    if not facts.sound and not is_supported(str(element.tag)):
        yield f"<{tag}> is not supported", ("draw pictures with image()" if tag == "image" else
                                            "see docs/svg-subset.md")
        return
    if too_deep:
        yield Phrase("deep", number=MAX_LEVELS), "flatten the groups"
        return
    for name, value in facts.references if facts.sound else facts.attributes:
        if fault := value_fault(tag, name, value) or _reference_fault(name, value, elements_by_id):
            yield fault
    if tag == "path" and not element.get("d"):
        yield "path has no data", "add d"


def _reference_fault(name: str, value: str, elements_by_id: ElementsById) -> Fault | None:
    """Check that the target of a reference exists and is of a fitting kind."""
    reference = referenced_id(name, value)
    if reference is None:
        return None
    if reference not in elements_by_id:
        what = f"refers to #{reference[:80]}, which is not defined"
        return what if name in HREFS else f"{name} {what}", f"ids: {sample_words(elements_by_id)}"
    target = local_tag(elements_by_id[reference])
    if name in REFERENCES and target not in REFERENCES[name]:
        return f"{name} refers to #{reference[:80]}, a <{target}>", f"use {join_names(sorted(REFERENCES[name]))}"
    return None


def _anchor_violations(anchored: Iterable[tuple[etree._Element, tuple[str, Anchor] | str]],
                       view_box: str) -> Iterator[Problem]:
    """Report anchors without a place on the face, or with two. All attributes must fit the subset."""
    seen: set[str] = set()
    for element, parsed in anchored:
        if isinstance(parsed, str):
            yield Problem(_source(element), parsed, "state it beside what is drawn there, outside of it")
            continue
        name, anchor = parsed
        if name in seen:
            yield Problem(_source(element), f"anchor '{name}' stands twice", "state each once")
        elif not is_on(anchor, view_box):
            yield Problem(_source(element), f"anchor '{name}' lies off the face, at {anchor.x:.4g} {anchor.y:.4g}",
                            "give x y in mm, counted as in the element that has it")
        seen.add(name)


def _seam_violations(root: etree._Element, elements: Sequence[etree._Element], view_box: str) -> Iterator[Problem]:
    """Report seams off the face, or not on the root, where they are ignored. All attributes must fit the subset."""
    if not elements:
        return
    for element in elements:
        if element is not root and element.get(SEAM):
            yield Problem(_source(element), f"<{local_tag(element)}> has a {SEAM}", "state all seams on the root")
    left, top, width, height = map(float, view_box.split())
    for axis, places, start, length in (("x", parse_seams(root).x, left, width),
                                        ("y", parse_seams(root).y, top, height)):
        if off := [place for place in places if not 0 < place < length + 2 * start]:  # the bleed lies below 0
            yield Problem(_source(root), f"seam {axis} {off[0]:g} lies off the face",
                            f"between 0 and {length + 2 * start:g}: mm of the trim")


def _source(element: etree._Element) -> str:
    return inherited_value(element, SOURCE_ATTRIBUTE)


# --- Fineness ---

MIN_STROKE = 0.1  # in mm: inkjets lose lines under 0.09 mm (ernierasta/pnp-howto)
MIN_TYPE_SIZE = 5.0  # In points. Print shops require at least 5 or 6 for light letters on white.

_NOT_DRAWN_IN_PLACE = frozenset(f"{{{SVG}}}{name}" for name in ("defs", *PLACED_BY_REFERENCE))
_DRAWN = frozenset(f"{{{SVG}}}{name}" for name in (*SHAPES, "text"))
_TEXT_TAGS = frozenset(f"{{{SVG}}}{name}" for name in TEXT_TAGS)
_USE = f"{{{SVG}}}use"
_PATH_DATA = re.compile(r' d="[^"<>]*"')  # most of a face's SVG, and irrelevant for widths
_TOLERANCE = 0.001


@dataclass(frozen=True, slots=True)
class FineDetail:
    """A too fine ``stroke`` (mm), ``type`` (pt), code ``module`` (mm), ``contrast``; words ``over`` a box."""

    kind: str
    size: float
    source: str


_Style = tuple[str, str, str, str]  # stroke, stroke width, fill and font size that an element inherits
_DEFAULT_STYLE: _Style = ("none", "1", "black", "0")


@lru_cache(maxsize=4_000)
def find_fine_details(face: Face) -> tuple[FineDetail, ...]:
    """Find strokes and type that print too fine, measured after all transforms."""
    root = etree.fromstring(_PATH_DATA.sub("", face.svg).encode())
    return tuple(dict.fromkeys(_Walk(root).found))


@lru_cache(maxsize=1_000)
def thicken_strokes(svg: str, least: float) -> str:
    """Make every stroke at least so wide, in mm of the drawing: a booklet shows faces much smaller than they are."""
    root = etree.fromstring(svg.encode())
    walk = _Walk(root, least)
    for element, scale in walk.thin.items():
        element.set("stroke-width", f"{least / scale:.5g}")
    return etree.tostring(root, encoding="unicode") if walk.thin else svg


class _Walk:
    """Visits what is drawn. ``thin`` are the elements with a stroke under ``least`` mm, and their smallest scales."""

    def __init__(self, root: etree._Element, least: float = MIN_STROKE) -> None:
        self.elements_by_id = {str(name): element for element in root.iter() if (name := element.get("id"))}
        self.least = least
        self.thin: dict[etree._Element, float] = {}
        self.seen: set[tuple[str, float, _Style]] = set()
        self.found: list[FineDetail] = []
        self.visit(root, IDENTITY, 1.0, _DEFAULT_STYLE)

    def visit(self, element: etree._Element, matrix: Matrix, scale: float, inherited: _Style) -> None:
        """Collect fine details of an element and of what it refers to; ``scale`` is the matrix's smallest scale."""
        get, tag = element.get, element.tag
        if transform := get("transform"):
            matrix = multiply(matrix, parse_transform(transform))
            _, scale = matrix_scales(matrix)
        style = stroke, width, fill, size = (get("stroke", inherited[0]), get("stroke-width", inherited[1]),
                                             get("fill", inherited[2]), get("font-size", inherited[3]))
        if tag in _DRAWN:
            if stroke != "none" and 0 < (mm := float(width) * scale) < self.least - _TOLERANCE:
                self.thin[element] = min(scale, self.thin.get(element, scale))
                self.found.append(FineDetail("stroke", round(mm, 3), inherited_value(element, SOURCE_ATTRIBUTE)))
            for paint in (stroke,) if fill == stroke else (stroke, fill):
                if paint.startswith("url"):
                    self.follow(paint[5:-1], matrix, scale, _DEFAULT_STYLE)
        if tag in _TEXT_TAGS and 0 < (type_size := points(float(size) * scale)) < MIN_TYPE_SIZE - _TOLERANCE:
            self.found.append(FineDetail("type", round(type_size, 2), inherited_value(element, SOURCE_ATTRIBUTE)))
        if over := get("data-over"):
            self.found.append(FineDetail("over", -float(over), inherited_value(element, SOURCE_ATTRIBUTE)))
        if module := get("data-module"):
            for kind, value, least in (("module", float(module) * scale, MIN_MODULE),
                                       ("contrast", float(get("data-contrast", 0)), MIN_CODE_CONTRAST)):
                if value < least - _TOLERANCE:
                    self.found.append(FineDetail(kind, round(value, 3), inherited_value(element, SOURCE_ATTRIBUTE)))
        if tag == _USE:
            self.follow(next(filter(None, map(get, HREFS)))[1:], matrix, scale, style)
        for child in element:
            if child.tag not in _NOT_DRAWN_IN_PLACE:
                self.visit(child, matrix, scale, style)

    def follow(self, name: str, matrix: Matrix, scale: float, style: _Style) -> None:
        """Visit the target of a reference, once for each size and style."""
        target, key = self.elements_by_id[name], (name, round(scale, 6), style)
        if key in self.seen:
            return
        self.seen.add(key)
        if transform := target.get("patternTransform"):
            matrix = multiply(matrix, parse_transform(transform))
            _, scale = matrix_scales(matrix)
        self.visit(target, matrix, scale, style)
