"""The part ``board``: one face, printed in tiles, with names, mountains and trees on the ground left free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, dist, floor, radians, sin
from random import Random

from ppgen.engine.component import TILED, Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board import Alliance, Board, BoardCountry, BoardLine, BoardPoint, Borders, Frame
from ppgen.games.board_game.map_art import Range, Scenery, Sea, arch, curve, land_paths, round_line, strokes
from ppgen.games.board_game.map_labels import Labels, OccupancyGrid, place_labels
from ppgen.lines import display_width
from ppgen.reading.texts import Texts

# Mountains, trees and small marks
#
# Mountains and trees take the ground that they cover. Random numbers have fixed seeds: every machine draws one map.

PEAKS = ("peak-a", "peak-b", "peak-c")
PEAK = 7.4, 5.4
"""Width and height in mm of a mountain of size 1; its foot is the middle of its lower edge."""
GROVES = (("grove-c", 8.4, 4.6), ("grove-b", 5.6, 4.4), ("grove-a", 2.6, 3.4))
"""Groups of trees with their widths and heights in mm, the largest first."""
MOUNTAIN_STEP, GROVE_SIDE = 4.2, 6.8
"""Distance of mountains along a range, and side of the squares with at most one group of trees, in mm."""


@dataclass(frozen=True, slots=True)
class TreeStand:
    """A mountain or a group of trees: the middle of its foot, and a factor of its usual size."""

    kind: str
    x: float
    y: float
    size: float


def place_mountains(free: OccupancyGrid, ranges: Iterable[Range]) -> Iterator[TreeStand]:
    """Place mountains along the ranges."""
    random = Random(1147)
    for each in ranges:
        for point in _along(each.line, MOUNTAIN_STEP):
            for _ in range(2 + floor(each.spread / 3)):
                size = round(0.85 + 0.6 * random.random(), 2)
                away = (random.random() + random.random() - 1) * each.spread
                x, y = round(point.x + (random.random() - 0.5) * MOUNTAIN_STEP, 1), round(point.y + away, 1)
                wide, high = PEAK[0] * size, PEAK[1] * size
                if not free.count_taken(Rect(x - wide / 2, y - high, wide, high)):
                    # The feet of mountains behind this one may be hidden, their tops not.
                    free.take_box(Rect(x - wide * 0.34, y - high * 0.6, wide * 0.68, high * 0.62))
                    yield TreeStand(PEAKS[floor(random.random() * len(PEAKS))], x, y, size)


def place_trees(free: OccupancyGrid, frame: Frame) -> Iterator[TreeStand]:
    """Place at most one group of trees in each square: a random one, or the next smaller one that finds room."""
    random = Random(1158)
    for row in range(floor((frame.bottom - frame.top) / GROVE_SIDE)):
        for column in range(floor((frame.right - frame.left) / GROVE_SIDE)):
            x = round(frame.left + (column + 0.2 + 0.6 * random.random()) * GROVE_SIDE, 1)
            y = round(frame.top + (row + 0.3 + 0.6 * random.random()) * GROVE_SIDE, 1)
            size, threshold = round(0.85 + 0.3 * random.random(), 2), random.random()
            density = _tree_density(x, y)
            if threshold > density:
                continue
            for kind, width, height in GROVES[floor(3 * threshold / density):]:
                wide, high = width * size, height * size
                if not free.count_taken(Rect(x - wide / 2, y - high, wide, high)):
                    free.take_box(Rect(x - wide / 2 - 0.4, y - high * 0.9, wide + 0.8, high * 0.9 + 0.4))
                    yield TreeStand(kind, x, y, size)
                    break


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


def _tree_density(x: float, y: float) -> float:
    """The probability of trees at a point: woods lie in patches some 40 mm apart."""
    waves = sin(x / 11 + 0.6 * sin(y / 17)) + sin(y / 9 + 2 + 0.7 * sin(x / 21)) + sin((x + y) / 23 + 4)
    return min(0.95, max(0.12, 0.3 + 0.36 * waves))


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


# The face

BOARD_PART = "board"
OFF_SHORE = 12.0
"""Distance of waves from a coast, beyond the lines that follow it, in mm."""
MAX_PAIR_WIDTH = 24
"""Wider names of a pair (in columns of a terminal) stand in two lines: kana would break anywhere."""
SEA_SPACING = 0.16
"""Letter spacing of the names of seas, in parts of the type size."""


def board_part(board: Board, borders: Borders, scenery: Scenery, texts: Texts) -> Part:
    """Make the board in one piece, of full size: a printer that is large enough prints it whole."""
    title = texts(f"parts.{BOARD_PART}")
    names = {land.id: texts(f"countries.{land.id}") for land in board.countries}
    names |= {land.id: texts(f"board.neighbours.{land.id}") for land in board.neighbours}
    front = FaceRequest(template=f"{FOLDER}/board.svg.j2", size=Size(board.width, board.height), values={},
                        key=texts.lang,
                        measure=BoardValues(board=board, borders=borders, scenery=scenery, names=names))
    return Part(name=BOARD_PART, title=title, stock=Stock.BOARD, layout=TILED,
                components=(Component(id=BOARD_PART, title=title, front=front),))


@dataclass(frozen=True, kw_only=True, eq=False)
class BoardValues:
    """Values of the board's template; computing them needs fonts, which measure the names of lands and spaces."""

    board: Board
    borders: Borders
    scenery: Scenery
    names: Mapping[str, str]

    def __call__(self, fonts: FontBook) -> Mapping[str, object]:
        """Compute the values, all lengths in mm."""
        board, scenery = self.board, self.scenery
        ground, lines = _playing_ground(board), _visible_lines(board, self.borders)
        for scroll in (scenery.title, scenery.key):
            ground.take_box(scroll)
        for drawing in scenery.drawings:
            ground.take_disc(drawing.at, drawing.size / 2)
        for sea in scenery.seas:
            ground.take_line(_baseline(sea, fonts), sea.size / 2)
        rivers = OccupancyGrid(board.width, board.height)
        for river in scenery.rivers:
            rivers.take_line(river, 0.7)
        labels = place_labels(board, self.borders, self.names, fonts.width, ground, lines, rivers)
        return {
            "board": board, "lands": land_paths(board, self.borders), "labels": labels,
            "countries": [self._country(country, labels) for country in board.countries],
            "neighbours": [labels.neighbours[land.id] for land in board.neighbours],
            "spaces": [{"id": space.id, "at": space.at, "kind": board.kind_by_country[space.country],
                        "label": labels.spaces[space.id]} for space in board.spaces],
            "roads": "".join(arch(*board.road_curve(road)) for road in board.roads),
            "alliances": [_alliance(alliance) for alliance in board.alliances],
            "pairs": {kind.id: _pair([self.names[country] for country in kind.countries]) for kind in board.cards},
            "scenery": scenery, "sea_spaced": SEA_SPACING, "rivers": "".join(map(curve, scenery.rivers)),
            "track": [{"number": number, "at": at} for number, at in enumerate(board.track())],
            **self._nature(ground, lines, rivers),
        }

    def _nature(self, ground: OccupancyGrid, lines: OccupancyGrid, rivers: OccupancyGrid) -> dict[str, object]:
        """Drawings on the ground that is left: mountains, which may hide borders, trees, grass and waves."""
        board, borders, scenery = self.board, self.borders, self.scenery
        rings = [*map(borders.ring, borders.lands), *borders.isles]
        waters, sea = OccupancyGrid(board.width, board.height), OccupancyGrid(board.width, board.height)
        waters.take_outside(rings)
        sea.take_all(ground)
        sea.take_rest(waters)
        for line in (*borders.arcs, *((*isle, isle[0]) for isle in borders.isles)):
            sea.take_line(line, OFF_SHORE)
        ground.take_all(waters)
        mountains = [*place_mountains(ground, scenery.ranges)]
        ground.take_all(lines)
        ground.take_all(rivers)
        stands = sorted((*mountains, *place_trees(ground, board.frame)), key=lambda stand: (stand.y, stand.x))
        return {"stands": stands, "grass": strew_points(ground, board.frame, 3, 2, 6.5, 0.4),
                "waves": strew_points(sea, board.frame, 7, 2, 9, 0.45), "strokes": strokes(rings, board.frame)}

    def _country(self, country: BoardCountry, labels: Labels) -> dict[str, object]:
        return {"id": country.id, "arms": country.arms, "court": country.court,
                "kind": self.board.kind_by_country[country.id], "label": labels.countries[country.id]}


def _baseline(sea: Sea, fonts: FontBook) -> BoardLine:
    """The line through the middle of the letters of a sea's name."""
    half = fonts.width(sea.name, "italic", sea.size, SEA_SPACING * sea.size) / 2
    turn, raised = radians(sea.turn), 0.3 * sea.size
    x, y = sea.at.x + raised * sin(turn), sea.at.y - raised * cos(turn)
    return (BoardPoint(x - half * cos(turn), y - half * sin(turn)),
            BoardPoint(x + half * cos(turn), y + half * sin(turn)))


def _alliance(alliance: Alliance) -> dict[str, object]:
    return {"number": alliance.box, "at": alliance.at, "water": alliance.water,
            "ribbon": curve(round_line(alliance.ribbon)), "ends": (alliance.ribbon[0], alliance.ribbon[-1])}


def _playing_ground(board: Board) -> OccupancyGrid:
    """Ground that no name and no tree may cover: spaces, courts, roads, boxes, the edges of the map."""
    ground = OccupancyGrid(board.width, board.height)
    for space in board.spaces:
        ground.take_disc(space.at, board.space_radius + 0.4)
    for country in board.countries:
        ground.take_disc(country.court.at, country.court.radius + 0.5)
    for road in board.roads:
        ground.take_line(board.road_line(road, 12), 1.7)
    half = board.box_side / 2 + 0.4
    for alliance in board.alliances:
        ground.take_box(Rect(alliance.at.x - half, alliance.at.y - half, 2 * half, 2 * half))
        ground.take_line(alliance.ribbon, 1.2)
    left, top, right, bottom = board.frame
    ground.take_outside([(BoardPoint(left + 1, top + 1), BoardPoint(right - 1, top + 1),
                          BoardPoint(right - 1, bottom - 1), BoardPoint(left + 1, bottom - 1))])
    return ground


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


def _pair(names: Sequence[str]) -> str:
    """The names of the countries of a card, for the key of the board."""
    words = " · ".join(names)
    return words if display_width(words) <= MAX_PAIR_WIDTH else " ·\n".join(names)
