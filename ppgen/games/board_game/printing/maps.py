"""Turns the map, or a part of it with what stands on it, into a picture of the rules, drawn for its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, dist
from typing import Any

from ppgen.engine.booklets.document import Picture
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.games.board_game.board.model import Alliance, Board, Borders, Country, Court, Point
from ppgen.games.board_game.printing.curves import curve
from ppgen.games.board_game.printing.examples import Example, Piece

Values = dict[str, Any]

TEMPLATE = "board_game/figures/map.svg.j2"
PIECE, COUNCILLOR = 4.9, 4.3
"""How large a cloister and a councillor are shown, in mm, however small the map is."""
LEAST_DISC = 1.3
"""Radius of a space on a small map."""
LETTERS = 2.0
"""Size of the countries' codes, in mm: over 5 points."""
FINE = 0.2
"""Points of an outline that lie closer to the one before (mm, across and down) are left out."""
NUMBERED = 5
"""Every so many squares of the score track are dark and have a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What maps are drawn from: the board, its outlines, and the names of the examples' players by seat."""

    board: Board
    borders: Borders
    names: Sequence[str]

    def look(self, piece: Piece) -> Values:
        """A piece as templates see it."""
        player = self.board.players[piece.seat]
        return {"colour": player.colour, "shape": player.shape, "letter": self.names[piece.seat][0],
                "fresh": piece.fresh}


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A window of the board, in its mm, shown so much smaller."""

    window: Rect
    scale: float

    @property
    def size(self) -> Size:
        return Size(self.window.width * self.scale, self.window.height * self.scale)

    def at(self, point: Point) -> Point:
        """A place of the board in the picture."""
        return Point(round((point.x - self.window.x) * self.scale, 2), round((point.y - self.window.y) * self.scale, 2))

    def shows(self, points: Iterable[Point], room: float = 0.0) -> bool:
        """Whether the box around some places of the board reaches into the window."""
        places, window = list(points), self.window
        xs, ys = [place.x for place in places], [place.y for place in places]
        return (min(xs) - room < window.right and max(xs) + room > window.x
                and min(ys) - room < window.bottom and max(ys) + room > window.y)


def around(board: Board, places: Sequence[Point], room: float) -> Rect:
    """The part of the map that shows some places with so much around them, in mm of the board."""
    frame = board.frame
    left, top = (max(min(values) - room, edge) for values, edge in
                 zip(zip(*places, strict=True), (frame.left, frame.top), strict=True))
    right, bottom = (min(max(values) + room, edge) for values, edge in
                     zip(zip(*places, strict=True), (frame.right, frame.bottom), strict=True))
    return Rect(left, top, right - left, bottom - top)


def whole_board(chart: Chart, width: float, anchors: Mapping[str, Point]) -> FaceRequest:
    """The empty board so many mm wide, with its track; ``anchors`` are places that numbers point to.

    Without any it is a mere sign of the board: without codes and numbers.
    """
    board = chart.board
    view = View(window=Rect(0, 0, board.width, board.height), scale=width / board.width)
    values = {**_ground(chart, view, [country.id for country in board.countries]),
              "boxes": [_box(alliance, view) for alliance in board.alliances],
              "spaces": [{**_place(view.at(space.at)), "piece": None} for space in board.spaces],
              "courts": [_court(country.court, country.arms, view) for country in board.countries],
              "track": _track(board, view),
              "anchors": [{"name": name, **_place(view.at(place))} for name, place in anchors.items()]}
    if not anchors:
        values |= {"boxes": [], "codes": [], "track": {**values["track"], "numbers": []},
                   "sizes": {**values["sizes"], "disc": board.space_radius * view.scale}}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"board {width:g}")


def painted(chart: Chart, width: float) -> Values:
    """All of the map so many mm wide, for a picture that is drawn around it: ``width``, ``height``, lands and so on."""
    frame = chart.board.frame
    window = Rect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top)
    view = View(window=window, scale=width / window.width)
    ground = _ground(chart, view, [country.id for country in chart.board.countries])
    return {"width": view.size.width, "height": view.size.height,
            **{key: ground[key] for key in ("lands", "coasts", "borders", "isles", "roads")},
            "spaces": [_place(view.at(space.at)) for space in chart.board.spaces]}


def plain_lands(chart: Chart, countries: Sequence[str], width: float) -> FaceRequest:
    """Some countries without anything on them, so many mm wide."""
    ring = [point for country in countries for point in chart.borders.ring(country)]
    window = around(chart.board, ring, 6)
    view = View(window=window, scale=width / window.width)
    values = {**_ground(chart, view, countries), "roads": [], "codes": [], "boxes": [], "spaces": [], "courts": []}
    return FaceRequest(template=TEMPLATE, size=view.size, values=values, key=f"land {'+'.join(countries)} {width:g}")


def position(chart: Chart, example: Example, window: Rect, scale: float, chains: Sequence[Sequence[str]] = (),
             free: int = 0) -> Picture:
    """A position in a window of the board; ``chains`` are drawn thick, ``free`` places left to councillors dotted."""
    board, view = chart.board, View(window=window, scale=scale)
    linked = {frozenset(pair) for chain in chains for pair in pairwise(chain)}
    linked |= {frozenset((chain[0], chain[-1])) for chain in chains}  # a ring is closed; others have no such road
    spaces = []
    for space in board.spaces:
        if view.shows([space.at], board.space_radius):
            piece = example.cloisters.get(space.id)
            spaces.append({**_place(view.at(space.at)), "piece": chart.look(piece) if piece else None})
    courts = []
    for country in board.countries:
        if view.shows([country.court.at], country.court.radius):
            held = [chart.look(piece) for piece in example.councillors.get(country.id, ())]
            held += [{"letter": ""}] * (free if country.id in example.lands else 0)
            courts.append(_court(country.court, country.arms, view, held))
    boxes = [_box(alliance, view) for alliance in board.alliances if alliance.box == example.box]
    values = {**_ground(chart, view, example.lands, linked), "spaces": spaces, "courts": courts, "boxes": boxes}
    request = FaceRequest(template=TEMPLATE, size=view.size, values=values, key=example.id)
    return Picture(request=request, box=Rect(0, 0, view.size.width, view.size.height), corner=0.8)


def _ground(chart: Chart, view: View, focus: Sequence[str], linked: Iterable[frozenset[str]] = ()) -> Values:
    """Lands, coasts, borders, roads and codes; the countries in ``focus`` have their full colour."""
    board, borders, scale = chart.board, chart.borders, view.scale
    played = {country.id for country in board.countries}
    lands = []
    for land in borders.lands:
        ring = borders.ring(land)
        if view.shows(ring):
            lands.append({"path": _path(ring, view, closed=True), "played": land in played, "focus": land in focus,
                          "tint": board.kind_of[land].tint if land in played else ""})
    sides = Counter(~arc if arc < 0 else arc for ring in borders.lands.values() for arc in ring)
    arcs = [(count, borders.arcs[arc]) for arc, count in sorted(sides.items()) if view.shows(borders.arcs[arc])]
    links = set(linked)
    roads = [{"path": _bent(view, [board.space[road.ends[0]].at, board.control(road), board.space[road.ends[1]].at]),
              "strong": frozenset(road.ends) in links}
             for road in board.roads if view.shows(board.road_line(road, 4))]
    codes = [_code(country, board, view) for country in board.countries if view.shows([country.court.at])]
    return {"lands": lands, "coasts": [_path(line, view) for count, line in arcs if count == 1],
            "borders": [_path(line, view) for count, line in arcs if count > 1],
            "isles": [_path(isle, view, closed=True) for isle in borders.isles if view.shows(isle)],
            "roads": sorted(roads, key=lambda road: road["strong"]), "codes": codes, "track": None, "anchors": [],
            "sizes": {"disc": max(board.space_radius * scale, LEAST_DISC), "piece": PIECE, "councillor": COUNCILLOR,
                      "box": max(board.box_side * scale, 2.9), "ribbon": max(1.3 * scale, 0.45),
                      "road": max(2.4 * scale, 0.62), "shield": 13 * scale}}


def _code(country: Country, board: Board, view: View) -> Values:
    """A country's code beside its coat of arms: on the side where spaces, roads and boxes are farthest away."""
    at, radius = country.court.at, country.court.radius
    above, beside = (radius + LETTERS * share / view.scale for share in (0.5, 0.85))
    sides = [Point(at.x + across, at.y + down)
             for across, down in ((0, above), (0, -above), (beside, 0), (-beside, 0))]
    taken = [*(space.at for space in board.spaces), *(alliance.at for alliance in board.alliances)]
    ways = [point for road in board.roads for point in board.road_line(road, 8)]
    middle = max(sides, key=lambda side: min(min(dist(side, place) for place in taken) - board.space_radius,
                                             min(dist(side, point) for point in ways)))
    place = view.at(middle)
    return {"x": place.x, "y": round(place.y + LETTERS * 0.32, 2), "words": country.code, "size": LETTERS}


def _court(court: Court, arms: str, view: View, held: Sequence[Values] = ()) -> Values:
    """A coat of arms with councillors in a row below its middle, four and more in two rows."""
    at, radius = view.at(court.at), court.radius * view.scale
    columns = len(held) if len(held) < 4 else ceil(len(held) / 2)
    pieces = []
    for n, piece in enumerate(held):
        row, rows = n // columns, ceil(len(held) / columns)
        here = min(columns, len(held) - row * columns)
        x = at.x + (n % columns - (here - 1) / 2) * COUNCILLOR * 0.93
        y = at.y + (0.28 * radius if rows == 1 else (row - 0.5) * COUNCILLOR * 0.98)
        pieces.append({"x": round(x, 2), "y": round(y, 2), **piece})
    return {**_place(at), "radius": round(radius, 2), "arms": arms, "pieces": pieces}


def _box(alliance: Alliance, view: View) -> Values:
    return {**_place(view.at(alliance.at)), "number": alliance.box, "water": alliance.water,
            "ribbon": curve(tuple(map(view.at, alliance.ribbon)))}


def _track(board: Board, view: View) -> Values:
    """The squares of the score track: its rim, the lines between the squares, the dark ones and their numbers."""
    side, inner = board.square, board.square
    corners = (Point(0, 0), Point(board.width, 0), Point(board.width, board.height), Point(0, board.height))
    holes = (Point(inner, inner), Point(board.width - inner, inner), Point(board.width - inner, board.height - inner),
             Point(inner, board.height - inner))
    squares = [tuple(Point(x + dx, y + dy) for dx, dy in ((0, 0), (side, 0), (side, side), (0, side)))
               for x, y in board.track()]
    marked = squares[::NUMBERED]
    numbers = [{"words": n * NUMBERED, "x": middle.x, "y": middle.y + 0.6}
               for n, middle in enumerate(view.at(Point(square[0].x + side / 2, square[0].y + side / 2))
                                          for square in marked)]
    return {"rim": f"{_path(corners, view, closed=True)}{_path(holes, view, closed=True)}", "numbers": numbers,
            "dark": "".join(_path(square, view, closed=True) for square in marked),
            "lines": "".join(_path(square, view, closed=True) for square in squares)}


def _place(point: Point) -> Values:
    return {"x": point.x, "y": point.y}


def _path(line: Sequence[Point], view: View, closed: bool = False) -> str:
    first, *rest = map(view.at, line)
    points = [first]
    for point in rest[:-1]:
        if abs(point.x - points[-1].x) + abs(point.y - points[-1].y) >= FINE:
            points.append(point)
    points.append(rest[-1])
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if closed else "")


def _bent(view: View, points: Sequence[Point]) -> str:
    start, control, end = map(view.at, points)
    return f"M{start.x:g} {start.y:g}Q{control.x:g} {control.y:g} {end.x:g} {end.y:g}"
