"""Labels of the map: names of countries, neighbours and spaces, placed where they cover nothing that is played on.

Each name has candidates: boxes in several sizes around its wanted place, each with a cost in millimetres: the distance
from that place, and a penalty for smaller letters. The cost of what a box covers, counted in cells of a grid, is added;
and that of a code which could be taken for another space's, as score sheets depend on codes.

- Names of countries come first, one after the other: each takes its cheapest candidate, and the ground below it.
- Names of spaces are placed together, as they compete: three rounds in which each takes its cheapest candidate that
  stands apart from all others, or displaces one other if that one's loss is less than its own gain.
- Names of neighbours take what is left.

Candidates come in the order of their own cost, so a search ends at the first one that costs more by itself than the
best one in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise
from math import ceil, dist, floor, hypot, inf, sqrt

from ppgen.engine.geometry import Insets, Rect
from ppgen.games.board_game.board import Board, BoardLine, BoardPoint, Borders, Space
from ppgen.games.board_game.components import SPACED

# The ground

CELL = 0.5
"""Side of a cell of the grid, in mm."""


class OccupancyGrid:
    """Cells of an area, given in mm, each taken or free; taken cells stay taken.

    A row of cells is an integer with a bit for each, the first one the lowest.
    """

    def __init__(self, width: float, height: float) -> None:
        self.columns, self.lines = ceil(width / CELL), ceil(height / CELL)
        self._rows = [0] * self.lines

    def take_disc(self, at: BoardPoint, radius: float) -> None:
        """Take each cell that a disc touches."""
        for row in range(max(0, floor((at.y - radius) / CELL)), min(self.lines, ceil((at.y + radius) / CELL))):
            near = min(max(at.y, row * CELL), (row + 1) * CELL) - at.y
            half = sqrt(max(0.0, radius * radius - near * near))
            self._take(row, at.x - half, at.x + half)

    def take_line(self, points: BoardLine, radius: float) -> None:
        """Take the cells within ``radius`` of a line, to a cell: discs are stamped along it."""
        stamp = _stamp(radius)
        step = max(CELL, radius * 0.8)
        for one, other in pairwise((*points, points[-1])):
            count = max(1, ceil(dist(one, other) / step))
            for n in range(count):
                column = round((one.x + (other.x - one.x) * n / count) / CELL - 0.5)
                row = round((one.y + (other.y - one.y) * n / count) / CELL - 0.5)
                for below, left, cells in stamp:
                    if 0 <= row + below < self.lines:
                        self._rows[row + below] |= cells << column - left if column >= left else cells >> left - column

    def take_all(self, other: OccupancyGrid) -> None:
        """Take the cells that are taken in another grid of the same size."""
        self._rows = [one | more for one, more in zip(self._rows, other._rows, strict=True)]

    def take_rest(self, other: OccupancyGrid) -> None:
        """Take the cells that are free in another grid of the same size."""
        everything = (1 << self.columns) - 1
        self._rows = [one | everything & ~more for one, more in zip(self._rows, other._rows, strict=True)]

    def take_box(self, box: Rect) -> None:
        for row in range(max(0, floor(box.y / CELL)), min(self.lines, ceil(box.bottom / CELL))):
            self._take(row, box.x, box.right)

    def take_outside(self, rings: Iterable[BoardLine]) -> None:
        """Take each cell whose centre lies in none of the rings."""
        crossings: dict[int, list[float]] = {}
        for ring in rings:
            for one, other in pairwise((*ring, ring[0])):
                top, bottom = sorted((one.y, other.y))
                for row in range(max(0, ceil(top / CELL - 0.5)), min(self.lines, ceil(bottom / CELL - 0.5))):
                    y = (row + 0.5) * CELL
                    crossing = one.x + (other.x - one.x) * (y - one.y) / (other.y - one.y)
                    crossings.setdefault(row, []).append(crossing)
        everything = (1 << self.columns) - 1
        self._rows = [each if row in crossings else everything for row, each in enumerate(self._rows)]
        for row, xs in crossings.items():
            edges = [0.0, *sorted(xs), self.columns * CELL]
            for left, right in zip(edges[::2], edges[1::2], strict=True):
                self._take(row, left, right)

    def count_taken(self, box: Rect, limit: float = inf) -> int:
        """Count the taken cells of a box, until there are more than ``limit``; all are if it leaves the area."""
        left, top, right, bottom = (floor(box.x / CELL), floor(box.y / CELL),
                                    ceil(box.right / CELL), ceil(box.bottom / CELL))
        if left < 0 or top < 0 or right > self.columns or bottom > self.lines:
            return (right - left) * (bottom - top)
        mask, count = (1 << (right - left)) - 1, 0
        for row in self._rows[top:bottom]:
            count += (row >> left & mask).bit_count()
            if count > limit:
                break
        return count

    def _take(self, row: int, left: float, right: float) -> None:
        first, last = max(0, floor(left / CELL)), min(self.columns, ceil(right / CELL))
        if last > first:
            self._rows[row] |= (1 << last) - (1 << first)


@cache
def _stamp(radius: float) -> tuple[tuple[int, int, int], ...]:
    """Rows of a disc around a cell: how far below and to the left of the cell each begins, and its bits."""
    reach = ceil(radius / CELL)
    halves = {row: int(sqrt(max(0.0, (radius / CELL + 0.3) ** 2 - row * row))) for row in range(-reach, reach + 1)}
    return tuple((row, half, (1 << 2 * half + 1) - 1) for row, half in halves.items())


# Candidates of a label

CODE, NAME = 3.0, 3.4
"""Type sizes in mm of a space's code, like FR3, and of its cloister's name."""
LABEL_GAP = 0.9
"""Gap between the two, in mm."""
RISE, DROP = 0.72, 0.26
"""Ascent and descent of letters, in parts of the type size."""
SIZES = (1.0, 0.92, 0.85, 0.78, 0.72, 0.66)
"""Sizes of a land's name, the largest first, in parts of the wanted size."""
OFF = 4.2
"""Extra distance (mm) of a space's name beside its disc, which lets a seam run between them."""
ASIDE, ASIDE_COST = 2.0, 25.0
"""Extra distance (mm) of a space's name above or below its disc, at one side of it; what a millimetre of it costs."""
FARTHEST = 44
"""Largest move of a land's name from its wanted place along each axis, in mm."""

NAME_FIRST = 2.0
"""Cost of a name before its code, in mm of moving."""

MeasureWidth = Callable[[str, str, float], float]
"""Takes words, a style and a type size in mm; returns their width in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedWord:
    """A word: the start of its baseline, its width and its type size, in mm."""

    x: float
    y: float
    width: float
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLabel:
    """The words of a label, and the ``box`` that they fill (mm)."""

    words: tuple[PlacedWord, ...]
    box: Rect


@dataclass(frozen=True, slots=True)
class LabelCandidate:
    """A place for a label: its cost, in millimetres from the wanted place, its box, and a function that makes it.

    ``code`` is the box of the code of a space.
    """

    cost: float
    box: Rect
    label: Callable[[], MapLabel]
    code: Rect | None = None


def land_candidates(words: str, wanted: BoardPoint, letters: float, style: str, sign: float,
                    width: MeasureWidth) -> Iterator[LabelCandidate]:
    """Candidates for the name of a land: at and around its wanted place, as high as ``letters`` or smaller.

    The cheapest come first. ``sign`` is the room for a sign before the name, in parts of the type size.
    """
    sizes = [round(letters * share, 2) for share in SIZES]
    widths = [width(words, style, size) + SPACED * size * (len(words) - 1) for size in sizes]

    def label(box: Rect, step: int) -> MapLabel:
        size = sizes[step]
        word = PlacedWord(x=round(box.x + sign * size, 2), y=round(box.y + RISE * size, 2),
                          width=round(widths[step], 2), size=size)
        return MapLabel(words=(word,), box=box)

    for cost, right, down, step in _moves():
        long = widths[step] + sign * sizes[step]
        box = Rect(wanted.x + right - long / 2, wanted.y + down - RISE * sizes[step], long, (RISE + 0.1) * sizes[step])
        yield LabelCandidate(cost, box, partial(label, box, step))


@cache
def _moves() -> tuple[tuple[float, int, int, int], ...]:
    """Moves of a land's name, the cheapest first: the cost, mm to the right and down, and the index of its size."""
    distances = range(-FARTHEST, FARTHEST + 1, 4)
    return tuple(sorted((abs(down) * 0.6 + abs(right) * 0.4 + (1 - share) * 400, right, down, step)
                        for step, share in enumerate(SIZES) for down in distances for right in distances))


def space_candidates(board: Board, space: Space, share: float, width: MeasureWidth) -> Iterator[LabelCandidate]:
    """Candidates for the code and name of a space, in one line or two around its disc; the wanted side is the cheapest.

    In one line the name may also come first, which has the code beside a disc to its right. ``share`` is the type size
    in parts of the usual one.
    """
    sizes = round(CODE * share, 2), round(NAME * share, 2)
    code, name = width(space.id, "strong", sizes[0]), width(space.name, "italic", sizes[1])
    high, line = (RISE + DROP) * sizes[1], 0.95 * sizes[1]
    smaller = (1 - share) * 150
    for side, x, y, cost in _sides(board.space_radius + 0.9, code + LABEL_GAP + name, high):
        box = Rect(space.at.x + x, space.at.y + y, code + LABEL_GAP + name, high)
        for starts, order in (((0.0, code + LABEL_GAP), 0.0), ((name + LABEL_GAP, 0.0), NAME_FIRST)):
            yield LabelCandidate(cost + smaller + order + (0 if side == space.label else 4), box,
                                 partial(_space_label, box, sizes, starts, (code, name), 0.0),
                                 Rect(box.x + starts[0], box.y, code, high))
    for side, x, y, cost in _sides(board.space_radius + 0.9, max(code, name), high + line):
        box = Rect(space.at.x + x, space.at.y + y, max(code, name), high + line)
        indent = {"e": 0.0, "w": 1.0}.get(side, min(1.0, max(0.0, (-x - code / 2) / max(name - code, 0.1))))
        starts = indent * (box.width - code), indent * (box.width - name)
        yield LabelCandidate(cost + smaller + 10, box,
                             partial(_space_label, box, sizes, starts, (code, name), line),
                             Rect(box.x + starts[0], box.y, code, high))


def _sides(reach: float, long: float, high: float) -> Iterator[tuple[str, float, float, float]]:
    """Boxes around a disc: the side, the upper left corner seen from its centre, the cost of not standing straight."""
    for slide in (0.0, 0.14, -0.14, 0.28, -0.28, 0.4, -0.4, 0.55, -0.55, 0.7, -0.7, 0.8, -0.8, 0.9,
                  -0.9):
        for off in (0.0, ASIDE) if abs(slide) > 0.5 else (0.0,):  # a corner of the box at the disc, a road beside both
            yield "s", -long / 2 + slide * long, reach + 0.2 + off, abs(slide) * 8 + ASIDE_COST * off
            yield "n", -long / 2 + slide * long, -reach - high - 0.2 - off, abs(slide) * 8 + 2 + ASIDE_COST * off
    for rise in (0.0, 1.5, -1.5, 3.0, -3.0, 4.5, -4.5, 6.0, -6.0, 8.0, -8.0, 9.5, -9.5):
        away = max(0.0, reach * reach - max(0.0, abs(rise) - high / 2) ** 2) ** 0.5
        for off in (0.0, OFF) if not rise else (0.0,):
            yield "e", away + off, rise - high / 2, abs(rise) + 15 * off
            yield "w", -away - off - long, rise - high / 2, abs(rise) + 15 * off


def _space_label(box: Rect, sizes: tuple[float, float], starts: tuple[float, float], widths: tuple[float, float],
                 line: float) -> MapLabel:
    """Code and name in their box; ``starts`` are their distances from its left edge, the name is ``line`` lower."""
    base = box.y + RISE * sizes[1]
    parts = zip(sizes, starts, widths, (0.0, line), strict=True)
    return MapLabel(box=box, words=tuple(
        PlacedWord(x=round(box.x + start, 2), y=round(base + lower, 2), width=round(wide, 2), size=size)
        for size, start, wide, lower in parts))


# Placing

FAR_LETTERS = 4.4
"""Type size of the names of neighbours, in mm."""
SIGN = 1.3
"""Room for the sign before a country's name, in parts of the type size."""
AROUND = 4.4
"""Distance from its disc up to which a cell is near a space, in mm."""
HARD = 40.0
"""Cost of covering a cell that no name may cover, in mm of moving."""
CROWDED, HOPELESS = 40.0, 600.0
"""Cost of a space's best candidate above which smaller letters are tried, and cost above which all are equal."""
SHARES = (1.0, 0.9)
"""Type sizes of a space's label, in parts of the usual one."""
MISREAD, CLEARLY, SLIGHTLY = 120.0, 2.0, 0.3
"""Cost of a code or label that is not nearer to its own disc than to any other; by how much a code should be, and a
whole label, in mm."""
RIVAL = 90.0
"""Distance (mm) between two spaces up to which the label of one may come near the other."""
STRAY, BESIDE = 1.0, 3.0
"""Cost of a millimetre between a code and its disc beyond so many."""
NEAR_SPACE = 0.7
"""Cost of covering a cell near a space."""
FREE, APART = Insets.all(0.3), Insets(2.0, 1.6, 2.0, 1.6)
"""Margin around a name, and between the names of two spaces, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Labels of countries, neighbours and spaces, by their ids."""

    countries: Mapping[str, MapLabel]
    neighbours: Mapping[str, MapLabel]
    spaces: Mapping[str, MapLabel]

    @property
    def boxes(self) -> Mapping[str, Rect]:
        """The box of each label."""
        groups = (self.countries, self.neighbours, self.spaces)
        return {name: label.box for group in groups for name, label in group.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Obstacles:
    """Ground that a name should keep clear of: ``hard`` always, ``soft`` if it can, ``rivers`` unless it costs much.

    ``away`` is not its country.

    On ``near_spaces`` a name would be read as that of the space; ``own`` is the ground near the named space itself.
    """

    hard: OccupancyGrid
    soft: OccupancyGrid
    rivers: OccupancyGrid
    away: OccupancyGrid
    near_spaces: OccupancyGrid
    own: OccupancyGrid | None = None

    def cost(self, box: Rect, limit: float) -> float:
        """Compute the cost of covering a box, or any number above ``limit``."""
        cost = HARD * self.hard.count_taken(box.grown(FREE), limit / HARD)
        for ground, weight in ((self.soft, 4.0), (self.away, 2.0), (self.rivers, 2.0), (self.near_spaces, NEAR_SPACE)):
            if cost < limit:
                cost += weight * ground.count_taken(box)
        if self.own and cost < limit:
            cost -= NEAR_SPACE * self.own.count_taken(box)
        return cost


def place_labels(board: Board, borders: Borders, names: Mapping[str, str], width: MeasureWidth,
                 hard: OccupancyGrid, soft: OccupancyGrid, rivers: OccupancyGrid, ranges: OccupancyGrid) -> Labels:
    """Place the names of countries, spaces and neighbours; ``names`` are those of lands by their ids.

    They avoid ``hard`` ground, take what they cover as hard, and avoid ``soft`` ground and ``rivers`` if they can;
    names of countries also keep off ``ranges`` of mountains.
    """
    ranges.take_all(soft)
    near_spaces = OccupancyGrid(board.width, board.height)
    for space in board.spaces:
        near_spaces.take_disc(space.at, board.space_radius + AROUND)
    obstacles = {land: _Obstacles(hard=hard, soft=soft, rivers=rivers, near_spaces=near_spaces,
                                  away=_outside(board, borders, land))
                 for land in borders.lands}
    countries: dict[str, MapLabel] = {}
    for country in board.countries:
        candidates = land_candidates(names[country.id].upper(), country.name, country.letters, "title",
                                     SIGN, width)
        countries[country.id] = _cheapest(candidates, replace(obstacles[country.id], soft=ranges))
        hard.take_box(countries[country.id].box)
    spaces = _separate({space.id: _costed_candidates(board, space, obstacles[space.country], width)
                        for space in board.spaces})
    for label in spaces.values():
        hard.take_box(label.box)
    neighbours: dict[str, MapLabel] = {}
    for land in board.neighbours:
        candidates = land_candidates(names[land.id], land.name, FAR_LETTERS, "italic", 0.0, width)
        neighbours[land.id] = _cheapest(candidates, obstacles[land.id])
        hard.take_box(neighbours[land.id].box)
    return Labels(countries=countries, neighbours=neighbours, spaces=spaces)


def _cheapest(candidates: Iterable[LabelCandidate], obstacles: _Obstacles) -> MapLabel:
    """The label with the lowest cost in all, of candidates in the order of their own cost."""
    lowest, best = inf, None
    for candidate in candidates:
        if candidate.cost >= lowest:
            break
        if (total := candidate.cost + obstacles.cost(candidate.box, lowest - candidate.cost)) < lowest:
            lowest, best = total, candidate
    assert best is not None
    return best.label()


def _costed_candidates(board: Board, space: Space, obstacles: _Obstacles, width: MeasureWidth) -> list[LabelCandidate]:
    """The candidates of a space's label with their whole costs, the cheapest first; smaller letters where crowded."""
    candidates: list[LabelCandidate] = []
    own = OccupancyGrid(board.width, board.height)
    own.take_disc(space.at, board.space_radius + AROUND)
    obstacles = replace(obstacles, own=own)
    rivals = [other.at for other in board.spaces if 0 < dist(space.at, other.at) < RIVAL]
    covering: dict[Rect, float] = {}  # both orders of a line cover the same box

    def with_whole_cost(candidate: LabelCandidate) -> LabelCandidate:
        if candidate.box not in covering:
            covering[candidate.box] = obstacles.cost(candidate.box, HOPELESS)
        cost = candidate.cost + covering[candidate.box]
        if candidate.code and cost < HOPELESS:
            cost += _misreading_cost(candidate.code, candidate.box, space.at, rivals, board.space_radius)
        return replace(candidate, cost=cost)

    for share in SHARES:
        if not candidates or candidates[0].cost > CROWDED:
            candidates += map(with_whole_cost, space_candidates(board, space, share, width))
            candidates.sort(key=lambda candidate: candidate.cost)
    return candidates


def _misreading_cost(code: Rect, box: Rect, at: BoardPoint, rivals: Sequence[BoardPoint], radius: float) -> float:
    """Cost of a code that stands far from its disc, or as near to a rival's; and of a label that does as a whole."""
    own, whole = _gap(code, at), _gap(box, at)
    doubt = max((max(own + CLEARLY - _gap(code, rival), whole + SLIGHTLY - _gap(box, rival)) for rival in rivals),
                default=0.0)
    return STRAY * max(0.0, own - radius - BESIDE) + MISREAD * min(1.0, max(0.0, doubt) / CLEARLY)


def _gap(box: Rect, point: BoardPoint) -> float:
    return hypot(max(box.x - point.x, 0.0, point.x - box.right), max(box.y - point.y, 0.0, point.y - box.bottom))


def _separate(candidates: Mapping[str, Sequence[LabelCandidate]]) -> dict[str, MapLabel]:
    """Choose for each name the cheapest candidate that stands apart from the other names, as far as there is one.

    A name displaces one other if that one's best alternative costs less than the name saves.
    """
    chosen: dict[str, LabelCandidate] = {}

    def rivals_of(name: str, candidate: LabelCandidate, placed: Mapping[str, LabelCandidate]) -> list[str]:
        return [other for other, rival in placed.items()
                if other != name and candidate.box.overlaps(rival.box.grown(APART))]

    for _ in range(3):  # a name may be displaced by names that are placed after it
        for name in candidates:
            lowest, best = inf, {**chosen, name: candidates[name][0]}
            for candidate in candidates[name]:
                if candidate.cost >= lowest:
                    break
                trial, total = {**chosen, name: candidate}, candidate.cost
                rivals = rivals_of(name, candidate, chosen)
                if len(rivals) == 1:
                    (rival,) = rivals
                    alternative = next((each for each in candidates[rival] if not rivals_of(rival, each, trial)), None)
                    if alternative is None:
                        continue
                    trial[rival], total = alternative, total + alternative.cost - chosen[rival].cost
                elif rivals:
                    continue
                if total < lowest:
                    lowest, best = total, trial
            chosen = best
    return {name: chosen[name].label() for name in candidates}


def _outside(board: Board, borders: Borders, land: str) -> OccupancyGrid:
    ground = OccupancyGrid(board.width, board.height)
    ground.take_outside([borders.ring(land)])
    return ground
