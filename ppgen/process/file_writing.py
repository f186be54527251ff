"""Writing of files: all of them, complete, or none.

Files are written to hidden files beside their targets, and then renamed: in the same folder, as Landlock refuses other
moves before Linux 5.19. In each folder a run has a mark, an empty file with whose name those of its hidden files begin,
and locks it. The system releases the lock with the process, however that ends: a later run removes what it can lock.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

from ppgen.errors import InputError, Phrase, Problem, display_path
from ppgen.process.system import hold_signals
from ppgen.records import dataclass

MARK, TOKEN_BYTES = ".ppgen-", 4  # start of a mark's name, and length of the random number behind it
DAY_S = 86_400  # age in seconds of marks that need not be locked: some network drives have no locks
_HIDDEN_NAME = re.compile(rf"({re.escape(MARK)}[0-9a-f]{{{2 * TOKEN_BYTES}}})-\d+")  # of a hidden file, after its mark


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltFile:
    """A finished file; ``path`` is relative to the output folder, with forward slashes."""

    path: str
    content: bytes


class ConflictError(Exception):
    """Another program has changed a file meanwhile; all files are as they were, but for its change."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path.name} has been changed meanwhile; nothing was written.")


def write_files(folder: Path, files: Iterable[BuiltFile], superseded: Collection[Path] = (),
                expected: Mapping[Path, bytes | None] | None = None) -> None:
    """Write the files, and remove ``superseded`` ones with the subfolders of ``folder`` that this empties.

    Raises InputError if the folder can't be written, ConflictError if an earlier file is not the ``expected`` one, of
    which None means no file. After any failure, also a request to stop, the earlier files are as they were. Such
    requests interrupt only the writing, neither the renaming nor the cleanup; ``files`` are taken one by one while
    they are written, the last one before anything is renamed.
    """
    expected = expected or {}
    try:
        with hold_signals() as release, ExitStack() as cleanup:
            parents = {parent for path in superseded for parent in path.parents}
            for parent in sorted(parent for parent in parents if folder in parent.parents):
                cleanup.callback(_remove_empty, parent)
            stages = _Stages(cleanup)
            with release():
                ready = [_write(file.content, folder / file.path, stages) for file in files]
            for path in (*(target for _, target in ready), *superseded):
                _check_replaceable(path)
            with ExitStack() as undo:
                for temporary, target in ready:
                    backup = _move_into_place(temporary, target, stages, undo)
                    _check_replaced(target, backup, expected)
                for path in superseded:
                    with _name_in_errors(path):
                        backup = stages.new_path(path)
                        path.replace(backup)
                    undo.callback(backup.replace, path)
                    _check_replaced(path, backup, expected)
                undo.pop_all()
    except OSError as error:
        raise InputError([_writing_problem(error, folder)]) from error


def write_file(path: Path, content: bytes) -> None:
    """Write a file that the user named, as :func:`write_files` does; of a link, the file that it leads to."""
    target = path.resolve() if path.is_symlink() else path
    write_files(target.parent, [BuiltFile(path=target.name, content=content)])


class _Stages:
    """Hidden paths beside files until the cleanup, whose steps are registered before what they undo."""

    def __init__(self, cleanup: ExitStack) -> None:
        self._cleanup = cleanup
        self._marks: dict[Path, Path] = {}
        self._numbers = count()

    def new_path(self, target: Path) -> Path:
        """Return a new path in the folder of the target, which is made."""
        if target.parent not in self._marks:
            self._marks[target.parent] = self._open(target.parent)
        path = Path(f"{self._marks[target.parent]}-{next(self._numbers)}")
        self._cleanup.callback(_remove, path)
        return path

    def _open(self, parent: Path) -> Path:
        for folder in reversed([folder for folder in (parent, *parent.parents) if not folder.exists()]):
            self._cleanup.callback(_remove_empty, folder)
            folder.mkdir(exist_ok=True)  # another run may create it, too
        clear_stages(parent)
        while True:
            mark = parent / f"{MARK}{os.urandom(TOKEN_BYTES).hex()}"
            self._cleanup.callback(_remove_mark, mark)
            mark.touch()
            self._cleanup.enter_context(lock_file(mark))
            if mark.exists():  # no other run has removed it before it was locked
                return mark


def clear_stages(folder: Path) -> int:
    """Remove the hidden files of ended runs from a folder; return the number of runs. Links are left alone."""
    ended = 0
    for mark in folder.glob(MARK + "[0-9a-f]" * 2 * TOKEN_BYTES):
        with suppress(OSError):
            if mark.is_symlink() or not mark.is_file():
                continue
            with lock_file(mark, wait=False) as is_alone:
                is_ended = is_alone or time.time() - mark.stat().st_mtime > DAY_S
                for path in list(folder.glob(f"{mark.name}-*")) if is_ended else ():
                    _remove(path)
            if is_ended:  # Windows removes no file that is open
                _remove_mark(mark)
                ended += 1
    for path in folder.glob(f"{MARK}*-*"):  # whose mark is lost
        with suppress(OSError):
            if (name := _HIDDEN_NAME.fullmatch(path.name)) and not os.path.lexists(folder / name[1]) and (
                    time.time() - path.lstat().st_mtime > DAY_S):
                _remove(path)
    return ended


@contextmanager
def lock_file(path: Path, wait: bool = True) -> Iterator[bool]:
    """Lock a file; False if another process has locked it, or it can't be locked, as on some network drives."""
    is_locked = False
    with ExitStack() as stack:
        with suppress(OSError):
            file = stack.enter_context(path.open("r+b"))
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        yield is_locked  # closing the file releases the lock


def _write(content: bytes, target: Path, stages: _Stages) -> tuple[Path, Path]:
    """Write a hidden file, through to the disk, with the permissions of an earlier one; return its path and target."""
    with _name_in_errors(target):
        temporary = stages.new_path(target)
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        if target.is_file():
            shutil.copymode(target, temporary)
    return temporary, target


def _check_replaceable(target: Path) -> None:
    """Raise OSError for what can't be replaced: a device or pipe, on Windows also a file that a program shows.

    A backup of such a file, a hard link, could not be removed either.
    """
    with _name_in_errors(target):
        if target.is_file() and not target.is_symlink():
            target.replace(target)
        elif target.exists() and not target.is_file() and not target.is_dir():
            raise OSError(errno.EINVAL, Phrase("device_there"), str(target))


def _check_replaced(target: Path, backup: Path | None, expected: Mapping[Path, bytes | None]) -> None:
    if target in expected:
        replaced = None if backup is None else backup.read_bytes() if stat.S_ISREG(backup.lstat().st_mode) else b""
        if replaced != expected[target]:
            raise ConflictError(target)


def _move_into_place(temporary: Path, target: Path, stages: _Stages, undo: ExitStack) -> Path | None:
    """Move a file to its target; return the backup of an earlier one, if any."""
    with _name_in_errors(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, Phrase("folder_there"), str(target))
        if not os.path.lexists(target):
            temporary.replace(target)
            undo.callback(target.unlink)
            return None
        if _swap(temporary, target):
            undo.callback(temporary.replace, target)
            return temporary
        backup = stages.new_path(target)
        try:
            os.link(target, backup, follow_symlinks=False)
        except (OSError, NotImplementedError):  # a file system without hard links, such as a memory stick's
            shutil.copy2(target, backup, follow_symlinks=False)
        temporary.replace(target)
        undo.callback(backup.replace, target)
        return backup


def _swap(temporary: Path, target: Path) -> bool:
    """Exchange two files in one step, where Linux and the file system can: no save of another program falls between."""
    if sys.platform != "linux":
        return False
    import ctypes

    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    rename = getattr(ctypes.CDLL(None), "renameat2", None)  # the C library has it since glibc 2.28, musl 1.2.6
    return bool(rename and rename(here, os.fsencode(temporary), here, os.fsencode(target), exchange) == 0)


def _remove(path: Path) -> None:
    with suppress(OSError):  # as a rule it has been renamed
        if sys.platform == "win32" and path.stat().st_nlink == 1:
            path.chmod(stat.S_IWRITE)  # Windows removes no file that is read-only, as its target was
        path.unlink()


def _remove_mark(mark: Path) -> None:
    """Remove a mark, unless a hidden file is left that is still open: without it no later run would find that."""
    if not any(mark.parent.glob(f"{mark.name}-*")):
        _remove(mark)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # it has files
        folder.rmdir()


@contextmanager
def _name_in_errors(target: Path) -> Iterator[None]:
    """Name the target instead of a hidden file in errors of the system."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from error


def _writing_problem(error: OSError, folder: Path) -> Problem:
    remedy = Phrase("permissions")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = Phrase("make_room")
    elif error.errno == errno.EACCES and sys.platform == "win32" and os.access(error.filename or folder, os.W_OK):
        remedy = Phrase("in_use")  # mostly a PDF that a viewer shows
    return Problem(display_path(Path(error.filename) if error.filename else folder),
                   Phrase("unwritable", message=error.strerror), remedy)
