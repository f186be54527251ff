"""Turns folders into names in them for files that are not finished, and clears away what killed runs left under such.

A name says which machine and which process it is of: what a process left that lives no more is of no use to anybody.
"""

from __future__ import annotations

import os
import platform
import re
import stat
import time
import zlib
from contextlib import suppress
from functools import cache
from itertools import count, islice
from pathlib import Path

MOST = 20_000
"""Entries of a folder that are looked at."""
DAY = 86_400
"""Seconds after which a name says nothing any more: no run takes so long, numbers of processes are given again."""

_NAME = re.compile(r"\.ppgen-([0-9a-f]{8})-([0-9]{1,9})-[0-9]+")
_numbers = count()
_journal: list[int] = []


def unfinished(folder: Path) -> Path:
    """A hidden name in the folder, for this process alone."""
    path = folder / f".ppgen-{_machine()}-{os.getpid()}-{next(_numbers)}"
    note(path)
    return path


def clear(folder: Path) -> int:
    """Remove unfinished files of processes that live no more from a folder, not from those below; how many.

    Links are neither followed nor removed. What can't be removed stays.
    """
    removed = 0
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in list(islice(entries, MOST)):
            with suppress(OSError):
                if _is_dead(entry.name, entry.stat(follow_symlinks=False)):
                    Path(entry.path).unlink()
                    removed += 1
    return removed


def note(path: Path) -> None:
    """Tell whoever watches this process of a file or folder before it makes it."""
    for journal in _journal:
        with suppress(OSError):
            os.write(journal, os.fsencode(path.absolute()) + b"\0")


def note_in(journal: int) -> None:
    """Have what this process makes noted in a pipe, for the one that waits for its end."""
    _journal.append(journal)


def remove_noted(journal: bytes) -> None:
    """Remove what a process had noted and, as it crashed, neither finished nor undid."""
    for name in reversed(journal.split(b"\0")[:-1]):
        path = Path(os.fsdecode(name))
        with suppress(OSError):
            if _NAME.fullmatch(path.name):
                path.unlink()
            else:
                path.rmdir()  # which it made; if it is not empty it stays


def _is_dead(name: str, status: os.stat_result) -> bool:
    """Whether it is an unfinished file whose process is gone: it had our number before us, or was long ago."""
    if not (match := _NAME.fullmatch(name)) or not stat.S_ISREG(status.st_mode):
        return False
    machine, process = match[1], int(match[2])
    here = machine == _machine()
    return time.time() - status.st_mtime > DAY or (here and (process == os.getpid() or not _lives(process)))


def _lives(process: int) -> bool:
    if os.name == "nt":  # there os.kill would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


@cache
def _machine() -> str:
    """Where the numbers of processes count: the same on one machine, another in each container."""
    realm = ""
    with suppress(OSError):
        realm = str(Path("/proc/self/ns/pid").readlink())
    return f"{zlib.crc32(f'{platform.node()} {realm}'.encode()):08x}"
