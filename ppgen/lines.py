"""Turns words into lines and columns where every letter is as wide as the next: on terminals, in text files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

_WIDE = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
_LATE = "、。，．：；！？）」』〜ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
"""What may not begin a line (JIS X 4051)."""
_PIECES = re.compile(rf"[（「『]*[{_WIDE}][{_LATE}]*|[^ {_WIDE}]+[{_LATE}]* *| +")
"""What stays together on a line: a word with the spaces behind it, a wide character with what belongs to it."""


def display_width(text: str) -> int:
    """Columns on a terminal: East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
               for character in text)


def fit(text: str, width: int) -> str:
    """The text in exactly that width, cut with an ellipsis where it is longer."""
    if display_width(text) > width:
        while display_width(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - display_width(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most that width, broken between words, or between characters that need no spaces.

    Lines after the first are set in; a word that is wider than a line is broken.
    """
    line, width = "", max(width, 20)
    for piece in _PIECES.findall(text):
        if line.strip() and display_width(line + piece.rstrip()) > width:
            yield line.rstrip()
            line = "  "
        line += piece
        while display_width(line.rstrip()) > width:
            end = next(end for end in range(len(line), 0, -1) if display_width(line[:end]) <= width)
            yield line[:end]
            line = f"  {line[end:]}"
    if line.strip():
        yield line.rstrip()


def columns(rows: Sequence[Sequence[str]]) -> tuple[list[str], list[int]]:
    """A line for each row, its columns as wide as their longest cell; and those widths."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(fit, row, widths)).rstrip() for row in rows], widths
