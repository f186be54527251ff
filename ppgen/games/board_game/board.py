"""The board: countries, spaces, roads, alliances, cards and pieces as values, and as plain records.

Measures are millimetres from the upper left corner of the board, y down. Most values are named tuples: scoring loads
them, too, and dataclasses take Python several times as long to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import NamedTuple

MIN_PLAYERS, MAX_PLAYERS = 3, 5
TRACK_SQUARES = 100  # of the score track, 0 to 99 (Danish rules, 'Spilmateriale'); then it starts again at 0


class BoardPoint(NamedTuple):
    """A point of the board."""

    x: float
    y: float


BoardLine = tuple[BoardPoint, ...]  # points of a line, in order


class Court(NamedTuple):
    """The coat of arms of a country, on which councillors stand: its centre and radius."""

    at: BoardPoint
    radius: float


class BoardCountry(NamedTuple):
    """A country."""

    id: str
    code: str  # begins the labels of its spaces
    arms: str  # names the drawing of its coat of arms
    court: Court
    name: BoardPoint  # where the centre of its name should lie
    letters: float  # height of its letters
    line: int = 0  # in `countries.toml`


class Neighbour(NamedTuple):
    """A land around the countries, not played in; ``name`` is the point where its name should lie."""

    id: str
    name: BoardPoint
    line: int = 0


class Space(NamedTuple):
    """A cloister space."""

    id: str  # its label: `FR3`
    name: str  # of the cloister
    country: str  # its id
    at: BoardPoint  # its centre
    label: str  # side on which the label is written if there is room: `n`, `e`, `s` or `w`
    line: int = 0  # in `spaces.csv`


class Road(NamedTuple):
    """A road between two spaces."""

    ends: tuple[str, str]
    bow: float  # mm from the straight line to its middle, to the left as seen from the first space
    line: int = 0  # in `roads.csv`


class Alliance(NamedTuple):
    """An alliance of two countries."""

    box: int  # its number
    countries: tuple[str, str]  # their ids
    water: bool  # it crosses water
    at: BoardPoint  # the centre of the box
    ribbon: BoardLine  # drawn from the first country to the second
    line: int = 0  # in `alliances.toml`


class CardKind(NamedTuple):
    """A kind of card, and the look of its countries. Colours are ``#RRGGBB``."""

    id: str
    countries: tuple[str, ...]  # their ids
    copies: int
    sign: str  # the cue for colour-blind players
    colour: str  # of the card and of the rim of the land
    tint: str  # of the land
    ink: str  # darker, for its edge
    line: int = 0


class Player(NamedTuple):
    """The look of a player's pieces: number of the player (1 to 5), colour ``#RRGGBB`` and name of the outline."""

    player: int
    colour: str
    shape: str


class Frame(NamedTuple):
    """Edges of the map inside the score track."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Board:
    """Everything in the box but the outlines of the lands (:class:`Borders`), which scoring does not need."""

    width: float
    height: float
    square: float  # side of a square of the score track
    frame: Frame
    seams_x: tuple[float, ...]  # where the board is cut into tiles
    seams_y: tuple[float, ...]
    space_radius: float
    box_side: float  # of an alliance box
    countries: tuple[BoardCountry, ...]  # in scoring order
    neighbours: tuple[Neighbour, ...]
    spaces: tuple[Space, ...]  # in the order of their file; those of a country in that of their labels
    roads: tuple[Road, ...]
    alliances: tuple[Alliance, ...]  # in the order of their boxes
    cards: tuple[CardKind, ...]
    cloisters: int  # pieces of each player
    councillors: int  # pieces of each player
    players: tuple[Player, ...]

    @property
    def lands(self) -> tuple[str, ...]:
        """Ids of everything with an outline: countries, then neighbours."""
        return (*(country.id for country in self.countries), *(neighbour.id for neighbour in self.neighbours))

    @cached_property
    def space(self) -> Mapping[str, Space]:
        """Spaces by label."""
        return {space.id: space for space in self.spaces}

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Labels of the spaces of each country, by its id."""
        return {country.id: tuple(space.id for space in self.spaces if space.country == country.id)
                for country in self.countries}

    @cached_property
    def kind_by_country(self) -> Mapping[str, CardKind]:
        """The kind of card that names each country, by its id."""
        return {country: kind for kind in self.cards for country in kind.countries}

    def control_point(self, road: Road) -> BoardPoint:
        """Compute the control point of the quadratic curve along which a road is drawn."""
        one, other = (self.space[end].at for end in road.ends)
        across, down = other.x - one.x, other.y - one.y
        push = 2 * road.bow / (hypot(across, down) or 1.0)
        return BoardPoint(round((one.x + other.x) / 2 + down * push, 1),
                          round((one.y + other.y) / 2 - across * push, 1))

    def road_curve(self, road: Road) -> tuple[BoardPoint, BoardPoint, BoardPoint]:
        """Start, control point and end of that curve: centres of spaces, and the point between them."""
        start, end = (self.space[space].at for space in road.ends)
        return start, self.control_point(road), end

    def road_line(self, road: Road, pieces: int = 24) -> BoardLine:
        """Approximate the curve of a road by straight pieces."""
        (x0, y0), (x1, y1), (x2, y2) = self.road_curve(road)
        shares = ((1 - t, t) for t in (step / pieces for step in range(pieces + 1)))
        return tuple(BoardPoint(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2)
                     for s, t in shares)

    def track(self) -> tuple[BoardPoint, ...]:
        """Upper left corners of the squares 0 to 99 of the score track, clockwise from the bottom left corner."""
        columns, rows = round(self.width / self.square), round(self.height / self.square)
        cells = [*((0, row) for row in range(rows - 1, -1, -1)), *((column, 0) for column in range(1, columns)),
                 *((columns - 1, row) for row in range(1, rows)),
                 *((column, rows - 1) for column in range(columns - 2, 0, -1))]
        return tuple(BoardPoint(column * self.square, row * self.square) for column, row in cells)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Borders:
    """Outlines of the lands, as references to arcs: ``n`` from its first point to its last, ``~n`` backwards."""

    arcs: tuple[BoardLine, ...]  # lines that neighbours share, each stored once
    lands: Mapping[str, tuple[int, ...]]  # the ring of each country and neighbour, by id
    isles: tuple[BoardLine, ...]  # rings that are not played in

    def ring(self, land: str) -> BoardLine:
        """The outline of a land; its first point is not repeated at the end."""
        arcs = (self.arcs[number] if number >= 0 else self.arcs[~number][::-1] for number in self.lands[land])
        return tuple(point for arc in arcs for point in arc[:-1])


def arc_index(number: int) -> int:
    """The index of the arc that a ring refers to as ``n`` or ``~n``."""
    return number if number >= 0 else ~number


# --- Records for ``ppgen list --json`` ---

def describe_board(board: Board) -> list[dict[str, object]]:
    """List a record for each component: the board, the cards, then the pieces of the players and the black marker."""
    sets = (("cloister", board.cloisters), ("councillor", board.councillors), ("score-marker", 1))
    return [
        {"id": "board", "kind": "board", "width_mm": _plain(board.width), "height_mm": _plain(board.height),
         "copies": 1},
        *({"id": kind.id, "kind": "pair-card", "countries": list(kind.countries), "copies": kind.copies}
          for kind in board.cards),
        *({"id": f"{kind}-{player.player}", "kind": kind, "player": player.player, "copies": copies}
          for kind, copies in sets for player in board.players),
        {"id": "black-marker", "kind": "black-marker", "copies": 1}]


def describe_map(board: Board) -> dict[str, object]:
    """Describe the map: the spaces of each country, the roads, the alliances."""
    return {"spaces": {country: list(labels) for country, labels in board.labels.items()},
            "roads": [list(road.ends) for road in board.roads],
            "alliances": [{"box": alliance.box, "countries": list(alliance.countries), "water": alliance.water}
                          for alliance in board.alliances]}


def _plain(length: float) -> float:
    return int(length) if length.is_integer() else length
