"""Scores of tallies, and the reasons for their points.

The clauses are those of the German rules, section 'Die Wertung und das Spielende'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import Literal

from ppgen.games.card_game.deck import MINUS_TWO_POINTS, Card, Country, count_routes, count_symbols
from ppgen.play.ranking import RankedPlayer, Ranking, TieBreak, place_counts, rank_players, score_places

Entry = Literal["country", "symbols", "ships", "carriages", "minus_two"]
"""Places of points on the score sheet."""

COLUMNS = ("cards", "symbols")
"""Counts of a tally for each country."""
SINGLE_COUNTS = ("ships", "carriages", "minus_two")
"""Its other counts."""
COUNTRY_POINTS = ("country_points", "symbol_points")
"""Points of the two counts of a country."""
POINTS = ("country_subtotal", "symbol_subtotal", "carry", "chain_points", "law_points", "total")
"""The other points on the score sheet, from top to bottom."""
CHAIN_LENGTH = 5
"""Fewest ships, or carriages, that score ('Kettenwertung')."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The counts of a player; missing countries are 0.

    ``cards`` are the cards of each country, ``symbols`` the circle symbols of the player's best kind in it,
    ``minus_two`` the law tablets of that kind.
    """

    name: str
    cards: Mapping[str, int] = field(default_factory=dict)
    symbols: Mapping[str, int] = field(default_factory=dict)
    ships: int = 0
    carriages: int = 0
    minus_two: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryScore:
    """A player's counts of a country and their points, in the order of the JSON result."""

    cards: int
    symbols: int
    country_points: int
    symbol_points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore(RankedPlayer):
    """A player's column of the score sheet. ``law_points`` is 0 or negative, ``cards`` counts all cards."""

    cards: int
    countries: Mapping[str, CountryScore]
    country_subtotal: int
    symbol_subtotal: int
    ships: int
    carriages: int
    chain_points: int
    minus_two: int
    law_points: int


Score = Ranking[PlayerScore]
BY_CARDS = TieBreak[PlayerScore]("cards", attrgetter("cards"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """The reason for a player's points, or for their absence, in one entry of the score sheet.

    ``count`` is the player's count, ``place`` its place (0 if places don't matter). ``measure`` is the count that the
    points depend on: for ``country`` the cards that exist (place 1) or the count of the place before; for ``symbols``
    the highest count; for ``ships`` and ``carriages`` the fewest that score. ``holders`` are the other players with
    ``measure``.
    """

    player: str
    entry: Entry
    points: int
    count: int
    country: str | None = None
    place: int = 0
    measure: int = 0
    holders: tuple[str, ...] = ()


def tally_cards(name: str, cards: Iterable[Card], minus_two: int = 0) -> Tally:
    """Count the cards that a player collected."""
    by_country: dict[str, list[Card]] = {}
    for card in cards:
        by_country.setdefault(card.country.id, []).append(card)
    routes = count_routes(chain.from_iterable(by_country.values()))
    return Tally(
        name=name,
        cards={country: len(own) for country, own in by_country.items()},
        symbols={country: max(count_symbols(own).values(), default=0) for country, own in by_country.items()},
        ships=routes["ship"], carriages=routes["carriage"], minus_two=minus_two)


def score_game(tallies: Sequence[Tally], countries: Sequence[Country]) -> Score:
    """Score a game; the players are in the order of ``tallies``, which does not affect points."""
    columns = {country.id: _score_country(tallies, country) for country in countries}
    return rank_players([_add_up(tally, {country: column[seat] for country, column in columns.items()})
                         for seat, tally in enumerate(tallies)], BY_CARDS)


def country_points(counts: Sequence[int], number: int) -> tuple[int, ...]:
    """Points of each player for ``counts`` cards of a country with ``number`` cards ('Länderwertung').

    The highest count scores ``number``, each further place the count of the place before; equal counts share a place.
    """
    return score_places(counts, number)


def symbol_points(counts: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for the symbols of their best kind in a country ('Symbolwertung')."""
    highest = max(counts, default=0)
    return tuple(count if count == highest else 0 for count in counts)


def chain_points(count: int) -> int:
    """Points for this number of ships, or of carriages ('Kettenwertung')."""
    return count if count >= CHAIN_LENGTH else 0


def explain(score: Score, countries: Sequence[Country]) -> Iterator[Reason]:
    """Yield the reasons for a score, player by player, for each entry with a count."""
    for player in score.players:
        for country in countries:
            yield from _explain_country(player, country, score.players)
        chains: tuple[tuple[Entry, int], ...] = (("ships", player.ships), ("carriages", player.carriages))
        for entry, count in chains:
            if count:
                yield Reason(player=player.name, entry=entry, count=count, points=chain_points(count),
                             measure=CHAIN_LENGTH)
        if player.minus_two:
            yield Reason(player=player.name, entry="minus_two", count=player.minus_two,
                         points=player.law_points)


def _explain_country(player: PlayerScore, country: Country,
                     players: Sequence[PlayerScore]) -> Iterator[Reason]:
    own = player.countries[country.id]
    others = {other.name: other.countries[country.id] for other in players if other is not player}
    if own.cards:
        places = place_counts([own.cards, *(other.cards for other in others.values())])
        place = places.index(own.cards)
        before = places[place - 1] if place else 0
        yield Reason(player=player.name, entry="country", country=country.id, count=own.cards,
                     points=own.country_points, place=place + 1, measure=before or country.number,
                     holders=tuple(name for name, other in others.items() if 0 < other.cards == before))
    if own.symbols:
        places = place_counts([own.symbols, *(other.symbols for other in others.values())])
        yield Reason(player=player.name, entry="symbols", country=country.id, count=own.symbols,
                     points=own.symbol_points, place=places.index(own.symbols) + 1, measure=places[0],
                     holders=tuple(name for name, other in others.items() if other.symbols == places[0]))


def _score_country(tallies: Sequence[Tally], country: Country) -> list[CountryScore]:
    cards = [tally.cards.get(country.id, 0) for tally in tallies]
    symbols = [tally.symbols.get(country.id, 0) for tally in tallies]
    columns = zip(cards, symbols, country_points(cards, country.number), symbol_points(symbols), strict=True)
    return [CountryScore(cards=card_count, symbols=symbol_count, country_points=left, symbol_points=right)
            for card_count, symbol_count, left, right in columns]


def _add_up(tally: Tally, countries: Mapping[str, CountryScore]) -> PlayerScore:
    """A player's score, with rank 1 for now."""
    country_subtotal = sum(entry.country_points for entry in countries.values())
    symbol_subtotal = sum(entry.symbol_points for entry in countries.values())
    chains = chain_points(tally.ships) + chain_points(tally.carriages)
    laws = MINUS_TWO_POINTS * tally.minus_two
    return PlayerScore(
        name=tally.name, total=country_subtotal + symbol_subtotal + chains + laws,
        cards=sum(entry.cards for entry in countries.values()), countries=countries,
        country_subtotal=country_subtotal, symbol_subtotal=symbol_subtotal,
        ships=tally.ships, carriages=tally.carriages, chain_points=chains,
        minus_two=tally.minus_two, law_points=laws)
