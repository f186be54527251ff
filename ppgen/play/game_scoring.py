"""Scorings of games, and the files of tallies that they read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple

from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, Spot, display_path, join_names
from ppgen.lines import format_json
from ppgen.play.line_points import LineScore, Player, Ranking, ScoreTable, Words, compose_line_verdict
from ppgen.play.rule_file import Rules
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, NONE_SIGNS, Checker, Json, NameIndex, RawGame, SheetCell, SheetPlan,
                                   SheetRow, TypedTotal, fold_case, missing_sheet, nearest_trail, read_none)
from ppgen.reading.fields import (INVISIBLE, CsvError, CsvRow, Source, Trail, csv_rows, decode, describe_character,
                                  detect_separator, escape_formula, find_excess, parse_toml, read_bytes,
                                  unescape_formula, write_csv)
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace

# --- Scorings ---
# Scoring of any game, and a scored one: what each game fills in.

class Scoring:
    """The scoring of a game in one language, which :mod:`ppgen.games.catalogue` finds."""

    game: str
    names: NameIndex  # has its texts, and the names of its rows
    interim: bool = False  # its rules also have a scoring before the end

    @property
    def plan(self) -> SheetPlan:
        raise NotImplementedError

    @property
    def say(self) -> Texts:
        return self.names.say

    @cached_property
    def words(self) -> Words:
        return Words(common=self.say.words)

    @property
    def spoken_rules(self) -> Rules:
        """The lines that points come from, with labels in the language of the messages."""
        raise NotImplementedError

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        """Read the tallies of a CSV file. Raises InputError."""
        raise NotImplementedError

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        """Read the fields of a form or of an unfinished sheet. Raises InputError if none belongs to the game."""
        raise NotImplementedError

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        """The cells of saved tallies, to edit them: names and counts only."""
        raise NotImplementedError

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredGame[Any]:
        """Score a game. Raises InputError with all problems of the tallies."""
        raise NotImplementedError

    def blank(self, form: str, players: Sequence[str]) -> str:
        """An empty file to fill in (``toml``, ``csv`` or ``json``); without names, for the fewest players."""
        names = players or [self.say("template.player", n=number) for number in range(1, self.plan.least + 1)]
        return self.make_blank(form, names)

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        """An empty file for players of these names."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ScoredGame(Generic[Player]):
    """A game with its result, and the formats to report it in."""

    scoring: Scoring
    scored: LineScore
    score: Ranking[Player]  # the result of the lines
    facts: Mapping[str, str]  # date and place
    complete: bool  # nothing is missing
    over: bool = True  # False for a game that has not ended
    warnings: tuple[Problem, ...] = ()  # entries that deserve a second look

    @property
    def written(self) -> Json:
        """The tallies in the format of a JSON file, with ``game``, ``date`` and ``place``."""
        raise NotImplementedError

    def table(self) -> ScoreTable:
        """The filled-in sheet as rows of cells."""
        raise NotImplementedError

    def reasons(self) -> Iterator[str]:
        """A sentence for each point."""
        raise NotImplementedError

    @property
    def say(self) -> Texts:
        return self.scoring.say

    @property
    def result(self) -> Json:
        """The result for JSON output."""
        return self.score.result(self.scoring.game, self.complete, self.warnings)

    def lines(self) -> list[Json]:
        """A flat record for each player, for spreadsheets."""
        return self.score.lines()

    def verdict(self) -> str:
        """The winner and the tie-break, or the leader."""
        return compose_line_verdict(self.scoring.spoken_rules, self.scored, self.scoring.words, over=self.over)

    def fields(self) -> dict[str, str]:
        """The values of the printed sheet's form fields, counts and points, without empty ones."""
        cells = {**self.entries(), **{cell: str(points) for cell, points in self.sheet_points().items()}}
        values = {**self.facts, **{cell.field: text for cell, text in cells.items()}}
        return {name: text for name, text in values.items() if text}

    def entries(self) -> Mapping[SheetCell, str]:
        """The names and the counts on the sheet."""
        raise NotImplementedError

    def sheet_points(self) -> Mapping[SheetCell, int]:
        """The points on the sheet."""
        raise NotImplementedError

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        """Entries for which the printed sheet has no fields."""
        return ()


# --- Tallies in columns ---
# Tallies of games in which each player has a column of the sheet: CSV, PDF forms, cells and empty files, by the plan.
#
# A count is at ``players.N.COLUMN.ROW`` of the document, or at ``players.N.ROW`` in a row of one column.
# :func:`cell_trail` says so once; all formats follow from it.

def cell_trail(cell: SheetCell, number: int) -> Trail:
    """The trail of a cell in the document, for the player with this number (from 0)."""
    return ("players", number, *filter(None, (cell.column, cell.row)))


def make_document(plan: SheetPlan, columns: Sequence[Mapping[SheetCell, object]], **facts: object) -> Json:
    """Make the document of the cells of each player's column; it has all tables, also empty ones."""
    players: list[dict[str, Any]] = [{NAME_ROW: "", **{key: {} for key in plan.column_keys}} for _ in columns]
    for player, column in zip(players, columns, strict=True):
        for cell, value in column.items():
            (player[cell.column] if cell.column else player)[cell.row] = value
    return {**facts, "players": players}


def read_cells(player: Mapping[str, object]) -> Iterator[tuple[SheetCell, object]]:
    """Yield the cells of a player's table in a document, without a seat, and their values."""
    for key, value in player.items():
        if isinstance(value, Mapping):
            yield from ((SheetCell(0, row, key), entry) for row, entry in value.items())
        else:
            yield SheetCell(0, key), value


def read_players(check: Checker, plan: SheetPlan, game: str) -> list[tuple[str, Mapping[str, object]]]:
    """Read the name and the table of each player; unknown keys of the game and unsuitable names are noted."""
    check.note_unknown((), check.raw.document, ("game", *FACTS, "players"))
    check.game(game)
    players = check.raw.document.get("players")
    if not isinstance(players, list) or any(not isinstance(player, dict) for player in players):
        check.note(("players",), check.say("wrong.players"), check.say("wrong.players_like"))
        return []
    names = check.players([player.get(NAME_ROW, "") for player in players], plan.least, plan.most,
                          lambda number: ("players", number, NAME_ROW))
    return list(zip(names, players, strict=False))


# PDF forms: fields are the cells of the plan (``p1.name``, ``p1.france.cards``, ``p1.ships``), ``date`` and ``place``,
# and the points of each column (``p1.france.country_points``, ``p1.total``).

def read_form(plan: SheetPlan, fields: Mapping[str, str], place: str) -> RawGame:
    """Read the tallies of a filled-in form without empty columns. Raises InputError if it is not a score sheet."""
    counts: dict[int, dict[SheetCell, str]] = {}
    points: dict[int, dict[SheetCell, str]] = {}
    for field, value in fields.items():
        if (cell := SheetCell.parse(field)) and cell.seat:
            column, text = counts.setdefault(cell.seat, {}), value.strip()
            if cell.row == NAME_ROW and not cell.column:
                column[cell] = text
            elif plan.is_count(cell):
                # as the form's scripts read it: an unfinished sum like 3+ counts so far
                column[cell] = read_none(re.sub(r"(?<!\s)\s*+\+[\s+]*+", "+", text).strip("+"))
            elif text and (cell.column or cell.row) in plan.points:
                points.setdefault(cell.seat, {})[cell] = text
    if not counts:
        raise InputError([missing_sheet(place)])
    seats = [seat for seat in sorted(counts) if any(text.strip("0 ") for text in counts[seat].values())]
    spots: dict[Trail, Spot] = {(key,): Spot(place, 0, key) for key in FACTS}
    for number, seat in enumerate(seats):
        spots["players", number] = Spot(place, 0, f"p{seat}")
        spots |= {cell_trail(cell, number): Spot(place, 0, cell.field) for cell in counts[seat]}
    return RawGame(
        place=place, where=nearest_trail(spots, place),
        document=make_document(plan, [counts[seat] for seat in seats], **{key: fields.get(key, "") for key in FACTS}),
        totals=tuple(TypedTotal(seat=number, cell=cell, text=text, spot=Spot(place, 0, cell.field))
                     for number, seat in enumerate(seats) for cell, text in points.get(seat, {}).items()))


# CSV, laid out as the score sheet: the columns of each player under the player's name; their labels in the second row,
# unless each player has only one; then the rows of the plan, and optionally ``date`` and ``place``. A seat is the name
# of a player and the numbers of the player's columns (from 0) by their keys.

def read_csv(plan: SheetPlan, rows: Sequence[CsvRow], place: str, names: NameIndex) -> RawGame:
    """Read the tallies of a CSV file. Raises InputError if its first rows do not name the players' columns."""
    say, labelled = names.say, bool(plan.column_keys)
    if len(rows) < 1 + labelled:
        raise InputError.at(place, say("wrong.sheet"), say("wrong.layout"))
    head, body = rows[0], rows[1 + labelled:]
    problems = Problems()
    if labelled:
        seats = _find_seats(plan, head, rows[1], names, place, problems)
    else:
        seats = [(unescape_formula(head.cell(at)), {"": at}) for at in range(1, max(len(row.cells) for row in rows))]
    # a template for five players may be filled in for three
    seats = [seat for seat in seats if seat[0] or any(row.cell(at) for row in body for at in seat[1].values())]
    facts: dict[str, object] = {}
    columns: list[dict[SheetCell, object]] = [{SheetCell(0, NAME_ROW): name} for name, _ in seats]
    spots: dict[Trail, Spot] = {trail: Spot(place, head.line, name) for number, (name, _) in enumerate(seats)
                                for trail in (("players", number), ("players", number, NAME_ROW))}
    for key, row in find_rows(body, names, place, problems):
        if key in FACTS:
            facts[key] = read_fact(row)
            spots[key,] = Spot(place, row.line, key)
            continue
        note_strays(row, {column for _, keys in seats for column in keys.values()}, names, place, problems)
        for number, (_, keys) in enumerate(seats):
            for cell, text in _entries(plan, row, key, keys):
                columns[number][cell] = text
                spots[cell_trail(cell, number)] = Spot(place, row.line)  # messages name player, row and column
    return RawGame(place=place, document=make_document(plan, columns, **facts), where=nearest_trail(spots, place),
                   problems=tuple(problems))


def find_rows(body: Iterable[CsvRow], names: NameIndex, place: str, problems: Problems) -> Iterator[tuple[str, CsvRow]]:
    """Yield the key of each row with the row; unknown and repeated rows are noted."""
    first_lines: dict[str, int] = {}
    for row in body:
        word = row.cell(0)
        if not (key := names.row(word)):
            problems.note(place, names.say("wrong.row", word=word[:40]), names.like(word, *names.row_sorts),
                          line=row.line)
        elif key in first_lines:
            problems.note(place, names.say("wrong.again_here", word=word),
                          names.say("wrong.first_line", number=first_lines[key]), line=row.line)
        else:
            first_lines[key] = row.line
            yield key, row


def read_fact(row: CsvRow) -> str:
    """The date or the place in a row."""
    return unescape_formula(next(filter(None, row.cells[1:]), ""))


def note_strays(row: CsvRow, columns: Container[int], names: NameIndex, place: str, problems: Problems) -> None:
    """Note cells outside the known columns: most likely a separator inside a number."""
    for column, text in enumerate(row.cells):
        if column and text and column not in columns:
            problems.note(place, names.say("wrong.stray", text=text[:40]), names.say("wrong.stray_quote"),
                          line=row.line)


def _entries(plan: SheetPlan, row: CsvRow, key: str, columns: Mapping[str, int]) -> list[tuple[SheetCell, str]]:
    if plan.has_columns(key):
        return [(SheetCell(0, key, column), read_none(row.cell(at))) for column, at in columns.items()]
    # a number in any of the player's cells; two numbers are refused as one invalid count
    texts = [*filter(None, map(row.cell, sorted(columns.values())))]
    return [(SheetCell(0, key), " ".join(text for text in texts if text not in NONE_SIGNS) or "0" * bool(texts))]


def _find_seats(plan: SheetPlan, head: CsvRow, labels: CsvRow, names: NameIndex, place: str, problems: Problems
                ) -> list[tuple[str, dict[str, int]]]:
    """Find the players' columns. A player begins at a name, or at a repeated label such as ``cards``."""
    say = names.say
    if not any(names.find("columns", label) for label in labels.cells[1:]):
        raise InputError.at(place, say("wrong.columns"), say("wrong.layout"), line=labels.line)
    seats: list[tuple[str, dict[str, int]]] = []
    for column in range(1, max(len(head.cells), len(labels.cells))):
        label, name = labels.cell(column), head.cell(column)
        if key := names.find("columns", label) if label else None:
            if name or not seats or key in seats[-1][1]:
                seats.append((unescape_formula(name), {}))
            seats[-1][1][key] = column
        elif label:
            known = ", ".join(say(f"tally.{each}") for each in plan.column_keys)
            problems.note(place, say("wrong.column", word=label[:40]), say("wrong.one_of", words=known),
                          line=labels.line)
        elif name:
            problems.note(place, say("wrong.column_bare", name=name[:40]), say("wrong.layout"), line=labels.line)
    problems.raise_if_any()
    return seats


# --- Empty files ---

def blank_csv(plan: SheetPlan, names: Sequence[str], texts: Texts, game: str = "") -> str:
    """Make an empty file for :func:`read_csv`, with the name of the game if it is given."""
    keys = plan.column_keys
    width = len(keys) or 1
    return write_csv([
        ["", *(cell for name in names for cell in (escape_formula(name), *[""] * (width - 1)))],
        *([["", *[texts(f"tally.{key}") for key in keys] * len(names)]] if keys else []),
        *([["game", game, *[""] * (width * len(names) - 1)]] if game else []),
        *([texts(row.label), *[""] * (width * len(names))] for row in plan.rows)], texts("template.separator"))


def blank_json(plan: SheetPlan, names: Sequence[str], game: str) -> str:
    """Make an empty file in JSON: every count is 0, or null where an empty cell differs from it."""
    zeros = {cell: None if column and column.keeps_blank else 0
             for cell in plan.column(0) for column in [plan.column_of(cell)]}
    columns = [{SheetCell(0, NAME_ROW): name, **zeros} for name in names]
    return format_json(make_document(plan, columns, game=game, date="", place=""))


def blank_toml(plan: SheetPlan, names: Sequence[str], texts: Texts, remarks: Mapping[str, str], game: str = "") -> str:
    """Make an empty TOML file with comments on its ``singles``, on the ``columns`` and on each column."""
    tables = [row for row in plan.rows if plan.has_columns(row.key)]
    singles = [row for row in plan.rows if not plan.has_columns(row.key)]

    def entry(row: SheetRow, key: str = "") -> str:
        column = plan.column_of(SheetCell(0, row.key, key))
        return f"# {row.key} =" if column and column.keeps_blank else f"{row.key} = 0"

    def number(row: SheetRow) -> str:
        return f"# {texts('template.exist', country=texts(row.label), number=row.exist)}" if row.exist else ""
    lines = [f"# {texts('template.head')}", f"# {texts('template.sums')}", "",
             *([f'game = "{game}"'] if game else []),
             *(f'{key} = ""'.ljust(22) + f"# {texts(f'scoring.{key}')}" for key in FACTS)]
    for name in names:
        lines += ["", "", "[[players]]", f"name = {json.dumps(name, ensure_ascii=False)}", f"# {remarks['singles']}",
                  *map(entry, singles), *([f"# {remarks['columns']}"] if tables else [])]
        for key in plan.column_keys:
            lines += ["", f"[players.{key}]".ljust(22) + f"# {remarks[key]}", *(
                (entry(row, key).ljust(22) + number(row)).rstrip() for row in tables
                if any(column.key == key for column in row.columns))]
    return "\n".join(lines) + "\n"


# --- Files ---
# Tally files of any game: readers that hand their content to the scoring of the game as a :class:`RawGame`.
#
# TOML and JSON are documents, CSV is rows, a filled-in PDF is fields. Tallies are sent around and downloaded, so a file
# may hold anything: it is read in a bounded time, and unsuitable content is refused (:mod:`ppgen.reading.fields`).

MAX_BYTES = 1_000_000  # size limit of a file: a hundred times the tallies of five players
MAX_VALUES, MAX_CHARACTERS, MAX_DEPTH = 5_000, 80, 8  # of a game, of a text (a name has 60), of tables
SUFFIXES = (".toml", ".json", ".csv", ".tsv", ".pdf")
MAX_ROWS, MAX_COLUMNS, MAX_LINES = 500, 200, 50_000  # of a CSV file; a sheet has twenty rows and eleven columns


class TallyFile(NamedTuple):
    """The tallies of a file: the ``game`` that it names (empty if none), the ``cells`` of a form, and ``raw``, which
    makes a raw game of them once their scoring is known."""

    raw: Callable[[Scoring], RawGame]
    game: str = ""
    cells: frozenset[SheetCell] = frozenset()


def read_file(path: Path) -> TallyFile:
    """Read tallies by the format of the suffix. Raises InputError, RequestError for an unknown suffix."""
    suffix, place = path.suffix.lower(), display_path(path)
    if path.is_dir():
        raise InputError.at(place, Phrase("is_folder"), Phrase("name_file"))
    if suffix not in SUFFIXES:
        raise RequestError.at(place, Phrase("unknown_type", suffix=suffix) if suffix else Phrase("no_type"),
                              Phrase("tally_types", names=join_names(SUFFIXES)))
    if suffix == ".pdf":
        from ppgen.reading.pdf_form import read_form_fields  # pikepdf is slow to import

        fields = read_form_fields(path)
        return TallyFile(cells=frozenset(filter(None, map(SheetCell.parse, fields))),
                         raw=lambda scoring: scoring.from_fields(fields, place))
    data = read_bytes(path, MAX_BYTES, Phrase("tallies_small"))
    if suffix in (".csv", ".tsv"):
        return open_tally_rows(tally_rows(data, place), place)
    text = decode(data, place)
    return open_tally_file(read_json(text, place) if suffix == ".json" else read_toml_tallies(text, path))


def open_tally_file(document: RawGame) -> TallyFile:
    """The tallies of a document."""
    return TallyFile(game=str(document.document.get("game", "")), raw=lambda scoring: document)


def open_tally_rows(rows: list[CsvRow], place: str) -> TallyFile:
    """The tallies of a CSV file. A row ``game`` may name the game."""
    game_row = next((row for row in rows if fold_case(row.cell(0)) == "game"), None)
    if game_row is None:
        return TallyFile(raw=lambda scoring: scoring.from_csv(rows, place))
    game = next(filter(None, game_row.cells[1:]), "")

    def raw(scoring: Scoring) -> RawGame:
        raw_game = scoring.from_csv([row for row in rows if row is not game_row], place)
        spot = Spot(place, game_row.line, "game")
        return replace(raw_game, document={**raw_game.document, "game": game},
                       where=lambda trail: spot if trail == ("game",) else raw_game.where(trail))

    return TallyFile(game=game, raw=raw)


def tally_rows(data: bytes, place: str) -> list[CsvRow]:
    """The filled rows of CSV tallies (, ; or tab, UTF-8, UTF-16, old Windows); # begins a comment."""
    text = decode(data, place, "cp1252")
    if match := INVISIBLE.search(text):
        raise InputError.at(place, Phrase("invisible", message=describe_character(match[0])), Phrase("take_it_out"),
                            line=text.count("\n", 0, match.start()) + 1)
    separator, text = _split_separator(text)
    try:
        return list(_check_limits(row for row in csv_rows(text, separator, MAX_LINES)
                                  if any(row.cells) and not row.cells[0].startswith("#")))
    except CsvError as error:
        raise InputError.at(place, error.what, error.remedy, line=error.line) from error


def _check_limits(rows: Iterator[CsvRow]) -> Iterator[CsvRow]:
    for number, row in enumerate(rows, 1):
        if len(row.cells) > MAX_COLUMNS:
            raise CsvError(row.line, Phrase("many_columns", number=MAX_COLUMNS))
        if any(len(cell) > MAX_CHARACTERS for cell in row.cells):
            raise CsvError(row.line, Phrase("long_cell", number=MAX_CHARACTERS), Phrase("shorten"))
        if number > MAX_ROWS:
            raise CsvError(row.line, Phrase("many_rows", number=MAX_ROWS))
        yield row


def _split_separator(text: str) -> tuple[str, str]:
    """The separator, and the text without the ``sep=;`` in its first line that spreadsheets may write."""
    lines = text.splitlines()
    if lines and (first := lines[0].lower()).startswith("sep=") and len(first) == 5:
        # the empty line stays: line numbers must not change
        return first[4], text[len(lines[0]):]
    # the second line first: the names in the first may contain separators
    for line in [line for line in lines if line.strip() and not line.startswith("#")][1::-1]:
        best = detect_separator(line, ";\t,")
        if best in line:
            return best, text
    return ",", text


def read_json(text: str, place: str) -> RawGame:
    """Parse the tallies of a JSON text. Duplicate keys are problems."""
    problems: list[Problem] = []

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values = dict(pairs)
        if len(values) < len(pairs):
            problems.extend(Problem(place, Phrase("twice"), Phrase("take_one_out"), key=key)
                            for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return values

    try:
        document = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        raise InputError.at(place, Phrase("not_json", message=error.msg), line=error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise InputError.at(place, "is not valid JSON: nested too deep, or with a number too long") from error
    if excess := _find_excess(document):
        trail, what, remedy = excess
        raise InputError.at(place, what, remedy, key=_json_path(trail))
    return RawGame(place=place, document=_top_table(document, place), problems=tuple(problems),
                   where=lambda trail: Spot(place, 0, _json_path(trail)), quoted=True)


def read_toml_tallies(text: str, path: Path) -> RawGame:
    """Parse the tallies of a TOML text."""
    source = Source(path, text)
    document = parse_toml(source)

    def where(trail: Trail) -> Spot:
        return Spot(source.name, source.line_of(trail), ".".join(part for part in trail if isinstance(part, str)))

    if excess := _find_excess(document):
        trail, what, remedy = excess
        raise InputError([where(trail).problem(what, remedy)])
    return RawGame(place=source.name, document=document, where=where, quoted=True)


def _find_excess(document: object) -> tuple[Trail, str, str] | None:
    """The first value of a document that breaks a limit: its trail, the problem and the remedy."""
    todo, count = [document], 0
    while todo:
        value = todo.pop()
        count += 1
        if count > MAX_VALUES:
            return (), f"holds more than {MAX_VALUES} values", Phrase("tallies_small")
        if isinstance(value, dict | list):
            todo.extend(value.values() if isinstance(value, dict) else value)
    return find_excess(document, MAX_DEPTH, MAX_CHARACTERS)


def _top_table(document: object, place: str) -> Mapping[str, object]:
    """The document as a table; a bare list of players becomes one."""
    if isinstance(document, list):
        return {"players": document}
    if not isinstance(document, dict):
        example = '{"players": […]}'
        raise InputError.at(place, Phrase("no_game_inside"), Phrase("write_like", example=example))
    return document


def _json_path(trail: Trail) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in trail).removeprefix(".")
