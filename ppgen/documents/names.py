"""Turns a language into those booklets that it has words for; what the parts that any game may have are called.

What makes these parts is imported when one of them is made.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppgen.errors import Problem
from ppgen.reading.texts import Texts

RULES, GUIDE, CALIBRATION, BOX = "rules", "guide", "calibration", "box"
BOOKLETS = (RULES, GUIDE)
"""The parts that are booklets, in the order of printing."""
WORDS = {RULES: "rules.book.name", GUIDE: "guide.name"}
"""A text of each, which a language has if it has the booklet."""


def missing(texts: Texts, names: Sequence[str]) -> tuple[Problem, ...]:
    """The booklets that the language has no words for."""
    return tuple(Problem(place=f"{name}/{texts.lang}.toml", key=name, what="the words of this part are missing",
                         remedy=f"translate {name}/de.toml") for name in names if not has_words(texts, name))


def has_words(texts: Texts, name: str) -> bool:
    """Whether the language has the words of a booklet."""
    return WORDS[name] in texts.words
