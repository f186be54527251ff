"""Print shops: orders of their products, and the files for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from math import exp, log
from pathlib import Path

from ppgen import __version__
from ppgen.engine.component import Component, Part, PrintWay, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import INCH, MM, Format, Insets, Rect, Size
from ppgen.engine.imposition.sheets import DocumentInfo
from ppgen.engine.pdf.assembly import CardPage, card_pages
from ppgen.engine.pdf.typesetting import layers_pdf
from ppgen.engine.pictures.face_pictures import FacePicture, blank_face
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Phrase, Problem, Problems, RequestError, join_names
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.fields import Fields, read_toml
from ppgen.reading.texts import Texts
from ppgen.records import dataclass, replace
from ppgen.targets.piece_pictures import (README, Export, ExportedFile, Hint, NamedFace, NamedPiece, PictureFile,
                                          bullet_list, choose_pieces, draw_all, export_facts, file_name, heading,
                                          name_faces, name_pieces, numbered_list, paragraph, picture_files, readme,
                                          table, variant)

# --- Shops ---

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


# --- Files ---
# Files for print shops: pictures or PDFs of products, and a README with instructions.

RGB = Hint("export.rgb")


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnOrder:
    """An order with its drawn pieces (each with a back if the product has one), and its folder or file."""

    order: ShopOrder
    place: str
    pieces: tuple[NamedPiece, ...]

    @property
    def copies(self) -> int:
        return sum(piece.component.copies for piece in self.pieces)


def export_for_shop(workshop: Workshop, request: BuildRequest, shop: Shop, product: Product) -> tuple[Export, ...]:
    """Export each language's files; cards are of the product's size. Raises InputError, RequestError."""
    placed: dict[str, tuple[tuple[ShopOrder, ...], tuple[Problem, ...]]] = {}
    bleeds: dict[Part, float] = {}

    def choose(texts: Texts) -> tuple[Part, ...]:
        room = next((each.trim for each in shop.products if each.stock is ProductStock.PAD), None)
        wanted = choose_pieces(workshop, request, room)(texts)
        orders, left_out = placed[texts.lang] = place_orders(
            wanted, shop, product, "" if workshop.game.deck else workshop.game.id, texts.lang)
        if not orders:
            raise RequestError(left_out or [Problem("--only", Phrase("no_pieces"))])
        bleeds.update((order.part, order.product.bleed) for order in orders)
        return tuple(order.part for order in orders)

    exports = []
    reduced = (f"pictures{request.pictures:g}",) if request.pictures else ()
    folder = variant(request, f"{shop.id}-{product.id}", *reduced, *stem_words(request.parts))
    for texts, parts in draw_all(workshop, request, choose, lambda part, _: bleeds[part]):
        orders, left_out = placed[texts.lang]
        drawn = [_name_order(order, part, shop) for order, part in zip(orders, parts, strict=True)]
        exports.append(_export(workshop, request, shop, texts, f"{texts.lang}/{folder}", drawn, left_out))
    return tuple(exports)


def product_format(product: Product) -> Format:
    """Return the card size of a product."""
    return Format(product.id, product.trim)


def _name_order(order: ShopOrder, part: DrawnPart, shop: Shop) -> DrawnOrder:
    named, stem = name_pieces(part), file_name(part.part.name)
    place = f"{stem}-{order.product.id}.pdf" if shop.files is ShopFiles.PDF else f"{order.product.id}/"
    if order.product.stock is ProductStock.PAD:
        return DrawnOrder(order=order, place=place, pieces=named)

    def white_back(piece: NamedPiece) -> NamedFace:
        face = blank_face(piece.component.size, order.product.bleed)
        return NamedFace(name=f"{stem}-blank-back", face=face, shows=())

    return DrawnOrder(order=order, place=place, pieces=tuple(
        replace(piece, back=piece.back or white_back(piece)) for piece in named))


def _export(workshop: Workshop, request: BuildRequest, shop: Shop, texts: Texts, here: str,
            drawn: Sequence[DrawnOrder], left_out: tuple[Problem, ...]) -> Export:
    fonts, title = workshop.fonts, texts("game.title")
    facts = {**export_facts(shop.id, workshop.game, texts.lang, request),
             "products": [_product_facts(each.order) for each in drawn]}
    changes = tuple(find_changes((each.order for each in drawn), shop))
    text = BuiltFile(path=f"{here}/{README}", content=shop_readme(title, shop, drawn, left_out))
    if shop.files is ShopFiles.PDF:
        return Export(folder=here, facts=facts, pictures=0, left_out=left_out, warnings=changes, hints=(RGB,),
                      files=partial(_pdf_files, here, drawn, shop, texts, fonts, text, request.pictures or 0.0))
    pictures = [picture for each in drawn for picture in _pictures(each, shop, here)]
    return Export(folder=here, facts=facts, pictures=len(pictures), left_out=left_out, warnings=changes,
                  files=partial(picture_files, pictures, fonts.folder, [text]))


def _product_facts(order: ShopOrder) -> Json:
    trim = order.product.trim
    return {"product": order.product.id, "part": order.part.name, "trim_mm": [trim.width, trim.height],
            "pieces": sum(component.copies for component in order.part.components),
            "redrawn": {id: [size.width, size.height] for id, size in order.original_sizes.items()}}


def _pictures(each: DrawnOrder, shop: Shop, folder: str) -> Iterator[PictureFile]:
    """Yield the pictures of an order: one for each face, or for each copy of a front if the shop counts files."""
    product = each.order.product
    for named in name_faces(each.pieces):
        copies = max((side.copies for side in named.shows if side.side == "front"), default=1)
        names = [named.name]
        if shop.copies is CopyMethod.FILES and copies > 1:
            names = [f"{named.name}-{number:0{len(str(copies))}}" for number in range(1, copies + 1)]
            copies = 1
        picture = _picture(named, product)
        for name in names:
            yield PictureFile(path=f"{folder}/{each.place}{name}.png", picture=picture,
                              facts={"product": product.id, "copies": copies, **named.facts})


def _picture(named: NamedFace, product: Product) -> FacePicture:
    turn = _turn(named, product)
    width, height = (product.height, product.width) if turn else (product.width, product.height)
    return FacePicture(face=named.face, width=width, height=height, dpi=product.dpi, on_paper=True, turn=turn)


def _turn(named: NamedFace, product: Product) -> int:
    """Turn a landscape face by 90°, its back by 270°, so that both are upright when the card is turned over."""
    is_turned = (named.face.size.width > named.face.size.height) != (product.width > product.height)
    if not is_turned or product.width == product.height:
        return 0
    return 90 if not named.shows or any(side.side == "front" for side in named.shows) else 270


def _pdf_files(folder: str, drawn: Sequence[DrawnOrder], shop: Shop, texts: Texts, fonts: FontBook, text: BuiltFile,
               picture_dpi: float, _watch: Progress) -> Iterator[ExportedFile]:
    for each in drawn:
        sides = [side for piece in each.pieces for _ in range(piece.component.copies) for side in _sides(piece, shop)]
        product = each.order.product
        faces = tuple(dict.fromkeys(named.face for _, named in sides))
        info = DocumentInfo(
            title=f"{texts('game.title')}: {each.order.part.title}", author=texts("game.author"),
            subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
            bookmarks=[label for label, _ in sides], page_labels=[label for label, _ in sides])
        content = card_pages([CardPage(face=named.face, turn=_turn(named, product)) for _, named in sides],
                             layers_pdf(faces, fonts), info, picture_dpi)
        yield ExportedFile(file=BuiltFile(path=f"{folder}/{each.place}", content=content),
                           facts={"product": product.id, "pages": len(sides), "cards": len(sides) // 2,
                                  "trim_mm": [product.trim.width, product.trim.height],
                                  "bleed_mm": product.bleed, "colours": "RGB"})
    yield ExportedFile(file=text, facts={})


def _sides(piece: NamedPiece, shop: Shop) -> Iterator[tuple[str, NamedFace]]:
    assert piece.back
    both = [(f"{piece.component.id} front", piece.front), (f"{piece.component.id} back", piece.back)]
    yield from reversed(both) if shop.back_first else both


# --- README ---

def shop_readme(title: str, shop: Shop, drawn: Sequence[DrawnOrder], left_out: Sequence[Problem]) -> bytes:
    """Write the README: contents, steps, differences from the set, and the copies of each piece."""
    return readme((
        heading(f"{title} for {shop.title} ({shop.site})"),
        table([("product", "where", "pieces", "finished size", "with bleed"), *map(_order_row, drawn)]),
        heading("What to do"),
        numbered_list(shop.steps),
        paragraph("The pages of the shop may look otherwise by now; sizes are what matters."),
        heading("What to know"),
        bullet_list((*_differences(drawn), *(
            f"Not in these files: {each.place}{f' ({each.key})' if each.key else ''}, "  # no key for a single piece
            f"{each.what.removeprefix('left out: ')}; {each.remedy}." for each in left_out), *shop.notes)),
        *(block for each in drawn for block in (heading(f"{each.order.product.title}: {each.order.part.title}"),
                                                table([*_piece_rows(each, shop)])))))


def _order_row(each: DrawnOrder) -> tuple[str, ...]:
    product, bleed = each.order.product, Insets.all(each.order.product.bleed)
    page = Rect(0, 0, product.trim.width, product.trim.height).grown(bleed).size
    bled = _format_size(page) if each.place.endswith(".pdf") else \
        f"{product.width} × {product.height} px, {product.dpi} dpi"
    return product.title, each.place, str(each.copies), _format_size(product.trim), bled


def _piece_rows(each: DrawnOrder, shop: Shop) -> Iterator[tuple[str, ...]]:
    if shop.files is ShopFiles.PDF:
        yield "piece", "name", "copies", "pages"
        page = 1
        for piece in each.pieces:
            last = page + 2 * piece.component.copies - 1
            yield piece.component.id, piece.component.title, str(piece.component.copies), f"{page}-{last}"
            page = last + 1
        return
    yield "piece", "name", "copies", "front", "back"
    for piece in each.pieces:
        copies = piece.component.copies
        numbered = shop.copies is CopyMethod.FILES and copies > 1
        first = f"{1:0{len(str(copies))}}"
        front = f"{piece.front.name}-{first} to -{copies}.png" if numbered else f"{piece.front.name}.png"
        back = front if piece.back == piece.front else f"{piece.back.name}.png" if piece.back else "-"
        yield piece.component.id, piece.component.title, str(copies), front, back


def _differences(drawn: Sequence[DrawnOrder]) -> Iterator[str]:
    for each in drawn:
        product = each.order.product
        for size in dict.fromkeys(each.order.original_sizes.values()):
            pieces = [piece.component.title or piece.component.id for piece in each.pieces
                      if each.order.original_sizes.get(piece.component.id) == size]
            yield (f"{', '.join(dict.fromkeys(pieces))}: drawn at {product.trim} for the {product.title}, the nearest "
                   f"product; in the set as you would print it at home they have {size}.")
        blanks = [piece for piece in each.pieces if piece.back and not piece.back.shows]
        if blanks:
            yield f"{each.order.part.title}: {len(blanks)} of its pieces have no back; theirs is white."
        shaped = [piece.component.title or piece.component.id for piece in each.pieces
                  if not piece.component.shape.is_ruled and product.shape is ShapeKind.RECTANGLE]
        if shaped:
            yield (f"{', '.join(dict.fromkeys(shaped))}: the {product.title} is a rectangle; at home they are cut to a "
                   "shape of their own.")
        backs = {piece.back for piece in each.pieces if piece.back and piece.back != piece.front}
        if product.stock is ProductStock.CARD and len(backs) > 1:
            yield f"{each.order.part.title}: there are {len(backs)} different backs; see the table below."


def _format_size(size: Size) -> str:
    return f"{size} ({size.width / MM['in']:.4g} × {size.height / MM['in']:.4g} in)"
