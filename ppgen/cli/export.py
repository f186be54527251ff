"""``ppgen export``: a set for other uses than printing at home."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, CommandGroup, print_json, progress, warn
from ppgen.cli.messages import interface_texts, usual_option
from ppgen.cli.options import (WholeNumber, complete_with, game_folders, games_option, json_option, lang_option, langs,
                               open_on_desktop, open_option, output_option, quiet_option, with_cache)
from ppgen.cli.print_options import (OpenSet, ParsedOption, SetOptions, add_options, delivery_options, dry_run_option,
                                     export_options, is_typed, open_set, paper_option, pass_set, read_presets,
                                     request_option, sheet_options, take_choices, typed_options, with_skin)
from ppgen.engine.geometry import Format
from ppgen.engine.imposition.sheets import ARM, LINE, Backs, Marks
from ppgen.errors import InputError, Phrase, Problem, RequestError, display_path, join_names, to_one_line
from ppgen.games.catalogue import game_names, scored_folder, scored_games
from ppgen.lines import columns, quote_argument
from ppgen.printing.request import ADDRESS, INKS, OPTIONS, BuildRequest, OutputKind, Parser, length_between
from ppgen.process.file_writing import BuiltFile, write_files
from ppgen.process.system import Progress
from ppgen.reading.texts import Texts
from ppgen.records import asdict, replace

if TYPE_CHECKING:
    from ppgen.pages.site_folder import Site
    from ppgen.pages.site_pages import SitePreset
    from ppgen.printing.manifest import Json
    from ppgen.printing.workshop import Workshop
    from ppgen.targets.piece_pictures import Export, ExportedFile
    from ppgen.targets.virtual_tables import ExchangeReport, TableSave


# --- Pictures, tables, shops and cutters ---


def export_request(chosen: OpenSet, product: Format | None = None) -> BuildRequest:
    """The export that the options request; a shop's ``product`` overrides the card size of the set."""
    build = chosen.request
    is_usual = build.card_size.size == build.usual_card.size
    return replace(build, card_size=product or build.card_size,
                   usual_card=product or (build.card_size if is_usual else build.usual_card))


def deliver(exports: Sequence[Export], chosen: OpenSet, options: SetOptions) -> None:
    """Make the files, write all or none of them, and print what was written."""
    entries: list[list[Json]] = [[] for _ in exports]
    with progress(options.quiet) as watch:
        files = _make_files(exports, options.output.as_posix(), entries, watch)
        if options.dry_run:
            for _ in files:  # made, and noted in the entries
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
        say = interface_texts()
        for entry in chain(*entries):
            pages = f"  {say.count('build.pages', int(str(entry['pages'])))}" if "pages" in entry else ""
            pixels = f"  {entry['width_px']} × {entry['height_px']} px" if "width_px" in entry else ""
            click.echo(f"{entry['path']}{pixels or pages}")
        click.echo(written_message(sum(map(len, entries)), options.dry_run, say), err=True)
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
    request = export_request(chosen)
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
    request = export_request(chosen)
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
    deliver(export_tabletopia(chosen.workshop, export_request(chosen)), chosen, options)


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
    deliver(export_table(chosen.workshop, export_request(chosen)), chosen, options)


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
    requested_size = chosen.request.card_size.size if options.card_size else None
    own_size = chosen.workshop.game.card_size.size
    chosen_product = shop.product_for(product, requested_size, own_size)
    # a deck's cards keep the size that their maker gave them, if the shop has a product near it
    is_asked = options.card_size or product or not chosen.workshop.game.deck
    request = replace(export_request(chosen, product_format(chosen_product) if is_asked else None),
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
    ppgen build --marks silhouette
    ppgen export cut --marks silhouette
    ppgen export cut --marks silhouette --only cards --corners 2.5mm --format dxf
    ppgen export cut --margin 14mm --marks none
    """
    from ppgen.cli.build import build_command
    from ppgen.printing.manifest import manifest_files
    from ppgen.targets.cut_files import cut_set  # slow import

    chosen = open_set(options)
    request = chosen.request
    drawings = cut_set(request, chosen.workshop, corners, tuple(dict.fromkeys(formats)))
    no_marks = () if request.marks is Marks.SILHOUETTE else (Problem("--marks", Phrase("no_camera_marks"),
                                                                     Phrase("silhouette_marks")),)
    warn((*drawings.warnings, *no_marks), options.quiet)
    if not options.dry_run:
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
        click.echo(say("export.matching", command=" ".join(map(quote_argument, matching))), err=True)
        registrations = [file["registration"] for file in manifest_files(drawings.documents) if file["registration"]]
        if registrations:
            measures = {"arm": ARM, "line": LINE, "inset": registrations[0][0]["x_mm"]}
            click.echo(say("export.studio", **{name: f"{length:g}".replace(".", say("language.decimal"))
                                               for name, length in measures.items()}), err=True)


# --- Scorer page ---

@click.command("scorer", cls=Command)
@click.option("--lang", "-l", default="", metavar="LANG", shell_complete=complete_with(langs),
              show_default="the phone's", help="Language in which the page opens; it has all.")
@games_option
@request_option("skin")
@usual_option("--serve", is_flag=True, text="serve-scorer")
@open_option("open-scorer")
@click.option("--port", type=WholeNumber(0, 65535), metavar="N",
              show_default="8418, or any free one", help="Port of the page.")
@game_folders
@output_option
@dry_run_option
@quiet_option
@json_option
def scorer_command(lang: str, games: tuple[str, ...], skin: str, data: Path | None, templates: Path | None, serve: bool,
                   open_result: bool, port: int | None, output: Path, dry_run: bool, quiet: bool, as_json: bool
                   ) -> None:
    """It goes to OUTPUT/scorer/kardinal-koenig.html, or to DECK.html in the folder of a deck with a score.toml. The
    other files there are for web space.

    \b
    ppgen export scorer
    ppgen export scorer --lang ja --game card-game
    ppgen export scorer --serve
    """
    if serve and as_json:
        raise click.UsageError(Phrase("json_serve"))
    if port is not None and not serve:
        raise click.UsageError(Phrase("port_serve"))
    if open_result and not serve:
        raise click.UsageError(Phrase("open_serve"))
    workshops = _open_games(Assets.at(data, templates), skin, games)
    if serve:
        _serve(workshops, lang, port, quiet, open_result)
        return
    from ppgen.pages.single_pages import export_scorer

    files = export_scorer(workshops, lang)
    if not dry_run:
        write_files(output, files)
    contents = {f"{output.as_posix()}/{file.path}": file.content for file in files}
    if as_json:
        print_json({"export": "scorer", "games": [workshop.game.id for workshop in workshops], "files": [
            {"path": path, "sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for path, content in contents.items()]})
    elif not quiet:
        for path, content in contents.items():
            click.echo(f"{path}  {max(1, round(len(content) / 1000))} kB")
        say = interface_texts()
        click.echo(f"{written_message(len(files), dry_run, say)} {say('export.page')}", err=True)


def _open_games(assets: Assets, skin: str, games: tuple[str, ...]) -> list[Workshop]:
    """Open the requested games, or all that can be scored on the page (the default game if none can)."""
    from ppgen.printing.workshop import Workshop

    if not scored_games(assets):
        scored_folder(assets)  # raises
    if games:
        return [Workshop.open(assets, skin, name) for name in dict.fromkeys(games)]
    opened = [Workshop.open(assets, skin, name) for name in game_names(assets)]
    return [workshop for workshop in opened if workshop.game.scorer] or [*opened, Workshop.open(assets, skin)][:1]


def _serve(workshops: list[Workshop], lang: str, port: int | None, quiet: bool, open_result: bool) -> None:
    from ppgen.pages.local_server import PageServer, qr_code
    from ppgen.pages.single_pages import page_name, scorer_page

    server = PageServer(scorer_page(workshops, lang).encode(), port, name=page_name(workshops))
    try:
        if not quiet:
            click.echo(qr_code(server.url), err=True, nl=False)
            click.echo(interface_texts()("export.phones"), err=True)
        click.echo(server.url)
        if open_result:
            open_on_desktop(server.url)
        with suppress(KeyboardInterrupt):  # the intended way to stop it
            Event().wait()
    finally:
        server.close()


# --- Site ---

_LINKED = re.compile(r"https?://[^\s/]\S*|(?![./])(?!.*(\.\.|:|//))\S+")
"""An address on the web, or of a file below the site."""


def _check_home(context: click.Context, parameter: click.Parameter, value: str) -> str:
    try:
        parsed = urlsplit(value)
        sound = parsed.scheme in ("http", "https") and bool(parsed.hostname) and not re.search(r"\s", value)
    except ValueError:
        sound = False
    if value and not sound:
        raise RequestError.at("--home", f"'{value}' is not the address of a page",
                              "write it in full, like https://example.org/ppgen")
    return value


def _parse_link(text: str) -> tuple[str, str]:
    title, _, address = text.partition("=")
    if not title.strip() or not _LINKED.fullmatch(address):
        raise ValueError(Phrase("not_link", text=text))
    return title.strip(), address


@click.command("site", cls=Command)
@lang_option()
@games_option
@paper_option("a4", "letter")
@click.option("--backs", multiple=True, type=click.Choice([each.value for each in Backs]),
              default=tuple(each.value for each in Backs), show_default="all three",
              help="Offer files with these backs; repeatable.")
@click.option("--ink", "inks", multiple=True, type=click.Choice(INKS),
              show_default="both, of your own deck full", help="Offer files in this ink; repeatable.")
@click.option("--card-size", metavar="NAME|WxH", show_default="that of the game", help="Trim size of the cards.")
@request_option("skin")
@request_option("together")
@usual_option("--title", default="", metavar="TEXT")
@click.option("--home", default="", metavar="URL", callback=_check_home,
              show_default="no link",
              help="Address of ppgen's project, which \"Made by ppgen\" links to.")
@click.option("--link", "links", multiple=True, type=ParsedOption(Parser(_parse_link, "TITLE=ADDRESS")),
              help="Link to another game at the foot of each page: its title, and its address on the web or below the "
                   "site; repeatable.")
@click.option("--large-print", is_flag=True, help="Offer files in large print as well: type of 14 pt or more.")
@usual_option("--preset", "presets", multiple=True, metavar="NAME", text="preset-site")
@game_folders
@with_cache
@delivery_options
@pass_set("backs", "home", "large_print")
def site_command(options: SetOptions, games: tuple[str, ...], backs: tuple[str, ...], inks: tuple[str, ...], title: str,
                 home: str, links: tuple[tuple[str, str], ...], large_print: bool, presets: tuple[str, ...]) -> None:
    """It goes to OUTPUT/site/: one static folder for any web space, or to open from disk. Files there that ppgen did
    not write stay.

    \b
    ppgen export site --lang all --output public
    ppgen export site -l en --paper a4 --backs duplex --backs fold
    ppgen export site --data goblins
    """
    from ppgen.pages.site_folder import SITE, SiteRequest, export_site, find_stale_files  # slow import
    from ppgen.pages.site_pages import LARGE_PRINT

    names = dict.fromkeys(games) or game_names(Assets.at(options.data, options.templates))
    opened = [open_set(replace(options, game=name)) for name in names or ("",)]
    workshops, requests = [chosen.workshop for chosen in opened], [chosen.request for chosen in opened]
    inks = tuple(dict.fromkeys(inks)) or (INKS if all(not each.game.deck for each in workshops) else INKS[:1])
    left_out: list[Problem] = []
    found = {chosen.workshop.game.id: tuple(_open_presets(options, presets, chosen, left_out)) for chosen in opened}
    if unused := [name for name in presets if not any(found.values())]:
        raise RequestError(Problem("--preset", Phrase("preset_of_game", name=name),
                                   "ppgen build --preset list lists them") for name in unused)
    wanted = SiteRequest(backs=[Backs(each) for each in dict.fromkeys(backs)],
                         looks=(*inks, LARGE_PRINT) if large_print else inks,
                         presets=found, title=title, home=home, links=links)
    folder = options.output / SITE
    with progress(options.quiet) as watch:
        site = export_site(workshops, requests, wanted, watch)
    warn((*left_out, *site.warnings), options.quiet)
    if not options.dry_run:
        write_files(folder, site.files, list(find_stale_files(folder, site.files)))
    if options.as_json:
        print_json({"export": "site", "games": [each.game.id for each in workshops],
                    "files": [{**entry, "path": f"{options.output.as_posix()}/{SITE}/{entry['path']}"}
                              for entry in site.entries]})
    elif not options.quiet:
        say = interface_texts()
        for line in _summary(site, options.output, say):
            click.echo(line)
        click.echo(written_message(len(site.files), options.dry_run, say), err=True)
        click.echo(say("export.site_upload", folder=f"{options.output.as_posix()}/{SITE}/"), err=True)


def _open_presets(options: SetOptions, names: Sequence[str], chosen: OpenSet, left_out: list[Problem]
                  ) -> Iterator[SitePreset]:
    """Yield the wanted presets of a game, each with its set. Raises RequestError for named ones it can't have."""
    from ppgen.cli.build import build_command
    from ppgen.pages.site_pages import SitePreset

    game = chosen.workshop.game
    for preset, values, description in read_presets(build_command, names, game.id, options.data) if names else ():
        settings = {name: values.pop(name) for name, option in OPTIONS.items() if option.is_typed and name in values}
        settings = with_skin({**options.settings, "ink": INKS[0], **settings})
        choices = take_choices(values)
        wanted = replace(options, game=game.id, langs=chosen.request.langs, settings=settings, choices=choices,
                         only=values.get("only", ()), papers=values.get("papers", options.papers),
                         card_size=values.get("card_size", options.card_size))
        try:
            opened = open_set(wanted, chosen.workshop)
        except RequestError as error:
            if preset in names:
                raise
            left_out += (replace(problem, place="--preset", key=preset, what=Phrase(
                "left_out", message=f"{problem.place} {problem.what}")) for problem in error.problems)
            continue
        yield SitePreset(name=preset, workshop=opened.workshop, request=opened.request, description=description)


def _summary(site: Site, output: Path, say: Texts) -> Iterator[str]:
    """Yield the site's first page, and a table of its folders with the number of their files and their size."""
    sizes: dict[str, list[int]] = {}
    for file in site.files:
        top, slash, _ = file.path.partition("/")
        sizes.setdefault(f"{top}/" if slash else "", []).append(len(file.content))
    home = f"{output.as_posix()}/site"
    rows = [(f"{home}/{folder}", str(len(each)), _size(sum(each), say)) for folder, each in sorted(sizes.items())]
    yield from columns([tuple(say(f"export.site_{head}") for head in ("folder", "files", "size")), *rows])[0]
    yield say("export.site_all", files=len(site.files), size=_size(sum(map(sum, sizes.values())), say))
    yield f"{home}/index.html"


def _size(count: int, say: Texts) -> str:
    return f"{say.number(count / 1e6, 1)} MB"


# --- ppgen export ---

EXPORTS = {str(value.name): f"{__name__}:{name}" for name, value in [*globals().items()]
           if isinstance(value, click.Command)}
"""Location (``module:attribute``) of each export by name: each command in this module is one."""


@click.group("export", cls=CommandGroup, sections={"commands": EXPORTS})
def export_group() -> None:
    """Exports take the options of ppgen build that matter to them, and write into the same folders.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
