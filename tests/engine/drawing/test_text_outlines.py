"""Words as outlines: they look as the text did, and there is no text any more."""

import io

import pytest
from PIL import Image, ImageChops

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.lettering import text_to_outlines
from ppgen.engine.drawing.rendering import helpers
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_png

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">'
GROUND = '<rect width="60" height="20" fill="#FFFFFF"/>'


@pytest.fixture(scope="module")
def text(fonts):
    return helpers(fonts)["text"]


@pytest.mark.parametrize("look", [
    {"words": "Affig, Té 12"}, {"words": "FRANKREICH", "spacing": 0.07, "style": "title", "anchor": "middle", "x": 30},
    {"words": "王と枢機卿 KK", "anchor": "end", "x": 55}, {"words": "fi – “VA”", "style": "italic", "fill": "#B8352E"}])
def test_outlines_look_like_the_text(fonts, text, look):
    line = text(**{"x": 5, "y": 14, "width": 55, "size": 9, "style": "text", **look})
    svg = f"{HEAD}{GROUND}<g transform='translate(0 1)'>{line}</g></svg>"
    shapes = text_to_outlines(svg, fonts)
    assert "<text" not in shapes
    assert "tspan" not in shapes
    size = Size(60, 20)
    written, drawn = (Image.open(io.BytesIO(png)).convert("L") for png in faces_png(
        [Face(svg=each, size=size, bleed=0) for each in (svg, shapes)], fonts.folder, 150))
    assert written.getextrema()[0] < 120, "there is something to see"
    assert ImageChops.difference(written, drawn).getextrema()[1] < 60, "but for the smoothing of edges"


def test_a_text_that_moves_in_its_line_stays_text(fonts):
    moving = '<text font-family="EB Garamond" font-size="4" xml:space="preserve">a<tspan dy="2">b</tspan></text>'
    assert text_to_outlines(f"{HEAD}{moving}</svg>", fonts).count("<text") == 1
