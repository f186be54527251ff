"""Turns a tag and its attributes into what is known of it wherever it stands: a hundred faces have the same ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ppgen.engine.drawing.anchors import ANCHOR, SEAM
from ppgen.engine.svg.subset import ATTRIBUTES, ELEMENTS, OWN, REFERENCES, VALUES, fits
from ppgen.engine.svg.tree import HREFS, SPACE, SVG

MAX_ATTRIBUTES = 60
MOST_KEPT, LONGEST_KEPT = 10_000, 1_000
"""So many tags are remembered, of so many characters."""
_STATING = frozenset({"id", ANCHOR, SEAM})


class Known(NamedTuple):
    """What is known of a tag whatever is around it.

    That is the attributes that refer to other elements; whether it has a name or a place on the face, whether it is
    part of a text, and whether nothing is wrong with it.
    """

    references: tuple[tuple[str, str], ...]
    stating: bool
    written: bool
    sound: bool


_seen: dict[tuple[str, tuple[tuple[str, str], ...]], Known] = {}


def known_of(tag: str, attributes: tuple[tuple[str, str], ...]) -> Known:
    """What is known of a tag with these attributes."""
    if found := _seen.get((tag, attributes)):
        return found
    name, has = tag.rpartition("}")[2], dict(attributes)
    sound = (tag == f"{{{SVG}}}{name}" and name in ELEMENTS and (name != "path" or bool(has.get("d")))
             and len(has) <= MAX_ATTRIBUTES
             and not any(fault for key, value in attributes for fault in value_faults(name, key, value)))
    found = Known(references=tuple(each for each in attributes if each[0] in HREFS or each[0] in REFERENCES),
                  stating=bool(_STATING & has.keys()), written=name in ("text", "tspan") or "data-needs" in has,
                  sound=sound)
    if sum(len(key) + len(value) for key, value in attributes) < LONGEST_KEPT:
        if len(_seen) >= MOST_KEPT:
            _seen.clear()
        _seen[tag, attributes] = found
    return found


def value_faults(tag: str, name: str, value: str) -> Iterator[tuple[str, str]]:
    """What is wrong with an attribute whatever is around its element."""
    if name in HREFS:
        if not value.startswith("#"):
            yield f"refers to '{value[:80]}' outside the file", "use <defs> and #names only"
    elif name not in ATTRIBUTES and name not in OWN and name != SPACE:
        yield f'attribute {name[:80]}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"
    elif not fits(name, value):
        kind, _, remedy = VALUES[name]
        yield f"{name} '{value[:40]}' is not {kind}", remedy
