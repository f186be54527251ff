"""Turns names and values into the text of SVG elements, for what is computed rather than drawn."""

from __future__ import annotations

from html import escape


def element(tag: str, *inside: str, **attributes: object) -> str:
    """An element with its attributes in order; ``stroke_width`` is written stroke-width, values are escaped."""
    words = "".join(f' {name.replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items())
    return f"<{tag}{words}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{words}/>"
