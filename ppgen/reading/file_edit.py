"""Changes of a deck's text files from the page, with undo and redo.

A change replaces some bytes and leaves all others as they are. A file is written as a whole, and only if it still is
what was read; it must lie in the folder of the deck. A step changes one file or several: all of them or none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ppgen.errors import InputError
from ppgen.process.file_writing import BuiltFile, ConflictError, clear_stages, write_files
from ppgen.reading.file_limits import read_bytes

MAX_FILE_BYTES = 10_000_000
MAX_UNDO = 100  # changes that can be taken back


class EditError(Exception):
    """A file can't be changed so; it is as it was."""


class EditConflict(EditError):
    """The file is no longer what the change was made for."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Bytes of a file from ``start``, and the digests of the whole file before and after the change; None for no file.
    """

    path: Path
    start: int
    before: bytes
    after: bytes
    digests: tuple[bytes | None, bytes | None]

    @classmethod
    def between(cls, path: Path, before: bytes | None, after: bytes | None) -> _Change:
        one, other = before or b"", after or b""
        start = _common_length(one, other)
        same = _common_length(one[start:][::-1], other[start:][::-1])
        return cls(path, start, one[start:len(one) - same], other[start:len(other) - same],
                   (_digest(before), _digest(after)))

    def reverse(self) -> _Change:
        return _Change(self.path, self.start, self.after, self.before, self.digests[::-1])

    def apply(self, content: bytes | None) -> bytes | None:
        """The content of the file after the change; raises EditConflict for another content than before it."""
        if _digest(content) != self.digests[0]:
            raise EditConflict(f"{self.path.name} has been changed since by another program: take it back there.")
        if self.digests[1] is None:
            return None
        content = content or b""
        return content[:self.start] + self.after + content[self.start + len(self.before):]


_Step = Sequence[_Change]


class FileHistory:
    """Writes changes to files in a folder, takes them back and makes them again, the last one first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        clear_stages(self.folder)  # of edits that were killed
        self._done: list[_Step] = []
        self._undone: list[_Step] = []

    @property
    def undo_count(self) -> int:
        return len(self._done)

    @property
    def redo_count(self) -> int:
        return len(self._undone)

    def read(self, path: Path) -> bytes:
        """Return a file of the folder. Raises EditError for one outside, EditConflict for one that can't be read."""
        self._check_place(path)
        try:
            return read_bytes(path, MAX_FILE_BYTES, "make it smaller")
        except InputError as error:
            raise EditConflict(str(error)) from error

    def _check_place(self, path: Path) -> None:
        if path.is_symlink() or not path.resolve().is_relative_to(self.folder):
            raise EditError("The file lies outside the folder of the deck.")

    def write(self, path: Path, before: bytes, after: bytes) -> None:
        """Write a file whose content was ``before``. Raises EditConflict if it has changed, EditError."""
        self.write_all({path: (before, after)})

    def write_all(self, contents: Mapping[Path, tuple[bytes | None, bytes | None]]) -> None:
        """Write files, each with its content before and after; None for no file. Raises as :meth:`write` does."""
        step = [_Change.between(path, *both) for path, both in contents.items() if both[0] != both[1]]
        for change in step:
            self._check_place(change.path)
        if step:
            self._apply(step, [contents[change.path][0] for change in step])
            self._done = [*self._done, step][-MAX_UNDO:]
            self._undone.clear()

    def undo(self) -> Path:
        """Take the last step back; return its first file. Raises EditConflict if a file has been changed since."""
        if not self._done:
            raise EditError("There is nothing to take back.")
        step = self._done[-1]
        self._apply([change.reverse() for change in step])
        self._undone.append(self._done.pop())
        return step[0].path

    def redo(self) -> Path:
        """Make the step again that was taken back last; return its first file."""
        if not self._undone:
            raise EditError("There is nothing to make again.")
        step = self._undone[-1]
        self._apply(step)
        self._done.append(self._undone.pop())
        return step[0].path

    def _apply(self, step: _Step, contents: Sequence[bytes | None] = ()) -> None:
        befores = contents or [self._read_any(change.path) for change in step]
        afters = [(change.path.resolve(), change.apply(before)) for change, before in zip(step, befores, strict=True)]
        expected = {path: before for (path, _), before in zip(afters, befores, strict=True)}

        def files() -> Iterator[BuiltFile]:
            for path, after in afters:
                if after is not None:
                    yield BuiltFile(path=str(path), content=after)
            for change, before in zip(step, befores, strict=True):
                if self._read_any(change.path) != before:
                    raise ConflictError(change.path)
                if before is not None and not os.access(change.path, os.W_OK):
                    raise EditError(f"{change.path.name} may not be written.")

        try:
            write_files(self.folder, files(), [path for path, after in afters if after is None], expected)
        except ConflictError as error:
            raise EditConflict(str(error)) from error
        except InputError as error:
            raise EditError(str(error)) from error

    def _read_any(self, path: Path) -> bytes | None:
        return self.read(path) if os.path.lexists(path) else None


def _digest(content: bytes | None) -> bytes | None:
    return None if content is None else sha256(content).digest()


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
