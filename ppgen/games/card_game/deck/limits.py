"""Judges a deck: turns a :class:`Deck` into errors (it can't be played) and warnings (it plays worse).

A warning is what binds only our own design (``docs/decisions/0001-deck.md``): a deck of one's own may
well follow another idea.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ppgen.errors import Problem, listed, shown_path
from ppgen.games.card_game.deck.model import (
    DISPLAY_COLUMNS,
    DISPLAY_ROWS,
    MAX_PLAYERS,
    STONES_EACH,
    TABLET_PLACES,
    Deck,
    Route,
    count_routes,
    count_symbols,
)

KINDS = (2, 3)
"""How many kinds of circle symbol a country shows."""
LARGEST_SHARE = 1 / 4
"""The share of all circle symbols above which one kind dominates the deck."""
MOST_BARE = 1 / 6
"""The share of cards without a circle symbol that is still few."""
LEAST_COMMON = 1 / 3
"""The share of cards from which on one or two circle symbols are common."""
LEANINGS: dict[str, Route] = {
    "england": "ship", "denmark": "ship", "italy": "ship",
    "bavaria": "carriage", "franconia": "carriage", "hungary": "carriage",
}
"""The route that geography makes the commoner one; the other countries have coasts and roads."""
EXAMPLE_SYMBOLS = {"cross": 4, "fan": 3}
"""What players hold of France in the example of the German rules, section 'Symbolwertung'."""
EXAMPLE_ROUTES: dict[Route, int] = {"ship": 3 + 7 + 5, "carriage": 4 + 5}
"""What players hold in the example of the German rules, section 'Kettenwertung'."""


def check_limits(deck: Deck, folder: Path) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """Errors and warnings about a deck that was read from ``folder``."""
    def placed(problems: Iterable[Problem]) -> Iterator[Problem]:
        return (replace(problem, place=shown_path(folder / problem.place)) for problem in problems)

    errors = (*placed(_numbers(deck)), *placed(_stones(deck)))
    warnings = (*placed(_display(deck)), *placed(_cards(deck)), *placed(_kinds(deck)),
                *placed(_geography(deck)), *placed(_examples(deck)))
    return errors, warnings


def _numbers(deck: Deck) -> Iterator[Problem]:
    if not deck.cards:
        yield Problem(place="cards.csv", what="holds no cards", remedy="a row for each card")
    for country in deck.countries:
        count = len(deck.cards_of(country))
        if count != country.number:
            yield Problem(place="countries.toml", line=country.line, key="countries.number",
                          what=f"{country.number} for {country.id}, but cards.csv holds {count} of its cards",
                          remedy="correct the number, add cards or take some away")


def _stones(deck: Deck) -> Iterator[Problem]:
    missing = sorted(set(range(1, MAX_PLAYERS + 1)) - {stone.player for stone in deck.stones})
    if missing:
        yield Problem(place="stones.toml", key="stones",
                      what=f"player {listed(map(str, missing))} has no claim stones",
                      remedy=f"a [[stones]] for each of {MAX_PLAYERS} players")
    for stone in deck.stones:
        if stone.copies < STONES_EACH:
            yield Problem(place="stones.toml", line=stone.line, key="stones.copies",
                          what=f"{stone.copies} claim stones for player {stone.player}",
                          remedy=f"each player needs {STONES_EACH}")


def _display(deck: Deck) -> Iterator[Problem]:
    places, cards = DISPLAY_ROWS * DISPLAY_COLUMNS, len(deck.cards)
    if cards != places:
        yield Problem(place="cards.csv", what=f"{cards} cards, but the display has {places} places",
                      remedy=f"the rules lay {DISPLAY_ROWS} rows of {DISPLAY_COLUMNS}")
    tablets = sum(law.copies for law in deck.laws)
    if tablets != TABLET_PLACES:
        yield Problem(place="laws.toml", key="laws.copies",
                      what=f"{tablets} law tablets, but the display has places for {TABLET_PLACES}")


def _cards(deck: Deck) -> Iterator[Problem]:
    for card in deck.cards:
        if not card.symbols and not card.route:
            yield Problem(place="cards.csv", line=card.line, key="symbols",
                          what=f"{card.id} shows neither a circle symbol nor a route",
                          remedy="give it one of them")
    cards = len(deck.cards)
    bare, one, two = (sum(len(card.symbols) == count for card in deck.cards) for count in (0, 1, 2))
    if bare > cards * MOST_BARE:
        yield Problem(place="cards.csv", key="symbols",
                      what=f"{bare} of {cards} cards show no circle symbol", remedy="they should be few")
    for count, named in ((one, "one circle symbol"), (two, "two circle symbols")):
        if count < cards * LEAST_COMMON:
            yield Problem(place="cards.csv", key="symbols", what=f"{count} of {cards} cards show {named}",
                          remedy="cards with one and with two should be common")


def _kinds(deck: Deck) -> Iterator[Problem]:
    fewest, most = KINDS
    for country in deck.countries:
        kinds = count_symbols(deck.cards_of(country))
        if not fewest <= len(kinds) <= most:
            yield Problem(place="cards.csv", key="symbols",
                          what=f"{country.id} shows {len(kinds)} kinds of circle symbol",
                          remedy=f"from {fewest} to {most} let players contend")
    counts = count_symbols(deck.cards)
    for kind, count in counts.items():
        if count > counts.total() * LARGEST_SHARE:
            yield Problem(place="cards.csv", key="symbols",
                          what=f"{count} of {counts.total()} circle symbols are '{kind}'",
                          remedy="spread them over more kinds")


def _geography(deck: Deck) -> Iterator[Problem]:
    for country in deck.countries:
        leaning = LEANINGS.get(country.id)
        routes = count_routes(deck.cards_of(country))
        if leaning and routes[leaning] * 2 <= routes.total():
            yield Problem(place="cards.csv", key="route",
                          what=f"{country.id} has {routes['ship']} ships and {routes['carriage']} carriages",
                          remedy=f"on the map a {leaning} is the commoner way there")


def _examples(deck: Deck) -> Iterator[Problem]:
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
