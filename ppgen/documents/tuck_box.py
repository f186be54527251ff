"""Turns a card size and a stack's height into the net of a tuck box: panels, folds, glue and the cut.

The net is one row of panels – glue flap, front, side, back, side – with a lid that tucks in at the top and
one at the bottom, and dust flaps at the sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.faces import FaceRequest
from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.errors import InputError, Problem
from ppgen.texts import Texts

BOX = "box"
CARD_THICKNESS = 0.32
"""Of a printed card in mm: 250 to 300 g/m² (print.md's 0.30 to 0.35 mm)."""
PLAY = 1.2
"""So much wider, higher and deeper than the stack is the inside, in mm, so that cards slide."""
GLUE_FLAP, TUCK = 11.0, 13.0
"""Width of the glue flap and length of the tucks, in mm."""
SLANT = 1.5
"""Flaps taper by so much, in mm, so that they don't catch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuckBox:
    """The net in millimetres from the top left corner of its bounding box.

    ``panels`` are ``front back left right lid base``; ``outline`` is the closed cut.
    """

    size: Size
    panels: Mapping[str, Rect]
    outline: tuple[Point, ...]
    folds: tuple[Line, ...]
    glue: Rect


def net(card: Size, stack: float) -> TuckBox:
    """The net for cards of that trim in a stack so many millimetres high."""
    width, height, depth = card.width + PLAY, card.height + PLAY, stack + PLAY
    tuck = min(TUCK, depth + width / 4)
    top = depth + tuck  # the upper edge of the panels
    bottom = top + height
    xs = [GLUE_FLAP]
    for panel in (width, depth, width, depth):
        xs.append(xs[-1] + panel)
    front, left, back, right = (Rect(x, top, end - x, height) for x, end in pairwise(xs))
    lid, base = Rect(back.x, tuck, width, depth), Rect(back.x, bottom, width, depth)
    flap = depth * 0.8
    outline = (
        (0, top + 3 * SLANT), (GLUE_FLAP, top), (front.right, top),
        # dust flap, lid with its tuck, dust flap
        (left.x + SLANT, top - flap), (left.right - SLANT, top - flap), (back.x, top),
        (back.x, lid.y), (back.x + 2 * SLANT, 0), (back.right - 2 * SLANT, 0), (back.right, lid.y), (back.right, top),
        (right.x + SLANT, top - flap), (right.right - SLANT, top - flap), (right.right, top), (right.right, bottom),
        (right.right - SLANT, bottom + flap), (right.x + SLANT, bottom + flap), (back.right, bottom),
        (back.right, base.bottom), (back.right - 2 * SLANT, base.bottom + tuck),
        (back.x + 2 * SLANT, base.bottom + tuck), (back.x, base.bottom), (back.x, bottom),
        (left.right - SLANT, bottom + flap), (left.x + SLANT, bottom + flap), (front.right, bottom),
        (GLUE_FLAP, bottom), (0, bottom - 3 * SLANT))
    folds = (
        *(Line(Point(x, top), Point(x, bottom)) for x in xs[:-1]),
        *(Line(Point(panel.x, y), Point(panel.right, y)) for panel in (left, back, right) for y in (top, bottom)),
        *(Line(Point(panel.x, y), Point(panel.right, y)) for panel, y in ((lid, lid.y), (base, base.bottom))))
    return TuckBox(
        size=Size(right.right, base.bottom + tuck), outline=tuple(Point(x, y) for x, y in outline), folds=folds,
        panels={"front": front, "left": left, "back": back, "right": right, "lid": lid, "base": base},
        glue=Rect(0, top, GLUE_FLAP, height))


def tuck_box(texts: Texts, template: str, cards: Sequence[Component], thickness: float, room: Size) -> Part:
    """The box for cards of that thickness (mm), on a page of its own, in the middle of its room.

    Raises InputError if it does not fit the paper.
    """
    count = sum(card.copies for card in cards)
    largest = Size(max(card.size.width for card in cards), max(card.size.height for card in cards))
    box = net(largest, count * thickness)
    turned = box.size.width > room.width or box.size.height > room.height
    inside = room.turned if turned else room
    if box.size.width > inside.width or box.size.height > inside.height:
        raise InputError([Problem(place="--paper", key=BOX, what=f"the net of the box, {_rounded(box.size)}, does not "
                                  f"fit the {_rounded(room)} inside the margins", remedy="print it on larger paper")])
    values = {"box": box, "turned": turned, "cards": count}
    return Part(name=BOX, title=texts("parts.box"), stock=Stock.BOX, pages=True,
                components=(Component(id=BOX, front=FaceRequest(template=template, size=room, values=values)),))


def _rounded(size: Size) -> str:
    return f"{size.width:.0f} × {size.height:.0f} mm"
