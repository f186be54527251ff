"""``ppgen adopt``: shows how a drawing becomes a template, and writes that template."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.assets import Assets, is_deck
from ppgen.cli.command_group import Command, print_json, warn
from ppgen.cli.options import json_option, quiet_option, with_limits
from ppgen.cli.usual_options import usual_option
from ppgen.errors import InputError, Problems, RequestError, display_path, join_names
from ppgen.lines import columns
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    from ppgen.engine.adoption.adopted_drawing import AdoptedDrawing

TEMPLATE_SUFFIX = ".j2"


def _strangers_files(options: dict[str, Any]) -> list[Path]:
    return [path for path in (options.get("drawing"), options.get("table")) if path]


@click.command("adopt", cls=Command)
@click.argument("drawing", metavar="DRAWING.svg", type=click.Path(dir_okay=False, path_type=Path))
@usual_option("--table", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", text="table-adopt")
@click.option("--sheet", "page", default="", metavar="NAME", help="Which sheet of a workbook that has several.")
@usual_option("--write", is_flag=True)
@click.option("--overwrite", is_flag=True, help="Write it also in place of an earlier one.")
@quiet_option
@json_option
@with_limits(_strangers_files)
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
        from ppgen.process.file_writing import BuiltFile, write_files

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
