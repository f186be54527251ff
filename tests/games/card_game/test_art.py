"""What the drawings must get right, seen on pictures of the cards."""

import io

import pytest
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.typesetting import faces_png
from ppgen.production.check import SPEC
from ppgen.production.workshop import Workshop

ARGENT, AZURE = (0xFB, 0xF6, 0xE9), (0x35, 0x65, 0xA6)
MINI_EURO = Format("mini-euro", Size(44, 68))


@pytest.fixture(scope="module")
def workshop():
    return Workshop.open(Assets.at(None, None))


def picture(workshop, piece):
    """The front of a piece, 10 pixels a millimetre."""
    texts = workshop.texts("de")
    request = next(component.front for part in workshop.parts(texts, MINI_EURO, SPEC, ()).parts
                   for component in part.components if component.id == piece)
    face = workshop.studio(texts, "full").draw(request, 0, piece)
    return Image.open(io.BytesIO(faces_png([face], workshop.fonts.folder, 254)[0])).convert("RGB")


def test_the_arms_of_bavaria_begin_argent_in_dexter_chief(workshop):
    """Dexter chief is the upper left corner as one looks at a shield; 'fusily in bend argent and azure'."""
    card = picture(workshop, "bavaria-1")
    way_in = [card.getpixel((at, at + 146)) for at in range(70, 140)]  # through the corner at 8.7, 23.3 mm
    assert next(colour for colour in way_in if colour in (ARGENT, AZURE)) == ARGENT


@pytest.mark.parametrize("player", range(1, 6))
def test_colour_runs_beyond_the_shape_of_a_stone_but_not_to_its_square(workshop, player):
    """A cut along the shape or the square that is a little off shows no other colour."""
    stone = picture(workshop, f"claim-stone-{player}")
    across = [stone.getpixel((at, 110)) for at in range(220)]
    vellum, colour = across[0], across[25]
    rim = across.index(colour)
    line = next(at for at in range(rim, 110) if across[at] != colour)
    assert rim >= 3, "vellum all around, 0.3 mm at least"
    assert across[:rim - 1] == [vellum] * (rim - 1)
    assert line - rim >= 21, "1.5 mm of bleed and 0.8 mm of rim, less than a pixel at either end"
