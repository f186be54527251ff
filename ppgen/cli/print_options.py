"""Options of all commands that lay a set out on paper, their types, and the build request made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ppgen.cli.option_types import WholeNumber, source_date
from ppgen.cli.options import OpenSet, SetOptions, complete_with, convert_option, papers, printers
from ppgen.engine.geometry import Point, parse_length, parse_shift
from ppgen.engine.imposition.sheets import LARGEST_ANGLE, LARGEST_SHIFT, Backs, Flip, Marks, Order
from ppgen.games.catalogue import PARTS, game_names
from ppgen.games.choices import CHOICES
from ppgen.production.pack import CARD_THICKNESS

if TYPE_CHECKING:
    from ppgen.assets import Assets
    from ppgen.engine.geometry import Formats
    from ppgen.production.request import BuildRequest, Profile


# Option types

class ParsedOption(click.ParamType[Any]):
    """An option type from a parser that raises ValueError; reported as a usage error (exit code 2).

    ``limits`` are those of its values, as help shows them.
    """

    def __init__(self, name: str, parse: Callable[[str], Any], limits: str = "") -> None:
        self.name, self.parse, self.limits = name, parse, limits

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, (str, int, float)) or isinstance(value, bool):
            return value
        try:
            return self.parse(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def length_between(minimum: float, maximum: float) -> ParsedOption:
    """A length within limits in mm."""

    def parse(text: str) -> float:
        length = parse_length(text)
        if not minimum <= length <= maximum:
            raise ValueError(f"{text} is out of range (from {minimum:g} mm to {maximum:g} mm)")
        return length

    return ParsedOption("length", parse, f"{minimum:g} to {maximum:g} mm")


def _parse_angle(text: str) -> float:
    try:
        angle = float(text)
    except ValueError:
        raise ValueError(f"'{text}' is not a number of degrees") from None
    if not abs(angle) <= LARGEST_ANGLE:  # also refuses nan
        raise ValueError(f"{text} is out of range (from -{LARGEST_ANGLE:g} to {LARGEST_ANGLE:g})")
    return angle


ANGLE = ParsedOption("degrees", _parse_angle, f"-{LARGEST_ANGLE:g} to {LARGEST_ANGLE:g}")


MIN_PERCENT = 10
"""A bare number from here on is a percentage."""


def _parse_board_scale(text: str) -> float:
    from ppgen.production.request import FIT  # slow import

    if text == "fit":
        return FIT
    try:
        number = float(text.removesuffix("%").strip())
    except ValueError:
        raise ValueError(f"'{text}' is not a scale (write it like 75%, 0.75 or fit)") from None
    is_percent = text.endswith("%") or number >= MIN_PERCENT
    scale = number / 100 if is_percent else number
    if not 0.1 <= scale <= 2:
        raise ValueError(f"{text} is out of range (from 10% to 200%, or fit)")
    return scale


BOARD_SCALE = ParsedOption("scale", _parse_board_scale, "10% to 200%")


def _parse_resolution(text: str) -> float:
    try:
        dpi = float(text.removesuffix("dpi").strip())
    except ValueError:
        raise ValueError(f"'{text}' is not a resolution (write it like 350dpi)") from None
    if not 72 <= dpi <= 2400:
        raise ValueError(f"{text} is out of range (from 72dpi to 2400dpi)")
    return dpi


RESOLUTION = ParsedOption("resolution", _parse_resolution, "72dpi to 2400dpi")


def _parse_small_shift(text: str) -> Point:
    shift = parse_shift(text)
    if max(abs(shift.x), abs(shift.y)) > LARGEST_SHIFT:
        raise ValueError(f"{text} is out of range (each from -{LARGEST_SHIFT:g} mm to {LARGEST_SHIFT:g} mm)")
    return shift


SHIFT = ParsedOption("x,y", _parse_small_shift)


class EnumChoice(click.Choice[str]):
    """A choice among the values of an enumeration."""

    def __init__(self, kind: type[StrEnum]) -> None:
        super().__init__([member.value for member in kind])
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> StrEnum:
        return self._kind(super().convert(value, param, ctx))


# Options

pictures_option = click.option("--pictures", type=RESOLUTION, metavar="DPI", show_default="as they are",
                               help="Reduce finer pictures of a deck of your own to this resolution, for smaller files.")
_SHEET_OPTIONS = (
    click.option("--paper", "papers", multiple=True, metavar="NAME|WxH", default=("a4",), show_default="a4",
                 shell_complete=complete_with(papers),
                 help="a4, letter, a3, legal, tabloid, or a size like 200x250mm; repeatable."),
    click.option("--backs", type=EnumChoice(Backs), default=Backs.DUPLEX.value, show_default=True,
                 help="Backs on the other side, beyond a fold, or no backs."),
    click.option("--flip", type=EnumChoice(Flip), default=Flip.LONG.value, show_default=True,
                 help="Edge along which your printer turns the sheet."),
    click.option("--back-offset", type=SHIFT, default="0,0", show_default=True, metavar="X,Y",
                 help="Move the backs right and down (mm) to make up for the printer."),
    click.option("--back-rotation", type=ANGLE, default="0", show_default=True, metavar="DEGREES",
                 help="Turn the backs clockwise (degrees)."),
    click.option("--printer", metavar="NAME", shell_complete=complete_with(printers),
                 help="Use a saved profile: back offset, rotation, scale (ppgen help printer)."),
    click.option("--marks", type=EnumChoice(Marks), default=Marks.TICKS.value, show_default=True,
                 help="Cut marks: at the ends, full lines, none, or for a Silhouette cutter."),
    click.option("--bleed", type=length_between(0, 10), default="2mm", show_default=True,
                 help="Extend pictures this far beyond the cut."),
    click.option("--margin", type=length_between(0, 50), metavar="LENGTH",
                 show_default="8mm, or 5mm if that saves a sheet", help="Keep this much of the paper's edge free."),
    click.option("--order", type=EnumChoice(Order), default=Order.GRID.value, show_default=True,
                 help="Fill sheet after sheet, or so that cut piles come out sorted."),
    click.option("--sets", type=WholeNumber(1, 100), default=1, show_default=True, metavar="N",
                 help="Print the pieces of N sets on the fewest sheets; rules and score sheet come once."),
    click.option("--board-scale", type=BOARD_SCALE, default="100%", show_default=True, metavar="PERCENT|fit",
                 help="Scale boards, or fit each to a sheet; pieces keep their size."),
    pictures_option,
    click.option("--only", "only", multiple=True, metavar="PART", shell_complete=complete_with(lambda: PARTS),
                 help=f"Print only this part or piece; repeatable: {', '.join(PARTS)}, or an id (ppgen list)."),
)

_BOX_OPTIONS = (
    click.option("--card-thickness", type=length_between(0.05, 3), default=f"{CARD_THICKNESS}mm",
                 show_default=True, help="Thickness of one card without sleeve, for the box."),
    click.option("--sleeved", is_flag=True, help="Make the box large enough for cards in sleeves."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOptions(SetOptions):
    """Values of :func:`sheet_options` and the output folder; defaults for options that not all of the commands have."""

    papers: tuple[str, ...]
    backs: Backs
    flip: Flip
    back_offset: Point
    back_rotation: float
    printer: str | None
    marks: Marks
    bleed: float
    margin: float | None
    order: Order
    sets: int
    board_scale: float
    pictures: float | None
    only: tuple[str, ...]
    output: Path
    sheets_per_page: str = "1"
    pad: int = 1
    booklet: bool = True
    card_thickness: float = CARD_THICKNESS
    sleeved: bool = False


def box_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the tuck box."""
    for option in reversed(_BOX_OPTIONS):
        command = option(command)
    return command


def sheet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the layout on paper and the parts to print."""
    for option in reversed(_SHEET_OPTIONS):
        command = option(command)
    return command


# Build request

def build_request(options: PrintOptions, chosen: OpenSet) -> BuildRequest:
    """The build that the options request. Raises BadParameter for an unknown paper."""
    from ppgen.production.request import BuildRequest

    printer = _profile(options, chosen)
    papers = (convert_option(chosen.formats.paper, "--paper", text) for text in options.papers)
    return BuildRequest(
        langs=chosen.langs, papers=tuple(dict.fromkeys(papers)), card_size=chosen.card_size,
        usual_card=chosen.workshop.game.card_size, backs=options.backs, flip=options.flip, profile=printer,
        back_offset=printer.back_offset if _overrides(printer, "back_offset") else options.back_offset,
        back_rotation=printer.back_rotation if _overrides(printer, "back_rotation") else options.back_rotation,
        scale=printer.scale, ink=options.ink, skin=options.skin, marks=options.marks, bleed=options.bleed,
        margin=options.margin, order=options.order, sets=options.sets,
        sheets_per_page=int(options.sheets_per_page), pad=options.pad,
        booklet=options.booklet, card_thickness=options.card_thickness, sleeved=options.sleeved,
        board_scale=options.board_scale, pictures=(options.pictures or 0.0) if chosen.workshop.pictures else 0.0,
        chosen=chosen.workshop.game.chosen_words,
        parts=tuple(dict.fromkeys(options.only)), folder=options.output.as_posix(), game=chosen.workshop.game_suffix,
        date=_pdf_date())


def _profile(options: PrintOptions, chosen: OpenSet) -> Profile:
    """The requested printer profile, if any; with a prefix if its name in file names could mean another option."""
    from ppgen.production.request import OWN_PREFIX, Profile, is_file_word

    if not options.printer:
        return Profile()
    from ppgen.cli.printer import load_profile

    name, printer, game = options.printer, load_profile(options.printer), chosen.workshop.game
    words = (*data_words(chosen.workshop.assets, chosen.formats), *(str(entry["id"]) for entry in game.describe()))
    return Profile(name=f"{OWN_PREFIX}{name}" if is_file_word(name, words) else name, back_offset=printer.back_offset,
                   back_rotation=printer.back_rotation, scale=printer.scale)


def data_words(assets: Assets, formats: Formats) -> tuple[str, ...]:
    """The words in file names that come from data: card sizes, skins, games, and the values of choices."""
    chosen = (choice.file_word(value) for choice in CHOICES for value in choice.values)
    return (*formats.sizes, *assets.skins, *game_names(assets), *chosen)


def _overrides(printer: Profile, option: str) -> bool:
    """Whether the profile overrides an option: one is requested, and the option is not on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return bool(printer.name) and source is not ParameterSource.COMMANDLINE


def _pdf_date() -> str:
    """A PDF date from SOURCE_DATE_EPOCH; empty if it is not set."""
    date = source_date()
    return f"D:{date:%Y%m%d%H%M%S}Z" if date else ""
