"""Turns paragraphs, steps and tables into the README.txt that goes with exported files."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ppgen.lines import columns, display_width

WIDTH = 78
README = "README.txt"


def heading(words: str) -> str:
    return f"{words}\n{'-' * display_width(words)}"


def paragraph(words: str) -> str:
    return _wrapped(words)


def steps(each: Sequence[str]) -> str:
    """Numbered steps, one below the other."""
    return "\n".join(_wrapped(words, f"{number}. ") for number, words in enumerate(each, 1))


def points(each: Iterable[str]) -> str:
    return "\n".join(_wrapped(words, "- ") for words in each)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their longest cell; the first row is the head. Lines may be longer than others."""
    lines, widths = columns(rows)
    return "\n".join((lines[0], "  ".join("-" * width for width in widths), *lines[1:]))


def readme(blocks: Iterable[str]) -> bytes:
    """The file: its blocks with a line between them."""
    return ("\n\n".join(block for block in blocks if block) + "\n").encode()


def _wrapped(words: str, sign: str = "") -> str:
    return textwrap.fill(words, WIDTH, initial_indent=sign, subsequent_indent=" " * len(sign),
                         break_long_words=False, break_on_hyphens=False)
