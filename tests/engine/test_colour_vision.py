"""Colours that readers and grey printers tell apart: what is measured, and that the shipped ones hold it."""

import pytest

from ppgen.assets import Assets
from ppgen.engine.colours import MERGED, Swatch, contrast, find_clashes, legible_ink
from ppgen.production.workshop import Workshop


def pairs(*colours, cues=("a", "b")):
    return list(find_clashes([Swatch(name=colour, colour=colour, cue=cue)
                              for colour, cue in zip(colours, cues, strict=True)]))


@pytest.fixture(scope="module")
def countries():
    return Workshop.open(Assets.at(None, None)).game.swatches[0]


def test_shipped_countries_are_told_apart_by_the_colour_blind_and_in_grey(countries):
    assert len(countries) == 9
    near = {(pair.one.name, pair.other.name, pair.vision): pair.distance for pair in find_clashes(countries, least=99)}
    assert min(distance for (*_, vision), distance in near.items() if vision != "grey") >= 11
    assert min(distance for (*_, vision), distance in near.items() if vision == "grey") >= 5


def test_numbers_are_legible_on_the_colours_of_shipped_countries(countries):
    """WCAG 2.1, 1.4.3: 4.5 for text of any size."""
    assert min(contrast(country.colour, legible_ink(country.colour)) for country in countries) >= 4.5


@pytest.mark.parametrize(("other", "told_apart"), [("#3E8560", True), ("#06742F", False)])
def test_another_cue_makes_up_for_colours_that_are_near_but_not_for_one_colour(other, told_apart):
    near = pairs("#00702D", other)
    assert {pair.is_distinguishable for pair in near} == {told_apart}
    assert not any(pair.is_distinguishable for pair in pairs("#00702D", other, cues=("a", "a")))


def test_colours_of_one_grey_are_not_told_apart():
    (grey,) = [pair for pair in pairs("#117733", "#AA4499") if pair.vision == "grey"]
    assert grey.distance < MERGED
    assert not grey.is_distinguishable
