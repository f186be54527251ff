"""Components in parts, before they are drawn, and the form fields on their faces: what a game hands to the engine."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.shapes import Net, Shape
from ppgen.errors import Spot
from ppgen.records import dataclass, field

# Form fields: ISO 32000-1, 12.7. Millimetres from the top left corner of the face.

Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A text field (12.7.4.3). It is invisible while it is empty: the face draws the box around it."""

    name: str  # the full name, its levels separated by dots (12.7.3.2)
    rect: Rect
    tooltip: str  # screen readers read it aloud
    keystroke: str = ""  # JavaScript of trigger K (12.6.3)
    format: str = ""  # of trigger F: what is shown of the value
    calculate: str = ""  # of trigger C
    align: Align = "center"
    font_size: float = 0.0  # 0: as large as the box allows
    max_length: int = 0  # 0: any length


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldForm:
    """The fields of a face in tab order."""

    fields: tuple[FormField, ...]
    script: str = ""  # of the document; their scripts call it
    calculated: tuple[str, ...] = ()  # names of computed fields in the order of calculation (the `CO` of 12.7.2)


# --- Components and parts ---

@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A piece of the game, with or without a back. Raises ValueError unless the back has the shape of the front."""

    id: str
    title: str = ""  # its name in the language of the set, for places without its picture
    description: str = ""  # the words on it
    family: str = ""  # common name of it and its like
    front: FaceRequest
    back: FaceRequest | None = None
    copies: int = 1  # of one drawing
    form: FieldForm | None = None  # the fields on its front; such a component is printed once
    colour: str = ""  # by which players recognize it across the table: `#rrggbb`
    may_be_rectangle: bool = False  # as good without its shape, where a print shop does not cut that

    def __post_init__(self) -> None:
        if self.back and self.back.shape != self.front.shape.mirrored:
            raise ValueError(f"{self.id}: the back has not the shape of the front")

    @property
    def size(self) -> Size:
        """The trim size in mm."""
        return self.front.size

    @property
    def shape(self) -> Shape:
        """The shape that it is cut out in."""
        return self.front.shape

    @property
    def net(self) -> Net | None:
        """The net of a piece that is folded: the ``net`` among the values of its front."""
        net = self.front.values.get("net")
        return net if isinstance(net, Net) else None

    def faces(self) -> tuple[tuple[str, FaceRequest], ...]:
        """The face requests, each after the name of its side."""
        back = (("back", self.back),) if self.back else ()
        return (("front", self.front), *back)


class Stock(StrEnum):
    """The stock that a part is printed on."""

    CARD = "card"
    BOARD = "board"
    BOX = "box"
    PLAIN = "plain"
    FOLDED = "folded"
    STICKER = "sticker"


class PrintWay(StrEnum):
    """Layout of components on paper: many to a sheet, one to a page, one on several sheets, or a honeycomb."""

    GRID = "grid"
    PAGE = "page"
    TILED = "tiled"
    NESTED = "nested"


@dataclass(frozen=True, slots=True)
class PartLayout:
    """The layout of a part."""

    way: PrintWay
    abreast: int = 1  # pages side by side on a landscape sheet, to be cut apart
    turned: bool = False  # a page in landscape


GRID, PAGE, TILED, NESTED = map(PartLayout, PrintWay)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One file of the set: components that are laid out together."""

    name: str
    title: str
    components: tuple[Component, ...]
    stock: Stock = Stock.PLAIN  # to print it on
    tiles: bool = False  # lie on the table one by one, not as a deck; so does anything of board
    only: tuple[str, ...] = ()  # ids of the components that it was narrowed to
    variant: str = ""  # distinguishes its file where it is not made in the usual way
    layout: PartLayout = GRID
    joined: tuple[str, ...] = ()  # names of the parts that share its sheets
    size_spot: Spot | None = field(default=None, compare=False)  # of a size that is not that of cards

    @property
    def is_full_page(self) -> bool:
        """True if each component fills its page, or its share of one, and is not cut out."""
        return self.layout.way is PrintWay.PAGE

    @property
    def is_tiles(self) -> bool:
        return self.tiles or self.stock is Stock.BOARD or self.layout.way is PrintWay.TILED

    @property
    def one_sided(self) -> bool:
        """True if its sheets have no backs: tiles, and board pieces that are alike on both sides, are glued."""
        alike = all(component.back in (None, component.front) for component in self.components)
        return self.layout.way is PrintWay.TILED or (self.stock is Stock.BOARD and alike)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """An order for pages to write on."""

    room: Size  # the area that a page may fill, in mm
    abreast: int = 1  # pages on a sheet of paper
    sheets: int = 1  # of paper
    large: bool = False  # print: pages are in landscape
    home: str = ""  # address of the site that a QR code leads to

    @property
    def layout(self) -> PartLayout:
        return PartLayout(PrintWay.PAGE, self.abreast, self.large)
