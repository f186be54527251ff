"""Limits of a deck: the highest counts that its cards allow, and errors and warnings about it.

Errors prevent playing. The warnings are about a deck that the display of the rules does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from ppgen.errors import Problem, display_path, join_names
from ppgen.games.card_game.deck import (DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, STONES_EACH, TABLET_PLACES, Card,
                                        Deck)

CardSymbols = tuple[str, ...]  # the circle symbols of a card
MAX_SEARCH_STEPS = 20_000  # hands tried before a claim is accepted; the shipped deck needs a few hundred


# Limits of tallies: they err on the side of the players, and never exclude a tally that some hand of cards allows.

def max_of_kind(cards: Iterable[Card], hand: int, kind: str) -> int:
    """The most circle symbols of this kind on ``hand`` of the cards."""
    return _sum_of_largest((card.symbols.count(kind) for card in cards), hand)


def max_of_one_kind(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of any one kind on ``hand`` of the cards."""
    return _max_of_one_kind(tuple(card.symbols for card in cards), hand)


def max_symbols(cards: Iterable[Card], hand: int) -> int:
    """The most circle symbols of all kinds together on ``hand`` of the cards."""
    return _sum_of_largest((len(card.symbols) for card in cards), hand)


def _sum_of_largest(values: Iterable[int], hand: int) -> int:
    return sum(sorted(values, reverse=True)[:hand])


@lru_cache(maxsize=1024)  # many games have the same deck
def _max_of_one_kind(cards: tuple[CardSymbols, ...], hand: int) -> int:
    kinds = {kind for symbols in cards for kind in symbols}
    return max((_sum_of_largest((symbols.count(kind) for symbols in cards), hand) for kind in kinds), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A player's claim on the cards of a country: their number, the best count of a kind, or of each kind."""

    cards: int
    best: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)

    def is_met_by(self, hand: Sequence[CardSymbols]) -> bool:
        symbols = [kind for card in hand for kind in card]
        return (max(map(symbols.count, symbols), default=0) >= self.best
                and all(symbols.count(kind) >= count for kind, count in self.kinds.items()))


def can_share(cards: Iterable[Card], claims: Iterable[Claim]) -> bool:
    """True if the cards of a country can be dealt so that every claim is met.

    Each claim must be possible by itself, and the claims together must not exceed the number of cards. Claims without
    symbols take any cards and are left out.

    A depth-first search deals to one claim after the other, the highest first, from the cards with the most symbols
    on. Hands with the same symbols are tried once, and remaining cards that failed a claim are remembered. After
    :data:`MAX_SEARCH_STEPS` hands the answer is yes.
    """
    ordered = sorted((claim for claim in claims if claim.best), key=lambda claim: -claim.best)
    steps = iter(range(MAX_SEARCH_STEPS))
    failed: set[tuple[int, tuple[CardSymbols, ...]]] = set()

    def deal(rest: tuple[CardSymbols, ...], seat: int) -> bool:
        if seat == len(ordered):
            return True
        if (seat, rest) in failed:
            return False
        tried: set[tuple[CardSymbols, ...]] = set()
        for places in combinations(range(len(rest)), ordered[seat].cards):
            if next(steps, None) is None:
                return True
            hand = tuple(rest[place] for place in places)
            if hand in tried:
                continue
            tried.add(hand)
            if ordered[seat].is_met_by(hand) and deal(
                    tuple(card for place, card in enumerate(rest) if place not in places), seat + 1):
                return True
        failed.add((seat, rest))
        return False

    return len(ordered) < 2 or deal(tuple(sorted((card.symbols for card in cards), key=len, reverse=True)), 0)


# --- Errors and warnings ---

def check_limits(deck: Deck, folder: Path) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return the errors and the warnings about a deck that was loaded from ``folder``."""
    def at_folder(problems: Iterable[Problem]) -> Iterator[Problem]:
        return (replace(problem, place=display_path(folder / problem.place)) for problem in problems)

    errors = (*at_folder(_check_numbers(deck)), *at_folder(_check_stones(deck)))
    return errors, (*at_folder(_check_display(deck)),)


def _check_numbers(deck: Deck) -> Iterator[Problem]:
    if not deck.cards:
        yield Problem("cards.csv", "holds no cards", "a row for each card")
    for country in deck.countries:
        count = len(deck.cards_of(country))
        if count != country.number:
            yield Problem("countries.toml",
                          f"{country.number} for {country.id}, but cards.csv holds {count} of its cards",
                          "correct the number, add cards or take some away", line=country.line, key="countries.number")


def _check_stones(deck: Deck) -> Iterator[Problem]:
    missing = sorted(set(range(1, MAX_PLAYERS + 1)) - {stone.player for stone in deck.stones})
    if missing:
        yield Problem("stones.toml", f"player {join_names(map(str, missing))} has no claim stones",
                      f"a [[stones]] for each of {MAX_PLAYERS} players", key="stones")
    for stone in deck.stones:
        if stone.copies < STONES_EACH:
            yield Problem("stones.toml", f"{stone.copies} claim stones for player {stone.player}",
                          f"each player needs {STONES_EACH}", line=stone.line, key="stones.copies")


def _check_display(deck: Deck) -> Iterator[Problem]:
    places, cards = DISPLAY_ROWS * DISPLAY_COLUMNS, len(deck.cards)
    if cards != places:
        yield Problem("cards.csv", f"{cards} cards, but the display has {places} places",
                      f"the rules lay {DISPLAY_ROWS} rows of {DISPLAY_COLUMNS}")
    tablets = sum(law.copies for law in deck.laws)
    if tablets != TABLET_PLACES:
        yield Problem("laws.toml", f"{tablets} law tablets, but the display has places for {TABLET_PLACES}",
                      key="laws.copies")
