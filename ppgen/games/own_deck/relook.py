"""Other looks for a deck whose first layouts are unchanged: these are written anew, from its sheet."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from ppgen.assets import DECK_FILE
from ppgen.errors import InputError, Problems
from ppgen.games.interface import NewDeck, Relook, Relooks, SheetRequest
from ppgen.games.own_deck.deck_loading import TOP_KEYS
from ppgen.games.own_deck.layout_mark import LayoutMark, read_mark
from ppgen.games.own_deck.looks import looks, open_look
from ppgen.games.own_deck.new_deck import ALL_SHEETS, deck_from_sheet
from ppgen.reading.fields import Fields, Source, read_inside, read_source, read_toml
from ppgen.reading.file_limits import is_file_name
from ppgen.reading.toml_edit import delete_text, read_all_texts, set_texts

LAYOUT = ".svg.j2"
PLAIN = ""


def open_relooks(folder: Path) -> Relooks | None:
    """The looks that a deck may have; None if its layouts or the files of its look are not as ppgen wrote them."""
    top = read_toml(folder, DECK_FILE, Problems())
    parts = [top.take_table(key) for key in top if top.is_table(key) and key not in TOP_KEYS]
    mark = _read_marks(folder, parts)
    names = [PLAIN, *looks()]
    if mark is None or mark.look not in names or not _is_untouched(folder, mark.look, names):
        return None
    same = {key: {str(part.raw(key) or "") for part in parts} for key in ("table", "size", "shape", "sheet")}
    if any(len(same[key]) > 1 for key in ("table", "size", "shape")):
        return None
    title, table, art = str(top.raw("title")), same["table"].pop(), folder / "art"
    sheet = folder / table
    if not is_file_name(table) or any(not path.resolve().is_relative_to(folder.resolve()) for path in (sheet, art)):
        return None
    request = SheetRequest(
        sheet=sheet, title=title, book_title=title,
        page=ALL_SHEETS if len(same["sheet"]) > 1 else same["sheet"].pop(), art=art if art.is_dir() else None,
        size=same["size"].pop(), shape=same["shape"].pop() or "rectangle", look=mark.look, roles=mark.roles)
    old = cache(partial(deck_from_sheet, request))
    return Relooks(look=mark.look, names=names, make=lambda name: _relook(
        folder, mark.look, old(), name, deck_from_sheet(replace(request, look=name))))


def _read_marks(folder: Path, parts: list[Fields]) -> LayoutMark | None:
    """The mark of all layouts of a deck; None if one of them has been changed, or has another."""
    faces = {str(part.raw(key) or "") for part in parts for key in ("front", "back")}
    found: list[LayoutMark | None] = []
    try:
        found = [read_mark(read_source(folder, face).text) for face in sorted(faces) if face.endswith(LAYOUT)]
    except InputError:  # the look tells it
        return None
    return found[0] if found and all(mark == found[0] for mark in found) else None


def _is_untouched(folder: Path, look: str, names: Sequence[str]) -> bool:
    """True if a deck has the files of its look as they are shipped, and none of another's."""
    own = open_look(look).files
    others = {file for name in names for file in open_look(name).files} - {*own}
    try:
        return (all(read_inside(folder, file) == path.read_bytes() for file, path in own.items())
                and not any((folder / file).exists() for file in others))
    except InputError:
        return False


def _relook(folder: Path, old_look: str, old: NewDeck, look: str, new: NewDeck) -> Relook:
    """Changes from one look to the other: layouts, files of the looks, and colours of ``deck.toml``."""
    names = [name for name in new.files if name.endswith(LAYOUT)]
    before = {name: read_inside(folder, name) for name in (*names, *open_look(old_look).files)
              if (folder / name).exists()}
    after = {name: _content(new.files[name]) for name in (*names, *open_look(look).files)}
    changes = {name: (before.get(name), after.get(name)) for name in (*after, *before)}
    source = read_source(folder, DECK_FILE)
    deck = _merge(source, *(Source(source.path, _content(each.files[DECK_FILE]).decode()) for each in (old, new)))
    changes[DECK_FILE] = read_inside(folder, DECK_FILE), deck.encode()
    return Relook(changes=changes, fonts=open_look(look).fonts, colours=tomllib.loads(deck).get("colours", {}))


def _content(content: bytes | Path) -> bytes:
    return content if isinstance(content, bytes) else content.read_bytes()


def _merge(source: Source, old: Source, new: Source) -> str:
    """A ``deck.toml`` in which everything that is as in the old look becomes as in the new one."""
    now, before, after = (read_all_texts(each) for each in (source, old, new))
    changed = [key for key in {**before, **after} if now.get(key) == before.get(key) != after.get(key)]
    text = source.text
    with suppress(InputError):  # written in a form that can't be changed: it stays as it is
        text = set_texts(source, {key: after[key] for key in changed if key in after})
        for key in changed:
            if key not in after:
                text = delete_text(Source(source.path, text), key)
    return text
