"""Saved profiles of printers, and the answers of interrupted dialogs about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from ppgen.cli.user_folders import user_folder
from ppgen.errors import InputError, Problem, RequestError, join_names
from ppgen.production.calibration import Printer, dump_printers, read_printers

PROFILES_FILE = "printers.toml"
ANSWERS_FILE = "printer-answers.json"
"""Answers of interrupted dialogs."""


def load_profiles() -> dict[str, Printer]:
    """Load all saved profiles. Raises InputError with the problems of the file."""
    return read_printers(profile_path())


def load_profile(name: str) -> Printer:
    """Load a saved profile. Raises RequestError for an unknown name."""
    printers = load_profiles()
    if name not in printers:
        raise RequestError([Problem(place="--printer", what=f"'{name}' is not a saved printer",
                                    remedy=f"known: {join_names(sorted(printers)) or 'none'}; see ppgen printer save")])
    return printers[name]


@contextmanager
def edit_profiles() -> Iterator[dict[str, Printer]]:
    """Load all profiles, to change them; save them at the end. No other run changes them meanwhile."""
    with _lock():
        printers = load_profiles()
        yield printers
        _write(PROFILES_FILE, dump_printers(printers))


def profile_path() -> Path:
    """The path of the file of profiles."""
    return _config_folder() / PROFILES_FILE


def load_draft(name: str) -> dict[str, float]:
    """Load the answers of an interrupted dialog about a profile; empty if there are none, or not readable."""
    return _load_drafts().get(name, {})


def save_draft(name: str, answers: Mapping[str, float]) -> None:
    """Save the answers so far about a profile; without any, delete them."""
    with _lock():
        drafts = {**_load_drafts(), name: dict(answers)}
        _write(ANSWERS_FILE, json.dumps({each: draft for each, draft in sorted(drafts.items()) if draft}, indent=1)
               + "\n")


def _load_drafts() -> dict[str, dict[str, float]]:
    from ppgen.reading.file_limits import read_bytes

    try:
        drafts = json.loads(read_bytes(_config_folder() / ANSWERS_FILE, 1_000_000, ""))
        return {str(name): {str(question): float(answer) for question, answer in answers.items()}
                for name, answers in drafts.items()}
    except (InputError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}


def _write(name: str, text: str) -> None:
    from ppgen.process.file_writing import BuiltFile, write_files

    write_files(_config_folder(), [BuiltFile(path=name, content=text.encode())])


def _lock() -> AbstractContextManager[bool]:
    """Wait until no other run changes the files, and lock them."""
    from ppgen.process.file_writing import lock_file

    lock = _config_folder() / "printers.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()
    return lock_file(lock)


def _config_folder() -> Path:
    return user_folder("config", "name a folder for profiles in XDG_CONFIG_HOME")
