"""Turns built files into files on disk: all of them, whole, or none."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack, suppress
from pathlib import Path

from ppgen.errors import InputError, Problem, shown_path
from ppgen.production.built import BuiltFile


def write_files(folder: Path, files: Iterable[BuiltFile], superseded: Iterable[Path] = ()) -> None:
    """Write every file beside its target, then rename them all, and remove those that are ``superseded``.

    Raises InputError if the folder can't be written. Whatever goes wrong, also an interruption, the
    earlier files are then as they were.
    """
    undo = ExitStack()
    try:
        with undo:
            ready = [(_written_beside(folder / file.path, file.content, undo), folder / file.path) for file in files]
            for temporary, target in ready:
                _put_in_place(temporary, target, undo)
            aside = [_put_aside(path, undo) for path in superseded]
            undo.pop_all()
        for path in (*(_earlier(temporary) for temporary, _ in ready), *aside):
            path.unlink(missing_ok=True)
    except OSError as error:
        place = Path(error.filename) if error.filename else folder
        raise InputError([Problem(place=shown_path(place), what=f"can't be written: {error.strerror}",
                                  remedy="choose another folder with --output, or correct its permissions")]) from error


def _written_beside(target: Path, content: bytes, undo: ExitStack) -> Path:
    """A temporary file beside the target that holds the content."""
    for folder in reversed([folder for folder in (target.parent, *target.parent.parents) if not folder.exists()]):
        folder.mkdir(exist_ok=True)  # another run may want it, too
        undo.callback(_remove_folder, folder)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    undo.callback(Path(name).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
    Path(name).chmod(0o666 & ~_umask())
    return Path(name)


def _put_in_place(temporary: Path, target: Path, undo: ExitStack) -> None:
    """Rename onto the target; what was there is kept until all is well."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "a folder is in its place", str(target))
    if target.exists():
        earlier = _earlier(temporary)
        try:
            os.link(target, earlier)
        except OSError:  # a file system without hard links, such as a memory stick's
            shutil.copy2(target, earlier)
        undo.callback(_put_back, earlier, target)
    else:
        undo.callback(target.unlink, missing_ok=True)
    temporary.replace(target)


def _put_aside(path: Path, undo: ExitStack) -> Path:
    """Another name for a file that is to go; it gets its own back if something goes wrong."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    undo.callback(Path(name).unlink, missing_ok=True)
    undo.callback(path.replace(name).replace, path)
    return Path(name)


def _put_back(earlier: Path, target: Path) -> None:
    earlier.replace(target)
    earlier.unlink(missing_ok=True)  # renaming one link of a file onto another leaves both (POSIX, rename)


def _earlier(temporary: Path) -> Path:
    return temporary.with_name(temporary.name + ".earlier")


def _remove_folder(folder: Path) -> None:
    with suppress(OSError):  # somebody else put something there meanwhile
        folder.rmdir()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
