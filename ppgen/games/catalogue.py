"""The games that ppgen knows, and which of them a data folder holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppgen.assets import Assets, shipped
from ppgen.engine.formats import Formats, read_formats
from ppgen.errors import InputError, Problem, RequestError, listed, shown_path
from ppgen.games.board_game import NAME as BOARD_GAME
from ppgen.games.board_game.printing.game import open_board_game
from ppgen.games.card_game import NAME as CARD_GAME
from ppgen.games.card_game.printing.game import open_card_game
from ppgen.games.game import Game
from ppgen.games.own_deck.game import open_own_deck
from ppgen.games.own_deck.loading import name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of game: what it is called, and what reads it, from the folder with its data."""

    name: Callable[[Path], str]
    open: Callable[[Path, Formats], Game]


KINDS: Mapping[str, Kind] = {
    "card_game": Kind(name=lambda folder: CARD_GAME, open=open_card_game),
    "board_game": Kind(name=lambda folder: BOARD_GAME, open=open_board_game),
    "deck": Kind(name=name_of, open=open_own_deck),
}
"""By the folder of a data folder that holds its data."""
USUAL = CARD_GAME
"""Of the shipped games, the one that is meant where none is named."""


def names(assets: Assets) -> Mapping[str, str]:
    """The games of the data folder: the folder of each by its name."""
    return {kind.name(folder): name for name, kind in KINDS.items() if (folder := assets.game(name)).is_dir()}


def game_folder(assets: Assets, wanted: str = "") -> str:
    """The folder of the game that is ``wanted`` by name, or of the only one in the data folder.

    Raises InputError where there is none, RequestError for a name that is none of them, and for several of them
    where none is wanted.
    """
    there = names(assets)
    if not there:
        raise InputError([Problem(place=shown_path(assets.data), what="holds no game",
                                  remedy=f"a data folder has one of the folders {listed(KINDS)}; see ppgen init")])
    if not wanted and assets.data == (shipped() / "data").resolve():
        wanted = USUAL
    if wanted and wanted not in there:
        raise RequestError([Problem(place="--game", what=f"'{wanted}' is no game of {shown_path(assets.data)}",
                                    remedy=f"known: {listed(there)}")])
    if not wanted and len(there) > 1:
        raise RequestError([Problem(place="--game", what=f"{shown_path(assets.data)} holds {len(there)} games",
                                    remedy=f"name one of them: {listed(there)}")])
    return there[wanted or next(iter(there))]


def open_game(assets: Assets, wanted: str = "") -> Game:
    """The game of the data folder, read. Raises what :func:`game_folder` raises, and InputError with everything that
    is wrong with its data."""
    name = game_folder(assets, wanted)
    return KINDS[name].open(assets.game(name), read_formats(assets.common("papers.toml")))
