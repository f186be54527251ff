"""``--preset``: options of ``ppgen build`` under one name, from ``data/presets.toml`` and the deck's ``[presets]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ppgen.assets import DECK_FILE, is_deck
from ppgen.cli.command_group import Command
from ppgen.cli.messages import interface_texts
from ppgen.cli.program import Defaults, option_values
from ppgen.cli.usual_options import usual_option
from ppgen.errors import Problems, RequestError, join_names, suggest
from ppgen.lines import columns
from ppgen.printing.request import OPTIONS
from ppgen.shipped import Phrase, shipped_root

if TYPE_CHECKING:
    from ppgen.reading.fields import Fields

PRESETS_FILE, PRESETS, LIST, ALL = "presets.toml", "presets", "list", "all"
_ALLOWED = frozenset({"paper", "only", "card-size", "pieces", *(
    name.replace("_", "-") for name, option in OPTIONS.items() if option.is_typed)} - {"changed", "where"})
"""Options that a preset may have: those of printing, as a deck comes from a stranger."""

preset_option = usual_option("--preset", default="", metavar="NAME")


class PresetCommand(Command):
    """A command with ``--preset``, whose values are defaults of the other options, before those of ``ppgen.toml``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if name := ctx.params.get("preset"):
            folder = ctx.params["data"] or Path()
            if name == LIST:
                for line in _list_presets(folder):
                    click.echo(line)
                ctx.exit()
            values = self._preset(name, folder, ctx.params["game"])
            for option in self.params:
                key = option.name or ""
                if key in values and ctx.get_parameter_source(key) is not ParameterSource.COMMANDLINE:
                    ctx.params[key] = option.process_value(ctx, values[key])
                    ctx.set_parameter_source(key, ParameterSource.DEFAULT_MAP)
        return rest

    def _preset(self, name: str, folder: Path, game: str) -> Defaults:
        """The values of a preset for a game. Raises RequestError for an unknown one, InputError for a wrong one."""
        from ppgen.games.catalogue import DEFAULT_GAME, GAME_KINDS

        problems = Problems()
        table = _find_preset(name, _open_presets(folder, problems))
        games = [kind.fixed_name for kind in GAME_KINDS.values() if kind.fixed_name]
        game = game or ("" if is_deck(folder) else DEFAULT_GAME)
        allowed = table.take_texts("games", ())
        if allowed and game not in allowed:
            raise RequestError.at("--preset", Phrase("preset_of_game", name=name),
                                  Phrase("needs_game", name=allowed[0]))
        options = {option.opts[0].lstrip("-"): option for option in self.params if isinstance(option, click.Option)
                   and option.opts[0].lstrip("-") in _ALLOWED}
        own = table.take_table(game, required=False) if table.is_table(game) else None
        keys = [key for key in table if key != "games" and key not in games]
        values = option_values(table, keys, options, self)
        if own:
            values |= option_values(own, list(own), options, self)
        problems.raise_if_any()
        return values


def _find_preset(name: str, tables: Mapping[str, Fields]) -> Fields:
    if name not in tables:
        raise RequestError.at("--preset", Phrase("no_preset", name=name),
                              suggest(name, tables, Phrase("known", message=join_names(tables))))
    return tables[name]


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset for a game: the options of ``ppgen build`` that it sets, parsed, and as they stand in its table."""

    name: str
    options: Mapping[str, Any]
    description: str


def read_presets(command: click.Command, names: Sequence[str], game: str, data: Path | None) -> tuple[Preset, ...]:
    """Read those of the named presets (``all``: each) that are for the game. Raises RequestError, InputError."""
    tables = _open_presets(data or Path(), Problems())
    wanted = dict.fromkeys(name for each in names for name in (tables if each == ALL else [each]))
    found = []
    for name in wanted:
        table = _find_preset(name, tables)
        if game not in (table.take_texts("games", ()) or (game,)):
            continue
        arguments = ["--preset", name, "--game", game, *(["--data", str(data)] if data else [])]
        with command.make_context("build", arguments) as context:
            options = {key: value for key, value in context.params.items()
                       if context.get_parameter_source(key) is ParameterSource.DEFAULT_MAP}
        found.append(Preset(name, options, _describe(table)))
    return tuple(found)


def _describe(table: Fields) -> str:
    return join_names(f"{each} = {table.raw(each)}" for each in table)


def _open_presets(folder: Path, problems: Problems) -> dict[str, Fields]:
    from ppgen.reading.fields import read_toml  # most runs need none

    shipped = read_toml(shipped_root() / "data", PRESETS_FILE, problems)
    tables = {name: shipped.take_table(name) for name in shipped}
    if is_deck(folder):
        own = read_toml(folder, DECK_FILE, problems).take_table(PRESETS, required=False)
        tables |= {name: own.take_table(name) for name in own}
    return tables


def _list_presets(folder: Path) -> Sequence[str]:
    """A line for each preset: its name, and what it means, or of a deck's own its options."""
    say, rows = interface_texts(), []
    for name, table in _open_presets(folder, Problems()).items():
        key = f"preset.{name}"
        rows.append((name, say(key) if key in say.words else _describe(table)))
    return columns(rows)[0]
