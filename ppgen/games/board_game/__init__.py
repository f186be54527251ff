"""Kardinal & König, the board game: its map, its scoring, its printed set."""

from ppgen.games.choice import Choice

NAME = "board-game"
"""What the game is called where one of several is meant."""
FOLDER = "board_game"
"""Of the game's data in a data folder, and of its templates in a templates folder."""
PARTS = ("board", "aid", "pieces")
"""What of it one may ask for alone, beside what any game has."""
PIECES = Choice(name="pieces", values=("houses", "discs", "stickers"),
                help="The board game's pieces: paper houses and standees, discs, or stickers for wooden cubes.")
"""How the players' pieces are made."""
SPOKEN = frozenset({"tally", "page"})
"""The tables of the game's locale files that commands and the scorer page say and nothing prints, beside those that any
game may have."""
