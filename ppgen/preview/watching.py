"""Turns folders into what was saved in them, save after save."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

TICK, SHARE = 0.2, 20
"""Seconds between two looks through the folders; after one that takes long, so many times longer than it."""
QUIET, PATIENCE = 0.04, 0.4
"""Seconds without a change that end a burst of them; the most that a burst is waited for."""

_ASIDE = frozenset((".swp", ".swo", ".swx", ".tmp", ".temp", ".part", ".bak"))

Print = tuple[int, int, int]
"""What tells a saved file from what it was: time, length, and number on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Files that are new or changed, and files that are gone."""

    files: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()

    @property
    def is_start(self) -> bool:
        """Whether nothing was saved yet."""
        return not self.files and not self.gone


def saves(folders: Sequence[Path], leave_out: Path, stop: Event) -> Iterator[Saved]:
    """Everything that is saved in the folders until ``stop`` is set; nothing in ``leave_out``, where pictures go.

    The first is empty: from then on nothing is missed. A save that comes while the caller works is found as soon
    as it asks for the next. Folders may go and come back.

    The files themselves tell what has changed, whatever the system says of them. So bursts, renamed files, folders
    that were moved away and disks that say nothing all come to the same.
    """
    seen, took = _looked(folders, leave_out)
    yield Saved()
    while not stop.wait(TICK + SHARE * took):
        now, took = _looked(folders, leave_out)
        if now == seen:
            continue
        before, end = seen, time.monotonic() + PATIENCE
        while now != before and time.monotonic() < end and not stop.wait(QUIET):
            before, (now, took) = now, _looked(folders, leave_out)
        if now != seen:
            yield Saved(files=tuple(Path(path) for path in now if now[path] != seen.get(path)),
                        gone=tuple(Path(path) for path in seen if path not in now))
            seen = now


def _looked(folders: Sequence[Path], leave_out: Path) -> tuple[Mapping[str, Print], float]:
    """The files, and how many seconds it took to look through them."""
    start = time.monotonic()
    return _files(folders, leave_out), time.monotonic() - start


def _files(folders: Sequence[Path], leave_out: Path) -> Mapping[str, Print]:
    """Every file in the folders but hidden ones and those that editors put aside."""
    found: dict[str, Print] = {}
    open_ = [str(folder) for folder in folders]
    while open_:
        with suppress(OSError), os.scandir(open_.pop()) as entries:
            for entry in entries:
                if _is_aside(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if entry.path != str(leave_out):
                        open_.append(entry.path)
                else:
                    with suppress(OSError):
                        now = entry.stat()
                        found[entry.path] = now.st_mtime_ns, now.st_size, now.st_ino
    return found


def _is_aside(name: str) -> bool:
    return (name.startswith((".", "~", "#")) or name.endswith(("~", "#")) or Path(name).suffix.lower() in _ASIDE
            or "___jb_" in name)
