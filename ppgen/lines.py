"""Monospaced text layout: display width, line breaks and columns for terminals and text files; and JSON."""

from __future__ import annotations

import re
import shlex
import sys
import unicodedata
from collections.abc import Iterator, Sequence

KATAKANA = "ァ-ヺー"  # a word of these is not divided
_WIDE = "\u3000-\u30ff\u3400-\u9fff\uff00-\uffef"
NO_LINE_START = ("、。，．・：；？！）」』】〉》〕］｝々ゝゞヽヾー〜,.;:!?)%»”’"
                 "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶๆฯ།।॥")
"""Characters that don't begin a line (JIS X 4051, clause 6.1, as far as it matters here)."""
_PIECES = rf"[（「『]*(?:[{KATAKANA}]++|[{_WIDE}])[{NO_LINE_START}]*|[^ {_WIDE}]++[{NO_LINE_START}]* *| +"
"""Unbreakable pieces: a word with the spaces after it, a wide character with its punctuation. Compiled when used."""


def display_width(text: str) -> int:
    """Number of terminal columns: East Asian characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
               for character in text)


def fit_width(text: str, width: int) -> str:
    """Pad the text to exactly this width; end it with an ellipsis if it is longer."""
    if display_width(text) > width:
        while display_width(text) > width - 1:
            text = text[:-1]
        text += "…"
    return text + " " * (width - display_width(text))


def wrap(text: str, width: int) -> Iterator[str]:
    """Break the text into lines of that many columns (20 or more); all but the first are indented."""
    line, width = "", max(width, 20)
    for piece in re.findall(_PIECES, text):
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
    """Format rows as lines with columns as wide as their widest cells; also return these widths."""
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(fit_width, row, widths)).rstrip() for row in rows], widths


def quote_argument(word: str) -> str:
    """Quote a word of a command line: for PowerShell and cmd on Windows, elsewhere for sh."""
    if sys.platform != "win32":
        return shlex.quote(word)
    return word if re.fullmatch(r"[\w+=:./\\-]+", word) else f'"{word}"'


def format_json(document: object) -> str:
    """Format a document as JSON; undecodable bytes of file names become escapes of lone surrogates."""
    import json  # most runs write none

    text = json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    return text.encode(errors="backslashreplace").decode()
