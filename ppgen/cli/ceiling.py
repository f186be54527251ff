"""How much processor time and memory work on strangers' files may take: a net under what nobody foresaw.

What reads and draws their files is bounded step by step, but libraries outside Python may hang or crash in ways that
nobody listed. On systems with fork (Linux, macOS) the work is done by a child process under the system's own limits;
the parent waits, and tells in plain words how it ended. Elsewhere a thread watches the processor time.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from select import select
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from ppgen.cli.numbers import Number
from ppgen.cli.signals import REQUESTS, heard_requests

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 600
"""Of processor time, over the whole run: a hundred times what the largest shipped set takes in one language."""
MEMORY = 4 * 1024 ** 3
"""Bytes: twenty times what 2,000 cards take."""
LEAST, MOST = 0.05, 100.0
BLINK = 0.2
"""Seconds in which a request to stop is heard at the latest."""
PATIENCE = 10.0
"""Seconds that a process has to undo its work when the one that was called is killed."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What ``ppgen`` hands to its commands (``context.obj``) when it runs as a program and may limit its process."""

    seconds: int = SECONDS
    memory: int = MEMORY


limit_option = click.option("--limit", type=Number(LEAST, MOST), default=1.0, metavar="N",
                            help="Files of your own may take N times the usual time and memory.  [default: 1]")


def limited(strange: Callable[[dict[str, Any]], list[Path]]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds ``--limit`` to a command, and the ceiling where ``strange`` finds files of strangers in its options."""

    def wrapped(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def under_ceiling(*args: Any, limit: float, **options: Any) -> Any:
            context = click.get_current_context()
            files = strange(options)
            if files and isinstance(ceiling := context.find_root().obj, Ceiling):
                _go_on(Ceiling(max(1, round(ceiling.seconds * limit)), round(ceiling.memory * limit)), files, context)
            return command(*args, **options)

        return limit_option(under_ceiling)

    return wrapped


def renewed() -> None:
    """Begin to count the processor time anew, for commands that go on until they are stopped."""
    if _granted:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _limit("RLIMIT_CPU", round(used.ru_utime + used.ru_stime) + 1 + _granted[-1].seconds)


_granted: list[Ceiling] = []
"""The ceiling of this process, if it has one."""


def _go_on(ceiling: Ceiling, files: list[Path], context: click.Context) -> None:
    """Return in a process that has the ceiling; the one that was called waits for it, and ends as it does."""
    if not hasattr(os, "fork"):
        Thread(target=_watch, args=(ceiling, files), daemon=True).start()
        return
    from ppgen.cli.leftovers import note_in, remove_noted

    sys.stdout.flush()
    sys.stderr.flush()
    noted, journal = os.pipe()
    orphaned, parent = os.pipe()
    with _passed_on() as to:
        child = os.fork()
        if child:
            to(child)
            os.close(journal)
            os.close(orphaned)
            left = _all(noted)  # until the child has ended, which closes the pipe
            _, status = os.waitpid(child, 0)
    if not child:
        os.close(noted)
        os.close(parent)
        _granted.append(ceiling)
        _limit("RLIMIT_CORE", 0)
        _limit("RLIMIT_DATA", ceiling.memory)
        renewed()
        note_in(journal)
        Thread(target=_end_with, args=(orphaned,), daemon=True).start()
        return
    if os.WIFEXITED(status):
        context.exit(os.WEXITSTATUS(status))
    remove_noted(left)
    click.echo(_told(os.WTERMSIG(status), ceiling, files), err=True)
    context.exit(1)


def _all(pipe: int) -> bytes:
    """What comes out of a pipe until its end. A request to stop that comes between two reads is heard at the next
    blink: a read that has begun by then would not be interrupted by it."""
    found = bytearray()
    while True:
        if select([pipe], [], [], BLINK)[0]:
            if not (more := os.read(pipe, 65_536)):
                os.close(pipe)
                return bytes(found)
            found += more


def _end_with(parent: int) -> None:
    """End this process if the one that was called is killed: nobody would wait for it, nobody could stop it."""
    os.read(parent, 1)  # nothing is ever written; a pipe ends when its writer does
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os._exit(1)  # a library that hangs doesn't hear of signals


def _limit(name: str, value: int) -> None:
    """Lower a limit of this process, as far as the system knows and keeps it."""
    import resource

    with suppress(AttributeError, OSError, ValueError):
        kind = getattr(resource, name)
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if most < 0 else min(value, most), most))


@contextmanager
def _passed_on() -> Iterator[Callable[[int], None]]:
    """Requests to stop go to the child, once it is known: it undoes what is half done."""
    children: list[int] = []
    asked: list[int] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        asked.append(number)
        for child in children:
            os.kill(child, number)

    def to(child: int) -> None:
        children.append(child)
        for number in asked:
            os.kill(child, number)

    usual = {number: signal.signal(number, pass_on) for number in heard_requests()}
    try:
        yield to
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)
    for number in () if children else asked:
        signal.raise_signal(number)


def _watch(ceiling: Ceiling, files: list[Path]) -> None:
    while time.process_time() < ceiling.seconds:
        time.sleep(0.5)
    click.echo(_too_long(ceiling, files), err=True)
    os._exit(1)  # another thread can't be told to end


def _told(number: int, ceiling: Ceiling, files: list[Path]) -> str:
    """Why a process ended by a signal, in plain words."""
    if number == signal.SIGXCPU:
        return _too_long(ceiling, files)
    if number in (*REQUESTS, signal.SIGKILL):
        return f"stopped ({signal.Signals(number).name})"
    return (f"{_shown(files)}: could not be read or set: a library crashed over it or had not enough of "
            f"{ceiling.memory / 1024 ** 3:.3g} GB of memory (a damaged or hostile file; or, for a very large set, "
            f"--limit 2)")


def _too_long(ceiling: Ceiling, files: list[Path]) -> str:
    return (f"{_shown(files)}: took more than {ceiling.seconds} s of processor time (a hostile file; or, for a very "
            f"large set, --limit 2 allows twice as much)")


def _shown(files: list[Path]) -> str:
    from ppgen.errors import shown_path

    return " and ".join(dict.fromkeys(map(shown_path, files)))
