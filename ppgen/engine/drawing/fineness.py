"""Details that are too fine for home printers: thin strokes and small type of drawn faces, found or thickened."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.qr_codes import MIN_CODE_CONTRAST, MIN_MODULE
from ppgen.engine.geometry import points
from ppgen.engine.svg.elements import (HREFS, IDENTITY, SVG, Matrix, inherited_value, matrix_scales, multiply,
                                       parse_transform)
from ppgen.engine.svg.subset import PLACED_BY_REFERENCE, SHAPES, SOURCE_ATTRIBUTE

MIN_STROKE = 0.1  # in mm: inkjets lose lines under 0.09 mm (ernierasta/pnp-howto)
MIN_TYPE_SIZE = 5.0  # In points. Print shops require at least 5 or 6 for light letters on white.

_NOT_DRAWN_IN_PLACE = frozenset(f"{{{SVG}}}{name}" for name in ("defs", *PLACED_BY_REFERENCE))
_DRAWN = frozenset(f"{{{SVG}}}{name}" for name in (*SHAPES, "text"))
_TEXT_TAGS = frozenset({f"{{{SVG}}}text", f"{{{SVG}}}tspan"})
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
    walk = _Walk({str(name): element for element in root.iter() if (name := element.get("id"))})
    walk.visit(root, IDENTITY, 1.0, _DEFAULT_STYLE)
    return tuple(dict.fromkeys(walk.found))


def thicken_strokes(svg: str, least: float) -> str:
    """Make every stroke at least so wide, in mm of the drawing: a booklet shows faces much smaller than they are."""
    root = etree.fromstring(svg.encode())
    walk = _Walk({str(name): element for element in root.iter() if (name := element.get("id"))}, least)
    walk.visit(root, IDENTITY, 1.0, _DEFAULT_STYLE)
    for element, scale in walk.thin.items():
        element.set("stroke-width", f"{least / scale:.5g}")
    return etree.tostring(root, encoding="unicode") if walk.thin else svg


class _Walk:
    """Visits what is drawn. ``thin`` are the elements with a stroke under ``least`` mm, and their smallest scales."""

    def __init__(self, elements_by_id: Mapping[str, etree._Element], least: float = MIN_STROKE) -> None:
        self.elements_by_id, self.least = elements_by_id, least
        self.thin: dict[etree._Element, float] = {}
        self.seen: set[tuple[str, float, _Style]] = set()
        self.found: list[FineDetail] = []

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
