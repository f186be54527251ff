"""Nets: what is printed flat, cut out, folded and glued – a tuck box, a standee, a tent. Pure.

How to use one for a piece: make it (``standee(Size(9, 18), feet=5)``), give its size and shape to the face and the net
itself to the template::

    net = tent(length=10, base=8, roof=9, tab=4)
    FaceRequest(template=…, size=net.size, shape=net.shape, values={"net": net, …})

The template draws each of ``net.panels`` (rectangles of the trim, in mm; a panel in ``net.turned`` is seen upside down
on the sheet, so draw it turned by 180 degrees), and nothing on ``net.glued``. Sheets then show where to cut and, with
marks beside the piece, where to fold; cut files have the folds on their layer; the making guide tells how to fold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import accumulate, pairwise

from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.shapes.shape import Kind, Shape


class Folded(StrEnum):
    """What a net is folded into."""

    BOX = "box"
    STANDEE = "standee"
    TENT = "tent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Net:
    """A net in mm from the top left corner of its bounding box, seen from outside; ``kind`` says what it becomes.

    ``outline`` is the closed cut, ``folds`` are scored, ``glued`` are the areas that take glue and stay bare;
    ``panels`` are what one sees when it is made, by their names: those in ``turned`` stand on their heads on the sheet.
    """

    kind: Folded
    size: Size
    outline: tuple[Point, ...]
    folds: tuple[Line, ...]
    glued: tuple[Rect, ...] = ()
    panels: Mapping[str, Rect] = field(default_factory=dict, hash=False)
    turned: tuple[str, ...] = ()

    @property
    def shape(self) -> Shape:
        """The shape of a piece whose trim is the net's bounding box: the rectangle itself, or a path; with folds."""
        width, height = self.size.width, self.size.height

        def share(point: Point) -> Point:
            return Point(point.x / width, point.y / height)

        corners = {(x, y) for x in (0, width) for y in (0, height)}
        is_trim = {(point.x, point.y) for point in self.outline} == corners
        return Shape(kind=Kind.RECTANGLE if is_trim else Kind.PATH,
                     path=() if is_trim else tuple(map(share, self.outline)),
                     folds=tuple(Line(share(fold.start), share(fold.end)) for fold in self.folds))


def standee(figure: Size, feet: float) -> Net:
    """A figure to stand up, folded at its head: front and back are glued together, a foot is bent out on either side.

    From above: ``back_foot``, the ``back`` upside down, the ``front``, ``front_foot``. A strip: straight cuts only.
    """
    return _strip(Folded.STANDEE, figure.width,
                  {"back_foot": feet, "back": figure.height, "front": figure.height, "front_foot": feet})


def tent(length: float, base: float, roof: float, tab: float) -> Net:
    """Two roofs over a base, ``length`` along the ridge: a house, or a card that stands on a table.

    From above: the ``base``, the ``back`` roof upside down, the ``front`` roof, and the tab, which is glued to the
    inside of the base. A strip: straight cuts only.
    """
    net = _strip(Folded.TENT, length, {"base": base, "back": roof, "front": roof, "tab": tab})
    return replace(net, glued=(net.panels["tab"],))


def _strip(kind: Folded, width: float, heights: Mapping[str, float]) -> Net:
    """Panels below each other with a fold between each two; the back stands on its head."""
    ends = [round(end, 6) for end in accumulate(heights.values(), initial=0.0)]
    panels = {name: Rect(0.0, top, width, end - top) for name, (top, end) in zip(heights, pairwise(ends), strict=True)}
    size = Size(width, ends[-1])
    corners = (Point(0.0, 0.0), Point(width, 0.0), Point(width, size.height), Point(0.0, size.height))
    return Net(kind=kind, size=size, outline=corners, panels=panels, turned=("back",),
               folds=tuple(Line(Point(0.0, at), Point(width, at)) for at in ends[1:-1]))
