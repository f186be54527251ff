"""The faces of a set as they are saved: drawn again, and files watched."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from threading import Event

from ppgen.engine.component import PrintWay
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.rendering import FaceRenderer
from ppgen.engine.pictures.picture_files import PictureFolder
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path, format_count
from ppgen.printing.drawn_parts import draw_parts, sheet_bleed
from ppgen.printing.request import BuildRequest
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.records import dataclass, field, replace
from ppgen.review.set_comparison import face_digest
from ppgen.targets.piece_pictures import NamedFace, NamedPiece, name_faces, name_pieces

# --- Album ---

@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The pieces of a part; ``large`` ones are whole pages and boards printed in tiles."""

    name: str
    title: str
    large: bool
    pieces: tuple[NamedPiece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The faces of a set in one language on one paper, and what it was drawn from."""

    title: str  # for a heading
    facts: str  # for a heading
    sections: tuple[Section, ...]
    run: PrintRun = field(repr=False, compare=False)
    renderer: FaceRenderer = field(repr=False, compare=False)
    requests: Mapping[int, tuple[FaceRequest, float]] = field(repr=False, compare=False)  # of the faces by their ids

    @property
    def id(self) -> str:
        """Identifier of the album on its page."""
        return f"{self.run.texts.lang}-{self.run.paper.name}"

    @property
    def faces(self) -> tuple[NamedFace, ...]:
        """Every face once."""
        return tuple(face for section in self.sections for face in name_faces(section.pieces))

    @property
    def pieces(self) -> tuple[NamedPiece, ...]:
        return tuple(piece for section in self.sections for piece in section.pieces)


def draw_album(run: PrintRun) -> tuple[Album, tuple[Problem, ...]]:
    """Draw the album of a language on a paper; return it with what was left out. Raises InputError."""
    texts, request, selected = run.texts, run.request, run.parts()
    renderer, bleed = run.studio, sheet_bleed(request.spec(run.paper))
    parts = draw_parts(selected.parts, renderer, bleed, texts.lang)
    sections = tuple(Section(name=drawn.part.name, title=drawn.part.title, pieces=name_pieces(drawn),
                             large=drawn.part.layout.way in (PrintWay.PAGE, PrintWay.TILED))
                     for drawn in parts if drawn.part.components)
    album = Album(title=texts("game.title"), sections=sections, run=run, renderer=renderer,
                  facts=" · ".join((texts("language.name"), str(request.card_size.size), texts(f"ink.{request.ink}"))),
                  requests={
                      id(drawn.faces[piece.id, side]): (asked, bleed(drawn.part, side) or 0.0) for drawn in parts
                      for piece in drawn.part.components for side, asked in piece.faces()
                      if (piece.id, side) in drawn.faces})
    return album, selected.left_out


# --- Changes of the folders ---


@dataclass(frozen=True, slots=True, kw_only=True)
class AlbumState:
    """State of the folders: their albums, or all problems and the last good albums."""

    albums: tuple[Album, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    changed: tuple[str, ...] = ()  # labels of faces, compared with the last good state
    added: tuple[str, ...] = ()  # likewise
    removed: tuple[str, ...] = ()  # likewise
    is_first: bool = False  # the first good state


class Redrawer:
    """Draws albums again after changes. ``read`` opens workshop and request anew; it may raise InputError."""

    def __init__(self, read: Callable[[], tuple[Workshop, BuildRequest]]) -> None:
        self._read = read
        self._last = AlbumState()

    def refresh(self) -> AlbumState:
        """Draw the current state. Raises RequestError for an impossible request, as long as nothing was drawn."""
        try:
            albums, warnings = self._draw_albums()
        except InputError as error:
            if isinstance(error, RequestError) and not self._last.albums:
                raise
            problems = error.problems
        except OSError as error:  # a file vanished while it was read
            problems = (Problem(str(error.filename or "files"),
                                Phrase("unreadable", message=error.strerror or error), Phrase("save_again")),)
        except BaseException as error:  # a file must not end a page that is open for hours
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # a panic in Rust
                raise
            problems = (Problem("files", f"unexpected {type(error).__name__}: {error}", "undo the last change; "
                                "this is a bug in ppgen, so please report it with the file"),)
        else:
            before, after = _pictures(self._last.albums), _pictures(albums)
            self._last = AlbumState(
                albums=albums, warnings=warnings, is_first=not self._last.albums,
                changed=_list_names(key for key in after if key in before and before[key] != after[key]),
                added=_list_names(key for key in after if key not in before) if self._last.albums else (),
                removed=_list_names(key for key in before if key not in after))
            return self._last
        gc.collect()  # exceptions hold on to faces in cycles, which Python would search for too rarely
        return AlbumState(albums=self._last.albums, problems=problems)

    def _draw_albums(self) -> tuple[tuple[Album, ...], tuple[Problem, ...]]:
        workshop, request = self._read()
        if workshop.pictures:
            workshop = replace(workshop, pictures=PictureFolder(workshop.pictures.root, keeps_gaps=True))
        problems = Problems()
        warnings: list[Problem] = []
        albums: list[Album] = []
        for lang, paper in product(request.langs, request.papers):
            with problems.collect_errors():
                album, left_out = draw_album(PrintRun(request, workshop, workshop.texts(lang), paper))
                warnings += left_out
                albums.append(album)
        problems.raise_if_any()
        return tuple(albums), tuple(dict.fromkeys((*workshop.warnings, *warnings)))


def _pictures(albums: Sequence[Album]) -> dict[tuple[str, str], str]:
    return {(album.id, named.label): face_digest(named.face) for album in albums for named in album.faces}


def _list_names(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for _, name in keys))


# --- Watching ---
POLL_INTERVAL_S, POLL_FACTOR = 0.2, 20  # between two scans; and this multiple of the time of the last one
QUIET_TIME_S, MAX_BURST_S = 0.04, 0.4  # without a change, that end a burst; and most seconds to wait for that

_TEMPORARY_SUFFIXES = frozenset((".swp", ".swo", ".swx", ".tmp", ".temp", ".part", ".bak"))

FileStamp = tuple[int, int, int]  # modification time, size and inode of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Files that are new or changed, and removed files."""

    files: tuple[Path, ...] = ()
    gone: tuple[Path, ...] = ()


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
        events = [f"{format_count(len(names), 'face')} {verb} ({_format_names(names, MAX_LISTED_NAMES)})"
                  for verb, names in (("changed", state.changed), ("added", state.added), ("removed", state.removed))
                  if names]
    line = f"{', '.join(events) or 'nothing looks different'} in {seconds:.2f} s"
    if files := saved.files or saved.gone:
        line = f"{_format_names([*map(display_path, files)], 1)} {'saved' if saved.files else 'removed'}: {line}"
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


def _format_names(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
