"""Turns a raw game into a scored one: checked tallies, the score, and what deserves a second look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppgen.errors import Problem
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.scoring import result, sentences
from ppgen.games.card_game.scoring.points import Score, score_game
from ppgen.games.card_game.tallies.checked import Tallies, check_tallies, warnings_of
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.raw import RawGame
from ppgen.play.scoring import Json
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.play.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredGame:
    """A game and its score; ``over`` is False where the players said that it isn't."""

    deck: Deck
    names: Names
    tallies: Tallies
    score: Score
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def result(self) -> Json:
        return result.result_json(self.score, self.tallies.complete, map(str, self.warnings))

    @property
    def written(self) -> Json:
        return result.tallies_json(self.tallies.players, self.tallies.date, self.tallies.place)

    def table(self) -> Table:
        from ppgen.games.card_game.scoring.table import table

        return table(self.score, self.deck.countries, self.names.say)

    def verdict(self) -> str:
        return sentences.verdict(self.score, self.names.say, self.over)

    def reasons(self) -> Iterator[str]:
        return sentences.reasons(self.score, self.deck.countries, self.names.say)

    def lines(self) -> list[Json]:
        return result.result_lines(self.score, self.deck.countries)

    def fields(self) -> dict[str, str]:
        from ppgen.games.card_game.scoring.fields import form_values

        return form_values(self.score, self.tallies.players, self.tallies.date, self.tallies.place)

    @property
    def off_sheet(self) -> tuple[Problem, ...]:
        return ()


def score_raw(raw: RawGame, deck: Deck, names: Names, partial: bool = False) -> ScoredGame:
    """The scored game. Raises InputError with everything that is wrong with the tallies.

    In a ``partial`` game nobody is warned of cards that are missing.
    """
    tallies = check_tallies(raw, deck, names)
    score = score_game(tallies.players, deck.countries)
    missing = () if partial else warnings_of(tallies, raw.place, names.say)
    return ScoredGame(deck=deck, names=names, tallies=tallies, score=score, over=not partial,
                      warnings=(*missing, *(_wrong_totals(raw, score, names.say) if raw.totals else ())))


def _wrong_totals(raw: RawGame, score: Score, say: Texts) -> Iterator[Problem]:
    from ppgen.games.card_game.scoring.fields import points_of
    from ppgen.play.checking import wrong_totals

    return wrong_totals(raw, lambda typed: points_of(score.players[typed.seat], typed.cell), say)
