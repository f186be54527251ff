"""Kardinal & König, the board game: its map, its scoring, its printed set."""

NAME = "board-game"
"""What the game is called where one of several is meant."""
FOLDER = "board_game"
"""Of the game's data in a data folder, and of its templates in a templates folder."""
