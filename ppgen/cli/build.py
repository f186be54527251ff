"""``ppgen build``: print a set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppgen.cli.boundary import warn
from ppgen.cli.common import json_option, open_set, output_option, quiet_option, set_options
from ppgen.cli.sheets import box_options, build_request, sheet_options
from ppgen.errors import Problem
from ppgen.production.manifest import Json, files_in

SAFE_MARGIN = 6.35
"""Many home printers lose a quarter of an inch at the bottom."""


@click.command("build")
@set_options
@sheet_options
@click.option("--sheets-per-page", type=click.Choice(["1", "2"]), default="1", show_default=True,
              help="Score sheets side by side on a sheet of paper; a single one can be filled in on the screen.")
@click.option("--pad", type=click.IntRange(1, 500), default=1, show_default=True, metavar="N",
              help="So many sheets of score sheets.")
@click.option("--booklet/--no-booklet", default=True, show_default=True,
              help="Rules and making guide on sheets to fold in the middle, or page by page.")
@box_options
@output_option
@click.option("--dry-run", is_flag=True, help="Do everything but write the files.")
@quiet_option
@json_option
def build_command(**options: Any) -> None:
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
    warn((*built.warnings, *_margin_warnings(built.manifests)), options["quiet"])
    output: Path = options["output"]
    if not options["dry_run"]:
        from ppgen.cli.output import write_files

        write_files(output, built.files)
    if options["as_json"]:
        click.echo(to_json(built.manifests), nl=False)
    elif not options["quiet"]:
        for file in files_in(built.manifests):
            on = _counted(file["sheets"], "sheet") if file["sheets"] else "for the screen"
            click.echo(f"{file['path']}  {_counted(file['pages'], 'page')}, {on}")
        done = "would be written" if options["dry_run"] else "written"
        sheets = sum(file["sheets"] for file in files_in(built.manifests))
        click.echo(f"{_counted(len(built.files), 'file')} {done}; {_counted(sheets, 'sheet')} of paper. "
                   "Print at 100 %.", err=True)


def _margin_warnings(manifests: tuple[Json, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(place=file["path"], what=f"the margin is {file['layout']['margin_mm']} mm",
                remedy=f"some printers lose {SAFE_MARGIN} mm at an edge: look at the marks, or give --margin 8mm")
        for file in files_in(manifests) if file["layout"]["margin_mm"] < SAFE_MARGIN)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
