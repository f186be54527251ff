"""Marks as content of PDF pages, as PDF writes it; ``laws/test_printed_laws.py`` has their places."""

from ppgen.engine.geometry import LineSegment, Point, Rect, Size
from ppgen.engine.imposition.sheets import Furniture, Sheet, SheetSide
from ppgen.engine.pdf.assembly import draw_marks


def test_a_length_that_is_nearly_nothing_is_written_plainly():
    """PDF knows no exponents (ISO 32000-1, 7.3.3)."""
    strips = Furniture(label=Rect(5, 5, 90, 3.2), foot=Rect(5, 191.8, 90, 3.2))
    side = SheetSide(name="back", placements=(), cuts=(LineSegment(Point(1e-13, 20), Point(1e-5, 24)),), rotation=0)
    drawn = draw_marks(Sheet(size=Size(100, 200), sides=(), furniture=strips), side)
    assert drawn.startswith(b"q 0 G\n0.425197 w [] 0 d 0.000000 510.2362 m 0.000028 498.8976 l S")
