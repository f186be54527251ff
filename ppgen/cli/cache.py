"""``--no-cache``, and where things are kept between runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

VARIABLE, FOLDER = "PPGEN_CACHE_DIR", "made-1"
"""The variable that names another place than the system's for a user's caches; the folder in it."""

_option = click.option("--no-cache", is_flag=True, help="Make everything anew, and keep nothing for later runs.")


def caching(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds ``--no-cache`` to a command; without it, what the command makes is kept between runs."""

    @wraps(command)
    def called(*args: Any, no_cache: bool, **options: Any) -> Any:
        from ppgen.cache.store import kept_in

        with kept_in(None if no_cache else _folder()):
            return command(*args, **options)

    return _option(called)


def _folder() -> Path | None:
    """Where things are kept; None if the system knows no such place."""
    if named := os.environ.get(VARIABLE):
        return Path(named).absolute() / FOLDER
    from platformdirs import user_cache_path

    try:
        return user_cache_path("ppgen", appauthor=False) / FOLDER
    except (OSError, RuntimeError):  # a user without a home
        return None
