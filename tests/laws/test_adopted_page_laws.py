"""Laws of the pages of other programs: corner lies on corner, whatever unit a page is in; texts stay on the piece."""

from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st

from ppgen.engine.adoption.drawing_places import place_page
from ppgen.engine.adoption.drawing_texts import _room, _safe
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.svg.elements import apply_matrix

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


@settings(max_examples=200)
@given(st.sampled_from(SIZES), st.sampled_from(SHARES), st.sampled_from(SHARES), st.sampled_from([0, 90, 180, 270]),
       st.sampled_from(["start", "middle", "end"]))
def test_a_line_has_room_up_to_the_edge_less_a_margin_or_half_of_the_way(size, across, down, angle, anchor):
    x, y = across * size.width, down * size.height
    ahead = {0: size.width - x, 90: size.height - y, 180: x, 270: y}[angle]
    behind = {0: x, 90: y, 180: size.width - x, 270: size.height - y}[angle]
    ways = {"start": (ahead,), "end": (behind,), "middle": (ahead, behind)}[anchor]
    free = min(max(way - _safe(size), way / 2) for way in ways) * len(ways)
    assert _room(size, x, y, angle, anchor, size=0.01) == pytest.approx(max(free, 0.01), abs=1e-6)
