"""Saved profiles of printers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ppgen.assets import user_folder
from ppgen.errors import RequestError, join_names
from ppgen.printing.calibration import Printer, dump_printers, read_printers
from ppgen.shipped import Phrase

PROFILES_FILE = "printers.toml"


def load_profiles() -> dict[str, Printer]:
    """Load all saved profiles. Raises InputError with the problems of the file."""
    return read_printers(profile_path())


def load_profile(name: str) -> Printer:
    """Load a saved profile. Raises RequestError for an unknown name."""
    printers = load_profiles()
    if name not in printers:
        raise RequestError.at("--printer", Phrase("unknown_printer", name=name),
                              Phrase("known_printers", message=join_names(sorted(printers)) or Phrase("none")))
    return printers[name]


@contextmanager
def edit_profiles() -> Iterator[dict[str, Printer]]:
    """Load all profiles, to change them; save them at the end. No other run changes them meanwhile."""
    from ppgen.process.file_writing import BuiltFile, write_files

    with _lock():
        printers = load_profiles()
        yield printers
        profiles = BuiltFile(path=PROFILES_FILE, content=dump_printers(printers).encode())
        write_files(_config_folder(), [profiles])


def profile_path() -> Path:
    """The path of the file of profiles."""
    return _config_folder() / PROFILES_FILE


def _lock() -> AbstractContextManager[bool]:
    """Wait until no other run changes the file, and lock it."""
    from ppgen.process.file_writing import lock_file

    lock = _config_folder() / "printers.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    return lock_file(lock)


def _config_folder() -> Path:
    return user_folder("config", Phrase("profile_folder"))
