"""Turns the orders of a set at a print shop into the README that goes with their files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.engine.geometry import Insets, Rect, Size
from ppgen.engine.units import MM
from ppgen.errors import Problem
from ppgen.export.pictures.naming import NamedPiece
from ppgen.export.readme import heading, paragraph, points, readme, steps, table
from ppgen.export.shops.orders import Order
from ppgen.export.shops.products import Copies, Files, On, Shop


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An order, the folder or file it is in, and its pieces."""

    order: Order
    place: str
    pieces: tuple[NamedPiece, ...]

    @property
    def copies(self) -> int:
        return sum(piece.component.copies for piece in self.pieces)


def shop_readme(title: str, shop: Shop, listed: Sequence[Listed], left_out: Sequence[Problem]) -> bytes:
    """What is in the folder, what to do with it, how often each piece is needed, and what differs from the set."""
    return readme((
        heading(f"{title} for {shop.title} ({shop.site})"),
        table([("product", "where", "pieces", "finished size", "with bleed"), *map(_row, listed)]),
        heading("What to do"),
        steps(shop.steps),
        paragraph("The pages of the shop may look otherwise by now; sizes are what matters."),
        heading("What to know"),
        points((*_differences(listed), *_missing(left_out), *shop.notes)),
        *(block for each in listed for block in (heading(f"{each.order.product.title}: {each.order.part.title}"),
                                                 table([*_pieces(each, shop)])))))


def _row(each: Listed) -> tuple[str, ...]:
    product, bleed = each.order.product, Insets.all(each.order.product.bleed)
    page = Rect(0, 0, product.trim.width, product.trim.height).grown(bleed).size
    bled = _measured(page) if each.place.endswith(".pdf") else \
        f"{product.width} × {product.height} px, {product.dpi} dpi"
    return product.title, each.place, str(each.copies), _measured(product.trim), bled


def _pieces(each: Listed, shop: Shop) -> Iterator[tuple[str, ...]]:
    if shop.files is Files.PDF:
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
        numbered = shop.copies is Copies.FILES and copies > 1
        front = f"{piece.front.name}-1 to -{copies}.png" if numbered else f"{piece.front.name}.png"
        back = front if piece.back == piece.front else f"{piece.back.name}.png" if piece.back else "-"
        yield piece.component.id, piece.component.title, str(copies), front, back


def _differences(listed: Sequence[Listed]) -> Iterator[str]:
    for each in listed:
        product = each.order.product
        for size in dict.fromkeys(each.order.was.values()):
            pieces = [piece.component.title or piece.component.id for piece in each.pieces
                      if each.order.was.get(piece.component.id) == size]
            yield (f"{', '.join(dict.fromkeys(pieces))}: drawn at {product.trim} for the {product.title}, the nearest "
                   f"product; in the set as you would print it at home they have {size}.")
        blanks = [piece for piece in each.pieces if piece.back and not piece.back.shows]
        if blanks:
            yield f"{each.order.part.title}: {len(blanks)} of its pieces have no back; theirs is white."
        shaped = [piece.component.title or piece.component.id for piece in each.pieces
                  if not piece.component.shape.is_ruled]
        if shaped:
            yield (f"{', '.join(dict.fromkeys(shaped))}: the {product.title} is a rectangle; at home they are cut to a "
                   "shape of their own.")
        backs = {piece.back for piece in each.pieces if piece.back and piece.back != piece.front}
        if product.on is On.CARD and len(backs) > 1:
            yield f"{each.order.part.title}: there are {len(backs)} different backs; see the table below."


def _missing(left_out: Sequence[Problem]) -> Iterator[str]:
    for problem in left_out:
        which = f" ({problem.key})" if problem.key else ""  # a part of one piece is named by itself
        yield (f"Not in these files: {problem.place}{which}, {problem.what.removeprefix('left out: ')}; "
               f"{problem.remedy}.")


def _measured(size: Size) -> str:
    return f"{size} ({size.width / MM['in']:.4g} × {size.height / MM['in']:.4g} in)"
