"""Options that help shows without ``--all``."""

from functools import partial
from typing import Any

import click

ALL_OPTIONS = "ppgen.all_options"  # key in the context of a command line with `--help --all`


class UsualOption(click.Option):
    """An option that help shows without ``--all``. Its text is ``options.TEXT`` of ``data/help``, by default that of
    its name.
    """

    def __init__(self, *names: Any, text: str = "", **declared: Any) -> None:
        super().__init__(*names, **declared)
        self.text = text or max(self.opts, key=len).lstrip("-")


usual_option = partial(click.option, cls=UsualOption)
