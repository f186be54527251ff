"""Turns a request to stop (Ctrl-C, SIGTERM, a closed terminal) into an exception, once, and never amid half of a thing.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import current_thread, main_thread
from types import FrameType

REQUESTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
SOON = 0.005
"""Seconds until a request that came where nothing can be raised is heard again."""


def listen(code: int) -> None:
    """From now on the first request raises KeyboardInterrupt, or SystemExit with the code; more of them do nothing.

    So what was begun can be undone in peace. What the caller had ignored (nohup) stays so. A request that comes while
    Python drops an object, where what is raised is lost, is heard right after that.
    """
    asked = 0
    usual = sys.unraisablehook

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal asked
        if asked:
            return
        asked = number
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(code)

    def lost(unraisable: sys.UnraisableHookArgs) -> None:
        nonlocal asked
        number = asked
        if not (number and isinstance(unraisable.exc_value, KeyboardInterrupt | SystemExit)):
            usual(unraisable)
        elif hasattr(signal, "setitimer"):
            asked = 0
            signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(number))
            signal.setitimer(signal.ITIMER_REAL, SOON)

    sys.unraisablehook = lost
    for number in heard_requests():
        signal.signal(number, stop)


def ignore() -> None:
    """From now on requests do nothing: all is done."""
    for number in heard_requests():
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Requests wait until the end of this, except within the context that it hands out.

    ``with held() as heard: …  with heard(): what may take long …``. Only the main thread hears of signals at all.
    """
    usual = {number: signal.getsignal(number) for number in heard_requests()}
    came: list[int] = []

    def hold() -> None:
        for number in usual:
            signal.signal(number, lambda number, _: came.append(number))

    def let_in() -> None:
        for number, handler in usual.items():
            signal.signal(number, handler)
        while came:
            signal.raise_signal(came.pop(0))

    @contextmanager
    def heard() -> Iterator[None]:
        let_in()
        try:
            yield
        finally:
            hold()

    hold()
    try:
        yield heard
    finally:
        let_in()


def heard_requests() -> list[int]:
    """The signals that are heard here and now: all, but for those that the caller had ignored."""
    if current_thread() is not main_thread():
        return []
    return [number for number in REQUESTS if signal.getsignal(number) not in (None, signal.SIG_IGN)]
