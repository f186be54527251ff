"""Laws of tiles, over papers, sizes, bleeds, margins, marks and wanted seams."""

from itertools import pairwise

import pytest
from hypothesis import assume, example, given, strategies as st

from ppgen.engine.geometry import Format, Insets, Rect, Seams, Size
from ppgen.engine.imposition.impose import ARROW, TILE_FLAP, impose_tiled, tile_edges
from ppgen.engine.imposition.sheets import Item, Marks, SheetSpec, clear_zone
from tests.laws.sheets import SLACK, impose_or_reject, tenths
from tests.pdf_reading import box_around

papers = st.sampled_from([Size(210, 297), Size(215.9, 279.4), Size(297, 420), Size(148, 210)]) | st.builds(
    Size, tenths(120, 420), tenths(120, 420))
specs = st.builds(lambda paper, bleed, margin, marks: SheetSpec(
    paper=Format("any", paper.portrait), bleed=bleed, margin=margin, least_margin=min(margin, 5.0), marks=marks),
    papers, tenths(0, 5), tenths(0, 15), st.sampled_from(Marks))
seams = st.lists(tenths(1, 700), max_size=5).map(lambda places: tuple(sorted(set(places))))
boards = st.builds(lambda width, height, x, y: Item(
    id="board", size=Size(width, height), has_back=False,
    seams=Seams(tuple(place for place in x if place < width), tuple(place for place in y if place < height))),
    tenths(150, 700), tenths(150, 700), seams, seams)


def tiles_of(board, spec):
    """The sheets of a board that the paper does not bear as a whole, each with its side and its tile."""
    sheets = impose_or_reject(impose_tiled, [board], spec).sheets
    assume(sheets[0].sides[0].placements[0].tile)
    return [(sheet, *sheet.sides, *sheet.sides[0].placements) for sheet in sheets]


@given(boards, specs)
def test_tiles_cover_the_face_once_and_run_on_only_under_their_neighbours(board, spec):
    tiles = [placed.tile for _, _, placed in tiles_of(board, spec)]
    assert len({tile.name for tile in tiles}) == len(tiles) == (len(tiles[0].columns) - 1) * (len(tiles[0].rows) - 1)
    assert sum(tile.own.width * tile.own.height for tile in tiles) == pytest.approx(
        board.size.width * board.size.height)
    face = Rect(0, 0, board.size.width, board.size.height)
    for tile in tiles:
        assert face.contains(tile.window) and tile.window.contains(tile.own)
        assert not any(tile.own.overlaps(other.own) for other in tiles if other is not tile)
        # A flap lies under the next tile, not beyond it.
        for other in (other for other in tiles if (other.row, other.column) == (tile.row, tile.column + 1)):
            assert other.own.x + TILE_FLAP == pytest.approx(tile.window.right) and other.own.width > TILE_FLAP - SLACK
        for other in (other for other in tiles if (other.row, other.column) == (tile.row + 1, tile.column)):
            assert other.own.y + TILE_FLAP == pytest.approx(tile.window.bottom) and other.own.height > TILE_FLAP - SLACK


@given(boards, specs)
def test_a_tile_with_its_flaps_and_bleeds_stands_in_the_printable_area_and_no_mark_stands_in_it(board, spec):
    for sheet, side, placed in tiles_of(board, spec):
        margin = min(spec.margin, spec.least_margin)
        paper = Rect(0, 0, sheet.size.width, sheet.size.height).grown(Insets.all(SLACK - margin))
        bled = placed.bleed_box
        assert paper.contains(bled)
        assert (placed.trim.width, placed.trim.height) == pytest.approx(
            (placed.tile.window.width, placed.tile.window.height))
        for strip in (sheet.furniture.label, sheet.furniture.foot):
            assert not bled.overlaps(strip) and not any(box(line).overlaps(strip) for line in side.cuts)
        assert not any(box(line).overlaps(bled) for line in (*side.cuts, *side.seams))
        assert all(paper.contains(box(line, ARROW / 2)) for line in side.seams)
        assert not any(bled.overlaps(clear_zone(mark)) for mark in side.registration)
        flaps = sum(length > 0 for length in (placed.tile.flaps.right, placed.tile.flaps.bottom))
        assert len(side.seams) == (2 * flaps if spec.marks in (Marks.TICKS, Marks.LINES) else 0)


def box(line, wide=0.0):
    """The smallest rectangle around a mark, so much wider to both sides."""
    across, down = (wide, 0.0) if line.start.x == line.end.x else (0.0, wide)
    return box_around((line.start, line.end)).grown(Insets(down, across, down, across))


@given(tenths(100, 1200), tenths(60, 400), tenths(0, 5), seams)
@example(length=395, room=204, bleed=2, wanted=()).via("two tiles that fill their rooms exactly")
def test_the_tiles_are_the_fewest_that_fit_and_wanted_seams_cost_none(length, room, bleed, wanted):
    found = tile_edges(length, room, bleed, wanted)
    assume(found)
    sizes = [end - start for start, end in pairwise(found)]
    assert found[0] == 0 and found[-1] == length
    assert all(bleed + size + TILE_FLAP <= room + SLACK for size in sizes[:-1])
    assert 2 * bleed + sizes[-1] <= room + SLACK
    most = room - bleed - TILE_FLAP
    assert length > (len(sizes) - 2) * most + room - 2 * bleed or len(sizes) == 1
    assert len(tile_edges(length, room, bleed, ())) == len(found)


@pytest.mark.parametrize(("wanted", "seams_found"), [
    ((), (170.0, 340.0)), ((165, 345), (165, 345)), ((10, 500), (170.0, 340.0)),
    ((150, 160), (160, 335.0)), ((100, 175, 330), (175, 330))])
def test_seams_lie_where_the_face_wants_them_as_far_as_the_tiles_fit(wanted, seams_found):
    assert tile_edges(510, 190, 2, wanted) == (0, *seams_found, 510)
