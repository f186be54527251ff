"""A game's ``score.toml``: its formulas, its records, and the reader."""

from __future__ import annotations

import ast
import json
import keyword
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ppgen.assets import SCORE_FILE
from ppgen.errors import InputError, Phrase, Problems, join_names, suggest
from ppgen.reading.fields import Fields, format_value, is_file_name, is_spelt, read_toml, refuse_file
from ppgen.records import dataclass, field, fields, replace

# --- Formulas ---
# Formulas of ``score.toml``: arithmetic over the entries of a line, parsed into a tree and never run as code.

MAX_COUNT, MAX_POINTS = 9999, 10_000  # the largest entry (more is a typing error), and number in the rules
MAX_TOTAL = 10**12  # the largest value on the way to a line's points: up to it, Python and JavaScript compute alike
MAX_LENGTH = 200  # characters of a formula

Tree = Any  # a number, `["entry", 0]`, or an operator and its operands: `["+", …, …]`
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Eq: "==", ast.NotEq: "!=",
              ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def parse_formula(text: str, names: Mapping[str, int]) -> Tree:
    """Parse a formula over the entries with these names, each with its number.

    Raises ValueError, in plain words, for anything but numbers, entries, ``+ - *``, ``//`` by a number, comparisons
    (1 or 0), ``min`` and ``max``, and for values that could become too large.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(Phrase("note_long", number=MAX_LENGTH))
    try:
        tree = _tree(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("is not arithmetic") from error
    bound_of(tree)
    return tree


def _tree(node: ast.expr, names: Mapping[str, int]) -> Tree:
    match node:
        case ast.Constant(value=int(number)) if type(number) is int and number <= MAX_POINTS:
            return number
        case ast.Name(id=name) if name in names:
            return ["entry", names[name]]
        case ast.Name(id=name):
            raise ValueError(f"reads '{name}', which is not an entry of this line")
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return ["-", 0, _tree(inner, names)]
        case ast.BinOp(op=ast.FloorDiv(), left=left, right=ast.Constant(value=int(number))) if number > 0:
            return ["//", _tree(left, names), _tree(ast.Constant(number), names)]
        case (ast.BinOp(left=left, op=operator, right=right)
              | ast.Compare(left=left, ops=[operator], comparators=[right])) if type(operator) in _OPERATORS:
            return [_OPERATORS[type(operator)], _tree(left, names), _tree(right, names)]
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, _, *_] as args, keywords=[]):
            return [name, *(_tree(each, names) for each in args)]
    raise ValueError("holds something that is not allowed here")


def bound_of(tree: Tree) -> int:
    """Return a bound of the absolute value. Raises ValueError if a part of it could become too large."""
    if isinstance(tree, int):
        return tree
    if tree[0] == "entry":
        return MAX_COUNT
    bounds = [bound_of(each) for each in tree[1:]]
    bound = bounds[0] * bounds[1] if tree[0] == "*" else sum(bounds) if tree[0] in "+-" else max(bounds)
    if bound > MAX_TOTAL:
        raise ValueError("can become too large")
    return 1 if tree[0] in COMPARISONS else bound


def compute(tree: Tree, values: Sequence[int]) -> int:
    """Compute the value of a formula for the entries of a line."""
    if isinstance(tree, int):
        return tree
    if tree[0] == "entry":
        return values[int(tree[1])]
    operator, own = tree[0], [compute(each, values) for each in tree[1:]]
    if operator in ("min", "max"):
        return min(own) if operator == "min" else max(own)
    a, b = own
    if operator in COMPARISONS:
        return int({"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator])
    return a // b if operator == "//" else a * b if operator == "*" else a + b if operator == "+" else a - b


# --- Records ---
# Rules of scoring as plain data, the same for Python and JavaScript: :meth:`ScoreLine.data` is the JSON of a line.

@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreLine:
    """A line of the sheet that scores: a row, or a column of it."""

    key: str
    group: str
    row: str
    column: str = ""
    label: str = ""
    entries: tuple[str, ...] = ()  # its own cells
    counts: tuple[str, ...] = ()  # cells that it counts: its entries, or those of other lines
    points_of: tuple[int, ...] = ()  # earlier lines by number whose points it counts
    computed: bool = False
    take: str = "sum"
    whose: str = "own"
    least: int = 0
    up_to: int = MAX_COUNT
    each: int = 1
    per: int = 1
    table: tuple[tuple[int, int], ...] = ()  # (from this count on, points)
    places: Mapping[int, tuple[int, ...]] = field(default_factory=dict)  # points of the places by number of players
    before: bool = False  # each place scores the count of the place before
    ties: str = "each"
    only: str = ""
    want: str = "most"
    not_all: bool = False
    formula: Any = None  # tree of score_formula
    exist: int = 0
    needs: str = ""
    added: bool = True  # else only shown
    late: bool = False
    signed: bool = False  # entries are points themselves

    @property
    def points_field(self) -> str:
        """The field of its points without the player: its entry if that is points itself."""
        if self.signed:
            return self.entries[0]
        return f"{self.row}.{self.column}_points" if self.column else f"{self.row}_points"

    def data(self, *without: str) -> dict[str, Any]:
        """The line without default values, and ``without`` these."""
        return {each.name: value for each in fields(self) if each.name not in without
                and (value := getattr(self, each.name)) != each.default and value not in ((), {}, "")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of a game."""

    least: int
    most: int
    lines: tuple[ScoreLine, ...]
    lowest: bool = False
    tie_break: tuple[tuple[str, str, tuple[str, ...]], ...] = ()  # ("most" or "fewest", line, cells)
    verdicts: tuple[tuple[int, str], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # the game's own texts
    rows: Mapping[str, str] = field(default_factory=dict)  # labels by key
    columns: Mapping[str, str] = field(default_factory=dict)  # labels by key
    spellings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # in all languages of the file

    def line(self, key: str) -> ScoreLine:
        return next(line for line in self.lines if line.key == key)

    def scored_data(self) -> dict[str, Any]:
        """Data for scripts that score: without those for files and labels, and counts of the line's own cell."""
        lines = [line.data("label", "entries", "needs", *(["counts"] if line.counts == (line.key,) else []))
                 for line in self.lines]
        return {"lowest": self.lowest, "tie_break": self.tie_break, "verdicts": (), "lines": lines}

    @property
    def digest(self) -> str:
        """A digest of all that decides about points and winners, whatever the language."""
        import hashlib

        lines = [line.data("label") for line in self.lines]
        text = json.dumps([self.lowest, self.tie_break, lines], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# --- File ---
# Reader of ``score.toml``: checks the rules of scoring, and writes them out as :class:`~.score_rules.Rules`.
#
# Repeated rows and rounds become single lines, and names of other lines the cells and lines they stand for. Nothing in
# the file is ever run.

MAX_PLAYERS, MAX_LINES, MAX_ROUNDS, MAX_COLUMNS = 12, 120, 60, 12
MAX_LABEL, MAX_WORDS = 60, 300  # characters of a label, and of a sentence
TAKES, EXTREMES = ("sum", "most", "least", "kinds"), ("most", "fewest")
TIES = ("each", "skip", "split", "share", "none")
WAYS = {"each": {"per", "from", "up_to", "only"}, "table": {"from", "only"}, "places": {"ties", "of", "not_all"},
        "points": {"only"}}
"""The ways to score, of which a line has one at most, each with the keys that go with it."""
SOURCES = ("counts_of", "points_of", "subtotal_of")
RESERVED = ("name", "total", "date", "place", "game", "players")  # words of tallies that no row may have as its key
OWN_WORDS = frozenset((
    "heading", "part", "total", "entry", "each", "short", "held", "less", "most", "most_shared", "fewest",
    "fewest_shared", "next", "next_shared", "next_before", "next_before_shared", "before_one", "before_many", "nobody",
    "counted", "counted_one", "decided", "decided_fewest", "draw", "draw_all", "draw_some", "judged"))
"""Texts that a game may say in its own words, for all lines or for one."""
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,29}")
_BRACES = re.compile(r"\{[a-z_]+\}")


def read_rules(folder: Path, lang: str = "en") -> Rules:
    """Read the rules beside a deck. Raises InputError with all problems, each with line and remedy."""
    problems = Problems()
    top = read_toml(folder, SCORE_FILE, problems)
    rules = _Reader(top, folder, lang, problems).rules()
    if problems:
        # a line has the same ones in each round
        raise InputError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.place, problem.line)))
    return rules


class _Reader:
    def __init__(self, top: Fields, folder: Path, lang: str, problems: Problems) -> None:
        self.top, self.folder, self.lang, self.problems = top, folder, lang, problems
        self.lines: list[ScoreLine] = []
        self.bounds: list[int] = []
        self.labels: dict[str, str] = {}
        self.columns: dict[str, str] = {}
        self.spellings: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, list[Mapping[str, object]]] = {}

    def rules(self) -> Rules:
        top = self.top
        least, self.most = self._players()
        rounds = top.take_int("rounds", 1, MAX_ROUNDS, 1)
        lowest = top.take_choice("wins", ("highest", "lowest"), "highest") == "lowest"
        breaks, verdicts = top.take_texts("tie_break", ()), top.take_table("verdicts", required=False)
        groups = [key for key in top if key not in ("words", "verdicts") and top.is_table(key)]
        self.words = self._own_words(groups)
        last = next((n for n, key in enumerate(groups) if isinstance(table := top.raw(key), dict)
                     and table.get("final") is True), len(groups))
        written = [(key, number if rounds > 1 else 0) for number in range(1, rounds + 1) for key in groups[:last]]
        for key, number in islice([*written, *((key, 0) for key in groups[last:])], MAX_LINES + 1):
            self._group(top.take_table(key), key, number)
            if len(self.lines) > MAX_LINES:
                break
        if not groups and not self.problems:
            top.note("", "has no line to score", "write [gold] for a line of that name")
        if len(self.lines) > MAX_LINES:
            top.note("", f"makes more than {MAX_LINES} lines", "take fewer rows or rounds")
        if len(self.columns) > MAX_COLUMNS:
            top.note("", f"has {len(self.columns)} different columns and entries", f"take at most {MAX_COLUMNS}")
        top.close()
        return Rules(least=least, most=self.most, lines=tuple(self.lines), lowest=lowest, words=self.words,
                     tie_break=tuple(filter(None, map(self._tie_break, breaks))), rows=self.labels,
                     columns=self.columns, verdicts=tuple(sorted(_verdicts(verdicts))), spellings=self.spellings)

    def _players(self) -> tuple[int, int]:
        given = self.top.raw("players")
        match = re.fullmatch(r"(\d\d?)(?:-(\d\d?))?", str("1-6" if given is None else given).replace("–", "-"))
        least, most = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if 1 <= least <= most <= MAX_PLAYERS:
            return least, most
        self.top.note("players", f"{format_value(given, 40)} is not a number of players",
                      f'write "2-4", at most {MAX_PLAYERS}')
        return 1, MAX_PLAYERS

    def _group(self, table: Fields, group: str, number: int) -> None:
        """Add the lines of a table: one, one for each of its rows, or one for each column of these."""
        if not self._is_key(table, group):
            return
        label, rows, _ = self._label(table, group), [*self._rows(table, group)], table.raw("final")
        columns = [key for key in table if rows and table.is_table(key) and key not in ("label", "table", "places")]
        for row, name, cells in rows or [(group, label, {})]:
            own, shown = (f"{row}-{number}", f"{name} {number}") if number else (row, name)
            if own in self.labels:
                table.note("rows" if rows else "", f"row '{own}' is there twice", "give it another name")
                continue
            self.labels[own] = shown
            self.spellings[own] = (shown, *(f"{each} {number}" if number else each for each in (
                [str(cell)[:MAX_LABEL] for key, cell in cells.items() if key.partition(".")[0] == "name" and cell]
                if rows else _labels(table.raw("label")))))
            for column in columns:
                inner = table.take_table(column)
                if not self._is_key(inner, column):
                    continue
                heading = self.words.get(f"{group}.{column}.heading", self.words.get("heading", "{row}, {column}"))
                self._column(column, self._label(inner, column), inner.raw("label"))
                words = heading.replace("{row}", shown).replace("{column}", self.columns[column])
                self._line(inner, ScoreLine(key=f"{own}.{column}", group=f"{group}.{column}", row=own, column=column,
                                       label=words, entries=(f"{own}.{column}",)), cells)
            if not columns:
                self._line(table, ScoreLine(key=own, group=group, row=own, label=shown, entries=(own,)), cells)
        table.close()

    def _is_key(self, table: Fields, key: str) -> bool:
        if not _KEY.fullmatch(key):
            table.note("", f"'{key[:40]}' is not a name for a line",
                       "write small letters, digits and _: [longest_road]")
        elif key.endswith("_points") or key in RESERVED:
            table.note("", f"'{key}' is a word of the sheet's own", "take another key, and a label for the name")
        else:
            return True
        return False

    def _column(self, key: str, label: str, given: object = None) -> None:
        self.columns.setdefault(key, label)
        self.spellings[key] = tuple(dict.fromkeys((*self.spellings.get(key, ()), label, *_labels(given))))

    def _rows(self, table: Fields, group: str) -> Iterator[tuple[str, str, Mapping[str, object]]]:
        """Yield key, name and cells of each row of a group."""
        given = table.raw("rows")
        if isinstance(given, str):
            if given not in self.tables:
                self.tables[given] = self._read_rows(given)
            for n, cells in enumerate(self.tables[given], 1):
                found = [name for key, name in cells.items() if key.partition(".")[0] == "name" and name]
                key = str(cells.get("id") or next(iter(found), ""))  # the same in each language
                label = cells.get(f"name.{self.lang}") or cells.get("name") or next(iter(found), key)
                yield self._row_key(key, f"{group}_{n}"), str(label)[:MAX_LABEL], cells
        elif given is not None:
            names = table.take_texts("rows")
            if not names:
                table.note("rows", "has no rows", 'write ["Hills", "Woods"], or the name of a table')
            for n, name in enumerate(names[:MAX_LINES + 1], 1):
                yield self._row_key(name, f"{group}_{n}"), self._shorten(table, "rows", name), {}

    def _read_rows(self, name: str) -> list[Mapping[str, object]]:
        """The cells of the rows of a table; in TOML they are its lists of tables."""
        if is_file_name(name) and (self.folder / name).is_file() and not is_spelt(self.folder, name):
            missing = refuse_file(self.folder / name, Phrase("no_file"), Phrase("check_name_folder"))
            self.problems.extend(missing.problems)
            return []
        if not name.endswith(".toml"):
            from ppgen.reading.tables import read_table  # with the readers of workbooks

            table = read_table(self.folder, name, self.problems, langs=(self.lang,))
            return [row.cells for row in islice(table.rows, MAX_LINES + 1)]
        top = read_toml(self.folder, name, self.problems)
        return [{key: row.raw(key) for key in row} for key in top if isinstance(top.raw(key), list)
                for row in top.take_tables(key)[:MAX_LINES + 1]]

    def _row_key(self, name: str, number: str) -> str:
        """The key of a row: its name without accents, or else its ``number``, as for 東, 10 000 and Total."""
        if _KEY.fullmatch(name) and name not in RESERVED and not name.endswith("_points"):
            return name
        letters = unicodedata.normalize("NFKD", name.casefold())
        plain = "".join(each for each in letters if not unicodedata.combining(each))
        key = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:24].strip("_")
        wrong = not key or key[0].isdigit() or key in RESERVED or key.endswith("_points")
        return number if wrong or any(each.isalnum() and not each.isascii() for each in plain) else key

    def _shorten(self, table: Fields, key: str, text: str) -> str:
        if len(text) > MAX_LABEL:
            table.note(key, f"has a name of {len(text)} characters", f"at most {MAX_LABEL} fit the sheet")
        return text[:MAX_LABEL]

    def _label(self, table: Fields, key: str) -> str:
        given = table.raw("label")
        labels = _labels(given)
        if given is not None and not labels:
            table.note("label", "is not a name", 'write "Gold", or { en = "Gold", de = "Gold" }')
        chosen = given.get(self.lang) if isinstance(given, dict) else None
        usual = key.replace("_", " ").replace("-", " ").capitalize()
        return self._shorten(table, "label", str(chosen or next(iter(labels), usual)))

    def _line(self, table: Fields, line: ScoreLine, cells: Mapping[str, object]) -> None:
        """Add a line with the rules of a table; ``cells`` are those of its row in a table of rows."""
        take = table.take_int
        if entries := tuple(entry for entry in table.take_texts("entries", ()) if self._is_entry(table, entry)):
            for entry in entries:
                self._column(entry, entry.replace("_", " ").capitalize())
            line = replace(line, entries=tuple(f"{line.row}.{entry}" for entry in entries))
        source, chosen = self._sources(table, line)
        if source:
            line = replace(line, entries=(), computed=True, added=source != "subtotal_of")
        way = self._way(table)
        places, before = self._places(table)
        exist = self._exist(table, cells)
        if before and not exist:
            table.note("places", "'before' needs the points of the first place", "add exist = 8, or name a column")
        signed = not source and not entries and way == "each" and not set(table) & {
            "each", "only", "from", "up_to", "per", "take", "exist"}
        counts = tuple(cell for n in chosen for cell in self.lines[n].counts) if source == "counts_of" else line.entries
        line = replace(
            line, before=before, places=places, exist=exist, signed=signed, table=self._steps(table), counts=counts,
            points_of=chosen if source in ("points_of", "subtotal_of") else (),
            take=table.take_choice("take", TAKES, "sum"), whose=table.take_choice("whose", ("own", "others"), "own"),
            least=take("from", 0, MAX_COUNT, 0), up_to=take("up_to", 1, MAX_COUNT, MAX_COUNT),
            each=take("each", -MAX_POINTS, MAX_POINTS, 1), per=take("per", 1, MAX_COUNT, 1),
            ties=table.take_choice("ties", TIES, "each"), only=table.take_choice("only", EXTREMES, ""),
            want=table.take_choice("of", EXTREMES, "most"), not_all=table.take_flag("not_all"),
            late=table.take_flag("late"), needs=self._needs(table, line))
        line = replace(line, formula=self._formula(table, line))
        self.bounds.append(self._bound(line))
        if self.bounds[-1] > MAX_TOTAL:
            table.note("each", "makes points that can become too large", f"at most {MAX_TOTAL:,} in a line")
            self.bounds[-1] = 0
        self.lines.append(line)
        table.close()

    def _is_entry(self, table: Fields, name: str) -> bool:
        if not _KEY.fullmatch(name) or name.endswith("_points") or name in RESERVED:
            table.note("entries", f"'{name[:40]}' is not a name for an entry", "write small letters, digits and _")
            return False
        return True

    def _sources(self, table: Fields, line: ScoreLine) -> tuple[str, tuple[int, ...]]:
        """The key that says what a line is computed from, and the numbers of these lines."""
        given = {key: names for key in SOURCES if (names := table.take_texts(key, ()))}
        for key in [*given][1:]:
            table.note(key, f"stands beside {next(iter(given))}", "a line is computed in one way: make two lines of it")
        if not given:
            return "", ()
        key, names = next(iter(given.items()))
        for name in names:
            if not any(_is_named(other, name, line) for other in self.lines):
                known = list(dict.fromkeys(other.group for other in self.lines))
                table.note(key, f"'{name[:40]}' is not a line above this one",
                           f"above it stand: {join_names(known) or 'none'}")
        return key, tuple(n for n, other in enumerate(self.lines)
                          if any(_is_named(other, name, line) for name in names))

    def _way(self, table: Fields) -> str:
        """The way in which a line scores; other ways and keys that do nothing are noted."""
        ways = [key for key in WAYS if key in table]
        for key in ways[1:]:
            table.note(key, f"stands beside {ways[0]}",
                       "a line scores in one way: make two lines of it, with counts_of")
        way = ways[0] if ways else "each"
        for key in sorted(set().union(*WAYS.values()) - WAYS[way]):
            if key in table and len(ways) < 2:
                homes = [name for name, keys in WAYS.items() if key in keys]
                table.note(key, f"does nothing beside {way}" if ways else f"does nothing without {homes[0]}",
                           f"it goes with {' or '.join(homes)}")
        return way

    def _needs(self, table: Fields, line: ScoreLine) -> str:
        if "needs" not in table:
            return ""
        cell = f"{line.row}.{table.take_text('needs')}"
        if not any(cell in other.entries for other in self.lines):
            table.note("needs", f"'{cell.rpartition('.')[2][:40]}' is not an earlier column of this row",
                       "name the column that must be filled in")
            return ""
        return cell

    def _bound(self, line: ScoreLine) -> int:
        """A bound of what a line can score: both languages must compute it exactly."""
        if line.formula is not None:
            return bound_of(line.formula)
        counted = sum(self.bounds[n] for n in line.points_of) or MAX_COUNT * len(line.counts)
        listed = [abs(points) for _, points in line.table] + [abs(each) for own in line.places.values() for each in own]
        others = self.most if line.whose == "others" else 1
        return max(max(listed, default=0) * max(self.most, 1), counted * others * max(1, abs(line.each)))

    def _exist(self, table: Fields, cells: Mapping[str, object]) -> int:
        """The number that exists, or the column of the table of rows that has it."""
        column = table.raw("exist")
        if not isinstance(column, str):
            return table.take_int("exist", 1, MAX_COUNT) if "exist" in table else 0
        number = cells.get(column)
        if isinstance(number, int) and 1 <= number <= MAX_COUNT:
            return number
        table.note("exist", f"'{column[:40]}' is not a column of whole numbers", "name a column of the table of rows")
        return 1

    def _places(self, table: Fields) -> tuple[dict[int, tuple[int, ...]], bool]:
        """The points of the places by number of players, or whether they are those of the place before."""
        given = table.raw("places")
        if given is None or given == "before":
            return {}, given == "before"
        by_players = {"1": given} if isinstance(given, list) else given
        if isinstance(by_players, dict) and by_players and all(
                isinstance(each, list) and 0 < len(each) <= MAX_PLAYERS and all(map(_is_points, each))
                and re.fullmatch(r"[1-9]\d?", key, re.ASCII) for key, each in by_players.items()):
            if late := [key for key in by_players if int(key) > self.most]:
                table.note("places", f"has points for {late[0]} players", f"the game is for {self.most} at most")
            return {int(key): tuple(value) for key, value in by_players.items()}, False
        table.note("places", "is not the points of the places", 'write [5, 2], { 2 = [5], 3 = [5, 2] } or "before"')
        return {}, False

    def _steps(self, table: Fields) -> tuple[tuple[int, int], ...]:
        """The table of a line as pairs, the counts rising."""
        given = table.raw("table")
        steps = [(str(key), value) for key, value in (
            enumerate(given) if isinstance(given, list) else given.items() if isinstance(given, dict) else ())]
        wrong = [(count, points) for count, points in steps
                 if not (re.fullmatch(r"\d{1,4}", count, re.ASCII) and _is_points(points))]
        if given is not None and (wrong or not steps):
            which = f"'{wrong[0][0][:20]} = {wrong[0][1]}' is not" if wrong else "is not"
            table.note("table", f"{which[:60]} a count and its points",
                       "write [0, 1, 3, 6] (for 0, 1, 2 …) or { 0 = -1, 2 = 1 } (from a count on)")
            return ()
        return tuple(sorted((int(count), points) for count, points in steps))

    def _tie_break(self, text: str) -> tuple[str, str, tuple[str, ...]] | None:
        want, _, name = text.rpartition(" ")
        lines = [line for line in self.lines if _is_named(line, name)]
        if lines and want in ("", *EXTREMES):
            cells = tuple(dict.fromkeys(cell for line in lines for cell in line.counts))
            if cells:
                return want or "most", name, cells
        self.top.note("tie_break", f"'{text[:40]}' is not a line with entries",
                      'write "coins", "most coins" or "fewest cards"')
        return None

    def _formula(self, table: Fields, line: ScoreLine) -> Any:
        if "points" not in table:
            return None
        text = table.take_text("points")
        own = [line.group.rpartition(".")[2]] if line.entries in ((line.row,), (line.key,)) else [
            entry.rpartition(".")[2] for entry in line.entries]
        names = {name.replace("-", "_"): n for n, name in enumerate(own)}
        for name in filter(keyword.iskeyword, names):
            table.note("entries", f"'{name}' can't be read in a formula", "take another name")
        try:
            return parse_formula(text, names)
        except ValueError as error:
            table.note("points", f"'{text[:60]}' {error}",
                       f"write numbers, {', '.join(names) or 'entries'}, + - * //, comparisons, min, max")
            return None

    def _own_words(self, groups: Sequence[str]) -> dict[str, str]:
        """The game's own texts in the language, after a check of those in all languages."""
        own: dict[str, str] = {}
        every = self.top.take_table("words", required=False)
        for lang in every:
            for key, text, table in _flatten(every.take_table(lang)):
                prefix, _, last = key.rpartition(".")
                short = key.rpartition(".")[2]
                if last not in OWN_WORDS:
                    table.note(short, "is not a text of scoring",
                               suggest(last, OWN_WORDS, Phrase("known", message=join_names(sorted(OWN_WORDS)))))
                elif prefix and prefix.partition(".")[0] not in groups:
                    table.note(short, f"is for '{prefix[:40]}', which is not a line", f"lines: {join_names(groups)}")
                elif re.search("[{}]", _BRACES.sub("", text)) or len(text) > MAX_WORDS:
                    table.note(short, Phrase("note_long", number=MAX_WORDS) if len(text) > MAX_WORDS else
                               "has a brace that is not a {placeholder}", "write {name}, or leave braces out")
                elif lang == self.lang:
                    own[key] = text
        return own


def _is_points(value: object) -> bool:
    return type(value) is int and abs(value) <= MAX_POINTS


def _is_named(line: ScoreLine, name: str, near: ScoreLine | None = None) -> bool:
    """Check the name of a line, of its row or group, or of another column in the row of ``near``."""
    if near and near.column and "." not in name and line.group.partition(".")[0] == near.group.partition(".")[0]:
        return line.row == near.row and line.column == name
    return name in (line.key, line.group, line.row, line.group.partition(".")[0])


def _labels(given: object) -> tuple[str, ...]:
    values = [*given.values()] if isinstance(given, dict) else [given]
    return tuple(value for value in values if isinstance(value, str) and value.strip()) if all(
        isinstance(value, str) for value in values) else ()


def _flatten(table: Fields, above: str = "") -> Iterator[tuple[str, str, Fields]]:
    """Yield the texts of nested tables: key, text and its table."""
    for key in table:
        if table.is_table(key):
            yield from _flatten(table.take_table(key), f"{above}{key}.")
        else:
            yield f"{above}{key}", table.take_text(key), table


def _verdicts(table: Fields) -> Iterator[tuple[int, str]]:
    for key in table:
        if re.fullmatch(r"-?\d{1,5}", key, re.ASCII):
            yield int(key), table.take_text(key)
        else:
            table.note(key, "is not a total", 'write 21 = "Good"')
