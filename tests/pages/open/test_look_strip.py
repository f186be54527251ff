"""The strip of looks: each card of a new deck in each look, until somebody changes the layout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgen.assets import DECK_FILE
from ppgen.making.first_layout import looks
from ppgen.making.new_deck import deck_from_sheet, open_relooks
from ppgen.making.starters import SheetRequest, deck_files
from ppgen.reading.editing import FileHistory
from tests.reading.test_tables import workbook

from .conftest import opened_at

CARDS = "Name,Kind,Cost,Text,Num\nOrc,Beast,1,Bites.,2\nElf,Folk,2,Sings a song.,3\nTroll,Beast,3,Sleeps.,1\n"
ROLES = "Num=copies", "Kind=kind"


def write_deck(folder: Path, look: str = "") -> dict[str, bytes]:
    """Make the deck of ``ppgen new`` in a folder; return its files."""
    sheet = folder.parent / "sheet.csv"
    sheet.write_text(CARDS, encoding="utf-8")
    deck = deck_from_sheet(SheetRequest(sheet=sheet, title="War", look=look, roles=ROLES))
    for file in deck_files(deck):
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)
    return read_files(folder)


def read_files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file()}


def choose(folder: Path, look: str, history: FileHistory | None = None) -> None:
    history = history or FileHistory(folder)
    history.write_all({folder / name: both for name, both in open_relooks(folder).make(look).changes.items()})


@pytest.mark.slow
def test_a_deck_in_another_look_is_the_one_that_new_makes(tmp_path):
    folder = tmp_path / "deck"
    before = write_deck(folder)
    history = FileHistory(folder)
    for look in (*looks(), ""):
        choose(folder, look, history)
        assert read_files(folder) == write_deck(tmp_path / f"new-{look}", look), look
        assert open_relooks(folder).look == look
    while history.undo_count:
        history.undo()
    assert read_files(folder) == before
    history.redo()
    assert open_relooks(folder).look == next(iter(looks()))


def test_all_parts_of_a_workbook_change_their_look(tmp_path):
    folder, sheet = tmp_path / "deck", tmp_path / "book.xlsx"
    sheet.write_bytes(workbook(Heroes=[["Name", "Cost", "Text"], ["Ann", 1, "Runs."], ["Bob", 2, "Sings."]],
                               Places=[["Name", "Kind", "Effect"], ["Sea", "Water", "Wet."], ["Hill", "Land", "Up."]]))
    for look in ("", "pulp"):
        deck = deck_from_sheet(SheetRequest(sheet=sheet, title="War", book_title="War", look=look))
        for file in deck_files(deck):
            path = tmp_path / (look or "deck") / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.content)
    assert {"heroes.svg.j2", "places.svg.j2"} < read_files(folder).keys()
    choose(folder, "pulp")
    assert read_files(folder) == read_files(tmp_path / "pulp")


def test_a_sheet_outside_of_the_deck_is_not_read(tmp_path):
    folder = tmp_path / "deck"
    write_deck(folder)
    deck = folder / DECK_FILE
    deck.write_text(deck.read_text(encoding="utf-8").replace('"cards.csv"', '"../sheet.csv"'), encoding="utf-8")
    assert open_relooks(folder) is None


def test_what_was_changed_in_the_deck_and_its_sheet_stays(tmp_path):
    folder = tmp_path / "deck"
    write_deck(folder)
    deck, cards = folder / DECK_FILE, folder / "cards.csv"
    text = deck.read_text(encoding="utf-8")
    beast = next(line for line in text.splitlines() if line.startswith("Beast"))
    deck.write_text(text.replace(beast, 'Beast = "#101010"  # like coal').replace('"War"', '"Peace"'), encoding="utf-8")
    cards.write_text(CARDS + "Ghost,Spirit,4,Howls very very long through all the night.,1\n", encoding="utf-8")
    choose(folder, "children")
    text = deck.read_text(encoding="utf-8")
    assert 'Beast = "#101010"  # like coal' in text and '"Peace"' in text and "Folk" in text
    assert next(line for line in text.splitlines() if line.startswith("Folk")).encode() in write_deck(
        tmp_path / "new", "children")[DECK_FILE]
    assert cards.read_text(encoding="utf-8").endswith("night.,1\n")


@pytest.fixture
def opened(tmp_path) -> Iterator[tuple[str, Path]]:
    folder = tmp_path / "deck"
    write_deck(folder)
    with opened_at(folder) as address:
        yield address, folder


def test_choosing_a_look_on_the_page(opened, browser):
    url, folder = opened
    pressed = "document.querySelector('.strip [aria-pressed=true]')?.name"
    before = read_files(folder)
    browser("look", width=1400, height=1000)
    browser("open", url=url)
    browser.wait_for(f"document.querySelectorAll('.strip img').length === {len(looks()) + 1}")
    browser.wait_for("[...document.querySelectorAll('.strip img')].every(each => each.naturalWidth)")
    assert browser.find(f"{pressed} === ''")
    sources = browser.find("[...document.querySelectorAll('.strip img')].map(each => each.src)")
    assert len({*sources}) == len(sources)
    assert browser.violations() == []
    browser("click", at=".strip [name=space]")
    browser.wait_for(f"{pressed} === 'space' && !document.body.classList.contains('busy')")
    assert open_relooks(folder).look == "space" and not browser.find("state.look.failed")
    browser.find("takeBack()")
    browser.wait_for(f"{pressed} === '' && !document.body.classList.contains('busy')")
    assert read_files(folder) == before
    with (folder / "card.svg.j2").open("a", encoding="utf-8") as template:
        template.write("{{ panel(x=1, y=1, width=2, height=2, fill='#000') }}\n")
    browser.wait_for("document.querySelector('.strip').textContent.startsWith('Your layout has been changed by hand')")
    assert browser("heard")["errors"] == []
