"""Turns a tag and its attributes into what is known of it wherever it stands."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from ppgen.engine.drawing.anchors import ANCHOR, SEAM
from ppgen.engine.svg.seen import Attributes, remembered
from ppgen.engine.svg.subset import ELEMENTS, MARK, REFERENCES, VALUES, fits
from ppgen.engine.svg.tree import HREFS, SPACE, SVG

MAX_ATTRIBUTES = 60
WRITING = ("text", "tspan")
_REFERRING = frozenset(REFERENCES).union(HREFS)
_URL = re.compile(r"url\(#([\w.-]+)\)")


class Known(NamedTuple):
    """What is known of a tag whatever is around it.

    That is the name that others refer to it by, whether it states something of the face, the attributes that refer to
    others, and whether nothing is wrong with it. Most are ``common``: sound, and nothing of all that.
    """

    tag: str
    attributes: Attributes
    name: str
    stating: bool
    references: Attributes
    sound: bool
    common: bool


@remembered
def known_of(tag: str, attributes: Attributes) -> Known:
    """What is known of a tag with these attributes."""
    short, has = tag.rpartition("}")[2], dict(attributes)
    name, stating = has.get("id", ""), ANCHOR in has or SEAM in has
    references = tuple([each for each in attributes if each[0] in _REFERRING and referred(*each) is not None])
    sound = (is_supported(tag) and (short != "path" or bool(has.get("d"))) and not has_too_many(has)
             and not any(value_fault(short, *each) for each in attributes))
    common = not (name or stating or references or short in WRITING or "data-needs" in has) and sound
    return Known(short[:80], attributes, name, stating, references, sound, common)


def is_supported(tag: str) -> bool:
    """Whether the subset has such elements."""
    space, _, short = tag.rpartition("}")
    return space == f"{{{SVG}" and short in ELEMENTS


def value_fault(tag: str, name: str, value: str) -> tuple[str, str] | None:
    """What is wrong with an attribute whatever is around its element."""
    if name in VALUES:
        if fits(name, value):
            return None
        kind, _, remedy = VALUES[name]
        return f"{name} '{value[:40]}' is not {kind}", remedy
    if name in HREFS:
        return None if value.startswith("#") else (f"refers to '{value[:80]}' outside the file",
                                                   "use <defs> and #names only")
    if name in (MARK, SPACE):
        return None
    return f'attribute {name[:80]}="{value[:40]}" of <{tag}> is not supported', "see docs/svg-subset.md"


def referred(name: str, value: str) -> str | None:
    """What an attribute refers to, if it does so."""
    if name in REFERENCES:
        found = _URL.fullmatch(value)
        return found[1] if found else None
    return value[1:] if name in HREFS and value.startswith("#") else None


def has_too_many(attributes: Collection[object]) -> bool:
    """Whether there are more attributes than anybody needs, by their names; the mark doesn't count."""
    return len(attributes) - (MARK in attributes) > MAX_ATTRIBUTES
