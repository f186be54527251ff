"""``ppgen list``: what is in a set, and the map of the board game."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from ppgen.errors import to_one_line


def components(desk):
    done = desk.ppgen("list", "--json", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["game"] == "card-game"
    return document["components"]


def test_the_number_on_a_card_is_how_many_of_its_country_there_are(desk):
    cards = [entry for entry in components(desk) if entry["kind"] == "country-card"]
    assert {entry["country"]: entry["number"] for entry in cards} == Counter(entry["country"] for entry in cards)


def test_the_set_holds_what_the_rules_list(desk):
    copies = Counter()
    for entry in components(desk):
        copies[entry["kind"]] += entry["copies"]
    assert copies == {"country-card": 56, "law-tablet": 8, "claim-stone": 15}


def test_the_table_has_a_line_for_each_component_in_columns(desk):
    head, *lines = desk.ppgen("list").stdout.splitlines()
    entries = components(desk)
    assert len(lines) == len(entries)
    at = head.index("KIND")
    assert [line.split()[0] for line in lines] == [entry["id"] for entry in entries]
    assert {line[at:].split()[0] for line in lines} == {"country-card", "law-tablet", "claim-stone"}


COUNTRIES = "france england lotharingia franconia bavaria swabia burgundy italy aragon".split()


@pytest.fixture
def listed(desk) -> dict:
    done = desk.ppgen("list", "--game", "board-game", "--json", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_marks_of_direction_do_not_reach_the_terminal(desk):
    """Cells keep them, as Arabic and Hebrew need them; what is listed spells them out."""
    desk.run("new", "deck", "--starter", "empty", "--quiet")
    marks = "\u061c\u200e\u200f\u202a\u202e\u2066\u2069"
    table = "name,text\n" + "".join(f"Goblin {n},a{mark}b\n" for n, mark in enumerate(marks[:3]))
    (desk.folder / "deck" / "cards.csv").write_text(table, encoding="utf-8")
    shown = desk.run("list", "--data", "deck").stdout
    assert not {*marks}.intersection(shown) and all(f"a\\u{ord(mark):04x}b" in shown for mark in marks[:3])
    assert to_one_line(marks).isascii()


def test_the_map_is_told_whole(listed) -> None:
    told = listed["map"]
    assert list(told["spaces"]) == COUNTRIES
    assert told["spaces"]["swabia"] == ["SW1", "SW2", "SW3", "SW4"]
    labels = {label for country in told["spaces"].values() for label in country}
    assert {end for road in told["roads"] for end in road} == labels
    assert len(told["roads"]) == 72
    assert told["alliances"][14] == {"box": 15, "countries": ["italy", "bavaria"], "water": True}
