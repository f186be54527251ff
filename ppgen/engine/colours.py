"""Colours (``#rrggbb``): mixtures, contrast, and pairs that some readers or a grey printer can't tell apart.

The only user of coloraide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from ppgen.records import dataclass

if TYPE_CHECKING:
    from coloraide import Color

DARK, LIGHT = "#000000", "#FFFBF0"  # of letters: printers screen any dark colour but black
_COLOUR, _HEX_COLOUR = re.compile("#[0-9A-Fa-f]{6}"), re.compile("#(?:[0-9A-Fa-f]{3}){1,2}")
_DRAWN_OTHERWISE = frozenset(("mediumpurple", "palevioletred", "rebeccapurple"))
"""Names of colours that typst draws unlike coloraide, or not at all."""


@lru_cache(maxsize=200)
def named_colour(name: str) -> str | None:
    """The ``#rrggbb`` of a colour name of CSS, in small letters; None if there is none, or typst does not draw it."""
    from coloraide.css.color_names import from_name

    values = from_name(name) if name.isalpha() and name.islower() else None
    if not values or values[3] < 1 or name in _DRAWN_OTHERWISE:
        return None
    return "#" + "".join(f"{round(value * 255):02x}" for value in values[:3])


def six_digits(colour: str) -> str:
    """The ``#rrggbb`` of a colour in three or six digits; empty for any other."""
    if not _HEX_COLOUR.fullmatch(colour):
        return ""
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


@lru_cache(maxsize=2_000)
def mix_colours(colour: str, other: str, share: float) -> str:
    """Mix two colours; ``share`` (0 to 1) is that of ``other``."""
    return "#" + "".join(f"{round(a * (1 - share) + b * share):02x}"
                         for a, b in zip(_channels(colour), _channels(other), strict=True))


@lru_cache(maxsize=2_000)
def legible_ink(colour: str) -> str:
    """Return dark or light letters for a ground: light ones up to a lightness of 53, where black looks dim."""
    return DARK if _luminance(colour) >= 0.21 else LIGHT


def contrast(one: str, other: str) -> float:
    """Compute the contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[int, ...]:
    colour = six_digits(colour) or named_colour(colour) or colour
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"'{colour[:40]}' is not a colour like #2E2117")
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


def _luminance(colour: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (channel / 255 for channel in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# --- Colour vision ---

LEAST_DISTANCE = 10.0
"""The CIEDE2000 distance below which two colours count as alike. 2.3 is just noticeable side by side; across a table it
takes several times that."""

MERGED = 5.0  # the distance below which two colours are the same in print, so that another cue does not make up for it

VISIONS = {"full colour": "", "protanopia": "protan", "deuteranopia": "deutan", "tritanopia": "tritan",
           "grey": "grayscale"}
"""Kinds of vision, of readers and printers, with coloraide's filters (Brettel 1997 and Viénot 1999, complete)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swatch:
    """A colour (``#rrggbb``) with a meaning; ``cue`` is what else distinguishes it from the others."""

    name: str
    colour: str
    cue: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourClash:
    """Two swatches that look alike in a kind of vision, and their CIEDE2000 distance in it."""

    one: Swatch
    other: Swatch
    vision: str
    distance: float

    @property
    def is_distinguishable(self) -> bool:
        """True if the cues differ, and the colours at least a little."""
        return self.one.cue != self.other.cue and self.distance >= MERGED


def find_clashes(swatches: Sequence[Swatch], least: float = LEAST_DISTANCE) -> Iterator[ColourClash]:
    """Yield each pair that is closer than ``least`` in some kind of vision."""
    for vision in VISIONS:
        for one, other in combinations(swatches, 2):
            distance = _distance(one.colour, other.colour, vision)
            if distance < least:
                yield ColourClash(one=one, other=other, vision=vision, distance=distance)


@lru_cache(maxsize=10_000)
def _distance(one: str, other: str, vision: str) -> float:
    return _simulate(one, vision).delta_e(_simulate(other, vision), method="2000")


@lru_cache(maxsize=10_000)
def _simulate(colour: str, vision: str) -> Color:
    from coloraide import Color

    name = VISIONS[vision]
    return Color(colour).filter(name) if name else Color(colour)
