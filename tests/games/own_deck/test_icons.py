"""Icons: the shipped set is drawn by one hand, a deck's own come first, those of packages take the colour asked for."""

import io
import re
import tomllib
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageFilter

from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.svg_check import MAX_DRAWN, NUMBERS
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.engine.pictures.picture_files import ICON_ALIASES, PictureFolder, shipped_icons
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out
from tests.games.own_deck.test_pictures import is_near

GRID = 24
DOT_MM = 0.12
"""The finest stroke or gap at 3 mm, an eighth of the grid's 24 units."""
PIXELS = 10
"""A unit of the grid in the pictures that are measured."""
DECK = {"deck.toml": 'title = "I"\n[cards]\nsize = "poker"\nfront = "card.svg.j2"\n'}
RED = (200, 20, 20)
DRAWING = re.compile(r'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="currentColor">'
                     r'<path d="(M[-MLHVCQZ\d. ]+)"/></svg>\n')


def draw(folder: Path, template: str, ink: str = "full", **files: str) -> Face:
    """The front of a flat deck's one card."""
    return draw_fronts(lay_out(folder, DECK, card_svg_j2=template, **files), ink, bleed=0)[0]


def print_face(face: Face, ppi: float) -> Image.Image:
    (picture,) = faces_png([face], shipped_root() / "data" / "fonts", ppi)
    return Image.open(io.BytesIO(picture)).convert("RGB")


def test_icons_are_one_path_each_in_the_grid_without_a_colour():
    for name, path in shipped_icons().items():
        match = DRAWING.fullmatch(path.read_text(encoding="ascii"))
        assert match and re.fullmatch("[a-z]+(-[a-z0-9]+)?", name)
        numbers = [*map(float, re.findall(r"-?[\d.]+", match[1]))]
        assert 0 <= min(numbers) <= max(numbers) <= GRID, name
        assert 190 * (1 + len(numbers) // NUMBERS) <= MAX_DRAWN, f"a text full of {name} is more than a face may draw"


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Pictures of the whole set by stroke: as it is, all edges drawn in and out by half of the finest stroke."""
    names, side, pictures = list(shipped_icons()), 10 * GRID, []
    icons = "".join(f'{{{{ icon("{name}", {n % 10 * GRID + GRID / 2}, {n // 10 * GRID + GRID / 2}, {GRID}) }}}}\n'
                    for n, name in enumerate(names))
    deck = DECK["deck.toml"].replace('"poker"', f'"{side}mm x {side}mm"')
    for colour in ("none", "#ffffff", "#000000"):
        stroke = f'stroke="{colour}" stroke-width="{DOT_MM * GRID / 3}" stroke-linejoin="round"'
        template = f"{{{{ fill('#ffffff') }}}}<g {stroke}>{icons}</g>"
        face = draw(tmp_path_factory.mktemp("deck"), template, deck_toml=deck)
        pictures.append(print_face(face, 25.4 * PIXELS).convert("L").point(lambda value: 255 * (value > 127)))
    return pictures


def cell(picture: Image.Image, name: str) -> Image.Image:
    index, side = list(shipped_icons()).index(name), GRID * PIXELS
    x, y = index % 10 * side, index // 10 * side
    return picture.crop((x, y, x + side, y + side))


@pytest.mark.slow
def test_icons_have_one_weight_and_size_and_no_hairlines(measured):
    for name in shipped_icons():
        plain, eroded, dilated = (cell(picture, name) for picture in measured)
        ink = ImageChops.invert(plain)
        assert 0.14 <= ink.histogram()[255] / (GRID * PIXELS) ** 2 <= 0.6, name
        left, top, right, bottom = (edge / PIXELS for edge in ink.getbbox())
        assert 19 <= max(right - left, bottom - top) <= 22.4, name
        assert min(left, top) >= 0.7 and max(right, bottom) <= 23.3, name
        # What stays of a shape without its edge reaches all of it, unless a part is finer than that edge; so do gaps.
        around = ImageFilter.BoxBlur(7)
        eroded = eroded.filter(around).point(lambda value: 255 * (value == 255))
        dilated = dilated.filter(around).point(lambda value: 255 * (value > 0))
        lost, filled = ImageChops.subtract(eroded, plain), ImageChops.subtract(plain, dilated)
        too_fine = max(lost.histogram()[255], filled.histogram()[255])
        assert too_fine <= 100, f"{name}: pixels of strokes or gaps finer than 0.12 mm"


def test_the_page_lists_every_icon():
    page = (shipped_root() / "docs" / "icons.md").read_text(encoding="utf-8")
    table = page.partition("## The set")[2].partition("\n## ")[0]
    assert sorted(re.findall(r"`([a-z0-9-]+)`", table.partition("Capitals")[0])) == sorted(shipped_icons())
    assert dict(re.findall(r"`([a-z]+)` \(`([a-z]+)`\)", table.partition("Other names")[2])) == ICON_ALIASES


def test_a_deck_s_own_icon_comes_first_and_its_arrival_redraws_the_card(tmp_path):
    before = draw(tmp_path, "{{ rich('{wood}', x=5, y=20, width=20, size=8) }}")
    own = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1H8V8Z"/></svg>'
    after = draw(tmp_path, "{{ rich('{wood}', x=5, y=20, width=20, size=8) }}", **{"icons/wood.svg": own})
    assert "M1 1H8V8Z" in after.svg and "M1 1H8V8Z" not in before.svg
    assert PictureFolder(tmp_path).find_all({name: each.digest for name, each in before.pictures.items()}) is None


@pytest.mark.parametrize("ink", ["full", "low"])
def test_a_shipped_icon_takes_its_colour_in_both_inks(tmp_path, ink):
    face = draw(tmp_path, '{{ icon("diamonds", 20, 20, 20, fill="#c81414") }}', ink)
    assert is_near(print_face(face, 25.4).getpixel((20, 20)), RED)


def test_icons_of_packages_just_work(tmp_path):
    packages = tomllib.loads(Path(__file__).with_name("packages.toml").read_text(encoding="utf-8"))
    places = {package: (10 + 20 * (n % 3), 10 + 20 * (n // 3)) for n, package in enumerate(packages)}
    icons = "".join(f'{{{{ icon("{package}", {x}, {y}, 12, fill="#c81414") }}}}' for package, (x, y) in places.items())
    face = draw(tmp_path, f'{{{{ fill("#ffffff") }}}}{icons}',
                **{f"icons/{package}.svg": drawing for package, drawing in packages.items()})
    picture = print_face(face, 25.4 * 4)
    for package, (x, y) in places.items():
        assert is_near(picture.getpixel((4 * x, 4 * y)), RED), package
        assert is_near(picture.getpixel((4 * x - 22, 4 * y - 22)), (255, 255, 255)), package
