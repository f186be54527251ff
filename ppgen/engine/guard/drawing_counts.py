"""Counts of what an SVG draws, as often as it is drawn: a ``<use>`` of a ``<use>`` makes millions of shapes of few.

They are for printers and viewers: the supervised child bounds the time and memory of ppgen's own renderers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from ppgen.engine.svg.elements import Attributes
from ppgen.engine.svg.subset import NUMBER
from ppgen.shipped import Phrase

SHEET = 210.0 * 297.0  # the area of A4 in mm²; the limits of larger faces grow with their area
MAX_HEIGHT = 100  # levels of references: renderers call themselves for each
MAX_DRAWN = 50_000
LAYER, NUMBERS = 50, 2  # a layer counts as so many shapes, so many numbers of an outline as one
_LAYERS = frozenset(("clip-path", "mask", "opacity", "stroke-dasharray"))
_OUTLINES = frozenset(("d", "points"))

References = Mapping[etree._Element, Sequence[str]]  # the ids that elements refer to


def count_sheets(view_box: str) -> float:
    """Return the area of a face, bleed included, in sheets of A4, at least 1; the view box must be valid."""
    _, _, width, height = map(float, view_box.split())
    return max(1.0, width * height / SHEET)


def whole_sheets(sheets: float) -> int:
    return max(1, round(sheets))


class ExcessError(Exception):
    """An element draws too much."""

    def __init__(self, element: etree._Element, what: str, remedy: str) -> None:
        super().__init__(what)
        self.element, self.fault = element, (what, remedy)


def weigh_tag(tag: str, attributes: Attributes) -> int:
    """Return the number of shapes that an element counts as: more if it needs a bitmap of its own, or is long."""
    layers = sum(value.startswith("url(") if name in ("fill", "stroke") else value != "none"
                 for name, value in attributes if name in _LAYERS or name in ("fill", "stroke"))
    return (1 + LAYER * (layers + (tag == "image"))
            + sum(len(NUMBER.findall(value)) for name, value in attributes if name in _OUTLINES) // NUMBERS)


def count_drawn(weights: Mapping[etree._Element, int], references: References,
                elements_by_id: Mapping[str, etree._Element], sheets: float) -> None:
    """Count what a drawing draws, with all that its elements refer to. Raises ExcessError.

    All references must have a target. ``weights`` are those of all elements.
    """
    known: dict[str, int] = {}
    begun: set[str] = set()

    def expand(element: etree._Element, name: str, depth: int) -> int:
        if name in known:
            return known[name]
        if name in begun:
            raise ExcessError(element, "has something that refers to itself", Phrase("take_it_out"))
        if depth > MAX_HEIGHT:
            raise ExcessError(element, f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                              "refer to shapes, not to what refers to others")
        begun.add(name)
        known[name] = sum(weights[inner] + sum(expand(inner, each, depth + 1) for each in references.get(inner, ()))
                          for inner in elements_by_id[name].iter())
        return known[name]

    drawn, most = sum(weights.values()), int(sheets * MAX_DRAWN)
    for element, names in references.items():
        drawn += sum(expand(element, name, 1) for name in names)
        if drawn > most:
            raise ExcessError(element, *_excess(most))
    if drawn > most:
        raise ExcessError(max(weights, key=lambda element: weights[element]), *_excess(most))


def _excess(most: int) -> tuple[str, str]:
    return (f"draws more than {most:,} shapes; clips, masks, opacities, dashes and gradients count as {LAYER}",
            "use fewer, or put one around several shapes")
