"""The games that ppgen knows, and which of them a data folder holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ppgen.assets import Assets
from ppgen.engine.formats import Formats, read_formats
from ppgen.errors import InputError, Problem, listed, shown_path
from ppgen.games.card_game.printing.game import open_card_game
from ppgen.games.game import Game
from ppgen.games.own_deck.game import open_own_deck

GAMES: Mapping[str, Callable[[Path, Formats], Game]] = {
    "card_game": open_card_game,
    "deck": open_own_deck,
}
"""By the folder of a data folder that holds its data: what reads the game."""


def game_folder(assets: Assets) -> str:
    """The game's folder in the data folder. Raises InputError where there is none."""
    for name in GAMES:
        if assets.game(name).is_dir():
            return name
    raise InputError([Problem(place=shown_path(assets.data), what="holds no game",
                              remedy=f"a data folder has one of the folders {listed(GAMES)}; see ppgen init")])


def open_game(assets: Assets) -> Game:
    """The game of the data folder, read. Raises InputError with everything that is wrong with its data."""
    name = game_folder(assets)
    return GAMES[name](assets.game(name), read_formats(assets.common("papers.toml")))
