"""Turns ``shops.toml`` into print shops and their products."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ppgen.engine.geometry import Size
from ppgen.engine.units import INCH
from ppgen.errors import Problem, Problems, RequestError, listed
from ppgen.reading.fields import Fields, read_toml

FILE = "shops.toml"
SAME = 1.0
"""Sizes that differ by no more mm are the same: a shop rounds millimetres or inches."""
_PIXELS = re.compile(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})")


class Files(StrEnum):
    """What a shop takes: a picture for each face, or one PDF for each deck."""

    PICTURES = "pictures"
    PDF = "pdf"


class Copies(StrEnum):
    """How a shop is told of copies: typed beside each picture, or by files or pages for each."""

    TYPED = "typed"
    FILES = "files"
    PAGES = "pages"


class On(StrEnum):
    """What a product is printed on."""

    CARD = "card"
    BOARD = "board"
    PAD = "pad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """What a shop makes: a file's pixels with the bleed, ``bleed_px`` of it on each side, at ``dpi``."""

    id: str
    title: str
    on: On
    width: int
    height: int
    bleed_px: float
    dpi: int

    @property
    def bleed(self) -> float:
        """mm."""
        return self._mm(self.bleed_px)

    @property
    def trim(self) -> Size:
        """What is left after the cut, in mm."""
        return Size(self._mm(self.width - 2 * self.bleed_px), self._mm(self.height - 2 * self.bleed_px))

    def is_of(self, size: Size) -> bool:
        """Whether pieces of a size (mm) are what this product is for."""
        return abs(size.width - self.trim.width) <= SAME and abs(size.height - self.trim.height) <= SAME

    def _mm(self, pixels: float) -> float:
        return round(pixels / self.dpi * INCH, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A print shop; ``usual`` is the product for cards where nothing else is asked for."""

    id: str
    title: str
    site: str
    files: Files
    copies: Copies
    back_first: bool
    usual: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]
    products: tuple[Product, ...]

    @property
    def cards(self) -> tuple[Product, ...]:
        return tuple(product for product in self.products if product.on is On.CARD)

    def product_for(self, asked: str, card_size: Size | None, set_size: Size) -> Product:
        """The product for cards: the one that is asked for, by name or by a card size (mm), or the set's own, or usual.

        Raises RequestError for one that the shop does not have, or that contradicts the card size.
        """
        named = {product.id: product for product in self.cards}
        if asked and asked not in named:
            raise RequestError([Problem(place="--product", what=f"'{asked}' is no product for cards of {self.title}",
                                        remedy=f"known: {self._offered()}")])
        if card_size is None:
            fitting = next((product for product in self.cards if product.is_of(set_size)), named[self.usual])
            return named[asked] if asked else fitting
        fitting_size = [product for product in self.cards if product.is_of(card_size)]
        if not fitting_size:
            raise RequestError([Problem(place="--card-size", what=f"{self.title} has no cards of {card_size}",
                                        remedy=f"give a --product: {self._offered()}")])
        if asked and named[asked] not in fitting_size:
            raise RequestError([Problem(place="--card-size", what=f"{card_size} contradicts --product {asked}, "
                                                                  f"which is {named[asked].trim}",
                                        remedy=f"leave it away, or give a --product: {self._offered()}")])
        return named[asked] if asked else fitting_size[0]

    def _offered(self) -> str:
        return listed(f"{product.id} ({product.trim})" for product in self.cards)


def read_shops(folder: Path) -> Mapping[str, Shop]:
    """The shops of the folder's file, by the names of their tables. Raises InputError with every problem."""
    problems = Problems()
    top = read_toml(folder, FILE, problems)
    shops = {name: _shop(name, top.take_table(name)) for name in top}
    problems.raise_if_any()
    return shops


def _shop(name: str, table: Fields) -> Shop:
    dpi = table.take_int("dpi", 72, 1200)
    files = table.take_choice("files", tuple(Files))
    copies = table.take_choice("copies", tuple(Copies))
    products = tuple(_product(each, dpi) for each in table.take_tables("products"))
    shop = Shop(id=name, title=table.take_text("title"), site=table.take_text("site"),
                files=Files(files or Files.PICTURES), copies=Copies(copies or Copies.TYPED),
                back_first=table.take_choice("first", ("front", "back"), "front") == "back",
                usual=table.take_text("usual"), steps=table.take_texts("steps"), notes=table.take_texts("notes", ()),
                products=products)
    ids = [product.id for product in products]
    for twice in sorted({each for each in ids if ids.count(each) > 1}):
        table.note("products", f"'{twice}' stands twice", "give each product its own id")
    if shop.usual and shop.usual not in (product.id for product in shop.cards):
        table.note("usual", f"'{shop.usual}' is no product for cards",
                   f"one of {listed(product.id for product in shop.cards)}")
    table.close()
    return shop


def _product(table: Fields, dpi: int) -> Product:
    text = table.take_text("pixels")
    found = _PIXELS.fullmatch(text)
    if text and not found:
        table.note("pixels", f"'{text}' is not a number of pixels", 'width and height, like "825x1125"')
    width, height = (int(found[1]), int(found[2])) if found else (1000, 1000)
    product = Product(id=table.take_text("id"), title=table.take_text("title"),
                      on=On(table.take_choice("stock", tuple(On)) or On.CARD),
                      width=width, height=height, bleed_px=table.take_number("bleed", 0, 500), dpi=dpi)
    if 2 * product.bleed_px >= min(width, height):
        table.note("bleed", f"{product.bleed_px:g} pixels leave nothing of {text}", "less than half of a side")
    table.close()
    return product
