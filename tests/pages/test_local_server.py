"""The server below the live page and the scorer page: how long a connection lasts."""

from __future__ import annotations

import gzip
import http.client
import json
import queue
import socket
import sys
from contextlib import ExitStack
from typing import ClassVar

import pytest

from ppgen.errors import RequestError
from ppgen.pages import local_server
from ppgen.pages.local_server import LOOPBACK, Answer, LocalServer


class Quick(LocalServer):
    host = LOOPBACK
    usual_port = 0
    deadline_s = 10.0
    headers: ClassVar = {}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(local_server, "monotonic", clock)
    return clock


@pytest.fixture
def items() -> queue.Queue[bytes]:
    """What the path ``/stream`` sends."""
    return queue.Queue()


@pytest.fixture
def server(clock, items):
    answers = {"/": Answer(content=b"page", kind="text/plain"), "/look": Answer.of_json(["look"] * 1_000),
               "/stream": Answer(content=iter(items.get, b""), kind="text/plain")}
    server = Quick(lambda path: answers.get(path.partition("?")[0]), None)
    yield server
    server.close()


def test_a_port_that_is_taken_is_refused_if_it_was_asked_for_else_another_is_chosen(server, monkeypatch):
    monkeypatch.setattr(Quick, "allow_reuse_address", False)
    monkeypatch.setattr(Quick, "usual_port", server.server_port)
    with pytest.raises(RequestError) as refused:
        Quick(lambda path: None, server.server_port)
    assert f"--port: port {server.server_port} is not free: " in str(refused.value)
    other = Quick(lambda path: None, None)
    assert other.server_port != server.server_port
    other.close()


def test_a_connection_gets_one_answer(server):
    with socket.create_connection((LOOPBACK, server.server_port), timeout=60) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: keep-alive\r\n\r\n" % server.server_port)
        answer = line.makefile("rb").read()
    assert answer.count(b"HTTP/1.0 200") == 1 and b"\r\nConnection: close\r\n" in answer


@pytest.mark.parametrize(("accepted", "packed"), [("gzip, br", True), ("br, gzip", True), ("br", False), ("", False)])
def test_long_texts_are_packed_for_browsers_that_unpack_them(server, accepted, packed):
    line = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=60)
    line.request("GET", "/look", headers={"Accept-Encoding": accepted})
    answer = line.getresponse()
    content = answer.read()
    assert (answer.headers["Content-Encoding"] == "gzip") == packed
    assert json.loads(gzip.decompress(content) if packed else content) == ["look"] * 1_000
    assert int(answer.headers["Content-Length"]) == len(content) and (len(content) < 200) == packed


def test_forty_browsers_at_once_need_not_ask_again(server):
    with server._lock, ExitStack() as lines:  # it takes none of them meanwhile
        for _ in range(40):
            lines.enter_context(socket.create_connection((LOOPBACK, server.server_port), timeout=0.5))


def test_a_stream_lasts_longer_than_a_request(server, clock, items):
    with socket.create_connection((LOOPBACK, server.server_port), timeout=60) as idle:
        connection = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=60)
        items.put(b"one\n")
        connection.request("GET", "/stream")
        stream = connection.getresponse()
        assert stream.readline() == b"one\n"
        clock.now = 1000.0
        assert idle.recv(1) == b""
        items.put(b"two\n")
        items.put(b"")
        assert stream.readline() == b"two\n" and stream.readline() == b""
        connection.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address on the loopback")
def test_the_oldest_idle_connection_gives_way(server, monkeypatch, items):
    monkeypatch.setattr(local_server, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(Quick, "max_connections_per_address", 2)
    monkeypatch.setattr(Quick, "token", "secret")

    def connect(address: str = "127.0.0.1", path: str = "") -> socket.socket:
        line = socket.create_connection((LOOPBACK, server.server_port), timeout=60, source_address=(address, 0))
        if path:
            line.sendall(b"GET %b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % (path.encode(), server.server_port))
            assert line.recv(4_000).startswith(b"HTTP/1.0 200")
        return line

    with connect(path="/stream?secret") as own, connect() as second, connect() as third:
        assert second.recv(1) == b""  # of one address, and ``own`` has the token
        with connect("127.0.0.2"), connect("127.0.0.2", "/"):
            assert third.recv(1) == b""  # of all
        items.put(b"one")
        assert own.recv(3) == b"one"
    items.put(b"")
