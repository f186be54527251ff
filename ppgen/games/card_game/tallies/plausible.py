"""Judges tallies against the deck: more than it holds, or than a player's cards can bear, is a problem.

What is judged is what the rules let one count (German rules, section 'Die Wertung und das Spielende'):
cards, the symbols of one kind, ships, carriages and the law tablets worth -2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppgen.errors import Problem, Spot
from ppgen.games.card_game.deck.bounds import (
    Claim,
    can_share,
    most_of_kind,
    most_of_one_kind,
    most_symbols,
)
from ppgen.games.card_game.deck.model import Card, Country, Deck, count_routes
from ppgen.games.card_game.scoring.points import Tally
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.sentences import counted, enumerated
from ppgen.reading.fields import Trail
from ppgen.reading.texts import Texts

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


def implausible(hands: Sequence[Hand], deck: Deck, where: Callable[[Trail], Spot], names: Names) -> Iterator[Problem]:
    """Every count that the deck can't bear."""
    named = {card.id for hand in hands for card in hand.collected or ()}
    counting = [hand for hand in hands if hand.collected is None]
    free: dict[str, list[Card]] = {country.id: [] for country in deck.countries}
    for card in deck.cards:
        if card.id not in named:
            free[card.country.id].append(card)
    findings = (*(finding for country in deck.countries
                  for finding in _judge_country(hands, counting, country, free[country.id])),
                *_judge_routes(hands, counting, deck, free), *_judge_laws(hands, deck))
    for finding in findings:
        yield where(finding.trail).problem(*finding.told(names.say))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    """What is wrong where: keys of the texts that say it, and what they are filled with.

    Of the ``values``, ``country`` and ``kind`` are keys; those of ``counts`` are numbers of things;
    ``shares`` says how many each player has.
    """

    trail: Trail
    what: str
    remedy: str = "wrong.again"
    values: Mapping[str, object] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    shares: Mapping[str, int] = field(default_factory=dict)

    def told(self, say: Texts) -> tuple[str, str]:
        """What is wrong and what to do, in a language."""
        tables = {"country": "countries", "kind": "kinds"}
        values = {key: say(f"{tables[key]}.{value}") if key in tables else value for key, value in self.values.items()}
        values |= {key: counted(key, number, say) for key, number in self.counts.items()}
        values["shares"] = enumerated((f"{name} {count}" for name, count in self.shares.items() if count), say)
        return say(self.what, **values), say(self.remedy, **values)


def _judge_country(hands: Sequence[Hand], counting: Sequence[Hand], country: Country,
                   free: Sequence[Card]) -> Iterator[_Finding]:
    id = country.id
    counts = {hand.tally.name: hand.tally.cards.get(id, 0) for hand in hands}
    if too_many := [hand for hand in counting if counts[hand.tally.name] > country.number]:
        for hand in too_many:
            yield _Finding(trail=hand.trail("cards", id), what="wrong.cards_one", remedy="wrong.cards_exist",
                           values={"name": hand.tally.name, "country": id, "number": country.number},
                           counts={"cards": counts[hand.tally.name]})
        return
    if (total := sum(counts.values())) > country.number:
        last = [hand for hand in counting if counts[hand.tally.name]][-1]
        yield _Finding(trail=last.trail("cards", id), what="wrong.cards_all", shares=counts, values={
            "country": id, "count": total, "number": country.number})
        return
    counting = [hand for hand in counting if not hand.doubtful]
    findings = [finding for hand in counting for finding in _judge_symbols(hand, id, free)]
    yield from findings
    claims = {hand.tally.name: _claim(hand, id) for hand in counting}
    if not findings and not can_share(free, claims.values()):
        last = [hand for hand in counting if claims[hand.tally.name].best][-1]
        best = {name: claim.best for name, claim in claims.items()}
        yield _Finding(trail=last.trail("symbols", id), what="wrong.best_all",
                       shares=best, values={"country": id})


def _claim(hand: Hand, country: str) -> Claim:
    return Claim(cards=hand.tally.cards.get(country, 0), best=hand.tally.symbols.get(country, 0),
                 kinds=hand.kinds.get(country, {}))


def _judge_symbols(hand: Hand, country: str, free: Sequence[Card]) -> Iterator[_Finding]:
    """More symbols than the player's cards of a country can show."""
    claim, at = _claim(hand, country), hand.trail("symbols", country)
    if not claim.best:
        return

    def finding(what: str, symbols: int, bound: int, trail: Trail = at, kind: str = "") -> _Finding:
        return _Finding(trail=trail, what=what, remedy="wrong.at_most",
                        counts={"symbols": symbols, "cards": claim.cards},
                        values={"name": hand.tally.name, "country": country, "number": bound,
                                **({"kind": kind} if kind else {})})

    excess = False
    for kind, count in claim.kinds.items():
        if count > (bound := most_of_kind(free, claim.cards, kind)):
            excess = True
            yield finding("wrong.kind_on", count, bound, (*at, kind), kind)
    if excess:
        return
    if (total := sum(claim.kinds.values())) > (bound := most_symbols(free, claim.cards)):
        yield finding("wrong.symbols_on", total, bound)
    elif claim.best > (bound := most_of_one_kind(free, claim.cards)):
        yield finding("wrong.best_on", claim.best, bound)


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
                yield _Finding(trail=hand.trail(name), what=f"wrong.{name}_on", remedy="wrong.at_most_shown",
                               values={"name": hand.tally.name, "number": bound}, counts={name: own[name]})
        if hand.seat not in singly and sum(own.values()) > (
                bound := _most_routes(hand.tally, shown, *(route for _, route in _ROUTES))):
            singly.add(hand.seat)
            yield _Finding(trail=hand.trail("carriages"), what="wrong.routes_on", remedy="wrong.at_most_both",
                           values={"name": hand.tally.name, "number": bound}, counts=own)
    for name, route in _ROUTES:
        counts = {hand.tally.name: getattr(hand.tally, name) for hand in hands}
        if not singly and sum(counts.values()) > exist[route]:
            last = [hand for hand in counting if getattr(hand.tally, name)][-1]
            yield _Finding(trail=last.trail(name), what=f"wrong.{name}_all", shares=counts, values={
                "count": sum(counts.values()), "number": exist[route]})


def _most_routes(tally: Tally, shown: Mapping[str, Mapping[str, int]], *routes: str) -> int:
    """The most of these routes that a player's cards can show, as a card shows one or none."""
    return sum(min(count, sum(shown[country][route] for route in routes)) for country, count in tally.cards.items())


def _judge_laws(hands: Sequence[Hand], deck: Deck) -> Iterator[_Finding]:
    copies = sum(law.copies for law in deck.laws if law.id == "minus_two")
    counts = {hand.tally.name: hand.tally.minus_two for hand in hands}
    if (total := sum(counts.values())) > copies:
        last = [hand for hand in hands if hand.tally.minus_two][-1]
        yield _Finding(trail=last.trail("minus_two"), what="wrong.minus_two_all",
                       shares=counts, values={"count": total, "number": copies})
