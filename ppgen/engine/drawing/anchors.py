"""Turns the anchors and seams that SVG states (``data-anchor``, ``data-seam``) into places on its face, or what is
wrong with one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import atan2, degrees

from lxml import etree

from ppgen.engine.geometry import ANYWHERE, Seams
from ppgen.engine.svg.matrix import IDENTITY, matrix_of, product
from ppgen.engine.svg.tree import SVG, tag_of

ANCHOR, SEAM = "data-anchor", "data-seam"
_ELSEWHERE = frozenset(f"{{{SVG}}}{name}" for name in "defs symbol pattern clipPath mask svg".split())
"""What is in these is drawn in other places, or in several, or in none."""
_PLACE = re.compile(r"([xy])\s+([^xy,\s]+)")
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Anchor:
    """A named place on a face: x, y in mm from the trim's top left corner, y down.

    ``turn`` is the angle of what is drawn around it, in degrees clockwise, -180 to 180.
    """

    x: float
    y: float
    turn: float = 0.0


def anchor_of(element: etree._Element) -> tuple[str, Anchor] | str:
    """The name and place of the element's anchor, or what is wrong with it.

    Its numbers count in the element's own coordinates: those of what is drawn in it, its ``transform`` and all
    around it included. All attributes of the element and of those around it fit the subset.
    """
    name, x, y = element.get(ANCHOR, "").replace(",", " ").split()
    whole = IDENTITY
    holder: etree._Element | None = element
    while holder is not None:
        around = holder.getparent()
        if holder.tag in _ELSEWHERE and around is not None:
            return f"anchor '{name}' stands in a <{tag_of(holder)}> and so has no place on the face"
        if transform := holder.get("transform"):
            whole = product(matrix_of(transform), whole)
        holder = around
    a, b, c, d, e, f = whole
    across, down = float(x), float(y)
    return name, Anchor(a * across + c * down + e, b * across + d * down + f, degrees(atan2(b, a)))


def is_on(anchor: Anchor, view_box: str) -> bool:
    """Whether the anchor lies on the face, its bleed included."""
    x, y, width, height = map(float, view_box.split())
    return (x - _SLACK <= anchor.x <= x + width + _SLACK) and (y - _SLACK <= anchor.y <= y + height + _SLACK)


def seams_of(root: etree._Element) -> Seams:
    """Where a face may best be cut apart, as its root says in mm of the trim; the attribute fits the subset."""
    stated = _PLACE.findall(root.get(SEAM, ""))
    if not stated:
        return ANYWHERE
    return Seams(*(tuple(sorted({float(place) for axis, place in stated if axis == wanted})) for wanted in "xy"))
