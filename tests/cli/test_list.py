"""``ppgen list``: what is in the set."""

import json
from collections import Counter


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
