"""The board as values: countries, spaces, roads, alliances, cards and pieces, as the data files tell them.

All measures are millimetres from the upper left corner of the board, y down. Most are named tuples: scoring reads them,
too, and dataclasses take Python several times as long to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import NamedTuple

MIN_PLAYERS, MAX_PLAYERS = 3, 5
TRACK_SQUARES = 100
"""Of the score track, from 0 to 99 (Danish rules, section 'Spilmateriale'; past 99 it goes on from 0)."""


class Point(NamedTuple):
    """A place on the board."""

    x: float
    y: float


Line = tuple[Point, ...]
"""The points of a line, in their order."""


class Court(NamedTuple):
    """The coat of arms of a country on which councillors stand: its middle and radius."""

    at: Point
    radius: float


class Country(NamedTuple):
    """A country; ``code`` begins the names of its spaces, ``arms`` names the drawn coat of arms.

    Its name is written with its middle at ``name``, in letters of the height ``letters``; ``line`` is where it stands
    in ``countries.toml``.
    """

    id: str
    code: str
    arms: str
    court: Court
    name: Point
    letters: float
    line: int = 0


class Neighbour(NamedTuple):
    """A land around the countries that nobody plays in; its name is written at ``name``."""

    id: str
    name: Point
    line: int = 0


class Space(NamedTuple):
    """A cloister space: its label (``FR3``) as ``id``, the cloister's name, the id of its country, its middle.

    ``label`` is the side on which the label is written if it has room there: ``n``, ``e``, ``s`` or ``w``.
    ``line`` is its line in ``spaces.csv``.
    """

    id: str
    name: str
    country: str
    at: Point
    label: str
    line: int = 0


class Road(NamedTuple):
    """A road between two spaces, whose middle lies ``bow`` mm to the left of the straight way from the first.

    ``line`` is its line in ``roads.csv``.
    """

    ends: tuple[str, str]
    bow: float
    line: int = 0


class Alliance(NamedTuple):
    """An alliance: the number of its box, the ids of its countries, whether it crosses water, the middle of the box.

    ``ribbon`` is drawn from the first country to the second; ``line`` is where it stands in ``alliances.toml``.
    """

    box: int
    countries: tuple[str, str]
    water: bool
    at: Point
    ribbon: Line
    line: int = 0


class CardKind(NamedTuple):
    """A kind of card: the ids of its countries, how many there are, and what the countries are known by.

    ``colour`` is that of the card, ``tint`` that of the land, ``ink`` a darker one for its edge (all ``#RRGGBB``),
    ``sign`` the second cue.
    """

    id: str
    countries: tuple[str, ...]
    copies: int
    sign: str
    colour: str
    tint: str
    ink: str
    line: int = 0


class Player(NamedTuple):
    """What the pieces of a player (1 to 5) look like: colour ``#RRGGBB`` and the name of the outline."""

    player: int
    colour: str
    shape: str


class Frame(NamedTuple):
    """The edges of the map inside the score track."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, kw_only=True)
class Board:
    """Everything in the box but the outlines of the lands, which only drawing and judging need.

    Countries are in scoring order, spaces and roads in the files' order (a country's spaces in that of their labels),
    alliances in that of their boxes. ``square`` is the side of a square of the score track, ``space_radius`` that of
    a cloister space, ``box_side`` that of an alliance box; the board is cut into tiles at the seams. Each player has
    so many ``cloisters`` and ``councillors``.
    """

    width: float
    height: float
    square: float
    frame: Frame
    seams_x: tuple[float, ...]
    seams_y: tuple[float, ...]
    space_radius: float
    box_side: float
    countries: tuple[Country, ...]
    neighbours: tuple[Neighbour, ...]
    spaces: tuple[Space, ...]
    roads: tuple[Road, ...]
    alliances: tuple[Alliance, ...]
    cards: tuple[CardKind, ...]
    cloisters: int
    councillors: int
    players: tuple[Player, ...]

    @property
    def lands(self) -> tuple[str, ...]:
        """The ids of all that has an outline: countries, then neighbours."""
        return (*(country.id for country in self.countries), *(neighbour.id for neighbour in self.neighbours))

    @cached_property
    def space(self) -> Mapping[str, Space]:
        """The spaces by their labels."""
        return {space.id: space for space in self.spaces}

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """The labels of each country's spaces, by the country's id."""
        return {country.id: tuple(space.id for space in self.spaces if space.country == country.id)
                for country in self.countries}

    @cached_property
    def kind_of(self) -> Mapping[str, CardKind]:
        """The kind of card that names each country, by the country's id."""
        return {country: kind for kind in self.cards for country in kind.countries}

    def control(self, road: Road) -> Point:
        """The control point of the quadratic curve along which a road is drawn."""
        one, other = (self.space[end].at for end in road.ends)
        across, down = other.x - one.x, other.y - one.y
        push = 2 * road.bow / (hypot(across, down) or 1.0)
        return Point(round((one.x + other.x) / 2 + down * push, 1), round((one.y + other.y) / 2 - across * push, 1))

    def road_line(self, road: Road, pieces: int = 24) -> Line:
        """The curve of a road as a line of so many straight pieces, from the middle of its first space."""
        (x0, y0), (x1, y1), (x2, y2) = self.space[road.ends[0]].at, self.control(road), self.space[road.ends[1]].at
        shares = ((1 - t, t) for t in (step / pieces for step in range(pieces + 1)))
        return tuple(Point(s * s * x0 + 2 * s * t * x1 + t * t * x2, s * s * y0 + 2 * s * t * y1 + t * t * y2)
                     for s, t in shares)

    def track(self) -> tuple[Point, ...]:
        """The upper left corners of the squares 0 to 99 of the score track, clockwise from bottom left."""
        columns, rows = round(self.width / self.square), round(self.height / self.square)
        cells = [*((0, row) for row in range(rows - 1, -1, -1)), *((column, 0) for column in range(1, columns)),
                 *((columns - 1, row) for row in range(1, rows)),
                 *((column, rows - 1) for column in range(columns - 2, 0, -1))]
        return tuple(Point(column * self.square, row * self.square) for column, row in cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Borders:
    """The outlines of the lands: ``arcs`` are lines that neighbours share, each stored once.

    ``lands`` gives the ring of each land (countries and neighbours), by its id, as numbers of arcs: ``n`` is an arc
    from its first point to its last, ``~n`` the same arc backwards. ``isles`` are rings that nobody plays in.
    """

    arcs: tuple[Line, ...]
    lands: Mapping[str, tuple[int, ...]]
    isles: tuple[Line, ...]

    def ring(self, land: str) -> Line:
        """The outline of a land, without its first point again at the end."""
        arcs = (self.arcs[number] if number >= 0 else self.arcs[~number][::-1] for number in self.lands[land])
        return tuple(point for arc in arcs for point in arc[:-1])

    def shared(self, one: str, other: str) -> tuple[Line, ...]:
        """The arcs that two lands have in common."""
        numbers = {~number if number < 0 else number for number in self.lands[one]}
        return tuple(self.arcs[number] for number in dict.fromkeys(~n if n < 0 else n for n in self.lands[other])
                     if number in numbers)
