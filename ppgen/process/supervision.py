"""The supervised child in which strangers' files are read and their faces drawn, and rights that it gives up."""

from __future__ import annotations

import ctypes
import errno
import json
import os
import signal
import struct
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from hashlib import blake2b
from importlib import import_module
from math import inf
from pathlib import Path
from threading import Event, Lock, Thread
from types import FrameType, MappingProxyType
from typing import IO, TYPE_CHECKING, Any

from ppgen.errors import BadText, InputError, Phrase, Problem, english_messages, find_shortage
from ppgen.records import asdict

if TYPE_CHECKING:
    import subprocess

if sys.platform != "win32":
    import resource


# --- Landlock ---
# Landlock: on Linux 5.13 and later, a process that reads files of strangers gives up what it does not need. It can then
# write only where its work is, start no program and (Linux 6.7) open no TCP connection, even if a template breaks out
# of its sandbox or a library is taken over. Elsewhere nothing happens. Reading stays free: Python and its libraries
# read everywhere. Numbers are those of linux/landlock.h, which never change.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same on all processors but Alpha
_VERSION_FLAG, _RULE_PATH_BENEATH, _PR_SET_NO_NEW_PRIVS = 1, 1, 38
_EXECUTE, _WRITE_FILE, _REFER, _TRUNCATE = 1 << 0, 1 << 1, 1 << 13, 1 << 14
_CREATE_AND_REMOVE = sum(1 << bit for bit in range(4, 13))
_BIND_TCP, _CONNECT_TCP = 1, 2
_VERSION_WITH_REFER, _VERSION_WITH_TRUNCATE, _VERSION_WITH_TCP = 2, 3, 4


def restrict_process(writable: Iterable[Path] = (), serves: bool = False, starts: bool = False) -> None:
    """Let this process write only in these folders and to devices, if the system can do that, and its children, too.

    Only one that ``serves`` may open TCP connections, and only one that ``starts`` programs may do that. Call it before
    any thread is started.
    """
    if not sys.platform.startswith("linux"):
        return
    with suppress(OSError, AttributeError):
        version = _call(_CREATE_RULESET, None, 0, _VERSION_FLAG)
        writing = (_WRITE_FILE | _CREATE_AND_REMOVE | (_REFER if version >= _VERSION_WITH_REFER else 0)
                   | (_TRUNCATE if version >= _VERSION_WITH_TRUNCATE else 0))
        tcp = 0 if serves else _BIND_TCP | _CONNECT_TCP
        files = writing if starts else writing | _EXECUTE
        rules = struct.pack("=QQ", files, tcp)[:16 if version >= _VERSION_WITH_TCP else 8]
        ruleset = _call(_CREATE_RULESET, rules, len(rules), 0)
        try:
            for path in map(Path.resolve, writable):
                _allow(ruleset, next(folder for folder in (path, *path.parents) if folder.is_dir()), writing)
            _allow(ruleset, Path("/dev"), writing & (_WRITE_FILE | _TRUNCATE))  # the terminal, and null
            _check(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
            _call(_RESTRICT_SELF, ruleset, 0)
        finally:
            os.close(ruleset)


def _allow(ruleset: int, folder: Path, rights: int) -> None:
    descriptor = os.open(folder, os.O_PATH | os.O_CLOEXEC)
    try:
        _call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)


def _call(number: int, *values: int | bytes | None) -> int:
    """Make a system call. Raises OSError."""
    arguments: Iterable[Any] = (ctypes.c_long(each) if isinstance(each, int) else each for each in values)
    return _check(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments))


def _check(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


# --- Windows ---
# What holds a process there: a job object, and the parent, which asks what the process has taken.

_MOST_MEMORY, _NO_DIALOG, _END_WITH_JOB, _ONE_PROCESS = 0x100, 0x400, 0x2000, 0x8
_JOB_LIMITS = struct.Struct("=16xI20xI68xQ24x")
"""JOBOBJECT_EXTENDED_LIMIT_INFORMATION on 64 bits: flags, number of processes, memory of a process."""
_THIS_PROCESS = -1


def _open_job(process: int) -> int:
    """Put a process into a job object of its own; return that."""
    if sys.platform != "win32":
        return 0
    kernel = ctypes.WinDLL("kernel32")
    job = int(kernel.CreateJobObjectW(None, None))
    kernel.AssignProcessToJobObject(ctypes.c_void_p(job), ctypes.c_void_p(process))
    return job


def _limit_job(job: int, most: int, flags: int = 0) -> None:
    if sys.platform == "win32":
        limits = _JOB_LIMITS.pack(_MOST_MEMORY | flags, 1, most)
        ctypes.WinDLL("kernel32").SetInformationJobObject(ctypes.c_void_p(job), 9, limits, len(limits))


def _measure(process: int) -> tuple[int, float]:
    """Bytes that a process alone has, and its seconds of processor time."""
    if sys.platform != "win32":
        return 0, 0.0
    kernel, handle = ctypes.WinDLL("kernel32"), ctypes.c_void_p(process)
    memory = ctypes.create_string_buffer(72)  # PROCESS_MEMORY_COUNTERS on 64 bits
    kernel.K32GetProcessMemoryInfo(handle, memory, len(memory))
    times = (ctypes.c_uint64 * 4)()
    kernel.GetProcessTimes(handle, *(ctypes.byref(times, 8 * n) for n in range(4)))
    *_, committed, _ = struct.unpack("=II8Q", memory.raw)
    return committed, (times[2] + times[3]) / 1e7


# --- Supervision ---
# The supervised child: strangers' files are read, and their faces drawn, where a crash, a hang or a flood costs one. A
# unit of work is a function of a module, called with bytes, that answers as JSON: a picture read, a face drawn. The
# child does one after the other without rights, each within bounds of time and memory; the kernel ends it at these. Its
# keeper, forked before there are threads, then starts another. Where there is no fork, the same code runs in a started
# program, whose time and memory the parent watches. A unit may read files as units of their own: the child says which
# one it is at, and if that ends it, the outer unit begins again, with the file known to be bad.

Options = Mapping[str, Any]
Work = Callable[[bytes, Options], Any]  # returns what a content means, as JSON; raises InputError
MAX_CPU_S, MAX_WAIT_S = 10.0, 60.0  # seconds for a unit: of processor time, and on the clock
MAX_MEMORY_BYTES = 1_000_000_000  # memory for a unit, beside that of the program
MAX_RUN_S, MAX_RUN_BYTES = 600, 4_000_000_000
"""Processor time of a run, a hundred times that of the largest shipped set in one language, and its memory, twenty
times that of 2,000 cards."""
SLOW, LATE, LARGE, CRASHED, KILLED, DAMAGED = "slow", "late", "large", "crashed", "killed", "damaged"
"""Why a unit did not come to its end; the last is an exception of a library."""
_GRACE = 1.2  # share of the time after which the kernel ends a child that is in a library and heeds no exception
_MAX_SHARED = 8  # shared contents that a child remembers
_ENDS = {"SIGVTALRM": SLOW, "SIGPROF": SLOW, "SIGALRM": LATE, "SIGKILL": KILLED}
"""What the signal that ended a child means; any other is a crash."""
_TIMERS = ("SIGVTALRM", "SIGPROF", "SIGALRM")
_OVER: int = getattr(signal, "SIGPROF", signal.SIGTERM)  # ends a run; Windows lets no other process send it
_WATCH_S = 0.05  # between two looks at a started program


class OverrunError(Exception):
    """A unit was too slow or too large, or crashed; it had so many ``times`` the bounds of others."""

    def __init__(self, cause: str, detail: str = "", times: int = 1) -> None:
        super().__init__(cause, detail)
        self.cause, self.detail, self.times = cause, detail, times

    def describe(self, doing: str, crash: str) -> str:
        """Put the cause into words: ``takes more than 10 s to read``."""
        return {SLOW: f"takes more than {MAX_CPU_S * self.times:g} s {doing}", CRASHED: crash,
                LATE: f"takes more than {MAX_WAIT_S * self.times:g} s on the clock {doing}",
                LARGE: f"takes more than {_memory_bound(MAX_MEMORY_BYTES * self.times) / 1e9:.3g} GB of memory {doing}",
                KILLED: "was ended from outside, as systems do when memory is short",
                DAMAGED: f"is damaged ({self.detail})"}[self.cause]

    def remedy(self, usual: str, others: Mapping[str, str] = MappingProxyType({})) -> str:
        """The remedy for the cause: of ``others``, or the ``usual`` one; for a child that was ended, one of its own."""
        return "close other programs, and try again" if self.cause == KILLED else others.get(self.cause, usual)


class UnitTimeout(BaseException):
    """Raised in the child at the line that is too slow."""


class Shared:
    """A content that several units have in common; the child is sent it once."""

    def __init__(self, content: bytes = b"") -> None:
        self.content, self.digest = content, blake2b(content, digest_size=20).hexdigest() if content else ""


# --- The side of the program ---

class _Child:
    """The child with its pipes. It ends when these are closed, as they are at the end of this process."""

    def __init__(self) -> None:
        self.number, self.cause = 0, ""
        self._turns: list[str] = []
        self.shared: deque[str] = deque(maxlen=_MAX_SHARED)
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

            python, environment = sys.executable, dict(os.environ)
            if sys.platform == "win32":  # that of a venv only starts this one, which is to be held
                python, environment["__PYVENV_LAUNCHER__"] = getattr(sys, "_base_executable", python), python
            self._program = subprocess.Popen(  # -P: -m alone imports what lies in the working folder, a deck's perhaps
                [python, "-P", "-m", __name__], cwd=sys.prefix,  # -I would hide the user's own site-packages
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
                creationflags=getattr(subprocess, "DETACHED_PROCESS", 0))  # no window, which would count as a process
            assert self._program.stdin and self._program.stdout
            self._handle = int(getattr(self._program, "_handle", 0))
            self._job = _open_job(self._handle)
            self.orders, self.answers = os.dup(self._program.stdin.fileno()), self._program.stdout
            self._program.stdin.close()

    def ask(self, order: Mapping[str, Any], content: bytes, shared: bytes) -> Mapping[str, Any]:
        """Have a unit done, and wait for the answer: of a child that was ended ``over``, and what it was ``at``."""
        self.number += 1
        name = order["shared"]
        news = b"" if name in self.shared else shared
        at: str | None = None
        answer: Mapping[str, Any]
        try:
            _send(self.orders, {**order, "number": self.number, "size": len(content), "news": len(news),
                                "folder": os.getcwd()}, content + news)  # noqa: PTH109 - a tenth of Path's time
            while (answer := json.loads(self.answers.readline())).get("begun") != self.number:
                self.shared.clear()  # the end of a child that had nothing to do
                if "errno" in answer:
                    return answer
            if news:
                self.shared.append(name)
            with self._watch(order["times"]):
                while "at" in (answer := json.loads(self.answers.readline())):
                    at = answer["at"]
                    self._turns.append(at)
            if "over" in answer:
                self.shared.clear()
            return {**answer, "at": at}
        except (OSError, ValueError):  # a started program crashed, or the system ended the keeper as well
            answer = {}  # unless it could not begin
            with suppress(OSError, ValueError):
                answer = json.loads(self.answers.readline())
            _forget_child()
            return answer if "errno" in answer else {"over": self.cause or CRASHED, "at": at}

    @contextmanager
    def _watch(self, times: int) -> Iterator[None]:
        """End a started program at the bounds of its unit; a forked child has timers of its own."""
        if not self._program:
            yield
            return
        self._turns.clear()
        done = Event()
        watcher = Thread(target=self._hold_bounds, args=(times, done), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _hold_bounds(self, times: int, done: Event) -> None:
        """End the program if its unit takes too much. A unit within it has time of its own, and stops its clock."""
        assert self._program
        before, processor = _measure(self._handle)
        most, start, outer = before + MAX_MEMORY_BYTES * times, (processor, time.monotonic()), (0.0, 0.0)
        _limit_job(self._job, most, _END_WITH_JOB | _ONE_PROCESS | _NO_DIALOG)
        while not done.wait(_WATCH_S):
            size, processor = _measure(self._handle)
            now = processor, time.monotonic()
            while self._turns:  # into a unit within this one, or back
                into, taken = self._turns.pop(0), (now[0] - start[0], now[1] - start[1])
                start, outer = (now, taken) if into else ((now[0] - outer[0], now[1] - outer[1]), (0.0, 0.0))
            more = 1 if any(outer) else times
            bounds = {LARGE: size > most, SLOW: now[0] - start[0] > MAX_CPU_S * more,
                      LATE: now[1] - start[1] > MAX_WAIT_S * more}
            self.cause = next((cause for cause, is_over in bounds.items() if is_over), "")
            if self.cause:
                self._program.kill()
                return

    def close(self) -> None:
        os.close(self.orders)
        self.answers.close()
        if self._program:
            self._program.kill()
            self._program.wait()
            if sys.platform == "win32":
                ctypes.WinDLL("kernel32").CloseHandle(ctypes.c_void_p(self._job))
        else:
            with suppress(ChildProcessError):  # that of the process that forked this one
                os.waitpid(self._keeper, 0)


_children: list[_Child] = []
_lock = Lock()
_failures: dict[str, str] = {}
"""Causes by the digests of units that ended the child: they are not tried again in this run."""


def start_supervision() -> None:
    """Start the child now: a process with threads can't be forked safely."""
    with _lock:
        _find_child()


NOTHING = Shared()


def run_supervised(work: Work, content: bytes, options: Options, shared: Shared = NOTHING, times: int = 1) -> Any:
    """Return what a function makes of a content, and of one that it shares with others (:func:`shared_content`).

    It may take so many ``times`` the time and memory of other units. Raises InputError; OverrunError if it takes more,
    or crashes; OSError if the system has too little for a child.
    """
    order = {"work": f"{work.__module__}:{work.__qualname__}", "options": options, "shared": shared.digest,
             "times": times}
    answer = _answer_inside(order, content) if _inside else _ask(order, content, shared.content)
    if "made" in answer:
        return answer["made"]
    if "problems" in answer:
        raise InputError(map(unpack_problem, answer["problems"]))
    if "errno" in answer:
        raise OSError(answer["errno"], os.strerror(answer["errno"]))
    raise OverrunError(answer["over"], answer.get("detail", ""), times)


def read_supervised(read: Work, content: bytes, options: Options, place: str, remedy: str) -> Any:
    """Return what a reader makes of a file's content. Raises InputError.

    If the file ends the child, the problem is of this ``place`` and has the ``remedy``.
    """
    try:
        return run_supervised(read, content, options)
    except OverrunError as error:
        what = error.describe("to read", "crashes the library that reads it")
        raise InputError.at(place, what, error.remedy(remedy, {LARGE: "make it smaller"})) from None


def _ask(order: Mapping[str, Any], content: bytes, shared: bytes) -> Mapping[str, Any]:
    """Have a unit done by the child; again without what it is made of, as long as that ends the child."""
    with _lock:
        while True:
            key = _digest(order, content) if _failures else ""
            if key in _failures:
                return {"over": _failures[key]}
            answer = _find_child().ask({**order, "failures": _failures}, content, shared)
            _spend(answer.get("seconds", MAX_CPU_S))
            if "over" not in answer or answer["over"] in (DAMAGED, KILLED):
                return answer
            _failures[answer["at"] or key or _digest(order, content)] = answer["over"]


# --- The bounds of a run ---

spent_s = 0.0  # processor time of the children of this run
_since_s = 0.0  # processor time of this process before the run, or its last change
_most_s = inf  # processor time of this process, and of its children, too


def is_limited() -> bool:
    """True if this run reads strangers' files, so that its pages are set in the child as well."""
    return _most_s < inf


def limit_run(times: float, stop: Callable[[int], None]) -> None:
    """Bound the time of this run: ``stop`` is called with the seconds when they are over, and must end it.

    If more than once (``times``) the usual is allowed, each unit may take more as well. Call it once, before there are
    threads.
    """
    global _most_s, MAX_CPU_S, MAX_WAIT_S, MAX_MEMORY_BYTES
    _most_s, more = max(1, round(MAX_RUN_S * times)), max(1.0, times)
    MAX_CPU_S, MAX_WAIT_S, MAX_MEMORY_BYTES = MAX_CPU_S * more, MAX_WAIT_S * more, round(MAX_MEMORY_BYTES * more)
    signal.signal(_OVER, lambda *_: stop(round(_most_s)))
    renew_time()
    if not hasattr(signal, "setitimer"):
        Thread(target=_watch_run, daemon=True).start()


def renew_time() -> None:
    """Begin to count the time of a limited run anew."""
    global spent_s, _since_s
    spent_s, _since_s = 0.0, time.process_time()
    if is_limited() and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, _most_s)
        signal.setitimer(signal.ITIMER_VIRTUAL, _GRACE * _most_s)  # by the kernel, in a library that heeds nothing


def limit_memory(most: int) -> None:
    """Lower the memory that this process may take, if the system can do that."""
    if sys.platform == "win32":
        _limit_job(_open_job(_THIS_PROCESS), most)
        return
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_memory_bound(most), hard))


def _memory_bound(most: int) -> int:
    """Return that number of bytes, or a lower limit of the user."""
    if sys.platform == "win32":
        return most
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return most if soft < 0 else min(most, soft)


def _spend(seconds: float) -> None:
    """Count the time of a child; end the run if it is too much."""
    global spent_s
    spent_s += seconds
    if spent_s > _most_s:
        signal.raise_signal(_OVER)


def _watch_run() -> None:
    """End a run whose time is over, where there are no timers; a little later even in a library that heeds nothing."""
    for share in (1, _GRACE):
        while time.process_time() - _since_s + spent_s < share * _most_s:
            time.sleep(0.1)
        if share == 1:
            signal.raise_signal(_OVER)
    os._exit(1)


def _find_child() -> _Child:
    if not _children:
        _children.append(_Child())
    return _children[0]


def _forget_child() -> None:
    while _children:
        _children.pop().close()


def _digest(order: Mapping[str, Any], content: bytes) -> str:
    whole = blake2b(json.dumps((order["work"], order["options"], order["shared"])).encode(), digest_size=20)
    whole.update(content)
    return whole.hexdigest()


def _begin_alone() -> None:
    """In a forked process: leave the child to the parent, and count its time anew."""
    global _lock
    _lock = Lock()
    _forget_child()
    renew_time()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_alone)


def _send(pipe: int, message: Mapping[str, Any], content: bytes = b"") -> None:
    """Write a line of JSON, and the content that follows it. Raises OSError."""
    for part in (json.dumps(message).encode() + b"\n", content):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(pipe, rest):]


# --- Problems on their way ---

def pack_problem(problem: Problem) -> Mapping[str, Any]:
    """Return a problem as JSON; a message keeps its key and values."""
    return {name: _pack_text(value) for name, value in asdict(problem).items()}


def _pack_text(value: object) -> object:
    if isinstance(value, Phrase):
        return {"key": value.key, "values": {name: _pack_text(each) for name, each in value.values.items()}}
    return value if isinstance(value, str | int | float | tuple) else str(value)


def unpack_problem(fields: Mapping[str, Any]) -> Problem:
    """Return the problem that was packed."""
    texts = {name: _unpack_text(value) for name, value in fields.items()}
    return (BadText if "share" in texts else Problem)(**{**texts, "others": tuple(texts["others"])})


def _unpack_text(value: Any) -> Any:
    if isinstance(value, dict):
        return Phrase(value["key"], **{name: _unpack_text(each) for name, each in value["values"].items()})
    return value


# --- The side of the child ---

_inside: list[int] = []  # in the child, the pipe for answers
_shared: dict[str, bytes] = {}
_known: dict[str, Mapping[str, Any]] = {}
"""Answers by the digests of units within others: a picture of many faces is read once."""
_bad: dict[str, str] = {}  # what ended a child before this one


def shared_content(options: Options) -> bytes:
    """Return the content that a unit shares with others."""
    return _shared[options["shared"]]


def own_bounds(times: int = 1) -> AbstractContextManager[None]:
    """Give a part of a unit bounds of its own; outside the child, none."""
    return _bounds(times) if _inside else nullcontext()


def _keep_child(orders: int, answers: int) -> None:
    """Fork a child that does units, and another one when it was ended; never return."""
    global _most_s
    try:
        _most_s = inf  # each unit has its own bounds
        for timer in (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
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
                for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE):
                    with suppress(OSError, ValueError):
                        resource.setrlimit(kind, (0, 0))
                do_units(orders, answers)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if os.WIFEXITED(status):
                break
            _send(answers, {"over": _ENDS.get(signal.Signals(os.WTERMSIG(status)).name, CRASHED)})
    except OSError as error:
        with suppress(OSError):
            _send(answers, {"errno": error.errno})
    finally:
        os._exit(0)


def _let_go_of_files(kept: set[int]) -> None:
    """Put nothing in the place of files and pipes of the parent, which wait for their last holder."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in {int(path.name) for path in Path("/dev/fd").iterdir()} - kept - {nothing}:
        with suppress(OSError):  # that of the listing
            os.fstat(number)
            os.dup2(nothing, number, inheritable=False)


def do_units(orders: int, answers: int) -> None:
    """Do units until the orders end."""
    _inside.append(answers)
    with os.fdopen(orders, "rb") as stream:
        while line := stream.readline():
            order = json.loads(line)
            _send(answers, {"begun": order["number"]})
            content, news = stream.read(order["size"]), stream.read(order["news"])
            if news:
                _shared[order["shared"]] = news
                for name in [*_shared][:-_MAX_SHARED]:
                    del _shared[name]
            _bad.update(order["failures"])
            os.chdir(order["folder"])
            start = time.process_time()
            known = _known.get(_digest(order, content)) if _known else None
            answer = known or _answer({**order, "options": {**order["options"], "shared": order["shared"]}}, content)
            os.chdir(sys.prefix)  # Windows neither renames nor removes a folder that a process works in
            _send(answers, {**answer, "seconds": time.process_time() - start})


def _answer_inside(order: Mapping[str, Any], content: bytes) -> Mapping[str, Any]:
    """Do a unit within another one, which has bounds of its own."""
    key = _digest(order, content)
    if key in _bad:
        return {"over": _bad[key]}
    if key not in _known:
        _send(_inside[0], {"at": key})
        _known[key] = _answer(order, content)
        _send(_inside[0], {"at": ""})
    return _known[key]


def _answer(order: Mapping[str, Any], content: bytes) -> Mapping[str, Any]:
    module, _, name = order["work"].partition(":")
    try:
        with _bounds(order["times"]):
            return {"made": getattr(import_module(module), name)(content, order["options"])}
    except InputError as error:
        return {"problems": [*map(pack_problem, error.problems)]}
    except UnitTimeout:
        return {"over": SLOW}
    except OverrunError as error:
        return {"over": error.cause, "detail": error.detail}
    except MemoryError:
        return {"over": LARGE}
    except BaseException as error:  # of any kind: libraries meet data that their authors never saw
        if find_shortage(error):
            return {"errno": getattr(error, "errno", None) or errno.ENOMEM}
        return {"over": DAMAGED, "detail": f"{type(error).__name__}: {str(error)[:100]}"}


@contextmanager
def _bounds(times: int = 1) -> Iterator[None]:
    """Raise UnitTimeout after the time of a unit, and let the kernel end this process soon after, if it can do that.

    A unit within another one stops the clock of that.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    signal.signal(signal.SIGPROF, _stop_unit)
    timers = {signal.ITIMER_PROF: MAX_CPU_S, signal.ITIMER_VIRTUAL: _GRACE * MAX_CPU_S, signal.ITIMER_REAL: MAX_WAIT_S}
    memory = resource.getrlimit(resource.RLIMIT_DATA)
    before = {timer: signal.setitimer(timer, seconds * times) for timer, seconds in timers.items()}
    try:
        limit_memory(_own_memory() + MAX_MEMORY_BYTES * times)
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, memory)
        for timer, (seconds, _) in before.items():
            signal.setitimer(timer, seconds)


def _stop_unit(number: int, frame: FrameType | None) -> None:
    raise UnitTimeout


def _own_memory() -> int:
    """Bytes of data that this process has; 0 where the system does not tell."""
    with suppress(OSError), open("/proc/self/statm", "rb", buffering=0) as file:  # noqa: PTH123 - a fifth of Path's time
        return int(file.read().split()[5]) * os.sysconf("SC_PAGESIZE")
    return 0


if __name__ == "__main__":
    from ppgen.process import supervision  # units ask for this one

    supervision.do_units(sys.stdin.fileno(), sys.stdout.fileno())
