"""What it takes to draw something, added up, and how much that may be."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

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

Fault = tuple[str, str]
Limits = tuple[int, int, int, int]
"""How many shapes, numbers, layers and dashes there may be."""


def sheets_of(view_box: str) -> float:
    """How many sheets of A4 a face is as large as, with its bleed, but at least one; its view box is well written."""
    _, _, width, height = map(float, view_box.split())
    return max(1.0, width * height / SHEET)


def limits_of(sheets: float) -> Limits:
    """Those of a face that is as large as so many sheets."""
    return int(MAX_SHAPES * sheets), int(MAX_NUMBERS * sheets), int(MAX_LAYERS * sheets), int(MAX_DASHES * sheets)


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
        """Add what something takes that is drawn so many times."""
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

    def excess(self, limits: Limits) -> Fault | None:
        """What is too much."""
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
