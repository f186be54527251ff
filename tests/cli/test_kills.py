"""Runs that are stopped: at many moments of the work, by TERM, INT and KILL.

Every visible file is whole, as it was or as it is to be; after TERM and INT all of them are one or the other, nothing
hidden is left, and no traceback is shown; after KILL the next run clears away what is left and does its work. A moment
is one of the events that Python tells its audit hooks of, most of them changes of files, which are a small part of the
work: so none depends on how fast the machine is. Each run is a fork of this process, which has all modules loaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count, cycle
from pathlib import Path

import pytest

from ppgen.cli import start

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork (POSIX)")]

CHANGES = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "sqlite3.connect"}
EVENTS, CHANGED = 2, 6
"""Moments, spread over all events of a run and over its changes of files."""
GAME = "".join(f'[[players]]\nname = "{name}"\n' for name in ("Andreas", "Beate", "Claus"))


def is_change(event: str, args: tuple[object, ...]) -> bool:
    """Whether an event changes a file of the working folder."""
    if event not in CHANGES or (event == "open" and args[1] in ("r", "rb")) or not isinstance(args[0], str | Path):
        return False
    return Path(args[0]).absolute().is_relative_to(Path.cwd())


def is_event(_event: str, _args: tuple[object, ...]) -> bool:
    return True


def run(words: tuple[str, ...], stop: int, counts: Callable[..., bool] = is_event, moment: int = -1
        ) -> tuple[int, str, int]:
    """Run the program until it is stopped by a signal at the given event, counted from 0.

    Returns the exit code, or below 0 the signal's number; what it said; how many events there were.
    """
    said, number = Path("../said.txt"), Path("../number.txt")
    if not (child := os.fork()):
        seen, commands = count(), start._commands

        def hear(event: str, args: tuple[object, ...]) -> None:
            if counts(event, args) and next(seen) == moment:
                os.kill(os.getpid(), stop)

        def commands_under_fire() -> int:  # requests to stop are heard from here on
            sys.addaudithook(hear)
            return commands()

        sys.stdout = sys.stderr = said.open("w", encoding="utf-8")
        sys.argv, start._commands = ["ppgen", *words], commands_under_fire
        code = start.exit_code()
        number.write_text(str(next(seen)))
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code, said.read_text(encoding="utf-8"), int(number.read_text())


def content(path: Path) -> str:
    """A hash of a file, what a history keeps."""
    if path.suffix == ".sqlite3":
        with closing(sqlite3.connect(path)) as db:  # to open it settles what was half done
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            return "\n".join(db.iterdump())
    return "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()


def state() -> dict[str, str]:
    return {str(path): found for path in (*Path().rglob("*.sqlite3"), *sorted(Path().rglob("*")))
            if path.exists() and (found := content(path))}


@pytest.mark.parametrize("words", [
    ("build", "--lang", "de", "--only", "stones", "--quiet"),
    ("score", "../game.toml", "--save", "--history", "games.sqlite3")])
def test_what_is_stopped_leaves_whole_files(desk, monkeypatch, words):
    (desk.folder / "game.toml").write_text(GAME, encoding="utf-8")
    for name in ("before", "work"):
        (desk.folder / name).mkdir()
    monkeypatch.chdir(desk.folder / "before")
    assert desk.ppgen(*words).exit_code == 0
    for path in Path("output").rglob("*.*"):
        path.write_bytes(b"earlier")
    before = state()
    monkeypatch.chdir(desk.folder / "work")

    def begin() -> None:
        for path in Path().iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree("../before", ".", dirs_exist_ok=True)

    signals, ended = cycle((signal.SIGTERM, signal.SIGINT, signal.SIGKILL)), []
    for counts, moments in ((is_event, EVENTS), (is_change, CHANGED)):
        begin()
        code, said, events = run(words, 0, counts)
        assert code == 0, said
        after = state()
        assert before != after
        for moment in range(0, events, max(1, events // moments)):
            begin()
            stop = next(signals)
            code, said, _ = run(words, stop, counts, moment)
            found, where = state(), f"{stop} {moment} {counts.__name__}: {code} {said}"
            hidden = {name for name in found if "/." in f"/{name}" or name.endswith("-journal")}
            assert "Traceback" not in said
            for path in found.keys() - hidden:
                assert found[path] in (before.get(path), after.get(path)), f"{path} is not whole. {where}"
            assert before.keys() <= found.keys(), where
            if stop is not signal.SIGKILL:
                ended.append(code)
                assert not hidden and (found == after or (found == before and code == 1)), where
            elif found not in (before, after):
                assert (run(words, 0)[0], state()) == (0, after), where
    assert ended.count(1) > len(ended) / 2, "they come too late"
