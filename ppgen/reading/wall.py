"""Readers of strangers' files behind a wall: in a child process without rights, which may crash, hang or eat memory.

One child reads file after file: bytes go in by a pipe, JSON comes out. The kernel ends it at bounds of time and memory
for each file. Its keeper, forked before there are threads, then starts another. Where there is no fork, the same code
runs in a started program. A reader is a function of a module, found by its name on the other side.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from threading import Lock, Timer
from typing import IO, TYPE_CHECKING, Any

from ppgen.errors import InputError, Problem
from ppgen.process.landlock import restrict_process
from ppgen.shipped import english_messages

if TYPE_CHECKING:
    import subprocess

Options = Mapping[str, Any]
Reader = Callable[[bytes, Options], Any]
"""Returns what a file's content means, as JSON. Raises InputError."""
MAX_CPU_S, MAX_WAIT_S = 10, 60
"""Seconds for a file: of processor time, and on the clock."""
MAX_MEMORY_BYTES = 1_000_000_000
"""Memory for a file, beside that of the program."""
_SLOW, _LARGE, _CRASHED = (f"takes more than {MAX_CPU_S} s to read",
                           f"takes more than {MAX_MEMORY_BYTES // 1_000_000_000} GB of memory to read",
                           "crashes the library that reads it")
_TIMERS = ("SIGPROF", "SIGALRM")


# The side of the program

class _Child:
    """The child with its pipes. It ends when these are closed, as they are at the end of this process."""

    def __init__(self) -> None:
        self.number, self.is_late = 0, False
        self.answers: IO[bytes]
        self._program: subprocess.Popen[bytes] | None = None
        if hasattr(os, "fork"):
            order_reader, orders = os.pipe()
            answers, answer_writer = os.pipe()
            self._keeper = os.fork()
            if not self._keeper:
                _keep_child(order_reader, answer_writer)
            os.close(order_reader)
            os.close(answer_writer)
            self.orders, self.answers = orders, os.fdopen(answers, "rb")
        else:
            import subprocess

            self._program = subprocess.Popen(  # -P: -m alone imports what lies in the working folder, a deck's perhaps
                [sys.executable, "-P", "-m", __name__], cwd=sys.prefix,  # -I would hide the user's own site-packages
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            assert self._program.stdin and self._program.stdout
            self.orders, self.answers = os.dup(self._program.stdin.fileno()), self._program.stdout
            self._program.stdin.close()

    def ask(self, order: Mapping[str, Any], content: bytes) -> Mapping[str, Any]:
        """Send a file to its reader, and wait for the answer. Raises OSError, ValueError if there will be none."""
        self.number += 1
        with self._watch():
            _send(self.orders, {**order, "number": self.number, "size": len(content)}, content)
            while json.loads(self.answers.readline()).get("begun") != self.number:
                pass  # the end of a child that had nothing to do
            answer: Mapping[str, Any] = json.loads(self.answers.readline())
            return answer

    @contextmanager
    def _watch(self) -> Iterator[None]:
        """End a started program that takes too long; a forked child has timers of its own."""
        timer = Timer(MAX_WAIT_S, self._end_late)
        if self._program:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _end_late(self) -> None:
        self.is_late = True
        if self._program:
            self._program.kill()

    def close(self) -> None:
        os.close(self.orders)
        self.answers.close()
        if self._program:
            self._program.kill()
            self._program.wait()
        else:
            with suppress(ChildProcessError):  # that of the process that forked this one
                os.waitpid(self._keeper, 0)


_children: list[_Child] = []
_lock = Lock()
_failures: dict[bytes, str] = {}
"""What is wrong with files that ended the child, by their digests: they are not tried again in this run."""


def start_wall() -> None:
    """Start the child now: a process with threads can't be forked safely."""
    with _lock:
        _find_child()


def read_behind_wall(reader: Reader, content: bytes, options: Options, place: str, remedy: str) -> Any:
    """Return what the reader makes of a file's content. Raises InputError.

    If the file ends the child, the problem is of this ``place`` and has the ``remedy``.
    """
    order = {"reader": f"{reader.__module__}:{reader.__qualname__}", "options": options}
    with _lock:
        key = _digest(order, content) if _failures else b""
        answer: Mapping[str, Any] = {"failed": _failures[key]} if key in _failures else _ask(order, content)
        if "ended" in answer:
            _failures[key or _digest(order, content)] = answer["ended"]
    if "made" in answer:
        return answer["made"]
    if "problems" in answer:
        raise InputError(Problem(**problem) for problem in answer["problems"])
    raise InputError([Problem(place=place, what=next(iter(answer.values())), remedy=remedy)])


def _ask(order: Mapping[str, Any], content: bytes) -> Mapping[str, Any]:
    child = _find_child()
    try:
        return child.ask(order, content)
    except (OSError, ValueError):  # a started program crashed, or the system ended the keeper as well
        _forget_child()
        return {"ended": _SLOW if child.is_late else _CRASHED}


def _find_child() -> _Child:
    if not _children:
        _children.append(_Child())
    return _children[0]


def _forget_child() -> None:
    while _children:
        _children.pop().close()


def _digest(order: Mapping[str, Any], content: bytes) -> bytes:
    return blake2b(json.dumps(order).encode() + b"\n" + content, digest_size=20).digest()


def _begin_alone() -> None:
    """In a forked process: leave the child to the parent."""
    global _lock
    _lock = Lock()
    _forget_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_alone)


def _send(pipe: int, message: Mapping[str, Any], content: bytes = b"") -> None:
    """Write a line of JSON, and the content that follows it. Raises OSError."""
    for part in (json.dumps(message).encode() + b"\n", content):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(pipe, rest):]


# The side of the child

def _keep_child(orders: int, answers: int) -> None:
    """Fork a child that reads, and another one when it was ended; never return."""
    with suppress(BaseException):
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # for the parent, whose end is that of the orders
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        for name in _TIMERS:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        _let_go_of_files({orders, answers})
        english_messages()  # while it may be read
        restrict_process()
        while True:
            child = os.fork()
            if not child:
                _limit_resources()
                read_files(orders, answers)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if os.WIFEXITED(status):
                break
            is_late = os.WTERMSIG(status) in [getattr(signal, name) for name in _TIMERS]
            _send(answers, {"ended": _SLOW if is_late else _CRASHED})
    os._exit(0)


def _let_go_of_files(kept: set[int]) -> None:
    """Put nothing in the place of files and pipes of the parent, which wait for their last holder."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in {int(path.name) for path in Path("/dev/fd").iterdir()} - kept - {nothing}:
        with suppress(OSError):  # that of the listing
            os.fstat(number)
            os.dup2(nothing, number, inheritable=False)


def _limit_resources() -> None:
    import resource

    for kind, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0),
                        (resource.RLIMIT_DATA, _own_memory() + MAX_MEMORY_BYTES)):
        with suppress(OSError, ValueError):  # of a lower limit of the parent
            resource.setrlimit(kind, (value, value))


def _own_memory() -> int:
    """Bytes of data that this process has from its parent; 0 where the system does not tell."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * os.sysconf("SC_PAGESIZE")
    return 0


def read_files(orders: int, answers: int) -> None:
    """Read files until the orders end."""
    with os.fdopen(orders, "rb") as stream:
        while line := stream.readline():
            order = json.loads(line)
            _send(answers, {"begun": order["number"]})
            content = stream.read(order["size"])
            with _timed():
                answer = _read_file(order, content)
            _send(answers, answer)


@contextmanager
def _timed() -> Iterator[None]:
    """Let the kernel end this process at the bounds of time, if it can do that."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    timers = ((signal.ITIMER_PROF, MAX_CPU_S), (signal.ITIMER_REAL, MAX_WAIT_S))
    for timer, seconds in timers:
        signal.setitimer(timer, seconds)
    yield
    for timer, _ in timers:
        signal.setitimer(timer, 0)


def _read_file(order: Mapping[str, Any], content: bytes) -> Mapping[str, Any]:
    module, _, name = order["reader"].partition(":")
    try:
        return {"made": getattr(import_module(module), name)(content, order["options"])}
    except InputError as error:
        return {"problems": [asdict(problem) for problem in error.problems]}
    except MemoryError:
        return {"failed": _LARGE}
    except BaseException as error:  # of any kind: libraries meet data that their authors never saw
        return {"failed": f"is damaged ({type(error).__name__}: {str(error)[:100]})"}


if __name__ == "__main__":
    read_files(sys.stdin.fileno(), sys.stdout.fileno())
