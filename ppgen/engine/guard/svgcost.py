"""Turns checked SVG into what it takes to draw it, or into the first thing in it that takes too much.

A face of a few lines can ask for a million shapes (a ``<use>`` of a ``<use>``), a bitmap of a square kilometre
(a mask, a pattern's tile) or a billion dashes. So everything is counted as often as it is drawn, references
followed, and lengths are taken through all transforms around them. The counts are upper bounds, not exact.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from ppgen.engine.guard.cost import MAX_HEIGHT, Cost, Fault, Limits, limits_of, sheets_of
from ppgen.engine.guard.tagcost import TagCost


class TooMuchError(Exception):
    """Drawing an element would take too much."""

    def __init__(self, element: etree._Element, what: str, remedy: str) -> None:
        super().__init__(what)
        self.element, self.fault = element, (what, remedy)


def too_much(root: etree._Element, named: Mapping[str, etree._Element],
             tags: Mapping[etree._Element, TagCost]) -> tuple[etree._Element, Fault] | None:
    """The element with which drawing becomes too much, and what is too much about it; None if all is well.

    ``tags`` is what each element's says. Every value must be well written, and every reference must lead somewhere.
    """
    try:
        _Costing(named, tags, limits_of(sheets_of(root.get("viewBox", "")))).cost(root, 0)
    except TooMuchError as error:
        return error.element, error.fault
    return None


class _Costing:
    def __init__(self, named: Mapping[str, etree._Element], tags: Mapping[etree._Element, TagCost],
                 limits: Limits) -> None:
        self.named, self.tags, self.limits = named, tags, limits
        self.known: dict[str, Cost] = {}
        """The costs of elements with a name, the only ones that may be met again."""
        self.open: set[str] = set()

    def cost(self, element: etree._Element, depth: int) -> Cost:
        """What the element takes; ``depth`` is how many elements it stands in or is referred to from."""
        tag = self.tags[element]
        if tag.name in self.known:
            return self.known[tag.name]
        if tag.name in self.open:
            raise TooMuchError(element, "has something that refers to itself", "take it out")
        if depth > MAX_HEIGHT:
            raise TooMuchError(element, f"is nested deeper than {MAX_HEIGHT} with everything that it refers to",
                               "refer to shapes, not to what refers to others")
        cost = tag.alone if tag.alone and not len(element) else self._whole(element, tag, depth)
        if tag.name:
            self.known[tag.name] = cost
        return cost

    def _whole(self, element: etree._Element, tag: TagCost, depth: int) -> Cost:
        """What an element takes with all that is in it and that it refers to."""
        if tag.name:
            self.open.add(tag.name)
        cost = Cost()
        for child in element:
            cost.add(self.cost(child, depth + 1))
        for name in tag.refers:
            cost.add(self.cost(self.named[name], depth + 1))
        letters = len(element.text or "") + sum([len(child.tail or "") for child in element]) if tag.size else 0
        tag.draw(cost, letters)
        for name in tag.paints:
            self._paint(self.named[name], cost, depth)
        tag.place(cost, boxed=depth > 0)
        if tag.name:
            self.open.discard(tag.name)
        if fault := cost.excess(self.limits):
            raise TooMuchError(element, *fault)
        return cost

    def _paint(self, target: etree._Element, cost: Cost, depth: int) -> None:
        """A paint that is set for a group is laid on each shape in it."""
        shapes = max(1, cost.shapes)
        cost.add(self.cost(target, depth + 1), shapes if target.tag.endswith("}pattern") else 1)
        cost.layers += shapes
