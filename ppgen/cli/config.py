"""Turns ``ppgen.toml`` in the working folder into defaults of the options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppgen.errors import Problems, listed

if TYPE_CHECKING:
    from ppgen.reading.fields import Fields

FILE = "ppgen.toml"
SHARED = ("game", "data", "templates", "lang", "card-size", "ink", "skin", "output")
"""Options that may stand above the tables: they are meant for every command that has them."""
OF_SHIPPED = "init"
"""The command to which they say nothing: it begins something else, from the shipped games."""

WRITTEN = ("output", "sheet", "history")
"""Options that name what is written. The file may be a stranger's, so from it they stay in the working folder."""

Defaults = dict[str, Any]
"""The defaults of a command's options by their names; of a group, those of its commands by theirs."""


def defaults(group: click.Group, context: click.Context) -> Defaults:
    """The default of each option that the file sets, by command.

    Raises InputError for commands, options and values that are not known, with the known ones.
    """
    folder = Path.cwd()
    if not (folder / FILE).is_file():
        return {}
    from ppgen.reading.fields import read_toml  # most folders have no such file

    problems = Problems()
    top = read_toml(folder, FILE, problems)
    shared = [key for key in top if key in SHARED]
    found: Defaults = {}
    if shared and context.invoked_subcommand not in (None, OF_SHIPPED):  # others need not be imported for it
        command = group.get_command(context, context.invoked_subcommand)
        found |= {context.invoked_subcommand: _shared(top, shared, command, context)} if command else {}
    for name in top:
        if name in shared:
            continue
        if command := group.get_command(context, name):
            _add(found.setdefault(name, {}), _of_command(top.take_table(name), command, context))
        else:
            top.note(name, "is no command", f"known: {listed(group.list_commands(context))}; "
                                            f"or an option for all of them: {listed(SHARED)}")
    problems.raise_if_any()
    return found


def _shared(top: Fields, keys: list[str], command: click.Command, context: click.Context) -> Defaults:
    """What stands above the tables, for one command, or for all of a group."""
    if isinstance(command, click.Group):
        inner = {name: command.get_command(context, name) for name in command.list_commands(context)}
        return {name: _shared(top, keys, each, context) for name, each in inner.items() if each}
    options = _options(command)
    return _values(top, [key for key in keys if key in options and not _is_file(options[key])], options, command,
                   shared=True)


def _of_command(table: Fields, command: click.Command, context: click.Context) -> Defaults:
    if not isinstance(command, click.Group):
        options = _options(command)
        return _values(table, list(table), options, command)
    found: Defaults = {}
    for name in table:
        if inner := command.get_command(context, name):
            found[name] = _of_command(table.take_table(name), inner, context)
        else:
            table.note(name, "is no command", f"known: {listed(command.list_commands(context))}")
    return found


def _values(table: Fields, keys: list[str], options: dict[str, click.Option], command: click.Command,
            shared: bool = False) -> Defaults:
    """The values of these options. What is ``shared`` with other commands may be several, of which an option that takes
    one has the first."""
    from ppgen.reading.fields import shown_value

    context = click.Context(command)
    values: Defaults = {}
    for key in keys:
        if not (option := options.get(key)):
            table.note(key, "is no option", f"known: {listed(sorted(options))}")
            continue
        value = table.raw(key)
        several = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str | int | float) for each in several):
            table.note(key, f"{shown_value(value)} is not a text or a number")
            continue
        if shared and not option.multiple:
            named = [each for each in several if each != "all"]
            if not named:
                continue
            value = named[0]
        texts = tuple(map(_text, value)) if isinstance(value, list) else _text(value)
        if option.multiple and isinstance(texts, str):
            texts = (texts,)
        elif not option.multiple and not isinstance(texts, str):
            table.note(key, "takes one value, not a list")
            continue
        if key in WRITTEN and (amiss := _leads_astray(key, Path(texts if isinstance(texts, str) else ""))):
            table.note(key, *amiss)
            continue
        try:
            option.type_cast_value(context, texts)
        except click.BadParameter as error:
            table.note(key, f"{shown_value(value)} is neither true nor false" if option.is_flag else error.message)
        else:
            values[option.name or key] = texts
    return values


def _leads_astray(key: str, path: Path) -> tuple[str, str] | None:
    """Why a path of this file may not be written to, and what to do instead."""
    here = Path.cwd().resolve()
    if path.is_absolute() or not path.resolve().is_relative_to(here):
        return f"'{path}' leads out of this folder", f"give it on the command line, as --{key}"
    if key == "sheet" and path.suffix.lower() != ".pdf":
        return f"'{path}' is no PDF by its name", "end it with .pdf"
    return None


def _is_file(option: click.Option) -> bool:
    """``output`` above the tables is the folder of sets, not the one file that another command writes."""
    return isinstance(option.type, click.Path) and not option.type.dir_okay


def _options(command: click.Command) -> dict[str, click.Option]:
    return {option.opts[0].lstrip("-"): option for option in command.params if isinstance(option, click.Option)}


def _add(one: Defaults, other: Defaults) -> None:
    """Put the defaults of a table over those that are shared, also inside groups."""
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(one.get(key), dict):
            _add(one[key], value)
        else:
            one[key] = value


def _text(value: object) -> str:
    """A TOML value as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
