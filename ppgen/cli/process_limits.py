"""Limits of processor time and memory for work on files of strangers: a safety net.

The readers and renderers of these files have limits of their own, but libraries outside Python may hang or crash in
unforeseen ways. On systems with fork (Linux, macOS) a child process does the work under the system's own limits; the
parent waits and reports in plain words how it ended. On other systems a thread watches the processor time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

import click

from ppgen.cli.option_types import Number
from ppgen.process.stop_requests import REQUESTS, handled_signals
from ppgen.shipped import Phrase

MAX_CPU_S = 600
"""Processor time in seconds of the whole run: a hundred times that of the largest shipped set in one language."""
MAX_MEMORY_BYTES = 4 * 1024 ** 3
"""Twenty times the memory of 2,000 cards."""
MIN_LIMIT, MAX_LIMIT = 0.05, 100.0
POLL_INTERVAL_S = 0.01
"""Maximum time in seconds until the end of the child, or a request to stop, is noticed."""


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """Limits that ``ppgen`` passes to its commands (``context.obj``) if it runs as a program and owns its process."""

    seconds: int = MAX_CPU_S
    memory: int = MAX_MEMORY_BYTES


limit_option = click.option("--limit", type=Number(MIN_LIMIT, MAX_LIMIT), default=1.0, show_default="1", metavar="N",
                            help="Allow your own files N times the usual time and memory.")


def with_limits(foreign_files: Callable[[dict[str, Any]], list[Path]]
                ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--limit`` to a command, and limit its process if its options name files of strangers."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run_limited(*args: Any, limit: float, **options: Any) -> Any:
            context = click.get_current_context()
            files = foreign_files(options)
            if files and isinstance(default := context.find_root().obj, ResourceLimits):
                from ppgen.process.supervision import limit_run  # needed for files of strangers only

                limits = ResourceLimits(max(1, round(default.seconds * limit)), round(default.memory * limit))
                limit_run(limits.seconds, max(1.0, limit))
                _continue_limited(limits, files, context, options)
            return command(*args, **options)

        return limit_option(run_limited)

    return decorate


def renew_limits() -> None:
    """Restart the count of processor time, for commands that run until they are stopped."""
    if _own_limits:
        import resource

        from ppgen.process.supervision import renew_time

        renew_time()
        used = resource.getrusage(resource.RUSAGE_SELF)
        _lower_limit("RLIMIT_CPU", round(used.ru_utime + used.ru_stime) + 1 + _own_limits[-1].seconds)


@contextmanager
def lift_limits() -> Iterator[None]:
    """Suspend the limits of this process, for programs of the user that are started meanwhile."""
    if not _own_limits:
        yield
        return
    import resource

    before = {kind: resource.getrlimit(kind) for kind in (resource.RLIMIT_CPU, resource.RLIMIT_DATA)}
    for kind, (_, hard_limit) in before.items():
        resource.setrlimit(kind, (hard_limit, hard_limit))
    try:
        yield
    finally:
        for kind, limits in before.items():
            resource.setrlimit(kind, limits)


_own_limits: list[ResourceLimits] = []
"""The limits of this process, if any."""


def _continue_limited(limits: ResourceLimits, files: list[Path], context: click.Context,
                      options: Mapping[str, Any]) -> None:
    """Return in a child process with these limits; the parent waits for it and ends as it does."""
    if not hasattr(os, "fork"):
        Thread(target=_watch_time, args=(limits, files), daemon=True).start()
        return
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    with _forward_signals() as forward_to:
        child = os.fork()
        if child:
            forward_to(child)
            while not (ended := os.waitpid(child, os.WNOHANG))[0]:  # a signal just before it would not end a long wait
                time.sleep(POLL_INTERVAL_S)
            status = ended[1]
    if not child:
        _end_with(parent)
        _own_limits.append(limits)
        _lower_limit("RLIMIT_CORE", 0)
        _lower_limit("RLIMIT_DATA", limits.memory)
        renew_limits()
        _give_up_rights(options)
        return
    if os.WIFEXITED(status):
        context.exit(os.WEXITSTATUS(status))
    click.echo(_exit_message(os.WTERMSIG(status), limits, files), err=True)
    context.exit(1)


def _give_up_rights(options: Mapping[str, Any]) -> None:
    """Restrict this process to what a command with these options needs.

    Commands that open a browser are left alone: it would inherit the limits. A page that is not read-only runs others.
    """
    from ppgen.process.landlock import restrict_process

    is_page = "read_only" in options
    if not options.get("open_result") and (not is_page or options["serve"]):
        restrict_process(_writable_paths(options), serves=bool(options.get("serve")),
                         starts=is_page and not options["read_only"])


def _writable_paths(options: Mapping[str, Any]) -> Iterator[Path]:
    """The working folder, the paths among the options, the user's folders of ppgen, and that for temporary files."""
    from tempfile import gettempdir

    from ppgen.cli.user_folders import CACHE_VARIABLE, USER_FOLDERS, user_folder
    from ppgen.errors import InputError

    yield Path()
    yield Path(gettempdir())
    for value in options.values():
        yield from (each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, Path))
    if cache := os.environ.get(CACHE_VARIABLE):
        yield Path(cache)
    for kind in USER_FOLDERS:
        with suppress(InputError):
            yield user_folder(kind)


def _end_with(parent: int) -> None:
    """Stop this process when its parent is killed, where the system can do that (Linux): no terminal could stop it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG of linux/prctl.h
        if os.getppid() != parent:  # killed already
            signal.raise_signal(signal.SIGTERM)


def _lower_limit(name: str, value: int) -> None:
    """Lower a limit of this process, if the system supports it."""
    import resource

    with suppress(AttributeError, OSError, ValueError):
        kind = getattr(resource, name)
        _, hard_limit = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if hard_limit < 0 else min(value, hard_limit), hard_limit))


@contextmanager
def _forward_signals() -> Iterator[Callable[[int], None]]:
    """Forward requests to stop to the child, once it is known, so that it undoes unfinished work."""
    children: list[int] = []
    received: list[int] = []

    def forward(number: int, _: FrameType | None) -> None:
        received.append(number)
        for child in children:
            os.kill(child, number)

    def forward_to(child: int) -> None:
        children.append(child)
        for number in received:
            os.kill(child, number)

    handlers = {number: signal.signal(number, forward) for number in handled_signals()}
    try:
        yield forward_to
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    for number in () if children else received:
        signal.raise_signal(number)


def _watch_time(limits: ResourceLimits, files: list[Path]) -> None:
    from ppgen.process import supervision

    while time.process_time() + supervision.spent_s < limits.seconds:
        time.sleep(0.5)
    click.echo(_timeout_message(limits, files), err=True)
    os._exit(1)  # one thread can't end another


def _exit_message(number: int, limits: ResourceLimits, files: list[Path]) -> str:
    """The reason why a process ended by a signal, in plain words."""
    if number == signal.SIGXCPU:
        return _timeout_message(limits, files)
    if number in (*REQUESTS, signal.SIGKILL):
        from ppgen.cli.messages import translate

        return translate(Phrase("stopped_by", signal=signal.Signals(number).name))
    return _format(files, Phrase("crashed", memory=f"{limits.memory / 1024 ** 3:.3g}"), Phrase("damaged_or_large"))


def _timeout_message(limits: ResourceLimits, files: list[Path]) -> str:
    return _format(files, Phrase("timed_out", seconds=limits.seconds), Phrase("hostile_or_large"))


def _format(files: list[Path], what: str, remedy: str) -> str:
    from ppgen.cli.messages import format_problem
    from ppgen.errors import Problem, display_path, join_names

    place = join_names(dict.fromkeys(map(display_path, files)))
    return format_problem(Problem(place=place, what=what, remedy=remedy))
