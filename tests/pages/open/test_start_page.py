"""The page that ``ppgen open`` begins with where there is no deck."""

from __future__ import annotations

import io
import json
import shutil
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Thread

import pytest
from PIL import Image

from ppgen.cli.messages import own_page_words
from ppgen.errors import InputError, Problem
from ppgen.pages.open import start_page
from ppgen.pages.open.start_page import Destination, StartBench, StartPage, duplicate_deck, note_opened, read_opened

from .conftest import opened_at, write_deck

PICTURE = b"RIFF of a face"


def draw(choice: Destination, number: int) -> bytes:
    if number:
        raise InputError.at("deck", "has fewer pieces")
    return PICTURE


@pytest.fixture
def start(tmp_path, monkeypatch) -> Iterator[StartPage]:
    """The page in a folder with a deck, a folder that is none, and a deck elsewhere that nobody has opened."""
    monkeypatch.setattr(start_page, "user_folder", lambda kind: tmp_path / kind)
    home = tmp_path / "home"
    for name in ("home/mine", "home/pictures", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    write_deck(home / "mine")
    write_deck(tmp_path / "elsewhere")
    page = StartPage(home, StartBench(
        languages=("en", "de"), words=own_page_words, choose_language=lambda lang: None,
        games=lambda: [{"name": "card-game", "presets": [{"name": "tonight"}]}], draw=draw,
        count_paper=lambda choice: {"sheets": 3, "cuts": 4}, serve_scorer=lambda game: ("http://x/", b"<svg/>"),
        show=lambda folder: None, translate=str))
    yield page
    page.close()


def give(page: StartPage, name: str, content: bytes = b"x", length: int | None = None) -> int:
    answer = page.take(f"/api/drop?{name}", io.BytesIO(content), len(content) if length is None else length)
    assert answer
    return int(answer.status)


def listed(page: StartPage) -> list[str]:
    return [deck["key"] for deck in json.loads(page.answer("/api/start").content)["decks"]]


def test_decks_of_the_folder_and_those_opened_last_are_listed(start, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    assert listed(start) == [str(tmp_path / "home/mine")]
    note_opened(elsewhere)
    note_opened(tmp_path / "home/mine")
    assert {*listed(start)} == {str(tmp_path / "home/mine"), str(elsewhere)}
    for name in ("data", "templates", "ppgen.toml"):  # of ppgen init
        (tmp_path / "home/pictures" / name).mkdir()
    assert str(tmp_path / "home/pictures") in listed(start)
    shutil.rmtree(tmp_path / "home/pictures")
    shutil.rmtree(elsewhere)
    assert listed(start) == [str(tmp_path / "home/mine")]


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'["//server/share"]', b"[" * 9999, b"\xff"])
def test_a_spoilt_list_of_opened_decks_is_none(start, tmp_path, content):
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "opened.json").write_bytes(content)
    assert read_opened() == []


@pytest.mark.parametrize("wish", [
    {}, {"key": ""}, {"key": 3}, {"key": "pictures"}, {"key": "{elsewhere}"}, {"key": "{home}/pictures"},
    {"key": "{home}"}, {"key": "{home}/mine/../mine"},
    {"key": "starter/../../card_game"}, {"key": "starter/empty"}, {"key": "game/nix"},
    {"game": "nix"}, {"game": "card-game", "preset": "nix"}, {"game": ["card-game"]}])
def test_the_page_leads_only_to_what_is_listed(start, tmp_path, wish):
    places = {"home": tmp_path / "home", "elsewhere": tmp_path / "elsewhere"}
    wish = {name: value.format(**places) if isinstance(value, str) else value for name, value in wish.items()}
    for act in ("open", "show", "duplicate", "grid", "read", "points", "table"):
        assert start.act(f"/api/{act}", wish).status == 400, act
    assert start.answer(f"/face.webp?of={wish.get('key', '')}").content == b""
    assert {path.name for path in (tmp_path / "home").iterdir()} == {"mine", "pictures"}


def test_faces_are_those_of_the_listed(start, tmp_path):
    for key in ("starter/plain", "game/card-game", str(tmp_path / "home/mine")):
        assert start.answer(f"/face.webp?of={key}").content == PICTURE
        assert start.answer(f"/face.webp?of={key}&n=2").status == 204


@pytest.mark.parametrize("name", ["../x", "/x", "a/../x", "C:x", "..%5Cx", "%2e%2e/x", "a%00b", "nul", "a/con.png",
                                  "x" * 999, "", "given"])
def test_names_are_judged_before_anything_is_written(start, name):
    assert give(start, "given") == 200
    before = [*start._dropped.folder.rglob("*")]
    assert give(start, name) == 400
    assert [*start._dropped.folder.rglob("*")] == before


def test_files_are_bounded(start, monkeypatch):
    monkeypatch.setattr(start_page, "MAX_DROPPED_BYTES", 10)
    monkeypatch.setattr(start_page, "MAX_DROPPED_FILES", 2)
    assert give(start, "a", length=11) == 400
    start.act("/api/clear", {})
    assert [give(start, name) for name in ("a", "sub/b", "c")] == [200, 200, 400]
    assert give(start, "d", length=-1) == 400 and give(start, "a/b") == 400


def test_a_file_that_breaks_off_is_not_taken_and_nothing_stays_when_it_is_over(start):
    assert give(start, "a", b"12", length=3) == 400
    folder = start._dropped.folder
    assert folder.is_dir() and start.act("/api/clear", {}).status == 200 and not folder.exists()
    give(start, "a")
    folder = start._dropped.folder
    start.close()
    assert not folder.exists()


def test_a_table_is_read_and_made_from_its_address(start, monkeypatch):
    started = []
    monkeypatch.setattr(start.jobs, "start", lambda *job: started.append(job) or True)
    for address in ("ftp://x/y", "/etc/passwd", "--help", "", 3, None):
        assert start.act("/api/fetch", {"address": address}).status == 400
    assert start.act("/api/fetch", {"address": "https://example.org/cards.csv"}).status == 200
    assert start.act("/api/new", {"name": "x"}).status == 200
    assert [name for name, _ in started] == ["read", "new"]
    assert "--from=https://example.org/cards.csv" in start._read_arguments({})
    assert start._new_arguments({"name": "x"}) == ["new", "x", "--json", "--from=https://example.org/cards.csv"]
    start.act("/api/clear", {})
    assert start.act("/api/new", {"name": "x"}).status == 400


def test_a_dropped_pdf_may_be_a_booklet_of_rules(start, monkeypatch):
    monkeypatch.setattr(start.jobs, "start", lambda *_: True)
    wish = {"name": "x", "booklet": True}
    give(start, "rules.pdf")
    assert start.act("/api/new", wish).status == 200 and start._new_arguments(wish)[-1] == "--as=booklet"
    give(start, "cards.csv")
    assert start.act("/api/new", wish).status == 400
    assert start._describe_found({}, {"warnings": ["twice"]}, ["twice", "once"])["warnings"] == ["twice", "once"]


@pytest.mark.parametrize("wish", [
    {"name": "x"}, {"name": "../x", "starter": "plain"}, {"name": "-x", "starter": "plain"},
    {"name": "x", "starter": "../plain"}, {"name": "x", "starter": ["plain"]}, {"starter": "plain"}, {"name": 3}])
def test_a_deck_is_made_only_of_what_is_there(start, monkeypatch, wish):
    monkeypatch.setattr(start.jobs, "start", lambda *_: pytest.fail("started"))
    assert start.act("/api/new", wish).status == 400


def test_a_copy_has_all_but_what_was_made_of_the_deck(start, tmp_path):
    deck = tmp_path / "home/mine"
    for name in ("output/a.pdf", "art/output/b.png", ".ppgen/c"):
        (deck / name).parent.mkdir(parents=True, exist_ok=True)
        (deck / name).write_text("x")
    assert start.act("/api/duplicate", {"key": str(deck)}).status == 200
    copy = tmp_path / "home/mine-2"
    assert {path.name for path in copy.rglob("*")} == {"deck.toml", "cards.csv", "card.svg.j2", "macros.svg.j2",
                                                       "back.svg.j2", "art", "output", "b.png"}
    assert duplicate_deck(deck).name == "mine-3" and len(listed(start)) == 3


def test_half_a_copy_is_removed(tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    write_deck(tmp_path / "mine")
    calls = count()

    def fail_soon(*paths: str, **_: object) -> str:
        if next(calls) == 2:
            raise OSError("disk full")
        return shutil.copyfile(*paths)

    monkeypatch.setattr(shutil, "copy2", fail_soon)
    monkeypatch.setattr(shutil.copytree, "__defaults__", (False, None, fail_soon, False, False))
    with pytest.raises(OSError):
        duplicate_deck(tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_choice_is_answered_once_it_is_shown(start, tmp_path):
    answers: list[int] = []
    asking = Thread(target=lambda: answers.extend(
        start.act("/api/open", {"key": str(tmp_path / "home/mine")}).status for _ in range(2)))
    asking.start()
    for problems in ((), [Problem("ppgen.toml", "is wrong")]):
        assert start.wait_for_choice() == Destination(folder=tmp_path / "home/mine")
        start.answer_choice(problems)
    asking.join()
    assert answers == [200, 400]


# --- In a browser ---

TILES = "document.querySelectorAll('#starters .tile').length === 8"
READ = "!document.querySelector('#go').hidden && !document.querySelector('#found').hidden"
PIECES = "document.querySelectorAll('.piece img').length"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "kelpbay.csv").write_text("Name,Cost,Art\nOtter,2,otter.png\nCrab,3,crab.png\n", encoding="utf-8")
    for name, colour in (("otter", "#446688"), ("crab", "#884466")):
        Image.new("RGB", (750, 1050), colour).save(folder / f"{name}.png")
    return folder


@pytest.mark.slow
def test_dropped_files_become_a_deck_that_opens_and_leads_back(browser, tmp_path, files):
    with opened_at(tmp_path) as address:
        browser("look", width=360, height=800, dark=True)
        browser("open", url=address)
        browser.wait_for(TILES)
        assert browser.violations() == []
        assert browser.find("document.documentElement.scrollWidth") <= 360
        browser("look", width=1200, height=900)
        browser("drop", at=[600, 200], files=[str(files / name) for name in ("kelpbay.csv", "otter.png", "crab.png")])
        browser.wait_for(READ)
        assert "Art → picture" in browser.find("document.querySelector('#what').innerText")
        assert browser.find("document.querySelector('#found code').textContent") == (
            "ppgen new kelpbay --from kelpbay.csv --art .")
        assert browser.violations() == []
        browser("click", at="#cancel")
        browser.wait_for("document.querySelector('#found').hidden")
        assert [path for path in tmp_path.iterdir() if not path.name.startswith(".") and path.name != "config"] == []
        browser("drop", at=[600, 200], files=[str(files)])  # a folder
        browser.wait_for(READ)
        browser("click", at="#go")
        browser.wait_for(f"{PIECES} >= 2 && !document.querySelector('#home').hidden")
        assert len([*tmp_path.glob("*/deck.toml")]) == 1
        browser("click", at="#home")
        browser.wait_for("document.querySelectorAll('#games .tile').length === 1")
        browser("click", at="#games .tile button")
        browser.wait_for(f"{PIECES} >= 2")
        assert not [each for each in browser("heard")["errors"] if "404" not in each]  # waiting for another page


@pytest.mark.slow
def test_a_shipped_game_is_printed_with_a_preset_in_the_users_language(browser, tmp_path):
    with opened_at(tmp_path) as address:
        browser("open", url=address)
        browser.wait_for(TILES)
        browser.find("$('#lang').value = 'de', $('#lang').dispatchEvent(new Event('change'))")
        browser.wait_for(f"document.documentElement.lang === 'de' && {TILES}")
        browser.find("$('.shipped select').value = 'tonight'")
        browser("click", at=".shipped .main")
        browser.wait_for("document.querySelector('#t-print')?.getAttribute('aria-selected') === 'true' "
                         "&& document.querySelector('[name=backs]:checked, [name=backs]')")
        assert browser.find("(document.querySelector('[name=backs]:checked') ?? "
                            "document.querySelector('[name=backs]')).value") == "none"
        assert "Länderkarten" in browser.find("document.body.textContent")


@pytest.mark.slow
def test_the_page_to_start_from_is_shown_soon(tmp_path):
    """Within 0.6 s of processor time, of which the law allows twice as much: machines differ."""
    import resource
    import urllib.request

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with (opened_at(tmp_path) as address,
          urllib.request.urlopen(address.partition("#")[0] + "api/start") as answer):
        assert len(json.load(answer)["starters"]) == 8
    time.sleep(0.1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1.2
