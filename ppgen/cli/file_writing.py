"""Writing of files: all of them, complete, or none; and exchange of whole folders."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from ppgen.cli.interruption import claim_folder, clear_temporary, hold_signals, note_temporary, temporary_path
from ppgen.errors import InputError, Problem, display_path
from ppgen.production.output_files import BuiltFile


def write_files(folder: Path, files: Iterable[BuiltFile], superseded: Collection[Path] = ()) -> None:
    """Write each file to a temporary file next to its target, then rename them all, and remove ``superseded`` files.

    Raises InputError if the folder can't be written. After any failure, also a request to stop, the earlier files are
    as they were. Such requests interrupt only the creation of the files, neither the renaming nor the cleanup. Also
    clears the temporary files of killed runs from the folders.
    """
    try:
        with hold_signals() as release, ExitStack() as claims, ExitStack() as undo:
            with release():
                ready = list(_write_temporary(folder, files, undo, claims))
                for path in {path.parent for path in superseded} - {target.parent for _, target in ready}:
                    claims.enter_context(claim_folder(path))
            backups = [backup for temporary, target in ready if (backup := _move_into_place(temporary, target, undo))]
            backups += [_move_aside(path, undo) for path in superseded]
            undo.pop_all()
            for path in backups:
                with suppress(OSError):
                    path.unlink()
    except OSError as error:
        raise InputError([_writing_problem(error, folder)]) from error


def _writing_problem(error: OSError, folder: Path) -> Problem:
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return Problem(place=display_path(Path(error.filename) if error.filename else folder),
                   what=f"can't be written: {error.strerror}",
                   remedy="make room, or choose another place" if is_full else
                   "correct its permissions, or choose another place")


def _write_temporary(folder: Path, files: Iterable[BuiltFile], undo: ExitStack,
                     claims: ExitStack) -> Iterator[tuple[Path, Path]]:
    """Write each file next to its target; yield both paths. Each undo step is registered before the step itself."""
    cleared: set[Path] = set()
    for file in files:
        target = folder / file.path
        if target.parent not in cleared:
            _make_folders(target.parent, undo)
            clear_temporary(target.parent)
            claims.enter_context(claim_folder(target.parent))
            cleared.add(target.parent)
        temporary = temporary_path(target.parent)
        undo.callback(temporary.unlink, missing_ok=True)
        try:
            with temporary.open("xb") as stream:
                stream.write(file.content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from error
        yield temporary, target


def _make_folders(path: Path, undo: ExitStack) -> None:
    for folder in reversed([folder for folder in (path, *path.parents) if not folder.exists()]):
        note_temporary(folder)
        undo.callback(_remove_folder, folder)
        folder.mkdir(exist_ok=True)  # another run may create it, too


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):  # it may contain files of another program by now
        folder.rmdir()


def _move_into_place(temporary: Path, target: Path, undo: ExitStack) -> Path | None:
    """Rename to the target; return the path of the backup of an earlier file, if any."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is in its place", str(target))
    if not os.path.lexists(target):
        undo.callback(target.unlink, missing_ok=True)
        temporary.replace(target)
        return None
    backup = temporary_path(target.parent)
    undo.callback(backup.unlink, missing_ok=True)
    try:
        os.link(target, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without hard links, such as a memory stick's
        shutil.copy2(target, backup, follow_symlinks=False)
    undo.callback(backup.replace, target)
    temporary.replace(target)
    return backup


def _move_aside(path: Path, undo: ExitStack) -> Path:
    """Rename a file that is to be removed; undone after a failure."""
    backup = temporary_path(path.parent)
    path.replace(backup)
    undo.callback(backup.replace, path)
    return backup


# Whole folders

def exchange_folder(folder: Path, files: Iterable[BuiltFile], kept: Iterable[Path]) -> None:
    """Write the files to a new folder beside ``folder``, with those that are ``kept`` of it, and exchange the two.

    Raises InputError if that fails. However the run ends, ``folder`` is either the old or the new one, as a whole.
    """
    try:
        with hold_signals() as release, ExitStack() as undo:
            with release():
                _make_folders(folder.parent, undo)
                clear_temporary(folder.parent)
                undo.enter_context(claim_folder(folder.parent))
                if os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()):
                    raise FileExistsError(errno.EEXIST, "it is not a folder", str(folder))
                new = temporary_path(folder.parent)
                undo.callback(shutil.rmtree, new, ignore_errors=True)  # after the exchange, it is the old one
                new.mkdir()
                for file in files:
                    (new / file.path).parent.mkdir(parents=True, exist_ok=True)
                    (new / file.path).write_bytes(file.content)
                for path in kept:
                    _carry_over(path, new / path.relative_to(folder))
            if folder.exists():
                shutil.copymode(folder, new)
                swap_folders(folder, new)
            else:
                new.replace(folder)
    except OSError as error:
        raise InputError([_writing_problem(error, folder)]) from error


def _carry_over(path: Path, target: Path) -> None:
    """Link a file, or copy it where that is impossible, unless there is another of its name."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise FileExistsError(errno.EEXIST, "its folder has the name of a new file", str(path)) from error
    if os.path.lexists(target):
        return
    try:
        os.link(path, target, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(path, target, follow_symlinks=False)


def swap_folders(one: Path, other: Path) -> None:
    """Exchange the names of two folders: on Linux in one step, elsewhere in three, undone after a failure."""
    if sys.platform == "linux":
        here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE of linux/fs.h
        with suppress(AttributeError):  # renameat2 came with glibc 2.28 and musl 1.2.5
            library = ctypes.CDLL(None, use_errno=True)
            if library.renameat2(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0:
                return
    spare = temporary_path(one.parent)
    one.replace(spare)
    try:
        other.replace(one)
    except BaseException:
        spare.replace(one)
        raise
    spare.replace(other)
