"""Turns a score into sentences of a language: who won and what decided, and why each point was scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from ppgen.games.card_game.deck.model import Country
from ppgen.games.card_game.scoring.points import Entry, PlayerScore, Reason, Score, explain
from ppgen.play import sentences
from ppgen.play.sentences import PLACES, enumerated, explained, joined, signed
from ppgen.reading.texts import Texts

ENTRIES: tuple[Entry, ...] = ("ships", "carriages", "minus_two")
"""The entries of a score sheet that belong to no country."""

BY_CARDS: sentences.TieBreak[PlayerScore] = sentences.TieBreak(
    "cards", attrgetter("cards"), "results.by_cards", "results.draw_by_cards")


def verdict(score: Score, texts: Texts, over: bool = True) -> str:
    """Who won, and what decided; or who leads, in a game that is not ``over``."""
    return sentences.verdict(score.players, score.tie_break, BY_CARDS, texts, over)


def reasons(score: Score, countries: Sequence[Country], texts: Texts) -> Iterator[str]:
    """A sentence for the two columns of each country, for ships, carriages and tablets, and for each total."""
    found = list(explain(score, countries))
    for country in countries:
        name = texts(f"countries.{country.id}")
        own = _of(found, "country", country.id)
        yield explained(name, list(_places(own, texts)) or [texts("explain.nobody")], texts)
        if shown := _of(found, "symbols", country.id):
            yield explained(texts("explain.symbols_of", country=name), _symbols(shown, texts), texts)
    for entry in ENTRIES:
        if own := _of(found, entry):
            yield explained(texts(f"tally.{entry}"), _single(own, texts), texts)
    for player in score.players:
        yield explained(player.name, [_total(player, texts)], texts)


def _of(found: Iterable[Reason], entry: Entry, country: str | None = None) -> list[Reason]:
    return [reason for reason in found if reason.entry == entry and reason.country == country]


def _places(own: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """The country column, place by place."""
    for place, group in groupby(sorted(own, key=lambda reason: reason.place), key=lambda reason: reason.place):
        sharing = list(group)
        reason = sharing[0]
        values = {"names": joined([each.player for each in sharing], texts), "count": reason.count,
                  "points": reason.points}
        if place == 1:
            yield texts("explain.most_shared" if len(sharing) > 1 else "explain.most", **values)
        else:
            before = texts("explain.before_many" if len(reason.holders) > 1 else "explain.before_one",
                           names=joined(reason.holders, texts))
            yield texts("explain.next_shared" if len(sharing) > 1 else "explain.next", before=before,
                        place=texts(f"places.{PLACES[place - 2]}"), **values)


def _symbols(shown: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """The symbol column: who has the most of one kind, then all others."""
    ordered = sorted(shown, key=lambda reason: reason.place)
    best = [reason for reason in ordered if reason.place == 1]
    yield texts("explain.symbols_shared" if len(best) > 1 else "explain.symbols_most", count=best[0].count,
                names=joined([reason.player for reason in best], texts), points=best[0].points)
    if rest := ordered[len(best):]:
        held = [texts("explain.held", name=reason.player, count=reason.count) for reason in rest]
        yield texts("explain.symbols_less", counts=enumerated(held, texts))


def _single(own: Iterable[Reason], texts: Texts) -> Iterator[str]:
    """Ships, carriages or law tablets, player by player."""
    for reason in own:
        values = {"name": reason.player, "count": reason.count}
        if reason.entry == "minus_two":
            yield texts("explain.law", points=signed(reason.points), **values)
        elif reason.points:
            yield texts("explain.chain", points=reason.points, **values)
        else:
            yield texts("explain.chain_short", measure=reason.measure, **values)


def _total(player: PlayerScore, texts: Texts) -> str:
    return texts("explain.total", country=player.country_subtotal, symbols=player.symbol_subtotal,
                 chains=player.chain_points, laws=signed(player.law_points), total=signed(player.total))
