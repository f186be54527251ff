"""Turns names, parts and counts into pieces of sentences in a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from ppgen.reading.texts import Texts


def counted(what: str, count: int, texts: Texts) -> str:
    """``1 point``, ``61 points``: in the singular for the numbers that the language says so for (in French 0, too)."""
    one = str(abs(count)) in texts("counted.singular").split()
    return texts(f"counted.{what}_one" if one else f"counted.{what}", count=signed(count))


def joined(names: Sequence[str], texts: Texts) -> str:
    """``Andreas, Beate und Claus``."""
    *first, last = names
    return texts("results.and", first=chained("results.list", first, texts), last=last) if first else last


def enumerated(parts: Iterable[str], texts: Texts) -> str:
    """``France, Saxony, ships``."""
    return chained("results.list", list(parts), texts)


def explained(what: str, parts: Iterable[str], texts: Texts) -> str:
    """What points are for, and why each player has them; in a line."""
    return texts("explain.line", what=what, parts=chained("explain.also", list(parts), texts))


def chained(key: str, parts: Sequence[str], texts: Texts) -> str:
    """The parts, each put behind those before it as the text says."""
    return reduce(lambda first, last: texts(key, first=first, last=last), parts) if parts else ""


def signed(points: int) -> str:
    """Points with a true minus."""
    return str(points).replace("-", "−")
