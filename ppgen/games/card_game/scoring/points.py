"""Turns what each player collected into a score, and a score into the reasons for its points.

The clauses are those of the German rules, section 'Die Wertung und das Spielende'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal

from ppgen.games.card_game.deck.model import MINUS_TWO_POINTS, Card, Country, count_routes, count_symbols

Entry = Literal["country", "symbols", "ships", "carriages", "minus_two"]
"""Where points are written on the score sheet."""

COLUMNS = ("cards", "symbols")
"""What a tally counts of each country."""
SINGLE_COUNTS = ("ships", "carriages", "minus_two")
"""What else it counts."""
COUNTRY_POINTS = ("country_points", "symbol_points")
"""What the two counts of a country make."""
POINTS = ("country_subtotal", "symbol_subtotal", "carry", "chain_points", "law_points", "total")
"""The other points on the score sheet, from above."""
CHAIN_LENGTH = 5
"""The fewest ships, or carriages, that score ('Kettenwertung')."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What one player collected; a country that is missing counts 0.

    ``cards`` counts the cards of each country, ``symbols`` the circle symbols of the player's best kind
    in it; ``minus_two`` counts the law tablets of that kind.
    """

    name: str
    cards: Mapping[str, int] = field(default_factory=dict)
    symbols: Mapping[str, int] = field(default_factory=dict)
    ships: int = 0
    carriages: int = 0
    minus_two: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryScore:
    """One player's two columns of a country, and the counts behind them."""

    cards: int
    symbols: int
    country_points: int
    symbol_points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerScore:
    """One player's part of the score sheet. ``law_points`` is 0 or negative, ``cards`` counts all cards."""

    name: str
    rank: int
    total: int
    cards: int
    countries: Mapping[str, CountryScore]
    country_subtotal: int
    symbol_subtotal: int
    ships: int
    carriages: int
    chain_points: int
    minus_two: int
    law_points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The players as they were given, and who won.

    ``tie_break`` is ``"cards"`` when totals tied and the number of cards decided, ``"draw"`` when
    nothing did (then ``winners`` holds all who tie), else None.
    """

    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]
    tie_break: Literal["cards", "draw"] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why a player has the points of one entry on the score sheet, or has none there.

    ``count`` is what the player holds, ``place`` the place it earns (0 where places don't matter).
    ``measure`` is the count that the points depend on: in ``country`` the cards that exist (place 1) or
    that the place before holds; in ``symbols`` the highest count of all; in ``ships`` and ``carriages``
    the fewest that score. ``holders`` names the other players who hold ``measure``.
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
    """The tally of a player who collected these cards."""
    held: dict[str, list[Card]] = {}
    for card in cards:
        held.setdefault(card.country.id, []).append(card)
    routes = count_routes(chain.from_iterable(held.values()))
    return Tally(
        name=name,
        cards={country: len(own) for country, own in held.items()},
        symbols={country: max(count_symbols(own).values(), default=0) for country, own in held.items()},
        ships=routes["ship"], carriages=routes["carriage"], minus_two=minus_two)


def score_game(tallies: Sequence[Tally], countries: Sequence[Country]) -> Score:
    """The score of a game; its players are in the order of ``tallies``, which has no influence on points."""
    columns = {country.id: _score_country(tallies, country) for country in countries}
    return _rank([_add_up(tally, {country: column[seat] for country, column in columns.items()})
                  for seat, tally in enumerate(tallies)])


def country_points(counts: Sequence[int], number: int) -> tuple[int, ...]:
    """Points of each player for ``counts`` cards of a country of which ``number`` exist ('Länderwertung').

    The most score ``number``, each next place what the place before holds; equal counts share a place.
    """
    places = _places(counts)
    points = dict(zip(places, (number, *places), strict=False))
    return tuple(points.get(count, 0) for count in counts)


def symbol_points(counts: Sequence[int]) -> tuple[int, ...]:
    """Points of each player for the symbols of their best kind in a country ('Symbolwertung')."""
    highest = max(counts, default=0)
    return tuple(count if count == highest else 0 for count in counts)


def chain_points(count: int) -> int:
    """Points for that many ships, or that many carriages ('Kettenwertung')."""
    return count if count >= CHAIN_LENGTH else 0


def explain(score: Score, countries: Sequence[Country]) -> Iterator[Reason]:
    """The reasons for a score, player by player, for every entry in which the player holds anything."""
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
        places = _places([own.cards, *(other.cards for other in others.values())])
        place = places.index(own.cards)
        before = places[place - 1] if place else 0
        yield Reason(player=player.name, entry="country", country=country.id, count=own.cards,
                     points=own.country_points, place=place + 1, measure=before or country.number,
                     holders=tuple(name for name, other in others.items() if 0 < other.cards == before))
    if own.symbols:
        places = _places([own.symbols, *(other.symbols for other in others.values())])
        yield Reason(player=player.name, entry="symbols", country=country.id, count=own.symbols,
                     points=own.symbol_points, place=places.index(own.symbols) + 1, measure=places[0],
                     holders=tuple(name for name, other in others.items() if other.symbols == places[0]))


def _places(counts: Iterable[int]) -> list[int]:
    """The counts that make the first place, the second and so on; 0 makes none, equal counts share one."""
    return sorted(set(counts) - {0}, reverse=True)


def _score_country(tallies: Sequence[Tally], country: Country) -> list[CountryScore]:
    cards = [tally.cards.get(country.id, 0) for tally in tallies]
    symbols = [tally.symbols.get(country.id, 0) for tally in tallies]
    columns = zip(cards, symbols, country_points(cards, country.number), symbol_points(symbols), strict=True)
    return [CountryScore(cards=held, symbols=shown, country_points=left, symbol_points=right)
            for held, shown, left, right in columns]


def _add_up(tally: Tally, countries: Mapping[str, CountryScore]) -> PlayerScore:
    """A player's score, for now on rank 1."""
    country_subtotal = sum(entry.country_points for entry in countries.values())
    symbol_subtotal = sum(entry.symbol_points for entry in countries.values())
    chains = chain_points(tally.ships) + chain_points(tally.carriages)
    laws = MINUS_TWO_POINTS * tally.minus_two
    return PlayerScore(
        name=tally.name, rank=1, total=country_subtotal + symbol_subtotal + chains + laws,
        cards=sum(entry.cards for entry in countries.values()), countries=countries,
        country_subtotal=country_subtotal, symbol_subtotal=symbol_subtotal,
        ships=tally.ships, carriages=tally.carriages, chain_points=chains,
        minus_two=tally.minus_two, law_points=laws)


def _rank(players: Sequence[PlayerScore]) -> Score:
    """The score with ranks: by total, then by number of cards; equal players share a rank (1, 1, 3)."""
    merits = [(player.total, player.cards) for player in players]
    ranked = tuple(replace(player, rank=1 + sum(other > own for other in merits))
                   for player, own in zip(players, merits, strict=True))
    winners = tuple(player for player in ranked if player.rank == 1)
    best = max((total for total, _ in merits), default=0)
    tie_break: Literal["cards", "draw"] | None = None
    if len(winners) > 1:
        tie_break = "draw"
    elif sum(total == best for total, _ in merits) > 1:
        tie_break = "cards"
    return Score(players=ranked, winners=tuple(winner.name for winner in winners), tie_break=tie_break)
