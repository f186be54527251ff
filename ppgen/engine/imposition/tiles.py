"""Turns an item that is larger than the paper into sheets with a tile of it each, to be joined with flaps. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil

from ppgen.engine.geometry import Insets, Line, Point, Rect
from ppgen.engine.imposition.areas import Area, areas
from ppgen.engine.imposition.marks import CLEARANCE, cut_marks
from ppgen.engine.imposition.values import Item, Marks, Placement, Sheet, SheetSpec, Side, Tile

FLAP = 7.0
"""How far a tile runs on under its right and its lower neighbour, in mm: wide enough for a glue stick; and as it shows
what the neighbour shows, a crack between the two shows no white."""
LEAST_TILE = 40.0
"""Paper on which tiles would be smaller than this (mm) bears none."""
ARROW = 1.5
"""Length of the marks that show where a flap begins, in mm."""
_SLACK = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiling:
    """A way to cut an item up: the sheets' ``area``, the ``room`` for a tile with its bleed, the edges of the tiles.

    ``columns`` and ``rows`` run from 0 to the item's width and height (mm); ``kept`` is how many of the seams between
    are where the item wants them.
    """

    area: Area
    room: Rect
    columns: tuple[float, ...]
    rows: tuple[float, ...]
    kept: int

    @property
    def sheets(self) -> int:
        return (len(self.columns) - 1) * (len(self.rows) - 1)


def tilings(item: Item, spec: SheetSpec) -> list[Tiling]:
    """The ways to cut the item up, the one with the fewest sheets first; none if the paper is too small for tiles.

    The margin shrinks only where that saves a sheet; seams that the item names are kept as far as no sheet more is
    needed for them.
    """
    clear = (area for area in areas(spec) if area.clear)  # tiles fill the page: they'd meet a mark
    found = [tiling for area in clear if (tiling := _in_area(item, area, spec.bleed))]
    return sorted(found, key=lambda tiling: (tiling.sheets, -tiling.area.margin, -tiling.kept))


def _in_area(item: Item, area: Area, bleed: float) -> Tiling | None:
    room = area.room.grown(Insets.all(bleed))
    columns = edges(item.size.width, room.width, bleed, item.seams.x)
    rows = edges(item.size.height, room.height, bleed, item.seams.y)
    if not (columns and rows):
        return None
    kept = len({*columns} & {*item.seams.x}) + len({*rows} & {*item.seams.y})
    return Tiling(area=area, room=room, columns=columns, rows=rows, kept=kept)


def edges(length: float, room: float, bleed: float, wanted: tuple[float, ...]) -> tuple[float, ...]:
    """Where the tiles of such a length begin and end, the fewest that fit the ``room``; empty if none do.

    A tile has its bleed before it and its flap, or the last one its bleed, behind it. As many seams as can be are
    ``wanted`` ones; the tiles are as equal as that allows. All in mm.
    """
    most, last = room - bleed - FLAP, room - 2 * bleed
    if length <= last + _SLACK:
        return 0.0, length
    if most < LEAST_TILE or length < 2 * FLAP:
        return ()
    count = 1 + ceil((length - last) / most - _SLACK)
    even = length / count

    @cache
    def after(start: float, left: int) -> tuple[int, float, tuple[float, ...]]:
        """The best ends of the tiles that are left: how many miss a wanted seam, how uneven they are, and the ends."""
        if left == 1:
            return 0, (length - start - even) ** 2, (length,)
        least, end = length - (left - 2) * most - last, start + most
        usual = min(max(start + (length - start) / left, least), end)
        fitting = (seam for seam in wanted if max(least, start + FLAP) - _SLACK <= seam
                   <= min(end, length - (left - 1) * FLAP) + _SLACK)
        ways = []
        for seam, misses in (*((seam, 0) for seam in fitting), (usual, 1)):
            missed, uneven, ends = after(seam, left - 1)
            ways.append((misses + missed, uneven + (seam - start - even) ** 2, (seam, *ends)))
        return min(ways)

    return (0.0, *after(0.0, count)[2])


def tiled_sheets(item: Item, tiling: Tiling, spec: SheetSpec) -> Iterator[Sheet]:
    """A sheet for each tile, row by row, with the tile in the middle of its room."""
    area = tiling.area
    for row in range(len(tiling.rows) - 1):
        for column in range(len(tiling.columns) - 1):
            tile = Tile(columns=tiling.columns, rows=tiling.rows, column=column, row=row, flap=FLAP)
            placed = _placed(item, tile, tiling.room, spec.bleed)
            marked = spec.marks in (Marks.TICKS, Marks.LINES)
            side = Side(name="front", placements=(placed,), cuts=cut_marks((placed,), area.limits, spec.marks),
                        seams=tuple(_arrows(placed, tile)) if marked else (), registration=area.registration)
            yield Sheet(size=area.page, sides=(side,), furniture=area.furniture)


def _placed(item: Item, tile: Tile, room: Rect, bleed: float) -> Placement:
    """The tile with bleeds all around but beyond its flaps, which lie under others."""
    flaps, window = tile.flaps, tile.window
    around = Insets(bleed, 0.0 if flaps.right else bleed, 0.0 if flaps.bottom else bleed, bleed)
    bled = window.grown(around)
    trim = Rect(room.x + (room.width - bled.width) / 2 + bleed, room.y + (room.height - bled.height) / 2 + bleed,
                window.width, window.height)
    return Placement(item=item.id, face="front", trim=trim, bleed=around, tile=tile)


def _arrows(placed: Placement, tile: Tile) -> Iterator[Line]:
    """Where flaps begin: lines away from the picture, at both ends of each seam."""
    bled, flaps = placed.bled, tile.flaps
    near = (-CLEARANCE, CLEARANCE)
    far = (-CLEARANCE - ARROW, CLEARANCE + ARROW)
    if flaps.right:
        x = placed.trim.right - flaps.right
        yield from (Line(Point(x, edge + start), Point(x, edge + end))
                    for edge, start, end in zip((bled.y, bled.bottom), near, far, strict=True))
    if flaps.bottom:
        y = placed.trim.bottom - flaps.bottom
        yield from (Line(Point(edge + start, y), Point(edge + end, y))
                    for edge, start, end in zip((bled.x, bled.right), near, far, strict=True))
