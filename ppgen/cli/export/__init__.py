"""``ppgen export``: the set for other places than paper at home. A file for each kind of place."""

from __future__ import annotations

import click

from ppgen.cli.boundary import Group

EXPORTS = {
    "png": ("ppgen.cli.export.png:png_command", "Make a PNG of every face."),
    "tts": ("ppgen.cli.export.tabletop:tts_command", "Make a set for Tabletop Simulator."),
    "tabletopia": ("ppgen.cli.export.tabletop:tabletopia_command", "Make pictures for Tabletopia."),
    "gamecrafter": ("ppgen.cli.export.shops:gamecrafter_command", "Make pictures for The Game Crafter."),
    "makeplayingcards": ("ppgen.cli.export.shops:makeplayingcards_command", "Make pictures for MakePlayingCards."),
    "drivethru": ("ppgen.cli.export.shops:drivethru_command", "Make a PDF for DriveThruCards."),
    "cut": ("ppgen.cli.export.cut:cut_command", "Draw the cuts of each sheet, for a cutting machine."),
    "scorer": ("ppgen.cli.export.scorer:scorer_command", "Make the page that scores on a phone."),
}
"""Where each export lives, and what it does; imported when it is called."""


@click.group("export", cls=Group, commands_at=EXPORTS)
def export_group() -> None:
    """Make the set for other places: pictures, virtual tables, print shops, cutting machines, phones.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
