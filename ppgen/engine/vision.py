"""Turns colours into those that some readers, or a grey printer, can't tell apart: the home of coloraide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coloraide import Color

LEAST_DISTANCE = 10.0
"""The CIEDE2000 distance under which two colours count as alike; 2.3 is just noticeable side by side,
a table's breadth apart it takes several times that."""

MERGED = 5.0
"""The distance under which two colours are one in print, and nothing else that tells them apart makes up for it."""

VISIONS = {"full colour": "", "protanopia": "protan", "deuteranopia": "deutan", "tritanopia": "tritan",
           "grey": "grayscale"}
"""How readers and printers see; the names of coloraide's filters (Brettel 1997 and Viénot 1999, complete)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swatch:
    """A colour (``#rrggbb``) that stands for something; ``cue`` is what else tells it from the others."""

    name: str
    colour: str
    cue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Two swatches that look alike in some vision, and their CIEDE2000 distance in it."""

    one: Swatch
    other: Swatch
    vision: str
    distance: float

    @property
    def told_apart(self) -> bool:
        """Whether something besides the colour differs, and the colours do a little."""
        return self.one.cue != self.other.cue and self.distance >= MERGED


def likenesses(swatches: Sequence[Swatch], least: float = LEAST_DISTANCE) -> Iterator[Likeness]:
    """Every pair that is nearer than ``least`` in some vision."""
    for vision in VISIONS:
        for one, other in combinations(swatches, 2):
            distance = _distance(one.colour, other.colour, vision)
            if distance < least:
                yield Likeness(one=one, other=other, vision=vision, distance=distance)


@lru_cache(maxsize=10_000)
def _distance(one: str, other: str, vision: str) -> float:
    """The CIEDE2000 distance of two colours in a vision."""
    return _seen(one, vision).delta_e(_seen(other, vision), method="2000")


@lru_cache(maxsize=10_000)
def _seen(colour: str, vision: str) -> Color:
    """The colour as it is seen."""
    from coloraide import Color

    name = VISIONS[vision]
    return Color(colour).filter(name) if name else Color(colour)
