"""Options of ``ppgen preview``, and the set that they choose, read again after each save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ppgen.cli.print_options import SetOptions, build_request, open_set
from ppgen.cli.process_limits import renew_limits
from ppgen.errors import Problem, RequestError
from ppgen.preview.album import PreviewRequest, Show

if TYPE_CHECKING:
    from ppgen.production.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewOptions(SetOptions):
    """Options of ``ppgen preview``."""

    names: tuple[str, ...]
    shows: tuple[Show, ...]
    dpi: int
    watch: bool
    serve: bool
    port: int | None
    read_only: bool
    follow: Path | None
    open_result: bool


def reader(options: PreviewOptions) -> Callable[[], tuple[Workshop, PreviewRequest]]:
    """A function that reads the set again. It raises InputError, also for sizes and papers missing from the data."""

    def read() -> tuple[Workshop, PreviewRequest]:
        renew_limits()
        with context.scope(cleanup=False):  # another look is drawn by a thread of the page's server
            try:
                chosen = open_set(options)
                build = build_request(options, chosen)
            except click.BadParameter as error:
                option = str(error.param_hint or "option").strip("'")
                raise RequestError([Problem(place=option, what=error.message)]) from error
        return chosen.workshop, PreviewRequest(
            build=build, shows=options.shows, dpi=options.dpi, names=options.names)

    context = click.get_current_context()
    return read
