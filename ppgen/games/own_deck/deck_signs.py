"""Signs in a deck's tables that no font has: they are printed as boxes, and the designer is told of each once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.pictures.picture_files import ICON_ALIASES, shipped_icons
from ppgen.errors import Problem
from ppgen.reading.tables import Table

LAST_LETTER = "\u024f"  # the last of the Latin letters; ppgen's fonts have those that are written


@dataclass(frozen=True, slots=True, kw_only=True)
class SignUse:
    """First place of a sign: table, line and heading; and the number of rows that have it."""

    place: str
    line: int
    heading: str
    rows: int = 1


def find_signs(tables: Iterable[Table], is_read: Callable[[str], bool] = lambda column: True) -> Mapping[str, SignUse]:
    """Find the signs in the cells of tables that are not Latin letters, in columns that are read."""
    uses: dict[str, SignUse] = {}
    for table in tables:
        for row in table.rows:
            here: dict[str, str] = {}
            for column, cell in row.cells.items():
                if isinstance(cell, str) and not cell.isascii() and is_read(column):
                    here = {sign: column for sign in cell if sign > LAST_LETTER} | here
            for sign, column in here.items():
                if sign in uses:
                    uses[sign] = replace(uses[sign], rows=uses[sign].rows + 1)
                else:
                    uses[sign] = SignUse(place=table.place, line=row.line, heading=table.headings[column])
    return uses


def missing_signs(uses: Mapping[str, SignUse], fonts: FontBook) -> Mapping[str, Problem]:
    """Find the signs that no font has, each with its problem."""
    return {sign: _problem_of(sign, use) for sign, use in uses.items()
            if not any(font.can_set(sign) for font in fonts.fonts)}


def _problem_of(sign: str, use: SignUse) -> Problem:
    name = unicodedata.name(sign, "")
    cards = f", on {use.rows} cards" if use.rows > 1 else ""
    icon = _nearest_icon(name.lower())
    return Problem(use.place,
                   f"no font has '{sign}' (U+{ord(sign):04X}{', ' if name else ''}{name.lower()}){cards}: it is "
                   "printed as a box",
                   f"write {{{icon}}}, or put a font that has it into fonts/" if icon
                   else "put a font that has it into fonts/, or leave it out", line=use.line, key=use.heading)


def _nearest_icon(name: str) -> str:
    """The icon whose name is most like a word of a sign's name; empty if none is."""
    known = {**{icon: icon for icon in shipped_icons()}, **ICON_ALIASES}
    words = [word for word in name.replace("-", " ").split() if len(word) > 2]
    near = next((word for word in words if word in known), "") or next(
        (match for word in words for match in get_close_matches(word, known, n=1, cutoff=0.85)), "")
    return known.get(near, "")
