"""Pages side by side: halves of a landscape sheet, and the marks where they are cut apart."""

from __future__ import annotations

import pytest

from ppgen.engine.geometry import Format, Rect, Size
from ppgen.engine.imposition.impose import impose_pages, page_area
from ppgen.engine.imposition.sheets import Item, Marks, SheetSpec

PAPERS = (Format("a4", Size(210, 297)), Format("letter", Size(215.9, 279.4)), Format("wide", Size(300, 200)))


def sheets(paper: Format, count: int, marks: Marks = Marks.TICKS):
    spec = SheetSpec(paper=paper, marks=marks)
    item = Item(id="page", size=page_area(spec, 2), has_back=False)
    return impose_pages([item] * count, spec, 2).sheets


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_each_half_has_its_page_in_the_middle(paper):
    (sheet,) = sheets(paper, 2)
    assert sheet.size.width > sheet.size.height
    left, right = (placement.trim for placement in sheet.sides[0].placements)
    half = sheet.size.width / 2
    assert left.x == pytest.approx(8) and left.right == pytest.approx(half - 8)
    assert (right.x - half, right.y) == pytest.approx((left.x, left.y))
    assert left.size == page_area(SheetSpec(paper=paper), 2)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_ticks_stand_in_the_middle_clear_of_the_pages_and_the_strips(paper):
    (sheet,) = sheets(paper, 2)
    (side,) = sheet.sides
    assert len(side.cuts) == 2
    for cut in side.cuts:
        assert cut.start.x == cut.end.x == sheet.size.width / 2
        band = Rect(cut.start.x - 0.1, min(cut.start.y, cut.end.y), 0.2, abs(cut.end.y - cut.start.y))
        assert not any(band.overlaps(placement.trim) for placement in side.placements)
        assert not band.overlaps(sheet.furniture.label) and not band.overlaps(sheet.furniture.foot)
