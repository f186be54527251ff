"""Turns an imposed sheet into what a machine does to it: closed cuts, folds, registration marks. Pure.

Millimetres from the top left corner of the leaf that is put into the machine, y down.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan

from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.imposition.values import Placement, Sheet

QUARTER = tan(radians(90) / 4)
"""The bulge of a quarter of a circle."""


@dataclass(frozen=True, slots=True)
class Vertex:
    """A corner of an outline.

    ``bulge`` bends the way to the next one: the tangent of a quarter of the arc's angle (DXF reference, POLYLINE,
    group 42), here above 0 where the arc is run through clockwise, as seen on the page.
    """

    at: Point
    bulge: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """A way of the knife; ``closed`` ones lead back to the first corner."""

    vertices: tuple[Vertex, ...]
    closed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSheet:
    """One drawing: the ``size`` of the leaf in the machine, and its ways in the order in which they are run."""

    size: Size
    cuts: tuple[Outline, ...]
    folds: tuple[Line, ...] = ()
    registration: tuple[Outline, ...] = ()


def cut_sheet(sheet: Sheet, corners: float) -> CutSheet:
    """The pieces of a sheet as its front side has them, with corners of that radius (mm); tiles have square ones.

    Of a sheet that is folded before it is cut, only the fronts above the fold: the backs lie behind them.
    Raises ValueError if a piece is too small for such corners.
    """
    front = sheet.sides[0]
    leaf = Rect(0, 0, sheet.leaf.width, sheet.leaf.height)
    seen = [placed for placed in front.placements if leaf.contains(placed.trim)]
    return CutSheet(size=leaf.size, cuts=tuple(rounded(placed.trim, 0.0 if placed.tile else corners)
                                          for placed in sorted(seen, key=_order)),
                    folds=front.folds if sheet.leaf == sheet.size else (), registration=registration_of(sheet))


def rounded(trim: Rect, radius: float) -> Outline:
    """A rectangle with true arcs for corners, clockwise from the left end of its upper edge.

    Raises ValueError if the radius is more than half of a side.
    """
    if radius > min(trim.width, trim.height) / 2 + 1e-6:
        raise ValueError(f"corners of {radius:g} mm are too large for {trim.size}")
    if not radius:
        return polygon((Point(trim.x, trim.y), Point(trim.right, trim.y), Point(trim.right, trim.bottom),
                        Point(trim.x, trim.bottom)))
    left, right = trim.x + radius, trim.right - radius
    top, bottom = trim.y + radius, trim.bottom - radius
    ends = ((Point(left, trim.y), Point(right, trim.y)), (Point(trim.right, top), Point(trim.right, bottom)),
            (Point(right, trim.bottom), Point(left, trim.bottom)), (Point(trim.x, bottom), Point(trim.x, top)))
    vertices: list[Vertex] = []
    for start, end in ends:
        if abs(start.x - end.x) + abs(start.y - end.y) > 1e-6:  # where arcs meet there is no straight way between
            vertices.append(Vertex(start))
        vertices.append(Vertex(end, QUARTER))
    return Outline(vertices=tuple(vertices))


def polygon(points: tuple[Point, ...]) -> Outline:
    """A closed outline of straight ways."""
    return Outline(vertices=tuple(Vertex(point) for point in points))


def registration_of(sheet: Sheet) -> tuple[Outline, ...]:
    """The marks on the side that the machine sees."""
    return tuple(Outline(vertices=tuple(Vertex(point) for point in mark.path), closed=mark.kind == "square")
                 for mark in sheet.sides[0].registration)


def _order(placed: Placement) -> tuple[float, float]:
    """From left to right and from the top down, so that the sheet is fed in one direction."""
    return round(placed.trim.y, 3), round(placed.trim.x, 3)
