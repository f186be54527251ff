"""Kardinal & König – Das Kartenspiel: its cards, its limits, its scoring."""

NAME = "card-game"
"""What the game is called where one of several is meant."""
FOLDER = "card_game"
"""Of the game's data in a data folder, and of its templates in a templates folder."""
PARTS = ("cards", "tablets", "stones", "tokens")
"""What of it one may ask for alone, beside what any game has."""
SPOKEN = frozenset({"kinds", "tally", "page"})
"""The tables of the game's locale files that commands and the scorer page say and nothing prints, beside those that any
game may have."""
