"""Turns a template into one that says of each tag on which line it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ppgen.engine.svg.subset import MARK

_OPENING, _CLOSING = re.compile(r"\{[{%#]"), {"{{": "}}", "{%": "%}", "{#": "#}"}
_TAG = re.compile(r"<([A-Za-z][\w:.-]*)")


def with_marks(source: str, name: str) -> tuple[str, int]:
    """A template with ``data-src="name:line"`` in each tag that it writes, and how many characters of it are code."""
    line, code, parts = 1, 0, []
    for part, is_code in _split(source):
        if is_code:
            parts.append(part)
            code += 0 if part.startswith("{#") else len(part)
            line += part.count("\n")
            continue
        start = 0
        for tag in _TAG.finditer(part):
            line += part.count("\n", start, tag.end())
            parts.append(part[start:tag.end()] + f' {MARK}="{name}:{line}"')
            start = tag.end()
        parts.append(part[start:])
        line += part.count("\n", start)
    return "".join(parts), code


def _split(source: str) -> Iterator[tuple[str, bool]]:
    """The parts of a template, and whether each is code between braces."""
    start, at, unclosed = 0, 0, set[str]()
    while opening := _OPENING.search(source, at):
        closing = _CLOSING[opening[0]]
        end = -1 if closing in unclosed else source.find(closing, opening.end())
        if end < 0:
            unclosed.add(closing)  # nor for a later one: looking again each time would take for ever
            at = opening.start() + 1
            continue
        yield source[start:opening.start()], False
        yield source[opening.start():end + 2], True
        start = at = end + 2
    yield source[start:], False
