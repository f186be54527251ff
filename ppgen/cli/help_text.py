"""Help pages: options in groups with readable defaults, and guesses for mistyped words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import click

from ppgen.cli.option_types import GroupedOption

HELP_GROUPS: Mapping[str, str] = {
    "What": "lang preset only game card-size all-sizes pieces",
    "On what paper": "paper",
    "Backs": "printer",
    "Booklets, score sheets, box": "",
    "Files": "output open zip clean dry-run data templates quiet json",
    "Machinery": "no-cache limit help",
}
"""Groups of options, in the order of help: the most used ones first. Options of no group come before all groups.

Those of the build request declare their groups, and their places in these, themselves."""
OWN_GROUPS: Mapping[str, Mapping[str, str]] = {
    "new": {"What": "from sheet art starter score", "Cards": "size shape lang", "Files": "build quiet json"},
    "preview": {"Pictures": "show dpi watch serve open port follow read-only"},
    "scorer": {"Page": "lang game serve open port"},
    "png": {"Pictures": "dpi bleed corners"},
    "cut": {"Cuts": "corners format"},
    "score": {"Result": "explain format json lang quiet", "What": "partial interim game data",
              "Empty file": "template players output", "Sheet and history": "sheet save date place history"},
}
"""Further groups of single commands, which come first, and their own version of the groups above."""
MIN_GROUPED = 10
"""Commands with fewer options list them without groups."""
MAX_NAMES_WIDTH = 24
"""Columns for the names of an option: longer ones have a line of their own."""
SYNONYMS = {"--color": "--ink", "--colour": "--ink", "--language": "--lang", "--locale": "--lang",
            "--size": "--card-size", "--duplex": "--backs", "--double-sided": "--backs", "--part": "--only",
            "--scale": "--board-scale", "--folder": "--output"}
"""Options as other programs call them."""


# Options in groups

class OptionHelp(NamedTuple):
    """An option in plain words: its names, the values it takes, its default, and what it does; "" for none."""

    names: str
    values: str
    default: str
    text: str


def describe_option(option: click.Option, context: click.Context) -> OptionHelp:
    """Describe an option for help and documentation."""
    names = ", ".join(sorted(option.opts, key=len))
    if option.secondary_opts:
        names += f" / {', '.join(option.secondary_opts)}"
    return OptionHelp(names=names, values="" if option.is_flag else option.make_metavar(ctx=context),
                      default=_default_text(option), text=option.help or "")


def _default_text(option: click.Option) -> str:
    if isinstance(option.show_default, str):
        return option.show_default
    if option.is_flag:
        return (option.opts if option.default else option.secondary_opts)[0] if option.secondary_opts else ""
    return str(option.default) if option.show_default else ""


def limits(option: click.Option) -> str:
    """Format the limits of a number or length: ``1 to 500``; empty if it has none."""
    kind = option.type
    if text := getattr(kind, "limits", ""):
        return str(text)
    if isinstance(kind, click.IntRange | click.FloatRange) and kind.min is not None and kind.max is not None:
        return f"{kind.min:g} to {kind.max:g}"
    return ""


def group_options(command: click.Command, context: click.Context) -> list[tuple[str, list[click.Option]]]:
    """The options of a command in the groups of its help, without empty groups."""
    rest = {max(option.opts, key=len).lstrip("-"): option for option in command.get_params(context)
            if isinstance(option, click.Option) and not option.hidden}
    is_short = len(rest) < MIN_GROUPED
    own = dict(OWN_GROUPS.get(str(command.name), ()))
    titles = {**{title: names for title, names in own.items() if title not in HELP_GROUPS}, **HELP_GROUPS, **own}
    groups = {title: names.split() for title, names in titles.items()}
    declared = [(option, name) for name, option in rest.items() if isinstance(option, GroupedOption)]
    for option, name in sorted(declared, key=lambda item: item[0].place):
        groups[option.group].insert(option.place, name)
    taken = {name for names in own.values() for name in names.split()}
    found: dict[str, list[click.Option]] = {"Options": []}
    for title, names in groups.items():
        found[title] = [rest.pop(name) for name in names if name in rest and (title in own or name not in taken)]
    found["Options"] = [*rest.values()]
    if is_short:
        return [("Options", [option for options in found.values() for option in options])]
    return [(title, options) for title, options in found.items() if options]


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write the options of a command in groups, with all texts aligned."""
    rows = {title: [_help_row(option, context) for option in options]
            for title, options in group_options(command, context)}
    width = min(max(len(names) for group in rows.values() for names, _ in group), MAX_NAMES_WIDTH)
    for title, group in rows.items():
        with formatter.section(title):
            formatter.write_dl([(names.ljust(width), text) for names, text in group], col_max=MAX_NAMES_WIDTH)


def _help_row(option: click.Option, context: click.Context) -> tuple[str, str]:
    described = describe_option(option, context)
    default = described.default and f"default: {described.default}"
    note = "; ".join(filter(None, (limits(option), default)))
    return f"{described.names} {described.values}".strip(), f"{described.text}  [{note}]" if note else described.text


# Guesses

_PIECE_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


def guess_option(wrong: str, command: click.Command) -> str:
    """The option of a command that other programs call ``wrong``; empty if there is none."""
    meant = SYNONYMS.get(wrong, "")
    return meant if any(meant in param.opts for param in command.params) else ""


def guess_value(word: str, command: click.Command, context: click.Context) -> str:
    """The option and its value, if a command has an option that takes this word; else empty."""
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag and any(
                item.value == word and item.type == "plain" for item in option.shell_complete(context, word)):
            return f"{option.opts[0]} {word}"
    names = {name for param in command.params for name in param.opts}
    if "--data" in names and Path(word).is_dir():
        return f"--data {word}"
    return f"--only {word}" if "--only" in names and _PIECE_ID.fullmatch(word) else ""
