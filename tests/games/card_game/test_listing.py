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


def test_a_law_tablet_says_its_law() -> None:
    assert BY_ID["law-minus-two"] == {"id": "law-minus-two", "kind": "law-tablet", "law": "minus_two", "copies": 2}


def test_a_claim_stone_says_its_player() -> None:
    assert BY_ID["claim-stone-5"] == {"id": "claim-stone-5", "kind": "claim-stone", "player": 5, "copies": 3}


def test_no_two_components_share_an_id() -> None:
    assert len(BY_ID) == len(RECORDS) == 56 + 4 + 5
