"""Turns what is shipped into the files of a folder that somebody changes: the set, or the beginning of a new deck."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from ppgen.assets import TRANSLATED, shipped
from ppgen.production.built import BuiltFile

_ASKED = re.compile(rb"[\"']([a-z_]+/[a-z0-9_/.-]+\.svg\.j2)[\"']")
"""Templates that a template asks for by name."""


def own_set(game: str, langs: Collection[str]) -> Iterator[BuiltFile]:
    """The shipped set of a game folder in some languages: data, templates, options, and a page that tells of them."""
    yield from _files(shipped() / "data" / "starters" / "set")
    yield from _files(shipped() / "data" / "starters" / game)
    for file in _files(shipped() / "data" / game, f"data/{game}/"):
        path = Path(file.path)
        if path.parent.name not in TRANSLATED or path.stem in langs:
            yield file
    yield from _with_borrowed(_files(shipped() / "templates" / game, f"templates/{game}/"))


def new_deck() -> Iterator[BuiltFile]:
    """A small deck that builds, to be replaced by one's own."""
    yield from _files(shipped() / "data" / "starters" / "empty")


def _with_borrowed(templates: Iterable[BuiltFile]) -> Collection[BuiltFile]:
    """The templates, those of other games that they ask for, and those that these ask for in turn."""
    found = {file.path: file for file in templates}
    todo = list(found.values())
    while todo:
        for name in map(bytes.decode, _ASKED.findall(todo.pop().content)):
            key, path = f"templates/{name}", shipped() / "templates" / name
            if key not in found and path.is_file() and not name.startswith("shared/"):
                found[key] = BuiltFile(path=key, content=path.read_bytes())
                todo.append(found[key])
    return found.values()


def _files(folder: Path, into: str = "") -> Iterator[BuiltFile]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield BuiltFile(path=into + path.relative_to(folder).as_posix(), content=path.read_bytes())
