"""The card game behind the interface of games."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppgen.engine.component import Part
from ppgen.engine.geometry import Formats
from ppgen.games.card_game import FOLDER, NAME, SPOKEN
from ppgen.games.card_game.components import GROUPS, LARGE_TABLET, parts, swatches
from ppgen.games.card_game.deck import describe_deck, load_deck
from ppgen.games.interface import Game, ScorerGame, TableGame
from ppgen.reading.texts import REFERENCE

if TYPE_CHECKING:
    from ppgen.engine.booklets.booklet import Booklet

CARD_SIZE = "44x68mm"  # default size of cards: mini-euro


def open_card_game(folder: Path, formats: Formats) -> Game:
    """Open Kardinal & König – Das Kartenspiel from its data folder. Raises InputError with all problems."""
    deck, warnings = load_deck(folder)
    return Game(id=NAME, folder=FOLDER, lang=REFERENCE, card_size=formats.card_size(CARD_SIZE),
                parts=partial(parts, deck), score_sheet=partial(_score_sheet, deck), groups=GROUPS,
                describe=partial(describe_deck, deck),
                swatches=swatches(deck), rules=partial(_rules, deck, folder), box=f"{FOLDER}/box.svg.j2",
                scorer=partial(_scorer, deck, folder), advice=("tokens", "score"), spoken=SPOKEN,
                table=partial(_table, folder, partial(describe_deck, deck)), warnings=warnings,
                large_sizes={"tablets": LARGE_TABLET})


def _score_sheet(*args: Any) -> Part:
    from ppgen.games.card_game.sheet import score_sheet_part  # imported only if needed, as those below

    return score_sheet_part(*args)


def _rules(*args: Any) -> Booklet:
    from ppgen.games.card_game.rules import rules_of_card_game

    return rules_of_card_game(*args)


def _table(*args: Any) -> TableGame:
    from ppgen.games.card_game.rules import table_of_card_game

    return table_of_card_game(*args)


def _scorer(*args: Any) -> ScorerGame:
    from ppgen.games.card_game.sheet import scorer_game

    return scorer_game(*args)
