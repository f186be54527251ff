"""Catalogue of the games: their names, and the games of a data folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from ppgen.assets import Assets
from ppgen.errors import InputError, Phrase, Problem, RequestError, display_path, join_names, suggest
from ppgen.games.game_kind import GameKind, call
from ppgen.reading.texts import REFERENCE, SCORED, draft_texts, languages
from ppgen.records import replace
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.games.interface import Game
    from ppgen.play.game_scoring import Scoring


GAMES = ("card_game", "board_game", "own_deck")  # packages with a `KIND`; the first is printed if none is named
GAME_KINDS: Mapping[str, GameKind] = {
    kind.folder: kind for game in GAMES for kind in [import_module(f"{__package__}.{game}").KIND]}
"""By the subfolder of a data folder."""
PARTS = (*dict.fromkeys(part for kind in GAME_KINDS.values() for part in kind.parts),
         "score-sheet", "box", "calibration", "rules", "guide")
"""Names of parts in any game."""
CHOICES = tuple(choice for kind in GAME_KINDS.values() for choice in kind.choices)
"""Choices that the shipped games offer, each name once. The command line has an option for each."""
DEFAULT_GAME = next(iter(GAME_KINDS.values())).fixed_name  # the shipped game to use if none is named


def game_names(assets: Assets) -> Mapping[str, str]:
    """The subfolder of each game of the data folder, by the game's name."""
    return {kind.fixed_name or str(call(kind.name, path)): folder for folder, kind in GAME_KINDS.items()
            if (path := assets.game(folder)).is_dir()}


def game_languages(assets: Assets, folder: str) -> tuple[str, ...]:
    """The languages of the game in a subfolder of the data folder, the first one first."""
    kind, data = GAME_KINDS[folder], assets.game(folder)
    return tuple(call(kind.languages, data)) if kind.languages else languages(data / "locales")


def message_languages(assets: Assets, folder: str) -> tuple[str, ...]:
    """The languages in which scoring of a game can report: its own, or of a deck all that ppgen knows."""
    own = game_languages(assets, folder)
    return (*own, *languages(assets.common("locales"))) if GAME_KINDS[folder].score_file else own


def scored_games(assets: Assets) -> Mapping[str, str]:
    """The games that can be scored, as in :func:`game_names`."""
    return {name: folder for name, folder in game_names(assets).items()
            if (assets.game(folder) / GAME_KINDS[folder].score_file).exists()}


def default_game(assets: Assets) -> str:
    """The game to use if none is named: the only one, :data:`DEFAULT_GAME` of the shipped ones, or none."""
    if assets.is_shipped:
        return DEFAULT_GAME
    games = game_names(assets)
    return next(iter(games)) if len(games) == 1 else ""


def game_folder(assets: Assets, name: str = "") -> str:
    """Return the folder of the requested or default game. Raises InputError if there is none, RequestError."""
    games = game_names(assets)
    if not games:
        raise InputError.at(display_path(assets.data), Phrase("no_game_inside"),
                            Phrase("game_folders", names=join_names(GAME_KINDS)))
    name = name or default_game(assets)
    if name and name not in games:
        what = (Phrase("not_shipped_game", name=name) if assets.is_shipped else
                Phrase("not_own_game", name=name, folder=assets.data.resolve().name))
        raise RequestError.at("--game", what, suggest(name.lower(), games, Phrase("known", message=join_names(games))))
    if not name:
        raise RequestError.at("--game", Phrase("several_games", folder=display_path(assets.data), number=len(games)),
                              Phrase("name_game", names=join_names(games)))
    return games[name]


def folder_owners(assets: Assets) -> Mapping[str, str]:
    """A game of the data folder for each of the games' own parts and groups of parts."""
    return {part: name for name, folder in game_names(assets).items() for part in GAME_KINDS[folder].parts}


def scored_folder(assets: Assets, name: str = "") -> str:
    """Like :func:`game_folder`, but also raises InputError for a game that can't be scored."""
    folder = game_folder(assets, name)
    file = assets.game(folder) / GAME_KINDS[folder].score_file
    if not file.exists():
        raise InputError.at(display_path(file), "is missing: it says how this game is scored",
                            "write one: docs/score-sheets.md has examples")
    return folder


def open_game(assets: Assets, name: str = "") -> Game:
    """Open a game. Raises the errors of :func:`game_folder`, and InputError with all problems of its data."""
    from ppgen.engine.geometry import read_formats

    folder = game_folder(assets, name)
    formats = read_formats(assets.common("papers.toml"))
    game: Game = call(GAME_KINDS[folder].open, assets.game(folder), formats)
    return game


def open_scoring(assets: Assets, folder: str, lang: str) -> Scoring:
    """Open the scoring of the game in a subfolder. Raises InputError for its data, and texts that it lacks."""
    scoring: Scoring = call(GAME_KINDS[folder].score, assets.game(folder), assets.common("locales"), lang)
    if not assets.is_shipped and (missing := [*missing_texts(scoring, assets, folder)]):
        raise InputError(missing)
    return scoring


def missing_texts(scoring: Scoring, assets: Assets, folder: str) -> Iterator[Problem]:
    """Yield a problem for each text that scoring may need (plan, defaults, shipped game) and that is missing."""
    say = scoring.say
    own = say.keys_in(assets.game(folder))
    for key in scoring.plan.text_keys():
        if key not in say.words:
            yield say.problem(key, "text is missing", "add it to the locale file")
    for key, text in _shipped_texts("locales").items():
        if key not in say.words:
            yield say.problem(key, "text is missing", f"{REFERENCE}: {text!r}")
    own_say = replace(say, files={key: say.files[key] for key in own})
    for key, text in _shipped_texts(folder, "locales").items():
        if key not in own:  # a default has other placeholders
            yield own_say.problem(key, "text is missing", f"{REFERENCE}: {text!r}")


def _shipped_texts(*folders: str) -> dict[str, str]:
    """The texts for scoring in a shipped folder of locale files, in the reference language; none if none is shipped."""
    locales = shipped_root().joinpath("data", *folders)
    if not locales.is_dir():
        return {}
    texts, _ = draft_texts(REFERENCE, (locales,))
    return {key: text for key, text in texts.words.items() if key.partition(".")[0] in SCORED}
