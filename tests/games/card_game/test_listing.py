"""The records of ``ppgen list --json``."""

from __future__ import annotations

from collections import Counter

from ppgen.games.card_game.deck import describe_deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.shipped import shipped_root

RECORDS = describe_deck(load_deck(shipped_root() / "data" / "card_game")[0])


def test_the_set_holds_what_the_rules_list() -> None:
    copies: Counter[object] = Counter()
    for record in RECORDS:
        copies[record["kind"]] += record["copies"]
    assert copies == {"country-card": 56, "law-tablet": 8, "claim-stone": 15}
