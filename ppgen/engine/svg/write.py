"""Turns names and values into SVG elements, for what is computed rather than drawn."""

from __future__ import annotations

from html import escape


def element(tag: str, *inside: str, **attributes: object) -> str:
    """An element around others; ``stroke_width`` is written stroke-width. Its attributes come in order of the alphabet.

    Attributes without a value are left out.
    """
    names = {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    written = "".join(f' {name}="{escape(value)}"' for name, value in sorted(names.items()) if value)
    return f"<{tag}{written}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{written} />"
