"""Answers what a deck can bear: the most symbols that so many of its cards show, and who can share them.

Everything here errs on the side of the players: a tally that some hand of cards could give is never refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from ppgen.games.card_game.deck.model import Card

Shown = tuple[str, ...]
"""The circle symbols of a card."""

MOST_STEPS = 20_000
"""How many hands are tried before a claim is believed; the shipped deck needs a few hundred."""


def most_of_kind(cards: Iterable[Card], hand: int, kind: str) -> int:
    """The most circle symbols of a kind on ``hand`` of the cards."""
    return _most((card.symbols.count(kind) for card in cards), hand)


def most_of_one_kind(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of any one kind on ``hand`` of the cards."""
    return _most_of_one_kind(tuple(card.symbols for card in cards), hand)


def most_symbols(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of all kinds together on ``hand`` of the cards."""
    return _most((len(card.symbols) for card in cards), hand)


def _most(values: Iterable[int], hand: int) -> int:
    return sum(sorted(values, reverse=True)[:hand])


@lru_cache(maxsize=1024)  # many games are played with one deck
def _most_of_one_kind(shown: tuple[Shown, ...], hand: int) -> int:
    kinds = {kind for symbols in shown for kind in symbols}
    return max((_most((symbols.count(kind) for symbols in shown), hand) for kind in kinds), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a player says to hold of a country: cards, the best count of one kind, or a count for each kind."""

    cards: int
    best: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)

    def met_by(self, hand: Sequence[Shown]) -> bool:
        symbols = [kind for shown in hand for kind in shown]
        return (max(map(symbols.count, symbols), default=0) >= self.best
                and all(symbols.count(kind) >= count for kind, count in self.kinds.items()))


def can_share(cards: Iterable[Card], claims: Iterable[Claim]) -> bool:
    """Whether the cards of a country can be shared out so that every claim is met.

    Each claim must be possible by itself, and the claims together must not ask for more cards than
    there are. Claims without symbols ask for nothing in particular. After :data:`MOST_STEPS` hands
    the answer is yes.
    """
    asking = sorted((claim for claim in claims if claim.best), key=lambda claim: -claim.best)
    steps = iter(range(MOST_STEPS))
    dead: set[tuple[int, tuple[Shown, ...]]] = set()

    def deal(rest: tuple[Shown, ...], seat: int) -> bool:
        if seat == len(asking):
            return True
        if (seat, rest) in dead:
            return False
        tried: set[tuple[Shown, ...]] = set()
        for places in combinations(range(len(rest)), asking[seat].cards):
            if next(steps, None) is None:
                return True
            hand = tuple(rest[place] for place in places)
            if hand in tried:
                continue
            tried.add(hand)
            if asking[seat].met_by(hand) and deal(
                    tuple(shown for place, shown in enumerate(rest) if place not in places), seat + 1):
                return True
        dead.add((seat, rest))
        return False

    return len(asking) < 2 or deal(tuple(sorted((card.symbols for card in cards), key=lambda shown: -len(shown))), 0)
