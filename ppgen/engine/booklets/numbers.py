"""Turns the numbers around a picture, and the anchors of its face, into seals and the lines from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from ppgen.engine.booklets.document import Booklet, Label, Numbers, Stroke, figures_in
from ppgen.engine.drawing.anchors import Anchor
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.geometry import Point, Rect

SEAL = 4.4
"""The diameter of a seal, in mm."""
GAP = 0.4
"""Between two seals, at least."""

Side = Literal["left", "right", "top"]


def unstated(booklet: Booklet, faces: Mapping[FaceRequest, Face]) -> tuple[tuple[str, str], ...]:
    """The template and the name of each anchor that is asked for and not stated, and so has no number."""
    wanted = [(part.picture.request, name) for figure in figures_in(booklet.blocks) for part in figure.parts
              if isinstance(part, Numbers) for name in part.anchors]
    return tuple((request.template, name) for request, name in wanted if name not in faces[request].anchors)


def seals_of(numbers: Numbers, anchors: Mapping[str, Anchor]) -> Iterator[Stroke | Label]:
    """A line and a seal for each number whose anchor is stated, beside the nearest edge: left, right or above.

    Seals that would touch move apart, down or to the right.
    """
    box = numbers.picture.box
    scale = box.width / numbers.picture.request.size.width
    sides: dict[Side, list[tuple[float, int, Point]]] = {"left": [], "right": [], "top": []}
    for number, name in enumerate(numbers.anchors, 1):
        if anchor := anchors.get(name):
            x, y = anchor.x * scale, anchor.y * scale
            distances: dict[Side, float] = {"left": x, "right": box.width - x, "top": y}
            side = min(distances, key=lambda side: distances[side])
            sides[side].append((x if side == "top" else y, number, Point(box.x + x, box.y + y)))
    out = numbers.room - SEAL / 2
    for side, found in sides.items():
        free = float("-inf")
        for along, number, to in sorted(found):
            free = max(along, free)
            middle = {"left": Point(box.x - out, box.y + free), "right": Point(box.right + out, box.y + free),
                      "top": Point(box.x + free, box.y - out)}[side]
            free += SEAL + GAP
            yield Stroke(start=middle, end=to, width=0.4, seal=True)
            yield Label(words=str(number), box=Rect(middle.x - SEAL / 2, middle.y - SEAL / 2, SEAL, SEAL),
                        align="center", size=7.4, style="title", seal=True)
