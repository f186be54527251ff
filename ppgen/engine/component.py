"""What is printed, before it is drawn: components, gathered in parts. A game makes these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.shapes.net import Net
from ppgen.engine.shapes.shape import Shape

if TYPE_CHECKING:
    from ppgen.engine.forms.fields import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """A piece of the game: drawn once, printed ``copies`` times, with or without a back.

    ``title`` is its name in the language of the set, for where it is seen without its picture, ``family`` what it and
    its like are called together; both may be empty. ``form`` is what may be typed into its front; such a component is
    printed once. ``colour`` (``#rrggbb``) is what players know it by across the table, if anything. Its back has the
    shape of its front, seen from behind: else ValueError.
    """

    id: str
    title: str = ""
    family: str = ""
    front: FaceRequest
    back: FaceRequest | None = None
    copies: int = 1
    form: Form | None = None
    colour: str = ""

    def __post_init__(self) -> None:
        if self.back and self.back.shape != self.front.shape.mirrored:
            raise ValueError(f"{self.id}: the back has not the shape of the front")

    @property
    def size(self) -> Size:
        """The trim size in mm."""
        return self.front.size

    @property
    def shape(self) -> Shape:
        """What it is cut out as."""
        return self.front.shape

    @property
    def net(self) -> Net | None:
        """What it is folded from, if it is: the ``net`` among the values of its front."""
        net = self.front.values.get("net")
        return net if isinstance(net, Net) else None

    def faces(self) -> tuple[tuple[str, FaceRequest], ...]:
        """The requests with the name of their side."""
        back = (("back", self.back),) if self.back else ()
        return (("front", self.front), *back)


class Stock(StrEnum):
    """What a part is to be printed on."""

    CARD = "card"
    BOARD = "board"
    BOX = "box"
    PLAIN = "plain"
    FOLDED = "folded"
    STICKER = "sticker"


class Way(StrEnum):
    """How the components of a part come onto paper: many to a sheet, one to a page, or one on several sheets."""

    GRID = "grid"
    PAGE = "page"
    TILED = "tiled"


@dataclass(frozen=True, slots=True)
class Layout:
    """The way of a part; whole pages may stand ``abreast`` on a landscape sheet, to be cut apart."""

    way: Way
    abreast: int = 1


GRID, PAGE, TILED = map(Layout, Way)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One file of the set: components that are laid out together.

    ``stock`` says what to print it on; ``tiles`` lie on a table one by one, not as a deck, and so does what is of
    board. ``only`` are the ids of the components to which the part was narrowed, or empty. ``variant`` sets its file
    apart where it is made in another way than usual.
    """

    name: str
    title: str
    components: tuple[Component, ...]
    stock: Stock = Stock.PLAIN
    tiles: bool = False
    only: tuple[str, ...] = ()
    variant: str = ""
    layout: Layout = GRID

    @property
    def pages(self) -> bool:
        """Whether each component is as large as its page, or its share of one, allows, and is not cut out."""
        return self.layout.way is Way.PAGE

    @property
    def is_tiles(self) -> bool:
        return self.tiles or self.stock is Stock.BOARD or self.layout.way is Way.TILED

    @property
    def one_sided(self) -> bool:
        """Whether its sheets have no backs: tiles, and pieces of board that are alike on both sides, are glued."""
        alike = all(component.back in (None, component.front) for component in self.components)
        return self.layout.way is Way.TILED or (self.stock is Stock.BOARD and alike)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """How pages to write on are wanted: ``sheets`` of paper with ``abreast`` of them on each.

    ``room`` is what one of them may fill (mm).
    """

    room: Size
    abreast: int = 1
    sheets: int = 1
