"""Nested hexagons: a honeycomb on each sheet, in which neighbours share their sides, and each side is cut once.

Columns of hexagons with level tops stand at three quarters of a width, every second one half a height lower; of
hexagons with upright sides it is the rows. All corners then lie on a lattice of quarters of the trim's width and
height, so that sides are compared as pairs of whole numbers.

A trim overlaps those beside it. So each face is clipped to its outline: a little beyond the sides that it shares, and
with all of its bleed beyond the others. Where an outer side meets a shared one, the corner of the clip lies on the
prolonged shared side: two neighbours divide the notch between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor

from ppgen.engine.geometry import Insets, Point, Rect, Size, bounding_box
from ppgen.engine.imposition.page_areas import FOLD_ROOM, PageArea, clear_zone, page_areas
from ppgen.engine.imposition.page_grid import GridCell
from ppgen.engine.imposition.sheets import SLACK, Backs, Fold, Marks, Placement, SheetSpec
from ppgen.engine.svg.outlines import Outline, Vertex, offset_sides

OVERLAP = 0.1  # overlap of a face and its neighbour at a shared side, in mm, so that no white shows in the cut

_Corner = tuple[int, int]
_Side = frozenset[_Corner]  # a side by its ends on the lattice, in any order


@dataclass(frozen=True, slots=True, kw_only=True)
class Honeycomb:
    """The places for hexagons on each of ``sheets`` sheets; ``columns`` and ``rows`` are those of a full one."""

    area: PageArea
    cells: tuple[GridCell, ...]
    sheets: int
    columns: int
    rows: int

    @property
    def rank(self) -> tuple[float, ...]:
        """The sort key: the fewest sheets, the widest margin, then the most even margins."""
        page, used = self.area.page, bounding_box(tuple(cell.trim for cell in self.cells))
        return self.sheets, -self.area.margin, round(abs(page.width - used.width - (page.height - used.height)), 3)


def candidate_honeycombs(count: int, size: Size, spec: SheetSpec) -> list[Honeycomb]:
    """Return each honeycomb of ``count`` hexagons that fits the paper, the best first."""
    found = (_build_honeycomb(count, size, spec.bleed, area) for area in _nest_areas(spec))
    return sorted(filter(None, found), key=lambda honeycomb: honeycomb.rank)


def _nest_areas(spec: SheetSpec) -> Iterator[PageArea]:
    """The areas of sheets. One with backs to fold is folded once, as a whole: no line runs between nested rows."""
    if spec.backs is not Backs.FOLD or spec.marks is Marks.SILHOUETTE:
        yield from page_areas(spec)
        return
    for area in page_areas(replace(spec, backs=Backs.NONE)):
        room, apart = area.room, FOLD_ROOM + spec.bleed
        for fold in (Fold(area.page.height / 2), Fold(area.page.width / 2, upright=True)):
            half = (Rect(room.x, room.y, max(0.0, fold.at - apart - room.x), room.height) if fold.upright else
                    Rect(room.x, room.y, room.width, max(0.0, fold.at - apart - room.y)))
            yield replace(area, room=half, middle=fold)


def _build_honeycomb(count: int, size: Size, bleed: float, area: PageArea) -> Honeycomb | None:
    """The honeycomb in the middle of the area's room, or None if none fits or one comes too near to a mark."""
    lines = _line_counts(size, area.room.size)
    offsets = list(_cell_offsets(size, lines))[:count]
    if not offsets:
        return None
    used = bounding_box(tuple(Rect(at.x, at.y, size.width, size.height) for at in offsets))
    left = area.room.x + (area.room.width - used.width) / 2
    top = area.room.y + (area.room.height - used.height) / 2
    trims = [Rect(left + at.x, top + at.y, size.width, size.height) for at in offsets]
    if any(trim.grown(Insets.all(bleed)).overlaps(zone) for zone in map(clear_zone, area.registration)
           for trim in trims):
        return None
    columns, rows = (len(lines), max(lines)) if _has_level_top(size) else (max(lines), len(lines))
    return Honeycomb(area=area, cells=tuple(GridCell(trim, area.middle) for trim in trims),
                     sheets=ceil(count / len(trims)), columns=columns, rows=rows)


def _has_level_top(size: Size) -> bool:
    return size.width >= size.height


def _line_counts(size: Size, room: Size) -> tuple[int, ...]:
    """The number of hexagons in each column of those with level tops, or in each row of the others."""
    if not _has_level_top(size):
        size, room = size.turned, room.turned
    lines = floor((room.width - size.width / 4) / (size.width * 3 / 4) + SLACK)
    counts = (floor((room.height - n % 2 * size.height / 2) / size.height + SLACK) for n in range(lines))
    return tuple(max(0, number) for number in counts)


def _cell_offsets(size: Size, lines: Sequence[int]) -> Iterator[Point]:
    """The top left corners of trims, row by row, from that of the first."""
    width, height = size.width, size.height
    if _has_level_top(size):
        yield from (Point(n * width * 3 / 4, (row + n % 2 / 2) * height)
                    for row in range(max(lines, default=0)) for n, number in enumerate(lines) if row < number)
    else:
        yield from (Point((column + n % 2 / 2) * width, n * height * 3 / 4)
                    for n, number in enumerate(lines) for column in range(number))


# --- Shared sides ---

def clip_placements(placements: Sequence[Placement], bleed: float) -> tuple[Placement, ...]:
    """Clip nested faces of one side to their outlines, with the ``bleed`` (mm) beyond sides that they don't share."""
    found = [*_sides(placements)]
    counts = Counter(side for _, sides in found for side in sides)
    return tuple(
        replace(placement, bleed=Insets.all(bleed), clip=offset_sides(
            outline.points, [OVERLAP if counts[side] > 1 else bleed for side in sides]))
        for placement, (outline, sides) in zip(placements, found, strict=True))


def nested_outlines(placements: Sequence[Placement]) -> tuple[Outline, ...]:
    """The outlines of nested pieces, each side once: each piece has the stretches that none before it has."""
    return tuple(outline for face in ("front", "back")
                 for outline in _outlines([placement for placement in placements if placement.face == face]))


def _outlines(placements: Sequence[Placement]) -> Iterator[Outline]:
    seen: set[_Side] = set()
    for outline, sides in _sides(placements):
        corners = outline.vertices
        new = [side not in seen for side in sides]
        seen.update(sides)
        if all(new):
            yield outline
            continue
        count = len(sides)
        for start in (n for n in range(count) if new[n] and not new[n - 1]):
            end = next(n for n in range(start, start + count) if not new[n % count])
            yield Outline(vertices=tuple(Vertex(corners[n % count].at) for n in range(start, end + 1)), closed=False)


def _sides(placements: Sequence[Placement]) -> Iterator[tuple[Outline, tuple[_Side, ...]]]:
    for placement in placements:
        origin, size, outline = placements[0].trim, placements[0].trim.size, placement.outline
        corners = [(round((point.x - origin.x) / size.width * 4), round((point.y - origin.y) / size.height * 4))
                   for point in outline.points]
        yield outline, tuple(frozenset(side) for side in pairwise((*corners, corners[0])))
