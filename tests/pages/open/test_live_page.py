"""The page's server: it gives what it knows by name to who asks for this machine, and acts for its own page only."""

from __future__ import annotations

import http.client
import io
import json
import re
import socket
import stat
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL import Image

from ppgen.engine.drawing.template_calls import template_digest
from ppgen.pages import local_server
from ppgen.pages.local_server import MAX_CONNECTIONS, Job, JobRunner, PreviewServer, forwarding_file
from ppgen.pages.open.album import Redrawer
from ppgen.pages.open.live_page import LivePage
from ppgen.pages.open.page_looks import Workbench

from .conftest import page_request


@dataclass(frozen=True)
class ServedPage:
    """What the page shows with its first look, and its server; called, it asks for a path."""

    redrawer: Redrawer
    live: LivePage
    server: PreviewServer

    @classmethod
    def of(cls, redrawer: Redrawer, work: Workbench | None = None) -> ServedPage:
        stage = LivePage(work)
        stage.show(redrawer.refresh(), {})
        return cls(redrawer, stage, PreviewServer(stage, 0))

    @property
    def port(self) -> int:
        return int(self.server.url.rpartition(":")[2].strip("/"))

    def __call__(self, path: str, method: str = "GET", body: bytes = b"",
                 **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, path, skip_host="Host" in headers)
        if body:
            connection.putheader("Content-Length", str(len(body)))
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def json(self, path: str):
        answer, content = self(path)
        assert answer.status == 200, (path, answer.status)
        return json.loads(content)

    def post(self, path: str, wish: object, **headers: str) -> tuple[int, dict]:
        """What its own page would send, with other headers where they are given; an empty one is left out."""
        usual = {"Origin": f"http://127.0.0.1:{self.port}", "Sec_Fetch_Site": "same-origin",
                 "Content_Type": "application/json", "X_Ppgen_Token": self.server.token, **headers}
        body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
        answer, content = self(path, "POST", body, **{name: value for name, value in usual.items() if value})
        return answer.status, json.loads(content) if content.startswith(b"{") else {}

    def pieces(self, query: str = "") -> dict[str, dict]:
        return {piece["id"]: piece for section in self.json(f"/api/look{query}")["sections"]
                for piece in section["pieces"]}


@pytest.fixture(scope="module")
def page(workshop):
    """The tokens of the shipped set."""
    page = ServedPage.of(Redrawer(lambda: (workshop, page_request())))
    yield page
    page.server.close()


@pytest.fixture
def own_page(make_redrawer):
    """The cards of a deck that may be changed."""
    page = ServedPage.of(make_redrawer())
    yield page
    page.server.close()


def test_pictures_come_in_the_size_of_their_name(page):
    shot = page.pieces()["claim-stone-1"]["front"]
    for dpi in shot["dpis"]:
        answer, content = page(f"/picture/{shot['key']}-{dpi}.webp")
        assert answer.headers["Content-Type"] == "image/webp" and "immutable" in answer.headers["Cache-Control"]
        with Image.open(io.BytesIO(content)) as picture:
            assert picture.width == pytest.approx(shot["width"] / 25.4 * dpi, abs=2)
    assert page(f"/picture/{shot['key']}-97.webp")[0].status == 404
    assert page(f"/picture/{'0' * 24}-96.webp")[0].status == 404


@pytest.mark.parametrize("path", [
    "/../pyproject.toml", "/page.css/../../server.py", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/server.py",
    "/page.html", "/data/card_game/cards.csv", "/picture/", "/picture/../../x.png", "/made/1/0/x.pdf",
    "/made/../x.pdf", "/?x", "/page.css?x", "*", "/api/cell", "/api/look?skin=../x", "/api/look?lang=xx",
    "/api/look?x=" + 2_000 * "x"])
def test_other_names_lead_nowhere(page, path):
    assert page(path)[0].status == 404


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.:{port}", "",
    "127.0.0.1:{port}.evil.example", "[::1]:{port}"])
def test_who_asks_for_another_host_gets_nothing(page, host):
    for path in ("/", "/page.js", "/events", "/api/look"):
        answer, content = page(path, Host=host.format(port=page.port))
        assert answer.status == 421 and b"<" not in content


def test_no_host_and_two_hosts_are_refused(page):
    for head in (b"", b"Host: 127.0.0.1:%d\r\nHost: evil.example\r\n" % page.port):
        with socket.create_connection(("127.0.0.1", page.port), timeout=60) as line:
            line.sendall(b"GET / HTTP/1.1\r\n" + head + b"Connection: close\r\n\r\n")
            assert b" 421 " in line.makefile("rb").readline()


SAFE_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                "Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin"}


def test_who_opens_a_page_is_private(page, capfd):
    assert page("/")[0].status == 200
    assert capfd.readouterr() == ("", "")


def test_nothing_from_elsewhere_may_come_into_the_page(page):
    for path in ("/", "/page.js", "/nix", "/api/look"):
        headers = page(path)[0].headers
        policy = dict(rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";"))
        assert policy == {**dict.fromkeys(("default-src", "base-uri", "form-action", "frame-ancestors"), "'none'"),
                          "img-src": "'self' blob:",
                          **dict.fromkeys(("style-src", "script-src", "connect-src"), "'self'")}
        assert {name: headers[name] for name in SAFE_HEADERS} == SAFE_HEADERS
    assert page("/", "HEAD")[1] == b""


def test_it_listens_on_the_loopback_only(page):
    assert page.server.url.startswith("http://127.0.0.1:")
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    if sys.platform == "linux":
        others.add("127.0.0.2")  # on the loopback too, and still not ours
    for other in others:
        with pytest.raises(OSError):
            socket.create_connection((other, page.port), timeout=5).close()


def test_a_new_look_is_told_to_all_who_listen(page):
    lines = []
    for _ in range(2):
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
        connection.request("GET", "/events")
        lines.append((connection, connection.getresponse()))

    def next_number(stream):
        return next(int(line[5:]) for line in iter(stream.readline, b"") if line.startswith(b"data:"))

    numbers = {next_number(stream) for _, stream in lines}
    assert len(numbers) == 1
    threading.Timer(0.2, lambda: page.live.show(page.redrawer.refresh(), {})).start()
    assert {next_number(stream) for _, stream in lines} == {min(numbers) + 1}
    for connection, stream in lines:
        stream.close()
        connection.close()


def test_problems_are_in_the_look_and_the_last_good_pictures_stay(own_page, deck_files):
    line = deck_files.change("card.svg.j2", "{{ rich(", "{{ '<b>nix</b>' | nix }}{{ rich(")
    own_page.live.show(own_page.redrawer.refresh(), {})
    look = own_page.json("/api/look")
    (group,) = look["problems"]
    assert group["cause"].endswith(f"card.svg.j2:{line}")
    assert look["failed"] and "orc" in own_page.pieces()


def test_another_look_is_drawn_when_it_is_asked_for(workshop):
    def redrawer(view):
        build = replace(page_request(), langs=(view.lang,), ink=view.ink)
        return Redrawer(lambda: (workshop, build))

    choices = {"lang": ("de", "en"), "ink": ("full", "low")}
    page = ServedPage.of(redrawer(type("View", (), {"lang": "de", "ink": "full"})),
                     Workbench(choices=lambda: choices, redrawer=redrawer))
    german, english, pale = (page.json(f"/api/look{query}") for query in ("", "?lang=en", "?ink=low"))
    assert (german["lang"], english["lang"], pale["view"]["ink"]) == ("de", "en", "low")
    keys = [look["sections"][0]["pieces"][0]["front"]["key"] for look in (german, pale)]
    assert keys[0] != keys[1] and page(f"/picture/{keys[1]}-96.webp")[0].status == 200
    page.server.close()


# Pages that may act

CARDS = '﻿Name,Cost,Text\r\nOrc,1,"a ""b"""\r\nElf,2,<img src=x onerror=alert(1)>'
DECK = '[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
TEMPLATE = ('<rect width="{{ face.width }}" height="{{ face.height }}" fill="#EEE"/>\n'
            '{{ text(card.name, x=30, y=20, width=50, size=6) }}\n{{ text(card.text, x=30, y=40, width=55, size=3) }}')


WAITING = """
import pathlib, sys, time
from ppgen.process.system import report_step
report_step("halfway", 1, 2)
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
print("{}")
"""


@dataclass(frozen=True)
class ActingDeck:
    """A deck on a page that may act; its jobs are done by hand."""

    page: ServedPage
    table: Path
    go: Path

    def wait(self):
        while (status := self.page.json("/api/job"))["state"] == "running":
            time.sleep(0.02)
        return status


@pytest.fixture
def own_deck(deck_folder, make_redrawer, monkeypatch):
    for name, text in (("cards.csv", CARDS), ("deck.toml", DECK), ("card.svg.j2", TEMPLATE)):
        (deck_folder / name).write_bytes(text.encode())
    monkeypatch.chdir(deck_folder)
    table, go = deck_folder / "cards.csv", deck_folder / "go"
    monkeypatch.setattr(local_server, "PROGRAM", (sys.executable, "-c", WAITING))
    jobs = JobRunner({"make": Job(lambda _: [str(go)], lambda choices, *_: {
        "files": [{"path": str(table)}], "choices": choices})})
    choices = {"paper": ("a4", "letter"), "ink": ("full", "low")}
    page = ServedPage.of(make_redrawer(), Workbench(jobs=jobs, folder=deck_folder, choices=lambda: choices))
    yield ActingDeck(page, table, go)
    go.touch()
    page.server.close()


CELL = {"place": "cards.csv", "line": 3, "column": 0, "old": "Elf", "new": "Fay"}


def test_a_cell_is_written_and_taken_back_to_the_byte(own_deck):
    assert own_deck.page.pieces()["elf"]["line"] == 3
    assert own_deck.page.post("/api/cell", CELL) == (200, {})
    assert own_deck.table.read_bytes() == CARDS.replace("Elf", "Fay").encode()
    assert own_deck.page.post("/api/undo", {}) == (200, {"file": "cards.csv"})
    assert own_deck.table.read_bytes() == CARDS.encode()


FOREIGN = [
    ({"X_Ppgen_Token": ""}, 403), ({"X_Ppgen_Token": "no"}, 403), ({"Origin": ""}, 403),
    ({"Origin": "http://evil.example"}, 403), ({"Origin": "http://localhost:{port}"}, 403), ({"Origin": "null"}, 403),
    ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Sec_Fetch_Site": "same-site"}, 403),
    ({"Content_Type": "text/plain"}, 403), ({"Content_Type": "application/x-www-form-urlencoded"}, 403),
    ({"Host": "evil.example", "Origin": "http://evil.example"}, 421)]


def test_only_its_own_page_with_the_token_may_act(own_deck):
    layout = {"template": "card.svg.j2", "digest": template_digest(TEMPLATE), "call": 0, "do": "delete", "values": {}}
    for headers, status in FOREIGN:
        headers = {name: value.format(port=own_deck.page.port) for name, value in headers.items()}
        assert own_deck.page.post("/api/cell", CELL, **headers)[0] == status, headers
        assert own_deck.page.post("/api/layout", layout, **headers)[0] == status, headers
        assert own_deck.table.read_bytes() == CARDS.encode(), headers
        assert (own_deck.table.parent / "card.svg.j2").read_text() == TEMPLATE, headers


def test_only_a_small_json_object_is_a_request(own_deck):
    for body in (b"", b"[]", b"{", b"[" * 50_000, b"x" * 70_000, b'{"a": 1}' + b" " * 70_000, b"\xff"):
        status, answer = own_deck.page.post("/api/undo", body)
        assert (status, answer["error"]) == (400, "This is not a request of the page."), body[:9]


REFUSED = [{"place": "deck.toml"}, {"place": "notes.csv"}, {"place": "/etc/passwd"}, {"place": "../cards.csv"},
           {"line": "3"}, {"new": 1}, {"column": None}, {"new": "\x1b[31m"}, {"new": "x" * 3_000}]


def test_other_files_and_values_are_refused(own_deck):
    (own_deck.table.parent / "notes.csv").write_bytes(CARDS.encode())  # no piece comes from it
    for change in REFUSED:
        assert own_deck.page.post("/api/cell", {**CELL, **change})[0] == 400, change
        assert own_deck.table.read_bytes() == CARDS.encode(), change
    assert (own_deck.table.parent / "notes.csv").read_bytes() == CARDS.encode()


def test_the_text_of_a_template_is_saved_like_a_cell(own_deck):
    file = own_deck.table.parent / "card.svg.j2"
    found = own_deck.page.json("/api/template?name=card.svg.j2")
    assert (found["text"], found["digest"]) == (TEMPLATE, template_digest(TEMPLATE))
    for name in ("deck.toml", "cards.csv", "../card.svg.j2", "/etc/passwd", "shared/edges.svg.j2"):
        assert own_deck.page(f"/api/template?name={name}")[0].status == 404
        assert own_deck.page.post("/api/template", {**found, "name": name, "text": "x"})[0] == 400
    assert own_deck.page.post("/api/template", {**found, "text": 1})[0] == 400
    assert own_deck.page.post("/api/template", {**found, "text": "{{ fill('red') }}"}) == (200, {})
    assert file.read_text() == "{{ fill('red') }}"
    assert own_deck.page.post("/api/template", {**found, "text": "x"})[0] == 409
    assert own_deck.page.post("/api/undo", {})[0] == 200 and file.read_text() == TEMPLATE


def test_jobs_take_values_of_the_lists_only_and_one_at_a_time(own_deck):
    for wrong in ({"paper": "b9"}, {"paper": 4}, {"output": "/tmp"}, {"margin": "9" * 50}, {"margin": 9},
                  {"target": "site"}, {"only": "x"}, {"name": "home"}):
        assert own_deck.page.post("/api/make", wrong)[0] == 400
    for wrong in ({"name": "x" * 50}, {"name": ["home"]}, {"output": "x"}):
        assert own_deck.page.post("/api/printer", wrong)[0] == 400
    assert own_deck.page.post("/api/make", {"paper": "letter", "only": "changed"})[1]["state"] == "running"
    while (status := own_deck.page.json("/api/job"))["step"] != "halfway":
        time.sleep(0.02)
    assert (status["done"], status["total"]) == (1, 2)
    assert own_deck.page.post("/api/make", {})[0] == 409
    own_deck.go.touch()
    status = own_deck.wait()
    assert (status["state"], status["result"]["choices"]) == ("done", {"paper": "letter", "only": "changed"})


def test_only_files_of_the_last_job_are_served(own_deck):
    own_deck.go.touch()
    own_deck.page.post("/api/make", {})
    number = own_deck.wait()["number"]
    answer, content = own_deck.page(f"/made/{number}/0/cards.pdf")
    assert (answer.status, answer.headers["Content-Type"], content) == (200, "application/pdf", CARDS.encode())
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    for path in (f"/made/{number}/1/x.pdf", f"/made/{number + 1}/0/x.pdf", f"/made/{number}/0/../x.pdf"):
        assert own_deck.page(path)[0].status == 404


def test_words_of_a_deck_are_words(own_deck):
    assert b"onerror" not in own_deck.page("/")[1]
    assert own_deck.page.pieces()["elf"]["cells"]["text"] == "<img src=x onerror=alert(1)>"
    assert own_deck.page("/api/look")[0].headers["Content-Type"].startswith("application/json")
    script = (own_deck.page("/page.js")[1]).decode()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", script)


def test_the_token_is_new_each_time_and_stands_behind_the_sign_that_is_never_sent(own_deck):
    other = PreviewServer(own_deck.page.live, 0)
    assert other.token != own_deck.page.server.token and len(other.token) >= 24
    assert own_deck.page.server.own_url == f"{own_deck.page.server.url}#{own_deck.page.server.token}"
    other.shutdown()
    other.server_close()


def test_a_file_that_only_its_owner_may_read_leads_the_browser_to_the_token(tmp_path):
    address = "http://127.0.0.1:8417/#to<ken"
    with forwarding_file(address, tmp_path / "output") as path:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600 or sys.platform == "win32"
        assert "url=http://127.0.0.1:8417/#to&lt;ken" in path.read_text() and "token" not in path.name
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_make_nothing_draw(page, site):
    for path in ("/api/look", "/api/sheets", "/events"):
        assert page(path, Sec_Fetch_Site=site)[0].status == 403
    assert page("/", Sec_Fetch_Site=site)[0].status == 200  # a link may lead to the page
    for own in ("same-origin", "none"):
        assert page("/api/look", Sec_Fetch_Site=own)[0].status == 200


def test_of_many_streams_the_oldest_without_the_token_give_way(own_deck):
    def listen(query: str = "") -> socket.socket:
        line = socket.create_connection(("127.0.0.1", own_deck.page.port), timeout=60)
        line.sendall(f"GET /events{query} HTTP/1.1\r\nHost: 127.0.0.1:{own_deck.page.port}\r\n\r\n".encode())
        while b"data:" not in line.recv(4_000):  # it has begun
            pass
        return line

    own = listen(f"?{own_deck.page.server.token}")
    others = [listen("?guess" if number % 2 else "") for number in range(MAX_CONNECTIONS + 8)]
    assert own_deck.page("/page.css")[0].status == 200
    assert all(line.recv(1) == b"" for line in others[:-MAX_CONNECTIONS + 2])
    own_deck.page.live.show(own_deck.page.redrawer.refresh(), {})
    for line in (own, *others[-MAX_CONNECTIONS + 2:]):
        assert b"event: look" in line.recv(4_000)
    for line in (own, *others):
        line.close()


# Attacks on the line itself

def send(port: int, *lines: str, body: bytes = b"", source: str = "127.0.0.1") -> bytes:
    """Everything that the server says to a raw request until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0)) as line:
        line.sendall("\r\n".join((*lines, "", "")).encode() + body)
        return line.makefile("rb").read()


def test_a_second_origin_is_refused(own_deck):
    host, body = f"127.0.0.1:{own_deck.page.port}", json.dumps(CELL).encode()
    said = send(own_deck.page.port, "POST /api/cell HTTP/1.1", f"Host: {host}", f"Origin: http://{host}",
                "Origin: http://evil.example", "Content-Type: application/json", f"Content-Length: {len(body)}",
                f"X-Ppgen-Token: {own_deck.page.server.token}", body=body)
    assert said.startswith(b"HTTP/1.0 403") and own_deck.table.read_bytes() == CARDS.encode()


def test_a_request_in_the_body_of_another_is_not_answered(own_deck):
    hidden = f"GET /page.css HTTP/1.1\r\nHost: 127.0.0.1:{own_deck.page.port}\r\nConnection: close\r\n\r\n".encode()
    said = send(own_deck.page.port, "POST /api/undo HTTP/1.1", f"Host: 127.0.0.1:{own_deck.page.port}",
                f"Content-Length: {len(hidden)}", body=hidden)
    assert said.startswith(b"HTTP/1.0 403") and said.count(b"HTTP/1.0 ") == 1


def test_a_page_that_is_read_only_takes_no_request(make_redrawer):
    page = ServedPage.of(make_redrawer())
    assert not page.server.token and page.server.own_url == page.server.url
    assert page.post("/api/undo", {})[0] == 501 and page.json("/api/look")["job"] == {"state": ""}
    page.server.close()
