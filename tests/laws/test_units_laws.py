"""Laws of lengths: what is written and read again is the same; points and millimetres don't drift."""

from hypothesis import given
from hypothesis import strategies as st

from ppgen.engine.geometry import MM, Rect, Size, parse_length, parse_shift, parse_size, pdf_box, points

hundredths = st.integers(-100_000, 100_000).map(lambda number: number / 100)
lengths = st.integers(1, 100_000).map(lambda number: number / 100)
units = st.sampled_from(sorted(MM))
spaces = st.sampled_from(["", " "])


def close(found, wanted):
    return abs(found - wanted) < 1e-6


@given(number=hundredths, unit=units, space=spaces)
def test_a_length_comes_back_as_it_was_written(number, unit, space):
    assert close(parse_length(f"{number:.2f}{space}{unit}"), number * MM[unit])


@given(width=lengths, height=lengths, units=st.tuples(units, units), cross=st.sampled_from(["x", "×", " x ", "X"]))
def test_a_size_comes_back_as_it_was_written(width, height, units, cross):
    found = parse_size(f"{width:.2f}{units[0]}{cross}{height:.2f}{units[1]}")
    assert close(found.width, width * MM[units[0] or units[1]])
    assert close(found.height, height * MM[units[1]])


@given(width=lengths, height=lengths)
def test_a_size_that_is_shown_can_be_typed(width, height):
    found = parse_size(str(Size(width, height)).replace(" mm", "mm"))
    assert close(found.width, width)
    assert close(found.height, height)


@given(x=hundredths, y=hundredths)
def test_a_shift_comes_back_as_it_was_written(x, y):
    found = parse_shift(f"{x:.2f},{y:.2f}")
    assert close(found.x, x)
    assert close(found.y, y)


@given(text=st.text(max_size=12))
def test_any_text_is_a_finite_length_or_a_plain_refusal(text):
    try:
        assert abs(parse_length(text)) < float("inf")
    except ValueError as error:
        assert text in str(error)


@given(x=hundredths, y=hundredths, width=lengths, height=lengths, page=st.tuples(lengths, lengths))
def test_a_box_keeps_its_size_and_its_distance_from_the_pages_top(x, y, width, height, page):
    left, bottom, right, top = pdf_box(Rect(x, y, width, height), Size(*page))
    assert close(right - left, points(width))
    assert close(top - bottom, points(height))
    assert close(points(page[1]) - top, points(y))
