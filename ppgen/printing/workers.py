"""Independent jobs, run on two processors if there are two."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from mmap import mmap
from typing import TYPE_CHECKING, TypeVar

from ppgen.cache import current_store

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MAX_WORKERS = 2  # Processes at once. Each takes memory, and a set has few languages.

Result = TypeVar("Result")


def run_jobs(jobs: Sequence[Callable[[], Result]]) -> Iterator[Result]:
    """Yield the result of each job in order; a forked process runs every other one. Raises the jobs' exceptions."""
    if len(jobs) < 2 or not _may_fork():
        for job in jobs:
            yield job()
        return
    import multiprocessing  # few runs need it

    # Not an executor: its workers outlive a killed parent, and take only jobs that can be pickled.
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    worker = fork.Process(target=_run_and_send, args=(jobs[1::2], receiver, sender))
    worker.start()
    sender.close()
    try:
        mine, theirs = [job() for job in jobs[::2]], list[Result]()
        with suppress(EOFError, OSError):  # it ended early
            theirs = receiver.recv()
        for number, job in enumerate(jobs):
            ready = theirs if number % 2 else mine
            yield ready[number // 2] if number // 2 < len(ready) else job()
    finally:
        receiver.close()
        worker.kill()
        worker.join()


class StepCounter:
    """Steps that jobs have done, counted in memory that is shared with the forked process."""

    def __init__(self, jobs: int) -> None:
        self._steps, self._parent = mmap(-1, jobs), os.getpid()

    def count(self, job: int) -> int | None:
        """Count a step of a job; return the number of all steps, or None in the forked process."""
        self._steps[job] += 1
        return sum(self._steps[:]) if os.getpid() == self._parent else None


def _may_fork() -> bool:
    """True with two processors, unless a library with threads, which a fork would lose, is loaded."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return hasattr(os, "fork") and min(count, MAX_WORKERS) > 1 and "typst" not in sys.modules


def _run_and_send(jobs: Sequence[Callable[[], Result]], receiver: Connection, sender: Connection) -> None:
    """Run the jobs in the forked process. Requests to stop are for the parent process, which ends this one."""
    receiver.close()  # so that sending fails if the parent was killed
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    finished: list[Result] = []
    with suppress(Exception):  # the parent runs that job again, and reports the error
        finished.extend(job() for job in jobs)
    if store := current_store():
        store.close()  # now: the parent kills this process once it has the results
    with suppress(OSError):  # the parent was killed
        sender.send(finished)
