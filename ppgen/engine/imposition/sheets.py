"""Sheets: their values, the areas of pages, and crop marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from math import cos, inf, radians, sin
from string import ascii_uppercase

from ppgen.engine.geometry import ANYWHERE, ORIGIN, Format, Insets, LineSegment, Point, Rect, Seams, Size, bounding_box
from ppgen.engine.shapes import RECTANGLE, Outline, Shape
from ppgen.records import dataclass, replace

# --- Values ---
# Values of imposition: items and a sheet spec go in, sheets come out. Millimetres, origin top left, y down.

SLACK = 1e-6  # lengths that differ by less are equal, in mm: sums of trims carry rounding errors of 1e-13
MIN_STRIP = 60.0  # minimum length of a strip for the label or the scale bar, in mm: the bar and a word next to it
LARGEST_SHIFT, LARGEST_ANGLE = 20.0, 10.0  # of a back offset (mm) and rotation (degrees): more is not drift
LARGEST_DRIFT = 2.0  # rotation in degrees that a printer may have: more is probably a mistake


class Backs(StrEnum):
    """The way backs get behind their fronts."""

    DUPLEX = "duplex"
    FOLD = "fold"
    NONE = "none"


class Sides(StrEnum):
    """Sides of the sheets that go into a file: one side of all, to feed them by hand."""

    BOTH = "both"
    FRONTS = "fronts"
    BACKS = "backs"


class BookletLayout(StrEnum):
    """Layout of rules and guide: on sheets to fold, pairs of pages on one side of a sheet, or single pages."""

    FOLDED = "folded"
    SIDE_BY_SIDE = "side-by-side"
    PAGES = "pages"


class Flip(StrEnum):
    """The edge at which a sheet is turned over to print its back."""

    LONG = "long"
    SHORT = "short"


class Marks(StrEnum):
    """Style of cut marks; ``SILHOUETTE`` is for the camera of a cutting machine, not for the eye."""

    TICKS = "ticks"
    LINES = "lines"
    NONE = "none"
    SILHOUETTE = "silhouette"


class Order(StrEnum):
    """The order of the items on the sheets."""

    GRID = "grid"
    STACK = "stack"


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSpec:
    """Layout options of sheets. Lengths in mm."""

    paper: Format
    bleed: float = 2.0
    margin: float = 8.0  # at each edge, free of print
    least_margin: float = 5.0  # where that saves a sheet
    backs: Backs = Backs.DUPLEX
    flip: Flip = Flip.LONG
    back_offset: Point = ORIGIN
    back_rotation: float = 0.0  # degrees clockwise
    marks: Marks = Marks.TICKS
    order: Order = Order.GRID

    @property
    def turned(self) -> SheetSpec:
        """The same options on the paper in landscape."""
        return replace(self, paper=Format(self.paper.name, self.paper.size.turned))


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One piece to be cut out."""

    id: str
    size: Size  # its trim
    shape: Shape = RECTANGLE
    edge: str = ""  # what its bleed shows: Face.edge
    has_back: bool = True
    seams: Seams = ANYWHERE  # best places to cut it apart if it is larger than the paper


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold line across the sheet, ``at`` mm from its top, or if it is ``upright`` from its left edge."""

    at: float
    upright: bool = False

    @property
    def turn(self) -> int:
        """The turn of backs beyond the line, in degrees: below it they stand upside down."""
        return 0 if self.upright else 180


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetTile:
    """One of the tiles that a face is cut into."""

    columns: tuple[float, ...]  # edges of all tiles, from 0 to the face's width, in mm
    rows: tuple[float, ...]  # likewise to its height
    column: int  # from 0
    row: int  # from 0
    flap: float  # reach under its right and its lower neighbour

    @property
    def name(self) -> str:
        """Letters for the column and a number for the row, from A1 at the top left; AA follows Z."""
        round_, letter = divmod(self.column, len(ascii_uppercase))
        return f"{ascii_uppercase[round_ - 1] if round_ else ''}{ascii_uppercase[letter]}{self.row + 1}"

    @property
    def own(self) -> Rect:
        """The part of the face that the tile shows when all are joined."""
        left, top = self.columns[self.column], self.rows[self.row]
        return Rect(left, top, self.columns[self.column + 1] - left, self.rows[self.row + 1] - top)

    @property
    def flaps(self) -> Insets:
        return Insets(0.0, self.flap if self.column < len(self.columns) - 2 else 0.0,
                      self.flap if self.row < len(self.rows) - 2 else 0.0, 0.0)

    @property
    def window(self) -> Rect:
        """The part of the face that is printed, without bleeds."""
        return self.own.grown(self.flaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One face on one side of a sheet, or a tile of it, in the page's directions."""

    item: str
    face: str
    trim: Rect
    bleed: Insets
    turn: int = 0  # of the face about the centre of its trim, in degrees clockwise
    shape: Shape = RECTANGLE  # as seen: mirrored for backs
    tile: SheetTile | None = None
    clip: tuple[Point, ...] = ()  # corners that a nested face is printed inside; others fill their bleed box

    @property
    def bleed_box(self) -> Rect:
        """The trim with its bleed."""
        return self.trim.grown(self.bleed)

    @property
    def outline(self) -> Outline:
        """The line on the sheet that it is cut out along."""
        return self.shape.outline(self.trim.size).place(self.trim, self.turn)

    @property
    def folds(self) -> tuple[LineSegment, ...]:
        """Its folds on the sheet."""
        return self.shape.place_folds(self.trim, self.turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationMark:
    """A mark that the camera of a cutting machine looks for."""

    kind: str  # a filled `square`, or a `bracket` of two lines
    ink: tuple[Rect, ...]  # rectangles that are printed black
    path: tuple[Point, ...]  # in the machine's program: corners of the square, or the bracket's lines from end to end

    @property
    def box(self) -> Rect:
        """The smallest rectangle around its ink."""
        return bounding_box(self.ink)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetSide:
    """One printed page."""

    name: str
    placements: tuple[Placement, ...]
    cuts: tuple[LineSegment, ...] = ()
    folds: tuple[LineSegment, ...] = ()
    seams: tuple[LineSegment, ...] = ()  # point away from the start of a tile's flaps
    outlines: tuple[Outline, ...] = ()  # are cut along with scissors
    creases: tuple[LineSegment, ...] = ()  # prolong the folds of pieces
    rotation: float = 0.0  # turns placements and cut marks about the page's centre
    registration: tuple[RegistrationMark, ...] = ()  # on the side that a cutting machine sees; never moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """The strips for label and scale bar, outside the bleeds and inside the margins; upright ones are turned."""

    label: Rect
    foot: Rect  # the strip of the scale bar
    crosses: tuple[Point, ...] = ()  # at the same places on both sides: they show how well front and back meet

    @property
    def upright(self) -> bool:
        """True if the strips are at the top and bottom."""
        return self.label.width >= self.label.height

    @property
    def is_long_enough(self) -> bool:
        """True if a scale bar and a word next to it fit the strips, between registration marks (and crosses)."""
        return max(self.label.width, self.label.height) >= MIN_STRIP

    def free(self, page: Size, margin: float) -> Rect:
        """The area for cut marks: inside the margins, outside the strips."""
        strip = margin + min(self.label.width, self.label.height)
        across, down = (margin, strip) if self.upright else (strip, margin)
        return Rect(across, down, page.width - 2 * across, page.height - 2 * down)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet of paper: its size as printed (landscape or portrait) and one or two sides."""

    size: Size
    sides: tuple[SheetSide, ...]
    furniture: Furniture

    @property
    def leaf(self) -> Size:
        """The size that a cutting machine takes in: the sheet, or its upper half if it is folded before it is cut."""
        front = self.sides[0]
        if front.registration and front.folds:
            return Size(self.size.width, front.folds[0].start.y)
        return self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The chosen layout and the reason for it, for the manifest."""

    orientation: str
    columns: int
    rows: int
    shared_bleeds: bool
    margin: float
    cuts: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Imposition:
    """All sheets of a part, and the layout that was chosen for them."""

    sheets: tuple[Sheet, ...]
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Captions:
    """The words on one page: its label, and the hint next to the scale bar."""

    label: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """The metadata of a PDF. ``bookmarks`` and ``page_labels`` have an entry for each page."""

    title: str
    author: str
    subject: str
    lang: str
    creator: str
    bookmarks: Sequence[str]
    page_labels: Sequence[str]
    flip: Flip | None = None
    date: str = ""  # a PDF date (ISO 32000-1, 7.9.4), or empty for none


# --- Crop marks ---

TICK = 4.0  # length of a tick in mm; a shorter gap is marked in full
MIN_TICK = 1.5  # a shorter tick, in mm, is a speck that does not guide a ruler: it is left out
FOLD_TICK = 3.0  # reach of a fold mark beyond the bleed of its piece, in mm
CLEARANCE = 0.25  # distance of marks from bleeds, in mm, so that no ink runs into them

MarkSpan = tuple[float, float]
MarkBox = tuple[float, float, float, float]  # as seen from a cut: from and to across it, from and to along it


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """The facts of a placement that marks depend on: trim, bleed box, and whether its trim is cut along a ruler."""

    trim: Rect
    bleed: Rect
    is_ruled: bool

    @property
    def size(self) -> tuple[float, float]:
        return round(self.trim.width, 6), round(self.trim.height, 6)


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """A piece as seen from the cuts of one direction: its trim and bleed boxes, and the cuts at its edges."""

    trim: MarkBox
    bleed: MarkBox
    cuts: tuple[float, ...]
    size: tuple[float, float]


def cut_marks(placements: Sequence[Placement], area: Rect, style: Marks,
              folds: Sequence[LineSegment] = ()) -> tuple[LineSegment, ...]:
    """The marks on one side of a sheet, inside ``area`` (mm) and outside every bleed.

    ``TICKS`` stand at both ends of each free stretch of a cut line: at the sheet's edges and between the bleeds.
    ``LINES`` are the whole stretches, and the cuts that two faces share. Pieces of another size are another grid,
    with cuts elsewhere: each of two grids marks its own half of the room between them, so that their marks never mix.
    Shaped pieces are parted in the middle between their bleeds, but not at the ``folds``, and then cut out by hand.
    Sheets for a machine have none: its camera might take them for its own marks.
    """
    if style in (Marks.NONE, Marks.SILHOUETTE):
        return ()
    pieces = tuple(MarkedPiece(placement.trim, placement.bleed_box, placement.shape.is_ruled)
                   for placement in placements)
    return _cut_marks(pieces, area, style, tuple(folds))


def outline_marks(placements: Sequence[Placement], style: Marks) -> tuple[Outline, ...]:
    """The outlines of fronts that a ruler can't cut out: lines for scissors, unless marks are off or for a machine."""
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    return tuple(placement.outline for placement in placements
                 if placement.face == "front" and not placement.shape.is_ruled)


def fold_marks(placements: Sequence[Placement], area: Rect, style: Marks) -> tuple[LineSegment, ...]:
    """Short lines next to the fronts, inside ``area`` (mm), that prolong each upright or level fold beyond the bleed.

    Two neighbours have half the gap each; where their bleeds leave too little of it, there are no marks. Nor are there
    any where the outline itself prolongs the fold, as beside the squares of a die.
    """
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    folded = [placement for placement in placements if placement.face == "front" and placement.shape.folds]
    boxes = {upright: [_mark_box(placement.trim, upright) for placement in placements]
             for upright in (True, False) if folded}
    return tuple(mark for placement in folded for fold in placement.folds
                 for mark in _prolong_fold(fold, placement, area, boxes))


def _prolong_fold(fold: LineSegment, placement: Placement, area: Rect,
                  boxes: Mapping[bool, Sequence[MarkBox]]) -> Iterator[LineSegment]:
    upright = abs(fold.start.x - fold.end.x) < SLACK
    if not upright and abs(fold.start.y - fold.end.y) > SLACK:
        return
    at = fold.start.x if upright else fold.start.y
    ends = sorted((fold.start.y, fold.end.y) if upright else (fold.start.x, fold.end.x))
    own, bleed = _mark_box(placement.trim, upright), placement.bleed
    bleeds = (bleed.top, bleed.bottom) if upright else (bleed.left, bleed.right)
    cut = [sorted((start.at.y, end.at.y) if upright else (start.at.x, end.at.x))
           for start, end in placement.outline.segments
           if max(abs((each.at.x if upright else each.at.y) - at) for each in (start, end)) < SLACK]
    in_way = [box[2:] for box in boxes[upright] if box[0] < at < box[1] and box != own]
    limits = _mark_box(area, upright)[2:]
    before = [(ends[0] - box[1]) / 2 for box in in_way if box[1] <= ends[0] + SLACK] + [ends[0] - limits[0]]
    after = [(box[0] - ends[1]) / 2 for box in in_way if box[0] >= ends[1] - SLACK] + [limits[1] - ends[1]]
    for end, sign, room, around in ((ends[0], -1, min(before), bleeds[0]), (ends[1], 1, min(after), bleeds[1])):
        start = around + CLEARANCE
        if (length := min(room, around + FOLD_TICK)) - start > MIN_TICK - SLACK:
            near, far = sorted((end + sign * start, end + sign * length))
            if any(begin < far and near < stop for begin, stop in cut):
                continue
            yield _line(round(at, 6), (near, far), upright)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def _cut_marks(pieces: tuple[MarkedPiece, ...], area: Rect, style: Marks,
               folds: tuple[LineSegment, ...]) -> tuple[LineSegment, ...]:
    lines: dict[LineSegment, None] = {}
    max_length = TICK if style is Marks.TICKS else inf
    for upright in (True, False):
        boxes = list(_marked_boxes(pieces, upright, [fold.start.x if upright else fold.start.y for fold in folds
                                                     if (abs(fold.start.x - fold.end.x) < SLACK) == upright]))
        limits = _mark_box(area, upright)
        cuts: dict[float, list[MarkedBox]] = {}
        for box in boxes:
            for edge in dict.fromkeys(box.cuts):
                cuts.setdefault(edge, []).append(box)
        # Grids lie below each other, so they meet along upright cuts only.
        several_grids = upright and len({box.size for box in boxes}) > 1
        for cut, own in sorted(cuts.items()):
            if not limits[0] <= cut <= limits[1]:
                continue  # an offset moved it off the area
            sizes = {box.size for box in own} if several_grids else set()
            foreign = [box.bleed for box in boxes if several_grids and box.size not in sizes]
            crossed = sorted((box.bleed[2] - CLEARANCE, box.bleed[3] + CLEARANCE) for box in boxes
                             if box.bleed[0] - CLEARANCE < cut < box.bleed[1] + CLEARANCE)
            for free in _subtract_spans((limits[2], limits[3]), crossed):
                for stretch in _marked_spans(free, limits[2:], [box.bleed for box in own], foreign, max_length):
                    lines[_line(cut, stretch, upright)] = None
            if style is Marks.LINES:
                for shared in _shared_edges(cut, boxes):
                    lines[_line(cut, shared, upright)] = None
    return tuple(lines)


def _marked_boxes(pieces: Sequence[MarkedPiece], upright: bool, folds: Sequence[float]) -> Iterator[MarkedBox]:
    """The pieces as seen from the cuts of one direction; shaped ones reach to the middle of the gaps."""
    shaped = [piece for piece in pieces if not piece.is_ruled]
    for piece in pieces:
        trim, bleed = _mark_box(piece.trim, upright), _mark_box(piece.bleed, upright)
        if piece.is_ruled:
            yield MarkedBox(trim, bleed, (round(trim[0], 6), round(trim[1], 6)), piece.size)
            continue
        # Rows of all sizes lie below each other, columns of each size apart.
        beside = [_mark_box(each.trim, upright)[:2] for each in shaped if not upright or each.size == piece.size]
        middles = list(_gap_middles(beside))
        before = max((cut for cut in middles if cut < trim[0] + SLACK), default=bleed[0])
        after = min((cut for cut in middles if cut > trim[1] - SLACK), default=bleed[1])
        cuts = tuple(cut for cut in (before, after)
                     if cut in middles and all(abs(cut - fold) > SLACK for fold in folds))
        across = min(before, bleed[0]), max(after, bleed[1])
        yield MarkedBox((*across, bleed[2] - CLEARANCE, bleed[3] + CLEARANCE), (*across, *bleed[2:]), cuts, piece.size)


def _gap_middles(spans: Sequence[MarkSpan]) -> Iterator[float]:
    reach = -inf
    for start, end in sorted(spans):
        if reach > -inf and start > reach - SLACK:
            yield round((reach + start) / 2, 6)
        reach = max(reach, end)


def _marked_spans(free: MarkSpan, limits: MarkSpan, own: Sequence[MarkBox], foreign: Sequence[MarkBox],
                  max_length: float) -> Iterator[MarkSpan]:
    """The marks at the ends of a free stretch of a cut, up to half way to ``foreign`` pieces; bleed boxes."""
    start, end = free
    begins = any(abs(box[3] + CLEARANCE - start) < SLACK for box in own)
    ends = any(abs(box[2] - CLEARANCE - end) < SLACK for box in own)
    ahead = [(start + box[2] - CLEARANCE) / 2 for box in foreign if begins and start < box[2] < end + 2 * CLEARANCE]
    behind = [(end + box[3] + CLEARANCE) / 2 for box in foreign if ends and start - 2 * CLEARANCE < box[3] < end]
    marked = []
    if begins or (ends and not behind and start == limits[0]):
        marked.append((start, min([end, start + max_length, *ahead])))
    if ends or (begins and not ahead and end == limits[1]):
        marked.append((max([start, end - max_length, *behind]), end))
    if len(marked) > 1 and marked[0][1] > marked[1][0] - SLACK:
        marked = [free]
    yield from ((first, last) for first, last in marked if last - first > MIN_TICK - SLACK)


def _mark_box(rect: Rect, upright: bool) -> MarkBox:
    if upright:
        return rect.x, rect.right, rect.y, rect.bottom
    return rect.y, rect.bottom, rect.x, rect.right


def _line(cut: float, stretch: MarkSpan, upright: bool) -> LineSegment:
    start, end = (round(value, 4) for value in stretch)
    if upright:
        return LineSegment(Point(cut, start), Point(cut, end))
    return LineSegment(Point(start, cut), Point(end, cut))


def _subtract_spans(whole: MarkSpan, others: Sequence[MarkSpan]) -> Iterator[MarkSpan]:
    at = whole[0]
    for start, end in others:
        if start > at + SLACK:
            yield at, min(start, whole[1])
        at = max(at, end)
    if at < whole[1] - SLACK:
        yield at, whole[1]


def _shared_edges(cut: float, boxes: Sequence[MarkedBox]) -> Iterator[MarkSpan]:
    """Stretches of a cut that two trims share as an edge, without a bleed between them."""
    before = {box.trim[2:] for box in boxes if abs(box.trim[1] - cut) < SLACK and abs(box.bleed[1] - cut) < SLACK}
    for box in boxes:
        if abs(box.trim[0] - cut) < SLACK and abs(box.bleed[0] - cut) < SLACK and box.trim[2:] in before:
            yield box.trim[2], box.trim[3]


# --- Areas of pages ---
# The room for trims on a page, between margins, label strips, registration marks and fold lines.

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
            return Size(max(self.room.width / 2 - TICK_ROOM - self.upright.reach, 0.0), self.room.height)
        height = self.room.height / 2 - self.below.reach if self.below else self.room.height
        return Size(self.room.width, max(height, 0.0))


def narrow(area: Rect, limits: Rect, rotation: float, shift: Point = ORIGIN, bleed: float = 0.0) -> Rect:
    """Narrow an area so that, with a bleed, it stays inside ``limits`` when it is shifted (mm), then turned (degrees).

    Both have the same middle, about which it turns. An area that stays inside is returned as it is.
    """
    turn = radians(abs(rotation))
    wide, high = area.width / 2 + bleed + abs(shift.x), area.height / 2 + bleed + abs(shift.y)
    across = max(wide - (limits.width / 2 - high * sin(turn)) / cos(turn), 0.0)
    down = max(high - (limits.height / 2 - (wide - across) * sin(turn)) / cos(turn), 0.0)
    across, down = min(across, area.width / 2), min(down, area.height / 2)
    return Rect(area.x + across, area.y + down, max(area.width - 2 * across, 0.0), max(area.height - 2 * down, 0.0))


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
        label = Rect(margin, room, STRIP, max(page.height - 2 * room, 0.0))
        foot = Rect(page.width - margin - STRIP, label.y, STRIP, label.height)
    else:
        label = Rect(room, margin, max(page.width - 2 * room, 0.0), STRIP)
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
    return Rect(left, top, max(leaf.width - 2 * left, 0.0), max(leaf.height - (top + bottom), 0.0))
