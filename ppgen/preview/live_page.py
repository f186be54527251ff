"""Live page of a preview: HTML, pictures, and the local server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from string import Template
from threading import Condition, Lock
from typing import ClassVar

from ppgen.engine.geometry import INCH, Size
from ppgen.errors import InputError, Problem
from ppgen.local_server import LOOPBACK, Answer, LocalServer
from ppgen.preview.album import Album, AlbumPiece, AlbumState, Section
from ppgen.preview.picture_files import Page, render_pages
from ppgen.preview.picture_renderer import MAX_PICTURE_PIXELS, PictureRenderer, count_pixels

# HTML, complete without scripts

SCREEN_DPI = 96
"""Pixels per inch in CSS (CSS Values 3, 5.2)."""
DPIS = (96, 192, 384)
"""Resolutions of pictures; the browser chooses by screen and zoom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStatus:
    """The state on the page, its number, and a message about it."""

    state: AlbumState
    number: int
    message: str


def faces_page(status: PageStatus, current: Album | None) -> str:
    """Format the page with the faces of an album."""
    sections = "\n".join(_faces(section) for section in current.sections) if current else ""
    if not sections:
        sections = ('<p class="nothing">' + ("What you asked for has no faces. Look at its pages." if current else
                                             "Nothing has been drawn yet.") + "</p>")
    return _page("faces", status, current, sections)


def pages_page(status: PageStatus, current: Album, pages: Sequence[Page]) -> str:
    """Format the page with the printed pages of an album."""
    parts = dict.fromkeys(page.part for page in pages)
    titles = {page.part: page.title for page in pages}
    titles |= {section.name: section.title for section in current.sections}
    two_sided = {page.part for page in pages if page.side == "back"}
    sections = "\n".join(_section(part, titles.get(part, ""), "", [
        _figure(f"{page.part} {page.number}", page.name,
                f"{page.number} <small>{page.side if part in two_sided else ''}</small>",
                [_img("front", page.source.key, page.source.size, f"{page.part}, page {page.number}")])
        for page in pages if page.part == part]) for part in parts)
    return _page("pages", status, current, sections)


def picture_path(key: str, dpi: int) -> str:
    return f"/picture/{key}-{dpi}.png"


def dpis_for(size: Size) -> tuple[int, ...]:
    """Return the available resolutions of a picture of that size in mm."""
    return tuple(dpi for dpi in DPIS if count_pixels(size, dpi) <= MAX_PICTURE_PIXELS) or (36,)


def _page(view: str, status: PageStatus, current: Album | None, sections: str) -> str:
    albums, problems = status.state.albums, status.state.problems
    home = f"/{current.id}" if current else ""
    views = (("faces", "Faces"), ("pages", "Pages"))
    template = Template((files("ppgen.preview") / "page.html").read_text(encoding="utf-8"))
    return template.substitute(
        number=status.number, view=view, lang=escape(current.lang if current else "en"),
        title=escape(current.title if current else "ppgen preview"), facts=escape(current.facts if current else ""),
        views="\n".join(_link(f"/{name}{home}", title, name == view) for name, title in views),
        sets="\n".join(_link(f"/{view}/{album.id}", album.label, album is current)
                       for album in albums) if len(albums) > 1 else "",
        said=escape(status.message), wrong="" if problems else "hidden", count=len(problems),
        problems="\n".join(map(_problem, problems)), sections=sections)


def _link(path: str, title: str, here: bool) -> str:
    current = ' aria-current="page"' if here else ""
    return f'<a href="{escape(path)}"{current}>{escape(title)}</a>'


def _problem(problem: Problem) -> str:
    place = f"{problem.place}:{problem.line}" if problem.line else problem.place
    key = f" <span>{escape(problem.key)}</span>" if problem.key else ""
    remedy = f" <em>{escape(problem.remedy)}</em>" if problem.remedy else ""
    return f"<li><code>{escape(place)}</code>{key} <strong>{escape(problem.what)}</strong>{remedy}</li>"


def _faces(section: Section) -> str:
    count = sum(piece.copies for piece in section.pieces)
    return _section(section.name, section.title, str(count), [_piece(piece) for piece in section.pieces])


def _section(name: str, title: str, note: str, figures: Iterable[str]) -> str:
    heading = f"{escape(title or name)} <small>{escape(note)}</small>"
    return (f'<section id="part-{escape(name)}">\n<h2>{heading}</h2>\n'
            '<div class="row">\n' + "\n".join(figures) + "\n</div>\n</section>")


def _piece(piece: AlbumPiece) -> str:
    sides = [_img("front", piece.front.key, piece.front.size, f"{piece.id}, front")]
    if piece.back:
        sides.append(_img("back", piece.back.key, piece.back.size, f"{piece.id}, back"))
    copies = f' <small class="copies">×{piece.copies}</small>' if piece.copies > 1 else ""
    return _figure(piece.id, piece.id, f"{escape(piece.id)}{copies}", sides)


def _figure(name: str, id: str, caption: str, sides: Sequence[str]) -> str:
    """One or two pictures with a ``caption``, which is HTML already."""
    card = f'<span class="card">{"".join(sides)}</span>'
    if len(sides) > 1:  # the script enables the button
        card = (f'<button type="button" class="turn" aria-pressed="false" title="Turn {escape(name)} over" disabled>'
                f"{card}</button>")
    return f'<figure id="{escape(id)}">{card}<figcaption>{caption}</figcaption></figure>'


def _img(side: str, key: str, size: Size, alt: str) -> str:
    width, height = (round(length / INCH * SCREEN_DPI) for length in (size.width, size.height))
    dpis = dpis_for(size)
    choice = ", ".join(f"{picture_path(key, dpi)} {round(size.width / INCH * dpi)}w" for dpi in dpis)
    return (f'<img class="{side}" alt="{escape(alt)}" width="{width}" height="{height}" loading="lazy" '
            f'decoding="async" sizes="{width}px" srcset="{choice}" src="{picture_path(key, dpis[-1])}">')


# Answers to browsers: pages and pictures

HEARTBEAT_S = 15.0
"""Seconds between writes to a listener without news, to learn whether it is still connected."""

_PICTURE = re.compile(r"/picture/([0-9a-f]{24}(?:-[0-9]{1,4})?)-([0-9]{2,3})\.png")
_VIEW = re.compile(r"/(faces|pages)(?:/([\w.-]{1,80}))?")
_PNG, _HTML = "image/png", "text/html; charset=utf-8"


class LivePage:
    """The page of the current state, for any number of browsers at once."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._status = PageStatus(state=AlbumState(), number=0, message="")
        self._active = 0
        self._closed = False
        self._renderer = PictureRenderer()
        self._pages_lock = Lock()
        self._pages: dict[str, tuple[int, tuple[Page, ...], tuple[Problem, ...]]] = {}
        """By album: the last state whose pages were laid out, the last good pages, and what was wrong in that state."""
        resources = files("ppgen.preview")
        self._static = {f"/{name}": Answer(content=(resources / name).read_bytes(), kind=kind) for name, kind in (
            ("page.css", "text/css; charset=utf-8"), ("page.js", "text/javascript; charset=utf-8"),
            ("icon.svg", "image/svg+xml"))}

    def show(self, state: AlbumState, message: str) -> None:
        """Replace the state, and notify all listeners."""
        if state.albums:
            workshop = state.albums[0].workshop
            self._renderer.add_faces((shot for album in state.albums for shot in album.shots),
                                     workshop.fonts.folder)
            if not state.problems:
                self._renderer.end_round()
            for name in ("title", "text"):
                font = workshop.fonts.styles.get(name, workshop.fonts.styles["text"])[0]
                path = f"/{name}.font"
                if path not in self._static:
                    self._static[path] = Answer(content=font.path.read_bytes(), kind="font/ttf", is_immutable=True)
        with self._changed:
            self._status = PageStatus(state=state, number=self._status.number + 1, message=message)
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

    def _answer(self, path: str) -> Answer | None:
        if path in self._static:
            return self._static[path]
        if path == "/events":
            return Answer(content=self._events(), kind="text/event-stream")
        if match := _PICTURE.fullmatch(path):
            return self._picture(match[1], int(match[2]))
        if match := _VIEW.fullmatch("/faces" if path == "/" else path):
            return self._view(match[1], match[2] or "")
        return None

    def _events(self) -> Iterator[bytes]:
        """Yield the number of each state (server-sent events)."""
        yield b"retry: 1000\n\n"
        last = -1
        while True:
            number = self._wait_for_change(last)
            yield b": still here\n\n" if number == last else f"event: look\ndata: {number}\n\n".encode()
            last = number

    def _wait_for_change(self, last: int) -> int:
        """Return the number of the state as soon as it is not ``last``, or ``last`` after ``HEARTBEAT_S``."""
        with self._changed:
            self._changed.wait_for(lambda: self._status.number != last, HEARTBEAT_S)
            return self._status.number

    def _picture(self, key: str, dpi: int) -> Answer | None:
        size = self._renderer.size(key)
        if size is None or dpi not in dpis_for(size):
            return None
        try:
            return Answer(content=self._renderer.picture(key, dpi), kind=_PNG, is_immutable=True)
        except KeyError:  # evicted meanwhile
            return None

    def _view(self, view: str, id: str) -> Answer | None:
        status = self._status
        current = next((album for album in status.state.albums if id in ("", album.id)), None)
        if id and current is None:
            return None
        page = self._pages_page(status, current) if current and view == "pages" else faces_page(status, current)
        return Answer(content=page.encode(), kind=_HTML)

    def _pages_page(self, status: PageStatus, current: Album) -> str:
        """Format the printed pages. They take longer than faces and are imposed on request only."""
        with self._pages_lock:
            number, pages, problems = self._pages.get(current.id, (-1, (), ()))
            if number != status.number and not status.state.problems:
                try:
                    pages, problems = render_pages(current), ()
                except InputError as error:
                    problems = error.problems
                self._pages[current.id] = status.number, pages, problems
        for page in pages:
            self._renderer.add(page.source)
        state = replace(status.state, problems=tuple(dict.fromkeys((*status.state.problems, *problems))))
        return pages_page(replace(status, state=state), current, pages)


# Server

DEFAULT_PORT = 8417
"""Always tried first, so that an open page finds the server again."""
POLICY = ("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; font-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class PreviewServer(LocalServer):
    """Serves a page on the loopback interface."""

    host = LOOPBACK
    usual_port = DEFAULT_PORT
    deadline_s = 120.0
    headers: ClassVar = {"Content-Security-Policy": POLICY, "Cross-Origin-Resource-Policy": "same-origin",
                         "Cross-Origin-Opener-Policy": "same-origin"}

    def __init__(self, page: LivePage, port: int | None = None) -> None:
        self._page = page
        super().__init__(page.answer, port)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.server_port}/"

    def close(self) -> None:
        self.shutdown()
        self._page.close()
        self.server_close()
