"""Turns the fronts of a sheet into its backs: behind them (duplex) or beyond a fold line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from math import inf

from ppgen.engine.geometry import Insets, Point, Rect, Size
from ppgen.engine.imposition.values import Flip, Fold

SLACK = 1e-6
"""Lengths that differ by less are equal, in mm: sums of trims carry rounding errors of 1e-13."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rim:
    """Keeps backs from bleeding where their ticks stand, as these are to be as long as those of fronts.

    Between the edges of the ``area`` and a bleed remain at least ``ticks``, if fronts, which bleed by ``bleed``,
    leave as much. All in mm.
    """

    area: Rect
    ticks: float
    bleed: float


def mirrors_columns(page: Size, flip: Flip) -> bool:
    """Whether turning the sheet over at that edge mirrors left and right (else top and bottom)."""
    return (flip is Flip.LONG) == (page.height >= page.width)


def turned_over(trim: Rect, page: Size, flip: Flip) -> Rect:
    """Where the back of a front lies on the sheet's other side. Twice is where it was."""
    if mirrors_columns(page, flip):
        return Rect(page.width - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, page.height - trim.bottom, trim.width, trim.height)


def turn_of_backs(page: Size, flip: Flip) -> int:
    """Backs on a sheet turned over at its top edge stand upside down there (degrees)."""
    return 0 if mirrors_columns(page, flip) else 180


def folded_over(trim: Rect, fold: Fold) -> Rect:
    """Where the back of a front lies beyond a fold line. Twice is where it was."""
    if fold.upright:
        return Rect(2 * fold.at - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, 2 * fold.at - trim.bottom, trim.width, trim.height)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def bleeds(trims: tuple[Rect, ...], most: float, rim: Rim | None = None) -> tuple[Insets, ...]:
    """The bleed of each trim: ``most``, or half way to the neighbour that the edge faces (0 where they touch).

    An edge that faces the ``rim`` or a piece of another size bleeds no further than the rim allows.
    """
    found = [_bleed(trim, [other for other in trims if other is not trim], most, rim) for trim in trims]
    bled = [trim.grown(by) for trim, by in zip(trims, found, strict=True)]

    def keep(n: int, by: Insets) -> None:
        found[n], bled[n] = by, trims[n].grown(by)

    for (n, one), (m, other) in combinations(enumerate(trims), 2):
        if bled[n].overlaps(bled[m]):
            # At the end of a short row a bleed meets the one across the corner: each stops half way.
            across = max(other.x - one.right, one.x - other.right)
            along = max(other.y - one.bottom, one.y - other.bottom)
            if along > SLACK and across > SLACK:
                upper, lower = (n, m) if one.y < other.y else (m, n)
                keep(upper, replace(found[upper], bottom=min(found[upper].bottom, along / 2)))
                keep(lower, replace(found[lower], top=min(found[lower].top, along / 2)))
            elif across > SLACK:
                left, right = (n, m) if one.x < other.x else (m, n)
                keep(left, replace(found[left], right=min(found[left].right, across / 2)))
                keep(right, replace(found[right], left=min(found[right].left, across / 2)))
    return tuple(found)


def _bleed(trim: Rect, others: list[Rect], most: float, rim: Rim | None) -> Insets:
    in_column = [other for other in others  # or in the way of ticks: rows of another grid, however wide
                 if (trim.x < other.right - SLACK and other.x < trim.right - SLACK) or not _alike(other, trim)]
    in_row = [other for other in others if trim.y < other.bottom - SLACK and other.y < trim.bottom - SLACK]

    def length(faced: list[tuple[float, Rect]], to_rim: float) -> float:
        facing = [(distance, other) for distance, other in faced if distance > -SLACK]
        distance, nearest = min(facing, key=lambda found: found[0], default=(inf, None))
        allowed = most
        if rim and nearest is None:
            allowed = max(rim.bleed, min(most, to_rim - rim.ticks))
        elif rim and nearest and not _alike(nearest, trim):
            allowed = rim.bleed
        return min(allowed, max(0.0, round(distance / 2, 6) if nearest else most))

    area = rim.area if rim else trim
    return Insets(top=length([(trim.y - other.bottom, other) for other in in_column], trim.y - area.y),
                  bottom=length([(other.y - trim.bottom, other) for other in in_column], area.bottom - trim.bottom),
                  left=length([(trim.x - other.right, other) for other in in_row], trim.x - area.x),
                  right=length([(other.x - trim.right, other) for other in in_row], area.right - trim.right))


def _alike(one: Rect, other: Rect) -> bool:
    return abs(one.width - other.width) < SLACK and abs(one.height - other.height) < SLACK


def shifted(trims: tuple[Rect, ...], by: Point) -> tuple[Rect, ...]:
    return tuple(trim.shifted(by) for trim in trims)
