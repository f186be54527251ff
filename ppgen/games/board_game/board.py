"""The board: its spaces and connections, and how they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import hypot
from pathlib import Path
from typing import NamedTuple

from ppgen.errors import Phrase, Problems, join_names
from ppgen.reading.fields import (Fields, close_all, read_csv, read_toml, report_duplicates, take_code, take_colour,
                                  take_id, take_number_cell, take_numbers, take_pattern)
from ppgen.records import dataclass

# --- Spaces ---
# Measures are millimetres from the upper left corner of the board, y down. Most values are named tuples: scoring loads
# them, too, and dataclasses take Python several times as long to make.

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
    line: int = 0  # in `countries.toml`


class Neighbour(NamedTuple):
    """A land around the countries, not played in."""

    id: str
    line: int = 0


class Space(NamedTuple):
    """A cloister space."""

    id: str  # its label: `FR3`
    name: str  # of the cloister
    country: str  # its id
    at: BoardPoint  # its centre
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

    def road_curve(self, road: Road) -> tuple[BoardPoint, BoardPoint, BoardPoint]:
        """Start, control point and end of the quadratic curve along which a road is drawn between two spaces."""
        start, end = (self.space[space].at for space in road.ends)
        across, down = end.x - start.x, end.y - start.y
        push = 2 * road.bow / (hypot(across, down) or 1.0)
        return start, BoardPoint(round((start.x + end.x) / 2 + down * push, 1),
                                 round((start.y + end.y) / 2 - across * push, 1)), end

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


# --- Loading ---

FILES = ("board.toml", "countries.toml", "spaces.csv", "roads.csv", "alliances.toml", "cards.csv", "pieces.toml")
MAX_BOARD_SIDE = 1200.0  # longest side of a board, in mm
MAX_SPACES, MAX_ROADS, MAX_ALLIANCES, MAX_LANDS = 150, 400, 40, 60  # more would take long to draw, and not be playable
MAX_ROAD_ENDS = 5  # roads at a space: finding the best chains takes longer with each


def load_board(folder: Path) -> Board:
    """Load the board without its outlines. Raises InputError with every problem of :data:`FILES`."""
    problems = Problems()
    measures = read_toml(folder, "board.toml", problems)
    width, height = (measures.take_number(side, 100, MAX_BOARD_SIDE) for side in ("width", "height"))
    square = measures.take_number("square", 5, 50)
    if not problems and not _is_track(width / square, height / square):
        measures.note("square", f"{width:g} × {height:g} mm have no edge of {TRACK_SQUARES} squares of {square:g} mm",
                      "change one of them: 30 × 22 squares have")
    frame = Frame(*take_numbers(measures, "frame", 4, MAX_BOARD_SIDE))
    if not problems and not (frame.left < frame.right <= width and frame.top < frame.bottom <= height):
        measures.note("frame", "does not lie on the board", "left, top, right and bottom of the map")
    radius, side = measures.take_number("space", 2, 30), measures.take_number("box", 2, 30)
    seams = measures.take_table("seams")
    seams_x, seams_y = (_take_seams(seams, key, length) for key, length in (("x", width), ("y", height)))
    close_all(seams, measures)
    countries, neighbours = _read_countries(folder, problems)
    ids = tuple(country.id for country in countries)
    # Without countries every space, alliance and card would be a problem.
    spaces = _read_spaces(folder, {country.code: country.id for country in countries}, problems) if countries else ()
    cloisters, councillors, players = _read_pieces(folder, problems)
    board = Board(
        width=width, height=height, square=square, frame=frame, seams_x=seams_x, seams_y=seams_y, space_radius=radius,
        box_side=side, countries=countries, neighbours=neighbours, spaces=spaces,
        roads=_read_roads(folder, [space.id for space in spaces], problems) if spaces else (),
        alliances=_read_alliances(folder, ids, problems) if countries else (),
        cards=_read_cards(folder, ids, problems) if countries else (),
        cloisters=cloisters, councillors=councillors, players=players)
    problems.raise_if_any()
    return board


def _is_track(columns: float, rows: float) -> bool:
    return (abs(columns - round(columns)) + abs(rows - round(rows)) < 1e-6
            and 2 * (round(columns) + round(rows)) - 4 == TRACK_SQUARES)


def _take_seams(seams: Fields, key: str, maximum: float) -> tuple[float, ...]:
    value = seams.raw(key)
    count = len(value) if isinstance(value, list) else 1
    return take_numbers(seams, key, count, maximum) if count else ()


def _read_countries(folder: Path, problems: Problems) -> tuple[tuple[BoardCountry, ...], tuple[Neighbour, ...]]:
    file = read_toml(folder, "countries.toml", problems)
    rows, neighbour_rows = (_limit_rows(file.take_tables(key), MAX_LANDS) for key in ("countries", "neighbours"))
    countries = []
    for row in rows:
        x, y, radius = take_numbers(row, "court", 3, MAX_BOARD_SIDE)
        countries.append(BoardCountry(id=take_id(row, "id"), code=take_code(row), arms=take_id(row, "arms"),
                                      court=Court(at=BoardPoint(x, y), radius=radius), line=row.line("id")))
    neighbours = tuple(Neighbour(id=take_id(row, "id"), line=row.line("id")) for row in neighbour_rows)
    report_duplicates([*rows, *neighbour_rows], "id",
                      [*(country.id for country in countries), *(each.id for each in neighbours)])
    report_duplicates(rows, "code", [country.code for country in countries])
    close_all(file, *rows, *neighbour_rows)
    return tuple(countries), neighbours


def _read_spaces(folder: Path, country_by_code: Mapping[str, str], problems: Problems) -> tuple[Space, ...]:
    rows = _limit_rows(read_csv(folder, "spaces.csv", ("id", "name", "x", "y"), problems), MAX_SPACES)
    counts = Counter[str]()
    spaces = []
    for row in rows:
        id = take_pattern(row, "id", r"[A-Z]{2}[1-9]\d?", "the code of its country and a number, like FR3")
        code = id[:2]
        counts[code] += 1
        if id and code not in country_by_code:
            row.note("id", f"'{id}': no country has the code {code}",
                     Phrase("one_of", message=join_names(country_by_code)))
        elif id and id != f"{code}{counts[code]}":
            row.note("id", f"'{id}' stands where {code}{counts[code]} should",
                     "the spaces of a country are numbered from 1 on, in their order")
        spaces.append(Space(id=id, name=row.take_text("name"), country=country_by_code.get(code, ""),
                            at=BoardPoint(*(take_number_cell(row, axis, 0, MAX_BOARD_SIDE) for axis in ("x", "y"))),
                            line=row.line()))
    for code in country_by_code:
        if rows and not counts[code]:
            problems.note(rows[0].source.name, f"{country_by_code[code]} has no space", f"add {code}1")
    return tuple(spaces)


def _read_roads(folder: Path, labels: Sequence[str], problems: Problems) -> tuple[Road, ...]:
    rows = _limit_rows(read_csv(folder, "roads.csv", ("from", "to", "bow"), problems), MAX_ROADS)
    roads, known = [], frozenset(labels)
    ends = Counter[str]()
    for row in rows:
        one, other = row.take_text("from"), row.take_text("to")
        for key, end in (("from", one), ("to", other)):
            if end and end not in known:
                row.note(key, f"'{end}' is not a space", "spaces.csv names them")
            ends[end] += 1
            if end in known and ends[end] == MAX_ROAD_ENDS + 1:
                row.note(key, f"more than {MAX_ROAD_ENDS} roads begin at {end}", Phrase("take_one_out"))
        if one and one == other:
            row.note("to", f"the road leads from {one} to itself", "name another space")
        roads.append(Road(ends=(one, other), bow=take_number_cell(row, "bow", -50, 50), line=row.line()))
    report_duplicates(rows, "to", ["–".join(sorted(road.ends)) for road in roads])
    return tuple(roads)


def _read_alliances(folder: Path, countries: Sequence[str], problems: Problems) -> tuple[Alliance, ...]:
    file = read_toml(folder, "alliances.toml", problems)
    rows = _limit_rows(file.take_tables("alliances"), MAX_ALLIANCES)
    alliances = []
    for box, row in enumerate(rows, 1):
        between = row.take_texts("between")
        if between and (len(between) != 2 or not set(between) <= {*countries} or between[0] == between[1]):
            row.note("between", f"{join_names(between)}: are not two countries", f"two of {join_names(countries)}")
        one, other = between if len(between) == 2 else ("", "")
        alliances.append(Alliance(box=box, countries=(one, other), water=row.take_flag("water"),
                                  at=BoardPoint(*take_numbers(row, "box", 2, MAX_BOARD_SIDE)),
                                  ribbon=_take_ribbon(row), line=row.line("between")))
    report_duplicates(rows, "between", [join_names(sorted(alliance.countries)) for alliance in alliances])
    close_all(file, *rows)
    return tuple(alliances)


def _take_ribbon(row: Fields) -> tuple[BoardPoint, ...]:
    value = row.raw("ribbon")
    points = [BoardPoint(*map(float, pair)) for pair in value if is_point(pair)] if isinstance(value, list) else []
    if isinstance(value, list) and len(points) == len(value) and 2 <= len(points) <= 9:
        return tuple(points)
    row.note("ribbon", Phrase("is_missing") if value is None else "is not a line of points",
             "write [[x, y], [x, y]], up to nine")
    return (BoardPoint(0, 0), BoardPoint(0, 0))


def is_point(value: object) -> bool:
    """True if a value of a file is a point of a board: two numbers."""
    return (isinstance(value, list) and len(value) == 2
            and all(type(each) in (int, float) and 0 <= each <= MAX_BOARD_SIDE for each in value))


def _read_cards(folder: Path, countries: Sequence[str], problems: Problems) -> tuple[CardKind, ...]:
    rows = read_csv(folder, "cards.csv", ("id", "countries", "copies", "sign", "colour", "tint", "ink"), problems)
    kinds = [CardKind(id=take_id(row, "id"), countries=_take_countries(row, countries),
                      copies=int(take_number_cell(row, "copies", 1, 99)), sign=take_id(row, "sign"),
                      colour=take_colour(row), tint=take_colour(row, "tint"), ink=take_colour(row, "ink"),
                      line=row.line()) for row in rows]
    report_duplicates(rows, "id", [kind.id for kind in kinds])
    named = Counter(country for kind in kinds for country in kind.countries)
    for country in countries:
        if rows and named[country] != 1:
            problems.note(rows[0].source.name, f"{country} is named by {named[country]} kinds of card",
                          "each country by one", key="countries")
    return tuple(kinds)


def _take_countries(row: Fields, known: Sequence[str]) -> tuple[str, ...]:
    countries = tuple(row.take_text("countries").split())
    for country in countries:
        if country not in known:
            row.note("countries", Phrase("unknown_value", value=country),
                     f"of {join_names(known)}; a space between two")
    return countries


def _read_pieces(folder: Path, problems: Problems) -> tuple[int, int, tuple[Player, ...]]:
    file = read_toml(folder, "pieces.toml", problems)
    cloisters, councillors = (file.take_int(kind, 1, 30) for kind in ("cloisters", "councillors"))
    rows = file.take_tables("players")
    players = tuple(Player(player=row.take_int("player", 1, MAX_PLAYERS), colour=take_colour(row),
                           shape=take_id(row, "shape")) for row in rows)
    report_duplicates(rows, "player", [player.player for player in players])
    missing = sorted(set(range(1, MAX_PLAYERS + 1)) - {player.player for player in players})
    if rows and missing:
        file.note("players", f"player {join_names(map(str, missing))} has no pieces",
                  f"a [[players]] for each of {MAX_PLAYERS}")
    close_all(file, *rows)
    return cloisters, councillors, players


def _limit_rows(rows: list[Fields], maximum: int) -> list[Fields]:
    if len(rows) > maximum:
        rows[maximum].note("", f"more than {maximum} of them", "take some out")
    return rows[:maximum]
