"""Commands of ``ppgen export`` for pictures, virtual tables, print shops and cutting machines."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.cli.command_group import Command, print_json, progress, warn
from ppgen.cli.messages import interface_texts
from ppgen.cli.option_types import WholeNumber
from ppgen.cli.options import complete_with
from ppgen.cli.print_options import (OpenSet, ParsedOption, SetOptions, add_options, build_request, delivery_options,
                                     export_options, is_typed, open_set, pass_set, request_option, sheet_options,
                                     typed_options)
from ppgen.cli.usual_options import usual_option
from ppgen.engine.geometry import Format
from ppgen.engine.imposition.sheets import ARM, LINE, Marks
from ppgen.errors import InputError, Problem, display_path, join_names, to_one_line
from ppgen.printing.request import ADDRESS, BuildRequest, OutputKind, length_between
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.printing.manifest import Json
    from ppgen.process.file_writing import BuiltFile
    from ppgen.process.system import Progress
    from ppgen.targets.piece_pictures import Export, ExportedFile
    from ppgen.targets.virtual_tables import ExchangeReport, TableSave


# --- Common options and delivery of the files ---

def export_request(options: SetOptions, chosen: OpenSet, product: Format | None = None) -> BuildRequest:
    """The export that the options request; a shop's ``product`` overrides the card size of the set."""
    build = build_request(options, chosen)
    is_usual = build.card_size.size == build.usual_card.size
    return replace(build, card_size=product or build.card_size,
                   usual_card=product or (build.card_size if is_usual else build.usual_card))


def deliver(exports: Sequence[Export], chosen: OpenSet, options: SetOptions) -> None:
    """Make the files, write all or none of them, and print what was written."""
    from ppgen.process.file_writing import write_files

    entries: list[list[Json]] = [[] for _ in exports]
    with progress(options.quiet) as watch:
        files = _make_files(exports, options.output.as_posix(), entries, watch)
        if options.dry_run:
            for _ in files:
                pass
        else:
            write_files(options.output, files)
    problems = (problem for export in exports for problem in (*export.left_out, *export.warnings))
    warn((*chosen.workshop.warnings, *dict.fromkeys(problems)), options.quiet)
    if options.as_json:
        print_json([{**export.facts, "folder": f"{options.output.as_posix()}/{export.folder}",
                     "left_out": [str(problem) for problem in export.left_out], "files": of_export}
                    for export, of_export in zip(exports, entries, strict=True)])
    elif not options.quiet:
        all_entries = [entry for of_export in entries for entry in of_export]
        say = interface_texts()
        for entry in all_entries:
            click.echo(f"{entry['path']}{_format_extent(entry, say)}")
        click.echo(written_message(len(all_entries), options.dry_run, say), err=True)
        for line in dict.fromkeys(say(hint.key, **hint.values) for export in exports for hint in export.hints):
            click.echo(line, err=True)


def written_message(files: int, dry_run: bool, say: Texts) -> str:
    """A message with the number of files that were written, or would be."""
    return say("export.planned" if dry_run else "export.written", files=files)


def _make_files(exports: Sequence[Export], folder: str, entries: list[list[Json]], watch: Progress
                ) -> Iterator[BuiltFile]:
    """Make the files one by one and note the ``entries`` of each export, so that no content has to stay in memory."""
    label, before, pictures = interface_texts()("export.pictures"), 0, sum(export.pictures for export in exports)

    def step(_: str, done: int, __: int) -> None:
        watch(label, before + done, pictures)

    for export, of_export in zip(exports, entries, strict=True):
        exported: ExportedFile
        for exported in export.files(step):
            of_export.append(exported.entry(folder))
            yield exported.file
        before += export.pictures


def _format_extent(entry: Json, say: Texts) -> str:
    if "width_px" in entry:
        return f"  {entry['width_px']} × {entry['height_px']} px"
    return f"  {say.count('build.pages', int(str(entry['pages'])))}" if "pages" in entry else ""


# --- Pictures ---

MIN_DPI, MAX_DPI = 30, 1200


@click.command("png", cls=Command)
@export_options
@usual_option("--dpi", type=WholeNumber(MIN_DPI, MAX_DPI), default=300, show_default=True, metavar="N")
@click.option("--bleed", type=ParsedOption(length_between(0, 10)), default="0", show_default=True,
              help="Extend the pictures this far beyond the trim.")
@click.option("--corners", type=ParsedOption(length_between(0, 30)), default="0", show_default="square",
              help="Radius of transparent round corners; real cards have 3mm.")
@usual_option("--contact", is_flag=True)
@delivery_options
@pass_set("bleed")
def png_command(options: SetOptions, dpi: int, bleed: float, corners: float, contact: bool) -> None:
    """They go to OUTPUT/LANG/png-…/.

    \b
    ppgen export png --lang de
    ppgen export png -l en --dpi 600 --corners 3mm --only cards
    ppgen export png --bleed 3mm --card-size poker
    ppgen export png --contact
    """
    if bleed and corners:
        raise click.UsageError(Phrase("corners_bleed"))
    if contact and any(map(is_typed, ("dpi", "bleed", "corners"))):
        raise click.UsageError("--contact has a resolution of its own, and faces as cut out: it doesn't go with --dpi, "
                               "--bleed and --corners.")
    from ppgen.targets.piece_pictures import export_contact  # slow import
    from ppgen.targets.piece_pictures import export_png

    chosen = open_set(options)
    request = export_request(options, chosen)
    exports = export_contact(chosen.workshop, request) if contact else export_png(
        chosen.workshop, request, dpi, bleed, corners)
    deliver(exports, chosen, options)


# --- Virtual tables ---

@click.command("tts", cls=Command)
@export_options
@usual_option("--base-url", type=ParsedOption(ADDRESS))
@usual_option("--into", type=click.Path(dir_okay=False, path_type=Path), metavar="SAVE.json")
@delivery_options
@pass_set()
def tts_command(options: SetOptions, base_url: str | None, into: Path | None) -> None:
    """Sheets of cards, tiles and the saved object go to OUTPUT/LANG/tts…/.

    \b
    ppgen export tts --lang en
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export tts --lang en --into TS_Save_1.json
    """
    from ppgen.targets.virtual_tables import export_tts  # slow import

    chosen = open_set(options)
    request = export_request(options, chosen)
    if not into:
        deliver(export_tts(chosen.workshop, request, base_url or ""), chosen, options)
        return
    if len(request.langs) > 1:
        raise click.UsageError("--into exchanges the pieces of one language: give one --lang.")
    from ppgen.targets.virtual_tables import TableSave, exchange_pieces

    save, reports = TableSave.read(into), []
    is_complete = not request.parts and not chosen.selection
    exports = export_tts(chosen.workshop, request, base_url or "",
                         lambda objects: reports.append(exchange_pieces(save, objects, is_complete)))
    deliver([replace(each, facts={**each.facts, "into": asdict(reports[0])}) for each in exports], chosen, options)
    _write_save(save, reports[0], options)


def _write_save(save: TableSave, report: ExchangeReport, options: SetOptions) -> None:
    """Write the save with a copy of the old one beside it, unless nothing differs, and print what was exchanged."""
    from ppgen.process.file_writing import BuiltFile, write_files

    differs, backup = save.is_changed, save.backup_name()
    if differs and not options.dry_run:
        write_files(save.path.parent, [BuiltFile(path=save.path.name, content=save.dump()),
                                       BuiltFile(path=backup, content=save.original)])
    if options.quiet or options.as_json:
        return
    say = interface_texts()
    key = "into_same" if not differs else "into_planned" if options.dry_run else "into"
    values = {"count": len(report.exchanged)} if differs else {}
    click.echo(say(f"export.{key}", file=display_path(save.path), **values,
                   **({"backup": backup} if key == "into" else {})), err=True)
    for key, ids in asdict(report).items():
        if key != "exchanged" and ids:
            pieces = join_names(f"{id} × {count}" if count > 1 else id for id, count in Counter(ids).items())
            click.echo(to_one_line(say(f"export.into_{key}", pieces=pieces)), err=True)


@click.command("tabletopia", cls=Command)
@export_options
@delivery_options
@pass_set()
def tabletopia_command(options: SetOptions) -> None:
    """They go to OUTPUT/LANG/tabletopia…/, with a README about the next steps.

    \b
    ppgen export tabletopia --lang en
    ppgen export tabletopia --lang all
    """
    from ppgen.targets.virtual_tables import export_tabletopia  # slow import

    chosen = open_set(options)
    deliver(export_tabletopia(chosen.workshop, export_request(options, chosen)), chosen, options)


@click.command("table", cls=Command)
@export_options
@delivery_options
@pass_set()
def table_command(options: SetOptions) -> None:
    """It goes to OUTPUT/table/NAME.html, with all pieces as they are printed, laid out as the rules say. Several
    languages are several pages.

    \b
    ppgen export table
    ppgen export table --lang en --game board-game
    """
    from ppgen.pages.single_pages import export_table  # slow import

    chosen = open_set(options)
    deliver(export_table(chosen.workshop, export_request(options, chosen)), chosen, options)


# --- Print shops ---

def _shop_command(name: str, products: str, *own: str) -> Callable[[Callable[..., Any]], click.Command]:
    """A command with the options of all shops, and its ``own`` of the build request."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        product = usual_option("--product", default="", metavar="NAME", shell_complete=complete_with(products.split))
        command = pass_set(*own)(function)
        own_options = map(request_option, own)
        return click.command(name, cls=Command)(
            add_options(export_options, *own_options, product, delivery_options)(command))

    return decorate


@_shop_command("gamecrafter", "poker-deck mini-deck micro-deck bridge-deck tarot-deck small-square-deck business-deck "
                              "jumbo-deck hex-deck")
def gamecrafter_command(options: SetOptions, product: str) -> None:
    """They go to OUTPUT/LANG/gamecrafter-…/, with a README about the next steps.

    \b
    ppgen export gamecrafter --lang en
    ppgen export gamecrafter --lang en --product mini-deck
    ppgen export gamecrafter --lang en --only score-sheet
    """
    _export_for_shop("gamecrafter", options, product)


@_shop_command("makeplayingcards", "card-63x88 poker bridge tarot mini")
def makeplayingcards_command(options: SetOptions, product: str) -> None:
    """They go to OUTPUT/LANG/makeplayingcards-…/, with a README about the next steps.

    \b
    ppgen export makeplayingcards --lang en
    ppgen export makeplayingcards --lang de --product mini
    """
    _export_for_shop("makeplayingcards", options, product)


@_shop_command("drivethru", "poker", "pictures")
def drivethru_command(options: SetOptions, product: str, pictures: float | None) -> None:
    """A page for each side of each card, in OUTPUT/LANG/drivethru-…/, with a README about the next steps.

    \b
    ppgen export drivethru --lang en
    ppgen export drivethru --pictures 350dpi
    """
    _export_for_shop("drivethru", options, product, pictures)


def _export_for_shop(name: str, options: SetOptions, product: str, pictures: float | None = None) -> None:
    from ppgen.targets.shop_files import SHOPS_FILE, export_for_shop, product_format, read_shops  # slow import

    chosen = open_set(options)
    folder = chosen.workshop.assets.common(SHOPS_FILE)
    if not (shop := read_shops(folder).get(name)):
        raise InputError.at(display_path(folder / SHOPS_FILE), Phrase("is_missing"), f"add a table [{name}]", key=name)
    requested_size = chosen.card_size.size if options.card_size else None
    own_size = chosen.workshop.game.card_size.size
    chosen_product = shop.product_for(product, requested_size, own_size)
    # a deck's cards keep the size that their maker gave them, if the shop has a product near it
    is_asked = options.card_size or product or not chosen.workshop.game.deck
    request = replace(export_request(options, chosen, product_format(chosen_product) if is_asked else None),
                      pictures=pictures if chosen.workshop.pictures else None)
    deliver(export_for_shop(chosen.workshop, request, shop, chosen_product), chosen, options)


# --- Cutting machines ---

@click.command("cut", cls=Command)
@sheet_options(OutputKind.CUT | OutputKind.BOX)
@usual_option("--corners", type=ParsedOption(length_between(0, 100)), default="3mm", show_default=True)
@usual_option("--format", "formats", type=click.Choice(["svg", "dxf"]), multiple=True, default=("svg", "dxf"),
              show_default="svg, dxf", text="format-cut")
@delivery_options
@pass_set()
def cut_command(options: SetOptions, corners: float, formats: tuple[str, ...]) -> None:
    """The drawings go to OUTPUT/LANG/. With the same options as ppgen build they match its sheets. --marks silhouette
    is for the camera of a Silhouette.

    \b
    ppgen build --marks silhouette && ppgen export cut --marks silhouette
    ppgen export cut --marks silhouette --only cards --corners 2.5mm --format dxf
    ppgen export cut --margin 14mm --marks none
    """
    from ppgen.cli.build import build_command
    from ppgen.printing.manifest import manifest_files
    from ppgen.targets.cut_files import cut_set  # slow import

    chosen = open_set(options)
    request = build_request(options, chosen)
    drawings = cut_set(request, chosen.workshop, corners, tuple(dict.fromkeys(formats)))
    no_marks = () if request.marks is Marks.SILHOUETTE else (Problem("--marks", Phrase("no_camera_marks"),
                                                                     Phrase("silhouette_marks")),)
    warn((*drawings.warnings, *no_marks), options.quiet)
    if not options.dry_run:
        from ppgen.process.file_writing import write_files

        write_files(options.output, drawings.files)
    if options.as_json:
        print_json(drawings.documents)
    elif not options.quiet:
        say = interface_texts()
        for file in manifest_files(drawings.documents):
            cuts, size = say.count("export.cuts", file["cuts"]), f"{file['width_mm']:g} × {file['height_mm']:g} mm"
            click.echo(f"{file['path']}  {say('results.list', first=cuts, last=size)}")
        click.echo(written_message(len(drawings.files), options.dry_run, say), err=True)
        matching = ("ppgen", "build", *typed_options(click.get_current_context(), build_command,
                                                     without=("--output", "--dry-run")))
        click.echo(say("export.matching", command=shlex.join(matching)), err=True)
        registrations = [file["registration"] for file in manifest_files(drawings.documents) if file["registration"]]
        if registrations:
            measures = {"arm": ARM, "line": LINE, "inset": registrations[0][0]["x_mm"]}
            click.echo(say("export.studio", **{name: f"{length:g}".replace(".", say("language.decimal"))
                                               for name, length in measures.items()}), err=True)
