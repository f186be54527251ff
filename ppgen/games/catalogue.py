"""The games that ppgen knows, and which of them a data folder holds.

A game's modules are imported when the game is opened, those of its scoring without those that print it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.assets import Assets
from ppgen.errors import InputError, Problem, RequestError, listed, shown_path
from ppgen.games import board_game, card_game

if TYPE_CHECKING:
    from ppgen.engine.formats import Formats
    from ppgen.games.game import Game
    from ppgen.play.scoring import Scoring


def _open_card_game(folder: Path, formats: Formats) -> Game:
    from ppgen.games.card_game.printing.game import open_card_game

    return open_card_game(folder, formats)


def _score_card_game(folder: Path, common: Path, lang: str) -> Scoring:
    from ppgen.games.card_game.tallies.scoring import open_scoring

    return open_scoring(folder, common, lang)


def _open_board_game(folder: Path, formats: Formats) -> Game:
    from ppgen.games.board_game.printing.game import open_board_game

    return open_board_game(folder, formats)


def _score_board_game(folder: Path, common: Path, lang: str) -> Scoring:
    from ppgen.games.board_game.positions.scoring import open_scoring

    return open_scoring(folder, common, lang)


def _open_own_deck(folder: Path, formats: Formats) -> Game:
    from ppgen.games.own_deck.game import open_own_deck

    return open_own_deck(folder, formats)


def _name_of_own_deck(folder: Path) -> str:
    from ppgen.games.own_deck.loading import name_of

    return name_of(folder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of game: what it is called, and what reads it, from the folder with its data.

    ``score`` makes its scoring of that folder, of the folder with the common texts, and of a language; None for a game
    that can't be scored. ``parts`` are parts of it, and groups of them, that have names of their own.
    """

    name: Callable[[Path], str]
    open: Callable[[Path, Formats], Game]
    score: Callable[[Path, Path, str], Scoring] | None = None
    parts: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    card_game.FOLDER: Kind(name=lambda folder: card_game.NAME, open=_open_card_game, score=_score_card_game,
                           parts=card_game.PARTS),
    board_game.FOLDER: Kind(name=lambda folder: board_game.NAME, open=_open_board_game, score=_score_board_game,
                            parts=board_game.PARTS),
    "deck": Kind(name=_name_of_own_deck, open=_open_own_deck),
}
"""By the folder of a data folder that holds its data."""
PARTS = (*dict.fromkeys(part for kind in KINDS.values() for part in kind.parts),
         "score-sheet", "box", "calibration", "rules", "guide")
"""What one may ask for alone, in one game or another."""
USUAL = card_game.NAME
"""Of the shipped games, the one that is meant where none is named."""


def names(assets: Assets) -> Mapping[str, str]:
    """The games of the data folder: the folder of each by its name."""
    return {kind.name(folder): name for name, kind in KINDS.items() if (folder := assets.game(name)).is_dir()}


def scored(assets: Assets) -> Mapping[str, str]:
    """Those of them that can be scored."""
    return {name: folder for name, folder in names(assets).items() if KINDS[folder].score}


def usual_game(assets: Assets) -> str:
    """The game that is meant where none is named: the only one, or of the shipped ones the :data:`USUAL`; or none."""
    there = names(assets)
    if assets.is_shipped:
        return USUAL
    return next(iter(there)) if len(there) == 1 else ""


def game_folder(assets: Assets, wanted: str = "") -> str:
    """The folder of the game that is ``wanted`` by name, or of the only one in the data folder.

    Raises InputError where there is none, RequestError for a name that is none of them, and for several of them
    where none is wanted.
    """
    there = names(assets)
    if not there:
        raise InputError([Problem(place=shown_path(assets.data), what="holds no game",
                                  remedy=f"a data folder has one of the folders {listed(KINDS)}; see ppgen init")])
    wanted = wanted or usual_game(assets)
    if wanted and wanted not in there:
        near = get_close_matches(wanted.lower(), there, n=1)
        guess = f"did you mean {near[0]}? " if near else ""
        raise RequestError([Problem(place="--game", what=f"'{wanted}' is no game of {_whose(assets)}",
                                    remedy=f"{guess}known: {listed(there)}")])
    if not wanted:
        raise RequestError([Problem(place="--game", what=f"{shown_path(assets.data)} holds {len(there)} games",
                                    remedy=f"name one of them: {listed(there)}")])
    return there[wanted]


def _whose(assets: Assets) -> str:
    return "ppgen's" if assets.is_shipped else shown_path(assets.data)


def owners(assets: Assets) -> Mapping[str, str]:
    """A game of the data folder for each part, or group of parts, that has a name of its own in that game."""
    return {part: name for name, folder in names(assets).items() for part in KINDS[folder].parts}


def scored_folder(assets: Assets, wanted: str = "") -> str:
    """The folder of the game that is to be scored. Raises what :func:`game_folder` raises, and InputError for a game
    that can't be."""
    folder = game_folder(assets, wanted)
    if KINDS[folder].score is None:
        known = listed(scored(Assets.at()))
        raise InputError([Problem(place=shown_path(assets.data), what="holds no game that can be scored",
                                  remedy=f"scored is {known}: leave --data out, or change ppgen.toml")])
    return folder


def open_game(assets: Assets, wanted: str = "") -> Game:
    """The game of the data folder, read. Raises what :func:`game_folder` raises, and InputError with everything that
    is wrong with its data."""
    from ppgen.engine.formats import read_formats

    name = game_folder(assets, wanted)
    return KINDS[name].open(assets.game(name), read_formats(assets.common("papers.toml")))


def open_scoring(assets: Assets, folder: str, lang: str) -> Scoring:
    """The scoring of the game in a folder that :func:`scored_folder` named. Raises InputError."""
    score = KINDS[folder].score
    assert score is not None
    return score(assets.game(folder), assets.common("locales"), lang)
