"""Scoring of the card game, and its JavaScript twin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck import MINUS_TWO_POINTS, Country, Deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.points import BY_CARDS, CHAIN_LENGTH, PlayerScore, Tally, score_game
from ppgen.games.card_game.score_text import points_by_cell, points_by_count, reasons, sheet_plan, sheet_points
from ppgen.games.card_game.tallies import Tallies, TallyNames, check_tallies, tally_warnings
from ppgen.play import validation
from ppgen.play.column_scoring import ColumnScoring, Counts, ScoredColumns
from ppgen.play.column_tallies import make_document
from ppgen.play.ranking import TieBreak
from ppgen.play.result_text import ScoreTable, ScoreTableRow
from ppgen.play.sheet_plan import Json, RawGame, SheetCell, SheetPlan
from ppgen.play.validation import check_totals


def open_scoring(folder: Path, common: Path, lang: str) -> CardScoring:
    """Open the scoring of the deck in a data folder; ``common`` has the common texts. Raises InputError."""
    deck, _ = load_deck(folder)  # warnings for the designer do not concern scoring
    return CardScoring(deck=deck, names=TallyNames(deck, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class CardScoring(ColumnScoring):
    """The scoring of the card game."""

    default: ClassVar[bool] = True
    deck: Deck
    names: TallyNames
    game: str = NAME
    interim: bool = False

    @cached_property
    def plan(self) -> SheetPlan:
        return sheet_plan(self.deck)

    @property
    def remarks(self) -> Mapping[str, str]:
        say = self.say
        return {"singles": say("template.chains"), "columns": say("template.collected", card=self.deck.cards[0].id),
                "cards": say("template.cards"), "symbols": say("template.symbols", example="{ cross = 4, fan = 1 }")}

    def points(self, columns: Sequence[Counts]) -> Sequence[Counts]:
        players = make_document(self.plan, columns)["players"]
        return [points_by_count(player) for player in score_game(
            [Tally(**player) for player in players], self.deck.countries).players]

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredCardGame:
        """Check and score a game. A ``partial`` one has no warnings of missing cards."""
        tallies = check_tallies(raw, self.deck, self.names)
        score = score_game(tallies.players, self.deck.countries)
        missing = () if partial else tally_warnings(tallies, raw.place, self.say)
        wrong = check_totals(raw, lambda typed: points_by_cell(score.players[typed.seat], typed.cell), self.say)
        return ScoredCardGame(
            scoring=self, score=score, facts=tallies.facts, complete=not tallies.missing, over=not partial,
            players=[asdict(tally) for tally in tallies.players], tallies=tallies, warnings=(*missing, *wrong))


@dataclass(frozen=True, kw_only=True)
class ScoredCardGame(ScoredColumns[PlayerScore]):
    """A game and its score."""

    tie_break: ClassVar[TieBreak[PlayerScore]] = BY_CARDS
    scoring: CardScoring
    tallies: Tallies

    def table(self) -> ScoreTable:
        """The table of the plan, with a row of subtotals below the countries."""
        table, countries = super().table(), len(self.scoring.deck.countries)
        subtotals = ScoreTableRow(label=self.say("score.subtotal"), parted=True, cells=tuple(
            (f"{player.country_subtotal:<2}", f"{player.symbol_subtotal:<2}") for player in self.score.players))
        return replace(table, rows=(*table.rows[:countries], subtotals, *table.rows[countries:]))

    def reasons(self) -> Iterator[str]:
        return reasons(self.score, self.scoring.deck.countries, self.say)

    def sheet_points(self) -> Mapping[SheetCell, int]:
        return sheet_points(self.score, self.tallies.players)


# JavaScript twin, for forms and pages: ``score.js`` follows ``points.py`` function by function, and the keys of
# ``Ranking.result``.

@lru_cache(maxsize=1)
def twin_source() -> str:
    """Read the script: ECMAScript 5 without dependencies that defines ``tallyCounts`` and ``cardGame``."""
    return validation.read_script("counts") + (Path(__file__).parent / "score.js").read_text(encoding="ascii")


def rules_json(countries: Sequence[Country]) -> Json:
    """The parameter ``rules`` of its functions."""
    return {"countries": [{"id": country.id, "number": country.number} for country in countries],
            "chain_length": CHAIN_LENGTH, "minus_two_points": MINUS_TWO_POINTS}
