"""The drawing of the map: names, and mountains, trees and small marks on the ground that is left free."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import cos, dist, floor, pi, radians, sin
from random import Random

from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Insets, Rect
from ppgen.games.board_game.board import Board, BoardLine, BoardPoint, Borders, Frame
from ppgen.games.board_game.components import SEA_SPACING, Stand, curve
from tools.board_map.labels import Labels, OccupancyGrid, place_labels
from tools.board_map.scenery import Range, Scenery, Sea
from tools.board_map.shapes import (arch, land_paths, river_shape, round_line, simplified_indexes, simplify,
                                    simplify_borders, strokes)

# Mountains, woods and small marks
#
# Mountains and trees take the ground that they cover. Random numbers have fixed seeds: every machine draws one map.

PEAKS, HILLS = (("alp-a", "alp-b", "alp-c"), 8.0, 7.6), (("hill-a", "hill-b", "hill-c"), 8.0, 5.6)
"""Mountains of high ranges and of others: their names, width and height in mm at size 1. Their foot is the middle of
the lower edge."""
TREES = ("tree-a", "tree-b", "tree-c"), 4.2, 4.3
"""Trees, in the same way."""
HIGH = 8.0
"""Spread (mm) from which on a range is high: it has two rows of peaks."""
WIDEST, LEAST = 1.45, 0.55
"""Width of the largest mountain of a range in parts of its spread, and that of the ones at its ends in parts of it;
also the least size, whose lines are as fine as can be printed."""
WOOD_SIDE, MIN_TREES, MAX_TREES = 21, 10, 18
"""Side of the squares with at most one wood, in mm; a wood of fewer trees is not drawn."""


def place_mountains(free: OccupancyGrid, ranges: Iterable[Range]) -> Iterator[Stand]:
    """Chain mountains along the ranges, the largest in the middle; those of a range overlap each other."""
    random = Random(1147)
    for each in ranges:
        kinds, width, height = PEAKS if each.spread >= HIGH else HILLS
        points = [*_along(each.line, 1.0)]
        chain: list[Stand] = []
        for row in (-1, 1) if each.spread >= HIGH else (0,):
            last = None
            for n, point in enumerate(points):
                before, after = points[max(n - 2, 0)], points[min(n + 2, len(points) - 1)]
                along = dist(before, after) or 1.0
                swell = LEAST + (1 - LEAST) * sin(pi * (n + 0.5) / len(points))
                size = max(LEAST, WIDEST * each.spread / width * swell * (0.86 + 0.28 * random.random()))
                x = point.x - row * 0.36 * each.spread * (after.y - before.y) / along
                y = point.y + row * 0.36 * each.spread * (after.x - before.x) / along + 0.35 * height * size
                if last and abs(x - last.x) / (0.5 * width * size) + abs(y - last.y) / (0.8 * height * size) < 1:
                    continue
                for smaller in (size, 0.8 * size, 0.64 * size):
                    stand = Stand(kinds[floor(random.random() * len(kinds))], round(x, 1), round(y, 1),
                                  round(max(smaller, LEAST), 2))
                    if not any(free.count_taken(box) for box in peak_boxes(stand, width, height)):
                        chain.append(stand)
                        last = stand
                        break
        for stand in chain:
            for box in peak_boxes(stand, width, height):
                free.take_box(box)
        yield from chain


def peak_boxes(stand: Stand, width: float, height: float) -> tuple[Rect, Rect]:
    """The foot of a mountain, and its top, which is half as wide."""
    wide, high = width * stand.size, height * stand.size
    return (Rect(stand.x - wide / 2, stand.y - 0.5 * high, wide, 0.5 * high),
            Rect(stand.x - wide / 4, stand.y - high, wide / 2, 0.5 * high))


def place_trees(free: OccupancyGrid, frame: Frame) -> Iterator[Stand]:
    """Let at most one wood grow in each square of the frame, from a random place that is free."""
    random = Random(1158)
    for row in range(floor((frame.bottom - frame.top) / WOOD_SIDE)):
        for column in range(floor((frame.right - frame.left) / WOOD_SIDE)):
            for _ in range(4):
                wood = _grow(free, random, BoardPoint(frame.left + (column + random.random()) * WOOD_SIDE,
                                                      frame.top + (row + random.random()) * WOOD_SIDE))
                if len(wood) >= MIN_TREES:
                    for tree in wood:
                        free.take_box(_tree_box(tree).grown(Insets.all(3)))
                    yield from wood
                    break


def _grow(free: OccupancyGrid, random: Random, seed: BoardPoint) -> list[Stand]:
    """A wood around a point: each tree stands before or behind another one, and overlaps it."""
    names, *_ = TREES
    wood: list[Stand] = []
    most = MIN_TREES + floor(random.random() * (MAX_TREES - MIN_TREES + 1))
    for _ in range(5 * most):
        by = wood[floor(random.random() * len(wood))] if wood else Stand("", seed.x, seed.y, 1)
        turn, away = 2 * pi * random.random(), 1.9 + 0.8 * random.random()
        tree = Stand(names[floor(random.random() * len(names))], round(by.x + away * cos(turn), 1),
                     round(by.y + 0.62 * away * sin(turn), 1), round(0.78 + 0.24 * random.random(), 2))
        if free.count_taken(_tree_box(tree)):
            if not wood:
                break
        elif all(abs(tree.x - other.x) + 1.3 * abs(tree.y - other.y) > 1.5 for other in wood):
            wood.append(tree)
            if len(wood) == most:
                break
    return wood


def _tree_box(tree: Stand) -> Rect:
    _, width, height = TREES
    return Rect(tree.x - width * tree.size / 2, tree.y - height * tree.size, width * tree.size, height * tree.size)


def strew_points(free: OccupancyGrid, frame: Frame, width: float, height: float, apart: float,
                 share: float) -> list[BoardPoint]:
    """Strew small marks of a size over free ground, about ``apart`` mm from each other; keep a ``share`` of them."""
    random = Random(1169)
    points = []
    for row in range(floor((frame.bottom - frame.top) / apart)):
        for column in range(floor((frame.right - frame.left) / apart)):
            x = round(frame.left + (column + 0.1 + 0.8 * random.random()) * apart, 1)
            y = round(frame.top + (row + 0.1 + 0.8 * random.random()) * apart, 1)
            if random.random() < share and not free.count_taken(Rect(x - width / 2, y - height, width, height)):
                points.append(BoardPoint(x, y))
    return points


def _along(line: BoardLine, step: float) -> Iterator[BoardPoint]:
    """Points of a line, a ``step`` apart along it."""
    rest = step / 2
    for one, other in pairwise(line):
        length = dist(one, other)
        while rest < length:
            share = rest / length
            yield BoardPoint(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)
            rest += step
        rest -= length


# The whole map

OFF_SHORE = 12.0
"""Distance of waves from a coast, beyond the lines that follow it, in mm."""
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


@dataclass(frozen=True, kw_only=True)
class Drawing:
    """What the names of a language stand on, and what stands beside them."""

    labels: Labels
    stands: list[Stand]
    grass: list[BoardPoint]
    waves: list[BoardPoint]


def draw_named(board: Board, borders: Borders, scenery: Scenery, names: Mapping[str, str], fonts: FontBook) -> Drawing:
    """Place the names of lands (by their ids) and spaces, then mountains, trees and marks on the ground left free."""
    ground, lines = OccupancyGrid(board.width, board.height), _visible_lines(board, borders)
    _take_what_is_played_on(ground, board)
    for scroll in (scenery.title, scenery.key):
        ground.take_box(scroll)
    for drawing in scenery.drawings:
        ground.take_disc(drawing.at, drawing.size / 2)
    for sea in scenery.seas:
        ground.take_line(_baseline(sea, fonts), sea.size / 2)
    peaks = OccupancyGrid(board.width, board.height)  # roads cut across mountains
    peaks.take_all(ground)
    for road in board.roads:
        ground.take_line(board.road_line(road, 12), 1.7)
    rivers = OccupancyGrid(board.width, board.height)
    for river in scenery.rivers:
        rivers.take_line(river, 0.7)
    ranges = OccupancyGrid(board.width, board.height)
    for each in scenery.ranges:
        if each.spread >= HIGH:
            ranges.take_line(each.line, 0.6 * each.spread)
    labels = place_labels(board, borders, names, fonts.width, ground, lines, rivers, ranges)
    waters, sea_ground = OccupancyGrid(board.width, board.height), OccupancyGrid(board.width, board.height)
    waters.take_outside([*map(borders.ring, borders.lands), *borders.isles])
    sea_ground.take_all(ground)
    sea_ground.take_rest(waters)
    for line in (*borders.arcs, *((*isle, isle[0]) for isle in borders.isles)):
        sea_ground.take_line(line, OFF_SHORE)
    ground.take_all(waters)
    peaks.take_all(waters)
    for box in labels.boxes.values():
        peaks.take_box(box)
    mountains = [*place_mountains(peaks, scenery.ranges)]
    for taken in (peaks, lines, rivers):
        ground.take_all(taken)
    return Drawing(labels=labels, stands=[*mountains, *place_trees(ground, board.frame)],
                   grass=strew_points(ground, board.frame, 3, 2, 6.5, 0.4),
                   waves=strew_points(sea_ground, board.frame, 7, 2, 9, 0.45))


def _baseline(sea: Sea, fonts: FontBook) -> BoardLine:
    """The line through the middle of the letters of a sea's name."""
    half = fonts.width(sea.name, "italic", sea.size, SEA_SPACING * sea.size) / 2
    turn, raised = radians(sea.turn), 0.3 * sea.size
    x, y = sea.at.x + raised * sin(turn), sea.at.y - raised * cos(turn)
    return (BoardPoint(x - half * cos(turn), y - half * sin(turn)),
            BoardPoint(x + half * cos(turn), y + half * sin(turn)))


def _take_what_is_played_on(ground: OccupancyGrid, board: Board) -> None:
    """Take ground that no name, mountain and tree may cover: spaces, courts, boxes, the edges of the map."""
    for space in board.spaces:
        ground.take_disc(space.at, board.space_radius + 0.4)
    for country in board.countries:
        ground.take_disc(country.court.at, country.court.radius + 0.5)
    half = board.box_side / 2 + 0.4
    for alliance in board.alliances:
        ground.take_box(Rect(alliance.at.x - half, alliance.at.y - half, 2 * half, 2 * half))
        ground.take_line(alliance.ribbon, 1.2)
    left, top, right, bottom = board.frame
    ground.take_outside([(BoardPoint(left + 1, top + 1), BoardPoint(right - 1, top + 1),
                          BoardPoint(right - 1, bottom - 1), BoardPoint(left + 1, bottom - 1))])


def _visible_lines(board: Board, borders: Borders) -> OccupancyGrid:
    """Ground that names should avoid if they can: coasts, borders, seams."""
    ground = OccupancyGrid(board.width, board.height)
    for arc in (*borders.arcs, *borders.isles):
        ground.take_line(arc, 0.8)
    for x in board.seams_x:
        ground.take_line((BoardPoint(x, 0), BoardPoint(x, board.height)), 1.0)
    for y in board.seams_y:
        ground.take_line((BoardPoint(0, y), BoardPoint(board.width, y)), 1.0)
    return ground
