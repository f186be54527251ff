"""``ppgen export png``: every face as a picture."""

from __future__ import annotations

from dataclasses import dataclass

import click

from ppgen.cli.common import open_set, set_options, taking
from ppgen.cli.export.delivery import ExportOptions, deliver, delivery_options, export_request
from ppgen.cli.numbers import Whole
from ppgen.cli.types import between

LOWEST, HIGHEST = 30, 1200


@dataclass(frozen=True, slots=True, kw_only=True)
class PngOptions(ExportOptions):
    """What ``ppgen export png`` is asked."""

    dpi: int
    bleed: float
    corners: float


@click.command("png")
@set_options
@click.option("--dpi", type=Whole(LOWEST, HIGHEST), default=300, show_default=True, metavar="N",
              help=f"Pixels an inch, {LOWEST} to {HIGHEST}.")
@click.option("--bleed", type=between("length", 0, 10), default="0", metavar="LENGTH",
              help="How far the pictures go beyond the trim.  [default: not at all]")
@click.option("--corners", type=between("length", 0, 30), default="0", metavar="LENGTH",
              help="Radius of round transparent corners; cards have 3mm.  [default: square]")
@delivery_options
@taking(PngOptions)
def png_command(options: PngOptions) -> None:
    """Make a PNG of every face.

    They go to OUTPUT/LANG/png-…/.

    \b
    ppgen export png --lang de
    ppgen export png -l en --dpi 600 --corners 3mm --only cards
    ppgen export png --bleed 3mm --card-size poker
    """
    if options.bleed and options.corners:
        raise click.UsageError("--corners are those of the trim: they don't go with --bleed")
    from ppgen.export.pictures.png import export_png  # heavy: only for who exports

    chosen = open_set(options)
    exports = export_png(chosen.workshop, export_request(options, chosen), options.dpi, options.bleed,
                         options.corners)
    deliver(exports, chosen, options)
