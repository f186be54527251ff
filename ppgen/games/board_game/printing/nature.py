"""Turns the ground that is left free into mountains and trees: where each stands, and how large it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import dist, floor, sin
from random import Random

from ppgen.engine.geometry import Rect
from ppgen.games.board_game.board.model import Frame, Line, Point
from ppgen.games.board_game.printing.ground import Ground
from ppgen.games.board_game.printing.scenery import Range

PEAKS = ("peak-a", "peak-b", "peak-c")
PEAK = 7.4, 5.4
"""Width and height in mm of a mountain of size 1; its foot is in the middle of its lower edge."""
GROVES = (("grove-c", 8.4, 4.6), ("grove-b", 5.6, 4.4), ("grove-a", 2.6, 3.4))
"""Groups of trees with their widths and heights in mm, the largest first."""
STEP, ROOM = 4.2, 6.8
"""Between mountains along a range, and the side of the squares that have one group of trees at most, in mm."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Something that stands on the ground, with the middle of its foot at ``x``, ``y``, so many times its size."""

    kind: str
    x: float
    y: float
    size: float


def mountains(free: Ground, ranges: Iterable[Range]) -> tuple[Stand, ...]:
    """Mountains along the ranges, on free ground, which they take."""
    return tuple(_mountains(free, ranges, Random(1147)))  # the same ones on every machine


def trees(free: Ground, frame: Frame) -> tuple[Stand, ...]:
    """Trees here and there on free ground, which they take."""
    return tuple(_trees(free, frame, Random(1158)))


def strewn(free: Ground, frame: Frame, width: float, height: float, apart: float, share: float) -> tuple[Point, ...]:
    """Places for a ``share`` of so many small marks as stand ``apart``, each of the given size (mm) on free ground."""
    chance = Random(1169)
    found = []
    for row in range(floor((frame.bottom - frame.top) / apart)):
        for column in range(floor((frame.right - frame.left) / apart)):
            x = round(frame.left + (column + 0.1 + 0.8 * chance.random()) * apart, 1)
            y = round(frame.top + (row + 0.1 + 0.8 * chance.random()) * apart, 1)
            if chance.random() < share and not free.taken(Rect(x - width / 2, y - height, width, height)):
                found.append(Point(x, y))
    return tuple(found)


def _mountains(free: Ground, ranges: Iterable[Range], chance: Random) -> Iterator[Stand]:
    for each in ranges:
        for point in _along(each.line, STEP):
            for _ in range(2 + floor(each.spread / 3)):
                size = round(0.85 + 0.6 * chance.random(), 2)
                away = (chance.random() + chance.random() - 1) * each.spread
                x, y = round(point.x + (chance.random() - 0.5) * STEP, 1), round(point.y + away, 1)
                wide, high = PEAK[0] * size, PEAK[1] * size
                if not free.taken(Rect(x - wide / 2, y - high, wide, high)):
                    # the feet of those behind may hide, their tops not
                    free.take_box(Rect(x - wide * 0.34, y - high * 0.6, wide * 0.68, high * 0.62))
                    yield Stand(PEAKS[floor(chance.random() * len(PEAKS))], x, y, size)


def _trees(free: Ground, frame: Frame, chance: Random) -> Iterator[Stand]:
    for row in range(floor((frame.bottom - frame.top) / ROOM)):
        for column in range(floor((frame.right - frame.left) / ROOM)):
            x = round(frame.left + (column + 0.2 + 0.6 * chance.random()) * ROOM, 1)
            y = round(frame.top + (row + 0.3 + 0.6 * chance.random()) * ROOM, 1)
            size, wanted = round(0.85 + 0.3 * chance.random(), 2), chance.random()
            thick = _thickness(x, y)
            if wanted > thick:
                continue
            for kind, width, height in GROVES[floor(3 * wanted / thick):]:
                wide, high = width * size, height * size
                if not free.taken(Rect(x - wide / 2, y - high, wide, high)):
                    free.take_box(Rect(x - wide / 2 - 0.4, y - high * 0.9, wide + 0.8, high * 0.9 + 0.4))
                    yield Stand(kind, x, y, size)
                    break


def _thickness(x: float, y: float) -> float:
    """How likely trees are at a place: woods lie in patches some 40 mm apart."""
    waves = sin(x / 11 + 0.6 * sin(y / 17)) + sin(y / 9 + 2 + 0.7 * sin(x / 21)) + sin((x + y) / 23 + 4)
    return min(0.95, max(0.12, 0.3 + 0.36 * waves))


def _along(line: Line, step: float) -> Iterator[Point]:
    """Points of a line, each so far from the one before it."""
    rest = step / 2
    for one, other in pairwise(line):
        length = dist(one, other)
        while rest < length:
            share = rest / length
            yield Point(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)
            rest += step
        rest -= length
