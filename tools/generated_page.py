"""Pages with parts that are generated from the code: rewrite them, or check that they are up to date."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def update_pages(pages: Mapping[Path, str], arguments: Sequence[str]) -> int:
    """Write the pages that have changed; with ``--check`` only report them. Return the exit code."""
    stale = {path: text for path, text in pages.items() if path.read_text(encoding="utf-8") != text}
    if "--check" in arguments:
        for path in stale:
            print(f"{path.relative_to(ROOT).as_posix()} is out of date (run the tool without --check)", file=sys.stderr)
        return int(bool(stale))
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0
