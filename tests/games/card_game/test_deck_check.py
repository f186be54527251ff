"""What makes a deck unplayable, and what only makes a designer think."""

from __future__ import annotations

import pytest


def test_the_number_on_the_cards_must_be_true(deck_folder) -> None:
    deck_folder.change("countries.toml", ("number = 8", "number = 9"))
    assert deck_folder.problems() == [
        "countries.toml:14 countries.number: 9 for france, but cards.csv holds 8 of its cards "
        "(correct the number, add cards or take some away)"]


def test_each_of_five_players_needs_three_stones(deck_folder) -> None:
    deck_folder.change("stones.toml", ('shape = "round"\ncopies = 3', 'shape = "round"\ncopies = 2'))
    text = (deck_folder.path / "stones.toml").read_text(encoding="utf-8")
    (deck_folder.path / "stones.toml").write_text(text[:text.rindex("[[stones]]")], encoding="utf-8")
    assert deck_folder.problems() == [
        "stones.toml stones: player 5 has no claim stones (a [[stones]] for each of 5 players)",
        "stones.toml:15 stones.copies: 2 claim stones for player 1 (each player needs 3)"]


@pytest.mark.parametrize(("name", "changes", "message"), [
    ("laws.toml", [("copies = 2", "copies = 3")],
     "laws.toml laws.copies: 9 law tablets, but the display has places for 8"),
    ("cards.csv", [("france,,ship", "france,,")],
     "cards.csv:9 symbols: france-8 shows neither a circle symbol nor a route (give it one of them)"),
    ("cards.csv", [("franconia,rose rose", "franconia,crescent cross")],
     "cards.csv symbols: franconia shows 5 kinds of circle symbol (from 2 to 3 let players contend)"),
    ("cards.csv", [("fan fan", "star star"), ("cross fan", "cross star")],
     "cards.csv symbols: france shows 'fan' 2 times (an example in the rules needs 3)"),
    ("cards.csv", [(",ship", ","), (",ship", ",")],
     "cards.csv route: the deck shows a ship 14 times (an example in the rules needs 15)"),
    ("cards.csv", [("england,rose,ship", "england,rose,carriage"), ("england,fan,ship", "england,fan,carriage")],
     "cards.csv route: england has 2 ships and 2 carriages (on the map a ship is the commoner way there)"),
    ("cards.csv", [("fan fan", "cross cross"), *[(",fan,", ",cross,")] * 3, ("star star", "cross cross")],
     "cards.csv symbols: 19 of 72 circle symbols are 'cross' (spread them over more kinds)"),
    ("cards.csv", [(" cross,", ","), (" cross,", ","), (" fan,", ","), (" fan,", ","), (" star,", ","), (" key,", ",")],
     "cards.csv symbols: 18 of 56 cards show two circle symbols (cards with one and with two should be common)"),
    ("cards.csv", [("france,fan,", "france,,ship"), ("france,fan,", "france,,ship")],
     "cards.csv symbols: 10 of 56 cards show no circle symbol (they should be few)"),
])
def test_a_matter_of_taste_is_a_warning(deck_folder, name: str, changes: list[tuple[str, str]], message: str) -> None:
    deck_folder.change(name, *changes)
    assert message in deck_folder.warnings()
