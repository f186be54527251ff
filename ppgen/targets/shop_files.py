"""Files for print shops: pictures or PDFs of products, and a README with instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ppgen import __version__
from ppgen.engine.component import Part
from ppgen.engine.geometry import MM, Format, Insets, Rect, Size
from ppgen.engine.pdf.assembly import CardPage, DocumentInfo, card_pages
from ppgen.engine.pdf.typesetting import layers_pdf
from ppgen.engine.pictures.face_pictures import FacePicture, blank_face
from ppgen.engine.shapes import ShapeKind
from ppgen.errors import Problem, RequestError
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.reading.texts import Texts
from ppgen.shipped import Phrase
from ppgen.targets.exported_files import (README, Export, ExportedFile, Hint, bullet_list, export_facts, file_name,
                                          heading, numbered_list, paragraph, readme, table, variant)
from ppgen.targets.piece_pictures import (NamedFace, NamedPiece, PictureFile, choose_pieces, draw_all, name_faces,
                                          name_pieces, picture_files)
from ppgen.targets.shop_orders import (CopyMethod, Product, ProductStock, Shop, ShopFiles, ShopOrder, find_changes,
                                       place_orders)

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
        wanted = choose_pieces(workshop, request, _pad_size(shop))(texts)
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


def _pad_size(shop: Shop) -> Size | None:
    return next((product.trim for product in shop.products if product.stock is ProductStock.PAD), None)


def _name_order(order: ShopOrder, part: DrawnPart, shop: Shop) -> DrawnOrder:
    named, stem = name_pieces(part), file_name(part.part.name)
    place = f"{stem}-{order.product.id}.pdf" if shop.files is ShopFiles.PDF else f"{order.product.id}/"
    if order.product.stock is ProductStock.PAD:
        return DrawnOrder(order=order, place=place, pieces=named)

    def ensure_back(piece: NamedPiece) -> NamedPiece:
        if piece.back:
            return piece
        white = blank_face(piece.component.size, order.product.bleed)
        return NamedPiece(component=piece.component, front=piece.front,
                          back=NamedFace(name=f"{stem}-blank-back", face=white, shows=()))

    return DrawnOrder(order=order, place=place, pieces=tuple(map(ensure_back, named)))


def _export(workshop: Workshop, request: BuildRequest, shop: Shop, texts: Texts, here: str,
            drawn: Sequence[DrawnOrder], left_out: tuple[Problem, ...]) -> Export:
    fonts, title = workshop.fonts.folder, texts("game.title")
    facts = {**export_facts(shop.id, workshop.game, texts.lang, request),
             "products": [_product_facts(each.order) for each in drawn]}
    changes = tuple(find_changes((each.order for each in drawn), shop))
    text = BuiltFile(path=f"{here}/{README}", content=shop_readme(title, shop, drawn, left_out))
    if shop.files is ShopFiles.PDF:
        return Export(folder=here, facts=facts, pictures=0, left_out=left_out, warnings=changes, hints=(RGB,),
                      files=partial(_pdf_files, here, drawn, shop, texts, fonts, text, request.pictures or 0.0))
    pictures = [picture for each in drawn for picture in _pictures(each, shop, here)]
    return Export(folder=here, facts=facts, pictures=len(pictures), left_out=left_out, warnings=changes,
                  files=partial(picture_files, pictures, fonts, [text]))


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


def _pdf_files(folder: str, drawn: Sequence[DrawnOrder], shop: Shop, texts: Texts, fonts: Path, text: BuiltFile,
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
        bullet_list((*_differences(drawn), *_left_out_notes(left_out), *shop.notes)),
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


def _left_out_notes(left_out: Sequence[Problem]) -> Iterator[str]:
    for problem in left_out:
        which = f" ({problem.key})" if problem.key else ""  # none if the part is a single piece
        yield (f"Not in these files: {problem.place}{which}, {problem.what.removeprefix('left out: ')}; "
               f"{problem.remedy}.")


def _format_size(size: Size) -> str:
    return f"{size} ({size.width / MM['in']:.4g} × {size.height / MM['in']:.4g} in)"
