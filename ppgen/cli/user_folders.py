"""The user's folders for files of ppgen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

from ppgen.errors import InputError
from ppgen.shipped import Phrase

UserFolder = Literal["cache", "config", "data", "state"]
USER_FOLDERS: tuple[UserFolder, ...] = ("cache", "config", "data", "state")
CACHE_VARIABLE = "PPGEN_CACHE_DIR"  # environment variable for another place than the system's folder for caches


def user_folder(kind: UserFolder, alternative: str = "") -> Path:
    """The user's folder for a kind of files. Raises InputError without a home, with an ``alternative``."""
    import platformdirs

    find: Callable[..., Path] = getattr(platformdirs, f"user_{kind}_path")
    with suppress(OSError, RuntimeError):
        folder = find("ppgen", appauthor=False)
        if folder.is_absolute():  # some versions return ~ as it is, which would be a folder below the working folder
            return folder
    raise InputError.at("HOME", Phrase("no_home"), Phrase("set_home", message=alternative))
