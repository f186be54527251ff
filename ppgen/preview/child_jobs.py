"""Jobs of the live page, one at a time, each in a child process of its own: builds, checks, the record of prints.

A server has threads, and a process with threads can't be forked safely. So a second process is forked before any thread
starts. It waits for jobs on a pipe and forks the child that does one; limits of this process hold for both. Where there
is no fork, a job is done by a thread.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from select import select
from threading import Lock, Thread
from traceback import format_exc
from typing import Any

from ppgen.errors import InputError, to_one_line

Report = Callable[[str, int, int], None]
"""Called with each step of a job: its name, how many steps are done, and of how many (0 if that is unknown)."""
Job = Callable[[Mapping[str, Any], Report], Mapping[str, Any]]
"""Does a job with its choices and returns what came of it, JSON throughout. Raises InputError."""
MAX_LINE_BYTES = 20_000_000
POLL_INTERVAL_S = 0.1
GRACE_PERIOD_S = 10.0
"""Seconds that a job has to undo its work when it is stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStatus:
    """The last job: its number, what it does, its state (``running``, ``done``, ``failed``), step and results.

    ``done`` of ``total`` steps are behind it; the total is 0 as long as it is unknown.
    """

    number: int = 0
    name: str = ""
    state: str = ""
    step: str = ""
    done: int = 0
    total: int = 0
    errors: tuple[Mapping[str, str], ...] = ()
    choices: Mapping[str, Any] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)


class JobRunner:
    """Runs jobs by name. Make it before any thread starts; ``on_change`` is called from a thread."""

    def __init__(self, jobs: Mapping[str, Job]) -> None:
        self.on_change: Callable[[], None] = lambda: None
        self._jobs = jobs
        self._lock = Lock()
        self._status = JobStatus()
        self._is_closed = False
        self._orders = -1
        if hasattr(os, "fork"):
            order_reader, self._orders = os.pipe()
            reports, report_writer = os.pipe()
            self._process = os.fork()
            if not self._process:
                os.close(self._orders)
                os.close(reports)
                _serve_jobs(jobs, order_reader, report_writer)
            os.close(order_reader)
            os.close(report_writer)
            Thread(target=self._listen, args=(reports,), name="job reports", daemon=True).start()

    @property
    def status(self) -> JobStatus:
        return self._status

    def start(self, name: str, choices: Mapping[str, Any]) -> bool:
        """Begin a job; False if another one is running."""
        with self._lock:
            if self._status.state == "running" or self._is_closed:
                return False
            self._status = JobStatus(number=self._status.number + 1, name=name, state="running", choices=choices)
            order = {"number": self._status.number, "job": name, "choices": dict(choices)}
            if self._orders >= 0:
                os.write(self._orders, json.dumps(order).encode() + b"\n")
            else:
                Thread(target=_run, args=(self._jobs, order, self._take), daemon=True).start()
        self.on_change()
        return True

    def stop(self) -> None:
        """Stop the running job, if any: it undoes its work first."""
        with self._lock:
            if self._status.state == "running" and self._orders >= 0:
                order = {"number": self._status.number, "stop": True}
                os.write(self._orders, json.dumps(order).encode() + b"\n")

    def close(self) -> None:
        """Stop the job and the process that waits for jobs."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            if self._orders >= 0:
                os.close(self._orders)
                with suppress(ChildProcessError):
                    os.waitpid(self._process, 0)

    def _listen(self, reports: int) -> None:
        with os.fdopen(reports, "rb") as lines:
            while line := lines.readline(MAX_LINE_BYTES):
                with suppress(ValueError):
                    self._take(json.loads(line))

    def _take(self, report: Mapping[str, Any]) -> None:
        with self._lock:
            if self._status.state != "running" or report["number"] != self._status.number:
                return  # the end of the process after that of its job
            if "step" in report:
                self._status = replace(self._status, **report["step"])
            elif "errors" in report:
                self._status = replace(self._status, state="failed", errors=tuple(report["errors"]))
            else:
                self._status = replace(self._status, state="done", result=report["result"])
        self.on_change()


def _run(jobs: Mapping[str, Job], order: Mapping[str, Any], send: Callable[[Mapping[str, Any]], None]) -> None:
    """Do a job, and send its steps and its end."""
    number = order["number"]
    try:
        result = jobs[order["job"]](order["choices"], lambda step, done, total: send(
            {"number": number, "step": {"step": step, "done": done, "total": total}}))
    except InputError as error:
        send({"number": number, "errors": [_error(problem.what, problem.remedy, problem.where)
                                          for problem in error.problems]})
    except OSError as error:
        send({"number": number, "errors": [_error(str(error.strerror or error), where=str(error.filename or "files"))]})
    except Exception as error:  # the page must not wait for ever
        print(format_exc(), file=sys.stderr)
        send({"number": number, "errors": [_error(f"unexpected {type(error).__name__}: this is a bug in ppgen")]})
    else:
        send({"number": number, "result": result})


def _error(what: str, remedy: str = "", where: str = "") -> dict[str, str]:
    return {"where": to_one_line(where), "what": to_one_line(what), "remedy": to_one_line(remedy)}


class _Orders:
    """Orders read from a pipe; after its end it is not open."""

    def __init__(self, pipe: int) -> None:
        self.pipe, self.is_open = pipe, True
        self.queue: list[Mapping[str, Any]] = []
        self._pending = b""

    def read(self) -> None:
        more = os.read(self.pipe, 65_536)
        self.is_open = bool(more)
        *lines, self._pending = (self._pending + more).split(b"\n")
        self.queue += map(json.loads, lines)

    def has_stop(self, number: int) -> bool:
        return not self.is_open or {"number": number, "stop": True} in self.queue


def _serve_jobs(jobs: Mapping[str, Job], pipe: int, reports: int) -> None:
    """Do jobs until the orders end; never return."""
    with suppress(BaseException):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all processes: the first one ends this one
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        orders = _Orders(pipe)
        while orders.is_open:
            while orders.queue:
                if "job" in (order := orders.queue.pop(0)):
                    _do_in_child(jobs, order, orders, reports)
            orders.read()
    os._exit(0)


def _do_in_child(jobs: Mapping[str, Job], order: Mapping[str, Any], orders: _Orders, reports: int) -> None:
    """Do a job in a child, and end it when it is asked to stop."""
    def send(report: Mapping[str, Any]) -> None:
        content = json.dumps(report).encode() + b"\n"
        while content:
            content = content[os.write(reports, content):]

    child = os.fork()
    if not child:
        with suppress(BaseException):
            os.close(orders.pipe)
            signal.signal(signal.SIGTERM, _stop)
            _run(jobs, order, send)
        os._exit(0)
    deadline = inf
    while not (done := os.waitpid(child, os.WNOHANG))[0]:
        if orders.is_open and select([orders.pipe], [], [], POLL_INTERVAL_S)[0]:
            orders.read()
        if orders.has_stop(order["number"]):  # again and again: it may not have been ready, or hang in a library
            deadline = min(deadline, time.monotonic() + GRACE_PERIOD_S)
            os.kill(child, signal.SIGKILL if time.monotonic() > deadline else signal.SIGTERM)
        if not orders.is_open:
            time.sleep(POLL_INTERVAL_S)
    crash = "A library crashed over the files, or they took too much time or memory."
    with suppress(OSError):  # nobody listens any more
        send({"number": order["number"],  # ignored if the job has sent its end
              "errors": [_error(crash if os.WIFSIGNALED(done[1]) else "Stopped.")]})


def _stop(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(1)
