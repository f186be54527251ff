"""Turns folders into what was saved in them, save after save: the home of watchfiles."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from threading import Event

TICK = 1.0
"""Seconds after which the folders are looked through even if nothing was heard of them."""
QUIET, PATIENCE = 30, 400
"""Milliseconds without a change that end a burst of them; the most that a burst is waited for."""

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

    What the system says of changes only wakes us; the files themselves tell what has changed. So bursts, renamed
    files, folders that were moved away and disks that say nothing all come to the same.
    """
    seen = _files(folders, leave_out)
    yield Saved()
    while not stop.is_set():
        places = _places(folders)
        for _ in chain((None,), _stirs(folders, stop)):
            now = _files(folders, leave_out)
            if now != seen:
                saved = Saved(files=tuple(Path(path) for path in now if now[path] != seen.get(path)),
                              gone=tuple(Path(path) for path in seen if path not in now))
                seen = now
                yield saved
            if _places(folders) != places:
                break  # another folder in its place: what listens to the old one hears nothing of it


def _stirs(folders: Sequence[Path], stop: Event) -> Iterator[object]:
    """Wakes when something may have changed, and from time to time."""
    import watchfiles

    there = [folder for folder in folders if folder.is_dir()]
    with suppress(OSError):  # gone in between, or more folders than the system lets us listen to
        if there:
            yield from watchfiles.watch(*there, watch_filter=None, step=QUIET, debounce=PATIENCE, stop_event=stop,
                                        rust_timeout=round(TICK * 1000), yield_on_timeout=True)
    stop.wait(TICK / 2)
    yield None


def _places(folders: Sequence[Path]) -> tuple[object, ...]:
    """Which folders on the disk these are."""
    places: list[object] = []
    for folder in folders:
        try:
            found = folder.stat()
            places.append((found.st_dev, found.st_ino))
        except OSError:
            places.append(None)
    return tuple(places)


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
