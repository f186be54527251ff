"""The page's server: it gives what it knows by name to who asks for this machine, and nothing else."""

from __future__ import annotations

import http.client
import io
import re
import socket
import sys
import threading
from dataclasses import dataclass, replace

import pytest
from PIL import Image

from ppgen.errors import RequestError
from ppgen.local_server import Answer
from ppgen.preview.album import AlbumState, PreviewRequest, Redrawer
from ppgen.preview.live_page import LivePage, PreviewServer

from .conftest import preview_request


@dataclass(frozen=True)
class Shown:
    """A bench, a stage with its first look, and the server of it; called, it asks for a path."""

    bench: Redrawer
    stage: LivePage
    server: PreviewServer

    @classmethod
    def of(cls, bench: Redrawer) -> Shown:
        stage = LivePage()
        stage.show(bench.refresh(), "drawn")
        return cls(bench, stage, PreviewServer(stage, 0))

    @property
    def port(self) -> int:
        return int(self.server.url.rpartition(":")[2].strip("/"))

    def __call__(self, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content


@pytest.fixture(scope="module")
def ask(workshop):
    """The tokens of the shipped set."""
    shown = Shown.of(Redrawer(lambda: (workshop, preview_request())))
    yield shown
    shown.server.close()


@pytest.fixture
def own(own_bench):
    """Those of the set on the desk."""
    shown = Shown.of(own_bench())
    yield shown
    shown.server.close()


def test_the_page_is_whole_without_scripts(ask):
    answer, content = ask("/")
    page = content.decode()
    assert answer.status == 200 and answer.headers["Content-Type"] == "text/html; charset=utf-8"
    for album in ask.bench.refresh().albums:
        for piece in album.pieces:
            assert f'<figure id="{piece.id}">' in page and f'alt="{piece.id}, front"' in page
    assert "×3" in page and "hidden" in re.search(r'<section id="problems"[^>]*>', page)[0]


def test_every_address_on_the_page_is_its_own_and_leads_to_something(ask):
    page = ask("/")[1].decode()
    addresses = {word for value in re.findall(r'(?:src|srcset|href)="([^"]*)"', page)
                 for word in re.findall(r"/[^ ,]*", value)}
    assert len(addresses) > 20 and not re.search(r"(?:src|srcset|href)=\"(?!/)", page)
    for address in addresses:
        assert ask(address)[0].status == 200, address


def test_pictures_come_in_the_size_of_their_name(ask):
    page = ask("/")[1].decode()
    key = re.search(r"/picture/([0-9a-f]+)-96\.png", page)[1]
    for dpi in (96, 192, 384):
        answer, content = ask(f"/picture/{key}-{dpi}.png")
        assert answer.headers["Content-Type"] == "image/png" and "immutable" in answer.headers["Cache-Control"]
        with Image.open(io.BytesIO(content)) as picture:
            assert picture.info["dpi"] == pytest.approx((dpi, dpi), abs=0.1)
    assert ask(f"/picture/{key}-97.png")[0].status == 404
    assert ask(f"/picture/{'0' * 24}-96.png")[0].status == 404


@pytest.mark.parametrize("path", [
    "/../pyproject.toml", "/page.css/../../server.py", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/server.py",
    "/page.html", "/data/card_game/cards.csv", "/picture/", "/picture/../../x.png", "/faces/nix", "/faces/../",
    "/?x", "/page.css?x", "*"])
def test_other_names_lead_nowhere(ask, path):
    assert ask(path)[0].status == 404


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.:{port}", "",
    "127.0.0.1:{port}.evil.example", "[::1]:{port}"])
def test_who_asks_for_another_host_gets_nothing(ask, host):
    for path in ("/", "/page.js", "/events"):
        answer, content = ask(path, Host=host.format(port=ask.port))
        assert answer.status == 421 and b"<" not in content


def test_this_machine_may_be_called_by_its_names(ask):
    for host in ("127.0.0.1", "localhost"):
        assert ask("/", Host=f"{host}:{ask.port}")[0].status == 200


def test_no_host_and_two_hosts_are_refused(ask):
    for head in (b"", b"Host: 127.0.0.1:%d\r\nHost: evil.example\r\n" % ask.port):
        with socket.create_connection(("127.0.0.1", ask.port), timeout=60) as line:
            line.sendall(b"GET / HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
            assert b" 421 " in line.makefile("rb").readline()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"])
def test_nothing_but_reading_is_possible(ask, method):
    assert ask("/", method)[0].status == 501


def test_nothing_from_elsewhere_may_come_into_the_page(ask):
    for path in ("/", "/page.js", "/nix"):
        headers = ask(path)[0].headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy and "*" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert ask("/", "HEAD")[1] == b""


def test_it_listens_on_the_loopback_only(ask):
    assert ask.server.url.startswith("http://127.0.0.1:")
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    if sys.platform == "linux":
        others.add("127.0.0.2")  # on the loopback too, and still not ours
    for other in others:
        with pytest.raises(OSError):
            socket.create_connection((other, ask.port), timeout=5).close()


def test_a_new_look_is_told_to_all_who_listen(ask):
    lines = []
    for _ in range(2):
        connection = http.client.HTTPConnection("127.0.0.1", ask.port, timeout=60)
        connection.request("GET", "/events")
        lines.append((connection, connection.getresponse()))

    def next_number(stream):
        return next(int(line[5:]) for line in iter(stream.readline, b"") if line.startswith(b"data:"))

    numbers = {next_number(stream) for _, stream in lines}
    assert len(numbers) == 1
    threading.Timer(0.2, lambda: ask.stage.show(ask.bench.refresh(), "again")).start()
    assert {next_number(stream) for _, stream in lines} == {min(numbers) + 1}
    for connection, stream in lines:
        stream.close()
        connection.close()


def test_problems_stand_on_the_page_in_words_that_do_no_harm(own, own_desk):
    line = own_desk.change("templates/card_game/claim-stone.svg.j2", "</svg>", "{{ '<b>nix</b>' | nix }}</svg>")
    own.stage.show(own.bench.refresh(), "<i>wrong</i>")
    page = own("/")[1].decode()
    assert f"<code>templates/card_game/claim-stone.svg.j2:{line}</code>" in page
    assert "<b>" not in page and "<i>" not in page and "&lt;i&gt;wrong" in page
    assert "hidden" not in re.search(r'<section id="problems"[^>]*>', page)[0]
    assert '<figure id="claim-stone-1">' in page  # the last good pictures stay


def test_the_page_stands_before_anything_is_drawn():
    stage = LivePage()
    stage.show(AlbumState(), "not yet")
    assert b"Nothing has been drawn yet" in stage.answer("/").content
    assert b"not yet" in stage.answer("/pages").content


def test_pages_are_laid_out_when_they_are_asked_for(own, own_desk):
    answer, content = own("/pages/de-a4")
    assert answer.status == 200
    pictures = re.findall(r' src="(/picture/[^"]*)"', content.decode())
    assert len(pictures) == 3 and own(pictures[1])[1].startswith(b"\x89PNG")
    own_desk.change("data/card_game/stones.toml", "#56B4E9", "#56B4E8")
    own.stage.show(own.bench.refresh(), "again")
    assert re.findall(r' src="(/picture/[^"]*)"', own("/pages")[1].decode()) != pictures


def test_languages_have_pages_of_their_own(workshop):
    build = replace(preview_request(names=("law-*",)).build, langs=("de", "en"))
    shown = Shown.of(Redrawer(lambda: (workshop, PreviewRequest(build=build, names=("law-*",)))))
    german, english = (shown(f"/faces/{lang}-a4")[1].decode() for lang in ("de", "en"))
    assert shown("/")[1].decode() == german != english and '<main lang="en">' in english
    for page in (german, english):
        links = re.findall(r'<a href="(/faces/..-a4)"( aria-current="page")?>(.+?)</a>', page)
        assert {(path, name) for path, _, name in links} >= {("/faces/de-a4", "Deutsch · A4"),
                                                             ("/faces/en-a4", "English · A4")}
    shown.server.close()


def test_a_port_that_is_taken(ask):
    with pytest.raises(RequestError, match=rf"--port: port {ask.port} is not free"):
        PreviewServer(LivePage(), ask.port)
    one, two = PreviewServer(LivePage()), PreviewServer(LivePage())  # the usual one, or another
    assert one.url != two.url
    one.close()
    two.close()


def test_it_ends_when_nothing_is_being_drawn_any_more(monkeypatch):
    """A library at work in another thread while Python ends takes the whole process down."""
    begun, may_end = threading.Event(), threading.Event()
    stage = LivePage()

    def draw(view: str, id: str) -> Answer:
        begun.set()
        may_end.wait(60)
        return Answer(content=b"", kind="")

    monkeypatch.setattr(stage, "_view", draw)
    drawing = threading.Thread(target=stage.answer, args=("/",))
    drawing.start()
    assert begun.wait(60)
    closing = threading.Thread(target=stage.close)
    closing.start()
    closing.join(0.1)
    assert closing.is_alive()
    may_end.set()
    closing.join(60)
    assert not closing.is_alive()
    assert stage.answer("/") is None
    drawing.join(60)
