"""Turns names and values into SVG elements, for what is computed rather than drawn. The one home of svgwrite."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from svgwrite.base import BaseElement


def element(tag: str, *inside: BaseElement, **attributes: object) -> BaseElement:
    """An element to be written with ``tostring``; ``stroke_width`` is written stroke-width."""
    from svgwrite.base import BaseElement  # a tenth of a second, only for what draws with it

    made = BaseElement(debug=False, **attributes)
    made.elementname = tag
    for each in inside:
        made.add(each)
    return made
