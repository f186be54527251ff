"""The board game's rules with their figures, and its table."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise, product
from math import ceil, cos, dist, hypot, radians, sin
from pathlib import Path
from typing import Any, Literal, cast

from ppgen.engine.booklets.booklet import (CELL_INSET_MM, Beside, Block, Booklet, BookletArea, BookletPicture,
                                           BookletTable, Figure, FigureLabel, Listing, Numbers, Panel, Paragraph, Span,
                                           TextLine, column_width, parse_line)
from ppgen.engine.component import Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.shapes import is_inside
from ppgen.errors import Phrase, format_count, join_names
from ppgen.games.board_game.board import (MAX_PLAYERS, MIN_PLAYERS, Alliance, Board, BoardPoint, Borders, CardKind,
                                          Court, Frame, Player, arc_index, describe_board)
from ppgen.games.board_game.components import curve
from ppgen.games.board_game.points import MIN_CHAIN, ChainSearch, alliance_points, country_points
from ppgen.games.interface import (GAP, Place, TableGame, TableSetUp, copies_of, deal_to, load_steps, make_seats,
                                   sizes_of)
from ppgen.games.rules_booklet import SEATS, RulesContents, RulesSource, rules_booklet, take_examples
from ppgen.lines import display_width
from ppgen.reading.fields import Fields
from ppgen.reading.texts import Texts
from ppgen.records import dataclass

# --- Figures of maps ---

# Worked examples: real positions, whose points in the booklet are computed by the scoring code

Topic = Literal["turn", "limit", "cloisters", "alliance", "chain"]
TOPICS: tuple[Topic, ...] = ("turn", "limit", "cloisters", "alliance", "chain")
EXAMPLE_SEATS = "ABCD"  # letters of the players of the examples, by seat


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A cloister or a councillor: the seat of its player, from 0; ``fresh`` ones were placed in this turn."""

    seat: int
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionExample:
    """A position as an example."""

    id: str
    shows: Topic
    lands: tuple[str, ...]  # countries in its picture
    cloisters: Mapping[str, PlacedPiece]  # by the labels of their spaces
    councillors: Mapping[str, tuple[PlacedPiece, ...]]  # by country
    hand: tuple[str, ...] = ()  # of a turn: ids of the player's cards
    played: tuple[int, ...] = ()  # indexes of the played ones
    box: int = 0  # of an alliance

    def spaces_of(self, seat: int) -> tuple[str, ...]:
        """Labels of the spaces with a player's cloisters."""
        return tuple(label for label, piece in self.cloisters.items() if piece.seat == seat)

    def cloister_counts(self, board: Board, country: str) -> tuple[int, ...]:
        """Number of cloisters of each player in a country."""
        counts = Counter(piece.seat for label, piece in self.cloisters.items() if label in board.labels[country])
        return tuple(counts[seat] for seat in range(len(EXAMPLE_SEATS)))

    def councillor_counts(self, country: str) -> tuple[int, ...]:
        """Number of councillors of each player in a country."""
        counts = Counter(piece.seat for piece in self.councillors.get(country, ()))
        return tuple(counts[seat] for seat in range(len(EXAMPLE_SEATS)))


def read_examples(folder: Path, board: Board) -> tuple[PositionExample, ...]:
    """Load the examples of a data folder. Raises InputError with every problem, like spaces that the map lacks."""
    return take_examples(folder, lambda row: _take_example(row, board))


def _take_example(row: Fields, board: Board) -> PositionExample:
    shows = cast(Topic, row.take_choice("shows", TOPICS))
    countries = [country.id for country in board.countries]
    lands = tuple(_take_known(row, "lands", row.take_texts("lands"), countries))
    cloisters: dict[str, PlacedPiece] = {}
    for country, letters in _take_letters(row, "spaces", countries).items():
        labels = board.labels[country]
        if len(letters) != len(labels):
            there = format_count(len(labels), "space")
            row.note("spaces", f"{country}: {format_count(len(letters), 'letter')} for {there}",
                     "one letter a space, . for an empty one")
        cloisters |= {label: piece for label, letter in zip(labels, letters, strict=False)
                      if letter != "." and (piece := _take_piece(row, "spaces", letter))}
    councillors = {country: tuple(piece for letter in letters
                                  if (piece := _take_piece(row, "councillors", letter)))
                   for country, letters in _take_letters(row, "councillors", countries).items()}
    hand: tuple[str, ...] = ()
    played: tuple[int, ...] = ()
    box = 0
    if shows == "turn":
        hand = tuple(_take_known(row, "hand", row.take_texts("hand"), [kind.id for kind in board.cards]))
        value = row.raw("played")
        if not isinstance(value, list) or not all(n in range(1, len(hand) + 1) for n in value):
            row.note("played", "is not a list of cards of the hand", f"numbers from 1 to {len(hand)}")
        else:
            played = tuple(n - 1 for n in value)
    if shows == "alliance":
        box = row.take_int("box", 1, len(board.alliances))
    return PositionExample(id=row.take_text("id"), shows=shows, lands=lands, cloisters=cloisters,
                           councillors=councillors, hand=hand, played=played, box=box)


def _take_letters(row: Fields, key: str, countries: list[str]) -> dict[str, str]:
    if not row.is_table(key):
        return {}
    table = row.take_table(key)
    letters = {country: table.take_text(country) for country in table}
    table.close()
    return {country: letters[country] for country in _take_known(row, key, tuple(letters), countries)}


def _take_known(row: Fields, key: str, names: tuple[str, ...], known: list[str]) -> list[str]:
    for name in names:
        if name not in known:
            row.note(key, f"{name!r} is not known", Phrase("known", message=join_names(known)))
    return [name for name in names if name in known]


def _take_piece(row: Fields, key: str, letter: str) -> PlacedPiece | None:
    if letter.upper() not in EXAMPLE_SEATS:
        row.note(key, f"{letter!r} is not a player",
                 f"{EXAMPLE_SEATS[0]} to {EXAMPLE_SEATS[-1]}, or a small letter for a new piece")
        return None
    return PlacedPiece(EXAMPLE_SEATS.index(letter.upper()), letter.islower())


# --- Pictures of the map, drawn for their size ---

MapValues = dict[str, Any]

TEMPLATE = "board_game/figures/map.svg.j2"
PIECE, COUNCILLOR = 4.9, 4.3  # sizes of a cloister and a councillor in mm, whatever the scale of the map
MIN_DISC = 1.3  # smallest radius of a space, in mm
LETTERS = 2.0  # type size of the countries' codes, in mm: over 5 points
HALF_CODE = Size(1.5, 0.7)  # half of the room of a code, in mm
CODE_REACH = 8.0  # mm from the rim of a coat of arms that its code may reach, with room around it
CODE_AWAY = 2.0  # mm from the rim of a coat of arms that its code may lie outside of its country
CODE_ROOM = 0.35  # mm between a code and other things
FINE = 0.2  # smallest distance of two points of an outline, in mm across and down together; nearer ones are left out
NUMBER_STEP = 5  # every fifth square of the score track is dark and has a number
MAX_GROUNDS = 128  # in memory: those of a booklet, some twenty, for several pages, the same in each language


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A window of the board, in mm of the board, and the scale of its picture."""

    window: Rect
    scale: float

    @property
    def size(self) -> Size:
        return Size(self.window.width * self.scale, self.window.height * self.scale)

    def at(self, point: BoardPoint) -> BoardPoint:
        """Map a point of the board to the picture."""
        return BoardPoint(round((point.x - self.window.x) * self.scale, 2),
                          round((point.y - self.window.y) * self.scale, 2))

    def shows(self, points: Iterable[BoardPoint], room: float = 0.0) -> bool:
        """True if the bounding box of points of the board, with ``room`` around it, reaches into the window."""
        window, (xs, ys) = self.window, zip(*points, strict=True)
        return bool(min(xs) - room < window.right and max(xs) + room > window.x
                    and min(ys) - room < window.bottom and max(ys) + room > window.y)


def area_around(board: Board, points: Sequence[BoardPoint], room: float) -> Rect:
    """The bounding box of points, with ``room`` around them as far as the map reaches; in mm of the board."""
    frame = board.frame
    left, top = (max(min(values) - room, edge) for values, edge in
                 zip(zip(*points, strict=True), (frame.left, frame.top), strict=True))
    right, bottom = (min(max(values) + room, edge) for values, edge in
                     zip(zip(*points, strict=True), (frame.right, frame.bottom), strict=True))
    return Rect(left, top, right - left, bottom - top)


def whole_board(source: FigureSource, width: float, anchors: Mapping[str, BoardPoint]) -> FaceRequest:
    """Draw the empty board with its track; ``anchors`` are for numbers, without them it is only an icon."""
    board = source.board
    view = View(window=Rect(0, 0, board.width, board.height), scale=width / board.width)
    values = {**_ground(board, source.borders, view, frozenset(board.labels)),
              "boxes": [_box(alliance, view) for alliance in board.alliances],
              "spaces": [{**view.at(space.at)._asdict(), "piece": None} for space in board.spaces],
              "courts": [_court(country.court, country.arms, view) for country in board.countries],
              "track": _track(board, view),
              "anchors": [{"name": name, **view.at(place)._asdict()} for name, place in anchors.items()]}
    if anchors:
        values["codes"] = _codes(source, values, view)
    else:
        values |= {"boxes": [], "track": {**values["track"], "numbers": []},
                   "sizes": {**values["sizes"], "disc": board.space_radius * view.scale}}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"board {width:g}")


def paint_lands(source: FigureSource, width: float) -> MapValues:
    """Values of the whole map, ``width`` mm wide, for another picture: its size, lands, roads and spaces."""
    board, frame = source.board, source.board.frame
    window = Rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
    view = View(window=window, scale=width / window.width)
    ground = _ground(board, source.borders, view, frozenset(board.labels))
    return {"width": view.size.width, "height": view.size.height,
            **{key: ground[key] for key in ("lands", "coasts", "borders", "isles", "roads")},
            "spaces": [view.at(space.at)._asdict() for space in board.spaces]}


def plain_lands(source: FigureSource, countries: Sequence[str], width: float) -> FaceRequest:
    """Draw countries without anything on them, ``width`` mm wide."""
    ring = [point for country in countries for point in source.borders.ring(country)]
    window = area_around(source.board, ring, 6)
    view = View(window=window, scale=width / window.width)
    values = {**_ground(source.board, source.borders, view, frozenset(countries)), "roads": [],
              "boxes": [], "spaces": [], "courts": []}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"land {'+'.join(countries)} {width:g}")


def position(source: FigureSource, example: PositionExample, window: Rect, scale: float,
             chains: Sequence[Sequence[str]] = (), free: int = 0) -> BookletPicture:
    """Draw a position in a window of the board, roads of ``chains`` thick, ``free`` places for councillors dotted."""
    board, view = source.board, View(window=window, scale=scale)
    linked = {frozenset(pair) for chain in chains for pair in pairwise(chain)}
    linked |= {frozenset((chain[0], chain[-1])) for chain in chains}  # closes a ring; other chains have no such road
    spaces = []
    for space in board.spaces:
        if view.shows([space.at], board.space_radius):
            piece = example.cloisters.get(space.id)
            spaces.append({**view.at(space.at)._asdict(), "piece": piece and source.piece_values(piece)})
    courts = []
    for country in board.countries:
        if view.shows([country.court.at], country.court.radius):
            pieces = [source.piece_values(piece) for piece in example.councillors.get(country.id, ())]
            pieces += [{"letter": ""}] * (free if country.id in example.lands else 0)
            courts.append(_court(country.court, country.arms, view, pieces))
    boxes = [_box(alliance, view) for alliance in board.alliances if alliance.box == example.box]
    values = {**_ground(board, source.borders, view, frozenset(example.lands), frozenset(linked)), "spaces": spaces,
              "courts": courts, "boxes": boxes}
    values["codes"] = _codes(source, values, view)
    request = FaceRequest(template=TEMPLATE, size=view.size, values=values, key=example.id)
    return BookletPicture(request=request, box=Rect(0, 0, view.size.width, view.size.height), corner=0.8)


@lru_cache(maxsize=MAX_GROUNDS)
def _ground(board: Board, borders: Borders, view: View, focus: frozenset[str],
            links: frozenset[frozenset[str]] = frozenset()) -> MapValues:
    """Lands, coasts, borders and roads; the countries in ``focus`` have a stronger colour."""
    scale = view.scale
    played = {country.id for country in board.countries}
    lands = []
    for land in borders.lands:
        ring = borders.ring(land)
        if view.shows(ring):
            lands.append({"path": _path(ring, view, closed=True), "played": land in played, "focus": land in focus,
                          "tint": board.kind_by_country[land].tint if land in played else ""})
    sides = Counter(arc_index(number) for ring in borders.lands.values() for number in ring)
    arcs = [(count, borders.arcs[index]) for index, count in sorted(sides.items()) if view.shows(borders.arcs[index])]
    roads = [{"path": f"M{start.x:g} {start.y:g}Q{bend.x:g} {bend.y:g} {end.x:g} {end.y:g}",
              "strong": frozenset(road.ends) in links}
             for road in board.roads if view.shows(board.road_line(road, 4))
             for start, bend, end in [map(view.at, board.road_curve(road))]]
    return {"lands": lands, "coasts": [_path(line, view) for count, line in arcs if count == 1],
            "borders": [_path(line, view) for count, line in arcs if count > 1],
            "isles": [_path(isle, view, closed=True) for isle in borders.isles if view.shows(isle)],
            "roads": sorted(roads, key=lambda road: road["strong"]), "codes": [], "track": None, "anchors": [],
            "sizes": {"disc": max(board.space_radius * scale, MIN_DISC), "piece": PIECE, "councillor": COUNCILLOR,
                      "box": max(board.box_side * scale, 2.9), "ribbon": max(1.3 * scale, 0.45),
                      "road": max(2.4 * scale, 0.62), "shield": 13 * scale}}


def _codes(source: FigureSource, values: MapValues, view: View) -> list[MapValues]:
    """The code of each country at its coat of arms, at the first place with room, or where most is (mm of the picture).

    Places are tried around the arms, from below, then farther away, the farthest in the country alone; arms that the
    edge cuts may go without a code.
    Roofs rise above half of the size of a piece, and spaces have a rim.
    """
    board, sizes, half = source.board, values["sizes"], HALF_CODE
    things = [*((piece["x"], piece["y"], 0.55 * COUNCILLOR) for court in values["courts"] for piece in court["pieces"]),
              *((space["x"], space["y"], 0.57 * PIECE if space["piece"] else sizes["disc"] + 0.2)
                for space in values["spaces"]),
              *((box["x"], box["y"], 0.7 * sizes["box"]) for box in values["boxes"])]
    codes = []
    for country in board.countries:
        if not view.shows([country.court.at]):
            continue
        at, radius = view.at(country.court.at), country.court.radius * view.scale
        land, reach = source.borders.ring(country.id), radius + CODE_REACH
        near = [thing for thing in things if dist(at, thing[:2]) < reach + thing[2]]
        lines = _line_points(board, source.borders)[country.id]
        near += [(*view.at(point), sizes["road"] / 2) for _, point in lines[:bisect_left(lines, (reach / view.scale,))]]
        most, place = -100.0, at
        for away, turn in product((0.4, 1.2, CODE_AWAY, 3.0, 4.0), range(0, 360, 15)):
            across, down = sin(radians(turn)), cos(radians(turn))
            far = radius + away + half.width * abs(across) + half.height * abs(down)
            x, y = at.x + far * across, at.y + far * down
            room = min(x, y, view.size.width - x, view.size.height - y) - half.width
            for other_x, other_y, wide in near:
                across_gap, down_gap = abs(x - other_x) - half.width, abs(y - other_y) - half.height
                gap = hypot(across_gap, down_gap) if across_gap > 0 < down_gap else max(across_gap, down_gap, 0)
                room = min(room, gap - wide)
                if room <= most:
                    break
            if room > most and (away <= CODE_AWAY or is_inside([complex(*view.at(point)) for point in land], x, y)):
                most, place = room, BoardPoint(x, y)
            if most >= CODE_ROOM:
                break
        if most > 0 or radius < min(at.x, at.y, view.size.width - at.x, view.size.height - at.y):
            codes.append({"x": round(place.x, 2), "y": round(place.y + half.height, 2), "words": country.code,
                          "size": LETTERS})
    return codes


@lru_cache(maxsize=1)
def _line_points(board: Board, borders: Borders) -> Mapping[str, Sequence[tuple[float, BoardPoint]]]:
    """By country, the points of roads, borders and coasts (mm of the board) after their distance from its arms."""
    points = [point for line in (*(board.road_line(road, 24) for road in board.roads), *borders.arcs) for point in line]
    return {country.id: sorted((dist(country.court.at, point), point) for point in points)
            for country in board.countries}


def _court(court: Court, arms: str, view: View, councillors: Sequence[MapValues] = ()) -> MapValues:
    """A coat of arms with councillors in a row below its centre, four and more in two rows."""
    at, radius, count = view.at(court.at), court.radius * view.scale, len(councillors)
    columns = count if count < 4 else ceil(count / 2)
    pieces = []
    for n, piece in enumerate(councillors):
        row, rows = n // columns, ceil(count / columns)
        here = min(columns, count - row * columns)
        x = at.x + (n % columns - (here - 1) / 2) * COUNCILLOR * 0.93
        y = at.y + (0.28 * radius if rows == 1 else (row - 0.5) * COUNCILLOR * 0.98)
        pieces.append({"x": round(x, 2), "y": round(y, 2), **piece})
    return {**at._asdict(), "radius": round(radius, 2), "arms": arms, "pieces": pieces}


def _box(alliance: Alliance, view: View) -> MapValues:
    return {**view.at(alliance.at)._asdict(), "number": alliance.box, "water": alliance.water,
            "ribbon": curve(tuple(map(view.at, alliance.ribbon)))}


def _track(board: Board, view: View) -> MapValues:
    """The score track: its rim, the lines between the squares, the dark ones and their numbers."""
    side = board.square
    corners = (BoardPoint(0, 0), BoardPoint(board.width, 0), BoardPoint(board.width, board.height),
               BoardPoint(0, board.height))
    inner = (BoardPoint(side, side), BoardPoint(board.width - side, side),
             BoardPoint(board.width - side, board.height - side), BoardPoint(side, board.height - side))
    squares = [tuple(BoardPoint(x + dx, y + dy) for dx, dy in ((0, 0), (side, 0), (side, side), (0, side)))
               for x, y in board.track()]
    dark = squares[::NUMBER_STEP]
    numbers = [{"words": n * NUMBER_STEP, "x": middle.x, "y": middle.y + 0.6}
               for n, middle in enumerate(view.at(BoardPoint(square[0].x + side / 2, square[0].y + side / 2))
                                          for square in dark)]
    return {"rim": f"{_path(corners, view, closed=True)}{_path(inner, view, closed=True)}", "numbers": numbers,
            "dark": "".join(_path(square, view, closed=True) for square in dark),
            "lines": "".join(_path(square, view, closed=True) for square in squares)}


def _path(line: Sequence[BoardPoint], view: View, closed: bool = False) -> str:
    left, top, scale = view.window.x, view.window.y, view.scale  # as view.at() has it, for thousands of points
    first, *rest, last = [(round((x - left) * scale, 2), round((y - top) * scale, 2)) for x, y in line]
    points, (before_x, before_y) = [first], first
    for x, y in rest:
        if abs(x - before_x) + abs(y - before_y) >= FINE:
            points.append((x, y))
            before_x, before_y = x, y
    return "M" + "L".join([f"{x:g} {y:g}" for x, y in (*points, last)]) + ("Z" if closed else "")


# --- Figures ---

CARD_RATIO = 68 / 44  # height of a card in parts of its width
RED = "#B8352E"  # colour of the frame of played cards
VEIL = 0.55  # opacity of the white veil over the other cards
HAND_CARD_WIDTH = 9.6  # width of a card in a hand, in mm
PARTS_OF_BOARD = ("country", "space", "road", "court", "box", "water", "track")
"""Numbered parts in the picture of the board: the keys of their words, and the anchors of the picture."""
BOARD_SHARE = 0.84  # width of the picture of the board, in parts of the text's width
SCALE = {"turn": 0.25, "limit": 0.38, "cloisters": 0.35, "alliance": 0.30, "chain": 0.24}
"""Scale of the maps of the examples, by topic …"""
MAX_HEIGHT_MM = {"turn": 25.0, "limit": 33.0, "cloisters": 31.0, "alliance": 28.0, "chain": 29.0}
"""… and their largest heights: a map that would be higher is smaller."""
MARGIN = 13.0  # margin of a map around the points that it must show, in mm of the board


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSource(RulesSource):
    """Source of the figures: board, outlines, texts, names of players by seat; ``measure`` is the text's width."""

    board: Board
    borders: Borders
    names: Sequence[str]
    measure: float

    @property
    def scale(self) -> float:
        """The width of the text in parts of that of A5, for which the figures are made."""
        return self.measure / 122

    def piece_values(self, piece: PlacedPiece) -> MapValues:
        player = self.board.players[piece.seat]
        return {"player": player.player, "colour": player.colour, "shape": player.shape,
                "letter": self.names[piece.seat][0], "fresh": piece.fresh}

    def card_name(self, kind: CardKind) -> str:
        """The name of a card: its countries."""
        return "/".join(map(self.country_name, kind.countries))

    def card(self, kind: CardKind, x: float, y: float, width: float, *, veil: float = 0.0,
             frame: str = "") -> BookletPicture:
        countries = {country.id: country for country in self.board.countries}
        size = Size(width, width * CARD_RATIO)
        values = {"kind": {"colour": kind.colour, "sign": kind.sign},
                  "countries": [{"arms": countries[id].arms, "code": countries[id].code} for id in kind.countries]}
        request = FaceRequest(template="board_game/figures/card.svg.j2", size=size, values=values,
                              key=f"{kind.id} {width:g}")
        return BookletPicture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07, veil=veil,
                              frame=frame)

    def card_back(self, x: float, y: float, width: float) -> BookletPicture:
        size = Size(width, width * CARD_RATIO)
        request = FaceRequest(template="board_game/figures/card-back.svg.j2", size=size, values={}, key=f"{width:g}")
        return BookletPicture(request=request, box=Rect(x, y, size.width, size.height), corner=width * 0.07)

    def arms(self, arms: str, width: float) -> FaceRequest:
        """A coat of arms alone."""
        return FaceRequest(template="board_game/figures/arms.svg.j2", size=Size(width, width * 1.2),
                           values={"arms": arms}, key=arms)

    def piece(self, kind: str, seat: int | None, x: float, y: float, side: float) -> BookletPicture:
        """A ``cloister``, ``councillor`` or score ``marker`` of a player; the black marker has no seat."""
        player = Player(0, "", "") if seat is None else self.board.players[seat]
        who = {**player._asdict(), "letter": "", "fresh": False}
        request = FaceRequest(template="board_game/figures/piece.svg.j2", size=Size(side, side),
                              values={"of": kind, "who": who}, key=f"{kind} {seat} {side:g}")
        return BookletPicture(request=request, box=Rect(x, y, side, side), outline=False)


def board_figure(source: FigureSource) -> Figure:
    """Draw the whole board with its parts numbered in the order of :data:`PARTS_OF_BOARD`."""
    model, width, room, half = source.board, source.measure * BOARD_SHARE, 4.4, source.board.box_side / 2
    west = min(source.borders.ring(model.countries[0].id))
    space = min(model.spaces, key=lambda space: space.at.y).at
    road = max(model.roads, key=lambda road: min(model.space[end].at.x for end in road.ends))
    court = min((country.court for country in model.countries[1:]), key=lambda court: court.at.y + court.at.x / 20)
    land, water = (next(each.at for each in model.alliances if each.water == wet) for wet in (False, True))
    # Anchors lie near an edge of the map, where the numbers stand.
    anchors = {"country": BoardPoint(west.x + 12, west.y), "space": BoardPoint(space.x, space.y - model.space_radius),
               "road": model.road_line(road)[12], "court": BoardPoint(court.at.x, court.at.y - court.radius),
               "box": BoardPoint(land.x - half, land.y), "water": BoardPoint(water.x - half, water.y),
               "track": BoardPoint(model.square / 2, model.height * 0.58)}
    request = whole_board(source, width - 2 * room, anchors)
    box = Rect(room, room, request.size.width, request.size.height)
    numbers = Numbers(picture=BookletPicture(request=request, box=box, corner=0.6), anchors=PARTS_OF_BOARD, room=room)
    return Figure(size=Size(width, box.bottom + 0.3), parts=(numbers,), alt=source.say("board.alt"))


def placing_figure(source: FigureSource) -> Figure:
    """Draw the 3-2-1 rule: three cards, two pieces, one country."""
    seal, width, top = 8.0, 8.0, 0.4
    step = source.measure / 3
    kinds = source.board.cards[:3]
    parts: list[BookletPicture | FigureLabel] = []
    for n, key in enumerate(("three", "two", "one")):
        parts.append(FigureLabel(words=str(3 - n), box=Rect(step * n, top + 2.2, seal, seal), align="center", size=15,
                                 style="title", seal=True))
        parts.append(FigureLabel(words=source.say(f"placing.{key}"), box=Rect(step * n, top + 14.2, step - 2, 4.4),
                                 size=8.6, style="italic"))
    x = seal + 1.6
    parts += [source.card(kind, x + n * (width + 0.7), top, width) for n, kind in enumerate(kinds)]
    parts += [source.piece(kind, 0, step + x + n * 11, top + 1.6, 9.4)
              for n, kind in enumerate(("cloister", "councillor"))]
    land = plain_lands(source, ["aragon"], 15)
    parts.append(BookletPicture(request=land, box=Rect(2 * step + x, top, 15, min(land.size.height, 13.4)), corner=0.6))
    return Figure(size=Size(source.measure, top + 18.8), parts=tuple(parts),
                  alt=source.say("placing.three_two_one_alt"))


def hand_figure(source: FigureSource, cards: Sequence[str], played: Sequence[int]) -> Figure:
    """Draw the cards of a hand side by side; played ones are framed, the others veiled."""
    kinds = [kind for id in cards for kind in source.board.cards if kind.id == id]
    gap, edge = 1.3, 0.6
    parts = tuple(source.card(kind, edge + n * (HAND_CARD_WIDTH + gap), edge, HAND_CARD_WIDTH,
                              veil=0 if n in played else VEIL, frame=RED if n in played else "")
                  for n, kind in enumerate(kinds))
    names = [source.card_name(kind) for kind in kinds]
    return Figure(size=Size(parts[-1].box.right + edge, parts[0].box.bottom + edge), parts=parts,
                  alt=source.say("figures.hand", cards=source.join_words(names),
                                 played=source.join_words(names[n] for n in played)))


def scene_figure(source: FigureSource, example: PositionExample, chains: Sequence[Sequence[str]] = (), free: int = 0,
                 caption: TextLine = (), width: float = 0) -> Figure:
    """Draw the part of the map that an example is about, with its pieces; a ``width`` is filled, at full height."""
    window = area_around(source.board, _points_to_show(source, example), MARGIN)
    height = MAX_HEIGHT_MM[example.shows]
    scale = min(SCALE[example.shows] * source.scale, height / window.height)
    if width:
        window = _widened(window, Size(width / scale, height / scale), source.board.frame)
    picture = position(source, example, window, scale, chains, free)
    alt = source.say("figures.chain", spaces=source.join_words(example.cloisters),
                     chains=_list_or_nothing(source, ["–".join(chain) for chain in chains])
                     ) if example.shows == "chain" else _describe(source, example)
    return Figure(size=picture.box.size, parts=(picture,), alt=alt, caption=caption)


def _widened(window: Rect, size: Size, frame: Frame) -> Rect:
    """A window of a size around another one, inside the map's frame."""
    def start(middle: float, length: float, low: float, high: float) -> float:
        return max(low, min(middle - length / 2, high - length))

    return Rect(start(window.x + window.width / 2, size.width, frame.left, frame.right),
                start(window.y + window.height / 2, size.height, frame.top, frame.bottom), size.width, size.height)


def table_figure(source: FigureSource) -> Figure:
    """Draw the table at the start: board, cards, and the pieces and hand of each player."""
    model, measure, scale = source.board, source.measure, source.scale
    wide, top, card, own = 56.0 * scale, 9.4, 7.0 * scale, 2.75 * scale
    request = whole_board(source, wide, {})
    plan = Rect((measure - wide) / 2, top, wide, request.size.height)
    parts: list[BookletPicture | FigureLabel | BookletArea] = [BookletPicture(request=request, box=plan, corner=0.6)]
    square = model.square * wide / model.width
    zero = Point(plan.x + square / 2 - 1.4, plan.bottom - square / 2 - 1.4)
    parts += [source.piece("marker", seat, zero.x + (seat - 1) * 1.1, zero.y - seat * 0.5, 2.6)
              for seat in range(MIN_PLAYERS)]
    parts += _piles(source, plan, card)
    seats = [Point(0.4, plan.bottom + 2.2), Point(measure / 2 + 1, plan.bottom + 2.2), Point(plan.x, 0.6)]
    for seat, spot in enumerate(seats):
        own_pieces: list[tuple[str, float, int]] = [("cloister", n % 10, n // 10) for n in range(model.cloisters)]
        own_pieces += [("councillor", 10.5 + n % 4, n // 4) for n in range(model.councillors)]
        parts += [source.piece(kind, seat, spot.x + column * own, spot.y + row * own * 1.1, own - 0.25)
                  for kind, column, row in own_pieces]
        parts += [source.card_back(spot.x + 15.2 * own + n * 4.2 * scale, spot.y - 0.4, 4.0 * scale)
                  for n in range(HAND)]
    parts.append(source.piece("marker", None, seats[0].x + 19.2 * own + 2.4, seats[0].y + 1.2, 3.4))
    return Figure(size=Size(measure, seats[0].y + 2.2 * own + 0.6), parts=tuple(parts),
                  alt=source.say("setup.alt", cloisters_each=model.cloisters, councillors_each=model.councillors,
                                 hand=HAND), caption=parse_line(source.say("setup.caption")), floats=True)


def _piles(source: FigureSource, plan: Rect, card: float) -> Iterator[BookletPicture | FigureLabel | BookletArea]:
    """The place of the discard pile to the left of the board; draw pile and open cards to its right."""
    y, left, right, height = plan.y + 9.0, (plan.x - card) / 2, plan.right + 2.0, card * CARD_RATIO
    open_pile = f"{source.say('setup.pile_label')}\n{source.say('setup.open_label')}"
    yield BookletArea(box=Rect(left, y, card, height), stroke="#000000", corner=0.6)
    yield FigureLabel(words=source.say("setup.discard_label"), box=Rect(0, y + height + 0.6, plan.x - 1, 4),
                      align="center", size=7.5, style="italic")
    for n in range(3):
        yield source.card_back(right + n * 0.5, y - n * 0.5, card)
    for n, kind in enumerate(source.board.cards[:OPEN], 1):
        yield source.card(kind, right + (card + 1.4) * n + 0.6, y, card)
    yield FigureLabel(words=open_pile, box=Rect(plan.right, y + height + 0.6, source.measure - plan.right, 8),
                      align="center", size=7.5, style="italic")


def row_figure(pictures: Sequence[BookletPicture], alt: str) -> Figure:
    """Combine pictures that have their places to one figure."""
    return Figure(size=Size(max(picture.box.right for picture in pictures) + 0.3,
                            max(picture.box.bottom for picture in pictures) + 0.3), parts=tuple(pictures), alt=alt)


def _points_to_show(source: FigureSource, example: PositionExample) -> list[BoardPoint]:
    model = source.board
    courts = [country.court for country in model.countries if country.id in example.lands]
    if example.shows == "chain":
        return [model.space[label].at for label in example.cloisters]
    if example.shows == "alliance":
        rims = [BoardPoint(court.at.x + dx * court.radius, court.at.y + dx * court.radius)
                for court in courts for dx in (-1, 1)]
        return [*rims, model.alliances[example.box - 1].at]
    spaces = [space.at for space in model.spaces if space.country in example.lands]
    return [*spaces, *(court.at for court in courts)]


def _describe(source: FigureSource, example: PositionExample) -> str:
    """Alternative text of a position: the pieces of each player in each country of the picture."""
    sentences = []
    for country in example.lands:
        cloisters, councillors = (
            _list_or_nothing(source, [source.say("figures.holds", name=name, count=count)
                                      for name, count in zip(source.names, counts, strict=True) if count])
            for counts in (example.cloister_counts(source.board, country), example.councillor_counts(country)))
        sentences.append(source.say("figures.told", country=source.country_name(country), cloisters=cloisters,
                                    councillors=councillors))
    return source.say("figures.map", told=" ".join(sentences))


def _list_or_nothing(source: FigureSource, words: Sequence[str]) -> str:
    return source.join_words(words) if words else source.say("figures.nothing")


# --- Rules ---

HAND, OPEN = 3, 2  # cards in a hand, and open cards next to the draw pile
NARROW = 28  # widest alliance that fits three columns, in letters (a kana is two); wider ones stand in two
SHIELD, SHIELD_BY_KANA = 5.2, 4.6  # width of arms in the overview, in mm; kana take more of the page


def cards_removed(players: int) -> int:
    """Number of cards of each kind that go back into the box (Danish rules, section 'Forberedelse')."""
    return MAX_PLAYERS - players


def material(source: FigureSource, values: Mapping[str, object]) -> Sequence[Block]:
    """List the contents of the box, with a picture of each sort."""
    side = 6.0
    players = range(len(source.board.players))
    pieces = {kind: [source.piece(kind, seat, 0.2 + seat * (side + 0.7), 0.2, side) for seat in players]
              for kind in ("cloister", "councillor", "marker")}
    black = source.piece("marker", None, 0.2 + len(players) * (side + 0.7), 0.2, side)
    cards = [source.card(kind, 0.2 + n * 8.2, 0.2, 7.6) for n, kind in enumerate(source.board.cards)]
    lands = plain_lands(source, [country.id for country in source.board.countries], 17)
    small = BookletPicture(request=lands, box=Rect(0.2, 0.2, lands.size.width, lands.size.height), corner=0.5)
    pictures = {
        "board": Figure(size=Size(lands.size.width + 0.4, lands.size.height + 0.4), parts=(small,),
                        alt=source.say("material.board_alt")),
        "cards": row_figure(cards, source.say("material.cards_alt")),
        "cloisters": row_figure(pieces["cloister"], source.say("material.cloisters_alt")),
        "councillors": row_figure(pieces["councillor"], source.say("material.councillors_alt")),
        "markers": row_figure([*pieces["marker"], black], source.say("material.markers_alt"))}
    rows = tuple((figure, parse_line(source.say(f"material.{key}", **values))) for key, figure in pictures.items())
    return (BookletTable(head=(), rows=rows, widths=(43.5, 0), plain=True),
            Paragraph(parse_line(source.say("material.note").strip())))


def piles(source: FigureSource) -> BookletTable:
    """List the cards removed and left for each number of players."""
    total = sum(kind.copies for kind in source.board.cards)
    rows = []
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        removed = cards_removed(players)
        left = total - removed * len(source.board.cards)
        cells = (players, removed or source.say("setup.none"), left, left - HAND * players - OPEN)
        rows.append(tuple((Span(str(cell)),) for cell in cells))
    head = tuple(parse_line(source.say(f"setup.{key}")) for key in ("players", "removed", "left", "pile"))
    return BookletTable(head=head, rows=tuple(rows), widths=(20, 0, 28, 30), centred=(0, 1, 2, 3))


def boxes(source: FigureSource) -> BookletTable:
    """List the countries of each alliance; those over water are marked."""
    cells: list[TextLine] = []
    for alliance in source.board.alliances:
        one, other = map(source.country_name, alliance.countries)
        words = {wet: source.say(f"alliances.{key}", box=alliance.box, one=one, other=other)
                 for wet, key in ((False, "by_land"), (True, "by_water"))}
        cells.append(parse_line(words[alliance.water]))
    widest = max(display_width("".join(span.words for span in cell)) for cell in cells)
    columns = 3 if widest <= NARROW else 2
    rows = -(-len(cells) // columns)
    cells += [()] * (columns * rows - len(cells))
    return BookletTable(head=(), rows=tuple(tuple(cells[n::rows]) for n in range(rows)), widths=(0,) * columns,
                        plain=True)


def overview(source: FigureSource) -> BookletTable:
    """List the countries with their codes, numbers of spaces and cards, and alliances."""
    board = source.board
    names = [source.country_name(country.id) for country in board.countries]
    kana = display_width(names[0]) > len(names[0])
    side = SHIELD_BY_KANA if kana else SHIELD
    rows: list[tuple[TextLine | Figure, ...]] = []
    for country, name in zip(board.countries, names, strict=True):
        partners = [source.say("lands.partner", country=source.country_name(other), box=alliance.box)
                    for alliance in board.alliances if country.id in alliance.countries
                    for other in alliance.countries if other != country.id]
        if kana:  # They would break anywhere: two lines of about the same length.
            half = min(range(1, len(partners)), key=lambda at: max(
                display_width("".join(words)) for words in (partners[:at], partners[at:])))
            partners[half] = f"\n{partners[half]}"
        arms = BookletPicture(request=source.arms(country.arms, side), box=Rect(0.2, 0.2, side, side * 1.2),
                              outline=False)
        numbers = (len(board.labels[country.id]), board.kind_by_country[country.id].copies)
        rows.append((Figure(size=Size(side + 0.4, side * 1.2 + 0.4), parts=(arms,), alt=name),
                     (Span(name, strong=True),), *((Span(str(words)),) for words in (country.code, *numbers)),
                     (Span(source.join_words(partners)),)))
    head = ((), *(parse_line(source.say(f"lands.{key}")) for key in ("country", "code", "spaces", "cards", "partners")))
    return BookletTable(head=head, rows=tuple(rows), widths=(side + 3, 24, 10, 10.5, 11, 0), centred=(2, 3, 4))


# --- The booklet ---

CONTENTS = RulesContents(
    sections=("idea", "material", "board", "setup", "turn", "placing", "cloister", "councillor", "drawing", "exchange",
              "interim", "end", "scoring", "cloisters", "alliances", "chains", "winner", "tips", "ours", "lands"),
    below=("placing", "cloister", "councillor", "drawing", "exchange", "cloisters", "alliances", "chains", "winner"),
    panels=("ours",), last="lands", size=9.0, compact=True)
"""Set so that the booklet has eight pages, two sheets, in every language."""
PANEL, GUTTER = 6.0, 4.0  # both edges of a panel, and between two columns, in mm, as in `booklet.typ`
COVER_HEIGHT, COVER_MAP = 0.44, 0.37  # of the cover picture, and the map in it, by its width


def rules_of_board_game(board: Board, borders: Borders, folder: Path, texts: Texts, parts: Sequence[Part], page: Size,
                        ink: str) -> Booklet:
    """Write the rules from a data ``folder`` for a page size and an ink. Raises InputError for its examples."""
    names = [texts(f"rules.players.{seat}") for seat in SEATS]
    source = FigureSource(board=board, borders=borders, texts=texts, names=names, measure=column_width(page))
    author, width = _RulesAuthor(source, read_examples(folder, board)), source.measure
    cover = source.cover("board_game/rules-cover.svg.j2", Size(width, width * COVER_HEIGHT),
                         {"shields": [country.arms for country in board.countries],
                          "map": paint_lands(source, width * COVER_MAP)}, countries=len(board.countries))
    return rules_booklet(CONTENTS, cover, texts, page, ink, inserts=author.inserts, values=author.values)


class _RulesAuthor:
    """Collects the values and the blocks that the texts of the sections insert."""

    def __init__(self, source: FigureSource, examples: Sequence[PositionExample]) -> None:
        self.source, self.board, self.say, self.examples = source, source.board, source.say, examples
        self.names = dict(zip(SEATS, source.names, strict=True))
        self.values = self._values()
        self.inserts = self._inserts()

    def _values(self) -> dict[str, object]:
        board, join_words = self.board, self.source.join_words
        counts = [self.say("material.count", countries=self.source.card_name(kind), number=kind.copies)
                  for kind in board.cards]
        alone = next(kind for kind in board.cards if len(kind.countries) == 1)
        players = len(board.players)
        return {
            **self.names, "countries": len(board.countries), "alone": self.source.card_name(alone),
            "cards": sum(kind.copies for kind in board.cards), "counts": join_words(counts), "colours": players,
            "cloisters_each": board.cloisters, "cloisters": board.cloisters * players,
            "councillors_each": board.councillors, "councillors": board.councillors * players,
            "alliances": len(board.alliances), "hand": HAND, "open": OPEN, "chain": MIN_CHAIN,
            "water": join_words(str(alliance.box) for alliance in board.alliances if alliance.water),
            "order": join_words(self.source.country_name(country.id) for country in board.countries)}

    def _inserts(self) -> dict[str, Sequence[Block]]:
        examples = {topic: [example for example in self.examples if example.shows == topic] for topic in TOPICS}
        source = self.source
        return {
            "material": material(source, self.values), "piles": (piles(source),), "table": (table_figure(source),),
            "map": (board_figure(source), Listing(tuple(
                parse_line(self.say(f"board.{key}", **self.values)) for key in PARTS_OF_BOARD), numbered=True)),
            "three_two_one": (placing_figure(source),), "turns": self._turns(examples["turn"]),
            "limits": (self._limits(examples["limit"]),), "boxes": (boxes(source),),
            "chains": self._chains(examples["chain"]), "overview": (overview(source),),
            **{example.id: (self._example(example),) for example in (*examples["cloisters"], *examples["alliance"])}}

    def _turns(self, examples: Sequence[PositionExample]) -> Sequence[Block]:
        rows = []
        for example in examples:
            words = parse_line(self.say(f"examples.{example.id}", **self.names))
            rows.append((hand_figure(self.source, example.hand, example.played),
                         scene_figure(self.source, example), words))
        widths = tuple(max(figure.size.width for figure in column) + 2.8
                       for column in zip(*((hand, scene) for hand, scene, _ in rows), strict=True))
        return [Panel(blocks=(BookletTable(head=(), rows=(row,), widths=(*widths, 0), plain=True),)) for row in rows]

    def _chains(self, examples: Sequence[PositionExample]) -> Sequence[Block]:
        """The chains of the first player, two pictures of one size in a row."""
        width = (self.source.measure - PANEL) / 2 - 2 * CELL_INSET_MM
        roads = [road.ends for road in self.board.roads]
        scenes: list[Figure] = []
        for example in examples:
            chains = ChainSearch(example.spaces_of(0), roads).chains
            words = self.say(f"examples.{example.id}", first_points=sum(map(len, chains)), chain=MIN_CHAIN)
            scenes.append(scene_figure(self.source, example, chains, caption=parse_line(words), width=width))
        rows = [tuple(scenes[n:n + 2]) for n in range(0, len(scenes), 2)]
        return [Panel(blocks=(BookletTable(head=(), rows=(row,), widths=(0, 0), plain=True, on_top=True),))
                for row in rows]

    def _limits(self, examples: Sequence[PositionExample]) -> Panel:
        """Two countries side by side, with their limits of councillors; free places are dotted."""
        columns: list[tuple[Block, ...]] = []
        for example in examples:
            country = example.lands[0]
            cloisters, court = example.cloister_counts(self.board, country), example.councillors.get(country, ())
            limit, standing = max(cloisters), sum(not piece.fresh for piece in court)
            counts = {f"{seat}_count": count for seat, count in zip(SEATS, cloisters, strict=True)}
            words = self.say(f"examples.{example.id}", **self.names, **counts, limit=limit, standing=standing,
                             free=limit - standing)
            columns.append((scene_figure(self.source, example, free=limit - len(court)), Paragraph(parse_line(words))))
        half = (self.source.measure - PANEL - GUTTER) / 2
        return Panel(blocks=tuple(Beside(left=left, right=right, width=half)
                                  for left, right in zip(columns[::2], columns[1::2], strict=True)))

    def _example(self, example: PositionExample) -> Panel:
        points = self._points(example)
        values = {f"{seat}_points": score for seat, score in zip(SEATS, points, strict=True)}
        words = self.say(f"examples.{example.id}", **self.names, **values, box=example.box)
        figure = scene_figure(self.source, example)
        right = (Paragraph(parse_line(words)), self._holdings(example, points))
        return Panel(blocks=(Beside(left=(figure,), right=right, width=figure.size.width),))

    def _points(self, example: PositionExample) -> tuple[int, ...]:
        if example.shows == "alliance":
            return alliance_points(*map(example.councillor_counts, example.lands))
        return country_points(example.cloister_counts(self.board, example.lands[0]))

    def _holdings(self, example: PositionExample, points: Sequence[int]) -> BookletTable:
        """Pieces and points of each player; players without councillors are left out of an alliance."""
        alliance = example.shows == "alliance"
        columns = ([example.councillor_counts(country) for country in example.lands] if alliance
                   else [example.cloister_counts(self.board, example.lands[0])])
        heads = [*map(self.source.country_name, example.lands)] if alliance else [self.say("examples.held")]
        rows = []
        for seat, name in enumerate(self.source.names):
            counts = [column[seat] for column in columns]
            if alliance and not any(counts):
                continue
            rows.append(((Span(name),), *((Span(str(count or "–")),) for count in counts),
                         (Span(str(points[seat]), strong=True),)))
        head = tuple(parse_line(words) for words in (self.say("examples.player"), *heads, self.say("examples.points")))
        return BookletTable(head=head, rows=tuple(rows), widths=(0, *(16 for _ in columns), 13),
                            centred=tuple(range(1, len(columns) + 2)))


# --- Table ---
# The board game on the table, as the rules lay it out: board, cards beside it, pieces and hands in the seats.

PILE_DOWN = 30.0  # distance of the pile from the upper edge of the board in mm
DISCARDS_RIGHT, DISCARDS_DOWN = 40.0, 230.0  # the pile of played cards, from the corner of the pile, in mm


def table_of_board_game(board: Board, folder: Path) -> TableGame:
    """Open the table of the board game. Raises InputError for faults of its ``learn.toml``."""
    spots = {**{space.id: Point(*space.at) for space in board.spaces},
             **{country.id: Point(*country.court.at) for country in board.countries},
             "discards": Point(board.width + GAP + DISCARDS_RIGHT, PILE_DOWN + DISCARDS_DOWN)}
    return TableGame(least=MIN_PLAYERS, most=MAX_PLAYERS, set_up=partial(set_up, board), spots=spots,
                     tools=("flip", "shuffle"),
                     learn=load_steps(folder, partial(describe_board, board), spots, MIN_PLAYERS))


def set_up(board: Board, players: int, parts: Sequence[Part]) -> TableSetUp:
    """Lay out the parts that are there for a number of players."""
    pieces, sizes = {part.name: copies_of(part) for part in parts}, sizes_of(parts)
    seats = make_seats(players, board.height + 2 * GAP)
    places = [Place(x=0, y=0, pieces=(id,), fixed=True) for id in pieces.get("board", ())]
    kinds = Counter(pieces.get("cards", ()))
    cards = [kind for kind, count in kinds.items() for _ in range(count - cards_removed(players))]
    if cards:
        hands = [[cards.pop() for _ in range(min(HAND, len(cards)))] for _ in seats]
        shown = [cards.pop() for _ in range(min(OPEN, len(cards)))]
        x = board.width + GAP
        places.append(Place(x=x, y=PILE_DOWN, pieces=tuple(cards), up=False, mix="cards"))
        for id in shown:
            x += sizes[id].width + GAP / 2
            places.append(Place(x=x, y=PILE_DOWN, pieces=(id,), mix="cards"))
        for n, (seat, hand) in enumerate(zip(seats, hands, strict=True)):
            places += deal_to(n, seat, hand, sizes, dict.fromkeys(sizes, "cards"))
    zero = board.track()[0]
    for number, seat in enumerate(seats, 1):
        x = seat.right
        for kind in ("councillor", "cloister"):
            if own := tuple(id for id in pieces.get("pieces", ()) if id == f"{kind}-{number}"):
                x -= sizes[own[0]].width + GAP
                places.append(Place(x=x, y=seat.y + 12, pieces=own))
        if f"score-marker-{number}" in sizes:
            places.append(Place(x=zero.x + 1 + number % 2, y=zero.y + 2 - number, pieces=(f"score-marker-{number}",)))
        if f"aid-{number}" in sizes:
            x -= sizes[f"aid-{number}"].width + GAP
            places.append(Place(x=x, y=seat.y + 10, pieces=(f"aid-{number}",)))
    places += [Place(x=board.width + GAP + n * (sizes[id].width + GAP), y=PILE_DOWN + 100, pieces=(id,))
               for n, id in enumerate(id for id in ("start-player", "black-marker") if id in sizes)]
    return TableSetUp(seats=seats, places=tuple(places))
