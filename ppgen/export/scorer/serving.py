"""Serves the scorer page on the home network, for as long as it runs: this one page under an address of chance."""

from __future__ import annotations

import io
import secrets
import socket
import sys
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import name as system
from socketserver import TCPServer
from threading import BoundedSemaphore, Thread
from typing import Any

from ppgen.errors import Problem, RequestError

USUAL_PORT = 8418
"""The same each time, as what a phone keeps of the page belongs to its address's host and port."""
MOST_AT_ONCE = 32
"""Connections that are answered at once; others are closed."""
PATIENCE = 10
"""Seconds that a connection may take to ask."""


class PageServer:
    """Serves a page on all networks of this machine until it is closed.

    Without a ``port`` it takes the usual one, or any that is free. Raises RequestError if the port is taken.
    """

    def __init__(self, page: bytes, port: int | None = None) -> None:
        self._path = f"/{secrets.token_urlsafe(6)}/"
        handler = partial(_Handler, self._path, page)
        try:
            self._server = _Server(("", USUAL_PORT if port is None else port), handler)
        except OSError as error:
            if port is not None:
                raise RequestError([Problem(place="--port", what=f"port {port} can't be had: {error.strerror}",
                                            remedy="leave it out, or give another")]) from error
            self._server = _Server(("", 0), handler)
        self._thread = Thread(target=self._server.serve_forever, args=(0.1,), name="scorer page", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{home_address()}:{self._server.server_port}{self._path}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def home_address() -> str:
    """This machine's address on its network; that of the machine itself if it is on none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for examples (RFC 5737): only the way there is chosen
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr_code(address: str) -> str:
    """An address as a QR code in characters of a terminal."""
    import segno  # only for who serves

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = system != "nt"  # there it would let two programs listen at once

    def __init__(self, *args: Any) -> None:
        self._places = BoundedSemaphore(MOST_AT_ONCE)
        super().__init__(*args)

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's own would ask the network for this machine's name
        self.server_name, self.server_port = "", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A phone that went away is no matter; anything else is a bug, and told."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server_version, sys_version = "ppgen", ""
    timeout = PATIENCE

    def __init__(self, path: str, page: bytes, *args: Any) -> None:
        self._path, self._page = path, page
        super().__init__(*args)

    def do_GET(self) -> None:
        found = self.path == self._path
        content = self._page if found else b"There is nothing here.\n"
        self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", f"text/{'html' if found else 'plain'}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
                            ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: who opens the page is nobody's business."""
