"""Turns the paints of a drawing into the few inks of a woodcut."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ppgen.engine.drawing.colours import contrast

DARK = 2.75
"""Colours of more contrast to white than this are black."""
RED, BRIGHT = 2.2, 0x90
"""A colour is red if its red channel is so many times each other, and so bright (of 255)."""
PALE = 1.35
"""Shade of less contrast to white than this is light on something."""
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}){1,2}")
_NAMED = {"black": "#000000", "white": "#FFFFFF"}


@dataclass(frozen=True, slots=True)
class Inks:
    """Black, another one and paper, as colours; ``said`` are paints with the ink (or paint) that stands for each."""

    black: str
    red: str
    paper: str
    said: tuple[tuple[str, str], ...] = ()

    def of(self, paint: str, use: str = "fill") -> str:
        """The ink of a paint; what is said of its ``use`` goes before what is said of it anywhere. References to what
        is not ``said`` are paper; ``none`` and the like stay."""
        return _ink(self, paint, use)

    def of_shade(self, paint: str) -> str:
        """The ink of what is laid over something as shade, or as light."""
        pale = _COLOUR.fullmatch(paint) and contrast(_whole(paint), "#FFFFFF") < PALE
        return self.paper if pale else self.black


def said(paints: str) -> Iterator[tuple[str, str]]:
    """The paints and inks of words like ``#C9A860=#FFFFFF stroke:#E6B83E=none``. ValueError for others."""
    for word in paints.split():
        paint, stands, ink = word.partition("=")
        if not stands:
            raise ValueError(f"paints has '{word[:40]}', not paint=ink")
        yield paint, ink


@lru_cache(maxsize=10_000)
def _ink(inks: Inks, paint: str, use: str) -> str:
    known = dict(inks.said)
    if (ink := known.get(f"{use}:{paint}", known.get(paint))) is not None:
        return ink
    if paint.startswith("url"):
        return inks.paper
    colour = _NAMED.get(paint, paint)
    if not _COLOUR.fullmatch(colour) or colour in (inks.black, inks.red, inks.paper):
        return paint
    colour = _whole(colour)
    r, g, b = (int(colour[at:at + 2], 16) for at in (1, 3, 5))
    if r >= BRIGHT and r > RED * max(g, b):
        return inks.red
    return inks.black if contrast(colour, "#FFFFFF") > DARK else inks.paper


def _whole(colour: str) -> str:
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])
