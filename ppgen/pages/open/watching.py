"""File watcher: saves in folders, and the line that reports each."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from ppgen.errors import display_path, format_count
from ppgen.pages.open.album import AlbumState

POLL_INTERVAL_S, POLL_FACTOR = 0.2, 20  # between two scans; and this multiple of the time of the last one
QUIET_TIME_S, MAX_BURST_S = 0.04, 0.4  # without a change, that end a burst; and most seconds to wait for that

_TEMPORARY_SUFFIXES = frozenset((".swp", ".swo", ".swx", ".tmp", ".temp", ".part", ".bak"))

FileStamp = tuple[int, int, int]  # modification time, size and inode of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Files that are new or changed, and removed files."""

    files: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()

    @property
    def is_start(self) -> bool:
        """True for the empty first report."""
        return not self.files and not self.gone


def watch_saves(folders: Sequence[Path], exclude: Path, stop: Event) -> Iterator[Saved]:
    """Yield each save in the folders until ``stop`` is set, except in ``exclude``, the output folder.

    The first report is empty: from then on no save is missed. A save while the caller works is reported when it asks
    for the next. Folders may vanish and come back.

    Polls the files instead of listening to system events: bursts, renamed files, moved folders and file systems without
    events are all handled the same way.
    """
    seen, duration = _scan(folders, exclude)
    yield Saved()
    while not stop.wait(POLL_INTERVAL_S + POLL_FACTOR * duration):
        now, duration = _scan(folders, exclude)
        if now == seen:
            continue
        before, deadline = seen, time.monotonic() + MAX_BURST_S
        while now != before and time.monotonic() < deadline and not stop.wait(QUIET_TIME_S):
            before, (now, duration) = now, _scan(folders, exclude)
        if now != seen:
            yield Saved(files=tuple(Path(path) for path in now if now[path] != seen.get(path)),
                        gone=tuple(Path(path) for path in seen if path not in now))
            seen = now


def _scan(folders: Sequence[Path], exclude: Path) -> tuple[Mapping[str, FileStamp], float]:
    start = time.monotonic()
    return _stamp_files(folders, exclude), time.monotonic() - start


def _stamp_files(folders: Sequence[Path], exclude: Path) -> Mapping[str, FileStamp]:
    """Stamp every file in the folders, except hidden ones and temporary files of editors."""
    stamps: dict[str, FileStamp] = {}
    todo = [str(folder) for folder in folders]
    while todo:
        with suppress(OSError), os.scandir(todo.pop()) as entries:
            for entry in entries:
                if _is_temporary(entry.name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    if entry.path != str(exclude):
                        todo.append(entry.path)
                else:
                    with suppress(OSError):
                        stat = entry.stat()
                        stamps[entry.path] = stat.st_mtime_ns, stat.st_size, stat.st_ino
    return stamps


def _is_temporary(name: str) -> bool:
    return (name.startswith((".", "~", "#")) or name.endswith(("~", "#")) or "___jb_" in name
            or Path(name).suffix.lower() in _TEMPORARY_SUFFIXES)


# --- Report of a save ---

MAX_LISTED_NAMES = 5  # names listed in a report; of the others only the number
_FONTS = frozenset((".ttf", ".otf", ".ttc"))


def format_change(saved: Saved, state: AlbumState, seconds: float) -> str:
    """Format ``cards.csv saved: 3 faces changed (france-1, france-2, france-3) in 0.21 s``."""
    if state.problems:
        kept = "; the pictures stay as they were" if state.albums else ""
        events = [format_count(len(state.problems), "problem") + kept]
    elif state.is_first:
        events = [f"{format_count(sum(len(album.faces) for album in state.albums), 'face')} drawn"]
    else:
        events = [f"{format_count(len(names), 'face')} {verb} ({_list_names(names, MAX_LISTED_NAMES)})"
                  for verb, names in (("changed", state.changed), ("added", state.added), ("removed", state.removed))
                  if names]
    line = f"{', '.join(events) or 'nothing looks different'} in {seconds:.2f} s"
    if files := saved.files or saved.gone:
        line = f"{_list_names([*map(display_path, files)], 1)} {'saved' if saved.files else 'removed'}: {line}"
    if _has_fonts(saved):
        line += "; fonts are read once: start again to see another"
    return line


def describe_change(saved: Saved, state: AlbumState) -> Mapping[str, object]:
    """Describe the same for the page, which says it in its language. What is wrong stands at its foot."""
    return {"files": [*map(display_path, saved.files or saved.gone)], "is_first": state.is_first,
            "has_failed": bool(state.problems), "changed": len(state.changed), "added": len(state.added),
            "removed": len(state.removed), "needs_restart": _has_fonts(saved)}


def _has_fonts(saved: Saved) -> bool:
    return any(path.suffix.lower() in _FONTS for path in saved.files)


def _list_names(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
