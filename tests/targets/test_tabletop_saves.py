"""Pieces exchanged in a saved game: everything else stays as it lies."""

from __future__ import annotations

import json
import re

import pytest

from ppgen.engine.geometry import Size
from ppgen.errors import InputError
from ppgen.targets.virtual_tables import MAX_DEPTH, TableSave, bag, deck, exchange_pieces, saved_object, tile
from tests.targets.plain_game import POKER, piece

PLACE = {"posX": -2.73415262e-05, "posY": 1.0, "posZ": 93.70025, "rotX": 0.0, "rotY": 180.001663, "rotZ": 180.0,
         "scaleX": 1.42, "scaleY": 1.0, "scaleZ": 1.42}


def table(cards: dict[str, int], version: str = "v1", tokens: dict[str, int] | None = None) -> list[dict]:
    """The objects of a set: a deck, a bag of tokens and a board."""
    sheet = {"FaceURL": f"https://x.org/{version}/cards-sheet.png", "BackURL": f"https://x.org/{version}/back.png",
             "NumWidth": 4, "NumHeight": 2, "BackIsHidden": True, "UniqueBack": False, "Type": 0}
    tokens = {"coin": 3} if tokens is None else tokens
    tiles = [tile(piece(id, Size(20, 20)), Size(20, 20), (f"https://x.org/{version}/{id}.png", ""))[0]
             for id, copies in tokens.items() for _ in range(copies)]
    board = tile(piece("board", Size(400, 300)), Size(400, 300), (f"https://x.org/{version}/board.png", ""), board=True)
    objects = [deck("Cards", POKER, {"1": sheet}, [(piece(id, copies=copies), 100 + slot)
                                                   for slot, (id, copies) in enumerate(cards.items())]), board]
    return saved_object("Set", [*objects, *([bag("Tokens", tiles)] if tiles else [])])["ObjectStates"]


@pytest.fixture
def write(tmp_path):
    def write(states, name="TS_Save_1.json", **more):
        document = {"SaveName": "Night 3", "EpochTime": 1700000000, "Gravity": 0.5, "TabStates": {},
                    "Hands": {"Enable": True}, "LuaScript": "--[[ §\u2028 ]]", "ObjectStates": states, **more}
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def played() -> list[dict]:
    """A table in the middle of a game: a card in a hand, a pile without a name in a bag, things of others."""
    cards, board, tokens = table({"goblin": 4, "knight": 2, "troll": 1})
    renumber(cards, 11)
    inside = cards["ContainedObjects"]
    hand = {**inside.pop(0), "Transform": PLACE, "LuaScript": "function onLoad() end", "Tags": ["mine"]}
    pile = {**cards, "GUID": "aaaaaa", "Nickname": "", "ContainedObjects": [inside.pop(), inside.pop()]}
    for each in (cards, pile):
        each["DeckIDs"] = [card["CardID"] for card in each["ContainedObjects"]]
    other = {"GUID": "ffffff", "Name": "Card", "Transform": PLACE, "Nickname": "Ace", "GMNotes": "", "CardID": 3000,
             "CustomDeck": {"30": {"FaceURL": "https://y.org/a.png", "NumWidth": 1, "NumHeight": 1}}}
    crate = {"GUID": "bbbbbb", "Name": "Bag", "Transform": PLACE, "Nickname": "Box", "ContainedObjects": [pile, other]}
    coin = tokens["ContainedObjects"].pop()
    state = {"GUID": "cccccc", "Name": "Custom_Tile", "Transform": PLACE, "Nickname": "Flip", "States": {"2": coin}}
    return [{"GUID": "dddddd", "Name": "HandTrigger", "Transform": PLACE}, cards, hand, crate, board, tokens, state]


def renumber(state: dict, by: int) -> None:
    state["CustomDeck"] = {str(int(key) + by): sheet for key, sheet in state["CustomDeck"].items()}
    if "CardID" in state:
        state["CardID"] += 100 * by
    for card in state.get("ContainedObjects", ()):
        renumber(card, by)


def everything(states):
    for state in states:
        yield state
        yield from everything([*state.get("ContainedObjects", ()), *state.get("States", {}).values()])


def exchange(path, ours, **more):
    save = TableSave.read(path)
    report = exchange_pieces(save, ours, **more)
    return save, report, json.loads(save.dump())


def test_pieces_are_exchanged_wherever_they_are_and_decks_stay_consistent(write):
    path = write(played())
    _, report, document = exchange(path, table({"goblin": 5, "elf": 2, "knight": 2}, "v2", {"coin": 3, "gem": 2}))
    assert report.added == ["goblin", "elf", "elf", "gem", "gem"]
    assert (report.removed, report.homeless) == ([], []) and report.left == ["troll"]  # it is not in its deck
    states = [*everything(document["ObjectStates"])]
    for state in states:
        addresses = [*(sheet["FaceURL"] for sheet in state.get("CustomDeck", {}).values()),
                     state.get("CustomImage", {}).get("ImageURL", "")]
        if state.get("GMNotes") not in ("", None, "troll") and state["Name"] != "Bag":
            assert any("/v2/" in address for address in addresses), state["Nickname"]
        if "CardID" in state:
            assert str(state["CardID"] // 100) in state["CustomDeck"]
        if "DeckIDs" in state:
            assert state["DeckIDs"] == [card["CardID"] for card in state["ContainedObjects"]]
            assert {str(number // 100) for number in state["DeckIDs"]} == {*state["CustomDeck"]}
    slots = {state["GMNotes"]: state["CardID"] % 100 for state in states if "CardID" in state}
    assert (slots["goblin"], slots["elf"], slots["knight"]) == (0, 1, 2)
    guids = [state["GUID"] for state in states]
    assert len({*guids}) == len(guids)
    sheets = {(key, sheet["FaceURL"]) for state in states for key, sheet in state.get("CustomDeck", {}).items()}
    assert len({key for key, _ in sheets}) == len(sheets)  # a key stands for one sheet


def test_all_else_keeps_its_meaning(write):
    path = write(played(), Note="\ud800 ü")
    before = json.loads(path.read_bytes())
    _, _, after = exchange(path, table({"goblin": 4, "knight": 2, "troll": 1}, "v2"))
    assert [*after] == [*before] and {key for key in after if after[key] != before[key]} == {"ObjectStates"}
    assert changed_keys(before["ObjectStates"], after["ObjectStates"]) == {
        "CardID", "DeckIDs", "CustomDeck", "ImageURL"}


def changed_keys(before, after, key="") -> set[str]:
    if before == after:
        return set()
    if isinstance(before, dict) and isinstance(after, dict) and key != "CustomDeck":
        return {found for each in {*before, *after} for found in changed_keys(before.get(each), after.get(each), each)}
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        return {found for pair in zip(before, after, strict=True) for found in changed_keys(*pair, key)}
    return {key}


def test_gone_cards_leave_their_deck_and_surplus_copies_too(write):
    _, report, document = exchange(write(table({"goblin": 4, "knight": 2, "troll": 1})), table({"goblin": 3, "elf": 1}))
    assert sorted(report.removed) == ["goblin", "knight", "knight", "troll"] and report.added == ["elf"]
    assert [card["GMNotes"] for card in document["ObjectStates"][0]["ContainedObjects"]] == [
        "goblin", "goblin", "goblin", "elf"]


def test_cards_are_found_by_name_if_the_id_is_not_theirs(write):
    states = table({"goblin": 2, "knight": 1})
    for card in everything(states):
        card["GMNotes"] = "a note of the players" if card["Name"] == "Card" else card.get("GMNotes", "")
    _, report, _ = exchange(write(states), table({"goblin": 2, "knight": 1}, "v2"))
    assert [*map(report.exchanged.count, ("goblin", "knight"))] == [2, 1] and not report.removed


def test_a_deck_of_another_game_with_the_same_name_is_left_alone(write):
    other = table({"ace": 4, "king": 4}, tokens={})[:1]
    ours = table({"goblin": 2, "knight": 1})
    for number, card in enumerate(everything(other)):
        card["GUID"] = f"{number:06}"
    _, report, document = exchange(write([*other, *ours]), table({"goblin": 2, "elf": 1}, "v2"))
    assert len(document["ObjectStates"][0]["ContainedObjects"]) == 8 and report.removed == ["knight"]


@pytest.mark.parametrize(("text", "words"), [
    ("[]", "no ObjectStates"), ('{"ObjectStates": 3}', "no ObjectStates"), ("nonsense", "not JSON"),
    ('{"ObjectStates": [' + "[" * 5000, "not JSON"), ('{"ObjectStates": []}', "no card, tile or board of this set"),
    ('{"ObjectStates": [1, null, {"ContainedObjects": [2], "States": [], "CustomDeck": 3, "Nickname": {}}]}',
     "no card, tile or board"),
    ('{"ObjectStates": [' + '{"ContainedObjects": [' * (MAX_DEPTH + 1) + "]}" * (MAX_DEPTH + 1) + "]}",
     f"nested deeper than {MAX_DEPTH}")])
def test_what_is_not_a_save_of_the_set_is_refused(tmp_path, text, words):
    path = tmp_path / "save.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(words)):
        exchange(path, table({"goblin": 2}))
