"""Rectangles on a page."""

import pytest

from ppgen.engine.geometry import Insets, Point, Rect, Scale, Size, bounding_box, clip_to_zero


def test_a_size_lies_in_portrait_whichever_way_it_was_written():
    assert Size(297, 210).portrait == Size(210, 297).portrait == Size(210, 297)
    assert Size(210, 297).turned.turned == Size(210, 297)


def test_a_rectangle_grows_by_each_inset_at_its_own_edge():
    assert Rect(10, 20, 30, 40).grown(Insets(1, 2, 3, 4)) == Rect(6, 19, 36, 44)


def test_touching_rectangles_share_no_area():
    here = Rect(0, 0, 10, 10)
    assert not here.overlaps(Rect(10, 0, 10, 10))
    assert not here.overlaps(Rect(0, 10, 10, 10))
    assert here.overlaps(Rect(9.9, 9.9, 10, 10))


def test_a_rectangle_contains_itself_but_nothing_beyond():
    here = Rect(5, 5, 10, 10)
    assert here.contains(here)
    assert not here.contains(here.shifted(Point(0.1, 0)))
    assert not here.contains(here.shifted(Point(0, -0.1)))


def test_bounds_are_the_smallest_rectangle_around_all():
    assert bounding_box((Rect(10, 10, 5, 5), Rect(0, 12, 5, 30))) == Rect(0, 10, 15, 32)
    with pytest.raises(ValueError):
        bounding_box(())


@pytest.mark.parametrize("length", [-1.0, -1e-9, float("nan"), float("inf")])
def test_no_size_is_nonsense(length):
    for nonsense in (lambda: Size(length, 1), lambda: Size(1, length), lambda: Rect(0, 0, length, 1),
                     lambda: Rect(0, 0, 1, length), lambda: Scale(length, 1), lambda: Scale(1, length)):
        with pytest.raises(ValueError, match=r"no (size|scale)"):
            nonsense()


def test_a_size_may_be_nothing_but_no_scale():
    assert Size(0, 0).portrait == Rect(3, 4, 0, 0).size
    with pytest.raises(ValueError, match="no scale"):
        Scale(0, 1)


def test_no_less_than_nothing_is_left():
    assert (clip_to_zero(-0.5), clip_to_zero(0.5)) == (0, 0.5)
