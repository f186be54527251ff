"""Turns lines of points into smooth path data, as short as prints well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist, hypot

from ppgen.games.board_game.board.model import Line, Point

FINE = 0.12
"""How far (mm) a smoothed line may leave its points: a hair line's width."""
Corner = Callable[[Point], bool]


def curve(line: Line, corner: Corner | None = None) -> str:
    """A smooth line through the ends and near the points between; it bends sharply only at a ``corner``.

    Backwards the same line has the same curve.
    """
    return f"M{_pair(line[0])}{_onward(line, corner)}"


def closed(lines: Sequence[Line], corner: Corner | None = None) -> str:
    """A ring of lines, each of which begins where the one before it ends."""
    return f"M{_pair(lines[0][0])}{''.join(_onward(line, corner) for line in lines)}Z"


def loop(ring: Line) -> str:
    """A smooth ring; its first point does not stand again at its end."""
    turned = (*ring, *ring[:2])
    starts = [_middle(one, other) for one, other in pairwise(turned)]
    onward = "".join(f"Q{_pair(by)} {_pair(to)}" for by, to in zip(turned[1:], starts[1:], strict=False))
    return f"M{_pair(starts[0])}{onward}Z"


def arch(start: Point, by: Point, end: Point) -> str:
    """A quadratic curve."""
    return f"M{_pair(start)}Q{_pair(by)} {_pair(end)}"


def simpler(line: Line, tolerance: float = FINE) -> Line:
    """The line with as few of its points as keep it within the ``tolerance`` in mm (Douglas and Peucker)."""
    kept = [0, len(line) - 1]
    todo = [(0, len(line) - 1)]
    while todo:
        first, last = todo.pop()
        far, at = max(((_distance(line[n], line[first], line[last]), n) for n in range(first + 1, last)),
                      default=(0.0, 0))
        if far > tolerance:
            kept.append(at)
            todo += ((first, at), (at, last))
    return tuple(line[n] for n in sorted(kept))


def rounded(line: Line, times: int = 3) -> Line:
    """The line with its corners cut ``times`` over (Chaikin); its ends stay."""
    for _ in range(times):
        pairs = [*pairwise(line)]
        cut = [_between(*pair, share) for pair in pairs for share in (0.25, 0.75)]
        line = (line[0], *cut[1:-1], line[-1])
    return line


def _onward(line: Line, corner: Corner | None) -> str:
    parts = []
    for at, after in pairwise(line[1:]):
        if corner and corner(at):
            parts.append(f"L{_pair(at)}")
        else:
            to = after if after is line[-1] or (corner and corner(after)) else _middle(at, after)
            parts.append(f"Q{_pair(at)} {_pair(to)}")
    parts.append(f"L{_pair(line[-1])}" if len(line) == 2 or (corner and corner(line[-2])) else "")
    return "".join(parts)


def _distance(point: Point, one: Point, other: Point) -> float:
    """From a point to the straight piece between two others; to the first of them if they are one."""
    across, down = other.x - one.x, other.y - one.y
    square = across * across + down * down
    if not square:
        return dist(point, one)
    share = max(0.0, min(1.0, ((point.x - one.x) * across + (point.y - one.y) * down) / square))
    return hypot(point.x - one.x - share * across, point.y - one.y - share * down)


def _between(one: Point, other: Point, share: float) -> Point:
    return Point(one.x + (other.x - one.x) * share, one.y + (other.y - one.y) * share)


def _middle(one: Point, other: Point) -> Point:
    return _between(one, other, 0.5)


def _pair(point: Point) -> str:
    return f"{_short(point.x)} {_short(point.y)}"


def _short(number: float) -> str:
    """A number with one decimal: a tenth of a millimetre."""
    return f"{round(number, 1) + 0:g}"
