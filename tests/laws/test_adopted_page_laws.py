"""Laws of the pages of other programs: corner lies on corner, whatever unit a page is in; texts stay on the piece."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.adoption.drawing_places import place_page
from ppgen.engine.adoption.drawing_texts import _room, _safe
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.svg.elements import apply_matrix, parse_transform, path_steps

SIZES = [Size(63.5, 88.9), Size(44, 68), Size(120, 70)]
SHARES = (0.01, 0.03, 0.3, 0.5, 0.97)
"""Places on a side: nearer to the edge than the margin, and further in."""


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("bleed", [0, 3, 3.175])
@pytest.mark.parametrize("unit", ["mm", "in", 25.4, 72, 90, 96, 150, 300, 600])
def test_the_corners_of_a_page_come_to_lie_on_those_of_the_piece_with_its_bleed(size, bleed, unit):
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    words = {"mm": (f"{width}mm", f"{height}mm"), "in": (f"{width / 25.4}in", f"{height / 25.4}in")}.get(
        unit, (str(width * float(unit) / 25.4), str(height * float(unit) / 25.4)) if unit not in ("mm", "in") else ())
    box = Rect(7, -5, width * 10, height * 10) if unit in ("mm", "in") else Rect(0, 0, *map(float, words))
    matrix, _ = place_page(SimpleNamespace(root=dict(zip(("width", "height"), words, strict=True)), box=box), size)
    for x, y, wanted in ((box.x, box.y, (-bleed, -bleed)), (box.right, box.y, (size.width + bleed, -bleed)),
                         (box.right, box.bottom, (size.width + bleed, size.height + bleed))):
        assert apply_matrix(matrix, x, y) == pytest.approx(wanted, abs=1e-6)


@settings(max_examples=60)
@given(st.sampled_from(SIZES), st.sampled_from(SHARES), st.sampled_from(SHARES), st.sampled_from([0, 90, 180, 270]),
       st.sampled_from(["start", "middle", "end"]))
def test_a_line_has_room_up_to_the_edge_less_a_margin_or_half_of_the_way(size, across, down, angle, anchor):
    x, y = across * size.width, down * size.height
    ahead = {0: size.width - x, 90: size.height - y, 180: x, 270: y}[angle]
    behind = {0: x, 90: y, 180: size.width - x, 270: size.height - y}[angle]
    ways = {"start": (ahead,), "end": (behind,), "middle": (ahead, behind)}[anchor]
    free = min(max(way - _safe(size), way / 2) for way in ways) * len(ways)
    assert _room(size, x, y, angle, anchor, size=0.01) == pytest.approx(max(free, 0.01), abs=1e-6)


@pytest.mark.parametrize(("words", "at"), [
    ("translate(3)", (4, 2)), ("translate(3 4)", (4, 6)), ("scale(2)", (2, 4)), ("scale(2 3)", (2, 6)),
    ("skewX(45)", (3, 2)), ("skewY(45)", (1, 3)), ("rotate(90)", (-2, 1)), ("rotate(90 1 2)", (1, 2)),
    ("matrix(1 2 3 4 5 6)", (12, 16)), ("translate(1) scale(2)", (3, 4))])
def test_a_transform_moves_the_point_1_2_as_svg_says(words, at):
    assert apply_matrix(parse_transform(words), 1, 2) == pytest.approx(at)


def test_flags_of_an_arc_may_touch_what_follows():
    assert [*path_steps("M1 1a2 3 0 01.5.5")] == [("M", [1, 1]), ("a", [2, 3, 0, 0, 1, 0.5, 0.5])]
