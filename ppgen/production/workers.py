"""Turns jobs that don't depend on each other into their results, on two processors where there are two."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeVar

from ppgen.cache.store import store

MOST = 2
"""Processes at once: each takes memory, and a set's languages are few."""

Result = TypeVar("Result")


def done(jobs: Sequence[Callable[[], Result]]) -> Iterator[Result]:
    """The result of each job, in their order, whoever did it. What a job raises is raised here.

    Half of the jobs are done by a process forked from this one: under its limits, with what it has read. What that one
    could not do, whatever became of it, is done here.
    """
    with _worker(jobs[1::2]) if len(jobs) > 1 and _may_fork() else _nobody() as others:
        mine = [job() for job in jobs[::2]] if others else []
        theirs = others() if others else []
        for number, job in enumerate(jobs):
            ready = theirs if number % 2 else mine
            yield ready[number // 2] if number // 2 < len(ready) else job()


def _may_fork() -> bool:
    """Whether there are processors for two, and no library of this process has threads, which a fork would lose."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return hasattr(os, "fork") and min(count, MOST) > 1 and "typst" not in sys.modules


@contextmanager
def _nobody() -> Iterator[None]:
    yield None


@contextmanager
def _worker(jobs: Sequence[Callable[[], Result]]) -> Iterator[Callable[[], list[Result]]]:
    """A process that does the jobs, and the function that waits for their results: those of the first ones, if not all.

    It ends with this context, done or not.
    """
    results, into = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if not child:
        os.close(results)
        _work(jobs, into)
    os.close(into)

    def waited_for() -> list[Result]:
        with os.fdopen(os.dup(results), "rb") as pipe:
            content = pipe.read()
        with suppress(EOFError, pickle.UnpicklingError):  # it came to an end before
            found: list[Result] = pickle.loads(content)
            return found
        return []

    try:
        yield waited_for
    finally:
        os.close(results)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _work(jobs: Sequence[Callable[[], Result]], into: int) -> None:
    """Do the jobs and end. Requests to stop are for the process that was called, which ends this one."""
    found: list[Result] = []
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for name in ("SIGTERM", "SIGHUP"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        with suppress(Exception):  # the other process does it again, and tells
            found.extend(job() for job in jobs)
        if opened := store():
            opened.close()  # the other process ends this one when it has the results
        with os.fdopen(into, "wb") as pipe:
            pipe.write(pickle.dumps(found))
    finally:
        os._exit(0)
