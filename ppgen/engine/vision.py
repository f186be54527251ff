"""Turns colours into those that some readers, or a grey printer, can't tell apart: the home of coloraide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

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
    from coloraide import Color

    for vision, name in VISIONS.items():
        seen = {swatch: Color(swatch.colour).filter(name) if name else Color(swatch.colour) for swatch in swatches}
        for one, other in combinations(swatches, 2):
            distance = seen[one].delta_e(seen[other], method="2000")
            if distance < least:
                yield Likeness(one=one, other=other, vision=vision, distance=distance)
