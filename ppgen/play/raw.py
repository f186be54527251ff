"""What someone wrote down after a game, before anybody checked it, and where each value stands.

Whatever the file looked like, the document of a :class:`RawGame` has the keys of the JSON format.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ppgen.errors import Problem, Spot
from ppgen.reading.limits import Trail

if TYPE_CHECKING:
    from ppgen.play.sheet import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedTotal:
    """Points that someone typed into a filled-in sheet, to be held against the computed ones of that player.

    ``seat`` counts the players from 0; the column of the ``cell`` may be another one.
    """

    seat: int
    cell: Cell
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


def nearest(spots: Mapping[Trail, Spot], place: str) -> Callable[[Trail], Spot]:
    """What finds the spot of a trail, or that of the nearest table around it; else the file itself."""
    return lambda trail: next((spots[trail[:end]] for end in range(len(trail), 0, -1) if trail[:end] in spots),
                              Spot(place))
