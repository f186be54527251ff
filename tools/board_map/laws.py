"""The laws of a map: closed outlines, clear spaces, courts and boxes, roads that join what they should."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from math import dist, floor, hypot
from pathlib import Path
from typing import Generic, TypeVar

from ppgen.errors import Problem, display_path
from ppgen.games.board_game.board import (Alliance, Board, BoardCountry, BoardLine, BoardPoint, Borders, Road, Space,
                                          arc_index)
from ppgen.games.board_game.components import BORDERS_FILE
from tools.board_map.shapes import distance_to_segment

# Geometry

Segment = tuple[BoardPoint, BoardPoint]
T = TypeVar("T")

CELL = 12.0
"""Side of the squares of an index, in mm: each holds a few segments of a border."""


def segments(line: BoardLine, closed: bool = False) -> Iterator[Segment]:
    """List the straight pieces of a line; of a ``closed`` one, also the piece back to its start."""
    yield from pairwise((*line, line[0]) if closed else line)


def distance(point: BoardPoint, line: BoardLine, closed: bool = False) -> float:
    """Compute the distance from a point to a line."""
    return min(distance_to_segment(point, *segment) for segment in segments(line, closed))


def is_near(point: BoardPoint, line: BoardLine, reach: float) -> bool:
    """Whether a point lies within reach of the bounding box of a line."""
    across, down = [place.x for place in line], [place.y for place in line]
    return (min(across) - reach <= point.x <= max(across) + reach
            and min(down) - reach <= point.y <= max(down) + reach)


def is_inside(point: BoardPoint, ring: BoardLine) -> bool:
    """Whether a point lies inside a ring: a ray to its right crosses the ring an odd number of times."""
    inside = False
    for (x0, y0), (x1, y1) in segments(ring, closed=True):
        if (y0 > point.y) != (y1 > point.y) and point.x < x0 + (x1 - x0) * (point.y - y0) / (y1 - y0):
            inside = not inside
    return inside


def ring_area(ring: BoardLine) -> float:
    """Compute the area of a ring; its sign tells the direction."""
    return sum(one.x * other.y - other.x * one.y for one, other in segments(ring, closed=True)) / 2


def crossing_point(one: Segment, other: Segment) -> BoardPoint | None:
    """Find the point where two segments cross; touching is not crossing."""
    (a, b), (c, d) = one, other
    across = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
    if not across:
        return None
    along = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / across
    share = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / across
    if 1e-9 < along < 1 - 1e-9 and 1e-9 < share < 1 - 1e-9:
        return BoardPoint(a.x + along * (b.x - a.x), a.y + along * (b.y - a.y))
    return None


def square_corners(centre: BoardPoint, side: float) -> BoardLine:
    """Corners of an upright square, clockwise from the upper left one."""
    half = side / 2
    return tuple(BoardPoint(centre.x + x * half, centre.y + y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def distance_to_square(point: BoardPoint, centre: BoardPoint, side: float) -> float:
    """Compute the distance from a point to an upright square; 0 inside."""
    return hypot(max(abs(point.x - centre.x) - side / 2, 0), max(abs(point.y - centre.y) - side / 2, 0))


class SegmentIndex(Generic[T]):
    """Segments with their owners, by the squares of the board in which they lie: only near ones are compared."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Segment, T]]] = defaultdict(list)

    def add(self, line: Iterable[Segment], owner: T) -> None:
        for segment in line:
            for cell in _cells(segment):
                self._cells[cell].append((segment, owner))

    def crossings(self, segment: Segment) -> Iterator[tuple[BoardPoint, Segment, T]]:
        """List where indexed segments cross this one, perhaps a crossing twice."""
        for cell in _cells(segment):
            for other, owner in self._cells.get(cell, ()):
                if point := crossing_point(segment, other):
                    yield point, other, owner


def _cells(segment: Segment) -> Iterator[tuple[int, int]]:
    (x0, y0), (x1, y1) = segment
    for column in range(floor(min(x0, x1) / CELL), floor(max(x0, x1) / CELL) + 1):
        for row in range(floor(min(y0, y1) / CELL), floor(max(y0, y1) / CELL) + 1):
            yield column, row


# Outlines

def judge_outlines(board: Board, borders: Borders) -> Iterator[Problem]:
    """Check that outlines lie on the map, close, and neither cross nor overlap; a problem names the land or the arc."""
    frame = board.frame
    lines = {f"arcs[{number}]": arc for number, arc in enumerate(borders.arcs)}
    lines |= {f"isles[{number}]": isle for number, isle in enumerate(borders.isles)}
    for name, line in lines.items():
        if any(not (frame.left <= x <= frame.right and frame.top <= y <= frame.bottom) for x, y in line):
            yield _outline_problem(name, "leaves the map", "all of it lies inside the frame of board.toml")
    broken = [land for land in board.lands if not _is_closed(borders, land)]
    for name in broken:
        yield _outline_problem(name, "its outline is not closed", "each arc begins where the one before ends")
    yield from _check_crossings(borders)
    if not broken:
        yield from _check_overlaps(board, borders)


def lands_by_arc(borders: Borders) -> Mapping[int, list[str]]:
    """The lands on both sides of each arc, by the index of the arc."""
    lands: dict[int, list[str]] = defaultdict(list)
    for name, numbers in borders.lands.items():
        for number in numbers:
            lands[arc_index(number)].append(name)
    return lands


def _shared_arcs(borders: Borders, one: str, other: str) -> list[BoardLine]:
    """The arcs that two lands have in common."""
    indexes = set(map(arc_index, borders.lands[one]))
    return [borders.arcs[index] for index in dict.fromkeys(map(arc_index, borders.lands[other])) if index in indexes]


def _is_closed(borders: Borders, land: str) -> bool:
    arcs = [borders.arcs[arc_index(number)][::-1 if number < 0 else 1] for number in borders.lands[land]]
    return all(arc[-1] == after[0] for arc, after in zip(arcs, (*arcs[1:], arcs[0]), strict=True))


def _check_crossings(borders: Borders) -> Iterator[Problem]:
    """Report each arc or isle that crosses itself or an earlier one, at its first crossing."""
    sides = lands_by_arc(borders)
    index: SegmentIndex[str] = SegmentIndex()
    lines: list[tuple[str, BoardLine, bool]] = [
        *((" and ".join(sides[number]) or f"arcs[{number}]", arc, False) for number, arc in enumerate(borders.arcs)),
        *((f"isles[{number}]", isle, True) for number, isle in enumerate(borders.isles))]
    for name, line, closed in lines:
        rest = segments(line, closed)
        for segment in rest:
            crossing = next(index.crossings(segment), None)
            index.add([segment], name)
            if crossing:
                point, _, other = crossing
                yield _outline_problem(name, "its outline crosses "
                                       + ("itself" if other == name else f"that of {other}")
                                       + f" at {point.x:.0f}, {point.y:.0f}", "outlines may touch, not cross")
                break
        index.add(rest, name)


def _check_overlaps(board: Board, borders: Borders) -> Iterator[Problem]:
    """Report lands on the same side of an arc, and lands inside others."""
    rings = {land: borders.ring(land) for land in board.lands}
    clockwise = {land: ring_area(ring) > 0 for land, ring in rings.items()}
    sides: dict[tuple[int, bool], str] = {}
    for name, numbers in borders.lands.items():
        for number in numbers:
            side = arc_index(number), (number >= 0) == clockwise[name]
            if side in sides:
                yield _outline_problem(name, f"overlaps {sides[side]}", f"both lie on the same side of arcs[{side[0]}]")
            sides[side] = name
    points = {land: frozenset(ring) for land, ring in rings.items()}
    for inner, outer in permutations(board.lands, 2):
        free = next((point for point in rings[inner] if point not in points[outer]), None)
        if free and is_inside(free, rings[outer]):
            yield _outline_problem(inner, f"lies inside {outer}", "lands lie beside each other")


def _outline_problem(key: str, what: str, remedy: str) -> Problem:
    return Problem(place=BORDERS_FILE, key=key, what=what, remedy=remedy)


# The whole map
#
# The gaps leave room for fingers: houses of 10 mm stand on spaces of 14 mm, councillors of 8 mm on courts.

SPACE_TO_BORDER, SPACE_TO_SPACE, SPACE_TO_COURT, SPACE_TO_BOX, SPACE_TO_ROAD = 1.0, 8.0, 2.0, 2.0, 2.5
COURT_TO_BORDER, COURT_TO_BOX, COURT_TO_ROAD = 0.8, 1.0, 1.5
BOX_TO_ROAD = 1.5
"""Smallest gaps between the edges of two items, in mm."""
SPACE_TO_SEAM, COURT_TO_SEAM, BOX_TO_SEAM = 1.5, 1.0, 1.5
"""Smallest gaps on both sides of a seam, where the board is cut and glued, in mm."""
RIBBON_REACH = 2.0
"""Largest distance from its country at which a ribbon may end, in mm."""
REACH = 50.0
"""An item farther from a road than this can't be in its way, whatever its size (mm)."""
SLACK = 0.3
"""Excess that is not visible, in mm: lines are a third of a millimetre wide."""

MapItem = Space | Road | BoardCountry | Alliance


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLayout:
    """A board with the outlines of its lands, by their ids, and the line of each road, by its ends."""

    board: Board
    borders: Borders
    rings: dict[str, BoardLine]
    road_lines: dict[tuple[str, str], BoardLine]


def judge_map(board: Board, borders: Borders, folder: Path) -> tuple[Problem, ...]:
    """Find everything that is wrong with the map loaded from ``folder``."""
    if problems := [*judge_outlines(board, borders)]:  # no other check makes sense on broken outlines
        return _with_paths(problems, folder)
    layout = MapLayout(board=board, borders=borders, rings={land: borders.ring(land) for land in board.lands},
                       road_lines={road.ends: board.road_line(road) for road in board.roads})
    return _with_paths((problem for check in CHECKS for problem in check(layout)), folder)


def _with_paths(problems: Iterable[Problem], folder: Path) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(replace(problem, place=display_path(folder / problem.place)) for problem in problems))


def _problem(item: MapItem, what: str, remedy: str) -> Problem:
    """A problem of an item of the map, under the name that players know."""
    match item:
        case Space():
            return Problem(place="spaces.csv", line=item.line, key=item.id, what=what, remedy=remedy)
        case Road():
            return Problem(place="roads.csv", line=item.line, key="–".join(item.ends), what=what, remedy=remedy)
        case BoardCountry():
            return Problem(place="countries.toml", line=item.line, key=item.id, what=what, remedy=remedy)
        case Alliance():
            return Problem(place="alliances.toml", line=item.line, key=f"box {item.box}", what=what, remedy=remedy)


def _check_gap(item: MapItem, gap: float, minimum: float, other: str) -> Iterator[Problem]:
    if gap < minimum - 1e-6:
        yield _problem(item, f"lies {gap:.1f} mm from {other}" if gap > 0.05 else f"lies on {other}",
                       f"at least {minimum:g} mm")


def spaces_lie_in_their_countries(layout: MapLayout) -> Iterator[Problem]:
    radius = layout.board.space_radius
    for space in layout.board.spaces:
        if not is_inside(space.at, layout.rings[space.country]):
            yield _problem(space, f"lies outside {space.country}", "move it")
        else:
            gap = distance(space.at, layout.rings[space.country], closed=True) - radius
            yield from _check_gap(space, gap, SPACE_TO_BORDER, f"the border of {space.country}")


def spaces_lie_apart(layout: MapLayout) -> Iterator[Problem]:
    for one, other in combinations(layout.board.spaces, 2):
        gap = dist(one.at, other.at) - 2 * layout.board.space_radius
        yield from _check_gap(one, gap, SPACE_TO_SPACE, other.id)


def courts_are_clear(layout: MapLayout) -> Iterator[Problem]:
    board = layout.board
    for country in board.countries:
        court, ring = country.court, layout.rings[country.id]
        if not is_inside(court.at, ring):
            yield _problem(country, "its court lies outside it", "move it")
        else:
            gap = distance(court.at, ring, closed=True) - court.radius
            yield from _check_gap(country, gap, COURT_TO_BORDER, "its border with its court")
        for space in board.spaces:
            gap = dist(court.at, space.at) - court.radius - board.space_radius
            yield from _check_gap(space, gap, SPACE_TO_COURT, f"the court of {country.id}")


def boxes_are_clear(layout: MapLayout) -> Iterator[Problem]:
    board, frame = layout.board, layout.board.frame
    for alliance in board.alliances:
        for space in board.spaces:
            gap = distance_to_square(space.at, alliance.at, board.box_side) - board.space_radius
            yield from _check_gap(alliance, gap, SPACE_TO_BOX, space.id)
        for country in board.countries:
            gap = distance_to_square(country.court.at, alliance.at, board.box_side) - country.court.radius
            yield from _check_gap(alliance, gap, COURT_TO_BOX, f"the court of {country.id}")
        edges = square_corners(alliance.at, board.box_side)
        if any(not (frame.left <= x <= frame.right and frame.top <= y <= frame.bottom) for x, y in edges):
            yield _problem(alliance, "leaves the map", "move it into the frame of board.toml")
    for one, other in combinations(board.alliances, 2):
        if max(abs(one.at.x - other.at.x), abs(one.at.y - other.at.y)) < board.box_side:
            yield _problem(other, f"lies on box {one.box}", "move one of them")


def boxes_lie_where_they_belong(layout: MapLayout) -> Iterator[Problem]:
    """Check that boxes over water lie at sea, and the others on the border that the two countries share."""
    board, borders = layout.board, layout.borders
    for alliance in board.alliances:
        one, other = alliance.countries
        if alliance.water:
            corners = square_corners(alliance.at, board.box_side - 2 * SLACK)
            for name, ring in (*layout.rings.items(), *(("an isle", isle) for isle in borders.isles)):
                if _square_touches(corners, ring):
                    yield _problem(alliance, f"is over water, but lies on {name}", "move it out to sea")
        elif not (shared := _shared_arcs(borders, one, other)):
            yield _problem(alliance, f"{one} and {other} have no common border", "water = true, or other countries")
        elif (gap := min(distance(alliance.at, arc) for arc in shared)) > board.box_side / 2:
            yield _problem(alliance, f"lies {gap:.1f} mm from the border between {one} and {other}",
                           f"its middle at most {board.box_side / 2:g} mm")
        for end, country in zip((alliance.ribbon[0], alliance.ribbon[-1]), alliance.countries, strict=True):
            ring = layout.rings[country]
            if not is_inside(end, ring) and distance(end, ring, closed=True) > RIBBON_REACH:
                yield _problem(alliance, f"its ribbon does not reach {country}", "let it end in the country")


def roads_stay_in_their_countries(layout: MapLayout) -> Iterator[Problem]:
    index: SegmentIndex[int] = SegmentIndex()
    for number, border in enumerate(layout.borders.arcs):
        index.add(segments(border), number)
    owners = lands_by_arc(layout.borders)
    for road in layout.board.roads:
        own = {layout.board.space[end].country for end in road.ends}
        left = next((point for segment in segments(layout.road_lines[road.ends])
                     for point, border, number in index.crossings(segment)
                     if {*owners[number]} != own and max(distance(end, border) for end in segment) > SLACK), None)
        if left:
            yield _problem(road, f"leaves {' and '.join(sorted(own))} at {left.x:.0f}, {left.y:.0f}",
                           "bow it to the other side, or leave it out")


def roads_cross_nothing(layout: MapLayout) -> Iterator[Problem]:
    board = layout.board
    index: SegmentIndex[Road] = SegmentIndex()
    for road in board.roads:
        line = layout.road_lines[road.ends]
        crossed: set[tuple[str, str]] = set()
        for segment in segments(line):
            for point, _, other in index.crossings(segment):
                shared = {*road.ends} & {*other.ends}
                if other.ends not in crossed and all(
                        dist(point, board.space[end].at) > board.space_radius for end in shared):
                    crossed.add(other.ends)
                    yield _problem(road, f"crosses {'–'.join(other.ends)}", "bow one of them, or leave it out")
        index.add(segments(line), road)
        for space in board.spaces:
            if space.id not in road.ends and is_near(space.at, line, REACH):
                gap = distance(space.at, line) - board.space_radius
                yield from _check_gap(road, gap, SPACE_TO_ROAD, space.id)
        for country in board.countries:
            if is_near(country.court.at, line, REACH):
                gap = distance(country.court.at, line) - country.court.radius
                yield from _check_gap(road, gap, COURT_TO_ROAD, f"the court of {country.id}")
        for alliance in board.alliances:
            if is_near(alliance.at, line, REACH):
                gap = min(distance_to_square(point, alliance.at, board.box_side) for point in line)
                yield from _check_gap(road, gap, BOX_TO_ROAD, f"box {alliance.box}")


def seams_are_clear(layout: MapLayout) -> Iterator[Problem]:
    board = layout.board
    for axis, seams in (("x", board.seams_x), ("y", board.seams_y)):
        for seam in seams:
            def gap(at: BoardPoint, reach: float, place: int = "xy".index(axis), seam: float = seam) -> float:
                return abs(at[place] - seam) - reach

            name = f"the seam {axis} = {seam:g}"
            if abs(seam / board.square - round(seam / board.square)) > 1e-6:
                yield Problem(place="board.toml", key=f"seams.{axis}", what=f"{seam:g} cuts squares of the score track",
                              remedy=f"a multiple of {board.square:g}")
            for space in board.spaces:
                yield from _check_gap(space, gap(space.at, board.space_radius), SPACE_TO_SEAM, name)
            for country in board.countries:
                court = country.court
                yield from _check_gap(country, gap(court.at, court.radius), COURT_TO_SEAM, f"{name} with its court")
            for alliance in board.alliances:
                yield from _check_gap(alliance, gap(alliance.at, board.box_side / 2), BOX_TO_SEAM, name)


def roads_join_what_is_joined_by_land(layout: MapLayout) -> Iterator[Problem]:
    """Check that each land mass is one network of roads: none crosses the sea (Danish rules, 'Spilmateriale')."""
    board = layout.board
    network = _connected_groups(board.space, [road.ends for road in board.roads])
    masses = _connected_groups(board.labels, [(one, other) for one, other in combinations(board.labels, 2)
                                              if _shared_arcs(layout.borders, one, other)])
    for countries in masses:
        own = [{space for space in part if board.space[space].country in countries} for part in network]
        for part in sorted(own, key=len)[:-1]:
            if part:
                first = min(part, key=list(board.space).index)
                yield _problem(board.space[first], "no roads lead from it to the rest of its land",
                               "join them: chains of cloisters would end here")


CHECKS: tuple[Callable[[MapLayout], Iterator[Problem]], ...] = (
    spaces_lie_in_their_countries, spaces_lie_apart, courts_are_clear, boxes_are_clear, boxes_lie_where_they_belong,
    roads_stay_in_their_countries, roads_cross_nothing, seams_are_clear, roads_join_what_is_joined_by_land)


def _square_touches(corners: BoardLine, ring: BoardLine) -> bool:
    """Whether a square and the land inside a ring have a point in common."""
    (left, top), (right, bottom) = corners[0], corners[2]
    return (any(is_inside(corner, ring) for corner in corners)
            or any(left < x < right and top < y < bottom for x, y in ring))


def _connected_groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[frozenset[str]]:
    """The groups of names that pairs of them connect."""
    groups = {name: {name} for name in names}
    for one, other in pairs:
        if groups[one] is not groups[other]:
            joined = groups[one] | groups[other]
            groups |= dict.fromkeys(joined, joined)
    return list(dict.fromkeys(map(frozenset, groups.values())))
