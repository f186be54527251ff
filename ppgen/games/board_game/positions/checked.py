"""Turns a position as someone wrote it into a checked one, or into everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppgen.games.board_game import NAME
from ppgen.games.board_game.board.model import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.games.board_game.positions.names import NOBODY, Letters, Names, letters_in
from ppgen.games.board_game.positions.plausible import implausible
from ppgen.games.board_game.scoring.points import Counts, Position, interim_points
from ppgen.play.checking import Checker
from ppgen.play.raw import RawGame
from ppgen.play.sentences import counted
from ppgen.reading.fields import shown_value
from ppgen.reading.limits import Trail

KEYS = ("game", "date", "place", "players", "before", "interim", "spaces", "cloisters", "councillors", "chains")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A checked position, who stands for which letter, when and where it was played."""

    position: Position
    letters: Letters
    date: str = ""
    place: str = ""


def check_position(raw: RawGame, board: Board, names: Names, interim: bool = False) -> Checked:
    """The position of a raw game; with ``interim``, the one that the interim scoring counts.

    Raises InputError with every problem (contract, 'Games').
    """
    reader = Reader(raw, board, names)
    checked = reader.read()
    if interim and not {"spaces", "cloisters"} & {*raw.document} and checked.position.interim is not None:
        checked = Checked(position=Position(players=checked.position.players, cloisters=checked.position.interim),
                          letters=checked.letters, date=checked.date, place=checked.place)
    elif not reader.nobody:
        reader.problems.extend(
            implausible(checked.position, board, raw.where, reader.trails, reader.doubtful, names.say))
    reader.problems.sort(key=lambda problem: problem.line)
    reader.problems.raise_if_any()
    return checked


class Reader(Checker):
    """Takes a document apart, noting what is wrong where; ``trails`` are those of each country's entries.

    Of ``doubtful`` countries something could not be read; where it is ``nobody``'s game, nothing could.
    """

    def __init__(self, raw: RawGame, board: Board, names: Names) -> None:
        super().__init__(raw, names)
        self.names: Names = names
        self.board = board
        self.trails: dict[tuple[str, str], Trail] = {}
        self.letters = Letters(())
        self.doubtful: set[str] = set()
        self.nobody = False

    def read(self) -> Checked:
        document = self.raw.document
        self.note_unknown((), document, KEYS)
        self.game(NAME)
        given = document.get("players")
        if not isinstance(given, list):
            self.note(("players",), self.say("wrong.players"), self.say("wrong.like", example='["Anna", "Bob"]'))
            given = []
        noted = len(self.problems)
        players = self.players(given, MIN_PLAYERS, MAX_PLAYERS, lambda number: ("players", number))[:MAX_PLAYERS]
        self.nobody = len(self.problems) > noted or not players
        self.letters = Letters(players)
        spaces = self._spaces(document.get("spaces"))
        cloisters, councillors = self._counts("cloisters"), self._counts("councillors")
        chains = self._numbers("chains")
        for key in ("cloisters", "chains"):
            if document.get("spaces") and document.get(key):
                self.note((key,), self.say("wrong.beside_spaces", word=key), self.say("wrong.either"))
        interim = self._counts("interim") if document.get("interim") is not None else None
        before = self._numbers("before")
        if before and interim is not None and not self.nobody and not self.doubtful:
            self._compare(before, interim_points(interim, len(players)))
        return Checked(letters=self.letters, date=self.text("date"), place=self.text("place"), position=Position(
            players=tuple(players), spaces=spaces, cloisters={} if spaces else cloisters, councillors=councillors,
            chains=() if spaces else chains, before=before, interim=interim))

    def _compare(self, before: tuple[int, ...], interim: tuple[int, ...]) -> None:
        """Note points at the interim scoring that differ from what its cloisters make."""
        if before != interim:
            told, made = (", ".join(map(str, points)) for points in (before, interim))
            self.note(("before",), self.say("wrong.before_other", points=told, interim=made),
                      self.say("wrong.before_or_interim"))

    def _spaces(self, value: object) -> dict[str, int]:
        """Whose cloister stands on each space: by country, or by the label of the space."""
        held: dict[str, int] = {}
        labels = {label.upper(): label for label in self.board.space}
        own = {key: entry for key, entry in value.items() if key.upper() in labels} if isinstance(value, dict) else {}
        for key, owner in own.items():
            label, noted = labels[key.upper()], len(self.problems)
            self._hold(("spaces", key), label, owner, held)
            if len(self.problems) > noted:
                self.doubtful.add(self.board.space[label].country)
        rest = {key: entry for key, entry in value.items() if key not in own} if isinstance(value, dict) else value
        for country, entry, at in self._entries("spaces", rest, 'france = "AB.C"'):
            known = self.board.labels[country]
            if isinstance(entry, dict):
                for key, owner in entry.items():
                    if key.upper() in known:
                        self._hold((*at, key), key.upper(), owner, held)
                    else:
                        self.note((*at, key), self.say("wrong.space", word=key, country=self._called(country)),
                                  self.say("wrong.one_of", words=", ".join(known)))
            elif isinstance(entry, str):
                row = letters_in(entry)
                if row and len(row) != len(known):
                    self.note(at, self.say("wrong.length", letters=counted("letters", len(row), self.names.say),
                                           number=len(known)),
                              self.say("wrong.length_remedy"))
                for label, letter in zip(known, row, strict=False):
                    self._hold(at, label, letter, held)
            else:
                self.note(at, self.say("wrong.letters"), self.say("wrong.like", example='"AB.C"'))
        return held

    def _hold(self, at: Trail, label: str, owner: object, held: dict[str, int]) -> None:
        """Note whose cloister stands on a space, and a second owner of it."""
        if owner is None or (isinstance(owner, str) and owner.strip() in (NOBODY | {""})):
            return
        several = letters_in(owner) if isinstance(owner, str) and self.letters.seat(owner) is None else []
        known = several and all(self.letters.seat(letter) is not None for letter in several)
        for word in several if known else [owner]:
            seat = self._seat(at, word)
            if seat is not None and held.setdefault(label, seat) != seat:
                self.note(at, self.say("wrong.two_owners", space=label, one=self.letters.players[held[label]],
                                       other=self.letters.players[seat]), self.say("wrong.one_owner"))

    def _counts(self, key: str) -> Counts:
        """The pieces of each player in each country: ``"AAB"``, or ``{A = 2, B = 1}``."""
        counts: dict[str, tuple[int, ...]] = {}
        for country, entry, at in self._entries(key, self.raw.document.get(key), 'france = "AAB"'):
            held = [0] * len(self.letters.players)
            if isinstance(entry, str):
                for letter in letters_in(entry):
                    if letter not in NOBODY and (seat := self._seat(at, letter)) is not None:
                        held[seat] += 1
            elif isinstance(entry, dict):
                held = self._by_player(at, entry)
            else:
                self.note(at, self.say("wrong.letters"), self.say("wrong.like", example='"AAB"'))
            counts[country] = tuple(held)
        return counts

    def _entries(self, key: str, value: object, example: str) -> Iterator[tuple[str, object, Trail]]:
        """The entries of a table by country, each with where it stands."""
        if value is None:
            return
        if not isinstance(value, dict):
            self.note((key,), self.say("wrong.table"), self.say("wrong.like", example=example))
            return
        missing = {*self.board.labels} - {self.names.country(name) for name in value}
        for name, entry in value.items():
            country = self.names.country(name)
            if country is None:
                self.doubtful |= missing  # one of them is meant
                self.note((key, name), self.say("wrong.country", word=name), self.names.like(name, "countries"))
            elif (key, country) in self.trails:
                self.note((key, name), self.say("wrong.twice", word=self._called(country)), self.say("wrong.take_out"))
            else:
                self.trails[key, country] = (key, name)
                noted = len(self.problems)
                yield country, entry, (key, name)
                if len(self.problems) > noted:
                    self.doubtful.add(country)

    def _numbers(self, key: str) -> tuple[int, ...]:
        """A number for each player: ``[23, 25, 19]``, or ``{A = 23}``; nothing where it is missing, or still ``[]``."""
        value, players = self.raw.document.get(key), self.letters.players
        if value is None or value == []:
            return ()
        if isinstance(value, dict):
            return tuple(self._by_player((key,), value))
        if not isinstance(value, list) or len(value) != len(players):
            self.note((key,), self.say("wrong.numbers", number=len(players)),
                      self.say("wrong.like", example=f"[{', '.join(['7'] * max(len(players), MIN_PLAYERS))}]"))
            return ()
        return tuple(self._number((key, seat), number, players[seat]) for seat, number in enumerate(value))

    def _by_player(self, at: Trail, table: Mapping[str, object]) -> list[int]:
        """The number that a table has for each player, who stands in it once: by a letter, or by a name."""
        numbers: dict[int, int] = {}
        for word, value in table.items():
            seat = self._seat((*at, word), word)
            if seat in numbers:
                self.note((*at, word), self.say("wrong.twice", word=self.letters.players[seat]),
                          self.say("wrong.take_out"))
            elif seat is not None:
                numbers[seat] = self._number((*at, word), value, word)
        return [numbers.get(seat, 0) for seat in range(len(self.letters.players))]

    def _number(self, at: Trail, value: object, word: str) -> int:
        seat = self.letters.seat(word)
        name = self.letters.players[seat] if seat is not None else word
        return self.count(at, value, lambda what: self.say("wrong.entry", name=name, row=str(at[0]), what=what))

    def _seat(self, at: Trail, word: object) -> int | None:
        """The seat of a letter or name, noted where it is nobody's."""
        seat = self.letters.seat(word) if isinstance(word, str) else None
        if seat is None and self.letters.players:
            self.note(at, self.say("wrong.letter", letter=word if isinstance(word, str) else shown_value(word)),
                      self.letters.spelled())
        return seat

    def _called(self, country: str) -> str:
        return self.say(f"countries.{country}")
