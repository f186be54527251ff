"""The card game behind the interface of scoring, and the JavaScript twin of its scoring.

Modules that not every scoring needs are imported where they are used: the command must start quickly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.errors import Problem
from ppgen.games.card_game import NAME, score_text
from ppgen.games.card_game.deck import MINUS_TWO_POINTS, Country, Deck
from ppgen.games.card_game.deck_loading import load_deck
from ppgen.games.card_game.points import CHAIN_LENGTH, COLUMNS, COUNTRY_POINTS, Score, Tally, score_game
from ppgen.games.card_game.tallies import Tallies, TallyNames, check_tallies, tally_warnings
from ppgen.play import validation
from ppgen.play.sheet_plan import ColumnScoring, Json, RawGame, RunningScore, SheetCell, SheetPlan
from ppgen.play.validation import parse_partial_count
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.result_text import ScoreTable


def open_scoring(folder: Path, common: Path, lang: str) -> CardScoring:
    """Open the scoring of the deck in a data folder; ``common`` has the common texts. Raises InputError."""
    deck, _ = load_deck(folder)  # warnings for the designer do not concern scoring
    return CardScoring(deck=deck, names=TallyNames(deck, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class CardScoring(ColumnScoring):
    """The scoring of the card game."""

    deck: Deck
    names: TallyNames
    game: str = NAME
    interim: bool = False

    @cached_property
    def plan(self) -> SheetPlan:
        return score_text.sheet_plan(self.deck)

    @property
    def remarks(self) -> Mapping[str, str]:
        say = self.say
        return {"singles": say("template.chains"), "columns": say("template.collected", card=self.deck.cards[0].id),
                "cards": say("template.cards"), "symbols": say("template.symbols", example="{ cross = 4, fan = 1 }")}

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredCardGame:
        return score_raw(raw, self.deck, self.names, partial)

    def running(self, cells: Mapping[SheetCell, str], *, interim: bool = False) -> RunningScore:
        """Score an unfinished sheet."""
        seats = sorted({cell.seat for cell, text in cells.items() if text.strip()})

        def count(seat: int, row: str, column: str = "") -> int:
            return parse_partial_count(cells.get(SheetCell(seat, row, column), ""))

        def column(seat: int, key: str) -> dict[str, int]:
            return {country.id: count(seat, country.id, key) for country in self.deck.countries}

        score = score_game([Tally(
            name=f"p{seat}", cards=column(seat, "cards"), symbols=column(seat, "symbols"), ships=count(seat, "ships"),
            carriages=count(seat, "carriages"), minus_two=count(seat, "minus_two")) for seat in seats],
            self.deck.countries)
        players = dict(zip(seats, score.players, strict=True))
        return RunningScore(totals={seat: player.total for seat, player in players.items()}, points={
            SheetCell(seat, country, key): getattr(entry, points) for seat, player in players.items()
            for country, entry in player.countries.items()
            for key, points in zip(COLUMNS, COUNTRY_POINTS, strict=True)})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCardGame:
    """A game and its score; ``over`` is False for a game that has not ended."""

    deck: Deck
    names: TallyNames
    tallies: Tallies
    score: Score
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def result(self) -> Json:
        return score_text.result_json(self.score, self.tallies.complete, map(str, self.warnings))

    @property
    def written(self) -> Json:
        return score_text.tallies_json(self.tallies.players, self.tallies.date, self.tallies.place)

    def table(self) -> ScoreTable:
        from ppgen.games.card_game.score_text import score_table

        return score_table(self.score, self.deck.countries, self.names.say)

    def verdict(self) -> str:
        return score_text.verdict(self.score, self.names.say, self.over)

    def reasons(self) -> Iterator[str]:
        return score_text.reasons(self.score, self.deck.countries, self.names.say)

    def lines(self) -> list[Json]:
        return score_text.result_lines(self.score, self.deck.countries)

    def fields(self) -> dict[str, str]:
        from ppgen.games.card_game.score_text import form_values

        return form_values(self.score, self.tallies.players, self.tallies.date, self.tallies.place)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        return ()


def score_raw(raw: RawGame, deck: Deck, names: TallyNames, partial: bool = False) -> ScoredCardGame:
    """Check and score a game. Raises InputError with all problems of the tallies.

    A ``partial`` game has no warnings of missing cards.
    """
    tallies = check_tallies(raw, deck, names)
    score = score_game(tallies.players, deck.countries)
    missing = () if partial else tally_warnings(tallies, raw.place, names.say)
    return ScoredCardGame(deck=deck, names=names, tallies=tallies, score=score, over=not partial,
                          warnings=(*missing, *(_wrong_totals(raw, score, names.say) if raw.totals else ())))


def _wrong_totals(raw: RawGame, score: Score, say: Texts) -> Iterator[Problem]:
    from ppgen.games.card_game.score_text import points_by_cell
    from ppgen.play.validation import check_totals

    return check_totals(raw, lambda typed: points_by_cell(score.players[typed.seat], typed.cell), say)


# JavaScript twin, for forms and pages: ``score.js`` follows ``points.py`` function by function, and the keys of
# ``score_text.result_json``.

@lru_cache(maxsize=1)
def twin_source() -> str:
    """Read the script: ECMAScript 5 without dependencies that defines ``tallyCounts`` and ``cardGame``."""
    return validation.read_script("counts") + (Path(__file__).parent / "score.js").read_text(encoding="ascii")


def rules_json(countries: Sequence[Country]) -> Json:
    """The parameter ``rules`` of its functions."""
    return {"countries": [{"id": country.id, "number": country.number} for country in countries],
            "chain_length": CHAIN_LENGTH, "minus_two_points": MINUS_TWO_POINTS}
