"""``ppgen build``: print a set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import json_option, open_set, output_option, quiet_option, set_options, taking
from ppgen.cli.numbers import Whole
from ppgen.cli.sheets import PrintOptions, box_options, build_request, sheet_options
from ppgen.cli.speech import speech
from ppgen.engine.geometry import ORIGIN
from ppgen.errors import Problem, counted
from ppgen.production.manifest import Json, files_in
from ppgen.production.upkeep import Leftovers, superseded
from ppgen.reading.texts import Texts

if TYPE_CHECKING:
    from ppgen.production.build import BuiltSet
    from ppgen.production.request import BuildRequest

SAFE_MARGIN = 6.35
"""Many home printers lose a quarter of an inch at the bottom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions(PrintOptions):
    """What ``ppgen build`` is asked."""

    clean: bool
    dry_run: bool
    quiet: bool
    as_json: bool


@click.command("build")
@set_options
@sheet_options
@click.option("--sheets-per-page", type=click.Choice(["1", "2"]), default="1", show_default=True,
              help="Score sheets side by side on a sheet of paper; a single one can be filled in on the screen.")
@click.option("--pad", type=Whole(1, 500), default=1, show_default=True, metavar="N",
              help="So many sheets of score sheets.")
@click.option("--booklet/--no-booklet", default=True, show_default=True,
              help="Rules and making guide on sheets to fold in the middle, or page by page.")
@box_options
@output_option
@click.option("--clean", is_flag=True, help="Remove what earlier builds left there in these languages "
              "and this one does not write; never what was changed since.")
@click.option("--dry-run", is_flag=True, help="Do everything but write the files.")
@quiet_option
@json_option
@taking(BuildOptions)
def build_command(options: BuildOptions) -> None:
    """Print a set: PDF sheets to cut out, in OUTPUT/LANG/.

    \b
    ppgen build --lang de
    ppgen build -l en --paper letter --card-size poker --backs fold
    ppgen build --only cards --back-offset 0.5,-1 --ink low
    """
    from ppgen.production.build import build  # heavy: only for who builds
    from ppgen.production.manifest import to_json

    chosen = open_set(options)
    request = build_request(options, chosen)
    built = build(request, chosen.workshop)
    warn((*built.warnings, *_margin_warnings(built.manifests), *_turned_warnings(built.manifests, request)),
         options.quiet)
    earlier = superseded(options.output, built.manifests, built.files) if options.clean else Leftovers()
    if not options.dry_run:
        from ppgen.cli.output import write_files

        write_files(options.output, built.files, [options.output / path for path in earlier.unchanged])
    if options.as_json:
        click.echo(to_json(built.manifests), nl=False)
    elif not options.quiet:
        for file in files_in(built.manifests):
            on = counted(file["sheets"], "sheet") if file["sheets"] else "for the screen"
            click.echo(f"{file['path']}  {counted(file['pages'], 'page')}, {on}")
        for line in _closing(speech(options.langs), request, built, earlier, options.dry_run):
            click.echo(line, err=True)


def _closing(say: Texts, request: BuildRequest, built: BuiltSet, earlier: Leftovers, dry_run: bool) -> Iterator[str]:
    """What was done, and what to do first with it."""
    from ppgen.documents.names import CALIBRATION

    for path in earlier.unchanged:
        yield say("build.removable" if dry_run else "build.removed", file=f"{request.folder}/{path}")
    for path in earlier.changed:
        yield say("build.kept", file=f"{request.folder}/{path}")
    files = files_in(built.manifests)
    counted = {"files": len({file["path"] for file in files}), "sheets": sum(file["sheets"] for file in files)}
    yield say("build.planned" if dry_run else "build.written", **counted)
    page = next((file for file in files if file["part"] == CALIBRATION), None)
    if page is None or dry_run or request.profile.name or request.back_offset != ORIGIN:
        yield say("build.actual_size")
    else:
        yield say("build.first_both" if page["pages"] > 1 else "build.first_front", file=page["path"])
        yield say("build.then")


def _turned_warnings(manifests: tuple[Json, ...], request: BuildRequest) -> tuple[Problem, ...]:
    """Printers turn landscape pages by a quarter, some to the left, and the offset was measured on an upright page."""
    x, y = request.back_offset.x, request.back_offset.y
    return tuple(
        Problem(place=file["path"], key="--back-offset",
                what="its pages are landscape: printers turn those one way or the other",
                remedy=f"print one sheet and hold it up to the light; if it is off, try {-y:g},{x:g} or {y:g},{-x:g}")
        for file in files_in(manifests)
        if request.back_offset != ORIGIN and file["layout"]["orientation"] == "landscape"
        and any(side["side"] == "back" and side["placements"] for side in file["sides"]))


def _margin_warnings(manifests: tuple[Json, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(place=file["path"], what=f"the margin is {file['layout']['margin_mm']} mm",
                remedy=f"some printers lose {SAFE_MARGIN} mm at an edge: look at the marks, or give --margin 8mm")
        for file in files_in(manifests) if file["layout"]["margin_mm"] < SAFE_MARGIN)
