"""Turns the fronts of a sheet into its backs: behind them (duplex) or beyond a fold line."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from ppgen.engine.geometry import Insets, Point, Rect, Size
from ppgen.engine.imposition.values import Flip


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


def folded_over(trim: Rect, fold: float) -> Rect:
    """Where the back of a front lies beyond a fold line that runs across at height ``fold``."""
    return Rect(trim.x, 2 * fold - trim.bottom, trim.width, trim.height)


def bleeds(trims: tuple[Rect, ...], most: float) -> tuple[Insets, ...]:
    """The bleed of each trim: ``most``, or half way to the neighbour that the edge faces (0 where they touch)."""
    found = [_bleed(trim, [other for other in trims if other is not trim], most) for trim in trims]
    for (n, one), (m, other) in combinations(enumerate(trims), 2):
        if one.grown(found[n]).overlaps(other.grown(found[m])):
            # At the end of a short row a bleed meets the one across the corner: each stops half way.
            across = max(other.x - one.right, one.x - other.right)
            along = max(other.y - one.bottom, one.y - other.bottom)
            if along > 1e-6 and across > 1e-6:
                upper, lower = (n, m) if one.y < other.y else (m, n)
                found[upper] = replace(found[upper], bottom=min(found[upper].bottom, along / 2))
                found[lower] = replace(found[lower], top=min(found[lower].top, along / 2))
            elif across > 1e-6:
                left, right = (n, m) if one.x < other.x else (m, n)
                found[left] = replace(found[left], right=min(found[left].right, across / 2))
                found[right] = replace(found[right], left=min(found[right].left, across / 2))
    return tuple(found)


def _bleed(trim: Rect, others: list[Rect], most: float) -> Insets:
    in_column = [other for other in others if trim.x < other.right and other.x < trim.right]
    in_row = [other for other in others if trim.y < other.bottom and other.y < trim.bottom]
    return Insets(top=_half_way([trim.y - other.bottom for other in in_column], most),
                  bottom=_half_way([other.y - trim.bottom for other in in_column], most),
                  left=_half_way([trim.x - other.right for other in in_row], most),
                  right=_half_way([other.x - trim.right for other in in_row], most))


def _half_way(distances: list[float], most: float) -> float:
    nearest = min((distance for distance in distances if distance > -1e-6), default=2 * most)
    return min(most, max(0.0, round(nearest / 2, 6)))


def shifted(trims: tuple[Rect, ...], by: Point) -> tuple[Rect, ...]:
    return tuple(trim.shifted(by) for trim in trims)
