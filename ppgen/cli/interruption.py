"""Requests to stop, held back while files are written, and temporary files, also those of killed runs."""

from __future__ import annotations

import os
import platform
import re
import shutil
import signal
import stat
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from itertools import count, islice
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

# Signal handlers: a request to stop (Ctrl-C, SIGTERM, a closed terminal) raises an exception, once.

REQUESTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
RETRY_DELAY_S = 0.005
"""Seconds until a request is repeated that came where no exception can be raised."""


def install_handlers(code: int) -> None:
    """Raise KeyboardInterrupt at the first request (SIGINT) or SystemExit with the code; ignore further ones.

    So the cleanup is not interrupted. Signals that the caller ignores (nohup) stay ignored. An exception raised while
    Python destroys an object is lost: that request is repeated right afterwards.
    """
    request = 0
    original_hook = sys.unraisablehook

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal request
        if request:
            return
        request = number
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(code)

    def repeat_lost(unraisable: sys.UnraisableHookArgs) -> None:
        nonlocal request
        number = request
        if not (number and isinstance(unraisable.exc_value, KeyboardInterrupt | SystemExit)):
            original_hook(unraisable)
        elif hasattr(signal, "setitimer"):
            request = 0
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(number))
            signal.setitimer(signal.ITIMER_REAL, RETRY_DELAY_S)

    sys.unraisablehook = repeat_lost
    for number in handled_signals():
        signal.signal(number, stop)


def ignore_requests() -> None:
    """Ignore requests to stop from now on: the work is done."""
    for number in handled_signals():
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def hold_signals() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Hold requests to stop back until the end of the context, except within the inner context that it yields.

    ``with hold_signals() as release: …  with release(): long work …``. Only the main thread receives signals at all.
    """
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


def handled_signals() -> list[int]:
    """The signals that mean a request to stop in this thread: all except those that the caller ignores."""
    if current_thread() is not main_thread():
        return []
    return [number for number in REQUESTS if signal.getsignal(number) not in (None, signal.SIG_IGN)]


# Temporary files. A run holds a shared lock on each folder in which it writes; the system releases it with the process,
# however that ends. Where no run holds one, all temporary files are left over. The name contains the machine and the
# process, for folders that can't be locked: there, files of a dead process can be removed.

MAX_FOLDER_ENTRIES = 20_000
"""Maximum number of entries of a folder to look at."""
DAY_S = 86_400
"""Age in seconds after which a name means nothing: no run takes so long, and process numbers are reused."""

_NAME = re.compile(r"\.ppgen-([0-9a-f]{8})-([0-9]{1,9})-[0-9]+")
_numbers = count()
_journals: list[int] = []


def temporary_path(folder: Path) -> Path:
    """Return a new hidden path in the folder, for this process alone."""
    path = folder / f".ppgen-{_machine_id()}-{os.getpid()}-{next(_numbers)}"
    note_temporary(path)
    return path


def clear_temporary(folder: Path) -> int:
    """Remove unfinished files and folders of ended runs from a folder, not from its subfolders; return their number.

    Links are neither followed nor removed. Files that can't be removed stay.
    """
    removed = 0
    with _lock_folder(folder, shared=False) as is_alone, suppress(OSError), os.scandir(folder) as entries:
        for entry in list(islice(entries, MAX_FOLDER_ENTRIES)):
            with suppress(OSError):
                if _is_stale(entry.name, entry.stat(follow_symlinks=False), is_alone):
                    _remove(Path(entry.path))
                    removed += 1
    return removed


def claim_folder(folder: Path) -> AbstractContextManager[bool]:
    """Keep other runs from clearing the temporary files of this one, until the end of the context."""
    return _lock_folder(folder, shared=True)


@contextmanager
def _lock_folder(folder: Path, shared: bool) -> Iterator[bool]:
    """Lock a folder; False if it can't be locked. A shared lock waits for one that is not, which does not wait."""
    descriptor = -1
    try:
        import fcntl

        descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_locked = True
    except (ImportError, OSError):
        is_locked = False
    try:
        yield is_locked
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def note_temporary(path: Path) -> None:
    """Note a file or folder in the journal before it is created, if there is a journal."""
    for journal in _journals:
        with suppress(OSError):
            os.write(journal, os.fsencode(path.absolute()) + b"\0")


def note_temporary_in(journal: int) -> None:
    """Use this pipe as the journal, for the parent process that waits for the end of this one."""
    _journals.append(journal)


def remove_temporary(journal: bytes) -> None:
    """Remove what a crashed process noted in its journal and neither finished nor undid."""
    for name in reversed(journal.split(b"\0")[:-1]):
        path = Path(os.fsdecode(name))
        with suppress(OSError):
            if _NAME.fullmatch(path.name):
                _remove(path)
            else:
                path.rmdir()  # a folder that it created; stays if it is not empty


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _is_stale(name: str, status: os.stat_result, is_alone: bool) -> bool:
    """True for an unfinished file of an ended run: where no other run writes, one of this machine, or of days ago.

    Else one of a dead process: perhaps an earlier one with our number.
    """
    if not (match := _NAME.fullmatch(name)) or not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        return False
    machine, process = match[1], int(match[2])
    is_local = machine == _machine_id()
    return time.time() - status.st_mtime > DAY_S or (
        is_local and (is_alone or process == os.getpid() or not _is_alive(process)))


def _is_alive(process: int) -> bool:
    if os.name == "nt":  # os.kill would end it there
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


@cache
def _machine_id() -> str:
    """An identifier of the process number space: one for a machine, another one for each container."""
    namespace = ""
    with suppress(OSError):
        namespace = str(Path("/proc/self/ns/pid").readlink())
    return f"{zlib.crc32(f'{platform.node()} {namespace}'.encode()):08x}"
