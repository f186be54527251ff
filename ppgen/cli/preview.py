"""``ppgen preview``: writes or serves pictures of a set, once or after each save."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets, shipped_root
from ppgen.cli.command_group import Command, print_problems, warn
from ppgen.cli.option_types import WholeNumber
from ppgen.cli.options import (
    has_display,
    json_option,
    open_on_desktop,
    open_option,
    output_option,
    pass_options_as,
    quiet_option,
)
from ppgen.cli.preview_options import PreviewOptions, reader
from ppgen.cli.print_options import ValueChoice, sheet_options
from ppgen.errors import InputError, Problem, RequestError, display_path
from ppgen.preview.album import DEFAULT_DPI, MAX_DPI, MIN_DPI, Show
from ppgen.production.request import OutputKind

if TYPE_CHECKING:
    from ppgen.preview.album import AlbumState, Redrawer
    from ppgen.preview.picture_files import PreviewPicture, WrittenPictures
    from ppgen.preview.watching import Saved


@click.command("preview", cls=Command)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@sheet_options(OutputKind.CUT)
@click.option("--show", "shows", multiple=True, type=ValueChoice(Show),
              show_default="contact and faces; with NAME only faces",
              help="Single faces, a contact sheet of all, or the printed pages; repeatable.")
@click.option("--dpi", type=WholeNumber(MIN_DPI, MAX_DPI), default=DEFAULT_DPI, show_default=True, metavar="N",
              help="Resolution of faces and pages, in pixels per inch.")
@click.option("--watch", is_flag=True, help="Keep running: redraw whenever a file is saved.")
@click.option("--serve", is_flag=True,
              help="Show the set on a page in your browser, redrawn at each save, to filter, change and print it.")
@click.option("--port", type=WholeNumber(0, 65535), metavar="N",
              show_default="8417, or any free one", help="Port of the page.")
@click.option("--follow", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
              help="Offer new versions of the deck's tables that land in this folder, such as your downloads.")
@click.option("--read-only", is_flag=True, help="Let the page only look: it changes no cell and writes no file.")
@open_option("Like --serve, and open the page in your browser.")
@output_option
@quiet_option
@json_option
@pass_options_as(PreviewOptions)
def preview_command(options: PreviewOptions) -> None:
    """Draw faces, a contact sheet or printed pages as PNG files, in OUTPUT/LANG/preview-…/.

    NAME is the id of a piece (ppgen list), or a pattern: law-*

    \b
    ppgen preview
    ppgen preview france-1 'law-*' --watch
    ppgen open                 the same as ppgen preview --open, in the folder of your deck
    """
    from ppgen.preview.album import Redrawer

    is_continuous = options.watch or options.serve or options.open_result
    if options.as_json and is_continuous:
        raise click.UsageError("--json prints one document: leave out --watch, --serve and --open.")
    redrawer = Redrawer(reader(options))
    if not is_continuous:
        _write_once(redrawer, options)
        return
    with suppress(KeyboardInterrupt):  # the intended way to stop it
        if options.serve or options.open_result:
            _serve(redrawer, options)
        else:
            _watch(redrawer, options)


def _write_once(redrawer: Redrawer, options: PreviewOptions) -> None:
    from ppgen.preview.picture_files import PictureFiles
    from ppgen.production.manifest import dump_manifest

    state = redrawer.refresh()
    if state.problems:
        raise InputError(state.problems)
    written = PictureFiles().make(state)
    warn(state.warnings, options.quiet)
    _write(written, options.output)
    folder = options.output.as_posix()
    if options.as_json:
        entries = [{**picture.facts, "path": f"{folder}/{picture.path}"} for picture in written.pictures]
        click.echo(dump_manifest({"pictures": entries}), nl=False)
    elif not options.quiet:
        for picture in written.pictures:
            click.echo(f"{folder}/{picture.path}")


def _watch(redrawer: Redrawer, options: PreviewOptions) -> None:
    """Write new pictures after each save. Problems are reported, and the last good pictures stay."""
    from ppgen.preview.picture_files import PictureFiles

    pictures = PictureFiles()
    reporter = _Reporter(options.quiet)
    for saved, state, start in _redraws(redrawer, options):
        fresh: tuple[PreviewPicture, ...] = ()
        if not state.problems:
            try:
                written = pictures.make(state)
                _write(written, options.output)
                fresh = written.fresh
            except InputError as error:
                if saved.is_start and isinstance(error, RequestError):
                    raise
                state = replace(state, problems=error.problems)
        if state.is_first and not options.quiet:
            for folder in dict.fromkeys(Path(picture.path).parent for picture in fresh):
                click.echo((options.output / folder).as_posix())
        pages = [Path(picture.path).stem for picture in fresh if picture.show is Show.PAGES]
        reporter.report(saved, state, pages, start)


def _serve(redrawer: Redrawer, options: PreviewOptions) -> None:
    """Show new pictures, and problems, on the page after each save."""
    from ppgen.cli.preview_jobs import open_workbench
    from ppgen.preview.live_page import LivePage
    from ppgen.preview.page_server import PreviewServer, forwarding_file

    bench = open_workbench(options)
    stage = LivePage(bench)
    server = PreviewServer(stage, options.port)
    reporter = _Reporter(options.quiet)
    address = server.own_url + ("!sheets" if options.shows == (Show.PAGES,) else "")
    cleanup = ExitStack()
    try:
        for saved, state, start in _redraws(redrawer, options):
            stage.show(state, reporter.format_line(saved, state, (), start))
            if saved.is_start:
                if not options.quiet:
                    click.echo(address)
                if options.open_result:
                    is_secret = bool(server.token) and has_display()
                    open_on_desktop(cleanup.enter_context(forwarding_file(address, options.output))
                                    if is_secret else address)
            reporter.report(saved, state, (), start)
    finally:
        cleanup.close()
        server.close()
        if bench.jobs:
            bench.jobs.close()


def _redraws(redrawer: Redrawer, options: PreviewOptions) -> Iterator[tuple[Saved, AlbumState, float]]:
    """Draw at once and after each save; yield the save, the album and the time at which drawing began."""
    from ppgen.preview.watching import watch_saves

    assets = Assets.at(options.data, options.templates)
    folders = tuple(dict.fromkeys((assets.data, assets.templates)))
    if not options.quiet:
        for folder in folders:
            is_shipped = folder.is_relative_to(shipped_root())
            name = folder.resolve().name if folder.resolve() == Path.cwd() else display_path(folder)
            own = ", which comes with ppgen: make one of your own with ppgen init" if is_shipped else ""
            click.echo(f"Watching {name}{own}.", err=True)
        click.echo("Ctrl-C ends.", err=True)
    for saved in watch_saves(folders, options.output.resolve(), Event()):
        start = time.perf_counter()
        yield saved, redrawer.refresh(), start


class _Reporter:
    """Reports the result of each save, and each warning once."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._reported: frozenset[Problem] = frozenset()

    def format_line(self, saved: Saved, state: AlbumState, pages: Sequence[str], start: float) -> str:
        """The line for a save."""
        from ppgen.preview.watching import format_change

        change = format_change(saved, state, pages, time.perf_counter() - start)
        return f"{time.strftime('%H:%M:%S')} {change}"

    def report(self, saved: Saved, state: AlbumState, pages: Sequence[str], start: float) -> None:
        if not self._quiet:
            click.echo(self.format_line(saved, state, pages, start), err=True)
        print_problems(state.problems, [problem for problem in state.warnings
                                        if problem not in self._reported and not self._quiet])
        self._reported |= frozenset(state.warnings)


def _write(written: WrittenPictures, output: Path) -> None:
    """Write the new pictures; remove our earlier ones of components that no longer exist."""
    from ppgen.process.file_writing import write_files

    write_files(output, [picture.file for picture in written.fresh])
    for path in written.gone:
        with suppress(OSError):
            (output / path).unlink()
