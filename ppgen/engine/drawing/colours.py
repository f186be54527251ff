"""Turns colours (``#rrggbb``) into others: mixtures, and the ink that is legible on them."""

from __future__ import annotations

import re
from functools import lru_cache

DARK, LIGHT = "#2E2117", "#FFFBF0"
_COLOUR = re.compile("#[0-9A-Fa-f]{6}")


@lru_cache(maxsize=2_000)
def mixed(colour: str, other: str, share: float) -> str:
    """``colour`` with so large a share (0 to 1) of another in it."""
    return "#" + "".join(f"{round(a * (1 - share) + b * share):02x}"
                         for a, b in zip(_channels(colour), _channels(other), strict=True))


@lru_cache(maxsize=2_000)
def ink_on(colour: str) -> str:
    """Dark or light, whichever contrasts more with the ground (WCAG 2.1, 'contrast ratio')."""
    return DARK if contrast(colour, DARK) >= contrast(colour, LIGHT) else LIGHT


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[int, ...]:
    if not _COLOUR.fullmatch(colour):
        raise ValueError(f"'{colour[:40]}' is not a colour like #2E2117")
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1, definition)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (channel / 255 for channel in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
