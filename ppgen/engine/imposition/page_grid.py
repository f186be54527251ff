"""Grids of items on sheets: the layout with the fewest sheets, then the fewest cuts, then the most even margins.

A layout is made of rows of equal items, all cut out with a guillotine: the sheet is cut across between the rows, then
each row from edge to edge between its columns. Items of one size with few different edges may lie in blocks, one for
each edge, which share cuts inside and columns with each other.

The search tries every page area (margins, upright or landscape, strips, folds, the room among registration marks),
each with shared and with own bleeds. These choices settle a layout, which takes three steps:

1. Each group of equal items gets rows of as many columns as fit, and then of as few as keep the number of rows, so
   that rows are filled evenly.
2. Rows are stacked from the top down, one group after the other, and go on on the next sheet when the room is full.
3. Spare room moves bleeds apart, for marks between them; all sheets stand in the middle of the page, at the same
   height. A layout with a cell on a registration mark is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import ceil

from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.imposition.crop_marks import CLEARANCE, MIN_TICK
from ppgen.engine.imposition.page_areas import TICK_ROOM, PageArea, clear_zone, page_areas
from ppgen.engine.imposition.sheets import SLACK, Fold, Item, SheetSpec

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
    across = sum(1 if _is_one_cut(stack, n) else 2 for n in range(len(stack)))
    columns = sum(_count_column_cuts(plan) for n, (plan, _) in enumerate(stack)
                  if not n or stack[n - 1][0].group.size != plan.group.size)  # blocks have the same columns
    return across + columns


def _count_column_cuts(plan: _RowPlan) -> int:
    if plan.area.upright:  # around each two fronts, and between what is folded apart
        return ceil(plan.columns / 2) - 1 + (ceil(plan.columns * 1.5) if plan.shared else 2 * plan.columns)
    return plan.columns + 1 if plan.shared else 2 * plan.columns
