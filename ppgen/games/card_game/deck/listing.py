"""Turns a :class:`Deck` into the plain records that ``ppgen list --json`` prints."""

from __future__ import annotations

from ppgen.games.card_game.deck.model import Card, Deck, Law, Stone, count_symbols


def describe(deck: Deck) -> list[dict[str, object]]:
    """A record for each component: the cards, then the law tablets, then the claim stones."""
    return [*map(_card, deck.cards), *map(_law, deck.laws), *map(_stone, deck.stones)]


def _card(card: Card) -> dict[str, object]:
    return {"id": card.id, "kind": "country-card", "country": card.country.id, "number": card.country.number,
            "symbols": dict(count_symbols([card])), "route": card.route, "copies": 1}


def _law(law: Law) -> dict[str, object]:
    return {"id": law.component, "kind": "law-tablet", "law": law.id, "copies": law.copies}


def _stone(stone: Stone) -> dict[str, object]:
    return {"id": stone.component, "kind": "claim-stone", "player": stone.player, "copies": stone.copies}
