"""Names of files in a deck: what leads out of its folder is refused by its words; the file system is never asked."""

from __future__ import annotations

import builtins
import os
import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given, strategies as st
from PIL import Image

from ppgen.engine.drawing.fonts import font_family
from ppgen.process import supervision
from ppgen.reading import fields
from ppgen.reading.fields import is_file_name
from tests.conftest import ROOT

SERVER = "//server/share/x"
ASKING = "stat", "lstat", "open", "scandir", "listdir", "readlink", "access"
"""What asks the file system for a name."""
DECK = """\
title = "T"
rules = "rules.md"
[cards]
table = "cards.csv"
front = "card.svg.j2"
back = "art/{art}.png"
size = "poker"
[tokens]
front = "drawing.svg"
size = "20mm"
"""
FILES = {
    "deck.toml": DECK, "cards.csv": "id,name,art\na,One,a\n", "rules.md": "# R\n\nWords.\n",
    "card.svg.j2": "{{ image(card.art, 1, 1, 5, 5) }}{{ rich(card.name, x=1, y=9, width=40, height=9, size=3) }}",
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><rect width="9" height="9"/></svg>',
}
STRANGE = [
    ("deck.toml", 'lang = "SERVER"\n' + DECK), ("deck.toml", DECK.replace("rules.md", "SERVER.md")),
    ("deck.toml", 'box = "SERVER.svg.j2"\n' + DECK), ("deck.toml", 'box = "SERVER"\n' + DECK),
    ("deck.toml", DECK.replace("cards.csv", "SERVER.csv")), ("deck.toml", DECK.replace("cards.csv", "SERVER.xlsx")),
    *(("deck.toml", DECK.replace(name, f"SERVER{ending}")) for name in ("card.svg.j2", "art/{art}.png", "drawing.svg")
      for ending in (".svg.j2", ".svg", ".png", "{art}.png", "")),
    ("deck.toml", DECK.replace("art/{art}.png", "{art}.png")), ("deck.toml", DECK + '[SERVER]\nfront = "SERVER"\n'),
    ("cards.csv", "id,name,art\na,One,SERVER\nb,Two,SERVER.png\n"), ("cards.csv", "id,name,art\na,{SERVER},{SERVER}\n"),
    ("cards.csv", "id,name,art\na,{SERVER.svg},SERVER.svg\n"), ("cards.csv", "id,name,art\nSERVER,One,a\n"),
    ("card.svg.j2", '{% include "SERVER.svg.j2" ignore missing %}'),
    ("card.svg.j2", '{{ image("SERVER.png", 1, 1, 5, 5) }}'),
    ("card.svg.j2", '{% import "SERVER.svg.j2" as x %}'), ("card.svg.j2", '{% extends "SERVER.svg.j2" %}'),
    *(("drawing.svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><image href="{href}" width="9" '
       'height="9"/></svg>') for href in ("SERVER.png", "file:SERVER.png", "%2F%2Fserver/share/x.png")),
    ("rules.md", "# R\n\n![x](SERVER.png) ![y](file:SERVER.png)\n"), ("about.md", "# A\n\n![x](SERVER.png)\n"),
    ("words/de.toml", 'title = "SERVER"\n'), ("score.toml", '[a]\nrows = "SERVER.csv"\n'),
    ("score.toml", '[a]\nrows = "SERVER.toml"\n'),
    ("fonts/fonts.toml", '[[fonts]]\nfamily = "X"\nfile = "SERVER.ttf"\n[styles.text]\nfont = "X"\n'),
    *(("ppgen.toml", f'{option} = "SERVER"\n') for option in ("output", "data", "templates", "skin", "card-size")),
]


@pytest.mark.parametrize("name", ["cards.csv", "art/a b.png", "art\\a.png", "ä.csv", "a..b.csv", ".", "icon.svg",
                                  "com.csv", "console.png", "nul-a.svg"])
def test_names_of_files_in_the_folder(name):
    assert is_file_name(name)


@pytest.mark.parametrize("name", [
    "", SERVER, r"\\server\share", "/x", r"\x", "C:x", "C:/x", "../x", "a/../../x", r"a\..\x", "a\nb", "a\0b",
    "\x1b[1m", "x" * 201, "con", "art/AUX.png", r"nul\a.png", "com1 .txt", "LPT².svg", "CONIN$"])
def test_names_that_lead_elsewhere(name):
    assert not is_file_name(name)


@given(st.text("ab.:/\\ ", max_size=9))
def test_names_in_the_folder_lie_there_on_windows_too(name):
    folder = PureWindowsPath("C:/deck")
    assert not is_file_name(name) or ((folder / name).is_relative_to(folder) and ".." not in (folder / name).parts)


@pytest.fixture
def asked(monkeypatch) -> list[str]:
    """The names at another computer that the file system is asked for."""
    found: list[str] = []

    def watch(home: object, name: str) -> None:
        ask: Callable[..., object] = getattr(home, name)

        def watched(path: object = ".", *more: object, **others: object) -> object:
            words = "" if isinstance(path, int) else os.fsdecode(path)  # type: ignore[call-overload]
            if words.removeprefix(f"{Path.cwd()}/").startswith(("/server", "//server", r"\\server")):
                found.append(f"{name} {words}")
            return ask(path, *more, **others)

        monkeypatch.setattr(home, name, watched)

    for name in ASKING:
        watch(os, name)
    watch(builtins, "open")
    return found


def test_questions_are_heard(asked, tmp_path):
    assert not (tmp_path / SERVER).is_file() and (tmp_path / SERVER).resolve()
    assert {question.partition(" ")[0] for question in asked} >= {"stat"}


@pytest.mark.parametrize(("name", "text", "sign"), [(*each, "/\\"[at % 2]) for at, each in enumerate(STRANGE)])
def test_no_name_in_a_deck_asks_another_computer(desk, asked, name, text, sign):
    server = SERVER.replace("/", "\\\\" if name.endswith(("toml", "j2")) else "\\") if sign == "\\" else SERVER
    lay_out(desk.folder, {**FILES, name: text.replace("SERVER", server)})
    command = {"score.toml": "score --template csv", "words/de.toml": "words --table de"}.get(name, "list")
    done = desk.ppgen(*command.split())
    assert not asked, done.output


def lay_out(folder: Path, files: dict[str, str]) -> None:
    for file, content in files.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    (folder / "art").mkdir()
    Image.new("RGB", (300, 400), "red").save(folder / "art/a.png")


FONT = ROOT / "data/fonts/EBGaramond-Regular.ttf"
SPELT = {**FILES, "deck.toml": DECK.replace("{art}", "b"), "score.toml": '[a]\nrows = "lands.csv"\n',
         "lands.csv": "name\nHills\n", "part.svg.j2": "<path d='M0 0'/>",
         "card.svg.j2": FILES["card.svg.j2"] + '{% include "part.svg.j2" %}',
         "fonts/fonts.toml": f'[[fonts]]\nfamily = "{font_family(FONT)}"\nfile = "x.ttf"\n'
                             f'[styles.text]\nfamilies = ["{font_family(FONT)}"]\n'}


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the child is to have what is patched")


@pytest.fixture
def folding(monkeypatch):
    """Names are looked up in their folders, as where a file system finds them by other spellings, too."""
    supervision._forget_child()
    monkeypatch.setattr(fields, "FOLDS_CASE", True)
    yield
    supervision._forget_child()


@needs_fork
@pytest.mark.parametrize("name", ["cards.csv", "card.svg.j2", "part.svg.j2", "drawing.svg", "rules.md", "art", "a.png",
                                  "b.png", "x.ttf", "lands.csv"])
def test_a_name_that_only_some_systems_find_is_refused_on_each(desk, monkeypatch, folding, own_cache, name):
    """The folder lists the file in another spelling."""
    lay_out(desk.folder, SPELT)
    Image.new("RGB", (300, 400), "red").save(desk.folder / "art/b.png")
    shutil.copy(FONT, desk.folder / "fonts/x.ttf")
    monkeypatch.setattr(fields, "_list_names", lambda folder, _: {
        each.name.upper() if each.name == name else each.name for each in folder.iterdir()})
    said = desk.run(*(("score", "--template", "csv") if name == "lands.csv" else ("build", "-q", "--dry-run")),
                    code=1).stderr
    missing = name.removesuffix(".png") if name != "art" else "a"
    assert any(missing in line and re.search("there is no|not found", line) for line in said.splitlines()), said


def test_names_are_compared_however_letters_are_composed(desk, folding):
    for form in ("NFC", "NFD"):
        lay_out(desk.folder / form, {**FILES, "deck.toml": DECK.replace("a.png", "wölf.png").replace("{art}", "wölf")})
        (desk.folder / form / "art/a.png").rename(desk.folder / form / "art" / unicodedata.normalize(form, "wölf.png"))
        assert fields.is_spelt(desk.folder / form, unicodedata.normalize(form, "art/wölf.png"))
