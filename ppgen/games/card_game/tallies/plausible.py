"""Judges tallies against the deck: more than it holds, or than a player's cards can bear, is a problem.

What is judged is what the rules let one count (German rules, section 'Die Wertung und das Spielende'):
cards, the symbols of one kind, ships, carriages and the law tablets worth -2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppgen.errors import Problem, Spot, listed
from ppgen.games.card_game.deck.bounds import (
    Claim,
    can_share,
    most_of_kind,
    most_of_one_kind,
    most_symbols,
)
from ppgen.games.card_game.deck.model import Card, Country, Deck, count_routes
from ppgen.games.card_game.scoring.points import Tally
from ppgen.reading import Trail

AGAIN = "count again"
_ROUTES = (("ships", "ship"), ("carriages", "carriage"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A player's tally, and what is known beside it.

    ``collected`` holds the cards themselves where they were named (None: only counts were), ``kinds``
    the count of each kind in the countries where it was given, ``trails`` where the entry of
    ("cards" or "symbols", country) stands. In a ``doubtful`` hand some cards could not be read, so that
    nothing follows from the others.
    """

    seat: int
    tally: Tally
    collected: tuple[Card, ...] | None = None
    kinds: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    trails: Mapping[tuple[str, str], Trail] = field(default_factory=dict)
    doubtful: bool = False

    def trail(self, sort: str, country: str = "") -> Trail:
        return self.trails.get((sort, country), ("players", self.seat, sort))


def implausible(hands: Sequence[Hand], deck: Deck, where: Callable[[Trail], Spot]) -> Iterator[Problem]:
    """Every count that the deck can't bear."""
    named = {card.id for hand in hands for card in hand.collected or ()}
    counting = [hand for hand in hands if hand.collected is None]
    free: dict[str, list[Card]] = {country.id: [] for country in deck.countries}
    for card in deck.cards:
        if card.id not in named:
            free[card.country.id].append(card)
    for country in deck.countries:
        for trail, what, remedy in _judge_country(hands, counting, country, free[country.id]):
            yield where(trail).problem(what, remedy)
    for trail, what, remedy in (*_judge_routes(hands, counting, deck, free), *_judge_laws(hands, deck)):
        yield where(trail).problem(what, remedy)


_Finding = tuple[Trail, str, str]


def _judge_country(hands: Sequence[Hand], counting: Sequence[Hand], country: Country,
                   free: Sequence[Card]) -> Iterator[_Finding]:
    id = country.id
    counts = {hand.tally.name: hand.tally.cards.get(id, 0) for hand in hands}
    if too_many := [hand for hand in counting if counts[hand.tally.name] > country.number]:
        for hand in too_many:
            yield (hand.trail("cards", id), f"{counts[hand.tally.name]} of {country.number} {id} cards",
                   f"only {country.number} exist")
        return
    if (total := sum(counts.values())) > country.number:
        last = [hand for hand in counting if counts[hand.tally.name]][-1]
        yield (last.trail("cards", id), f"{total} of {country.number} {id} cards: {_shares(counts)}", AGAIN)
        return
    counting = [hand for hand in counting if not hand.doubtful]
    findings = [finding for hand in counting for finding in _judge_symbols(hand, id, free)]
    yield from findings
    claims = {hand.tally.name: _claim(hand, id) for hand in counting}
    if not findings and not can_share(free, claims.values()):
        last = [hand for hand in counting if claims[hand.tally.name].best][-1]
        best = {name: claim.best for name, claim in claims.items()}
        yield (last.trail("symbols", id), f"the {id} cards don't show that many symbols of one kind for each: "
               f"{_shares(best)}", AGAIN)


def _claim(hand: Hand, country: str) -> Claim:
    return Claim(cards=hand.tally.cards.get(country, 0), best=hand.tally.symbols.get(country, 0),
                 kinds=hand.kinds.get(country, {}))


def _judge_symbols(hand: Hand, country: str, free: Sequence[Card]) -> Iterator[_Finding]:
    """More symbols than the player's cards of a country can show."""
    claim, at = _claim(hand, country), hand.trail("symbols", country)
    if not claim.best:
        return
    holding = f"{claim.cards} {country} {'card' if claim.cards == 1 else 'cards'}"
    excess = False
    for kind, count in claim.kinds.items():
        if count > (bound := most_of_kind(free, claim.cards, kind)):
            excess = True
            yield (*at, kind), f"{count} {kind} symbols on {holding}", f"at most {bound}"
    if excess:
        return
    if (total := sum(claim.kinds.values())) > (bound := most_symbols(free, claim.cards)):
        yield at, f"{total} symbols on {holding}", f"at most {bound}"
    elif claim.best > (bound := most_of_one_kind(free, claim.cards)):
        yield at, f"{claim.best} symbols of one kind on {holding}", f"at most {bound}"


def _judge_routes(hands: Sequence[Hand], counting: Sequence[Hand], deck: Deck,
                  free: Mapping[str, Sequence[Card]]) -> Iterator[_Finding]:
    """More ships or carriages than a player's cards can show, or than exist."""
    exist = count_routes(deck.cards)
    shown = {country: count_routes(cards) for country, cards in free.items()}
    singly: set[int] = set()
    for hand in counting:
        if hand.doubtful:
            continue
        own = {name: getattr(hand.tally, name) for name, _ in _ROUTES}
        for name, route in _ROUTES:
            if own[name] > (bound := _most_routes(hand.tally, shown, route)):
                singly.add(hand.seat)
                yield (hand.trail(name), f"{own[name]} {name} on {hand.tally.name}'s cards",
                       f"at most {bound} by the counted cards")
        if hand.seat not in singly and sum(own.values()) > (
                bound := _most_routes(hand.tally, shown, *(route for _, route in _ROUTES))):
            singly.add(hand.seat)
            yield (hand.trail("carriages"), f"{own['ships']} ships and {own['carriages']} carriages on "
                   f"{hand.tally.name}'s cards", f"at most {bound} of both together by the counted cards")
    for name, route in _ROUTES:
        counts = {hand.tally.name: getattr(hand.tally, name) for hand in hands}
        if not singly and sum(counts.values()) > exist[route]:
            last = [hand for hand in counting if getattr(hand.tally, name)][-1]
            yield last.trail(name), f"{sum(counts.values())} of {exist[route]} {name}: {_shares(counts)}", AGAIN


def _most_routes(tally: Tally, shown: Mapping[str, Mapping[str, int]], *routes: str) -> int:
    """The most of these routes that a player's cards can show, as a card shows one or none."""
    return sum(min(count, sum(shown[country][route] for route in routes)) for country, count in tally.cards.items())


def _judge_laws(hands: Sequence[Hand], deck: Deck) -> Iterator[_Finding]:
    copies = sum(law.copies for law in deck.laws if law.id == "minus_two")
    counts = {hand.tally.name: hand.tally.minus_two for hand in hands}
    if (total := sum(counts.values())) > copies:
        last = [hand for hand in hands if hand.tally.minus_two][-1]
        yield last.trail("minus_two"), f"{total} of {copies} law tablets worth -2: {_shares(counts)}", AGAIN


def _shares(counts: Mapping[str, int]) -> str:
    return listed(f"{name} {count}" for name, count in counts.items() if count)
