"""Registration marks for cutting machines, by example: where they stand, what makes room for them, who has none."""

import pytest

from ppgen.engine.geometry import Point, Rect, Size
from ppgen.engine.imposition.impose import impose, impose_pages, page_area
from ppgen.engine.imposition.sheets import Item, Marks, clear_zone, silhouette_marks
from ppgen.errors import InputError

A4, LETTER = Size(210, 297), Size(215.9, 279.4)


@pytest.mark.parametrize("page", [A4, A4.turned, LETTER, LETTER.turned])
def test_a_square_stands_top_left_and_brackets_top_right_and_bottom_left(page):
    square, right, left = silhouette_marks(page, 8)
    assert (square.kind, square.ink) == ("square", (Rect(10, 10, 5, 5),))
    x, y = page.width - 10, page.height - 10
    assert right.path == (Point(x - 8.89, 10), Point(x, 10), Point(x, 18.89))
    assert left.path == (Point(10, y - 8.89), Point(10, y), Point(18.89, y))
    assert [mark.kind for mark in (right, left)] == ["bracket", "bracket"]


@pytest.mark.parametrize(("size", "paper", "edge", "sheets"), [
    ("mini-euro", "a4", "vellum", 5), ("mini-euro", "letter", "vellum", 5), ("mini-us", "a4", "vellum", 4),
    ("standard", "a4", "vellum", 7), ("bridge", "letter", "vellum", 7), ("tarot", "a4", "vellum", 14),
    ("mini-euro", "letter", "", 5),
])
def test_no_more_sheets_than_users_of_cutters_know(cards, spec, size, paper, edge, sheets):
    assert len(impose(cards(size, edge=edge), spec(paper, marks=Marks.SILHOUETTE), "cards").sheets) == sheets


def test_paper_that_is_too_narrow_for_marks_and_strips_is_told_so(cards, spec):
    with pytest.raises(InputError, match="nothing would"):
        impose(cards("mini-us"), spec("100x105mm", marks=Marks.SILHOUETTE), "cards")


@pytest.mark.parametrize("margin", [0, 8, 20])
def test_a_page_that_is_cut_out_has_marks_and_keeps_clear_of_them(spec, margin):
    asked = spec(margin=margin, marks=Marks.SILHOUETTE)
    item = Item(id="box", size=page_area(asked, cut_out=True), has_back=False)
    (sheet,) = impose_pages([item], asked, cut_out=True).sheets
    (placed,) = sheet.sides[0].placements
    assert len(sheet.sides[0].registration) == 3
    assert not any(placed.bleed_box.overlaps(clear_zone(mark)) for mark in sheet.sides[0].registration)
    assert placed.trim.x >= max(10, margin)
    assert placed.trim.right <= 210 - max(10, margin)
