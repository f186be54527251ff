"""Pieces with a shape, from ``deck.toml`` to the sheet: what is cut is what is drawn, and the guide tells how."""

import re

import pypdfium2
import pytest
from PIL import Image, ImageDraw

from tests.games.own_deck.decks import lay_out

DECK = """\
title = "S"
[boots]
table = "boots.csv"
front = "plain.svg.j2"
back = "plain.svg.j2"
size = "40x40mm"
shape = "path"
path = "M2 2H20V22Q38 22 38 38H2Z"
[figures]
table = "figures.csv"
front = "plain.svg.j2"
size = "20x32mm"
shape = "standee"
"""
PLAIN = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">
  <rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" height="{{ face.all.height }}"
    fill="#3355AA"/>
</svg>
"""
SCALE = 6
"""Pixels a mm."""


@pytest.fixture
def shapes(desk):
    lay_out(desk.folder, {"deck.toml": DECK, "boots.csv": "id,copies\nboot,3\n", "figures.csv": "id,copies\nmonk,2\n",
                          "plain.svg.j2": PLAIN})
    return desk


def shown(file, page=0):
    with pypdfium2.PdfDocument(file) as pdf:
        return pdf[page].render(scale=SCALE * 25.4 / 72).to_pil().convert("RGB")


@pytest.mark.slow
def test_what_is_cut_out_is_what_is_drawn(shapes):
    """Without bleed and marks, the colour on the sheet ends where the knife goes: fronts, and backs seen through."""
    words = ("--only", "boots", "--bleed", "0", "--marks", "none")
    (entry,) = shapes.built(*words)["files"]
    shapes.run("export", "cut", *words, "--format", "svg")
    (drawing,) = (shapes.folder / "output" / "en").glob("cut-*.svg")
    layer = re.search(r'<g [^>]*id="cut".*?</g>', drawing.read_text(), re.S)[0]
    front, back = (shown(shapes.folder / entry["path"], page) for page in (0, 1))
    cut = Image.new("1", front.size)
    for way in re.findall(r' d="M([^"]*)Z"', layer):
        ImageDraw.Draw(cut).polygon([tuple(float(number) * SCALE for number in pair.split())
                                     for pair in way.split("L")], fill=1)
    upright = front.height > front.width  # turned over at its long edge
    behind = cut.transpose(Image.Transpose.FLIP_LEFT_RIGHT if upright else Image.Transpose.FLIP_TOP_BOTTOM)
    for side, wanted in ((front, cut), (back, behind)):
        drawn = side.getchannel("R").point(lambda value: 255 if value < 150 else 0).convert("1")
        strip = (0, 0, side.width, side.height - 30 * SCALE)  # the scale bar is at the foot
        one, other = (each.crop(strip).convert("L").tobytes() for each in (drawn, wanted))
        # Backs bleed a little further: they cover what is cut.
        off = sum(bool(b) and not a if side is back else bool(a) != bool(b) for a, b in zip(one, other, strict=True))
        assert off < 3 * 160 * SCALE  # less than a pixel along the outlines of three boots
