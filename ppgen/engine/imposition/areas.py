"""Turns a page and a sheet spec into where trims may stand, and the strips for label and scale bar beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ppgen.engine.geometry import Point, Rect, Size, rest
from ppgen.engine.imposition.marks import CLEARANCE, LEAST_TICK
from ppgen.engine.imposition.registration import inset_of, reach_of
from ppgen.engine.imposition.values import Backs, Furniture, Marks, SheetSpec

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
LEAST_STRIP = 60.0
"""What registration marks must leave of the strips, in mm, for the scale bar and a word beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """How backs lie beyond fold lines: below their row, or beside each two of a row, whose fold lines are ``upright``.

    ``reach`` is the distance from a trim to its fold line in mm; it is ``tight`` if the bleed lies between.
    """

    upright: bool
    reach: float
    tight: bool


def foldings(spec: SheetSpec, grids: int = 1) -> tuple[Folding | None, ...]:
    """The ways to fold the rows of such sheets; None is not to fold them, or all at once.

    Upright lines go through all rows, so there are none where several grids stand below each other.
    """
    if spec.backs is not Backs.FOLD or folds_once(spec):
        return (None,)
    usual = spec.bleed + FOLD_ROOM
    least = max(FOLD_ROOM, spec.bleed + CLEARANCE + LEAST_TICK)  # ticks stand there
    ways = (False, True) if grids == 1 else (False,)
    return tuple(Folding(upright=upright, reach=reach, tight=reach < usual)
                 for reach in dict.fromkeys((usual, min(usual, least))) for upright in ways)


def largest(spec: SheetSpec) -> Size:
    """The largest item that fits the paper, in mm."""
    margin, paper = min(spec.margin, spec.least_margin), spec.paper.size
    if spec.marks is Marks.SILHOUETTE:  # what fills more than the areas that are clear of marks, meets one
        rooms = [area.size for page in (paper, paper.turned) for area in [*areas(spec, page, margin, False)][1:]]
    else:
        rooms = [area.size for area in areas(spec, paper, margin, False)]
    if least := foldings(spec)[-1]:
        rooms = [Size(room.width, rest(room.height / 2 - least.reach)) for room in rooms] + [
            Size(rest(room.width / 2 - least.reach), room.height) for room in rooms]
    return max((room for room in rooms if min(room.width, room.height) > 0),
               key=lambda room: room.width * room.height, default=Size(0, 0))


def folds_once(spec: SheetSpec) -> bool:
    """Whether the whole sheet is folded in its middle before it is cut, not each row by itself.

    A machine can't see the marks of what is folded away: so all fronts stand above the fold, with the marks.
    """
    return spec.backs is Backs.FOLD and spec.marks is Marks.SILHOUETTE


def leaf_of(page: Size, spec: SheetSpec) -> Size:
    """What the fronts stand on: the page, or its upper half."""
    return Size(page.width, page.height / 2) if folds_once(spec) else page


def areas(spec: SheetSpec, page: Size, margin: float, sideways: bool,
          folding: Folding | None = None) -> Iterator[Rect]:
    """Where trims may stand: inside margins, strips and bleeds. Beside upright folds, the outermost ones are backs,
    which are cut out from in front: they need no marks.

    With registration marks there are three ways: anywhere among them (a layout may still miss them all), in the
    columns between them, or in the rows between them.
    """
    strips, leaf = STRIP + TICK_ROOM, leaf_of(page, spec)
    ticks = 0.0 if folding and folding.upright else TICK_ROOM
    left = margin + (strips if sideways else ticks) + spec.bleed
    top = margin + (TICK_ROOM if sideways else strips) + spec.bleed
    bottom = FOLD_ROOM + spec.bleed if folds_once(spec) else top
    if spec.marks is not Marks.SILHOUETTE:
        yield _inside(leaf, left, top, bottom)
        return
    if (sideways and folds_once(spec)) or not strips_fit(page, margin, sideways, spec.backs is Backs.DUPLEX):
        return  # a strip would lie across the fold, or be too short
    left, top, bottom = (max(rim, inset_of(margin)) for rim in (left, top, bottom))  # knives go no further
    far = reach_of(margin) + spec.bleed
    yield _inside(leaf, left, top, bottom)
    yield _inside(leaf, max(left, far), top, bottom)
    yield _inside(leaf, left, max(top, far), max(bottom, far))


def _inside(leaf: Size, left: float, top: float, bottom: float) -> Rect:
    return Rect(left, top, rest(leaf.width - 2 * left), rest(leaf.height - (top + bottom)))


def strips_fit(page: Size, margin: float, sideways: bool, crosses: bool) -> bool:
    """Whether the strips are long enough between registration marks (and crosses)."""
    label = furniture_of(page, margin, sideways, crosses, machine=True).label
    return (label.height if sideways else label.width) >= LEAST_STRIP


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
