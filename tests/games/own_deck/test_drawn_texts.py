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
from tests.conftest import ROOT
from tests.games.own_deck.decks import draw_fronts, lay_out
from tests.games.own_deck.test_drawings import HEADS, adopt, draw, draw_all
from tests.node import browser

FONTS = shipped_root() / "data" / "fonts"
FACES = {"EBGaramond-Regular": "normal 400", "EBGaramond-Bold": "normal 700", "EBGaramond-Italic": "italic 400"}
DPI, BLEED = 254, 20
"""Ten pixels are a millimetre."""
FAR, TOLERANCE = 5, 0.04
"""Width of a square in pixels that ink may move in, and the share of ink that may lie beyond."""
CASES = ROOT / "tests/golden/cases/drawn-texts.txt"
AS_DRAWN = {name: re.sub(r"(?m)^\| ?", "", case).removesuffix("\n") for name, case in re.findall(
    r"(?m)^# (.*)\n((?:^\|.*\n)+)", CASES.read_text(encoding="utf-8"))}
"""Texts in EB Garamond of 5 mm, by what they show."""


def whole(body: str) -> str:
    body = body.replace("<text ", "<text font-family=\"'EB Garamond'\" font-size=\"5\" ")
    return f"{HEADS['inkscape']}{body.replace(chr(10), '&#10;')}</svg>"


def test_texts_keep_the_looks_of_their_words(golden_cases, tmp_path):
    def answer(body):
        adopted = adopt(tmp_path, whole(body))
        assert not adopted.notes
        yield adopted.template

    golden_cases("drawn-texts", answer)


@pytest.fixture(scope="module")
def drawn_by_chromium(tmp_path_factory, real_browser):
    """The texts as pictures."""
    folder = tmp_path_factory.mktemp("chromium")
    faces = "".join(f"@font-face {{ font-family: 'EB Garamond'; font-style: {look.split()[0]}; font-weight: "
                    f"{look.split()[1]}; src: url(data:font/ttf;base64,"
                    f"{b64encode((FONTS / f'{file}.ttf').read_bytes()).decode()}) }}" for file, look in FACES.items())
    drawings = "".join(whole(body).replace('width="63.5mm" height="88.9mm"', 'width="635" height="300"').replace(
        'viewBox="0 0 63.5 88.9"', 'viewBox="0 0 63.5 30"') for body in AS_DRAWN.values())
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
    drawings = [whole(body).replace("88.9", "30") for body in AS_DRAWN.values()]
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


SHAPES = '<defs><rect id="r" width="40" height="40"/><circle id="c" r="20"/><linearGradient id="g"/></defs>\n'


def test_what_is_lost_of_a_text_is_told_and_the_rest_is_drawn(golden_cases, tmp_path):
    drawings = golden_cases("texts", lambda body: adopt(tmp_path, f"{HEADS['inkscape']}{SHAPES}{body}</svg>").notes)
    assert len(draw_all(tmp_path, (f"{HEADS['inkscape']}{SHAPES}{body}</svg>" for body in drawings))) == len(drawings)


def test_letters_that_are_only_a_line_never_vanish(tmp_path):
    body = '<text>a<tspan fill="none" stroke="#c00" stroke-width="0.2">b</tspan></text>'
    assert 'fill="#cc0000"' in draw(tmp_path, whole(body)).svg


def test_columns_and_markup_are_set_as_they_were(golden_cases, tmp_path):
    golden_cases("text-looks", lambda body: re.findall(r"<text.*?</text>", draw(tmp_path, whole(body)).svg, re.DOTALL))


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


def test_wrong_looks_are_refused_in_plain_words(golden_cases, tmp_path):
    def answer(words):
        with pytest.raises(InputError) as refused:
            set_words(tmp_path, words)
        yield str(refused.value).replace(f"{tmp_path}/", "")

    golden_cases("look-slips", answer)
