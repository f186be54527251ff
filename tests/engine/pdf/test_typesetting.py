"""Words lie on their drawings as if they were one; what has not changed is not set anew."""

import io
import os
import subprocess
import sys
from ctypes import byref, c_double
from itertools import count

import pypdfium2
import pytest
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._f_v_a_r import Axis
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from PIL import Image, ImageChops
from pypdfium2 import raw as pdfium

from ppgen.cache import open_cache
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.sheets import DocumentInfo
from ppgen.engine.pdf import typesetting
from ppgen.engine.pdf.assembly import CardPage, card_pages
from ppgen.engine.pdf.typesetting import DRAWING_BATCH_SIZE, LARGE_DRAWING, faces_pdf, layers_pdf
from ppgen.engine.pictures.face_pictures import page_png
from ppgen.shipped import shipped_root

ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 44 64">'
WORDS = '<text x="3" y="{}" font-size="9" fill="#FFF" font-family="Cinzel" font-weight="700">{}</text>'
INFO = DocumentInfo(title="", author="", subject="", lang="en", creator="", bookmarks=(), page_labels=())


def drawing(n: int) -> str:
    lines = "".join(f'<path d="M{x % 40} {(x * 7 + n) % 60}L{x % 17} {x % 53}" stroke="#963"/>'
                    for x in range(LARGE_DRAWING // 30))
    return f'<rect x="-2" y="-2" width="44" height="64" fill="#24{n % 10}"/>{lines}'


def face(inner: str) -> Face:
    return Face(svg=f"{ROOT}{inner}</svg>", size=Size(40, 60), bleed=2)


def card(n: int, word: str = "Rome") -> Face:
    return face(drawing(n) + WORDS.format(20, word) + "\n " + WORDS.format(50, n))


def lettered(fonts, **more) -> str:
    given = {"x": 4, "y": 30, "width": 99, "size": 3, "fill": "#24507a", **more}
    return Lettering(fonts=fonts).text(given.pop("words", "To AVA, 3 “fish” & V."), **given)


def both_ways(one: Face, fonts, monkeypatch) -> tuple[bytes, bytes]:
    """The face with the texts that typst sets itself, and as its renderer of SVG draws them."""
    ((_, own),) = faces_pdf([one], fonts)
    assert [part for part in typesetting._split_texts(one, fonts) if not isinstance(part, str)]
    monkeypatch.setattr(typesetting, "_split_texts", lambda face, fonts: [face.svg])
    ((_, drawn),) = faces_pdf([one], fonts)
    return own, drawn


def letters_on(document: bytes) -> list[tuple[str, float, float]]:
    """Each letter of the first page with its origin in points."""
    with pypdfium2.PdfDocument(document) as pdf:
        words, letters = pdf[0].get_textpage(), []
        for at, letter in enumerate(words.get_text_range()):
            x, y = c_double(), c_double()
            pdfium.FPDFText_GetCharOrigin(words, at, byref(x), byref(y))
            letters += [(letter, x.value, y.value)] * (not letter.isspace())
        return sorted(letters, key=lambda each: (each[0], each[1] * 0.7 + each[2]))


def looks_alike(one: bytes, other: bytes) -> bool:
    """Nothing is elsewhere, but for pixels at the edge of a letter."""
    first, second = (Image.open(io.BytesIO(page_png(pdf, 0, 150))).convert("L") for pdf in (one, other))
    return sum(ImageChops.difference(first, second).histogram()[100:]) < 20


def set_of(*faces: Face) -> list[Face]:
    """These and so many others that drawings have pages of their own."""
    return [*faces, *(card(100 + n) for n in range(DRAWING_BATCH_SIZE))]


def test_words_lie_on_their_drawing_as_if_both_were_one(fonts):
    faces = set_of(card(0), face(drawing(1)))
    parted, whole = (card_pages([CardPage(face=one) for one in faces], pages(faces, fonts), INFO)
                     for pages in (layers_pdf, faces_pdf))
    for number in (0, 1, DRAWING_BATCH_SIZE):
        first, second = (Image.open(io.BytesIO(page_png(pdf, number, 200))).convert("RGB") for pdf in (parted, whole))
        assert not ImageChops.difference(first, second).getbbox()
        assert len(first.getcolors(1_000_000)) > 2


@pytest.mark.parametrize("inner", [
    drawing(0) + WORDS.format(20, "below") + "<rect width='9' height='9'/>",
    drawing(0) + f"<g>{WORDS.format(20, 'in a group')}</g>",
    drawing(0) + f"<g>{WORDS.format(20, 'in a group')}</g>" + WORDS.format(50, "and not"),
    drawing(0) + WORDS.format(20, "its own").replace("<text ", '<text id="name" '),
    drawing(0) + WORDS.format(20, "gilt").replace("#FFF", "url(#gilt)"),
    "<rect width='9' height='9'/>" + WORDS.format(20, "little to draw"),
])
def test_what_belongs_together_stays_together(fonts, inner):
    one = face(inner)
    assert sum(one in batch for batch, _ in layers_pdf(set_of(one), fonts)) == 1


@pytest.mark.parametrize("look", [
    {}, {"anchor": "middle", "x": 20}, {"anchor": "end", "x": 38}, {"spacing": 0.2, "words": "To AVA"},
    {"style": "title", "fill": "#777"}, {"words": "  two  spaces "}, {"words": "Ёж, Ίκαρος, 1ᵉʳ : ½ × 3 → ∞"},
    {"words": "wider than the page, " * 2}, {"size": 0.4},
    {"anchor": "middle", "x": 20, "spacing": 0.3, "words": "AVA, V."},
])
@pytest.mark.parametrize("around", [
    "{}", "<g>{}</g>", '<g transform="rotate(180 20 30)">{}</g>', '<g transform="translate(30 9) rotate(90)">{}</g>',
    '<g transform="scale(1.5)"><g><g transform="translate(-3 -8) rotate(-7.5)">{}</g></g></g>',
    '<g transform="matrix(.5 .5 -.5 .5 20 10)">{}</g>',
])
def test_typst_sets_texts_where_its_renderer_draws_them(fonts, monkeypatch, look, around):
    own, drawn = both_ways(face(around.format(lettered(fonts, **look))), fonts, monkeypatch)
    letters = [letters_on(pdf) for pdf in (own, drawn)]
    assert len(letters[0]) == len(letters[1]) > 4
    for (character, *place), (other, *where) in zip(*letters, strict=True):
        assert character == other
        assert place == pytest.approx(where, abs=0.1)  # pt
    assert looks_alike(own, drawn)


def test_spaced_letters_are_no_ligature(fonts):
    ((_, own),) = faces_pdf([face(lettered(fonts, words="ffi", spacing=0.2))], fonts)
    assert len({x for _, x, _ in letters_on(own)}) == 3


def test_a_variable_font_is_set_as_it_was_measured(fonts, tmp_path):
    font = TTFont(fonts.folder / "EBGaramond-Regular.ttf")
    for record in font["name"].names:
        if record.nameID in (1, 16):
            record.string = "Wobble"
    font["OS/2"].usWeightClass = 340
    font["fvar"], font["gvar"] = newTable("fvar"), newTable("gvar")
    font["fvar"].axes, font["fvar"].instances = [], []
    for tag, *values in (("wght", 100, 340, 900), ("opsz", 6, 12, 72)):
        axis = Axis()
        axis.axisTag, (axis.minValue, axis.defaultValue, axis.maxValue) = tag, values
        axis.axisNameID, axis.flags = font["name"].addName(tag), 0
        font["fvar"].axes.append(axis)
    wide = [(0, 0), (400, 0), (0, 0), (0, 0)]
    font["gvar"].version, font["gvar"].reserved, font["gvar"].variations = 1, 0, {
        name: [TupleVariation({tag: support}, [(0, 0)] * count_points(font["glyf"], name) + wide)
               for tag in ("wght", "opsz") for support in ((-1, -1, 0), (0, 1, 1))] for name in font.getGlyphOrder()}
    font.save(tmp_path / "Wobble.ttf")
    book = read_fonts(tmp_path, has_house=True)
    ((_, own),) = faces_pdf([face(lettered(book, words="nun", style="Wobble", size=9))], book)
    first, _, last = sorted(x for _, x, _ in letters_on(own))
    assert last - first == pytest.approx(book.width("nu", "Wobble", 9) * 72 / 25.4, abs=0.1)


def count_points(glyphs, name: str) -> int:
    glyph = glyphs[name]
    return len(glyph.components) if glyph.isComposite() else len(glyph.getCoordinates(glyphs)[0])


FIELD = '<rect y="28" width="9" height="20" fill="{}"/>'
CLIP = '<clipPath id="c"><path d="M0 0H9V60"/></clipPath>'
DOTS = ('<pattern id="p" width="2" height="2" patternUnits="userSpaceOnUse"><rect width="1" height="1" '
        'fill="url(#a)"/></pattern>')
GREEN = '<linearGradient id="a"><stop stop-color="#0f0"/></linearGradient>'


@pytest.mark.parametrize("around", [
    f"{{0}}{FIELD.format('#fc0')}{{1}}",
    f"<g>{FIELD.format('#fc0')}{{0}}</g>{{1}}<path d='M0 0H40V45'/>",
    f'<defs>{GREEN}<g id="b">{FIELD.format("url(#a)")}</g></defs>{{0}}<use href="#b" x="9"/>{{1}}<use href="#b"/>',
    f'{CLIP}{{0}}<g clip-path="url(#c)">{{1}}{FIELD.format("#fc0")}</g>',
    f'<g transform="translate(1 1)"><defs>{DOTS}{GREEN}</defs>{{0}}{FIELD.format("url(#p)")}</g>{{1}}',
    f'{{0}}<g fill="#f00">{DOTS}{GREEN}{{1}}{FIELD.format("url(#p)")}</g>',
])
def test_what_is_drawn_after_a_text_covers_it(fonts, monkeypatch, around):
    one = face(around.format(lettered(fonts), lettered(fonts, y=44, anchor="middle", x=12)))
    assert looks_alike(*both_ways(one, fonts, monkeypatch))


@pytest.mark.parametrize("look", [
    {"words": "「王」と"}, {"fill": "#0008"}, {"fill": "url(#a)"}, {"words": "שלום"}, {"words": "n\u0303"},
])
def test_texts_that_typst_would_set_otherwise_are_left_to_its_renderer(fonts, look):
    one = face(GREEN + lettered(fonts, **look))
    assert [one.svg] == typesetting._split_texts(one, fonts)


@pytest.mark.parametrize("around", ["scale(0)", "scale(1 -1)", "skewX(9)", "scale(2 1)"])
def test_texts_that_are_stretched_are_left_to_the_renderer(fonts, around):
    one = face(f'<g transform="{around}">{lettered(fonts)}</g>')
    assert [one.svg] == typesetting._split_texts(one, fonts)


@pytest.mark.parametrize("around", [
    '<rect id="drawn" y="28" width="9" height="2"/>{0}<use href="#drawn" y="12"/>{1}',
    f'<g fill="#f00">{CLIP}{{0}}</g>{{1}}<rect width="40" height="40" clip-path="url(#c)"/>',
    f'<defs><g id="long">{"<path/>" * 9_999}</g></defs>' + '<use href="#long"/>{0}{1}' * 9,
])
def test_a_face_whose_pieces_would_repeat_much_stays_whole(fonts, around):
    one = face(around.format(lettered(fonts), lettered(fonts, y=44)))
    assert [one.svg] == typesetting._split_texts(one, fonts)


def test_only_the_effects_of_a_text_are_left_to_the_renderer(fonts, monkeypatch):
    one = face(lettered(fonts, outline="#fc0 0.4", shadow="#0006 0.3 0.3", bend=3))
    assert "#24507a" not in typesetting._split_texts(one, fonts)[0]
    assert looks_alike(*both_ways(one, fonts, monkeypatch))


@pytest.mark.parametrize(("changed", "set_anew"), [
    (card(0, "Roma"), 1),
    (face(drawing(1) + WORDS.format(9, "Rome")), 2),
])
def test_other_words_leave_drawings_alone_and_a_changed_drawing_most(fonts, monkeypatch, tmp_path, changed, set_anew):
    calls, compiled = count(), typesetting._compile
    monkeypatch.setattr(typesetting, "_compile", lambda *given, **more: (next(calls), compiled(*given, **more))[1])
    with open_cache(tmp_path / "cache"):
        assert len([*layers_pdf(set_of(card(0)), fonts)]) == 3
        before = next(calls)
        assert len([*layers_pdf(set_of(changed), fonts)]) == 3
        assert next(calls) - before - 1 == set_anew


STRANGERS = """
from math import inf
from ppgen.engine.pdf.typesetting import faces_pdf, faces_png
from ppgen.errors import InputError
from ppgen.process import supervision
from ppgen.engine.drawing.fonts import house_fonts
from tests.engine.pdf.test_typesetting import card, drawing, face

fonts = house_fonts()
supervision.limit_run(1, print)
pages = list(faces_pdf([card(1)], fonts))
supervision.MAX_CPU_S = 0.1
supervision._forget_child()
try:
    faces_png([face('<g opacity="0.5">' * 50 + drawing(1) + "</g>" * 50)] * 50, fonts.folder, 1200)
except InputError as error:
    print(*error.problems)
supervision._most_s = inf
print(pages == list(faces_pdf([card(1)], fonts)))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs timers")
def test_pages_of_strangers_are_set_in_the_child_in_bounds_with_the_same_bytes():
    """In a process of its own: typst has threads, and what was forked after it would wait for them.

    They take over twenty times their bound of processor time, whatever else the machine does.
    """
    done = subprocess.run([sys.executable, "-c", STRANGERS], capture_output=True, text=True, cwd=shipped_root())
    assert [line.partition(" than Cinzel")[0] for line in done.stdout.splitlines()] == [
        "PDF: takes more than 0.4 s to set (draw less on a face, or take other fonts", "True"], done.stderr
