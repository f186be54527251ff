"""The single checks: the shipped set has nothing to find, each finds what is spoiled for it. Proofs, too."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from ppgen.assets import Assets
from ppgen.engine.geometry import Format, Size
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.workshop import Workshop
from ppgen.review.set_check import (SPEC, CheckedFace, CheckFindings, PrintedLanguage, check_colour_distances,
                                    check_contrast, check_fineness, check_low_ink_colours, report_fine_details)

COUNTRIES = "france saxony hungary castile franconia bavaria italy england denmark".split()
MICRO = Format("micro", Size(31.75, 44.45))


def opened(desk):
    return Workshop.open(Assets.at(desk.data, desk.templates))


def printed(workshop, *inks):
    texts = workshop.texts("de")
    return PrintedLanguage(workshop=workshop, texts=texts, parts=parts_on_a4(workshop, texts, MICRO), inks=inks)


def looked_at(workshop, of="law-minus-two", ink="low"):
    """What is too fine on the front of a piece of a set for micro cards."""
    studio, found = replace(workshop.studio(workshop.texts("de"), ink), marked=True), CheckFindings()
    part, piece = next((part, piece) for part in workshop.parts(workshop.texts("de"), MICRO, SPEC, ()).parts
                       for piece in part.components if piece.id == of)
    check_fineness(CheckedFace(templates=workshop.templates, part=part, request=piece.front, ink=ink,
                               face=studio.draw(piece.front, 2, of), subject=of), found)
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


@pytest.mark.slow
def test_a_thin_stroke_is_found_with_the_line_that_draws_it(own_desk):
    assert looked_at(opened(own_desk)) == CheckFindings()
    line = own_desk.change("templates/card_game/law-tablet.svg.j2", "</svg>",
                           '<path d="M1 1H9" stroke="#000" stroke-width="{{ 0.1 * u }}"/></svg>')
    (problem,) = looked_at(opened(own_desk)).problems
    assert (Path(problem.place).name, problem.line) == ("law-tablet.svg.j2", line)
    assert "0.065 mm" in problem.what


@pytest.mark.parametrize("skin", ["", "plain"])
def test_shipped_countries_show_their_colour_in_low_ink_and_what_matters_is_clear_to_all_players(skin):
    found, shipped = CheckFindings(), printed(Workshop.open(Assets.at(None, None), skin))
    check_low_ink_colours(shipped, found)
    check_contrast(shipped, found)
    assert not found.problems


@pytest.mark.slow
def test_a_country_without_its_colour_in_low_ink_is_found_unless_its_card_says_what_else_it_is_known_by(own_desk):
    own_desk.change("templates/card_game/country-card.svg.j2", "set bar = 2 * u", "set bar = 0.3 * u")
    found = CheckFindings()
    check_low_ink_colours(printed(opened(own_desk)), found)
    assert len(found.problems) == 9
    assert all("of the upper third shows the colour #" in problem.what for problem in found.problems)
    own_desk.change("templates/card_game/country-card.svg.j2", '<g data-anchor="number',
                    '{% if card.country == "italy" %}<g data-anchor="cue 9 9"/>{% endif %}<g data-anchor="number')
    found = CheckFindings()
    check_low_ink_colours(printed(opened(own_desk)), found)
    assert {problem.key.split("-")[0][1:] for problem in found.problems} == set(COUNTRIES) - {"italy"}


@pytest.mark.slow
def test_a_number_like_its_ground_is_found_in_the_vision_that_has_it_so(own_desk):
    """Red on a green of the same lightness is clear to most, not to all, and not in grey."""
    own_desk.change("templates/card_game/country-card.svg.j2",
                    "{% set type = sheet.outline if low else ink_on(card.colour) %}",
                    "{% set type = '#C4122F' if card.country == 'saxony' else ink_on(card.colour) %}")
    found = CheckFindings()
    check_contrast(printed(opened(own_desk)), found)
    said = {(problem.key.split()[0][1:], problem.what.split()[0], problem.what.split(" in ")[1].split()[0])
            for problem in found.problems}
    assert {(card, name) for card, name, _ in said} == set(product(("saxony-1", "saxony-7"), ("'number'", "'code'")))
    assert "full" not in {vision for *_, vision in said} and "grey" in {vision for *_, vision in said}
