"""``ppgen export``: the group of commands that make a set for other uses than printing at home."""

from __future__ import annotations

import re
from importlib import import_module

import click

from ppgen.cli.command_group import CommandGroup

MODULES = ("ppgen.cli.export_commands", "ppgen.cli.export_scorer", "ppgen.cli.export_site")
"""Modules of exports. Each command in them is an export: its name and docstring declare it."""


def _find_exports() -> dict[str, tuple[str, str]]:
    """Location (``module:attribute``) and summary of each export by name: the docstring up to a colon or full stop."""
    return {str(command.name): (f"{module}:{attribute}", f"{re.split('[:.]', command.help or '')[0]}.")
            for module in MODULES for attribute, command in vars(import_module(module)).items()
            if isinstance(command, click.Command)}


@click.group("export", cls=CommandGroup, commands_at=_find_exports())
def export_group() -> None:
    """Make the set for other places: pictures, virtual tables, print shops, cutting machines, phones.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
