"""What someone wrote down after a game, before anybody checked it, and where each value stands.

Every reader (``files``, ``csv_sheet``, ``forms``) makes a :class:`RawGame` of its format; its
document has the keys of the JSON format, whatever the file looked like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ppgen.errors import Problem, Spot
from ppgen.reading.fields import Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedTotal:
    """Points that someone typed into a filled-in sheet, to be held against the computed ones.

    ``entry`` names the box: ``total``, ``country_subtotal`` … or ``country_points`` with a ``country``.
    """

    seat: int
    entry: str
    country: str = ""
    text: str
    spot: Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class RawGame:
    """``document`` is the game as in JSON, ``where`` finds the spot of a trail like ("players", 0, "ships").

    ``problems`` are those that the reader of the format found and could read past. ``quoted``: a sum needs quotes.
    """

    place: str
    document: Mapping[str, object]
    where: Callable[[Trail], Spot]
    problems: tuple[Problem, ...] = ()
    totals: tuple[TypedTotal, ...] = field(default=())
    quoted: bool = False
