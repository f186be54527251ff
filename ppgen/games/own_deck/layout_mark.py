"""The mark at the end of first layouts: what they were written from, and a digest that tells whether somebody has
changed them since.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

_MARK = re.compile(r"\{# made by ppgen new: (\{[ -~]{0,20000}\}) ([0-9a-f]{16}) #\}\s*\Z")


class LayoutMark(NamedTuple):
    """The look and the roles (``HEADING=ROLE``) of a first layout."""

    look: str
    roles: Sequence[str]


def mark_layout(layout: str, mark: LayoutMark) -> str:
    """Add the mark to a layout."""
    how = json.dumps({"look": mark.look, "as": [*mark.roles]}).replace("#", "\\u0023")  # "#}" would end the comment
    return f"{layout}{{# made by ppgen new: {how} {_digest(layout, how)} #}}\n"


def read_mark(layout: str) -> LayoutMark | None:
    """The mark of a layout; None without one, and if the layout has been changed."""
    match = _MARK.search(layout)
    if match is None or _digest(layout[:match.start()], match[1]) != match[2]:
        return None
    try:
        how = json.loads(match[1])
        look, roles = how["look"], how["as"]
    except (ValueError, KeyError, RecursionError):
        return None
    is_right = isinstance(look, str) and isinstance(roles, list) and all(isinstance(role, str) for role in roles)
    return LayoutMark(look, roles) if is_right else None


def _digest(layout: str, how: str) -> str:
    lines = layout.replace("\r\n", "\n")  # of an editor under Windows
    return sha256(f"{lines}{how}".encode()).hexdigest()[:16]
