"""Turns checked SVG into what it takes to draw it, or into the first thing in it that takes too much.

A face of a few lines can ask for a million shapes (a ``<use>`` of a ``<use>``), a bitmap of a square kilometre
(a mask, a pattern's tile) or a billion dashes. So everything is counted as often as it is drawn, references
followed, and lengths are taken through all transforms around them. The counts are upper bounds, not exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import hypot, inf
from typing import cast

from lxml import etree

from ppgen.engine.svg.matrix import matrix_of
from ppgen.engine.svg.subset import NUMBER, SHAPES, VALUES
from ppgen.engine.svg.tree import HREFS

SHEET = 210.0 * 297.0
"""In mm²: a face that is larger may take so many times more."""
MAX_HEIGHT = 100
"""How deep elements may lie in each other, what they refer to included."""
MAX_SHAPES = 20_000
"""Elements, as often as they are drawn."""
MAX_NUMBERS = 100_000
"""Numbers in outlines, as often as they are drawn; a letter counts as five."""
MAX_LAYERS = 1_000
"""Clips, masks, fades and fills with patterns or gradients: each may take a bitmap of the whole face."""
MAX_DASHES = 2_000_000
MAX_REACH = 10_000.0
"""Millimetres; far beyond all papers. The renderer cuts curves up into ever more pieces the larger they are."""
LARGEST_TILE, SMALLEST_TILE = 100.0, 0.02
"""Sides of a pattern's tile in mm: a large one is a bitmap, small ones are drawn millions of times."""
MAX_FONT_SIZE = 500.0
"""In mm."""
LETTER = 5

Fault = tuple[str, str]

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


class TooMuchError(Exception):
    """Drawing an element would take too much."""

    def __init__(self, element: etree._Element, what: str, remedy: str) -> None:
        super().__init__(what)
        self.element, self.fault = element, (what, remedy)


@dataclass(slots=True)
class Cost:
    """What an element takes with everything in it and everything that it refers to.

    ``length`` is that of outlines that no dashes are set for yet; ``reach`` how far from its origin it may get,
    ``largest`` and ``smallest`` the sides of pattern tiles: all in units of what is around the element.
    """

    height: int = 0
    shapes: int = 1
    numbers: float = 0
    layers: float = 0
    length: float = 0
    dashes: float = 0
    reach: float = 0
    largest: float = 0
    smallest: float = inf

    def add(self, other: Cost, times: int = 1) -> None:
        self.height = max(self.height, other.height)
        self.shapes += times * other.shapes
        self.numbers += times * other.numbers
        self.layers += times * other.layers
        self.length += times * other.length
        self.dashes += times * other.dashes
        self.reach = max(self.reach, other.reach)
        self.largest = max(self.largest, other.largest)
        self.smallest = min(self.smallest, other.smallest)


def too_much(root: etree._Element, named: Mapping[str, etree._Element]) -> tuple[etree._Element, Fault] | None:
    """The element with which drawing becomes too much, and what is too much about it; None if all is well.

    Every value must be well written, and every reference must lead somewhere.
    """
    try:
        _Costing(named, sheets_of(root.get("viewBox", ""))).cost(root, 0)
    except TooMuchError as error:
        return error.element, error.fault
    return None


def sheets_of(view_box: str) -> float:
    """How many sheets of A4 a face is as large as, with its bleed, but at least one; its view box is well written."""
    _, _, width, height = map(float, view_box.split())
    return max(1.0, width * height / SHEET)


class _Costing:
    def __init__(self, named: Mapping[str, etree._Element], sheets: float) -> None:
        self.named, self.sheets = named, sheets
        self.known: dict[str | None, Cost] = {}
        """The costs of elements with a name, the only ones that may be met again."""
        self.open: set[str | None] = set()

    def cost(self, element: etree._Element, depth: int) -> Cost:
        """What the element takes; ``depth`` is how many elements it stands in or is referred to from."""
        name = element.get("id")
        if name in self.known:
            return self.known[name]
        if name in self.open:
            raise TooMuchError(element, "has something that refers to itself", "take it out")
        if depth > MAX_HEIGHT:
            raise TooMuchError(element, f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                               "refer to shapes, not to what refers to others")
        if name:
            self.open.add(name)
        cost = Cost()
        for child in element:
            cost.add(self.cost(child, depth + 1))
        self._measure(element, cost, depth)
        cost.height += 1
        if name:
            self.open.discard(name)
            self.known[name] = cost
        if fault := _excess(cost, self.sheets):
            raise TooMuchError(element, *fault)
        return cost

    def _measure(self, element: etree._Element, cost: Cost, depth: int) -> None:
        """Add what an element's attributes and words say to what its children take."""
        own, length, scale, least, shift, dashes, stretch = 0.0, 0.0, 1.0, 1.0, 0.0, -1.0, 1.0
        paints: list[str] = []
        for name, words in cast(list[tuple[str, str]], element.items()):
            role = _ROLES.get(name)
            if role is None:
                continue
            if role == "measure":
                own += abs(float(words.rstrip("%")))
            elif role == "outline":
                count, far, length = _outline(words)
                cost.numbers += count
                own += far
            elif role == "paint":
                if words.startswith("url"):
                    paints.append(words)
            elif role == "transform":
                scale, least, shift = _transform(words)
                cost.numbers += words.count("(")
            elif role == "use" or (role == "layer" and words != "none"):
                cost.layers += role == "layer"
                cost.add(self.cost(self._target(words), depth + 1))
            elif role == "opacity":
                cost.layers += 1
            elif role == "dashes":
                count, dashes = _dashes(words)
                cost.numbers += count
            elif role == "units" and words == "objectBoundingBox":
                stretch *= _BOX
            elif role == "box" and depth:
                cost.layers += 1  # what reaches out of it is cut off
                stretch *= _stretch(words, own)
        tag = element.tag.rpartition("}")[2]
        if tag in SHAPES:
            cost.numbers += 4
            cost.length += length or 7 * own  # a circle's outline is 2π of its radius; all others are shorter
        elif tag in ("text", "tspan"):
            signs = len(element.text or "") + sum(len(child.tail or "") for child in element)
            cost.numbers += LETTER * signs
            cost.length += 10 * signs * (float(element.get("font-size") or 0) or MAX_FONT_SIZE)
        elif tag == "pattern":
            _tile(element, cost)
        if dashes >= 0:
            cost.dashes += cost.length / dashes if dashes else 0
            cost.length = 0
        for words in paints:
            self._paint(words, cost, depth)
        cost.reach = scale * stretch * (cost.reach + own) + shift
        if cost.largest:
            cost.largest *= scale * stretch
            cost.smallest *= least

    def _target(self, words: str) -> etree._Element:
        """What ``#id`` or ``url(#id)`` refers to."""
        return self.named[words.removeprefix("url(").removesuffix(")")[1:]]

    def _paint(self, words: str, cost: Cost, depth: int) -> None:
        """A paint that is set for a group is laid on each shape in it."""
        target, shapes = self._target(words), max(1, cost.shapes)
        cost.add(self.cost(target, depth + 1), shapes if target.tag.endswith("}pattern") else 1)
        cost.layers += shapes


def _excess(cost: Cost, sheets: float) -> Fault | None:
    """What is too much on a face of so many sheets."""
    shapes, numbers, layers, dashes = (int(most * sheets) for most in (MAX_SHAPES, MAX_NUMBERS, MAX_LAYERS, MAX_DASHES))
    if cost.height > MAX_HEIGHT:
        return (f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                "refer to shapes, not to what refers to others")
    if cost.shapes > shapes:
        return f"draws more than {shapes} shapes by <use>", "use fewer, or a pattern"
    if cost.numbers > numbers:
        return (f"has outlines and texts of more than {numbers:,} numbers, as often as they are drawn",
                "simplify the paths, or draw fewer")
    if cost.layers > layers:
        return (f"has more than {layers:,} clips, masks, opacities, and fills with patterns or gradients",
                "put one around several shapes")
    if cost.dashes > dashes:
        return f"may have more than {dashes:,} dashes", "make them longer"
    if not cost.reach <= MAX_REACH:
        return (f"reaches further than {MAX_REACH / 1000:g} metres, with the transforms in it",
                "keep numbers and scales small")
    if cost.largest > LARGEST_TILE:
        return f"has a pattern with a tile of more than {LARGEST_TILE:g} mm", "make it smaller"
    if cost.smallest < SMALLEST_TILE:
        return f"has a pattern with a tile of less than {SMALLEST_TILE:g} mm", "make it larger"
    return None


def _tile(pattern: etree._Element, cost: Cost) -> None:
    """Add the pattern's own tile; one without width or height is not drawn."""
    width, height = (abs(float(pattern.get(name, "0"))) for name in ("width", "height"))
    if not (width and height):
        return
    large = small = 1.0
    if pattern.get("patternUnits") != "userSpaceOnUse":
        large, small = _BOX, 10.0
    cost.largest = max(cost.largest, large * max(width, height))
    cost.smallest = min(cost.smallest, small * min(width, height))


def _stretch(box: str, own: float) -> float:
    """How much a view box stretches what is in it, at most."""
    _, _, width, height = (abs(float(number)) for number in NUMBER.findall(box))
    smaller = min(width, height)
    return max(1.0, max(own, _BOX) / smaller) if smaller else 1.0


@lru_cache(maxsize=1_000)
def _dashes(words: str) -> tuple[int, float]:
    """How many dashes and gaps are given, and the length of one of them, on average; 0 means a solid line."""
    numbers = [abs(float(number)) for number in NUMBER.findall(words)]
    return len(numbers), sum(numbers) / max(1, len(numbers))


@lru_cache(maxsize=10_000)
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


@lru_cache(maxsize=10_000)
def _transform(words: str) -> tuple[float, float, float]:
    """How much a transform stretches at most and at least, and how far it shifts."""
    a, b, c, d, e, f = matrix_of(words)
    if a == inf:
        return inf, 0.0, inf
    # the singular values of the 2 x 2 part
    mean, spread = hypot(a + d, b - c) / 2, hypot(a - d, b + c) / 2
    return mean + spread, abs(mean - spread), hypot(e, f)
