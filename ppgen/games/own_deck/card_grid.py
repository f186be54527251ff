"""Grids of cards on sheets: found by shapes, crop marks or edges, each with how sure that is.

Shapes of one size on a grid come first, then crop marks, which decide between a card, its frame and its bleed. Edges
say little by themselves: there known sizes are tried, that fill what is printed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean, median
from typing import Any

from ppgen.engine.geometry import Size

SURE = 0.9
"""The confidence from which on a grid is taken without a look."""
SAME_MM = 0.5
MIN_CARD_MM, MAX_CARD_MM, MAX_GAP_MM = 18.0, 210.0, 15.0
MAX_SINGLE_MM = 180.0
"""The longer side of a page that is a card by itself."""
BLEEDS_MM = 0.0, 25.4 / 8, 3.0, 2.0, 3.05, 5.0
MAX_FRAME_MM, MAX_BLEED_MM = 10.0, 6.0
MAX_COUNT = 12
TABLE_SHEET = 10, 7
"""Columns and rows of a sheet for Tabletop Simulator."""
QUIET, STRONG = 0.04, 0.3
"""Shares of a line that differs from its neighbour: where nothing crosses a cut, and where one runs along it."""


@dataclass(frozen=True, slots=True)
class GridAxis:
    """Cards along an axis, in mm."""

    start: float
    length: float
    gap: float
    count: int

    @property
    def cuts(self) -> list[float]:
        return [self.start + n * (self.length + self.gap) + end for n in range(self.count) for end in (0, self.length)]

    @property
    def end(self) -> float:
        return self.start + self.count * (self.length + self.gap) - self.gap


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGrid:
    """Where the cards of a sheet lie, by what it was found, and how sure that is, from 0 to 1."""

    across: GridAxis
    down: GridAxis
    confidence: float
    how: str

    def box(self, row: int, column: int) -> tuple[float, float, float, float]:
        left, right = self.across.cuts[2 * column:2 * column + 2]
        top, bottom = self.down.cuts[2 * row:2 * row + 2]
        return left, top, right, bottom


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenGrid:
    """What the user says of a grid; 0 or None if nothing."""

    columns: int = 0
    rows: int = 0
    size: Size | None = None
    gap: float | None = None
    margin: tuple[float, float] | None = None

    def allows(self, grid: CardGrid) -> bool:
        """Whether a grid agrees with what is given."""
        return ((not self.columns or (grid.across.count, grid.down.count) == (self.columns, self.rows))
                and (self.size is None or _matches(grid, self.size))
                and all(self.gap is None or axis.count == 1 or abs(axis.gap - self.gap) < SAME_MM
                        for axis in (grid.across, grid.down))
                and (self.margin is None or max(abs(grid.across.start - self.margin[0]),
                                                abs(grid.down.start - self.margin[1])) < 2))


def _matches(grid: CardGrid, size: Size, slack: float = SAME_MM) -> bool:
    return any(abs(grid.across.length - each.width) < slack and abs(grid.down.length - each.height) < slack
               for each in (size, size.turned))


def find_grid(pages: Sequence[Mapping[str, Any]], sizes: Sequence[Size], given: GivenGrid) -> CardGrid | None:
    """Find the grid that pages of one size share; ``pages`` are what :func:`study_page` found of each."""
    known = [given.size] if given.size else [*sizes]
    width, height = pages[0]["sides"]
    if pages[0]["scale"] == 1:
        found = [*_divide_picture(pages, width, height, known, given)]
    else:
        marks = [_common(each["marks"][axis] for each in pages) for axis in (0, 1)]
        ink = [pick(each["ink"][n] for each in pages) for n, pick in enumerate((min, min, max, max))]
        edges = [[mean(column) for column in zip(*(each["edges"][axis] for each in pages), strict=False)]
                 for axis in (0, 1)]
        scale = pages[0]["scale"]
        shapes = [*_find_shapes(pages, known)]
        found = [*_judge_shapes(shapes, known), *_fit_marks(marks, ink, known, not shapes),
                 *_fill_ink(ink, edges, scale, known, given), *_single_card(width, height, known, given)]
        found = [_weigh(grid, marks) for grid in found]
    allowed = [_close(_snap(grid, known)) for grid in found if given.allows(grid)]
    best = max(allowed, key=lambda grid: (round(grid.confidence, 2), grid.across.count * grid.down.count), default=None)
    if given.columns and given.size and (best is None or best.confidence < SURE or given.margin):
        return _lay_out(given, width, height, pages[0]["scale"], best)
    if best and (rival := next((grid for grid in allowed if grid.confidence > best.confidence - 0.02
                                and _differ(grid, best)), None)):
        best = replace(best, confidence=0.6, how=f"{best.how}, or by {rival.how}")
    return best


def _differ(one: CardGrid, other: CardGrid) -> bool:
    pairs = ((one.across, other.across), (one.down, other.down))
    return any(a.count != b.count or abs(a.start - b.start) > 1 or abs(a.length - b.length) > 1 for a, b in pairs)


def _common(lists: Iterable[Sequence[float]]) -> list[float]:
    """The positions that at least half of the pages have."""
    pages = [*lists]
    groups: list[list[float]] = []
    for position in sorted(position for page in pages for position in page):
        if groups and position - groups[-1][-1] < 0.4:
            groups[-1].append(position)
        else:
            groups.append([position])
    return [mean(group) for group in groups if 2 * len(group) >= len(pages)]


def _is_known(grid: CardGrid, known: Iterable[Size]) -> bool:
    return any(_matches(grid, size) for size in known)


def _snap(grid: CardGrid, known: Iterable[Size]) -> CardGrid:
    """The grid with cards of exactly the known size that they nearly have."""
    for size in (each for one in known for each in (one, one.turned)):
        pairs = (grid.across, size.width), (grid.down, size.height)
        if all(abs(axis.length - side) < SAME_MM for axis, side in pairs):
            across, down = (replace(axis, start=axis.start + (axis.length - side) / 2, length=side,
                                    gap=axis.gap + axis.length - side if axis.count > 1 else 0)
                            for axis, side in pairs)
            return replace(grid, across=across, down=down)
    return grid


def _close(grid: CardGrid) -> CardGrid:
    """The grid without gaps that come of rounding."""
    across, down = (replace(axis, gap=0, start=axis.start + (axis.count - 1) * axis.gap / 2) if abs(axis.gap) < 0.15
                    else axis for axis in (grid.across, grid.down))
    return replace(grid, across=across, down=down)


# Shapes

def _find_shapes(pages: Sequence[Mapping[str, Any]], known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grids of shapes, pictures, forms or clips of one size."""
    boxes: dict[tuple[int, int], set[tuple[float, ...]]] = defaultdict(set)
    for page in pages:
        for left, top, right, bottom in page["boxes"]:
            width, height = right - left, bottom - top
            if MIN_CARD_MM <= min(width, height) <= max(width, height) <= MAX_CARD_MM:
                boxes[round(width * 2), round(height * 2)].add((left, top, width, height))
    for key in boxes:
        near = {box for across in (-1, 0, 1) for down in (-1, 0, 1)
                for box in boxes.get((key[0] + across, key[1] + down), ())}
        width, height = median(box[2] for box in near), median(box[3] for box in near)
        columns, rows = _places(box[0] for box in near), _places(box[1] for box in near)
        places = {(round(box[0] / SAME_MM), round(box[1] / SAME_MM)) for box in near}
        axes = [_even(starts, length) for starts, length in ((columns, width), (rows, height))]
        if all(axes) and len(places) >= 2 and len(places) >= 0.5 * len(columns) * len(rows):
            yield CardGrid(across=axes[0], down=axes[1], confidence=0.9, how="shapes")  # type: ignore[arg-type]


def _places(positions: Iterable[float]) -> list[float]:
    places: list[float] = []
    for position in sorted(positions):
        if not places or position - places[-1] > SAME_MM:
            places.append(position)
    return places


def _even(starts: Sequence[float], length: float) -> GridAxis | None:
    """The axis of cards that begin at these places, if they are evenly apart and don't overlap."""
    if len(starts) == 1:
        return GridAxis(starts[0], length, 0, 1)
    if len(starts) > MAX_COUNT:
        return None
    pitch = (starts[-1] - starts[0]) / (len(starts) - 1)
    if pitch < length - SAME_MM or pitch > length + 4 * MAX_GAP_MM or any(
            abs(start - starts[0] - n * pitch) > SAME_MM for n, start in enumerate(starts)):
        return None
    return GridAxis(starts[0], length, pitch - length, len(starts))


def _judge_shapes(shapes: Sequence[CardGrid], known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield shapes with how sure it is that they are cards, rather than frames in them or cards with their bleed.

    Shapes that are a known size apart are frames in cards that touch. A ground has a frame in it.
    """
    for grid in shapes:
        rivals = [other for other in shapes if (other.across.count, other.down.count) == (
            grid.across.count, grid.down.count) and abs(other.across.length - grid.across.length) > SAME_MM]
        axes = grid.across, grid.down
        touching = [GridAxis(axis.start - axis.gap / 2, axis.length + axis.gap, 0, axis.count) for axis in axes]
        whole = CardGrid(across=touching[0], down=touching[1], confidence=0.92, how="shapes")
        if _is_known(grid, known):
            yield replace(grid, confidence=0.9 if any(_is_known(other, known) for other in rivals) else 0.94)
        elif min(axis.count for axis in axes) > 1 and _is_known(whole, known):
            yield whole
        elif trimmed := next(_trim(grid, known), None):
            yield from (trimmed, replace(grid, confidence=0.7))
        else:
            is_largest = all(other.across.length < grid.across.length for other in rivals)
            is_ground = all(axis.count == 1 or axis.gap < 0.2 for axis in axes) or any(
                _is_frame(other, grid) for other in rivals)
            yield replace(grid, confidence=0.9 if is_ground and is_largest else 0.75)


def _trim(grid: CardGrid, known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grid of cards of a known size within shapes that have a bleed."""
    for size in (each for one in known for each in (one, one.turned)):
        bleed = (grid.across.length - size.width) / 2
        if 1 < bleed < MAX_BLEED_MM and abs(grid.down.length - size.height - 2 * bleed) < SAME_MM / 2:
            across, down = (GridAxis(axis.start + bleed, axis.length - 2 * bleed, axis.gap + 2 * bleed, axis.count)
                            for axis in (grid.across, grid.down))
            yield CardGrid(across=across, down=down, confidence=0.87, how="shapes with a bleed")


def _is_frame(inner: CardGrid, outer: CardGrid) -> bool:
    """Whether shapes lie in others with the same margin at all sides."""
    margins = [margin for one, other in ((inner.across, outer.across), (inner.down, outer.down))
               for margin in (one.start - other.start, other.end - one.end)]
    return 0.5 < min(margins) <= max(margins) < min(min(margins) + SAME_MM, MAX_FRAME_MM)


# Marks

def _fit_marks(marks: Sequence[Sequence[float]], ink: Sequence[float], known: Sequence[Size],
               is_scan: bool) -> Iterator[CardGrid]:
    """Yield the grids whose cuts all have marks; of a scan with marks on one axis alone, a known size says
    the other.
    """
    axes = [[*_fit_axis(marks[axis], ink[axis], ink[axis + 2])] for axis in (0, 1)]
    for axis in (0, 1):
        for fitted, use in axes[axis] if is_scan and not axes[1 - axis] else ():
            for size in (each for one in known for each in (one, one.turned)):
                sides = (size.width, size.height) if axis == 0 else (size.height, size.width)
                if abs(fitted.length - sides[0]) < SAME_MM:
                    for other in _fill_around(ink[1 - axis], ink[3 - axis], sides[1], fitted):
                        across, down = (fitted, other) if axis == 0 else (other, fitted)
                        yield CardGrid(across=across, down=down, confidence=0.75 + 0.17 * use,
                                       how="marks and a known size")
    for across, use in axes[0]:
        for down, other_use in axes[1]:
            grid = CardGrid(across=across, down=down, confidence=0, how="crop marks")
            confidence = 0.77 + 0.16 * (use + other_use) / 2 + (0.05 if _is_known(grid, known) else 0)
            gaps = [axis.gap for axis in (across, down) if axis.count > 1]
            if len(gaps) == 2 and abs(gaps[0] - gaps[1]) > SAME_MM:
                confidence -= 0.03
            yield replace(grid, confidence=confidence)


def _fill_around(first: float, last: float, length: float, like: GridAxis) -> Iterator[GridAxis]:
    """Yield the axis of cards with the gap of another one that fills what is printed, but for a bleed."""
    for count in range(1, MAX_COUNT + 1):
        for gap in {like.gap} if count > 1 and like.count > 1 else {0.0}:
            spare = last - first - count * (length + gap) + gap
            if -2 * SAME_MM < spare < 2 * MAX_BLEED_MM:
                yield GridAxis(first + spare / 2, length, gap, count)


def _fit_axis(marks: Sequence[float], first: float, last: float) -> Iterator[tuple[GridAxis, float]]:
    """Yield the axes whose cuts all have marks, that cover what is printed, each with the share of marks it uses."""
    if not 2 <= len(marks) <= 40:
        return
    for n, start in enumerate(marks):
        for m in range(n + 1, len(marks)):
            length = marks[m] - start
            if not MIN_CARD_MM <= length <= MAX_CARD_MM:
                continue
            gaps = [0.0, *(after - marks[m] for after in marks[m + 1:] if 0.3 < after - marks[m] <= MAX_GAP_MM)]
            for gap in gaps:
                count = 1
                while count < MAX_COUNT and any(
                        abs(mark - start - count * (length + gap) - length) < 0.4 for mark in marks):
                    count += 1
                axis = GridAxis(start, length, gap if count > 1 else 0, count)
                if all(any(abs(mark - cut) < 0.4 for mark in marks) for cut in axis.cuts) and (
                        axis.start < first + 6 and axis.end > last - 6):
                    used = sum(any(abs(mark - cut) < 0.4 for cut in axis.cuts) for mark in marks)
                    yield axis, used / len(marks)


def _weigh(grid: CardGrid, marks: Sequence[Sequence[float]]) -> CardGrid:
    """Be surer of a grid that marks agree with, and less of one that they contradict."""
    hits = [sum(any(abs(mark - cut) < 0.4 for mark in each) for cut in axis.cuts) / len(axis.cuts)
            for each, axis in zip(marks, (grid.across, grid.down), strict=True) if 2 <= len(each) <= 40]
    if "marks" in grid.how or not hits:
        return grid
    if min(hits) > 0.99:
        return replace(grid, confidence=min(grid.confidence + 0.05, 0.99), how=f"{grid.how} and crop marks")
    return replace(grid, confidence=grid.confidence - 0.2)


# Edges

def _fill_ink(ink: Sequence[float], edges: Sequence[Sequence[float]], scale: float, known: Sequence[Size],
              given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the grids of known sizes that fill what is printed, with one gap in both directions."""
    for size in (each for one in known for each in {one, one.turned}):
        axes = [[*_fill(ink[axis], ink[axis + 2], side)] for axis, side in ((0, size.width), (1, size.height))]
        for across in axes[0]:
            for down in axes[1]:
                gaps = {round(axis.gap, 1) for axis in (across, down) if axis.count > 1}
                if across.count * down.count > 1 and (len(gaps) < 2 or max(gaps) - min(gaps) < SAME_MM):
                    inner = [*_inner_cuts(across, edges[0], scale), *_inner_cuts(down, edges[1], scale)]
                    yield CardGrid(across=across, down=down, how="edges", confidence=(
                        0.93 if min(inner) >= 1 else 0.8 if min(inner) > 0 else 0.4) - 0.01 * len(gaps - {0.0}))


def _fill(first: float, last: float, length: float) -> Iterator[GridAxis]:
    total = last - first
    for count in range(1, MAX_COUNT + 1):
        spare = total - count * length
        if abs(spare) < 2 * SAME_MM:
            yield GridAxis(first + spare / 2, length, 0, count)
        elif count > 1 and 0.8 <= spare / (count - 1) <= MAX_GAP_MM:
            yield GridAxis(first, length, spare / (count - 1), count)


def _inner_cuts(axis: GridAxis, edges: Sequence[float], scale: float) -> Iterator[float]:
    """For each cut between cards: 1 if an edge runs along it, 0.5 if nothing is near it, else 0."""
    usual = median(edges)
    for cut in axis.cuts[1:-1]:
        at = round(cut * scale)
        near = edges[max(at - 2, 0):at + 3] or [0.0]
        yield 1.0 if max(near) > max(STRONG, 2 * usual) else 0.5 if max(near) < QUIET else 0.0


# Single cards, pictures without a scale, and grids by hand

def _single_card(width: float, height: float, known: Sequence[Size], given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the grid of a page that is one card, with or without its bleed."""
    if max(width, height) > MAX_SINGLE_MM or (given.columns or 1) * (given.rows or 1) > 1:
        return
    for size in (each for one in known for each in {one, one.turned}):
        for bleed in BLEEDS_MM:
            if abs(width - size.width - 2 * bleed) < SAME_MM and abs(height - size.height - 2 * bleed) < SAME_MM:
                yield CardGrid(across=GridAxis(bleed, size.width, 0, 1), down=GridAxis(bleed, size.height, 0, 1),
                               confidence=0.97, how="the size of its pages")
                return
    yield CardGrid(across=GridAxis(0, width, 0, 1), down=GridAxis(0, height, 0, 1), confidence=0.9,
                   how="the size of its pages")


def _divide_picture(pages: Sequence[Mapping[str, Any]], width: float, height: float, known: Sequence[Size],
                    given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of a picture without a scale into cards of known proportions, as virtual tables have them."""
    edges = [[mean(each) for each in zip(*(page["edges"][axis] for page in pages), strict=False)] for axis in (0, 1)]
    for columns in range(1, MAX_COUNT + 1):
        for rows in range(1, MAX_COUNT + 1):
            if columns * rows < 2 or (given.columns and (columns, rows) != (given.columns, given.rows)):
                continue
            size = next((each for one in known for each in (one, one.turned)
                         if abs(width / columns / (height / rows) / (each.width / each.height) - 1) < 0.012), None)
            if size is None:
                continue
            inner = [*_inner_cuts(GridAxis(0, width / columns, 0, columns), edges[0], 1),
                     *_inner_cuts(GridAxis(0, height / rows, 0, rows), edges[1], 1)]
            lines = sum(each == 1 for each in inner) / len(inner)
            confidence = 0.95 if given.columns or lines == 1 else 0.9 if lines > 0.8 and min(inner) > 0 else 0.5
            is_usual = (columns, rows) == TABLE_SHEET
            yield CardGrid(across=GridAxis(0, size.width, 0, columns), down=GridAxis(0, size.height, 0, rows),
                           confidence=confidence + 0.03 * is_usual, how="equal parts of the picture")


def _lay_out(given: GivenGrid, width: float, height: float, scale: float, found: CardGrid | None) -> CardGrid:
    """The grid by hand: from its margin, else as far as it was found, else in the middle of the page."""
    assert given.size
    size = given.size
    if scale == 1:
        size = size if (width > height) == (size.width * given.columns > size.height * given.rows) else size.turned
        width, height = size.width * given.columns, size.height * given.rows
    gap = given.gap or 0.0
    axes = []
    sides = (width, size.width, given.columns), (height, size.height, given.rows)
    for axis, (side, length, count) in enumerate(sides):
        total = count * (length + gap) - gap
        start = given.margin[axis] if given.margin else (side - total) / 2
        axes.append(GridAxis(start, length, gap if count > 1 else 0, count))
    if found and not given.margin and given.gap is None:
        return replace(found, confidence=1.0, how=f"{found.how}, as given")
    return CardGrid(across=axes[0], down=axes[1], confidence=1.0, how="hand")
