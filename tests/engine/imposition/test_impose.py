"""Imposition by example: the figures of the house, and what the laws leave open."""

import pytest

from ppgen.engine.geometry import Format, Insets, LineSegment, Point, Rect, Size
from ppgen.engine.imposition.crop_marks import cut_marks
from ppgen.engine.imposition.impose import BACK_EXTRA, impose, impose_pages, page_area
from ppgen.engine.imposition.sheets import Backs, Item, Marks, Placement, SheetSpec
from ppgen.errors import InputError


@pytest.fixture
def spec(formats):
    def made(paper="a4", **options):
        return SheetSpec(paper=formats.paper(paper), **options)

    return made


def test_without_ticks_backs_bleed_further_everywhere(cards, spec):
    front, back = impose(cards("mini-euro", 16), spec(marks=Marks.NONE), "cards").sheets[0].sides
    assert back.placements[0].bleed.top == front.placements[0].bleed.top + BACK_EXTRA


def test_lines_also_run_between_cards_that_share_a_cut(cards, spec):
    side = impose(cards("mini-euro", 16), spec(marks=Marks.LINES), "cards").sheets[0].sides[0]
    assert LineSegment(Point(61, 12.5), Point(61, 80.5)) in side.cuts
    assert not [cut for cut in impose(cards("mini-euro", 16), spec(), "cards").sheets[0].sides[0].cuts
                if cut.start.x == cut.end.x == 61 and 12.5 < cut.start.y < 284.5]


@pytest.mark.parametrize(("paper", "size", "most"), [
    ("a4", "mini-us", 7), ("a4", "euro", 14), ("a4", "poker", 14), ("a4", "tarot", 28), ("letter", "mini-euro", 10),
    ("letter", "poker", 14), ("letter", "micro", 5), ("legal", "mini-euro", 7), ("a3", "mini-euro", 4),
    ("tabloid", "catan", 6), ("a5", "poker", 56)])
def test_folded_cards_take_no_more_sheets_than_ever(cards, spec, paper, size, most):
    assert len(impose(cards(size), spec(paper, backs=Backs.FOLD), "cards").sheets) <= most


def test_a_whole_page_lies_in_the_middle_and_neither_offset_nor_rotation_moves_it(spec):
    asked = spec(back_offset=Point(3, 1), back_rotation=2)
    page = Item(id="page", size=page_area(asked), has_back=True)
    (sheet,) = impose_pages([page], asked).sheets
    front, back = sheet.sides
    assert front.placements[0].trim == back.placements[0].trim
    assert back.rotation == 0
    assert front.placements[0].trim.x * 2 + page.size.width == pytest.approx(210)
    assert not front.cuts


def test_too_small_a_paper_is_told_part_size_paper_and_the_largest_that_fits(cards, spec, formats):
    asked = SheetSpec(paper=formats.paper("100x150mm"))
    with pytest.raises(InputError) as caught:
        impose([*cards("tarot"), Item(id="huge", size=Size(300, 300))], asked, "cards")
    problems = caught.value.problems
    assert {(problem.place, problem.key) for problem in problems} == {("--paper", "cards")}
    assert "300 × 300 mm" in problems[0].what
    assert "100x150 (100 × 150 mm)" in problems[0].what
    assert "the largest that would is" in problems[0].what


def test_a_paper_on_which_nothing_fits_is_told_so(cards, spec):
    with pytest.raises(InputError, match="nothing would"):
        impose(cards("poker"), spec("a5", margin=70, least_margin=70, bleed=10, backs=Backs.FOLD), "cards")


@pytest.mark.parametrize("style", [Marks.TICKS, Marks.LINES])
def test_marks_of_cards_that_are_pushed_off_the_area_stay_in_it(style):
    """As a large back offset does: one card half outside at each edge, one all outside."""
    area = Rect(10, 10, 180, 250)
    places = [Point(0, 0), Point(60, 0), Point(170, 60), Point(60, 120), Point(215, 0), Point(170, 240)]
    placed = [Placement(item="a", face="back", trim=Rect(at.x, at.y, 40, 50), bleed=Insets.all(2)) for at in places]
    marks = cut_marks(placed, area, style)
    assert marks
    for mark in marks:
        assert mark.start.x <= mark.end.x
        assert mark.start.y <= mark.end.y
        assert area.contains(Rect(mark.start.x, mark.start.y, mark.end.x - mark.start.x, mark.end.y - mark.start.y))


def test_the_margin_that_is_told_is_the_narrowest_of_sheets_of_several_sizes():
    """One size keeps the margin that was asked for, the other needs a narrower one."""
    spec = SheetSpec(paper=Format("square", Size(200, 200)), bleed=4.1, margin=5.1, least_margin=5.0, backs=Backs.FOLD)
    small = Item(id="small", size=Size(44, 68), has_back=True)
    large = [Item(id=f"large-{n}", size=Size(63.5, 88.9), edge="vellum", has_back=True) for n in range(2)]
    found = impose([small, *large], spec, "cards")
    assert len(found.sheets) > 1
    assert found.layout.margin == pytest.approx(min(sheet.furniture.label.x for sheet in found.sheets))
