"""A drawing in colours becomes one in lines, or in three inks, whose contours a knife has cut, the same each time."""

import re

import pytest
from lxml import etree

from ppgen.engine.drawing.line_drawing import to_line_drawing
from ppgen.engine.drawing.woodcut import BEND, MIN_LINE, carve, to_woodcut

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


@pytest.mark.parametrize("data", ["M0 0L1 0H20V5.5Z", "m3 3l4 4t5 5 6 2", "M0 0C0 5 5 5 5 0S10 -5 10 0z",
                                  "M0 0Q9 9 20 0M5 5h9"])
def test_without_a_knife_the_ends_of_lines_are_where_they_were(data):
    for first, again in zip(carve(data, 0.0, 1.0), carve(data, 0.2, 1.0), strict=True):
        assert len(first.points) == len(again.points)
        assert all(abs(a - b) <= 0.2 * 2 ** 0.5 for a, b in zip(first.points, again.points, strict=True))
    line = carve("M0 0L1 0H20V5.5", 0.0, 1.0)[0].points
    assert (line[0], line[-1]) == (0, 20 + 5.5j)


def test_colours_become_three_inks_whatever_they_were():
    shapes = "".join(f'<path d="M{x} 0h3v3h-3Z" fill="{fill}" stroke="none"/>' for x, fill in enumerate(
        ("#4E6599", "#B8352E", "#F1E4C6", "url(#gilt)", "#fff", "black", "#C9A860")))
    assert [fill for fill, _ in paints(shapes, paints="#C9A860=#BB2222")] == [
        "#111111", "#BB2222", "#FFFFEE", "#FFFFEE", "#FFFFEE", "#111111", "#BB2222"]


def test_shade_is_black_and_light_on_it_paper():
    wall = '<path d="M0 0h9v9h-9Z" fill="#F1E4C6" stroke="#3B2A1E"/>'
    assert paints(wall + '<path d="M5 0h4v9h-4Z" fill="#CFB98D" fill-opacity="1" stroke="none"/>')[1][0] == "#111111"
    assert paints('<path d="M0 0h9v9h-9Z" fill="#4E6599" stroke="none"/>'
                  '<path d="M5 0h4v9h-4Z" fill="#FBEFD4" fill-opacity="0.9" stroke="none"/>')[1][0] == "#FFFFEE"


def test_a_line_is_cut_out_of_the_black_that_it_runs_over():
    roof = '<g stroke="#3B2A1E"><path d="M0 0h20v20h-20Z" fill="#4E6599"/><path d="M3 5h9M30 5h9" fill="none"/></g>'
    assert paints(roof) == [("#111111", "#FFFFEE"), ("none", "#FFFFEE"), ("none", "#111111")]


def test_a_mark_that_its_stroke_makes_larger_is_of_one_ink():
    dot = '<path d="M3 3h2v2h-2Z" fill="#3B2A1E" stroke="#3B2A1E"/>'
    assert paints(dot) == [("#111111", "#111111")]
    assert paints('<path d="M0 0h20v20h-20Z" fill="#4E6599" stroke="none"/>' + dot)[1] == ("#FFFFEE", "#FFFFEE")


def test_what_is_said_of_strokes_is_not_said_of_areas():
    land = '<path d="M0 0h9v9h-9Z" fill="#FAF293" stroke="#FAF293"/>'
    assert paints(land, paints="stroke:#FAF293=none #FAF293=#BB2222") == [("#BB2222", "none")]


def test_a_contour_moved_into_the_shade_is_black_beneath_light_and_a_rim_of_paper_beneath_black():
    def pair(fill):
        return (f'<path d="{ROUND}" transform="translate(.2 .2)" fill="#3B2A1E" fill-opacity="1" stroke="none"/>'
                f'<path d="{ROUND}" fill="{fill}" stroke="#3B2A1E"/>')
    assert paints(pair("#F1E4C6"))[0] == ("#111111", "none")
    assert paints(pair("#4E6599"))[0] == ("none", "#FFFFEE")
    assert "translate" not in cut(pair("#4E6599"))


def test_lines_are_not_too_fine_and_gradients_go():
    thin = cut('<defs><linearGradient id="a"><stop offset="0" stop-color="#FFF"/></linearGradient></defs>'
               '<g transform="scale(0.1)"><path d="M0 0H90" stroke="#3B2A1E" stroke-width="0.5" fill="none"/></g>')
    assert f'stroke-width="{10 * MIN_LINE:g}"' in thin
    assert "radient" not in thin
    assert "stop" not in thin


def test_marks_in_pure_black_stay_where_and_as_they_are():
    mark = '<path d="M0 0H90" stroke="#000000" stroke-width="0.1" fill="none"/>'
    assert cut(mark) == mark
    assert cut('<g stroke="#000000"><path d="M0 0H90"/></g>') == '<g stroke="#000000"><path d="M0 0H90"/></g>'


def test_what_is_used_elsewhere_keeps_the_paints_that_it_is_given_there():
    drawn = cut('<defs><path id="lily" d="M0 0h9v9Z"/></defs><use href="#lily" fill="#E6B83E"/>')
    assert "fill" not in drawn.split("</defs>")[0]
    assert '<use href="#lily" fill="#FFFFEE"/>' in drawn


def test_clips_and_patterns_are_not_cut():
    pattern = '<pattern id="p" width="9" height="9"><path d="M0 4H9" fill="none" stroke="#B8352E"/></pattern>'
    drawn = cut(f'{pattern}<clipPath id="c"><path d="{ROUND}"/></clipPath><rect width="9" height="9" fill="url(#p)"/>')
    assert 'd="M0 4H9" fill="none" stroke="#BB2222"' in drawn
    assert f'd="{ROUND}"' in drawn
    assert 'fill="url(#p)"' in drawn


def test_what_is_in_a_shape_stays_in_its_first_contour():
    crossed = ('<path d="M1 1L9 9M20 20L30 30" fill="none" stroke="#111111"><title>a &lt; b</title></path>'
               '<rect width="9" height="9" fill="none" stroke="none"><title>c</title></rect>')
    ground = '<rect x="0" y="0" width="10" height="10" fill="#111111" stroke="none"/>'
    drawn = etree.fromstring(f"<g>{cut(ground + crossed)}</g>")
    assert [[inner.text for inner in path] for path in drawn] == [[], ["a < b"], []]


@pytest.mark.parametrize("draw", [cut, lambda drawing: to_line_drawing(drawing=drawing, line="#111111")])
@pytest.mark.parametrize(("drawing", "fault"), [
    ('<g><path d="M0 0h9"/>', "not well-formed"), ("<g>&oops;</g>", "not well-formed"),
    ("<!DOCTYPE a><g/>", "not well-formed"),
    ("<g " + " ".join(f'a{n}="1"' for n in range(61)) + "/>", "more than 60 attributes")])
def test_a_broken_drawing_is_refused(draw, drawing, fault):
    with pytest.raises(ValueError, match=fault):
        draw(drawing)


def test_black_on_black_is_cut_out_of_it_only_where_all_of_it_is():
    wall = '<path d="M0 0h9v9h-9Z" fill="#222222" stroke="none"/>'
    inside, beside = "M2 2h2v2h-2Z", "M20 2h2v2h-2Z"
    assert paints(f'{wall}<path d="{inside}" fill="#333333" stroke="none"/>')[1][0] == INKS["paper"]
    assert paints(f'{wall}<path d="{inside}{beside}" fill="#333333" stroke="none"/>')[1][0] == INKS["black"], \
        "a pattern of a shield, clipped to it, also lies on what is around"


def test_colours_become_white_lines_pale_and_shade_goes():
    house = ('<g stroke="#3B2A1E"><path d="M0 0H9V9Z" transform="translate(1 1)" fill="#3B2A1E" fill-opacity="1"/>'
             '<path d="M0 0H9V9Z" fill="#F1E4C6"/><path d="M0 4H9" stroke="#4E6599" stroke-opacity="1"/>'
             '<path d="M2 2H3V3Z" fill="#3A2C22" stroke="none"/>'
             '<path d="M0 9H9" fill="url(#sea)" stroke="#E6B83E"/></g>')
    assert to_line_drawing(drawing=house, line="#B9AB96") == (
        '<g stroke="#B9AB96"><path d="M0 0H9V9Z" fill="#FFFFFF"/><path d="M2 2H3V3Z" fill="#B9AB96" stroke="none"/>'
        '<path d="M0 9H9" fill="#FFFFFF" stroke="#FFFFFF"/></g>')
