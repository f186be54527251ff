"""``ppgen printer``: saved printer profiles, and the questions about a calibration page."""

from __future__ import annotations

from typing import Any

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import InlineGroup, print_json, warn
from ppgen.cli.messages import can_ask, interface_texts, message_lang_option, usual_option
from ppgen.cli.options import complete_with, json_option, printers, quiet_option
from ppgen.cli.print_options import ParsedOption, data_words, request_option
from ppgen.engine.geometry import Point, parse_shift, read_formats
from ppgen.engine.imposition.sheets import LARGEST_DRIFT
from ppgen.errors import Phrase, Problem, RequestError, join_names
from ppgen.printing.calibration import (ACROSS, DOWN, DRIFT_DEGREES_PER_MM, MAX_READING_MM, MAX_RULER_ERROR_MM,
                                        PRINTER_NAME, QUESTIONS, READINGS, RULER_MM, Printer, duplex_drift,
                                        edit_profiles, load_profiles, profile_path, read_number)
from ppgen.printing.request import SHIFT, Parser, is_file_word
from ppgen.reading.texts import Texts
from ppgen.records import dataclass

# Questions about the calibration page: a number for each, with a way back

@dataclass(frozen=True, slots=True, kw_only=True)
class Readings:
    """Measurements of a printer; None if not given."""

    reading_a: Point | None = None
    reading_b: Point | None = None
    back_offset: Point | None = None
    back_rotation: float | None = None
    rulers: Point | None = None
    brightness: float | None = None


def ask_readings(say: Texts, rulers: Point) -> Readings:
    """Ask for the rulers and the readings of A and B; the defaults are these ``rulers`` and 0."""
    answers = {ACROSS: rulers.x, DOWN: rulers.y}
    click.echo(say("printer.intro"), err=True)
    index = 0
    while index < len(QUESTIONS):
        question = QUESTIONS[index]
        default = answers.get(question, 0.0)
        scale, axis = READINGS.get(question, ("", ""))
        words = (say("printer.reading", scale=scale, axis=axis) if scale else
                 say("printer.across" if question == ACROSS else "printer.down"))
        typed = click.prompt(f"{words} [{_format_number(say, default)}]", default="", show_default=False, err=True)
        if typed.strip() in ("<", "＜"):
            index = max(0, index - 1)
            continue
        try:
            number = read_number(typed) if typed.strip() else default
        except ValueError:
            click.echo(say("printer.not_number", text=typed.strip()), err=True)
            continue
        if error := answer_error(say, question, number):
            click.echo(error, err=True)
            continue
        answers[question] = number
        index += 1
    a, b = (Point(answers[f"{scale}-x"], answers[f"{scale}-y"]) for scale in "ab")
    return Readings(reading_a=a, reading_b=b, rulers=Point(answers[ACROSS], answers[DOWN]))


def answer_error(say: Texts, question: str, number: float) -> str:
    """The problem with an answer; empty if there is none."""
    if question in READINGS:
        return say("printer.too_far", number=_format_number(say, number)) if not abs(number) <= MAX_READING_MM else ""
    if abs(number - RULER_MM) <= MAX_RULER_ERROR_MM:
        return ""
    return say("printer.ruler_off", number=_format_number(say, number), most=f"{MAX_RULER_ERROR_MM:g}")


def _format_number(say: Texts, number: float) -> str:
    return f"{number:g}".replace("-", "−").replace(".", say("language.decimal"))


# --- Commands ---

def _parse_name(text: str) -> str:
    if not PRINTER_NAME.fullmatch(text):
        raise ValueError(Phrase("printer_name", text=text))
    return text


def _parse_rulers(text: str) -> Point:
    try:
        lengths = parse_shift(text)
    except ValueError:
        raise ValueError(Phrase("not_rulers", text=text)) from None
    if not all(abs(length - RULER_MM) <= MAX_RULER_ERROR_MM for length in (lengths.x, lengths.y)):
        raise ValueError(Phrase("rulers_off", text=text, most=f"{MAX_RULER_ERROR_MM:g}"))
    return lengths


def _require_name(context: click.Context, parameter: click.Parameter, name: str | None) -> str:
    """Refuse a missing name with an example: any name will do."""
    if name is None:
        context.fail(Phrase("missing_name", command=f"{context.command_path} home"))
    return name


NAME, RULERS = Parser(_parse_name, "NAME"), Parser(_parse_rulers, "ACROSS,DOWN", "95…105")


@click.group("printer", cls=InlineGroup)
def printer_group() -> None:
    """Builds with --printer make up for what a profile says.

    \b
    ppgen build --only calibration
    ppgen printer save home --a 0.5,-1 --b 0.5,-0.6 --rulers 99.6,100
    ppgen build --printer home
    """


@printer_group.command("save")
@click.argument("name", type=ParsedOption(NAME), required=False, callback=_require_name, metavar="NAME",
                shell_complete=complete_with(printers))
@usual_option("--a", "reading_a", type=ParsedOption(SHIFT))
@usual_option("--b", "reading_b", type=ParsedOption(SHIFT))
@request_option("back_offset", default=None, show_default=False, help="Back offset, instead of --a and --b.")
@request_option("back_rotation", default=None, show_default=False, help="Back rotation, instead of --a and --b.")
@request_option("brightness", default=None, show_default=False,
                help="Brightness of pictures: the first block of the strip whose steps differ.")
@usual_option("--rulers", type=ParsedOption(RULERS))
@message_lang_option
@quiet_option
def save_command(name: str, lang: str | None, quiet: bool, **readings: Any) -> None:
    """NAME is any name, like home. Without values it asks for the readings of the calibration page, on a terminal.
    """
    say, values, shipped = interface_texts(lang), Readings(**readings), Assets.at()
    if is_file_word(name, data_words(shipped, read_formats(shipped.data))):
        raise RequestError.at(name, Phrase("file_word"), Phrase("like_home"))
    if values == Readings():
        if not can_ask():
            raise RequestError.at(name, Phrase("nothing_to_save"), Phrase("give_readings"))
        values = ask_readings(say, load_profiles().get(name, Printer()).rulers)
    with edit_profiles() as printers:
        old = printers.get(name, Printer())
        offset, rotation = _drift(values, old)
        printers[name] = saved = Printer(
            back_offset=offset, back_rotation=rotation, rulers=values.rulers or old.rulers,
            brightness=values.brightness or old.brightness)
    if not quiet:
        click.echo(_format_profile(say, name, saved))
        click.echo(say("printer.saved", file=profile_path(), name=name), err=True)
        if values.reading_a is None:
            warn(askew_warnings(saved.back_rotation), quiet)
        elif doubt := askew_text(say, saved.back_rotation):
            click.echo(doubt, err=True)


def askew_text(say: Texts, angle: float) -> str:
    """The doubt in readings that give a back rotation larger than any drift; empty for others."""
    return say("printer.askew", angle=_format_number(say, angle)) if abs(angle) >= LARGEST_DRIFT else ""


def askew_warnings(angle: float) -> tuple[Problem, ...]:
    """Warn of a back rotation larger than any drift."""
    return (Problem("--back-rotation", Phrase("askew", angle=f"{angle:g}"), Phrase("askew_try")),
            ) if abs(angle) >= LARGEST_DRIFT else ()


@printer_group.command("list")
@message_lang_option
@json_option
def list_command(lang: str | None, as_json: bool) -> None:
    """List the saved profiles."""
    say, printers = interface_texts(lang), load_profiles()
    if as_json:
        print_json({name: {
            "back_offset_mm": {"x": printer.back_offset.x, "y": printer.back_offset.y},
            "back_rotation": printer.back_rotation,
            "rulers_mm": {"across": printer.rulers.x, "down": printer.rulers.y},
            **({"brightness": printer.brightness} if printer.brightness != 100 else {}),
            "scale": {"x": printer.scale.x, "y": printer.scale.y}} for name, printer in sorted(printers.items())})
        return
    for name, printer in sorted(printers.items()):
        click.echo(_format_profile(say, name, printer))
    if not printers:
        click.echo(say("printer.none"), err=True)


@printer_group.command("remove")
@click.argument("name", type=ParsedOption(NAME), shell_complete=complete_with(printers))
@message_lang_option
@quiet_option
def remove_command(name: str, lang: str | None, quiet: bool) -> None:
    """Delete a profile."""
    with edit_profiles() as printers:
        if name not in printers:
            raise RequestError.at(name, Phrase("unknown_printer", name=name),
                                  Phrase("known", message=join_names(sorted(printers)) or Phrase("none")))
        del printers[name]
    if not quiet:
        click.echo(interface_texts(lang)("printer.forgotten", name=name), err=True)


def _drift(values: Readings, old: Printer) -> tuple[Point, float]:
    """Offset and rotation from the readings or options, else the old ones. Raises RequestError for a single reading."""
    a, b = values.reading_a, values.reading_b
    if (a is None) != (b is None):
        raise RequestError.at("--b" if b is None else "--a", Phrase("is_missing"), Phrase("both_scales"))
    if a is not None and (values.back_offset is not None or values.back_rotation is not None):
        raise RequestError.at("--a", Phrase("same_as_offset"), Phrase("readings_or_values"))
    if a is not None and b is not None:
        return duplex_drift(a, b, DRIFT_DEGREES_PER_MM)
    return (old.back_offset if values.back_offset is None else values.back_offset,
            old.back_rotation if values.back_rotation is None else values.back_rotation)


def _format_profile(say: Texts, name: str, printer: Printer) -> str:
    values = {"x": printer.back_offset.x, "y": printer.back_offset.y, "turn": printer.back_rotation,
              "across": 100 * printer.scale.x, "down": 100 * printer.scale.y}
    numbers = {key: _format_number(say, value) for key, value in values.items()}
    bright = say("printer.brightness", percent=f"{printer.brightness:g}")
    return f"{name:<12} {say('printer.profile', **numbers)}{bright if printer.brightness != 100 else ''}"
