"""Turns what a stage has to show into answers to a browser on this machine, and tells it of each new look.

Serves what it knows by name and nothing else: no name leads to a file of this machine. Listens on the loopback
interface only, and answers only who asks for it by that name, so that no page from elsewhere can read it under
a name of its own (DNS rebinding).
"""

from __future__ import annotations

import sys
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from os import name as system
from socketserver import TCPServer
from threading import Thread
from typing import Any

from ppgen.errors import Problem, RequestError
from ppgen.preview.stage import Answer, Stage

HOST = "127.0.0.1"
USUAL_PORT = 8417
"""Where the page is if nothing else is there: the same each time, so that an open page finds it again."""
POLICY = ("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; font-src 'self'; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


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
