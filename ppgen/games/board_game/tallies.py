"""Positions as players write them down: names, letters, checks, and limits of pieces and spaces."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppgen.errors import Problem, Spot
from ppgen.games.board_game import NAME
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board
from ppgen.games.board_game.points import MIN_CHAIN, Counts, Position, interim_points
from ppgen.play import sheet_plan
from ppgen.play.line_points import count_phrase
from ppgen.play.sheet_plan import FACTS, Checker, NameSort, RawGame, fold_case, split_letters
from ppgen.reading.fields import Trail, format_value
from ppgen.reading.texts import Texts

ROWS = ("before", "chains", *FACTS)  # rows of a sheet other than countries, by the keys of a position
EMPTY_SIGNS = frozenset(".·-–_")  # characters that may stand for an empty space
SEATS = "ABCDE"[:MAX_PLAYERS]
KEYS = ("game", *FACTS, "players", "before", "interim", "spaces", "cloisters", "councillors", "chains")

Where = Callable[[Trail], Spot]


class TallyNames(sheet_plan.NameIndex):
    """Names of countries and rows of the score sheet, in all languages."""

    def __init__(self, board: Board, locales: Path, lang: str, common: Path) -> None:
        codes = {fold_case(country.code): country.id for country in board.countries}
        super().__init__({"countries": NameSort(tuple(board.labels), "countries", codes, is_row=True),
                          "rows": NameSort(ROWS, "tally", is_row=True)}, locales, lang, common)


class Letters:
    """The letter of each player: the first of the name where those differ, else A to E by seat."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = tuple(players)
        self.by_seat = split_letters([_plain(name) for name in players])
        self._seats = {letter: seat for seat, letter in enumerate(self.by_seat)}
        if not any("A" <= letter <= "Z" for letter in self.by_seat):
            self._seats |= {letter: seat for seat, letter in enumerate(SEATS[:len(players)])}

    def seat(self, word: str) -> int | None:
        """The seat (from 0) of a letter or a name."""
        name = word.strip()
        return self.players.index(name) if name in self.players else self._seats.get(_plain(name).upper())

    def spelled(self) -> str:
        """The letters for messages: ``A = Andreas, B = Barbra``."""
        return ", ".join(f"{letter} = {name}" for letter, name in zip(self.by_seat, self.players, strict=True))


def split_seat_letters(text: str) -> list[str]:
    """The letters of a row, in upper case and without white space."""
    return [letter for letter in _plain(text).upper() if not letter.isspace()]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


# --- Limits of pieces, spaces and councillors ---

def find_implausible(position: Position, board: Board, where: Where, trails: Mapping[tuple[str, str], Trail],
                     doubtful: Container[str], say: Texts) -> Iterator[Problem]:
    """Find what can't be right in a position; of ``doubtful`` countries only what is too much."""
    def at(key: str, country: str) -> Spot:
        return where(trails.get((key, country), (key,)))

    sure = [country for country in board.labels if country not in doubtful]
    yield from _check_spaces(position, board, at, say)
    yield from _check_councils(position, board, sure, at, say)
    yield from _check_supply(position, board, where, say)
    yield from _check_interim(position, board, sure, at, say)
    if len(sure) == len(board.labels):
        yield from _check_chains(position, board, where, say)


def _check_spaces(position: Position, board: Board, at: Callable[[str, str], Spot], say: Texts) -> Iterator[Problem]:
    """Report more cloisters than spaces, where only numbers are known."""
    for country, labels in board.labels.items():
        count = sum(position.cloister_counts(country, board))
        if count > len(labels):
            yield at("cloisters", country).problem(
                say("wrong.full", country=say(f"countries.{country}"), number=len(labels),
                    cloisters=count_phrase("cloisters", count, say)),
                say("wrong.again"))


def _check_councils(position: Position, board: Board, sure: Iterable[str], at: Callable[[str, str], Spot],
                    say: Texts) -> Iterator[Problem]:
    """Report more councillors than the most cloisters of a player: cloisters stay, so the limit holds."""
    for country in sure:
        count = sum(position.councillor_counts(country))
        limit = max(position.cloister_counts(country, board), default=0)
        if count and not limit:
            yield at("councillors", country).problem(
                say("wrong.council_alone", country=say(f"countries.{country}"),
                    councillors=count_phrase("councillors", count, say)), say("wrong.again"))
        elif count > limit:
            yield at("councillors", country).problem(
                say("wrong.council", country=say(f"countries.{country}"),
                    councillors=count_phrase("councillors", count, say),
                    cloisters=count_phrase("cloisters", limit, say)),
                say("wrong.council_remedy", councillors=count_phrase("councillors", limit, say)))


def _check_supply(position: Position, board: Board, where: Where, say: Texts) -> Iterator[Problem]:
    pieces = (("cloisters", board.cloisters, [position.cloister_counts(country, board) for country in board.labels]),
              ("councillors", board.councillors, [position.councillor_counts(country) for country in board.labels]))
    for seat, name in enumerate(position.players):
        for key, number, rows in pieces:
            count = sum(row[seat] for row in rows)
            if count > number:
                table = "spaces" if key == "cloisters" and position.spaces else key
                yield where((table,)).problem(
                    say("wrong.many", name=name, pieces=count_phrase(key, count, say)),
                    say("wrong.each_has", number=number))


def _check_interim(position: Position, board: Board, sure: Iterable[str], at: Callable[[str, str], Spot],
                   say: Texts) -> Iterator[Problem]:
    """Report cloisters of the interim scoring that are gone."""
    for country in sure:
        counts = (position.interim or {}).get(country, (0,) * len(position.players))
        for name, early, late in zip(position.players, counts, position.cloister_counts(country, board), strict=True):
            if early > late:
                yield at("interim", country).problem(
                    say("wrong.shrunk", name=name, country=say(f"countries.{country}"),
                        early=count_phrase("cloisters", early, say), late=late),
                    say("wrong.stay"))


def _check_chains(position: Position, board: Board, where: Where, say: Texts) -> Iterator[Problem]:
    """Report points for chains that are too short, or longer than the player has cloisters."""
    for seat, points in enumerate(position.chains):
        cloisters = sum(position.cloister_counts(country, board)[seat] for country in board.labels)
        if points and not MIN_CHAIN <= points <= cloisters:
            yield where(("chains", seat)).problem(
                say("wrong.chain", name=position.players[seat], points=count_phrase("points", points, say),
                    cloisters=count_phrase("cloisters", cloisters, say)),
                say("wrong.chain_remedy", number=MIN_CHAIN))


# --- Checking ---

@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPosition:
    """A checked position with the letters of its players, the date and the place of the game."""

    position: Position
    letters: Letters
    facts: Mapping[str, str]


def check_position(raw: RawGame, board: Board, names: TallyNames, interim: bool = False) -> CheckedPosition:
    """Check the position of a raw game, or that of its interim scoring. Raises InputError."""
    reader = Reader(raw, board, names)
    checked = reader.read()
    if interim and not {"spaces", "cloisters"} & {*raw.document} and checked.position.interim is not None:
        checked = replace(checked, position=Position(players=checked.position.players,
                                                     cloisters=checked.position.interim))
    elif not reader.bad_players:
        reader.problems.extend(
            find_implausible(checked.position, board, raw.where, reader.trails, reader.doubtful, names.say))
    reader.problems.sort(key=lambda problem: problem.line)
    reader.problems.raise_if_any()
    return checked


class Reader(Checker):
    """Reads a document and collects its problems; what is ``doubtful`` or of ``bad_players`` is not judged further."""

    def __init__(self, raw: RawGame, board: Board, names: TallyNames) -> None:
        super().__init__(raw, names)
        self.board = board
        self.trails: dict[tuple[str, str], Trail] = {}
        self.letters = Letters(())
        self.doubtful: set[str] = set()
        self.bad_players = False

    def read(self) -> CheckedPosition:
        document = self.raw.document
        self.note_unknown((), document, KEYS)
        self.game(NAME)
        names = document.get("players")
        if not isinstance(names, list):
            self.note(("players",), self.say("wrong.players"), self.say("wrong.like", example='["Anna", "Bob"]'))
            names = []
        noted = len(self.problems)
        players = self.players(names, MIN_PLAYERS, MAX_PLAYERS, lambda number: ("players", number))[:MAX_PLAYERS]
        self.bad_players = len(self.problems) > noted or not players
        self.letters = Letters(players)
        spaces = self._spaces(document.get("spaces"))
        cloisters, councillors = self._counts("cloisters"), self._counts("councillors")
        chains = self._numbers("chains")
        for key in ("cloisters", "chains"):
            if document.get("spaces") and document.get(key):
                self.note((key,), self.say("wrong.beside_spaces", word=key), self.say("wrong.either"))
        interim = self._counts("interim") if document.get("interim") is not None else None
        before = self._numbers("before")
        if before and interim is not None and not self.bad_players and not self.doubtful:
            self._compare(before, interim_points(interim, len(players)))
        position = Position(players=tuple(players), spaces=spaces, cloisters={} if spaces else cloisters,
                            councillors=councillors, chains=() if spaces else chains, before=before, interim=interim)
        return CheckedPosition(position=position, letters=self.letters, facts=self.facts())

    def _compare(self, before: tuple[int, ...], interim: tuple[int, ...]) -> None:
        """Report points at the interim scoring that differ from those of its cloisters."""
        if before != interim:
            self.note(("before",), self.say("wrong.before_other", points=", ".join(map(str, before)),
                                            interim=", ".join(map(str, interim))),
                      self.say("wrong.before_or_interim"))

    def _spaces(self, value: object) -> dict[str, int]:
        """The seat of the cloister on each space, from letters by country or by the label of the space."""
        seats: dict[str, int] = {}
        labels = {label.upper(): label for label in self.board.space}
        own = {key: entry for key, entry in value.items() if key.upper() in labels} if isinstance(value, dict) else {}
        for key, owner in own.items():
            label, noted = labels[key.upper()], len(self.problems)
            self._note_owner(("spaces", key), label, owner, seats)
            if len(self.problems) > noted:
                self.doubtful.add(self.board.space[label].country)
        rest = {key: entry for key, entry in value.items() if key not in own} if isinstance(value, dict) else value
        for country, entry, at in self._entries("spaces", rest, 'france = "AB.C"'):
            known = self.board.labels[country]
            if isinstance(entry, dict):
                for key, owner in entry.items():
                    if key.upper() in known:
                        self._note_owner((*at, key), key.upper(), owner, seats)
                    else:
                        where = self.say(f"countries.{country}")
                        self.note((*at, key), self.say("wrong.space", word=key, country=where),
                                  self.say("wrong.one_of", words=", ".join(known)))
            elif isinstance(entry, str):
                row = split_seat_letters(entry)
                if row and len(row) != len(known):
                    self.note(at, self.say("wrong.length", letters=count_phrase("letters", len(row), self.names.say),
                                           number=len(known)),
                              self.say("wrong.length_remedy"))
                for label, letter in zip(known, row, strict=False):
                    self._note_owner(at, label, letter, seats)
            else:
                self.note(at, self.say("wrong.letters"), self.say("wrong.like", example='"AB.C"'))
        return seats

    def _note_owner(self, at: Trail, label: str, owner: object, seats: dict[str, int]) -> None:
        """Add the seat of the cloister on a space; report a second one."""
        if owner is None or (isinstance(owner, str) and owner.strip() in (EMPTY_SIGNS | {""})):
            return
        several = split_seat_letters(owner) if isinstance(owner, str) and self.letters.seat(owner) is None else []
        known = several and all(self.letters.seat(letter) is not None for letter in several)
        for word in several if known else [owner]:
            seat = self._seat(at, word)
            if seat is not None and seats.setdefault(label, seat) != seat:
                self.note(at, self.say("wrong.two_owners", space=label, one=self.letters.players[seats[label]],
                                       other=self.letters.players[seat]), self.say("wrong.one_owner"))

    def _counts(self, key: str) -> Counts:
        """The pieces of each player in each country: ``"AAB"``, or ``{A = 2, B = 1}``."""
        counts: dict[str, tuple[int, ...]] = {}
        for country, entry, at in self._entries(key, self.raw.document.get(key), 'france = "AAB"'):
            own = [0] * len(self.letters.players)
            if isinstance(entry, str):
                for letter in split_seat_letters(entry):
                    if letter not in EMPTY_SIGNS and (seat := self._seat(at, letter)) is not None:
                        own[seat] += 1
            elif isinstance(entry, dict):
                own = self._by_player(at, entry)
            else:
                self.note(at, self.say("wrong.letters"), self.say("wrong.like", example='"AAB"'))
            counts[country] = tuple(own)
        return counts

    def _entries(self, key: str, value: object, example: str) -> Iterator[tuple[str, object, Trail]]:
        if value is None:
            return
        if not isinstance(value, dict):
            self.note((key,), self.say("wrong.table"), self.say("wrong.like", example=example))
            return
        known = {self.names.find("countries", name) for name in value}
        if None in known:
            self.doubtful |= {*self.board.labels} - known  # one of them is meant
        for country, entry, at in self.entries((key,), value, "countries", "wrong.country"):
            self.trails[key, country] = at
            noted = len(self.problems)
            yield country, entry, at
            if len(self.problems) > noted:
                self.doubtful.add(country)

    def _numbers(self, key: str) -> tuple[int, ...]:
        """A number for each player: ``[23, 25, 19]``, or ``{A = 23}``; none if the key is missing, or still ``[]``."""
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
        """The number of each player in a table, in which players have one entry each, by letter or by name."""
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
        """The seat of a letter or name; an unknown one is reported."""
        seat = self.letters.seat(word) if isinstance(word, str) else None
        if seat is None and self.letters.players:
            self.note(at, self.say("wrong.letter", letter=word if isinstance(word, str) else format_value(word)),
                      self.letters.spelled())
        return seat
