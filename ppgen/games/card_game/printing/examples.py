"""Turns ``examples.toml`` into the worked examples of the rules, and examples into their points.

The rules show nothing that the scoring code did not work out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from ppgen.errors import Problems, listed
from ppgen.games.card_game.deck.model import MAX_PLAYERS, Card, Deck, count_routes, count_symbols
from ppgen.games.card_game.scoring.points import chain_points, country_points, symbol_points
from ppgen.reading.fields import Fields, read_toml

Topic = Literal["taking", "country", "symbols", "chains"]
TOPICS: tuple[Topic, ...] = ("taking", "country", "symbols", "chains")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Cards in the hands of players, first player first.

    A taking has what one player takes from each row instead, and what stays in those rows as ``rest``.
    ``country`` is that of the scoring shown; of a taking or of chains there is none.
    """

    id: str
    shows: Topic
    hands: tuple[tuple[Card, ...], ...]
    country: str = ""
    rest: tuple[tuple[Card, ...], ...] = ()

    def counts(self, deck: Deck) -> tuple[int, ...]:
        """What each player's points follow from: cards of the country, or symbols of their best kind in it."""
        if self.shows == "symbols":
            return tuple(max(count_symbols(hand).values(), default=0) for hand in self.hands)
        return tuple(map(len, self.hands))

    def points(self, deck: Deck) -> tuple[int, ...]:
        """What each player scores; a taking scores nothing."""
        if self.shows == "country":
            number = next(country.number for country in deck.countries if country.id == self.country)
            return country_points(self.counts(deck), number)
        if self.shows == "symbols":
            return symbol_points(self.counts(deck))
        if self.shows == "chains":
            return tuple(chain_points(routes["ship"]) + chain_points(routes["carriage"])
                         for routes in map(count_routes, self.hands))
        return (0,) * len(self.hands)


def read_examples(folder: Path, deck: Deck) -> tuple[Example, ...]:
    """The examples of a data folder. Raises InputError with every problem: cards that the deck has not, most likely."""
    problems = Problems()
    top = read_toml(folder, "examples.toml", problems)
    examples = tuple(_example(row, deck) for row in top.take_tables("examples"))
    top.close()
    problems.raise_if_any()
    return examples


def _example(row: Fields, deck: Deck) -> Example:
    known = {card.id: card for card in deck.cards}
    shows = cast(Topic, row.take_choice("shows", TOPICS))
    country = row.take_choice("country", [country.id for country in deck.countries], "")
    if shows in ("country", "symbols") and not country:
        row.note("country", "is missing", "name the country that is scored")
    found = Example(id=row.take_text("id"), shows=shows, country=country, hands=_lists(row, "cards", known),
                    rest=_lists(row, "rest", known) if shows == "taking" else ())
    if shows == "taking" and len(found.rest) != len(found.hands):
        row.note("rest", "is not a list of cards for each row that something is taken from", "as many as in cards")
    row.close()
    return found


def _lists(row: Fields, key: str, known: Mapping[str, Card]) -> tuple[tuple[Card, ...], ...]:
    """A list of cards for each player, or for each row."""
    lists = row.raw(key)
    if not isinstance(lists, list) or not all(isinstance(each, list) for each in lists) or len(lists) > MAX_PLAYERS:
        row.note(key, "is not a list of cards for each player, or row", f'write {key} = [["france-1"], ["france-2"]]')
        return ()
    return tuple(tuple(_cards(row, key, each, known)) for each in lists)


def _cards(row: Fields, key: str, ids: list[object], known: Mapping[str, Card]) -> Iterator[Card]:
    for id in ids:
        if isinstance(id, str) and id in known:
            yield known[id]
        else:
            row.note(key, f"{id!r} is no card of this deck", f"the ids of cards.csv: {listed([*known][:3])}, …")
