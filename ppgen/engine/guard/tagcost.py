"""Turns a tag and its attributes into what it takes to draw it, but for what is in it and what it refers to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import hypot, inf
from typing import NamedTuple

from ppgen.engine.guard.cost import MAX_NUMBERS, Cost, limits_of
from ppgen.engine.svg.matrix import matrix_of
from ppgen.engine.svg.seen import Attributes, remembered
from ppgen.engine.svg.subset import NUMBER, SHAPES, VALUES
from ppgen.engine.svg.tree import HREFS

MAX_FONT_SIZE = 500.0
"""In mm."""

_RELATIVE = re.compile(r"[mlhvcsqta]")
_COMMAND = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*+)")  # an e belongs to a number
_SIZES = {"m": 2, "l": 2, "t": 2, "h": 1, "v": 1, "s": 4, "q": 4, "c": 6, "a": 7}
"""How many numbers each path command takes at a time; the last two, or the only one, are where it ends."""
_SURELY_NEAR = 2_000.0
_ROLES = {
    **{name: "measure" for name, (kind, _, _) in VALUES.items() if kind in ("a number", "a number or share")
       and not name.startswith("data-") and "opacity" not in name},
    "d": "outline", "points": "outline", "fill": "paint", "stroke": "paint", "clip-path": "layer", "mask": "layer",
    "opacity": "opacity", "stroke-dasharray": "dashes", **dict.fromkeys(HREFS, "use"), "viewBox": "box",
    **dict.fromkeys(("transform", "gradientTransform", "patternTransform"), "transform"),
    **dict.fromkeys(("patternUnits", "patternContentUnits", "clipPathUnits", "maskUnits", "maskContentUnits"), "units"),
}
"""What an attribute has to do with the cost; most have nothing."""
_BOX = 500.0
"""The largest box (mm) that shares of a box are reckoned with."""
_LETTER = 5
_ONE_SHEET = limits_of(1.0)


class TagCost(NamedTuple):
    """What a tag says of its cost.

    ``refers`` are the names of what is drawn for it, ``paints`` of what its shapes are painted with. ``own`` is the
    sum of its measures, ``length`` that of its outline, ``size`` that of its letters (0 where none are drawn), ``dash``
    that of one of its dashes (below 0 where nothing is said of them), ``tile`` the sides of a pattern's. ``stretch``,
    ``least`` and ``shift`` are what its transform and its units do, ``box`` what its view box does, if it has one.
    ``alone`` is its whole cost if nothing is in it and it refers to nothing; None too if that is too much for a sheet.
    """

    name: str | None
    refers: tuple[str, ...]
    paints: tuple[str, ...]
    numbers: int
    layers: int
    own: float
    length: float
    size: float
    dash: float
    tile: tuple[float, float] | None
    stretch: float
    least: float
    shift: float
    box: float
    alone: Cost | None = None

    def draw(self, cost: Cost, letters: int) -> None:
        """Add what is drawn to what the element's children take."""
        cost.numbers += self.numbers + _LETTER * letters
        cost.layers += self.layers
        cost.length += self.length + 10 * letters * self.size
        if self.tile:
            cost.largest, cost.smallest = max(cost.largest, self.tile[0]), min(cost.smallest, self.tile[1])
        if self.dash >= 0:
            cost.dashes += cost.length / self.dash if self.dash else 0
            cost.length = 0

    def place(self, cost: Cost, boxed: bool) -> None:
        """Take it through the element's own transform, and through its view box if it is ``boxed``."""
        stretch = self.stretch
        if boxed and self.box:
            cost.layers += 1  # what reaches out of it is cut off
            stretch *= self.box
        cost.height += 1
        cost.reach = stretch * (cost.reach + self.own) + self.shift
        if cost.largest:
            cost.largest *= stretch
            cost.smallest *= self.least


@remembered
def cost_of(tag: str, attributes: Attributes) -> TagCost:
    """What a tag, without its namespace, says of its cost; its values fit the subset."""
    numbers = layers = 0
    own, length, dash, box = 0.0, 0.0, -1.0, 0.0
    scale, least, shift, stretch = 1.0, 1.0, 0.0, 1.0
    refers, paints = [], []
    for name, words in attributes:
        role = _ROLES.get(name)
        if role == "measure":
            own += abs(float(words.rstrip("%")))
        elif role == "outline":
            count, far, length = _outline(words)
            numbers += count
            own += far
        elif role == "paint":
            if words.startswith("url"):
                paints.append(_target(words))
        elif role == "transform":
            scale, least, shift = _transform(words)
            numbers += words.count("(")
        elif role == "use" or (role == "layer" and words != "none"):
            layers += role == "layer"
            refers.append(_target(words))
        elif role == "opacity":
            layers += 1
        elif role == "dashes":
            count, dash = _dashes(words)
            numbers += count
        elif role == "units" and words == "objectBoundingBox":
            stretch *= _BOX
        elif role == "box":
            box = _stretch(words, own)
    has, size = dict(attributes), 0.0
    if tag in SHAPES:
        numbers += 4
        length = length or 7 * own  # a circle's outline is 2π of its radius; all others are shorter
    else:
        length = 0.0
        if tag in ("text", "tspan"):
            size = float(has.get("font-size") or 0) or MAX_FONT_SIZE
    said = TagCost(name=has.get("id"), refers=tuple(refers), paints=tuple(paints), numbers=numbers, layers=layers,
                   own=own, length=length, size=size, dash=dash, tile=_tile(has) if tag == "pattern" else None,
                   stretch=scale * stretch, least=least, shift=shift, box=box)
    if refers or paints or size or box:
        return said
    alone = Cost()
    said.draw(alone, 0)
    said.place(alone, True)
    return said if alone.excess(_ONE_SHEET) else said._replace(alone=alone)


def _target(words: str) -> str:
    """What ``#id`` or ``url(#id)`` refers to."""
    return words.removeprefix("url(").removesuffix(")")[1:]


def _tile(pattern: Mapping[str, str]) -> tuple[float, float] | None:
    """The larger and the smaller side of a pattern's tile; one without width or height is not drawn."""
    width, height = (abs(float(pattern.get(name, "0"))) for name in ("width", "height"))
    if not (width and height):
        return None
    large, small = (1.0, 1.0) if pattern.get("patternUnits") == "userSpaceOnUse" else (_BOX, 10.0)
    return large * max(width, height), small * min(width, height)


def _stretch(box: str, own: float) -> float:
    """How much a view box stretches what is in it, at most."""
    _, _, width, height = (abs(float(number)) for number in NUMBER.findall(box))
    smaller = min(width, height)
    return max(1.0, max(own, _BOX) / smaller) if smaller else 1.0


def _dashes(words: str) -> tuple[int, float]:
    """How many dashes and gaps are given, and the length of one of them, on average; 0 means a solid line."""
    numbers = [abs(float(number)) for number in NUMBER.findall(words)]
    return len(numbers), sum(numbers) / max(1, len(numbers))


def _outline(words: str) -> tuple[int, float, float]:
    """How many numbers path data or points have, how far from the origin they get, and how long the line may be."""
    numbers = [abs(float(number)) for number in NUMBER.findall(words)]
    total = sum(numbers)
    if not _RELATIVE.search(words):
        return len(numbers), max(numbers, default=0.0), 7 * total
    far = total if total <= _SURELY_NEAR or len(numbers) > MAX_NUMBERS else _farthest(words)
    return len(numbers), far, 7 * total


def _farthest(words: str) -> float:
    """How far from the origin path data with relative commands get."""
    x = y = far = 0.0
    for letter, inside in _COMMAND.findall(words):
        size = _SIZES.get(letter.lower(), 0)
        numbers = [float(number) for number in NUMBER.findall(inside)]
        for at in range(0, len(numbers) - size + 1, size) if size else ():
            given = numbers[at:at + size]
            far = max(far, abs(x) + abs(y) + max(map(abs, given)))
            from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
            if letter not in "Vv":
                x = from_x + given[-2 if size > 1 else 0]
            if letter not in "Hh":
                y = from_y + given[-1]
    return far


def _transform(words: str) -> tuple[float, float, float]:
    """How much a transform stretches at most and at least, and how far it shifts."""
    a, b, c, d, e, f = matrix_of(words)
    if a == inf:
        return inf, 0.0, inf
    # the singular values of the 2 x 2 part
    mean, spread = hypot(a + d, b - c) / 2, hypot(a - d, b + c) / 2
    return mean + spread, abs(mean - spread), hypot(e, f)
