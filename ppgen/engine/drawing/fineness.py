"""Turns a drawn face into what is too fine on it for home printers: thin strokes, small type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from lxml import etree

from ppgen.engine.drawing.face import Face
from ppgen.engine.svg.matrix import IDENTITY, Matrix, matrix_of, product
from ppgen.engine.svg.subset import MARK, SHAPES
from ppgen.engine.svg.tree import HREFS, inherited
from ppgen.engine.units import points

LEAST_STROKE = 0.1
"""In mm: inkjets lose lines under 0.09 mm (ernierasta/pnp-howto)."""
LEAST_TYPE = 5.0
"""In points. Print shops ask for 5 or 6 as the least for light letters on white."""

_ELSEWHERE = frozenset("defs symbol pattern clipPath mask".split())
"""What is in these is drawn only where something refers to it; clips and masks are never drawn."""
_SLACK = 0.001


@dataclass(frozen=True, slots=True)
class Fine:
    """Something too fine: a ``stroke`` (mm) or ``type`` (points). ``mark`` is the nearest mark of a template's line."""

    kind: str
    size: float
    mark: str


@dataclass(frozen=True, slots=True)
class _Style:
    stroke: str = "none"
    width: str = "1"
    fill: str = "black"
    font_size: str = "0"

    def of(self, element: etree._Element) -> _Style:
        get = element.get
        return _Style(get("stroke", self.stroke), get("stroke-width", self.width), get("fill", self.fill),
                      get("font-size", self.font_size))


@lru_cache(maxsize=4_000)
def too_fine(face: Face) -> tuple[Fine, ...]:
    """The strokes and the type of a face that print too fine, as they come out through all transforms."""
    root = etree.fromstring(face.svg.encode())
    found = _Walk({str(element.get("id")): element for element in root.iter() if element.get("id")})
    return tuple(dict.fromkeys(found.fine(root, IDENTITY, _Style())))


class _Walk:
    def __init__(self, named: Mapping[str, etree._Element]) -> None:
        self.named = named
        self.seen: set[tuple[str, float, _Style]] = set()

    def fine(self, element: etree._Element, around: Matrix, given: _Style) -> Iterator[Fine]:
        """What is too fine in an element and in what it refers to."""
        matrix = product(around, matrix_of(element.get("transform", "")) or IDENTITY)
        style, scale = given.of(element), _least_scale(matrix)
        tag, mark = element.tag.rpartition("}")[2], inherited(element, MARK)
        if tag in SHAPES or tag == "text":
            if style.stroke != "none" and 0 < (width := float(style.width) * scale) < LEAST_STROKE - _SLACK:
                yield Fine("stroke", round(width, 3), mark)
            for paint in {style.stroke, style.fill}:
                if paint.startswith("url"):
                    yield from self._referred(paint[5:-1], matrix, _Style())
        if tag in ("text", "tspan") and 0 < (size := points(float(style.font_size) * scale)) < LEAST_TYPE - _SLACK:
            yield Fine("type", round(size, 2), mark)
        if tag == "use":
            yield from self._referred(next(filter(None, map(element.get, HREFS)))[1:], matrix, style)
        for child in element:
            if child.tag.rpartition("}")[2] not in _ELSEWHERE:
                yield from self.fine(child, matrix, style)

    def _referred(self, name: str, matrix: Matrix, style: _Style) -> Iterator[Fine]:
        """What is too fine in something referred to; once in each size and style."""
        target, key = self.named[name], (name, round(_least_scale(matrix), 6), style)
        if key in self.seen:
            return
        self.seen.add(key)
        inside = product(matrix, matrix_of(target.get("patternTransform", "")) or IDENTITY)
        yield from self.fine(target, inside, style)


def _least_scale(matrix: Matrix) -> float:
    """How much a matrix stretches the direction that it stretches least: its smaller singular value."""
    a, b, c, d, _, _ = matrix
    return abs(hypot(a + d, b - c) - hypot(a - d, b + c)) / 2
