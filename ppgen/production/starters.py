"""Turns what is shipped into the files of a folder that somebody changes: the set, or the beginning of a new deck."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from ppgen.assets import TRANSLATED, shipped
from ppgen.production.built import BuiltFile


def own_set(game: str, langs: Collection[str]) -> Iterator[BuiltFile]:
    """The shipped set of a game folder in some languages: data, templates, options, and a page that tells of them."""
    yield from _files(shipped() / "data" / "starters" / "set")
    for file in _files(shipped() / "data" / game, f"data/{game}/"):
        path = Path(file.path)
        if path.parent.name not in TRANSLATED or path.stem in langs:
            yield file
    yield from _files(shipped() / "templates" / game, f"templates/{game}/")


def new_deck() -> Iterator[BuiltFile]:
    """A small deck that builds, to be replaced by one's own."""
    yield from _files(shipped() / "data" / "starters" / "empty")


def _files(folder: Path, into: str = "") -> Iterator[BuiltFile]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield BuiltFile(path=into + path.relative_to(folder).as_posix(), content=path.read_bytes())
