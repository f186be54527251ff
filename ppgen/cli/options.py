"""Options that several commands have, their types, and the limits of a run; ``ppgen help`` and ``completion``."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial, wraps
from math import isnan, nan
from pathlib import Path
from typing import Any, NoReturn

import click
from click.shell_completion import get_completion_class

from ppgen.assets import CACHE_VARIABLE, USER_FOLDERS, Assets, is_deck, user_folder
from ppgen.cli.command_group import Command, warn
from ppgen.cli.messages import ALL_OPTIONS, format_problem, locale_language, suggest_language, usual_option
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path, join_names
from ppgen.reading.texts import REFERENCE
from ppgen.shipped import shipped_root

# --- Types ---

class WholeNumber(click.IntRange):
    """A whole number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            self.fail(Phrase("whole_number", value=value, least=self.min, most=self.max), param, ctx)


class Number(click.FloatRange):
    """A number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            number = float(super().convert(value, param, ctx))
        except click.BadParameter:
            number = nan
        if isnan(number):  # click accepts it within any limits
            self.fail(Phrase("number", value=value, least=f"{self.min:g}", most=f"{self.max:g}"), param, ctx)
        return number


# --- Options ---

SOURCE_DATE_VARIABLE = "SOURCE_DATE_EPOCH"  # environment variable for the time of a build (reproducible-builds.org)


def source_date() -> datetime | None:
    """The time of SOURCE_DATE_EPOCH that replaces the clock, or None. Raises InputError for an invalid number."""
    if not (epoch := os.environ.get(SOURCE_DATE_VARIABLE)):
        return None
    if not re.fullmatch("[0-9]{1,11}", epoch):
        raise InputError.at(SOURCE_DATE_VARIABLE, f"'{epoch}' is not a number of seconds",
                            "unset it, or give seconds since 1970")
    return datetime.fromtimestamp(int(epoch), UTC)


# --- Cache ---

CACHE_FOLDER = "made-1"

def with_cache(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--no-cache`` to a command; without it, its results are cached between runs."""

    @wraps(command)
    def run_cached(*args: Any, no_cache: bool, **options: Any) -> Any:
        from ppgen.cache import open_cache

        with open_cache(None if no_cache else _cache_folder()):
            return command(*args, **options)

    return click.option("--no-cache", is_flag=True,
                        help="Redraw everything, and cache nothing for later runs.")(run_cached)


def _cache_folder() -> Path | None:
    """The cache folder; None if the user has none."""
    if folder := os.environ.get(CACHE_VARIABLE):
        return Path(folder).absolute() / CACHE_FOLDER
    try:
        return user_folder("cache", f"name a folder in {CACHE_VARIABLE}") / CACHE_FOLDER
    except InputError:
        return None


# --- Shell completion ---

class Shell(click.Choice[str]):
    """A shell; the placeholder of a missing one names them all."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return ""


SHELLS = ("bash", "zsh", "fish")

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


@click.command("completion", cls=Command)
@click.argument("shell", type=Shell(SHELLS), metavar="|".join(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print a completion script for a shell, to be kept where the shell looks for it.

    \b
    mkdir -p ~/.local/share/bash-completion/completions
    ppgen completion bash > ~/.local/share/bash-completion/completions/ppgen
    mkdir -p ~/.zfunc
    ppgen completion zsh > ~/.zfunc/_ppgen
    mkdir -p ~/.config/fish/completions
    ppgen completion fish > ~/.config/fish/completions/ppgen.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "ppgen", "_PPGEN_COMPLETE").source())


def complete_with(values: Callable[[], Iterable[str]]) -> Completer:
    """Complete a parameter from a function that lists its values, called only when a shell asks for them."""

    def complete(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
        try:
            return [value for value in values() if value.startswith(prefix)]
        except InputError:  # a shell can't show it: the command itself will report it
            return []

    return complete


def langs() -> Iterable[str]:
    from ppgen.games.catalogue import game_languages, game_names

    assets = Assets.at()
    return (*dict.fromkeys(lang for folder in game_names(assets).values() for lang in game_languages(assets, folder)),
            "all")


def games() -> Iterable[str]:
    from ppgen.games.catalogue import game_names

    return game_names(Assets.at())


def papers() -> Iterable[str]:
    from ppgen.engine.geometry import read_formats

    return read_formats(shipped_root() / "data").papers


def card_sizes() -> Iterable[str]:
    from ppgen.engine.geometry import read_formats

    return read_formats(shipped_root() / "data").sizes


def printers() -> Iterable[str]:
    from ppgen.printing.calibration import load_profiles

    return load_profiles()


# --- Limits of a run with files of strangers ---

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
MIN_LIMIT, MAX_LIMIT = 0.05, 100.0


def with_limits(foreign_files: Callable[[dict[str, Any]], list[Path]]) -> Decorator:
    """Add ``--limit`` to a command, and limit its process if its options name files of strangers.

    The process must be that of ``ppgen`` alone: then the context's ``obj`` is true.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_limited(*args: Any, limit: float, **options: Any) -> Any:
            files = foreign_files(options)
            if files and click.get_current_context().find_root().obj:
                _limit_process(limit, files, options)
            return command(*args, **options)

        return click.option("--limit", type=Number(MIN_LIMIT, MAX_LIMIT), default=1.0, show_default="1", metavar="N",
                            help="Allow your own files N times the usual time and memory.")(run_limited)

    return decorate


def _limit_process(limit: float, files: list[Path], options: Mapping[str, Any]) -> None:
    """Bound the time and memory of this process, and restrict it to what a command with these options needs.

    Commands that open a browser only get a bound of time: it would inherit the others. A page that is not read-only
    starts commands.
    """
    from ppgen.process.supervision import MAX_RUN_BYTES, limit_memory, limit_run, restrict_process

    limit_run(limit, partial(_end_late, files))
    is_page = "read_only" in options
    if not options.get("open_result") and (not is_page or options["serve"]):
        limit_memory(round(MAX_RUN_BYTES * limit))
        starts = (is_page and not options["read_only"]) or not hasattr(os, "fork")  # then it starts the child
        restrict_process(_writable_paths(options), serves=bool(options.get("serve")), starts=starts)


def _end_late(files: list[Path], seconds: int) -> NoReturn:
    """End a run whose time is over, as a request to stop does."""
    place = join_names(dict.fromkeys(map(display_path, files)))
    click.echo(format_problem(Problem(place, Phrase("timed_out", seconds=seconds), Phrase("hostile_or_large"))),
               err=True)
    raise SystemExit(1)


def _writable_paths(options: Mapping[str, Any]) -> Iterator[Path]:
    """The working folder, the paths among the options, the user's folders of ppgen, and that for temporary files."""
    from tempfile import gettempdir

    yield Path()
    yield Path(gettempdir())
    for value in options.values():
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Path))
    if cache := os.environ.get(CACHE_VARIABLE):
        yield Path(cache)
    for kind in USER_FOLDERS:
        with suppress(InputError):
            yield user_folder(kind)


# --- Options ---

FOLDER_TYPE = click.Path(file_okay=False, path_type=Path)

game_option = usual_option("--game", default="", metavar="NAME", shell_complete=complete_with(games))
games_option = usual_option("--game", "games", multiple=True, metavar="NAME", shell_complete=complete_with(games),
                            text="games")


def folder_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--game``, ``--data`` and ``--templates``."""
    return game_folders(game_option(command))


def game_folders(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--data`` and ``--templates``."""
    templates = click.option("--templates", type=FOLDER_TYPE, metavar="DIR", help="Use your own templates folder.")
    return with_limits(user_folders)(data_folder_option(templates(command)))


def default_data(context: click.Context, parameter: click.Parameter | None, folder: Path | None) -> Path | None:
    """The folder itself where the working folder is a deck."""
    return folder or (Path() if is_deck(Path()) else None)


data_folder_option = click.option("--data", type=FOLDER_TYPE, metavar="DIR", callback=default_data,
                                  help="Use your own data folder.")


def user_folders(options: dict[str, Any]) -> list[Path]:
    """The user's own folders and files among the options."""
    return [path for path in map(options.get, ("data", "templates", "other", "into", "sheets")) if path]


def lang_option(text: str = "lang") -> Decorator:
    """``--lang``, once for each language."""
    return usual_option("--lang", "-l", "langs", multiple=True, metavar="LANG", text=text,
                        shell_complete=complete_with(langs))


output_option = usual_option("--output", "-o", type=FOLDER_TYPE, default=Path("output"), show_default=True,
                             metavar="DIR")


def open_option(text: str) -> Decorator:
    """``--open``, of a command that can show what it made."""
    return usual_option("--open", "open_result", is_flag=True, text=text)


def has_display() -> bool:
    """True if there is a desktop to open something on: not in CI, nor on Linux without a display."""
    return not os.environ.get("CI") and not (sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")))


def open_on_desktop(target: Path | str) -> None:
    """Open a folder or address with the desktop's own program; only say where it is in CI and without a display."""
    if not has_display():
        warn((Problem("--open", Phrase("no_display"), Phrase("see", place=target)),), quiet=False)
        return
    click.launch(str(target))


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def quiet_except_for(output: str) -> Decorator:
    """``--quiet``, of a command that prints something nevertheless."""
    return click.option("--quiet", "-q", is_flag=True, help=f"Print only {output}.")


quiet_option = quiet_except_for("errors")


def convert_option(parse: Callable[[str], Any], option: str, text: str) -> Any:
    """Parse an option's text whose type needs the data folder. Raises BadParameter."""
    try:
        return parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from error


def choose_languages(requested: Iterable[str], known: tuple[str, ...], default: str = REFERENCE, several: bool = True
                     ) -> tuple[str, ...]:
    """The requested languages (``all``: known ones), else the locale's or ``default``. Raises InputError."""
    spelling = {lang.lower(): lang for lang in (*known, "all")}
    requested = tuple(dict.fromkeys(spelling.get(lang.lower(), lang) for lang in requested))
    if not known:
        raise InputError.at("locales", "no locale file found", "add one, like locales/de.toml")
    problems = Problems()
    for lang in requested:
        if lang not in (*known, "all"):
            remedy = suggest_language(lang, known)
            remedy = Phrase("or_all", message=remedy) if several else remedy
            remedy = Phrase("several_languages", message=remedy) if several and "," in lang else remedy
            problems.note("--lang", Phrase("not_set_language", lang=lang), remedy)
    if problems:
        raise RequestError(problems)
    return known if "all" in requested else requested or (locale_language(known, default),)


# --- ppgen help ---

def complete_commands(context: click.Context, parameter: click.Parameter, prefix: str) -> list[str]:
    """Complete the words that call a command."""
    try:
        *_, group = _walk(context.find_root(), context.params.get("words") or ())
    except click.UsageError:  # the words so far are wrong
        return []
    names = group.command.list_commands(group) if isinstance(group.command, click.Group) else []
    return [name for name in names if name.startswith(prefix)]


@click.command("help", cls=Command)
@click.argument("words", nargs=-1, metavar="[COMMAND]...", shell_complete=complete_commands)
@usual_option("--all", "every", is_flag=True)
@click.pass_context
def help_command(context: click.Context, words: tuple[str, ...], every: bool) -> None:
    """The same as --help, and --help --all.

    \b
    ppgen help
    ppgen help build --all
    ppgen help printer save
    """
    root = context.find_root()
    root.meta[ALL_OPTIONS] = every
    *_, found = _walk(root, words)
    click.echo(found.get_help(), color=root.color)


def _walk(root: click.Context, words: Iterable[str]) -> Iterator[click.Context]:
    """The contexts of a command and of those that it stands in. Raises UsageError for an unknown one."""
    context = root
    yield context
    for word in words:
        group = context.command
        name, command, _ = group.resolve_command(context, [word]) if isinstance(group, click.Group) else ("", None, [])
        if command is None:
            root.fail(f"'{context.command_path}' has no command '{word}'.")
        context = click.Context(command, info_name=name, parent=context, **command.context_settings)
        yield context
