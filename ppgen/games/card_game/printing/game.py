"""Turns the data folder of the card game into the game as the house knows it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ppgen.engine.formats import Formats
from ppgen.games.card_game import FOLDER, NAME
from ppgen.games.card_game.deck.listing import describe
from ppgen.games.card_game.deck.loading import load_deck
from ppgen.games.card_game.printing.components import GROUPS, parts, swatches
from ppgen.games.card_game.printing.rules import rules
from ppgen.games.card_game.printing.scorer import scorer_game
from ppgen.games.card_game.scoring.sentences import SPOKEN
from ppgen.games.game import Game
from ppgen.reading.texts import REFERENCE

CARD_SIZE = "44x68mm"
"""Of the cards, where no other is asked for: mini-euro."""


def open_card_game(folder: Path, formats: Formats) -> Game:
    """Kardinal & König – Das Kartenspiel, from its data folder. Raises InputError with every problem."""
    deck, warnings = load_deck(folder)
    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE),
                parts=partial(parts, deck), groups=GROUPS, describe=partial(describe, deck),
                swatches=swatches(deck), rules=partial(rules, deck, folder), box=f"{FOLDER}/box.svg.j2",
                scorer=partial(scorer_game, deck, folder), advice=("tokens", "score"), spoken=SPOKEN,
                warnings=warnings)
