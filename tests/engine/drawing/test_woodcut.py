"""A drawing in colours becomes one in lines, or in three inks, whose contours a knife has cut, the same each time."""

import re

import pytest

from ppgen.engine.drawing.woodcut import BEND, MIN_LINE, carve, to_line_drawing, to_woodcut

INKS = {"black": "#111111", "red": "#BB2222", "paper": "#FFFFEE"}
ROUND = "M10 0A10 10 0 1 1 -10 0A10 10 0 1 1 10 0Z"


def cut(drawing, **more):
    return to_woodcut(drawing=drawing, **INKS, **more)


def paints(drawing, **more):
    """What each shape is painted in, in order: fill and stroke."""
    return [(re.search(r' fill="([^"]*)"', tag)[1], re.search(r' stroke="([^"]*)"', tag)[1])
            for tag in re.findall("<path[^>]*>", cut(drawing, **more))]


def test_a_contour_is_a_few_straight_cuts_that_stay_near_it():
    (ring,) = carve(ROUND, 0.1, 1.0)
    assert 12 <= len(ring.points) <= 60
    assert all(abs(abs(point) - 10) <= 0.1 * 2 ** 0.5 + BEND for point in ring.points)
    assert max(abs(abs(point) - 10) for point in ring.points) > 0.03
    assert re.fullmatch(r"M[-\d. ]+l[-\d. ]+Z", ring.data)


def test_colours_become_three_inks_whatever_they_were():
    shapes = "".join(f'<path d="M{x} 0h3v3h-3Z" fill="{fill}" stroke="none"/>' for x, fill in enumerate(
        ("#4E6599", "#B8352E", "#F1E4C6", "url(#gilt)", "#fff", "black", "#C9A860")))
    assert [fill for fill, _ in paints(shapes, paints="#C9A860=#BB2222")] == [
        "#111111", "#BB2222", "#FFFFEE", "#FFFFEE", "#FFFFEE", "#111111", "#BB2222"]


def test_a_line_is_cut_out_of_the_black_that_it_runs_over():
    roof = '<g stroke="#3B2A1E"><path d="M0 0h20v20h-20Z" fill="#4E6599"/><path d="M3 5h9M30 5h9" fill="none"/></g>'
    assert paints(roof) == [("#111111", "#FFFFEE"), ("none", "#FFFFEE"), ("none", "#111111")]


def test_lines_are_not_too_fine_and_gradients_go():
    thin = cut('<defs><linearGradient id="a"><stop offset="0" stop-color="#FFF"/></linearGradient></defs>'
               '<g transform="scale(0.1)"><path d="M0 0H90" stroke="#3B2A1E" stroke-width="0.5" fill="none"/></g>')
    assert f'stroke-width="{10 * MIN_LINE:g}"' in thin
    assert "radient" not in thin
    assert "stop" not in thin


@pytest.mark.parametrize("draw", [cut, lambda drawing: to_line_drawing(drawing=drawing, line="#111111")])
@pytest.mark.parametrize(("drawing", "fault"), [
    ('<g><path d="M0 0h9"/>', "not well-formed"), ("<g>&oops;</g>", "not well-formed"),
    ("<!DOCTYPE a><g/>", "not well-formed"),
    ("<g " + " ".join(f'a{n}="1"' for n in range(61)) + "/>", "more than 60 attributes")])
def test_a_broken_drawing_is_refused(draw, drawing, fault):
    with pytest.raises(ValueError, match=fault):
        draw(drawing)


def test_colours_become_white_lines_pale_and_shade_goes():
    house = ('<g stroke="#3B2A1E"><path d="M0 0H9V9Z" transform="translate(1 1)" fill="#3B2A1E" fill-opacity="1"/>'
             '<path d="M0 0H9V9Z" fill="#F1E4C6"/><path d="M0 4H9" stroke="#4E6599" stroke-opacity="1"/>'
             '<path d="M2 2H3V3Z" fill="#3A2C22" stroke="none"/>'
             '<path d="M0 9H9" fill="url(#sea)" stroke="#E6B83E"/></g>')
    assert to_line_drawing(drawing=house, line="#B9AB96") == (
        '<g stroke="#B9AB96"><path d="M0 0H9V9Z" fill="#FFFFFF"/><path d="M2 2H3V3Z" fill="#B9AB96" stroke="none"/>'
        '<path d="M0 9H9" fill="#FFFFFF" stroke="#FFFFFF"/></g>')


def test_thin_lines_have_one_width_at_every_scale_and_large_dark_areas_are_outlines():
    """An arm or a mast is a line on a wider one; a small dark area is a window."""
    drawing = ('<g stroke="#3B2A1E" stroke-width="0.3"><g transform="scale(0.5)"><path d="M0 0H2"/>'
               '<path d="M0 0H9" stroke-width="3"/><path d="M0 0H9" stroke="#4A3020" stroke-width="0.9"/></g>'
               '<path d="M0 0H9V9Z" fill="#3A2C22" stroke="none"/><path d="M0 0H1V1Z" fill="#3A2C22"/></g>')
    assert to_line_drawing(drawing=drawing, line="#000000", width=0.12) == (
        '<g stroke="#000000" stroke-width="0.12"><g transform="scale(0.5)" stroke-width="0.24"><path d="M0 0H2"/>'
        '<path d="M0 0H9" stroke-width="3"/><path d="M0 0H9" stroke="#FFFFFF" stroke-width="2.52"/></g>'
        '<path d="M0 0H9V9Z" fill="#FFFFFF" stroke="#000000"/><path d="M0 0H1V1Z" fill="#000000"/></g>')
