"""``ppgen list``: lists the components of a set."""

from __future__ import annotations

from pathlib import Path

import click

from ppgen.assets import Assets
from ppgen.cli.command_group import Command, print_json, warn
from ppgen.cli.messages import interface_texts
from ppgen.cli.options import folder_options, json_option, quiet_except_for, with_cache
from ppgen.cli.print_options import request_option
from ppgen.errors import RequestError
from ppgen.lines import columns
from ppgen.printing.request import PieceFilter


@click.command("list", cls=Command)
@folder_options
@request_option("where")
@quiet_except_for("errors and the list")
@json_option
@with_cache
def list_command(game: str, data: Path | None, templates: Path | None, where: PieceFilter | None, quiet: bool,
                 as_json: bool) -> None:
    """With --json also the map of the board game.

    EXPR selects pieces by their cells: dragon (a word in any cell), type:hero (a word in a column), type=hero (all of
    the cell), type= (empty), cost>3, -rare (not), "two words". All terms must match; or between them starts anew. The
    columns are those of ppgen list --json, and part. For build and export also is:changed and is:new.

    \b
    ppgen list
    ppgen list --where 'country:france number>4'
    ppgen list --json
    """
    from ppgen.games.catalogue import open_game

    opened = open_game(Assets.at(data, templates), game)
    warn(opened.warnings, quiet)
    components = opened.describe()
    if where:
        ids = set(where.select(components))
        components = [entry for entry in components if entry["id"] in ids]
        if not components:
            raise RequestError.at("--where", f"no piece matches '{where}'", "ppgen list shows the cells of all pieces")
    if as_json:
        print_json({"game": opened.id, "components": components, **opened.facts})
    else:
        for line in _table(components):
            click.echo(line)


def _table(components: list[dict[str, object]]) -> list[str]:
    """A line for each component, in columns: id, kind, details, number of copies."""
    rows = [(str(entry["id"]), str(entry["kind"]), _details(entry), f"× {entry['copies']}") for entry in components]
    say = interface_texts()
    head = tuple(say(f"list.{column}").upper() for column in ("id", "kind", "what", "copies"))
    return columns([head, *rows])[0]


def _details(entry: dict[str, object]) -> str:
    words = []
    for key, value in entry.items():
        if key in ("id", "kind", "copies") or value in (None, {}, ""):
            continue
        match value:
            case dict():
                words.append(" ".join(f"{count}×{kind}" for kind, count in value.items()))
            case list():
                words.append(" ".join(map(str, value)))
            case str():
                words.append(value)
            case _:
                words.append(f"{key} {value}")
    return " ".join(", ".join(words).split())  # a cell may hold line breaks
