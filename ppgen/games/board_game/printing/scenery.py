"""Turns ``scenery.toml`` into the :class:`Scenery` of a board: what is drawn on the map and not played on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import dist
from pathlib import Path

from ppgen.engine.geometry import Rect, Size
from ppgen.errors import Problems
from ppgen.games.board_game.board.loading import LARGEST, is_point
from ppgen.games.board_game.board.model import Line, Point
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.shapes import close, take_numbers

FILE = "scenery.toml"
KINDS = ("rose", "cog", "galley", "serpent", "whale", "castile", "hungary", "saxony")
"""The drawings of ``art/sea.svg.j2``, and the neighbours' seats of ``art/seats.svg.j2``."""
MOST, MOST_POINTS = 60, 200
"""Of each kind of thing, and points of a line."""
LEAST = {"title": Size(90, 20), "key": Size(36, 50)}
"""The smallest scrolls that can be read, in mm."""
LONGEST = 2000.0
"""The length of a line at most, in mm: trees are looked for all along it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A drawing of so many millimetres around its middle; ``left`` is where it looks, if not to the right."""

    kind: str
    at: Point
    size: float
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sea:
    """The name of a sea: the middle of its line, the size of its type in mm, its turn in degrees."""

    name: str
    at: Point
    size: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A line along which mountains stand, and how far from it they may, in mm."""

    line: Line
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """What is drawn on the map besides what is played on; ``title`` and ``key`` are where the two scrolls hang."""

    title: Rect
    key: Rect
    rivers: tuple[Line, ...]
    ranges: tuple[Range, ...]
    drawings: tuple[Drawing, ...]
    seas: tuple[Sea, ...]


def read_scenery(folder: Path, problems: Problems) -> Scenery:
    """The scenery as far as the file is right; what is wrong with it is noted."""
    file = read_toml(folder, FILE, problems)
    title, key = (_take_scroll(file, name, least) for name, least in LEAST.items())
    rivers, ranges, drawings, seas = (_few(file, name) for name in ("rivers", "mountains", "drawings", "seas"))
    scenery = Scenery(
        title=title, key=key, rivers=tuple(_take_line(row, "course") for row in rivers),
        ranges=tuple(Range(line=_take_line(row, "line"), spread=row.take_number("spread", 0, 30)) for row in ranges),
        drawings=tuple(Drawing(kind=row.take_choice("kind", KINDS), at=_take_point(row),
                               size=row.take_number("size", 1, 200), left=row.take_flag("left", False))
                       for row in drawings),
        seas=tuple(Sea(name=row.take_text("name"), at=_take_point(row), size=row.take_number("size", 2, 20),
                       turn=row.take_number("turn", -180, 180, 0)) for row in seas))
    close(file, *rivers, *ranges, *drawings, *seas)
    return scenery


def _take_scroll(file: Fields, key: str, least: Size) -> Rect:
    noted = len(file.problems)
    scroll = Rect(*take_numbers(file, key, 4, 0, LARGEST))
    if len(file.problems) == noted and (scroll.width < least.width or scroll.height < least.height):
        file.note(key, f"is {scroll.width:g} × {scroll.height:g} mm", f"at least {least.width:g} × {least.height:g} mm")
    return scroll


def _few(file: Fields, key: str) -> list[Fields]:
    rows = file.take_tables(key)
    if len(rows) > MOST:
        file.note(key, f"has more than {MOST} entries", "draw less")
    return rows[:MOST]


def _take_point(row: Fields) -> Point:
    return Point(*take_numbers(row, "at", 2, 0, LARGEST))


def _take_line(row: Fields, key: str) -> Line:
    value = row.raw(key)
    points = tuple(Point(*map(float, pair)) for pair in value if is_point(pair)) if isinstance(value, list) else ()
    if not isinstance(value, list) or len(points) != len(value) or not 2 <= len(points) <= MOST_POINTS:
        row.note(key, "is missing" if value is None else "is no line of points",
                 f"write [[x, y], [x, y], …], up to {MOST_POINTS}")
    elif (length := sum(dist(*ends) for ends in pairwise(points))) > LONGEST:
        row.note(key, f"is {length:,.0f} mm long", f"at most {LONGEST:,.0f} mm")
    else:
        return points
    return Point(0, 0), Point(0, 0)
