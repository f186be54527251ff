"""Turns the data folder of the card game into the game as the house knows it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgen.engine.formats import Formats
from ppgen.games.card_game import FOLDER, NAME, SPOKEN
from ppgen.games.card_game.deck.listing import describe
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.printing.components import GROUPS, parts, swatches
from ppgen.games.game import Game
from ppgen.reading.texts import REFERENCE

if TYPE_CHECKING:
    from ppgen.engine.booklets.document import Booklet
    from ppgen.engine.component import Part
    from ppgen.games.game import ScorerGame

CARD_SIZE = "44x68mm"
"""Of the cards, where no other is asked for: mini-euro."""


def open_card_game(folder: Path, formats: Formats) -> Game:
    """Kardinal & König – Das Kartenspiel, from its data folder. Raises InputError with every problem."""
    deck, warnings = load_deck(folder)
    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE),
                parts=partial(parts, deck), score_sheet=partial(_score_sheet, deck), groups=GROUPS,
                describe=partial(describe, deck),
                swatches=swatches(deck), rules=partial(_rules, deck, folder), box=f"{FOLDER}/box.svg.j2",
                scorer=partial(_scorer, deck, folder), advice=("tokens", "score"), spoken=SPOKEN,
                warnings=warnings)


def _score_sheet(*asked: Any) -> Part:
    from ppgen.games.card_game.printing.score_sheet import score_sheet_part  # only for who writes on it

    return score_sheet_part(*asked)


def _rules(*asked: Any) -> Booklet:
    from ppgen.games.card_game.printing.rules import rules

    return rules(*asked)


def _scorer(*asked: Any) -> ScorerGame:
    from ppgen.games.card_game.printing.scorer import scorer_game

    return scorer_game(*asked)
