"""Files for print shops have exactly the pixels and boxes of their products, and all pieces as often as they exist."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from ppgen.engine.component import Stock
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.shapes import CIRCLE, HEXAGON, RECTANGLE, ShapeKind, path_shape, rounded_shape, standee
from ppgen.errors import InputError
from ppgen.shipped import shipped_root
from ppgen.targets.shop_files import MAX_SIZE_RATIO, ProductStock, find_changes, place_orders, read_shops, size_distance
from tests.targets.plain_game import face, part, piece

SHOPS = read_shops(shipped_root() / "data")


def shaped(id, size, shape):
    return replace(piece(id), front=replace(face(size), shape=shape))


SIDES = st.integers(80, 1600).map(lambda tenths: tenths / 10)
KINDS = {ShapeKind.RECTANGLE: RECTANGLE, ShapeKind.CIRCLE: CIRCLE, ShapeKind.HEXAGON: HEXAGON}


@st.composite
def orders_of(draw):
    """Pieces of any sizes and shapes, some in those of products: shop, product for cards, part."""
    shop = SHOPS[draw(st.sampled_from(sorted(SHOPS)))]
    near = st.sampled_from(shop.products).flatmap(lambda product: st.sampled_from([0, 0.9, 1.1, 8]).map(
        lambda more: (Size(product.trim.width + more, product.trim.height), KINDS[product.shape])))
    free = st.tuples(st.builds(Size, SIDES, SIDES), st.sampled_from([*KINDS.values(), path_shape(
        "M0 0H20L10 20Z", Rect(0, 0, 20, 20)), rounded_shape(3)]))
    pieces = [shaped(f"p{n}", size.turned if draw(st.booleans()) else size, shape)
              for n, (size, shape) in enumerate(draw(st.lists(near | free, min_size=1, max_size=6)))]
    return shop, draw(st.sampled_from(shop.cards)), part("bits", *pieces, stock=draw(st.sampled_from(
        [Stock.CARD, Stock.BOARD])))


@given(orders_of(), st.sampled_from(["", "plain"]))
def test_each_piece_goes_to_the_nearest_product_of_its_shape_or_is_left_out_and_told(made_of, game):
    shop, cards, pieces = made_of
    placed, left_out = place_orders([pieces], shop, cards, game, "en")
    ordered = {piece.id: (order, piece) for order in placed for piece in order.part.components}
    assert len(ordered) == sum(len(order.part.components) for order in placed)
    assert len(ordered) + sum(problem.more + 1 for problem in left_out) == len(pieces.components)
    assert len({order.product.id for order in placed}) == len(placed)
    changes, stocks = 0, {ProductStock.CARD, ProductStock.MAT, *[ProductStock.BOARD] * pieces.is_tiles}
    for each in pieces.components:
        size, wanted = each.size.portrait, ShapeKind.RECTANGLE if each.shape.is_ruled else each.shape.kind
        near = [product for product in shop.products if product.stock in stocks
                and product.shape is wanted and size_distance(size, product) <= MAX_SIZE_RATIO]
        is_card = cards.fits(size) and wanted is cards.shape and not pieces.is_tiles
        assert (each.id in ordered) == bool(near or is_card)
        if each.id in ordered:
            order, made = ordered[each.id]
            trim, stock = order.product.trim.portrait, order.product.stock
            assert made.size == (trim if each.size == size else trim.turned) and made.front.uncut
            assert (each.id in order.original_sizes) == (not order.product.fits(size))
            assert order.product is cards if is_card else size_distance(size, order.product) == min(
                size_distance(size, product) for product in near if product.stock is stock)
            changes += (not each.shape.is_ruled and order.product.shape is ShapeKind.RECTANGLE) + (
                pieces.stock is Stock.BOARD and stock is not ProductStock.BOARD)
    net = standee(Size(20, 20), 5)
    folded = replace(piece("monk"), front=replace(face(net.size), shape=net.shape, values={"net": net}))
    (problem,) = place_orders([part("monks", folded)], shop, cards, game, "en")[1]
    assert problem.what == "left out: no shop folds pieces"
    assert sum(problem.more + 1 for problem in find_changes(placed, shop)) == changes
    for problem in left_out:
        assert f"--only {pieces.name}" in problem.remedy and (" --game plain" in problem.remedy) == bool(game)


def test_the_product_is_chosen_by_name_by_size_or_as_usual(golden_cases):
    def answer(words):
        shop, asked_for, *sizes = words.split()
        card_size, own = (None if size == "-" else Size(*map(float, size.split("x"))) for size in sizes)
        yield SHOPS[shop].product_for(asked_for.strip("-"), card_size, own).id

    golden_cases("products", answer)


def test_every_product_is_usable():
    for shop in SHOPS.values():
        assert shop.usual in {each.id for each in shop.cards}
        for each in shop.products:
            assert each.stock in ProductStock
            assert size_distance(each.trim, each) == pytest.approx(1)
            assert min(each.trim.width, each.trim.height) > 10
    (chit,) = (each for each in SHOPS["gamecrafter"].products if each.id == "small-square-chit")
    assert size_distance(Size(11, 13), chit) <= MAX_SIZE_RATIO


def test_mistakes_in_the_shops_are_told_with_their_line(golden_cases, tmp_path):
    shops = (shipped_root() / "data" / "shops.toml").read_text(encoding="utf-8")

    def answer(lines):
        old, _, new = lines.partition("\n")
        (tmp_path / "shops.toml").write_text(shops.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(InputError) as caught:
            read_shops(tmp_path)
        yield re.sub(r".*shops\.toml:\d+ ", "", str(caught.value))

    golden_cases("shop-slips", answer)
