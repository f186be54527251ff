"""The tuck box: its net folds into a box, holds what it says, and shows no line when it is finished."""

from dataclasses import replace
from itertools import pairwise
from math import cos, pi, sin

import pypdfium2
import pytest
from PIL import Image, ImageDraw

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Rect, Size
from ppgen.errors import InputError
from ppgen.printing.drawn_parts import output_kind
from ppgen.printing.request import CARD_THICKNESS, BuildRequest, OutputKind, Pack
from ppgen.printing.set_build import build_set
from ppgen.printing.tuck_box import (BOARD_THICKNESS, MARK_CLEARANCE, PAPER_AIR, PAPER_THICKNESS, PLAY, box_net,
                                     tuck_box_part)

A4 = Size(210, 297)
CARD, TABLET, STONE = Size(44, 68), Size(31.7, 38.1), Size(22, 22)
LARGE = Size(1000, 1000)
PAPER = 3 * 32 * PAPER_THICKNESS * PAPER_AIR
NETS = pytest.mark.parametrize(("inside", "depth"), [
    (Size(45.2, 69.2), 36), (Size(33, 45.7), 41), (Size(80, 60), 4)])


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


@NETS
def test_the_net_folds_into_a_box(inside, depth):
    box = box_net(inside, depth)
    to = folded_box(box)
    p = box.panels
    front = p["front"]

    def corners(name: str, rect: Rect):
        return [pytest.approx(to[name]((x, y, 0)), abs=1e-6)
                for x in (rect.x, rect.right) for y in (rect.y, rect.bottom)]

    assert front.size == p["back"].size == inside
    assert p["left"].size == p["right"].size == Size(depth, inside.height)
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


@NETS
def test_the_cut_goes_round_all_panels_and_never_crosses_itself(inside, depth):
    box = box_net(inside, depth)
    edges = list(pairwise((*box.outline, box.outline[0])))
    area = abs(sum(a.x * b.y - b.x * a.y for a, b in edges)) / 2
    panels = sum(panel.width * panel.height for panel in box.panels.values())
    flaps = box.glue.width * box.glue.height + sum(tuck.width * tuck.height for tuck in box.tucks) + 4 * depth * depth
    assert panels - pi * box.notch**2 / 2 < area < panels + flaps

    def side(a, b, c):
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    for n, (a, b) in enumerate(edges):
        for c, d in edges[n + 2:]:
            assert not (side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9)
    assert all(0 <= point.x <= box.size.width and 0 <= point.y <= box.size.height for point in box.outline)


def test_all_of_the_set_goes_in():
    """By hand: 56 cards; 8 tablets of card, two in a layer; 15 stones on board, six in a layer; three sheets of A4,
    each folded five times by itself, 37 x 53 mm and 32 layers with a fifth of air."""
    values = boxed()
    height = 56 * CARD_THICKNESS + 4 * CARD_THICKNESS + 3 * (CARD_THICKNESS + BOARD_THICKNESS) + PAPER
    assert depth_of(values) == pytest.approx(height + PLAY)
    assert values["box"].panels["front"].size == Size(44 + PLAY, 68 + PLAY)
    assert (values["cards"], values["paper"]) == (56, True)
    assert [piece["id"] for piece in values["pieces"]] == ["cards-1", "tablets-1", "stones-1"]


def test_the_shipped_set_goes_in_as_the_docs_say(workshop, formats):
    """The figure of docs/print.md, "The box": the whole set on A4, 35.9 mm deep; in sleeves too."""
    paper = formats.paper("a4")
    for sleeved, depth in ((False, 35.88), (True, 47.08)):
        request = BuildRequest(langs=("de",), papers=(paper,), sleeved=sleeved)
        texts, spec = workshop.texts("de"), request.spec(paper)
        (made,) = workshop.parts(texts, request.card_size, spec, ("box",), request.pack).parts
        values = made.components[0].front.values
        assert depth_of(values) == pytest.approx(depth)
        assert (sum(piece["copies"] for piece in values["pieces"]), values["cards"], values["paper"]) == (79, 56, True)


def printed_box(workshop, formats, ink: str):
    """The values of the box, a picture of its page at 200 pixels an inch, and where the net is on it (mm)."""
    paper = formats.paper("a4")
    request = BuildRequest(langs=("de",), papers=(paper,), parts=("box",), ink=ink)
    content = next(file.content for file in build_set(request, workshop).files if file.path.endswith(".pdf"))
    made = workshop.parts(workshop.texts("de"), request.card_size, request.spec(paper), ("box",)).parts[0]
    values = made.components[0].front.values
    assert not values["turned"]
    with pypdfium2.PdfDocument(content) as pdf:
        page = pdf[0].render(scale=200 / 72).to_pil().convert("RGB")
    size = values["box"].size
    return values, page, (paper.size.width - size.width) / 2, (paper.size.height - size.height) / 2


@pytest.mark.parametrize("ink", ["full", "low"])
def test_the_finished_box_shows_no_line_its_tucks_are_printed_and_its_ground_goes_on_under_the_bleed(
        workshop, formats, ink):
    """Lines and dots of the diaper are seen in the ring beyond the cut, too."""
    values, page, left, top = printed_box(workshop, formats, ink)
    box, scale = values["box"], 200 / 25.4
    shown = Image.new("1", page.size)
    ImageDraw.Draw(shown).polygon([((left + p.x) * scale, (top + p.y) * scale) for p in box.outline], fill=1)
    glue = ((left, top + box.glue.y), (left + box.glue.width, top + box.glue.bottom))
    ImageDraw.Draw(shown).rectangle([(x * scale, y * scale) for x, y in glue], fill=0)
    black = page.convert("L").point(lambda value: 255 * (value < 25)).convert("1")
    assert black.getbbox()  # the marks
    if ink == "full":  # in low ink all that is drawn is black
        assert not Image.composite(black, Image.new("1", page.size), shown).getbbox()
    for tuck, beyond in zip(box.tucks, (-1.4, 1.4), strict=True):
        area = [round((left + tuck.x + 5) * scale), round((top + tuck.y + 3) * scale),
                round((left + tuck.right - 5) * scale), round((top + tuck.bottom - 3) * scale)]
        assert page.crop(area).convert("L").getextrema()[0] < (160 if ink == "full" else 240)
        y = round((top + (tuck.y if beyond < 0 else tuck.bottom) + beyond) * scale)
        row = [page.getpixel((round((left + tuck.x + x / 10) * scale), y))
               for x in range(60, round(10 * tuck.width) - 60)]
        assert ink == "low" or len({tuple(value // 24 for value in colour) for colour in row}) > 1


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


@NETS
def test_marks_are_beside_the_net(inside, depth):
    box = box_net(inside, depth)
    scale, near = 20, 0.8 * MARK_CLEARANCE
    cut = Image.new("1", (int(box.size.width + 20) * scale, int(box.size.height + 20) * scale))
    ImageDraw.Draw(cut).polygon([((p.x + 10) * scale, (p.y + 10) * scale) for p in box.outline], fill=1)
    for mark in box.marks:
        for share in (0, 0.25, 0.5, 0.75, 1):
            x = mark.start.x + (mark.end.x - mark.start.x) * share
            y = mark.start.y + (mark.end.y - mark.start.y) * share
            around = [cut.getpixel((round((x + 10 + dx) * scale), round((y + 10 + dy) * scale)))
                      for dx, dy in ((0, 0), (-near, 0), (near, 0), (0, -near), (0, near))]
            assert not any(around)
