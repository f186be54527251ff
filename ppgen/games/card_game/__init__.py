"""Kardinal & König – Das Kartenspiel: the deck, its limits, its scoring."""

NAME = "card-game"
"""Name of the game on the command line."""
FOLDER = "card_game"
"""Subfolder of its data in a data folder, and of its templates in a templates folder."""
PARTS = ("cards", "tablets", "stones", "tokens")
"""Names of its parts and groups of parts, in addition to those of any game."""
SPOKEN = frozenset({"kinds", "tally"})
"""Tables of its locale files for commands and the scorer page, which are not printed, in addition to those of any
game."""
