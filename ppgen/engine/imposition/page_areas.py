"""Page areas: the room for trims on a page, between margins, label strips, registration marks and fold lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin

from ppgen.engine.geometry import ORIGIN, Insets, Point, Rect, Size, clip_to_zero
from ppgen.engine.imposition.crop_marks import CLEARANCE, MIN_TICK
from ppgen.engine.imposition.sheets import Backs, Fold, Furniture, Marks, RegistrationMark, SheetSpec

# Registration marks of Silhouette cutters
#
# The three marks of all its machines but the Cameo 5 Alpha: a filled square at the top left, brackets at the top right
# and the bottom left, on upright and on landscape pages. The user types the same figures into Silhouette Studio, which
# takes arms of 5 to 20 mm, lines of 0.5 to 1 mm and insets from 10 mm. Sources: the specification and
# ``page_manager.py`` of github.com/Alan-Cha/silhouette-card-maker; distances between marks ignore the width of lines
# (command TB23 in ``Commands.md`` of github.com/fablabnbg/inkscape-silhouette), so it is the middle of a line that
# stands at the inset.

INSET = 10.0  # from the paper's edges to the square, and to the middle of the brackets' lines, in mm: Studio's least
SQUARE = 5.0  # side of the square in mm
ARM = 8.89  # length of a bracket's arms from their common corner, in mm (0.35 in)
LINE = 1.0  # width of the brackets' lines in mm
CLEAR = 1.5
"""Nothing is printed this near to a mark, in mm, nor between the arms of a bracket.

The camera takes the edge of a card there for the mark (github.com/Malacath-92/Proxy-PDF-Maker issue 63).
"""


def mark_inset(margin: float) -> float:
    """From the edges of the paper to the marks, in mm: Studio cuts nothing outside of them."""
    return max(INSET, margin + LINE / 2)


def mark_reach(margin: float) -> float:
    """From the edges of the paper to the inner end of the largest clear zone, in mm."""
    return mark_inset(margin) + ARM + CLEAR


def silhouette_marks(leaf: Size, margin: float) -> tuple[RegistrationMark, ...]:
    """The three marks on a page of that size with that margin (mm)."""
    inset = mark_inset(margin)
    left, top, right, bottom = inset, inset, leaf.width - inset, leaf.height - inset
    square = Rect(left, top, SQUARE, SQUARE)
    corners = (Point(left, top), Point(square.right, top), Point(square.right, square.bottom),
               Point(left, square.bottom))
    return (RegistrationMark(kind="square", ink=(square,), path=corners),
            _bracket(Point(right - ARM, top), Point(right, top), Point(right, top + ARM)),
            _bracket(Point(left, bottom - ARM), Point(left, bottom), Point(left + ARM, bottom)))


def clear_zone(mark: RegistrationMark) -> Rect:
    """The zone around a mark where nothing else may be printed."""
    return mark.box.grown(Insets.all(CLEAR))


def _bracket(start: Point, corner: Point, end: Point) -> RegistrationMark:
    return RegistrationMark(kind="bracket", ink=(_arm(corner, start), _arm(corner, end)), path=(start, corner, end))


def _arm(corner: Point, end: Point) -> Rect:
    """The ink of a level or upright line: flush at its end, but half a line longer at the corner, to fill that."""
    half = LINE / 2
    if corner.y == end.y:
        x, far = (corner.x - half, end.x) if end.x > corner.x else (end.x, corner.x + half)
        return Rect(x, corner.y - half, far - x, LINE)
    y, far = (corner.y - half, end.y) if end.y > corner.y else (end.y, corner.y + half)
    return Rect(corner.x - half, y, LINE, far - y)


# --- Page areas ---

STRIP = 3.2  # height of the strips for label and scale bar, in mm
TICK_ROOM = 2.0  # room for cut marks between the outermost bleeds and the margin or a strip, in mm
FOLD_ROOM = 5.0
"""From the bleed to the fold line, in mm (the usual gutter of fold-over cards); where that saves a sheet, from the
trim."""
CROSS_ROOM = STRIP * 1.25  # room for a cross at the end of a strip, in mm
STRIP_APART = 3.0  # distance of crosses and strips from registration marks, in mm, on top of what they need


@dataclass(frozen=True, slots=True, kw_only=True)
class Folding:
    """Position of backs beyond fold lines."""

    upright: bool  # lines beside each two of a row; else below their row
    reach: float  # distance from a trim to its fold line, in mm
    tight: bool  # the bleed lies within it


@dataclass(frozen=True, slots=True, kw_only=True)
class PageArea:
    """Everything about a sheet that is settled before items are laid on it (mm); fronts lie above the ``middle``."""

    page: Size
    margin: float
    room: Rect  # where trims may stand
    furniture: Furniture
    registration: tuple[RegistrationMark, ...] = ()
    clear: bool = True  # nothing in its room can meet a registration mark
    folding: Folding | None = None
    middle: Fold | None = None  # the fold of a sheet that is folded once, before it is cut

    @property
    def limits(self) -> Rect:
        """The area for cut marks."""
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
    def largest_item(self) -> Size:
        """The largest item that fits, with its back beyond a fold."""
        if self.upright:  # it has marks at its sides
            return Size(clip_to_zero(self.room.width / 2 - TICK_ROOM - self.upright.reach), self.room.height)
        height = self.room.height / 2 - self.below.reach if self.below else self.room.height
        return Size(self.room.width, clip_to_zero(height))


def narrow(area: Rect, limits: Rect, rotation: float, shift: Point = ORIGIN, bleed: float = 0.0) -> Rect:
    """Narrow an area so that, with a bleed, it stays inside ``limits`` when it is shifted (mm), then turned (degrees).

    Both have the same middle, about which it turns. An area that stays inside is returned as it is.
    """
    turn = radians(abs(rotation))
    wide, high = area.width / 2 + bleed + abs(shift.x), area.height / 2 + bleed + abs(shift.y)
    across = clip_to_zero(wide - (limits.width / 2 - high * sin(turn)) / cos(turn))
    down = clip_to_zero(high - (limits.height / 2 - (wide - across) * sin(turn)) / cos(turn))
    across, down = min(across, area.width / 2), min(down, area.height / 2)
    return Rect(area.x + across, area.y + down, clip_to_zero(area.width - 2 * across),
                clip_to_zero(area.height - 2 * down))


def page_areas(spec: SheetSpec, groups: int = 1) -> tuple[PageArea, ...]:
    """All areas of sheets for this number of item groups: wide margins and upright pages before others."""
    return tuple(area for margin in dict.fromkeys((spec.margin, min(spec.margin, spec.least_margin)))
                 for page in dict.fromkeys((spec.paper.size, spec.paper.size.turned))
                 for sideways in (False, True)
                 for folding in _foldings(spec, groups)
                 for area in _areas_on_page(spec, page, margin, sideways, folding))


def largest_item(spec: SheetSpec) -> Size:
    """The largest item that fits the paper, in mm."""
    sizes = (area.largest_item for area in page_areas(spec) if area.clear)
    return max((size for size in sizes if min(size.width, size.height) > 0),
               key=lambda size: size.width * size.height, default=Size(0, 0))


def page_furniture(page: Size, margin: float, sideways: bool, crosses: bool, machine: bool = False) -> Furniture:
    """The strips inside the margin, sideways at left and right; for a ``machine`` between its marks."""
    start = mark_reach(margin) + STRIP_APART if machine else margin
    room = start + (CROSS_ROOM if crosses else 0.0)
    if sideways:
        label = Rect(margin, room, STRIP, clip_to_zero(page.height - 2 * room))
        foot = Rect(page.width - margin - STRIP, label.y, STRIP, label.height)
    else:
        label = Rect(room, margin, clip_to_zero(page.width - 2 * room), STRIP)
        foot = Rect(label.x, page.height - margin - STRIP, label.width, STRIP)
    across, along = margin + STRIP / 2, start + (CROSS_ROOM if machine else STRIP) / 2
    inset_x, inset_y = (across, along) if sideways else (along, across)
    places = tuple(Point(x, y) for x in (inset_x, page.width - inset_x) for y in (inset_y, page.height - inset_y))
    return Furniture(label=label, foot=foot, crosses=places if crosses else ())


def _foldings(spec: SheetSpec, groups: int) -> tuple[Folding | None, ...]:
    """The possible foldings of rows; None: not each. Upright lines go through all rows, so of one grid only."""
    if spec.backs is not Backs.FOLD or spec.marks is Marks.SILHOUETTE:
        return (None,)
    usual = spec.bleed + FOLD_ROOM
    least = max(FOLD_ROOM, spec.bleed + CLEARANCE + MIN_TICK)  # ticks stand there
    directions = (False, True) if groups == 1 else (False,)
    return tuple(Folding(upright=upright, reach=reach, tight=reach < usual)
                 for reach in dict.fromkeys((usual, min(usual, least))) for upright in directions)


def _areas_on_page(spec: SheetSpec, page: Size, margin: float, sideways: bool,
                   folding: Folding | None) -> Iterator[PageArea]:
    """The areas inside margins, strips and bleeds, where backs stay after they are shifted and turned.

    Beside upright folds the outermost trims are those of backs, which are cut out from in front: they need no marks.
    With registration marks there are three areas: all the room among them (a layout may still miss them all), the
    columns between them, and the rows between them.
    """
    machine, duplex = spec.marks is Marks.SILHOUETTE, spec.backs is Backs.DUPLEX
    furniture = page_furniture(page, margin, sideways, duplex, machine)
    limits = furniture.free(page, margin)

    def narrowed(room: Rect) -> Rect:
        return narrow(room, limits, spec.back_rotation, spec.back_offset, spec.bleed) if duplex else room

    strips = STRIP + TICK_ROOM
    left = margin + (strips if sideways else 0.0 if folding and folding.upright else TICK_ROOM) + spec.bleed
    top = bottom = margin + (TICK_ROOM if sideways else strips) + spec.bleed
    if not machine:
        yield PageArea(page=page, margin=margin, room=narrowed(_inside(page, left, top, bottom)), furniture=furniture,
                       folding=folding)
        return
    middle = Fold(page.height / 2) if spec.backs is Backs.FOLD else None
    if (middle and sideways) or not furniture.is_long_enough:
        return  # a strip would lie across the fold, or be too short
    leaf = Size(page.width, middle.at) if middle else page
    bottom = FOLD_ROOM + spec.bleed if middle else top
    left, top, bottom = (max(rim, mark_inset(margin)) for rim in (left, top, bottom))  # knives go no further
    far = mark_reach(margin) + spec.bleed
    for clear, rims in ((False, (left, top, bottom)), (True, (max(left, far), top, bottom)),
                        (True, (left, max(top, far), max(bottom, far)))):
        yield PageArea(page=page, margin=margin, room=narrowed(_inside(leaf, *rims)), furniture=furniture, clear=clear,
                       registration=silhouette_marks(leaf, margin), middle=middle)


def _inside(leaf: Size, left: float, top: float, bottom: float) -> Rect:
    """The room of a leaf inside its rims; the right one equals the left."""
    return Rect(left, top, clip_to_zero(leaf.width - 2 * left), clip_to_zero(leaf.height - (top + bottom)))
