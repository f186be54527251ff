"""``ppgen export scorer``: makes or serves the page that scores on a phone."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_json
from ppgen.cli.export_commands import written_message
from ppgen.cli.messages import interface_texts
from ppgen.cli.option_types import WholeNumber
from ppgen.cli.options import (complete_with, game_folders, games_option, json_option, langs, open_on_desktop,
                               open_option, output_option, pass_options_as, quiet_option)
from ppgen.cli.print_options import dry_run_option, request_option
from ppgen.cli.usual_options import usual_option
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.printing.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerOptions:
    lang: str
    games: tuple[str, ...]
    skin: str
    data: Path | None
    templates: Path | None
    serve: bool
    open_result: bool
    port: int | None
    output: Path
    dry_run: bool
    quiet: bool
    as_json: bool


@click.command("scorer", cls=Command)
@click.option("--lang", "-l", default="", metavar="LANG", shell_complete=complete_with(langs),
              show_default="the phone's", help="Language in which the page opens; it has all.")
@games_option
@request_option("skin")
@usual_option("--serve", is_flag=True, text="serve-scorer")
@open_option("open-scorer")
@click.option("--port", type=WholeNumber(0, 65535), metavar="N",
              show_default="8418, or any free one", help="Port of the page.")
@game_folders
@output_option
@dry_run_option
@quiet_option
@json_option
@pass_options_as(ScorerOptions)
def scorer_command(options: ScorerOptions) -> None:
    """It goes to OUTPUT/scorer/kardinal-koenig.html, or to DECK.html in the folder of a deck with a score.toml. The
    other files there are for web space.

    \b
    ppgen export scorer
    ppgen export scorer --lang ja --game card-game
    ppgen export scorer --serve
    """
    if options.serve and options.as_json:
        raise click.UsageError(Phrase("json_serve"))
    if options.port is not None and not options.serve:
        raise click.UsageError(Phrase("port_serve"))
    if options.open_result and not options.serve:
        raise click.UsageError(Phrase("open_serve"))
    workshops = _open_games(options)
    if options.serve:
        _serve(workshops, options)
    else:
        _write(workshops, options)


def _open_games(options: ScorerOptions) -> list[Workshop]:
    """Open the requested games, or all that can be scored on the page (the default game if none can)."""
    from ppgen.games.catalogue import game_names, scored_folder, scored_games
    from ppgen.printing.workshop import Workshop

    assets = Assets.at(options.data, options.templates)
    if not scored_games(assets):
        scored_folder(assets)  # raises
    if options.games:
        return [Workshop.open(assets, options.skin, name) for name in dict.fromkeys(options.games)]
    opened = [Workshop.open(assets, options.skin, name) for name in game_names(assets)]
    return [workshop for workshop in opened if workshop.game.scorer] or [
        *opened, Workshop.open(assets, options.skin)][:1]


def _write(workshops: list[Workshop], options: ScorerOptions) -> None:
    from ppgen.pages.single_pages import export_scorer
    from ppgen.process.file_writing import write_files

    files = export_scorer(workshops, options.lang)
    if not options.dry_run:
        write_files(options.output, files)
    paths = [f"{options.output.as_posix()}/{file.path}" for file in files]
    if options.as_json:
        print_json({"export": "scorer", "games": [workshop.game.id for workshop in workshops], "files": [
            {"path": path, "sha256": hashlib.sha256(file.content).hexdigest(), "bytes": len(file.content)}
            for path, file in zip(paths, files, strict=True)]})
    elif not options.quiet:
        for path, file in zip(paths, files, strict=True):
            click.echo(f"{path}  {max(1, round(len(file.content) / 1000))} kB")
        say = interface_texts()
        click.echo(f"{written_message(len(files), options.dry_run, say)} {say('export.page')}", err=True)


def _serve(workshops: list[Workshop], options: ScorerOptions) -> None:
    from ppgen.pages.local_server import PageServer, qr_code
    from ppgen.pages.single_pages import page_name, scorer_page

    page = scorer_page(workshops, options.lang)
    server = PageServer(page.encode(), options.port, name=page_name(workshops))
    try:
        if not options.quiet:
            click.echo(qr_code(server.url), err=True, nl=False)
            click.echo(interface_texts()("export.phones"), err=True)
        click.echo(server.url)
        if options.open_result:
            open_on_desktop(server.url)
        with suppress(KeyboardInterrupt):  # the intended way to stop it
            Event().wait()
    finally:
        server.close()
