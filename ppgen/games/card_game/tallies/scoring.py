"""Turns the data folder of the card game into how the house has it scored.

What not every scoring needs is imported where it is needed: the command is to be quick.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.games.card_game import NAME
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.deck.model import Deck
from ppgen.games.card_game.tallies.names import Names
from ppgen.games.card_game.tallies.scored import ScoredGame, score_raw
from ppgen.play.raw import RawGame

if TYPE_CHECKING:
    from ppgen.play.scoring import Json
    from ppgen.play.sheet import Cell, Running, SheetPlan
from ppgen.reading.csv_rows import CsvRow
from ppgen.reading.texts import Texts


def open_scoring(folder: Path, common: Path, lang: str) -> CardScoring:
    """The scoring of the deck in a data folder; ``common`` has the common texts. Raises InputError."""
    deck, _ = load_deck(folder)  # what its designer may want to think over is no matter of scoring
    return CardScoring(deck=deck, names=Names(deck, folder / "locales", lang, common))


@dataclass(frozen=True, kw_only=True)
class CardScoring:
    """How the card game is scored."""

    deck: Deck
    names: Names
    game: str = NAME
    interim: bool = False

    @cached_property
    def plan(self) -> SheetPlan:
        from ppgen.games.card_game.scoring.plan import plan_of

        return plan_of(self.deck)

    @property
    def say(self) -> Texts:
        return self.names.say

    def from_csv(self, rows: Sequence[CsvRow], place: str) -> RawGame:
        from ppgen.games.card_game.tallies.csv_sheet import read_rows

        return read_rows(rows, place, self.names)

    def from_fields(self, fields: Mapping[str, str], place: str) -> RawGame:
        from ppgen.games.card_game.tallies.forms import read_form

        return read_form(fields, place)

    def to_cells(self, tallies: Json) -> dict[Cell, str]:
        from ppgen.games.card_game.tallies.cells import to_cells

        return to_cells(tallies)

    def score(self, raw: RawGame, *, partial: bool = False, interim: bool = False) -> ScoredGame:
        return score_raw(raw, self.deck, self.names, partial)

    def running(self, cells: Mapping[Cell, str], *, interim: bool = False) -> Running:
        from ppgen.games.card_game.tallies.cells import running

        return running(cells, self.deck.countries)

    def blank(self, form: str, players: Sequence[str]) -> str:
        from ppgen.games.card_game.tallies.blanks import template

        return template(form, self.deck, players, self.say)
