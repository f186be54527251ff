"""Kardinal & König, the board game: its map, its scoring, its printed set."""

from ppgen.games.game_kind import NONE, Choice, GameKind

NAME = "board-game"  # name of the game on the command line and in files of tallies
FOLDER = "board_game"  # folder of the game's data in a data folder, and of its templates in a templates folder
PARTS = ("board", "aid", "pieces")  # parts that can be built alone, besides those that every game has
PIECES = Choice(name="pieces", values=("houses", "discs", "stickers", NONE),
                help="The board game's pieces: paper houses, discs, stickers for wooden cubes, or none.")
"""The kind of players' pieces, if any are made."""
SPOKEN = frozenset({"tally"})
"""Tables of the game's locale files that only commands and the scorer page use, besides those that any game may have:
nothing prints them."""
KIND = GameKind(folder=FOLDER, name=NAME, open=f"{__package__}.game:open_board_game",
                score=f"{__package__}.scoring:open_scoring", parts=PARTS, choices=(PIECES,))
