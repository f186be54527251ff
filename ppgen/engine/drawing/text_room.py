"""Room that a text lacks in a box of another size, without drawing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ppgen.engine.drawing.face_tools import (BADGE_SIZE, BADGE_WIDTH, BOX_TEXT_SIZE, MIN_BADGE_SHRINK, MIN_TEXT_SHRINK,
                                             FaceTools)
from ppgen.engine.geometry import Size

FITTED_FUNCTIONS = ("text", "paragraph", "rich", "badge")  # functions whose words may lack room
TOLERANCE_MM = 0.02
ANY = 10_000.0  # more than any room


class Lack(NamedTuple):
    """The width that a text lacks in mm; 0 if it fits."""

    across: float
    down: float


def find_lack(tools: FaceTools, function: str, given: Mapping[str, Any], room: Size, in_box: bool) -> Lack:
    """What the words of a call lack in a room at their smallest size; ``rich`` may be a single line."""
    words = str(given.get("0", given.get("words", "")))
    size = float(given.get("size", min(room.width, room.height) * BOX_TEXT_SIZE))
    least = float(given.get("min_size", size if "size" in given else size * MIN_TEXT_SHRINK))
    lettering = replace(tools.lettering, icons=tools.find_icon)
    style = str(given.get("style", "title" if function == "badge" else "text"))
    if function == "badge":
        radius = room.width / 2
        room, least = Size(radius * BADGE_WIDTH, ANY), radius * BADGE_SIZE * MIN_BADGE_SHRINK
    if function == "text":
        needed = lettering.fonts.width(words, style, least, float(given.get("spacing", 0)) * least)
        return _lack(needed - room.width, 0)
    if function == "badge" or (function == "rich" and "height" not in given and not in_box):
        line = lettering.fit(words, width=ANY, height=ANY, size=least, style=style)
        return _lack(max((each.width for each in line.lines), default=0) - room.width, 0)
    fit = lettering.fit(words, width=room.width, height=room.height, size=size, min_size=least, style=style,
                        leading=float(given.get("leading", 1.2)), markup=function == "rich")
    widest = max((line.indent + line.width for line in fit.lines), default=0)
    return _lack(widest - room.width, fit.height - room.height)


def _lack(across: float, down: float) -> Lack:
    return Lack(*(each if each > TOLERANCE_MM else 0.0 for each in (across, down)))
