"""Loading of ``scenery.toml``: what is only drawn on the map."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ppgen.engine.geometry import Rect, Size
from ppgen.errors import Problems
from ppgen.games.board_game.board import MAX_BOARD_SIDE, BoardLine, BoardPoint, is_point
from ppgen.reading.fields import Fields, close_all, read_toml, take_numbers

SCENERY_FILE = "scenery.toml"
KINDS = ("rose", "cog", "galley", "serpent", "whale", "castile", "hungary", "saxony")
"""Drawings of ``art/sea.svg.j2``, and the neighbours' seats of ``art/seats.svg.j2``."""
MIN_SCROLL_SIZE = {"title": Size(90, 20), "key": Size(36, 50)}
"""The smallest legible scrolls, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneryDrawing:
    """A drawing with its centre and size in mm; it looks to the right, or to the ``left``."""

    kind: str
    at: BoardPoint
    size: float
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sea:
    """The name of a sea: the centre of its line, its type size in mm, its rotation in degrees."""

    name: str
    at: BoardPoint
    size: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """Drawings on the map that are not played on; ``title`` and ``key`` are the boxes of the two scrolls."""

    title: Rect
    key: Rect
    rivers: tuple[BoardLine, ...]
    drawings: tuple[SceneryDrawing, ...]
    seas: tuple[Sea, ...]


def read_scenery(folder: Path) -> Scenery:
    """Load the scenery. Raises InputError with every problem of the file."""
    problems = Problems()
    file = read_toml(folder, SCENERY_FILE, problems)
    title, key = (_take_scroll(file, name, minimum) for name, minimum in MIN_SCROLL_SIZE.items())
    rivers, drawings, seas = (file.take_tables(name) for name in ("rivers", "drawings", "seas"))
    scenery = Scenery(
        title=title, key=key, rivers=tuple(_take_line(row, "course") for row in rivers),
        drawings=tuple(SceneryDrawing(kind=row.take_choice("kind", KINDS), at=_take_point(row),
                                      size=row.take_number("size", 1, 200), left=row.take_flag("left"))
                       for row in drawings),
        seas=tuple(Sea(name=row.take_text("name"), at=_take_point(row), size=row.take_number("size", 2, 20),
                       turn=row.take_number("turn", -180, 180, 0)) for row in seas))
    close_all(file, *rivers, *drawings, *seas)
    problems.raise_if_any()
    return scenery


def _take_scroll(file: Fields, key: str, minimum: Size) -> Rect:
    noted = len(file.problems)
    scroll = Rect(*take_numbers(file, key, 4, MAX_BOARD_SIDE))
    if len(file.problems) == noted and (scroll.width < minimum.width or scroll.height < minimum.height):
        file.note(key, f"is {scroll.width:g} × {scroll.height:g} mm",
                  f"at least {minimum.width:g} × {minimum.height:g} mm")
    return scroll


def _take_point(row: Fields) -> BoardPoint:
    return BoardPoint(*take_numbers(row, "at", 2, MAX_BOARD_SIDE))


def _take_line(row: Fields, key: str) -> BoardLine:
    value = row.raw(key)
    points = tuple(BoardPoint(*map(float, pair)) for pair in value if is_point(pair)) if isinstance(value, list) else ()
    if not isinstance(value, list) or len(points) != len(value) or len(points) < 2:
        row.note(key, "is missing" if value is None else "is not a line of points", "write [[x, y], [x, y], …]")
    return points
