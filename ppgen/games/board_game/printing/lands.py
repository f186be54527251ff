"""Turns the outlines of the lands into the paths that the board's template draws: lands, coasts, borders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ppgen.games.board_game.board.model import Board, Borders, Frame, Line, Point
from ppgen.games.board_game.printing.curves import closed, curve, loop, simpler

COARSE = 0.8
"""How far (mm) the lines that follow a coast at a distance may leave it."""
BEYOND = 3.0
"""How far the lands run on beneath the frame of the map, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lands:
    """Path data: a closed path for each land by its id, the isles, and the lines between lands and sea.

    ``coarse`` is the coast with fewer points; ``inner`` are the borders between two countries, ``outer`` those of a
    country with a neighbour, ``far`` those between neighbours.
    """

    shapes: Mapping[str, str]
    isles: str
    coast: str
    coarse: str
    inner: str
    outer: str
    far: str


def lands_of(board: Board, borders: Borders) -> Lands:
    """All lands of the board, each line between two of them drawn the same on both sides."""
    played = {country.id for country in board.countries}
    beside = defaultdict(set)
    for land, ring in borders.lands.items():
        for number in ring:
            beside[number if number >= 0 else ~number].add(land)
    arcs = [simpler(arc) for arc in borders.arcs]

    def shape(land: str) -> str:
        lines = [arcs[number] if number >= 0 else arcs[~number][::-1] for number in borders.lands[land]]
        return closed([tuple(_pushed(point, board.frame) for point in line) for line in lines],
                      lambda point: not _inside(point, board.frame))

    def between(most: int, least: int, width: int = 2) -> str:
        return "".join(curve(arcs[number]) for number, lands in sorted(beside.items())
                       if len(lands) == width and least <= len(lands & played) <= most)

    shores = [run for number, lands in sorted(beside.items()) if len(lands) == 1
              for run in _shores(arcs[number], board.frame)]
    isles = [simpler(isle) for isle in borders.isles]
    return Lands(shapes={land: shape(land) for land in borders.lands}, isles="".join(map(loop, isles)),
                 coast="".join(map(curve, shores)),
                 coarse="".join([*(curve(simpler(run, COARSE)) for run in shores),
                                 *(loop(simpler((*isle, isle[0]), COARSE)[:-1]) for isle in isles)]),
                 inner=between(2, 2), outer=between(1, 1), far=between(0, 0))


def _shores(arc: Line, frame: Frame) -> Iterator[Line]:
    """The runs of an arc that do not follow the frame."""
    run: list[Point] = []
    for point in arc:
        if run and set(_sides(run[-1], frame)) & set(_sides(point, frame)):
            if len(run) > 1:
                yield tuple(run)
            run = []
        run.append(point)
    if len(run) > 1:
        yield tuple(run)


def _sides(point: Point, frame: Frame) -> str:
    """The sides of the frame on which a point lies."""
    lies = (point.x <= frame.left, point.y <= frame.top, point.x >= frame.right, point.y >= frame.bottom)
    return "".join(side for side, on in zip("ltrb", lies, strict=True) if on)


def _inside(point: Point, frame: Frame) -> bool:
    return frame.left < point.x < frame.right and frame.top < point.y < frame.bottom


def _pushed(point: Point, frame: Frame) -> Point:
    """A point on the frame, moved outwards."""
    sides = _sides(point, frame)
    right, down = (("r" in sides) - ("l" in sides), ("b" in sides) - ("t" in sides))
    return Point(point.x + BEYOND * right, point.y + BEYOND * down)
