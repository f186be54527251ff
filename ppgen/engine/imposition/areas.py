"""Turns a sheet spec into the areas of sheets: pages with strips, marks and folds, and where trims may stand there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ppgen.engine.geometry import Point, Rect, Size, rest
from ppgen.engine.imposition.marks import CLEARANCE, LEAST_TICK
from ppgen.engine.imposition.registration import inset_of, reach_of, silhouette_marks
from ppgen.engine.imposition.values import Backs, Fold, Furniture, Marks, RegistrationMark, SheetSpec

STRIP = 3.2
"""Height of the strips for label and scale bar, in mm."""
TICK_ROOM = 2.0
"""Room for cut marks between the outermost bleeds and the margin or a strip, in mm."""
FOLD_ROOM = 5.0
"""From the bleed to the fold line, in mm (the usual gutter of fold-over cards); where that saves a sheet, from the
trim."""
CROSS_ROOM = STRIP * 1.25
"""Room for a cross at the end of a strip, in mm."""
STRIP_APART = 3.0
"""Crosses and strips keep this much further from registration marks than they need to, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """How backs lie beyond fold lines: below their row, or beside each two of a row, whose fold lines are ``upright``.

    ``reach`` is the distance from a trim to its fold line in mm; it is ``tight`` if the bleed lies between.
    """

    upright: bool
    reach: float
    tight: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """All that is settled of a sheet before items lie on it, in mm: the ``room`` for trims, and what stands beside it.

    ``middle`` is the fold of a sheet that is folded as a whole before it is cut, not each row by itself: a machine
    can't see the marks of what is folded away, so all fronts stand above that fold, with the marks. A room is
    ``clear`` if whatever fills it misses the registration marks.
    """

    page: Size
    margin: float
    room: Rect
    furniture: Furniture
    registration: tuple[RegistrationMark, ...] = ()
    clear: bool = True
    folding: Folding | None = None
    middle: Fold | None = None

    @property
    def limits(self) -> Rect:
        """Where cut marks may stand."""
        return self.furniture.free(self.page, self.margin)

    @property
    def upright(self) -> Folding | None:
        """The folding, if rows are folded at upright lines."""
        return self.folding if self.folding and self.folding.upright else None

    @property
    def below(self) -> Folding | None:
        """The folding, if rows are folded at lines below them."""
        return self.folding if self.folding and not self.folding.upright else None

    @property
    def largest(self) -> Size:
        """The largest item that fits, with its back beyond a fold."""
        if self.upright:  # it has marks at its sides
            return Size(rest(self.room.width / 2 - TICK_ROOM - self.upright.reach), self.room.height)
        height = self.room.height / 2 - self.below.reach if self.below else self.room.height
        return Size(self.room.width, rest(height))


def areas(spec: SheetSpec, groups: int = 1) -> tuple[Area, ...]:
    """All areas that sheets for so many groups of items may have: wide margins and upright pages before others."""
    return tuple(area for margin in dict.fromkeys((spec.margin, min(spec.margin, spec.least_margin)))
                 for page in dict.fromkeys((spec.paper.size, spec.paper.size.turned))
                 for sideways in (False, True)
                 for folding in _foldings(spec, groups)
                 for area in _on_page(spec, page, margin, sideways, folding))


def largest(spec: SheetSpec) -> Size:
    """The largest item that fits the paper, in mm."""
    return max((size for area in areas(spec) if area.clear and min((size := area.largest).width, size.height) > 0),
               key=lambda size: size.width * size.height, default=Size(0, 0))


def _foldings(spec: SheetSpec, groups: int) -> tuple[Folding | None, ...]:
    """The ways to fold the rows of such sheets; None is not to fold them, or all at once.

    Upright lines go through all rows, so there are none where several grids stand below each other.
    """
    if spec.backs is not Backs.FOLD or spec.marks is Marks.SILHOUETTE:
        return (None,)
    usual = spec.bleed + FOLD_ROOM
    least = max(FOLD_ROOM, spec.bleed + CLEARANCE + LEAST_TICK)  # ticks stand there
    ways = (False, True) if groups == 1 else (False,)
    return tuple(Folding(upright=upright, reach=reach, tight=reach < usual)
                 for reach in dict.fromkeys((usual, min(usual, least))) for upright in ways)


def _on_page(spec: SheetSpec, page: Size, margin: float, sideways: bool, folding: Folding | None) -> Iterator[Area]:
    """The areas inside margins, strips and bleeds. Beside upright folds, the outermost trims are those of backs,
    which are cut out from in front: they need no marks.

    With registration marks there are three ways: anywhere among them (a layout may still miss them all), in the
    columns between them, or in the rows between them.
    """
    machine = spec.marks is Marks.SILHOUETTE
    furniture = furniture_of(page, margin, sideways, spec.backs is Backs.DUPLEX, machine)
    strips = STRIP + TICK_ROOM
    left = margin + (strips if sideways else 0.0 if folding and folding.upright else TICK_ROOM) + spec.bleed
    top = bottom = margin + (TICK_ROOM if sideways else strips) + spec.bleed
    if not machine:
        yield Area(page=page, margin=margin, room=_inside(page, left, top, bottom), furniture=furniture,
                   folding=folding)
        return
    middle = Fold(page.height / 2) if spec.backs is Backs.FOLD else None
    if (middle and sideways) or not furniture.is_long_enough:
        return  # a strip would lie across the fold, or be too short
    leaf = Size(page.width, middle.at) if middle else page
    bottom = FOLD_ROOM + spec.bleed if middle else top
    left, top, bottom = (max(rim, inset_of(margin)) for rim in (left, top, bottom))  # knives go no further
    far = reach_of(margin) + spec.bleed
    for clear, rims in ((False, (left, top, bottom)), (True, (max(left, far), top, bottom)),
                        (True, (left, max(top, far), max(bottom, far)))):
        yield Area(page=page, margin=margin, room=_inside(leaf, *rims), furniture=furniture, clear=clear,
                   registration=silhouette_marks(leaf, margin), middle=middle)


def _inside(leaf: Size, left: float, top: float, bottom: float) -> Rect:
    return Rect(left, top, rest(leaf.width - 2 * left), rest(leaf.height - (top + bottom)))


def furniture_of(page: Size, margin: float, sideways: bool, crosses: bool, machine: bool = False) -> Furniture:
    """The strips inside the margin: at the top and bottom, or (sideways) at the left and right.

    On pages for a cutting ``machine`` they and the crosses at their ends stand between its registration marks.
    """
    start = reach_of(margin) + STRIP_APART if machine else margin
    room = start + (CROSS_ROOM if crosses else 0.0)
    if sideways:
        label = Rect(margin, room, STRIP, rest(page.height - 2 * room))
        foot = Rect(page.width - margin - STRIP, label.y, STRIP, label.height)
    else:
        label = Rect(room, margin, rest(page.width - 2 * room), STRIP)
        foot = Rect(label.x, page.height - margin - STRIP, label.width, STRIP)
    across, along = margin + STRIP / 2, start + (CROSS_ROOM if machine else STRIP) / 2
    inset_x, inset_y = (across, along) if sideways else (along, across)
    places = tuple(Point(x, y) for x in (inset_x, page.width - inset_x) for y in (inset_y, page.height - inset_y))
    return Furniture(label=label, foot=foot, crosses=places if crosses else ())
