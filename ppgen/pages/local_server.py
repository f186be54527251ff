"""Servers of pages on this computer, and what the pages of ``ppgen open`` share: static files and jobs.

A page is light: it loads what draws a set only when it shows one.
"""

from __future__ import annotations

import gzip
import hmac
import io
import json
import math
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from io import BufferedIOBase
from os import name as system
from pathlib import Path
from socketserver import TCPServer
from tempfile import TemporaryFile
from threading import Lock, Thread, Timer
from time import monotonic
from traceback import format_exc
from typing import IO, Any, ClassVar

from ppgen.errors import InputError, Phrase, RequestError, to_one_line
from ppgen.process.system import PROGRESS_MARK, PROGRESS_VARIABLE
from ppgen.records import dataclass, field, replace

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
FILE_TYPE = "application/octet-stream"  # of a file that a request brings: no form can send that, either
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

    def take(self, path: str, stream: BufferedIOBase, length: int) -> Answer | None:
        """Take a file, of that many bytes, that an authorized request brings; None for an unknown path."""
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
        elif self.headers.get_content_type() == FILE_TYPE:
            self._send(self.server.take(self.path, self.rfile, self._length)
                       or _refuse_wish(HTTPStatus.NOT_FOUND, "There is nothing here."))
        elif (wish := self._read_wish()) is None:
            self._send(_refuse_wish(HTTPStatus.BAD_REQUEST, "This is not a request of the page."))
        else:
            self._send(self.server.act(self.path, wish) or _refuse_wish(HTTPStatus.NOT_FOUND, "There is nothing here."))

    def _is_own_page(self) -> bool:
        """Whether a request comes from the page, opened with its token."""
        host = self.headers["Host"]
        return (self.headers.get_all("Origin", []) == [f"http://{host}"]
                and self.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"
                and self.headers.get_content_type() in ("application/json", FILE_TYPE)
                and self._is_token(self.headers.get(TOKEN_HEADER, "")))

    def _is_token(self, words: str) -> bool:
        return bool(self.server.token) and hmac.compare_digest(words.encode(), self.server.token.encode())

    def _read_wish(self) -> Mapping[str, object] | None:
        """Read the body, a JSON object of limited size; None if it is anything else."""
        if not 0 < self._length <= MAX_BODY_BYTES:
            return None
        try:
            wish = json.loads(self.rfile.read(self._length))
        except (ValueError, RecursionError):
            return None
        return wish if isinstance(wish, dict) else None

    @property
    def _length(self) -> int:
        """The bytes of the body; -1 if it is not said."""
        length = self.headers.get("Content-Length", "")
        return int(length) if length.isascii() and length.isdigit() and len(length) < 10 else -1

    def _has_own_host(self) -> bool:
        if self.server.host != LOOPBACK:
            return True
        port = self.server.server_port
        suffixes = (f":{port}", "") if port == 80 else (f":{port}",)
        return self.headers.get_all("Host", []) in [
            [host + suffix] for host in (LOOPBACK, "localhost") for suffix in suffixes]

    def _send(self, answer: Answer) -> None:
        content, headers = answer.content, answer.headers
        reads_gzip = "gzip" in map(str.strip, self.headers.get("Accept-Encoding", "").split(","))
        is_text = answer.kind.endswith("charset=utf-8")
        if isinstance(content, bytes) and len(content) >= MIN_PACKED_BYTES and is_text and reads_gzip:
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

SHIPPED = "kardinal-koenig"  # name of the page of the shipped games
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


def qr_picture(address: str) -> bytes:
    """Return an address as the SVG of a QR code, dark on white."""
    import segno

    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(drawn, kind="svg", border=3, light="#fff", omitsize=True)
    return drawn.getvalue()


# --- Jobs ---
# Jobs of a page, one at a time: commands of ppgen, each in a process of its own.
#
# A job has limits of its own, gives up rights of its own, and undoes its work when it is stopped. Its result is the
# JSON that the command prints, its errors are the lines on stderr.

Choices = Mapping[str, str]
PROGRAM = (sys.executable, "-P", "-m", "ppgen")  # -P: the working folder, that of a deck, holds no modules
GRACE_PERIOD_S = 10.0  # seconds that a job has to undo its work when it is stopped


@dataclass(frozen=True, slots=True)
class Job:
    """A command: its arguments for the choices of a page (raises InputError), and the result for what it prints."""

    arguments: Callable[[Choices], Sequence[str]]
    result: Callable[[Choices, Any, Sequence[str]], Mapping[str, Any]]
    """Called with the choices, the JSON of the command, and its messages."""
    codes: tuple[int, ...] = (0,)  # exit codes after which there is a result
    has_json: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """The last job, and how far it is."""

    number: int = 0
    name: str = ""  # what it does
    state: str = ""  # `running`, `done` or `failed`
    step: str = ""
    done: int = 0  # steps that are behind it
    total: int = 0  # 0 as long as it is unknown
    errors: tuple[Mapping[str, str], ...] = ()  # with what, remedy and where, or the key of a text of the page
    choices: Choices = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)


class JobRunner:
    """Runs jobs by name; ``on_change`` is called from a thread."""

    def __init__(self, jobs: Mapping[str, Job]) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.status = JobStatus()
        self._jobs = jobs
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_stopping = self._is_closed = False

    def start(self, name: str, choices: Mapping[str, Any]) -> bool:
        """Begin a job; False if another one is running."""
        with self._lock:
            if self.status.state == "running" or self._is_closed:
                return False
            self._is_stopping = False
            self.status = JobStatus(number=self.status.number + 1, name=name, state="running", choices=choices)
            try:
                self._start(self._jobs[name])
            except InputError as error:
                self._change(state="failed", errors=tuple(
                    _error(each.what, each.remedy, each.where) for each in error.problems))
        self.on_change()
        return True

    def _start(self, job: Job) -> None:
        words = [*PROGRAM, *job.arguments(self.status.choices)]
        output = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed when it has been read
        self._process = subprocess.Popen(  # in a session of its own: Ctrl-C in the terminal is for the page only
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True, creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            env={**os.environ, PROGRESS_VARIABLE: "1", "PYTHONIOENCODING": "utf-8"})
        Thread(target=self._follow, args=(job, self._process, output), name="job", daemon=True).start()

    def stop(self) -> None:
        """Stop the running job, if any: it undoes its work first."""
        if (process := self._process) and process.poll() is None:
            self._is_stopping = True
            process.terminate()
            timer = Timer(GRACE_PERIOD_S, _kill, [process])
            timer.daemon = True
            timer.start()

    def close(self) -> None:
        """Stop the job, and wait for its end; no other one begins."""
        with self._lock:
            self._is_closed = True
        self.stop()
        self.wait()

    def wait(self) -> None:
        """Wait for the end of a job that is to stop."""
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_PERIOD_S)
            _kill(self._process)

    def _change(self, **changes: Any) -> None:
        self.status = replace(self.status, **changes)

    def _follow(self, job: Job, process: subprocess.Popen[str], output: IO[str]) -> None:
        """Note the steps of a job, and its end."""
        lines: list[str] = []
        with process:
            for line in process.stderr or ():
                if line.startswith(PROGRESS_MARK):
                    step, done, total = json.loads(line.removeprefix(PROGRESS_MARK))
                    self._change(step=step, done=done, total=total)
                    self.on_change()
                elif line.strip():
                    lines.append(to_one_line(line.rstrip()))
        code = process.returncode
        with output:
            output.seek(0)
            text = output.read()
        try:
            if code in job.codes and (text or not job.has_json):
                self._change(state="done", result=job.result(self.status.choices, json.loads(text or "{}"), lines))
            else:
                is_crash = code < 0 or not lines
                self._change(state="failed", errors=({"key": "stopped"},) if self._is_stopping else (
                    {"key": "crashed"},) if is_crash else tuple(map(_error, lines)))
        except Exception as error:  # the page must not wait for ever
            print(format_exc(), file=sys.stderr)
            self._change(state="failed", errors=(_error(f"unexpected {type(error).__name__}: this is a bug in ppgen"),))
        self.on_change()


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _error(what: str, remedy: str = "", where: str = "") -> dict[str, str]:
    return {"where": to_one_line(where), "what": to_one_line(what), "remedy": to_one_line(remedy)}


# --- Static files ---

SCRIPT, STYLE = "text/javascript; charset=utf-8", "text/css; charset=utf-8"
DECK_NAME = r"\w[\w .-]{0,79}"  # what a page may call the folder of a new deck: not a path
LOOK_INTERVAL_S = 1.0  # between looks at whether a listener gives way, or a page has been left
PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""Browsers show a PDF with a page of their own."""
TABLE_POLICY = ("default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                "frame-ancestors 'none'; sandbox allow-scripts allow-downloads allow-modals")
"""The page of a table has an origin of its own: it knows nothing of the token."""
MADE_KINDS = {"pdf": ("application/pdf", PDF_POLICY), "html": ("text/html; charset=utf-8", TABLE_POLICY)}

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_MADE = re.compile(r"/made/([0-9]{1,6})/([0-9]{1,4})/[\w.-]{1,200}\.(pdf|html)")


def static_answers(page: str, others: Iterable[str], words: Mapping[str, str]) -> dict[str, Answer]:
    """The files of a page by path, its scripts and styles among the ``others``, with texts in the user's language.

    The page begins with what all have in common (``head.html``).
    """
    resources = files("ppgen.pages.open")
    kinds = {"page.css": STYLE, "icon.svg": "image/svg+xml",
             **{name: STYLE if name.endswith(".css") else SCRIPT for name in others}}
    html = _PLACEHOLDER.sub(lambda match: escape(words.get(match[1], match[1])), "".join(
        (resources / name).read_text(encoding="utf-8") for name in ("head.html", page)))
    return {"/": Answer(content=html.encode(), kind="text/html; charset=utf-8"),
            "/words.js": Answer(content=f"const WORDS = {json.dumps(words)};".encode(), kind=SCRIPT),
            **{f"/{name}": Answer(content=(resources / name).read_bytes(), kind=kind) for name, kind in kinds.items()}}


def made_answer(jobs: JobRunner | None, address: str) -> Answer | None:
    """A PDF of the last job, or the page of a table."""
    match = _MADE.fullmatch(address)
    if not match or jobs is None or jobs.status.number != int(match[1]):
        return None
    made, index = jobs.status.result.get("files", []), int(match[2])
    try:
        content = Path(made[index]["path"]).read_bytes()
    except (OSError, IndexError):
        return None
    kind, policy = MADE_KINDS[match[3]]
    return Answer(content=content, kind=kind, headers={"Content-Security-Policy": policy})


# --- Server of ppgen open ---
# Server of a page, and the file that leads a browser to it.


class ServedPage:
    """A page of the server. Without the token of the server's address it only looks."""

    @property
    def can_act(self) -> bool:
        return True

    def answer(self, path: str) -> Answer | None:
        """Return the answer for a path; None for an unknown one."""
        raise NotImplementedError

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        """Do what an authorized request asks for; None for an unknown path."""
        return None

    def take(self, path: str, stream: BufferedIOBase, length: int) -> Answer | None:
        """Take a file of an authorized request."""
        return None

    def close(self) -> None:
        """End what the page has begun."""


DEFAULT_PORT = 8417  # always tried first, so that an open page finds the server again
POLICY = ("default-src 'none'; img-src 'self' blob:; style-src 'self'; script-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class PreviewServer(LocalServer):
    """Serves a page on the loopback interface. If that can act it has a token, new at each start."""

    host = LOOPBACK
    usual_port = DEFAULT_PORT
    deadline_s = 120.0
    headers: ClassVar = {"Content-Security-Policy": POLICY, "Cross-Origin-Resource-Policy": "same-origin",
                         "Cross-Origin-Opener-Policy": "same-origin"}

    def __init__(self, page: ServedPage, port: int | None = None) -> None:
        self.page = page
        """May be replaced by the next one, for which the token holds, too."""
        if page.can_act:
            self.token = secrets.token_urlsafe(18)
        super().__init__(lambda path: self.page.answer(path), port)

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.server_port}/"

    @property
    def own_url(self) -> str:
        """The address with the token, which browsers don't send and servers don't log."""
        return f"{self.url}#{self.token}" if self.token else self.url

    def act(self, path: str, wish: Mapping[str, object]) -> Answer | None:
        return self.page.act(path, wish)

    def take(self, path: str, stream: BufferedIOBase, length: int) -> Answer | None:
        return self.page.take(path, stream, length)

    def close(self) -> None:
        self.shutdown()
        self.page.close()
        self.server_close()


_FORWARD = """<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>ppgen</title>
<meta http-equiv="refresh" content="0; url={address}">
<p><a href="{address}">ppgen</a></p></html>
"""


@contextmanager
def forwarding_file(address: str, folder: Path) -> Iterator[Path]:
    """A file that only its owner may read and that leads a browser to an address, until the block ends.

    The arguments of programs, a browser's too, are public on most systems, and the address has the token. The file lies
    in a folder of the user: browsers in a sandbox (snaps) don't see the system's temporary folder. Raises OSError.
    """
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix="open-", suffix=".html")  # with mode 600
    path = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(_FORWARD.format(address=escape(address)))
        yield path
    finally:
        with suppress(OSError):
            path.unlink()
        if is_new:
            with suppress(OSError):  # something has been written there
                folder.rmdir()
