"""Changes of a deck's text files from the page, with undo and redo.

A change replaces some bytes and leaves all others as they are. A file is written as a whole, and only if it still is
what was read; it must lie in the folder of the deck.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ppgen.errors import InputError
from ppgen.reading.file_limits import read_bytes

MAX_FILE_BYTES = 10_000_000
MAX_UNDO = 100
"""Changes that can be taken back."""


class EditError(Exception):
    """A file can't be changed so; it is as it was."""


class EditConflict(EditError):
    """The file is no longer what the change was made for."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Bytes of a file from ``start``, and the digests of the whole file before and after the change."""

    path: Path
    start: int
    before: bytes
    after: bytes
    digests: tuple[bytes, bytes]

    def reverse(self) -> _Change:
        return _Change(self.path, self.start, self.after, self.before, self.digests[::-1])


class FileHistory:
    """Writes changes to files in a folder, takes them back and makes them again, the last one first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._done: list[_Change] = []
        self._undone: list[_Change] = []

    @property
    def undo_count(self) -> int:
        return len(self._done)

    @property
    def redo_count(self) -> int:
        return len(self._undone)

    def read(self, path: Path) -> bytes:
        """Return a file of the folder. Raises EditError for one outside, EditConflict for one that can't be read."""
        if path.is_symlink() or not path.resolve().is_relative_to(self.folder):
            raise EditError("The file lies outside the folder of the deck.")
        try:
            return read_bytes(path, MAX_FILE_BYTES, "make it smaller")
        except InputError as error:
            raise EditConflict(str(error)) from error

    def write(self, path: Path, before: bytes, after: bytes) -> None:
        """Write a file whose content was ``before``.

        Raises EditConflict if the file has changed, EditError if it can't be written.
        """
        if before == after:
            return
        start = _common_length(before, after)
        same = _common_length(before[start:][::-1], after[start:][::-1])
        change = _Change(path, start, before[start:len(before) - same], after[start:len(after) - same],
                         (sha256(before).digest(), sha256(after).digest()))
        self._apply(change, before)
        self._done = [*self._done, change][-MAX_UNDO:]
        self._undone.clear()

    def undo(self) -> Path:
        """Take the last change back; return its file. Raises EditConflict if the file has been changed since."""
        if not self._done:
            raise EditError("There is nothing to take back.")
        change = self._done[-1]
        self._apply(change.reverse())
        self._undone.append(self._done.pop())
        return change.path

    def redo(self) -> Path:
        """Make the change again that was taken back last; return its file."""
        if not self._undone:
            raise EditError("There is nothing to make again.")
        change = self._undone[-1]
        self._apply(change)
        self._done.append(self._undone.pop())
        return change.path

    def _apply(self, change: _Change, content: bytes | None = None) -> None:
        content = self.read(change.path) if content is None else content
        if sha256(content).digest() != change.digests[0]:
            raise EditConflict(f"{change.path.name} has been changed since by another program: take it back there.")
        end = change.start + len(change.before)
        _write(change.path, content, content[:change.start] + change.after + content[end:])


def _common_length(one: bytes, other: bytes) -> int:
    """Return how many bytes at the start of both are equal. Halves the rest each time: files have millions of them."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _write(path: Path, before: bytes, after: bytes) -> None:
    temporary = ""
    try:
        if not os.access(path, os.W_OK):
            raise EditError(f"{path.name} may not be written.")
        mode = path.stat().st_mode
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".ppgen-")
        with os.fdopen(handle, "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        if path.read_bytes() != before:
            raise EditConflict(f"{path.name} has been changed meanwhile; nothing was written.")
        Path(temporary).replace(path)
    except OSError as error:
        raise EditError(f"{path.name} can't be written: {error.strerror or error}") from error
    finally:
        if temporary:
            with suppress(OSError):  # as a rule it has replaced the file
                Path(temporary).unlink()
