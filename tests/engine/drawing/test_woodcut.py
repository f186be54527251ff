"""A drawing in colours becomes one in lines, or in three inks, whose contours a knife has cut, the same each time."""

import re

import pytest

from ppgen.engine.drawing.woodcut import BEND, carve, to_line_drawing, to_woodcut

INKS = {"black": "#111111", "red": "#BB2222", "paper": "#FFFFEE"}
ROUND = "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0Z"


def cut(drawing, **more):
    return to_woodcut(drawing=drawing, **INKS, **more)


def test_a_contour_is_a_few_straight_cuts_that_stay_near_it():
    (ring,) = carve(ROUND, 0.1, 1.0)
    assert 12 <= len(ring.points) <= 60
    assert all(abs(abs(point) - 10) <= 0.1 * 2 ** 0.5 + BEND for point in ring.points)
    assert max(abs(abs(point) - 10) for point in ring.points) > 0.03
    assert re.fullmatch(r"M[-\d. ]+l[-\d. ]+Z", ring.data)


def test_drawings_become_woodcuts_and_lines_as_they_did(golden_cases):
    def answer(drawing):
        for made in (cut(drawing, paints="#C9A860=#BB2222"), to_line_drawing(drawing=drawing, line="#B9AB96"),
                     to_line_drawing(drawing=drawing, line="#000000", width=0.12)):
            yield made.replace("><", ">\n<")

    golden_cases("woodcut", answer)


@pytest.mark.parametrize("draw", [cut, lambda drawing: to_line_drawing(drawing=drawing, line="#111111")])
@pytest.mark.parametrize(("drawing", "fault"), [
    ('<g><path d="M0 0h9"/>', "not well-formed"), ("<g>&oops;</g>", "not well-formed"),
    ("<!DOCTYPE a><g/>", "not well-formed"),
    ("<g " + " ".join(f'a{n}="1"' for n in range(61)) + "/>", "more than 60 attributes")])
def test_a_broken_drawing_is_refused(draw, drawing, fault):
    with pytest.raises(ValueError, match=fault):
        draw(drawing)
