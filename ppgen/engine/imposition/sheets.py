"""Values of imposition: items and a sheet spec go in, sheets come out. Millimetres, origin top left, y down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from string import ascii_uppercase

from ppgen.engine.geometry import ANYWHERE, ORIGIN, Format, Insets, LineSegment, Point, Rect, Seams, Size, bounding_box
from ppgen.engine.shapes import RECTANGLE, Shape
from ppgen.engine.svg.outlines import Outline

SLACK = 1e-6  # lengths that differ by less are equal, in mm: sums of trims carry rounding errors of 1e-13
MIN_STRIP = 60.0  # minimum length of a strip for the label or the scale bar, in mm: the bar and a word next to it
LARGEST_SHIFT, LARGEST_ANGLE = 20.0, 10.0  # of a back offset (mm) and rotation (degrees): more is not drift
LARGEST_DRIFT = 2.0  # rotation in degrees that a printer may have: more is probably a mistake


class Backs(StrEnum):
    """The way backs get behind their fronts."""

    DUPLEX = "duplex"
    FOLD = "fold"
    NONE = "none"


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
