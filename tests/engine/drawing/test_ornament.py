"""Borders of computed ornament; rulers and scales, which have exactly the length that they state."""

import re

from ppgen.engine.drawing.ornament import band, diaper, lozenge_pattern, ornament, ruler


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


def test_the_lines_of_diapers_and_bands_have_not_moved(golden):
    drawn = [lozenge_pattern(id="lozenges", size=3, stroke="black", dot=dot) for dot in ("none", "red")]
    drawn += [diaper(id=kind, kind=kind, size=10, stroke="black", fill="red") for kind in ornament()["diapers"]]
    drawn += [band(kind=kind, x=0, y=0, width=12, height=8, thick=2, fill="red") for kind in ornament()["bands"]]
    golden("ornament.txt", "\n".join(drawn).replace("><", ">\n<") + "\n")
