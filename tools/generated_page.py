"""Pages whose tables and blocks are generated from the code: rewrite them, or check that they are up to date."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path


def update_pages(rendered: Mapping[Path, str]) -> int:
    """Write the pages anew; with ``--check`` on the command line only compare them. Returns the exit code."""
    stale = {page: text for page, text in rendered.items() if page.read_text(encoding="utf-8") != text}
    if "--check" in sys.argv[1:]:
        for page in stale:
            print(f"{page.name}: is not up to date (run the command without --check)", file=sys.stderr)
        return int(bool(stale))
    for page, text in stale.items():
        page.write_text(text, encoding="utf-8", newline="\n")
    return 0
