"""``ppgen open``: serves the page of a set and redraws it after each save; without a deck, a page to start from."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ppgen.assets import Assets, is_deck, is_set
from ppgen.cache import cached_by
from ppgen.cli.command_group import Command, print_problems
from ppgen.cli.messages import interface_texts, own_page_words, set_language, translate, usual_option
from ppgen.cli.options import (WholeNumber, folder_options, has_display, lang_option, open_on_desktop, output_option,
                               with_cache)
from ppgen.cli.program import DEFAULTS_FILE, load_defaults
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path
from ppgen.reading.fields import read_toml
from ppgen.reading.texts import languages, load_texts
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.cli.page_jobs import PrintDefaults
    from ppgen.pages.local_server import PageServer, PreviewServer, ServedPage
    from ppgen.pages.open.live_page import LivePage, SheetPage
    from ppgen.pages.open.start_page import Destination, StartPage


def _go_to(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Go to a folder that is named, or for the page to start from out of a deck; return anything else."""
    start = context.params["start"]
    is_folder = bool(path and path.is_dir())
    if context.resilient_parsing or not (start or is_folder):
        return path
    if path and is_folder:
        os.chdir(path)
    while start and is_set(Path.cwd()):
        os.chdir("..")
    root = context.find_root()
    if isinstance(root.command, click.Group):
        root.default_map = load_defaults(root.command, root)
        context.default_map = root.default_map.get("open")
    return None if is_folder else path


@click.command("open", cls=Command)
@click.argument("sheets", metavar="[FOLDER|FILE]", type=click.Path(path_type=Path), required=False, callback=_go_to)
@usual_option("--start", is_flag=True, is_eager=True)
@lang_option()
@usual_option("--serve", is_flag=True)
@usual_option("--port", type=WholeNumber(0, 65535), metavar="N", show_default="8417")
@usual_option("--follow", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER")
@usual_option("--read-only", is_flag=True)
@output_option
@folder_options
@with_cache
@click.pass_context
def open_command(context: click.Context, /, sheets: Path | None, start: bool, serve: bool, port: int | None,
                 follow: Path | None, read_only: bool, output: Path, **_: object) -> None:
    """The page follows each save. It begins with the options that ppgen.toml gives to ppgen build. Ctrl-C ends it.

    With FOLDER it does what it does in that folder. With FILE, a PDF or picture of finished cards, it begins with the
    grid, which you lay over the cards by hand.

    \b
    ppgen open
    ppgen open goblins
    ppgen open --start
    ppgen open --game board-game --lang en
    ppgen open --serve --read-only
    ppgen open sheets.pdf
    """
    from ppgen.pages.local_server import PreviewServer, forwarding_file

    def serve_page(page: ServedPage) -> PreviewServer:
        server = PreviewServer(page, port)
        cleanup.callback(server.close)
        click.echo(server.own_url)
        if not serve and has_display():
            open_on_desktop(cleanup.enter_context(forwarding_file(server.own_url, output))
                            if server.token else server.own_url)
        return server

    with suppress(KeyboardInterrupt), ExitStack() as cleanup:  # the intended way to stop it
        if sheets or start:
            _refuse_options(context, ("langs", "game", "data", "templates", "read_only", "output", "follow"))
        if sheets:
            first = _open_sheets(sheets)
            server = serve_page(first)
            if deck := first.wait_for_deck():
                context = _enter(context, folder=deck)
            server.page, defaults = _open_set(context, follow, read_only)
            _redraw(server.page, defaults)
        elif not start and (Path(DEFAULTS_FILE).is_file() or any(context.params[name] for name in (
                "game", "data", "templates", "langs", "follow", "read_only"))):
            page, defaults = _open_set(context, follow, read_only)
            with suppress(OSError), Problems().collect_errors():  # others than RequestError are shown on the page
                defaults.reader()()
            serve_page(page)
            _redraw(page, defaults)
        else:
            home = _open_start(cleanup)
            _follow_choices(context, serve_page(home), home)


def _open_set(context: click.Context, follow: Path | None = None, read_only: bool = False, preset: str = "",
              leave: Event | None = None) -> tuple[LivePage, PrintDefaults]:
    """The page of a set, which ``leave`` leads away from, and its options. Raises InputError."""
    from ppgen.cli.page_jobs import PrintDefaults, open_workbench
    from ppgen.pages.open.live_page import LivePage
    from ppgen.pages.open.start_page import note_opened
    from ppgen.records import replace

    defaults = PrintDefaults.of(context, preset)
    if (folder := next(filter(is_set, (defaults.options.data or Path(), Path())), None)):
        note_opened(folder)
    Assets.at(defaults.options.data, defaults.options.templates)  # that are watched
    return LivePage(replace(open_workbench(defaults, follow, read_only), leave=leave.set if leave else None)), defaults


def _redraw(page: LivePage, defaults: PrintDefaults, leave: Event | None = None) -> None:
    """Show a set at once and after each save, until ``leave`` is set."""
    from ppgen.pages.open.album import AlbumState, Redrawer, describe_change, format_change, watch_saves

    options, redrawer = defaults.options, Redrawer(defaults.reader())
    assets = Assets.at(options.data, options.templates)
    folders = tuple(dict.fromkeys((assets.data, assets.templates)))
    for folder in folders:
        name = folder.resolve().name if folder.resolve() == Path.cwd() else display_path(folder)
        is_shipped = folder.is_relative_to(shipped_root())
        click.echo(translate(Phrase("watching_shipped", name=name) if is_shipped else Phrase("watching", name=name)),
                   err=True)
    click.echo(translate(Phrase("ctrl_c")), err=True)
    reported: frozenset[Problem] = frozenset()
    for saved in watch_saves(folders, options.output.resolve(), leave or Event()):
        start = time.perf_counter()
        try:
            state = redrawer.refresh()
        except RequestError as error:
            if not leave:
                raise
            state = AlbumState(problems=error.problems)
        line = format_change(saved, state, time.perf_counter() - start)
        page.show(state, describe_change(saved, state))
        click.echo(f"{time.strftime('%H:%M:%S')} {line}", err=True)
        print_problems(state.problems, [problem for problem in state.warnings if problem not in reported])
        reported |= frozenset(state.warnings)


def _refuse_options(context: click.Context, names: Sequence[str]) -> None:
    """Raise RequestError for options of a set, where none is open yet."""
    given = [option.opts[0] for option in context.command.params if option.name in names
             and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE]
    if given:
        raise RequestError(Problem(option, Phrase("for_a_set"), Phrase("without_option")) for option in given)


def _open_sheets(sheets: Path, source: str = "") -> SheetPage:
    """The page that makes a deck of sheets; with a ``source`` it leads back. Raises InputError for the file."""
    from ppgen.making.finished_art import view_sheets
    from ppgen.pages.open.live_page import SheetPage
    from ppgen.process.supervision import start_supervision

    start_supervision()
    return SheetPage(sheets, view_sheets(sheets), own_page_words(), source)


# --- Page to start from ---

def _open_start(cleanup: ExitStack) -> StartPage:
    """The page to start from in the working folder. Call it before any thread starts."""
    from ppgen.pages.open.start_page import StartBench, StartPage
    from ppgen.process.supervision import start_supervision

    start_supervision()
    servers: list[PageServer] = []

    def serve_scorer(game: str) -> tuple[str, bytes]:
        from ppgen.cli.page_jobs import open_scorer
        from ppgen.pages.local_server import qr_picture

        if not servers:
            servers.append(open_scorer())
            cleanup.callback(servers[0].close)
        return servers[0].url, qr_picture(servers[0].url)

    return StartPage(Path.cwd(), StartBench(
        languages=languages(shipped_root() / "data" / "open_page"), words=own_page_words, choose_language=set_language,
        games=lambda: _list_games(own_page_words()["lang"]), draw=_draw_face, count_paper=_count_paper,
        serve_scorer=serve_scorer, show=open_on_desktop, translate=translate))


@cache
def _list_games(lang: str) -> Sequence[dict[str, Any]]:
    """The shipped games with their presets, in a language."""
    from ppgen.games.catalogue import GAME_KINDS

    data, say = shipped_root() / "data", interface_texts(lang)
    presets = read_toml(data, "presets.toml", Problems())
    allowed = {name: presets.take_table(name).take_texts("games", ()) for name in presets}
    games = []
    for folder, kind in GAME_KINDS.items():
        if kind.fixed_name:
            texts = load_texts(lang, [data / folder / "locales"])
            games.append({"name": kind.fixed_name, "title": texts("game.title"),
                          "facts": texts("box.players").split("\n"), "presets": [
                              {"name": name, "text": say(f"preset.{name}")} for name, games_of in allowed.items()
                              if not games_of or kind.fixed_name in games_of]})
    return games


def _draw_face(choice: Destination, number: int) -> bytes:
    """The picture of one of the first faces of a deck or game, from the cache if it is as it was. Raises InputError."""
    from ppgen.pages.open.start_page import stamp_deck

    def draw() -> bytes:
        from ppgen.cli.page_jobs import PrintDefaults, draw_first_face

        folder = choice.folder
        words = (["--game", choice.game] if not folder else ["--data", str(folder)] if is_deck(folder) else
                 [f"--data={folder / 'data'}", f"--templates={folder / 'templates'}"])
        return draw_first_face(PrintDefaults.of(open_command.make_context("open", words)), number)

    stamp = stamp_deck(choice.folder) if choice.folder else ()
    return cached_by("first-face", choice.folder, choice.game, *stamp, number, own_page_words()["lang"], make=draw)


def _count_paper(choice: Destination) -> Mapping[str, int]:
    """The sheets of paper that a game takes with a preset, and the cuts."""
    from ppgen.pages.local_server import PROGRAM

    def count() -> bytes:
        preset = [f"--preset={choice.preset}"] * bool(choice.preset)
        return subprocess.run([*PROGRAM, "build", "--dry-run", "--json", f"--game={choice.game}", *preset],
                              capture_output=True, check=False).stdout

    lines = cached_by("paper", choice.game, choice.preset, own_page_words()["lang"], make=count)
    files = [file for manifest in json.loads(lines or "[]") for file in manifest["files"]]
    return {"sheets": sum(file["sheets"] for file in files),
            "cuts": sum(file["layout"].get("cuts", 0) for file in files if file.get("layout"))}


def _follow_choices(context: click.Context, server: PreviewServer, start: StartPage) -> None:
    """Show what is chosen on the page to start from, until Ctrl-C."""
    home = Path.cwd()
    while True:
        server.page, leave = start, Event()
        choice = start.wait_for_choice()
        try:
            if choice.sheet:
                choice = _lay_grid(server, start, choice.sheet)
                if not choice.folder:
                    continue
            page, defaults = _open_set(_enter(context, choice.folder, choice.game), preset=choice.preset, leave=leave)
        except (InputError, OSError, click.ClickException) as error:
            start.answer_choice(error.problems if isinstance(error, InputError) else [Problem("deck", str(error))])
            os.chdir(home)
            continue
        server.page = page
        start.forget_dropped()
        start.answer_choice()
        _redraw(page, defaults, leave)
        page.close()
        os.chdir(home)


def _lay_grid(server: PreviewServer, start: StartPage, sheet: Path) -> Destination:
    """Show the page that lays a grid over a sheet; return the deck that it makes, if any. Raises InputError."""
    from ppgen.pages.open.start_page import Destination

    server.page = page = _open_sheets(sheet, sheet.name)
    start.answer_choice()
    deck = page.wait_for_deck()
    server.page = start
    page.close()
    return Destination(folder=deck.resolve() if deck else None)


def _enter(context: click.Context, folder: Path | None, game: str = "") -> click.Context:
    """Go to a folder, if there is one, and return the context of ``ppgen open`` there. Raises InputError."""
    words = [str(folder or "."), *(["--game", game] if game else [])]
    return open_command.make_context("open", words, parent=context.parent)
