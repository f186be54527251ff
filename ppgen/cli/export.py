"""``ppgen export``: the group of commands that make a set for other uses than printing at home."""

from __future__ import annotations

from importlib import import_module

import click

from ppgen.cli.command_group import CommandGroup

MODULES = ("ppgen.cli.export_commands", "ppgen.cli.export_scorer", "ppgen.cli.export_site")
"""Modules of exports. Each command in them is an export."""


def _find_exports() -> dict[str, str]:
    """Location (``module:attribute``) of each export by name."""
    return {str(command.name): f"{module}:{attribute}" for module in MODULES
            for attribute, command in vars(import_module(module)).items() if isinstance(command, click.Command)}


@click.group("export", cls=CommandGroup, sections={"commands": _find_exports()})
def export_group() -> None:
    """Exports take the options of ppgen build that matter to them, and write into the same folders.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
