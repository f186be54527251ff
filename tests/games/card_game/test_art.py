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
def test_the_line_of_a_stone_runs_in_its_colour_08_mm_inside_of_what_is_cut(workshop, player):
    """A cut that is a little off shows no other colour."""
    parts = workshop.game.parts(workshop.texts("de"), workshop.game.card_size, Size(190, 270), None)
    request = {piece.id: piece for part in parts for piece in part.components}[f"claim-stone-{player}"].front
    face = workshop.studio(workshop.texts("de"), "full").draw(request, 2.0, "stone")
    image = Image.open(io.BytesIO(faces_png([face], workshop.fonts.folder, 508)[0])).convert("RGBA")
    left = min(point.x for point in request.shape.outline(request.size).points)
    # A twentieth of a mm in the middle of each pixel, and of the stone's height: there all sides are upright.
    across = [image.getpixel((at, (13 * 20))) for at in range(260)]
    begin, cut = round(left * 20), round((left + 2) * 20)
    assert all(pixel[3] == 0 for pixel in across[:max(begin - 1, 0)])
    colour = across[cut]
    assert across[begin + 1:cut + 15] == [colour] * (cut + 15 - begin - 1)
    assert next(at for at in range(cut, 260) if across[at] != colour) == pytest.approx(cut + 0.8 * 20, abs=1)
