"""Judges the outlines of a map: closed rings that neither cross nor overlap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations

from ppgen.errors import Problem
from ppgen.games.board_game.board.geometry import Index, is_inside, segments, signed_area
from ppgen.games.board_game.board.model import Board, Borders, Line
from ppgen.games.board_game.board.outlines import FILE


def judge(board: Board, borders: Borders) -> Iterator[Problem]:
    """What is wrong with the outlines, the country or the number of the arc named."""
    frame = board.frame
    if not (0 <= frame.left < frame.right <= board.width and 0 <= frame.top < frame.bottom <= board.height):
        yield Problem(place="board.toml", key="frame", what="does not lie on the board",
                      remedy="left, top, right and bottom of the map")
        return
    lines = {f"arcs[{number}]": arc for number, arc in enumerate(borders.arcs)}
    lines |= {f"isles[{number}]": isle for number, isle in enumerate(borders.isles)}
    for name, line in lines.items():
        if any(not (frame.left <= x <= frame.right and frame.top <= y <= frame.bottom) for x, y in line):
            yield _wrong(name, "leaves the map", "all of it lies inside the frame of board.toml")
    broken = [land for land in board.lands if not _is_closed(borders, land)]
    for name in broken:
        yield _wrong(name, "its outline is not closed", "each arc begins where the one before ends")
    yield from _crossings(borders)
    if not broken:
        yield from _overlaps(board, borders)


def owners(borders: Borders) -> Mapping[int, list[str]]:
    """The lands on both sides of each arc, by its number."""
    found: dict[int, list[str]] = defaultdict(list)
    for name, numbers in borders.lands.items():
        for number in numbers:
            found[_plain(number)].append(name)
    return found


def groups(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[frozenset[str]]:
    """The names in the groups that pairs of them make."""
    parts = {name: {name} for name in names}
    for one, other in pairs:
        if parts[one] is not parts[other]:
            joined = parts[one] | parts[other]
            parts |= dict.fromkeys(joined, joined)
    return list(dict.fromkeys(map(frozenset, parts.values())))


def _is_closed(borders: Borders, land: str) -> bool:
    arcs = [borders.arcs[_plain(number)][::-1 if number < 0 else 1] for number in borders.lands[land]]
    return all(arc[-1] == after[0] for arc, after in zip(arcs, (*arcs[1:], arcs[0]), strict=True))


def _crossings(borders: Borders) -> Iterator[Problem]:
    """Each arc or isle that crosses itself or an earlier one."""
    sides = owners(borders)
    index: Index[str] = Index()
    lines: list[tuple[str, Line, bool]] = [
        *((" and ".join(sides[number]) or f"arcs[{number}]", arc, False) for number, arc in enumerate(borders.arcs)),
        *((f"isles[{number}]", isle, True) for number, isle in enumerate(borders.isles))]
    for name, line, closed in lines:
        crossed = set()
        for segment in segments(line, closed):
            crossed |= {(other, point) for point, _, other in index.crossings(segment)}
            index.add([segment], name)
        for other, point in sorted(crossed)[:1]:
            yield _wrong(name, "its outline crosses " + ("itself" if other == name else f"that of {other}")
                         + f" at {point.x:.0f}, {point.y:.0f}", "outlines may touch, not cross")


def _overlaps(board: Board, borders: Borders) -> Iterator[Problem]:
    """Lands on the same side of an arc, and lands inside of others."""
    rings = {land: borders.ring(land) for land in board.lands}
    turns = {land: signed_area(ring) > 0 for land, ring in rings.items()}
    sides: dict[tuple[int, bool], str] = {}
    for name, numbers in borders.lands.items():
        for number in numbers:
            side = _plain(number), (number >= 0) == turns[name]
            if side in sides:
                yield _wrong(name, f"overlaps {sides[side]}", f"both lie on the same side of arcs[{side[0]}]")
            sides[side] = name
    points = {land: frozenset(ring) for land, ring in rings.items()}
    for inner, outer in permutations(board.lands, 2):
        free = next((point for point in rings[inner] if point not in points[outer]), None)
        if free and is_inside(free, rings[outer]):
            yield _wrong(inner, f"lies inside {outer}", "lands lie beside each other")


def _plain(number: int) -> int:
    return number if number >= 0 else ~number


def _wrong(key: str, what: str, remedy: str) -> Problem:
    return Problem(place=FILE, key=key, what=what, remedy=remedy)
