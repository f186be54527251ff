"""Turns values of templates into whether their texts surely fit where those of other values did."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from operator import le

from ppgen.engine.drawing.fonts import FontBook

Words = tuple[frozenset[str], frozenset[str]]
"""All texts of a language, and of the other one."""


def fits_for(values: object, others: object, texts: Words, fonts: FontBook) -> bool:
    """Whether values are the same as others, but for texts that fit wherever those did.

    That is said of a single word that can be set, and is no longer and no wider than one of the other's, in each style,
    in capitals too. Several words may break into lines otherwise.
    """
    if isinstance(values, Mapping) and isinstance(others, Mapping):
        return values.keys() == others.keys() and all(
            fits_for(values[key], others[key], texts, fonts) for key in values)
    if isinstance(values, list | tuple) and isinstance(others, list | tuple):
        return len(values) == len(others) and all(
            fits_for(*pair, texts, fonts) for pair in zip(values, others, strict=True))
    if values == others:
        return True
    return (isinstance(values, str) and values in texts[0] and isinstance(others, str) and others in texts[1]
            and _word_fits(values, others, fonts))


def _word_fits(words: str, others: str, fonts: FontBook) -> bool:
    if len(words.split()) != 1 or "{" in words:  # several, or a place for something else
        return False
    needed = _widths(words, fonts)
    return _can_be_set(words, fonts) and any(len(word) >= len(words) and all(map(le, needed, _widths(word, fonts)))
                                             for word in others.split() if "{" not in word)


@lru_cache(maxsize=5_000)
def _can_be_set(word: str, fonts: FontBook) -> bool:
    """Whether all styles have all characters of a word, in capitals too."""
    return all(any(font.has(character) for font in style) for style in fonts.styles.values()
               for character in word + word.upper())


@lru_cache(maxsize=5_000)
def _widths(word: str, fonts: FontBook) -> tuple[float, ...]:
    return tuple(fonts.width(letters, style, 1.0) for letters in (word, word.upper()) for style in fonts.styles)
