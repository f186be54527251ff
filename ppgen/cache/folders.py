"""Turns a folder into its files as the file system tells of them, and these into the digest of what is in them."""

from __future__ import annotations

import os
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

MOST_FILES = 2000


class File(NamedTuple):
    """A file: its bytes, its number in the file system, and when it was written and anything of it changed, in ns."""

    path: str
    size: int
    number: int
    written: int
    changed: int


Files = tuple[File, ...]


def files_in(folder: Path) -> Files:
    """All files in a folder, and in those in it. Raises ValueError for links, and too many."""
    todo, found = [str(folder)], []
    while todo:
        with os.scandir(todo.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                elif not entry.is_file(follow_symlinks=False):
                    raise ValueError("no plain file")
                else:
                    about = entry.stat(follow_symlinks=False)
                    found.append(File(entry.path, about.st_size, about.st_ino, about.st_mtime_ns, about.st_ctime_ns))
        if len(found) + len(todo) > MOST_FILES:
            raise ValueError("too many files")
    return tuple(sorted(found))


def digest_of_files(folder: Path, files: Files) -> str:
    """The digest of all their content, and of how they are called in the folder. Raises OSError."""
    whole = blake2b(digest_size=20)
    for file in files:
        content = Path(file.path).read_bytes()
        whole.update(f"{os.path.relpath(file.path, folder)}\0{len(content)}\0".encode(errors="surrogateescape"))
        whole.update(content)
    return whole.hexdigest()
