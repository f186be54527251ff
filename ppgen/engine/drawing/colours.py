"""Turns colours (``#rrggbb``) into others: mixtures, and the ink that is legible on them."""

from __future__ import annotations

DARK, LIGHT = "#2E2117", "#FFFBF0"


def mixed(colour: str, other: str, share: float) -> str:
    """``colour`` with so large a share (0 to 1) of another in it."""
    return "#" + "".join(f"{round(a * (1 - share) + b * share):02x}"
                         for a, b in zip(_channels(colour), _channels(other), strict=True))


def ink_on(colour: str) -> str:
    """Dark or light, whichever contrasts more with the ground (WCAG 2.1, 'contrast ratio')."""
    ground = _luminance(colour)
    dark = (ground + 0.05) / (_luminance(DARK) + 0.05)
    light = (_luminance(LIGHT) + 0.05) / (ground + 0.05)
    return DARK if dark >= light else LIGHT


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


def _luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.1, definition)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (channel / 255 for channel in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
