"""The page of ``ppgen open`` speaks the language of its user: every text of it, and every message."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ppgen.assets import shipped_root
from ppgen.cli.messages import message_texts, page_sentences
from ppgen.games.catalogue import looks
from ppgen.preview import live_page
from ppgen.reading.texts import languages
from tests.conftest import Desk

from .conftest import gone_on

HOME = Path(live_page.__file__).parent
SCRIPTS = "page.js", "tables.js", "layout.js"
LANGUAGES = languages(shipped_root() / "data" / "locales")
TYPED = {"Ctrl+Z", "Ctrl+Shift+Z", "50 %", "ppgen"}


class PageTexts(HTMLParser):
    """The texts and labels of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent = ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.silent = self.silent or (tag if tag in ("title", "noscript", "script") else "")
        if not self.silent:
            self.texts += [value for name, value in attributes if name in ("title", "aria-label", "placeholder")]

    def handle_endtag(self, tag):
        self.silent = "" if tag == self.silent else self.silent

    def handle_data(self, data):
        if not self.silent:
            self.texts.append(data.strip())


def phrases(script: str) -> list[str]:
    """The English of each phrase`…` of a script, with letters for its values."""
    found = []
    for match in re.finditer("phrase`", script):
        at, text, letters = match.end(), "", iter("abcdef")
        while script[at] != "`":
            if script.startswith("${", at):
                depth, at, text = 1, at + 2, f"{text}{{{next(letters)}}}"
                while depth:
                    depth += {"{": 1, "}": -1}.get(script[at], 0)
                    at += 1
            else:
                text, at = text + script[at], at + 1
        found.append(text)
    return found


def test_each_text_of_the_page_has_a_translation_and_no_translation_is_left_over():
    told = {text for name in SCRIPTS for text in phrases((HOME / name).read_text(encoding="utf-8"))}
    told |= {text for text in PageTexts((HOME / "page.html").read_text(encoding="utf-8")).texts
             if re.search("[A-Za-z]{2}", text)} - TYPED
    code = "".join(path.read_text(encoding="utf-8")
                   for folder in ("preview", "cli") for path in (HOME.parent / folder).glob("*.py"))
    known = {text for key, text in message_texts("en").words.items() if key.startswith("open.")}
    assert not told - known
    assert not [text for text in known - told - {*looks()} if f'"{text}"' not in code]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_numbers_stay_in_texts_of_the_page(lang):
    english, words = message_texts("en").words, message_texts(lang).words
    assert not [key for key in english if key.startswith("open.") and english[key].count("#") != words[key].count("#")]


def test_an_english_page_needs_no_translations(monkeypatch):
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert page_sentences() == {}


@pytest.mark.slow
def test_the_page_its_messages_and_its_problems_are_in_the_language_of_the_user(browser, tmp_path, monkeypatch):
    for name in ("LC_ALL", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path)
    assert desk.ppgen("new", "deck", "--starter", "empty").exit_code == 0
    with gone_on(desk.folder / "deck", ()) as start:
        address = start("--serve", "--port", "0").line("http://127.0.0.1:")
        browser("open", url=address)
        browser.wait_for("document.querySelectorAll('.piece').length > 0")
        german = message_texts("de").words
        text = "document.body.innerText"
        assert browser.find("document.documentElement.lang") == "de"
        for key in ("faces", "print", "filter_the_pieces", "make_the_pdfs"):
            assert german[f"open.{key}"] in browser.find(text)
        deck = desk.folder / "deck" / "deck.toml"
        deck.write_text(deck.read_text(encoding="utf-8").replace('title = "', 'titel = "'), encoding="utf-8")
        browser.wait_for(f"{text}.includes('{german['open.not_right_yet']}')")
        assert german["maker.is_not_known"] in browser.find(text)
        assert not browser("heard")["errors"]
