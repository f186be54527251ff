"""Cache of results between runs: cache keys, folder digests and the store on disk.

The store is a folder of the user's own. Each file is named by the digest of everything that goes into its content, so
an entry that a stranger's deck put there is only found by the same deck. A file begins with the digest of its name and
content: a torn, damaged or renamed one counts as missing. The folder is not used if other users can write in it. No
file is visible before it is complete. Many small entries of one kind, such as the faces of a deck, share 16 files, a
shelf, which are written anew with each change: a file for each entry took a tenth of a run with many cards.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path, PurePath
from threading import Lock
from types import SimpleNamespace
from typing import Any, NamedTuple

from ppgen import __version__
from ppgen.records import fields, is_dataclass, values_getter
from ppgen.shipped import INSTALLED

MAX_DEPTH = 50  # nesting of the values in a cache key
MAX_FOLDER_FILES = 2000  # files of a folder that has a digest
MAX_FOLDER_BYTES = 60_000_000  # total size of these files
MAX_STORE_BYTES = 1_000_000_000  # twice a site in six languages; beyond it, the least recently used entries go, to 3/4
BLOCK_BYTES = 4096  # an entry takes whole blocks of the disk
MAX_ENTRY_BYTES = 20_000_000  # size of an entry; larger results are not stored
MAX_BUFFERED_BYTES = 32_000_000  # bytes that wait in memory to be written
TOUCH_INTERVAL_S, STALE_TEMPORARY_S = 3600.0, 3600.0  # until a use is recorded again; until leftovers are deleted
SETTLE_TIME_S = 3.0  # age from which a file's times reveal each change: file systems record them no finer than that
_HEAD, _DIGEST = b"ppgen kept 1\n", 20


# --- Cache keys ---

class _UncacheableValue(TypeError):
    """A value of a type that can't be told from its like."""


def cache_key(kind: str, *values: object) -> str | None:
    """Return the key of the result of these values and of the program; None for an unsupported type."""
    try:
        whole = blake2b(_program_digest(), digest_size=24)
        whole.update(marshal.dumps(_plain((kind, *values), 0), 0))  # 0: equal for equal values, also interned ones
        return whole.hexdigest()
    except _UncacheableValue:
        return None


@cache
def _program_digest() -> bytes:
    """The digest of everything in the program that may change a result: its files, Python, the installed packages."""
    whole = blake2b(f"{__version__} {sys.version} {sys.platform}".encode(), digest_size=24)
    todo, own = [str(Path(__file__).parent)], []
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".typ", ".js")):
                    about = entry.stat()
                    own.append(f"{entry.path} {about.st_size} {about.st_mtime_ns}")
                elif entry.is_dir(follow_symlinks=False) and entry.name not in ("__pycache__", INSTALLED):
                    todo.append(entry.path)
    whole.update("\n".join(sorted(own)).encode(errors="surrogateescape"))
    for place in filter(os.path.isdir, sys.path):
        with os.scandir(place) as entries:
            packages = sorted(entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info")))
        whole.update("\n".join(packages).encode(errors="surrogateescape"))
    return whole.digest()


_PLAIN_TYPES = frozenset((str, int, float, bool, type(None)))


def _plain(value: object, depth: int) -> Any:
    """Return the value in plain types, so that it is written as no other value is."""
    kind: Any = type(value)
    if kind in _PLAIN_TYPES:
        return value
    if depth > MAX_DEPTH:
        raise _UncacheableValue
    return _flattener(kind)(value, depth)


def _plain_all(values: Iterable[object], depth: int) -> list[object]:
    return [value if type(value) in _PLAIN_TYPES else _plain(value, depth + 1) for value in values]


@cache
def _flattener(kind: type[Any]) -> Callable[[Any, int], Any]:
    """Return the function that puts values of a type into plain ones, with the name of the type."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if is_dataclass(kind):
        get = values_getter(field.name for field in fields(kind) if field.compare)
        return lambda value, depth: (name, *_plain_all(get(value), depth))
    if issubclass(kind, Mapping):  # in its order, which a template can see
        return lambda value, depth: ("mapping", *zip(_plain_all(value, depth), _plain_all(value.values(), depth),
                                                     strict=True))
    if issubclass(kind, bytes):
        return lambda value, _: ("bytes", blake2b(value, digest_size=24).digest())
    if issubclass(kind, Enum):
        return lambda value, _: (name, value.name)
    if issubclass(kind, int | float):  # with a text of its own
        return lambda value, _: (name, repr(value), str(value))
    if issubclass(kind, str):
        return lambda value, _: (name, str.__str__(value))
    if issubclass(kind, PurePath):
        return lambda value, _: (name, str(value))
    if issubclass(kind, list | tuple):  # also a NamedTuple
        return lambda value, depth: (name, *_plain_all(value, depth))
    if issubclass(kind, set | frozenset):
        return lambda value, depth: ("set", *sorted(map(repr, _plain_all(value, depth))))
    if kind is SimpleNamespace:
        return lambda value, depth: (name, _plain(vars(value), depth + 1))
    raise _UncacheableValue


# --- Folder digests ---

class _FileState(NamedTuple):
    """A file as the file system describes it: its size in bytes, its inode, and its mtime and ctime in ns."""

    path: str
    size: int
    inode: int
    mtime: int
    ctime: int


_FolderState = tuple[_FileState, ...]


def _folder_state(folder: Path, suffixes: tuple[str, ...] = ()) -> _FolderState:
    """All files below a folder, or those with a suffix. Raises ValueError for links, and for too many."""
    todo, files = [str(folder)], []
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                elif suffixes and not entry.name.lower().endswith(suffixes):
                    continue
                elif not entry.is_file(follow_symlinks=False):
                    raise ValueError("no plain file")
                else:
                    about = entry.stat(follow_symlinks=False)
                    files.append(_FileState(entry.path, about.st_size, about.st_ino, about.st_mtime_ns,
                                            about.st_ctime_ns))
        if len(files) + len(todo) > MAX_FOLDER_FILES:
            raise ValueError("too many files")
    return tuple(sorted(files))


def _are_settled(files: _FolderState) -> bool:
    """True if these states stand for the contents: each later change will show in them.

    No program can set a ctime. But on Windows it is the time of creation, and file systems without it (FAT, squashfs,
    sftp) repeat the mtime, no finer than 10 ms.
    """
    latest = (time.time() - SETTLE_TIME_S) * 1e9
    return os.name != "nt" and all(each.ctime % 10_000_000 and max(each.mtime, each.ctime) < latest for each in files)


def file_state_key(kind: str, path: Path) -> str | None:
    """The cache key of a result of this file alone; None if it may change unnoticed. Raises OSError."""
    if not _open_stores:
        return None
    about = path.stat()
    state = _FileState(str(path), about.st_size, about.st_ino, about.st_mtime_ns, about.st_ctime_ns)
    return cache_key(kind, tuple(state)) if _are_settled((state,)) else None


# --- The store ---

_numbers = count()


class Store:
    """A cache folder. New entries wait in memory until :meth:`close`, or until they reach a size."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._waiting: dict[str, bytes | dict[str, bytes]] = {}
        self._shelves: dict[str, dict[str, bytes]] = {}
        self._waiting_bytes = 0
        self._states: dict[tuple[Path, tuple[str, ...]], _FolderState] = {}
        self._digests: dict[tuple[Path, tuple[str, ...]], tuple[_FolderState, str]] = {}
        self._usable: bool | None = None
        self._has_written = False

    def find(self, key: str, shelf: str = "") -> bytes | None:
        """Return the entry of the key, on a shelf or by itself; None if it is missing, damaged or another user's."""
        if shelf:
            return self._open_shelf(shelf, key)[1].get(key)
        if isinstance(waiting := self._waiting.get(key), bytes):
            return waiting
        if not self._is_usable():
            return None
        path = self._folder / key
        try:
            file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
                           | getattr(os, "O_BINARY", 0))
            with os.fdopen(file, "rb") as stream:
                about = os.fstat(file)
                if not stat.S_ISREG(about.st_mode) or not _is_ours(about) or about.st_size > MAX_ENTRY_BYTES + 1000:
                    return None
                whole = stream.read()
        except OSError:
            return None
        start = len(_HEAD) + _DIGEST
        content = whole[start:]
        if whole[:start] != _HEAD + _digest(key, content):
            return None  # it will be overwritten
        if time.time() - about.st_mtime > TOUCH_INTERVAL_S:
            with suppress(OSError):
                os.utime(path)
        return content

    def keep(self, key: str, content: bytes, shelf: str = "") -> None:
        """Store a result for later runs."""
        if len(content) > MAX_ENTRY_BYTES:
            return
        name, entries = self._open_shelf(shelf, key) if shelf else (key, {})
        with self._lock:  # booklets are typeset in a thread of their own
            entries[key] = content
            self._waiting[name] = entries if shelf else content
            self._waiting_bytes += len(content)
            full = self._waiting_bytes > MAX_BUFFERED_BYTES
        if full:
            self._write()

    def _open_shelf(self, shelf: str, key: str) -> tuple[str, dict[str, bytes]]:
        """Return the name and entries of that of 16 files of a shelf which holds the key."""
        name = f"{shelf}-{key[0]}"
        if (entries := self._shelves.get(name)) is None:
            entries = self._shelves.setdefault(name, _unpack(self.find(name) or b""))
        return name, entries

    def folder_digest(self, folder: Path, suffixes: tuple[str, ...] = ()) -> str | None:
        """Return the digest of all files in a folder and its subfolders, or of those with one of the suffixes; None if
        they are too large or unreadable.

        If the folder changes during this run, the results made in the meantime are not stored.
        """
        try:
            place, files = (folder, suffixes), _folder_state(folder, suffixes)
            with self._lock:
                if self._states.setdefault(place, files) != files:
                    self._waiting, self._shelves, self._waiting_bytes = {}, {}, 0
                    self._states[place] = files
            if sum(each.size for each in files) > MAX_FOLDER_BYTES:
                return None
            known = self._digests.get(place)
            if not known or known[0] != files:
                known = self._digests[place] = files, self._digest_of_state(folder, files)
            return known[1]
        except (OSError, ValueError):
            return None

    def _digest_of_state(self, folder: Path, files: _FolderState) -> str:
        """The digest of the files; they are not read if an earlier run read them in the same state."""
        key = cache_key("digest", str(folder), *map(tuple, files)) if _are_settled(files) else None
        if key and folder.is_relative_to(Path(__file__).parent):
            return key  # installed with the program, which is identified by the states of its files as well
        if key and (known := self.find(key)):
            return known.decode()
        whole = blake2b(digest_size=20)
        for file in files:
            content = Path(file.path).read_bytes()
            whole.update(f"{os.path.relpath(file.path, folder)}\0{len(content)}\0".encode(errors="surrogateescape"))
            whole.update(content)
        if key:
            self.keep(key, whole.hexdigest().encode())
        return whole.hexdigest()

    def close(self) -> None:
        """Write the waiting entries, and enforce the quota."""
        self._write()
        if self._has_written:
            with suppress(OSError):
                self._enforce_quota()

    def _write(self) -> None:
        with self._lock:
            waiting, self._waiting, self._shelves, self._waiting_bytes = self._waiting, {}, {}, 0
        with suppress(OSError, ValueError):
            unchanged = waiting and all(_folder_state(*place) == files for place, files in [*self._states.items()])
            if unchanged and self._is_usable(make=True):
                for name, content in waiting.items():
                    if not isinstance(content, bytes):  # with what other runs have put on the shelf since
                        content = _pack({**_unpack(self.find(name) or b""), **content})
                    self._write_entry(self._folder / name, content)
                self._has_written = True

    def _write_entry(self, path: Path, content: bytes) -> None:
        temporary = path.with_name(f".{os.getpid()}-{next(_numbers)}-{time.time_ns()}")
        try:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(_HEAD + _digest(path.name, content) + content)
            temporary.replace(path)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise

    def _is_usable(self, make: bool = False) -> bool:
        """True if the folder exists and no other user can write in it; with ``make``, create it first."""
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

    def _enforce_quota(self) -> None:
        used = []
        with os.scandir(self._folder) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                if entry.name.startswith(".") and time.time() - about.st_mtime > STALE_TEMPORARY_S:
                    Path(entry.path).unlink()
                else:
                    used.append((about.st_mtime, -(-about.st_size // BLOCK_BYTES) * BLOCK_BYTES, entry.path))
        size = sum(size for _, size, _ in used)
        if size <= MAX_STORE_BYTES:
            return
        for _, length, path in sorted(used):
            if size <= MAX_STORE_BYTES * 3 // 4:
                break
            with suppress(OSError):  # another run removed it
                Path(path).unlink()
            size -= length


def _pack(entries: Mapping[str, bytes]) -> bytes:
    """Join the entries of a shelf, of too many the latest."""
    size, packed = 0, list[bytes]()
    for key, content in [*entries.items()][::-1]:
        entry = b"%b %d\n%b" % (key.encode(), len(content), content)
        size += len(entry)
        if size > MAX_ENTRY_BYTES:
            break
        packed.append(entry)
    return b"".join(packed[::-1])


def _unpack(packed: bytes) -> dict[str, bytes]:
    entries, end = dict[str, bytes](), 0
    while end < len(packed):
        start = packed.index(b"\n", end) + 1
        key, size = packed[end:start].split()
        end = start + int(size)
        entries[key.decode()] = packed[start:end]
    return entries


def _digest(key: str, content: bytes) -> bytes:
    return blake2b(f"{key} ".encode() + content, digest_size=_DIGEST).digest()


def _is_ours(about: os.stat_result) -> bool:
    """True if a file or folder belongs to this user and is writable by no other; always true on Windows."""
    return not hasattr(os, "geteuid") or (about.st_uid == os.geteuid() and not about.st_mode & 0o022)


# --- Use of the store ---

_open_stores: list[Store] = []


@contextmanager
def open_cache(folder: Path | None) -> Iterator[None]:
    """Cache the results that are made in this context in the folder; None turns the cache off."""
    if folder is None:
        yield
        return
    _open_stores.append(Store(folder))
    try:
        yield
    finally:
        _open_stores.pop().close()


def current_store() -> Store | None:
    """The open store, if any."""
    return _open_stores[-1] if _open_stores else None


def folder_digest(folder: Path, suffixes: tuple[str, ...] = ()) -> str | None:
    """:meth:`Store.folder_digest` of the open store; None if none is open."""
    return store.folder_digest(folder, suffixes) if (store := current_store()) else None


def cached_by(kind: str, *values: object, make: Callable[[], bytes]) -> bytes:
    """:func:`cached` by the cache key of the values, which is computed only if a store is open."""
    return cached(cache_key(kind, *values), make) if current_store() else make()


def cached(key: str | None, make: Callable[[], bytes]) -> bytes:
    """Return the stored result of an earlier run, or make and store it; without a key, only make it."""
    store = current_store()
    if store is None or key is None:
        return make()
    if (content := store.find(key)) is None:
        content = make()
        store.keep(key, content)
    return content
