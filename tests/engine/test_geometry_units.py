"""Written lengths become millimetres, millimetres become points."""

import pytest

from ppgen.engine.geometry import Point, Rect, Size, parse_length, parse_shift, parse_size, pdf_box, points


@pytest.mark.parametrize(("text", "mm"), [
    ("63mm", 63), ("63", 63), (" 6.3 cm ", 63), ("2.5in", 63.5), ("2.5IN", 63.5),
    ("72pt", 25.4), ("-1.5", -1.5), ("0", 0),
])
def test_a_length_is_read_in_any_unit(text, mm):
    assert parse_length(text) == pytest.approx(mm, abs=1e-12)


@pytest.mark.parametrize("text", ["", "mm", "63 m", "63px", "1e3", "inf", "nan", "6 3mm", "63mm88", "1,5mm", "--1"])
def test_what_is_no_length_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"is not a length \(write it like 63mm"):
        parse_length(text)


@pytest.mark.parametrize(("text", "size"), [
    ("63x88", (63, 88)), ("63x88mm", (63, 88)), ("63mm x 88mm", (63, 88)), ("63 × 88 mm", (63, 88)),
    ("2.5x3.5in", (63.5, 88.9)), ("2.5in x 88mm", (63.5, 88)), ("6.3X8.8cm", (63, 88)),
])
def test_a_unit_at_the_end_of_a_size_counts_for_both_lengths(text, size):
    found = parse_size(text)
    assert (found.width, found.height) == pytest.approx(size)


@pytest.mark.parametrize("text", ["63", "63x", "x88", "63x88x2", "63*88", "0x88", "63x-1", "axb"])
def test_what_is_no_size_is_refused(text):
    with pytest.raises(ValueError, match="is not a size"):
        parse_size(text)


def test_a_shift_may_point_left_and_up():
    assert parse_shift("0.5,-1.2mm") == Point(0.5, -1.2)
    assert parse_shift("-1, 2") == Point(-1, 2)
    with pytest.raises(ValueError, match="is not a shift"):
        parse_shift("0.5;1")


def test_a4_in_points_is_what_printers_call_a4():
    assert (points(210), points(297)) == pytest.approx((595.276, 841.890), abs=5e-4)


def test_a_pdf_box_counts_from_the_bottom():
    page = Size(25.4 * 4, 25.4 * 10)
    assert pdf_box(Rect(25.4, 25.4, 25.4, 50.8), page) == pytest.approx((72, 7 * 72, 144, 9 * 72))
