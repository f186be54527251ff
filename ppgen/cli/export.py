"""``ppgen export``: the group of commands that make a set for other uses than printing at home."""

from __future__ import annotations

import click

from ppgen.cli.command_group import CommandGroup

EXPORTS = {
    "png": ("ppgen.cli.export_commands:png_command", "Make a PNG of each face."),
    "tts": ("ppgen.cli.export_commands:tts_command", "Make a set for Tabletop Simulator."),
    "tabletopia": ("ppgen.cli.export_commands:tabletopia_command", "Make pictures for Tabletopia."),
    "gamecrafter": ("ppgen.cli.export_commands:gamecrafter_command", "Make pictures for The Game Crafter."),
    "makeplayingcards": ("ppgen.cli.export_commands:makeplayingcards_command", "Make pictures for MakePlayingCards."),
    "drivethru": ("ppgen.cli.export_commands:drivethru_command", "Make a PDF for DriveThruCards."),
    "cut": ("ppgen.cli.export_commands:cut_command", "Draw the cuts of each sheet, for a cutting machine."),
    "scorer": ("ppgen.cli.export_scorer:scorer_command", "Make the page that scores on a phone."),
    "site": ("ppgen.cli.export_site:site_command", "Make a site to print the games from."),
}
"""Location (``module:attribute``) and summary of each export, imported only when it is called."""


@click.group("export", cls=CommandGroup, commands_at=EXPORTS)
def export_group() -> None:
    """Make the set for other places: pictures, virtual tables, print shops, cutting machines, phones.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
