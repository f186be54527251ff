"""The tuck box: its net folds into a box, holds what it says, and shows no line when it is finished."""

from dataclasses import replace
from itertools import pairwise
from math import cos, dist, pi, sin

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.shapes import die, standee, tent
from ppgen.errors import InputError
from ppgen.printing.drawn_parts import output_kind
from ppgen.printing.request import CARD_THICKNESS, OutputKind, Pack
from ppgen.printing.tuck_box import (BOARD_THICKNESS, FILL, MARK_CLEARANCE, PAPER_AIR, PAPER_THICKNESS, PLAY, _volume,
                                     box_net, tuck_box_part)
from tests.laws.test_shape_laws import distance, inside as lies_inside

A4 = Size(210, 297)
CARD, TABLET, STONE = Size(44, 68), Size(31.7, 38.1), Size(22, 22)
LARGE = Size(1000, 1000)
PAPER = 3 * 32 * PAPER_THICKNESS * PAPER_AIR
LENGTHS = st.integers(200, 1500).map(lambda tenths: tenths / 10)


def for_nets(test):
    """For boxes of any sizes."""
    depths = st.integers(30, 600).map(lambda tenths: tenths / 10)
    return settings(max_examples=6)(given(st.builds(Size, LENGTHS, LENGTHS), depths)(test))



def part(name: str, stock: Stock, size: Size, copies: int) -> Part:
    component = Component(id=f"{name}-1", front=FaceRequest(template="x", size=size, values={}), copies=copies)
    return Part(name=name, title=name, stock=stock, components=(component,))


SET = (part("cards", Stock.CARD, CARD, 56), part("tablets", Stock.CARD, TABLET, 8),
       part("stones", Stock.BOARD, STONE, 15), part("sheet", Stock.PLAIN, A4, 1))


def boxed(*, pack: Pack = Pack(), room: Size = LARGE, rules: bool = True, parts: tuple[Part, ...] = SET):  # noqa: B008
    """The values that the template of the box sees."""
    return tuck_box_part(lambda key: key, "x", parts, pack, room, rules).components[0].front.values


def depth_of(values) -> float:
    return values["box"].panels["left"].width


def turned(point, origin: tuple[float, float], axis: str, way: int):
    """A place of the net after a fold by a right angle about the line through ``origin`` along x or y."""
    x, y, z = point
    angle = way * pi / 2
    if axis == "y":
        dx = x - origin[0]
        return origin[0] + dx * cos(angle) + z * sin(angle), y, -dx * sin(angle) + z * cos(angle)
    dy = y - origin[1]
    return x, origin[1] + dy * cos(angle) - z * sin(angle), dy * sin(angle) + z * cos(angle)


def folded_box(box):
    """Where a place of each panel comes to lie: the reader looks at the front, the box is behind it (z < 0)."""
    p = box.panels
    front, left, back, right = p["front"], p["left"], p["back"], p["right"]

    def on_left(at):
        return turned(at, (front.right, 0), "y", 1)

    def on_back(at):
        return on_left(turned(at, (left.right, 0), "y", 1))

    def on_right(at):
        return on_back(turned(at, (back.right, 0), "y", 1))

    def on_lid(at):
        return on_back(turned(at, (0, back.y), "x", 1))

    def on_base(at):
        return on_back(turned(at, (0, back.bottom), "x", -1))

    return {
        "front": lambda at: at, "left": on_left, "back": on_back, "right": on_right, "lid": on_lid, "base": on_base,
        "glue": lambda at: turned(at, (front.x, 0), "y", -1),
        "tuck": lambda at: on_lid(turned(at, (0, p["lid"].y), "x", 1)),
        "tuck below": lambda at: on_base(turned(at, (0, p["base"].bottom), "x", -1)),
        "flap left": lambda at: on_left(turned(at, (0, left.y), "x", 1)),
        "flap right": lambda at: on_right(turned(at, (0, right.y), "x", 1))}


@for_nets
def test_the_net_folds_into_a_box(inside, depth):
    box = box_net(inside, depth)
    to = folded_box(box)
    p = box.panels
    front = p["front"]

    def corners(name: str, rect: Rect):
        return [pytest.approx(to[name]((x, y, 0)), abs=1e-6)
                for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]

    assert [(p[name].width, p[name].height) for name in ("front", "back", "left", "right")] == [
        pytest.approx((width, inside.height)) for width in (inside.width, inside.width, depth, depth)]
    # The back lies behind the front, the last side closes the tube.
    assert corners("back", p["back"]) == [
        (x, y, -depth) for x in (front.right, front.x) for y in (front.y, front.bottom)]
    assert corners("right", p["right"])[2:] == [(front.x, front.y, 0), (front.x, front.bottom, 0)]
    # Lid and base reach from the back to the front, and are as wide as both.
    for name, y in (("lid", front.y), ("base", front.bottom)):
        near = p[name].y if name == "lid" else p[name].bottom
        ends = [to[name]((x, near, 0)) for x in (p[name].x, p[name].right)]
        assert ends == [pytest.approx((x, y, 0), abs=1e-6) for x in (front.right, front.x)]
    # Tucks go down behind the front, the glue flap behind the last side.
    for name, tuck in zip(("tuck", "tuck below"), box.tucks, strict=True):
        for x, y, z in (to[name]((tuck.x, y, 0)) for y in (tuck.y, tuck.bottom)):
            assert (x, z) == pytest.approx((front.right, 0), abs=1e-6)
            assert front.y - 1e-6 <= y <= front.bottom + 1e-6
    x, _, z = to["glue"]((box.glue.x, front.y, 0))
    assert (x, z) == pytest.approx((front.x, -box.glue.width), abs=1e-6)
    # Dust flaps lie below the lid and don't overlap.
    tip = min(point.y for point in box.outline if p["left"].x < point.x < p["left"].right)
    (left, y, _), (right, _, _) = to["flap left"]((p["left"].x, tip, 0)), to["flap right"]((p["right"].x, tip, 0))
    assert y == pytest.approx(front.y, abs=1e-6)
    assert front.x < right <= left < front.right


@for_nets
def test_the_cut_goes_round_all_panels_the_same_above_and_below_and_never_crosses_itself(inside, depth):
    box = box_net(inside, depth)
    p, notch = box.panels, min(9, 0.22 * inside.width)
    front, ring = p["front"], box.outline
    middle = Point(front.x + front.width / 2, front.y)
    for panel in (*p.values(), *box.tucks, box.glue):
        for x in (0.2, 0.5, 0.8):
            for y in (0.02, 0.5, 0.98):
                at = Point(panel.x + x * panel.width, panel.y + y * panel.height)
                assert lies_inside(at, ring) != (dist((at.x, at.y), (middle.x, middle.y)) < notch) or abs(
                    dist((at.x, at.y), (middle.x, middle.y)) - notch) < 0.1 or panel in box.tucks or panel is box.glue
    xs, ys = ([getattr(point, axis) for point in ring] for axis in "xy")
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((0, box.size.width, 0, box.size.height))
    corners = {(round(point.x, 4), round(point.y, 4)) for point in ring if point.x < front.x or point.x > front.right}
    assert corners == {(x, round(box.size.height - y, 4)) for x, y in corners}
    edges = list(pairwise((*ring, ring[0])))

    def side(a, b, c):
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    for n, (a, b) in enumerate(edges):
        for c, d in edges[n + 2:]:
            assert not (side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9)


@for_nets
def test_marks_prolong_each_cut_and_fold_that_ends_at_paper_and_keep_clear_of_the_net(inside, depth):
    box = box_net(inside, depth)
    for mark in box.marks:
        for share in (0, 0.5, 1):
            at = Point(mark.start.x + (mark.end.x - mark.start.x) * share,
                       mark.start.y + (mark.end.y - mark.start.y) * share)
            assert not lies_inside(at, box.outline) and distance(at, box.outline) > MARK_CLEARANCE - 1e-6
        assert 1.49 < dist((mark.start.x, mark.start.y), (mark.end.x, mark.end.y)) < 6
    cuts = [(a, b) for a, b in pairwise(box.outline) if min(a.x, b.x) > 0 and dist((a.x, a.y), (b.x, b.y)) > 1.6]
    for one, other in (*cuts, *((fold.start, fold.end) for fold in box.folds)):
        for start, end in ((one, other), (other, one)):
            length = dist((start.x, start.y), (end.x, end.y))
            along = (end.x - start.x) / length, (end.y - start.y) / length
            free = [Point(end.x + along[0] * mm, end.y + along[1] * mm) for mm in (0.7, 1.5, 2.5, 4, 5.5)]
            marked = [mark for mark in box.marks if dist((mark.start.x, mark.start.y), (end.x, end.y)) < 1.2 and max(
                abs((at.x - end.x) * along[1] - (at.y - end.y) * along[0]) for at in (mark.start, mark.end)) < 0.01
                and (mark.end.x - end.x) * along[0] + (mark.end.y - end.y) * along[1] > 0]
            if all(not lies_inside(at, box.outline) and distance(at, box.outline) > 0.5 for at in free):
                assert marked


@given(st.integers(8, 40), st.integers(8, 60), st.integers(8, 40), st.integers(1, 30))
def test_loose_pieces_have_a_box_of_their_own_as_high_as_that_of_the_cards_and_as_narrow_as_paper_lets(
        width, height, base, copies):
    """A tent holds a prism (by Heron), a die a cube; a figure lies flat, as a sticker's cube stands."""
    roof, net = base * 0.9, {"tent": tent(width, base, base * 0.9, 4), "die": die(width), "man": standee(
        Size(width, height), 5)}
    half = (base + 2 * roof) / 2
    volumes = {"tent": width * (half * (half - base) * (half - roof)**2)**0.5, "die": width**3,
               "man": width * height * 4}
    pieces = {id: Component(id=id, copies=copies, front=FaceRequest(
        template="x", size=net[id].size, shape=net[id].shape, values={"net": net[id]})) for id in net}
    for id, piece in pieces.items():
        assert _volume(piece, Stock.FOLDED, Pack()) == pytest.approx(volumes[id])
    flat = [Component(id="s", front=FaceRequest(template="x", size=Size(12, side), values={})) for side in (12, 18)]
    assert [_volume(piece, Stock.STICKER, Pack()) for piece in flat] == [13**3, 19**3]
    room = Size(250, 340)
    made = tuck_box_part(lambda key: key, "x", (*SET[:1], Part(
        name="loose", title="", stock=Stock.FOLDED, components=tuple(pieces.values()))), Pack(), room, loose=True)
    wanted = copies * sum(volumes.values()) / FILL
    cards = made.components[0].front.values["box"].panels["front"].size
    if len(made.components) == 2:
        values = made.components[1].front.values
        size, depth = values["box"].panels["front"].size, depth_of(values)
        net_size = values["box"].size
        assert [piece["id"] for piece in values["pieces"]] == [*pieces] and values["cards"] == 0
        assert size.height == cards.height and size.width >= cards.width
        assert size.width * size.height * (depth - PLAY) == pytest.approx(wanted)
        assert min(net_size.width, net_size.height) <= 250 and max(net_size.width, net_size.height) <= 340
        if size.width > cards.width:  # a narrower one is too deep
            deep = box_net(Size(size.width - 5, size.height), wanted / (size.width - 5) / size.height + PLAY).size
            assert min(deep.width, deep.height) > 250 or max(deep.width, deep.height) > 340
    else:
        assert wanted > 60 * cards.width * cards.height / 4


def test_all_of_the_set_goes_in():
    """By hand: 56 cards; 8 tablets of card, two in a layer; 15 stones on board, six in a layer; three sheets of A4,
    each folded five times by itself, 37 x 53 mm and 32 layers with a fifth of air."""
    values = boxed()
    height = 56 * CARD_THICKNESS + 4 * CARD_THICKNESS + 3 * (CARD_THICKNESS + BOARD_THICKNESS) + PAPER
    assert depth_of(values) == pytest.approx(height + PLAY)
    assert values["box"].panels["front"].size == Size(44 + PLAY, 68 + PLAY)
    assert (values["cards"], values["paper"]) == (56, True)
    assert [piece["id"] for piece in values["pieces"]] == ["cards-1", "tablets-1", "stones-1"]


def test_what_is_too_large_for_the_box_or_the_paper_stays_outside():
    whole = boxed()["box"].size
    seen = []
    for less in (0, 1, 25):
        values = boxed(room=Size(whole.width - less, whole.width - less))
        seen.append((values["paper"], len(values["pieces"])))
    assert seen == [(True, 3), (False, 3), (False, 1)]
    assert boxed(room=whole)["paper"], "the net may fill the paper"
    assert output_kind(tuck_box_part(lambda key: key, "x", SET, Pack(), LARGE, True)) is OutputKind.BOX
    assert depth_of(boxed(rules=False)) == pytest.approx(depth_of(boxed()) - PAPER)
    assert depth_of(boxed(parts=(*SET, part("board", Stock.BOARD, Size(200, 200), 1)))) == depth_of(boxed())
    small = tuple(replace(each, components=part(each.name, each.stock, Size(20, 30), 3).components) for each in SET[:1])
    assert boxed(parts=small)["paper"] is False, "it would have to be folded too often"
    with pytest.raises(InputError, match="the net of the box, 140 × 133 mm, does not fit the 100 × 100 mm"):
        boxed(room=Size(100, 100))
