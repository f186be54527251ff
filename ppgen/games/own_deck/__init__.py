"""Own decks: parts from tables and templates, without Python code."""

from ppgen.assets import DECK, SCORE_FILE
from ppgen.games.game_kind import GameKind

KIND = GameKind(folder=DECK, name=f"{__package__}.deck:read_deck_name", open=f"{__package__}.game:open_own_deck",
                score=f"{__package__}.deck:open_scoring", score_file=SCORE_FILE,
                languages=f"{__package__}.deck:deck_languages")
