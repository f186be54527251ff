"""Turns an imposed sheet into what a machine does to it: closed cuts, folds, registration marks. Pure.

Millimetres from the top left corner of the leaf that is put into the machine, y down.
"""

from __future__ import annotations

from dataclasses import dataclass

from ppgen.engine.geometry import Line, Rect, Size
from ppgen.engine.imposition.values import Placement, Sheet
from ppgen.engine.shapes.outline import Outline, Vertex, rounded
from ppgen.engine.shapes.shape import RECTANGLE


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSheet:
    """One drawing: the ``size`` of the leaf in the machine, and its ways in the order in which they are run."""

    size: Size
    cuts: tuple[Outline, ...]
    folds: tuple[Line, ...] = ()
    registration: tuple[Outline, ...] = ()


def cut_sheet(sheet: Sheet, corners: float) -> CutSheet:
    """The pieces of a sheet as its front side has them; plain rectangles with corners of that radius (mm).

    Tiles, and what is folded, have square ones. Of a sheet that is folded before it is cut, only the fronts above the
    fold: the backs lie behind them. Raises ValueError if a piece is too small for such corners.
    """
    front = sheet.sides[0]
    leaf = Rect(0, 0, sheet.leaf.width, sheet.leaf.height)
    seen = sorted((placed for placed in front.placements if leaf.contains(placed.trim)), key=_order)
    folds = front.folds if sheet.leaf == sheet.size else ()
    return CutSheet(size=leaf.size, cuts=tuple(_cut(placed, corners) for placed in seen),
                    folds=(*folds, *(fold for placed in seen for fold in placed.folds)),
                    registration=registration_of(sheet))


def _cut(placed: Placement, corners: float) -> Outline:
    if placed.shape == RECTANGLE and not placed.tile:
        return rounded(placed.trim, corners)
    return placed.outline


def registration_of(sheet: Sheet) -> tuple[Outline, ...]:
    """The marks on the side that the machine sees."""
    return tuple(Outline(vertices=tuple(Vertex(point) for point in mark.path), closed=mark.kind == "square")
                 for mark in sheet.sides[0].registration)


def _order(placed: Placement) -> tuple[float, float]:
    """From left to right and from the top down, so that the sheet is fed in one direction."""
    return round(placed.trim.y, 3), round(placed.trim.x, 3)
