"""Counts of what an SVG draws, as often as it is drawn: a ``<use>`` of a ``<use>`` makes millions of shapes of few.

What is not counted, such as small tiles, the renderers bound themselves; far measures crash them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import hypot, inf
from operator import le
from typing import NamedTuple

from lxml import etree

from ppgen.engine.svg.elements import HREFS, Attributes, local_tag, matrix_scales, memoise, parse_transform
from ppgen.engine.svg.subset import NUMBER, SHAPES, VALUES
from ppgen.shipped import Phrase

SHEET = 210.0 * 297.0
"""The area of A4 in mm². The limits of larger faces grow with their area."""
MAX_HEIGHT = 100
"""Levels of nested elements, including what they refer to: renderers call themselves for each."""
MAX_SHAPES = 20_000
MAX_NUMBERS = 100_000
"""Numbers in outlines, as often as they are drawn: more make files that printers choke on."""
MAX_LAYERS = 1_000
"""Clips, masks, opacities, pictures, and fills with patterns or gradients: each may need a bitmap of the whole face."""
MAX_DASHES = 2_000_000
MAX_REACH = 1_000_000.0
"""In mm; a hundredth of what crashes the renderer of pictures."""
_LAYERS = ("clip-path", "mask", "opacity")
_TRANSFORMS = ("transform", "gradientTransform", "patternTransform")
_MEASURES = frozenset(name for name, (kind, _, _) in VALUES.items() if kind in (
    "a number", "a number or share", "path data", "a list of points") and "opacity" not in name and name[:5] != "data-")
_RELATIVE = re.compile("[mlhvcsqta]")


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


class _Tag(NamedTuple):
    """Facts about a tag: the ids of what is drawn for it and of its paints, its ``layers`` and ``numbers``, how far it
    reaches and how long its outline is, at most, the mean length of a dash (below 0: unset), its scale and shift.
    """

    name: str
    uses: tuple[str, ...]
    paints: tuple[str, ...]
    layers: int
    numbers: int
    reach: float
    length: float
    dash: float
    scale: float
    shift: float
    box: float


class _Counts(NamedTuple):
    """What an element draws; ``length`` is that of outlines whose dashes are not counted yet."""

    height: int
    shapes: int
    numbers: int
    layers: int
    length: float
    dashes: float
    reach: float


@memoise
def _read_tag(tag: str, attributes: Attributes) -> _Tag:
    has = dict(attributes)
    measures = {name: [abs(float(number)) for number in NUMBER.findall(has[name])] for name in _MEASURES & has.keys()}
    sums = {name: sum(numbers) for name, numbers in measures.items()}
    reach = sum(sums[name] if name == "d" and _RELATIVE.search(has[name]) else max(numbers, default=0.0)
                for name, numbers in measures.items())
    references = [value.removeprefix("url(").removesuffix(")")[1:] for name, value in attributes
                  if (name in HREFS and tag != "image") or (name in _LAYERS[:2] and value != "none")]
    gaps = [abs(float(number)) for number in NUMBER.findall(has.get("stroke-dasharray", ""))]
    matrix = parse_transform(next((has[name] for name in _TRANSFORMS if name in has), ""))
    sides = [abs(float(number)) for number in NUMBER.findall(has.get("viewBox", ""))][2:]
    return _Tag(has.get("id", ""), tuple(references), tuple(has[name][5:-1] for name in ("fill", "stroke")
                                                            if has.get(name, "").startswith("url")),
                sum(has.get(name, "none") != "none" for name in _LAYERS) + (tag == "image"),
                sum(len(measures.get(name, ())) for name in ("d", "points")), reach,
                7 * sum(sums.values()) if tag in SHAPES else 10 * float(has.get("font-size", 0)),
                sum(gaps) / len(gaps) if gaps else -1.0, matrix_scales(matrix)[0], hypot(*matrix[4:]),
                max(1.0, max(reach, 500.0) / min(sides)) if sides and all(sides) else 0.0)


class DrawingCounter:
    """Counts what elements draw. All values must be valid, and all references must have a target."""

    def __init__(self, elements_by_id: Mapping[str, etree._Element], sheets: float) -> None:
        self._elements = elements_by_id
        self._most = _Counts(MAX_HEIGHT + 1, int(sheets * MAX_SHAPES), int(sheets * MAX_NUMBERS),
                             int(sheets * MAX_LAYERS), inf, int(sheets * MAX_DASHES), MAX_REACH)
        self._known: dict[str, _Counts] = {}
        self._open: set[str] = set()

    def count(self, element: etree._Element, depth: int = 0) -> _Counts:
        """Count what an element draws; ``depth`` counts the elements and references around it. Raises ExcessError."""
        tag = _read_tag(local_tag(element), tuple((str(name), str(value)) for name, value in element.items()))
        if tag.name in self._known:
            return self._known[tag.name]
        if tag.name in self._open:
            raise ExcessError(element, "has something that refers to itself", Phrase("take_it_out"))
        if depth > MAX_HEIGHT:
            raise ExcessError(element, *_excess(self._most._replace(height=depth + 1), self._most))
        if tag.name:
            self._open.add(tag.name)
        counts = self._count_whole(element, tag, depth)
        if tag.name:
            self._open.discard(tag.name)
            self._known[tag.name] = counts
        placed = counts._replace(height=counts.height + depth)
        if not all(map(le, placed, self._most)):  # also NaN
            raise ExcessError(element, *_excess(placed, self._most))
        return counts

    def _count_whole(self, element: etree._Element, tag: _Tag, depth: int) -> _Counts:
        height, shapes, numbers, layers, length, dashes = 0, 1, tag.numbers, tag.layers, tag.length, 0.0
        reach = tag.reach
        letters = len("".join(map(str, element.itertext()))) if local_tag(element) in ("text", "tspan") else 1
        length *= letters
        for target, times in (*((each, 1) for each in element), *((self._elements[name], 1) for name in tag.uses),
                              *((self._elements[name], 0) for name in tag.paints)):
            part = self.count(target, depth + 1)
            if not times:  # a group's paint applies to each of its shapes
                layers += shapes
                times = shapes if local_tag(target) == "pattern" else 1
            height, reach = max(height, part.height), max(reach, part.reach)
            shapes, numbers = shapes + times * part.shapes, numbers + times * part.numbers
            layers += times * part.layers
            length, dashes = length + times * part.length, dashes + times * part.dashes
        if tag.dash >= 0:
            dashes, length = dashes + (length / tag.dash if tag.dash else 0), 0.0
        is_boxed = bool(tag.box) and depth > 0  # its contents are clipped
        scale = tag.scale * (tag.box if is_boxed else 1.0)
        return _Counts(height + 1, shapes, numbers, layers + is_boxed, length, dashes, scale * reach + tag.shift)


def _excess(counts: _Counts, most: _Counts) -> tuple[str, str]:
    """Say what is too much, with a remedy."""
    faults = (
        (f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
         "refer to shapes, not to what refers to others"),
        (f"draws more than {most.shapes} shapes by <use>", "use fewer, or a pattern"),
        (f"has outlines of more than {most.numbers:,} numbers, as drawn", "simplify the paths, or draw fewer"),
        (f"has more than {most.layers:,} clips, masks, opacities, and fills with patterns or gradients",
         "put one around several shapes"),
        ("", ""), (f"may have more than {most.dashes:,} dashes", "make them longer"),
        (f"reaches further than {MAX_REACH / 1000:,g} metres, with the transforms in it",
         "keep numbers and scales small"))
    return next(fault for count, limit, fault in zip(counts, most, faults, strict=True) if not count <= limit)
