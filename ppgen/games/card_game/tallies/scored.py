"""Turns a raw game into a scored one: checked tallies, the score, and what deserves a second look."""

from __future__ import annotations

from dataclasses import dataclass

from ppgen.errors import Problem
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.scoring.points import Score, score_game
from ppgen.games.card_game.scoring.result import Json, result_json, tallies_json
from ppgen.games.card_game.tallies.checked import Tallies, check_tallies, warnings_of
from ppgen.games.card_game.tallies.forms import wrong_totals
from ppgen.games.card_game.tallies.names import Names
from ppgen.play.raw import RawGame


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredGame:
    """A game and its score; ``over`` is False where the players said that it isn't."""

    tallies: Tallies
    score: Score
    over: bool = True
    warnings: tuple[Problem, ...] = ()

    @property
    def result(self) -> Json:
        """The result in the contract's JSON."""
        return result_json(self.score, self.tallies.complete, map(str, self.warnings))

    @property
    def written(self) -> Json:
        """The tallies as a JSON file holds them."""
        return tallies_json(self.tallies.players, self.tallies.date, self.tallies.place)


def score_raw(raw: RawGame, deck: Deck, names: Names, partial: bool = False) -> ScoredGame:
    """The scored game. Raises InputError with everything that is wrong with the tallies.

    In a ``partial`` game nobody is warned of cards that are missing.
    """
    tallies = check_tallies(raw, deck, names)
    score = score_game(tallies.players, deck.countries)
    missing = () if partial else warnings_of(tallies, raw.place, names.say)
    return ScoredGame(tallies=tallies, score=score, over=not partial,
                      warnings=(*missing, *wrong_totals(raw, score, names)))
