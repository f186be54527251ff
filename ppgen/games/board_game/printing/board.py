"""Turns the board and the words of a language into the part ``board``: one face, printed in tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from ppgen.engine.component import TILED, Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game import FOLDER
from ppgen.games.board_game.board.model import Alliance, Board, Borders, Country, Line, Point
from ppgen.games.board_game.printing.curves import arch, curve, rounded
from ppgen.games.board_game.printing.engraving import strokes
from ppgen.games.board_game.printing.ground import Ground
from ppgen.games.board_game.printing.labels import Labels, place_labels
from ppgen.games.board_game.printing.lands import lands_of
from ppgen.games.board_game.printing.nature import mountains, strewn, trees
from ppgen.games.board_game.printing.scenery import Scenery, Sea
from ppgen.lines import display_width
from ppgen.reading.texts import Texts

NAME = "board"
OFF_SHORE = 12.0
"""How far from a coast waves begin: beyond the lines that follow it, in mm."""
PAIRED = 24
"""Names of a pair that are longer together (columns of a terminal) stand in two lines: kana would be torn anywhere."""
SEA_SPACED = 0.16
"""Letter spacing of the names of seas, in parts of the type size."""


def board_part(board: Board, borders: Borders, scenery: Scenery, texts: Texts) -> Part:
    """The board in one piece, as large as it is; what bears it whole prints it whole."""
    title = texts(f"parts.{NAME}")
    names = {land.id: texts(f"countries.{land.id}") for land in board.countries}
    names |= {land.id: texts(f"board.neighbours.{land.id}") for land in board.neighbours}
    front = FaceRequest(template=f"{FOLDER}/board.svg.j2", size=Size(board.width, board.height), values={},
                        key=texts.lang,
                        measured=Measured(board=board, borders=borders, scenery=scenery, names=names))
    return Part(name=NAME, title=title, stock=Stock.BOARD, layout=TILED,
                components=(Component(id=NAME, title=title, front=front),))


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """What the board's template draws, once fonts can say how wide the names of lands and spaces are."""

    board: Board
    borders: Borders
    scenery: Scenery
    names: Mapping[str, str]

    def __call__(self, fonts: FontBook) -> Mapping[str, object]:
        """The values of the template, all lengths in mm."""
        board, scenery = self.board, self.scenery
        ground, lines = _played_on(board), _lines(board, self.borders)
        for scroll in (scenery.title, scenery.key):
            ground.take_box(scroll)
        for drawing in scenery.drawings:
            ground.take_disc(drawing.at, drawing.size / 2)
        for sea in scenery.seas:
            ground.take_line(_line_of(sea, fonts), sea.size / 2)
        labels = place_labels(board, self.borders, self.names, fonts.width, ground, lines)
        return {
            "board": board, "lands": lands_of(board, self.borders), "labels": labels,
            "countries": [self._country(country, labels) for country in board.countries],
            "neighbours": [labels.neighbours[land.id] for land in board.neighbours],
            "spaces": [{"id": space.id, "at": space.at, "kind": board.kind_of[space.country],
                        "label": labels.spaces[space.id]} for space in board.spaces],
            "roads": "".join(arch(board.space[road.ends[0]].at, board.control(road), board.space[road.ends[1]].at)
                             for road in board.roads),
            "alliances": [_alliance(alliance) for alliance in board.alliances],
            "pairs": {kind.id: _pair([self.names[country] for country in kind.countries]) for kind in board.cards},
            "scenery": scenery, "sea_spaced": SEA_SPACED, "rivers": "".join(map(curve, scenery.rivers)),
            "track": [{"number": number, "at": at} for number, at in enumerate(board.track())],
            **self._nature(ground, lines),
        }

    def _nature(self, ground: Ground, lines: Ground) -> dict[str, object]:
        """What is drawn on the ground that is left: mountains, which may hide borders, trees, grass and waves."""
        board, borders, scenery = self.board, self.borders, self.scenery
        rings = [*map(borders.ring, borders.lands), *borders.isles]
        waters, sea = Ground(board.width, board.height), Ground(board.width, board.height)
        waters.take_outside(rings)
        sea.take_all(ground)
        sea.take_rest(waters)
        for line in (*borders.arcs, *((*isle, isle[0]) for isle in borders.isles)):
            sea.take_line(line, OFF_SHORE)
        ground.take_all(waters)
        peaks = mountains(ground, scenery.ranges)
        ground.take_all(lines)
        for river in scenery.rivers:
            ground.take_line(river, 0.7)
        stands = sorted((*peaks, *trees(ground, board.frame)), key=lambda stand: (stand.y, stand.x))
        return {"stands": stands, "grass": strewn(ground, board.frame, 3, 2, 6.5, 0.4),
                "waves": strewn(sea, board.frame, 7, 2, 9, 0.45), "strokes": strokes(rings, board.frame)}

    def _country(self, country: Country, labels: Labels) -> dict[str, object]:
        return {"id": country.id, "arms": country.arms, "court": country.court,
                "kind": self.board.kind_of[country.id], "label": labels.countries[country.id]}


def _line_of(sea: Sea, fonts: FontBook) -> Line:
    """The middle of the letters of a sea's name, from its first to its last."""
    half = fonts.width(sea.name, "italic", sea.size, SEA_SPACED * sea.size) / 2
    turn, raised = radians(sea.turn), 0.3 * sea.size
    x, y = sea.at.x + raised * sin(turn), sea.at.y - raised * cos(turn)
    return (Point(x - half * cos(turn), y - half * sin(turn)), Point(x + half * cos(turn), y + half * sin(turn)))


def _alliance(alliance: Alliance) -> dict[str, object]:
    return {"number": alliance.box, "at": alliance.at, "water": alliance.water,
            "ribbon": curve(rounded(alliance.ribbon)), "ends": (alliance.ribbon[0], alliance.ribbon[-1])}


def _played_on(board: Board) -> Ground:
    """What no name and no tree may cover: spaces, courts, roads, boxes, the ends of the map."""
    ground = Ground(board.width, board.height)
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
    ground.take_outside([(Point(left + 1, top + 1), Point(right - 1, top + 1), Point(right - 1, bottom - 1),
                          Point(left + 1, bottom - 1))])
    return ground


def _lines(board: Board, borders: Borders) -> Ground:
    """What a name should not cross if it can help it: coasts, borders, seams."""
    ground = Ground(board.width, board.height)
    for arc in (*borders.arcs, *borders.isles):
        ground.take_line(arc, 0.8)
    for x in board.seams_x:
        ground.take_line((Point(x, 0), Point(x, board.height)), 1.0)
    for y in board.seams_y:
        ground.take_line((Point(0, y), Point(board.width, y)), 1.0)
    return ground


def _pair(names: Sequence[str]) -> str:
    """The names of the countries on a card, as the key of the board has them."""
    words = " · ".join(names)
    return words if display_width(words) <= PAIRED else " ·\n".join(names)
