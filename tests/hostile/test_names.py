"""Names of files in a deck: what leads out of its folder is refused by its words; the file system is never asked."""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable
from pathlib import Path, PureWindowsPath

import pytest
from hypothesis import given, strategies as st
from PIL import Image

from ppgen.reading.fields import is_file_name

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


@pytest.mark.parametrize("name", ["cards.csv", "art/a b.png", "art\\a.png", "ä.csv", "a..b.csv", "."])
def test_names_of_files_in_the_folder(name):
    assert is_file_name(name)


@pytest.mark.parametrize("name", [
    "", SERVER, r"\\server\share", "/x", r"\x", "C:x", "C:/x", "../x", "a/../../x", r"a\..\x", "a\nb", "a\0b",
    "\x1b[1m", "x" * 201])
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
    assert {question.partition(" ")[0] for question in asked} == {"stat", "lstat"}


@pytest.mark.parametrize(("name", "text", "sign"), [(*each, "/\\"[at % 2]) for at, each in enumerate(STRANGE)])
def test_no_name_in_a_deck_asks_another_computer(desk, asked, name, text, sign):
    server = SERVER.replace("/", "\\\\" if name.endswith(("toml", "j2")) else "\\") if sign == "\\" else SERVER
    for file, content in {**FILES, name: text.replace("SERVER", server)}.items():
        (desk.folder / file).parent.mkdir(exist_ok=True)
        (desk.folder / file).write_text(content, encoding="utf-8")
    (desk.folder / "art").mkdir()
    Image.new("RGB", (300, 400), "red").save(desk.folder / "art/a.png")
    for command in (("list",), ("score", "--template", "csv"), ("words", "--table", "de")):
        done = desk.ppgen(*command)
        assert not asked, done.output
