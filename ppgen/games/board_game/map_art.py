"""Path data of the map: smooth curves, lands with their coasts and borders, strokes of the sea; and the scenery."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, dist, sin
from pathlib import Path

from ppgen.engine.geometry import Rect, Size
from ppgen.errors import Problems
from ppgen.games.board_game.board import (
    Board,
    BoardLine,
    BoardPoint,
    Borders,
    Frame,
    arc_index,
    distance_to_segment,
)
from ppgen.games.board_game.board_loading import MAX_BOARD_SIDE, is_point
from ppgen.reading.fields import Fields, close_all, read_toml, take_numbers

# Smooth curves, in as few characters as print well

FINE = 0.12
"""Default tolerance of a simplified line, in mm: the width of a hairline."""
IsCorner = Callable[[BoardPoint], bool]


def curve(line: BoardLine, is_corner: IsCorner | None = None) -> str:
    """Path data of a smooth line through the ends and near the points between, with sharp bends at corners only.

    A line has the same curve in both directions.
    """
    return f"M{_pair(line[0])}{_onward(line, is_corner)}"


def closed_curve(lines: Sequence[BoardLine], is_corner: IsCorner | None = None) -> str:
    """Path data of a ring of lines, each of which begins at the end of the one before."""
    return f"M{_pair(lines[0][0])}{''.join(_onward(line, is_corner) for line in lines)}Z"


def loop(ring: BoardLine) -> str:
    """Path data of a smooth ring, whose first point is not repeated at its end."""
    turned = (*ring, *ring[:2])
    starts = [_middle(one, other) for one, other in pairwise(turned)]
    onward = "".join(f"Q{_pair(by)} {_pair(to)}" for by, to in zip(turned[1:], starts[1:], strict=False))
    return f"M{_pair(starts[0])}{onward}Z"


def arch(start: BoardPoint, by: BoardPoint, end: BoardPoint) -> str:
    """Path data of a quadratic curve."""
    return f"M{_pair(start)}Q{_pair(by)} {_pair(end)}"


SPRING, MOUTH, WIDENING = 0.24, 1.5, 0.006
"""Width of a river at its spring and at most at its mouth, in mm, and how much wider it gets with each of them."""


def river_shape(course: BoardLine) -> str:
    """Path data of a river that gets wider from its spring to its mouth."""
    long = sum(dist(*ends) for ends in pairwise(course))
    mouth = min(MOUTH, 2 * SPRING + WIDENING * long)
    left, right, run = [], [], 0.0
    for n, at in enumerate(course):
        before, after = course[max(n - 1, 0)], course[min(n + 1, len(course) - 1)]
        run += dist(before, at)
        half = (SPRING + (mouth - SPRING) * (run / (long or 1)) ** 0.8) / 2 / (dist(before, after) or 1)
        across, down = (before.y - after.y) * half, (after.x - before.x) * half
        left.append(BoardPoint(at.x + across, at.y + down))
        right.append(BoardPoint(at.x - across, at.y - down))
    back = _onward(right[::-1], None, 2)
    return f"M{_pair(left[0], 2)}{_onward(left, None, 2)}L{_pair(right[-1], 2)}{back}Z"


def simplify(line: BoardLine, tolerance: float = FINE) -> BoardLine:
    """Drop points of a line as long as it stays within ``tolerance`` mm of all of them (Douglas and Peucker).

    The point farthest from the straight piece between the ends stays if it is too far off, and splits the line.
    """
    indexes = [0, len(line) - 1]
    todo = [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        gap, farthest = max(((distance_to_segment(line[n], line[first], line[last]), n)
                             for n in range(first + 1, last)), default=(0.0, 0))
        if gap > tolerance:
            indexes.append(farthest)
            todo += ((first, farthest), (farthest, last))
    return tuple(line[n] for n in sorted(indexes))


def simplify_borders(borders: Borders, tolerance: float) -> Borders:
    """Simplify all outlines; lands on both sides of an arc still share its points."""
    return replace(borders, arcs=tuple(simplify(arc, tolerance) for arc in borders.arcs),
                   isles=tuple(_simplify_ring(isle, tolerance) for isle in borders.isles))


def _simplify_ring(ring: BoardLine, tolerance: float) -> BoardLine:
    return simplify((*ring, ring[0]), tolerance)[:-1]


def round_line(line: BoardLine, times: int = 3) -> BoardLine:
    """Cut the corners of a line ``times`` over (Chaikin); its ends stay."""
    for _ in range(times):
        pairs = [*pairwise(line)]
        cut = [_between(*pair, share) for pair in pairs for share in (0.25, 0.75)]
        line = (line[0], *cut[1:-1], line[-1])
    return line


def _onward(line: Sequence[BoardPoint], is_corner: IsCorner | None, digits: int = 1) -> str:
    """Path data from the first point of a line on: quadratic curves from middle to middle of its straight pieces."""
    parts = []
    for at, after in pairwise(line[1:]):
        if is_corner and is_corner(at):
            parts.append(f"L{_pair(at, digits)}")
        else:
            to = after if after is line[-1] or (is_corner and is_corner(after)) else _middle(at, after)
            parts.append(f"Q{_pair(at, digits)} {_pair(to, digits)}")
    parts.append(f"L{_pair(line[-1], digits)}" if len(line) == 2 or (is_corner and is_corner(line[-2])) else "")
    return "".join(parts)


def _between(one: BoardPoint, other: BoardPoint, share: float) -> BoardPoint:
    return BoardPoint(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)


def _middle(one: BoardPoint, other: BoardPoint) -> BoardPoint:
    return _between(one, other, 0.5)


def _pair(point: BoardPoint, digits: int = 1) -> str:
    return " ".join(f"{round(number, digits) + 0:g}" for number in point)  # without -0


# Strokes: short level lines from the coasts into the sea, as in engravings

PITCH = 0.85
"""Distance between the strokes, in mm."""
SHORT, LONG = 0.9, 2.6
"""Shortest and longest stroke, in mm."""


def strokes(rings: Iterable[BoardLine], frame: Frame) -> str:
    """Path data of all strokes within the frame; ``rings`` are the outlines of lands and isles.

    At the height of each row the crossings of the outlines, from left to right, lie in turn on west and east shores of
    pieces of land, so the sea lies between every second pair.
    """
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for one, other in pairwise((*ring, ring[0])):
            top, bottom = sorted((one.y, other.y))
            for row in range(ceil(top / PITCH), ceil(bottom / PITCH)):
                x = one.x + (other.x - one.x) * (row * PITCH - one.y) / (other.y - one.y)
                crossings.setdefault(row, []).append(x)
    return "".join(_row_strokes(row, sorted(xs), frame) for row, xs in sorted(crossings.items())
                   if frame.top < row * PITCH < frame.bottom)


def _row_strokes(row: int, crossings: list[float], frame: Frame) -> str:
    """The strokes at one height: from both shores of each piece of sea, unless they would meet."""
    shores = [frame.left, *crossings, frame.right]
    y = f"{row * PITCH:.2f}"
    return "".join(f"M{x:.1f} {y}h{length:.1f}" for west, east in zip(shores[::2], shores[1::2], strict=True)
                   for x, length in _from_shores(row, west, east, frame) if east - west > 2 * LONG)


def _from_shores(row: int, west: float, east: float, frame: Frame) -> Iterator[tuple[float, float]]:
    for shore, direction in ((west, 1), (east, -1)):
        if frame.left < shore < frame.right:
            yield shore, direction * (SHORT + (LONG - SHORT) * _swell(row, shore))


def _swell(row: int, x: float) -> float:
    """Length of a stroke, from 0 to 1: an unsteady hand, the same on every machine."""
    return 0.5 + 0.3 * sin(row * 2.4 + x / 3) + 0.2 * sin(row * 0.37 + x / 11)


# Lands

COARSE = 0.8
"""Tolerance (mm) of the coast that is drawn at a distance from the land."""
BEYOND = 3.0
"""Bleed of the lands beneath the frame of the map, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lands:
    """Path data: a closed path for each land by its id, the isles, and the lines between lands and sea.

    ``coarse`` is the coast with fewer points; ``inner`` are the borders between two countries, ``outer`` those of a
    country with a neighbour, ``far`` those between neighbours.
    """

    shapes: Mapping[str, str]
    isles: str
    coast: str
    coarse: str
    inner: str
    outer: str
    far: str


def land_paths(board: Board, borders: Borders) -> Lands:
    """Draw all lands of the board; a line between two of them is the same on both sides."""
    played = {country.id for country in board.countries}
    sides = defaultdict(set)
    for land, ring in borders.lands.items():
        for number in ring:
            sides[arc_index(number)].add(land)
    arcs = [simplify(arc) for arc in borders.arcs]

    def shape(land: str) -> str:
        lines = [arcs[number] if number >= 0 else arcs[~number][::-1] for number in borders.lands[land]]
        return closed_curve([tuple(extend(point, board.frame) for point in line) for line in lines],
                            lambda point: not _inside(point, board.frame))

    def between(countries: int) -> str:
        return "".join(curve(arcs[number]) for number, lands in sorted(sides.items())
                       if len(lands) == 2 and len(lands & played) == countries)

    shores = [run for number, lands in sorted(sides.items()) if len(lands) == 1
              for run in _shores(arcs[number], board.frame)]
    isles = [simplify(isle) for isle in borders.isles]
    return Lands(shapes={land: shape(land) for land in borders.lands}, isles="".join(map(loop, isles)),
                 coast="".join(map(curve, shores)),
                 coarse="".join([*(curve(simplify(run, COARSE)) for run in shores),
                                 *(loop(_simplify_ring(isle, COARSE)) for isle in isles)]),
                 inner=between(2), outer=between(1), far=between(0))


def _shores(arc: BoardLine, frame: Frame) -> Iterator[BoardLine]:
    """The runs of an arc that do not follow the frame."""
    run: list[BoardPoint] = []
    for point in arc:
        if run and set(_sides(run[-1], frame)) & set(_sides(point, frame)):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(point)
    if len(run) > 1:
        yield tuple(run)


def _sides(point: BoardPoint, frame: Frame) -> str:
    """The sides of the frame on which a point lies."""
    lies = (point.x <= frame.left, point.y <= frame.top, point.x >= frame.right, point.y >= frame.bottom)
    return "".join(side for side, on in zip("ltrb", lies, strict=True) if on)


def _inside(point: BoardPoint, frame: Frame) -> bool:
    return frame.left < point.x < frame.right and frame.top < point.y < frame.bottom


def extend(point: BoardPoint, frame: Frame, beyond: float = BEYOND) -> BoardPoint:
    """Move a point on the frame outwards."""
    sides = _sides(point, frame)
    right, down = (("r" in sides) - ("l" in sides), ("b" in sides) - ("t" in sides))
    return BoardPoint(point.x + beyond * right, point.y + beyond * down)


# Scenery

SCENERY_FILE = "scenery.toml"
KINDS = ("rose", "cog", "galley", "serpent", "whale", "castile", "hungary", "saxony")
"""Drawings of ``art/sea.svg.j2``, and the neighbours' seats of ``art/seats.svg.j2``."""
MAX_ITEMS, MAX_LINE_POINTS = 60, 200
"""Most items of each sort, and points of a line."""
MIN_SCROLL_SIZE = {"title": Size(90, 20), "key": Size(36, 50)}
"""The smallest legible scrolls, in mm."""
MAX_SCENERY_LINE_MM = 2000.0
"""Longest line, in mm: places for mountains are tried all along it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneryDrawing:
    """A drawing with its centre and size in mm; it looks to the right, or to the ``left``."""

    kind: str
    at: BoardPoint
    size: float
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sea:
    """The name of a sea: the centre of its line, its type size in mm, its rotation in degrees."""

    name: str
    at: BoardPoint
    size: float
    turn: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """A line along which mountains stand, and their largest distance from it, in mm."""

    line: BoardLine
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenery:
    """Drawings on the map that are not played on; ``title`` and ``key`` are the boxes of the two scrolls."""

    title: Rect
    key: Rect
    rivers: tuple[BoardLine, ...]
    ranges: tuple[Range, ...]
    drawings: tuple[SceneryDrawing, ...]
    seas: tuple[Sea, ...]


def read_scenery(folder: Path, problems: Problems) -> Scenery:
    """Load the scenery as far as the file is right. Problems are added to ``problems``."""
    file = read_toml(folder, SCENERY_FILE, problems)
    title, key = (_take_scroll(file, name, minimum) for name, minimum in MIN_SCROLL_SIZE.items())
    rivers, ranges, drawings, seas = (_take_rows(file, name) for name in ("rivers", "mountains", "drawings", "seas"))
    scenery = Scenery(
        title=title, key=key, rivers=tuple(_take_line(row, "course") for row in rivers),
        ranges=tuple(Range(line=_take_line(row, "line"), spread=row.take_number("spread", 0, 30)) for row in ranges),
        drawings=tuple(SceneryDrawing(kind=row.take_choice("kind", KINDS), at=_take_point(row),
                                      size=row.take_number("size", 1, 200), left=row.take_flag("left", False))
                       for row in drawings),
        seas=tuple(Sea(name=row.take_text("name"), at=_take_point(row), size=row.take_number("size", 2, 20),
                       turn=row.take_number("turn", -180, 180, 0)) for row in seas))
    close_all(file, *rivers, *ranges, *drawings, *seas)
    return scenery


def _take_scroll(file: Fields, key: str, minimum: Size) -> Rect:
    noted = len(file.problems)
    scroll = Rect(*take_numbers(file, key, 4, 0, MAX_BOARD_SIDE))
    if len(file.problems) == noted and (scroll.width < minimum.width or scroll.height < minimum.height):
        file.note(key, f"is {scroll.width:g} × {scroll.height:g} mm",
                  f"at least {minimum.width:g} × {minimum.height:g} mm")
    return scroll


def _take_rows(file: Fields, key: str) -> list[Fields]:
    rows = file.take_tables(key)
    if len(rows) > MAX_ITEMS:
        file.note(key, f"has more than {MAX_ITEMS} entries", "draw less")
    return rows[:MAX_ITEMS]


def _take_point(row: Fields) -> BoardPoint:
    return BoardPoint(*take_numbers(row, "at", 2, 0, MAX_BOARD_SIDE))


def _take_line(row: Fields, key: str) -> BoardLine:
    value = row.raw(key)
    points = tuple(BoardPoint(*map(float, pair)) for pair in value if is_point(pair)) if isinstance(value, list) else ()
    if not isinstance(value, list) or len(points) != len(value) or not 2 <= len(points) <= MAX_LINE_POINTS:
        row.note(key, "is missing" if value is None else "is not a line of points",
                 f"write [[x, y], [x, y], …], up to {MAX_LINE_POINTS}")
    elif (length := sum(dist(*ends) for ends in pairwise(points))) > MAX_SCENERY_LINE_MM:
        row.note(key, f"is {length:,.0f} mm long", f"at most {MAX_SCENERY_LINE_MM:,.0f} mm")
    else:
        return points
    return BoardPoint(0, 0), BoardPoint(0, 0)
