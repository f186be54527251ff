"""Scoring of a deck by its ``score.toml``: everything that ``ppgen score`` needs of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from ppgen.errors import Problem
from ppgen.play.game_scoring import (ScoredGame, Scoring, blank_csv, blank_json, blank_toml, cell_trail, make_document,
                                     read_cells, read_csv, read_form, read_players)
from ppgen.play.line_points import (LineScore, Player, RankedPlayer, Ranking, ScoreTable, ScoreTableRow, explain_lines,
                                    points_cell, score_columns, value_row)
from ppgen.play.rule_file import Rules, ScoreLine, read_rules
from ppgen.play.sheet_plan import (FACTS, NAME_ROW, TOTAL_ROW, Checker, Json, NameIndex, NameSort, RawGame, SheetCell,
                                   SheetColumn, SheetPlan, SheetRow, Takes, TypedTotal, check_totals)
from ppgen.reading.fields import CsvRow
from ppgen.reading.texts import FALLBACK, Texts, load_texts
from ppgen.records import dataclass, replace

Counts = Mapping[SheetCell, int]  # the counts of a player by cell, without a seat


def open_rule_scoring(game: str, folder: Path, common: Path, lang: str) -> RuleScoring:
    """Open the scoring of a deck. Raises InputError with all problems of its ``score.toml``."""
    rules = read_rules(folder, lang)
    return RuleScoring(game, rules, RuleNames(rules, lang, common))


def plan_rows(rules: Rules) -> SheetPlan:
    """Plan the rows to write in, in the order of the file."""
    rows: dict[str, SheetRow] = {}
    for line in rules.lines:
        for entry in line.entries:
            row, _, column = entry.partition(".")
            new = SheetColumn(key=column, ask=f"ask.{entry}", late=line.late, needs=line.needs.partition(".")[2],
                              takes=Takes.POINTS if line.signed else Takes.COUNT,
                              keeps_blank=line.formula is not None)
            old = rows.get(row)
            rows[row] = replace(old, columns=(*old.columns, new)) if old else SheetRow(
                key=row, label=f"rows.{row}", columns=(new,), exist=line.exist if line.before else 0)
    return SheetPlan(least=rules.least, most=rules.most, rows=tuple(rows.values()), total="scoring.total", points=(
        TOTAL_ROW, *dict.fromkeys(line.points_field.rpartition(".")[2] for line in rules.lines if not line.signed)))


class RuleNames(NameIndex):
    """Names and texts of the rules, and the default texts of scoring."""

    def __init__(self, rules: Rules, lang: str, common: Path) -> None:
        self._rules, self._plan = rules, plan_rows(rules)
        super().__init__({"rows": NameSort((*(row.key for row in self._plan.rows), *FACTS), "rows", is_row=True),
                          "columns": NameSort(self._plan.column_keys, "tally")}, common, lang, common)

    @cached_property
    def say(self) -> Texts:
        lang = self._lang if (self._common / f"{self._lang}.toml").is_file() else FALLBACK
        texts = load_texts(lang, [self._common], lang)
        return replace(texts, lang=self._lang, words={**texts.words, **self._own_words(texts)})

    def _own_words(self, texts: Texts) -> Mapping[str, str]:
        rules, words = self._rules, dict[str, str]()
        for key in FACTS:
            words[f"rows.{key}"] = words[f"tally.{key}"] = texts.words[f"scoring.{key}"]
        words |= {f"explain.{key}": text for key, text in rules.words.items()}
        words |= {f"rows.{key}": label for key, label in rules.rows.items()}
        words |= {f"tally.{key}": label for key, label in rules.columns.items()}
        for row in self._plan.rows:
            for column in row.columns:
                key, label = "ask.entry_column" if column.key else "ask.entry", rules.columns.get(column.key, "")
                words[column.ask] = texts.words[key].replace("{column}", label.replace("{", "").replace("}", ""))
        return words

    def spellings(self, sort: NameSort) -> Iterator[Mapping[str, str]]:
        yield {key: self.say.words[f"{sort.table}.{key}"] for key in sort.keys}
        spelled = [(key, word) for key in sort.keys for word in self._rules.spellings.get(key, ())]
        yield from ({key: word} for key, word in spelled)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineTallies:
    """Checked tallies: the players' tables in a document, date and place, and warnings of missing counts."""

    players: Sequence[Json]
    facts: Mapping[str, str]
    missing: Sequence[Problem] = ()


class RuleScoring(Scoring):
    """The scoring by a ``score.toml``: each player has a column; files that name no game are of the ``default``."""

    default: ClassVar[bool] = False

    def __init__(self, game: str, rules: Rules, names: NameIndex) -> None:
        self.game, self.rules, self.names = game, rules, names
        self._lines = {SheetCell(0, *entry.split(".")): line for line in rules.lines for entry in line.entries}

    @property
    def spoken_rules(self) -> Rules:
        return self.rules

    @cached_property
    def plan(self) -> SheetPlan:
        return plan_rows(self.rules)

    @property
    def remarks(self) -> Mapping[str, str]:
        """Remarks in an empty TOML file (:func:`~.column_tallies.blank_toml`)."""
        say = self.say
        return {"singles": say("template.singles"), "columns": say("template.columns"),
                **{key: say.words[f"tally.{key}"] for key in self.plan.column_keys}}

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        return read_csv(self.plan, rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        return read_form(self.plan, fields, place)

    def to_cells(self, tallies: Json) -> dict[SheetCell, str]:
        return {cell._replace(seat=seat): str(value) for seat, player in enumerate(tallies["players"], 1)
                for cell, value in read_cells(player)}

    def make_blank(self, form: str, names: Sequence[str]) -> str:
        game = "" if self.default else self.game
        if form == "toml":
            return blank_toml(self.plan, names, self.say, self.remarks, game)
        return blank_csv(self.plan, names, self.say, game) if form == "csv" else blank_json(self.plan, names, self.game)

    def score_counts(self, names: Sequence[str], columns: Sequence[Counts]) -> LineScore:
        return score_columns(self.rules, names, [{cell.field: value for cell, value in column.items()}
                                                 for column in columns])

    def points(self, columns: Sequence[Counts]) -> Sequence[Counts]:
        """The points of each line by its cell, without those that are only shown."""
        scored = self.score_counts([""] * len(columns), columns)
        return [{SheetCell(0, line.row, line.column): scored.points[n][seat]
                 for n, line in enumerate(self.rules.lines) if line.added} for seat in range(len(columns))]

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredRules[Any]:
        """Check and score a game. A ``partial`` one has no warnings of missing counts."""
        tallies = self.read(raw)
        scored = self.score_players(tallies.players)
        fields = {cell: n for n, line in enumerate(self.rules.lines) if (cell := self.points_cell(line))}

        def computed(typed: TypedTotal) -> int:
            n = fields.get(typed.cell._replace(seat=0))
            return (scored.totals[typed.seat] if typed.cell.row == TOTAL_ROW else
                    0 if n is None else scored.points[n][typed.seat])

        wrong = check_totals(raw, computed, self.say)
        return self.make_sheet(
            score=self.rank(scored), facts=tallies.facts, complete=not tallies.missing, over=not partial,
            scored=scored, players=tallies.players, warnings=(*(() if partial else tallies.missing), *wrong))

    def make_sheet(self, **values: Any) -> ScoredRules[Any]:
        return ScoredRules(scoring=self, **values)

    def score_players(self, players: Sequence[Json]) -> LineScore:
        """Score the players' tables of a document."""
        return self.score_counts([player[NAME_ROW] for player in players], [
            {cell: value for cell, value in read_cells(player) if isinstance(value, int)} for player in players])

    def rank(self, scored: LineScore) -> Ranking[Any]:
        return Ranking(winners=tuple(scored.winners), tie_break=scored.decided or None, players=tuple(
            LinePlayer(name=name, rank=scored.ranks[seat], total=scored.totals[seat], lines={
                line.key: {"count": scored.counts[n][seat], "points": scored.points[n][seat]}
                for n, line in enumerate(self.rules.lines)}) for seat, name in enumerate(scored.names)))

    def points_cell(self, line: ScoreLine) -> SheetCell | None:
        """The cell of the points of a line, without a seat; None if the sheet has none beside its entries."""
        return None if line.signed else SheetCell(0, *line.points_field.split("."))

    def read(self, raw: RawGame) -> LineTallies:
        """Check tallies. Raises InputError with all their problems."""
        check = Checker(raw, self.names)
        players = read_players(check, self.plan, self.game)
        columns = [self._counts(check, number, name, player) for number, (name, player) in enumerate(players)]
        facts = check.facts()
        missing = [*self._check_existing(check, columns)]
        check.problems.raise_if_any()
        document = make_document(self.plan, [{SheetCell(0, NAME_ROW): name, **counts}
                                             for (name, _), counts in zip(players, columns, strict=True)])
        return LineTallies(players=document["players"], facts=facts, missing=missing)

    def _counts(self, check: Checker, number: int, name: str, player: Mapping[str, object]) -> Counts:
        """The counts of a player where anything is written; unknown cells are noted."""
        given = {cell: value for cell, value in read_cells(player)
                 if cell != SheetCell(0, NAME_ROW) and value is not None and str(value).strip()}
        check.note_unknown(("players", number), map(document_key, given), [*map(document_key, self._lines)])

        def count(cell: SheetCell, line: ScoreLine) -> int:
            return check.count(cell_trail(cell, number), given[cell], lambda what: self.say(
                "wrong.entry", name=name, row=line.label, what=what), signed=line.signed)

        return {cell: count(cell, line) for cell, line in self._lines.items() if cell in given}

    def _check_existing(self, check: Checker, columns: Sequence[Counts]) -> Iterator[Problem]:
        """Note more of a line than exist; yield a warning for each that is shared out and of which some are missing."""
        for cell, line in self._lines.items():
            if not line.exist:
                continue
            count = sum(column.get(cell, 0) for column in columns)
            values = {"row": line.label, "count": count, "number": line.exist}
            if count > line.exist:
                seat = next(n for n in reversed(range(len(columns))) if columns[n].get(cell))
                check.note(cell_trail(cell, seat), self.say("wrong.exist_all", **values), self.say("wrong.again"))
            elif line.before and count < line.exist:
                yield Problem(check.raw.place, self.say("wrong.exist_missing", **values), self.say("wrong.recount"),
                              key=line.row)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlayer(RankedPlayer):
    """The score of a player: count and points of each line."""

    lines: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class ScoredRules(ScoredGame[Player]):
    """A game and its score by the rules of a ``score.toml``; ``players`` are the players' tables in a document."""

    scoring: RuleScoring
    players: Sequence[Json]

    @property
    def written(self) -> Json:
        return {"game": self.scoring.game, **self.facts, "players": list(self.players)}

    @property
    def result(self) -> Json:
        """The result, with a digest of the rules."""
        return {**super().result, "rules": self.scoring.rules.digest}

    def table(self) -> ScoreTable:
        """All lines, in the order of the file, also those that are computed."""
        say, counts, points = self.say, self.scored.counts, self.scored.points
        rows = [ScoreTableRow(label=line.label, parted=not line.added, strong=not line.added, cells=tuple(
            (_cell(line, counts[n][seat], points[n][seat]),) for seat in range(len(self.scored.names))))
            for n, line in enumerate(self.scoring.rules.lines)]
        return ScoreTable(players=self.scored.names, legend=say("results.legend"), rows=(
            *rows, value_row(say(self.scoring.plan.total), self.scored.totals, strong=True, parted=True),
            value_row(say("results.rank"), self.scored.ranks)))

    def reasons(self) -> Iterator[str]:
        return explain_lines(self.scoring.spoken_rules, self.scored, self.scoring.words)

    def entries(self) -> Mapping[SheetCell, str]:
        return self.scoring.to_cells(self.written)  # a 0 may be worth something

    def sheet_points(self) -> Mapping[SheetCell, int]:
        """The points on the sheet: also 0, but only in lines in which any player has anything."""
        points, lines = self.scored.points, self.scoring.rules.lines

        def is_filled(n: int) -> bool:
            return any(self.scored.counts[n]) or any(points[n]) or any(map(is_filled, lines[n].points_of))

        own = {cell._replace(seat=seat + 1): points[n][seat] for n, line in enumerate(lines) if is_filled(n)
               for cell in [self.scoring.points_cell(line)] if cell for seat in range(len(self.scored.names))}
        totals = {SheetCell(seat, TOTAL_ROW): player.total for seat, player in enumerate(self.score.players, 1)}
        return {**own, **totals} if own else {}


def document_key(cell: SheetCell) -> str:
    """The key of a cell in a player's table."""
    return ".".join(filter(None, (cell.column, cell.row)))


def _cell(line: ScoreLine, count: int, points: int) -> str:
    if line.signed or not line.added:
        return value_row("", [points]).cells[0][0]
    return points_cell(count, points) if count or not points else f"{count}→{points:<2}".replace("-", "−")
