"""Servers of pages on this computer."""

from __future__ import annotations

import gzip
import hmac
import io
import json
import math
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import name as system
from socketserver import TCPServer
from threading import Lock, Thread
from time import monotonic
from typing import Any, ClassVar

from ppgen.errors import RequestError
from ppgen.pages.single_pages import SHIPPED
from ppgen.shipped import Phrase

# --- Server ---
# HTTP server for pages of this machine: that of ``ppgen open`` on its screen, the scorer page on phones at home.
#
# It answers known paths only: none leads to a file. On the loopback interface it requires its own name in the Host
# header, so that no other site can read the page under a name of its own (DNS rebinding).
#
# A server with a token also takes requests to act, of its own page only: a request needs the token, which other sites
# and programs of other users don't know, the page's own origin, and JSON, which no form can send.

LOOPBACK, ALL_NETWORKS = "127.0.0.1", ""
MAX_CONNECTIONS = 32  # maximum number of simultaneous connections: the oldest idle one gives way to another
HEAD_TIMEOUT_S = 5.0  # time for the head of a request
API_PATHS = "/api/", "/events"  # beginnings of the paths that only the server's own pages may request
MAX_BODY_BYTES = 64_000  # bytes of a request to act
TOKEN_HEADER = "X-Ppgen-Token"
POLL_INTERVAL_S = 0.1  # seconds between two looks at the deadlines
MIN_PACKED_BYTES, PACKING_LEVEL = 2_000, 5  # texts are packed from a size on that no single packet holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Answer to a browser; an iterator is sent item by item, and yields empty ones so that its connection can end."""

    content: bytes | Iterator[bytes]
    kind: str
    status: HTTPStatus = HTTPStatus.OK
    is_immutable: bool = False  # never changes under its path
    headers: Mapping[str, str] = field(default_factory=dict)  # replace those of the server

    @classmethod
    def of_json(cls, value: object, status: HTTPStatus = HTTPStatus.OK) -> Answer:
        content = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return cls(content=content, kind="application/json; charset=utf-8", status=status)


@dataclass(slots=True)
class _Connection:
    address: str
    deadline: float
    is_idle: bool = True  # may give way: no answer is being made, and it has not shown the token


class LocalServer(ThreadingHTTPServer):
    """Serves what ``answer`` returns for a path until it is closed. Raises RequestError if ``port`` is taken."""

    host: ClassVar[str]
    usual_port: ClassVar[int]
    deadline_s: float  # time for a request after its head, and its answer
    max_connections_per_address: ClassVar[int] = MAX_CONNECTIONS
    headers: ClassVar[dict[str, str]]  # headers of every answer, in addition to the common ones
    token = ""  # secret of the page that may act; without one nothing but reading is possible

    request_queue_size = 128  # a browser asks again for what the system drops beyond it: after one, two, four seconds
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = system != "nt"  # on Windows it would let two programs listen at once

    def __init__(self, answer: Callable[[str], Answer | None], port: int | None) -> None:
        self.answer = answer
        self.connections: dict[socket.socket, _Connection] = {}  # the oldest first
        self._lock = Lock()
        try:
            super().__init__((self.host, self.usual_port if port is None else port), _Handler)
        except OSError as error:
            if port is not None:
                raise RequestError.at("--port", Phrase("port_taken", port=port, message=error.strerror),
                                      Phrase("another_port")) from error
            super().__init__((self.host, 0), _Handler)
        Thread(target=self.serve_forever, args=(POLL_INTERVAL_S,), name="local server", daemon=True).start()

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Do what an authorized request asks for; None for an unknown path."""
        return None

    def close(self) -> None:
        self.shutdown()
        self.server_close()

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's own would ask the network for this machine's name
        self.server_name, self.server_port = self.host, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            rivals = [line for line, each in self.connections.items() if each.address == client_address[0]]
            if len(rivals) < self.max_connections_per_address:
                rivals = list(self.connections) if len(self.connections) >= MAX_CONNECTIONS else []
            ended = next((line for line in rivals if self.connections[line].is_idle), None)
            has_room = ended is not None or not rivals
            if ended:
                del self.connections[ended]
            if has_room:
                deadline = monotonic() + min(HEAD_TIMEOUT_S, self.deadline_s)
                self.connections[request] = _Connection(client_address[0], deadline)
        if ended:
            _hang_up(ended)
        if has_room:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def update(self, request: socket.socket, is_idle: bool, seconds: float | None = None) -> None:
        """Note whether a connection may give way; close it if it is still open after this many seconds."""
        with self._lock:
            if connection := self.connections.get(request):
                connection.is_idle = is_idle
                connection.deadline = connection.deadline if seconds is None else monotonic() + seconds

    def service_actions(self) -> None:
        """Close connections past their deadlines."""
        for request, connection in self.connections.copy().items():
            if connection.deadline < monotonic():
                _hang_up(request)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self.connections.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore browsers that disconnect; anything else is a bug, and reported."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def _hang_up(request: socket.socket) -> None:
    """Wake the thread that reads from a connection or writes to it, which then ends."""
    with suppress(OSError):  # closed meanwhile
        request.shutdown(socket.SHUT_RDWR)


class _Handler(BaseHTTPRequestHandler):
    server: LocalServer
    server_version, sys_version = "ppgen", ""

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.deadline_s)  # of a single write: streams have no other

    def parse_request(self) -> bool:
        is_sound = super().parse_request()
        self.server.update(self.connection, is_idle=False, seconds=self.server.deadline_s)
        return is_sound

    def do_GET(self) -> None:
        if not self._has_own_host():
            self._send(_refuse(HTTPStatus.MISDIRECTED_REQUEST, f"This page is at {LOOPBACK} only."))
        elif (self.path.startswith(API_PATHS)
              and self.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none")):
            self._send(_refuse(HTTPStatus.FORBIDDEN, "Other sites may not ask for this."))
        else:
            self._send(self.server.answer(self.path) or _refuse(HTTPStatus.NOT_FOUND, "There is nothing here."))

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if not self.server.token:
            self.send_error(HTTPStatus.NOT_IMPLEMENTED, "Unsupported method")
            return
        if not self._has_own_host():
            self._send(_refuse(HTTPStatus.MISDIRECTED_REQUEST, f"This page is at {LOOPBACK} only."))
        elif not self._is_own_page():
            self._send(_refuse_wish(HTTPStatus.FORBIDDEN, "Open the page by the address that ppgen prints: "
                                    "this one may only look."))
        elif (wish := self._read_wish()) is None:
            self._send(_refuse_wish(HTTPStatus.BAD_REQUEST, "This is not a request of the page."))
        else:
            self._send(self.server.act(self.path, wish) or _refuse_wish(HTTPStatus.NOT_FOUND, "There is nothing here."))

    def _is_own_page(self) -> bool:
        """Whether a request comes from the page, opened with its token."""
        host = self.headers["Host"]
        return (self.headers.get_all("Origin", []) == [f"http://{host}"]
                and self.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
                and self.headers.get_content_type() == "application/json"
                and self._is_token(self.headers.get(TOKEN_HEADER, "")))

    def _is_token(self, words: str) -> bool:
        return bool(self.server.token) and hmac.compare_digest(words.encode(), self.server.token.encode())

    def _read_wish(self) -> Mapping[str, object] | None:
        """Read the body, a JSON object of limited size; None if it is anything else."""
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or not 0 < int(length[:9]) <= MAX_BODY_BYTES or len(length) > 9:
            return None
        try:
            wish = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return wish if isinstance(wish, dict) else None

    def _has_own_host(self) -> bool:
        if self.server.host != LOOPBACK:
            return True
        port = self.server.server_port
        suffixes = (f":{port}", "") if port == 80 else (f":{port}",)
        return self.headers.get_all("Host", []) in [
            [host + suffix] for host in (LOOPBACK, "localhost") for suffix in suffixes]

    def _takes_packed(self, answer: Answer) -> bool:
        """Whether an answer is text, and the browser reads gzip."""
        encodings = {each.strip() for each in self.headers.get("Accept-Encoding", "").split(",")}
        return answer.kind.endswith("charset=utf-8") and "gzip" in encodings

    def _send(self, answer: Answer) -> None:
        content, headers = answer.content, answer.headers
        if isinstance(content, bytes) and len(content) >= MIN_PACKED_BYTES and self._takes_packed(answer):
            content = gzip.compress(content, PACKING_LEVEL, mtime=0)
            headers = {**headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        if isinstance(content, bytes):
            self.send_header("Content-Length", str(len(content)))
        self.send_header("Connection", "close")
        self.send_header("Cache-Control", "private, max-age=31536000, immutable" if answer.is_immutable else "no-store")
        for name, value in {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                            **self.server.headers, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        if isinstance(content, bytes):
            self.server.update(self.connection, is_idle=True)
            self.wfile.write(content)
            return
        # EventSource sends no header of its own, so the token of a stream is the query.
        has_token = self._is_token(self.path.partition("?")[2])
        self.server.update(self.connection, is_idle=not has_token, seconds=math.inf)
        for item in content:  # until the browser disconnects: then writing fails, which ends the thread
            if self.connection not in self.server.connections:
                return
            if item:
                self.wfile.write(item)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: commands report what matters, and who opens a page is private."""


def _refuse(status: HTTPStatus, message: str) -> Answer:
    return Answer(status=status, content=f"{message}\n".encode(), kind="text/plain; charset=utf-8")


def _refuse_wish(status: HTTPStatus, message: str) -> Answer:
    return Answer.of_json({"error": message}, status)


# --- Scorer page ---
# Server of the scorer page for phones on the home network.

USUAL_PORT = 8418  # always tried first: what a phone stores for the page belongs to host and port
DEADLINE_S = 20.0


class PageServer(LocalServer):
    """Serves a page on all networks of this machine.

    Its path is always that of the game, so that bookmarks last. It need not be secret: the page has no data of its
    user, and pages of other addresses can't read what a phone stores for it.
    """

    host = ALL_NETWORKS
    usual_port = USUAL_PORT
    max_connections_per_address = 8
    headers: ClassVar = {"X-Frame-Options": "DENY"}

    def __init__(self, page: bytes, port: int | None = None, deadline_s: float = DEADLINE_S,
                 name: str = SHIPPED) -> None:
        self.deadline_s, self.path = deadline_s, f"/{name}.html"
        answer = Answer(content=page, kind="text/html; charset=utf-8")
        to_page = Answer(status=HTTPStatus.FOUND, content=b"", kind=answer.kind, headers={"Location": self.path})
        super().__init__({self.path: answer, "/": to_page}.get, port)

    @property
    def url(self) -> str:
        return f"http://{home_address()}:{self.server_port}{self.path}"


def home_address() -> str:
    """Return this machine's address on its network, or the loopback address without one. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737): only selects the route
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def qr_code(address: str) -> str:
    """Return an address as a QR code in terminal characters."""
    import segno  # imported only to serve

    drawn = io.StringIO()
    segno.make(address, error="m", micro=False).terminal(out=drawn, border=2, compact=True)
    return drawn.getvalue()
