"""Laws of finished art: a grid is found where its cards lie, on its side as well; a file is what its name says."""

import io
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings, strategies as st
from PIL import Image, ImageDraw

from ppgen.engine.drawing.face_tools import FITS, fit_picture
from ppgen.engine.geometry import Rect, Size
from ppgen.making.card_sheets import PAGE_BLEEDS_MM, PX_PER_MM, CardGrid, GivenGrid, GridAxis, find_grids, group_near
from tests.games.own_deck.decks import make_deck
from tests.laws.sheets import tenths

SHOWS = "shapes", "marks", "edges", "lines"
AXES = st.builds(GridAxis, tenths(6, 30), tenths(30, 95), st.sampled_from([0.0, 2.0, 5.0]), st.integers(2, 5))


@st.composite
def grids(draw: st.DrawFn) -> CardGrid:
    across, down = draw(AXES), draw(AXES)
    assume(abs(across.length - down.length) > 3)
    return CardGrid(across, replace(down, gap=across.gap), 1, "")


def study(grid: CardGrid, shows: str, bleed: float = 0.0, least: float = 200.0) -> Mapping[str, Any]:
    """A page whose cards show by one thing alone."""
    sides = [max(axis.end + axis.start + (least and 25), least) for axis in grid.axes]
    edges = [[0.0] * (round(side * PX_PER_MM) + 1) for side in sides]
    for axis, line in zip(grid.axes, edges, strict=True):
        for cut in axis.cuts:
            line[int(cut * PX_PER_MM)] = {"edges": 0.6, "lines": 1.0}.get(shows, 0.0)
    ink = [axis.start - bleed for axis in grid.axes] + [axis.end + bleed for axis in grid.axes]
    spread = {"lines": 20.0}.get(shows, 0.0)  # labels around the cards: what is printed doesn't say where they lie
    return {"boxes": [*grid.boxes.values()] if shows == "shapes" else [], "edges": edges, "scale": PX_PER_MM,
            "marks": [sorted({*axis.cuts}) if shows == "marks" else [] for axis in grid.axes], "sides": sides,
            "ink": [max(each - spread, 0) for each in ink[:2]] + [each + spread for each in ink[2:]],
            "tones": [[1.0], [1.0]], "trim": None, "is_vector": shows == "shapes",
            "own_scale": 0.0, "turn": 0.0, "pages": 1}


def places(grid: CardGrid) -> list[float]:
    return [each for axis in grid.axes for each in (axis.start, axis.length, axis.gap, axis.count)]


@pytest.mark.slow
@settings(max_examples=80)
@given(grids(), st.sampled_from(SHOWS))
def test_a_grid_is_found_where_its_cards_lie_and_on_its_side_as_well(grid, shows):
    size = Size(grid.across.length, grid.down.length)
    for turned in (grid, CardGrid(grid.down, grid.across, 1, "")):
        (found,) = find_grids([study(turned, shows)], [size], GivenGrid())
        assert places(found) == pytest.approx(places(turned), abs=0.35), found
        assert found.confidence >= 0.9 and found.is_on(study(turned, shows))


@settings(max_examples=40)
@given(grids(), st.sampled_from([0.0, 1.5, 2.0, 3.0]))
def test_the_bleed_is_the_ink_around_the_outer_cards_if_the_gaps_have_room_for_it(grid, bleed):
    grid = replace(grid, across=replace(grid.across, gap=2 * bleed), down=replace(grid.down, gap=2 * bleed))
    assert grid.find_bleed([study(grid, "marks", bleed)]) == bleed
    assert grid.find_bleed([study(grid, "marks", 9)]) == 0  # labels, or a ground
    if bleed:
        assert replace(grid, down=replace(grid.down, gap=0.0)).find_bleed([study(grid, "marks", bleed)]) == 0


@given(grids(), st.booleans())
def test_a_grid_by_hand_lies_in_the_middle_or_at_its_margin(grid, has_margin):
    (across, down), margin = grid.axes, (7.0, 9.0)
    laid = GivenGrid(columns=across.count, rows=down.count, size=Size(across.length, down.length),
                     gaps=(across.gap, down.gap), margin=margin if has_margin else None).lay_out(500, 600, PX_PER_MM)
    for axis, own, side, start in zip(laid.axes, grid.axes, (500, 600), margin, strict=True):
        assert replace(axis, start=own.start) == own
        assert axis.start == pytest.approx(start if has_margin else side - axis.end)


@settings(max_examples=60)
@given(AXES, tenths(25, 100))
def test_cards_of_another_length_keep_their_middles_and_take_up_rounding(axis, length):
    resized = axis.resized(length)
    middles = [[(a + b) / 2 for a, b in zip(each.cuts[::2], each.cuts[1::2], strict=True)] for each in (axis, resized)]
    slack = 0.15 * axis.count if 0 < abs(axis.gap + axis.length - length) < 0.15 else 1e-6
    assert middles[0] == pytest.approx(middles[1], abs=slack)
    assert (resized.length, resized.count) == (length, axis.count)
    assert resized.start + resized.end == pytest.approx(axis.start + axis.end)


@settings(max_examples=40)
@given(st.integers(1, 10), st.integers(1, 7), st.sampled_from([Size(63.5, 88.9), Size(44, 68), Size(70, 120)]))
def test_a_picture_without_a_scale_is_divided_at_its_edges(columns, rows, size):
    assume(columns * rows > 1)
    px = [round(size.width * 2), round(size.height * 2)]
    whole = [px[0] * columns, px[1] * rows]
    edges = [[0.8 if at and at % own == 0 else 0.0 for at in range(side)] for side, own in zip(whole, px, strict=True)]
    page = {**study(CardGrid(GridAxis(0, 1, 0, 1), GridAxis(0, 1, 0, 1), 1, ""), ""), "sides": whole, "scale": 1,
            "edges": edges, "ink": [0, 0, *whole]}
    (found,) = find_grids([page], [size], GivenGrid())
    assert (found.counts, found.has_size(size)) == ((columns, rows), True)


@pytest.mark.parametrize("size", [Size(63.5, 88.9), Size(120, 70)], ids=str)
@pytest.mark.parametrize("bleed", [0, *PAGE_BLEEDS_MM])
def test_a_page_that_is_one_card_has_its_bleed_on_each_side(size, bleed):
    single = CardGrid(GridAxis(0, size.width + 2 * bleed, 0, 1), GridAxis(0, size.height + 2 * bleed, 0, 1), 1, "")
    (found,) = find_grids([study(single, "", least=0)], [size], GivenGrid())
    assert places(found) == pytest.approx([bleed, size.width, 0, 1, bleed, size.height, 0, 1])


@given(st.lists(tenths(0, 60), max_size=20), tenths(0.2, 3))
def test_groups_hold_each_position_once_and_are_apart_by_the_slack(positions, slack):
    groups = group_near(positions, slack)
    assert [each for group in groups for each in group] == sorted(positions)
    assert all(b[0] - a[-1] >= slack for a, b in pairwise(groups))
    assert all(b - a < slack for group in groups for a, b in pairwise(group))


@settings(max_examples=80)
@given(st.floats(0.2, 5), st.builds(Rect, tenths(-20, 20), tenths(-20, 20), tenths(5, 90), tenths(5, 90)),
       st.sampled_from(FITS), st.tuples(st.integers(0, 100), st.integers(0, 100)))
def test_a_picture_fills_or_fits_its_box_and_its_focus_stays(aspect, box, fit, focus):
    place = fit_picture(aspect, box, fit, f"{focus[0]}% {focus[1]}%")
    spare = box.width - place.width, box.height - place.height
    if fit == "stretch":
        assert place == box
        return
    assert place.width / place.height == pytest.approx(aspect)
    assert min(map(abs, spare)) < 1e-9  # as long as the box one way
    assert all(each > -1e-9 if fit in ("contain", "stand") else each < 1e-9 for each in spare)
    shares = (0.5, 1.0) if fit == "stand" else (focus[0] / 100, focus[1] / 100)
    assert (place.x, place.y) == pytest.approx((box.x + spare[0] * shares[0], box.y + spare[1] * shares[1]))


@pytest.mark.slow
def test_each_file_of_finished_art_is_what_its_name_says(tmp_path: Path):
    for n, (kind, ground) in enumerate(product(("png", "jpg", "webp"), ("#446688", "#ffffff"))):
        card = Image.new("RGB", (250, 350), ground)
        ImageDraw.Draw(card).rounded_rectangle((0, 0, 249, 349), 20, fill="#446688")  # rounded only on white
        card.save(tmp_path / f"{n}.{kind}", quality=100)
    deck = make_deck(tmp_path)
    art = {path: content for path, content in deck.files.items() if path.startswith("art/")}
    assert len(art) == 6
    for path, content in art.items():
        with Image.open(content if isinstance(content, Path) else io.BytesIO(content)) as image:
            assert {"jpg": "jpeg"}.get(end := path.rpartition(".")[2], end) == image.format.lower(), path
