"""Colours made of others."""

import pytest

from ppgen.engine.colours import DARK, LIGHT, legible_ink, mix_colours, named_colour


def test_a_mixture_lies_between_its_two_colours():
    assert mix_colours("#000000", "#ffffff", 0) == "#000000"
    assert mix_colours("#000000", "#ffffff", 1) == "#ffffff"
    assert mix_colours("#10ff00", "#30ff80", 0.5) == "#20ff40"


@pytest.mark.parametrize(("ground", "ink"), [
    ("#FFFFFF", DARK), ("#000000", LIGHT), ("#DDCC77", DARK), ("#332288", LIGHT), ("#88CCEE", DARK)])
def test_ink_stands_out_from_its_ground(ground, ink):
    assert legible_ink(ground) == ink


def test_a_colour_may_have_its_name():
    assert named_colour("crimson") == "#dc143c"
    assert mix_colours("white", "teal", 1) == "#008080"


@pytest.mark.parametrize("colour", ["reddish", "Red", "transparent", "#fff", "#12345G", ""])
def test_what_is_no_colour_is_told_in_plain_words(colour):
    for made in (lambda: legible_ink(colour), lambda: mix_colours("#000000", colour, 0.5)):
        with pytest.raises(ValueError, match=f"^'{colour}' is not a colour like #2E2117$"):
            made()
