"""Requests to stop a run, and its progress. Loaded first, so it imports little."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import inf
from threading import current_thread, main_thread
from types import FrameType

# --- Requests to stop ---
# Requests to stop a run: Ctrl-C, SIGTERM, a closed terminal (on Windows SIGBREAK). They raise an exception, and can be
# held back.

REQUESTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
REPEAT_S = 1  # requests within it are one: timeout(1) sends its signal twice


def handled_signals() -> list[int]:
    """The signals that mean a request to stop in this thread: all except those that the caller ignores."""
    if current_thread() is not main_thread():
        return []
    return [number for number in REQUESTS if signal.getsignal(number) not in (None, signal.SIG_IGN)]


def install_handlers(code: int) -> None:
    """Raise KeyboardInterrupt (SIGINT) or SystemExit with the code; signals that the caller ignores stay ignored."""
    last = -inf

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal last
        if time.monotonic() - last < REPEAT_S:
            return
        last = time.monotonic()
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(code)

    for number in handled_signals():
        signal.signal(number, stop)


def ignore_requests() -> None:
    """Ignore requests to stop from now on: the work is done."""
    for number in handled_signals():
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def hold_signals() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Hold requests to stop back until the context ends, but for the inner one: ``with release(): …``."""
    handlers = {number: signal.getsignal(number) for number in handled_signals()}
    pending: list[int] = []

    def hold() -> None:
        for number in handlers:
            signal.signal(number, lambda number, _: pending.append(number))

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        while pending:
            signal.raise_signal(pending.pop(0))

    @contextmanager
    def release() -> Iterator[None]:
        restore()
        try:
            yield
        finally:
            hold()

    hold()
    try:
        yield release
    finally:
        restore()


# --- Progress ---
# Progress of long work, and its report to a program that has started the command: lines of JSON on stderr.

Progress = Callable[[str, int, int], None]  # step, how many are done, and of how many (0: unknown)
PROGRESS_VARIABLE, PROGRESS_MARK = "PPGEN_PROGRESS", "\x1e"
"""Environment variable that asks for the lines, and the character before each."""


def report_step(step: str, done: int, total: int) -> None:
    """Report a step, as a :data:`Progress` does. If the total is unknown, the step is a key of the page's texts."""
    if os.environ.get(PROGRESS_VARIABLE):
        import json  # most runs report nothing

        print(f"{PROGRESS_MARK}{json.dumps([step, done, total])}", file=sys.stderr, flush=True)
