"""Twenty scripts as a browser shows them: letters and marks stand where it sets them, and readers of PDFs find them."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import tomllib
from html import escape
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter, ImageOps

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import FontBook, read_fonts
from ppgen.engine.geometry import INCH
from ppgen.engine.pdf.typesetting import faces_pdf, faces_png
from ppgen.games.missing_signs import script_name
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out
from tests.node import browser

WORDS = tomllib.loads((Path(__file__).parent / "scripts.toml").read_text("utf-8"))
FOLDER = Path("/usr/share/fonts/truetype/noto")
SIZE, WIDTH, HEIGHT, BASELINE, DPMM = 4.0, 120, 20, 12, 12
"""Millimetres, and dots of a millimetre."""
REACH = 3  # dots: a quarter of a millimetre, a sixteenth of the size
HOUSE = shipped_root() / "data" / "fonts"


def ink_of(picture: Image.Image) -> Image.Image:
    """The ink of a line without the white around it, white on black."""
    ink = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture.convert("RGBA")).convert("L").point(
        lambda grey: 255 * (grey < 128))
    left, top, right, bottom = ink.getbbox()
    return ink.crop((left - REACH, top - REACH, right + 2 * REACH, bottom + 2 * REACH))


@pytest.fixture(scope="module")
def lines(tmp_path_factory) -> tuple[list[Face], FontBook]:
    """Each line as ppgen sets it, with the fonts."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "fonts").mkdir()
    for name in WORDS:
        for weight in ("Regular", "Bold"):
            if (FOLDER / f"{name}-{weight}.ttf").exists():
                shutil.copy(FOLDER / f"{name}-{weight}.ttf", folder / "fonts")
            elif weight == "Regular":
                pytest.skip(f"needs {FOLDER / name}-Regular.ttf: Debian's fonts-noto-core")
    families = {name: re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name) for name in WORDS}
    table = "font,words\n" + "".join(f'{families[name]},"{words}"\n' for name, words in WORDS.items())
    lay_out(folder, {
        "deck.toml": f'[cards]\ntable = "cards.csv"\nsize = "{WIDTH}x{HEIGHT}mm"\nfront = "card.svg.j2"\n',
        "cards.csv": table,
        "card.svg.j2": f"{{{{ rich(card.words, x=5, y={BASELINE}, width={WIDTH - 10}, size={SIZE}, style=card.font) "
                       "}}"})
    return draw_fronts(folder, bleed=0), read_fonts(folder / "fonts", True)


@pytest.fixture(scope="module")
def document(lines) -> pypdfium2.PdfDocument:
    ((_, content),) = faces_pdf(*lines)
    return pypdfium2.PdfDocument(content)


@pytest.fixture(scope="module")
def rows(lines, document, tmp_path_factory) -> dict[str, tuple[Image.Image, ...]]:
    """Each line as ppgen sets it in pixels and in a PDF, and as Chromium does."""
    program, folder, (faces, fonts) = browser("chromium"), tmp_path_factory.mktemp("browser"), lines
    ours = [(Image.open(io.BytesIO(png)), page.render(scale=DPMM * INCH / 72).to_pil())
            for png, page in zip(faces_png(faces, fonts.folder, DPMM * INCH), document, strict=True)]
    page = "<!doctype html><meta charset=utf-8><style>body{margin:0;width:1440px}" + "".join(
        f'@font-face{{font-family:"{name}";src:url("{(FOLDER / name).as_uri()}-{file}.ttf");font-weight:{weight}}}'
        for name in WORDS for file, weight in (("Regular", 400), ("Bold", 700))
        if (FOLDER / f"{name}-{file}.ttf").exists()) + (
        f'@font-face{{font-family:house;src:url("{(HOUSE / "EBGaramond-Regular.ttf").as_uri()}")}}'
        f"p{{margin:0;height:{HEIGHT * DPMM}px;line-height:{HEIGHT * DPMM}px;white-space:pre;padding:0 60px}}</style>")
    page += "".join(f'<p dir=auto style="font-size:{SIZE * DPMM}px;font-family:{name},house">'
                    + re.sub(r"\*\*(.*?)\*\*", r"<b>\1</b>", escape(words)) + "</p>" for name, words in WORDS.items())
    (folder / "page.html").write_text(page, encoding="utf-8")
    subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--screenshot={folder / 'page.png'}", f"--window-size={WIDTH * DPMM},{len(WORDS) * HEIGHT * DPMM}",
                    (folder / "page.html").as_uri()], check=True, capture_output=True, timeout=300)
    theirs = Image.open(folder / "page.png")
    return {name: (*mine, theirs.crop((0, n * HEIGHT * DPMM, theirs.width, (n + 1) * HEIGHT * DPMM)))
            for n, (name, mine) in enumerate(zip(WORDS, ours, strict=True))}


@pytest.mark.parametrize("words", WORDS.values())
def test_letters_and_marks_of_a_text_are_of_one_script(words):
    assert len({script_name(sign) for sign in words if not sign.isascii() and sign != "।"} - {""}) == 1


@pytest.mark.slow
def test_readers_of_pdfs_find_and_copy_words(document):
    found = [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    assert found == [words.replace("**", "") for words in WORDS.values()]


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_words_stand_where_a_browser_sets_them(rows, name):
    """No ink is farther than a hair from the browser's, and none of the browser's from ours."""
    pixels, printed, theirs = map(ink_of, rows[name])
    size = tuple(max(sides) for sides in zip(pixels.size, printed.size, theirs.size, strict=True))
    for one, other in ((pixels, theirs), (theirs, pixels), (printed, theirs), (theirs, printed)):
        wide = ImageOps.expand(other, (0, 0, size[0] - other.width, size[1] - other.height)).filter(
            ImageFilter.MaxFilter(2 * REACH + 1))
        alone = ImageChops.subtract(ImageOps.expand(one, (0, 0, size[0] - one.width, size[1] - one.height)), wide)
        assert alone.filter(ImageFilter.MinFilter(3)).getbbox() is None
