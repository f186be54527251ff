"""``ppgen open``: serves the page of a set and redraws it after each save."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_problems
from ppgen.cli.messages import translate, usual_option
from ppgen.cli.options import (WholeNumber, folder_options, has_display, lang_option, open_on_desktop, output_option,
                               with_cache)
from ppgen.errors import Problem, RequestError, display_path
from ppgen.shipped import Phrase, shipped_root

if TYPE_CHECKING:
    from ppgen.cli.print_options import SetOptions
    from ppgen.pages.open.album import AlbumState, Redrawer, Saved
    from ppgen.pages.open.live_page import SheetPage


@click.command("open", cls=Command)
@click.argument("sheets", metavar="[FILE]", type=click.Path(dir_okay=False, path_type=Path), required=False)
@lang_option()
@usual_option("--serve", is_flag=True)
@usual_option("--port", type=WholeNumber(0, 65535), metavar="N", show_default="8417")
@usual_option("--follow", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER")
@usual_option("--read-only", is_flag=True)
@output_option
@folder_options
@with_cache
@click.pass_context
def open_command(context: click.Context, /, sheets: Path | None, serve: bool, port: int | None, follow: Path | None,
                 read_only: bool, output: Path, **_: object) -> None:
    """The page follows each save. It begins with the options that ppgen.toml gives to ppgen build. Ctrl-C ends it.

    With FILE, a PDF or picture of finished cards, it begins with the grid, which you lay over the cards by hand.

    \b
    ppgen open
    ppgen open --game board-game --lang en
    ppgen open --serve --read-only
    ppgen open sheets.pdf
    """
    from ppgen.cli.page_jobs import PrintDefaults, open_workbench
    from ppgen.pages.open.album import Redrawer, describe_change
    from ppgen.pages.open.live_page import LivePage, PreviewServer, forwarding_file

    def announce() -> None:
        click.echo(server.own_url)
        if not serve and has_display():
            open_on_desktop(cleanup.enter_context(forwarding_file(server.own_url, output))
                            if server.token else server.own_url)

    reported: frozenset[Problem] = frozenset()
    with suppress(KeyboardInterrupt), ExitStack() as cleanup:  # the intended way to stop it
        if sheets:
            first = _open_sheets(context, sheets)
            server = PreviewServer(first, port)
            cleanup.callback(server.close)
            announce()
            deck = first.wait_for_deck()
            for name, folder in (("data", deck), ("output", deck / "output")):
                context.params[name] = folder
                context.set_parameter_source(name, ParameterSource.COMMANDLINE)
        defaults = PrintDefaults.of(context)
        bench = open_workbench(defaults, follow, read_only)
        page = LivePage(bench)
        cleanup.callback(bench.jobs.close if bench.jobs else lambda: None)
        if not sheets:
            server = PreviewServer(page, port)
            cleanup.callback(server.close)
            announce()
        for saved, state, line in _redraws(Redrawer(defaults.reader()), defaults.options):
            page.show(state, describe_change(saved, state))
            if saved.is_start and sheets:
                server.page = page
            click.echo(line, err=True)
            print_problems(state.problems, [problem for problem in state.warnings if problem not in reported])
            reported |= frozenset(state.warnings)


def _open_sheets(context: click.Context, sheets: Path) -> SheetPage:
    """The page that makes a deck of sheets. Raises RequestError for options of a set, InputError for the file."""
    from ppgen.cli.page_jobs import page_words
    from ppgen.making.finished_art import view_sheets
    from ppgen.pages.open.live_page import SheetPage
    from ppgen.process.supervision import start_supervision

    given = [option.opts[0] for option in context.command.params
             if option.name in ("langs", "game", "data", "templates", "read_only", "output")
             and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE]
    if given:
        raise RequestError(Problem(option, Phrase("for_a_set"), Phrase("without_option")) for option in given)
    start_supervision()
    return SheetPage(sheets, view_sheets(sheets), page_words())


def _redraws(redrawer: Redrawer, options: SetOptions) -> Iterator[tuple[Saved, AlbumState, str]]:
    """Draw at once and after each save; yield the save, the album and a line about them."""
    from ppgen.pages.open.album import format_change, watch_saves

    assets = Assets.at(options.data, options.templates)
    folders = tuple(dict.fromkeys((assets.data, assets.templates)))
    for folder in folders:
        name = folder.resolve().name if folder.resolve() == Path.cwd() else display_path(folder)
        is_shipped = folder.is_relative_to(shipped_root())
        click.echo(translate(Phrase("watching_shipped", name=name) if is_shipped else Phrase("watching", name=name)),
                   err=True)
    click.echo(translate(Phrase("ctrl_c")), err=True)
    for saved in watch_saves(folders, options.output.resolve(), Event()):
        start = time.perf_counter()
        state = redrawer.refresh()
        yield saved, state, (f"{time.strftime('%H:%M:%S')} "
                             f"{format_change(saved, state, time.perf_counter() - start)}")
