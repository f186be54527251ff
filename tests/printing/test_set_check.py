"""The single checks: the shipped set has nothing to find, each finds what is spoiled for it. Proofs, too."""

from dataclasses import replace
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Format, Size
from ppgen.printing.workshop import Workshop
from ppgen.review.set_check import SPEC, CheckFindings, check_colour_distances, check_face, report_fine_details

MICRO = Format("micro", Size(31.75, 44.45))


def opened(desk):
    return Workshop.open(Assets.at(desk.data, desk.templates))


def looked_at(workshop, of="law-minus-two", ink="low"):
    """What is too fine on the front of a piece of a set for micro cards."""
    studio, found = replace(workshop.studio(workshop.texts("de"), ink), marked=True), CheckFindings()
    piece = next(piece for part in workshop.parts(workshop.texts("de"), MICRO, SPEC, ()).parts
                 for piece in part.components if piece.id == of)
    check_face(studio.draw(piece.front, 2, of), workshop.templates, of, found)
    report_fine_details(found)
    return found


def test_countries_of_one_grey_are_found_though_code_and_arms_differ(own_desk):
    found = CheckFindings()
    check_colour_distances(opened(own_desk), found)
    assert not found.problems
    own_desk.change("data/card_game/countries.toml", '"#356A35"', '"#117733"')
    own_desk.change("data/card_game/countries.toml", '"#955B88"', '"#AA4499"')
    check_colour_distances(opened(own_desk), found)
    assert {(problem.key, problem.remedy) for problem in found.problems} == {("saxony castile", "choose other colours")}
    assert "in grey" in found.problems[0].what


def test_a_line_of_a_template_is_reported_once_for_the_face_where_it_is_finest():
    found = CheckFindings()
    for subject, width in (("one", 0.08), ("two", 0.05), ("three", 0.07)):
        face = Face(svg=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9" stroke="#000" '
                        f'stroke-width="{width}" data-src="a.svg.j2:7"/></svg>', size=Size(9, 9), bleed=0)
        check_face(face, TemplateSet(()), subject, found)
    report_fine_details(found)
    (problem,) = found.problems
    assert (problem.key, problem.more, problem.others) == ("two", 2, ("one", "three"))
    assert "0.05 mm" in problem.what and not found.warnings


@pytest.mark.slow
def test_a_thin_stroke_is_found_with_the_line_that_draws_it(own_desk):
    assert looked_at(opened(own_desk)) == CheckFindings()
    line = own_desk.change("templates/card_game/law-tablet.svg.j2", "</svg>",
                           '<path d="M1 1H9" stroke="#000" stroke-width="{{ 0.1 * u }}"/></svg>')
    (problem,) = looked_at(opened(own_desk)).problems
    assert (Path(problem.place).name, problem.line) == ("law-tablet.svg.j2", line)
    assert "0.065 mm" in problem.what
