"""Turns looks into answers to a browser on this machine: a page that follows them, and their pictures.

Serves what it knows by name and nothing else: no name leads to a file of this machine. Listens on the loopback
interface only, and answers only who asks for it by that name, so that no page from elsewhere can read it under
a name of its own (DNS rebinding).
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from os import name as system
from socketserver import TCPServer
from threading import Condition, Lock, Thread
from typing import Any

from ppgen.errors import InputError, Problem, RequestError
from ppgen.preview.album import Album
from ppgen.preview.bench import Look, Scene
from ppgen.preview.darkroom import Darkroom
from ppgen.preview.page import Words, dpis_for, faces_page, pages_page
from ppgen.preview.pages import Page, pages_of

HOST = "127.0.0.1"
USUAL_PORT = 8417
"""Where the page is if nothing else is there: the same each time, so that an open page finds it again."""
HEARTBEAT = 15.0
"""Seconds after which a silent listener is written to, to learn whether it is still there."""
POLICY = ("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; font-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")

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


class PreviewServer:
    """Serves a stage on 127.0.0.1 until it is closed.

    Without a ``port`` it takes the usual one, or any that is free. Raises RequestError if the port is taken.
    """

    def __init__(self, stage: Stage, port: int | None = None) -> None:
        self._stage = stage
        handler = partial(_Handler, stage)
        try:
            self._server = _Server((HOST, USUAL_PORT if port is None else port), handler)
        except OSError as error:
            if port is not None:
                raise RequestError([Problem(place="--port", what=f"port {port} can't be had: {error.strerror}",
                                            remedy="leave it out, or give another")]) from error
            self._server = _Server((HOST, 0), handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="preview server", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._server.server_port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._stage.close()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = system != "nt"  # there it would let two programs listen at once

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's own would ask the network for this machine's name
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no matter; anything else is a bug, and told."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "ppgen", ""
    timeout = 120

    def __init__(self, stage: Stage, *args: Any) -> None:
        self._stage = stage
        super().__init__(*args)

    def do_GET(self) -> None:
        if not self._is_for_us():
            self._send(_refusal(HTTPStatus.MISDIRECTED_REQUEST, f"This page is at {HOST} only."))
        elif self.path == "/events":
            self._send_events()
        else:
            self._send(self._stage.answer(self.path) or _refusal(HTTPStatus.NOT_FOUND, "There is nothing here."))

    do_HEAD = do_GET

    def _is_for_us(self) -> bool:
        assert isinstance(self.server, _Server)
        port = self.server.server_port
        known = {f"{host}:{port}" for host in (HOST, "localhost")} | ({HOST, "localhost"} if port == 80 else set())
        return self.headers.get_all("Host", []) in [[host] for host in known]

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.content)))
        self.send_header("Cache-Control", "private, max-age=31536000, immutable" if answer.lasting else "no-store")
        self._send_guards()
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.content)

    def _send_events(self) -> None:
        """Tell the number of each look (server-sent events) for as long as the browser listens."""
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self._send_guards()
        self.end_headers()
        if self.command == "HEAD":
            return
        self.wfile.write(b"retry: 1000\n\n")
        last = -1
        while True:  # until the browser is gone: then writing fails, which ends the thread
            number = self._stage.number_after(last)
            self.wfile.write(b": still here\n\n" if number == last else f"event: look\ndata: {number}\n\n".encode())
            last = number

    def _send_guards(self) -> None:
        for name, value in (("Content-Security-Policy", POLICY), ("X-Content-Type-Options", "nosniff"),
                            ("Cross-Origin-Resource-Policy", "same-origin"),
                            ("Cross-Origin-Opener-Policy", "same-origin"), ("Referrer-Policy", "no-referrer")):
            self.send_header(name, value)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what happens is told by the watch."""


def _refusal(status: HTTPStatus, words: str) -> Answer:
    return Answer(status=status, content=f"{words}\n".encode(), kind="text/plain; charset=utf-8")
