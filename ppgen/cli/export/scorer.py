"""``ppgen export scorer``: the page that scores on a phone."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from ppgen.assets import Assets
from ppgen.cli.ceiling import limited
from ppgen.cli.common import FOLDER, json_option, output_option, own_folders, quiet_option, taking
from ppgen.cli.completion import games, langs, offering
from ppgen.cli.export.delivery import written
from ppgen.cli.numbers import Whole
from ppgen.cli.speech import speech

if TYPE_CHECKING:
    from ppgen.production.workshop import Workshop
    from ppgen.reading.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorerOptions:
    """What ``ppgen export scorer`` is asked."""

    lang: str
    games: tuple[str, ...]
    data: Path | None
    templates: Path | None
    serve: bool
    port: int | None
    output: Path
    dry_run: bool
    quiet: bool
    as_json: bool

    @property
    def say(self) -> Texts:
        """What the command says, in the language in which the page opens."""
        return speech([self.lang] if self.lang else [])


@click.command("scorer")
@click.option("--lang", "-l", default="", metavar="LANG", shell_complete=offering(langs),
              help="Language in which the page opens.  [default: the device's; all are in it]")
@click.option("--game", "games", multiple=True, metavar="NAME", shell_complete=offering(games),
              help="Game to be scored on the page, several times.  [default: all that can be]")
@click.option("--serve", is_flag=True, help="Show the page to phones on the home network, instead of writing files.")
@click.option("--port", type=Whole(0, 65535), metavar="N",
              help="Port to serve it at.  [default: 8418, or any that is free]")
@click.option("--data", type=FOLDER, metavar="DIR", help="Your own data folder instead of the shipped one.")
@click.option("--templates", type=FOLDER, metavar="DIR",
              help="Your own templates folder instead of the shipped one.")
@output_option
@click.option("--dry-run", is_flag=True, help="Do everything but write the files.")
@quiet_option
@json_option
@limited(own_folders)
@taking(ScorerOptions)
def scorer_command(options: ScorerOptions) -> None:
    """Make the page that scores on a phone: one file, for all languages, which needs no network.

    It goes to OUTPUT/scorer/kardinal-koenig.html; what lies beside it is for web space.

    \b
    ppgen export scorer
    ppgen export scorer --lang ja --game card-game
    ppgen export scorer --serve
    """
    if options.serve and options.as_json:
        raise click.UsageError("--json prints one document: leave --serve away.")
    if options.port is not None and not options.serve:
        raise click.UsageError("--port is for --serve.")
    workshops = _opened(options)
    if options.serve:
        _serve(workshops, options)
    else:
        _write(workshops, options)


def _opened(options: ScorerOptions) -> list[Workshop]:
    """The games to be scored, each with its data read."""
    from ppgen.games.catalogue import names
    from ppgen.production.workshop import Workshop

    assets = Assets.at(options.data, options.templates)
    if options.games:
        return [Workshop.open(assets, "", name) for name in dict.fromkeys(options.games)]
    opened = [Workshop.open(assets, "", name) for name in names(assets)]
    return [workshop for workshop in opened if workshop.game.scorer] or [*opened, Workshop.open(assets)][:1]


def _write(workshops: list[Workshop], options: ScorerOptions) -> None:
    from ppgen.cli.output import write_files
    from ppgen.export.scorer.export import export_scorer
    from ppgen.production.manifest import to_json

    files = export_scorer(workshops, options.lang)
    if not options.dry_run:
        write_files(options.output, files)
    paths = [f"{options.output.as_posix()}/{file.path}" for file in files]
    if options.as_json:
        click.echo(to_json({"export": "scorer", "games": [workshop.game.id for workshop in workshops], "files": [
            {"path": path, "sha256": hashlib.sha256(file.content).hexdigest(), "bytes": len(file.content)}
            for path, file in zip(paths, files, strict=True)]}), nl=False)
    elif not options.quiet:
        for path, file in zip(paths, files, strict=True):
            click.echo(f"{path}  {max(1, round(len(file.content) / 1000))} kB")
        say = options.say
        click.echo(f"{written(len(files), options.dry_run, say)} {say('export.page')}", err=True)


def _serve(workshops: list[Workshop], options: ScorerOptions) -> None:
    from ppgen.export.scorer.export import scorer_page
    from ppgen.export.scorer.serving import PageServer, qr_code

    page = scorer_page(workshops, options.lang)
    server = PageServer(page.encode(), options.port)
    try:
        if not options.quiet:
            click.echo(qr_code(server.url), err=True, nl=False)
            click.echo(options.say("export.phones"), err=True)
        click.echo(server.url)
        with suppress(KeyboardInterrupt):  # how it is meant to end
            Event().wait()
    finally:
        server.close()
