"""Texts of drawings print as drawn: each construction beside its rendering by Chromium; all that is lost is told."""

import io
import re
import subprocess
from base64 import b64encode

import pytest
from PIL import Image, ImageChops, ImageFilter

from ppgen.engine.pictures.face_pictures import at_dpi, take_pictures
from ppgen.errors import InputError
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out
from tests.games.own_deck.test_drawings import HEADS, adopt, draw, draw_all
from tests.node import browser

FONTS = shipped_root() / "data" / "fonts"
FACES = {"EBGaramond-Regular": "normal 400", "EBGaramond-Bold": "normal 700", "EBGaramond-Italic": "italic 400"}
DPI, BLEED = 254, 20
"""Ten pixels are a millimetre."""
FAR, TOLERANCE = 5, 0.04
"""Width of a square in pixels that ink may move in, and the share of ink that may lie beyond."""
ROLE = 'sodipodi:role="line"'
FRAME = '<rect id="frame" x="6" y="2" width="50" height="60" fill="none"/>'
FRAMED = "line-height:1.25;white-space:pre;shape-inside:url(#frame)"

AS_DRAWN = {
    "a bold, red, larger span": (
        '<text x="6" y="14"><tspan style="font-weight:bold;fill:#c00000;font-size:7px">Attack</tspan> then rest</text>',
        'dict(words=" then rest", size=5.000, style="EB Garamond"'),
    "a line with a look of its own": (
        f'<text x="6" y="14"><tspan {ROLE} x="6" y="10">Draw <tspan font-weight="bold">two</tspan> cards</tspan>'
        f'<tspan {ROLE} x="6" y="16" style="font-style:italic;fill:#008000">Then smile.</tspan></text>',
        'rich("Then smile.", x=-0.000, y=0.000, width=54.500, align="left", size=5.000, min_size=3.000, '
        r'style="EB Garamond/italic", fill="\x23008000"'),
    "a frame with breaks and empty lines": (
        f'{FRAME}<text style="{FRAMED}"><tspan x="6" y="15"><tspan style="font-weight:bold;fill:#c00000">Steps\n'
        '</tspan></tspan><tspan x="6" y="21.25">First do \n</tspan><tspan x="6" y="27.5">\n</tspan>'
        '<tspan x="6" y="33.75">Then that.</tspan></text>',
        r'["Steps", "\n", dict(words="First do ", style="EB Garamond", fill="\x23000000"), "\n", "\n", dict('),
    "a frame with lines of several sizes": (
        f'{FRAME}<text style="{FRAMED}"><tspan x="6" y="11"><tspan style="font-size:8px">Head\n</tspan></tspan>'
        '<tspan x="6" y="18.075">body\n</tspan><tspan x="6" y="27.25"><tspan style="font-size:8px">Head</tspan></tspan>'
        "</text>", "size=5.000"),
    "a frame whose breaks are only places": (
        f'{FRAME}<text style="{FRAMED}"><tspan x="6" y="15">Do</tspan><tspan x="6" y="21.25"> </tspan>'
        '<tspan x="6" y="27.5">Do not</tspan></text>', r'["Do", "\n", "\n", "Do not"]'),
    "a frame in the middle": (
        f'{FRAME}<text style="{FRAMED};text-align:center;text-anchor:middle"><tspan x="31" y="8">The <tspan '
        'style="font-weight:bold">quick</tspan> brown</tspan><tspan x="31" y="14.25">fox <tspan fill="#c00000">jumps'
        '</tspan> over the dog</tspan></text>', 'align="center"'),
    "raised and lowered letters": (
        '<text x="6" y="14">E = mc<tspan dy="-2" font-size="3">2</tspan><tspan dy="2"> H</tspan><tspan '
        'style="baseline-shift:-1px;font-size:3px">2</tspan>O</text>', "dict(words=\"2\", size=3.000, rise=2.000)"),
    "underline and strike": (
        '<text x="6" y="14" style="text-decoration-thickness:from-font;text-underline-position:from-font">'
        '<tspan style="text-decoration:underline">Under <tspan fill="#c00000">red</tspan></tspan> '
        '<tspan style="text-decoration-line:line-through">gone</tspan></text>', 'dict(words="gone", lines="strike")'),
    "capitals": (
        '<text x="6" y="14" style="text-transform:uppercase">loud <tspan style="text-transform:none">and</tspan> '
        '<tspan style="text-transform:capitalize">large words</tspan></text>',
        'dict(words="large words", capitals="first")'),
    "spaced letters": (
        '<text x="6" y="14">In <tspan style="letter-spacing:0.1em">wide</tspan> <tspan style="letter-spacing:-0.2px">'
        'narrow</tspan></text>', 'dict(words="wide", spacing=0.1000)'),
    "mixed lines to the right": (
        f'<text x="56" y="14" style="text-anchor:end"><tspan {ROLE} x="56" y="14">Cost <tspan font-weight="bold" '
        f'font-size="8">12</tspan></tspan><tspan {ROLE} x="56" y="22"><tspan fill="#c00000">Rare</tspan> ore</tspan>'
        "</text>", 'align="right", size=5.000'),
    "mixed lines in the middle": (
        '<text x="32" y="14" style="text-anchor:middle"><tspan x="32" y="14">Gain <tspan font-style="italic">much'
        '</tspan></tspan><tspan x="32" y="22" font-size="3">or <tspan font-size="6">more</tspan></tspan></text>',
        'align="center", size=3.000'),
    "a column in a bold span": (
        '<text x="6" y="14">The <tspan font-weight="bold" fill="#c00000">{name} {cost}</tspan> wins</text>',
        'dict(words=card.name ~ " " ~ '),
    "words apart on a line": ('<text x="6" y="14">Cost<tspan x="50">3</tspan></text>', "translate(50.000 14.000)"),
    "stretched letters": ('<text transform="scale(0.8,1.25)" x="8" y="12">Narrow</text>', "matrix(0.8 0 0 1.25"),
    "slanted letters": ('<text transform="skewX(-20)" x="12" y="14">Slanted</text>', "matrix(1 0 -0.36397"),
    "translucent letters": ('<text x="6" y="14" fill="#c00000" fill-opacity="0.7">Pale <tspan fill="rgba(0,0,255,0.7)">'
                            "blue</tspan></text>", r'fill="\x23c00000b2"'),
    "fonts in one word": (
        '''<text x="6" y="14"><tspan style="font:italic 6px 'EB Garamond'">A <tspan style="font:8px EB Garamond">B'''
        '</tspan></tspan></text>', 'dict(words="B", size=8.000, style="EB Garamond")'),
    "spaces that are kept": ('<text x="6" y="14" xml:space="preserve">a   b</text>', '"a   b"'),
    "letters with a line on their edge": (
        '<text x="6" y="14" style="font-size:9px;fill:#ffff00;stroke:#0000c0;stroke-width:0.5">Line</text>',
        r'contour="\x230000c0 0.500"'),
    "letters with a line behind them": (
        '<text x="6" y="14" style="font-size:9px;fill:#ffff00;stroke:#0000c0;stroke-width:0.5;stroke-linejoin:round;'
        'paint-order:stroke fill">Line</text>', r'outline="\x230000c0 0.250"'),
    "hollow letters": ('<text x="6" y="14" style="font-size:9px;fill:none;stroke:#0000c0;stroke-width:0.3">Line</text>',
                       'fill="none", contour='),
    "hidden words": ('<text x="6" y="14">See <tspan visibility="hidden">no</tspan> more</text>', 'fill="none"'),
}
"""Texts in EB Garamond of 5 mm, and what their templates have."""


def whole(body: str) -> str:
    body = body.replace("<text ", "<text font-family=\"'EB Garamond'\" font-size=\"5\" ")
    return f"{HEADS['inkscape']}{body.replace(chr(10), '&#10;')}</svg>"


@pytest.mark.parametrize("name", AS_DRAWN)
def test_texts_keep_the_looks_of_their_words(tmp_path, name):
    body, wanted = AS_DRAWN[name]
    adopted = adopt(tmp_path, whole(body))
    assert wanted in adopted.template
    assert not adopted.notes


@pytest.fixture(scope="module")
def drawn_by_chromium(tmp_path_factory, real_browser):
    """The texts as pictures."""
    folder = tmp_path_factory.mktemp("chromium")
    faces = "".join(f"@font-face {{ font-family: 'EB Garamond'; font-style: {look.split()[0]}; font-weight: "
                    f"{look.split()[1]}; src: url(data:font/ttf;base64,"
                    f"{b64encode((FONTS / f'{file}.ttf').read_bytes()).decode()}) }}" for file, look in FACES.items())
    drawings = "".join(whole(body).replace('width="63.5mm" height="88.9mm"', 'width="635" height="300"').replace(
        'viewBox="0 0 63.5 88.9"', 'viewBox="0 0 63.5 30"') for body, _ in AS_DRAWN.values())
    drawings = drawings.replace("{name}", "Goblin").replace("{cost}", "3")
    (folder / "page.html").write_text(f"<style>{faces} body {{ margin: 0 }} svg {{ display: block }}</style>{drawings}",
                                      encoding="utf-8")
    shot = folder / "page.png"
    subprocess.run([browser("shell"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={folder}", f"--window-size=635,{300 * len(AS_DRAWN)}", f"--screenshot={shot}",
                    (folder / "page.html").as_uri()], check=True, timeout=300, capture_output=True)
    with Image.open(shot) as page:
        page = page.convert("RGB")
    return {name: page.crop((0, 300 * n, 635, 300 * (n + 1))) for n, name in enumerate(AS_DRAWN)}


def find_stray_ink(picture: Image.Image, other: Image.Image) -> float:
    """The share of a picture's ink that is far from any of the other, in the worst of three colours."""
    worst = 0.0
    for ours, theirs in zip(picture.split(), other.split(), strict=True):
        ink = ours.point(lambda level: 255 * (level < 140))
        left, top, right, bottom = ink.getbbox() or (0, 0, 1, 1)
        box = left - FAR, top - FAR, right + FAR, bottom + FAR  # the filter takes long
        near = theirs.point(lambda level: 255 * (level < 200)).crop(box).filter(ImageFilter.MaxFilter(FAR))
        stray = ImageChops.subtract(ink.crop(box), near).histogram()[255]
        worst = max(worst, stray / max(ink.histogram()[255], 200))
    return worst


@pytest.fixture(scope="module")
def drawn_here(tmp_path_factory):
    """The same as ppgen draws them."""
    drawings = [whole(body).replace("88.9", "30") for body, _ in AS_DRAWN.values()]
    faces = draw_all(tmp_path_factory.mktemp("drawn"), drawings, size="63.5mm x 30mm")
    pictures = {}
    for name, content in zip(AS_DRAWN, take_pictures([at_dpi(face, DPI) for face in faces], FONTS), strict=True):
        with Image.open(io.BytesIO(content)) as picture:
            paper = Image.new("RGBA", picture.size, "white")
            pictures[name] = Image.alpha_composite(paper, picture.convert("RGBA")).convert("RGB").crop(
                (BLEED, BLEED, BLEED + 635, BLEED + 300))
    return pictures


@pytest.mark.parametrize("name", AS_DRAWN)
def test_texts_look_as_chromium_draws_them(drawn_here, drawn_by_chromium, name):
    ours, theirs = drawn_here[name], drawn_by_chromium[name]
    assert theirs.getcolors(10_000) and len(theirs.getcolors(10_000)) > 5
    assert find_stray_ink(ours, theirs) < TOLERANCE
    assert find_stray_ink(theirs, ours) < TOLERANCE


LOST = {
    '<text>a<tspan style="word-spacing:2px">b</tspan></text>': "card.svg:2: word-spacing is left out (turn the text",
    '<text style="writing-mode:tb">a</text>': "writing-mode is left out",
    '<text style="font-variant:all-small-caps">a</text>': "font-variant is left out",
    '<text style="text-transform:full-width">a</text>': "text-transform is left out",
    '<text style="text-decoration:underline;text-decoration-style:wavy">a</text>': "text-decoration-style is left out",
    '<text textLength="30">a</text>': "textLength is left out",
    '<text dx="0 1 2">abc</text>': "the place of single letters is left out",
    '<text><tspan dy="1 -1">ab</tspan></text>': "the place of single letters is left out",
    '<text rotate="10">ab</text>': "the place of single letters is left out",
    '<text y="9 8 7">abc</text>': "the place of single letters is left out",
    "<text>a<tref/>b</text>": "<tref> in a text is left out",
    '<text fill="url(#g)">a</text>': "letters with a gradient are black",
    '<text>a<tspan fill="url(#g)">b</tspan></text>': "letters with a gradient are black",
    '<text stroke="url(#g)">a</text>': "a gradient around letters is left out",
    '<text stroke="#c00" stroke-dasharray="1 1">a</text>': "stroke-dasharray is left out",
    '<text>a<tspan stroke="#c00">b</tspan></text>': "all letters have the line around the first ones, or none",
    '<text>a<tspan font-weight="300">b</tspan></text>': "letters of weight 300 are set in the regular weight",
    '<text>a<tspan font-family="monospace">b</tspan></text>': "the font 'monospace' is not in the deck",
    '<text style="shape-inside:url(#r);text-align:justify">a</text>': "justification is left out",
    '<text style="shape-inside:url(#r) url(#r)">a</text>': "a second frame of a text is left out",
    '<text style="shape-inside:url(#r);shape-subtract:url(#c)">a</text>': "shape-subtract is left out",
    '<text style="shape-inside:url(#c)">a</text>': "words in a frame of another shape stand in the rectangle around it",
    '<text style="shape-inside:url(#r)"><tspan x="0" y="5">a </tspan><tspan x="0" y="15" style="text-align:end">b'
    "</tspan></text>": "the alignment of single lines is left out",
    '<text id="name"><tspan font-weight="bold">The</tspan> name</text>':
        "the words of 'name' all look like the first ones in the drawing (mark words in the cells: **bold**",
    "<text>a<tspan font-family='Fancy'>b</tspan></text>": "the font 'Fancy' is not in the deck"}
SHAPES = '<defs><rect id="r" width="40" height="40"/><circle id="c" r="20"/><linearGradient id="g"/></defs>\n'


@pytest.mark.parametrize(("body", "said"), LOST.items())
def test_what_is_lost_of_a_text_is_told(tmp_path, body, said):
    (note,) = adopt(tmp_path, f"{HEADS['inkscape']}{SHAPES}{body}</svg>").notes
    assert said in str(note)
    assert "card.svg:2" in str(note)


def test_texts_that_lose_something_can_be_drawn(tmp_path):
    assert len(draw_all(tmp_path, (f"{HEADS['inkscape']}{SHAPES}{body}</svg>" for body in LOST))) == len(LOST)


def test_letters_that_are_only_a_line_never_vanish(tmp_path):
    body = '<text>a<tspan fill="none" stroke="#c00" stroke-width="0.2">b</tspan></text>'
    assert 'fill="#cc0000"' in draw(tmp_path, whole(body)).svg


@pytest.mark.parametrize(("body", "wanted"), {
    '<text>Kept <tspan style="font-variant:small-caps">Small</tspan></text>': [">S<", ">MALL<"],
    '<text id="name" style="text-transform:uppercase">x</text>': [">GOBLIN<"],
    '<text id="name" style="text-decoration:underline;fill:#123456">x</text>': ["<rect", 'fill="#123456"'],
    '<text id="text" style="font-variant-caps:small-caps">x</text>': [">D<", ">EAL<"],
    '<text>Draw <tspan style="baseline-shift:super">{cost}</tspan> {text}</text>': [">3<", 'font-weight="700"'],
    '<text>- not a list, <tspan fill="red">- nor this</tspan> • or that</text>': [">- not a list, <", ">- nor this<"],
    '<text>a<tspan fill="red"> <tspan systemLanguage="de">nein</tspan><tspan systemLanguage="en">b</tspan></tspan>'
    "</text>": [">a<", "> b<"]}.items())
def test_columns_and_markup_are_set_in_the_looks_of_drawings(tmp_path, body, wanted):
    svg = draw(tmp_path, whole(body)).svg
    for words in wanted:
        assert words in svg
    assert "nein" not in svg


def test_a_flow_keeps_its_empty_paragraphs(tmp_path):
    """Words beside it stay beside their steps."""
    body = ('<flowRoot style="font-size:4px;line-height:125%"><flowRegion><rect x="6" y="24" width="34" height="60"/>'
            '</flowRegion><flowPara style="font-weight:bold;font-size:6px">Steps</flowPara><flowPara>Think <flowSpan '
            'style="font-style:italic">alone.</flowSpan></flowPara><flowPara/><flowPara style="fill:#0000c0"/>'
            "<flowPara>Talk.</flowPara><flowPara/></flowRoot>")
    adopted = adopt(tmp_path, f"{HEADS['inkscape']}{body}</svg>")
    assert (r'rich(["Steps", "\n", dict(words="Think ", size=4.000, style="text"), dict(words="alone.", size=4.000, '
            r'style="text/italic"), dict(words="\n", size=4.000), dict(words="\n", size=4.000), dict(words="\n", '
            r'size=4.000), dict(words="Talk.", size=4.000, style="text")], x=0.000') in adopted.template
    lines = draw(tmp_path, f"{HEADS['inkscape']}{body}</svg>").svg.split("<text ")
    places = [float(line.split('y="')[1].split('"')[0]) for line in lines if ">Think" in line or ">Talk" in line]
    assert places[1] - places[0] == pytest.approx(3 * 1.25 * 4, abs=0.01)


def set_words(folder, words: str) -> str:
    lay_out(folder, {"deck.toml": 'title = "T"\n[cards]\nsize = "poker"\nfront = "card.svg.j2"\n',
                     "card.svg.j2": f"{{{{ rich({words}, x=5, y=5, width=50, height=40, size=4) }}}}"})
    return draw_fronts(folder)[0].svg


@pytest.mark.parametrize(("words", "said"), {
    '[dict(words="a", colour="red")]': "words have no colour",
    '[dict(words="a", capitals="big")]': "does not know 'big'",
    '[dict(words="a", lines="wavy")]': "does not know 'wavy'", '[dict(words="a", style="x")]': "does not know 'x'",
    '[["a"]]': "a list can't be printed", '[dict(words=["a"])]': "a list can't be printed",
    '["a"] * 201': "the words have more than 200 looks", '["a" * 1999, "bb"]': "is given more than 2,000 characters",
    '[dict(words="a", size=0)]': "a size of 0 mm", '[dict(words="a", size=10 ** 7)]': "a number out of range",
    '[dict(words="a", rise="x")]': "can't work with"}.items())
def test_wrong_looks_are_refused_in_plain_words(tmp_path, words, said):
    with pytest.raises(InputError, match=re.escape(said)):
        set_words(tmp_path, words)
