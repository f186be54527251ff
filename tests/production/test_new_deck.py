"""``ppgen new``: decks from sheets and pictures, whatever these hold."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from ppgen.assets import Assets, shipped_root
from ppgen.engine.colours import MERGED, Swatch, find_clashes
from ppgen.errors import InputError, Problems
from ppgen.games.own_deck.sheet_columns import layout_data, normal_heading, understand_columns
from ppgen.production.drawn_parts import draw_parts
from ppgen.production.new_deck import NewDeck, copy_starter, deck_from_sheet, starters
from ppgen.production.workshop import Workshop
from ppgen.reading.tables import read_table

GOBLINS = ("Name,Cost,Type,Rules Text,Flavour Text,Art,Quantity\nGoblin,0,Creature,Deal 2 {sword}.,“Run.”,goblin.png,4\n"
           "Knight,1,Hero,**Guard.**,,Knight,2\nTroll,3,Creature,Heal 1.,,troll.png,1\n")


def make_deck(folder: Path, text: str, art: Path | None = None, size: str = "poker", shape: str = "rectangle",
              lang: str = "") -> NewDeck:
    """Make a deck of a CSV text in a folder, and write it to its subfolder ``deck``."""
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    deck = deck_from_sheet(folder / "sheet.csv", "", art, size, shape, lang, "New deck")
    for file in deck.contents():
        (folder / "deck" / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "deck" / file.path).write_bytes(file.content)
    return deck


def draw_faces(folder: Path, inks: tuple[str, ...] = ("full", "low")) -> None:
    """Draw all faces of the deck in a folder, as a build does. Raises InputError."""
    shop = Workshop.open(Assets.at(folder))
    texts = shop.texts(shop.game.lang)
    for ink in inks:
        draw_parts(shop.game.parts(texts, shop.game.card_size), shop.studio(texts, ink), lambda part, side: 2.0, "")


def understand(folder: Path, text: str, *pictures: str):
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    return understand_columns(read_table(folder, "sheet.csv", Problems()), pictures)


def roles(columns) -> dict[str, str]:
    return {role: column.heading for role, column in columns.roles.items()}


def paint(path: Path, size: tuple[int, int] = (40, 30)) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "#446688").save(path)


# Any table

LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIXYZ0123456789 .,:;!?*=-{}()/'&<>äéß竜の「」%\n")
HEADINGS = st.one_of(st.sampled_from(sorted({word for lang in layout_data()["headings"].values()
                                             for words in lang.values() for word in words.split()})),
                     st.text(LETTERS, min_size=1, max_size=25))
CELLS = st.one_of(st.just(""), st.integers(0, 20).map(str), st.sampled_from(("Red", "Hero", "x", "{sword}", "**b**")),
                  st.text(LETTERS, max_size=30), st.text(LETTERS, max_size=600))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data(), st.sampled_from((("poker", "rectangle"), ("poker", "rectangle"), ("89x63mm", "rectangle"),
                                   ("50mm", "hexagon"), ("15mm", "rectangle"), ("25mm", "circle"))))
def test_any_table_gives_a_deck_whose_faces_can_be_drawn(tmp_path_factory, data, cut):
    folder = tmp_path_factory.mktemp("deck")
    width = data.draw(st.integers(1, 9))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=5))
    sheet = io.StringIO()
    csv.writer(sheet).writerows([data.draw(st.lists(HEADINGS, min_size=width, max_size=width)), *rows])
    try:
        make_deck(folder, sheet.getvalue(), size=cut[0], shape=cut[1])
    except InputError as refused:  # of what no deck could be made
        assert all(words in str(refused) for words in ("sheet.csv",)), refused
        return
    draw_faces(folder / "deck")


