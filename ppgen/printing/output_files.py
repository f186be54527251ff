"""The starter files of a new folder."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.assets import DECK_FILE, TRANSLATED
from ppgen.errors import InputError, display_path, join_names
from ppgen.process.file_writing import BuiltFile
from ppgen.reading.fields import parse_toml, read_source
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.games.interface import NewDeck


_TEMPLATE_NAMES = re.compile(rb"[\"']([a-z_]+/[a-z0-9_/.-]+\.svg\.j2)[\"']")  # names of other templates in a template


def starter_set(game: str, langs: Collection[str]) -> Iterator[BuiltFile]:
    """Yield the shipped set of a game folder in some languages: data, templates, options and a page about them."""
    yield from _read_folder(shipped_root() / "data" / "starters" / "set")
    yield from _read_folder(shipped_root() / "data" / "starters" / game)
    for file in _read_folder(shipped_root() / "data" / game, f"data/{game}/"):
        path = Path(file.path)
        if path.parent.name not in TRANSLATED or path.stem in langs:
            yield file
    yield from _add_borrowed(_read_folder(shipped_root() / "templates" / game, f"templates/{game}/"))


def starters() -> dict[str, str]:
    """The decks to begin with: their names, and the comment in the first line of each."""
    files = sorted((shipped_root() / "data" / "starters").glob(f"*/{DECK_FILE}"))
    return {file.parent.name: file.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for file in files}


def copy_starter(name: str, title: str) -> NewDeck:
    """A starter with another title."""
    from ppgen.games.interface import NewDeck  # `ppgen init` starts faster without it

    files = {file.path: file.content for file in _read_folder(shipped_root() / "data" / "starters" / name)}
    quoted = json.dumps(title, ensure_ascii=False)
    files[DECK_FILE] = re.sub(rb'(?m)^title = ".*"$', lambda _: f"title = {quoted}".encode(), files[DECK_FILE], count=1)
    return NewDeck(files=files)


def find_parts() -> list[str]:
    """The names of the parts that a deck may be given."""
    return sorted(file.parent.name for file in (shipped_root() / "data" / "parts").glob(f"*/{DECK_FILE}"))


def add_part(folder: Path, part: str) -> list[BuiltFile]:
    """The files of a part for the deck in ``folder``, and its ``deck.toml`` with it. Raises InputError."""
    deck = read_source(folder, DECK_FILE)
    files = {file.path: file.content for file in _read_folder(shipped_root() / "data" / "parts" / part)}
    taken = [name for name in files if name != DECK_FILE and (folder / name).exists()]
    if part in parse_toml(deck) or taken:
        what = f"has {join_names(taken)} already" if taken else f"has a part [{part}] already"
        raise InputError.at(display_path(folder), what, "rename it, or add another part")
    files[DECK_FILE] = f"{deck.text.rstrip()}\n\n".encode() + files[DECK_FILE]
    return [BuiltFile(path=path, content=content) for path, content in files.items()]


def deck_files(deck: NewDeck) -> Iterator[BuiltFile]:
    """Yield the files of a new deck; pictures are read one at a time."""
    for path, content in deck.files.items():
        yield BuiltFile(path=path, content=content if isinstance(content, bytes) else content.read_bytes())


def _add_borrowed(templates: Iterable[BuiltFile]) -> Collection[BuiltFile]:
    """Add the templates of other games that these use, directly or not; of a subfolder all of them."""
    collected = {file.path: file for file in templates}
    todo = list(collected.values())
    while todo:
        for name in map(bytes.decode, _TEMPLATE_NAMES.findall(todo.pop().content)):
            if not name.startswith("shared/"):
                new = [file for file in _templates_with(name) if file.path not in collected]
                collected |= {file.path: file for file in new}
                todo += new
    return collected.values()


def _templates_with(name: str) -> Iterable[BuiltFile]:
    """The shipped template of this name, if any, and all others of its game's subfolder."""
    path = shipped_root() / "templates" / name
    if not path.is_file():
        return []
    game, *folders, _ = name.split("/")
    if not folders:
        return [BuiltFile(path=f"templates/{name}", content=path.read_bytes())]
    home = f"{game}/{folders[0]}"
    return _read_folder(shipped_root() / "templates" / home, f"templates/{home}/")


def _read_folder(folder: Path, into: str = "") -> Iterator[BuiltFile]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            yield BuiltFile(path=into + path.relative_to(folder).as_posix(), content=path.read_bytes())
