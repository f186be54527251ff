"""Typed text in a field: at its left edge, in its middle or at its right edge, and never larger than its box."""

import re

from hypothesis import given, strategies as st

from ppgen.engine.pdf.form_fields import FIELD_MARGIN, MAX_FONT_SIZE_PT, FieldText, draw_field_text


@given(st.integers(100, 9000), st.floats(20, 200), st.floats(8, 40), st.sampled_from([0.0, 6.0]),
       st.sampled_from([0, 1, 2]))
def test_a_line_lies_in_its_box_where_the_field_wants_it(length, width, height, size, alignment):
    line = FieldText(pieces=(("/F", b"\0\1"),), width=length, cap_height=650, complete=True, fonts={})
    content = draw_field_text(line, width, height, size, alignment).decode()
    x, y = map(float, re.search(r"(\S+) (\S+) Td", content).groups())
    used = float(re.search(r"(\S+) Tf", content)[1])
    drawn = length * used / 1000
    left, right = x - FIELD_MARGIN, width - FIELD_MARGIN - (x + drawn)
    assert abs({0: left, 1: left - right, 2: right}[alignment]) < 0.02
    assert abs(y - (height - y - 0.65 * used)) < 0.02
    if not size:
        assert used <= min(MAX_FONT_SIZE_PT, 0.75 * height) + 0.005 and min(left, right) > -0.006 * length / 1000 - 0.01
