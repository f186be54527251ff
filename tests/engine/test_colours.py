"""Colours made of others, and those that readers and grey printers tell apart: the shipped ones are."""

import pytest

from ppgen.assets import Assets
from ppgen.engine.colours import DARK, LIGHT, contrast, find_clashes, legible_ink, mix_colours
from ppgen.printing.workshop import Workshop


@pytest.mark.parametrize(("ground", "ink"), [
    ("#FFFFFF", DARK), ("#000000", LIGHT), ("#DDCC77", DARK), ("#332288", LIGHT), ("#88CCEE", DARK)])
def test_ink_stands_out_from_its_ground(ground, ink):
    assert legible_ink(ground) == ink


@pytest.mark.parametrize("colour", ["reddish", "Red", "transparent", "#fff", "#12345G", ""])
def test_what_is_no_colour_is_told_in_plain_words(colour):
    for made in (lambda: legible_ink(colour), lambda: mix_colours("#000000", colour, 0.5)):
        with pytest.raises(ValueError, match=f"^'{colour}' is not a colour like #2E2117$"):
            made()


@pytest.fixture(scope="module")
def swatches():
    return Workshop.open(Assets.at(None, None)).game.swatches


@pytest.fixture(scope="module")
def countries(swatches):
    return swatches[0]


@pytest.mark.parametrize(("group", "number", "full", "blind", "grey"), [(0, 9, 14, 12, 5), (1, 5, 24, 22, 9)],
                         ids=["countries", "stones"])
def test_shipped_colours_are_told_apart_by_the_colour_blind_and_in_grey(swatches, group, number, full, blind, grey):
    assert len(swatches[group]) == number
    near = {(pair.one.name, pair.other.name, pair.vision): pair.distance
            for pair in find_clashes(swatches[group], least=99)}
    least = {vision: min(distance for (*_, seen), distance in near.items() if seen == vision)
             for *_, vision in near}
    assert least.pop("grey") >= grey
    assert least.pop("full colour") >= full
    assert min(least.values()) >= blind


def test_numbers_are_legible_on_the_colours_of_shipped_countries(countries):
    """WCAG 2.1, 1.4.3: 4.5 for text of any size."""
    assert min(contrast(country.colour, legible_ink(country.colour)) for country in countries) >= 4.5
