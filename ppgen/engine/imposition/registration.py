"""Turns a page into the registration marks that a Silhouette cutter looks for, and the room that they keep clear.

They are the three marks of all its machines but the Cameo 5 Alpha: a filled square at the top left, brackets at the
top right and the bottom left, whether the page is upright or across. Whoever cuts types the same figures into
Silhouette Studio, which takes arms of 5 to 20 mm, lines of 0.5 to 1 mm and insets from 10 mm. Sources: the
specification and ``page_manager.py`` of github.com/Alan-Cha/silhouette-card-maker; distances between marks leave the
width of lines aside (command TB23 in ``Commands.md`` of github.com/fablabnbg/inkscape-silhouette), so it is the
middle of a line that stands at the inset.
"""

from __future__ import annotations

from ppgen.engine.geometry import Insets, Point, Rect, Size
from ppgen.engine.imposition.values import RegistrationMark

INSET = 10.0
"""From the edges of the paper to the square, and to the middle of the brackets' lines, in mm: Studio's least."""
SQUARE = 5.0
"""Side of the square in mm."""
ARM = 8.89
"""Length of a bracket's arms from their common corner, in mm (0.35 in)."""
LINE = 1.0
"""Width of the brackets' lines in mm."""
CLEAR = 1.5
"""Nothing is printed so near to a mark, in mm, nor between the arms of a bracket.

The edge of a card that stands there is taken for the mark (github.com/Malacath-92/Proxy-PDF-Maker issue 63).
"""


def inset_of(margin: float) -> float:
    """From the paper's edges to the marks, in mm: inside a margin that is wide, too.

    Studio cuts nothing further out: all cuts lie within the rectangle that the marks span.
    """
    return max(INSET, margin + LINE / 2)


def reach_of(margin: float) -> float:
    """From the paper's edges to the end of the largest clear zone, in mm."""
    return inset_of(margin) + ARM + CLEAR


def silhouette_marks(leaf: Size, margin: float) -> tuple[RegistrationMark, ...]:
    """The three marks on a page of that size with that margin (mm)."""
    inset = inset_of(margin)
    left, top, right, bottom = inset, inset, leaf.width - inset, leaf.height - inset
    square = Rect(left, top, SQUARE, SQUARE)
    corners = (Point(left, top), Point(square.right, top), Point(square.right, square.bottom),
               Point(left, square.bottom))
    return (RegistrationMark(kind="square", ink=(square,), path=corners),
            _bracket(Point(right - ARM, top), Point(right, top), Point(right, top + ARM)),
            _bracket(Point(left, bottom - ARM), Point(left, bottom), Point(left + ARM, bottom)))


def clear_zone(mark: RegistrationMark) -> Rect:
    """Where nothing else may be printed."""
    return mark.box.grown(Insets.all(CLEAR))


def _bracket(start: Point, corner: Point, end: Point) -> RegistrationMark:
    return RegistrationMark(kind="bracket", ink=(_arm(corner, start), _arm(corner, end)), path=(start, corner, end))


def _arm(corner: Point, end: Point) -> Rect:
    """The ink of a level or upright line: it ends flush, but runs on at the corner, so that the corner is filled."""
    half = LINE / 2
    if corner.y == end.y:
        x, far = (corner.x - half, end.x) if end.x > corner.x else (end.x, corner.x + half)
        return Rect(x, corner.y - half, far - x, LINE)
    y, far = (corner.y - half, end.y) if end.y > corner.y else (end.y, corner.y + half)
    return Rect(corner.x - half, y, LINE, far - y)
