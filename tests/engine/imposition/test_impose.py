"""Imposition by example: the figures of the house, pages side by side, boards, and what the laws leave open."""

from itertools import pairwise

import pytest

from ppgen.engine.cutting import cut_sheet
from ppgen.engine.geometry import Format, Point, Size
from ppgen.engine.imposition.impose import impose, impose_tiled
from ppgen.engine.imposition.sheets import Backs, Item, Marks, SheetSpec
from ppgen.engine.shapes import CIRCLE, Vertex, die
from ppgen.errors import InputError


def test_too_small_a_paper_is_told_part_size_paper_and_the_largest_that_fits(cards, spec):
    asked = spec("100x150mm")
    with pytest.raises(InputError) as caught:
        impose([*cards("tarot"), Item(id="huge", size=Size(300, 300))], asked, "cards")
    problems = caught.value.problems
    assert {(problem.place, problem.key) for problem in problems} == {("--paper", "cards")}
    assert "300 × 300 mm" in problems[0].what
    assert "100x150 (100 × 150 mm)" in problems[0].what
    assert "the largest that would is 82.0 × 125.6 mm" in problems[0].what


def test_the_margin_that_is_told_is_the_narrowest_of_sheets_of_several_sizes():
    """One size keeps the margin that was asked for, the other needs a narrower one."""
    spec = SheetSpec(paper=Format("square", Size(200, 200)), bleed=4.1, margin=5.1, least_margin=5.0, backs=Backs.FOLD)
    small = Item(id="small", size=Size(44, 68), has_back=True)
    large = [Item(id=f"large-{n}", size=Size(63.5, 88.9), edge="vellum", has_back=True) for n in range(2)]
    found = impose([small, *large], spec, "cards")
    assert len(found.sheets) > 1
    assert found.layout.margin == pytest.approx(min(sheet.furniture.label.x for sheet in found.sheets))


def test_lines_between_shaped_pieces_run_from_edge_to_edge(spec):
    items = [Item(id=str(n), size=Size(40, 40), shape=CIRCLE, has_back=False) for n in range(12)]
    (sheet,) = impose(items, spec(marks=Marks.LINES), "discs").sheets
    area, rows = sheet.furniture.free(sheet.size, 8), {}
    for cut in sheet.sides[0].cuts:
        if cut.start.y == cut.end.y:
            rows.setdefault(cut.start.y, []).append((cut.start.x, cut.end.x))
    assert len(rows) == 2
    for spans in map(sorted, rows.values()):
        assert (spans[0][0], max(end for _, end in spans)) == pytest.approx((area.x, area.right))
        assert all(start <= end for (_, end), (start, _) in pairwise(spans))


def test_no_fold_mark_lies_on_the_outline_that_prolongs_its_fold(spec):
    net = die(16)
    items = [Item(id="die", size=net.size, shape=net.shape, has_back=False)] * 2
    (sheet,) = impose(items, spec(), "dice").sheets
    (side,) = sheet.sides
    assert side.creases
    sides = [{(start.at.x, start.at.y), (end.at.x, end.at.y)} for placed in side.placements
             for start, end in placed.outline.segments]
    for mark in side.creases:
        for (x, y), (other_x, other_y) in map(sorted, sides):
            if mark.start.x == mark.end.x and abs(mark.start.x - x) + abs(mark.start.x - other_x) < 1e-3:
                assert mark.end.y <= y or mark.start.y >= other_y
            if mark.start.y == mark.end.y and abs(mark.start.y - y) + abs(mark.start.y - other_y) < 1e-3:
                assert mark.end.x <= x or mark.start.x >= other_x


def board(width, height):
    return Item(id="board", size=Size(width, height), has_back=False)


def imposed(items, width=210, height=297):
    return impose_tiled(items, SheetSpec(paper=Format("paper", Size(width, height))), "boards")


@pytest.mark.parametrize(("items", "paper", "what"), [
    ([board(510, 374)], (60, 60), "paper (60 × 60 mm) is too small for tiles of 510 × 374 mm"),
    ([board(1200, 1200)] * 30, (210, 297), "takes 1,050 tiles on paper (210 × 297 mm), more than 500")])
def test_paper_that_is_too_small_is_named(items, paper, what):
    with pytest.raises(InputError) as caught:
        imposed(items, *paper)
    assert [problem.what for problem in caught.value.problems] == [what]


def test_a_machine_cuts_tiles_with_their_flaps_and_square_corners():
    sheet = imposed([board(510, 374)]).sheets[0]
    (cut,) = cut_sheet(sheet, corners=3).cuts
    trim = sheet.sides[0].placements[0].trim
    assert (trim.width, trim.height) == (255 + 7, 187 + 7)
    assert cut.vertices == tuple(Vertex(Point(x, y)) for x, y in (
        (trim.x, trim.y), (trim.right, trim.y), (trim.right, trim.bottom), (trim.x, trim.bottom)))
