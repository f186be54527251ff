"""The program: its commands, its options in ppgen.toml, its colours."""

from __future__ import annotations

import os
import sys

import click

from ppgen import __version__
from ppgen.cli.boundary import Group
from ppgen.cli.config import defaults

COMMANDS = {
    "build": ("ppgen.cli.build:build_command", "Print a set: PDF sheets to cut out, in OUTPUT/LANG/."),
    "check": ("ppgen.cli.check:check_command", "Check data, templates, texts and fonts before you print."),
    "export": ("ppgen.cli.export:export_group", "Make the set for virtual tables, print shops, cutters and phones."),
    "preview": ("ppgen.cli.preview:preview_command", "Look at the set before you print it."),
    "printer": ("ppgen.cli.printer:printer_group", "What your printer does, measured and kept."),
    "init": ("ppgen.cli.init:init_command", "Make a folder with a set of your own to change."),
    "list": ("ppgen.cli.list:list_command", "List what is in the set: cards, tiles, pieces."),
    "score": ("ppgen.cli.score:score_command", "Total a score sheet: who won, and why."),
    "completion": ("ppgen.cli.completion:completion_command", "Let the Tab key complete commands and options."),
    "history": ("ppgen.cli.history:history_group", "The games that were kept: list, show, correct, export."),
}
"""Where each command lives, and what it does. It is imported when called, so that each starts with its own only."""


_EPILOG = """
Options can also stand in ppgen.toml in the working folder: [build] paper = "letter". Exit codes: 0 done; 1 the input
is wrong, shown as "file:line key: what is wrong (what to do)"; 2 the command line is wrong. ppgen COMMAND --help says
more of each command, docs/commands.md everything.
"""


@click.group(cls=Group, commands_at=COMMANDS,
             context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}, epilog=_EPILOG)
@click.version_option(__version__, prog_name="ppgen")
@click.pass_context
def main(context: click.Context) -> None:
    """Print a game at home: data and SVG templates in, exact PDF sheets out.

    \b
    ppgen build --lang de            print the card game into output/de/
    ppgen build --game board-game    print the board game
    ppgen preview --serve            look at it in the browser
    ppgen score                      total the score sheet, country by country
    ppgen init --empty mydeck        begin a deck of your own
    """
    # no-color.org; and what goes into a file or a pipe is plain as well
    context.color = False if os.environ.get("NO_COLOR") or not sys.stdout.isatty() else None
    context.default_map = defaults(main, context)
