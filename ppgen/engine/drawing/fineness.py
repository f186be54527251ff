"""Turns a drawn face into what is too fine on it for home printers: thin strokes, small type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot

from lxml import etree

from ppgen.engine.drawing.face import Face
from ppgen.engine.svg.matrix import IDENTITY, Matrix, matrix_of, product
from ppgen.engine.svg.subset import MARK, SHAPES
from ppgen.engine.svg.tree import HREFS, SVG, inherited
from ppgen.engine.units import points

LEAST_STROKE = 0.1
"""In mm: inkjets lose lines under 0.09 mm (ernierasta/pnp-howto)."""
LEAST_TYPE = 5.0
"""In points. Print shops ask for 5 or 6 as the least for light letters on white."""

_ELSEWHERE = frozenset(f"{{{SVG}}}{name}" for name in "defs symbol pattern clipPath mask".split())
"""What is in these is drawn only where something refers to it; clips and masks are never drawn."""
_DRAWN = frozenset(f"{{{SVG}}}{name}" for name in (*SHAPES, "text"))
_WRITTEN = frozenset({f"{{{SVG}}}text", f"{{{SVG}}}tspan"})
_USE = f"{{{SVG}}}use"
_PATH_DATA = re.compile(r' d="[^"<>]*"')
"""Most of a face, and says nothing of how wide it is drawn. What looks like it in a text ends there."""
_SLACK = 0.001


@dataclass(frozen=True, slots=True)
class Fine:
    """Something too fine: a ``stroke`` (mm) or ``type`` (points). ``mark`` is the nearest mark of a template's line."""

    kind: str
    size: float
    mark: str


_Style = tuple[str, str, str, str]
"""The stroke, its width, the fill and the size of type that an element inherits."""
_PLAIN: _Style = ("none", "1", "black", "0")


@lru_cache(maxsize=4_000)
def too_fine(face: Face) -> tuple[Fine, ...]:
    """The strokes and the type of a face that print too fine, as they come out through all transforms."""
    root = etree.fromstring(_PATH_DATA.sub("", face.svg).encode())
    walk = _Walk({str(name): element for element in root.iter() if (name := element.get("id"))})
    walk.through(root, IDENTITY, 1.0, _PLAIN)
    return tuple(dict.fromkeys(walk.found))


class _Walk:
    """Finds what is too fine; a face has hundreds of elements, so each is looked at no longer than it must be."""

    def __init__(self, named: Mapping[str, etree._Element]) -> None:
        self.named = named
        self.seen: set[tuple[str, float, _Style]] = set()
        self.found: list[Fine] = []

    def through(self, element: etree._Element, matrix: Matrix, scale: float, given: _Style) -> None:
        """Note what is too fine in an element and in what it refers to; ``scale`` is the least that the matrix has."""
        get, tag = element.get, element.tag
        if transform := get("transform"):
            matrix = product(matrix, matrix_of(transform) or IDENTITY)
            scale = _least_scale(matrix)
        style = stroke, width, fill, size = (get("stroke", given[0]), get("stroke-width", given[1]),
                                             get("fill", given[2]), get("font-size", given[3]))
        if tag in _DRAWN:
            if stroke != "none" and 0 < (wide := float(width) * scale) < LEAST_STROKE - _SLACK:
                self.found.append(Fine("stroke", round(wide, 3), inherited(element, MARK)))
            for paint in (stroke,) if fill == stroke else (stroke, fill):
                if paint.startswith("url"):
                    self.referred(paint[5:-1], matrix, scale, _PLAIN)
        if tag in _WRITTEN and 0 < (points_high := points(float(size) * scale)) < LEAST_TYPE - _SLACK:
            self.found.append(Fine("type", round(points_high, 2), inherited(element, MARK)))
        if tag == _USE:
            self.referred(next(filter(None, map(get, HREFS)))[1:], matrix, scale, style)
        for child in element:
            if child.tag not in _ELSEWHERE:
                self.through(child, matrix, scale, style)

    def referred(self, name: str, matrix: Matrix, scale: float, style: _Style) -> None:
        """Note what is too fine in something referred to; once in each size and style."""
        target, key = self.named[name], (name, round(scale, 6), style)
        if key in self.seen:
            return
        self.seen.add(key)
        if transform := target.get("patternTransform"):
            matrix = product(matrix, matrix_of(transform) or IDENTITY)
            scale = _least_scale(matrix)
        self.through(target, matrix, scale, style)


def _least_scale(matrix: Matrix) -> float:
    """How much a matrix stretches the direction that it stretches least: its smaller singular value."""
    a, b, c, d, _, _ = matrix
    return abs(hypot(a + d, b - c) - hypot(a - d, b + c)) / 2
