"""``ppgen init``, ``new`` and ``adopt``: sets and decks of one's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import DECK_FILE, Assets, is_deck
from ppgen.cli.command_group import Command, InlineGroup, print_json, print_problems, warn
from ppgen.cli.messages import can_ask, confirm, interface_texts, usual_option
from ppgen.cli.options import (FOLDER_TYPE, Completer, card_sizes, choose_languages, complete_with, game_option,
                               json_option, lang_option, quiet_option, with_limits)
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, display_path, join_names, suggest
from ppgen.lines import columns, quote_argument
from ppgen.process.file_writing import BuiltFile, clear_stages, write_file, write_files
from ppgen.reading.fields import is_reserved_name
from ppgen.records import replace

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing
    from ppgen.making.starters import NewDeck


# --- ppgen init ---
@click.command("init", cls=Command)
@click.argument("folder", metavar="DIR", type=FOLDER_TYPE)
@lang_option()
@game_option
@quiet_option
def init_command(folder: Path, langs: tuple[str, ...], game: str, quiet: bool) -> None:
    """DIR must be new or empty. What it lacks (papers, sizes, fonts) comes from ppgen. A game of your own begins with
    ppgen new.

    \b
    ppgen init mykardinal --lang de
    """
    from ppgen.games.catalogue import game_folder, game_languages
    from ppgen.making.starters import starter_set

    problems = Problems()
    _check_folder_name("DIR", folder, problems)
    if problems:
        raise RequestError(problems)
    shipped_game = game_folder(Assets.at(), game)
    chosen = choose_languages(langs, game_languages(Assets.at(), shipped_game))
    files = list(starter_set(shipped_game, chosen))
    if not is_free(folder, {folder / file.path: file.content for file in files}):
        raise InputError.at(display_path(folder), Phrase("not_empty"), Phrase("new_folder"))
    write_files(folder, files)
    if not quiet:
        for name in sorted({f"{folder_of}/" if folder_of else name for file in files
                            for folder_of, _, name in [file.path.rpartition("/")]}):
            click.echo(f"{display_path(folder)}/{name}")
        _print_next(folder, "ppgen build", "ppgen open")


def _check_folder_name(argument: str, folder: Path, problems: Problems) -> None:
    """Note a name that a folder can't have on every system: decks are sent to others."""
    if _UNSAFE.search(folder.name) or len(folder.name) > 100 or is_reserved_name(folder.name):
        problems.note(argument, f"'{folder.name}' is not a name for a folder on every system",
                      "use letters, digits and hyphens")


def is_free(folder: Path, contents: dict[Path, bytes]) -> bool:
    """True if the folder contains no files, or only those that a killed run had already written."""
    was_killed = sum(clear_stages(each) for each in {folder, *(path.parent for path in contents)}) > 0
    files = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return all(was_killed and path in contents and path.read_bytes() == contents[path] for path in files)


# --- ppgen new ---
PLAIN_STARTER = "plain"
BOOKLET = "booklet"  # the role of a PDF of rules
BACKS = ("none", "first", "one", "pages", "fold")
SHAPES = ("rectangle", "circle", "hexagon")
_UNSAFE = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$')
"""Characters and endings that a folder name can't have on every system."""


def _complete_from(module: str, function: str) -> Completer:
    """Complete an option from a function of ``ppgen.making``, which is imported only when a shell asks."""
    return complete_with(lambda: getattr(import_module(f"ppgen.making.{module}"), function)())


class SourcePath(click.Path):
    """A path, or the address of a table on the web."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from ppgen.making.fetching import is_address

        return value if isinstance(value, str) and is_address(value) else super().convert(value, param, ctx)


def fetch_first(command: Callable[..., Any]) -> Callable[..., Any]:
    """Fetch the table of a typed address before the process gives up its right to connect."""
    @wraps(command)
    def run(context: click.Context, **options: Any) -> Any:
        address = options["from_sheet"] if isinstance(options["from_sheet"], str) else ""
        if address:
            from ppgen.making.fetching import fetch_table

            fetched = fetch_table(address, is_typed=True)
            options["from_sheet"] = Path(context.with_resource(TemporaryDirectory())).resolve() / fetched.name
            options["from_sheet"].write_bytes(fetched.content)
        return command(context, address=address, **options)
    return run


@click.command("new", cls=Command)
@click.argument("name", metavar="NAME", type=FOLDER_TYPE, required=False)
@usual_option("--from", "from_sheet", type=SourcePath(path_type=Path), metavar="PATH|URL")
@click.option("--sheet", "page", default="", metavar="NAME", show_default="all that hold cards",
              help="Which sheet of a workbook; 'all': a part of each that holds cards.")
@usual_option("--front", type=click.Path(path_type=Path), metavar="DRAWING")
@click.option("--as", "given", multiple=True, metavar="HEADING=ROLE",
              help="Say what a column is: Num=copies, Color=colour; Age= leaves it out. Several times for several. "
              "Of a PDF of rules: booklet.")
@usual_option("--art", type=click.Path(path_type=Path), metavar="DIR")
@usual_option("--size", default="", metavar="NAME|WxH", shell_complete=complete_with(card_sizes))
@click.option("--shape", type=click.Choice(SHAPES), default=SHAPES[0], show_default=True, help="Shape of the pieces.")
@click.option("--grid", default="", metavar="COLUMNSxROWS", show_default="as found",
              help="Cards on a sheet of finished cards, like 3x3.")
@click.option("--gap", default="", metavar="LENGTH", show_default="as found",
              help="Gap between cards of a sheet, or across and down as 2x3mm.")
@click.option("--margin", default="", metavar="LENGTH", show_default="as found",
              help="Left and upper margin of a sheet, or both as 10x12mm.")
@click.option("--backs", type=click.Choice(BACKS), metavar="|".join(BACKS), default=None, show_default="none",
              help="Backs on sheets: on the first or last page, every second page, or folded behind the fronts.")
@usual_option("--look", default="", metavar="NAME", shell_complete=_complete_from("first_layout", "looks"))
@click.option("--lang", "-l", default="", metavar="LANG", show_default="that of the table, else yours",
              help="Language of the cards.")
@usual_option("--starter", default="", metavar="NAME", shell_complete=_complete_from("starters", "starters"))
@click.option("--add", "part", default="", metavar="PART", shell_complete=_complete_from("starters", "find_parts"),
              help="Add a part to the deck in NAME, which exists: board or coins.")
@click.option("--score", is_flag=True, help="Also write a first score.toml: how the game is scored.")
@usual_option("--build", is_flag=True)
@quiet_option
@json_option
@click.pass_context
@fetch_first
@with_limits(lambda options: [*filter(None, map(options.get, ("from_sheet", "art", "front")))])
def new_command(context: click.Context, address: str, name: Path | None, from_sheet: Path | None, page: str,
                front: Path | None, given: tuple[str, ...], art: Path | None, size: str, shape: str, grid: str,
                gap: str, margin: str, backs: str | None, look: str, lang: str, starter: str, part: str,
                score: bool, build: bool, quiet: bool, as_json: bool) -> None:
    """The new folder NAME is made from a spreadsheet and pictures, from finished cards, from a folder or zip file of
    these, from a starter, or plain.

    The first layout suits the columns of the sheet. It is templates that you go on with: nothing needs to be edited
    before the first print.

    \b
    ppgen new goblins --from "Goblins - Cards.csv" --art pictures --build
    ppgen new land --from tiles.xlsx --sheet Tiles --shape hexagon --size 60mm
    ppgen new pirates --from cards.csv --look parchment
    ppgen new pirates --from https://docs.google.com/spreadsheets/d/…/edit
    ppgen new proxies --from pictures
    ppgen new kelpbay --from kelpbay.zip
    ppgen new castle --from sheets.pdf --backs pages
    ppgen new rules --from rules.pdf --as booklet
    ppgen new mygame --starter list
    ppgen new mygame --add coins
    """
    from ppgen.making.starters import (ArtRequest, SheetRequest, add_part, copy_starter, deck_files, find_source,
                                       is_zip, starters, unpack_folder)
    if "list" in (starter, look):
        from ppgen.making.first_layout import looks

        known = starters() if starter == "list" else looks()
        if as_json:
            print_json(known)
        else:
            for line in columns(list(known.items()))[0]:
                click.echo(line)
        return
    if name is None:
        context.fail(Phrase("missing_name", command="ppgen new mygame"))
    if part:
        _check_addition(context, part)
        added = add_part(name, part)
        write_files(name, added)
        for file in () if quiet else added:
            click.echo(display_path(name / file.path))
        return
    source, unpacked = from_sheet, None
    if source and is_zip(source):
        unpacked = from_sheet = Path(context.with_resource(TemporaryDirectory())).resolve()
        unpack_folder(source, unpacked)
    if source and from_sheet and from_sheet.is_dir():
        from_sheet = find_source(folder := from_sheet, display_path(source))
        art = art or (None if _is_art(from_sheet) else folder)
    of_table = {"--sheet": page, "--front": front, "--as": given, "--art": art, "--look": look}
    of_sheets = {"--grid": grid, "--gap": gap, "--margin": margin, "--backs": backs}
    as_booklet = given == (BOOKLET,) and bool(from_sheet) and str(from_sheet).lower().endswith(".pdf")
    if as_booklet:
        of_table["--as"] = ()
    _check_options(name, from_sheet, of_table, of_sheets, {"--size": size}, starter)
    problems = Problems()
    title = _title(name.resolve().name)
    if name.exists() and (not name.is_dir() or any(name.iterdir())) and not is_free(name, {}):
        problems.note(display_path(name), Phrase("not_empty"), Phrase("new_folder"))
    deck = None
    with problems.collect_errors():
        if from_sheet and as_booklet:
            from ppgen.making.finished_art import deck_from_rules

            deck = deck_from_rules(from_sheet, title, lang)
        elif from_sheet and _is_art(from_sheet):
            from ppgen.making.finished_art import deck_from_art

            deck = deck_from_art(ArtRequest(source=from_sheet, title=title, size=size, shape=shape, lang=lang,
                                            grid=grid, gap=gap, margin=margin, backs=backs or ""))
        elif from_sheet:
            from ppgen.making.new_deck import deck_from_sheet

            deck = deck_from_sheet(SheetRequest(
                sheet=from_sheet, page=page, art=art, front=front, size=size, shape=shape, look=look, lang=lang,
                user_lang=interface_texts().lang, title=title, book_title=_title(from_sheet.stem), roles=given,
                source=address))
        else:
            deck = copy_starter(starter or PLAIN_STARTER, title)
    if unpacked and source:
        problems[:] = _name_inside(problems, unpacked, source)
        deck = deck and replace(deck, warnings=_name_inside(deck.warnings, unpacked, source))
    if any(problem.place in ("--size", "--shape", "--as", *of_sheets) for problem in problems):
        raise RequestError(problems)
    problems.raise_if_any()
    assert deck is not None
    if not deck.files:
        _report_doubts(name, None if unpacked else from_sheet, deck, as_json)
        context.exit(1)
    if score:
        from ppgen.making.new_deck import add_score_file

        deck = add_score_file(deck)
    write_files(name, deck_files(deck))
    if as_json:
        print_json({
            "folder": display_path(name), "columns": dict(deck.columns), "notes": deck.notes,
            **deck.found, "files": list(deck.files), "warnings": [*map(str, (*deck.warnings, *deck.deck_warnings))]})
    elif not quiet:
        for line in columns([(heading, f"→ {meaning}") for heading, meaning in deck.columns])[0]:
            click.echo(line)
        for note in deck.notes:
            click.echo(note)
        for path in deck.files:
            if not path.startswith(("art/", "icons/", "fonts/")):
                click.echo(f"{display_path(name)}/{path}")
    warn((*deck.warnings, *(() if build else deck.deck_warnings)), quiet or as_json)
    if build:
        from ppgen.cli.build import build_command

        context.invoke(build_command, data=name, output=name / "output", quiet=quiet or as_json)
    elif not quiet:
        _print_next(name, "ppgen open")


def _print_next(folder: Path, *commands: str) -> None:
    """Print commands to go on with in a new folder, each on a line of its own: not every shell knows ``&&``."""
    for line in ("Next:", f"  cd {quote_argument(display_path(folder))}", *(f"  {command}" for command in commands)):
        click.echo(line, err=True)


def _name_inside(problems: Iterable[Problem], folder: Path, source: Path) -> tuple[Problem, ...]:
    """Name the places in a folder, which is gone in the end, by the zip file that it was unpacked from."""
    return tuple(replace(problem, place=problem.place.replace(str(folder), display_path(source)))
                 for problem in problems)


def _report_doubts(name: Path, source: Path | None, deck: NewDeck, as_json: bool) -> None:
    """Write the picture of a grid that is not sure beside the folder of the deck, and say how to correct it."""
    picture = name.with_name(f"{name.name}-grid.png")
    write_file(picture, deck.picture)
    if as_json:
        print_json({**deck.found, "picture": display_path(picture), "warnings": [*map(str, deck.warnings)]})
    else:
        for note in deck.notes:
            click.echo(note)
        click.echo(display_path(picture))
    print_problems(deck.warnings, ())
    if source and source.is_file():
        click.echo(f"Or lay the grid by hand: ppgen open {quote_argument(display_path(source))}", err=True)


def _title(name: str) -> str:
    words = re.sub(r"[-_{}]+", " ", name).strip()
    return words[:1].upper() + words[1:] or "Deck"


def _is_art(path: Path) -> bool:
    """Whether a deck of it is one of finished art."""
    from ppgen.making.starters import SHEET_ENDINGS

    return path.is_dir() or path.suffix.lower() in SHEET_ENDINGS


def _check_addition(context: click.Context, part: str) -> None:
    """Refuse unknown parts, and options that are about a new deck. Raises RequestError."""
    from ppgen.making.starters import find_parts

    problems = Problems()
    if part not in (known := find_parts()):
        problems.note("--add", f"there is no part '{part}'",
                      suggest(part, known, Phrase("known", message=join_names(known))))
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if given and option.name not in ("name", "part", "limit", "quiet"):
            problems.note(option.opts[0], "is for a new deck", "leave it out, or leave out --add")
    if problems:
        raise RequestError(problems)


def _check_options(name: Path, from_sheet: Path | None, of_table: Mapping[str, object],
                   of_sheets: Mapping[str, object], of_all: Mapping[str, object], starter: str) -> None:
    """Refuse options that do not go together, unknown starters and looks, and names that can't be folders; ``of_table``
    are the options that need a table, ``of_sheets`` those of finished cards on sheets, ``of_all`` those of both.
    Raises RequestError.
    """
    from ppgen.making.first_layout import looks
    from ppgen.making.starters import starters

    problems = Problems()
    _check_folder_name("NAME", name, problems)
    if from_sheet and starter:
        problems.note("--starter", "a deck begins with a sheet or with a starter", "leave one of them out")
    for option, value in {**of_table, **of_sheets, **of_all}.items():
        if value and not from_sheet:
            problems.note(option, "needs a sheet of cards", "add --from" if option != "--art" else
                          f"add --from; --from {value} alone makes a deck of finished pictures")
        elif value and from_sheet and option in of_table and _is_art(from_sheet):
            problems.note(option, "is for tables: these cards are finished", "leave it out")
        elif value and from_sheet and option in of_sheets and not _is_art(from_sheet):
            problems.note(option, "is for sheets of finished cards", "leave it out")
    if starter and starter not in (known := starters()):
        problems.note("--starter", f"there is no starter '{starter}'",
                      suggest(starter, known, Phrase("known", message=join_names(known))))
    look = str(of_table["--look"])
    if look and look not in (known_looks := looks()):
        problems.note("--look", f"there is no look '{look}'",
                      suggest(look, known_looks, Phrase("known", message=join_names(known_looks))))
    if look and of_table["--front"]:
        problems.note("--look", "a drawing has a look of its own", "leave out --look or --front")
    if problems:
        raise RequestError(problems)


# --- ppgen fetch ---
@click.command("fetch", cls=Command)
@usual_option("--from", "address", default="", metavar="URL", text="from-fetch")
@click.option("--data", "folder", type=FOLDER_TYPE, default=Path(), metavar="DIR", help="Folder of the deck.")
@usual_option("--yes", is_flag=True)
@quiet_option
def fetch_command(address: str, folder: Path, yes: bool, quiet: bool) -> None:
    """Fetches the table of a deck from its address, the source in deck.toml, shows what has changed, and writes it.
    It asks before it does either.

    \b
    ppgen fetch
    ppgen fetch --from https://example.org/cards.csv
    """
    from ppgen.making.fetching import fetch_again, read_source_address
    from ppgen.process.supervision import start_supervision

    _require_deck(folder)
    source = address or read_source_address(folder)
    if not source:
        raise InputError.at("deck.toml", "has no source", 'write source = "https://…", or add --from')
    if not yes and not can_ask():
        raise RequestError.at("--yes", f"asks before it fetches {source}", "add --yes where there is no terminal")
    say = interface_texts()
    if not (yes or address or confirm(say("ask.fetch", address=source), say)):
        return
    start_supervision()
    found = fetch_again(folder, source, is_typed=bool(address))
    place = display_path(found.table)
    for line in () if quiet else found.changes:
        click.echo(f"{place}: {line}")
    if not found.changes:
        click.echo(say("ask.unchanged", file=place), err=True)
    elif yes or confirm(say("ask.write", file=place), say):
        write_files(found.table.parent, [BuiltFile(path=found.table.name, content=found.content)])


def _require_deck(folder: Path) -> None:
    if not is_deck(folder):
        raise RequestError.at(display_path(folder / DECK_FILE), "is needed here", "cd to your deck first")


# --- ppgen adopt ---
TEMPLATE_SUFFIX = ".j2"


@click.command("adopt", cls=Command)
@click.argument("drawing", metavar="DRAWING.svg", type=click.Path(dir_okay=False, path_type=Path))
@usual_option("--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", text="table-adopt")
@click.option("--sheet", "page", default="", metavar="NAME", help="Which sheet of a workbook that has several.")
@usual_option("--write", is_flag=True)
@click.option("--overwrite", is_flag=True, help="Write it also in place of an earlier one.")
@quiet_option
@json_option
@with_limits(lambda options: [*filter(None, map(options.get, ("drawing", "table")))])
def adopt_command(drawing: Path, table: Path | None, page: str, write: bool, overwrite: bool, quiet: bool,
                  as_json: bool) -> None:
    """Prints which labels show which columns and how, what is left out and why, and columns that nothing shows. A deck
    needs no template file: front = "card.svg" reads the drawing itself. With --write you go on in the template.

    \b
    ppgen adopt card.svg
    ppgen adopt card.svg --table cards.xlsx --write
    """
    if page and not table:
        raise RequestError.at("--sheet", "is the sheet of a workbook", "add --table")
    if drawing.suffix.lower() != ".svg":
        raise InputError.at(display_path(drawing), "is not an SVG drawing",
                            f"save it as SVG; finished cards become a deck by ppgen new NAME --from {drawing.name}")
    adopted = _adopt(drawing, table, page)
    target = drawing.with_name(drawing.name + TEMPLATE_SUFFIX)
    if (write or overwrite) and target.exists() and not overwrite:
        raise InputError.at(display_path(target), Phrase("exists"), "rename it, or add --overwrite")
    if write or overwrite:
        write_files(target.parent, [BuiltFile(path=target.name, content=adopted.template.encode())])
    if as_json:
        print_json(_describe(adopted, target if write or overwrite else None))
        return
    for line in [] if quiet else _table(adopted):
        click.echo(line)
    warn(adopted.notes, quiet)
    if (write or overwrite) and not quiet:
        click.echo(f"{display_path(target)}\nTo use it, write front = \"{target.name}\" in deck.toml.", err=True)


def _adopt(drawing: Path, table: Path | None, page: str) -> AdoptedDrawing:
    """Adopt a drawing as the deck around it does, or for the columns of a table."""
    from ppgen.engine.adoption.adopted_drawing import adopt_alone
    from ppgen.games.catalogue import open_game
    from ppgen.reading.tables import read_table

    folder = next((each for each in (drawing.parent, Path())
                   if is_deck(each) and drawing.resolve().is_relative_to(each.resolve())), None)
    if folder and not table:
        name = drawing.resolve().relative_to(folder.resolve()).as_posix()
        deck = open_game(Assets.at(folder)).deck
        if deck and name in deck.drawings:
            return deck.drawings[name]
    headings: tuple[str, ...] = ()
    if table:
        problems = Problems()
        headings = tuple(read_table(table.parent, table.name, problems, page).headings)
        problems.raise_if_any()
    return adopt_alone(drawing.parent, drawing.name, headings)


def _table(adopted: AdoptedDrawing) -> list[str]:
    rows = [(f"{adopted.name}:{each.line}", each.label, each.column, each.use)
            for each in sorted(adopted.bound, key=lambda each: each.line)]
    lines = [f"Page: {adopted.page}."]
    if rows:
        lines += columns([("LINE", "LABEL", "COLUMN", "SHOWN AS"), *rows])[0]
    elif not adopted.columns:
        lines.append("No columns: no part of a deck.toml has this drawing (name a sheet with --table).")
    else:
        lines.append(f"Nothing is bound: label a text, shape or picture with the name of a column: "
                     f"{join_names(adopted.columns)}.")
    if rows and adopted.unshown:
        lines.append(f"Columns that nothing shows: {join_names(adopted.unshown)}.")
    return lines


def _describe(adopted: AdoptedDrawing, written: Path | None) -> dict[str, object]:
    return {"drawing": adopted.name, "page": adopted.page,
            "bound": [{"line": each.line, "label": each.label, "column": each.column, "use": each.use}
                      for each in adopted.bound],
            "left_out": [{"line": note.line, "label": note.key, "what": note.what, "remedy": note.remedy,
                          "count": note.more + 1} for note in adopted.notes],
            "unshown": list(adopted.unshown), "template": str(written) if written else None}


# --- ppgen fonts ---

@click.group("fonts", cls=InlineGroup, invoke_without_command=True)
@click.option("--all", "with_system", is_flag=True, help="List the families of this computer, too.")
@click.pass_context
def fonts_group(context: click.Context, with_system: bool) -> None:
    """List the styles, families and missing signs of a deck, or copy fonts into it.

    Run it in the deck's folder. A font in fonts/ sets what ppgen's own fonts lack, and is a style by its name.

    \b
    ppgen fonts
    ppgen fonts add "Noto Sans Devanagari" PirataOne.ttf
    """
    from ppgen.engine.drawing.fonts import HOUSE, system_fonts
    from ppgen.games.missing_signs import note_signs_of_files
    from ppgen.printing.workshop import Workshop

    if context.invoked_subcommand is None:
        workshop = Workshop.open(Assets.at(Path() if is_deck(Path()) else None))
        fonts = workshop.fonts
        rows = [("style", name, join_names(dict.fromkeys(font.family for font in style)))
                for name, style in fonts.styles.items() if not name.startswith(HOUSE)]
        rows += [("family", name, "in fonts/" if any(font.family == name and font.path.is_relative_to(Path().absolute())
                                                     for font in fonts.fonts) else "of ppgen")
                 for name in fonts.families]
        if with_system:
            rows += [("family", name, "of this computer") for name in
                     sorted({font.family for font in system_fonts()}.difference(fonts.families))]
        click.echo("\n".join(columns(rows)[0]))
        if is_deck(Path()):
            note_signs_of_files(Path(), fonts)
        for problem in workshop.missing_signs:
            click.echo(f"missing  {problem}")


@fonts_group.command("add")
@click.argument("names", metavar="NAME|FILE...", nargs=-1, required=True)
@click.option("--from", "source", type=click.Path(path_type=Path, exists=True), metavar="PATH",
              show_default="the fonts of this computer",
              help="A collection (.ttc) or a folder of fonts, which the names are looked up in.")
@quiet_option
def fonts_add_command(names: tuple[str, ...], source: Path | None, quiet: bool) -> None:
    """Copy font files, or the regular, bold and italic fonts of a family, into fonts/. It says what their licence
    allows.
    """
    from ppgen.engine.drawing.fonts import find_fonts

    _require_deck(Path())
    fonts = [*dict.fromkeys(font for name in names for font in find_fonts(name, source))]
    write_files(Path(), [BuiltFile(path=f"fonts/{font.file_name}", content=font.extract()) for font in fonts])
    if not quiet:
        for font in fonts:
            click.echo(f"fonts/{font.file_name}")
        for family, licence in dict.fromkeys((font.family, font.licence) for font in fonts):
            click.echo(f"Licence of {family}: {licence or 'the font says nothing of it: ask its maker'}.", err=True)
