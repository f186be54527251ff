"""Turns ``ppgen.toml`` in the working folder into defaults of the options."""

from __future__ import annotations

from pathlib import Path

import click

from ppgen.errors import Problems, listed
from ppgen.reading import Fields, read_toml

FILE = "ppgen.toml"


def defaults(group: click.Group, context: click.Context) -> dict[str, dict[str, object]]:
    """The default of each option that the file sets, by command.

    Raises InputError for commands, options and values that are not known, with the known ones.
    """
    folder = Path.cwd()
    if not (folder / FILE).is_file():
        return {}
    problems = Problems()
    top = read_toml(folder, FILE, problems)
    found: dict[str, dict[str, object]] = {}
    for name in top:
        if command := group.get_command(context, name):
            found[name] = _of_command(top.take_table(name), command)
        else:
            top.note(name, "is no command", f"known: {listed(group.list_commands(context))}")
    problems.raise_if_any()
    return found


def _of_command(table: Fields, command: click.Command) -> dict[str, object]:
    options = {option.opts[0].lstrip("-"): option for option in command.params if isinstance(option, click.Option)}
    context = click.Context(command)
    values: dict[str, object] = {}
    for key in table:
        if not (option := options.get(key)):
            table.note(key, "is no option", f"known: {listed(sorted(options))}")
            continue
        value = table.raw(key)
        texts = tuple(map(_text, value)) if isinstance(value, list) else _text(value)
        if option.multiple and isinstance(texts, str):
            texts = (texts,)
        elif not option.multiple and not isinstance(texts, str):
            table.note(key, "takes one value, not a list")
            continue
        try:
            option.type_cast_value(context, texts)
        except click.BadParameter as error:
            table.note(key, error.message)
        else:
            values[option.name or key] = texts
    return values


def _text(value: object) -> str:
    """A TOML value as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
