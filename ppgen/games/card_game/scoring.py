"""Scoring of the card game by its ``score.toml``: its tallies, and the names of its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck import Deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.tallies import Tally, TallyNames, check_tallies, points_cell, sheet_plan
from ppgen.play.game_scoring import read_cells
from ppgen.play.line_points import (LineScore, RankedPlayer, Ranking, ScoreTable, ScoreTableRow,
                                    points_cell as format_cell, score_columns, value_row)
from ppgen.play.rule_file import Rules, ScoreLine
from ppgen.play.rule_game import LineTallies, RuleScoring, ScoredRules
from ppgen.play.sheet_plan import NAME_ROW, Json, RawGame, SheetCell, SheetPlan
from ppgen.reading.texts import Texts


def open_scoring(folder: Path, common: Path, lang: str) -> CardScoring:
    """Open the scoring of the deck in a data folder; ``common`` has the common texts. Raises InputError."""
    deck, _ = load_deck(folder)  # warnings for the designer do not concern scoring
    return CardScoring(deck=deck, names=TallyNames(deck, folder / "locales", lang, common))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountryResult:
    """A player's counts of a country and their points, in the order of the JSON result."""

    cards: int
    symbols: int
    country_points: int
    symbol_points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResult(RankedPlayer):
    """A player's column of the score sheet. ``law_points`` is 0 or negative, ``cards`` counts all cards."""

    cards: int
    countries: Mapping[str, CountryResult]
    country_subtotal: int
    symbol_subtotal: int
    ships: int
    carriages: int
    chain_points: int
    minus_two: int
    law_points: int


Score = Ranking[PlayerResult]


def score_game(tallies: Sequence[Tally], rules: Rules) -> Score:
    """Score a game; the players are in the order of ``tallies``, which does not affect points."""
    columns = [{cell.field: count for cell, count in read_cells(asdict(tally)) if isinstance(count, int)}
               for tally in tallies]
    return rank_players(score_columns(rules, [tally.name for tally in tallies], columns), rules)


def rank_players(scored: LineScore, rules: Rules) -> Score:
    """The score under the names of the JSON result."""
    def player(seat: int) -> PlayerResult:
        counts = {line.key: scored.counts[n][seat] for n, line in enumerate(rules.lines)}
        points = {line.key: scored.points[n][seat] for n, line in enumerate(rules.lines)}
        countries = {row: CountryResult(
            cards=counts[f"{row}.cards"], symbols=counts[f"{row}.symbols"], country_points=points[f"{row}.cards"],
            symbol_points=points[f"{row}.symbols"]) for row in dict.fromkeys(
                line.row for line in rules.lines if line.column)}
        return PlayerResult(
            name=scored.names[seat], rank=scored.ranks[seat], total=scored.totals[seat], countries=countries,
            cards=sum(country.cards for country in countries.values()), country_subtotal=points["country_subtotal"],
            symbol_subtotal=points["symbol_subtotal"], ships=counts["ships"], carriages=counts["carriages"],
            chain_points=points["chains"], minus_two=counts["minus_two"], law_points=points["minus_two"])

    return Ranking(players=tuple(map(player, range(len(scored.names)))), winners=tuple(scored.winners),
                   tie_break=scored.decided.rpartition(".")[2] or None)


def label_lines(rules: Rules, say: Texts) -> Rules:
    """The rules with the labels of a language."""
    def label(line: ScoreLine) -> str:
        if line.column:
            return say(f"explain.{line.group}.heading", row=say(f"countries.{line.row}"))
        return say(f"tally.{line.key}") if line.added else line.label

    return replace(rules, lines=tuple(replace(line, label=label(line)) for line in rules.lines))


class CardScoring(RuleScoring):
    """The scoring of the card game."""

    default = True
    names: TallyNames

    def __init__(self, *, deck: Deck, names: TallyNames, game: str = NAME, interim: bool = False) -> None:
        super().__init__(game, deck.rules, names)
        self.deck, self.interim = deck, interim

    @cached_property
    def spoken_rules(self) -> Rules:
        return label_lines(self.rules, self.say)

    @cached_property
    def plan(self) -> SheetPlan:
        return sheet_plan(self.deck)

    @property
    def remarks(self) -> Mapping[str, str]:
        say = self.say
        return {"singles": say("template.chains"), "columns": say("template.collected", card=self.deck.cards[0].id),
                "cards": say("template.cards"), "symbols": say("template.symbols", example="{ cross = 4, fan = 1 }")}

    def read(self, raw: RawGame) -> LineTallies:
        return check_tallies(raw, self.deck, self.names)

    def rank(self, scored: LineScore) -> Score:
        return rank_players(scored, self.rules)

    def points_cell(self, line: ScoreLine) -> SheetCell | None:
        return points_cell(line)

    def make_sheet(self, **values: Any) -> ScoredCardGame:
        return ScoredCardGame(scoring=self, **values)


@dataclass(frozen=True, kw_only=True)
class ScoredCardGame(ScoredRules[PlayerResult]):
    """A game and its score."""

    scoring: CardScoring

    @property
    def result(self) -> Json:
        """The result, without a digest of the rules."""
        return self.score.result(self.scoring.game, self.complete, self.warnings)

    def table(self) -> ScoreTable:
        """The table of the plan, with a row of subtotals below the countries."""
        say, plan, players = self.say, self.scoring.plan, self.score.players
        countries = len(self.scoring.deck.countries)
        counts = [{cell: value for cell, value in read_cells(player) if isinstance(value, int)}
                  for player in self.players]
        columns = list(zip(counts, self.scoring.points(counts), strict=True))
        rows = [ScoreTableRow(label=say(row.label), cells=tuple(
            tuple(format_cell(counts.get(cell, 0), points.get(cell, 0)) for cell in plan.cells_of(row, 0))
            for counts, points in columns)) for row in plan.rows]
        subtotals = ScoreTableRow(label=say("score.subtotal"), parted=True, cells=tuple(
            (f"{player.country_subtotal:<2}", f"{player.symbol_subtotal:<2}") for player in players))
        return ScoreTable(
            players=tuple(player.name for player in players), legend=say("results.legend"),
            halves=tuple(say(f"tally.{key}") for key in plan.column_keys), rows=(
                *rows[:countries], subtotals, *rows[countries:],
                value_row(say(plan.total), (player.total for player in players), strong=True, parted=True),
                value_row(say("results.rank"), (player.rank for player in players))))

    def entries(self) -> Mapping[SheetCell, str]:
        return {cell: text for cell, text in super().entries().items() if text != "0" or cell.row == NAME_ROW}
