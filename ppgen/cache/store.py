"""Turns what went into a thing into the thing, if an earlier run made it: files in a folder of the user's own.

Each file is named by the digest of all that went into it, so what a stranger's deck puts there, only the same deck
gets. It begins with the digest of its content: one that is torn or damaged is as good as none. Other users can't write
in the folder, or it is not used. No file is ever changed, and none is seen before it is whole.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path
from threading import Lock

from ppgen.cache.folders import Files, digest_of_files, files_in
from ppgen.cache.marks import mark_of

MOST_BYTES, MOST_FILES = 200_000_000, 20_000
"""What the folder holds; beyond that goes what was not used for longest, down to three quarters of it."""
MOST_OF_ONE = 20_000_000
"""Bytes of a file; what is larger is made anew."""
WAITING = 32_000_000
"""So many bytes wait in memory until they are written."""
FRESH, ABANDONED = 3600.0, 3600.0
"""Seconds: a use is noted if the last one is longer ago; a file is half written for good if it is older."""
SETTLED = 3.0
"""Seconds after which each change of a file shows in its times: file systems note them no finer than that."""
_HEAD, _DIGEST = b"ppgen kept 1\n", 20
_numbers = count()


class Store:
    """The folder. What is kept waits until :meth:`close`, or until there is much of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._waiting: dict[str, bytes] = {}
        self._length = 0
        self._seen: dict[Path, Files] = {}
        self._digests: dict[Path, tuple[Files, str]] = {}
        self._usable: bool | None = None
        self._wrote = False

    def find(self, mark: str) -> bytes | None:
        """What was kept under the mark; None if nothing was, or it is damaged, or somebody else's."""
        if (waiting := self._waiting.get(mark)) is not None:
            return waiting
        if not self._is_usable():
            return None
        path = self._folder / mark
        try:
            file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                           | getattr(os, "O_BINARY", 0))
            with os.fdopen(file, "rb") as opened:
                about = os.fstat(file)
                if not stat.S_ISREG(about.st_mode) or not _is_ours(about) or about.st_size > MOST_OF_ONE + 1000:
                    return None
                found = opened.read()
        except OSError:
            return None
        start = len(_HEAD) + _DIGEST
        content = found[start:]
        if found[:start] != _HEAD + _digest(content):
            return None  # it is written anew
        if time.time() - about.st_mtime > FRESH:
            with suppress(OSError):
                os.utime(path)
        return content

    def keep(self, mark: str, content: bytes) -> None:
        """Keep it for later runs."""
        if len(content) > MOST_OF_ONE:
            return
        with self._lock:  # booklets are set by a thread of their own
            self._waiting[mark] = content
            self._length += len(content)
            full = self._length > WAITING
        if full:
            self._write()

    def digest_of(self, folder: Path, most: int = 60_000_000) -> str | None:
        """The digest of all files in a folder, and in those in it; None if there is too much, or it can't be read.

        If it changes while this run lasts, nothing is kept of what was made meanwhile.
        """
        try:
            files = files_in(folder)
            with self._lock:
                if self._seen.setdefault(folder, files) != files:
                    self._waiting, self._length = {}, 0
                    self._seen[folder] = files
            if sum(each.size for each in files) > most:
                return None
            known = self._digests.get(folder)
            if not known or known[0] != files:
                known = self._digests[folder] = files, self._digest_of(folder, files)
            return known[1]
        except (OSError, ValueError):
            return None

    def _digest_of(self, folder: Path, files: Files) -> str:
        """The digest of the files' content; they are not read if an earlier run has read the very same."""
        settled = all(max(each.written, each.changed) < (time.time() - SETTLED) * 1e9 for each in files)
        mark = mark_of("digest", str(folder), *map(tuple, files)) if settled else None
        if mark and (known := self.find(mark)):
            return known.decode()
        digest = digest_of_files(folder, files)
        if mark:
            self.keep(mark, digest.encode())
        return digest

    def close(self) -> None:
        """Write what waits, and make room."""
        self._write()
        if self._wrote:
            with suppress(OSError):
                self._tidy()

    def _write(self) -> None:
        with self._lock:
            waiting, self._waiting, self._length = self._waiting, {}, 0
        with suppress(OSError, ValueError):
            unchanged = waiting and all(files_in(folder) == files for folder, files in [*self._seen.items()])
            if unchanged and self._is_usable(make=True):
                for mark, content in waiting.items():
                    self._write_one(self._folder / mark, content)
                self._wrote = True

    def _write_one(self, path: Path, content: bytes) -> None:
        beside = path.with_name(f".{os.getpid()}-{next(_numbers)}-{time.time_ns()}")
        try:
            new = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(new, "wb") as file:
                file.write(_HEAD + _digest(content) + content)
            beside.replace(path)
        except BaseException:
            with suppress(OSError):
                beside.unlink()
            raise

    def _is_usable(self, make: bool = False) -> bool:
        """Whether the folder is there and nobody else can write in it; with ``make`` it is made."""
        if self._usable is None or (make and not self._usable):
            try:
                if make:
                    self._folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    with suppress(FileExistsError):
                        self._folder.mkdir(mode=0o700)
                about = self._folder.lstat()
                self._usable = stat.S_ISDIR(about.st_mode) and _is_ours(about)
            except OSError:
                self._usable = False
        return self._usable

    def _tidy(self) -> None:
        found = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                if entry.name.startswith(".") and time.time() - about.st_mtime > ABANDONED:
                    Path(entry.path).unlink()
                else:
                    found.append((about.st_mtime, about.st_size, entry.path))
        size, number = sum(size for _, size, _ in found), len(found)
        if size <= MOST_BYTES and number <= MOST_FILES:
            return
        for _, length, path in sorted(found):
            if size <= MOST_BYTES * 3 // 4 and number <= MOST_FILES * 3 // 4:
                break
            with suppress(OSError):  # another run removed it
                Path(path).unlink()
            size, number = size - length, number - 1


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()


def _is_ours(about: os.stat_result) -> bool:
    """Whether a file or folder belongs to this user and nobody else may write to it. Windows has its own ways."""
    return not hasattr(os, "geteuid") or (about.st_uid == os.geteuid() and not about.st_mode & 0o022)


_opened: list[Store] = []


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """What is made in this context is looked for in the folder first, and kept there; nowhere if it is None."""
    if folder is None:
        yield
        return
    _opened.append(Store(folder))
    try:
        yield
    finally:
        _opened.pop().close()


def store() -> Store | None:
    """Where things are kept at the moment, if anywhere."""
    return _opened[-1] if _opened else None


def digest_of(folder: Path) -> str | None:
    """:meth:`Store.digest_of` of the store that is open; None if none is."""
    return opened.digest_of(folder) if (opened := store()) else None


def made_from(kind: str, *values: object, make: Callable[[], bytes]) -> bytes:
    """:func:`made`, under the mark of what it is made from; that is reckoned only if a store is open."""
    return made(mark_of(kind, *values), make) if store() else make()


def made(mark: str | None, make: Callable[[], bytes]) -> bytes:
    """What an earlier run made under the mark, or what is made now; without a mark nothing is kept."""
    opened = store()
    if opened is None or mark is None:
        return make()
    if (found := opened.find(mark)) is not None:
        return found
    content = make()
    opened.keep(mark, content)
    return content
