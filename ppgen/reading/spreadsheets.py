"""Turns rows into CSV that a spreadsheet program opens without running what somebody wrote as a name.

Cells that begin with ``= + - @``, a tab or a carriage return may be taken for formulas (OWASP, "CSV Injection"):
such texts get an apostrophe in front, also behind a separator, as programs in other languages part cells at others.
Our own reader takes the apostrophes away again.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence

_START = r"((?:^|[;,\t]) *)"
_FORMULA = r"(?='*[=+\-@\t\r＝＋－＠])"
_HARMFUL, _GUARDED = re.compile(_START + _FORMULA), re.compile(f"{_START}'{_FORMULA}")


def guarded(text: str) -> str:
    """The text as a cell that is no formula."""
    return _HARMFUL.sub(r"\1'", text)


def unguarded(cell: str) -> str:
    """The text of a cell that :func:`guarded` wrote; cells of others stay as they are."""
    return _GUARDED.sub(r"\1", cell)


def csv_text(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as CSV with a first line of keys: all that any row has, in the order in which they are met."""
    out = io.StringIO()
    keys = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.writer(out, lineterminator="\n")
    for cells in ([keys] if keys else []) + [[row.get(key) for key in keys] for row in rows]:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])
    return out.getvalue()
