"""Marks as content of PDF pages: where they stand, as PDF writes it."""

import pikepdf
import pytest

from ppgen.engine.geometry import LineSegment, Point, Rect, Size
from ppgen.engine.imposition.sheets import Furniture, Sheet, SheetSide
from ppgen.engine.pdf.sheet_pages import draw_marks
from tests.pdf_reading import read_content

CUT = LineSegment(Point(10, 20), Point(10, 24))
STRIPS = Furniture(label=Rect(5, 5, 90, 3.2), foot=Rect(5, 191.8, 90, 3.2))


def lines_of(side):
    """The straight lines that are drawn on a side of 100 × 200 mm, in mm from its top left corner."""
    with pikepdf.new() as pdf:
        content = pdf.make_stream(draw_marks(Sheet(size=Size(100, 200), sides=(side,), furniture=STRIPS), side))
        lines = (stroke.line for stroke in read_content(content, 100, 200).strokes)
        return [(line.start.x, line.start.y, line.end.x, line.end.y) for line in lines]


def side(rotation=0.0, cut=CUT):
    return SheetSide(name="back", placements=(), cuts=(cut,), rotation=rotation)


def test_a_cut_line_stands_where_it_was_laid():
    assert lines_of(side())[0] == pytest.approx((10, 20, 10, 24), abs=1e-3)


def test_marks_turn_clockwise_about_the_middle_and_strips_stay():
    straight, turned = lines_of(side()), lines_of(side(rotation=90))
    assert turned[0] == pytest.approx((50 + 80, 100 - 40, 50 + 76, 100 - 40), abs=1e-3)
    assert turned[1:] == straight[1:]


def test_the_scale_bar_is_50_mm_long_with_eleven_ticks():
    bar, *ticks = lines_of(side())[1:]
    assert bar[2] - bar[0] == pytest.approx(50, abs=1e-3)
    assert [tick[0] - bar[0] for tick in ticks] == pytest.approx([5 * n for n in range(11)], abs=1e-3)


def test_a_length_that_is_nearly_nothing_is_written_plainly():
    """PDF knows no exponents (ISO 32000-1, 7.3.3)."""
    drawn = draw_marks(Sheet(size=Size(100, 200), sides=(), furniture=STRIPS),
                       side(cut=LineSegment(Point(1e-13, 20), Point(1e-5, 24))))
    assert drawn.startswith(b"q 0 G\n0.425197 w [] 0 d 0.000000 510.2362 m 0.000028 498.8976 l S")
