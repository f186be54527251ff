"""The order of pages on sheets: folded into each other, or side by side."""

import io
import re

import pikepdf
import pytest
from hypothesis import given, strategies as st

from ppgen.engine.booklets.booklet_pdf import arrange_pages, pair_pages, saddle_stitch
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.impose import back_rotation
from ppgen.engine.imposition.sheets import BookletLayout, DocumentInfo, Flip
from tests.pdf_reading import MM as POINT

MM = 1 / POINT
INFO = DocumentInfo(title="T", author="", subject="", lang="en", creator="", bookmarks=(), page_labels=())


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


@given(st.sampled_from([Size(297, 210), Size(279.4, 215.9), Size(420, 297), Size(330, 260)]),
       st.sampled_from([Size(148, 210), Size(105, 148), Size(130, 190)]), st.sampled_from([*Flip, None]))
def test_two_pages_meet_at_the_fold_in_the_middle_of_the_paper(paper, page, flip):
    """Also on paper that is not twice the page; backs turn with paper; marks on the fold are longer than margins."""
    with pikepdf.new() as blank:
        for _ in range(4):
            blank.add_blank_page(page_size=(page.width * MM, page.height * MM))
        blank.save(file := io.BytesIO())
    made = pair_pages(file.getvalue(), saddle_stitch(4), paper, page, flip, INFO)
    with pikepdf.open(io.BytesIO(made)) as pdf:
        for number, side in enumerate(pdf.pages):
            side.contents_coalesce()
            words = side.Contents.read_bytes().decode()
            turned = "-1 0 0 -1" in words
            assert turned == (number == 1 and flip is not None and back_rotation(paper, flip) != 0)
            places = [tuple(map(float, place)) for place in re.findall(r"q 1 0 0 1 (\S+) (\S+) cm /[LR]", words)]
            assert places == [pytest.approx((x * MM, (paper.height - page.height) / 2 * MM), abs=1e-3)
                              for x in (paper.width / 2 - page.width, paper.width / 2)]
            ends = [tuple(map(float, end)) for end in re.findall(r"(\S+) (\S+) [ml]\b", words)]
            assert len(ends) == (0 if flip is None else 4)
            assert all(x == pytest.approx(paper.width / 2 * MM, abs=1e-3) for x, _ in ends)
            assert not ends or [ends[0][1], ends[3][1]] == pytest.approx([0, paper.height * MM], abs=1e-3)
            assert not ends or [ends[1][1]] == pytest.approx([paper.height * MM - ends[2][1]], abs=1e-3)
            assert not ends or 7 < ends[1][1] / MM < 12
