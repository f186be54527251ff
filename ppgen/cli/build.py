"""``ppgen build``: print a set."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ppgen.assets import Assets
from ppgen.cli.boundary import warn
from ppgen.cli.common import (
    FOLDER,
    chosen_languages,
    folder_options,
    json_option,
    lang_option,
    quiet_option,
    shipped_languages,
    skin_option,
)
from ppgen.cli.types import ANGLE, SHIFT, Parsed, between, named
from ppgen.documents.tuck_box import CARD_THICKNESS
from ppgen.engine.formats import read_formats
from ppgen.engine.imposition.values import Backs, Flip, Marks, Order
from ppgen.errors import InputError, Problem, Problems, RequestError
from ppgen.production.manifest import Json, files_in

SAFE_MARGIN = 6.35
"""Many home printers lose a quarter of an inch at the bottom."""


@click.command("build")
@lang_option("Language of the set; several times, or 'all'. Default: the locale's, else de.")
@click.option("--paper", "papers", multiple=True, metavar="NAME|WxH", default=("a4",), show_default="a4",
              help="Paper: a4, letter, a3, legal, tabloid or a measure; several times.")
@click.option("--card-size", default="mini-euro", show_default=True, metavar="NAME|WxH",
              help="Trim size of the cards: mini-euro, poker, standard, … or a measure like 63x88mm.")
@click.option("--backs", type=named(Backs), default=Backs.DUPLEX.value, show_default=True,
              help="Backs on the other side, beyond a fold, or none.")
@click.option("--flip", type=named(Flip), default=Flip.LONG.value, show_default=True,
              help="The edge at which the printer turns the sheet.")
@click.option("--back-offset", type=SHIFT, default="0,0", show_default=True, metavar="X,Y",
              help="Move the backs right and down (mm), against the printer's drift.")
@click.option("--back-rotation", type=ANGLE, default="0", show_default=True, metavar="DEGREES",
              help="Turn the backs clockwise.")
@click.option("--printer", metavar="NAME", help="A saved printer profile (not yet to be had).")
@click.option("--ink", type=click.Choice(["full", "low"]), default="full", show_default=True,
              help="Full colour, or a design of its own that needs little ink.")
@skin_option
@click.option("--marks", type=named(Marks), default=Marks.TICKS.value, show_default=True,
              help="How cuts are marked: ticks, full lines, none.")
@click.option("--bleed", type=between("length", 0, 10), default="2mm", show_default=True,
              help="How far pictures go beyond the cut.")
@click.option("--margin", type=between("length", 0, 50), metavar="LENGTH",
              help="Edge of the paper that stays free.  [default: 8mm, down to 5mm where that saves a sheet]")
@click.option("--order", type=named(Order), default=Order.GRID.value, show_default=True,
              help="'stack': piles come out sorted after cutting.")
@click.option("--sheets-per-page", type=click.Choice(["1", "2"]), default="1", show_default=True,
              help="Score sheets side by side on a sheet of paper; a single one can be filled in on the screen.")
@click.option("--pad", type=click.IntRange(1, 500), default=1, show_default=True, metavar="N",
              help="So many sheets of score sheets.")
@click.option("--booklet", is_flag=True,
              help="Rules and making guide two pages to a side, on sheets to fold in the middle.")
@click.option("--card-thickness", type=between("length", 0.05, 3), default=f"{CARD_THICKNESS}mm", show_default=True,
              help="Thickness of one card, for the box.")
@click.option("--only", "only", multiple=True, metavar="PART",
              help="Only this part: cards, tokens, score-sheet, box, calibration, rules, guide; several times.")
@click.option("--output", "-o", type=FOLDER, default=Path("output"), show_default=True, help="Where the files go.")
@folder_options
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
    from ppgen.games.catalogue import CARD_GAME as game  # heavy: only for who builds
    from ppgen.production.build import Workshop, build
    from ppgen.production.manifest import to_json
    from ppgen.production.request import BuildRequest

    _refuse_what_comes_later(options)
    assets = Assets.at(options["data"], options["templates"])
    langs = chosen_languages(options["langs"], shipped_languages(assets, game.folder))
    formats = read_formats(assets.common("papers.toml"))
    paper, size = Parsed("paper", formats.paper), Parsed("size", formats.card_size)
    request = BuildRequest(
        langs=langs,
        papers=tuple(dict.fromkeys(_converted(paper, "--paper", text) for text in options["papers"])),
        card_size=_converted(size, "--card-size", options["card_size"]),
        backs=Backs(options["backs"]), flip=Flip(options["flip"]), back_offset=options["back_offset"],
        back_rotation=options["back_rotation"], ink=options["ink"], skin=options["skin"], marks=Marks(options["marks"]),
        bleed=options["bleed"], margin=options["margin"], order=Order(options["order"]),
        sheets_per_page=int(options["sheets_per_page"]), pad=options["pad"],
        booklet=options["booklet"],
        parts=tuple(dict.fromkeys(options["only"])),
        folder=options["output"].as_posix(),
        card_thickness=options["card_thickness"], date=_pdf_date())
    workshop = Workshop.open(game, assets, options["skin"])
    built = build(request, workshop)
    warn((*built.warnings, *_margin_warnings(built.manifests)), options["quiet"])
    output: Path = options["output"]
    if not options["dry_run"]:
        from ppgen.cli.output import write_files

        write_files(output, built.files)
    if options["as_json"]:
        click.echo(to_json(built.manifests), nl=False)
    elif not options["quiet"]:
        for file in files_in(built.manifests):
            click.echo(f"{file['path']}  {_counted(file['pages'], 'page')}, {_counted(file['sheets'], 'sheet')}")
        done = "would be written" if options["dry_run"] else "written"
        sheets = sum(file["sheets"] for file in files_in(built.manifests))
        click.echo(f"{_counted(len(built.files), 'file')} {done}; {_counted(sheets, 'sheet')} of paper. "
                   "Print at 100 %.", err=True)


def _refuse_what_comes_later(options: dict[str, Any]) -> None:
    problems = Problems()
    if options["printer"]:
        problems.note("--printer", "printer profiles are not there yet",
                      "give --back-offset and --back-rotation as read off the calibration page")
    if problems:
        raise RequestError(problems)


def _converted(kind: Parsed, option: str, text: str) -> Any:
    try:
        return kind.parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from error


def _margin_warnings(manifests: tuple[Json, ...]) -> tuple[Problem, ...]:
    return tuple(
        Problem(place=file["path"], what=f"the margin is {file['layout']['margin_mm']} mm",
                remedy=f"some printers lose {SAFE_MARGIN} mm at an edge: look at the marks, or give --margin 8mm")
        for file in files_in(manifests) if file["layout"]["margin_mm"] < SAFE_MARGIN)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _pdf_date() -> str:
    """A PDF date from SOURCE_DATE_EPOCH, if it is set (reproducible-builds.org)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return ""
    if not re.fullmatch(r"[0-9]{1,11}", epoch):
        raise InputError([Problem(place="SOURCE_DATE_EPOCH", what=f"'{epoch}' is not a number of seconds",
                                  remedy="unset it, or give seconds since 1970")])
    return f"D:{datetime.fromtimestamp(int(epoch), UTC):%Y%m%d%H%M%S}Z"
