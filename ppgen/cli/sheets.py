"""Options of all commands that lay a set out on paper, and the build that they ask for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ppgen.cli.common import OpenSet, SetOptions, converted
from ppgen.cli.completion import offering, papers, printers
from ppgen.cli.epoch import source_date
from ppgen.cli.types import ANGLE, BOARD_SCALE, SHIFT, Named, between
from ppgen.documents.pack import CARD_THICKNESS
from ppgen.engine.geometry import Point
from ppgen.engine.imposition.values import Backs, Flip, Marks, Order
from ppgen.games.catalogue import PARTS, names

if TYPE_CHECKING:
    from ppgen.production.request import BuildRequest, Profile

_OTHER_WORD = re.compile(r"[0-9]|(printer|offset|turn|scale|bleed|board|card|margin|pad|flip|low|no|lines|silhouette"
                         r"|stack|booklet)")
"""How the words begin that other options put into the names of files."""

_OPTIONS = (
    click.option("--paper", "papers", multiple=True, metavar="NAME|WxH", default=("a4",), show_default="a4",
                 shell_complete=offering(papers),
                 help="Paper: a4, letter, a3, legal, tabloid or a measure; several times."),
    click.option("--backs", type=Named(Backs), default=Backs.DUPLEX.value, show_default=True,
                 help="Backs on the other side, beyond a fold, or none."),
    click.option("--flip", type=Named(Flip), default=Flip.LONG.value, show_default=True,
                 help="The edge at which the printer turns the sheet."),
    click.option("--back-offset", type=SHIFT, default="0,0", show_default=True, metavar="X,Y",
                 help="Move the backs right and down (mm), against the printer's drift."),
    click.option("--back-rotation", type=ANGLE, default="0", show_default=True, metavar="DEGREES",
                 help="Turn the backs clockwise."),
    click.option("--printer", metavar="NAME", shell_complete=offering(printers),
                 help="A saved printer profile: back offset, rotation and scale; see ppgen printer."),
    click.option("--marks", type=Named(Marks), default=Marks.TICKS.value, show_default=True,
                 help="How cuts are marked: ticks, full lines, none, or for the camera of a Silhouette cutter."),
    click.option("--bleed", type=between("length", 0, 10), default="2mm", show_default=True,
                 help="How far pictures go beyond the cut."),
    click.option("--margin", type=between("length", 0, 50), metavar="LENGTH",
                 help="Edge of the paper that stays free.  "
                      "[default: 8mm, down to 5mm where that saves a sheet]"),
    click.option("--order", type=Named(Order), default=Order.GRID.value, show_default=True,
                 help="'stack': piles come out sorted after cutting."),
    click.option("--board-scale", type=BOARD_SCALE, default="100%", show_default=True, metavar="PERCENT|fit",
                 help="Print boards larger or smaller, or 'fit' for a sheet each; pieces stay as they are."),
    click.option("--only", "only", multiple=True, metavar="PART", shell_complete=offering(lambda: PARTS),
                 help=f"Only this part, or the piece with this id, several times: {', '.join(PARTS)}."),
)


_BOX_OPTIONS = (
    click.option("--card-thickness", type=between("length", 0.05, 3), default=f"{CARD_THICKNESS}mm",
                 show_default=True, help="Thickness of one card, without its sleeve, for the box."),
    click.option("--sleeved", is_flag=True, help="A box for cards in sleeves: wider, higher and deeper."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintOptions(SetOptions):
    """What :func:`sheet_options` asks for, and where the files go; the rest is as usual where a command doesn't ask."""

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
    board_scale: float
    only: tuple[str, ...]
    output: Path
    sheets_per_page: str = "1"
    pad: int = 1
    booklet: bool = True
    card_thickness: float = CARD_THICKNESS
    sleeved: bool = False


def box_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How the cards go into the box."""
    for option in reversed(_BOX_OPTIONS):
        command = option(command)
    return command


def sheet_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How the set is laid out on paper, and which parts of it."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def build_request(options: PrintOptions, chosen: OpenSet) -> BuildRequest:
    """The build that the options ask for. Raises BadParameter for a paper that isn't one."""
    from ppgen.production.request import BuildRequest

    printer = _profile(options, chosen)
    papers = (converted(chosen.formats.paper, "--paper", text) for text in options.papers)
    return BuildRequest(
        langs=chosen.langs, papers=tuple(dict.fromkeys(papers)), card_size=chosen.card_size,
        usual_card=chosen.workshop.game.card_size, backs=options.backs, flip=options.flip, profile=printer,
        back_offset=printer.back_offset if _is_of(printer, "back_offset") else options.back_offset,
        back_rotation=printer.back_rotation if _is_of(printer, "back_rotation") else options.back_rotation,
        scale=printer.scale, ink=options.ink, skin=options.skin, marks=options.marks, bleed=options.bleed,
        margin=options.margin, order=options.order, sheets_per_page=int(options.sheets_per_page), pad=options.pad,
        booklet=options.booklet, card_thickness=options.card_thickness, sleeved=options.sleeved,
        board_scale=options.board_scale, chosen=tuple(chosen.workshop.game.chosen.values()),
        parts=tuple(dict.fromkeys(options.only)), folder=options.output.as_posix(), game=chosen.workshop.apart,
        date=_pdf_date())


def _profile(options: PrintOptions, chosen: OpenSet) -> Profile:
    """The printer's profile, if one is asked for; its name in files is never one that another option puts there."""
    from ppgen.production.request import Profile

    if not options.printer:
        return Profile()
    from ppgen.cli.profiles import profile

    name, printer, assets = options.printer, profile(options.printer), chosen.workshop.assets
    taken = name in chosen.formats.sizes or name in assets.skins or name.endswith(tuple(names(assets))) or any(
        name in choice.values for choice in chosen.workshop.game.choices) or _OTHER_WORD.match(name)
    return Profile(name=f"printer-{name}" if taken else name, back_offset=printer.back_offset,
                   back_rotation=printer.back_rotation, scale=printer.scale)


def _is_of(printer: Profile, option: str) -> bool:
    """Whether the profile says it: there is one, and nothing else was typed beside it."""
    source = click.get_current_context().get_parameter_source(option)
    return bool(printer.name) and source is not ParameterSource.COMMANDLINE


def _pdf_date() -> str:
    """A PDF date from SOURCE_DATE_EPOCH, if it is set."""
    moment = source_date()
    return f"D:{moment:%Y%m%d%H%M%S}Z" if moment else ""
