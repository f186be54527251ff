"""``ppgen open``: serves the page of a set and redraws it after each save."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_problems
from ppgen.cli.option_types import WholeNumber
from ppgen.cli.options import folder_options, has_display, lang_option, open_on_desktop, output_option, with_cache
from ppgen.cli.usual_options import usual_option
from ppgen.errors import Problem, display_path
from ppgen.shipped import shipped_root

if TYPE_CHECKING:
    from ppgen.cli.print_options import SetOptions
    from ppgen.pages.open.album import AlbumState, Redrawer
    from ppgen.pages.open.watching import Saved


@click.command("open", cls=Command)
@lang_option()
@usual_option("--serve", is_flag=True)
@usual_option("--port", type=WholeNumber(0, 65535), metavar="N", show_default="8417")
@usual_option("--follow", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER")
@usual_option("--read-only", is_flag=True)
@output_option
@folder_options
@with_cache
@click.pass_context
def open_command(context: click.Context, /, serve: bool, port: int | None, follow: Path | None, read_only: bool,
                 **_: object) -> None:
    """The page follows each save. It begins with the options that ppgen.toml gives to ppgen build. Ctrl-C ends it.

    \b
    ppgen open
    ppgen open --game board-game --lang en
    ppgen open --serve --read-only
    """
    from ppgen.cli.page_jobs import PrintDefaults, open_workbench
    from ppgen.pages.open.album import Redrawer
    from ppgen.pages.open.live_page import LivePage
    from ppgen.pages.open.page_server import PreviewServer, forwarding_file
    from ppgen.pages.open.watching import describe_change

    defaults = PrintDefaults.of(context)
    bench = open_workbench(defaults, follow, read_only)
    page = LivePage(bench)
    server = PreviewServer(page, port)
    reported: frozenset[Problem] = frozenset()
    with suppress(KeyboardInterrupt), ExitStack() as cleanup:  # the intended way to stop it
        cleanup.callback(bench.jobs.close if bench.jobs else lambda: None)
        cleanup.callback(server.close)
        for saved, state, line in _redraws(Redrawer(defaults.reader()), defaults.options):
            page.show(state, describe_change(saved, state))
            if saved.is_start:
                click.echo(server.own_url)
                if not serve and has_display():
                    open_on_desktop(cleanup.enter_context(forwarding_file(server.own_url, defaults.options.output))
                                    if server.token else server.own_url)
            click.echo(line, err=True)
            print_problems(state.problems, [problem for problem in state.warnings if problem not in reported])
            reported |= frozenset(state.warnings)


def _redraws(redrawer: Redrawer, options: SetOptions) -> Iterator[tuple[Saved, AlbumState, str]]:
    """Draw at once and after each save; yield the save, the album and a line about them."""
    from ppgen.pages.open.watching import format_change, watch_saves

    assets = Assets.at(options.data, options.templates)
    folders = tuple(dict.fromkeys((assets.data, assets.templates)))
    for folder in folders:
        name = folder.resolve().name if folder.resolve() == Path.cwd() else display_path(folder)
        own = ", which comes with ppgen: make one of your own with ppgen init" if folder.is_relative_to(
            shipped_root()) else ""
        click.echo(f"Watching {name}{own}.", err=True)
    click.echo("Ctrl-C ends.", err=True)
    for saved in watch_saves(folders, options.output.resolve(), Event()):
        start = time.perf_counter()
        state = redrawer.refresh()
        yield saved, state, (f"{time.strftime('%H:%M:%S')} "
                             f"{format_change(saved, state, time.perf_counter() - start)}")
