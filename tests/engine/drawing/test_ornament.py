"""Borders of computed ornament; rulers and scales, which have exactly the length that they state."""

import re

from ppgen.engine.drawing.ornament import BANDS, band, drift_scale, lozenge_pattern, ruler
from ppgen.engine.drawing.svg_check import check_svg


def test_a_level_band_is_the_upper_side_of_a_whole_one():
    for kind in BANDS:
        whole, level = (band(kind=kind, x=2, y=18, width=40, height=46, thick=1.4, level=level)
                        for level in (False, True))
        shapes, upper = (re.findall(r"M[^M]*Z", drawn) for drawn in (whole, level))
        assert 0 < len(upper) < len(shapes) / 2 and set(upper) < set(shapes)
        heights = [float(pair.split()[1]) for pair in re.findall(r"[ML]?(?:-?[\d.]+ -?[\d.]+)", "".join(upper))
                   if pair[0] in "ML"]
        assert all(18 <= y <= 18 + 1.4 for y in heights)


def ticks(svg):
    return [{name: float(value) for name, value in re.findall(r'([xy][12])="([-\d.]+)"', line)}
            for line in re.findall(r"<line[^>]*>", svg)]


def test_a_ruler_has_a_tick_each_millimetre_and_longer_ones_each_ten():
    base, *marks = ticks(ruler(x=8, y=76, length=100))
    assert (base["x1"], base["x2"]) == (8, 108)
    assert [mark["x1"] for mark in marks] == list(range(8, 109))
    lengths = [mark["y2"] - mark["y1"] for mark in marks]
    assert max(lengths) == lengths[0] == lengths[10] == lengths[100]
    assert lengths[1] < lengths[5] < lengths[10]


def test_what_is_computed_lies_inside_the_supported_svg(fonts):
    body = ruler(x=0, y=0, length=10) + drift_scale(x=5, y=5, reach=2, upright=True) + lozenge_pattern(
        id="diaper", size=4, stroke="#112233", dot="#445566") + '<rect width="9" height="9" fill="url(#diaper)"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{body}</svg>'
    assert check_svg(svg, fonts, "0 0 20 20")[1] == ()
