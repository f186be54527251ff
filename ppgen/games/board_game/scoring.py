"""Scoring of the board game: its tallies, their formats, and its results."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from ppgen.errors import InputError, Problem, Problems, Spot
from ppgen.games.board_game import NAME, points
from ppgen.games.board_game.board import MAX_PLAYERS, MIN_PLAYERS, Board, load_board
from ppgen.games.board_game.points import (COUNCILLORS, INTERIM, INTERIM_POINTS, MAX_FOUND_CHAINS, MIN_CHAIN, POINTS,
                                           SUMS, Counts, PlayerScore, Position, Score, interim_points, letter_cells,
                                           score_game, scoring_rules)
from ppgen.lines import format_json
from ppgen.play import sheet_plan
from ppgen.play.game_scoring import ScoredGame, Scoring, find_rows, note_strays, read_fact
from ppgen.play.line_points import ScoreTable
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, NONE_SIGNS, Checker, Json, NameSort, RawGame, SheetCell, SheetPlan,
                                   TypedTotal, check_totals, fold_case, missing_sheet, nearest_trail, read_none,
                                   read_script, split_letters)
from ppgen.reading.fields import CsvRow, Trail, escape_formula, format_value, unescape_formula, write_csv
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

# --- Tallies ---

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
    for country, labels in board.labels.items():
        count = sum(position.cloister_counts(country, board))
        if count > len(labels):  # where only numbers are known
            yield at("cloisters", country).problem(
                say("wrong.full", country=say(f"countries.{country}"), number=len(labels),
                    cloisters=say.count("counted.cloisters", count)), say("wrong.again"))
    yield from _check_councils(position, board, sure, at, say)
    yield from _check_supply(position, board, where, say)
    yield from _check_interim(position, board, sure, at, say)
    for seat, claimed in enumerate(position.chains if len(sure) == len(board.labels) else ()):
        cloisters = sum(position.cloister_counts(country, board)[seat] for country in board.labels)
        if claimed and not MIN_CHAIN <= claimed <= cloisters:  # too short, or longer than the player has cloisters
            yield where(("chains", seat)).problem(
                say("wrong.chain", name=position.players[seat], points=say.count("counted.points", claimed),
                    cloisters=say.count("counted.cloisters", cloisters)),
                say("wrong.chain_remedy", number=MIN_CHAIN))


def _check_councils(position: Position, board: Board, sure: Iterable[str], at: Callable[[str, str], Spot],
                    say: Texts) -> Iterator[Problem]:
    """Report more councillors than the most cloisters of a player: cloisters stay, so the limit holds."""
    for country in sure:
        count = sum(position.councillor_counts(country))
        limit = max(position.cloister_counts(country, board), default=0)
        if count > limit:
            words = {"country": say(f"countries.{country}"), "councillors": say.count("counted.councillors", count),
                     "cloisters": say.count("counted.cloisters", limit)}
            yield at("councillors", country).problem(
                say("wrong.council" if limit else "wrong.council_alone", **words),
                say("wrong.council_remedy", councillors=say.count("counted.councillors", limit)) if limit
                else say("wrong.again"))


def _check_supply(position: Position, board: Board, where: Where, say: Texts) -> Iterator[Problem]:
    pieces = (("cloisters", board.cloisters, [position.cloister_counts(country, board) for country in board.labels]),
              ("councillors", board.councillors, [position.councillor_counts(country) for country in board.labels]))
    for seat, name in enumerate(position.players):
        for key, number, rows in pieces:
            count = sum(row[seat] for row in rows)
            if count > number:
                table = "spaces" if key == "cloisters" and position.spaces else key
                yield where((table,)).problem(
                    say("wrong.many", name=name, pieces=say.count(f"counted.{key}", count)),
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
                        early=say.count("counted.cloisters", early), late=late),
                    say("wrong.stay"))


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
        if before and interim is not None and not self.bad_players and not self.doubtful and before != (
                counted := interim_points(interim, len(players))):
            self.note(("before",), self.say("wrong.before_other", points=", ".join(map(str, before)),
                                            interim=", ".join(map(str, counted))),
                      self.say("wrong.before_or_interim"))
        position = Position(players=tuple(players), spaces=spaces, cloisters={} if spaces else cloisters,
                            councillors=councillors, chains=() if spaces else chains, before=before, interim=interim)
        return CheckedPosition(position=position, letters=self.letters, facts=self.facts())

    def _spaces(self, value: object) -> dict[str, int]:
        """The seat of the cloister on each space, from letters by country or by the label of the space."""
        seats: dict[str, int] = {}
        spaces = self.board.space  # their labels are in capitals
        own = {key: entry for key, entry in value.items() if key.upper() in spaces} if isinstance(value, dict) else {}
        for key, owner in own.items():
            noted = len(self.problems)
            self._note_owner(("spaces", key), key.upper(), owner, seats)
            if len(self.problems) > noted:
                self.doubtful.add(spaces[key.upper()].country)
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
                    self.note(at, self.say("wrong.length", letters=self.names.say.count("counted.letters", len(row)),
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


# --- Formats ---

# CSV
#
# The first row has the names of the players. Then comes a row for each country: the letters of its spaces, of its
# councillors, and optionally of its cloisters at the interim scoring; and rows with a number for each player:
# ``before``, and ``chains`` if the letters of cloisters are not in the order of the spaces.

COLUMNS = ("spaces", "councillors", "interim")  # columns after the name of a country


def read_rows(rows: Sequence[CsvRow], place: str, names: TallyNames) -> RawGame:
    """Read the position of a CSV file. Raises InputError if it has no row of names."""
    if not rows or not any(rows[0].cells[1:]):
        raise InputError.at(place, names.say("wrong.sheet"), names.say("wrong.layout"))
    head, *body = rows
    problems = Problems()
    count = max(number for number, cell in enumerate(head.cells) if cell)
    players = [unescape_formula(cell) for cell in head.cells[1:count + 1]]
    document: dict[str, object] = {"players": players}
    spots: dict[Trail, Spot] = {("players",): Spot(place, head.line)}
    tables: dict[str, dict[str, object]] = {key: {} for key in COLUMNS}
    for key, row in find_rows(body, names, place, problems):
        is_country = names.find("countries", key) == key
        width = len(COLUMNS) if is_country else len(players)
        note_strays(row, range(1, 1 + width), names, place, problems)
        spots[key,] = Spot(place, row.line, key)
        if key in FACTS:
            document[key] = read_fact(row)
        elif is_country:
            for column, table in enumerate(COLUMNS, 1):
                spots[table, key] = Spot(place, row.line, f"{table}.{key}")
                if (text := row.cell(column)) and text not in NONE_SIGNS:
                    tables[table][key] = text
        elif any(numbers := list(map(read_none, row.cells[1:1 + width]))):  # ignores a blank row
            document[key] = numbers
    if ("chains",) in spots:
        tables["cloisters"] = tables.pop("spaces")
        spots |= {("cloisters", *trail[1:]): spot for trail, spot in spots.items() if trail[0] == "spaces"}
    document |= {key: table for key, table in tables.items() if table}
    return RawGame(place=place, document=document, where=nearest_trail(spots, place), problems=tuple(problems))


# Form fields
#
# They are the cells of the plan (``p1.name``, ``france.FR1``, ``france.councillors``, ``p1.before``), the letters of
# all spaces (``france``) or at the interim scoring (``france.interim``), ``date`` and ``place``, and points
# (``p1.france.points``, ``p1.total``).

def read_form(plan: SheetPlan, fields: Mapping[str, str], place: str) -> RawGame:
    """Read position and typed points in a form without empty columns. Raises InputError without a field."""
    cells = {cell: text.strip() for field, text in fields.items() if (cell := SheetCell.parse(field))}
    if not any(cell.seat and cell.row == NAME_ROW for cell in cells):
        raise InputError([missing_sheet(place)])
    # Without letters the points at the interim scoring are those typed into the sheet.
    early = not any(text for cell, text in cells.items() if cell.column == INTERIM)
    seats = sorted({cell.seat for cell, text in cells.items() if cell.seat and (
        text if cell.row == NAME_ROW else early and cell.row == "before" and text.strip("0 "))})
    document: dict[str, Any] = {key: fields.get(key, "") for key in FACTS}
    spots: dict[Trail, Spot] = {(key,): Spot(place, 0, key) for key in FACTS}
    for key, row_key in (("players", NAME_ROW), ("before", "before")):
        own = [SheetCell(seat, row_key) for seat in seats]
        if key == "players" or (early and any(map(cells.get, own))):
            document[key] = [cells.get(cell, "") for cell in own]
            spots |= {(key, number): Spot(place, 0, cell.field) for number, cell in enumerate(own)}
    for row in plan.rows:
        own = [SheetCell(0, row.key), *plan.cells_of(row, 0), SheetCell(0, row.key, INTERIM)] if row.shared else []
        for cell in own:
            if cells.get(cell):
                table, key = ((cell.column, cell.row) if cell.column in (COUNCILLORS, INTERIM)
                              else ("spaces", cell.column or cell.row))
                document.setdefault(table, {})[key] = cells[cell]
                spots[table, key] = Spot(place, 0, cell.field)
    totals = [TypedTotal(seat=seats.index(cell.seat), cell=cell, text=text, spot=Spot(place, 0, cell.field))
              for cell, text in cells.items() if text and cell.seat in seats and _is_total(cell, early)]
    return RawGame(place=place, document=document, where=nearest_trail(spots, place), totals=tuple(totals))


def _is_total(cell: SheetCell, early: bool) -> bool:
    if cell.column:
        return cell.column == POINTS or (cell.column == INTERIM_POINTS and not early)
    return (cell.row in SUMS and not (early and cell.row == "before")) or cell.row.startswith("box")


# --- Empty files ---

EMPTY = "."  # sign of an empty space
EXAMPLE = ("23", "25", "19", "21", "24")  # of points at the interim scoring: missing ones are noticed


def blank_toml(board: Board, names: Sequence[str], texts: Texts) -> str:
    """Make an empty file in TOML."""
    letters = Letters(names)
    quoted = ", ".join(json.dumps(name, ensure_ascii=False) for name in names)
    one, other = letters.by_seat[:2]
    return "\n".join((
        f"# {texts('template.head')}", f"# {texts('template.letters', letters=letters.spelled())}", "",
        f'game = "{NAME}"', f'date = ""             # {texts("tally.date")}',
        f'place = ""            # {texts("tally.place")}', f"players = [{quoted}]",
        f"before = []           # {texts('template.before')}: [{', '.join(EXAMPLE[:len(names)])}]", "",
        f"# {texts('template.spaces', example=one + other + EMPTY)}", "[spaces]",
        *_rows(board, texts, {country: EMPTY * len(labels) for country, labels in board.labels.items()}), "",
        f"# {texts('template.councillors', example=one + one + other)}", "[councillors]",
        *_rows(board, texts, {}), ""))


def _rows(board: Board, texts: Texts, spaces: Mapping[str, str]) -> Iterator[str]:
    """A row for each country, with the labels of its spaces if there is a letter for each."""
    for country, labels in board.labels.items():
        remark = f"# {texts(f'countries.{country}')}" + (f": {labels[0]} … {labels[-1]}" if spaces else "")
        yield f'{country} = "{spaces.get(country, "")}"'.ljust(26) + remark


def blank_csv(board: Board, names: Sequence[str], texts: Texts) -> str:
    """Make an empty file for :func:`read_rows`."""
    def row(first: str, second: str = "") -> list[str]:
        return [first, second, *[""] * (len(names) - 1)]

    return write_csv([["", *map(escape_formula, names)], row("game", NAME), row(texts("tally.before")),
                      *(row(texts(f"countries.{country}"), EMPTY * len(labels))
                        for country, labels in board.labels.items())], texts("template.separator"))


# --- Scoring ---

def open_scoring(folder: Path, common: Path, lang: str) -> BoardScoring:
    """Open the scoring of a data folder; ``common`` has the common locale files. Raises InputError."""
    board = load_board(folder)
    return BoardScoring(board=board, names=TallyNames(board, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class BoardScoring(Scoring):
    """The scoring of the board game."""

    board: Board
    names: TallyNames
    game: str = NAME
    interim: bool = True

    @cached_property
    def spoken_rules(self) -> Rules:
        def label(line: ScoreLine) -> str:
            country = self.say(f"countries.{line.row}") if line.row in self.board.labels else ""
            return self.say("explain.then", country=country) if line.group == INTERIM else country

        rules = scoring_rules(self.board)
        return replace(rules, lines=tuple(replace(line, label=label(line)) for line in rules.lines))

    @cached_property
    def plan(self) -> SheetPlan:
        return points.sheet_plan(self.board)

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        return read_rows(rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        return read_form(self.plan, fields, place)

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        if tallies.get("cloisters"):
            raise InputError.at(NAME, self.say("wrong.no_spaces"), self.say("wrong.no_spaces_remedy"), key="cloisters")
        raw = RawGame(place=NAME, document=tallies, where=lambda trail: Spot(NAME))
        checked = check_position(raw, self.board, self.names)
        position = checked.position  # the interim scoring has points only
        before = position.before or interim_points(position.interim or {}, len(position.players))
        return {**letter_cells(position, checked.letters.by_seat, self.board),
                **{SheetCell(seat, "before"): str(points) for seat, points in enumerate(before, 1)}}

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        if form == "json":
            return format_json({
                "game": NAME, "date": "", "place": "", "players": list(names), "before": [],
                "spaces": {country: EMPTY * len(labels) for country, labels in self.board.labels.items()},
                "councillors": dict.fromkeys(self.board.labels, "")})
        return (blank_toml if form == "toml" else blank_csv)(self.board, names, self.say)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredBoardGame:
        """Check and score a game, or do its ``interim`` scoring. Both and a ``partial`` game may lack parts."""
        checked = check_position(raw, self.board, self.names, interim)
        score = score_game(checked.position, self.board, interim)
        missing = list(self._missing(raw, checked.position))
        over = not (partial or interim)
        return ScoredBoardGame(
            scoring=self, score=score, scored=score.scored, facts=checked.facts, complete=over and not missing,
            over=over, checked=checked,
            warnings=(*(missing if over else ()), *(  # chains that were not searched to the end
                raw.where(("spaces",)).problem(self.say("wrong.chains_unsure", name=player.name),
                                               self.say("wrong.chains_unsure_remedy"))
                for player in score.players if not player.is_sure),
                *self._wrong_totals(raw, checked.position, score)))

    def _missing(self, raw: RawGame, position: Position) -> Iterator[Problem]:
        are_counted = any(map(any, position.cloisters.values()))
        for key, lacks, text in (("before", position.lacks_before, "wrong.no_before"),
                                 ("spaces", not position.spaces and not are_counted, "wrong.no_cloisters"),
                                 ("chains", are_counted and not position.chains, "wrong.no_chains")):
            if lacks:
                yield raw.where((key,)).problem(self.say(text), self.say(f"{text}_remedy"))

    def _wrong_totals(self, raw: RawGame, position: Position, score: Score) -> Iterator[Problem]:
        if score.interim:  # It computes only some of the points on the sheet.
            position = position if position.interim else points.as_interim(position, self.board)
            raw = replace(raw, totals=tuple(
                typed for typed in raw.totals
                if typed.cell.column == points.INTERIM_POINTS or typed.cell.row == "before"))
        return check_totals(raw, lambda typed: points.points_by_cell(
            score.players[typed.seat], typed.cell, position), self.say)


@dataclass(frozen=True, kw_only=True)
class ScoredBoardGame(ScoredGame[PlayerScore]):
    """A game and its score."""

    scoring: BoardScoring
    score: Score
    checked: CheckedPosition

    @property
    def written(self) -> Json:
        checked = self.checked
        return points.position_json(checked.position, checked.letters.by_seat, self.scoring.board, self.facts)

    def lines(self) -> list[Json]:
        boxes = [alliance.box for alliance in self.scoring.board.alliances]
        return [{**line, **{f"box_{box}": player.alliances.get(box, 0) for box in boxes}}
                for line, player in zip(super().lines(), self.score.players, strict=True)]

    def table(self) -> ScoreTable:
        return points.score_table(self.score, self.scoring.board, self.say)

    def reasons(self) -> Iterator[str]:
        scoring = self.scoring
        return points.reasons(self.score, self.checked.position, scoring.board, scoring.spoken_rules, scoring.words)

    @cached_property
    def _position(self) -> Position:
        """The position on the sheet: at the interim scoring, its cloisters are there as those of that time."""
        position = self.checked.position
        return points.as_interim(position, self.scoring.board) if self.score.interim else position

    def entries(self) -> Mapping[SheetCell, str]:
        return points.letter_cells(self._position, self.checked.letters.by_seat, self.scoring.board)

    def sheet_points(self) -> Mapping[SheetCell, int]:
        return points.sheet_points(self.score, self._position, self.scoring.board)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """Cloisters that were only counted: the sheet has cells for spaces only."""
        if self.score.interim or not self.checked.position.cloisters:
            return ()
        return (Problem("--sheet", self.say("wrong.off_sheet"), self.say("wrong.off_sheet_remedy")),)


# The twin: score.js follows points.py function by function, and ``Ranking.result`` in its keys.

@lru_cache(maxsize=1)
def twin_source() -> str:
    """The script of forms: ``tallyCounts``, ``scoreLines`` and ``boardGame`` in ECMAScript 5, on values of JSON."""
    return "".join((read_script("counts"), read_script("score_lines"),
                    (Path(__file__).parent / "score.js").read_text(encoding="ascii")))


def rules_json(board: Board) -> Json:
    """The ``rules`` that the functions of the script take."""
    return {**scoring_rules(board).scored_data(),
            "countries": [{"id": country, "spaces": list(labels)} for country, labels in board.labels.items()],
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries)}
                          for alliance in board.alliances],
            "pieces": board.cloisters + board.councillors, "chain_length": MIN_CHAIN,
            "most_chains": MAX_FOUND_CHAINS}
