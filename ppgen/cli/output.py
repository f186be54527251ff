"""Turns built files into files on disk: all of them, whole, or none."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ppgen.errors import InputError, Problem, shown_path
from ppgen.production.build import BuiltFile


def write_files(folder: Path, files: Iterable[BuiltFile]) -> None:
    """Write every file beside its target, then rename them all.

    Raises InputError if the folder can't be written; the earlier files are then as they were.
    """
    written: list[tuple[Path, Path]] = []
    try:
        for file in files:
            target = folder / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
            written.append((Path(name), target))
            with os.fdopen(handle, "wb") as stream:
                stream.write(file.content)
            Path(name).chmod(0o666 & ~_umask())
        while written:
            temporary, target = written[0]
            temporary.replace(target)
            written.pop(0)
    except OSError as error:
        place = Path(error.filename) if error.filename else folder
        raise InputError([Problem(place=shown_path(place), what=f"can't be written: {error.strerror}",
                                  remedy="choose another folder with --output, or mend its rights")]) from error
    finally:
        for temporary, _ in written:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
