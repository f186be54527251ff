"""The places that a face names: where they lie whatever transforms are around them, and what is refused."""

import pytest

from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Seams

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 48 72">'


def checked(body, head=HEAD):
    return check_svg(f"{head}{body}</svg>", "-2 -2 48 72")


@pytest.mark.parametrize(("body", "place"), [
    ('<g data-anchor="a 3 4"/>', (3, 4, 0)),
    ('<rect width="1" height="1" data-anchor="a -2,70"/>', (-2, 70, 0)),
    ('<g transform="translate(10 20) rotate(90)" data-anchor="a 3 4"/>', (6, 23, 90)),
    ('<g transform="translate(10 20)"><g transform="scale(2) translate(1 1)"><g data-anchor="a 3 4"/></g></g>',
     (18, 30, 0)),
    ('<g transform="rotate(-30)"><g data-anchor="a 0 0"/></g>', (0, 0, -30)),
    ('<g transform="matrix(0 1 -1 0 30 5)" data-anchor="a 2 10"/>', (20, 7, 90)),
])
def test_an_anchor_lies_where_its_element_is_drawn(body, place):
    svg, violations = checked(body)
    assert not violations
    anchor = svg.anchors["a"]
    assert (anchor.x, anchor.y, anchor.turn) == pytest.approx(place, abs=1e-9)
    assert "data-anchor" not in svg.text


@pytest.mark.parametrize(("body", "what"), [
    ('<g data-anchor=""/>', "data-anchor '' is not a name and a place"),
    ('<g data-anchor="a 3"/>', "is not a name and a place"),
    ('<g data-anchor="a 3 4 5"/>', "is not a name and a place"),
    ('<g data-anchor="a nan 4"/>', "is not a name and a place"),
    (f'<g data-anchor="{"a" * 101} 3 4"/>', "is not a name and a place"),
    ('<g data-anchor="a 1 1"/><g data-anchor="a 2 2"/>', "anchor 'a' stands twice"),
    ('<g data-anchor="a 47 1"/>', "anchor 'a' lies off the face, at 47 1"),
    ('<g data-anchor="a 1e999 1"/>', "anchor 'a' lies off the face"),
    ('<g transform="scale(0)"><g data-anchor="a 1e999 1"/></g>', "anchor 'a' lies off the face"),
    ('<g transform="translate(50)"><g data-anchor="a 1 1"/></g>', "anchor 'a' lies off the face, at 51 1"),
    ('<g transform="scale(1e999)"><g data-anchor="a 0 0"/></g>', "transform has a number beyond 1,000,000"),
    ('<defs><g data-anchor="a 1 1"/></defs>', "stands in a <defs> and so has no place"),
    ('<symbol id="s"><g data-anchor="a 1 1"/></symbol>', "stands in a <symbol>"),
    ('<pattern id="p"><g data-anchor="a 1 1"/></pattern>', "stands in a <pattern>"),
    ('<svg viewBox="0 0 1 1"><g data-anchor="a 1 1"/></svg>', "stands in a <svg>"),
])
def test_an_anchor_without_one_place_on_the_face_is_refused(body, what):
    svg, violations = checked(body)
    assert svg is None
    (violation,) = violations
    assert what in violation.what


@pytest.mark.parametrize(("stated", "seams"), [
    ("x 20", Seams(x=(20.0,))), ("y 30.5,x 20 , x 5", Seams(x=(5.0, 20.0), y=(30.5,))),
    (" x 5\ny 6 ", Seams((5.0,), (6.0,)))])
def test_a_face_says_where_it_may_be_cut_apart(stated, seams):
    svg, violations = checked("", f'{HEAD[:-1]} data-seam="{stated}">')
    assert not violations
    assert svg.seams == seams
    assert "data-seam" not in svg.text


@pytest.mark.parametrize(("stated", "what"), [
    ("", "is not places of seams"), ("20", "is not places of seams"), ("z 20", "is not places of seams"),
    ("x 20 30", "is not places of seams"), ("x nan", "is not places of seams"), ("x 44", "seam x 44 lies off the face"),
    ("x 5 y 68.5", "seam y 68.5 lies off the face"), ("y -1", "seam y -1 lies off the face"),
    ("x 1e999", "seam x inf lies off the face")])
def test_a_seam_that_cuts_nothing_off_is_refused(stated, what):
    svg, (violation,) = checked("", f'{HEAD[:-1]} data-seam="{stated}">')
    assert svg is None
    assert what in violation.what
