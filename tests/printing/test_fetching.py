"""Tables on the web: what a typed address gives, where it may lead to, and what is taken anew."""

import socket
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ppgen.errors import InputError
from ppgen.making import fetching
from ppgen.making.fetching import Fetched, fetch_table, is_address
from tests.reading.test_tables import workbook

CARDS = "Name,Cost,Text\nOrc,1,Bites.\nElf,2,Sings.\n"
PUBLIC = "93.184.216.34"


@contextmanager
def served(**answers):
    """A server on this machine; an answer is its status, headers and content, by path."""
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, headers, content = answers[self.path.strip("/").partition(".")[0]]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def refusal(address: str, *, is_typed: bool = True) -> str:
    with pytest.raises(InputError) as raised:
        fetch_table(address, is_typed=is_typed)
    return str(raised.value)


@pytest.mark.parametrize(("headers", "content", "name"), [
    ({}, CARDS.encode(), "cards.csv"),
    ({"Content-Disposition": "attachment; filename*=UTF-8''Tr%C3%B6lle%20-%20Cards.tsv"}, b"a\tb\n1\t2",
     "Trölle - Cards.tsv"),
    ({"Content-Disposition": 'attachment; filename="../../etc/passwd"'}, CARDS.encode(), "passwd.csv"),
    ({}, b'\xef\xbb\xbf [{"name": "Orc"}]', "cards.json"),
    ({}, workbook(Cards=[["Name"], ["Orc"]]), "cards.xlsx")])
def test_a_table_has_the_name_and_the_kind_that_it_is(headers, content, name):
    with served(cards=(200, headers, content)) as home:
        assert fetch_table(f"{home}/cards", is_typed=True) == Fetched(name, content)


@pytest.mark.parametrize(("status", "headers", "content", "what"), [
    (200, {}, b"<!doctype html><title>Log in</title>", "is not shared"), (403, {}, b"", "is not shared"),
    (404, {}, b"", "answers with 404"), (200, {}, b"", "is not a table"), (200, {}, b"%PDF-1.7", "is not a table"),
    (200, {}, b"a\0b", "is not a table"), (200, {}, b"x" * 2_000, "more than"),
    (302, {"Location": "http://example.org/cards.csv"}, b"", "is not an https address"),
    (302, {"Location": "file:///etc/passwd"}, b"", "names no server"),
    (302, {"Location": "https://example.org:9999999/"}, b"", "is not an address"),
    (302, {"Location": "https://127.0.0.1:1/x"}, b"", "own network"),
    (302, {"Location": "/cards"}, b"", "own network")])
def test_what_is_not_a_shared_table_is_told(monkeypatch, status, headers, content, what):
    monkeypatch.setattr(fetching, "MAX_FETCHED_BYTES", 1_000)
    look_up = fetching._look_up
    monkeypatch.setattr(fetching, "_look_up", lambda host, port, at: (
        [PUBLIC] if host == "example.org" else look_up(host, port, at)))
    with served(cards=(status, headers, content)) as home:
        assert what in refusal(f"{home}/cards")
        assert "own network" in refusal(f"{home}/cards", is_typed=False)  # an address of a deck


def test_half_a_table_and_a_server_that_only_waits_are_refused(monkeypatch):
    with served(cards=(200, {"Content-Length": "100"}, CARDS.encode())) as home:
        assert "can't be reached" in refusal(f"{home}/cards.csv")
    monkeypatch.setattr(fetching, "DEADLINE_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        start = time.monotonic()
        assert "can't be reached" in refusal(f"http://127.0.0.1:{server.getsockname()[1]}/cards.csv")
        assert time.monotonic() - start < fetching.TIMEOUT_S / 2


@pytest.mark.parametrize("ip", ["10.0.0.1", "192.168.1.4", "127.0.0.1", "169.254.1.1", "::1", "fe80::1%eth0", "fd00::2",
                                "::ffff:10.0.0.1", "0.0.0.0"])
def test_no_name_of_a_deck_leads_into_the_own_network(monkeypatch, ip):
    asked = []
    monkeypatch.setattr(fetching, "_ask", lambda *given: asked.append(given))
    monkeypatch.setattr(fetching, "_look_up", lambda *_: [PUBLIC, ip])
    assert "own network" in refusal("https://example.org/cards.csv", is_typed=False) and not asked


def test_only_https_addresses_of_public_servers_are_asked(monkeypatch):
    monkeypatch.setattr(fetching, "_look_up", lambda *_: [PUBLIC])
    asked = []
    monkeypatch.setattr(fetching, "_ask", lambda at, ip, *_: asked.append((at, ip)) or f"{at}x")
    assert "not an https address" in refusal("http://example.org/cards.csv") and not asked
    assert "from one address to the next" in refusal("https://example.org/a")
    assert [ip for _, ip in asked] == [PUBLIC] * 6


def test_the_address_of_a_page_as_people_share_it_leads_to_its_file(golden_cases, monkeypatch):
    asked = []
    monkeypatch.setattr(fetching, "_look_up", lambda *_: [PUBLIC])
    monkeypatch.setattr(fetching, "_ask", lambda at, *_: asked.append(at) or Fetched("cards.csv", b"a"))

    def answer(page):
        assert is_address(f"https:/{page}")
        fetch_table(f"https:/{page}", is_typed=True)  # a path has lost a slash
        yield asked.pop()

    golden_cases("addresses", answer)


def test_a_deck_of_an_address_is_taken_anew_and_the_changes_are_shown(desk):
    answers = {"cards": (200, {}, CARDS.encode())}
    with served(**answers) as home:
        def again(*words):
            return desk.ppgen("fetch", "--data", "war", *words)

        desk.run("new", "war", "--from", f"{home}/cards.csv")
        table, deck = desk.folder / "war" / "cards.csv", (desk.folder / "war" / "deck.toml").read_text("utf-8")
        assert f'source = "{home}/cards.csv"\n' in deck and table.read_text("utf-8") == CARDS
        assert desk.ppgen("check", "--data", "war").exit_code == 0
        assert (again().exit_code, "add --yes" in again().stderr) == (2, True)  # no terminal to ask on
        assert "own network" in again("--yes").stderr
        typed = "--yes", "--from", f"{home}/cards.csv"
        assert "is as it was" in again(*typed).stderr
        answers["cards"] = 200, {}, b"Name,Cost,Text\nOrc,+3,Bites.\nBat,1,Flies.\n"
        with served(**answers) as other:
            done = again("--yes", "--from", f"{other}/cards.csv")
        assert done.stdout.splitlines() == [f"war/cards.csv: {line}" for line in (
            "- Elf", "Orc: Cost: 1 → +3", "+ Bat")]
        assert "Bat,1,Flies." in table.read_text("utf-8")
