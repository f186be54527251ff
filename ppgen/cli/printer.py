"""``ppgen printer``: what the calibration page said of a printer, kept under a name."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from ppgen.cli.common import json_option, quiet_option
from ppgen.cli.completion import offering, printers
from ppgen.cli.profiles import load, store
from ppgen.cli.types import ANGLE, SHIFT, Parsed
from ppgen.documents.calibration import SLOPE
from ppgen.engine.geometry import Point
from ppgen.engine.units import parse_shift
from ppgen.errors import Problem, RequestError, listed
from ppgen.printers import MOST_OFF, NAME, RULER, Printer, drift


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise ValueError(f"'{text}' is not a name (small letters, digits and hyphens)")
    return text


def _rulers(text: str) -> Point:
    lengths = parse_shift(text)
    if not all(abs(length - RULER) <= MOST_OFF for length in (lengths.x, lengths.y)):
        raise ValueError(f"{text} is more than {MOST_OFF:g} mm off: print at 100 %, not “fit to page”; measure anew")
    return lengths


NAMED, RULERS = Parsed("name", _name), Parsed("across,down", _rulers)


@click.group("printer", short_help="What your printer does, measured and kept.")
def printer_group() -> None:
    """Keep what the calibration page said of your printer, and print with it: ppgen build --printer NAME.

    \b
    ppgen build --only calibration
    ppgen printer save home --a 0.5,-1 --b 0.5,-0.6 --rulers 99.6,100
    ppgen build --printer home
    """


@printer_group.command("save")
@click.argument("name", type=NAMED, shell_complete=offering(printers))
@click.option("--a", "reading_a", type=SHIFT, metavar="X,Y", help="What the back's cross shows on the scales A.")
@click.option("--b", "reading_b", type=SHIFT, metavar="X,Y", help="The same on the scales B.")
@click.option("--back-offset", type=SHIFT, metavar="X,Y", help="Instead of --a and --b: the offset as build takes it.")
@click.option("--back-rotation", type=ANGLE, metavar="DEGREES", help="Instead of --a and --b: the rotation.")
@click.option("--rulers", type=RULERS, metavar="ACROSS,DOWN",
              help="What the two rulers of 100 mm measure on paper; sheets are then drawn to come out right.")
@quiet_option
def save_command(name: str, quiet: bool, **options: Any) -> None:
    """Save a profile, or change the given values of one. Without values, on a terminal, it asks."""
    printers = load()
    if all(value is None for value in options.values()):
        if not _on_terminal():
            raise RequestError([Problem(place=name, what="nothing to save", remedy="give --a and --b as read off the "
                                        "calibration page, --back-offset, --back-rotation or --rulers")])
        options = _asked()
    earlier = printers.get(name, Printer())
    offset, rotation = _drift(options, earlier)
    printers[name] = Printer(back_offset=offset, back_rotation=rotation, rulers=options["rulers"] or earlier.rulers)
    file = store(printers)
    if not quiet:
        click.echo(_line(name, printers[name]))
        click.echo(f"Saved in {file}. Print with: ppgen build --printer {name}", err=True)


@printer_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the profiles that are kept."""
    printers = load()
    if as_json:
        click.echo(json.dumps({name: _entry(printer) for name, printer in sorted(printers.items())}, indent=1))
        return
    for name, printer in sorted(printers.items()):
        click.echo(_line(name, printer))
    if not printers:
        click.echo("No profile yet. Print ppgen build --only calibration, then: ppgen printer save NAME", err=True)


@printer_group.command("remove")
@click.argument("name", type=NAMED, shell_complete=offering(printers))
@quiet_option
def remove_command(name: str, quiet: bool) -> None:
    """Forget a profile."""
    printers = load()
    if name not in printers:
        raise RequestError([Problem(place=name, what="is no saved printer",
                                    remedy=f"known: {listed(sorted(printers)) or 'none'}")])
    del printers[name]
    store(printers)
    if not quiet:
        click.echo(f"{name} is forgotten.", err=True)


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _drift(options: dict[str, Any], earlier: Printer) -> tuple[Point, float]:
    """Offset and rotation as read, as given, or as they were. Raises RequestError for one reading without the other."""
    a, b = options["reading_a"], options["reading_b"]
    if (a is None) != (b is None):
        raise RequestError([Problem(place="--b" if b is None else "--a", what="is missing",
                                    remedy="read both scales: their difference shows if the back is askew")])
    if a is not None and (options["back_offset"] is not None or options["back_rotation"] is not None):
        raise RequestError([Problem(place="--a", what="says the same as --back-offset and --back-rotation",
                                    remedy="give the readings or the values")])
    if a is not None:
        return drift(a, b, SLOPE)
    return (earlier.back_offset if options["back_offset"] is None else options["back_offset"],
            earlier.back_rotation if options["back_rotation"] is None else options["back_rotation"])


def _asked() -> dict[str, Any]:
    """The readings, asked for one after the other as the calibration page has them."""
    click.echo("Print the calibration page at 100 % on both sides, and read it as it tells.", err=True)
    asked = {name: click.prompt(words, default=usual, type=kind, err=True) for name, words, usual, kind in (
        ("rulers", "Length of the two rulers, across and down (mm)", f"{RULER:g},{RULER:g}", RULERS),
        ("reading_a", "Scales A: X,Y", "0,0", SHIFT), ("reading_b", "Scales B: X,Y", "0,0", SHIFT))}
    return {**asked, "back_offset": None, "back_rotation": None}


def _line(name: str, printer: Printer) -> str:
    return (f"{name:<12} back offset {printer.back_offset.x:g},{printer.back_offset.y:g} mm, rotation "
            f"{printer.back_rotation:g}°, scale {100 * printer.scale.x:g} % across, {100 * printer.scale.y:g} % down")


def _entry(printer: Printer) -> dict[str, object]:
    return {"back_offset_mm": {"x": printer.back_offset.x, "y": printer.back_offset.y},
            "back_rotation": printer.back_rotation,
            "rulers_mm": {"across": printer.rulers.x, "down": printer.rulers.y},
            "scale": {"x": printer.scale.x, "y": printer.scale.y}}
