"""Where printer profiles are kept: a file in the user's config folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ppgen.errors import Problem, RequestError, listed
from ppgen.printers import Printer, read_printers, written

FILE = "printers.toml"


def load() -> dict[str, Printer]:
    """All saved profiles. Raises InputError with what is wrong with the file."""
    return read_printers(_folder() / FILE)


def profile(name: str) -> Printer:
    """A saved profile; RequestError names the known ones."""
    printers = load()
    if name not in printers:
        raise RequestError([Problem(place="--printer", what=f"'{name}' is no saved printer",
                                    remedy=f"known: {listed(sorted(printers)) or 'none'}; see ppgen printer save")])
    return printers[name]


def store(printers: Mapping[str, Printer]) -> Path:
    """Keep exactly these; the file that they are in."""
    from ppgen.cli.output import write_files
    from ppgen.production.built import BuiltFile

    folder = _folder()
    write_files(folder, [BuiltFile(path=FILE, content=written(printers).encode())])
    return folder / FILE


def _folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("ppgen", appauthor=False)
