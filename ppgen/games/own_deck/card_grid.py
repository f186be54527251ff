"""Grids of cards on sheets: found by shapes, crop marks or edges, each with how sure that is.

Shapes of one size on a grid come first. Crop marks decide between a card, its frame and its bleed. Else known sizes
are tried that fill what is printed, with marks or edges at their cuts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
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
KEPT_BLEEDS_MM = 3.0, 2.0, 1.5
MAX_FRAME_MM, MAX_BLEED_MM = 10.0, 6.0
MAX_COUNT = 12
MARK_SLACK_MM, MAX_MARKS = 0.4, 40
TABLE_SHEET = 10, 7
"""Columns and rows of a sheet for Tabletop Simulator."""
QUIET, STRONG = 0.04, 0.3
"""Shares of a line that differs from its neighbour: where nothing crosses a cut, and where one runs along it."""


Page = Mapping[str, Any]
"""What :func:`study_page` found."""


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

    @property
    def axes(self) -> tuple[GridAxis, GridAxis]:
        return self.across, self.down

    @property
    def counts(self) -> tuple[int, int]:
        return self.across.count, self.down.count

    @property
    def boxes(self) -> dict[tuple[int, int], tuple[float, float, float, float]]:
        """The cards by row and column: left, upper, right and lower edge."""
        x, y = self.across.cuts, self.down.cuts
        return {(row, column): (x[2 * column], y[2 * row], x[2 * column + 1], y[2 * row + 1])
                for row in range(self.down.count) for column in range(self.across.count)}

    def find_bleed(self, pages: Iterable[Page]) -> float:
        """The bleed in mm that is printed around each card, as far as it is a usual one."""
        inks = [*zip(*(page["ink"] for page in pages), strict=True)]
        room = [distance for n, axis in enumerate(self.axes) for distance in (
            axis.start - min(inks[n]), max(inks[n + 2]) - axis.end, min(axis.gap / 2, 5) if axis.count > 1 else 5)]
        is_label = max(room) > MAX_BLEED_MM
        return max((bleed for bleed in KEPT_BLEEDS_MM if bleed < min(room) + 0.3 and not is_label), default=0.0)

    def is_on(self, page: Page) -> bool:
        """Whether a page has such cards, rather than words of rules or a title."""
        if "given" in self.how or page["scale"] == 1 or any(
                _share(axis.cuts, marks) >= 0.8 for axis, marks in zip(self.axes, page["marks"], strict=True)):
            return True
        least = self.across.length * self.down.length / 2
        if any(abs(box[0] + box[2] - cell[0] - cell[2]) < 3 and abs(box[1] + box[3] - cell[1] - cell[3]) < 3
               for box in page["boxes"] if (box[2] - box[0]) * (box[3] - box[1]) > least
               for cell in self.boxes.values()):
            return True
        return (not page["is_vector"] or "edges" in self.how) and any(
            max(edges[max(round(at * page["scale"]) - 4, 0):][:9], default=0) > 0.15
            for axis, edges in zip(self.axes, page["edges"], strict=True) for at in axis.cuts[:2])


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
        return ((not self.columns or grid.counts == (self.columns, self.rows))
                and (self.size is None or _find_size(grid, (self.size, self.size.turned)) is not None)
                and all(self.gap is None or axis.count == 1 or abs(axis.gap - self.gap) < SAME_MM
                        for axis in grid.axes)
                and (self.margin is None or all(abs(axis.start - margin) < 2
                                                for axis, margin in zip(grid.axes, self.margin, strict=True))))


def _find_size(grid: CardGrid, sizes: Iterable[Size]) -> Size | None:
    return next((size for size in sizes if abs(grid.across.length - size.width) < SAME_MM
                 and abs(grid.down.length - size.height) < SAME_MM), None)


def find_grids(pages: Sequence[Page], sizes: Sequence[Size], given: GivenGrid) -> list[CardGrid]:
    """Find the grid that pages of one size share; more than one if cards of two sizes lie beside each other."""
    known = [*dict.fromkeys(each for size in ([given.size] if given.size else sizes) for each in (size, size.turned))]
    width, height = pages[0]["sides"]
    marks = [_common([page["marks"][axis] for page in pages]) for axis in (0, 1)]
    ink = [pick(page["ink"][n] for page in pages) for n, pick in enumerate((min, min, max, max))]
    edges = [[mean(column) for column in zip(*(page["edges"][axis] for page in pages), strict=False)]
             for axis in (0, 1)]
    if (scale := pages[0]["scale"]) == 1:
        found = [*_divide_picture(width, height, edges, known, given)]
    else:
        found = [*_judge_shapes([*_find_shapes(pages)], known), *_single_card(width, height, known),
                 *_fill_ink(ink, marks, edges, scale, known)]
    allowed = [_round(_weigh(grid, marks), known) for grid in found if given.allows(grid)]
    best = max(allowed, key=lambda grid: (round(grid.confidence, 2), grid.across.count * grid.down.count), default=None)
    if given.columns and given.size and (best is None or best.confidence < SURE or given.margin):
        return [_lay_out(given, width, height, scale, best)]
    found = [best] if best else []
    for rival in (grid for grid in allowed if best and grid.confidence > best.confidence - 0.02):
        if all(_are_apart(rival, grid) for grid in found):
            found.append(rival)
        elif all(_differ(rival, grid) for grid in found):
            return [replace(found[0], confidence=0.6, how=f"{found[0].how}, or by {rival.how}")]
    return found


def _are_apart(one: CardGrid, other: CardGrid) -> bool:
    return any(a.end < b.start + SAME_MM or b.end < a.start + SAME_MM
               for a, b in zip(one.axes, other.axes, strict=True))


def _differ(one: CardGrid, other: CardGrid) -> bool:
    return any(a.count != b.count or abs(a.start - b.start) > 1 or abs(a.length - b.length) > 1
               for a, b in zip(one.axes, other.axes, strict=True))


def _common(pages: Sequence[Sequence[float]]) -> list[float]:
    """The positions that at least half of the pages have."""
    groups = _group(sorted(position for page in pages for position in page), MARK_SLACK_MM)
    return [mean(group) for group in groups if 2 * len(group) >= len(pages)]


def _group(positions: Iterable[float], slack: float) -> list[list[float]]:
    groups: list[list[float]] = []
    for position in sorted(positions):
        if not groups or position - groups[-1][-1] >= slack:
            groups.append([])
        groups[-1].append(position)
    return groups


def _share(positions: Sequence[float], others: Sequence[float]) -> float:
    """The share of positions that are among others."""
    return sum(any(abs(one - other) < MARK_SLACK_MM for other in others) for one in positions) / len(positions)


def _round(grid: CardGrid, known: Iterable[Size]) -> CardGrid:
    """The grid with cards of exactly the known size that they nearly have, without gaps that come of rounding."""
    size = _find_size(grid, known)
    axes = []
    for axis, side in zip(grid.axes, (size.width, size.height) if size else (0, 0), strict=True):
        length = side or axis.length
        start, gap = axis.start + (axis.length - length) / 2, axis.gap + axis.length - length
        axes.append(GridAxis(start, length, gap, axis.count) if axis.count > 1 and gap > 0.15
                    else GridAxis(start + (axis.count - 1) * gap / 2, length, 0, axis.count))
    return replace(grid, across=axes[0], down=axes[1])


def _grid(axes: Iterable[GridAxis], confidence: float, how: str) -> CardGrid:
    across, down = axes
    return CardGrid(across=across, down=down, confidence=confidence, how=how)


# Shapes

def _find_shapes(pages: Sequence[Page]) -> Iterator[CardGrid]:
    """Yield the grids of shapes, pictures, forms or clips of one size."""
    boxes: dict[tuple[int, int], set[tuple[float, ...]]] = defaultdict(set)
    for left, top, right, bottom in (box for page in pages for box in page["boxes"]):
        sides = right - left, bottom - top
        if MIN_CARD_MM <= min(sides) <= max(sides) <= MAX_CARD_MM:
            boxes[round(sides[0] * 2), round(sides[1] * 2)].add((left, top, *sides))
    for key in boxes:
        near = {box for across in (-1, 0, 1) for down in (-1, 0, 1)
                for box in boxes.get((key[0] + across, key[1] + down), ())}
        axes = [axis for n in (0, 1) if (axis := _even(_group((box[n] for box in near), SAME_MM),
                                                       median(box[n + 2] for box in near)))]
        places = {(round(box[0] / SAME_MM), round(box[1] / SAME_MM)) for box in near}
        if len(axes) == 2 and len(places) >= max(2, 0.5 * axes[0].count * axes[1].count):
            yield _grid(axes, 0.9, "shapes")


def _even(groups: Sequence[Sequence[float]], length: float) -> GridAxis | None:
    """The axis of cards that begin at these places, if they are evenly apart and don't overlap."""
    starts = [group[0] for group in groups]
    pitch = (starts[-1] - starts[0]) / max(len(starts) - 1, 1) or length
    is_even = len(starts) <= MAX_COUNT and length - SAME_MM <= pitch <= length + 4 * MAX_GAP_MM and all(
        abs(start - starts[0] - n * pitch) <= SAME_MM for n, start in enumerate(starts))
    return GridAxis(starts[0], length, pitch - length, len(starts)) if is_even else None


def _judge_shapes(shapes: Sequence[CardGrid], known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield shapes with how sure it is that they are cards, rather than frames in them or cards with their bleed.

    Shapes that are a known size apart are frames in cards that touch. A ground has a frame in it.
    """
    for grid in shapes:
        rivals = [other for other in shapes if other.counts == grid.counts]
        touching = _grid((GridAxis(axis.start - axis.gap / 2, axis.length + axis.gap, 0, axis.count)
                          for axis in grid.axes), 0.91, "shapes")
        bleed, size = next(((bleed, size) for size in known for bleed in [(grid.across.length - size.width) / 2]
                            if 1 < bleed < MAX_BLEED_MM
                            and abs(grid.down.length - size.height - 2 * bleed) < SAME_MM / 2), (0.0, None))
        if _find_size(grid, known):
            yield replace(grid, confidence=0.94)
        elif min(grid.counts) > 1 and _find_size(touching, known):
            yield touching
        elif size:
            yield _grid((GridAxis(axis.start + bleed, axis.length - 2 * bleed, axis.gap + 2 * bleed, axis.count)
                         for axis in grid.axes), 0.87, "shapes with a bleed")
            yield replace(grid, confidence=0.7)
        else:
            is_largest = all(other.across.length < grid.across.length + SAME_MM for other in rivals)
            is_touching = all(axis.gap < 0.2 for axis in grid.axes)  # as the bleeds of cards may
            is_ground = is_touching or any(_is_frame(other, grid) for other in rivals)
            yield replace(grid, confidence=0.75 if not is_ground or not is_largest else 0.87 if is_touching else 0.9)


def _is_frame(inner: CardGrid, outer: CardGrid) -> bool:
    """Whether shapes lie in others with the same margin at all sides."""
    margins = [margin for one, other in zip(inner.axes, outer.axes, strict=True)
               for margin in (one.start - other.start, other.end - one.end)]
    return 0.5 < min(margins) <= max(margins) < min(min(margins) + SAME_MM, MAX_FRAME_MM)


# Marks and edges

def _weigh(grid: CardGrid, marks: Sequence[Sequence[float]]) -> CardGrid:
    """Be surer of a grid that marks agree with, and less of one that they contradict."""
    hits = [_share(axis.cuts, each) for each, axis in zip(marks, grid.axes, strict=True) if 2 <= len(each) <= MAX_MARKS]
    if "marks" in grid.how or not hits:
        return grid
    if min(hits) == 1:
        return replace(grid, confidence=min(grid.confidence + 0.05, 0.99), how=f"{grid.how} and crop marks")
    return replace(grid, confidence=grid.confidence - 0.2)


def _fill_ink(ink: Sequence[float], marks: Sequence[Sequence[float]], edges: Sequence[Sequence[float]], scale: float,
              known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grids of known sizes that fill what is printed, with one gap in both directions, by marks or edges."""
    spans = [[end - start for n, start in enumerate(each) for end in each[n + 1:]
              if MIN_CARD_MM <= end - start <= MAX_CARD_MM] if len(each) <= MAX_MARKS else [] for each in marks]
    for size in (*known, *dict.fromkeys(Size(round(width, 1), round(height, 1)) for width, height in product(*spans))):
        for (across, spare), (down, other) in product(*(_fill(ink[n], ink[n + 2], side, marks)
                                                         for n, side in enumerate((size.width, size.height)))):
            gaps = {round(axis.gap, 1) for axis in (across, down) if axis.count > 1}
            if across.count * down.count == 1 or max(gaps) - min(gaps) > SAME_MM or abs(spare - other) > 2 * SAME_MM:
                continue
            uses = [_share(each, axis.cuts) for each, axis in zip(marks, (across, down), strict=True)
                    if each and _share(axis.cuts, each) == 1]
            if uses and len(uses) == sum(map(bool, marks)):
                yield _grid((across, down), 0.67 + 0.17 * mean(uses) + 0.04 * len(uses) + 0.04 * (size in known),
                            "crop marks and a known size" if size in known else "crop marks")
            elif (error := max(abs(spare), abs(other))) < 3 * SAME_MM and size in known:
                inner = [*_inner_cuts(across, edges[0], scale), *_inner_cuts(down, edges[1], scale)]
                yield _grid((across, down), (0.93 if min(inner) == 1 else 0.8 if min(inner) > 0 else 0.4)
                            - 0.01 * len(gaps - {0.0}) - 0.01 * error, "edges")


def _fill(first: float, last: float, length: float, marks: Sequence[Sequence[float]]
          ) -> Iterator[tuple[GridAxis, float]]:
    """Yield the axes that fill what is printed, with what is over: with the gaps of marks that may be a bleed."""
    gaps = {round(after - mark, 1) for each in marks for mark, after in pairwise(each)}
    for count in range(1, MAX_COUNT + 1):
        spare = last - first - count * length
        for gap in (0.0, spare / (count - 1), *gaps) if count > 1 else (0.0,):
            over = spare - gap * (count - 1)
            if (gap == 0 or 0.8 <= gap <= MAX_GAP_MM) and -2 * MAX_FRAME_MM < over < 2 * MAX_BLEED_MM:
                yield GridAxis(first + over / 2, length, gap, count), over


def _inner_cuts(axis: GridAxis, edges: Sequence[float], scale: float) -> Iterator[float]:
    """For each cut between cards: 1 if an edge runs along it, 0.5 if nothing is near it, else 0."""
    usual = median(edges)
    for cut in axis.cuts[1:-1]:
        at = round(cut * scale)
        near = max(edges[max(at - 2, 0):at + 3], default=0.0)
        yield 1.0 if near > max(STRONG, 2 * usual) else 0.5 if near < QUIET else 0.0


# Single cards, pictures without a scale, and grids by hand

def _single_card(width: float, height: float, known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grid of a page that is one card, with or without its bleed."""
    if max(width, height) <= MAX_SINGLE_MM:
        size, bleed = next(((size, bleed) for size in known for bleed in BLEEDS_MM
                            if abs(width - size.width - 2 * bleed) < SAME_MM
                            and abs(height - size.height - 2 * bleed) < SAME_MM), (Size(width, height), 0.0))
        yield _grid((GridAxis(bleed, size.width, 0, 1), GridAxis(bleed, size.height, 0, 1)),
                    0.97 if size in known else 0.9, "the size of its pages")


def _divide_picture(width: float, height: float, edges: Sequence[Sequence[float]], known: Sequence[Size],
                    given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of a picture without a scale into cards of known proportions, as virtual tables have them."""
    for columns, rows in product(range(1, MAX_COUNT + 1), repeat=2):
        size = next((size for size in known
                     if abs(width * rows * size.height / (height * columns * size.width) - 1) < 0.012), None)
        if columns * rows > 1 and size:
            inner = [*_inner_cuts(GridAxis(0, width / columns, 0, columns), edges[0], 1),
                     *_inner_cuts(GridAxis(0, height / rows, 0, rows), edges[1], 1)]
            confidence = 0.95 if given.columns or min(inner) == 1 else 0.9 if mean(inner) > 0.9 and min(inner) else 0.5
            yield _grid((GridAxis(0, size.width, 0, columns), GridAxis(0, size.height, 0, rows)),
                        confidence + 0.03 * ((columns, rows) == TABLE_SHEET), "equal parts of the picture")


def _lay_out(given: GivenGrid, width: float, height: float, scale: float, found: CardGrid | None) -> CardGrid:
    """The grid by hand: from its margin, else as far as it was found, else in the middle of the page."""
    assert given.size
    if found and not given.margin and given.gap is None:
        return replace(found, confidence=1.0, how=f"{found.how}, as given")
    size, counts = given.size, (given.columns, given.rows)
    if scale == 1:
        size = size if (width > height) == (size.width * given.columns > size.height * given.rows) else size.turned
        width, height = size.width * given.columns, size.height * given.rows
    axes = []
    for n, (side, length, count) in enumerate(zip((width, height), (size.width, size.height), counts, strict=True)):
        gap = (given.gap or 0.0) if count > 1 else 0.0
        start = given.margin[n] if given.margin else (side - count * (length + gap) + gap) / 2
        axes.append(GridAxis(start, length, gap, count))
    return _grid(axes, 1.0, "hand, as given")
