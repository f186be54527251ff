"""The program: its commands, and their defaults from ppgen.toml."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from ppgen import __version__
from ppgen.cli.command_group import CommandGroup, DefaultText
from ppgen.cli.messages import UsualOption, help_texts
from ppgen.errors import Phrase, Problems, is_network_path, join_names
from ppgen.lines import columns
from ppgen.reading.fields import Fields, format_value, read_toml

# --- Defaults from ppgen.toml ---

DEFAULTS_FILE = "ppgen.toml"
SHARED_OPTIONS = ("game", "data", "templates", "lang", "card-size", "ink", "skin", "large-print", "output")
"""Options allowed above the tables: they hold for every command that has them."""
STARTING_COMMANDS = ("init", "new")
"""The commands that ignore shared options: they start something new."""
PAGE_COMMANDS = ("open", "build")
"""The command that opens the page, and the one with whose options the page begins."""

HELP_COMMAND = "help"
"""The command that works beside a wrong file of defaults, too."""

OUTPUT_OPTIONS = ("output", "sheet", "history", "into")
"""Options that name what is written. The file may come from a stranger: its paths must stay in the working folder."""
COMMAND_LINE_OPTIONS = ("serve", "port", "open", "overwrite", "forget", "from", "yes")
"""Options that reach beyond the folder, to the network or the browser, or replace files: on the command line only."""
LIMIT_OPTION = "limit"
"""The option that a file of a stranger may lower, but not raise above the default."""

Defaults = dict[str, Any]
"""Defaults of a command by option name; of a group, those of its commands by command name."""


def load_defaults(group: click.Group, context: click.Context) -> Defaults:
    """Read the defaults of all commands from the working folder's ppgen.toml, if any.

    Raises InputError for unknown commands, options and values, with the known ones.
    """
    folder = Path.cwd()
    if not (folder / DEFAULTS_FILE).is_file():
        return {}
    problems = Problems()
    top = read_toml(folder, DEFAULTS_FILE, problems)
    shared = [key for key in top if key in SHARED_OPTIONS]
    defaults: Defaults = {}
    if shared and (invoked := context.invoked_subcommand) not in (None, *STARTING_COMMANDS):
        for name in PAGE_COMMANDS if invoked in PAGE_COMMANDS[:1] else (invoked,):  # no need to import the others
            command = group.get_command(context, name)
            defaults |= {name: _shared_defaults(top, shared, command, context)} if command else {}
    for name in top:
        if name in shared:
            continue
        if command := group.get_command(context, name):
            _merge_into(defaults.setdefault(name, {}), _table_defaults(top.take_table(name), command, context))
        else:
            top.note(name, Phrase("not_command"), Phrase(
                "known_or_shared", names=join_names(group.list_commands(context)), options=join_names(SHARED_OPTIONS)))
    problems.raise_if_any()
    return defaults


def _shared_defaults(top: Fields, keys: list[str], command: click.Command, context: click.Context) -> Defaults:
    """The shared defaults of one command, or of all commands of a group."""
    if isinstance(command, click.Group):
        inner = {name: command.get_command(context, name) for name in command.list_commands(context)}
        return {name: _shared_defaults(top, keys, each, context) for name, each in inner.items() if each}
    options = options_by_name(command)
    return option_values(top, [key for key in keys if key in options and not _takes_file(options[key])], options,
                         command, shared=True)


def _table_defaults(table: Fields, command: click.Command, context: click.Context) -> Defaults:
    """The defaults in the table of a command or group."""
    if not isinstance(command, click.Group):
        options = options_by_name(command)
        return option_values(table, list(table), options, command)
    defaults: Defaults = {}
    for name in table:
        if inner := command.get_command(context, name):
            defaults[name] = _table_defaults(table.take_table(name), inner, context)
        else:
            table.note(name, Phrase("not_command"), Phrase("known", message=join_names(command.list_commands(context))))
    return defaults


def option_values(table: Fields, keys: list[str], options: dict[str, click.Option], command: click.Command,
                  shared: bool = False) -> Defaults:
    """The values of these options. A ``shared`` list gives its first item to an option that takes a single value."""
    context = click.Context(command)
    values: Defaults = {}
    for key in keys:
        if not (option := options.get(key)):
            table.note(key, Phrase("not_option"), Phrase("known", message=join_names(sorted(options))))
            continue
        try:
            text = _read_option(table.raw(key), key, option, shared, context)
        except ValueError as error:
            table.note(key, *error.args)
            continue
        for each in (text,) if isinstance(text, str) else text or ():
            each.spot = table.spot(key)
        if text is not None:
            values[option.name or key] = text
    return values


def _read_option(value: object, key: str, option: click.Option, shared: bool,
                 context: click.Context) -> DefaultText | tuple[DefaultText, ...] | None:
    """The value as one would type it; None for a shared one without an item for this option. Raises ValueError with
    what is wrong, and the remedy if there is one.
    """
    items = value if isinstance(value, list) else [value]
    if not all(isinstance(item, str | int | float) for item in items):
        raise ValueError(Phrase("not_text_or_number", value=format_value(value)))
    if shared and not option.multiple:
        items = [item for item in items if item != "all"][:1]
        if not items:
            return None
    elif isinstance(value, list) and not option.multiple:
        raise ValueError(Phrase("one_value"))
    texts = tuple(DefaultText(str(item).lower() if isinstance(item, bool) else item) for item in items)
    text = texts if option.multiple else texts[0]
    if "" in texts:
        raise ValueError(Phrase("is_empty"))
    remedy = Phrase("on_command_line", option=key)
    for path in texts:
        if is_network_path(path) or (key in OUTPUT_OPTIONS and _leads_out(Path(path))):
            raise ValueError(Phrase("leads_out", path=path), remedy)
        if key == "sheet" and not path.lower().endswith(".pdf"):
            raise ValueError(Phrase("not_pdf_name", path=path), Phrase("end_pdf"))
    try:
        cast = option.type_cast_value(context, text)
    except click.BadParameter as bad:
        given = format_value(items[0] if shared and not option.multiple else value)
        raise ValueError(Phrase("neither", value=given) if option.is_flag else bad.message) from bad
    if key in COMMAND_LINE_OPTIONS:
        raise ValueError(Phrase("not_in_file"), remedy)
    if key == LIMIT_OPTION and cast > option.default:
        raise ValueError(Phrase("not_above_in_file", limit=f"{option.default:g}"), remedy)
    return text


def _leads_out(path: Path) -> bool:
    return path.is_absolute() or not path.resolve().is_relative_to(Path.cwd().resolve())


def _takes_file(option: click.Option) -> bool:
    """True for an option that names a single file: a shared ``output`` is the folder of sets, not an output file."""
    return isinstance(option.type, click.Path) and not option.type.dir_okay


def options_by_name(command: click.Command) -> dict[str, click.Option]:
    return {option.opts[0].lstrip("-"): option for option in command.params if isinstance(option, click.Option)}


def _merge_into(defaults: Defaults, overrides: Defaults) -> None:
    """Override the shared defaults by those of a table, also inside groups."""
    for key, value in overrides.items():
        if isinstance(value, dict) and isinstance(defaults.get(key), dict):
            _merge_into(defaults[key], value)
        else:
            defaults[key] = value


# --- Commands ---

COMMANDS = {
    "print": {"build": "ppgen.cli.build:build_command", "printer": "ppgen.cli.printer:printer_group",
              "export": "ppgen.cli.export:export_group"},
    "look": {"open": "ppgen.cli.open:open_command", "list": "ppgen.cli.check:list_command",
             "check": "ppgen.cli.check:check_command"},
    "score": {"score": "ppgen.cli.score:score_command", "history": "ppgen.cli.score:history_group"},
    "own": {"new": "ppgen.cli.new:new_command", "init": "ppgen.cli.new:init_command"},
    "help": {"help": "ppgen.cli.options:help_command", "completion": "ppgen.cli.options:completion_command"},
    "more": {"printed": "ppgen.cli.build:printed_command", "compare": "ppgen.cli.build:compare_command",
             "fetch": "ppgen.cli.new:fetch_command", "adopt": "ppgen.cli.new:adopt_command",
             "fonts": "ppgen.cli.new:fonts_group",
             "words": "ppgen.cli.check:words_command"},
}
"""Location (``module:attribute``) of each command, by the titles of help. Commands are imported only when called."""
FIRST_COMMANDS = {"build": "ppgen build", "open": "ppgen open", "score": "ppgen score", "new": "ppgen new mygame",
                  "help": "ppgen help"}
"""What ``ppgen`` alone proposes."""


@click.group(cls=CommandGroup, sections=COMMANDS, invoke_without_command=True,
             context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ppgen", cls=UsualOption)
@click.pass_context
def main(context: click.Context) -> None:
    """Defaults can stand in ppgen.toml in the working folder: [build] paper = "letter".

    Exit codes: 0 done; 1 the input is wrong, with a line for each problem; 2 the command line is wrong.
    """
    if context.invoked_subcommand is None:
        say = help_texts()
        lines, _ = columns([(line, say(f"start.{key}")) for key, line in FIRST_COMMANDS.items()])
        click.echo("\n".join(lines), err=True)
        context.exit(click.UsageError.exit_code)
    # no colours for NO_COLOR (no-color.org), nor in files and pipes
    context.color = False if os.environ.get("NO_COLOR") or not sys.stdout.isatty() else None
    if context.invoked_subcommand != HELP_COMMAND:
        context.default_map = load_defaults(main, context)
