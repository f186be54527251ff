"""Help pages: options in groups with readable defaults, and guesses for mistyped words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import click

HELP_GROUPS: Mapping[str, str] = {
    "What": "lang preset where changed only game card-size all-sizes ink skin large-print pieces",
    "On what paper": "paper sets margin bleed marks order board-scale pictures together",
    "Backs": "backs flip printer back-offset back-rotation",
    "Booklets, score sheets, box": "booklet sheets-per-page pad sleeved card-thickness home",
    "Files": "output open dry-run data templates quiet json",
    "Machinery": "no-cache limit help",
}
"""Groups of options, in the order of help: the most used ones first. Options of no group come before all groups."""
MIN_GROUPED = 10  # commands with fewer options list them without groups
MAX_NAMES_WIDTH = 24  # columns for the names of an option: longer ones have a line of their own
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
    if len(rest) < MIN_GROUPED:
        return [("Options", [*rest.values()])]
    groups = {title: [rest.pop(name) for name in names.split() if name in rest] for title, names in HELP_GROUPS.items()}
    return [(title, options) for title, options in {"Options": [*rest.values()], **groups}.items() if options]


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

def guess_option(wrong: str, command: click.Command) -> str:
    """The option of a command that other programs call ``wrong``; empty if there is none."""
    meant = SYNONYMS.get(wrong, "")
    return meant if any(meant in param.opts for param in command.params) else ""
