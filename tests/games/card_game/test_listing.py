"""The records of ``ppgen list --json``."""

from __future__ import annotations

from collections import Counter

from ppgen.games.card_game.deck import describe_deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.shipped import shipped_root

RECORDS = describe_deck(load_deck(shipped_root() / "data" / "card_game")[0])
BY_ID = {record["id"]: record for record in RECORDS}


def test_the_set_holds_what_the_rules_list() -> None:
    copies: Counter[object] = Counter()
    for record in RECORDS:
        copies[record["kind"]] += record["copies"]
    assert copies == {"country-card": 56, "law-tablet": 8, "claim-stone": 15}


def test_a_country_card_says_what_it_shows() -> None:
    assert BY_ID["france-1"] == {"id": "france-1", "kind": "country-card", "country": "france", "number": 8,
                                 "symbols": {"cross": 2}, "route": None, "copies": 1}
    assert BY_ID["england-5"]["symbols"] == {}
    assert BY_ID["england-2"]["symbols"] == {"fan": 1, "rose": 1}
    assert BY_ID["england-2"]["route"] == "ship"
