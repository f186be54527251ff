"""Boxes that templates lay things in: fields of a track, hexes of a map, cells of a table. Pure geometry, in mm.

A box is a tuple, so that the sandbox charges for each of its numbers. What numbers drive is bounded by
:data:`MAX_BOXES`.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import NamedTuple, Protocol

from ppgen.engine.geometry import Rect, format_decimal as mm
from ppgen.engine.guard.refusals import RefusedError

MAX_BOXES = 10_000  # boxes of a call: a board of 1200 mm has as many hexes of 12 mm
MIN_RING = 8  # fields that go round a board: its corners, and one on each side
INSCRIBED = 1.4  # width of the box inside a hex, which is as high as a side is long; its corners nearly touch the edges
_FLAT = ((1.0, 0.0), (0.5, sqrt(3) / 2), (-0.5, sqrt(3) / 2), (-1.0, 0.0), (-0.5, -sqrt(3) / 2), (0.5, -sqrt(3) / 2))
_POINTY = tuple((y, x) for x, y in _FLAT)  # corners of a hex about its middle, in parts of a side


class Box(Protocol):
    """Anything with a place and a size, such as ``face.all``, a panel of a net, or a :class:`FaceBox`."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def height(self) -> float: ...


class FaceBox(NamedTuple):
    """A box with its number ``n``."""

    x: float
    y: float
    width: float
    height: float
    n: int

    @property
    def cx(self) -> float:
        return self.x + self.width / 2

    @property
    def cy(self) -> float:
        return self.y + self.height / 2


class HexBox(NamedTuple):
    """A hex with its middle at cx, cy, in column ``q`` and row ``r``. Its box is the largest one for words."""

    cx: float
    cy: float
    side: float
    n: int
    q: int
    r: int
    pointy: bool

    @property
    def x(self) -> float:
        return self.cx - self.side * INSCRIBED / 2

    @property
    def y(self) -> float:
        return self.cy - self.side / 2

    @property
    def width(self) -> float:
        return self.side * INSCRIBED

    @property
    def height(self) -> float:
        return self.side

    @property
    def points(self) -> str:
        """The corners, as ``points`` of an SVG polygon."""
        return " ".join(f"{mm(self.cx + x * self.side)},{mm(self.cy + y * self.side)}"
                        for x, y in (_POINTY if self.pointy else _FLAT))

    @property
    def bounds(self) -> Rect:
        """The box around it."""
        long, short = 2 * self.side, sqrt(3) * self.side
        width, height = (short, long) if self.pointy else (long, short)
        return Rect(self.cx - width / 2, self.cy - height / 2, width, height)


def lay_track(first: int, last: int, along: str, depth: float | None, room: Rect) -> list[FaceBox]:
    """Lay fields from ``first`` to ``last`` in a row, a column from below, or clockwise round the edge of a room.

    Round the edge they begin at the lower left. The corners are squares of ``depth``; between them the fields of a
    side are equal, and those of all sides nearly so. Without a depth, fields are about square.
    """
    count = last - first + 1
    _check_count("track", count)
    if along in ("row", "column"):
        length, across = (room.width, room.height) if along == "row" else (room.height, room.width)
        step = length / max(count, 1)
        thick = _length("depth", min(step, across) if depth is None else depth)
        return [FaceBox(room.x + n * step, room.y, step, thick, first + n) if along == "row"
                else FaceBox(room.x, room.bottom - (n + 1) * step, thick, step, first + n) for n in range(count)]
    if along != "edge":
        raise RefusedError(f"along '{along[:40]}' is not known", 'use "edge", "row" or "column"')
    if count < MIN_RING:
        raise RefusedError(f"{count} fields do not go round a board", f'make it {MIN_RING} or more, or along="row"')
    square = min(2 * (room.width + room.height) / (count + 4), min(room.width, room.height) / 3)
    corner = _length("depth", square if depth is None else depth)
    level, upright = room.width - 2 * corner, room.height - 2 * corner
    if min(level, upright) <= 0:
        raise RefusedError(f"corners of {corner:g} mm are too large for a track in {room.size}", "give a smaller depth")
    pairs = (count - 4) // 2
    across = min(max(round(pairs * level / (level + upright)), 1), pairs - 1)
    sides = (pairs - across + count % 2, across, pairs - across, across)
    starts = [first, *(first + sum(sides[:n]) + n for n in range(1, 5))]
    right, bottom = room.right - corner, room.bottom - corner
    boxes: list[FaceBox] = []
    for side, (n, end) in enumerate(pairwise(starts)):
        fields = end - n - 1
        step = (upright, level)[side % 2] / fields
        boxes.append(FaceBox((room.x, room.x, right, right)[side], (bottom, room.y, room.y, bottom)[side],
                             corner, corner, n))
        for k in range(fields):
            along_side = step * ((fields - 1 - k) if side in (0, 3) else k) + corner
            boxes.append(FaceBox((room.x, right)[side // 2], room.y + along_side, corner, step, n + 1 + k)
                         if side % 2 == 0 else
                         FaceBox(room.x + along_side, (room.y, bottom)[side // 2], step, corner, n + 1 + k))
    return boxes


def lay_hexes(columns: int, rows: int, pointy: bool, room: Rect) -> list[HexBox]:
    """Lay a map of regular hexes row by row, as large as the room allows; every other one is shifted by half."""
    _check_count("hexes", columns, rows)
    if not columns or not rows:
        return []
    along, lines = (rows, columns) if pointy else (columns, rows)  # across corners, and across flats
    length, breadth = 1.5 * along + 0.5, sqrt(3) * (lines + (0.5 if along > 1 else 0))
    width, height = (breadth, length) if pointy else (length, breadth)
    side = min(room.width / width, room.height / height)
    left, top = room.x + (room.width - width * side) / 2, room.y + (room.height - height * side) / 2
    boxes: list[HexBox] = []
    for r in range(rows):
        for q in range(columns):
            if pointy:
                x, y = sqrt(3) * (q + 0.5 + r % 2 / 2), 1 + 1.5 * r
            else:
                x, y = 1 + 1.5 * q, sqrt(3) * (r + 0.5 + q % 2 / 2)
            boxes.append(HexBox(left + x * side, top + y * side, side, len(boxes), q, r, pointy))
    return boxes


def lay_rows(count: int, columns: int, gap: float, room: Rect) -> list[FaceBox]:
    """Lay ``count`` equal boxes in rows of ``columns``, ``gap`` apart, that fill the room."""
    _check_count("rows", count)
    _check_count("rows", columns)
    if not count or not columns:
        return []
    lines = -(-count // columns)
    width, height = (room.width - gap * (columns - 1)) / columns, (room.height - gap * (lines - 1)) / lines
    if min(width, height) <= 0:
        raise RefusedError(f"{count} boxes with gaps of {gap:g} mm have no room in {room.size}", "make the gap smaller")
    return [FaceBox(room.x + n % columns * (width + gap), room.y + n // columns * (height + gap), width, height, n)
            for n in range(count)]


def _check_count(name: str, *counts: int) -> None:
    """Refuse numbers of boxes that are not whole, or too large."""
    total = 1
    for count in counts:
        if not isinstance(count, int):
            raise RefusedError(f"{name}() is given '{str(count)[:40]}' in place of a whole number", "write | int")
        total *= count
        if count < 0 or total > MAX_BOXES:
            raise RefusedError(f"{name}() is to make {total:,} boxes", f"from 0 to {MAX_BOXES:,}")


def _length(name: str, value: float) -> float:
    if value <= 0:
        raise RefusedError(f"{name} is {value:g} mm", "give more than 0")
    return value
