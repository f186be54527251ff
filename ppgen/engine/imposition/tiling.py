"""Tiles: an item that is larger than the paper, on sheets that are joined with flaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil

from ppgen.engine.geometry import Insets, LineSegment, Point, Rect
from ppgen.engine.imposition.crop_marks import CLEARANCE, cut_marks
from ppgen.engine.imposition.page_areas import PageArea, page_areas
from ppgen.engine.imposition.sheets import SLACK, Item, Marks, Placement, Sheet, SheetSide, SheetSpec, SheetTile

TILE_FLAP = 7.0
"""Distance that a tile extends under its right and its lower neighbour, in mm: wide enough for a glue stick. The flap
repeats the picture of the neighbour, so that a crack between the two is not white."""
MIN_TILE = 40.0  # minimum size of a tile without its flap, in mm: smaller paper is refused
ARROW = 1.5  # length of the marks that show where a flap begins, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiling:
    """A cut of an item into tiles."""

    area: PageArea  # of its sheets
    room: Rect  # for a tile with its bleed
    columns: tuple[float, ...]  # edges of the tiles, from 0 to the item's width (mm)
    rows: tuple[float, ...]  # likewise to its height
    wanted_seams: int  # number of seams that are where the item wants them

    @property
    def sheets(self) -> int:
        return (len(self.columns) - 1) * (len(self.rows) - 1)


def candidate_tilings(item: Item, spec: SheetSpec) -> list[Tiling]:
    """All tilings, the one with the fewest sheets first; a narrow margin and other seams must save a sheet."""
    areas = (area for area in page_areas(spec) if area.clear)  # tiles fill the page: they would meet a mark
    tilings = [tiling for area in areas if (tiling := _tiling_on(item, area, spec.bleed))]
    return sorted(tilings, key=lambda tiling: (tiling.sheets, -tiling.area.margin, -tiling.wanted_seams))


def _tiling_on(item: Item, area: PageArea, bleed: float) -> Tiling | None:
    room = area.room.grown(Insets.all(bleed))
    columns = tile_edges(item.size.width, room.width, bleed, item.seams.x)
    rows = tile_edges(item.size.height, room.height, bleed, item.seams.y)
    if not (columns and rows):
        return None
    wanted = len({*columns} & {*item.seams.x}) + len({*rows} & {*item.seams.y})
    return Tiling(area=area, room=room, columns=columns, rows=rows, wanted_seams=wanted)


def tile_edges(length: float, room: float, bleed: float, wanted: tuple[float, ...]) -> tuple[float, ...]:
    """The edges of the fewest tiles that cover a length; empty if they can't fit the ``room``. All in mm.

    A tile has its bleed before it, and behind it its flap or, for the last one, its bleed. As many seams as possible
    are ``wanted`` ones; the tiles are as equal as that allows.

    The number of tiles follows from the room. The seams are then chosen one after the other, each from the wanted ones
    in reach and the one that leaves equal tiles; the best choice for the rest of the length depends only on where it
    starts and on the number of tiles left, so each such rest is computed once.
    """
    max_tile, max_last = room - bleed - TILE_FLAP, room - 2 * bleed
    if length <= max_last + SLACK:
        return 0.0, length
    if max_tile < MIN_TILE or length < 2 * TILE_FLAP:
        return ()
    count = 1 + ceil((length - max_last) / max_tile - SLACK)
    even = length / count

    @cache
    def best_ends(start: float, left: int) -> tuple[int, float, tuple[float, ...]]:
        """The ends of the tiles that are left, after the number of unwanted seams and the unevenness of the tiles."""
        if left == 1:
            return 0, (length - start - even) ** 2, (length,)
        first, last = length - (left - 2) * max_tile - max_last, start + max_tile
        usual = min(max(start + (length - start) / left, first), last)
        fitting = (seam for seam in wanted if max(first, start + TILE_FLAP) - SLACK <= seam
                   <= min(last, length - (left - 1) * TILE_FLAP) + SLACK)
        choices = []
        for seam, unwanted in (*((seam, 0) for seam in fitting), (usual, 1)):
            more, uneven, ends = best_ends(seam, left - 1)
            choices.append((unwanted + more, uneven + (seam - start - even) ** 2, (seam, *ends)))
        return min(choices)

    return (0.0, *best_ends(0.0, count)[2])


def tile_sheets(item: Item, tiling: Tiling, spec: SheetSpec) -> Iterator[Sheet]:
    """A sheet for each tile, row by row, with the tile in the middle of its room."""
    area = tiling.area
    for row in range(len(tiling.rows) - 1):
        for column in range(len(tiling.columns) - 1):
            tile = SheetTile(columns=tiling.columns, rows=tiling.rows, column=column, row=row, flap=TILE_FLAP)
            placement = _place_tile(item, tile, tiling.room, spec.bleed)
            marked = spec.marks in (Marks.TICKS, Marks.LINES)
            side = SheetSide(name="front", placements=(placement,),
                             cuts=cut_marks((placement,), area.limits, spec.marks),
                             seams=tuple(_flap_marks(placement, tile)) if marked else (),
                             registration=area.registration)
            yield Sheet(size=area.page, sides=(side,), furniture=area.furniture)


def _place_tile(item: Item, tile: SheetTile, room: Rect, bleed: float) -> Placement:
    """The tile with bleeds on all sides except beyond its flaps, which lie under others."""
    flaps, window = tile.flaps, tile.window
    around = Insets(bleed, 0.0 if flaps.right else bleed, 0.0 if flaps.bottom else bleed, bleed)
    box = window.grown(around)
    trim = Rect(room.x + (room.width - box.width) / 2 + bleed, room.y + (room.height - box.height) / 2 + bleed,
                window.width, window.height)
    return Placement(item=item.id, face="front", trim=trim, bleed=around, tile=tile)


def _flap_marks(placement: Placement, tile: SheetTile) -> Iterator[LineSegment]:
    """The beginnings of flaps: lines that point away from the picture, at both ends of each seam."""
    box, flaps = placement.bleed_box, tile.flaps
    near = (-CLEARANCE, CLEARANCE)
    far = (-CLEARANCE - ARROW, CLEARANCE + ARROW)
    if flaps.right:
        x = placement.trim.right - flaps.right
        yield from (LineSegment(Point(x, edge + start), Point(x, edge + end))
                    for edge, start, end in zip((box.y, box.bottom), near, far, strict=True))
    if flaps.bottom:
        y = placement.trim.bottom - flaps.bottom
        yield from (LineSegment(Point(edge + start, y), Point(edge + end, y))
                    for edge, start, end in zip((box.x, box.right), near, far, strict=True))
