"""What imposition turns into what: items and a sheet spec become sheets. Millimetres, origin top left."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase

from ppgen.engine.formats import Format
from ppgen.engine.geometry import ANYWHERE, ORIGIN, Insets, Line, Point, Rect, Seams, Size, bounds
from ppgen.engine.shapes.outline import Outline
from ppgen.engine.shapes.shape import RECTANGLE, Shape

LEAST_STRIP = 60.0
"""The shortest strip for the label or the scale bar, in mm: the bar, and a word beside it."""
LARGEST_SHIFT, LARGEST_ANGLE = 20.0, 10.0
"""Of a back offset (mm) and rotation (degrees): more is no drift but a sheet put in askew."""


class Backs(StrEnum):
    """How backs come behind their fronts."""

    DUPLEX = "duplex"
    FOLD = "fold"
    NONE = "none"


class Flip(StrEnum):
    """The edge that a sheet is turned over at to print its back."""

    LONG = "long"
    SHORT = "short"


class Marks(StrEnum):
    """How cuts are marked; ``SILHOUETTE``: not for the eye, but for the camera of a cutting machine."""

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
    """How sheets are to be laid out. Lengths in millimetres, ``back_rotation`` in degrees clockwise.

    ``margin`` is the strip at each edge that stays free of print; ``least_margin`` how far it may
    shrink where that saves a sheet.
    """

    paper: Format
    bleed: float = 2.0
    margin: float = 8.0
    least_margin: float = 5.0
    backs: Backs = Backs.DUPLEX
    flip: Flip = Flip.LONG
    back_offset: Point = ORIGIN
    back_rotation: float = 0.0
    marks: Marks = Marks.TICKS
    order: Order = Order.GRID


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One piece to be cut out: its id, trim size, what its bleed shows (see Face.edge), and if it has a back.

    ``shape`` is what it is cut out as, ``seams`` are where it may best be cut apart, if it is larger than the paper.
    """

    id: str
    size: Size
    shape: Shape = RECTANGLE
    edge: str = ""
    has_back: bool = True
    seams: Seams = ANYWHERE


@dataclass(frozen=True, slots=True)
class Fold:
    """A fold line across the sheet: how far from its top, or ``upright`` from its left (mm)."""

    at: float
    upright: bool = False

    @property
    def turn(self) -> int:
        """How backs beyond the line are turned (degrees): below it they stand on their heads."""
        return 0 if self.upright else 180


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One of the tiles that a face is cut into, counted from 0 along ``column`` and ``row``.

    ``columns`` and ``rows`` are the edges of all tiles, from 0 to the face's width and height; a tile runs on under
    its right and its lower neighbour by the ``flap``. Millimetres of the face.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    column: int
    row: int
    flap: float

    @property
    def name(self) -> str:
        """Letters for the column and a number for the row, from A1 at the top left; AA follows Z."""
        round_, letter = divmod(self.column, len(ascii_uppercase))
        return f"{ascii_uppercase[round_ - 1] if round_ else ''}{ascii_uppercase[letter]}{self.row + 1}"

    @property
    def own(self) -> Rect:
        """What of the face the tile shows when all are joined."""
        left, top = self.columns[self.column], self.rows[self.row]
        return Rect(left, top, self.columns[self.column + 1] - left, self.rows[self.row + 1] - top)

    @property
    def flaps(self) -> Insets:
        return Insets(0.0, self.flap if self.column < len(self.columns) - 2 else 0.0,
                      self.flap if self.row < len(self.rows) - 2 else 0.0, 0.0)

    @property
    def window(self) -> Rect:
        """What of the face is printed, without bleeds."""
        return self.own.grown(self.flaps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """One face on one side of a sheet, or a ``tile`` of it.

    ``trim`` and ``bleed`` are in the page's directions; ``turn`` is how the face is turned about the
    trim's centre, degrees clockwise. ``shape`` is that of the face as one looks at it: backs are mirrored.
    """

    item: str
    face: str
    trim: Rect
    bleed: Insets
    turn: int = 0
    shape: Shape = RECTANGLE
    tile: Tile | None = None

    @property
    def bled(self) -> Rect:
        """The trim with its bleed."""
        return self.trim.grown(self.bleed)

    @property
    def outline(self) -> Outline:
        """Where it is cut out, on the sheet."""
        return self.shape.outline(self.trim.size).on(self.trim, self.turn)

    @property
    def folds(self) -> tuple[Line, ...]:
        """Where it is folded, on the sheet."""
        return self.shape.folds_on(self.trim, self.turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationMark:
    """A mark that a cutting machine looks for: a filled ``square``, or a ``bracket`` of two lines.

    ``ink`` are the rectangles that are printed black; ``path`` is what the machine's program takes the mark for:
    the corners of the square, or the middle of the bracket's lines from end to corner to end.
    """

    kind: str
    ink: tuple[Rect, ...]
    path: tuple[Point, ...]

    @property
    def box(self) -> Rect:
        """The smallest rectangle around its ink."""
        return bounds(self.ink)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One printed page. ``rotation`` turns placements and cut marks about the page's centre.

    ``seams`` lead away from where a tile's flaps begin; ``outlines`` are cut along with scissors, and ``creases`` lead
    away from the folds of pieces. ``registration`` stands on the side that a cutting machine
    sees, and never moves.
    """

    name: str
    placements: tuple[Placement, ...]
    cuts: tuple[Line, ...] = ()
    folds: tuple[Line, ...] = ()
    seams: tuple[Line, ...] = ()
    outlines: tuple[Outline, ...] = ()
    creases: tuple[Line, ...] = ()
    rotation: float = 0.0
    registration: tuple[RegistrationMark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Furniture:
    """Where the label and the scale bar stand: two strips outside the bleeds, inside the margins.

    Strips at the left and right are read turned by a quarter. ``crosses`` show how well front and back meet:
    they are at the same places on both sides of the sheet.
    """

    label: Rect
    foot: Rect
    crosses: tuple[Point, ...] = ()

    @property
    def upright(self) -> bool:
        return self.label.width >= self.label.height

    @property
    def is_long_enough(self) -> bool:
        """Whether the strips take a scale bar and a word beside it, between registration marks (and crosses)."""
        return max(self.label.width, self.label.height) >= LEAST_STRIP

    def free(self, page: Size, margin: float) -> Rect:
        """Where marks may stand: inside the margins, not in the strips."""
        strip = margin + min(self.label.width, self.label.height)
        across, down = (margin, strip) if self.upright else (strip, margin)
        return Rect(across, down, page.width - 2 * across, page.height - 2 * down)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet of paper: its size as printed (landscape or portrait) and one or two sides."""

    size: Size
    sides: tuple[Side, ...]
    furniture: Furniture

    @property
    def leaf(self) -> Size:
        """What is put into a cutting machine: the sheet, or its upper half if it is folded before it is cut."""
        front = self.sides[0]
        if front.registration and front.folds:
            return Size(self.size.width, front.folds[0].start.y)
        return self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How the imposer decided, for the manifest."""

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
