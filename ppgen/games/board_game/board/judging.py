"""Judges a map: turns a :class:`Board` and its :class:`Borders` into everything that keeps it from being played.

The measures leave room for fingers: houses of 10 mm stand on spaces of 14 mm, councillors of 8 mm on the courts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import dist
from pathlib import Path

from ppgen.errors import Problem, shown_path
from ppgen.games.board_game.board import land
from ppgen.games.board_game.board.geometry import Index, distance, from_square, is_inside, near, segments, square
from ppgen.games.board_game.board.model import Alliance, Board, Borders, Country, Line, Point, Road, Space

SPACE_TO_BORDER, SPACE_TO_SPACE, SPACE_TO_COURT, SPACE_TO_BOX, SPACE_TO_ROAD = 1.0, 8.0, 2.0, 2.0, 2.5
COURT_TO_BORDER, COURT_TO_BOX, COURT_TO_ROAD = 0.8, 1.0, 1.5
BOX_TO_ROAD = 1.5
"""What must stay free between the edges of two things, in mm."""
SPACE_TO_SEAM, COURT_TO_SEAM, BOX_TO_SEAM = 1.5, 1.0, 1.5
"""What must stay free on both sides of a seam, where the board is cut and glued."""
RIBBON_REACH = 2.0
"""So far from its country a ribbon may end."""
REACH = 50.0
"""What is farther from a road than this can't be in its way, whatever its size."""
SLACK = 0.3
"""Lines are drawn with thirds of a millimetre: what is over by less is not seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Map:
    """A board with the outlines of its lands, and the line of each road."""

    board: Board
    borders: Borders
    rings: dict[str, Line]
    lines: dict[tuple[str, str], Line]

    def country(self, space: Space) -> Line:
        return self.rings[space.country]


def judge(board: Board, borders: Borders, folder: Path) -> tuple[Problem, ...]:
    """Everything that is wrong with the map that was read from ``folder``; each problem names what it is about."""
    if found := [*land.judge(board, borders)]:  # nothing lies well on lands that are none
        return _placed(found, folder)
    whole = Map(board=board, borders=borders, rings={land: borders.ring(land) for land in board.lands},
                lines={road.ends: board.road_line(road) for road in board.roads})
    return _placed((problem for law in LAWS for problem in law(whole)), folder)


def _placed(problems: Iterable[Problem], folder: Path) -> tuple[Problem, ...]:
    return tuple(dict.fromkeys(replace(problem, place=shown_path(folder / problem.place)) for problem in problems))


def _of(thing: Space | Road | Country | Alliance, what: str, remedy: str) -> Problem:
    """A problem of a thing, named as players name it."""
    match thing:
        case Space():
            return Problem(place="spaces.csv", line=thing.line, key=thing.id, what=what, remedy=remedy)
        case Road():
            return Problem(place="roads.csv", line=thing.line, key="–".join(thing.ends), what=what, remedy=remedy)
        case Country():
            return Problem(place="countries.toml", line=thing.line, key=thing.id, what=what, remedy=remedy)
        case Alliance():
            return Problem(place="alliances.toml", line=thing.line, key=f"box {thing.box}", what=what, remedy=remedy)


def _clear(thing: Space | Road | Country | Alliance, gap: float, least: float, from_what: str) -> Iterator[Problem]:
    if gap < least - 1e-6:
        shown = f"{gap:.1f} mm from {from_what}" if gap > 0.05 else f"on {from_what}"
        yield _of(thing, f"lies {shown}", f"at least {least:g} mm")


def spaces_lie_in_their_countries(found: Map) -> Iterator[Problem]:
    radius = found.board.space_radius
    for space in found.board.spaces:
        if not is_inside(space.at, found.country(space)):
            yield _of(space, f"lies outside {space.country}", "move it")
        else:
            gap = distance(space.at, found.country(space), closed=True) - radius
            yield from _clear(space, gap, SPACE_TO_BORDER, f"the border of {space.country}")


def spaces_lie_apart(found: Map) -> Iterator[Problem]:
    for one, other in combinations(found.board.spaces, 2):
        gap = dist(one.at, other.at) - 2 * found.board.space_radius
        yield from _clear(one, gap, SPACE_TO_SPACE, other.id)


def courts_are_clear(found: Map) -> Iterator[Problem]:
    board = found.board
    for country in board.countries:
        court, ring = country.court, found.rings[country.id]
        if not is_inside(court.at, ring):
            yield _of(country, "its court lies outside it", "move it")
        else:
            gap = distance(court.at, ring, closed=True) - court.radius
            yield from _clear(country, gap, COURT_TO_BORDER, "its border with its court")
        for space in board.spaces:
            gap = dist(court.at, space.at) - court.radius - board.space_radius
            yield from _clear(space, gap, SPACE_TO_COURT, f"the court of {country.id}")


def boxes_are_clear(found: Map) -> Iterator[Problem]:
    board, frame = found.board, found.board.frame
    for alliance in board.alliances:
        for space in board.spaces:
            gap = from_square(space.at, alliance.at, board.box_side) - board.space_radius
            yield from _clear(alliance, gap, SPACE_TO_BOX, space.id)
        for country in board.countries:
            gap = from_square(country.court.at, alliance.at, board.box_side) - country.court.radius
            yield from _clear(alliance, gap, COURT_TO_BOX, f"the court of {country.id}")
        edges = square(alliance.at, board.box_side)
        if any(not (frame.left <= x <= frame.right and frame.top <= y <= frame.bottom) for x, y in edges):
            yield _of(alliance, "leaves the map", "move it into the frame of board.toml")
    for one, other in combinations(board.alliances, 2):
        if max(abs(one.at.x - other.at.x), abs(one.at.y - other.at.y)) < board.box_side:
            yield _of(other, f"lies on box {one.box}", "move one of them")


def boxes_lie_where_they_belong(found: Map) -> Iterator[Problem]:
    """Over water at sea, on land on the border that the two countries share."""
    board, borders = found.board, found.borders
    for alliance in board.alliances:
        one, other = alliance.countries
        if alliance.water:
            corners = square(alliance.at, board.box_side - 2 * SLACK)
            for name, ring in (*found.rings.items(), *(("an isle", isle) for isle in borders.isles)):
                if _touch(corners, ring):
                    yield _of(alliance, f"is over water, but lies on {name}", "move it out to sea")
        elif not (shared := borders.shared(one, other)):
            yield _of(alliance, f"{one} and {other} have no common border", "water = true, or other countries")
        elif (gap := min(distance(alliance.at, arc) for arc in shared)) > board.box_side / 2:
            yield _of(alliance, f"lies {gap:.1f} mm from the border between {one} and {other}",
                      f"its middle at most {board.box_side / 2:g} mm")
        for end, country in zip((alliance.ribbon[0], alliance.ribbon[-1]), alliance.countries, strict=True):
            ring = found.rings[country]
            if not is_inside(end, ring) and distance(end, ring, closed=True) > RIBBON_REACH:
                yield _of(alliance, f"its ribbon does not reach {country}", "let it end in the country")


def roads_stay_in_their_countries(found: Map) -> Iterator[Problem]:
    index: Index[int] = Index()
    for number, border in enumerate(found.borders.arcs):
        index.add(segments(border), number)
    owners = land.owners(found.borders)
    for road in found.board.roads:
        own = {found.board.space[end].country for end in road.ends}
        left = next((point for segment in segments(found.lines[road.ends])
                     for point, border, number in index.crossings(segment)
                     if {*owners[number]} != own and max(distance(end, border) for end in segment) > SLACK), None)
        if left:
            yield _of(road, f"leaves {' and '.join(sorted(own))} at {left.x:.0f}, {left.y:.0f}",
                      "bow it to the other side, or leave it out")


def roads_cross_nothing(found: Map) -> Iterator[Problem]:
    board = found.board
    index: Index[Road] = Index()
    for road in board.roads:
        line = found.lines[road.ends]
        for segment in segments(line):
            for point, _, other in index.crossings(segment):
                shared = {*road.ends} & {*other.ends}
                if all(dist(point, board.space[end].at) > board.space_radius for end in shared):
                    yield _of(road, f"crosses {'–'.join(other.ends)}", "bow one of them, or leave it out")
        index.add(segments(line), road)
        for space in board.spaces:
            if space.id not in road.ends and near(space.at, line, REACH):
                gap = distance(space.at, line) - board.space_radius
                yield from _clear(road, gap, SPACE_TO_ROAD, space.id)
        for country in board.countries:
            if near(country.court.at, line, REACH):
                gap = distance(country.court.at, line) - country.court.radius
                yield from _clear(road, gap, COURT_TO_ROAD, f"the court of {country.id}")
        for alliance in board.alliances:
            if near(alliance.at, line, REACH):
                gap = min(from_square(point, alliance.at, board.box_side) for point in line)
                yield from _clear(road, gap, BOX_TO_ROAD, f"box {alliance.box}")


def seams_are_clear(found: Map) -> Iterator[Problem]:
    board = found.board
    for axis, seams in (("x", board.seams_x), ("y", board.seams_y)):
        for seam in seams:
            def gap(at: Point, reach: float, place: int = "xy".index(axis), seam: float = seam) -> float:
                return abs(at[place] - seam) - reach

            name = f"the seam {axis} = {seam:g}"
            if abs(seam / board.square - round(seam / board.square)) > 1e-6:
                yield Problem(place="board.toml", key=f"seams.{axis}", what=f"{seam:g} cuts squares of the score track",
                              remedy=f"a multiple of {board.square:g}")
            for space in board.spaces:
                yield from _clear(space, gap(space.at, board.space_radius), SPACE_TO_SEAM, name)
            for country in board.countries:
                court = country.court
                yield from _clear(country, gap(court.at, court.radius), COURT_TO_SEAM, f"{name} with its court")
            for alliance in board.alliances:
                yield from _clear(alliance, gap(alliance.at, board.box_side / 2), BOX_TO_SEAM, name)


def roads_join_what_is_joined_by_land(found: Map) -> Iterator[Problem]:
    """Each land mass is one network, and no road crosses the sea (Danish rules, section 'Spilmateriale')."""
    board = found.board
    network = land.groups(board.space, [road.ends for road in board.roads])
    masses = land.groups(board.labels, [(one, other) for one, other in combinations(board.labels, 2)
                                        if found.borders.shared(one, other)])
    for countries in masses:
        own = [{space for space in part if board.space[space].country in countries} for part in network]
        for part in sorted(own, key=len)[:-1]:
            if part:
                first = min(part, key=list(board.space).index)
                yield _of(board.space[first], "no roads lead from it to the rest of its land",
                          "join them: chains of cloisters would end here")


LAWS: tuple[Callable[[Map], Iterator[Problem]], ...] = (
    spaces_lie_in_their_countries, spaces_lie_apart, courts_are_clear, boxes_are_clear, boxes_lie_where_they_belong,
    roads_stay_in_their_countries, roads_cross_nothing, seams_are_clear, roads_join_what_is_joined_by_land)


def _touch(corners: Line, ring: Line) -> bool:
    """Whether a square and the land inside a ring have anything in common."""
    (left, top), (right, bottom) = corners[0], corners[2]
    return (any(is_inside(corner, ring) for corner in corners)
            or any(left < x < right and top < y < bottom for x, y in ring))
