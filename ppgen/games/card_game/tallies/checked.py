"""Turns tallies as someone wrote them into checked ones, or into everything that is wrong with them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ppgen.errors import Problem, Problems, listed
from ppgen.games.card_game.deck.model import MAX_PLAYERS, MIN_PLAYERS, Card, Country, Deck
from ppgen.games.card_game.scoring.points import Tally, tally_cards
from ppgen.games.card_game.tallies.counts import NoCount, parse_count
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.plausible import Hand, implausible
from ppgen.play.raw import RawGame
from ppgen.reading.fields import Trail, shown_value
from ppgen.reading.limits import UNSEEN
from ppgen.reading.texts import Texts

GAME_KEYS = ("game", "date", "place", "players")
PLAYER_KEYS = ("name", "cards", "symbols", "ships", "carriages", "minus_two", "collected")
SINGLE_COUNTS = ("ships", "carriages", "minus_two")
COUNTED = ("cards", "symbols", "ships", "carriages")
"""What ``collected`` stands for."""
LONGEST_NAME = 60
"""Characters of a name or a place."""


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


def check_names(names: Sequence[str], say: Callable[..., str]) -> Iterator[tuple[int, str]]:
    """The players whose names won't do, by number from 0, each with the reason."""
    seen: dict[str, str] = {}
    for number, name in enumerate(names):
        plain = "".join(filter(_is_seen, unicodedata.normalize("NFKC", " ".join(name.split())).casefold()))
        if not plain:
            yield number, say("wrong.name_empty")
        elif UNSEEN.search(name) or any(unicodedata.category(each) == "Cc" for each in name):
            yield number, say("wrong.name_control")
        elif len(name) > LONGEST_NAME:
            yield number, say("wrong.name_long", number=LONGEST_NAME)
        elif plain in seen:
            yield number, say("wrong.name_twice", name=name)
        seen.setdefault(plain, name)


def _is_seen(character: str) -> bool:
    """Whether it shows: not what only joins or parts others (Unicode's format characters)."""
    return unicodedata.category(character) != "Cf"


class _Reader:
    """Takes a document apart, noting what is wrong where."""

    def __init__(self, raw: RawGame, deck: Deck, names: Names) -> None:
        self.raw, self.deck, self.names = raw, deck, names
        self.problems = Problems(raw.problems)
        self._cards = {card.id: card for card in deck.cards}
        self._collectors: dict[str, str] = {}

    def say(self, key: str, **values: object) -> str:
        return self.names.say(key, **values)

    def note(self, trail: Trail, what: str, remedy: str = "") -> None:
        self.problems.append(self.raw.where(trail).problem(what, remedy))

    def text(self, key: str) -> str:
        """The date or the place, which may be left out."""
        value = self.raw.document.get(key)
        text = "" if value is None else " ".join(str(value).split())  # TOML has dates of its own
        if len(text) > LONGEST_NAME or isinstance(value, dict | list | bool) or not text.isprintable():
            self.note((key,), self.say("wrong.text", number=LONGEST_NAME))
            return ""
        return text

    def read_hands(self) -> list[Hand]:
        document = self.raw.document
        self._note_unknown((), document, GAME_KEYS)
        if document.get("game") not in (None, "card-game"):
            self.note(("game",), self.say("wrong.game", game=document["game"]), "card-game")
        players = document.get("players")
        if not isinstance(players, list) or any(not isinstance(player, dict) for player in players):
            self.note(("players",), self.say("wrong.players"), self.say("wrong.players_like"))
            return []
        if not MIN_PLAYERS <= len(players) <= MAX_PLAYERS:
            self.note(("players",), self.say("wrong.players_count", count=len(players)),
                      self.say("wrong.players_range", least=MIN_PLAYERS, most=MAX_PLAYERS))
        players = players[:2 * MAX_PLAYERS]  # enough to see what is wrong
        names = [self._name(number, player) for number, player in enumerate(players)]
        for number, what in check_names(names, self.say):
            self.note(("players", number, "name"), what, self.say("wrong.name_own"))
        return [self._hand(number, name or self._nobody(number), player)
                for number, (name, player) in enumerate(zip(names, players, strict=True))]

    def _name(self, number: int, player: Mapping[str, object]) -> str:
        name = player.get("name", "")
        if isinstance(name, str):
            return " ".join(name.split(" ")).strip()
        self.note(("players", number, "name"), self.say("wrong.name_text", name=shown_value(name)),
                  self.say("wrong.name_quotes"))
        return self._nobody(number)

    def _nobody(self, number: int) -> str:
        return self.say("template.player", n=number + 1)

    def _hand(self, number: int, name: str, player: Mapping[str, object]) -> Hand:
        at: Trail = ("players", number)
        self._note_unknown(at, player, PLAYER_KEYS)
        counts = {key: self._count((*at, key), player.get(key), name) for key in SINGLE_COUNTS}
        trails: dict[tuple[str, str], Trail] = {}
        noted = len(self.problems)
        cards = self._table((*at, "cards"), player.get("cards"), trails)
        counted = {country: self._count(trails["cards", country], value, name, country)
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
                self.note((*at, key), self.say("wrong.country", word=key), self.names.like_country(key))
            elif country in entries:
                self.note((*at, key), self.say("wrong.twice", word=self.say(f"countries.{country}")),
                          self.say("wrong.take_out"))
            else:
                entries[country], trails[sort, country] = entry, (*at, key)
        return entries

    def _best(self, at: Trail, value: object, name: str, country: str) -> dict[str, int]:
        """The count of each kind; under the empty key, where only the best count is given."""
        if not isinstance(value, dict):
            return {"": self._count(at, value, name, country)}
        kinds: dict[str, int] = {}
        for key, entry in value.items():
            kind = self.names.kind(key)
            if kind is None:
                self.note((*at, key), self.say("wrong.kind", word=key), self.names.like_kind(key))
            elif kind in kinds:
                self.note((*at, key), self.say("wrong.twice", word=self.say(f"kinds.{kind}")),
                          self.say("wrong.take_out"))
            else:
                kinds[kind] = self._count((*at, key), entry, name, country)
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

    def _count(self, at: Trail, value: object, name: str, country: str = "") -> int:
        """The count that stands there; what is wrong is told with the player, and the row of the sheet."""
        try:
            return parse_count(value)
        except NoCount as error:
            what = self.say(f"wrong.{error.reason}", text=error.text)
            row = self.say(f"countries.{country}" if country else f"tally.{at[-1]}")
            told = self.say("wrong.cell", name=name, country=row, column=self.say(f"tally.{at[2]}"), what=what
                            ) if country else self.say("wrong.entry", name=name, row=row, what=what)
            self.note(at, told, self.say("wrong.sum_quoted" if self.raw.quoted else "wrong.sum"))
            return 0

    def _note_unknown(self, at: Trail, table: Mapping[str, object], known: Iterable[str]) -> None:
        for key in table:
            if key not in known:
                self.note((*at, key), self.say("wrong.unknown"),
                          self.names.did_you_mean(key, known) or self.say("wrong.one_of", words=listed(known)))


