"""Colours made of others, and those that readers and grey printers tell apart: the shipped ones are."""

import pytest

from ppgen.engine.colours import DARK, LIGHT, contrast, find_clashes, legible_ink, mix_colours


@pytest.mark.parametrize(("ground", "ink"), [
    ("#FFFFFF", DARK), ("#000000", LIGHT), ("#DDCC77", DARK), ("#338", LIGHT), ("#88CCEE", DARK)])
def test_ink_stands_out_from_its_ground(ground, ink):
    assert legible_ink(ground) == ink


@pytest.mark.parametrize("colour", ["reddish", "Red", "transparent", "#ffff", "#12345G", ""])
def test_what_is_no_colour_is_told_in_plain_words(colour):
    for made in (lambda: legible_ink(colour), lambda: mix_colours("#000000", colour, 0.5)):
        with pytest.raises(ValueError, match=f"^'{colour}' is not a colour like #2E2117$"):
            made()


@pytest.mark.parametrize(("group", "number", "full", "blind", "grey"), [(0, 9, 14, 12, 5), (1, 5, 24, 22, 9)],
                         ids=["countries", "stones"])
def test_shipped_colours_are_told_apart_by_the_colour_blind_and_in_grey(workshop, group, number, full, blind, grey):
    swatches, least = workshop.game.swatches[group], {}
    assert len(swatches) == number
    for pair in find_clashes(swatches, least=99):
        least[pair.vision] = min(least.get(pair.vision, 99), pair.distance)
    assert least.pop("grey") >= grey
    assert least.pop("full colour") >= full
    assert min(least.values()) >= blind


def test_numbers_are_legible_on_the_colours_of_shipped_countries(workshop):
    """WCAG 2.1, 1.4.3: 4.5 for text of any size."""
    colours = [country.colour for country in workshop.game.swatches[0]]
    assert min(contrast(colour, legible_ink(colour)) for colour in colours) >= 4.5
