"""Writing of files: all of them, complete, or none."""

from __future__ import annotations

import errno
import os
import shutil
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
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise InputError([Problem(
            place=display_path(Path(error.filename) if error.filename else folder),
            what=f"can't be written: {error.strerror}",
            remedy="make room, or choose another place" if is_full else
            "correct its permissions, or choose another place")]) from error


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
