"""Live page of a preview: the maker's bench, as answers to a browser.

The page is three static files. What it shows it fetches as JSON: a look at the set in a language, ink, skin and card
size. Words of a deck never become markup. Whoever opens the page without the server's token may only look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from threading import Condition, Lock
from typing import Any
from urllib.parse import parse_qsl

from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.errors import InputError, Problem
from ppgen.local_server import Answer
from ppgen.preview.album import Album, AlbumPiece, AlbumState, Redrawer, Shot
from ppgen.preview.child_jobs import JobRunner
from ppgen.preview.picture_files import Page, render_pages
from ppgen.preview.picture_renderer import MAX_PICTURE_PIXELS, PictureRenderer, count_pixels
from ppgen.production.piece_filter import parse_filter
from ppgen.production.printed_faces import NO_CELLS, format_cell
from ppgen.reading.cell_edit import CellEditor, EditConflict, EditError

Document = dict[str, Any]
"""A JSON object."""
DPIS = (96, 192, 384)
"""Resolutions of pictures; the page chooses by screen and zoom."""
POLL_INTERVAL_S, HEARTBEAT_S = 1.0, 15.0
"""Seconds between looks at whether a listener without news has to give way, and between writes to it."""
MAX_VIEWS = 4
"""Looks other than the first that are kept at once."""
NOTHING_TO_DO: Mapping[str, tuple[str, ...]] = {}
PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""Browsers show a PDF with a page of their own."""
PRINTER_ANSWERS = ("name", "across", "down", "a-x", "a-y", "b-x", "b-y")

_PICTURE = re.compile(r"/picture/([0-9a-f]{24}(?:-[0-9]{1,4})?)-([0-9]{2,3})\.png")
_MADE = re.compile(r"/made/([0-9]{1,6})/([0-9]{1,4})/[\w.-]{1,200}\.pdf")
_DRAWN_BY = re.compile(r"; drawn by (\S+)$|^drawn by (\S+)$")
_ID = re.compile(r"\[([\w-]+) (?:front|back)\b")
_TABLE_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class PageView:
    """The look that a page shows: its values are from the lists of the set."""

    lang: str = ""
    ink: str = ""
    skin: str = ""
    size: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """What the command gives to the page: its choices, other looks, jobs, and the states of pieces since the print.

    ``choices`` are the values by name (lang, ink, skin, size, paper, backs, printer), the first the default.
    """

    choices: Callable[[], Mapping[str, Sequence[str]]] = lambda: NOTHING_TO_DO
    redrawer: Callable[[PageView], Redrawer] | None = None
    states: Callable[[PageView], Mapping[str, Sequence[str]]] = lambda view: {}
    jobs: JobRunner | None = None
    folder: Path | None = None
    """The folder of the deck, whose cells may be changed."""


def dpis_for(size: Size) -> tuple[int, ...]:
    """Return the available resolutions of a picture of that size in mm."""
    return tuple(dpi for dpi in DPIS if count_pixels(size, dpi) <= MAX_PICTURE_PIXELS) or (36,)


# A look as JSON

def describe_look(album: Album | None) -> Document:
    """Describe an album for the page: its sections with their pieces, and the row of each."""
    if album is None:
        return {"sections": []}
    rows = {str(row["id"]): row for row in album.workshop.game.describe()}
    requests = _face_requests(album)
    return {"title": album.title, "facts": album.facts, "lang": album.lang, "sections": [
        {"name": section.name, "title": section.title or section.name, "large": section.large,
         "pieces": [_describe_piece(piece, rows.get(piece.id, {}), requests) for piece in section.pieces]}
        for section in album.sections]}


def _describe_piece(piece: AlbumPiece, row: Mapping[str, object],
                    requests: Mapping[int, tuple[FaceRequest, float]]) -> Document:
    origins = requests[id(piece.front.face)][0].origins.values() if id(piece.front.face) in requests else ()
    spot = next((spot for spot in origins if spot.line), None)
    return {"id": piece.id, "copies": piece.copies, "front": _describe_shot(piece.front),
            "back": _describe_shot(piece.back) if piece.back else None,
            "place": spot.place if spot else "", "line": spot.line if spot else 0,
            "cells": {name: format_cell(cell) for name, cell in row.items() if name not in NO_CELLS}}


def _describe_shot(shot: Shot) -> Document:
    return {"key": shot.key, "width": shot.size.width, "height": shot.size.height, "bleed": shot.face.bleed,
            "dpis": dpis_for(shot.size)}


def _face_requests(album: Album) -> dict[int, tuple[FaceRequest, float]]:
    """The request and the bleed of each face, by the identity of the face."""
    return {id(face): key for key, face in album.renderer.faces.items()}


def group_problems(problems: Iterable[Problem], level: str) -> list[Document]:
    """Group problems by their cause: the line of a template that drew them, else the line of the file."""
    groups: dict[str, list[Document]] = {}
    for problem in problems:
        place = f"{problem.place}:{problem.line}" if problem.line else problem.place
        drawn = _DRAWN_BY.search(problem.remedy)
        cause = (drawn[1] or drawn[2]) if drawn else place
        ids = _ID.findall(problem.key)
        groups.setdefault(cause, []).append(
            {"place": place if drawn else "", "key": problem.key, "what": problem.what, "ids": ids,
             "remedy": _DRAWN_BY.sub("", problem.remedy), "more": problem.more})
    return [{"cause": cause, "level": level, "entries": entries} for cause, entries in groups.items()]


# Answers to browsers

class LivePage:
    """The page of the current state, for any number of browsers at once."""

    def __init__(self, bench: Workbench | None = None) -> None:
        self.bench = bench or Workbench()
        self._changed = Condition()
        self._state, self._number, self._news, self._message = AlbumState(), 0, 0, ""
        self._active = 0
        self._closed = False
        self._renderer = PictureRenderer()
        self._lock = Lock()
        """One request at a time draws another look, lays out pages or compares with the print."""
        self._views: dict[PageView, tuple[int, AlbumState, Redrawer]] = {}
        self._sheets: dict[tuple[PageView, str], tuple[int, tuple[Page, ...], tuple[Problem, ...]]] = {}
        self._states: dict[PageView, tuple[int, Mapping[str, Sequence[str]]]] = {}
        self._choices: Mapping[str, Sequence[str]] = {}
        self._editor = CellEditor(self.bench.folder) if self.bench.folder else None
        if self.bench.jobs:
            self.bench.jobs.on_change = self._follow_job
        resources = files("ppgen.preview")
        self._static = {path: Answer(content=(resources / name).read_bytes(), kind=kind) for path, name, kind in (
            ("/", "page.html", "text/html; charset=utf-8"), ("/page.css", "page.css", "text/css; charset=utf-8"),
            ("/page.js", "page.js", "text/javascript; charset=utf-8"), ("/icon.svg", "icon.svg", "image/svg+xml"))}

    def show(self, state: AlbumState, message: str) -> None:
        """Replace the state, and notify all listeners."""
        self._add_pictures(state)
        if state.albums and not state.problems:
            self._renderer.end_round()
        self._choices = self.bench.choices()
        with self._changed:
            self._state, self._number, self._message = state, self._number + 1, message
        self._notify()

    def _follow_job(self) -> None:
        status = self.bench.jobs.status if self.bench.jobs else None
        if status and status.state == "done" and status.name != "check":
            self._choices = self.bench.choices()  # one printer more
            self._states.clear()
        self._notify()

    def _add_pictures(self, state: AlbumState) -> None:
        if state.albums:
            self._renderer.add_faces((shot for album in state.albums for shot in album.shots),
                                     state.albums[0].workshop.fonts.folder)

    def _notify(self) -> None:
        with self._changed:
            self._news += 1
            self._changed.notify_all()

    def close(self) -> None:
        """Stop answering, and wait for drawing to end: no library may be at work when Python ends."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._active)

    def answer(self, path: str) -> Answer | None:
        """Return the answer for a path, or None."""
        with self._changed:
            if self._closed:
                return None
            self._active += 1
        try:
            return self._answer(path)
        finally:
            with self._changed:
                self._active -= 1
                self._changed.notify_all()

    def _answer(self, address: str) -> Answer | None:
        if address in self._static:
            return self._static[address]
        if address.partition("?")[0] == "/events":
            return Answer(content=self._events(), kind="text/event-stream")
        if match := _PICTURE.fullmatch(address):
            return self._picture(match[1], int(match[2]))
        if match := _MADE.fullmatch(address):
            return self._made(int(match[1]), int(match[2]))
        path, _, query = address.partition("?")
        views: dict[str, Callable[[PageView, Mapping[str, str]], object]] = {
            "/api/look": self._look, "/api/sheets": self._sheets_look, "/api/marks": self._marks,
            "/api/select": self._select, "/api/states": self._states_look}
        if path == "/api/job":
            return Answer.of_json(self._job())
        if path not in views or len(query) > 2_000:
            return None
        asked = dict(parse_qsl(query))
        view = self._view(asked)
        found = None if view is None else views[path](view, asked)
        return None if found is None else Answer.of_json(found)

    def _events(self) -> Iterator[bytes]:
        """Yield the number of the look at each change, also of the job (server-sent events)."""
        yield b"retry: 1000\n\n"
        last, quiet = -1, 0.0
        while True:
            number = self._wait_for_change(last)
            quiet = quiet + POLL_INTERVAL_S if number == last else 0.0
            if number != last:
                yield f"event: look\ndata: {self._number}\n\n".encode()
            else:
                yield b"" if quiet % HEARTBEAT_S else b": still here\n\n"
            last = number

    def _wait_for_change(self, last: int) -> int:
        """Return the number of news as soon as it is not ``last``, or ``last`` after ``POLL_INTERVAL_S``."""
        with self._changed:
            self._changed.wait_for(lambda: self._news != last, POLL_INTERVAL_S)
            return self._news

    def _picture(self, key: str, dpi: int) -> Answer | None:
        size = self._renderer.size(key)
        if size is None or dpi not in dpis_for(size):
            return None
        try:
            return Answer(content=self._renderer.picture(key, dpi), kind="image/png", is_immutable=True)
        except KeyError:  # evicted meanwhile
            return None

    # Looks

    def _view(self, asked: Mapping[str, str]) -> PageView | None:
        """The look that a page asks for; None for a value that is not among the choices."""
        choices = self._choices
        values = {name: asked.get(name) or (choices[name][0] if choices.get(name) else "")
                  for name in ("lang", "ink", "skin", "size")}
        if any(values[name] not in choices.get(name, ("",)) for name in values):
            return None
        return PageView(**values)

    def _find(self, view: PageView) -> tuple[int, AlbumState, Album | None]:
        """The state of a look, drawn if it is another than the first, with its number; and its album."""
        number, state = self._number, self._state
        choices = self._choices
        first = all(value == choices[name][0] for name, value in asdict(view).items()
                    if name != "lang" and choices.get(name))
        albums = {album.lang: album for album in reversed(state.albums)}
        if first and (not albums or view.lang in albums or not view.lang or not self.bench.redrawer):
            return number, state, albums.get(view.lang, next(iter(state.albums), None))
        if self.bench.redrawer is None:
            return number, state, None
        with self._lock:
            drawn, other, redrawer = self._views.pop(view, (-1, AlbumState(), None))
            redrawer = redrawer or self.bench.redrawer(view)
            if drawn != number:
                try:
                    other = redrawer.refresh()
                except InputError as error:
                    other = AlbumState(problems=error.problems)
                self._add_pictures(other)
            self._views[view] = number, other, redrawer
            while len(self._views) > MAX_VIEWS:
                del self._views[next(iter(self._views))]
        return number, other, next(iter(other.albums), None)

    def _look(self, view: PageView, asked: Mapping[str, str]) -> Document:
        number, state, album = self._find(view)
        look = describe_look(album)
        choices = {name: list(values) for name, values in self._choices.items()}
        return {**look, "number": number, "message": self._message, "view": asdict(view), "choices": choices,
                "failed": bool(state.problems), "job": self._job(), "tables": self._tables(look),
                "undo": self._editor.undo_count if self._editor else 0,
                "problems": [*group_problems(state.problems, "error"), *group_problems(state.warnings, "warning")]}

    def _tables(self, look: Document) -> list[Document]:
        """The files of the rows on the page, with all their cells if these can be changed."""
        places = dict.fromkeys(piece["place"] for section in look["sections"]
                               for piece in section["pieces"] if piece["place"])
        tables: list[Document] = []
        for place in places if self._editor else ():
            assert self._editor
            try:
                head, *records = self._editor.read(Path(place))
            except (EditError, ValueError):
                continue
            tables.append({"place": place, "columns": [cell.value for cell in head.cells], "rows": [
                {"line": record.line, "cells": [cell.value.replace("\r\n", "\n") for cell in record.cells]}
                for record in records[:_TABLE_ROWS] if any(cell.value for cell in record.cells)]})
        return tables

    def _sheets_look(self, view: PageView, asked: Mapping[str, str]) -> Document | None:
        """The printed pages. They take longer than faces and are imposed on request only."""
        number, state, album = self._find(view)
        if album is None:
            return {"pages": [], "problems": group_problems(state.problems, "error")}
        key = view, album.id
        with self._lock:
            drawn, pages, problems = self._sheets.get(key, (-1, (), ()))
            if drawn != number and not state.problems:
                try:
                    pages, problems = render_pages(album), ()
                except InputError as error:
                    problems = error.problems
                self._sheets[key] = number, pages, problems
        for page in pages:
            self._renderer.add(page.source)
        return {"problems": group_problems(problems, "error"), "paper": album.paper.title, "pages": [
            {"part": page.part, "title": page.title or page.part, "number": page.number, "side": page.side,
             "why": page.why, "key": page.source.key,
             "width": page.source.size.width, "height": page.source.size.height,
             "dpis": dpis_for(page.source.size)} for page in pages]}

    def _marks(self, view: PageView, asked: Mapping[str, str]) -> Document | None:
        """The drawing of a face with the template line of each element; the page takes only the boxes from it."""
        _, _, album = self._find(view)
        piece = next((piece for piece in album.pieces if piece.id == asked.get("id")), None) if album else None
        if album is None or piece is None:
            return None
        shot = piece.back if asked.get("side") == "back" else piece.front
        key = _face_requests(album).get(id(shot.face)) if shot else None
        if shot is None or key is None:
            return None
        plain = album.renderer
        with self._lock:
            try:
                face = replace(plain, marked=True, reusable={}, faces={}).draw(*key, shot.name)
            except InputError:  # the template has changed meanwhile
                return None
        names = sorted(set(re.findall(r' data-src="([^"]*)"', face.svg)))
        places = {name: plain.templates.place(name) for name in names}
        return {"svg": face.svg, "places": {name: f"{place}:{line}" if line else place
                                            for name, (place, line) in places.items()}}

    def _states_of(self, view: PageView) -> Mapping[str, Sequence[str]]:
        """The ids of the pieces that are new or changed since the print."""
        with self._lock:
            number, states = self._states.get(view, (-1, {}))
            if number != self._number:
                number = self._number
                try:
                    states = self.bench.states(view)
                except InputError:  # it is told with the look, or nothing is remembered as printed
                    states = {}
                self._states[view] = number, states
            return states

    def _states_look(self, view: PageView, asked: Mapping[str, str]) -> Document:
        return {name: list(ids) for name, ids in self._states_of(view).items()}

    def _select(self, view: PageView, asked: Mapping[str, str]) -> Document:
        """The ids of the pieces that match a filter, or what is wrong with it."""
        _, state, album = self._find(view)
        try:
            expression = parse_filter(asked.get("where", ""))
            states = {"wrong": _ids_of(state), **(self._states_of(view) if expression.needs_states else {})}
            rows = album.workshop.game.describe() if album else []
            return {"ids": expression.select(rows, states)}
        except ValueError as error:
            return {"error": str(error)}
        except InputError as error:
            problem = error.problems[0]
            return {"error": f"{problem.what} ({problem.remedy})" if problem.remedy else problem.what}

    # Jobs and cells: for pages with the token only

    def _job(self) -> Document:
        return asdict(self.bench.jobs.status) if self.bench.jobs else {"state": ""}

    def _made(self, number: int, index: int) -> Answer | None:
        """A PDF of the last build."""
        status = self.bench.jobs.status if self.bench.jobs else None
        if status is None or status.number != number or index >= len(made := status.result.get("files", [])):
            return None
        try:
            content = Path(made[index]["path"]).read_bytes()
        except OSError:
            return None
        return Answer(content=content, kind="application/pdf", headers={"Content-Security-Policy": PDF_POLICY})

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Do what a page with the token asks for."""
        jobs, editor = self.bench.jobs, self._editor
        try:
            match path:
                case "/api/make" | "/api/printed" | "/api/check" | "/api/printer" if jobs:
                    return self._start(jobs, path.rpartition("/")[2], wish)
                case "/api/stop" if jobs:
                    jobs.stop()
                    return Answer.of_json({})
                case "/api/cell" if editor:
                    return self._write_cell(editor, wish)
                case "/api/undo" if editor:
                    return Answer.of_json({"file": editor.undo().name})
        except EditConflict as error:
            return Answer.of_json({"error": str(error)}, HTTPStatus.CONFLICT)
        except EditError as error:
            return Answer.of_json({"error": str(error)}, HTTPStatus.BAD_REQUEST)
        return None

    def _start(self, jobs: JobRunner, name: str, wish: Mapping[str, object]) -> Answer:
        lists = {**self._choices, "only": ("all", "changed")}
        typed = PRINTER_ANSWERS if name == "printer" else ()
        if not all(isinstance(value, str) and (value in lists.get(key, ()) or (key in typed and len(value) < 50))
                   for key, value in wish.items()):
            return Answer.of_json({"error": "This can't be chosen."}, HTTPStatus.BAD_REQUEST)
        if not jobs.start(name, wish):
            return Answer.of_json({"error": "Something is being made just now."}, HTTPStatus.CONFLICT)
        return Answer.of_json(self._job())

    def _write_cell(self, editor: CellEditor, wish: Mapping[str, object]) -> Answer:
        place, line, column, old, new = (wish.get(name) for name in ("place", "line", "column", "old", "new"))
        known = {piece["place"] for album in self._state.albums for section in describe_look(album)["sections"]
                 for piece in section["pieces"]}
        if not (isinstance(place, str) and place in known and isinstance(line, int) and isinstance(column, int)
                and isinstance(old, str) and isinstance(new, str)):
            return Answer.of_json({"error": "This is not a cell of the deck."}, HTTPStatus.BAD_REQUEST)
        with self._lock:
            editor.write(Path(place), line, column, old, new)
        return Answer.of_json({})


def _ids_of(state: AlbumState) -> set[str]:
    """The ids of the pieces with problems."""
    return {id for problem in (*state.problems, *state.warnings) for id in _ID.findall(problem.key)}
