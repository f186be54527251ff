"""Turns the look that is on show into answers to browsers, by name: pages of pictures, and the pictures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.resources import files
from threading import Condition, Lock

from ppgen.errors import InputError, Problem
from ppgen.preview.album import Album
from ppgen.preview.bench import Look, Scene
from ppgen.preview.darkroom import Darkroom
from ppgen.preview.page import Words, dpis_for, faces_page, pages_page
from ppgen.preview.pages import Page, pages_of

HEARTBEAT = 15.0
"""Seconds after which a silent listener is written to, to learn whether it is still there."""

_PICTURE = re.compile(r"/picture/([0-9a-f]{24}(?:-[0-9]{1,4})?)-([0-9]{2,3})\.png")
_VIEW = re.compile(r"/(faces|pages)(?:/([\w.-]{1,80}))?")
_PNG, _HTML = "image/png", "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a browser gets; ``lasting`` is what never changes under its name."""

    content: bytes
    kind: str
    status: HTTPStatus = HTTPStatus.OK
    lasting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pages:
    """The pages of an album, or why there are none, as of a look."""

    number: int
    pages: tuple[Page, ...] = ()
    problems: tuple[Problem, ...] = field(default=())


class Stage:
    """What is on show, for any number of browsers at once."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._number = 0
        self._at_work = 0
        self._closed = False
        self._look = Look()
        self._said = ""
        self._darkroom = Darkroom()
        self._laying_out = Lock()
        self._pages: dict[str, _Pages] = {}
        resources = files("ppgen.preview")
        self._fixed = {f"/{name}": Answer(content=(resources / name).read_bytes(), kind=kind) for name, kind in (
            ("page.css", "text/css; charset=utf-8"), ("page.js", "text/javascript; charset=utf-8"),
            ("icon.svg", "image/svg+xml"))}

    def show(self, look: Look, said: str) -> None:
        """Put a look on show, and tell everyone who listens."""
        if look.scenes:
            workshop = look.scenes[0].workshop
            self._darkroom.expose((shot for scene in look.scenes for shot in scene.album.shots),
                                  workshop.fonts.folder)
            if not look.problems:
                self._darkroom.tidy()
            for name in ("title", "text"):
                font = workshop.fonts.styles.get(name, workshop.fonts.styles["text"])[0]
                path = f"/{name}.font"
                if path not in self._fixed:
                    self._fixed[path] = Answer(content=font.path.read_bytes(), kind="font/ttf", lasting=True)
        with self._changed:
            self._look, self._said, self._number = look, said, self._number + 1
            self._changed.notify_all()

    def number_after(self, last: int) -> int:
        """The number of the look on show, as soon as it is another one; ``last`` again if that takes long."""
        with self._changed:
            self._changed.wait_for(lambda: self._number != last, HEARTBEAT)
            return self._number

    def close(self) -> None:
        """Answer nothing more; returns when nothing is being drawn: no library may be at work when Python ends."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._at_work)

    def answer(self, path: str) -> Answer | None:
        """What there is under a path; None if there is nothing."""
        with self._changed:
            if self._closed:
                return None
            self._at_work += 1
        try:
            return self._answer(path)
        finally:
            with self._changed:
                self._at_work -= 1
                self._changed.notify_all()

    def _answer(self, path: str) -> Answer | None:
        if path in self._fixed:
            return self._fixed[path]
        if match := _PICTURE.fullmatch(path):
            return self._picture(match[1], int(match[2]))
        if match := _VIEW.fullmatch("/faces" if path == "/" else path):
            return self._view(match[1], match[2] or "")
        return None

    def _picture(self, key: str, dpi: int) -> Answer | None:
        size = self._darkroom.size(key)
        if size is None or dpi not in dpis_for(size):
            return None
        try:
            return Answer(content=self._darkroom.picture(key, dpi), kind=_PNG, lasting=True)
        except KeyError:  # forgotten meanwhile
            return None

    def _view(self, view: str, id: str) -> Answer | None:
        with self._changed:
            look, said, number = self._look, self._said, self._number
        albums = [scene.album for scene in look.scenes]
        scene = next((scene for scene in look.scenes if scene.album.id == id), None)
        if id and scene is None:
            return None
        scene = scene or next(iter(look.scenes), None)
        words = Words(number=number, said=said, problems=look.problems)
        if scene is None or view == "faces":
            page = faces_page(albums, scene.album if scene else None, words)
        else:
            page = self._pages_page(albums, scene, words)
        return Answer(content=page.encode(), kind=_HTML)

    def _pages_page(self, albums: list[Album], scene: Scene, words: Words) -> str:
        """Pages take longer than faces: they are laid out when somebody asks for them."""
        shown = scene.album
        with self._laying_out:
            known = self._pages.get(shown.id, _Pages(number=-1))
            if known.number != words.number and not words.problems:
                try:
                    known = _Pages(number=words.number, pages=pages_of(scene.workshop, scene.request, scene.lang,
                                                                       scene.paper))
                except InputError as error:
                    known = _Pages(number=words.number, pages=known.pages, problems=error.problems)
                self._pages[shown.id] = known
        for page in known.pages:
            self._darkroom.add(page.negative)
        problems = tuple(dict.fromkeys((*words.problems, *known.problems)))
        return pages_page(albums, shown, known.pages, Words(number=words.number, said=words.said, problems=problems))
