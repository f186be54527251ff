"""Maps for the booklet of rules: the worked examples as positions, and pictures of the map or a part of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil, dist
from pathlib import Path
from typing import Any, Literal, cast

from ppgen.engine.booklets.booklet import BookletPicture
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.errors import join_names
from ppgen.games.board_game.board import Alliance, Board, BoardCountry, BoardPoint, Borders, Court, arc_index
from ppgen.games.board_game.drawn_map import curve
from ppgen.games.rules_booklet import take_examples
from ppgen.reading.fields import Fields
from ppgen.shipped import Phrase

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
            row.note("spaces", f"{country}: {len(letters)} letters, but there are {len(labels)} spaces",
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
FINE = 0.2  # smallest distance of two points of an outline, in mm across and down together; nearer ones are left out
NUMBER_STEP = 5  # every fifth square of the score track is dark and has a number
MAX_GROUNDS = 128  # in memory: those of a booklet, some twenty, for several pages, the same in each language


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Source of the maps: the board, its outlines, and the names of the examples' players by seat."""

    board: Board
    borders: Borders
    names: Sequence[str]

    def piece_values(self, piece: PlacedPiece) -> MapValues:
        player = self.board.players[piece.seat]
        return {"player": player.player, "colour": player.colour, "shape": player.shape,
                "letter": self.names[piece.seat][0], "fresh": piece.fresh}


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
        window, points = self.window, list(points)
        xs, ys = [point.x for point in points], [point.y for point in points]
        return (min(xs) - room < window.right and max(xs) + room > window.x
                and min(ys) - room < window.bottom and max(ys) + room > window.y)


def area_around(board: Board, points: Sequence[BoardPoint], room: float) -> Rect:
    """The bounding box of points, with ``room`` around them as far as the map reaches; in mm of the board."""
    frame = board.frame
    left, top = (max(min(values) - room, edge) for values, edge in
                 zip(zip(*points, strict=True), (frame.left, frame.top), strict=True))
    right, bottom = (min(max(values) + room, edge) for values, edge in
                     zip(zip(*points, strict=True), (frame.right, frame.bottom), strict=True))
    return Rect(left, top, right - left, bottom - top)


def whole_board(chart: Chart, width: float, anchors: Mapping[str, BoardPoint]) -> FaceRequest:
    """Draw the empty board with its track; ``anchors`` are for numbers, without them it is only an icon."""
    board = chart.board
    view = View(window=Rect(0, 0, board.width, board.height), scale=width / board.width)
    values = {**_ground(board, chart.borders, view, board.labels),
              "boxes": [_box(alliance, view) for alliance in board.alliances],
              "spaces": [{**_place(view.at(space.at)), "piece": None} for space in board.spaces],
              "courts": [_court(country.court, country.arms, view) for country in board.countries],
              "track": _track(board, view),
              "anchors": [{"name": name, **_place(view.at(place))} for name, place in anchors.items()]}
    if not anchors:
        values |= {"boxes": [], "codes": [], "track": {**values["track"], "numbers": []},
                   "sizes": {**values["sizes"], "disc": board.space_radius * view.scale}}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"board {width:g}")


def paint_lands(chart: Chart, width: float) -> MapValues:
    """Values of the whole map, ``width`` mm wide, for another picture: its size, lands, roads and spaces."""
    frame = chart.board.frame
    window = Rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
    view = View(window=window, scale=width / window.width)
    ground = _ground(chart.board, chart.borders, view, chart.board.labels)
    return {"width": view.size.width, "height": view.size.height,
            **{key: ground[key] for key in ("lands", "coasts", "borders", "isles", "roads")},
            "spaces": [_place(view.at(space.at)) for space in chart.board.spaces]}


def plain_lands(chart: Chart, countries: Sequence[str], width: float) -> FaceRequest:
    """Draw countries without anything on them, ``width`` mm wide."""
    ring = [point for country in countries for point in chart.borders.ring(country)]
    window = area_around(chart.board, ring, 6)
    view = View(window=window, scale=width / window.width)
    values = {**_ground(chart.board, chart.borders, view, countries), "roads": [], "codes": [], "boxes": [],
              "spaces": [], "courts": []}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"land {'+'.join(countries)} {width:g}")


def position(chart: Chart, example: PositionExample, window: Rect, scale: float, chains: Sequence[Sequence[str]] = (),
             free: int = 0) -> BookletPicture:
    """Draw a position in a window of the board, roads of ``chains`` thick, ``free`` places for councillors dotted."""
    board, view = chart.board, View(window=window, scale=scale)
    linked = {frozenset(pair) for chain in chains for pair in pairwise(chain)}
    linked |= {frozenset((chain[0], chain[-1])) for chain in chains}  # closes a ring; other chains have no such road
    spaces = []
    for space in board.spaces:
        if view.shows([space.at], board.space_radius):
            piece = example.cloisters.get(space.id)
            spaces.append({**_place(view.at(space.at)), "piece": chart.piece_values(piece) if piece else None})
    courts = []
    for country in board.countries:
        if view.shows([country.court.at], country.court.radius):
            pieces = [chart.piece_values(piece) for piece in example.councillors.get(country.id, ())]
            pieces += [{"letter": ""}] * (free if country.id in example.lands else 0)
            courts.append(_court(country.court, country.arms, view, pieces))
    boxes = [_box(alliance, view) for alliance in board.alliances if alliance.box == example.box]
    values = {**_ground(board, chart.borders, view, example.lands, linked), "spaces": spaces, "courts": courts,
              "boxes": boxes}
    request = FaceRequest(template=TEMPLATE, size=view.size, values=values, key=example.id)
    return BookletPicture(request=request, box=Rect(0, 0, view.size.width, view.size.height), corner=0.8)


def _ground(board: Board, borders: Borders, view: View, focus: Iterable[str],
            linked: Iterable[frozenset[str]] = ()) -> MapValues:
    """Lands, coasts, borders, roads and codes; the countries in ``focus`` have a stronger colour."""
    return _draw_ground(board, borders, view, frozenset(focus), frozenset(linked))


@lru_cache(maxsize=MAX_GROUNDS)
def _draw_ground(board: Board, borders: Borders, view: View, focus: frozenset[str],
                 links: frozenset[frozenset[str]]) -> MapValues:
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
    roads = [{"path": _bent(view, board.road_curve(road)), "strong": frozenset(road.ends) in links}
             for road in board.roads if view.shows(board.road_line(road, 4))]
    road_points = [point for road in board.roads for point in board.road_line(road, 8)]
    codes = [_code(country, board, road_points, view) for country in board.countries if view.shows([country.court.at])]
    return {"lands": lands, "coasts": [_path(line, view) for count, line in arcs if count == 1],
            "borders": [_path(line, view) for count, line in arcs if count > 1],
            "isles": [_path(isle, view, closed=True) for isle in borders.isles if view.shows(isle)],
            "roads": sorted(roads, key=lambda road: road["strong"]), "codes": codes, "track": None, "anchors": [],
            "sizes": {"disc": max(board.space_radius * scale, MIN_DISC), "piece": PIECE, "councillor": COUNCILLOR,
                      "box": max(board.box_side * scale, 2.9), "ribbon": max(1.3 * scale, 0.45),
                      "road": max(2.4 * scale, 0.62), "shield": 13 * scale}}


def _code(country: BoardCountry, board: Board, roads: Sequence[BoardPoint], view: View) -> MapValues:
    """The code of a country at its coat of arms, on the side that is farthest from spaces, roads and boxes."""
    at, radius = country.court.at, country.court.radius
    above, beside = (radius + LETTERS * share / view.scale for share in (0.5, 0.85))
    sides = [BoardPoint(at.x + across, at.y + down)
             for across, down in ((0, above), (0, -above), (beside, 0), (-beside, 0))]
    items = [*(space.at for space in board.spaces), *(alliance.at for alliance in board.alliances)]
    middle = view.at(max(sides, key=lambda side: min(min(dist(side, item) for item in items) - board.space_radius,
                                                     min(dist(side, point) for point in roads))))
    return {"x": middle.x, "y": round(middle.y + LETTERS * 0.32, 2), "words": country.code, "size": LETTERS}


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
    return {**_place(at), "radius": round(radius, 2), "arms": arms, "pieces": pieces}


def _box(alliance: Alliance, view: View) -> MapValues:
    return {**_place(view.at(alliance.at)), "number": alliance.box, "water": alliance.water,
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


def _place(point: BoardPoint) -> MapValues:
    return {"x": point.x, "y": point.y}


def _path(line: Sequence[BoardPoint], view: View, closed: bool = False) -> str:
    first, *rest = map(view.at, line)
    points = [first]
    for point in rest[:-1]:
        if abs(point.x - points[-1].x) + abs(point.y - points[-1].y) >= FINE:
            points.append(point)
    points.append(rest[-1])
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if closed else "")


def _bent(view: View, points: Sequence[BoardPoint]) -> str:
    start, control, end = map(view.at, points)
    return f"M{start.x:g} {start.y:g}Q{control.x:g} {control.y:g} {end.x:g} {end.y:g}"
