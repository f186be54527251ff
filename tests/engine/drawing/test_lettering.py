"""Words and a box become SVG text that fits, or that the check can refuse; and outlines that look like it."""

import io
import re

import pytest
from PIL import Image, ImageChops

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.lettering import Lettering, text_to_outlines
from ppgen.engine.drawing.rendering import helpers
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_png

WORDS = "Nimm in diesem Zug Karten verschiedener Länder."


@pytest.fixture
def lettering(fonts):
    return Lettering(fonts=fonts)


def sizes(svg):
    return [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]


def heights(svg):
    return [float(y) for y in re.findall(r'<text x="[-\d.]+" y="([-\d.]+)"', svg)]


def lines(svg):
    return [re.sub(r"<[^>]+>", "", line) for line in re.findall(r"<text.*?</text>", svg)]


def faults(svg, fonts):
    _, found = check_svg(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 72">{svg}</svg>', fonts, "0 0 48 72")
    return [violation.what for violation in found]


def test_a_short_text_keeps_its_size(lettering):
    assert sizes(lettering.text("Ort", x=0, y=0, width=40, size=4, min_size=2)) == [4]


def test_a_longer_text_shrinks_only_as_far_as_it_must(lettering, fonts):
    size = sizes(lettering.text(WORDS, x=0, y=0, width=60, size=4, min_size=2))[0]
    assert 2 < size < 4
    assert fonts.width(WORDS, "text", size) <= 60 < fonts.width(WORDS, "text", size + 0.1)


def test_a_text_that_fits_at_no_size_is_refused_by_the_check(lettering, fonts):
    svg = lettering.text(WORDS, x=0, y=0, width=30, size=4, min_size=3)
    over = fonts.width(WORDS, "text", 3) - 30
    assert sizes(svg) == [3]
    assert [f"is {over:.1f} mm too wide for its box" in fault for fault in faults(svg, fonts)] == [True]


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("spacing", [0, 0.1])
def test_what_was_made_to_fit_passes_the_check(lettering, fonts, anchor, spacing):
    svg = lettering.text(WORDS, x=0, y=9, width=60, size=5, min_size=1, anchor=anchor, spacing=spacing)
    assert faults(svg, fonts) == []


def test_a_paragraph_breaks_at_spaces_and_loses_no_word(lettering, fonts):
    svg = lettering.paragraph(WORDS, x=0, y=0, width=24, height=40, size=4)
    assert len(lines(svg)) > 2
    assert " ".join(lines(svg)) == WORDS
    assert all(fonts.width(line, "text", 4) <= 24 for line in lines(svg))
    assert faults(svg, fonts) == []


def test_a_paragraph_keeps_the_line_feeds_of_its_author(lettering):
    assert lines(lettering.paragraph("eins\nzwei drei", x=0, y=0, width=40, height=40, size=4)) == ["eins", "zwei drei"]


def test_a_paragraph_stands_inside_its_box(lettering):
    for valign in ("top", "middle", "bottom"):
        svg = lettering.paragraph(WORDS, x=0, y=10, width=20, height=30, size=4, valign=valign)
        assert all(10 < y < 40 for y in heights(svg)), valign
    tops = [heights(lettering.paragraph("kurz", x=0, y=10, width=20, height=30, size=4, valign=valign))[0]
            for valign in ("top", "middle", "bottom")]
    assert tops == sorted(tops)
    assert len(set(tops)) == 3


def test_a_paragraph_that_is_too_high_is_refused_with_whole_words(lettering, fonts):
    found = faults(lettering.paragraph(WORDS, x=0, y=0, width=20, height=8, size=4, min_size=3.5), fonts)
    assert [fault for fault in found if "mm too high for its box" in fault]
    assert "Nimm in diesem Zug" in found[0]


def test_french_colons_and_guillemets_stay_with_their_words(lettering, fonts):
    words = "Ensuite : autant que la place d’avant « en a »."
    for width in range(14, 60):
        found = lines(lettering.paragraph(words, x=0, y=0, width=width, height=99, size=3))
        assert " ".join(found) == words
        assert not [line for line in found if line[0] in ":»" or line[-1] == "«"], width


def test_japanese_breaks_between_characters_but_not_before_a_full_stop(lettering):
    svg = lettering.paragraph("国国国。国国国。", x=0, y=0, width=10, height=99, size=3)
    assert len(lines(svg)) > 1
    assert not any(line.startswith("。") for line in lines(svg))


def test_words_never_become_markup(lettering, fonts):
    svg = lettering.text('<rect/> & "x"', x=0, y=0, width=90, size=3)
    assert "<rect" not in svg
    assert faults(svg, fonts) == []


def printed_bounds(svg, fonts):
    """Where the ink of some SVG begins and ends across, in mm, on a picture of 60 x 20 mm."""
    face = Face(svg=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">{svg}</svg>', size=Size(60, 20),
                bleed=0)
    with Image.open(io.BytesIO(faces_png([face], fonts.folder, 254)[0])) as picture:
        left, _, right, _ = picture.getchannel("A").getbbox()
    return left / 10, right / 10


@pytest.mark.parametrize("words", ["H", "HOCH"])
@pytest.mark.parametrize(("anchor", "of_right"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_letter_spacing_leaves_words_at_their_anchor(lettering, fonts, words, anchor, of_right):
    plain, spaced = (printed_bounds(lettering.text(words, x=30, y=15, width=28, size=3, anchor=anchor,
                                                   spacing=spacing), fonts) for spacing in (0, 0.3))
    place, still = (left * (1 - of_right) + right * of_right for left, right in (plain, spaced))
    assert still == pytest.approx(place, abs=0.11)


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
