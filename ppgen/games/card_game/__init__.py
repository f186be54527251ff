"""Kardinal & König – Das Kartenspiel: the deck, its limits, its scoring."""

from ppgen.games.game_kind import GameKind

NAME = "card-game"  # name of the game on the command line
FOLDER = "card_game"  # subfolder of its data in a data folder, and of its templates in a templates folder
PARTS = ("cards", "tablets", "stones", "tokens")  # besides those of any game; the last is a group
SPOKEN = frozenset({"kinds", "tally"})
"""Tables of its locale files for commands and the scorer page, which are not printed, in addition to those of any
game."""
KIND = GameKind(folder=FOLDER, name=NAME, open=f"{__package__}.game:open_card_game",
                score=f"{__package__}.scoring:open_scoring", parts=PARTS)
