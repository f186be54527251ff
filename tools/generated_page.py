"""Pages whose tables and blocks are generated from the code: rewrite one, or check that it is up to date."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path


def update_page(page: Path, render: Callable[[str], str]) -> int:
    """Write the page anew; with ``--check`` on the command line only compare it. Returns the exit code."""
    text = page.read_text(encoding="utf-8")
    rendered = render(text)
    if "--check" in sys.argv[1:]:
        if rendered != text:
            print(f"{page.name}: is not up to date (run the command without --check)", file=sys.stderr)
        return int(rendered != text)
    page.write_text(rendered, encoding="utf-8", newline="\n")
    return 0
