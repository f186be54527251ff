"""Turns items and a sheet spec into the best grid: the fewest sheets, then cuts, then the most even margins.

A layout is made of rows of equal items, each cut out by guillotine cuts: the sheet is cut across
between the rows, each row from edge to edge between its columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, product
from math import ceil

from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.imposition.areas import TICK_ROOM, Area, areas
from ppgen.engine.imposition.marks import CLEARANCE, LEAST_TICK
from ppgen.engine.imposition.registration import clear_zone
from ppgen.engine.imposition.values import Fold, Item, SheetSpec

MOST_GAP = 3.0
"""Bleeds are moved apart by up to this much, in mm, where room is left, for marks between them."""
LEAST_GAP = 1.0
"""With less room than this to move them apart, bleeds touch, in mm."""
GRIDS_APART = 2 * (LEAST_TICK + CLEARANCE)
"""Between the bleeds of two grids, in mm: room for the ticks of both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Equal items that follow each other."""

    items: tuple[Item, ...]
    shares: bool

    @property
    def size(self) -> Size:
        return self.items[0].size


@dataclass(frozen=True, slots=True)
class Cell:
    """A place on a sheet: the trim of a front, and the fold line that its back lies beyond, if there is one."""

    trim: Rect
    fold: Fold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of one group on a sheet, and where its items may stand."""

    group: Group
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """One way to lay a part out: the rows of every sheet and what it costs."""

    area: Area
    shared: bool
    sheets: tuple[tuple[Row, ...], ...]
    cuts: int
    unevenness: float

    @property
    def cost(self) -> tuple[float, ...]:
        """The sheets, then what else makes one layout worse than another.

        A machine runs twice along a cut that two pieces share: for it they better have bleeds of their own.
        """
        twice = self.shared and bool(self.area.registration)
        return len(self.sheets), twice, self.cuts, round(self.unevenness, 3)

    @property
    def columns(self) -> int:
        return max(len(row.cells) for rows in self.sheets for row in rows)

    @property
    def rows(self) -> int:
        return max(map(len, self.sheets))


def groups_of(items: Sequence[Item]) -> tuple[Group, ...]:
    """Items of one size that follow each other; they share bleeds if all of them bleed alike."""
    return tuple(Group(items=tuple(found), shares=bool(edges[0]) and len(set(edges)) == 1)
                 for _, run in groupby(items, key=lambda item: item.size)
                 if (found := list(run)) and (edges := [item.edge for item in found]))


def grids(groups: Sequence[Group], spec: SheetSpec) -> list[Grid]:
    """Every layout that fits the paper, the best first; empty if an item is too large."""
    found = [grid for _, alike in groupby(areas(spec, len(groups)), key=lambda area: (area.margin, area.page))
             for shared, area in product((True, False), alike) if (grid := _grid(groups, spec.bleed, shared, area))]
    return sorted(found, key=_rank)


def _rank(grid: Grid) -> tuple[float, ...]:
    """Fold lines nearer by, a narrower margin and upright fold lines must save a sheet, or the others stand."""
    area = grid.area
    return (grid.cost[0], area.folding is not None and area.folding.tight, -area.margin, area.upright is not None,
            *grid.cost[1:])


def _grid(groups: Sequence[Group], bleed: float, shared: bool, area: Area) -> Grid | None:
    """The layout with exactly these choices, or None if an item does not fit or comes too near to a mark."""
    page, room = area.page, area.room.size
    plans = [_RowPlan.of(group, bleed, area, shared and group.shares) for group in groups]
    if not all(plan.columns and plan.height <= room.height + 1e-6 for plan in plans):
        return None
    heights: list[float] = []
    stacks: list[_Stack] = []
    for plan in plans:
        for _ in range(ceil(len(plan.group.items) / plan.columns)):
            top = 0.0
            if stacks:
                above = stacks[-1][-1][0]
                top = heights[-1] + (plan.gap if above is plan else 2 * bleed + GRIDS_APART)
            if not stacks or top + plan.height > room.height + 1e-6:
                stacks.append(())
                heights.append(0.0)
                top = 0.0
            stacks[-1] += ((plan, top),)
            heights[-1] = top + plan.height
    # Most sheets of a large deck are alike.
    stretched = {stack: _stretched(stack, room.height) for stack in dict.fromkeys(stacks)}
    height = max(stack[-1][1] + stack[-1][0].height for stack in stretched.values())
    top = area.room.y + (room.height - height) / 2 if area.middle else (page.height - height) / 2
    width = max(plan.width for plan in plans)
    rows = {stack: tuple(_row(plan, offset, top) for plan, offset in moved) for stack, moved in stretched.items()}
    if any(cell.trim.grown(Insets.all(bleed)).overlaps(clear_zone(mark))
           for mark in area.registration for sheet in rows.values() for row in sheet for cell in row.cells):
        return None
    return Grid(
        area=area, shared=shared and any(group.shares for group in groups),
        sheets=tuple(rows[stack] for stack in stacks), cuts=sum(_cuts(stretched[stack]) for stack in stacks),
        unevenness=abs((page.width - width) - (page.height - height)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _RowPlan:
    """How the rows of one group are built; each plan is a value of its own."""

    group: Group
    columns: int
    shares: bool
    gap: float
    gap_x: float
    height: float
    area: Area

    @classmethod
    def of(cls, group: Group, bleed: float, area: Area, shares: bool) -> _RowPlan:
        gap, below = 0.0 if shares else 2 * bleed, area.below
        plan = cls(group=group, columns=0, shares=shares, gap=2 * bleed if below else gap, gap_x=gap,
                   height=2 * (group.size.height + below.reach) if below else group.size.height, area=area)
        columns = 0
        while plan.spare(columns + 1) > -1e-6:
            columns += 1
        if columns:  # the same number of rows, filled evenly
            columns = ceil(len(group.items) / ceil(len(group.items) / columns))
        extra = 0.0 if shares or columns < 2 else _gap(plan.spare(columns) / (columns - 1))
        return replace(plan, columns=columns, gap_x=gap + extra)

    def spare(self, columns: int) -> float:
        """What so many columns leave of the room's width, in mm."""
        # The last of an odd number of fronts has no back outside, but marks.
        marks = 2 * TICK_ROOM if self.area.upright and columns % 2 else 0.0
        return self.area.room.width - self.across(columns) - marks

    @property
    def width(self) -> float:
        """With the backs that stand in the same row."""
        return self.across(self.columns)

    def across(self, columns: int) -> float:
        """The width of so many columns, in mm."""
        upright = self.area.upright
        backs = columns * (self.group.size.width + 2 * upright.reach) if upright else 0.0
        return columns * self.group.size.width + (columns - 1) * self.gap_x + backs

    def place(self, column: int) -> tuple[float, float | None]:
        """From the row's left to a front and to the upright line that its back is folded at, in mm.

        Two and two fronts stand between their backs, so that both sides of the sheet are folded behind them.
        """
        width = self.group.size.width
        if not self.area.upright:
            return column * (width + self.gap_x), None
        reach = self.area.upright.reach
        left = column * (width + self.gap_x) + (column // 2 * 2 + 1) * (width + 2 * reach)  # backs before it
        return left, left + width + reach if column % 2 else left - reach


def _gap(spare: float) -> float:
    """How far to move bleeds apart: by tenths of a millimetre, or not at all."""
    return int(min(spare, MOST_GAP) * 10) / 10 if spare >= LEAST_GAP else 0.0


_Stack = tuple[tuple[_RowPlan, float], ...]
"""The rows of a sheet with their tops, in mm."""


def _stretched(stack: _Stack, room: float) -> _Stack:
    """The rows moved apart where they don't share bleeds and room is left."""
    # Later sheets of the same grid keep its places, so the room is judged for a full sheet.
    first = stack[0][0]
    if all(plan is first for plan, _ in stack):
        count = int((room + first.gap + 1e-6) // (first.height + first.gap))
        used = count * first.height + (count - 1) * first.gap
        gaps = count - 1
    else:
        used, gaps = stack[-1][1] + stack[-1][0].height, len(stack) - 1
    extra = _gap((room - used) / gaps) if gaps > 0 else 0.0
    shift, moved = 0.0, list[tuple[_RowPlan, float]]()
    for n, (plan, top) in enumerate(stack):
        if n and not (plan.gap == 0 and stack[n - 1][0] is plan):
            shift += extra
        moved.append((plan, top + shift))
    return tuple(moved)


def _row(plan: _RowPlan, offset: float, top: float) -> Row:
    area, size = plan.area, plan.group.size
    left = (area.page.width - plan.width) / 2
    cells = []
    for column in range(plan.columns):
        x, upright = plan.place(column)
        trim = Rect(left + x, top + offset, size.width, size.height)
        fold = area.middle
        if upright is not None:
            fold = Fold(left + upright, upright=True)
        elif area.below:
            fold = Fold(trim.bottom + area.below.reach)
        cells.append(Cell(trim, fold))
    return Row(group=plan.group, cells=tuple(cells))


def _cuts(stack: _Stack) -> int:
    """Guillotine cuts of one sheet: lines across between rows, and columns of each run of equal rows."""
    across = sum(1 if plan.gap == 0 and n and stack[n - 1][0] is plan else 2
                 for n, (plan, _) in enumerate(stack))
    columns = sum(_column_cuts(plan) for n, (plan, _) in enumerate(stack) if not n or stack[n - 1][0] is not plan)
    return across + columns


def _column_cuts(plan: _RowPlan) -> int:
    if plan.area.upright:  # around each two fronts, and between what is folded apart
        return ceil(plan.columns / 2) - 1 + (ceil(plan.columns * 1.5) if plan.shares else 2 * plan.columns)
    return plan.columns + 1 if plan.shares else 2 * plan.columns


def cells_of(grid: Grid) -> Iterator[tuple[int, Group, int, Cell]]:
    """Every place of the grid: sheet, group, position of the place on that sheet, the place."""
    for number, rows in enumerate(grid.sheets):
        position = 0
        for row in rows:
            for cell in row.cells:
                yield number, row.group, position, cell
                position += 1
