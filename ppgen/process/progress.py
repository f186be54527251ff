"""Progress of long work, and its report to a program that has started the command: lines of JSON on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

Progress = Callable[[str, int, int], None]  # step, how many are done, and of how many (0: unknown)
PROGRESS_VARIABLE, PROGRESS_MARK = "PPGEN_PROGRESS", "\x1e"
"""Environment variable that asks for the lines, and the character before each."""


def report_step(step: str, done: int, total: int) -> None:
    """Report a step, as a :data:`Progress` does. If the total is unknown, the step is a key of the page's texts."""
    if os.environ.get(PROGRESS_VARIABLE):
        import json  # most runs report nothing

        print(f"{PROGRESS_MARK}{json.dumps([step, done, total])}", file=sys.stderr, flush=True)
