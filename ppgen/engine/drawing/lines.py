"""Turns a drawing in colours into one in lines, for low ink."""

from __future__ import annotations

import re

from ppgen.engine.drawing.colours import contrast

DARK = 9.5
"""Colours of more contrast to white are ink: outlines, windows."""

_SHADE = re.compile(r"<[^<>]*\s(?:fill|stroke)-opacity=[^<>]*/>")
_PAINT = re.compile(r'\b(fill|stroke)="(#[0-9A-Fa-f]{6}|url\([^")]*\))"')


def outlined(*, drawing: str, line: str) -> str:
    """The drawing without its colours: lines and what is as dark take the colour ``line``, what is painted is white.

    Elements with an opacity are shade, and go. Only colours of six digits and references are looked at.
    """
    def paint(found: re.Match[str]) -> str:
        name, value = found.groups()
        dark = name == "stroke" or (value.startswith("#") and contrast(value, "#FFFFFF") > DARK)
        return f'{name}="{line if dark else "#FFFFFF"}"'

    return _PAINT.sub(paint, _SHADE.sub("", drawing))
