"""Colours made of others."""

import pytest

from ppgen.engine.drawing.colours import DARK, LIGHT, ink_on, mixed


def test_a_mixture_lies_between_its_two_colours():
    assert mixed("#000000", "#ffffff", 0) == "#000000"
    assert mixed("#000000", "#ffffff", 1) == "#ffffff"
    assert mixed("#10ff00", "#30ff80", 0.5) == "#20ff40"


@pytest.mark.parametrize(("ground", "ink"), [
    ("#FFFFFF", DARK), ("#000000", LIGHT), ("#DDCC77", DARK), ("#332288", LIGHT), ("#88CCEE", DARK)])
def test_ink_stands_out_from_its_ground(ground, ink):
    assert ink_on(ground) == ink


@pytest.mark.parametrize("colour", ["red", "#fff", "#12345G", ""])
def test_what_is_no_colour_is_told_in_plain_words(colour):
    for made in (lambda: ink_on(colour), lambda: mixed("#000000", colour, 0.5)):
        with pytest.raises(ValueError, match=f"^'{colour}' is not a colour like #2E2117$"):
            made()
