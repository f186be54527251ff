"""The order of pages on sheets: folded into each other, or side by side."""

from ppgen.engine.booklets.booklet_pdf import arrange_pages, saddle_stitch
from ppgen.engine.imposition.sheets import BookletLayout


def test_folded_sheets_read_in_order():
    """Leafing through: the right of a front, the left and right of its back, into the middle and out again."""
    for pages in range(3, 30):
        sheets = saddle_stitch(pages)
        read = [page for sheet in sheets for page in (sheet.front[1], sheet.back[0])]
        read += [page for sheet in reversed(sheets) for page in (sheet.back[1], sheet.front[0])]
        assert [page for page in read if page is not None] == [*range(pages)]
        assert len(read) % 4 == 0 and read[-1] == pages - 1
    assert [sheet.sides for sheet in saddle_stitch(1)] == [("front",)]


def test_pages_side_by_side_read_in_order_and_an_odd_last_one_is_alone():
    for pages, last in ((8, (6, 7)), (9, (8, None))):
        sheets = arrange_pages(BookletLayout.SIDE_BY_SIDE, pages)
        assert [page for sheet in sheets for page in sheet.front if page is not None] == [*range(pages)]
        assert sheets[-1].front == last and {sheet.sides for sheet in sheets} == {("front",)}
