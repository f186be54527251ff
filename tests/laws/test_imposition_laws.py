"""Laws of imposition, over papers, sizes, counts, bleeds, margins, backs, flips, orders, marks and offsets."""

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import cos, radians, sin

import pytest
from hypothesis import assume, example, given, seed, strategies as st

from ppgen.engine.geometry import ORIGIN, Format, Insets, Point, Rect, Size
from ppgen.engine.imposition.impose import BACK_EXTRA, candidate_grids, fold_rect, group_items, impose
from ppgen.engine.imposition.sheets import Backs, Flip, Fold, Item, Marks, Order, SheetSpec
from ppgen.engine.pdf.assembly import MARK_WIDTH
from ppgen.engine.shapes import CIRCLE
from ppgen.errors import InputError
from tests.laws.sheets import SLACK, impose_or_reject, printable, specs as any_specs, tenths

FOLD_ROOM = 5
"""What the house promises between a bleed and the fold line, in mm."""
PAPERS = [Format("a4", Size(210, 297)), Format("letter", Size(215.9, 279.4)), Format("a3", Size(297, 420)),
          Format("a5", Size(148, 210)), Format("square", Size(200, 200))]
papers = st.one_of(st.sampled_from(PAPERS), st.builds(
    lambda width, height: Format("own", Size(width, height).portrait), tenths(120, 420), tenths(120, 420)))
sizes = st.one_of(st.sampled_from([Size(44, 68), Size(63, 88), Size(70, 70), Size(63.5, 88.9), Size(25, 25)]),
                  st.builds(Size, tenths(20, 110), tenths(20, 110)))
specs = partial(any_specs, papers)


@st.composite
def decks(draw, groups=3, most=16):
    """Runs of equal items; each item has an id of its own."""
    items = []
    for _ in range(draw(st.integers(1, groups))):
        size = items[-1].size if items and draw(st.booleans()) else draw(sizes)  # blocks have one size
        edge = draw(st.sampled_from(["", "vellum", "oak", "sea"]))
        items += [Item(id=f"item-{len(items) + n}", size=size, edge=edge) for n in range(draw(st.integers(1, most)))]
    return items


def of_any_sheet(law):
    """The same examples for each law: they are imposed once."""
    return seed(1)(given(items=decks(), spec=specs())(law))


imposed = partial(impose_or_reject, impose)


def sides(imposition, name=None):
    return [(sheet, side) for sheet in imposition.sheets for side in sheet.sides if name in (None, side.name)]


def enters(line, rect, thickness=0.0):
    """Whether a level or upright line has a stretch inside a rectangle."""
    half = thickness / 2
    return (max(line.start.x, line.end.x) + half > rect.x + SLACK
            and min(line.start.x, line.end.x) - half < rect.right - SLACK
            and max(line.start.y, line.end.y) + half > rect.y + SLACK
            and min(line.start.y, line.end.y) - half < rect.bottom - SLACK)


def same(one, other):
    return (abs(one.x - other.x) < SLACK and abs(one.y - other.y) < SLACK
            and abs(one.width - other.width) < SLACK and abs(one.height - other.height) < SLACK)


BARE = SheetSpec(paper=PAPERS[0], bleed=0, margin=0, least_margin=0)
"""No bleed on fronts, so that only the larger bleeds of backs meet."""


def run(size, count):
    return [Item(id=f"{size.width:g}-{n}", size=size) for n in range(count)]


@of_any_sheet
@example(items=[*run(Size(70, 70), 13), *run(Size(44, 68), 7)], spec=BARE)
def test_bleeds_never_enter_a_neighbour_and_own_ones_never_overlap(items, spec):
    edges = {item.id: item.edge for item in items}
    for _, side in sides(imposed(items, spec)):
        for one, other in combinations(side.placements, 2):
            assert not one.bleed_box.overlaps(other.trim, SLACK), (one, other)
            assert not other.bleed_box.overlaps(one.trim, SLACK), (one, other)
            if edges[one.item] != edges[other.item] or not edges[one.item]:  # alike they may, at a short row's end
                assert not one.bleed_box.overlaps(other.bleed_box, SLACK), (one, other)


@of_any_sheet
@example(items=run(Size(47.5, 67.65), 16), spec=replace(BARE, bleed=2)).via("rows that fill the room exactly")
@example(items=[*run(Size(99, 80), 4), *run(Size(64.6, 108.1), 3)], spec=replace(BARE, bleed=2)).via("3 mm to spare")
def test_all_stays_in_the_printable_area_beside_the_strips(items, spec):
    """Fronts with their bleed; backs with their larger one, before an offset moves them; marks, strips, crosses."""
    imposition = imposed(items, spec)
    for sheet in imposition.sheets:
        area, furniture = printable(sheet, imposition), sheet.furniture
        assert area.contains(furniture.label, SLACK) and area.contains(furniture.foot, SLACK)
        assert not furniture.label.overlaps(furniture.foot)
        assert len(furniture.crosses) == (4 if len(sheet.sides) == 2 else 0)
        boxes = [Rect(cross.x - 1.5, cross.y - 1.5, 3, 3) for cross in furniture.crosses]
        for side in sheet.sides:
            if side.name == "front" or spec.back_offset == ORIGIN:
                boxes += [placed.bleed_box for placed in side.placements]
            for line in (*side.cuts, *side.folds):
                assert line.start.x <= line.end.x and line.start.y <= line.end.y
                box = Rect(line.start.x, line.start.y, line.end.x - line.start.x, line.end.y - line.start.y)
                assert area.contains(box, 1e-4)
                assert not enters(line, furniture.label) and not enters(line, furniture.foot)
        if spec.marks is not Marks.SILHOUETTE and spec.backs is not Backs.FOLD:
            for placed in sheet.sides[0].placements:  # ticks have 2 mm
                assert furniture.free(sheet.size, imposition.layout.margin).contains(
                    placed.bleed_box.grown(Insets.all(2)), SLACK)
        for box in boxes:
            assert area.contains(box, SLACK)
            assert not box.overlaps(furniture.label, SLACK) and not box.overlaps(furniture.foot, SLACK)


@given(items=decks(), spec=specs(), bare=st.integers(0, 10))
def test_each_item_appears_in_its_size_as_often_as_it_exists_and_with_a_back_if_it_has_one(items, spec, bare):
    items[bare % len(items)] = replace(items[bare % len(items)], has_back=bare % 2 == 0)
    copies = [item for item in items for _ in range(len(item.id) % 3 + 1)]
    imposition = imposed(copies, spec)
    found = Counter((placed.item, placed.face) for _, side in sides(imposition) for placed in side.placements)
    assert found == Counter((item.id, face) for item in copies for face in ("front", "back")
                            if face == "front" or (item.has_back and spec.backs is not Backs.NONE))
    wanted = {item.id: item.size for item in items}
    for sheet, side in sides(imposition):
        assert sheet.size in (spec.paper.size, spec.paper.size.turned)
        for placed in side.placements:
            assert same(Rect(0, 0, placed.trim.width, placed.trim.height),
                        Rect(0, 0, wanted[placed.item].width, wanted[placed.item].height))


@of_any_sheet
def test_a_bleed_is_cut_short_only_for_a_neighbour(items, spec):
    for _, side in sides(imposed(items, spec)):
        most = spec.bleed + (BACK_EXTRA if side.name == "back" else 0)
        least = spec.bleed  # beside ticks, backs bleed no further than fronts
        for placed in side.placements:
            near = placed.trim.grown(Insets.all(2 * most + SLACK))
            lonely = not any(other.trim.overlaps(near, -SLACK) for other in side.placements if other is not placed)
            for length in (placed.bleed.left, placed.bleed.right, placed.bleed.top, placed.bleed.bottom):
                assert -SLACK <= length <= most + SLACK
                assert not lonely or length > least - SLACK


PRINTED = 1
"""So far outside a trim there is ink, in mm: a cut that is as far off still shows none of the paper."""


@pytest.mark.parametrize(("paper", "backs", "step"), [
    ("a4", Backs.DUPLEX, 1), ("letter", Backs.DUPLEX, 3), ("a4", Backs.FOLD, 3), ("letter", Backs.NONE, 3)])
def test_a_cut_that_is_one_millimetre_off_shows_no_paper(formats, paper, backs, step):
    """Each size, or each third: outside a trim there is ink of its face, or of the neighbour that shares the cut."""
    spec = SheetSpec(paper=formats.paper(paper), backs=backs)
    for name in list(formats.sizes)[::step]:
        size = formats.card_size(name).size
        small = Size(round(size.width * 0.72, 1), round(size.height * 0.56, 1))
        for parts in ([(size, 20)], [(small, 8), (Size(22, 22), 15)]):
            items = [Item(id=f"{n}-{each}", size=each, edge="vellum") for each, count in parts for n in range(count)]
            try:
                found = impose(items, spec, "cards")
            except InputError:
                continue  # larger than the paper
            alike = {tuple((placed.trim, placed.bleed) for placed in side.placements) for _, side in sides(found)}
            for places in alike:
                trims = [trim for trim, _ in places]
                for out, bleed in places:
                    for length, beyond in (
                            (bleed.left, Rect(out.x - PRINTED, out.y, PRINTED, out.height)),
                            (bleed.right, Rect(out.right, out.y, PRINTED, out.height)),
                            (bleed.top, Rect(out.x, out.y - PRINTED, out.width, PRINTED)),
                            (bleed.bottom, Rect(out.x, out.bottom, out.width, PRINTED))):
                        assert length >= PRINTED or any(trim.contains(beyond) for trim in trims), (name, out)


@given(items=decks(groups=1), spec=specs())
def test_items_that_bleed_apart_never_share_a_cut(items, spec):
    items = [replace(item, edge="") for item in items]
    for _, side in sides(imposed(items, spec)):
        for one, other in combinations(side.placements, 2):
            apart = max(one.trim.x - other.trim.right, other.trim.x - one.trim.right,
                        one.trim.y - other.trim.bottom, other.trim.y - one.trim.bottom)
            assert apart >= 2 * spec.bleed - SLACK


def seen_through(rect, sheet, flip):
    """Where something printed on the back is seen from the front, and if it then stands on its head."""
    width, height = sheet.size.width, sheet.size.height
    turned_about_an_upright_axis = (height >= width) if flip is Flip.LONG else (height < width)
    if turned_about_an_upright_axis:
        return Rect(width - rect.x - rect.width, rect.y, rect.width, rect.height), False
    return Rect(rect.x, height - rect.y - rect.height, rect.width, rect.height), True


@given(items=decks(), spec=specs(backs=Backs.DUPLEX))
@example(items=run(Size(44, 68), 56), spec=SheetSpec(paper=PAPERS[-1]))
def test_each_back_lies_exactly_behind_its_front_and_upright_but_for_the_offset(items, spec):
    for sheet in imposed(items, spec).sheets:
        front, back = sheet.sides
        assert (front.name, back.name) == ("front", "back")
        assert [placed.item for placed in front.placements] == [placed.item for placed in back.placements]
        for before, behind in zip(front.placements, back.placements, strict=True):
            unshifted = behind.trim.shifted(Point(-spec.back_offset.x, -spec.back_offset.y))
            seen, on_its_head = seen_through(unshifted, sheet, spec.flip)
            assert same(seen, before.trim)
            assert before.turn == 0
            assert behind.turn == (180 if on_its_head else 0)


drifts = st.one_of(*(st.builds(Point, tenths(-most, most), tenths(-most, most)) for most in (2, 20)))
angles = st.one_of(st.sampled_from([0.0, 0.3, -1.0]), tenths(-10, 10))


@given(items=decks(), spec=specs(backs=Backs.DUPLEX), offset=st.one_of(st.just(ORIGIN), drifts), angle=angles)
@example(items=run(Size(44, 68), 56), spec=SheetSpec(paper=PAPERS[0]), offset=Point(-3, 2), angle=-9.0)
@pytest.mark.slow
def test_backs_and_their_marks_stay_inside_the_margin_when_they_are_shifted_and_turned(items, spec, offset, angle):
    """Fronts only move if the backs would leave the margin, so not for a shift within the room for ticks."""
    moved = imposed(items, replace(spec, back_offset=offset, back_rotation=angle))
    turn = radians(angle)
    for sheet in moved.sheets:
        side, area = sheet.sides[1], printable(sheet, moved)
        x, y = sheet.size.width / 2, sheet.size.height / 2
        points = [end for cut in side.cuts for end in (cut.start, cut.end)] + [
            Point(across, down) for box in (placed.bleed_box for placed in side.placements)
            for across in (box.x, box.right) for down in (box.y, box.bottom)]
        assert side.rotation == angle
        for at in points:
            assert area.contains(Rect(x + (at.x - x) * cos(turn) - (at.y - y) * sin(turn),
                                      y + (at.x - x) * sin(turn) + (at.y - y) * cos(turn), 0, 0), 1e-4)
    if angle == 0 and max(abs(offset.x), abs(offset.y)) <= 2:
        still = imposed(items, replace(spec, back_offset=ORIGIN, back_rotation=0))
        assert [(sheet.furniture, sheet.sides[0]) for sheet in moved.sheets] == [
            (sheet.furniture, sheet.sides[0]) for sheet in still.sheets]
        for one, other in zip(moved.sheets, still.sheets, strict=True):
            for placed, before in zip(one.sides[1].placements, other.sides[1].placements, strict=True):
                assert same(placed.trim, before.trim.shifted(offset))


@given(items=decks(), spec=specs(backs=Backs.FOLD))
def test_a_folded_back_is_the_mirror_image_beyond_a_fold_line_that_keeps_its_distance(items, spec):
    imposition, nearer = imposed(items, spec), False
    for sheet, side in sides(imposition):
        assert len(sheet.sides) == 1
        fronts = [placed for placed in side.placements if placed.face == "front"]
        backs = [placed for placed in side.placements if placed.face == "back"]
        for front, back in zip(fronts, backs, strict=True):
            assert front.item == back.item
            upright = back.turn == 0  # beyond a line that runs down the sheet, a back stands on its feet
            assert (front.turn, back.turn) == (0, 0 if upright else 180)
            seen = [Fold(fold.start.x if upright else fold.start.y, upright) for fold in side.folds
                    if upright == (fold.start.x == fold.end.x)]
            (fold,) = [fold for fold in seen if same(fold_rect(front.trim, fold), back.trim)]
            (line,) = [line for line in side.folds if fold == Fold(line.start.x if upright else line.start.y, upright)]
            if upright:
                away = [abs(edge - fold.at) for edge in (front.trim.x, front.trim.right, back.trim.x, back.trim.right)]
                assert line.start.y <= front.bleed_box.y + SLACK and front.bleed_box.bottom <= line.end.y + SLACK
            else:
                away = [abs(edge - fold.at) for edge in (front.trim.bottom, back.trim.y)]
                assert line.start.x <= front.bleed_box.x + SLACK and front.bleed_box.right <= line.end.x + SLACK
            assert min(away) >= FOLD_ROOM - SLACK
            if min(away) < spec.bleed + FOLD_ROOM - SLACK:
                nearer = True
        for fold in side.folds:
            assert printable(sheet, imposition).contains(Rect(fold.start.x, fold.start.y, fold.end.x - fold.start.x, 0))
            assert not any(enters(fold, placed.bleed_box) for placed in side.placements)
    # Nearer than that to the bleed only where it saves a sheet: no other layout is as small.
    assert not nearer or all(grid.area.folding.tight for grid in candidate_grids(group_items(items), spec)
                             if len(grid.sheets) == len(imposition.sheets))


@of_any_sheet
@example(items=[*run(Size(44, 68), 1), *run(Size(40.9, 20), 1)], spec=BARE)
def test_no_mark_enters_a_bleed(items, spec):
    """Ticks with all their thickness; of lines, those between two faces that share the cut lie on it."""
    for _, side in sides(imposed(items, spec)):
        for cut in side.cuts:
            for placed in side.placements:
                assert not enters(cut, placed.bleed_box, MARK_WIDTH if spec.marks is Marks.TICKS else 0), (cut, placed)


@of_any_sheet
def test_marks_stand_on_cuts_and_every_cut_has_a_mark_at_both_ends(items, spec):
    for sheet, side in sides(imposed(items, spec)):
        if spec.marks is not Marks.SILHOUETTE:
            assert (side.registration, sheet.leaf) == ((), sheet.size)
        if spec.marks in (Marks.NONE, Marks.SILHOUETTE):
            assert side.cuts == ()
            continue
        upright = [cut for cut in side.cuts if cut.start.x == cut.end.x]
        level = [cut for cut in side.cuts if cut.start.y == cut.end.y]
        assert len(upright) + len(level) == len(side.cuts)
        edges_x = {round(edge, 4) for placed in side.placements for edge in (placed.trim.x, placed.trim.right)}
        edges_y = {round(edge, 4) for placed in side.placements for edge in (placed.trim.y, placed.trim.bottom)}
        assert {round(cut.start.x, 4) for cut in upright} <= edges_x
        assert {round(cut.start.y, 4) for cut in level} <= edges_y
        if side.name == "back":
            continue  # an offset may push them over the edge; the next law is theirs
        for placed in side.placements:
            if placed.face == "back" and placed.turn == 0:
                continue  # folded behind its front, which has the marks
            for edge in (placed.trim.x, placed.trim.right):
                ends = [cut for cut in upright if abs(cut.start.x - edge) < 1e-4]
                assert [cut for cut in ends if cut.end.y < placed.trim.y], (edge, placed)
                assert [cut for cut in ends if cut.start.y > placed.trim.bottom], (edge, placed)
            for edge in (placed.trim.y, placed.trim.bottom):
                ends = [cut for cut in level if abs(cut.start.y - edge) < 1e-4]
                assert [cut for cut in ends if cut.end.x < placed.trim.x], (edge, placed)
                assert [cut for cut in ends if cut.start.x > placed.trim.right], (edge, placed)


@given(items=decks(groups=2), spec=specs(marks=Marks.TICKS, back_offset=ORIGIN))
@example(items=run(Size(22, 22), 15), spec=SheetSpec(paper=PAPERS[0]))
@example(items=run(Size(40, 40), 9), spec=SheetSpec(paper=PAPERS[0], backs=Backs.FOLD))
def test_shaped_pieces_are_parted_in_the_middle_between_their_bleeds(items, spec):
    """One cut parts two rows and spares both bleeds; nothing is cut at an outline, or at a fold."""
    for _, side in sides(imposed([replace(item, edge="", shape=CIRCLE) for item in items], spec)):
        for cut in side.cuts:
            upright = cut.start.x == cut.end.x
            at = cut.start.x if upright else cut.start.y
            assert all(abs(at - (fold.start.x if upright else fold.start.y)) > SLACK for fold in side.folds
                       if (fold.start.x == fold.end.x) == upright)
            boxes = [(box.x, box.right) if upright else (box.y, box.bottom)
                     for box in (placed.trim for placed in side.placements)]
            before = max(end for _, end in boxes if end < at + 1e-3)
            after = min(start for start, _ in boxes if start > at - 1e-3)
            if not upright or len({item.size for item in items}) == 1:
                assert at == pytest.approx((before + after) / 2, abs=1e-3)
            assert not any(enters(cut, placed.bleed_box, MARK_WIDTH) for placed in side.placements)
        rows = {round(placed.trim.y, 3) for placed in side.placements if placed.face == side.name}
        level = {cut.start.y for cut in side.cuts if cut.start.y == cut.end.y}
        assert spec.backs is Backs.FOLD or len(level) == len(rows) - 1


LEAST_TICK = 1.5
"""A shorter tick guides no ruler, in mm."""


def size_of(placed):
    return round(placed.trim.width, 4), round(placed.trim.height, 4)


@of_any_sheet
@example(items=[*run(Size(31.7, 38.1), 8), *run(Size(22, 22), 15)], spec=SheetSpec(paper=PAPERS[0]))
def test_marks_are_long_enough_and_those_of_two_grids_never_mix(items, spec):
    """Beyond the pieces of another size, and in their half of the room between, no mark of a grid stands."""
    for _, side in sides(imposed(items, spec)):
        edges = {}
        for placed in side.placements:
            for x in (placed.trim.x, placed.trim.right):
                edges.setdefault(round(x, 4), []).append(placed)
        for cut in side.cuts:
            assert max(cut.end.x - cut.start.x, cut.end.y - cut.start.y) >= LEAST_TICK - 1e-3
            if cut.start.x == cut.end.x:
                own = {size_of(placed) for placed in edges[round(cut.start.x, 4)]}
                middle = (cut.start.y + cut.end.y) / 2
                away = {placed: max(placed.bleed_box.y - middle, middle - placed.bleed_box.bottom)
                        for placed in side.placements}
                assert size_of(min(away, key=away.get)) in own, cut


def cut_apart(rects):
    """Whether straight cuts from edge to edge separate all rectangles without cutting into one."""
    if len(rects) <= 1:
        return True
    for low, high in ((lambda rect: rect.x, lambda rect: rect.right), (lambda rect: rect.y, lambda rect: rect.bottom)):
        ordered = sorted(rects, key=low)
        reach = high(ordered[0])
        for at, rect in enumerate(ordered[1:], 1):
            if low(rect) >= reach - SLACK:
                return cut_apart(ordered[:at]) and cut_apart(ordered[at:])
            reach = max(reach, high(rect))
    return False


@of_any_sheet
def test_guillotine_cuts_separate_every_sheet(items, spec):
    for _, side in sides(imposed(items, spec)):
        assert cut_apart([placed.trim for placed in side.placements])


@given(items=decks(groups=1, most=60), spec=specs(order=Order.STACK))
def test_a_stack_cut_apart_pile_by_pile_has_the_order_of_the_items_and_gaps_on_its_last_sheet_only(items, spec):
    piles, sheets = {}, imposed(items, spec).sheets
    counts = [len(sheet.sides[0].placements) for sheet in sheets]
    assert counts == sorted(counts, reverse=True)
    for sheet in sheets:  # the first sheet lies on top
        for placed in sheet.sides[0].placements:
            if placed.face == "front":
                piles.setdefault((round(placed.trim.y, 3), round(placed.trim.x, 3)), []).append(placed.item)
    assert [item for place in sorted(piles) for item in piles[place]] == [item.id for item in items]


def plain_capacity(size, spec):
    """How many items of a size the simplest grid holds: own bleeds, strips at top and bottom, either way round."""
    def along(room, length):
        return max(0, int((room - 2 * spec.margin - 4 + 1e-6) // (length + 2 * spec.bleed)))

    return max(along(page.width, size.width) * along(page.height - 6.4, size.height)
               for page in (spec.paper.size, spec.paper.size.turned))


@given(size=sizes, count=st.integers(1, 60), spec=specs())
def test_no_more_sheets_than_the_simplest_grid_needs(size, count, spec):
    assume(spec.backs is not Backs.FOLD and spec.marks is not Marks.SILHOUETTE)
    capacity = plain_capacity(size, spec)
    assume(capacity)
    items = [Item(id=f"item-{n}", size=size, edge="vellum") for n in range(count)]
    assert len(impose(items, spec, "cards").sheets) <= -(-count // capacity)


@of_any_sheet
def test_the_margin_shrinks_only_where_that_saves_a_sheet(items, spec):
    found = imposed(items, spec)
    if found.layout.margin != spec.margin:
        assert spec.least_margin <= found.layout.margin < spec.margin
        try:
            wider = impose(items, replace(spec, least_margin=spec.margin), "cards")
        except InputError:
            return  # did not fit at all
        assert len(wider.sheets) > len(found.sheets)


@given(spec=specs(), size=st.builds(Size, tenths(20, 500), tenths(20, 500)))
def test_an_item_that_is_too_large_is_told_a_size_that_really_fits(spec, size):
    with pytest.raises(InputError) as caught:
        impose([Item(id="a", size=Size(size.width + 420, size.height))], spec, "cards")
    if largest := re.search(r"would is ([\d.]+) × ([\d.]+) mm", caught.value.problems[0].what):
        assert len(impose([Item(id="a", size=Size(*map(float, largest.groups())))], spec, "cards").sheets) == 1


CLEAR = 1.5
"""What the house promises around a registration mark, in mm."""
machine = st.builds(lambda spec: replace(spec, marks=Marks.SILHOUETTE), specs())


def zones(side):
    """What a cutter's camera must see nothing else in: around each mark, and between the arms of a bracket."""
    for mark in side.registration:
        xs = [end for ink in mark.ink for end in (ink.x, ink.right)]
        ys = [end for ink in mark.ink for end in (ink.y, ink.bottom)]
        yield Rect(min(xs) - CLEAR, min(ys) - CLEAR, max(xs) - min(xs) + 2 * CLEAR, max(ys) - min(ys) + 2 * CLEAR)


@given(items=decks(), spec=machine)
def test_registration_marks_stand_clear_of_all_else_around_all_that_is_cut(items, spec):
    """Where they stand depends on paper and margin only. A cutter's program cuts nothing further out than that."""
    imposition = imposed(items, spec)
    for sheet, side in sides(imposition):
        if side.name == "back":
            assert side.registration == ()
            continue
        leaf, inset = sheet.leaf, max(10, imposition.layout.margin + 0.5)
        square, *brackets = side.registration
        assert same(square.ink[0], Rect(inset, inset, 5, 5))
        assert [mark.path[1] for mark in brackets] == [
            Point(leaf.width - inset, inset), Point(inset, leaf.height - inset)]
        within = Rect(inset, inset, leaf.width - 2 * inset, leaf.height - 2 * inset)
        assert all(within.contains(placed.trim, SLACK) for placed in side.placements if placed.face == "front")
        boxes = [sheet.furniture.label, sheet.furniture.foot, *(placed.bleed_box for placed in side.placements),
                 *(Rect(cross.x - 1.5, cross.y - 1.5, 3, 3) for cross in sheet.furniture.crosses)]
        for zone in zones(side):
            assert printable(sheet, imposition).contains(zone.grown(Insets.all(-CLEAR)), SLACK)
            assert not any(box.overlaps(zone, SLACK) for box in boxes)
            assert not any(enters(line, zone, MARK_WIDTH) for line in (*side.cuts, *side.folds))


@given(items=decks(), spec=machine)
def test_a_sheet_for_a_machine_is_folded_in_its_middle_with_all_fronts_above(items, spec):
    folded = replace(spec, backs=Backs.FOLD)
    for sheet, side in sides(imposed(items, folded)):
        (fold,) = side.folds
        assert fold.start.y == fold.end.y == sheet.leaf.height == sheet.size.height / 2
        for placed in side.placements:
            box, is_front = placed.bleed_box, placed.face == "front"
            assert (fold.start.y - box.bottom if is_front else box.y - fold.start.y) >= FOLD_ROOM - SLACK
