"""Grids of cards on sheets: found by shapes, crop marks or edges, each with how sure that is.

Shapes of one size on a grid are cards, their frames or their bleeds. Else sizes are tried that fill what is printed,
known ones and those between marks. Marks or edges at the cuts make a grid sure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from statistics import fmean, median
from typing import Any

from ppgen.engine.geometry import Size
from ppgen.reading.card_sheets import group_near

SURE, WORTH_A_LOOK = 0.9, 0.3
"""The confidence from which on a grid is taken without a look, and that from which on it is shown."""
SAME_MM = 0.5
MIN_CARD_MM, MAX_CARD_MM, MAX_GAP_MM = 18.0, 210.0, 60.0
MAX_SINGLE_MM = 180.0
"""The longer side of a page that is a card by itself."""
KEPT_BLEEDS_MM = 3.0, 2.0, 1.5
PAGE_BLEEDS_MM = 3.0, 3.175, 2.0
"""Bleeds of a page that is a card of a known size."""
MAX_FRAME_MM, MAX_BLEED_MM = 10.0, 6.0
MAX_COUNT, MAX_MARKS = 12, 40
TABLE_SHEET = 10, 7
"""Columns and rows of a sheet for Tabletop Simulator."""
MAX_DIVIDED = 6
"""The most columns and rows that what is printed is divided into."""
WHOLE_LINE = 0.85
"""The share of a line from which on it crosses all of what is printed."""
BORDER_TONE, WHITE_TONE, PAPER_TONE = 0.05, 0.93, 0.985
STRONG = 0.3
"""The share of a line that differs from its neighbour where a cut runs along it."""

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
        return self.cuts[-1]

    def resized(self, length: float) -> GridAxis:
        """Cards of another length with the same middles; without gaps that come of rounding."""
        gap = self.gap + self.length - length if self.count > 1 else 0.0
        rounding = gap if abs(gap) < 0.15 else 0.0
        return GridAxis(self.start + (self.length - length + (self.count - 1) * rounding) / 2, length, gap - rounding,
                        self.count)


@dataclass(frozen=True, slots=True)
class CardGrid:
    """Where the cards of a sheet lie, how sure that is, from 0 to 1, and by what it was found."""

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

    def has_size(self, size: Size) -> bool:
        return max(abs(self.across.length - size.width), abs(self.down.length - size.height)) < SAME_MM

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
                fmean(any(abs(cut - mark) < SAME_MM for mark in marks) for cut in axis.cuts) >= 0.8
                for axis, marks in zip(self.axes, page["marks"], strict=True)):
            return True
        if "outline" in self.how:
            return all(abs(page["ink"][n] - axis.start) < 2 > min(abs(page["ink"][n + 2] - cut) for cut in axis.cuts)
                       for n, axis in enumerate(self.axes))
        least = self.across.length * self.down.length / 2
        if any(max(abs(box[n] + box[n + 2] - cell[n] - cell[n + 2]) for n in (0, 1)) < 3 for box in page["boxes"]
               if least < (box[2] - box[0]) * (box[3] - box[1]) < 4 * least for cell in self.boxes.values()):
            return True
        if page["is_vector"] and "edges" not in self.how:
            return False
        for n, (axis, edges) in enumerate(zip(self.axes, page["edges"], strict=True)):
            first, last = (round(end * page["scale"]) for end in page["ink"][n::2])
            least = max(0.15, 2 * median(edges[first:last + 1]))  # lines of words are edges everywhere
            near = (max(edges[max(round(at * page["scale"]) - 4, 0):][:9], default=0) for at in axis.cuts)
            if axis.count > 1 and max(near) <= least:
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenGrid:
    """What the user says of a grid; 0 or None if nothing."""

    columns: int = 0
    rows: int = 0
    size: Size | None = None
    gaps: tuple[float, float] | None = None
    margin: tuple[float, float] | None = None

    def allows(self, grid: CardGrid) -> bool:
        """Whether a grid agrees with what is given."""
        return ((not self.columns or grid.counts == (self.columns, self.rows))
                and (not self.size or grid.has_size(self.size) or grid.has_size(self.size.turned))
                and (self.gaps is None or all(axis.count == 1 or abs(axis.gap - gap) < SAME_MM
                                              for axis, gap in zip(grid.axes, self.gaps, strict=True)))
                and (self.margin is None or all(abs(axis.start - margin) < 2
                                                for axis, margin in zip(grid.axes, self.margin, strict=True))))

    def lay_out(self, width: float, height: float, scale: float) -> CardGrid:
        """The grid by hand: from its margin, else in the middle of the page."""
        assert self.size
        size = self.size
        if scale == 1:
            size = size if (width > height) == (size.width * self.columns > size.height * self.rows) else size.turned
            width, height = size.width * self.columns, size.height * self.rows
        axes = []
        for n, (side, length, count) in enumerate(((width, size.width, self.columns),
                                                   (height, size.height, self.rows))):
            gap = self.gaps[n] if self.gaps and count > 1 else 0.0
            start = self.margin[n] if self.margin else (side - count * (length + gap) + gap) / 2
            axes.append(GridAxis(start, length, gap, count))
        return CardGrid(axes[0], axes[1], SURE, "hand, as given")


def find_grids(pages: Sequence[Page], sizes: Sequence[Size], given: GivenGrid) -> list[CardGrid]:
    """Find the grid that pages of one size share; more than one if cards of two sizes lie beside each other."""
    known = [*dict.fromkeys(each for size in ([given.size] if given.size else sizes) for each in (size, size.turned))]
    (width, height), scale = pages[0]["sides"], pages[0]["scale"]
    marks = [[fmean(group) for group in group_near((mark for page in pages for mark in page["marks"][axis]), SAME_MM)
              if 2 * len(group) >= len(pages)] for axis in (0, 1)]
    ink = [pick(page["ink"][n] for page in pages) for n, pick in enumerate((min, min, max, max))]
    edges = [[fmean(line) for line in zip(*(page["edges"][axis] for page in pages), strict=False)] for axis in (0, 1)]
    if scale == 1:
        found = [*_divide_picture(width, height, edges, known, given)]
    else:
        filled = [*_fill_ink(ink, marks, edges, scale, known)]
        found = [replace(grid, confidence=0.99, how=f"{grid.how} and crop marks")
                 if any("marks" in other.how and not _differ(grid, other) for other in filled) else grid
                 for grid in _fit_shapes([*_find_shapes(pages)], known)] + filled
        has_marks = any(grid.counts == (1, 1) for grid in filled)
        found += _find_single(pages[0], known, given) if pages[0]["trim"] or not has_marks else ()
        if not any(grid.confidence > WORTH_A_LOOK and given.allows(grid) for grid in found):
            found += _space_edges(edges, scale, known)
            found += (grid for page in pages for grid in _divide_outline(page, known, given))
    allowed = [grid for grid in found if grid.confidence > WORTH_A_LOOK and given.allows(grid)]
    best = max(allowed, key=lambda grid: (round(grid.confidence, 2), grid.across.count * grid.down.count), default=None)
    if given.columns and given.size and (best is None or best.confidence < SURE or given.margin):
        return [replace(best, confidence=SURE, how=f"{best.how}, as given")
                if best and not given.margin and given.gaps is None else given.lay_out(width, height, scale)]
    grids = [best] if best else []
    for rival in (grid for grid in allowed if best and grid.confidence > best.confidence - 0.02):
        if all(_are_apart(rival, grid) for grid in grids):
            grids.append(rival)
        elif all(_differ(rival, grid) for grid in grids):
            return [replace(grids[0], confidence=0.6, how=f"{grids[0].how}, or by {rival.how}")]
    return grids


def _find_single(page: Page, known: Sequence[Size], given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the card that a page is: its trim box, else all of it, with or without a bleed.

    A size that nothing else says is to be looked at.
    """
    def card(left: float, top: float, right: float, bottom: float) -> CardGrid:
        return CardGrid(GridAxis(left, right - left, 0, 1), GridAxis(top, bottom - top, 0, 1), 0.97, how)

    width, height = page["sides"]
    trim, how = page["trim"], "its trim box"
    if trim and max(trim[2] - trim[0], trim[3] - trim[1]) <= MAX_SINGLE_MM:
        yield card(*trim)
    elif max(width, height) <= MAX_SINGLE_MM:
        how = "the size of its pages"
        whole = card(0, 0, width, height)
        is_known = any(max(abs(width - size.width), abs(height - size.height)) < SAME_MM / 2 for size in known)
        bleeds = [] if is_known else [(size, bleed) for size, bleed in product(known, PAGE_BLEEDS_MM) if max(
            abs(width - size.width - 2 * bleed), abs(height - size.height - 2 * bleed)) < 0.2]
        if not bleeds:
            yield whole if is_known else replace(whole, confidence=SURE if given.columns else 0.8)
        for size, _ in bleeds[:1]:
            left, top = (width - size.width) / 2, (height - size.height) / 2
            how += " with a bleed"
            yield replace(card(left, top, left + size.width, top + size.height), confidence=0.93)


def _are_apart(one: CardGrid, other: CardGrid) -> bool:
    return any(a.end < b.start + SAME_MM or b.end < a.start + SAME_MM
               for a, b in zip(one.axes, other.axes, strict=True))


def _differ(one: CardGrid, other: CardGrid) -> bool:
    return any(a.count != b.count or abs(a.start - b.start) > 1 or abs(a.length - b.length) > 1
               for a, b in zip(one.axes, other.axes, strict=True))


def _space(lines: Sequence[float]) -> GridAxis | None:
    """The cards between lines, if they are of one length, and touch or have one gap."""
    spans = [end - start for start, end in pairwise(lines)]
    for lengths, gaps in (spans, [0.0]), (spans[::2], spans[1::2]):
        if len(lengths) >= len(gaps) > 0 and all(max(each) - min(each) < 2 * SAME_MM for each in (lengths, gaps)):
            axis = GridAxis(lines[0], fmean(lengths), fmean(gaps), len(lengths))
            if MIN_CARD_MM <= axis.length <= MAX_CARD_MM and axis.gap <= MAX_GAP_MM and axis.count <= MAX_COUNT:
                return axis
    return None


# Shapes

def _find_shapes(pages: Sequence[Page]) -> Iterator[CardGrid]:
    """Yield the grids of shapes, pictures, forms or clips of one size."""
    boxes: dict[tuple[int, int], set[tuple[float, ...]]] = defaultdict(set)
    for box in (box for page in pages for box in page["boxes"]):
        boxes[round(2 * (box[2] - box[0])), round(2 * (box[3] - box[1]))].add(tuple(box))
    for key in boxes:
        near = [box for width, height in product((-1, 0, 1), repeat=2)
                for box in boxes.get((key[0] + width, key[1] + height), ())]
        across, down = (_space([fmean(group) for group in group_near((edge for box in near for edge in box[n::2]),
                                                                     2 * SAME_MM)]) for n in (0, 1))
        if across and down and max(abs(across.length - key[0] / 2), abs(down.length - key[1] / 2)) < 2 * SAME_MM:
            places = {(round(box[0] / SAME_MM), round(box[1] / SAME_MM)) for box in near}
            if len(places) >= max(2, 0.5 * across.count * down.count):
                yield CardGrid(across, down, 0.75, "shapes")


def _fit_shapes(shapes: Sequence[CardGrid], known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the cards of known sizes that shapes are, or their bleeds, or frames in cards that touch.

    Other shapes are cards if they are the ground of such frames, unless they touch, as bleeds may.
    """
    for grid in shapes:
        is_known = False
        for size in known:
            across, down = grid.across.resized(size.width), grid.down.resized(size.height)
            bleed, other = across.start - grid.across.start, down.start - grid.down.start
            if max(abs(bleed), abs(other)) < SAME_MM / 2:
                confidence, how = 0.94, grid.how
            elif min(grid.counts) > 1 and across.gap == down.gap == 0 > max(bleed, other):
                confidence, how = 0.91, grid.how
            elif 1 < bleed < MAX_BLEED_MM and abs(bleed - other) < SAME_MM / 4:
                confidence, how = 0.87, f"{grid.how} with a bleed"
            else:
                continue
            is_known = True
            yield CardGrid(across, down, confidence, how)
        if not is_known:
            margins = [[edge for one, outer in zip(other.axes, grid.axes, strict=True)
                        for edge in (one.start - outer.start, outer.end - one.end)]
                       for other in shapes if other.counts == grid.counts]
            has_frame = any(SAME_MM < min(each) <= max(each) < min(each) + SAME_MM for each in margins)
            is_outer = all(min(each) > -SAME_MM for each in margins)
            is_touching = max(axis.gap for axis in grid.axes) < 0.2 and max(grid.counts) > 1
            yield replace(grid, confidence=0.9 if has_frame and is_outer and not is_touching else 0.75)


# Marks and edges

def _fill_ink(ink: Sequence[float], marks: Sequence[Sequence[float]], edges: Sequence[Sequence[float]], scale: float,
              known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grids that fill what is printed but for a bleed, with one gap: by marks, else edges at all cuts.

    Where only one direction has marks, a known size says the other.
    """
    marked = [_space(each) for each in marks]
    bleed = max((ink[n + 2] - ink[n] - axis.end + axis.start for n, axis in enumerate(marked) if axis), default=0.0) / 2
    if bleed > MAX_BLEED_MM:
        return
    own = [Size(marked[0].length, marked[1].length)] if marked[0] and marked[1] else []
    for size in (*known, *own):
        options = [[*_fill(ink[n] + bleed, ink[n + 2] - bleed, side)] if axis is None else
                   [axis.resized(side)] if abs(axis.length - side) < SAME_MM / 2 else []
                   for n, (axis, side) in enumerate(zip(marked, (size.width, size.height), strict=True))]
        for across, down in product(*options):
            gaps = [axis.gap for axis in (across, down) if axis.count > 1]
            if (not gaps and (not own or max(across.length, down.length) > MAX_SINGLE_MM)) or (
                    gaps and max(gaps) - min(gaps) > SAME_MM and not own):
                continue
            if any(marked):
                yield CardGrid(across, down, 0.95 if size in known else 0.92, "crop marks")
            else:
                seen = fmean([*_see_cuts(across, edges[0], scale), *_see_cuts(down, edges[1], scale)])
                yield CardGrid(across, down, 0.93 if seen == 1 else 0.8 * seen, "edges")


def _fill(first: float, last: float, length: float) -> Iterator[GridAxis]:
    """Yield the axes that fill what is printed."""
    for count in range(1, MAX_COUNT + 1):
        spare = last - first - count * length
        if abs(spare) < 3 * SAME_MM:
            yield GridAxis(first + spare / 2, length, 0.0, count)
        elif count > 1 and 0.8 <= spare / (count - 1) <= MAX_GAP_MM / 4:
            yield GridAxis(first, length, spare / (count - 1), count)


def _space_edges(edges: Sequence[Sequence[float]], scale: float, known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grid of lines that cross all of what is printed, as around white cards."""
    across, down = (_space([fmean(group) for group in group_near(
        ((n + 0.5) / scale for n, edge in enumerate(line) if edge > WHOLE_LINE), 3 * SAME_MM)]) for line in edges)
    if across and down and min(across.count, down.count) > 1:
        grid = CardGrid(across, down, 0.75, "edges of lines")
        size = next((size for size in known if grid.has_size(size)), None)
        yield replace(grid, across=across.resized(size.width), down=down.resized(size.height),
                      confidence=0.92) if size else grid


def _divide_outline(page: Page, known: Sequence[Size], given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of what is printed into cards that touch: as given, or of a known size whose border repeats.

    A count that is given alone is to be looked at where there is paper between the cards.
    """
    ink = page["ink"]
    for counts in [(given.columns, given.rows)] if given.columns else product(range(2, MAX_DIVIDED + 1), repeat=2):
        axes = []
        for n, count in enumerate(counts):
            gap = given.gaps[n] if given.gaps and count > 1 else 0.0
            axes.append(GridAxis(ink[n], (ink[n + 2] - ink[n] - (count - 1) * gap) / count, gap, count))
        grid = CardGrid(axes[0], axes[1], 0, "the outline of what is printed")
        if size := next((size for size in known if grid.has_size(size)), None):
            grid = replace(grid, across=axes[0].resized(size.width), down=axes[1].resized(size.height))
        repeats = all(_repeats_border(axis, tones, page["scale"], axis.start) for axis, tones in zip(
            grid.axes, page["tones"], strict=True))
        if size and (repeats or given.size):
            yield replace(grid, confidence=0.92 if repeats else SURE)
        elif given.columns and min(axes[0].length, axes[1].length) >= MIN_CARD_MM:
            yield replace(grid, confidence=SURE if repeats or not _has_white_cuts(page) else 0.8)


def _repeats_border(axis: GridAxis, tones: Sequence[float], scale: float, start: float) -> bool:
    """Whether the columns on both sides of each cut have the tone of the outer border, and most others have not."""
    near = [max(round(rim * scale), 1) for rim in (0.4, 0.8, 1.2, 1.6)]
    places = [round((cut - start) * scale) for cut in axis.cuts]
    if places[-2] + near[-1] >= len(tones):
        return False
    border = fmean(tones[rim] for rim in near)
    sides = (tones[place + way * rim] for place in places[1:-1] for rim in near for way in (-1, 1))
    others = sum(abs(tone - border) > BORDER_TONE for tone in tones)
    return border < WHITE_TONE and 2 * others > len(tones) and all(abs(tone - border) < BORDER_TONE for tone in sides)


def _has_white_cuts(page: Page) -> bool:
    """Whether paper is between the cards, so that the outline alone doesn't say their sizes."""
    return any(max(tones[2:-2], default=0.0) > PAPER_TONE for tones in page["tones"])


def _see_cuts(axis: GridAxis, edges: Sequence[float], scale: float) -> Iterator[bool]:
    """For each cut between cards: whether an edge runs along it."""
    least = max(STRONG, 2 * median(edges))
    for at in (round(cut * scale) for cut in axis.cuts[1:-1]):
        yield max(edges[max(at - 2, 0):at + 3], default=0.0) > least


def _divide_picture(width: float, height: float, edges: Sequence[Sequence[float]], known: Sequence[Size],
                    given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of a picture without a scale into cards of known proportions, as virtual tables have them."""
    for columns, rows in product(range(1, MAX_COUNT + 1), repeat=2):
        size = next((size for size in known
                     if abs(width * rows * size.height / (height * columns * size.width) - 1) < 0.012), None)
        if columns * rows > 1 and size:
            seen = fmean([*_see_cuts(GridAxis(0, width / columns, 0, columns), edges[0], 1),
                          *_see_cuts(GridAxis(0, height / rows, 0, rows), edges[1], 1)])
            confidence = 0.95 if given.columns or seen == 1 else 0.8 * seen
            yield CardGrid(GridAxis(0, size.width, 0, columns), GridAxis(0, size.height, 0, rows),
                           confidence + 0.03 * ((columns, rows) == TABLE_SHEET), "equal parts of the picture")
