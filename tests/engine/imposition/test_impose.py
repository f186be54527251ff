"""Imposition by example: the figures of the house, and what the laws leave open."""

import pytest

from ppgen.engine.geometry import Format, Point, Size
from ppgen.engine.imposition.impose import impose, impose_pages, page_area
from ppgen.engine.imposition.sheets import Backs, Item, SheetSpec
from ppgen.errors import InputError


@pytest.fixture
def spec(formats):
    def made(paper="a4", **options):
        return SheetSpec(paper=formats.paper(paper), **options)

    return made


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


def test_the_margin_that_is_told_is_the_narrowest_of_sheets_of_several_sizes():
    """One size keeps the margin that was asked for, the other needs a narrower one."""
    spec = SheetSpec(paper=Format("square", Size(200, 200)), bleed=4.1, margin=5.1, least_margin=5.0, backs=Backs.FOLD)
    small = Item(id="small", size=Size(44, 68), has_back=True)
    large = [Item(id=f"large-{n}", size=Size(63.5, 88.9), edge="vellum", has_back=True) for n in range(2)]
    found = impose([small, *large], spec, "cards")
    assert len(found.sheets) > 1
    assert found.layout.margin == pytest.approx(min(sheet.furniture.label.x for sheet in found.sheets))
