"""``ppgen preview``: look before you print."""

from __future__ import annotations

import hashlib
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets, shipped
from ppgen.cli.boundary import warn
from ppgen.cli.ceiling import renewed
from ppgen.cli.common import json_option, open_set, output_option, quiet_option, set_options, taking
from ppgen.cli.numbers import Whole
from ppgen.cli.sheets import PrintOptions, build_request, sheet_options
from ppgen.cli.types import Named
from ppgen.errors import InputError, Problem, RequestError, shown_path
from ppgen.preview.request import LEAST_DPI, MOST_DPI, USUAL_DPI, PreviewRequest, Show

if TYPE_CHECKING:
    from ppgen.preview.bench import Bench, Look
    from ppgen.preview.picture_files import Made, Picture
    from ppgen.preview.watching import Saved
    from ppgen.production.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewOptions(PrintOptions):
    """What ``ppgen preview`` is asked."""

    names: tuple[str, ...]
    shows: tuple[Show, ...]
    dpi: int
    watch: bool
    serve: bool
    port: int | None
    open_page: bool
    quiet: bool
    as_json: bool


@click.command("preview")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@set_options
@sheet_options
@click.option("--show", "shows", multiple=True, type=Named(Show),
              help="Single faces, all of them on a contact sheet, or the pages of a build; several times.  "
                   "[default: contact and faces; only faces if you give names]")
@click.option("--dpi", type=Whole(LEAST_DPI, MOST_DPI), default=USUAL_DPI, show_default=True, metavar="N",
              help="Pixels an inch of faces and pages.")
@click.option("--watch", is_flag=True, help="Go on: draw again whenever a file is saved.")
@click.option("--serve", is_flag=True,
              help="Show the pictures on a page in your browser that follows each save, instead of writing files.")
@click.option("--port", type=Whole(0, 65535), metavar="N",
              help="Port of the page.  [default: 8417, or any that is free]")
@click.option("--open", "open_page", is_flag=True, help="Serve the page and open it in your browser.")
@output_option
@quiet_option
@json_option
@taking(PreviewOptions)
def preview_command(options: PreviewOptions) -> None:
    """Look at the set before you print it: faces, a contact sheet, pages as PNG, in OUTPUT/LANG/preview-…/.

    NAME is the id of a component, as in ppgen list, or a pattern: law-*

    \b
    ppgen preview
    ppgen preview france-1 'law-*' --watch
    ppgen preview --data mydeck/data --templates mydeck/templates --open
    """
    from ppgen.preview.bench import Bench

    going_on = options.watch or options.serve or options.open_page
    if options.as_json and going_on:
        raise click.UsageError("--json prints one document: leave --watch, --serve and --open away.")
    bench = Bench(_reader(options))
    if not going_on:
        _once(bench, options)
        return
    with suppress(KeyboardInterrupt):  # how it is meant to end
        if options.serve or options.open_page:
            _serve(bench, options)
        else:
            _watch(bench, options)


def _reader(options: PreviewOptions) -> Callable[[], tuple[Workshop, PreviewRequest]]:
    """What reads the set anew. It raises InputError, also for sizes and papers that the data no longer name."""

    def read() -> tuple[Workshop, PreviewRequest]:
        renewed()
        try:
            chosen = open_set(options)
            build = build_request(options, chosen)
        except click.BadParameter as error:
            option = str(error.param_hint or "option").strip("'")
            raise RequestError([Problem(place=option, what=error.message)]) from error
        return chosen.workshop, PreviewRequest(
            build=build, shows=options.shows, dpi=options.dpi, names=options.names)

    return read


def _once(bench: Bench, options: PreviewOptions) -> None:
    from ppgen.preview.picture_files import PictureFiles
    from ppgen.production.manifest import to_json

    look = bench.look()
    if look.problems:
        raise InputError(look.problems)
    made = PictureFiles().make(look)
    warn(look.warnings, options.quiet)
    _write(made, options.output)
    folder = options.output.as_posix()
    if options.as_json:
        entries = [_entry(picture, folder) for picture in made.pictures]
        click.echo(to_json({"pictures": entries}), nl=False)
    elif not options.quiet:
        for picture in made.pictures:
            click.echo(f"{folder}/{picture.path}")


def _watch(bench: Bench, options: PreviewOptions) -> None:
    """Write what is new after each save. What is wrong is told, and the last good pictures stay."""
    from ppgen.preview.picture_files import PictureFiles

    pictures = PictureFiles()
    said = _Said(options.quiet)
    for saved, look, start in _looks(bench, options):
        fresh: tuple[Picture, ...] = ()
        if not look.problems:
            try:
                made = pictures.make(look)
                _write(made, options.output)
                fresh = made.fresh
            except InputError as error:
                if saved.is_start and isinstance(error, RequestError):
                    raise
                look = replace(look, problems=error.problems)
        if look.is_first and not options.quiet:
            for folder in dict.fromkeys(Path(picture.path).parent for picture in fresh):
                click.echo((options.output / folder).as_posix())
        said.tell(saved, look, [Path(picture.path).stem for picture in fresh if picture.show is Show.PAGES], start)


def _serve(bench: Bench, options: PreviewOptions) -> None:
    """Show what is new after each save on the page. What is wrong is shown there too."""
    from ppgen.preview.server import PreviewServer
    from ppgen.preview.stage import Stage

    stage = Stage()
    server = PreviewServer(stage, options.port)
    said = _Said(options.quiet)
    address = server.url + ("pages" if options.shows == (Show.PAGES,) else "")
    try:
        for saved, look, start in _looks(bench, options):
            stage.show(look, said.line(saved, look, (), start))
            if saved.is_start:
                if not options.quiet:
                    click.echo(address)
                if options.open_page:
                    webbrowser.open(address)
            said.tell(saved, look, (), start)
    finally:
        server.close()


def _looks(bench: Bench, options: PreviewOptions) -> Iterator[tuple[Saved, Look, float]]:
    """A look at once, and one after each save; with the time at which drawing began."""
    from ppgen.preview.watching import saves

    assets = Assets.at(options.data, options.templates)
    if not options.quiet:
        for folder in (assets.data, assets.templates):
            note = ", which comes with ppgen: make one of your own with ppgen init" \
                if folder.is_relative_to(shipped()) else ""
            click.echo(f"watching {shown_path(folder)}{note}", err=True)
        click.echo("Ctrl-C ends.", err=True)
    for saved in saves((assets.data, assets.templates), options.output.resolve(), Event()):
        start = time.perf_counter()
        yield saved, bench.look(), start


class _Said:
    """Tells what came of each save, and each warning once."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._warned: frozenset[Problem] = frozenset()

    def line(self, saved: Saved, look: Look, pages: Sequence[str], start: float) -> str:
        from ppgen.preview.telling import told

        return f"{time.strftime('%H:%M:%S')} {told(saved, look, pages, time.perf_counter() - start)}"

    def tell(self, saved: Saved, look: Look, pages: Sequence[str], start: float) -> None:
        if not self._quiet:
            click.echo(self.line(saved, look, pages, start), err=True)
        for problem in look.problems:
            click.echo(str(problem), err=True)
        warn(tuple(problem for problem in look.warnings if problem not in self._warned), self._quiet)
        self._warned |= frozenset(look.warnings)


def _write(made: Made, output: Path) -> None:
    """Write the new pictures; take away those that we made and that show nothing any more."""
    from ppgen.cli.output import write_files

    write_files(output, [picture.file for picture in made.fresh])
    for path in made.gone:
        with suppress(OSError):
            (output / path).unlink()


def _entry(picture: Picture, folder: str) -> dict[str, object]:
    width, height = picture.pixels
    return {
        "path": f"{folder}/{picture.path}", "show": picture.show.value, "lang": picture.lang, "paper": picture.paper,
        "part": picture.part or None,
        "shows": [{"component": component, "face": face} for component, face in picture.shows],
        "width_mm": round(picture.size.width, 4), "height_mm": round(picture.size.height, 4),
        "width_px": width, "height_px": height, "dpi": round(picture.dpi, 2),
        "sha256": hashlib.sha256(picture.content).hexdigest()}
