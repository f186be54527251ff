"""Turns a function of a tag and its attributes into one that remembers: a hundred faces have the same ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Attributes = tuple[tuple[str, str], ...]
Made = TypeVar("Made")

MOST = 10_000_000
"""So many characters of tags are remembered, each tag counted with ``EACH`` more; then it begins anew."""
EACH = 500


def remembered(make: Callable[[str, Attributes], Made]) -> Callable[[str, Attributes], Made]:
    """The function, which makes nothing twice of a tag that it has seen."""
    seen: dict[tuple[str, Attributes], Made] = {}
    characters = 0

    def made(tag: str, attributes: Attributes) -> Made:
        nonlocal characters
        if (found := seen.get((tag, attributes))) is not None:
            return found
        characters += EACH + sum([len(name) + len(value) for name, value in attributes])
        if characters > MOST:
            seen.clear()
            characters = 0
        found = seen[tag, attributes] = make(tag, attributes)
        return found

    return made
