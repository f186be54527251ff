"""The card game behind the interface of games."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from ppgen.engine.geometry import Formats
from ppgen.games.card_game import FOLDER, NAME, SPOKEN
from ppgen.games.card_game.components import GROUPS, LARGE_TABLET, parts, swatches
from ppgen.games.card_game.deck import describe_deck, load_deck
from ppgen.games.game_kind import call
from ppgen.games.interface import Game
from ppgen.reading.texts import REFERENCE

CARD_SIZE = "44x68mm"  # default size of cards: mini-euro
RULES, SHEET = f"{__package__}.rules:", f"{__package__}.sheet:"  # heavy: few commands need them


def open_card_game(folder: Path, formats: Formats) -> Game:
    """Open Kardinal & König – Das Kartenspiel from its data folder. Raises InputError with all problems."""
    deck, warnings = load_deck(folder)
    describe = partial(describe_deck, deck)
    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE), groups=GROUPS,
                parts=partial(parts, deck), score_sheet=partial(call, SHEET + "score_sheet_part", deck),
                describe=describe, swatches=swatches(deck), box=f"{FOLDER}/box.svg.j2",
                rules=partial(call, RULES + "rules_of_card_game", deck, folder),
                scorer=partial(call, SHEET + "scorer_game", deck, folder), advice=("tokens", "score"), spoken=SPOKEN,
                table=partial(call, RULES + "table_of_card_game", folder, describe), warnings=warnings,
                large_sizes={"tablets": LARGE_TABLET})
