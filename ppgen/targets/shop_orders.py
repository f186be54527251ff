"""Print shops, their products, and the product to order for each piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp, log
from pathlib import Path

from ppgen.engine.component import Component, Part, PrintWay, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import INCH, Size
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem, Problems, RequestError, join_names
from ppgen.reading.fields import Fields, read_toml
from ppgen.shipped import Phrase

SHOPS_FILE = "shops.toml"
PRODUCT_SHAPES = (ShapeKind.RECTANGLE, ShapeKind.CIRCLE, ShapeKind.HEXAGON)
SIZE_TOLERANCE_MM = 1.0  # sizes that differ by less are equal: shops round millimetres or inches
_PIXELS = re.compile(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})")


class ShopFiles(StrEnum):
    """File type of a shop: a picture for each face, or one PDF for each deck."""

    PICTURES = "pictures"
    PDF = "pdf"


class CopyMethod(StrEnum):
    """Way to order copies: typed beside each picture, or as a file or page for each."""

    TYPED = "typed"
    FILES = "files"
    PAGES = "pages"


class ProductStock(StrEnum):
    """Material of a product."""

    CARD = "card"
    BOARD = "board"
    MAT = "mat"
    PAD = "pad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product of a shop."""

    id: str
    title: str
    stock: ProductStock
    width: int  # of a picture in pixels, with the bleed
    height: int  # likewise
    bleed_px: float  # on each side
    dpi: int
    shape: ShapeKind = ShapeKind.RECTANGLE  # that the shop cuts; pictures are rectangles

    @property
    def bleed(self) -> float:
        """Bleed in mm."""
        return self._mm(self.bleed_px)

    @property
    def trim(self) -> Size:
        """Size after the cut, in mm."""
        return Size(self._mm(self.width - 2 * self.bleed_px), self._mm(self.height - 2 * self.bleed_px))

    def fits(self, size: Size) -> bool:
        """Compare with the size of a piece (mm, upright), with a tolerance."""
        trim = self.trim.portrait
        differences = abs(size.width - trim.width), abs(size.height - trim.height)
        return max(differences) <= SIZE_TOLERANCE_MM

    def _mm(self, pixels: float) -> float:
        return round(pixels / self.dpi * INCH, 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A print shop; ``usual`` is the default product for cards."""

    id: str
    title: str
    site: str
    files: ShopFiles
    copies: CopyMethod
    back_first: bool
    usual: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]
    products: tuple[Product, ...]

    @property
    def cards(self) -> tuple[Product, ...]:
        return tuple(product for product in self.products if product.stock is ProductStock.CARD)

    def product_for(self, name: str, card_size: Size | None, set_size: Size) -> Product:
        """The product for cards: by ``name``, size (mm), the set's own size, or default. Raises RequestError."""
        by_name = {product.id: product for product in self.cards}
        if name and name not in by_name:
            raise RequestError.at("--product", Phrase("no_product", name=name, shop=self.title),
                                  Phrase("known", message=self._list_products()))
        if card_size is None:
            if name:
                return by_name[name]
            return next((product for product in self.cards if product.fits(set_size)), by_name[self.usual])
        fitting = [product for product in self.cards if product.fits(card_size)]
        if not fitting:
            raise RequestError.at("--card-size", Phrase("no_shop_size", shop=self.title, size=card_size),
                                  Phrase("give_product", names=self._list_products()))
        if name and by_name[name] not in fitting:
            raise RequestError.at("--card-size", Phrase("other_size", size=card_size, name=name,
                                                        trim=by_name[name].trim),
                                  Phrase("without_size", names=self._list_products()))
        return by_name[name] if name else fitting[0]

    def _list_products(self) -> str:
        return join_names(f"{product.id} ({product.trim})" for product in self.cards)


def read_shops(folder: Path) -> Mapping[str, Shop]:
    """Read the shops of a folder's ``shops.toml`` by name. Raises InputError with every problem."""
    problems = Problems()
    top = read_toml(folder, SHOPS_FILE, problems)
    shops = {name: _parse_shop(name, top.take_table(name)) for name in top}
    problems.raise_if_any()
    return shops


def _parse_shop(name: str, table: Fields) -> Shop:
    dpi = table.take_int("dpi", 72, 1200)
    files = table.take_choice("files", tuple(ShopFiles))
    copies = table.take_choice("copies", tuple(CopyMethod))
    products = tuple(_parse_product(each, dpi) for each in table.take_tables("products"))
    shop = Shop(id=name, title=table.take_text("title"), site=table.take_text("site"),
                files=ShopFiles(files or ShopFiles.PICTURES), copies=CopyMethod(copies or CopyMethod.TYPED),
                back_first=table.take_choice("first", ("front", "back"), "front") == "back",
                usual=table.take_text("usual"), steps=table.take_texts("steps"), notes=table.take_texts("notes", ()),
                products=products)
    ids = [product.id for product in products]
    for duplicate in sorted({each for each in ids if ids.count(each) > 1}):
        table.note("products", f"'{duplicate}' stands twice", "give each product its own id")
    if shop.usual and shop.usual not in (product.id for product in shop.cards):
        table.note("usual", f"'{shop.usual}' is not a product for cards",
                   Phrase("one_of", message=join_names(product.id for product in shop.cards)))
    table.close()
    return shop


def _parse_product(table: Fields, dpi: int) -> Product:
    text = table.take_text("pixels")
    match = _PIXELS.fullmatch(text)
    if text and not match:
        table.note("pixels", f"'{text}' is not a number of pixels", 'width and height, like "825x1125"')
    width, height = (int(match[1]), int(match[2])) if match else (1000, 1000)
    product = Product(id=table.take_text("id"), title=table.take_text("title"),
                      stock=ProductStock(table.take_choice("stock", tuple(ProductStock)) or ProductStock.CARD),
                      width=width, height=height, bleed_px=table.take_number("bleed", 0, 500), dpi=dpi,
                      shape=ShapeKind(table.take_choice("shape", PRODUCT_SHAPES, ShapeKind.RECTANGLE)
                                      or ShapeKind.RECTANGLE))
    if 2 * product.bleed_px >= min(width, height):
        table.note("bleed", f"{product.bleed_px:g} pixels leave nothing of {text}", "less than half of a side")
    table.close()
    return product


# --- Orders ---

MAX_SIZE_RATIO = 1.2  # between a side of a product and that of a piece: beyond, it is another piece


@dataclass(frozen=True, slots=True, kw_only=True)
class ShopOrder:
    """A part as one product in the product's size; ``original_sizes`` (mm) are those that differ in the set."""

    product: Product
    part: Part
    original_sizes: dict[str, Size]


def place_orders(parts: Iterable[Part], shop: Shop, cards: Product, game: str, lang: str
           ) -> tuple[tuple[ShopOrder, ...], tuple[Problem, ...]]:
    """Order parts, with ``cards`` for cards; also return what has no product. Sole decks have no ``game``."""
    placed: list[ShopOrder] = []
    left_out: list[Problem] = []
    width, height = (round(side, 1) for side in (cards.trim.width, cards.trim.height))
    for part in parts:
        build = f"ppgen build --lang {lang}{game and f' --game {game}'} --only {part.name}"
        if game and part.layout.way is not PrintWay.TILED:  # boards do not depend on the card size
            build += f" --card-size {width:g}x{height:g}mm"
        groups: dict[str, list[tuple[Product, Component]]] = {}
        unmatched: dict[tuple[Size, ShapeKind], list[Component]] = {}
        for component in part.components:
            if not component.net and (product := _match_product(component, part, shop, cards)):
                groups.setdefault(product.id, []).append((product, component))
            else:
                unmatched.setdefault((component.size, _product_shape(component)), []).append(component)
        for group in groups.values():
            product = group[0][0]
            components = tuple(_resize(component, product) for _, component in group)
            placed.append(ShopOrder(product=product, part=replace(part, components=components),
                                    original_sizes={component.id: component.size for _, component in group
                                                    if not product.fits(component.size.portrait)}))
        left_out += (_left_out_problem(part, *looks, components, shop, build, resizable=not game)
                     for looks, components in unmatched.items())
    return tuple(placed), tuple(left_out)


def size_distance(size: Size, product: Product) -> float:
    """Return the largest ratio between a side of the product and that of the piece (1: equal)."""
    portrait, trim = size.portrait, product.trim.portrait
    return exp(max(abs(log(trim.width / portrait.width)), abs(log(trim.height / portrait.height))))


def _product_shape(component: Component) -> ShapeKind:
    """The shape of product that a component needs; rounded corners are cut by the shop."""
    is_rectangle = component.shape.is_ruled or component.may_be_rectangle
    return ShapeKind.RECTANGLE if is_rectangle else component.shape.kind


def _match_product(component: Component, part: Part, shop: Shop, cards: Product) -> Product | None:
    """Find a product: ``cards`` for pieces of its size, else the nearest of the shape, best of the stock."""
    size, shape = component.size, _product_shape(component)
    if part.is_full_page:
        pads = (product for product in shop.products if product.stock is ProductStock.PAD)
        return next((pad for pad in pads if pad.fits(size)), None)
    if not part.is_tiles and shape is cards.shape and cards.fits(size.portrait):
        return cards
    for stock in _stocks(part):
        best = min((product for product in shop.products if product.stock is stock and product.shape is shape),
                   key=lambda product: size_distance(size, product), default=None)
        if best and size_distance(size, best) <= MAX_SIZE_RATIO:
            return best
    return None


def _stocks(part: Part) -> tuple[ProductStock, ...]:
    return (*([ProductStock.BOARD] if part.is_tiles else []), ProductStock.CARD, ProductStock.MAT)


def _resize(component: Component, product: Product) -> Component:
    def face(request: FaceRequest) -> FaceRequest:
        upright, trim = request.size == request.size.portrait, product.trim.portrait
        return replace(request, size=trim if upright else trim.turned, uncut=True)

    return replace(component, front=face(component.front), back=component.back and face(component.back))


def find_changes(orders: Iterable[ShopOrder], shop: Shop) -> Iterator[Problem]:
    """Yield a warning for each order whose pieces come on another stock, or in another shape, than in the set."""
    for order in orders:
        product, pieces = order.product, order.part.components
        if order.part.stock is Stock.BOARD and product.stock is not ProductStock.BOARD:
            yield _problem(order.part, pieces,
                           what=Phrase("on_card", product=product.title, shop=shop.title),
                           remedy=Phrase("glue_to_board"))
        shaped = [piece for piece in pieces if not piece.shape.is_ruled and product.shape is ShapeKind.RECTANGLE]
        if shaped:
            yield _problem(order.part, shaped,
                           what=Phrase("as_rectangle", product=product.title), remedy=Phrase("cut_shape"))


def _left_out_problem(part: Part, size: Size, shape: ShapeKind, components: Sequence[Component], shop: Shop,
                      build: str, resizable: bool) -> Problem:
    same_shape = [product for stock in _stocks(part) for product in shop.products
                  if product.shape is shape and product.stock is stock]
    remedy: str = Phrase("make_yourself", command=build)
    why: str
    if all(component.net for component in components):
        why = Phrase("no_folding")
    elif shape is ShapeKind.RECTANGLE:
        why = Phrase("no_near_product", shop=shop.title, size=size)
    elif same_shape:
        why = Phrase("no_near_shape", shop=shop.title, message=Phrase(shape), size=size)
    else:
        why = Phrase("no_shape", shop=shop.title)
    if resizable and same_shape and not components[0].net:
        nearest = min(same_shape, key=lambda product: size_distance(size, product))
        trim = nearest.trim.portrait if size == size.portrait else nearest.trim.portrait.turned
        remedy = (f'the nearest is {nearest.title}: size = "{trim.width:g}mm x {trim.height:g}mm" in deck.toml; '
                  f"or {remedy}")
    return _problem(part, components, what=Phrase("left_out", message=why), remedy=remedy)


def _problem(part: Part, components: Sequence[Component], what: str, remedy: str) -> Problem:
    """A problem of some components of a part; it has no key for its only one if that has the part's name."""
    more = len(components) - 1
    return Problem(part.name, what, remedy, key=components[0].id if more or components[0].id != part.name else "",
                   more=more)
