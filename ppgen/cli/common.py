"""Options and small services that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import Assets
from ppgen.cli.cache import caching
from ppgen.cli.ceiling import limited
from ppgen.cli.completion import card_sizes, games, langs, offering
from ppgen.errors import InputError, Problem, RequestError, listed
from ppgen.games.choices import CHOICES
from ppgen.reading.texts import REFERENCE, languages

if TYPE_CHECKING:
    from ppgen.engine.formats import Format, Formats
    from ppgen.production.workshop import Workshop

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
FOLDER = click.Path(file_okay=False, path_type=Path)


game_option = click.option("--game", default="", metavar="NAME", shell_complete=offering(games),
                           help="Which game: card-game, board-game, or the name of a deck of your own.  [default: the "
                                "only one in --data; of the shipped ones card-game]")


def folder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--game``, ``--data`` and ``--templates``."""
    data = click.option("--data", type=FOLDER, metavar="DIR", help="Your own data folder instead of the shipped one.")
    templates = click.option("--templates", type=FOLDER, metavar="DIR",
                             help="Your own templates folder instead of the shipped one.")
    return limited(own_folders)(game_option(data(templates(command))))


def own_folders(options: dict[str, Any]) -> list[Path]:
    """The folders of one's own among the options."""
    return [folder for folder in map(options.get, ("data", "templates")) if folder]


def lang_option(several: str) -> Decorator:
    """``--lang``, to be given as often as there are languages wanted."""
    return click.option("--lang", "-l", "langs", multiple=True, metavar="LANG", help=several,
                        shell_complete=offering(langs))


skin_option = click.option("--skin", default="", metavar="NAME",
                           help="Another look: a folder of templates/skins, such as 'woodcut' or 'plain'.")
output_option = click.option("--output", "-o", type=FOLDER, default=Path("output"), show_default=True, metavar="DIR",
                             help="Where the files go.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document to stdout.")


def quiet_but(what: str) -> Decorator:
    """``--quiet``, of a command that says something even so."""
    return click.option("--quiet", "-q", is_flag=True, help=f"Say nothing but {what}.")


quiet_option = quiet_but("errors")


def taking(kind: Callable[..., Any]) -> Decorator:
    """Hands a command all that it was given as one value of this kind, which has a field for each option."""

    def wrapped(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def called(**options: Any) -> Any:
            return command(kind(**options))

        return called

    return wrapped


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOptions:
    """What :func:`set_options` asks for."""

    game: str
    data: Path | None
    templates: Path | None
    langs: tuple[str, ...]
    card_size: str | None
    ink: str
    skin: str
    choices: Mapping[str, str]


def _choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each choice of the shipped games; what was chosen is handed over as ``choices``."""

    @wraps(command)
    def called(**options: Any) -> Any:
        chosen = {choice.name: value for choice in CHOICES if (value := options.pop(choice.name))}
        return command(choices=chosen, **options)

    for choice in reversed(CHOICES):
        called = click.option(f"--{choice.name}", type=click.Choice(choice.values),
                              help=f"{choice.help}  [default: {choice.usual}]")(called)
    return called


def set_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What set is drawn, for all commands that draw one: language, card size, ink, look and folders."""
    for option in reversed((
            lang_option("Language of the set; several times, or 'all'. Default: the locale's, else de."),
            click.option("--card-size", metavar="NAME|WxH", shell_complete=offering(card_sizes),
                         help="Trim size of the cards: mini-euro, poker, standard, … or a measure like 63x88mm.  "
                              "[default: mini-euro, or what a deck of your own says]"),
            click.option("--ink", type=click.Choice(["full", "low"]), default="full", show_default=True,
                         help="Full colour, or a design of its own that needs little ink."),
            skin_option, _choice_options, folder_options, caching)):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSet:
    """The set that the options of :func:`set_options` ask for, with its data read."""

    workshop: Workshop
    langs: tuple[str, ...]
    formats: Formats
    card_size: Format


def open_set(options: SetOptions) -> OpenSet:
    """Read the set that is asked for. Raises InputError with every problem, BadParameter for a size that isn't one."""
    from ppgen.engine.formats import read_formats
    from ppgen.production.workshop import Workshop

    assets = Assets.at(options.data, options.templates)
    formats = read_formats(assets.common("papers.toml"))
    asked = None if options.card_size is None else converted(formats.card_size, "--card-size", options.card_size)
    workshop = Workshop.open(assets, options.skin, options.game, options.choices)
    langs = chosen_languages(options.langs, shipped_languages(assets, workshop.game.folder), workshop.game.lang)
    return OpenSet(workshop=workshop, langs=langs, formats=formats,
                   card_size=asked or workshop.game.card_size)


def converted(parse: Callable[[str], Any], option: str, text: str) -> Any:
    """What an option's text means, for types that are known only after the data folder is; else BadParameter."""
    try:
        return parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from error


def shipped_languages(assets: Assets, game_folder: str) -> tuple[str, ...]:
    """The languages of the game's locale files."""
    return languages(assets.game(game_folder) / "locales")


def chosen_languages(wanted: Iterable[str], known: tuple[str, ...], first: str = REFERENCE, several: bool = True
                     ) -> tuple[str, ...]:
    """The languages asked for, ``all`` of them, or the one that the user's locale suggests, or the set's ``first``.

    Raises InputError for a language that is not there; what can be asked for instead may be ``several``.
    """
    spelled = {lang.lower(): lang for lang in known}
    wanted = tuple(dict.fromkeys(spelled.get(lang.lower(), lang.lower()) for lang in wanted))
    if not known:
        raise InputError([Problem(place="locales", what="no locale file found",
                                  remedy="add one, like locales/de.toml")])
    if "all" in wanted:
        return known
    if unknown := [lang for lang in wanted if lang not in known]:
        raise RequestError(Problem(
            place="--lang", what=f"'{lang}' is not a language of this set",
            remedy=f"one of {listed(known)}{', or all' if several else ''}"
                   f"{'; several: -l de -l en' if several and ',' in lang else ''}")
            for lang in unknown)
    return wanted or (locale_language(known, first),)


def locale_language(known: tuple[str, ...], first: str = REFERENCE) -> str:
    """The language of the locale (POSIX: LC_ALL before LC_MESSAGES before LANG), else the ``first`` of the set."""
    setting = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    lang = setting.partition(".")[0].partition("_")[0].lower()
    return next((name for name in (lang, first) if name in known), known[0])
