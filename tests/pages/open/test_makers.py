"""What makers do on the page, click by click, and in each browser: from a deck to its PDFs, and a typo corrected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import Browser, opened_at

DECK = '[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
TABLE = "Name,Text\r\n<img src=x>,\"<img src=x onerror='document.title=1'>\"\r\nElf,two\r\n"
FRONT = ('<rect width="{{ face.width }}" height="{{ face.height }}" fill="#EEE"/>\n'
         '{{ text(card.name, x=30, y=20, width=50, size=6) }}\n{{ text(card.text, x=30, y=40, width=60, size=2) }}')
IMAGE = "document.querySelector('#p-calibration img')?.getAttribute('src')"
MADE = "document.querySelectorAll('.files a').length > 0"


@dataclass
class Maker:
    """Somebody who clicks, and counts it."""

    browser: Browser
    clicks: int = 0

    def click(self, at: str) -> None:
        self.clicks += 1
        self.browser.wait_for(f"!!document.querySelector({at!r}) && !document.querySelector({at!r}).disabled")
        self.browser("click", at=at)


@dataclass(frozen=True)
class Deck:
    folder: Path
    address: str

    def pdfs(self) -> set[str]:
        return {path.name for path in self.folder.glob("output/*/*.pdf")}


def write_strange_deck(folder: Path) -> None:
    for name, text in (("cards.csv", TABLE), ("deck.toml", DECK), ("card.svg.j2", FRONT)):
        (folder / name).write_bytes(text.encode())


@pytest.fixture(scope="module")
def deck(tmp_path_factory) -> Iterator[Deck]:
    folder = tmp_path_factory.mktemp("deck")
    write_strange_deck(folder)
    with opened_at(folder) as address:
        yield Deck(folder, address)


def test_a_family_has_its_pdfs_after_two_clicks(browser, tmp_path):
    """Of a shipped game: the tab, the button."""
    (tmp_path / "ppgen.toml").write_text('[build]\nonly = "stones"\n', encoding="utf-8")
    with opened_at(tmp_path, "-l", "de") as address:
        browser("open", url=address)
        browser.wait_for("document.querySelectorAll('.piece').length === 5")
        assert not browser.find("document.querySelector('#table textarea')")  # a shipped game is not changed
        family = Maker(browser)
        family.click("#to-print")
        family.click("#go")
        browser.wait_for(MADE)
        assert family.clicks <= 4 and [*tmp_path.glob("output/de/stones-*.pdf")]


def test_a_page_of_a_deck_that_is_wrong_from_the_beginning_and_read_only(browser, tmp_path):
    write_strange_deck(tmp_path)
    (tmp_path / "card.svg.j2").write_text("{{ nix }}", encoding="utf-8")
    with opened_at(tmp_path, "--read-only") as address:
        assert "#" not in address
        browser("open", url=address)
        browser.wait_for("document.querySelector('#groups').textContent.includes(\"'nix' is undefined\")")
        assert browser.find("document.querySelector('#count').textContent.includes('Fix it')")
        (tmp_path / "card.svg.j2").write_text(FRONT, encoding="utf-8")
        browser.wait_for(IMAGE)
        assert not browser.find("document.querySelector('#problems details').open")
        assert browser.find("document.querySelector('#hint').hidden && document.querySelector('#go').disabled")
        assert "--read-only" in browser.find("document.querySelector('#only-look').textContent")


def test_a_designer_changes_rows_a_template_and_prints_one_card(deck, browser):
    browser("open", url=deck.address)
    browser.wait_for("document.querySelectorAll('.piece').length === 3")
    designer, table = Maker(browser), deck.folder / "cards.csv"
    before = table.read_bytes()
    designer.click("#t-table")
    designer.click(".column")
    assert "Cards: 2, values: 2." in browser.find("document.querySelector('.summary').textContent")
    designer.click(".rows button[aria-label^='Copy row 3']")
    browser.wait_for("document.querySelectorAll('.piece').length === 4")
    assert table.read_bytes() == before + b"Elf,two\r\n"
    designer.click("#undo")
    browser.wait_for("document.querySelectorAll('.piece').length === 3")
    designer.click("#redo")
    browser.wait_for("document.querySelectorAll('.piece').length === 4")
    designer.click(".rows button[aria-label='Delete row 4']")
    browser.wait_for("document.querySelectorAll('.piece').length === 3")
    assert table.read_bytes() == before
    designer.click("#t-faces")
    designer.click("#p-elf")
    designer.click("#print-this")
    browser.wait_for(MADE)
    assert [name for name in deck.pdfs() if "elf" in name] == ["cards-a4-elf.pdf"]
    designer.click("#playtest")
    browser.wait_for("!!document.querySelector('#made a[href$=html]')")
    page = browser.find("fetch(document.querySelector('#made a').href).then(answer => Promise.all([answer.text(), "
                        "answer.headers.get('Content-Security-Policy')]))")
    browser.find("readNotes(new File(['{\"notes\": {\"elf\": \"too <b>strong\"}}'], 'table.json'))")
    designer.click("#t-faces")
    designer.click("#p-elf")
    assert browser.find("document.querySelector('#side .remark').textContent") == "too <b>strong"
    browser.find("readNotes(new File(['[1'], 'table.json'))")
    assert "not a game saved" in browser.find("document.querySelector('#said').textContent")
    assert page[0].startswith("<!doctype html>") and "sandbox" in page[1] and "allow-same-origin" not in page[1]
    assert browser("heard")["errors"] == []
