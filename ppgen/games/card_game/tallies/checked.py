"""Turns tallies as someone wrote them into checked ones, or into everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from ppgen.errors import Problem, listed
from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck.model import MAX_PLAYERS, MIN_PLAYERS, Card, Country, Deck
from ppgen.games.card_game.scoring.points import COLUMNS, SINGLE_COUNTS, Tally, tally_cards
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.plausible import Hand, implausible
from ppgen.play.checking import Checker
from ppgen.play.raw import RawGame
from ppgen.reading.fields import Trail, shown_value
from ppgen.reading.texts import Texts

GAME_KEYS = ("game", "date", "place", "players")
PLAYER_KEYS = ("name", *COLUMNS, *SINGLE_COUNTS, "collected")
COUNTED = ("cards", "symbols", "ships", "carriages")
"""What ``collected`` stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """A checked game: who collected what, and the countries of which cards are missing, with the number counted."""

    players: tuple[Tally, ...]
    missing: Mapping[Country, int] = field(default_factory=dict)
    date: str = ""
    place: str = ""

    @property
    def complete(self) -> bool:
        return not self.missing


def check_tallies(raw: RawGame, deck: Deck, names: Names) -> Tallies:
    """The tallies of a raw game. Raises InputError with every problem (contract, 'Wrong tallies')."""
    reader = _Reader(raw, deck, names)
    hands = reader.read_hands()
    date, place = reader.text("date"), reader.text("place")
    reader.problems.extend(implausible(hands, deck, raw.where, names))
    reader.problems.sort(key=lambda problem: problem.line)
    reader.problems.raise_if_any()
    counted = {country: sum(hand.tally.cards.get(country.id, 0) for hand in hands) for country in deck.countries}
    return Tallies(players=tuple(hand.tally for hand in hands), date=date, place=place,
                   missing={country: count for country, count in counted.items() if count < country.number})


def warnings_of(tallies: Tallies, place: str, say: Texts) -> tuple[Problem, ...]:
    """What deserves a second look: countries in which cards are missing."""
    return tuple(
        Problem(place=place, key=country.id, remedy=say("wrong.again_or_partial"), what=say(
            "wrong.missing", country=say(f"countries.{country.id}"), count=count, number=country.number))
        for country, count in tallies.missing.items())


class _Reader(Checker):
    """Takes a document apart, noting what is wrong where."""

    def __init__(self, raw: RawGame, deck: Deck, names: Names) -> None:
        super().__init__(raw, names)
        self.names: Names = names
        self._cards = {card.id: card for card in deck.cards}
        self._collectors: dict[str, str] = {}

    def read_hands(self) -> list[Hand]:
        document = self.raw.document
        self.note_unknown((), document, GAME_KEYS)
        self.game(NAME)
        players = document.get("players")
        if not isinstance(players, list) or any(not isinstance(player, dict) for player in players):
            self.note(("players",), self.say("wrong.players"), self.say("wrong.players_like"))
            return []
        names = self.players([player.get("name", "") for player in players], MIN_PLAYERS, MAX_PLAYERS,
                             lambda number: ("players", number, "name"))
        return [self._hand(number, name, player)
                for number, (name, player) in enumerate(zip(names, players, strict=False))]

    def _hand(self, number: int, name: str, player: Mapping[str, object]) -> Hand:
        at: Trail = ("players", number)
        self.note_unknown(at, player, PLAYER_KEYS)
        counts = {key: self._counted((*at, key), player.get(key), name) for key in SINGLE_COUNTS}
        trails: dict[tuple[str, str], Trail] = {}
        noted = len(self.problems)
        cards = self._table((*at, "cards"), player.get("cards"), trails)
        counted = {country: self._counted(trails["cards", country], value, name, country)
                   for country, value in cards.items()}
        doubtful = len(self.problems) > noted
        symbols = self._table((*at, "symbols"), player.get("symbols"), trails)
        best = {country: self._best(trails["symbols", country], value, name, country)
                for country, value in symbols.items()}
        collected = player.get("collected")
        if collected is not None:
            given = (any(counted.values()), any(any(kinds.values()) for kinds in best.values()),
                     counts["ships"], counts["carriages"])
            if doubled := [key for key, stands in zip(COUNTED, given, strict=True) if stands]:
                self.note((*at, "collected"), self.say("wrong.beside", words=listed(doubled)), self.say("wrong.either"))
            own = tuple(self._collected((*at, "collected"), name, collected))
            return Hand(seat=number, tally=tally_cards(name, own, counts["minus_two"]), collected=own, trails=trails)
        tally = Tally(
            name=name, cards=counted, ships=counts["ships"], carriages=counts["carriages"],
            minus_two=counts["minus_two"],
            symbols={country: max(kinds.values(), default=0) for country, kinds in best.items()})
        return Hand(seat=number, tally=tally, trails=trails, doubtful=doubtful,
                    kinds={country: kinds for country, kinds in best.items() if "" not in kinds})

    def _table(self, at: Trail, value: object, trails: dict[tuple[str, str], Trail]) -> dict[str, object]:
        """The entries of ``cards`` or ``symbols`` by country, and in ``trails`` where each stands."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.note(at, self.say("wrong.table"), self.say("wrong.like", example="france = 5"))
            return {}
        sort, entries = str(at[-1]), dict[str, object]()
        for key, entry in value.items():
            country = self.names.country(key)
            if country is None:
                self.note((*at, key), self.say("wrong.country", word=key), self.names.like(key, "countries"))
            elif country in entries:
                self.note((*at, key), self.say("wrong.twice", word=self.say(f"countries.{country}")),
                          self.say("wrong.take_out"))
            else:
                entries[country], trails[sort, country] = entry, (*at, key)
        return entries

    def _best(self, at: Trail, value: object, name: str, country: str) -> dict[str, int]:
        """The count of each kind; under the empty key, where only the best count is given."""
        if not isinstance(value, dict):
            return {"": self._counted(at, value, name, country)}
        kinds: dict[str, int] = {}
        for key, entry in value.items():
            kind = self.names.find("symbols", key)
            if kind is None:
                self.note((*at, key), self.say("wrong.kind", word=key), self.names.like(key, "symbols"))
            elif kind in kinds:
                self.note((*at, key), self.say("wrong.twice", word=self.say(f"kinds.{kind}")),
                          self.say("wrong.take_out"))
            else:
                kinds[kind] = self._counted((*at, key), entry, name, country)
        return kinds

    def _collected(self, at: Trail, name: str, value: object) -> Iterator[Card]:
        if not isinstance(value, list):
            self.note(at, self.say("wrong.cards"), self.say("wrong.like", example='["france-1", "france-4"]'))
            return
        for place, id in enumerate(islice(value, 2 * len(self._cards))):
            if not isinstance(id, str) or id not in self._cards:
                self.note((*at, place), self.say("wrong.card", word=shown_value(id)),
                          self.names.did_you_mean(str(id), self._cards) or self.say("wrong.cards_known"))
            elif id in self._collectors:
                self.note((*at, place), self.say("wrong.card_again", word=id, name=self._collectors[id]),
                          self.say("wrong.card_once"))
            else:
                self._collectors[id] = name
                yield self._cards[id]

    def _counted(self, at: Trail, value: object, name: str, country: str = "") -> int:
        """The count that stands there; what is wrong is told with the player, and the row of the sheet."""
        row = f"countries.{country}" if country else f"tally.{at[-1]}"
        return self.count(at, value, lambda what: self.say(
            "wrong.cell", name=name, country=self.say(row), column=self.say(f"tally.{at[2]}"), what=what
        ) if country else self.say("wrong.entry", name=name, row=self.say(row), what=what))
