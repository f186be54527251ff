"""Source texts of templates: markers of their lines, and the names that they read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.errors import InputError
from ppgen.reading.fields import read_source
from ppgen.records import dataclass

MAX_NAME = 200  # characters of a template's name
MAX_SEARCHED = 20_000  # files of a folder that are searched for names that templates read
SUFFIXES = (".j2", ".jinja", ".jinja2", ".svg")  # suffixes of templates

_NAME = re.compile(r"(?:[\w-][\w. -]*/)*[\w-][\w. -]*")  # folders and a file, none of them hidden, none `..`
_SOURCE = re.compile(rf"({_NAME.pattern}):(\d{{1,9}})")
_OPENING, _CLOSING = re.compile(r"\{[{%#]"), {"{{": "}}", "{%": "%}", "{#": "#}"}
_TAG = re.compile(r"<([A-Za-z][\w:.-]*)")
_READ_NAME = re.compile(r"""\.\s*([^\W\d]\w*+)(?!\s*\()|\[\s*["']([^"']+)["']\s*\]|\battribute\s*=\s*["'](\w+)["']""")
"""Reads of an attribute or an entry by its name; methods are called."""
_COMPUTED_NAME = re.compile(r"""\bcard\s*\[(?!\s*["'][^"']*["']\s*\])""")
"""``card[…]`` with anything but a name in quotes."""
_QUOTED = re.compile(r"""["'](\w+)["']""")
_QUOTED_NAME = re.compile(rf"""["']({_NAME.pattern})["']""")
_COPY = re.compile(r"""(?<![\w.'"])copy\b(?!\s*[=('"])""")
"""The variable ``copy``, and neither an attribute nor an argument of that name."""


def is_template_name(name: str) -> bool:
    return len(name) <= MAX_NAME and bool(_NAME.fullmatch(name))


def parse_marker(source: str) -> tuple[str, int] | None:
    """Return the template and the line of a ``data-src``; None for one that a template has invented."""
    match = _SOURCE.fullmatch(source)
    return (match[1], int(match[2])) if match else None


def add_line_markers(source: str, name: str) -> str:
    """Add ``data-src="name:line"`` to each tag that a template writes."""
    line, parts = 1, []
    for part, is_code in split_code(source):
        if is_code:
            parts.append(part)
            line += part.count("\n")
            continue
        start = 0
        for tag in _TAG.finditer(part):
            line += part.count("\n", start, tag.end())
            parts.append(part[start:tag.end()] + f' {SOURCE_ATTRIBUTE}="{name}:{line}"')
            start = tag.end()
        parts.append(part[start:])
        line += part.count("\n", start)
    return "".join(parts)


def split_code(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a template, and whether each is code between braces."""
    start, at, unclosed = 0, 0, set[str]()
    while opening := _OPENING.search(source, at):
        closing = _CLOSING[opening[0]]
        end = -1 if closing in unclosed else source.find(closing, opening.end())
        if end < 0:
            unclosed.add(closing)  # nor is a later one: searching for each would take quadratic time
            at = opening.start() + 1
            continue
        yield source[start:opening.start()], False
        yield source[opening.start():end + 2], True
        start = at = end + 2
    yield source[start:], False


@dataclass(frozen=True, slots=True)
class NamesRead:
    """Names that templates read; not ``complete`` if a template computes names or there are too many to search."""

    names: frozenset[str] = frozenset()
    complete: bool = True
    copy: bool = False  # they read the number of the copy that is drawn


def find_names_read(templates: Path, only: Iterable[str] = (), made: Mapping[str, str] | None = None) -> NamesRead:
    """Search all templates below a folder for the names that they read, whatever they read them from.

    With ``only``, search these templates and those that they name in quotes; ``made`` are texts of templates that are
    not files. The text of the templates is searched, so that names in branches that are not taken count, too, and faces
    from the cache need not remember what they read.
    """
    names: set[str] = set()
    quoted: set[str] = set()
    todo = list(only)
    if not todo:
        files = list(islice(templates.rglob("[!.]*"), MAX_SEARCHED))
        todo = [path.relative_to(templates).as_posix() for path in files if path.suffix.lower() in SUFFIXES]
    searched, computed, copy = set[str](), not only and len(files) == MAX_SEARCHED, False
    while todo:
        name = todo.pop()
        if name in searched:
            continue
        searched.add(name)
        try:
            for code, is_code in split_code((made or {}).get(name) or read_source(templates, name).text):
                if is_code and not code.startswith("{#"):
                    names.update(filter(None, chain.from_iterable(_READ_NAME.findall(code))))
                    quoted.update(_QUOTED.findall(code))
                    computed = computed or bool(_COMPUTED_NAME.search(code))
                    copy = copy or bool(_COPY.search(code))
                    todo += [other for other in set(_QUOTED_NAME.findall(code)) - searched
                             if only and other.lower().endswith(SUFFIXES)]
        except InputError:  # reported when it is drawn
            computed = True
    if computed:
        names |= quoted
    return NamesRead(frozenset(names), not computed, copy)
