"""Options that the exports of pictures share, and how their files are written and told of."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import OpenSet, SetOptions, json_option, output_option, quiet_option
from ppgen.cli.speech import speech
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.engine.formats import Format
    from ppgen.export.exported import Export, ExportedFile, ExportRequest, Watch
    from ppgen.production.built import BuiltFile
    from ppgen.production.manifest import Json

BLINK = 0.7
"""Seconds without a progress bar: what takes no longer needs none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions(SetOptions):
    """What :func:`delivery_options` ask for besides the set."""

    only: tuple[str, ...]
    output: Path
    dry_run: bool
    quiet: bool
    as_json: bool


def delivery_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which parts, and where the files go."""
    for option in reversed((
            click.option("--only", "only", multiple=True, metavar="PART",
                         help="Only this part, or the piece with this id, several times: cards, tablets, …"),
            output_option,
            click.option("--dry-run", is_flag=True, help="Do everything but write the files."),
            quiet_option, json_option)):
        command = option(command)
    return command


def export_request(options: ExportOptions, chosen: OpenSet, card_size: Format | None = None) -> ExportRequest:
    """The export that the options ask for; with a ``card_size`` that a shop decides."""
    from ppgen.export.exported import ExportRequest

    return ExportRequest(
        langs=chosen.langs, card_size=card_size or chosen.card_size,
        usual_card=card_size or chosen.workshop.game.card_size, ink=options.ink,
        skin=options.skin, chosen=tuple(chosen.workshop.game.chosen.values()),
        parts=tuple(dict.fromkeys(options.only)), folder=options.output.as_posix(), game=chosen.workshop.apart)


def deliver(exports: Sequence[Export], chosen: OpenSet, options: ExportOptions) -> None:
    """Make the files, write them all or none, and tell of them."""
    from ppgen.cli.output import write_files
    from ppgen.production.manifest import to_json

    told: list[list[Json]] = [[] for _ in exports]
    with progress(sum(export.pictures for export in exports), options.quiet) as watch:
        files = _made(exports, options.output.as_posix(), told, watch)
        if options.dry_run:
            for _ in files:
                pass
        else:
            write_files(options.output, files)
    problems = (problem for export in exports for problem in export.left_out)
    warn((*chosen.workshop.game.warnings, *dict.fromkeys(problems)), options.quiet)
    if options.as_json:
        click.echo(to_json([{**export.facts, "folder": f"{options.output.as_posix()}/{export.folder}",
                             "left_out": [str(problem) for problem in export.left_out], "files": entries}
                            for export, entries in zip(exports, told, strict=True)]), nl=False)
    elif not options.quiet:
        entries = [entry for each in told for entry in each]
        for entry in entries:
            click.echo(f"{entry['path']}{_measured(entry)}")
        say = speech(options.langs)
        click.echo(written(len(entries), options.dry_run, say), err=True)
        for line in dict.fromkeys(say(hint.key, **hint.values) for export in exports for hint in export.hints):
            click.echo(line, err=True)


def written(files: int, dry_run: bool, say: Texts) -> str:
    """What has become of so many files."""
    return say("export.planned" if dry_run else "export.written", files=files)


def _made(exports: Sequence[Export], folder: str, told: list[list[Json]], watch: Watch) -> Iterator[BuiltFile]:
    """The files one after the other; what is told of each is noted, so that its content need not be kept."""
    for export, entries in zip(exports, told, strict=True):
        made: ExportedFile
        for made in export.files(watch):
            entries.append(made.entry(folder))
            yield made.file


def _measured(entry: Json) -> str:
    if "width_px" in entry:
        return f"  {entry['width_px']} × {entry['height_px']} px"
    return f"  {entry['pages']} pages" if "pages" in entry else ""


@contextmanager
def progress(steps: int, quiet: bool) -> Iterator[Watch]:
    """A bar on stderr, if that is a terminal, for what takes longer than a blink."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    begun = time.monotonic()
    bar = click.progressbar(length=steps, label="Pictures", file=sys.stderr, show_pos=True)
    shown = done = 0

    def watch(more: int) -> None:
        nonlocal shown, done
        done += more
        if time.monotonic() - begun > BLINK:
            bar.update(done - shown)
            shown = done

    try:
        yield watch
    finally:
        if shown:
            bar.render_finish()
