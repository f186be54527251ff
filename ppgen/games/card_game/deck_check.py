"""Limits of a deck: the highest counts that its cards allow, and errors and warnings about it.

Errors prevent playing. Warnings concern the design of our own deck (``docs/decisions/0001-deck.md``); other decks may
follow other ideas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from ppgen.errors import Problem, display_path, join_names
from ppgen.games.card_game.deck import (DISPLAY_COLUMNS, DISPLAY_ROWS, MAX_PLAYERS, STONES_EACH, TABLET_PLACES, Card,
                                        Deck, Route, count_routes, count_symbols)

CardSymbols = tuple[str, ...]  # the circle symbols of a card
MAX_SEARCH_STEPS = 20_000  # hands tried before a claim is accepted; the shipped deck needs a few hundred
COUNTRY_KINDS = (2, 3)  # fewest and most kinds of circle symbol of a country
MAX_KIND_SHARE = 1 / 4  # share of all circle symbols; a kind above it dominates the deck
MAX_BARE_SHARE = 1 / 6  # share of cards without a circle symbol
MIN_COMMON_SHARE = 1 / 3  # share of cards with one circle symbol, and with two
TYPICAL_ROUTES: dict[str, Route] = {
    "england": "ship", "denmark": "ship", "italy": "ship",
    "bavaria": "carriage", "franconia": "carriage", "hungary": "carriage",
}
"""The more frequent route of a country by geography; the other countries have coasts and roads."""
EXAMPLE_SYMBOLS = {"cross": 4, "fan": 3}
"""Symbols of France in the example of the German rules, section 'Symbolwertung'."""
EXAMPLE_ROUTES: dict[Route, int] = {"ship": 3 + 7 + 5, "carriage": 4 + 5}
"""Routes in the example of the German rules, section 'Kettenwertung'."""


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


# Errors and warnings

def check_limits(deck: Deck, folder: Path) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Return the errors and the warnings about a deck that was loaded from ``folder``."""
    def at_folder(problems: Iterable[Problem]) -> Iterator[Problem]:
        return (replace(problem, place=display_path(folder / problem.place)) for problem in problems)

    errors = (*at_folder(_check_numbers(deck)), *at_folder(_check_stones(deck)))
    warnings = (*at_folder(_check_display(deck)), *at_folder(_check_cards(deck)), *at_folder(_check_kinds(deck)),
                *at_folder(_check_geography(deck)), *at_folder(_check_examples(deck)))
    return errors, warnings


def _check_numbers(deck: Deck) -> Iterator[Problem]:
    if not deck.cards:
        yield Problem(place="cards.csv", what="holds no cards", remedy="a row for each card")
    for country in deck.countries:
        count = len(deck.cards_of(country))
        if count != country.number:
            yield Problem(place="countries.toml", line=country.line, key="countries.number",
                          what=f"{country.number} for {country.id}, but cards.csv holds {count} of its cards",
                          remedy="correct the number, add cards or take some away")


def _check_stones(deck: Deck) -> Iterator[Problem]:
    missing = sorted(set(range(1, MAX_PLAYERS + 1)) - {stone.player for stone in deck.stones})
    if missing:
        yield Problem(place="stones.toml", key="stones",
                      what=f"player {join_names(map(str, missing))} has no claim stones",
                      remedy=f"a [[stones]] for each of {MAX_PLAYERS} players")
    for stone in deck.stones:
        if stone.copies < STONES_EACH:
            yield Problem(place="stones.toml", line=stone.line, key="stones.copies",
                          what=f"{stone.copies} claim stones for player {stone.player}",
                          remedy=f"each player needs {STONES_EACH}")


def _check_display(deck: Deck) -> Iterator[Problem]:
    places, cards = DISPLAY_ROWS * DISPLAY_COLUMNS, len(deck.cards)
    if cards != places:
        yield Problem(place="cards.csv", what=f"{cards} cards, but the display has {places} places",
                      remedy=f"the rules lay {DISPLAY_ROWS} rows of {DISPLAY_COLUMNS}")
    tablets = sum(law.copies for law in deck.laws)
    if tablets != TABLET_PLACES:
        yield Problem(place="laws.toml", key="laws.copies",
                      what=f"{tablets} law tablets, but the display has places for {TABLET_PLACES}")


def _check_cards(deck: Deck) -> Iterator[Problem]:
    for card in deck.cards:
        if not card.symbols and not card.route:
            yield Problem(place="cards.csv", line=card.line, key="symbols",
                          what=f"{card.id} shows neither a circle symbol nor a route",
                          remedy="give it one of them")
    cards = len(deck.cards)
    bare, one, two = (sum(len(card.symbols) == count for card in deck.cards) for count in (0, 1, 2))
    if bare > cards * MAX_BARE_SHARE:
        yield Problem(place="cards.csv", key="symbols",
                      what=f"{bare} of {cards} cards show no circle symbol", remedy="they should be few")
    for count, kind in ((one, "one circle symbol"), (two, "two circle symbols")):
        if count < cards * MIN_COMMON_SHARE:
            yield Problem(place="cards.csv", key="symbols", what=f"{count} of {cards} cards show {kind}",
                          remedy="cards with one and with two should be common")


def _check_kinds(deck: Deck) -> Iterator[Problem]:
    fewest, most = COUNTRY_KINDS
    for country in deck.countries:
        kinds = count_symbols(deck.cards_of(country))
        if not fewest <= len(kinds) <= most:
            yield Problem(place="cards.csv", key="symbols",
                          what=f"{country.id} shows {len(kinds)} kinds of circle symbol",
                          remedy=f"from {fewest} to {most} let players contend")
    counts = count_symbols(deck.cards)
    for kind, count in counts.items():
        if count > counts.total() * MAX_KIND_SHARE:
            yield Problem(place="cards.csv", key="symbols",
                          what=f"{count} of {counts.total()} circle symbols are '{kind}'",
                          remedy="spread them over more kinds")


def _check_geography(deck: Deck) -> Iterator[Problem]:
    for country in deck.countries:
        typical = TYPICAL_ROUTES.get(country.id)
        routes = count_routes(deck.cards_of(country))
        if typical and routes[typical] * 2 <= routes.total():
            yield Problem(place="cards.csv", key="route",
                          what=f"{country.id} has {routes['ship']} ships and {routes['carriage']} carriages",
                          remedy=f"on the map a {typical} is the commoner way there")


def _check_examples(deck: Deck) -> Iterator[Problem]:
    symbols = count_symbols(card for card in deck.cards if card.country.id == "france")
    for kind, count in EXAMPLE_SYMBOLS.items():
        if symbols[kind] < count:
            yield Problem(place="cards.csv", key="symbols",
                          what=f"france shows '{kind}' {symbols[kind]} times",
                          remedy=f"an example in the rules needs {count}")
    routes = count_routes(deck.cards)
    for route, count in EXAMPLE_ROUTES.items():
        if routes[route] < count:
            yield Problem(place="cards.csv", key="route",
                          what=f"the deck shows a {route} {routes[route]} times",
                          remedy=f"an example in the rules needs {count}")
