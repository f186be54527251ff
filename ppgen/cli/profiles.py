"""Where printer profiles are kept: a file in the user's config folder, and one of answers that are not complete yet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ppgen.errors import InputError, Problem, RequestError, listed
from ppgen.production.printers import Printer, read_printers, written

FILE, ANSWERS = "printers.toml", "printer-answers.json"


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


@contextmanager
def changing() -> Iterator[dict[str, Printer]]:
    """All saved profiles, to be changed: they are stored at the end, and no other run changes them meanwhile."""
    with _locked():
        printers = load()
        yield printers
        _store(FILE, written(printers))


def file() -> Path:
    """The file that profiles are kept in."""
    return _folder() / FILE


def unfinished(name: str) -> dict[str, float]:
    """What was answered for a profile when somebody stopped; nothing if that can't be read."""
    return _unfinished().get(name, {})


def keep_unfinished(name: str, answers: Mapping[str, float]) -> None:
    """Keep what was answered so far for a profile; forget it if that is nothing."""
    with _locked():
        kept = {**_unfinished(), name: dict(answers)}
        _store(ANSWERS, json.dumps({each: found for each, found in sorted(kept.items()) if found}, indent=1) + "\n")


def _unfinished() -> dict[str, dict[str, float]]:
    from ppgen.reading.limits import read_bytes

    try:
        kept = json.loads(read_bytes(_folder() / ANSWERS, 1_000_000, ""))
        return {str(name): {str(question): float(answer) for question, answer in answers.items()}
                for name, answers in kept.items()}
    except (InputError, ValueError, TypeError, AttributeError, RecursionError, OverflowError):
        return {}


def _store(name: str, text: str) -> None:
    from ppgen.cli.output import write_files
    from ppgen.production.built import BuiltFile

    write_files(_folder(), [BuiltFile(path=name, content=text.encode())])


@contextmanager
def _locked() -> Iterator[None]:
    """Wait until no other run changes what is kept here."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "printers.lock").open("ab") as lock:
        if sys.platform == "win32":
            import msvcrt

            lock.seek(0)
            msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield  # closing the file lets the next one in


def _folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("ppgen", appauthor=False)
