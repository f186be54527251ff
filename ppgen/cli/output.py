"""Turns built files into files on disk: all of them, whole, or none."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

from ppgen.cli.leftovers import clear, note, unfinished
from ppgen.cli.signals import held
from ppgen.errors import InputError, Problem, shown_path
from ppgen.production.built import BuiltFile


def write_files(folder: Path, files: Iterable[BuiltFile], superseded: Iterable[Path] = ()) -> None:
    """Write every file beside its target, then rename them all, and remove those that are ``superseded``.

    Raises InputError if the folder can't be written. Whatever goes wrong, also a request to stop, the earlier files are
    then as they were. Only the making of the files hears such requests; undoing, and the renaming, does not. What runs
    that were killed left in the folders is cleared away.
    """
    try:
        with held() as heard, ExitStack() as undo:
            with heard():
                ready = list(_written_beside(folder, files, undo))
            earlier = [kept for temporary, target in ready if (kept := _put_in_place(temporary, target, undo))]
            earlier += [_put_aside(path, undo) for path in superseded]
            undo.pop_all()
            for path in earlier:
                with suppress(OSError):
                    path.unlink()
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        raise InputError([Problem(
            place=shown_path(Path(error.filename) if error.filename else folder),
            what=f"can't be written: {error.strerror}",
            remedy=f"{'make room' if full else 'correct its permissions'}, or choose another place")]) from error


def _written_beside(folder: Path, files: Iterable[BuiltFile], undo: ExitStack) -> Iterator[tuple[Path, Path]]:
    """Each file under a name of no account beside its target; both. To be undone is noted before it is done."""
    cleared: set[Path] = set()
    for file in files:
        target = folder / file.path
        if target.parent not in cleared:
            _make_folders(target.parent, undo)
            clear(target.parent)
            cleared.add(target.parent)
        temporary = unfinished(target.parent)
        undo.callback(temporary.unlink, missing_ok=True)
        try:
            with temporary.open("xb") as stream:
                stream.write(file.content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(target)) from error
        yield temporary, target


def _make_folders(wanted: Path, undo: ExitStack) -> None:
    for folder in reversed([folder for folder in (wanted, *wanted.parents) if not folder.exists()]):
        note(folder)
        undo.callback(_remove_folder, folder)
        folder.mkdir(exist_ok=True)  # another run may want it, too


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):  # somebody else put something there meanwhile
        folder.rmdir()


def _put_in_place(temporary: Path, target: Path, undo: ExitStack) -> Path | None:
    """Rename onto the target; where what was there is kept until all is well."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is in its place", str(target))
    if not os.path.lexists(target):
        undo.callback(target.unlink, missing_ok=True)
        temporary.replace(target)
        return None
    earlier = unfinished(target.parent)
    undo.callback(earlier.unlink, missing_ok=True)
    try:
        os.link(target, earlier, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without hard links, such as a memory stick's
        shutil.copy2(target, earlier, follow_symlinks=False)
    undo.callback(earlier.replace, target)
    temporary.replace(target)
    return earlier


def _put_aside(path: Path, undo: ExitStack) -> Path:
    """Another name for a file that is to go; it gets its own back if something goes wrong."""
    aside = unfinished(path.parent)
    path.replace(aside)
    undo.callback(aside.replace, path)
    return aside
