"""Path data of the map: lands with their coasts and borders, roads, rivers, strokes of the sea."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from math import ceil, dist, hypot, sin

from ppgen.games.board_game.board import Board, BoardLine, BoardPoint, Borders, Frame, arc_index
from ppgen.games.board_game.components import IsCorner, curve, curve_onward, extend, format_point, frame_sides, loop
from tools.board_map.scenery import Scenery

FINE = 0.12
"""Default tolerance of a simplified line, in mm: the width of a hairline."""


def closed_curve(lines: Sequence[BoardLine], is_corner: IsCorner | None = None) -> str:
    """Path data of a ring of lines, each of which begins at the end of the one before."""
    return f"M{format_point(lines[0][0])}{''.join(curve_onward(line, is_corner) for line in lines)}Z"


def arch(start: BoardPoint, by: BoardPoint, end: BoardPoint) -> str:
    """Path data of a quadratic curve."""
    return f"M{format_point(start)}Q{format_point(by)} {format_point(end)}"


SPRING, MOUTH, WIDENING = 0.24, 1.5, 0.006
"""Width of a river below its spring and at most at its mouth, in mm, and how much wider it gets with each of them."""


def river_shape(course: BoardLine) -> str:
    """Path data of a river that gets wider from its spring to its mouth."""
    long = sum(dist(*ends) for ends in pairwise(course))
    mouth = min(MOUTH, 2 * SPRING + WIDENING * long)
    left, right, run = [], [], 0.0
    for n, at in enumerate(course):
        before, after = course[max(n - 1, 0)], course[min(n + 1, len(course) - 1)]
        run += dist(before, at)
        wide = SPRING + (mouth - SPRING) * (run / (long or 1)) ** 0.8 if n else 0.0  # it springs from a point
        half = wide / 2 / (dist(before, after) or 1)
        across, down = (before.y - after.y) * half, (after.x - before.x) * half
        left.append(BoardPoint(at.x + across, at.y + down))
        right.append(BoardPoint(at.x - across, at.y - down))
    back = curve_onward(right[::-1], None, 2)
    return f"M{format_point(left[0], 2)}{curve_onward(left, None, 2)}L{format_point(right[-1], 2)}{back}Z"


def simplify(line: BoardLine, tolerance: float = FINE) -> BoardLine:
    """Drop points of a line as long as it stays within ``tolerance`` mm of all of them."""
    return tuple(line[n] for n in simplified_indexes(line, tolerance))


def simplified_indexes(line: BoardLine, tolerance: float) -> list[int]:
    """Indexes of the points that a simplified line keeps (Douglas and Peucker).

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
    return sorted(indexes)


def distance_to_segment(point: BoardPoint, start: BoardPoint, end: BoardPoint) -> float:
    """Compute the distance from a point to the straight piece between two others, which may be the same."""
    across, down = end.x - start.x, end.y - start.y
    square = across * across + down * down
    share = ((point.x - start.x) * across + (point.y - start.y) * down) / square if square else 0.0
    share = max(0.0, min(1.0, share))
    return hypot(point.x - start.x - share * across, point.y - start.y - share * down)


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


def _between(one: BoardPoint, other: BoardPoint, share: float) -> BoardPoint:
    return BoardPoint(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)


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
        return closed_curve([tuple(extend(point, board.frame, BEYOND) for point in line) for line in lines],
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
        if run and set(frame_sides(run[-1], frame)) & set(frame_sides(point, frame)):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(point)
    if len(run) > 1:
        yield tuple(run)


def _inside(point: BoardPoint, frame: Frame) -> bool:
    return frame.left < point.x < frame.right and frame.top < point.y < frame.bottom


# The whole map

CHART_COARSE, PAGE_COARSE = 0.6, 1.25
"""Tolerances (mm) of outlines on cards, where they are drawn at a tenth of their size, and on the scorer page."""
Json = dict[str, object]


def draw_common(board: Board, borders: Borders, scenery: Scenery) -> Json:
    """Draw what looks the same in all languages."""
    on_page = land_paths(board, simplify_borders(borders, PAGE_COARSE))
    rings = [*map(borders.ring, borders.lands), *borders.isles]
    return {
        "lands": asdict(land_paths(board, borders)),
        "roads": "".join(arch(*board.road_curve(road)) for road in board.roads),
        "ribbons": [curve(round_line(alliance.ribbon)) for alliance in board.alliances],
        "rivers": "".join(map(river_shape, scenery.rivers)), "strokes": strokes(rings, board.frame),
        "scenery": {"title": asdict(scenery.title), "key": asdict(scenery.key), "drawings": [
            {**asdict(drawing), "at": drawing.at._asdict()} for drawing in scenery.drawings],
                    "seas": [{**asdict(sea), "at": sea.at._asdict()} for sea in scenery.seas]},
        "coarse": {"arcs": [simplified_indexes(arc, CHART_COARSE) for arc in borders.arcs],
                   "isles": [simplified_indexes((*isle, isle[0]), CHART_COARSE)[:-1] for isle in borders.isles]},
        "page": {"lands": {land: _round_path(path) for land, path in on_page.shapes.items()},
                 "isles": _round_path(on_page.isles),
                 "ribbons": [_round_path(curve(round_line(simplify(alliance.ribbon, PAGE_COARSE), 1)))
                             for alliance in board.alliances]}}


def _round_path(path: str) -> str:
    """Round to whole millimetres: a phone shows none of them larger than a pixel."""
    return re.sub(r"\d+\.\d", lambda number: f"{float(number[0]):.0f}", path)
