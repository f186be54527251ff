"""Laws of nested hexagons, over papers, sizes, counts, bleeds, margins, backs, flips, orders and marks."""

from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import combinations, pairwise
from math import hypot

import pytest
from hypothesis import assume, given, seed, strategies as st

from ppgen.engine.cutting import cut_sheet
from ppgen.engine.geometry import A4, ORIGIN, Format, Insets, Point, Size
from ppgen.engine.imposition.impose import _line_counts, fold_rect, impose, impose_nested, mirror_rect
from ppgen.engine.imposition.sheets import Backs, Fold, Item, Marks, clear_zone
from ppgen.engine.shapes import HEXAGON, area
from ppgen.errors import InputError
from tests.laws.sheets import SLACK, impose_or_reject, printable, specs as any_specs, tenths

LETTER, A3 = Format("letter", Size(215.9, 279.4)), Format("a3", Size(297, 420))


def hexagon(flat, upright=False):
    size = Size(round(2 / 3 ** 0.5 * flat, 3), flat)
    return size.turned if upright else size


sizes = st.one_of(st.builds(hexagon, tenths(8, 110), st.booleans()),
                  st.builds(Size, tenths(15, 90), tenths(15, 90)))
specs = partial(any_specs, st.sampled_from([A4, LETTER, A3]))


@st.composite
def tiles(draw, most=25):
    size, backed = draw(sizes), draw(st.sampled_from([True, True, False]))
    return [Item(id=f"tile-{n}", size=size, shape=HEXAGON, has_back=backed) for n in range(draw(st.integers(1, most)))]


def of_any_sheet(law):
    """The same examples for each law: they are imposed once."""
    return seed(1)(given(items=tiles(), spec=specs())(law))


imposed = partial(impose_or_reject, impose_nested)


def faces(side):
    """The placements of one side by face, nested ones only."""
    for face in ("front", "back"):
        if found := [placement for placement in side.placements if placement.face == face and placement.clip]:
            yield found


def overlap(one, other):
    """Whether two convex clockwise rings share more than their edges."""
    for ring, against in ((one, other), (other, one)):
        for start, end in pairwise((*ring, ring[0])):
            long = hypot(end.x - start.x, end.y - start.y)
            if all(((end.x - start.x) * (at.y - start.y) - (end.y - start.y) * (at.x - start.x)) / long < SLACK
                   for at in against):
                return False
    return True


@of_any_sheet
def test_no_two_outlines_overlap(items, spec):
    for sheet in imposed(items, spec).sheets[:2]:
        for side in sheet.sides:
            for one, other in combinations(side.placements, 2):
                if one.trim.overlaps(other.trim):
                    assert not overlap(one.outline.points, other.outline.points), (one.trim, other.trim)


@given(items=tiles(), spec=specs(back_offset=ORIGIN))
def test_everything_printed_stays_in_the_printable_area_off_strips_and_registration_marks(items, spec):
    imposition = imposed(items, spec)
    for sheet in imposition.sheets:
        for side in sheet.sides:
            for placement in side.placements:
                assert printable(sheet, imposition).contains(placement.bleed_box, SLACK)
                assert not placement.bleed_box.overlaps(sheet.furniture.label, SLACK)
                assert not placement.bleed_box.overlaps(sheet.furniture.foot, SLACK)
                if side.registration:
                    assert not any(placement.bleed_box.overlaps(clear_zone(mark), SLACK) for mark in side.registration)


@of_any_sheet
def test_each_item_appears_exactly_as_often_as_it_exists(items, spec):
    found = Counter((placed.item, placed.face) for sheet in imposed(items, spec).sheets
                    for side in sheet.sides for placed in side.placements)
    wanted = ("front", "back") if items[0].has_back and spec.backs is not Backs.NONE else ("front",)
    assert found == Counter((item.id, face) for item in items for face in wanted)


@given(items=tiles(), spec=specs(backs=Backs.DUPLEX))
def test_backs_lie_behind_their_fronts(items, spec):
    assume(items[0].has_back)
    for sheet in imposed(items, spec).sheets:
        front, back = sheet.sides
        behind = {placement.item: placement.trim for placement in back.placements}
        for placement in front.placements:
            there = mirror_rect(placement.trim, sheet.size, spec.flip).shifted(spec.back_offset)
            assert (behind[placement.item].x, behind[placement.item].y) == pytest.approx((there.x, there.y))


@given(items=tiles(), spec=specs(backs=Backs.FOLD))
def test_backs_meet_their_fronts_beyond_the_fold(items, spec):
    assume(items[0].has_back)
    for sheet in imposed(items, spec).sheets:
        (side,) = sheet.sides
        if not side.placements[0].clip:
            return  # side by side, with folds of their own
        (line,) = side.folds
        fold = Fold(line.start.x, upright=True) if line.start.x == line.end.x else Fold(line.start.y)
        behind = {placement.item: placement for placement in side.placements if placement.face == "back"}
        for placement in side.placements:
            if placement.face == "front":
                there, back = fold_rect(placement.trim, fold), behind[placement.item]
                assert (back.trim.x, back.trim.y) == pytest.approx((there.x, there.y))
                assert back.turn == (0 if fold.upright else 180)


@of_any_sheet
def test_never_more_sheets_than_side_by_side(items, spec):
    nested = imposed(items, spec)
    with suppress(InputError):
        assert len(nested.sheets) <= len(impose(items, spec, "tiles").sheets)


@of_any_sheet
def test_a_clip_covers_its_outline_and_overlaps_neighbours_by_a_hair(items, spec):
    for sheet in imposed(items, spec).sheets[:2]:
        for side in sheet.sides:
            for placed in faces(side):
                around = placed[0].bleed.top
                for placement in placed:
                    assert placement.bleed == Insets.all(around)
                    assert area(placement.clip) >= area(placement.outline.points) - SLACK
                for one, other in combinations(placed, 2):
                    assert area(one.clip) > 0
                    if not one.trim.overlaps(other.trim.grown(Insets.all(1))):
                        continue
                    assert not overlap(one.clip, shrunk(other.outline.points, 0.25))


def shrunk(ring, by):
    """The ring moved towards its middle, each side by at least ``by``."""
    middle = Point(sum(at.x for at in ring) / len(ring), sum(at.y for at in ring) / len(ring))
    near = min(abs((end.x - start.x) * (middle.y - start.y) - (end.y - start.y) * (middle.x - start.x))
               / hypot(end.x - start.x, end.y - start.y) for start, end in pairwise((*ring, ring[0])))
    share = 1 - by / near
    return tuple(Point(middle.x + (at.x - middle.x) * share, middle.y + (at.y - middle.y) * share) for at in ring)


@pytest.mark.slow
@given(items=tiles(), spec=specs(marks=Marks.TICKS))
def test_every_side_is_cut_exactly_once_on_paper_and_by_the_machine(items, spec):
    for sheet in imposed(items, spec).sheets[:2]:
        front = sheet.sides[0]
        if not front.placements[0].clip:
            continue
        fronts = [placement for placement in front.placements if placement.face == "front"]
        for outlines, placements in ((front.outlines, fronts), (cut_sheet(sheet, 0).cuts, front.placements)):
            cut = [segment(start.at, end.at) for outline in outlines for start, end in outline.segments]
            wanted = {segment(start.at, end.at) for placement in placements
                      for start, end in placement.outline.segments}
            assert len(cut) == distinct(wanted) == distinct(cut)


def segment(start, end):
    return tuple(sorted(((start.x, start.y), (end.x, end.y))))


def distinct(segments):
    """The number of segments whose ends differ by more than rounding errors: they are sorted by their middles."""
    middles = sorted((round((a[0] + b[0]) / 2, 4), (a[1] + b[1]) / 2) for a, b in segments)
    kept = []
    for x, y in middles:
        if not any(abs(x - other[0]) < 1e-3 and abs(y - other[1]) < 1e-3 for other in kept[-200:]):
            kept.append((x, y))
    return len(kept)


@pytest.mark.parametrize(("room", "counts"), [
    (Size(100, 90), (3, 2, 3)), (Size(99.9, 105), (3, 3)), (Size(130, 100), (3, 2, 3, 2))])
def test_a_room_holds_as_many_lines_of_hexagons_as_it_is_wide(room, counts):
    """Columns of 40 mm stand 30 mm apart, and each other one begins half a hexagon of 30 mm lower."""
    assert tuple(_line_counts(Size(40, 30), room)) == counts
