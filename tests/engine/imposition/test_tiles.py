"""Boards on paper: whole where it bears them, and what is said where it bears not even tiles."""

import pytest

from ppgen.engine.cutting import cut_sheet
from ppgen.engine.geometry import Format, Point, Size
from ppgen.engine.imposition.impose import impose_tiled
from ppgen.engine.imposition.sheets import Item, SheetSpec
from ppgen.engine.svg.outlines import Vertex
from ppgen.errors import InputError


def board(width, height, id="board"):
    return Item(id=id, size=Size(width, height), has_back=False)


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
