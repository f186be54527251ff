"""Scoring of a deck by its ``score.toml``: everything that ``ppgen score`` needs of a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ppgen.assets import SCORE_FILE
from ppgen.errors import Problem
from ppgen.play.column_scoring import ColumnScoring, Counts, ScoredColumns, document_key
from ppgen.play.column_tallies import cell_trail, make_document, read_cells, read_players
from ppgen.play.ranking import RankedPlayer, Ranking
from ppgen.play.result_text import ScoreTable, ScoreTableRow, points_cell, value_row
from ppgen.play.score_file import read_rules
from ppgen.play.score_lines import LineScore, Words, compose_line_verdict, explain_lines, score_columns
from ppgen.play.score_rules import Rules, ScoreLine
from ppgen.play.sheet_plan import (
    FACTS,
    NAME_ROW,
    TOTAL_ROW,
    Json,
    RawGame,
    SheetCell,
    SheetColumn,
    SheetPlan,
    SheetRow,
    Takes,
)
from ppgen.play.validation import Checker, NameIndex, NameSort, check_totals
from ppgen.reading.texts import FALLBACK, Texts, load_texts


def open_rule_scoring(game: str, folder: Path, common: Path, lang: str) -> RuleScoring:
    """Open the scoring of a deck. Raises InputError with all problems of its ``score.toml``."""
    rules = read_rules(folder, lang)
    return RuleScoring(game, rules, RuleNames(rules, lang, common), folder / SCORE_FILE)


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
        super().__init__({"rows": NameSort((*(row.key for row in self._plan.rows), *FACTS), "rows"),
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


class RuleScoring(ColumnScoring):
    """The scoring of a deck. ``file`` has its rules."""

    def __init__(self, game: str, rules: Rules, names: RuleNames, file: Path) -> None:
        self.game, self.rules, self.names, self.file = game, rules, names, file
        self._plan = plan_rows(rules)
        self._lines = {SheetCell(0, *entry.split(".")): line for line in rules.lines for entry in line.entries}

    @cached_property
    def words(self) -> Words:
        return Words(common=self.say.words, own=self.rules.words)

    @property
    def plan(self) -> SheetPlan:
        return self._plan

    @property
    def remarks(self) -> Mapping[str, str]:
        say = self.say
        return {"singles": say("template.singles"), "columns": say("template.columns"),
                **{key: say.words[f"tally.{key}"] for key in self.plan.column_keys}}

    def score_counts(self, names: Sequence[str], columns: Sequence[Counts]) -> LineScore:
        return score_columns(self.rules, names, [{cell.field: value for cell, value in column.items()}
                                                 for column in columns])

    def points(self, columns: Sequence[Counts]) -> Sequence[Counts]:
        """The points of each line by its cell, without those that are only shown."""
        scored = self.score_counts([""] * len(columns), columns)
        return [{SheetCell(0, line.row, line.column): scored.points[n][seat]
                 for n, line in enumerate(self.rules.lines) if line.added} for seat in range(len(columns))]

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredRules:
        """Check and score a game. A ``partial`` one has no warnings of missing counts."""
        check, plan = Checker(raw, self.names), self.plan
        players = read_players(check, plan, self.game)
        columns = [self._counts(check, number, name, player) for number, (name, player) in enumerate(players)]
        facts = check.facts()
        missing = [*self._check_existing(check, columns)]
        check.problems.raise_if_any()
        names = [name for name, _ in players]
        scored, lines = self.score_counts(names, columns), self.rules.lines
        ranking = Ranking(winners=tuple(scored.winners), tie_break=scored.decided or None, players=tuple(
            LinePlayer(name=name, rank=scored.ranks[seat], total=scored.totals[seat], lines={
                line.key: {"count": scored.counts[n][seat], "points": scored.points[n][seat]}
                for n, line in enumerate(lines)}) for seat, name in enumerate(names)))
        by_field = {line.points_field: n for n, line in enumerate(lines)}
        document = make_document(plan, [{SheetCell(0, NAME_ROW): name, **counts}
                                        for name, counts in zip(names, columns, strict=True)])
        wrong = check_totals(raw, lambda typed: (scored.totals if typed.cell.row == TOTAL_ROW else scored.points[
            by_field[replace(typed.cell, seat=0).field]])[typed.seat], self.say)
        return ScoredRules(
            scoring=self, score=ranking, facts=facts, complete=not missing, over=not partial, scored=scored,
            players=document["players"], warnings=(*(() if partial else missing), *wrong))

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
                yield Problem(place=check.raw.place, key=line.row, what=self.say("wrong.exist_missing", **values),
                              remedy=self.say("wrong.recount"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinePlayer(RankedPlayer):
    """The score of a player: count and points of each line."""

    lines: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, kw_only=True)
class ScoredRules(ScoredColumns[LinePlayer]):
    """A game and its score by the rules of a deck."""

    scoring: RuleScoring
    scored: LineScore

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

    def verdict(self) -> str:
        return compose_line_verdict(self.scoring.rules, self.scored, self.scoring.words, over=self.over)

    def reasons(self) -> Iterator[str]:
        return explain_lines(self.scoring.rules, self.scored, self.scoring.words)

    def entries(self) -> Mapping[SheetCell, str]:
        return self.scoring.to_cells(self.written)  # a 0 may be worth something

    def sheet_points(self) -> Mapping[SheetCell, int]:
        points, counts = self.scored.points, self.scored.counts
        filled = [(n, SheetCell.parse(f"p1.{line.points_field}")) for n, line in enumerate(self.scoring.rules.lines)
                  if not line.signed and (any(counts[n]) or any(points[n]))]
        own = {replace(cell, seat=seat + 1): points[n][seat] for n, cell in filled if cell
               for seat in range(len(self.scored.names))}
        return own | dict(super().sheet_points())


def _cell(line: ScoreLine, count: int, points: int) -> str:
    if line.signed or not line.added:
        return value_row("", [points]).cells[0][0]
    return points_cell(count, points) if count or not points else f"{count}→{points:<2}".replace("-", "−")
