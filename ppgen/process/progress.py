"""Steps of a command, for a program that has started it: lines of JSON on stderr, if that program asks for them."""

from __future__ import annotations

import json
import os
import sys

VARIABLE, MARK = "PPGEN_PROGRESS", "\x1e"
"""Environment variable that asks for the lines, and the character before each."""


def report_step(step: str, done: int, total: int) -> None:
    """Report a step that begins: how many are done, and of how many. If that is unknown (0), the step is a key of the
    page's texts.
    """
    if os.environ.get(VARIABLE):
        print(f"{MARK}{json.dumps([step, done, total])}", file=sys.stderr, flush=True)
