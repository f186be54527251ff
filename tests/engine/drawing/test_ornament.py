"""Borders of computed ornament."""

import re

from ppgen.engine.drawing.ornament import BANDS, band


def test_a_level_band_is_the_upper_side_of_a_whole_one():
    for kind in BANDS:
        whole, level = (band(kind=kind, x=2, y=18, width=40, height=46, thick=1.4, level=level)
                        for level in (False, True))
        shapes, upper = (re.findall(r"M[^M]*Z", drawn) for drawn in (whole, level))
        assert 0 < len(upper) < len(shapes) / 2 and set(upper) < set(shapes)
        heights = [float(pair.split()[1]) for pair in re.findall(r"[ML]?(?:-?[\d.]+ -?[\d.]+)", "".join(upper))
                   if pair[0] in "ML"]
        assert all(18 <= y <= 18 + 1.4 for y in heights)
