"""``ppgen printer``: what the calibration page said of a printer, kept under a name."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from ppgen.cli.common import json_option, quiet_option
from ppgen.cli.completion import offering, printers
from ppgen.cli.printer_questions import Answers, Values, ask, shown
from ppgen.cli.profiles import changing, file, keep_unfinished, load, unfinished
from ppgen.cli.speech import spoken, spoken_option
from ppgen.cli.types import ANGLE, SHIFT, Parsed
from ppgen.documents.calibration import SLOPE
from ppgen.engine.geometry import Point
from ppgen.engine.units import parse_shift
from ppgen.errors import InputError, Problem, RequestError, listed
from ppgen.production.printers import MOST_OFF, NAME, RULER, Printer, drift
from ppgen.reading.texts import Texts


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise ValueError(f"'{text}' is not a name (small letters, digits and hyphens)")
    return text


def _rulers(text: str) -> Point:
    try:
        lengths = parse_shift(text)
    except ValueError:
        raise ValueError(f"'{text}' is not two lengths (write it like 99.6,100)") from None
    if not all(abs(length - RULER) <= MOST_OFF for length in (lengths.x, lengths.y)):
        raise ValueError(f"{text} is more than {MOST_OFF:g} mm off: print at 100%, not “fit to page”; measure again")
    return lengths


NAMED, RULERS = Parsed("name", _name), Parsed("across,down", _rulers)


@click.group("printer")
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
@spoken_option
@quiet_option
def save_command(name: str, lang: str | None, quiet: bool, **given: Any) -> None:
    """Save a profile, or change the given values of one.

    Without values, on a terminal, it asks for what the calibration page shows, one number after the other.
    """
    say, values = spoken(lang), Values(**given)
    if values == Values():
        if not _on_terminal():
            raise RequestError([Problem(place=name, what="nothing to save", remedy="give --a and --b as read off the "
                                        "calibration page, --back-offset, --back-rotation or --rulers")])
        values = _asked(name, say)
    with changing() as printers:
        earlier = printers.get(name, Printer())
        offset, rotation = _drift(values, earlier)
        printers[name] = Printer(back_offset=offset, back_rotation=rotation, rulers=values.rulers or earlier.rulers)
    keep_unfinished(name, {})
    if not quiet:
        click.echo(_line(say, name, printers[name]))
        click.echo(say("printer.saved", file=file(), name=name), err=True)


@printer_group.command("list")
@spoken_option
@json_option
def list_command(lang: str | None, as_json: bool) -> None:
    """List the profiles that are kept."""
    say, printers = spoken(lang), load()
    if as_json:
        click.echo(json.dumps({name: _entry(printer) for name, printer in sorted(printers.items())}, indent=1))
        return
    for name, printer in sorted(printers.items()):
        click.echo(_line(say, name, printer))
    if not printers:
        click.echo(say("printer.none"), err=True)


@printer_group.command("remove")
@click.argument("name", type=NAMED, shell_complete=offering(printers))
@spoken_option
@quiet_option
def remove_command(name: str, lang: str | None, quiet: bool) -> None:
    """Forget a profile."""
    with changing() as printers:
        if name not in printers:
            raise RequestError([Problem(place=name, what="is no saved printer",
                                        remedy=f"known: {listed(sorted(printers)) or 'none'}")])
        del printers[name]
    if not quiet:
        click.echo(spoken(lang)("printer.forgotten", name=name), err=True)


def _on_terminal() -> bool:
    return sys.stdin.isatty()


def _drift(values: Values, earlier: Printer) -> tuple[Point, float]:
    """Offset and rotation as read, as given, or as they were. Raises RequestError for one reading without the other."""
    a, b = values.reading_a, values.reading_b
    if (a is None) != (b is None):
        raise RequestError([Problem(place="--b" if b is None else "--a", what="is missing",
                                    remedy="read both scales: their difference shows if the back is askew")])
    if a is not None and (values.back_offset is not None or values.back_rotation is not None):
        raise RequestError([Problem(place="--a", what="says the same as --back-offset and --back-rotation",
                                    remedy="give the readings or the values")])
    if a is not None and b is not None:
        return drift(a, b, SLOPE)
    return (earlier.back_offset if values.back_offset is None else values.back_offset,
            earlier.back_rotation if values.back_rotation is None else values.back_rotation)


def _asked(name: str, say: Texts) -> Values:
    """What the calibration page shows, asked for; who stops before the end goes on there the next time."""
    given: Answers = {}

    def keep(answers: Answers) -> None:
        nonlocal given
        given = dict(answers)
        keep_unfinished(name, given)

    try:
        return ask(say, unfinished(name), load().get(name, Printer()).rulers, keep)
    except click.Abort:
        if not given:
            raise
        click.echo(f"\n{say('printer.kept', name=name)}", err=True)
        raise click.exceptions.Exit(InputError.exit_code) from None


def _line(say: Texts, name: str, printer: Printer) -> str:
    values = {"x": printer.back_offset.x, "y": printer.back_offset.y, "turn": printer.back_rotation,
              "across": 100 * printer.scale.x, "down": 100 * printer.scale.y}
    shown_values = {key: shown(say, value) for key, value in values.items()}
    return f"{name:<12} {say('printer.profile', **shown_values)}"


def _entry(printer: Printer) -> dict[str, object]:
    return {"back_offset_mm": {"x": printer.back_offset.x, "y": printer.back_offset.y},
            "back_rotation": printer.back_rotation,
            "rulers_mm": {"across": printer.rulers.x, "down": printer.rulers.y},
            "scale": {"x": printer.scale.x, "y": printer.scale.y}}
