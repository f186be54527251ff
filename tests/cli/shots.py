"""A range for tests: starts a command again and again, stops it by signals at many moments, reports what is left.

``python shots.py`` takes a JSON document on stdin and prints one. ``words`` is the command line, ``folder`` an empty
folder to work in, ``before`` the one with which each run begins, ``shots`` a list of ``[signal, kind, part]``: after a
part (0 to 1) of each ``event`` of a run that Python tells its audit hooks of, of its changes of a ``file``, or of each
``line`` of the modules that write. None of them depends on how fast the machine is. Each run is a fork of this process,
which has all modules loaded: so a shot hits the work itself.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

CHANGES = {"open", "os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "shutil.copyfile", "sqlite3.connect"}
"""What Python tells its audit hooks of."""
WRITING = ("process/file_writing.py", "process/stop_requests.py", "contextlib.py")
PATIENCE = 60


def main() -> None:
    task = json.load(sys.stdin)
    folder = Path(task["folder"])
    stand = Range(folder / "work", folder / "said.txt", Path(task["before"]), task["words"])
    stand.load()
    whole = stand.measure()
    after = stand.state()
    stand.set_up()
    report = {"whole": whole, "before": stand.state(), "after": after, "shots": []}
    for name, kind, part in task["shots"]:
        stand.set_up()
        stop = signal.Signals[name]
        shot = {"shot": [name, kind, part], "code": stand.shoot(stop, kind, part * whole[kind]),
                "said": stand.said.read_text(), "state": stand.state()}
        if stop is signal.SIGKILL and shot["state"] not in (report["before"], after):
            shot |= {"next_code": stand.run(), "next_said": stand.said.read_text(), "next_state": stand.state()}
        report["shots"].append(shot)
    json.dump(report, sys.stdout)


class Range:
    def __init__(self, work: Path, said: Path, before: Path, words: list[str]) -> None:
        self.work, self.said, self.before, self.words = work, said, before, words

    def set_up(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.before, self.work)

    def load(self) -> None:
        """Import what the command imports, which a first run finds out."""
        self.set_up()
        names = self.said.with_name("modules.txt")
        assert self.run(at_end=lambda: names.write_text("\n".join(sys.modules))) == 0, self.said.read_text()
        for name in names.read_text().split():
            if name.startswith("ppgen.") or name.partition(".")[0] not in ("ppgen", "__main__"):
                try:
                    __import__(name)
                except ImportError:
                    assert not name.startswith("ppgen."), name

    def measure(self) -> dict[str, int]:
        """Of a whole run: the number of its events, of its changes of files, and of the lines that these take."""
        found = {}
        for kind in ("event", "file", "line"):
            self.set_up()
            found[kind] = self._count(kind)
        return found

    def _count(self, kind: str) -> int:
        seen: list[None] = []
        file = self.said.with_name("count.txt")
        code = self.run(kind, lambda: seen.append(None), at_end=lambda: file.write_text(str(len(seen) - 1)))
        assert code == 0, self.said.read_text()
        return int(file.read_text())

    def shoot(self, stop: signal.Signals, kind: str, moment: float) -> int:
        """Run and stop it; the exit code, or the signal's number below 0."""
        left = iter(range(round(moment), -2, -1))

        def step() -> None:
            if next(left, -1) == 0:
                os.kill(os.getpid(), stop)

        return self.run(kind, step)

    def run(self, kind="", step=lambda: None, at_end=lambda: None) -> int:
        """A run, with a call at each ``step`` of a kind; the exit code."""
        ready, begun = os.pipe()
        child = os.fork()
        if not child:
            self._become(begun, kind, step, at_end)
        os.close(begun)
        os.read(ready, 1)
        os.close(ready)
        return os.waitstatus_to_exitcode(self._wait(child))

    def _wait(self, child: int) -> int:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return status
            time.sleep(0.003)
        os.kill(child, signal.SIGKILL)
        raise AssertionError(f"{self.words} goes on for ever; said: {self.said.read_text()}")

    def _become(self, begun: int, kind: str, step, at_end) -> None:
        """Be the program from here on."""
        from ppgen.cli import start

        words = os.open(self.said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(words, 1)
        os.dup2(words, 2)
        os.chdir(self.work)
        sys.argv = ["ppgen", *self.words]
        commands = start._commands

        def under_fire() -> int:  # requests to stop are heard from here on
            os.close(begun)
            if kind == "event":
                sys.addaudithook(lambda event, args: step())
            elif kind == "file":
                sys.addaudithook(lambda event, args: step() if self._is_change(event, args) else None)
            elif kind == "line":
                sys.settrace(_tracer(step))
            return commands()

        start._commands = under_fire
        try:
            start.run()
        except SystemExit as end:
            at_end()
            sys.stdout.flush()
            os._exit(end.code or 0)
        os._exit(99)

    def _is_change(self, event: str, args: tuple[object, ...]) -> bool:
        if event not in CHANGES or (event == "open" and args[1] in ("r", "rb")):
            return False
        path = os.fsdecode(args[0]) if isinstance(args[0], (str, bytes, os.PathLike)) else ""
        return Path(path).absolute().is_relative_to(self.work)

    def state(self) -> dict[str, str]:
        """What is in the folder: a hash of each file, what a history keeps, folders."""
        kept = {path: _kept(path) for path in self.work.rglob("*.sqlite3")}  # to open it settles what was half done
        return {path.relative_to(self.work).as_posix(): kept[path] if path in kept else _content(path)
                for path in sorted(self.work.rglob("*"))}


def _tracer(step):
    """Calls at each line of the modules that write."""

    def lines(_frame, event, _argument):
        if event == "line":
            step()
        return lines

    return lambda frame, _event, _argument: lines if frame.f_code.co_filename.endswith(WRITING) else None


def _content(path: Path) -> str:
    return "folder" if path.is_dir() else hashlib.sha256(path.read_bytes()).hexdigest()


def _kept(history: Path) -> str:
    with closing(sqlite3.connect(history)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return "\n".join(db.iterdump())


if __name__ == "__main__":
    main()
