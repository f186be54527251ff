"""``ppgen export cut``: drawings for cutting machines."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import click
from click.core import ParameterSource

from ppgen.cli.boundary import warn
from ppgen.cli.common import json_option, open_set, output_option, quiet_option, set_options, taking
from ppgen.cli.export.delivery import written
from ppgen.cli.sheets import PrintOptions, box_options, build_request, sheet_options
from ppgen.cli.speech import speech
from ppgen.cli.types import between
from ppgen.engine.geometry import Point
from ppgen.engine.imposition.registration import ARM, LINE
from ppgen.engine.imposition.values import Marks
from ppgen.errors import Problem, counted

OWN = ("corners", "formats", "output", "dry_run", "quiet", "as_json")
"""Options that make no difference to the printed sheets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOptions(PrintOptions):
    """What ``ppgen export cut`` is asked."""

    corners: float
    formats: tuple[str, ...]
    dry_run: bool
    quiet: bool
    as_json: bool


@click.command("cut")
@set_options
@sheet_options
@box_options
@click.option("--corners", type=between("length", 0, 100), default="3mm", show_default=True, metavar="LENGTH",
              help="Radius of the corners of cards and tiles; 0 for sharp ones.")
@click.option("--format", "formats", type=click.Choice(["svg", "dxf"]), multiple=True, default=("svg", "dxf"),
              show_default="both", help="Kind of file; several times.")
@output_option
@click.option("--dry-run", is_flag=True, help="Do everything but write the files.")
@quiet_option
@json_option
@taking(CutOptions)
def cut_command(options: CutOptions) -> None:
    """Draw the cuts of each printed sheet for a cutting machine: SVG and DXF, in OUTPUT/LANG/.

    Give the same options as to ppgen build, and the drawings match its sheets. --marks silhouette prints the marks
    that the camera of a Silhouette looks for.

    \b
    ppgen build --marks silhouette && ppgen export cut --marks silhouette
    ppgen export cut --marks silhouette --only cards --corners 2.5mm --format dxf
    ppgen export cut --margin 14mm --marks none
    """
    from ppgen.export.cut import cut_set  # heavy: only for who cuts
    from ppgen.production.manifest import files_in, to_json

    chosen = open_set(options)
    request = build_request(options, chosen)
    made = cut_set(request, chosen.workshop, options.corners, tuple(dict.fromkeys(options.formats)))
    unseen = () if request.marks is Marks.SILHOUETTE else (Problem(
        place="--marks", what="the sheets have no marks for a cutter's camera",
        remedy="a Silhouette needs --marks silhouette, here and with ppgen build"),)
    warn((*made.warnings, *unseen), options.quiet)
    if not options.dry_run:
        from ppgen.cli.output import write_files

        write_files(options.output, made.files)
    if options.as_json:
        click.echo(to_json(made.documents), nl=False)
    elif not options.quiet:
        for file in files_in(made.documents):
            click.echo(f"{file['path']}  {counted(file['cuts'], 'cut')}, "
                       f"{file['width_mm']:g} × {file['height_mm']:g} mm")
        say = speech(options.langs)
        click.echo(written(len(made.files), options.dry_run, say), err=True)
        click.echo(say("export.matching", command=" ".join(("ppgen", "build", *_of_build()))), err=True)
        if marks := next((file["registration"] for file in files_in(made.documents) if file["registration"]), None):
            measures = {"arm": ARM, "line": LINE, "inset": marks[0]["x_mm"]}
            click.echo(say("export.studio", **{name: f"{length:g}".replace(".", say("language.decimal"))
                                               for name, length in measures.items()}), err=True)


def _of_build() -> Iterator[str]:
    """The options that were given, here or in ppgen.toml, as ``ppgen build`` takes them."""
    context = click.get_current_context()
    given = (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
    for option in context.command.params:
        if not option.name or option.name in OWN or context.get_parameter_source(option.name) not in given:
            continue
        value = context.params[option.name]
        for one in value if isinstance(value, tuple) else (value,):
            yield max(option.opts, key=len)
            yield f"{one.x:g},{one.y:g}" if isinstance(one, Point) else shlex.quote(str(one))
