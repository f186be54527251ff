"""Cost of drawing an SVG: limits, the cost of each tag, and of a whole picture.

A face of a few lines can contain a million shapes (a ``<use>`` of a ``<use>``), a bitmap of a square kilometre (a mask,
a pattern's tile) or a billion dashes. So everything is counted as often as it is drawn, references are followed, and
lengths are scaled by all transforms around them. The counts are upper bounds, not exact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import hypot, inf
from typing import NamedTuple

from lxml import etree

from ppgen.engine.svg.elements import HREFS, Attributes, matrix_scales, memoise, parse_transform, path_steps
from ppgen.engine.svg.subset import NUMBER, SHAPES, VALUES
from ppgen.shipped import Phrase

SHEET = 210.0 * 297.0
"""The area of A4 in mm². The limits of larger faces grow with their area."""
MAX_HEIGHT = 100
"""Levels of nested elements, including what they refer to."""
MAX_SHAPES = 20_000
"""Elements, as often as they are drawn."""
MAX_NUMBERS = 100_000
"""Numbers in outlines, as often as they are drawn; a letter counts as five."""
MAX_LAYERS = 1_000
"""Clips, masks, opacities, pictures, and fills with patterns or gradients: each may need a bitmap of the whole face."""
MAX_DASHES = 2_000_000
MAX_REACH = 10_000.0
"""In mm, far beyond all papers. The renderer divides larger curves into more pieces."""
LARGEST_TILE, SMALLEST_TILE = 100.0, 0.02
"""Sides of a pattern's tile in mm: a large one is a bitmap, small ones are drawn millions of times."""
MAX_FONT_SIZE = 500.0
"""In mm."""
_BOX = 500.0
"""The largest box (mm) that shares of a box are converted with."""
_NUMBERS_PER_LETTER = 5
_SURELY_NEAR = 2_000.0
"""In mm: up to here the sum of its numbers is taken as the reach of path data, without following the path."""

_RELATIVE = re.compile(r"[mlhvcsqta]")
CostFault = tuple[str, str]
"""An excessive cost, and a remedy."""
Limits = tuple[int, int, int, int]
"""Limits of shapes, numbers, layers and dashes."""


def count_sheets(view_box: str) -> float:
    """Return the area of a face, bleed included, in sheets of A4, at least 1; the view box must be valid."""
    _, _, width, height = map(float, view_box.split())
    return max(1.0, width * height / SHEET)


def limits_for(sheets: float) -> Limits:
    """Return the limits of a face of this size in sheets of A4."""
    return int(MAX_SHAPES * sheets), int(MAX_NUMBERS * sheets), int(MAX_LAYERS * sheets), int(MAX_DASHES * sheets)


@dataclass(slots=True)
class Cost:
    """The cost of an element with everything in it and everything that it refers to.

    ``length`` is the length of outlines whose dashes are not set yet, ``reach`` the greatest distance from the origin,
    ``largest`` and ``smallest`` are sides of pattern tiles: all in units of the element's parent.
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
        """Add the cost of something that is drawn several times."""
        if other.height > self.height:
            self.height = other.height
        self.shapes += times * other.shapes
        self.numbers += times * other.numbers
        self.layers += times * other.layers
        self.length += times * other.length
        self.dashes += times * other.dashes
        if other.reach > self.reach:
            self.reach = other.reach
        if other.largest > self.largest:
            self.largest = other.largest
        if other.smallest < self.smallest:
            self.smallest = other.smallest

    def excess(self, limits: Limits) -> CostFault | None:
        """Return what exceeds the limits, if anything."""
        shapes, numbers, layers, dashes = limits
        if self.height > MAX_HEIGHT:
            return (f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                    "refer to shapes, not to what refers to others")
        if self.shapes > shapes:
            return f"draws more than {shapes} shapes by <use>", "use fewer, or a pattern"
        if self.numbers > numbers:
            return (f"has outlines and texts of more than {numbers:,} numbers, as often as they are drawn",
                    "simplify the paths, or draw fewer")
        if self.layers > layers:
            return (f"has more than {layers:,} clips, masks, opacities, and fills with patterns or gradients",
                    "put one around several shapes")
        if self.dashes > dashes:
            return f"may have more than {dashes:,} dashes", "make them longer"
        if not self.reach <= MAX_REACH:
            return (f"reaches further than {MAX_REACH / 1000:g} metres, with the transforms in it",
                    "keep numbers and scales small")
        if self.largest > LARGEST_TILE:
            return f"has a pattern with a tile of more than {LARGEST_TILE:g} mm", "make it smaller"
        if self.smallest < SMALLEST_TILE:
            return f"has a pattern with a tile of less than {SMALLEST_TILE:g} mm", "make it larger"
        return None


_ONE_SHEET = limits_for(1.0)


# Cost of a tag without its contents and what it refers to

class TagCost(NamedTuple):
    """The cost of a tag, from its attributes alone.

    ``uses`` are the ids of elements drawn for it, ``paints`` those of its paints. ``extent`` is the sum of its
    measures, ``length`` the length of its outline, ``font_size`` 0 where no letters are drawn, ``dash`` the mean length
    of a dash (below 0 if unset), ``tile`` the larger and the smaller side of a pattern's tile. ``stretch``, ``shrink``
    and ``shift`` are the largest and smallest scale and the offset of its transform and units, ``box`` is the scale of
    its view box, if any. ``alone`` is its whole cost if it is empty and refers to nothing; None also if that is too
    much for a sheet.
    """

    name: str | None
    uses: tuple[str, ...]
    paints: tuple[str, ...]
    numbers: int
    layers: int
    extent: float
    length: float
    font_size: float
    dash: float
    tile: tuple[float, float] | None
    stretch: float
    shrink: float
    shift: float
    box: float
    alone: Cost | None = None

    def draw(self, cost: Cost, letters: int) -> None:
        """Add the cost of the element itself to that of its children."""
        cost.numbers += self.numbers + _NUMBERS_PER_LETTER * letters
        cost.layers += self.layers
        cost.length += self.length + 10 * letters * self.font_size
        if self.tile:
            cost.largest, cost.smallest = max(cost.largest, self.tile[0]), min(cost.smallest, self.tile[1])
        if self.dash >= 0:
            cost.dashes += cost.length / self.dash if self.dash else 0
            cost.length = 0

    def place(self, cost: Cost, boxed: bool) -> None:
        """Apply the element's own transform, and its view box if it is ``boxed``."""
        stretch = self.stretch
        if boxed and self.box:
            cost.layers += 1  # its contents are clipped
            stretch *= self.box
        cost.height += 1
        cost.reach = stretch * (cost.reach + self.extent) + self.shift
        if cost.largest:
            cost.largest *= stretch
            cost.smallest *= self.shrink


@dataclass(slots=True)
class _TagSums:
    """The sums over a tag's attributes. Each method adds an attribute of one role."""

    tag: str
    numbers: int = 0
    layers: int = 0
    extent: float = 0.0
    length: float = 0.0
    dash: float = -1.0
    box: float = 0.0
    scale: float = 1.0
    shrink: float = 1.0
    shift: float = 0.0
    units: float = 1.0
    uses: list[str] = field(default_factory=list)
    paints: list[str] = field(default_factory=list)

    def measure(self, words: str) -> None:
        self.extent += abs(float(words.rstrip("%")))

    def outline(self, words: str) -> None:
        count, far, self.length = _outline(words)
        self.numbers += count
        self.extent += far

    def paint(self, words: str) -> None:
        if words.startswith("url"):
            self.paints.append(_reference(words))

    def transform(self, words: str) -> None:
        self.scale, self.shrink, self.shift = _transform(words)
        self.numbers += words.count("(")

    def use(self, words: str) -> None:
        if self.tag == "image":  # its pixels come later, from the deck's folder
            self.layers += 1
        else:
            self.uses.append(_reference(words))

    def layer(self, words: str) -> None:
        if words != "none":
            self.layers += 1
            self.uses.append(_reference(words))

    def opacity(self, _: str) -> None:
        self.layers += 1

    def dashes(self, words: str) -> None:
        count, self.dash = _dashes(words)
        self.numbers += count

    def unit(self, words: str) -> None:
        if words == "objectBoundingBox":
            self.units *= _BOX

    def view_box(self, words: str) -> None:
        self.box = _view_box_scale(words, self.extent)


_ROLES: dict[str, Callable[[_TagSums, str], None]] = {
    **{name: _TagSums.measure for name, (kind, _, _) in VALUES.items() if kind in ("a number", "a number or share")
       and not name.startswith("data-") and "opacity" not in name},
    **dict.fromkeys(("d", "points"), _TagSums.outline), **dict.fromkeys(("fill", "stroke"), _TagSums.paint),
    **dict.fromkeys(("clip-path", "mask"), _TagSums.layer), **dict.fromkeys(HREFS, _TagSums.use),
    "opacity": _TagSums.opacity, "stroke-dasharray": _TagSums.dashes, "viewBox": _TagSums.view_box,
    **dict.fromkeys(("transform", "gradientTransform", "patternTransform"), _TagSums.transform),
    **dict.fromkeys(("patternUnits", "patternContentUnits", "clipPathUnits", "maskUnits", "maskContentUnits"),
                    _TagSums.unit),
}
"""What an attribute adds to the cost; most add nothing."""


@memoise
def tag_cost(tag: str, attributes: Attributes) -> TagCost:
    """Compute the cost of a tag, given without its namespace; its values must fit the subset."""
    sums = _TagSums(tag)
    for name, words in attributes:
        if role := _ROLES.get(name):
            role(sums, words)
    has, font_size = dict(attributes), 0.0
    if tag in ("text", "tspan"):
        font_size = float(has.get("font-size") or 0) or MAX_FONT_SIZE
    is_shape = tag in SHAPES  # a circle's length is 2π times its radius; those of all others are less than 7 measures
    cost = TagCost(name=has.get("id"), uses=tuple(sums.uses), paints=tuple(sums.paints),
                   numbers=sums.numbers + (4 if is_shape else 0), layers=sums.layers, extent=sums.extent,
                   length=(sums.length or 7 * sums.extent) if is_shape else 0.0, font_size=font_size, dash=sums.dash,
                   tile=_tile(has) if tag == "pattern" else None, stretch=sums.scale * sums.units,
                   shrink=sums.shrink, shift=sums.shift, box=sums.box)
    if sums.uses or sums.paints or font_size or sums.box:
        return cost
    alone = Cost()
    cost.draw(alone, 0)
    cost.place(alone, True)
    return cost if alone.excess(_ONE_SHEET) else cost._replace(alone=alone)


def _reference(words: str) -> str:
    """Return the id in ``#id`` or ``url(#id)``."""
    return words.removeprefix("url(").removesuffix(")")[1:]


def _tile(pattern: Mapping[str, str]) -> tuple[float, float] | None:
    """Return the larger and the smaller side of a pattern's tile; one without width or height is not drawn."""
    width, height = (abs(float(pattern.get(name, "0"))) for name in ("width", "height"))
    if not (width and height):
        return None
    large, small = (1.0, 1.0) if pattern.get("patternUnits") == "userSpaceOnUse" else (_BOX, 10.0)
    return large * max(width, height), small * min(width, height)


def _view_box_scale(box: str, extent: float) -> float:
    """Return the largest possible scale of a view box."""
    _, _, width, height = (abs(float(number)) for number in NUMBER.findall(box))
    smaller = min(width, height)
    return max(1.0, max(extent, _BOX) / smaller) if smaller else 1.0


def _dashes(words: str) -> tuple[int, float]:
    """Return the number of dashes and gaps in a dash array, and their mean length; 0 means a solid line."""
    numbers = [abs(float(number)) for number in NUMBER.findall(words)]
    return len(numbers), sum(numbers) / max(1, len(numbers))


def _outline(words: str) -> tuple[int, float, float]:
    """Return the number count of path data or points, their distance from the origin and their length at most."""
    numbers = [abs(float(number)) for number in NUMBER.findall(words)]
    total = sum(numbers)
    if not _RELATIVE.search(words):
        return len(numbers), max(numbers, default=0.0), 7 * total
    far = total if total <= _SURELY_NEAR or len(numbers) > MAX_NUMBERS else _farthest(words)
    return len(numbers), far, 7 * total


def _farthest(words: str) -> float:
    """Return the distance from the origin that path data with relative commands reach at most."""
    x = y = far = 0.0
    for letter, given in path_steps(words):
        if letter in "Zz":
            continue
        far = max(far, abs(x) + abs(y) + max(map(abs, given)))
        from_x, from_y = (x, y) if letter.islower() else (0.0, 0.0)
        if letter not in "Vv":
            x = from_x + given[-2 if len(given) > 1 else 0]
        if letter not in "Hh":
            y = from_y + given[-1]
    return far


def _transform(words: str) -> tuple[float, float, float]:
    """Return the largest and the smallest scale of a transform, and the length of its shift."""
    matrix = parse_transform(words)
    return (inf, 0.0, inf) if inf in matrix else (*matrix_scales(matrix), hypot(*matrix[4:]))


# Cost of a picture

class TooMuchError(Exception):
    """Drawing an element would cost too much."""

    def __init__(self, element: etree._Element, what: str, remedy: str) -> None:
        super().__init__(what)
        self.element, self.fault = element, (what, remedy)


def find_excessive_cost(root: etree._Element, elements_by_id: Mapping[str, etree._Element],
                        tags: Mapping[etree._Element, TagCost]) -> tuple[etree._Element, CostFault] | None:
    """Find the element at which the cost exceeds a limit, and the fault; None if none does.

    ``tags`` has the cost of each element's tag. All values must be valid, and all references must have a target.
    """
    try:
        _PictureCost(elements_by_id, tags, limits_for(count_sheets(root.get("viewBox", "")))).cost(root, 0)
    except TooMuchError as error:
        return error.element, error.fault
    return None


class _PictureCost:
    def __init__(self, elements_by_id: Mapping[str, etree._Element], tags: Mapping[etree._Element, TagCost],
                 limits: Limits) -> None:
        self.elements_by_id, self.tags, self.limits = elements_by_id, tags, limits
        self.known: dict[str, Cost] = {}
        """Costs of elements with an id, the only ones that can occur again."""
        self.open: set[str] = set()

    def cost(self, element: etree._Element, depth: int) -> Cost:
        """Return the cost of an element; ``depth`` counts the elements around it and the references that led to it."""
        tag = self.tags[element]
        if tag.name in self.known:
            return self.known[tag.name]
        if tag.name in self.open:
            raise TooMuchError(element, "has something that refers to itself", Phrase("take_it_out"))
        if depth > MAX_HEIGHT:
            raise TooMuchError(element, f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                               "refer to shapes, not to what refers to others")
        cost = tag.alone if tag.alone and not len(element) else self._whole(element, tag, depth)
        if tag.name:
            self.known[tag.name] = cost
        return cost

    def _whole(self, element: etree._Element, tag: TagCost, depth: int) -> Cost:
        if tag.name:
            self.open.add(tag.name)
        cost = Cost()
        for child in element:
            cost.add(self.cost(child, depth + 1))
        for name in tag.uses:
            cost.add(self.cost(self.elements_by_id[name], depth + 1))
        letters = len(element.text or "") + sum([len(child.tail or "") for child in element]) if tag.font_size else 0
        tag.draw(cost, letters)
        for name in tag.paints:
            self._paint(self.elements_by_id[name], cost, depth)
        tag.place(cost, boxed=depth > 0)
        if tag.name:
            self.open.discard(tag.name)
        if fault := cost.excess(self.limits):
            raise TooMuchError(element, *fault)
        return cost

    def _paint(self, target: etree._Element, cost: Cost, depth: int) -> None:
        """Add a paint for each shape in the element: a group's paint applies to all of them."""
        shapes = max(1, cost.shapes)
        cost.add(self.cost(target, depth + 1), shapes if target.tag.endswith("}pattern") else 1)
        cost.layers += shapes
