"""Turns a command line into calls of the house, and what comes back into lines and exit codes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ppgen import __version__
from ppgen.cli.boundary import Group
from ppgen.cli.build import build_command
from ppgen.cli.check import check_command
from ppgen.cli.config import defaults
from ppgen.cli.list import list_command


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ppgen")
@click.pass_context
def main(context: click.Context) -> None:
    """Print a card game at home: data and SVG templates in, exact PDF sheets out.

    Options can also stand in ppgen.toml in the working folder: [build] paper = "letter"
    """
    context.default_map = defaults(main)


COMMANDS: Sequence[click.Command] = (build_command, check_command, list_command)
for command in COMMANDS:
    main.add_command(command)
