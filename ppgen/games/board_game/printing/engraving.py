"""Turns coasts into the strokes of an engraver: short level lines that run out from the land into the sea."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, sin

from ppgen.games.board_game.board.model import Frame, Line

PITCH = 0.85
"""Between the strokes, in mm."""
SHORT, LONG = 0.9, 2.6
"""How far they run, in mm."""


def strokes(rings: Iterable[Line], frame: Frame) -> str:
    """Path data of all strokes within the frame; ``rings`` are the outlines of lands and isles."""
    crossings: dict[int, list[float]] = {}
    for ring in rings:
        for one, other in pairwise((*ring, ring[0])):
            top, bottom = sorted((one.y, other.y))
            for row in range(ceil(top / PITCH), ceil(bottom / PITCH)):
                x = one.x + (other.x - one.x) * (row * PITCH - one.y) / (other.y - one.y)
                crossings.setdefault(row, []).append(x)
    return "".join(_row(row, sorted(found), frame) for row, found in sorted(crossings.items())
                   if frame.top < row * PITCH < frame.bottom)


def _row(row: int, crossings: list[float], frame: Frame) -> str:
    """The strokes at one height: from both shores of each piece of sea, if they do not meet."""
    shores = [frame.left, *crossings, frame.right]
    y = f"{row * PITCH:.2f}"
    return "".join(f"M{x:.1f} {y}h{length:.1f}" for west, east in zip(shores[::2], shores[1::2], strict=True)
                   for x, length in _from_shores(row, west, east, frame) if east - west > 2 * LONG)


def _from_shores(row: int, west: float, east: float, frame: Frame) -> Iterator[tuple[float, float]]:
    for shore, way in ((west, 1), (east, -1)):
        if frame.left < shore < frame.right:
            yield shore, way * (SHORT + (LONG - SHORT) * _swell(row, shore))


def _swell(row: int, x: float) -> float:
    """From 0 to 1: an unsteady hand, the same on every machine."""
    return 0.5 + 0.3 * sin(row * 2.4 + x / 3) + 0.2 * sin(row * 0.37 + x / 11)
