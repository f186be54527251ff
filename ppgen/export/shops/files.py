"""Turns a set into files for a print shop: pictures or PDFs of its products, and a README that says what to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ppgen import __version__
from ppgen.engine.component import Part
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.assembly import DocumentInfo
from ppgen.engine.pdf.card_pages import CardPage, card_pages
from ppgen.engine.pictures.faces import Picture, blank
from ppgen.engine.typesetting import layers_pdf
from ppgen.errors import Problem, RequestError
from ppgen.export.exported import Export, ExportedFile, ExportRequest, Hint, Watch, facts_of, file_name
from ppgen.export.pictures.files import PictureFile, picture_files
from ppgen.export.pictures.naming import NamedFace, NamedPiece, named_faces, named_pieces
from ppgen.export.pictures.pieces import draw_all, pieces
from ppgen.export.readme import README
from ppgen.export.shops.orders import Order, orders
from ppgen.export.shops.products import Copies, Files, On, Product, Shop
from ppgen.export.shops.readme import Listed, shop_readme
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart
from ppgen.production.manifest import Json
from ppgen.production.selection import stem_of
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

RGB = Hint("export.rgb")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drawn:
    """An order with its pieces drawn; each of them has a back where the product has one."""

    order: Order
    pieces: tuple[NamedPiece, ...]


def export_for_shop(workshop: Workshop, request: ExportRequest, shop: Shop, product: Product) -> tuple[Export, ...]:
    """The files of each language; ``request.card_size`` is that of the product for cards.

    Raises InputError with every problem of the faces, RequestError if the shop has no product for anything of it.
    """
    placed: dict[str, tuple[tuple[Order, ...], tuple[Problem, ...]]] = {}
    bleeds: dict[Part, float] = {}

    def choose(texts: Texts) -> tuple[Part, ...]:
        wanted = pieces(workshop, request, _room(shop), flat=True)(texts)
        made, left_out = placed[texts.lang] = orders(wanted, shop, product, workshop.game.id, texts.lang)
        if not made:
            raise RequestError(left_out or [Problem(place="--only", what="the set has no pieces")])
        bleeds.update((order.part, order.product.bleed) for order in made)
        return tuple(order.part for order in made)

    exports = []
    folder = request.variant(f"{shop.id}-{product.id}", *stem_of(request.parts))
    for texts, parts in draw_all(workshop, request, choose, lambda part, _: bleeds[part]):
        made, left_out = placed[texts.lang]
        drawn = [_drawn(order, part) for order, part in zip(made, parts, strict=True)]
        exports.append(_export(workshop, request, shop, texts, f"{texts.lang}/{folder}", drawn, left_out))
    return tuple(exports)


def product_format(product: Product) -> Format:
    """The card size that a product decides."""
    return Format(product.id, product.trim)


def _room(shop: Shop) -> Size | None:
    """What a whole page may fill: the sheet of the shop's first pad, if it has pads."""
    return next((product.trim for product in shop.products if product.on is On.PAD), None)


def _drawn(order: Order, part: DrawnPart) -> _Drawn:
    named = named_pieces(part)
    if order.product.on is On.PAD:
        return _Drawn(order=order, pieces=named)
    stem = file_name(part.part.name)

    def backed(piece: NamedPiece) -> NamedPiece:
        if piece.back:
            return piece
        white = blank(piece.component.size, order.product.bleed)
        return NamedPiece(component=piece.component, front=piece.front,
                          back=NamedFace(name=f"{stem}-blank-back", face=white, shows=()))

    return _Drawn(order=order, pieces=tuple(map(backed, named)))


def _export(workshop: Workshop, request: ExportRequest, shop: Shop, texts: Texts, here: str,
            drawn: Sequence[_Drawn], left_out: tuple[Problem, ...]) -> Export:
    fonts, title = workshop.fonts.folder, texts("game.title")
    facts = {**facts_of(shop.id, workshop.game, texts.lang, request),
             "products": [_product_facts(each.order) for each in drawn]}
    if shop.files is Files.PDF:
        named = [(f"{file_name(each.order.part.name)}-{each.order.product.id}.pdf", each) for each in drawn]
        text = shop_readme(title, shop, [_listed(each, name) for name, each in named], left_out)
        pages = [(f"{here}/{name}", each) for name, each in named]
        return Export(folder=here, facts=facts, pictures=0, left_out=left_out, hints=(RGB,),
                      files=partial(_pdf_files, pages, shop, texts, fonts, (f"{here}/{README}", text)))
    wanted = [picture for each in drawn for picture in _pictures(each, shop, f"{here}/{each.order.product.id}")]
    text = shop_readme(title, shop, [_listed(each, f"{each.order.product.id}/") for each in drawn], left_out)
    return Export(folder=here, facts=facts, pictures=len(wanted), left_out=left_out,
                  files=partial(_picture_files, wanted, fonts, (f"{here}/{README}", text)))


def _listed(each: _Drawn, place: str) -> Listed:
    return Listed(order=each.order, place=place, pieces=each.pieces)


def _product_facts(order: Order) -> Json:
    trim = order.product.trim
    return {"product": order.product.id, "part": order.part.name, "trim_mm": [trim.width, trim.height],
            "pieces": sum(component.copies for component in order.part.components),
            "redrawn": {id: [size.width, size.height] for id, size in order.was.items()}}


def _pictures(each: _Drawn, shop: Shop, folder: str) -> Iterator[PictureFile]:
    """The files of an order: a face each, or one for each copy of a front where the shop counts files."""
    product = each.order.product
    for named in named_faces(each.pieces):
        copies = max((shown.copies for shown in named.shows if shown.side == "front"), default=1)
        names = [named.name]
        if shop.copies is Copies.FILES and copies > 1:
            names = [f"{named.name}-{number:0{len(str(copies))}}" for number in range(1, copies + 1)]
            copies = 1
        picture = _picture(named, product)
        for name in names:
            yield PictureFile(path=f"{folder}/{name}.png", picture=picture,
                              facts={"product": product.id, "copies": copies, **named.facts})


def _picture(named: NamedFace, product: Product) -> Picture:
    turn = _turn(named, product)
    width, height = (product.height, product.width) if turn else (product.width, product.height)
    return Picture(face=named.face, width=width, height=height, dpi=product.dpi, on_paper=True, turn=turn)


def _turn(named: NamedFace, product: Product) -> int:
    """A landscape face lies on its side; its back on the other, so that both stand when the card is turned over."""
    lies = (named.face.size.width > named.face.size.height) != (product.width > product.height)
    if not lies or product.width == product.height:
        return 0
    return 90 if not named.shows or any(shown.side == "front" for shown in named.shows) else 270


def _picture_files(wanted: Sequence[PictureFile], fonts: Path, text: tuple[str, bytes],
                   watch: Watch) -> Iterator[ExportedFile]:
    yield from picture_files(wanted, fonts, watch)
    yield ExportedFile(file=BuiltFile(path=text[0], content=text[1]), facts={})


def _pdf_files(wanted: Sequence[tuple[str, _Drawn]], shop: Shop, texts: Texts, fonts: Path, text: tuple[str, bytes],
               _watch: Watch) -> Iterator[ExportedFile]:
    for path, each in wanted:
        sides = [side for piece in each.pieces for _ in range(piece.component.copies)
                 for side in _sides(piece, shop)]
        product = each.order.product
        faces = tuple(dict.fromkeys(named.face for _, named in sides))
        info = DocumentInfo(
            title=f"{texts('game.title')}: {each.order.part.title}", author=texts("game.author"),
            subject=texts("game.subject"), lang=texts.lang, creator=f"ppgen {__version__}",
            bookmarks=[label for label, _ in sides], page_labels=[label for label, _ in sides])
        content = card_pages([CardPage(face=named.face, turn=_turn(named, product)) for _, named in sides],
                             layers_pdf(faces, fonts), info)
        yield ExportedFile(file=BuiltFile(path=path, content=content),
                           facts={"product": product.id, "pages": len(sides), "cards": len(sides) // 2,
                                  "trim_mm": [product.trim.width, product.trim.height],
                                  "bleed_mm": product.bleed, "colours": "RGB"})
    yield ExportedFile(file=BuiltFile(path=text[0], content=text[1]), facts={})


def _sides(piece: NamedPiece, shop: Shop) -> Iterator[tuple[str, NamedFace]]:
    assert piece.back
    both = [(f"{piece.component.id} front", piece.front), (f"{piece.component.id} back", piece.back)]
    yield from reversed(both) if shop.back_first else both
