"""The saved object has the documented shape, and every card, tile and address of it leads somewhere."""

import json
import math
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import jsonschema
import pytest

from ppgen.engine.component import TILED, Stock
from ppgen.engine.geometry import Rect, Size
from ppgen.targets import virtual_tables
from ppgen.targets.virtual_tables import (BAG_SIDE, MAX_ATLAS_PX, MAX_CARDS, TILE_SIDE, deck, deck_sheets, export_tts,
                                          saved_object)
from tests.targets.plain_game import asked, contents, face, opened, part, piece

CARD_HEIGHT = 3.5
SCHEMA = json.loads((Path(__file__).parent / "tts.schema.json").read_text(encoding="utf-8"))


def saved(files):
    """The saved object among the files, which has the documented shape."""
    (text,) = [content for path, content in files.items() if path.endswith(".json")]
    document = json.loads(text)
    jsonschema.validate(document, SCHEMA)
    return document


def everything(document):
    for state in document["ObjectStates"]:
        yield state
        yield from state.get("ContainedObjects", ())


def inches(state):
    """The room of an object on the table, in the units of the game."""
    scale = state["Transform"]
    if state["Name"] == "Bag":
        return BAG_SIDE, BAG_SIDE
    if state["Name"] == "Custom_Tile":
        return scale["scaleX"] * TILE_SIDE, scale["scaleZ"] * TILE_SIDE
    if script := state["LuaScript"]:  # its length along one axis; the picture gives the other
        length = float(re.search(r"local by = ([\d.]+) / now.[xy]", script)[1])
        return length, length
    return scale["scaleX"] * CARD_HEIGHT, scale["scaleZ"] * CARD_HEIGHT  # no card here is wider than high


def test_decks_of_any_sizes_lie_beside_and_below_each_other_at_their_real_size():
    """A card at scale 1 is 3.5 units, which are inches, high."""
    sheets = {"1": {"FaceURL": "https://x.org/a.png"}}
    sizes = [Size(63.5, 88.9), Size(150, 250), *[Size(100, 120)] * 9, Size(44, 68)] * 2
    states = saved_object("Set", [deck(f"Deck {n}", size, sheets, [(piece(str(n)), 100)])
                                  for n, size in enumerate(sizes)])["ObjectStates"]
    inch = [Size(size.width / 25.4, size.height / 25.4) for size in sizes]
    places = [Rect(at["posX"] - size.width / 2, -at["posZ"] - size.height / 2, size.width, size.height)
              for size, at in zip(inch, (state["Transform"] for state in states), strict=True)]
    assert [state["Transform"]["scaleX"] * CARD_HEIGHT for state in states] == pytest.approx(
        [size.height for size in inch], abs=1e-4)
    assert not any(one.overlaps(other) for one, other in combinations(places, 2))


@pytest.mark.slow
def test_a_large_deck_comes_on_several_sheets(plain):
    size = Size(5, 8)
    game = plain(part("deck", *(piece(f"card-{n}", size, f"#0000{n:02X}", back=face(size), copies=1 + n % 2)
                                for n in range(75))))
    files = contents(export_tts(game, asked()))
    (deck,) = saved(files)["ObjectStates"]
    assert sorted(deck["CustomDeck"]) == ["1", "2"]
    assert len(deck["ContainedObjects"]) == 112
    seen = set()
    for card in deck["ContainedObjects"]:
        key, slot = divmod(card["CardID"], 100)
        sheet = deck["CustomDeck"][str(key)]
        with opened(files[f"en/tts/{sheet['FaceURL'].rpartition('/')[2]}"]) as picture:
            width, height = picture.width // sheet["NumWidth"], picture.height // sheet["NumHeight"]
            middle = (slot % sheet["NumWidth"] + 0.5) * width, (slot // sheet["NumWidth"] + 0.5) * height
            if card["GMNotes"] not in seen:  # its own colour tells that the slot shows this very card
                number = int(card["GMNotes"].removeprefix("card-"))
                assert picture.getpixel((int(middle[0]), int(middle[1]))) == (0, 0, number)
        seen.add(card["GMNotes"])
    assert len(seen) == 75
    assert len({state["GUID"] for state in everything(saved(files))}) == 113


@pytest.mark.parametrize("cards", [1, 2, 3, 56, 68, 69, 70, 138, 139, 500])
@pytest.mark.parametrize("size", [Size(44, 68), Size(63.5, 88.9), Size(70, 70), Size(120, 70), Size(10, 400)])
def test_sheets_hold_all_cards_within_the_limits(cards, size):
    sheets = deck_sheets(cards, size)
    assert sum(sheet.cards for sheet in sheets) == cards
    assert len(sheets) == math.ceil(cards / MAX_CARDS)
    for sheet in sheets:
        assert 2 <= sheet.columns <= 10
        assert 2 <= sheet.rows <= 7
        assert sheet.cards <= sheet.hidden == sheet.columns * sheet.rows - 1
        assert max(sheet.columns * sheet.slot[0], sheet.rows * sheet.slot[1]) <= MAX_ATLAS_PX == 4096


@pytest.mark.slow
def test_a_board_that_is_printed_in_tiles_is_one_thing_that_stays_where_it_lies(plain, monkeypatch):
    board = replace(part("map", piece("europe", Size(510, 374)), stock=Stock.BOARD), layout=TILED)
    monkeypatch.setattr(virtual_tables, "MAX_ATLAS_PX", 1024)
    files = contents(export_tts(plain(board), asked()))
    (state,) = saved(files)["ObjectStates"]
    assert state["Locked"] and state["Name"] == "Custom_Board"
    assert state["Transform"]["posY"] == 0.96  # on the table: what is locked does not fall
    assert inches(state)[0] == pytest.approx(510 / 25.4, abs=1e-3)
    (picture,) = [content for path, content in files.items() if path.endswith(".png")]
    assert opened(picture).size == (1024, 751)
