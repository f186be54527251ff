"""Imposition of pieces on sheets: grids, honeycombs and tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, groupby, pairwise, product
from math import ceil, floor, inf

from ppgen.engine.geometry import ORIGIN, Insets, LineSegment, Point, Rect, Size, bounding_box
from ppgen.engine.imposition.sheets import (CLEARANCE, FOLD_ROOM, MIN_TICK, SLACK, STRIP, TICK, TICK_ROOM, Backs, Flip,
                                            Fold, Imposition, Item, Layout, Marks, Order, PageArea, Placement, Sheet,
                                            SheetSide, SheetSpec, SheetTile, clear_zone, cut_marks, fold_marks,
                                            largest_item, mark_inset, mark_reach, narrow, outline_marks, page_areas,
                                            page_furniture, silhouette_marks)
from ppgen.engine.shapes import Outline, Vertex, offset_sides
from ppgen.errors import InputError, Phrase, Problem, format_count
from ppgen.records import dataclass, replace

# --- Grids ---
# Grids of items on sheets: the layout with the fewest sheets, then the fewest cuts, then the most even margins. A
# layout is made of rows of equal items, all cut out with a guillotine: the sheet is cut across between the rows, then
# each row from edge to edge between its columns. Items of one size with few different edges may lie in blocks, one for
# each edge, which share cuts inside and columns with each other.
#
# The search tries every page area (margins, upright or landscape, strips, folds, the room among registration marks),
# each with shared and with own bleeds. These choices settle a layout, which takes three steps:
#
# 1. Each group of equal items gets rows of as many columns as fit, and then of as few as keep the number of rows, so
#    that rows are filled evenly.
# 2. Rows are stacked from the top down, one group after the other, and go on on the next sheet when the room is full.
# 3. Spare room moves bleeds apart, for marks between them; all sheets stand in the middle of the page, at the same
#    height. A layout with a cell on a registration mark is dropped.

MAX_GAP = 3.0  # spare room moves bleeds apart by at most this much, in mm
MIN_GAP = 1.0  # with less spare room than this, in mm, bleeds touch
MAX_BLOCKS = 12  # runs of items with the same edge that are laid out as grids of their own
GRIDS_APART = 2 * (MIN_TICK + CLEARANCE)  # between the bleeds of two grids, in mm: room for the ticks of both


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemGroup:
    """Consecutive items of one size; with ``shares_bleeds`` they may lie side by side without a bleed between them."""

    items: tuple[Item, ...]
    shares_bleeds: bool

    @property
    def size(self) -> Size:
        return self.items[0].size


@dataclass(frozen=True, slots=True)
class GridCell:
    """A place on a sheet: the trim of a front, and the fold line that its back lies beyond, if any."""

    trim: Rect
    fold: Fold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A row of one group on a sheet, and the cells for its items."""

    group: ItemGroup
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A layout of a part: the rows of every sheet and what it costs."""

    area: PageArea
    shared_bleeds: bool
    sheets: tuple[tuple[GridRow, ...], ...]
    cuts: int
    unevenness: float

    @property
    def columns(self) -> int:
        return max(len(row.cells) for rows in self.sheets for row in rows)

    @property
    def rows(self) -> int:
        return max(map(len, self.sheets))

    @property
    def rank(self) -> tuple[float, ...]:
        """The sort key: sheets before all else.

        Close fold lines, a narrow margin and upright fold lines must save a sheet to win. A machine runs twice along a
        cut that two pieces share, so own bleeds are better for it.
        """
        return (len(self.sheets), self.area.folding is not None and self.area.folding.tight, -self.area.margin,
                self.area.upright is not None, self.shared_bleeds and bool(self.area.registration), self.cuts,
                round(self.unevenness, 3))


def group_items(items: Sequence[Item]) -> tuple[ItemGroup, ...]:
    """Group consecutive items of one size; they share bleeds if all of them have the same edge."""
    return tuple(ItemGroup(items=tuple(group), shares_bleeds=bool(edges[0]) and len(set(edges)) == 1)
                 for _, run in groupby(items, key=lambda item: item.size)
                 if (group := list(run)) and (edges := [item.edge for item in group]))


def group_blocks(items: Sequence[Item]) -> tuple[ItemGroup, ...]:
    """Group them by their edges, to share bleeds; empty if they are not a few blocks, each a single run."""
    runs = [edge for edge, _ in groupby(items, key=lambda item: item.edge)]
    if not (1 < len(runs) <= MAX_BLOCKS and all(runs) and len(set(runs)) == len(runs)):
        return ()
    return tuple(group for _, run in groupby(items, key=lambda item: item.edge) for group in group_items([*run]))


def candidate_grids(groups: Sequence[ItemGroup], spec: SheetSpec) -> list[Grid]:
    """Every layout that fits the paper, the best first; empty if an item is too large."""
    grids = [grid for _, areas in groupby(page_areas(spec, len(groups)), key=lambda area: (area.margin, area.page))
             for shared, area in product((True, False), areas)
             if (grid := _build_grid(groups, spec.bleed, shared, area))]
    return sorted(grids, key=lambda grid: grid.rank)


def grid_cells(grid: Grid) -> Iterator[tuple[int, ItemGroup, int, GridCell]]:
    """Every cell of the grid: number of its sheet, group, position on that sheet, cell."""
    for number, rows in enumerate(grid.sheets):
        position = 0
        for row in rows:
            for cell in row.cells:
                yield number, row.group, position, cell
                position += 1


def _build_grid(groups: Sequence[ItemGroup], bleed: float, shared: bool, area: PageArea) -> Grid | None:
    """The layout with exactly these choices, or None if an item does not fit or comes too near to a mark."""
    page, room = area.page, area.room.size
    plans = [plan for _, run in groupby(groups, key=lambda group: group.size)
             for plan in _plan_rows([*run], bleed, shared, area)]
    if not all(plan.columns and plan.height <= room.height + SLACK for plan in plans):
        return None
    heights: list[float] = []
    stacks: list[_Stack] = []
    for plan in plans:
        for _ in range(ceil(len(plan.group.items) / plan.columns)):
            top = 0.0
            if stacks:
                above = stacks[-1][-1][0]
                top = heights[-1] + (plan.gap if above is plan else 2 * bleed + GRIDS_APART)
            if not stacks or top + plan.height > room.height + SLACK:
                stacks.append(())
                heights.append(0.0)
                top = 0.0
            stacks[-1] += ((plan, top),)
            heights[-1] = top + plan.height
    # Most sheets of a large deck are alike.
    spread = {stack: _spread_rows(stack, room.height) for stack in dict.fromkeys(stacks)}
    height = max(stack[-1][1] + stack[-1][0].height for stack in spread.values())
    top = area.room.y + (room.height - height) / 2 if area.middle else (page.height - height) / 2
    width = max(plan.width for plan in plans)
    rows = {stack: tuple(_grid_row(plan, offset + top) for plan, offset in moved) for stack, moved in spread.items()}
    if any(cell.trim.grown(Insets.all(bleed)).overlaps(zone) for zone in map(clear_zone, area.registration)
           for sheet in rows.values() for row in sheet for cell in row.cells):
        return None
    return Grid(
        area=area, shared_bleeds=shared and any(group.shares_bleeds for group in groups),
        sheets=tuple(rows[stack] for stack in stacks), cuts=sum(_count_cuts(spread[stack]) for stack in stacks),
        unevenness=abs((page.width - width) - (page.height - height)))


def _plan_rows(groups: Sequence[ItemGroup], bleed: float, shared: bool, area: PageArea) -> list[_RowPlan]:
    """Plan the rows of groups of one size: the same columns for all, no more than their number of rows needs."""
    plans = [_RowPlan.of(group, bleed, area, shared and group.shares_bleeds) for group in groups]
    most, counts = plans[0].columns, [len(group.items) for group in groups]
    if not most:
        return plans
    rows = [sum(ceil(count / columns) for count in counts) for columns in range(1, most + 1)]
    return [plan.with_columns(rows.index(rows[-1]) + 1) for plan in plans]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RowPlan:
    """The measures of a group's rows in mm, at first with the most columns; compared by identity."""

    group: ItemGroup
    columns: int
    shared: bool
    gap: float
    gap_x: float
    height: float
    area: PageArea

    @classmethod
    def of(cls, group: ItemGroup, bleed: float, area: PageArea, shared: bool) -> _RowPlan:
        gap, below = 0.0 if shared else 2 * bleed, area.below
        plan = cls(group=group, columns=0, shared=shared, gap=2 * bleed if below else gap, gap_x=gap,
                   height=2 * (group.size.height + below.reach) if below else group.size.height, area=area)
        columns = 0
        while plan.spare_width(columns + 1) > -SLACK:
            columns += 1
        return replace(plan, columns=columns)

    def with_columns(self, columns: int) -> _RowPlan:
        """The plan with fewer columns, moved apart as far as the room allows."""
        extra = 0.0 if self.shared or columns < 2 else _extra_gap(self.spare_width(columns) / (columns - 1))
        return replace(self, columns=columns, gap_x=self.gap_x + extra)

    @property
    def width(self) -> float:
        """The width of a row, with the backs that stand in it."""
        return self.row_width(self.columns)

    def row_width(self, columns: int) -> float:
        """The width of a row of ``columns``, with the backs that stand in it."""
        upright = self.area.upright
        backs = columns * (self.group.size.width + 2 * upright.reach) if upright else 0.0
        return columns * self.group.size.width + (columns - 1) * self.gap_x + backs

    def spare_width(self, columns: int) -> float:
        """The part of the room's width that ``columns`` leave free."""
        # The last of an odd number of fronts has no back outside, but marks.
        marks = 2 * TICK_ROOM if self.area.upright and columns % 2 else 0.0
        return self.area.room.width - self.row_width(columns) - marks

    def offsets(self, column: int) -> tuple[float, float | None]:
        """From the row's left to a front and to its fold line: each two fronts stand between their backs."""
        width = self.group.size.width
        if not self.area.upright:
            return column * (width + self.gap_x), None
        reach = self.area.upright.reach
        left = column * (width + self.gap_x) + (column // 2 * 2 + 1) * (width + 2 * reach)  # backs before it
        return left, left + width + reach if column % 2 else left - reach


_Stack = tuple[tuple[_RowPlan, float], ...]  # the rows of a sheet with their tops, in mm


def _extra_gap(spare: float) -> float:
    """Distance to move bleeds apart: tenths of a millimetre, or 0."""
    return int(min(spare, MAX_GAP) * 10) / 10 if spare >= MIN_GAP else 0.0


def _spread_rows(stack: _Stack, room: float) -> _Stack:
    """Move rows apart where they don't share bleeds and room is left."""
    # Later sheets of the same grid keep its places, so the room of a full sheet counts.
    first = stack[0][0]
    if all(plan is first for plan, _ in stack):
        count = int((room + first.gap + SLACK) // (first.height + first.gap))
        used = count * first.height + (count - 1) * first.gap
        gaps = count - 1
    else:
        used, gaps = stack[-1][1] + stack[-1][0].height, len(stack) - 1
    extra = _extra_gap((room - used) / gaps) if gaps > 0 else 0.0
    shift, moved = 0.0, list[tuple[_RowPlan, float]]()
    for n, (plan, top) in enumerate(stack):
        if n and not _is_one_cut(stack, n):
            shift += extra
        moved.append((plan, top + shift))
    return tuple(moved)


def _is_one_cut(stack: _Stack, n: int) -> bool:
    """True if a single cut separates a row from the one above: equal rows without bleeds between them."""
    plan = stack[n][0]
    return n > 0 and plan.gap == 0 and stack[n - 1][0] is plan


def _grid_row(plan: _RowPlan, top: float) -> GridRow:
    area, size = plan.area, plan.group.size
    left = (area.page.width - plan.width) / 2
    cells = []
    for column in range(plan.columns):
        x, upright = plan.offsets(column)
        trim = Rect(left + x, top, size.width, size.height)
        fold = area.middle
        if upright is not None:
            fold = Fold(left + upright, upright=True)
        elif area.below:
            fold = Fold(trim.bottom + area.below.reach)
        cells.append(GridCell(trim, fold))
    return GridRow(group=plan.group, cells=tuple(cells))


def _count_cuts(stack: _Stack) -> int:
    """Guillotine cuts of one sheet: lines across between rows, and columns of each run of equal rows."""
    cuts = sum(1 if _is_one_cut(stack, n) else 2 for n in range(len(stack)))
    for n, (plan, _) in enumerate(stack):
        if n and stack[n - 1][0].group.size == plan.group.size:
            continue  # blocks have the same columns
        if plan.area.upright:  # around each two fronts, and between what is folded apart
            cuts += ceil(plan.columns / 2) - 1 + (ceil(plan.columns * 1.5) if plan.shared else 2 * plan.columns)
        else:
            cuts += plan.columns + 1 if plan.shared else 2 * plan.columns
    return cuts


# --- Honeycombs ---
# Nested hexagons: a honeycomb on each sheet, in which neighbours share their sides, and each side is cut once. Columns
# of hexagons with level tops stand at three quarters of a width, every second one half a height lower; of hexagons with
# upright sides it is the rows. All corners then lie on a lattice of quarters of the trim's width and height, so that
# sides are compared as pairs of whole numbers.
#
# A trim overlaps those beside it. So each face is clipped to its outline: a little beyond the sides that it shares, and
# with all of its bleed beyond the others. Where an outer side meets a shared one, the corner of the clip lies on the
# prolonged shared side: two neighbours divide the notch between them.

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


# --- Tiles ---

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


# --- Imposition ---

MAX_TILES = 500  # maximum number of tiles of a part, all copies together
NO_INSETS = Insets.all(0.0)
BACK_EXTRA = 1.5  # extra bleed of backs, in mm, where no ticks stand: home duplex drifts by 1 to 4 mm


def impose(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay the items out on sheets. Raises InputError with the largest size that would fit the paper."""
    return _impose(tuple(items), spec, part)


@lru_cache(maxsize=64)  # a set in another language has the same items
def _impose(items: tuple[Item, ...], spec: SheetSpec, part: str) -> Imposition:
    if not any(item.has_back for item in items):
        spec = replace(spec, backs=Backs.NONE)
    groups = group_items(items)
    grids = candidate_grids(groups, spec)
    if blocks := group_blocks(items):
        grids = sorted([*candidate_grids(blocks, spec), *grids], key=lambda grid: grid.rank)
    if not grids:
        if too_large := [group.size for group in groups if not candidate_grids([group], spec)]:
            raise InputError(_too_large(size, spec, part) for size in too_large)
        return _concatenate([impose(group.items, spec, part) for group in groups])
    grid = grids[0]
    places: list[list[tuple[Item, GridCell]]] = [[] for _ in grid.sheets]
    for group, cells in groupby(grid_cells(grid), key=lambda cell: cell[1]):
        _fill(places, group, [(number, position, cell) for number, _, position, cell in cells], spec.order)
    sheets = tuple(_sheet(place, grid.area, spec) for place in places)
    return Imposition(sheets=sheets, layout=_layout(grid, grids))


def page_area(spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Size:
    """The room for an item that fills a page, or its share of a landscape page: inside the margins and strips.

    An item that is ``cut_out`` by a machine stays between the registration marks, too. A page that is too narrow for
    strips between them has no room.
    """
    page = _page_of(spec, abreast)
    paper = Size(page.width / abreast, page.height)
    side, rim = spec.margin, spec.margin + STRIP + TICK_ROOM
    if cut_out and spec.marks is Marks.SILHOUETTE:
        if not page_furniture(page, spec.margin, False, crosses=True, machine=True).is_long_enough:
            return Size(0, 0)
        side, rim = mark_inset(spec.margin), max(rim, mark_reach(spec.margin))
    return Size(max(paper.width - 2 * side, 0.0), max(paper.height - 2 * rim, 0.0))


def impose_pages(items: Sequence[Item], spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Imposition:
    """Lay out one item per sheet, in the middle of a portrait page, without cut marks; its back, if any, behind it.

    Back offset and rotation don't move it: such pages measure the printer. Items without backs may stand ``abreast``
    on a landscape page, with marks where it is cut apart. A page that is ``cut_out`` has registration marks if a
    machine is to cut it; its items must fit :func:`page_area`.
    """
    page = _page_of(spec, abreast)
    share = page.width / abreast
    machine = cut_out and spec.marks is Marks.SILHOUETTE
    marks = silhouette_marks(page, spec.margin) if machine else ()
    crosses = spec.backs is Backs.DUPLEX and any(item.has_back for item in items)
    furniture = page_furniture(page, spec.margin, False, crosses, machine)
    if abreast > 1:  # the words belong to the first share
        label, foot = (replace(strip, width=share - 2 * spec.margin) for strip in (furniture.label, furniture.foot))
        furniture = replace(furniture, label=label, foot=foot)
    cuts = tuple(cut for n in range(1, abreast) for cut in _parting_marks(n * share, page, spec))
    sheets = []
    for start in range(0, len(items), abreast):
        together = items[start:start + abreast]
        trims = tuple(Rect(n * share + (share - item.size.width) / 2, (page.height - item.size.height) / 2,
                           item.size.width, item.size.height) for n, item in enumerate(together))
        sides = [replace(_side("front", together, trims, 0, 0), cuts=cuts, registration=marks)]
        if together[0].has_back:
            behind = tuple(mirror_rect(trim, page, spec.flip) for trim in trims)
            sides.append(_side("back", together, behind, 0, back_rotation(page, spec.flip)))
        sheets.append(Sheet(size=page, sides=tuple(sides), furniture=furniture))
    layout = Layout(orientation="portrait" if abreast == 1 else "landscape", columns=abreast, rows=1,
                    shared_bleeds=False, margin=spec.margin, cuts=abreast - 1,
                    why=f"{'one' if abreast == 1 else abreast} to a page")
    return Imposition(sheets=tuple(sheets), layout=layout)


def impose_tiled(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay out items without backs, those larger than the paper in tiles first. Raises InputError."""
    spec = replace(spec, backs=Backs.NONE)
    whole = {item for item in dict.fromkeys(items) if candidate_grids(group_items([item]), spec)}
    tilings = {item: _best_tiling(item, spec, part) for item in dict.fromkeys(items) if item not in whole}
    if (sheets := sum(tilings[item].sheets for item in items if item in tilings)) > MAX_TILES:
        what = Phrase("too_many_tiles", number=f"{sheets:,}", paper=spec.paper.name, measure=spec.paper.size,
                      most=MAX_TILES)
        raise InputError.at("--paper", what, Phrase("larger_paper"), key=part)
    impositions = [_impose_tiles(item, tilings[item], spec) for item in items if item in tilings]
    if others := [item for item in items if item in whole]:
        impositions.append(impose(others, spec, part))
    return impositions[0] if len(impositions) == 1 else _concatenate(impositions)


def impose_nested(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay out hexagons of one size as a honeycomb, or side by side if that saves sheets. Raises InputError."""
    if not any(item.has_back for item in items):
        spec = replace(spec, backs=Backs.NONE)
    combs, grids = candidate_honeycombs(len(items), items[0].size, spec), candidate_grids(group_items(items), spec)
    if not combs or (grids and len(grids[0].sheets) < combs[0].sheets):
        return impose(items, spec, part)
    comb = combs[0]
    places: list[list[tuple[Item, GridCell]]] = [[] for _ in range(comb.sheets)]
    _fill(places, ItemGroup(items=tuple(items), shares_bleeds=True),
          [(number, position, cell) for number in range(comb.sheets) for position, cell in enumerate(comb.cells)],
          spec.order)
    sheets = tuple(_nested_sheet(place, comb.area, spec) for place in places)
    cuts = sum(len(list(outline.segments)) for sheet in sheets for outline in nested_outlines(
        [placement for placement in sheet.sides[0].placements if placement.face == "front"]))
    why = f"{_extent(len(sheets), cuts)}, nested"
    if grids:
        why += f"; side by side, the pieces need {format_count(len(grids[0].sheets), 'sheet')}"
    layout = Layout(orientation=_orientation(comb.area), columns=comb.columns, rows=comb.rows, shared_bleeds=True,
                    margin=comb.area.margin, cuts=cuts, why=why)
    return Imposition(sheets=sheets, layout=layout)


def _nested_sheet(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> Sheet:
    page, limits, fold = area.page, area.limits, area.middle
    backed = [(item, cell.trim) for item, cell in place if item.has_back and spec.backs is not Backs.NONE]
    fronts = clip_placements([_placement(item, "front", cell.trim, NO_INSETS, 0) for item, cell in place], spec.bleed)
    marked = spec.marks in (Marks.TICKS, Marks.LINES)
    front = SheetSide(name="front", placements=fronts, outlines=nested_outlines(fronts) if marked else (),
                      registration=area.registration)
    if fold:
        backs = [_placement(item, "back", fold_rect(trim, fold), NO_INSETS, fold.turn) for item, trim in backed]
        front = replace(front, placements=(*fronts, *clip_placements(backs, spec.bleed)),
                        folds=(_fold_line(fold.upright, fold.at, limits),))
    elif backed:
        behind = [_placement(item, "back", mirror_rect(trim, page, spec.flip).shifted(spec.back_offset), NO_INSETS,
                             back_rotation(page, spec.flip)) for item, trim in backed]
        around = bounding_box(tuple(placed.trim for placed in behind)).grown(Insets.all(spec.bleed))
        inside = narrow(limits, limits, spec.back_rotation)
        extra = max(min(BACK_EXTRA, around.x - inside.x, around.y - inside.y, inside.right - around.right,
                                 inside.bottom - around.bottom), 0.0)
        back = SheetSide(name="back", placements=clip_placements(behind, spec.bleed + extra),
                         rotation=spec.back_rotation)
        return Sheet(size=page, sides=(front, back), furniture=area.furniture)
    return Sheet(size=page, sides=(front,), furniture=area.furniture)


def _best_tiling(item: Item, spec: SheetSpec, part: str) -> Tiling:
    if tilings := candidate_tilings(item, spec):
        return tilings[0]
    what = Phrase("too_small_for_tiles", paper=spec.paper.name, measure=spec.paper.size, size=item.size)
    raise InputError.at("--paper", what, Phrase("larger_paper_smaller_margin"), key=part)


def _impose_tiles(item: Item, tiling: Tiling, spec: SheetSpec) -> Imposition:
    seams = format_count(tiling.wanted_seams, "seam")
    why = f"{format_count(tiling.sheets, 'tile')}, {seams} where the face wants them"
    layout = Layout(orientation=_orientation(tiling.area), columns=len(tiling.columns) - 1, rows=len(tiling.rows) - 1,
                    shared_bleeds=False, margin=tiling.area.margin, cuts=4 * tiling.sheets, why=why)
    return Imposition(sheets=tuple(tile_sheets(item, tiling, spec)), layout=layout)


def _page_of(spec: SheetSpec, abreast: int) -> Size:
    return spec.paper.size if abreast == 1 else spec.paper.size.portrait.turned


def _parting_marks(x: float, page: Size, spec: SheetSpec) -> tuple[LineSegment, ...]:
    """The marks of a cut from edge to edge: ticks next to the strips, or a whole line."""
    top, bottom = spec.margin + STRIP, page.height - spec.margin - STRIP
    if spec.marks is Marks.NONE:
        return ()
    if spec.marks is Marks.LINES:
        return (LineSegment(Point(x, top), Point(x, bottom)),)
    return (LineSegment(Point(x, top), Point(x, top + TICK_ROOM)),
            LineSegment(Point(x, bottom - TICK_ROOM), Point(x, bottom)))


def _concatenate(impositions: Sequence[Imposition]) -> Imposition:
    """Join the sheets of groups that don't fit on one sheet together, as some need it upright and some landscape."""
    sheets = tuple(sheet for imposition in impositions for sheet in imposition.sheets)
    cuts = sum(imposition.layout.cuts for imposition in impositions)
    why = f"{_extent(len(sheets), cuts)}; each size on sheets of its own"
    margin = min(imposition.layout.margin for imposition in impositions)
    return Imposition(sheets=sheets, layout=replace(impositions[0].layout, margin=margin, cuts=cuts, why=why))


def _too_large(size: Size, spec: SheetSpec, part: str) -> Problem:
    largest = largest_item(spec)
    width, height = (floor(length * 10 + 1e-6) / 10 for length in (largest.width, largest.height))
    fits = Phrase("largest_fit", width=width, height=height) if min(width, height) > 0 else Phrase("nothing_fits")
    what = Phrase("does_not_fit", size=size, bleed=f"{spec.bleed:g}", paper=spec.paper.name, measure=spec.paper.size,
                  message=fits)
    return Problem("--paper", what, Phrase("larger_paper_smaller_cards"), key=part)


def _fill(places: list[list[tuple[Item, GridCell]]], group: ItemGroup,
          cells: list[tuple[int, int, GridCell]], order: Order) -> None:
    """Assign the items of a group to its cells; the last cells may stay empty."""
    used = cells[:len(group.items)]
    if order is Order.STACK:  # one place after the other, each from the first sheet to the last
        used = sorted(used, key=lambda cell: (cell[1], cell[0]))
    for item, (number, _, cell) in zip(group.items, used, strict=True):
        places[number].append((item, cell))


def _sheet(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> Sheet:
    page, limits = area.page, area.limits
    items, trims = [item for item, _ in place], tuple(cell.trim for _, cell in place)
    backed = [n for n, item in enumerate(items) if item.has_back]
    if spec.backs is Backs.FOLD:
        return Sheet(size=page, sides=(_folded_side(place, area, spec),), furniture=area.furniture)
    front = replace(_side("front", items, trims, spec.bleed, 0, limits, spec), registration=area.registration)
    if spec.backs is Backs.NONE or not backed:
        return Sheet(size=page, sides=(front,), furniture=area.furniture)
    behind = tuple(mirror_rect(trims[n], page, spec.flip).shifted(spec.back_offset) for n in backed)
    back = _side("back", [items[n] for n in backed], behind, spec.bleed + BACK_EXTRA,
                 back_rotation(page, spec.flip), narrow(limits, limits, spec.back_rotation), spec,
                 _back_limits(limits, spec))
    return Sheet(size=page, sides=(front, back), furniture=area.furniture)


def _side(name: str, items: Sequence[Item], trims: tuple[Rect, ...], bleed: float, turn: int,
          area: Rect | None = None, spec: SheetSpec | None = None, limits: BackLimits | None = None) -> SheetSide:
    placements = tuple(_placement(item, name, trim, around, turn)
                       for item, trim, around in zip(items, trims, place_bleeds(trims, bleed, limits), strict=True))
    if area is None or spec is None:
        return SheetSide(name=name, placements=placements)
    return SheetSide(name=name, placements=placements, cuts=cut_marks(placements, area, spec.marks),
                     outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, area, spec.marks),
                     rotation=spec.back_rotation if name == "back" else 0)


def _placement(item: Item, face: str, trim: Rect, bleed: Insets, turn: int) -> Placement:
    return Placement(item=item.id, face=face, trim=trim, bleed=bleed, turn=turn,
                     shape=item.shape if face == "front" else item.shape.mirrored)


def _back_limits(area: Rect, spec: SheetSpec) -> BackLimits | None:
    """The limits of back bleeds: the mark area, which moves with the backs, as far as it stays inside when turned."""
    inside = narrow(area, area, spec.back_rotation)
    if spec.marks in (Marks.NONE, Marks.SILHOUETTE):
        is_straight = (spec.back_offset, spec.back_rotation) == (ORIGIN, 0)
        return None if is_straight else BackLimits(area=inside, ticks=0.0, bleed=spec.bleed)
    ticks = CLEARANCE + TICK
    area = area.shifted(spec.back_offset).shared(inside.grown(Insets.all(ticks)))
    return BackLimits(area=area, ticks=ticks, bleed=spec.bleed)


def _folded_side(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> SheetSide:
    """Fronts and their backs beyond fold lines: of a row, of each two of its fronts, or of the whole sheet."""
    faces = [(item, "front", cell.trim, 0) for item, cell in place]
    backed = [(item, cell.trim, cell.fold) for item, cell in place if item.has_back and cell.fold]
    faces += [(item, "back", fold_rect(trim, fold), fold.turn) for item, trim, fold in backed]
    around = place_bleeds(tuple(trim for _, _, trim, _ in faces), spec.bleed)
    placements = tuple(_placement(item, face, trim, bleed, turn)
                       for (item, face, trim, turn), bleed in zip(faces, around, strict=True))
    folds = sorted({(cell.fold.upright, round(cell.fold.at, 6)) for item, cell in place
                    if cell.fold and (item.has_back or area.middle)})
    limits = area.limits
    lines = tuple(_fold_line(upright, at, limits) for upright, at in folds)
    return SheetSide(name="front", placements=placements, folds=lines,
                     cuts=cut_marks(placements, limits, spec.marks, lines),
                     outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, limits, spec.marks),
                     registration=area.registration)


def _fold_line(upright: bool, at: float, limits: Rect) -> LineSegment:
    if upright:
        return LineSegment(Point(at, limits.y), Point(at, limits.bottom))
    return LineSegment(Point(limits.x, at), Point(limits.right, at))


def _orientation(area: PageArea) -> str:
    return "portrait" if area.page.height >= area.page.width else "landscape"


def _extent(sheets: int, cuts: int) -> str:
    return f"{format_count(sheets, 'sheet')}, {format_count(cuts, 'cut')}"


def _layout(grid: Grid, candidates: Sequence[Grid]) -> Layout:
    rival = next((other for other in candidates[1:] if (other.area.page, other.shared_bleeds)
                  != (grid.area.page, grid.shared_bleeds)), None)
    why = _extent(len(grid.sheets), grid.cuts)
    if rival:
        bleeds = "shared" if rival.shared_bleeds else "own"
        why += (f"; the next best, {_orientation(rival.area)} with {bleeds} bleeds, needs "
                f"{_extent(len(rival.sheets), rival.cuts)}")
    return Layout(orientation=_orientation(grid.area), columns=grid.columns, rows=grid.rows,
                  shared_bleeds=grid.shared_bleeds, margin=grid.area.margin, cuts=grid.cuts, why=why)


# --- Backs: behind their fronts (duplex), or beyond a fold line ---

@dataclass(frozen=True, slots=True, kw_only=True)
class BackLimits:
    """Limits that keep the extra bleed of backs off their ticks, which are to be as long as those of fronts. In mm."""

    area: Rect
    ticks: float  # the least between the edges of the area and a bleed, unless fronts leave less
    bleed: float  # of fronts


def mirrors_columns(page: Size, flip: Flip) -> bool:
    """True if turning the sheet over at that edge mirrors left and right, rather than top and bottom."""
    return (flip is Flip.LONG) == (page.height >= page.width)


def mirror_rect(trim: Rect, page: Size, flip: Flip) -> Rect:
    """The trim of the back on the other side of the sheet. Its own inverse."""
    if mirrors_columns(page, flip):
        return Rect(page.width - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, page.height - trim.bottom, trim.width, trim.height)


def back_rotation(page: Size, flip: Flip) -> int:
    """The turn of backs in degrees: upside down on a sheet that is turned over at its top edge."""
    return 0 if mirrors_columns(page, flip) else 180


def fold_rect(trim: Rect, fold: Fold) -> Rect:
    """The trim of the back beyond a fold line. Its own inverse."""
    if fold.upright:
        return Rect(2 * fold.at - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, 2 * fold.at - trim.bottom, trim.width, trim.height)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def place_bleeds(trims: tuple[Rect, ...], bleed: float, limits: BackLimits | None = None) -> tuple[Insets, ...]:
    """The bleed of each edge of each trim, at most half way to a neighbour, else within the ``limits``."""
    insets = [_bleed(trim, [other for other in trims if other is not trim], bleed, limits) for trim in trims]
    boxes = [trim.grown(by) for trim, by in zip(trims, insets, strict=True)]

    def update(n: int, by: Insets) -> None:
        insets[n], boxes[n] = by, trims[n].grown(by)

    for (n, one), (m, other) in combinations(enumerate(trims), 2):
        if boxes[n].overlaps(boxes[m]):
            # At the end of a short row a bleed meets the one across the corner: each stops half way.
            across = max(other.x - one.right, one.x - other.right)
            along = max(other.y - one.bottom, one.y - other.bottom)
            if along > SLACK and across > SLACK:
                upper, lower = (n, m) if one.y < other.y else (m, n)
                update(upper, replace(insets[upper], bottom=min(insets[upper].bottom, along / 2)))
                update(lower, replace(insets[lower], top=min(insets[lower].top, along / 2)))
            elif across > SLACK:
                left, right = (n, m) if one.x < other.x else (m, n)
                update(left, replace(insets[left], right=min(insets[left].right, across / 2)))
                update(right, replace(insets[right], left=min(insets[right].left, across / 2)))
    return tuple(insets)


def _bleed(trim: Rect, others: list[Rect], bleed: float, limits: BackLimits | None) -> Insets:
    in_column = [other for other in others  # and rows of another grid, however wide, as ticks stand between
                 if (trim.x < other.right - SLACK and other.x < trim.right - SLACK) or not _same_size(other, trim)]
    in_row = [other for other in others if trim.y < other.bottom - SLACK and other.y < trim.bottom - SLACK]

    def length(neighbours: list[tuple[float, Rect]], to_border: float) -> float:
        facing = [(distance, other) for distance, other in neighbours if distance > -SLACK]
        distance, nearest = min(facing, key=lambda neighbour: neighbour[0], default=(inf, None))
        allowed = bleed
        if limits and nearest is None:
            allowed = max(limits.bleed, min(bleed, to_border - limits.ticks))
        elif limits and limits.ticks and nearest and not _same_size(nearest, trim):
            allowed = limits.bleed
        return min(allowed, max(0.0, round(distance / 2, 6) if nearest else bleed))

    area = limits.area if limits else trim
    return Insets(top=length([(trim.y - other.bottom, other) for other in in_column], trim.y - area.y),
                  bottom=length([(other.y - trim.bottom, other) for other in in_column], area.bottom - trim.bottom),
                  left=length([(trim.x - other.right, other) for other in in_row], trim.x - area.x),
                  right=length([(other.x - trim.right, other) for other in in_row], area.right - trim.right))


def _same_size(one: Rect, other: Rect) -> bool:
    return abs(one.width - other.width) < SLACK and abs(one.height - other.height) < SLACK
