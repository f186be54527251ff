"""Many sheets in a line each: whatever moves on one of them changes a sum. ``pytest --update-golden`` writes them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

import pytest

from ppgen.engine.cutting import cut_sheet, to_dxf, to_svg
from ppgen.engine.geometry import ORIGIN, Format, LineSegment, Point, Rect, Seams, Size
from ppgen.engine.imposition.impose import impose, impose_nested, impose_pages, impose_tiled, page_area
from ppgen.engine.imposition.sheets import Backs, Flip, Imposition, Item, Marks, Order, SheetSpec
from ppgen.engine.shapes import CIRCLE, HEXAGON, OCTAGON, RECTANGLE, die, rounded_shape, standee, tent
from ppgen.errors import InputError, format_count
from ppgen.printing.set_booklets import draw_sheet, straight_cuts
from ppgen.records import replace
from tests.golden.records import digest, numbers_of, shown, weigh

PAPERS = {"a4": Size(210, 297), "letter": Size(215.9, 279.4), "a3": Size(297, 420), "slip": Size(120, 250)}
SIZES = (Size(63.5, 88.9), Size(44, 68), Size(63, 88), Size(22, 22), Size(31.7, 38.1), Size(70, 121), Size(100, 57))
SHAPES = (RECTANGLE, RECTANGLE, RECTANGLE, CIRCLE, HEXAGON, OCTAGON, rounded_shape(3))
NETS = (standee(Size(25, 45), 10), tent(40, 18, 25, 7), die(16))


def any_spec(chance: random.Random) -> SheetSpec:
    name = chance.choice([*PAPERS])
    margin = chance.choice((8, 8, 5, 12.5, 0))
    return SheetSpec(paper=Format(name, PAPERS[name]), bleed=chance.choice((2, 2, 0, 3, 1.3)), margin=margin,
                     least_margin=min(margin, chance.choice((5, 8))), backs=chance.choice([*Backs]),
                     flip=chance.choice([*Flip]), marks=chance.choice([*Marks]), order=chance.choice([*Order]),
                     back_offset=chance.choice((ORIGIN, ORIGIN, Point(1.5, -0.7))),
                     back_rotation=chance.choice((0, 0, 0.4, -1.1)))


def any_cards(chance: random.Random) -> list[Item]:
    """Pieces of one or two sizes, some with edges alike, some with shapes or nets."""
    made = list[Item]()
    for kind in range(chance.choice((1, 1, 2, 3))):
        net = chance.choice(NETS) if chance.random() < 0.15 else None
        size, shape = (net and (net.size, net.shape)) or (chance.choice(SIZES), chance.choice(SHAPES))
        edges = chance.choice(([""], ["vellum"], ["red", "blue"]))
        backed = chance.random() < 0.8 and not net
        made += [Item(id=f"{kind}-{n}", size=size, shape=shape, edge=edges[n * len(edges) // 12 % len(edges)],
                      has_back=backed) for n in range(chance.randint(1, 15))]
    return made


def any_hexagons(chance: random.Random) -> list[Item]:
    flat = chance.choice((20, 33.5, 46, 68.4))
    size = Size(round(2 / 3 ** 0.5 * flat, 3), flat)
    return [Item(id=f"{n}", size=size.turned if chance.random() < 0.4 else size, shape=HEXAGON,
                 has_back=chance.random() < 0.8) for n in range(chance.randint(1, 40))]


def any_board(chance: random.Random) -> list[Item]:
    size = chance.choice((Size(510, 374), Size(300, 200), Size(420, 90), Size(233, 801)))
    seams = chance.choice((Seams(), Seams(x=(150,), y=(120,)), Seams(x=(255, 80), y=(187,))))
    return [Item(id=f"{n}", size=size, edge=chance.choice(("", "vellum")), has_back=False, seams=seams)
            for n in range(chance.randint(1, 2))]


def any_page(chance: random.Random) -> list[Item]:
    return [Item(id=f"{n}", size=Size(1, 1), has_back=chance.random() < 0.5) for n in range(chance.randint(1, 4))]


def lay_out_pages(items: list[Item], spec: SheetSpec, _: str) -> Imposition:
    """Whole pages, or two beside each other, or such that are cut out."""
    two, cut_out = 2 - len(items) % 2, len(items) == 3
    pages = [replace(item, size=page_area(spec, two, cut_out), has_back=item.has_back and two == 1) for item in items]
    return impose_pages(pages, spec, two, cut_out)


def total(name: str, numbers: Iterable[float]) -> str:
    """How many, their sum, and their weight, which tells their order; nothing of none."""
    found = [*numbers]
    return f"{name} {len(found)}: {shown(sum(found))} {shown(weigh(found))}; " if any(found) else ""


def of_rects(name: str, rects: Iterable[Rect]) -> str:
    return total(name, (each for rect in rects for each in (rect.x, rect.y, rect.width, rect.height)))


def of_lines(name: str, lines: Iterable[LineSegment]) -> str:
    return of_points(name, (each for line in lines for each in (line.start, line.end)))


def of_points(name: str, points: Iterable[Point]) -> str:
    return total(name, (each for at in points for each in (at.x, at.y)))


def record(imposition: Imposition) -> Iterator[str]:
    layout, sheets = imposition.layout, imposition.sheets
    first = sheets[0]
    extent = f"{format_count(layout.cuts, 'cut')}, {format_count(len(sheets), 'sheet')}"
    yield (f"{layout.orientation} {layout.columns} × {layout.rows} {'shared' if layout.shared_bleeds else 'own'}, "
           f"margin {shown(layout.margin)}, {extent} of {shown(first.size.width)} × "
           f"{shown(first.size.height)}, leaf {shown(first.leaf.width)} × {shown(first.leaf.height)}; {layout.why}")
    sides = [side for sheet in sheets for side in sheet.sides]
    placed = [placement for side in sides for placement in side.placements]
    cut, names = cut_sheet(first, 2.5), [f"{each.face[0]}{each.item}" for each in placed]
    guide = [cut for cuts in straight_cuts(first) for cut in cuts] if layout.cuts else []
    yield (of_rects("trims", (each.trim for each in placed))
           + total("bleeds", (n for each in placed for n in (each.bleed.top, each.bleed.right, each.bleed.bottom,
                                                             each.bleed.left)))
           + total("turns", (each.turn for each in placed))
           + of_points("clips", (at for each in placed for at in each.clip))
           + of_rects("tiles", (each.tile.window for each in placed if each.tile))
           + "faces " + " ".join(names[:4]) + f" {digest(' '.join(names).encode())}" * (len(names) > 4))
    yield (of_lines("cuts", (line for side in sides for line in side.cuts))
           + of_lines("folds", (line for side in sides for line in side.folds))
           + of_lines("creases", (line for side in sides for line in side.creases))
           + of_lines("seams", (line for side in sides for line in side.seams))
           + of_points("outlines", (at for side in sides for outline in side.outlines for at in outline.points))
           + of_rects("marks", (ink for side in sides for mark in side.registration for ink in mark.ink))
           + of_rects("strips", (strip for sheet in sheets for strip in (sheet.furniture.label, sheet.furniture.foot)))
           + of_points("crosses", (at for sheet in sheets for at in sheet.furniture.crosses))
           + total("guide", (n for cut in guide for run in cut.runs for n in (cut.at, cut.upright, *run)))
           + total("drawn", numbers_of(str([*draw_sheet(first, guide, 0.2)])))
           + total("svg", numbers_of(to_svg(cut).decode())) + total("dxf", numbers_of(to_dxf(cut).decode())))


KINDS: dict[str, tuple[Callable[[random.Random], list[Item]], Callable[..., Imposition], int]] = {
    "grid": (any_cards, impose, 45), "comb": (any_hexagons, impose_nested, 20), "tile": (any_board, impose_tiled, 20),
    "page": (any_page, lay_out_pages, 20)}


@pytest.mark.parametrize("kind", KINDS)
def test_no_piece_no_mark_and_no_cut_has_moved(golden, kind):
    make, lay_out, number = KINDS[kind]
    lines = list[str]()
    for seed in range(number):
        chance = random.Random(f"{kind} {seed}")
        items, spec = make(chance), any_spec(chance)
        lines.append(f"{seed}: {spec.paper.name}, {len(items)} of {shown(items[0].size.width)} × "
                     f"{shown(items[0].size.height)}, bleed {spec.bleed:g}, margin {spec.margin:g}, "
                     f"{spec.backs}, {spec.flip}, {spec.marks}, {spec.order}, back {spec.back_offset.x:g}")
        try:
            lines += (f"  {line}" for line in record(lay_out(items, spec, "pieces")))
        except InputError as refused:
            lines.append(f"  {refused}")
    golden(f"sheets-{kind}.txt", "\n".join(lines) + "\n")
