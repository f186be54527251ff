"""Turns parts into orders at a print shop: what is printed as which product, drawn at that product's size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from ppgen.engine.component import Component, Part, Way
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.errors import Problem
from ppgen.export.shops.products import On, Product, Shop

NEAR = 1.2
"""A product is near to a piece if neither side is more times longer or shorter: else it would not be the same piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Pieces of a part as one product: the part with its components in the product's size.

    ``was`` tells the size (mm) that each component has in the set, where it is another.
    """

    product: Product
    part: Part
    was: dict[str, Size]


def orders(parts: Iterable[Part], shop: Shop, cards: Product, game: str, lang: str
           ) -> tuple[tuple[Order, ...], tuple[Problem, ...]]:
    """The orders for some parts of a game, cards as the chosen product; and what the shop has no product for."""
    made: list[Order] = []
    left_out: list[Problem] = []
    width, height = (round(side, 1) for side in (cards.trim.width, cards.trim.height))
    for part in parts:
        build = f"ppgen build --lang {lang} --game {game} --only {part.name}"
        if part.layout.way is not Way.TILED:  # a board is as large with any cards
            build += f" --card-size {width:g}x{height:g}mm"
        groups: dict[str, list[tuple[Product, Component]]] = {}
        homeless: dict[Size, list[Component]] = {}
        for component in part.components:
            if not component.net and (product := _product(component.size, part, shop, cards)):
                groups.setdefault(product.id, []).append((product, component))
            else:
                homeless.setdefault(component.size, []).append(component)
        for group in groups.values():
            product = group[0][0]
            components = tuple(_resized(component, product) for _, component in group)
            made.append(Order(product=product, part=replace(part, components=components),
                              was={component.id: component.size for _, component in group
                                   if not product.is_of(component.size.portrait)}))
        left_out += (_left_out(part, size, components, shop, build) for size, components in homeless.items())
    return tuple(made), tuple(left_out)


def near(size: Size, product: Product) -> float:
    """How much longer or shorter a side of the product is than the piece's (1: equal), at most."""
    portrait, trim = size.portrait, product.trim.portrait
    return exp(max(abs(log(trim.width / portrait.width)), abs(log(trim.height / portrait.height))))


def _product(size: Size, part: Part, shop: Shop, cards: Product) -> Product | None:
    """The chosen product for cards of its size; else the nearest, of the same stock if any is near."""
    if part.pages:
        return next((product for product in shop.products if product.on is On.PAD and product.is_of(size)), None)
    if not part.is_tiles and cards.is_of(size.portrait):
        return cards
    stocks = (On.BOARD, On.CARD) if part.is_tiles else (On.CARD,)
    for stock in stocks:
        best = min((product for product in shop.products if product.on is stock),
                   key=lambda product: near(size, product), default=None)
        if best and near(size, best) <= NEAR:
            return best
    return None


def _resized(component: Component, product: Product) -> Component:
    """The component drawn anew at the size of the product."""

    def face(request: FaceRequest) -> FaceRequest:
        upright = request.size == request.size.portrait
        return replace(request, size=product.trim if upright else product.trim.turned, uncut=True)

    return replace(component, front=face(component.front), back=component.back and face(component.back))


def _left_out(part: Part, size: Size, components: Sequence[Component], shop: Shop, build: str) -> Problem:
    folded = all(component.net for component in components)
    several = f"{components[0].id} and {len(components) - 1} more" if len(components) > 1 else components[0].id
    why = "no shop folds pieces" if folded else f"{shop.title} has no product near {size}"
    return Problem(place=part.name, key="" if several == part.name else several, what=f"left out: {why}",
                   remedy=f"make them yourself: {build}")
