"""New versions of a deck's tables that land in another folder, such as that of downloads.

A browser saves a spreadsheet as ``cards.csv``, ``cards (1).csv`` or ``My game - cards.csv``. The page asks before the
newest one takes the place of the deck's file; then it can be taken back like any change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path

from ppgen.errors import InputError
from ppgen.pages.open.page_looks import Document, Looks, places_of
from ppgen.reading.editing import EDITABLE_SUFFIXES, MAX_FILE_BYTES, WORKBOOKS, EditConflict, EditError, FileHistory
from ppgen.reading.fields import read_bytes

TABLE_SUFFIXES = (*EDITABLE_SUFFIXES, *WORKBOOKS)
MAX_FILES = 5_000  # files of the folder that are looked at


class Follower:
    """The files of a folder that may replace tables of a deck."""

    def __init__(self, folder: Path, looks: Looks, history: FileHistory) -> None:
        self._folder, self._looks, self._history = folder, looks, history
        self._refused: set[str] = set()
        """Digests of files that are not wanted."""

    def describe(self) -> Document:
        """Describe the newest file that is newer than the table of its name, and differs from it."""
        for place in places_of(self._looks.state):
            table = Path(place)
            for path in self._candidates(table)[:1]:
                try:
                    content, old = _read(path), self._history.read(table)
                except (InputError, EditError):
                    continue
                digest = sha256(content).hexdigest()
                if digest not in self._refused and content != old:
                    return {"place": place, "name": path.name, "folder": str(self._folder), "digest": digest,
                            "bytes": len(content)}
        return {}

    def act(self, wish: Mapping[str, object]) -> Document:
        """Put a file in the place of its table, or forget it. Raises EditError if it is not offered, EditConflict."""
        place, name, digest, wanted = (wish.get(key) for key in ("place", "name", "digest", "wanted"))
        if not (isinstance(place, str) and place in places_of(self._looks.state) and isinstance(digest, str)):
            raise EditError("This is not a table of the deck.")
        if wanted is not True:
            self._refused.add(digest)
            return {}
        path = next((path for path in self._candidates(Path(place)) if path.name == name), None)
        if path is None:
            raise EditConflict("The file is no longer there.")
        try:
            content = _read(path)
        except InputError as error:
            raise EditConflict(str(error)) from error
        if sha256(content).hexdigest() != digest:
            raise EditConflict(f"{path.name} has been changed meanwhile; nothing was written.")
        with self._looks.drawing:
            self._history.write(Path(place), self._history.read(Path(place)), content)
        return {}

    def _candidates(self, table: Path) -> list[Path]:
        """List the files of the folder that have the table's name and are newer, the newest first."""
        if table.suffix.lower() not in TABLE_SUFFIXES:
            return []
        stem, suffix = map(re.escape, (table.stem, table.suffix))
        name = re.compile(rf"(?:[^/]* - )?{stem} ?(?:\(\d+\))?{suffix}", re.IGNORECASE)
        try:
            since = table.stat().st_mtime_ns
            found = [(path.stat().st_mtime_ns, path) for path in islice(self._folder.iterdir(), MAX_FILES)
                     if name.fullmatch(path.name) and not path.is_symlink() and path.is_file()]
            return [path for time, path in sorted(found, reverse=True) if time > since and not path.samefile(table)]
        except OSError:  # the folder is gone, or a file meanwhile
            return []


def _read(path: Path) -> bytes:
    return read_bytes(path, MAX_FILE_BYTES, "make it smaller")
