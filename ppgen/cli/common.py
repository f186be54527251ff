"""Options and small services that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from ppgen.assets import Assets
from ppgen.errors import InputError, Problem, RequestError, listed
from ppgen.texts import REFERENCE, languages

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
FOLDER = click.Path(file_okay=False, path_type=Path)


def folder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--data`` and ``--templates``."""
    data = click.option("--data", type=FOLDER, metavar="DIR", help="Your own data folder instead of the shipped one.")
    templates = click.option("--templates", type=FOLDER, metavar="DIR",
                             help="Your own templates folder instead of the shipped one.")
    return data(templates(command))


def lang_option(several: str) -> Decorator:
    """``--lang``, to be given as often as there are languages wanted."""
    return click.option("--lang", "-l", "langs", multiple=True, metavar="LANG", help=several)


skin_option = click.option("--skin", default="", metavar="NAME",
                           help="Another look: a folder of templates/skins, such as 'plain' (large print).")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document to stdout.")
quiet_option = click.option("--quiet", "-q", is_flag=True, help="Say nothing but errors.")


def shipped_languages(assets: Assets, game_folder: str) -> tuple[str, ...]:
    """The languages of the game's locale files."""
    return languages(assets.game(game_folder) / "locales")


def chosen_languages(wanted: Iterable[str], known: tuple[str, ...]) -> tuple[str, ...]:
    """The languages asked for, ``all`` of them, or the one that the user's locale suggests.

    Raises InputError for a language that is not there.
    """
    wanted = tuple(dict.fromkeys(lang.lower() for lang in wanted))
    if not known:
        raise InputError([Problem(place="locales", what="no locale file found",
                                  remedy="add one, like locales/de.toml")])
    if "all" in wanted:
        return known
    if unknown := [lang for lang in wanted if lang not in known]:
        raise RequestError(Problem(place="--lang", what=f"'{lang}' is not a language of this set",
                                   remedy=f"one of {listed(known)}, or all") for lang in unknown)
    return wanted or (locale_language(known),)


def locale_language(known: tuple[str, ...]) -> str:
    """The language of the locale (POSIX: LC_ALL before LC_MESSAGES before LANG), else German, else the first."""
    setting = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    lang = setting.partition(".")[0].partition("_")[0].lower()
    return next((name for name in (lang, REFERENCE) if name in known), known[0])
