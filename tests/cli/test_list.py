"""``ppgen list``: what is in the set."""

import json
from collections import Counter

import pytest


def components(desk):
    done = desk.ppgen("list", "--json", "--quiet")
    assert (done.exit_code, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document["game"] == "card-game"
    return document["components"]


def test_the_number_on_a_card_is_how_many_of_its_country_there_are(desk):
    cards = [entry for entry in components(desk) if entry["kind"] == "country-card"]
    assert {entry["country"]: entry["number"] for entry in cards} == Counter(entry["country"] for entry in cards)


def test_the_table_has_a_line_for_each_component_in_columns(desk):
    head, *lines = desk.ppgen("list").stdout.splitlines()
    entries = components(desk)
    assert len(lines) == len(entries)
    at = head.index("KIND")
    assert [line.split()[0] for line in lines] == [entry["id"] for entry in entries]
    assert {line[at:].split()[0] for line in lines} == {"country-card", "law-tablet", "claim-stone"}


def test_your_own_data_is_listed(own_desk):
    own_desk.change("data/card_game/cards.csv", "france-1,", "gallia-1,")
    done = own_desk.own("list", "--json")
    assert json.loads(done.stdout)["components"][0]["id"] == "gallia-1"


@pytest.mark.parametrize("limit", ["nan", "inf", "0", "101", "much", ""])
def test_a_limit_is_a_number(desk, limit):
    done = desk.ppgen("list", "--limit", limit)
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"'{limit}' is not a number from 0.05 to 100" in done.stderr


def test_a_cell_with_a_line_break_is_printed_on_one_line(desk):
    desk.ppgen("new", "deck", "--starter", "plain", "--quiet")
    desk.change("deck/cards.csv", "Trade one card for two of a lower cost.", '"Trade one card\nfor two."')
    listed = desk.ppgen("list", "--data", "deck").stdout.splitlines()
    assert len(listed) == 7 and "Trade one card for two." in listed[3]
