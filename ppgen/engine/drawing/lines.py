"""Turns a drawing in colours into one in lines, for low ink."""

from __future__ import annotations

import re

from ppgen.engine.drawing.colours import contrast

DARK, LIGHT = 9.5, 2.4
"""Areas of more contrast to white than DARK are ink, as windows are; lines of less than LIGHT are paint, as gilt is."""

_SHADE = re.compile(r"<[^<>]*\s(?:fill|stroke)-opacity=[^<>]*/>")
_PAINT = re.compile(r'\b(fill|stroke)="(#[0-9A-Fa-f]{6}|url\([^")]*\))"')


def line_drawing(*, drawing: str, line: str) -> str:
    """The drawing without its colours: lines and what is as dark take the colour ``line``, what is painted is white.

    Elements with an opacity are shade, and go. Only colours of six digits and references are looked at.
    """
    def paint(found: re.Match[str]) -> str:
        name, value = found.groups()
        dark = value.startswith("#") and contrast(value, "#FFFFFF") > (LIGHT if name == "stroke" else DARK)
        return f'{name}="{line if dark else "#FFFFFF"}"'

    return _PAINT.sub(paint, _SHADE.sub("", drawing))
