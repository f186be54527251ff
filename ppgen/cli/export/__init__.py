"""``ppgen export``: the set for other places than paper at home. A file for each kind of place."""

from __future__ import annotations

import click

from ppgen.cli.boundary import Group

EXPORTS = {
    "png": "ppgen.cli.export.png:png_command",
    "tts": "ppgen.cli.export.tabletop:tts_command",
    "tabletopia": "ppgen.cli.export.tabletop:tabletopia_command",
    "gamecrafter": "ppgen.cli.export.shops:gamecrafter_command",
    "makeplayingcards": "ppgen.cli.export.shops:makeplayingcards_command",
    "drivethru": "ppgen.cli.export.shops:drivethru_command",
    "cut": "ppgen.cli.export.cut:cut_command",
    "scorer": "ppgen.cli.export.scorer:scorer_command",
}
"""Where each export lives; imported when it is called."""


@click.group("export", short_help="Make the set for virtual tables, print shops, cutters and phones.",
             cls=Group, commands_at=EXPORTS)
def export_group() -> None:
    """Make the set for other places: pictures, virtual tables, print shops, cutting machines, phones.

    \b
    ppgen export png --lang de --dpi 300
    ppgen export tts --lang en --base-url https://example.org/kardinal
    ppgen export cut --paper a4
    ppgen export scorer --serve
    """
