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


def test_an_upright_ruler_is_the_level_one_turned():
    level, upright = ticks(ruler(x=3, y=3, length=20)), ticks(ruler(x=3, y=3, length=20, upright=True))
    assert upright == [{"x1": mark["y1"], "y1": mark["x1"], "x2": mark["y2"], "y2": mark["x2"]} for mark in level]


def test_a_drift_scale_reads_half_millimetres_on_both_sides_of_its_zero():
    marks = ticks(drift_scale(x=50, y=20, reach=6))
    assert [mark["x1"] - 50 for mark in marks] == [half / 2 for half in range(-12, 13)]
    longest = max(marks, key=lambda mark: mark["y1"] - mark["y2"])
    assert longest["x1"] == 50


def test_the_lines_of_a_fanned_scale_begin_at_its_whole_millimetres_and_end_apart():
    marks = ticks(drift_scale(x=50, y=20, reach=6, fan=3, length=10))
    leaders = [mark for mark in marks if mark["y2"] == 10]
    assert [mark["x1"] - 50 for mark in leaders] == list(range(-6, 7))
    assert [mark["x2"] - 50 for mark in leaders] == list(range(-18, 19, 3))


def test_a_far_scale_is_the_near_one_turned_by_half():
    for upright in (False, True):
        near = ticks(drift_scale(x=0, y=0, reach=2, fan=2, upright=upright))
        far = ticks(drift_scale(x=0, y=0, reach=2, fan=2, upright=upright, far=True))
        assert sorted(tuple(-value + 0.0 for value in mark.values()) for mark in far) == sorted(
            tuple(mark.values()) for mark in near)


def test_what_is_computed_lies_inside_the_supported_svg(fonts):
    body = ruler(x=0, y=0, length=10) + drift_scale(x=5, y=5, reach=2, upright=True) + lozenge_pattern(
        id="diaper", size=4, stroke="#112233", dot="#445566") + '<rect width="9" height="9" fill="url(#diaper)"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{body}</svg>'
    assert check_svg(svg, fonts, "0 0 20 20")[1] == ()
