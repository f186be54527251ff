"""Turns text with a little markup into the blocks of a booklet.

The markup is what a translator writes without thinking: an empty line parts paragraphs, ``- `` and ``1. `` begin
the entries of a list, ``## `` a smaller heading, ``> `` a note; ``*strong*``, ``_emphasis_``. A line that is a
``{placeholder}`` alone stands for blocks made elsewhere: figures, tables, examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby

from ppgen.engine.booklets.document import Block, Heading, Line, Listing, Panel, Paragraph, Span
from ppgen.errors import InputError
from ppgen.reading.texts import Texts

_INLINE = re.compile(r"\*(\S(?:[^*]*\S)?)\*|(?<![^\W_])_(\S(?:[^_]*\S)?)_(?![^\W_])")
_ENTRY = re.compile(r"(-|\d+\.) +")
_ALONE = re.compile(r"\{([a-z_]+)\}")
MAX_NOTES = 5
"""Notes may stand in notes so deep; typst sets no layout of 40 blocks in each other."""


def blocks_of(text: str, inserts: Mapping[str, Sequence[Block]]) -> tuple[Block, ...]:
    """The blocks of a text; ``inserts`` are what its placeholders stand for.

    A placeholder that has no insert or stands among words, and notes deeper than :data:`MAX_NOTES`, raise ValueError.
    """
    return tuple(_blocks(text, inserts, MAX_NOTES))


def written_blocks(texts: Texts, key: str, inserts: Mapping[str, Sequence[Block]], values: Mapping[str, object],
                   more: str = "") -> tuple[Block, ...]:
    """The blocks of the text of that key, filled in with ``values``, with ``more`` behind it.

    Raises InputError, with the place of the text, where :func:`blocks_of` raises ValueError.
    """
    try:
        return blocks_of(texts(key, **{**values, **{name: f"{{{name}}}" for name in inserts}}) + more, inserts)
    except ValueError as error:
        raise InputError([texts.problem(key, str(error))]) from error


def line_of(words: str) -> Line:
    """Words with their *strong* and _emphasised_ spans."""
    spans, at = [], 0
    for found in _INLINE.finditer(words):
        spans.append(Span(words[at:found.start()]))
        spans.append(Span(found[1], strong=True) if found[1] else Span(found[2], emphasis=True))
        at = found.end()
    return tuple(span for span in (*spans, Span(words[at:])) if span.words)


def _blocks(text: str, inserts: Mapping[str, Sequence[Block]], notes: int) -> Iterator[Block]:
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in part.strip().splitlines()]
        while lines and lines[0].startswith("## "):
            yield Heading(lines.pop(0)[3:].strip(), 2)
        if not lines:
            continue
        if alone := _ALONE.fullmatch(part.strip()):
            if alone[1] not in inserts:
                raise ValueError(f"{{{alone[1]}}} is no picture, table or example")
            yield from inserts[alone[1]]
        elif stray := _ALONE.search(part):
            raise ValueError(f"{stray[0]} wants a line of its own, between empty lines")
        elif all(line.startswith(">") for line in lines):
            if not notes:
                raise ValueError(f"has notes in notes, more than {MAX_NOTES} deep")
            inside = "\n".join(line[1:].strip() for line in lines)
            yield Panel(kind="note", blocks=tuple(_blocks(inside, inserts, notes - 1)))
        elif _ENTRY.match(lines[0]):
            yield Listing(tuple(_entries(lines)), numbered=not lines[0].startswith("-"))
        else:
            yield Paragraph(line_of(_joined(lines)))


def _entries(lines: Sequence[str]) -> Iterator[Line]:
    """The entries of a list; a line that begins none goes on with the one before."""
    numbers = accumulate(bool(_ENTRY.match(line)) for line in lines)
    for _, run in groupby(zip(numbers, lines, strict=True), key=lambda pair: pair[0]):
        yield line_of(_ENTRY.sub("", _joined([line for _, line in run]), count=1))


def _joined(lines: Sequence[str]) -> str:
    """The lines of a paragraph as one; Japanese characters are not parted by a space."""
    text = ""
    for line in lines:
        wide = text and line and min(text[-1], line[0]) >= "\u3000"
        text += line if not text or wide else f" {line}"
    return text
