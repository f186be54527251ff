"""``ppgen list``: what is in the set."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ppgen.assets import Assets
from ppgen.cli.boundary import warn
from ppgen.cli.common import folder_options, json_option, quiet_but
from ppgen.lines import columns


@click.command("list")
@folder_options
@quiet_but("errors and the list")
@json_option
def list_command(game: str, data: Path | None, templates: Path | None, quiet: bool, as_json: bool) -> None:
    """List what is in the set: cards, tiles, pieces.

    --json lists the map of the board game, too.

    \b
    ppgen list
    ppgen list --json
    """
    from ppgen.games.catalogue import open_game

    found = open_game(Assets.at(data, templates), game)
    warn(found.warnings, quiet)
    components = found.describe()
    if as_json:
        document = {"game": found.id, "components": components, **found.facts}
        click.echo(json.dumps(document, ensure_ascii=False, indent=1))
    else:
        for line in _table(components):
            click.echo(line)


def _table(components: list[dict[str, object]]) -> list[str]:
    """A line a component, in columns: id, kind, what sets it apart, how many."""
    rows = [(str(entry["id"]), str(entry["kind"]), _details(entry), f"× {entry['copies']}") for entry in components]
    head = ("ID", "KIND", "WHAT", "COPIES")
    return columns((head, *rows))[0]


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
    return ", ".join(words)
