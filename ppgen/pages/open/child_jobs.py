"""Jobs of the live page, one at a time: commands of ppgen, each in a process of its own.

A job has limits of its own, gives up rights of its own, and undoes its work when it is stopped. Its result is the JSON
that the command prints, its errors are the lines on stderr.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from threading import Lock, Thread, Timer
from traceback import format_exc
from typing import IO, Any

from ppgen.errors import InputError, to_one_line
from ppgen.process.system import PROGRESS_MARK, PROGRESS_VARIABLE

Choices = Mapping[str, str]
PROGRAM = (sys.executable, "-P", "-m", "ppgen")  # -P: the working folder, that of a deck, holds no modules
GRACE_PERIOD_S = 10.0  # seconds that a job has to undo its work when it is stopped


@dataclass(frozen=True, slots=True)
class Job:
    """A command: its arguments for the choices of a page (raises InputError), and the result for what it prints."""

    arguments: Callable[[Choices], Sequence[str]]
    result: Callable[[Choices, Any, Sequence[str]], Mapping[str, Any]]
    """Called with the choices, the JSON of the command, and its messages."""
    codes: tuple[int, ...] = (0,)  # exit codes after which there is a result
    has_json: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """The last job, and how far it is."""

    number: int = 0
    name: str = ""  # what it does
    state: str = ""  # `running`, `done` or `failed`
    step: str = ""
    done: int = 0  # steps that are behind it
    total: int = 0  # 0 as long as it is unknown
    errors: tuple[Mapping[str, str], ...] = ()  # with what, remedy and where, or the key of a text of the page
    choices: Choices = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)


class JobRunner:
    """Runs jobs by name; ``on_change`` is called from a thread."""

    def __init__(self, jobs: Mapping[str, Job]) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self.status = JobStatus()
        self._jobs = jobs
        self._lock = Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_stopping = self._is_closed = False

    def start(self, name: str, choices: Mapping[str, Any]) -> bool:
        """Begin a job; False if another one is running."""
        with self._lock:
            if self.status.state == "running" or self._is_closed:
                return False
            self._is_stopping = False
            self.status = JobStatus(number=self.status.number + 1, name=name, state="running", choices=choices)
            try:
                self._start(self._jobs[name])
            except InputError as error:
                self._change(state="failed", errors=tuple(
                    _error(each.what, each.remedy, each.where) for each in error.problems))
        self.on_change()
        return True

    def _start(self, job: Job) -> None:
        words = [*PROGRAM, *job.arguments(self.status.choices)]
        output = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - closed when it has been read
        self._process = subprocess.Popen(  # in a session of its own: Ctrl-C in the terminal is for the page only
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True, env={**os.environ, PROGRESS_VARIABLE: "1", "PYTHONIOENCODING": "utf-8"})
        Thread(target=self._follow, args=(job, self._process, output), name="job", daemon=True).start()

    def stop(self) -> None:
        """Stop the running job, if any: it undoes its work first."""
        if (process := self._process) and process.poll() is None:
            self._is_stopping = True
            process.terminate()
            timer = Timer(GRACE_PERIOD_S, _kill, [process])
            timer.daemon = True
            timer.start()

    def close(self) -> None:
        """Stop the job, and wait for its end; no other one begins."""
        with self._lock:
            self._is_closed = True
        self.stop()
        if self._process:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_PERIOD_S)
            _kill(self._process)

    def _change(self, **changes: Any) -> None:
        self.status = replace(self.status, **changes)

    def _follow(self, job: Job, process: subprocess.Popen[str], output: IO[str]) -> None:
        """Note the steps of a job, and its end."""
        lines: list[str] = []
        with process:
            for line in process.stderr or ():
                if line.startswith(PROGRESS_MARK):
                    step, done, total = json.loads(line.removeprefix(PROGRESS_MARK))
                    self._change(step=step, done=done, total=total)
                    self.on_change()
                elif line.strip():
                    lines.append(to_one_line(line.rstrip()))
        code = process.returncode
        with output:
            output.seek(0)
            text = output.read()
        try:
            if code in job.codes and (text or not job.has_json):
                self._change(state="done", result=job.result(self.status.choices, json.loads(text or "{}"), lines))
            else:
                is_crash = code < 0 or not lines
                self._change(state="failed", errors=({"key": "stopped"},) if self._is_stopping else (
                    {"key": "crashed"},) if is_crash else tuple(map(_error, lines)))
        except Exception as error:  # the page must not wait for ever
            print(format_exc(), file=sys.stderr)
            self._change(state="failed", errors=(_error(f"unexpected {type(error).__name__}: this is a bug in ppgen"),))
        self.on_change()


def _kill(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _error(what: str, remedy: str = "", where: str = "") -> dict[str, str]:
    return {"where": to_one_line(where), "what": to_one_line(what), "remedy": to_one_line(remedy)}
