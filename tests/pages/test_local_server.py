"""The server below the live page and the scorer page: how long a connection lasts."""

from __future__ import annotations

import http.client
import queue
import socket
import sys
from typing import ClassVar

import pytest

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
    answers = {"/": Answer(content=b"page", kind="text/plain"),
               "/stream": Answer(content=iter(items.get, b""), kind="text/plain")}
    server = Quick(answers.get, None)
    yield server
    server.close()


def test_each_request_of_a_connection_has_its_own_deadline(server, clock):
    with socket.create_connection((LOOPBACK, server.server_port), timeout=60) as idle:
        busy = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=60)
        for clock.now in (0.0, 4.0, 8.0):
            busy.request("GET", "/")
            assert busy.getresponse().read() == b"page"
            line = busy.sock
            assert line is not None
        assert idle.recv(1) == b""  # its deadline is over
        busy.request("GET", "/")
        assert busy.getresponse().read() == b"page" and busy.sock is line
        busy.close()


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
def test_more_connections_than_it_can_serve_are_closed(server, monkeypatch):
    monkeypatch.setattr(local_server, "MAX_CONNECTIONS", 3)
    monkeypatch.setattr(Quick, "max_connections_per_address", 2)

    def connect(address: str) -> socket.socket:
        return socket.create_connection((LOOPBACK, server.server_port), timeout=5, source_address=(address, 0))

    with connect("127.0.0.1"), connect("127.0.0.1"), connect("127.0.0.1") as third:
        assert third.recv(1) == b""  # of one address
        with connect("127.0.0.2"), connect("127.0.0.2") as fourth:
            assert fourth.recv(1) == b""  # of all


def test_the_server_of_the_open_page_has_a_deadline_too(clock):
    from ppgen.pages.open.live_page import LivePage
    from ppgen.pages.open.page_server import PreviewServer

    server = PreviewServer(LivePage(), 0)
    with socket.create_connection((LOOPBACK, server.server_port), timeout=60) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost:")
        other = http.client.HTTPConnection(LOOPBACK, server.server_port, timeout=60)
        other.request("GET", "/page.css")
        assert other.getresponse().status == 200  # so the first connection has been accepted
        other.close()
        clock.now = 5.1
        assert slow.recv(1) == b""
    server.close()
