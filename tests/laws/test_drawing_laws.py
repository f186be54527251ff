"""Laws of strangers' drawings and photographs: what is printed looks as another renderer shows the file itself."""

from __future__ import annotations

import io
import random
from base64 import b64encode

import numpy
import pytest
import typst
from PIL import Image, ImageOps

from ppgen.engine.adoption.drawing_places import EDGE_MM, Ground
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pictures.face_pictures import FacePicture, coverage, faces_png, take_pictures
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out

FONTS = shipped_root() / "data" / "fonts"
CARD = Size(63.5, 88.9)
PPI, COUNT = 40.0, 12  # 100 × 140 points: no edge of a card between two
NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


ESCAPED = '\\"'


def quarters(width: int, height: int) -> Image.Image:
    """Four colours: each turn and mirror image looks different."""
    image = Image.new("RGB", (width, height), "#d02020")
    across, down = width // 2, height // 3
    for box, colour in (((across, 0, width, down), "#20a040"), ((0, down, across, height), "#2040d0"),
                        ((across, down, width, height), "#e0c020")):
        image.paste(colour, box)
    return image


def data_uri(image: Image.Image) -> str:
    file = io.BytesIO()
    image.save(file, "PNG")
    return "data:image/png;base64," + b64encode(file.getvalue()).decode()


def random_drawing(number: int) -> str:
    """Shapes and pictures within groups that are moved, turned, mirrored, scaled unevenly, clipped or chosen from."""
    chance = random.Random(number)
    picture = data_uri(quarters(*chance.choice(((40, 20), (20, 40), (30, 30)))))

    def place() -> str:
        return chance.choice((
            "", f"translate({chance.randint(-9, 9)} {chance.randint(-9, 9)})",
            f"rotate({chance.choice((90, 180, 270, 25))} 31 44)",
            f"scale({chance.uniform(0.4, 1.6):.2f} {chance.uniform(0.4, 1.6):.2f})",
            "translate(63.5 0) scale(-1 1)", "translate(0 88.9) scale(1 -1)", "matrix(.8 .2 -.3 .9 9 4)"))

    def thing() -> str:
        x, y, w, h = chance.randint(0, 40), chance.randint(0, 60), chance.randint(8, 30), chance.randint(8, 40)
        colour = f"#{chance.randrange(0x202020, 0xd0d0d0):06x}"
        return chance.choice((
            f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{chance.choice((0, 3))}" fill="{colour}"/>',
            f'<ellipse cx="{x + w / 2}" cy="{y + h / 2}" rx="{w / 2}" ry="{h / 2}" fill="{colour}" stroke="#111111"/>',
            f'<path d="M{x} {y}h{w}v{h}l-{w} -{h / 2}z" fill="{colour}" fill-opacity="0.6"/>',
            f'<image x="{x}" y="{y}" width="{w}" height="{h}" xlink:href="{picture}" preserveAspectRatio="'
            f'{chance.choice(("none", "xMidYMid meet"))}"/>',
            f'<switch><rect systemLanguage="ja" x="{x}" y="{y}" width="{w}" height="{h}"/>'
            f'<circle cx="{x}" cy="{y}" r="6" fill="{colour}"/><rect width="50" height="50"/></switch>'))

    body = "".join(f'<g transform="{place()}"><g transform="{place()}">{thing()}</g>{thing()}</g>' for _ in range(4))
    return f'<svg width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9" {NAMES}>{body}</svg>'


def show(svgs: list[str]) -> list[numpy.ndarray]:
    """The drawings as typst's own renderer (usvg) shows them."""
    source = f'#set page(width: {CARD.width}mm, height: {CARD.height}mm, margin: 0pt)\n' + "#pagebreak()\n".join(
        f'#image(bytes("{svg.translate({34: ESCAPED})}"), format: "svg", width: 100%, height: 100%)\n' for svg in svgs)
    pages = typst.compile(source.encode(), format="png", ppi=PPI)
    return [pixels(page) for page in (pages if isinstance(pages, list) else [pages])]


def pixels(png: bytes) -> numpy.ndarray:
    with Image.open(io.BytesIO(png)) as image:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image.convert("RGBA"))
        return numpy.asarray(paper.convert("RGB"), dtype=float)


def trims(faces: list[Face]) -> list[numpy.ndarray]:
    """What is printed, without its bleed."""
    return [pixels(png) for png in faces_png(faces, FONTS, PPI)]


def difference(one: numpy.ndarray, other: numpy.ndarray) -> float:
    """The share of points that differ much; drawings may lie half a pixel apart."""
    height, width = (min(sides) for sides in zip(one.shape[:2], other.shape[:2], strict=True))
    a, b = one[:height, :width], other[:height, :width]
    near = [numpy.abs(a[1:-1, 1:-1] - b[1 + dy:height - 1 + dy, 1 + dx:width - 1 + dx]).max(axis=2)
            for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    return float((numpy.minimum.reduce(near) > 40).mean())


@pytest.fixture(scope="module")
def drawings() -> list[str]:
    return [random_drawing(number) for number in range(COUNT)]


@pytest.mark.slow
@pytest.mark.parametrize("way", ["adopted", "shown"])
def test_drawings_are_printed_as_they_are(tmp_path, drawings, way):
    """As the front of a card, and as a picture on one."""
    names = [f"card{n}.svg" for n in range(COUNT)]
    files = dict(zip(names, drawings, strict=True))
    front = "{look}" if way == "adopted" else "front.svg.j2"
    lay_out(tmp_path, {**files, "cards.csv": "look\n" + "".join(f"{name}\n" for name in names),
                       "front.svg.j2": '{{ image(card.look, width=face.width, height=face.height, fit="stretch") }}',
                       "deck.toml": 'title = "T"\nlang = "en"\n[cards]\ntable = "cards.csv"\nsize = "63.5x88.9mm"\n'
                                    f'front = "{front}"\n'})
    found = trims(draw_fronts(tmp_path, bleed=0))
    for number, (one, other) in enumerate(zip(found, show(drawings), strict=True)):
        assert difference(one, other) < 0.008, number


@pytest.mark.parametrize("suffix", ["jpg", "webp"])
def test_photographs_stand_upright_at_each_turn(tmp_path, suffix):
    """As Pillow turns them, on paper and in their measures."""
    names, wanted = [], []
    for turn in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = turn
        names.append(f"art/{turn}.{suffix}")
        (tmp_path / "art").mkdir(exist_ok=True)
        quarters(60, 30).save(tmp_path / names[-1], exif=exif, quality=95)
        with Image.open(tmp_path / names[-1]) as image:
            wanted.append(ImageOps.exif_transpose(image).convert("RGB"))
    lay_out(tmp_path, {"cards.csv": "art\n" + "".join(f"{name}\n" for name in names),
                       "front.svg.j2": '{{ image(card.art, x=0, y=0, width=40, height=40, fit="contain") }}',
                       "deck.toml": 'title = "T"\n[cards]\ntable = "cards.csv"\nsize = "40x40mm"\n'
                                    'front = "front.svg.j2"\n'})
    for face, image in zip(trims(draw_fronts(tmp_path, bleed=0)), wanted, strict=True):
        side = face.shape[0]
        small = image.resize((side, round(side / 2)) if image.width > image.height else (round(side / 2), side))
        paper = Image.new("RGB", (side, side), "white")
        paper.paste(small, ((side - small.width) // 2, (side - small.height) // 2))
        assert difference(face, numpy.asarray(paper, dtype=float)) < 0.1


@pytest.mark.parametrize("edge", ["left", "top", "right", "bottom"])
def test_what_touches_any_one_edge_reaches_it(edge):
    middle = Rect(20, 20, 20, 20)
    for by, wanted in ((0.4 * EDGE_MM, True), (3 * EDGE_MM, False)):
        boxes = {"left": Rect(by, 20, 20, 20), "top": Rect(20, by, 20, 20),
                 "right": Rect(CARD.width - by - 20, 20, 20, 20), "bottom": Rect(20, CARD.height - by - 20, 20, 20)}
        for box, reaches in ((boxes[edge], wanted), (middle, False)):
            ground = Ground(None, CARD)  # type: ignore[arg-type]
            ground.touch(box)
            assert ground.reaches_edge is reaches
    short = {"left": Rect(0, -3, 80, 99), "top": Rect(-3, 0, 80, 99), "right": Rect(-3, -3, CARD.width + 3, 99),
             "bottom": Rect(-3, -3, 80, CARD.height + 3)}[edge]
    assert not Ground(None, CARD).ends_with(Rect(-3, -3, 80, 99))  # type: ignore[arg-type]
    assert Ground(None, CARD).ends_with(short)  # type: ignore[arg-type]


def test_ink_is_that_of_the_trim_whatever_the_bleed():
    def face(bleed: float) -> Face:
        box = f"{-bleed:g} {-bleed:g} {40 + 2 * bleed:g} {60 + 2 * bleed:g}"
        return Face(svg=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><rect x="-9" y="-9" width="99" '
                        'height="99" fill="#00ffff"/><rect x="0" y="0" width="40" height="30" fill="#ffffff"/></svg>',
                    size=Size(40, 60), bleed=bleed)

    assert coverage([face(0), face(2), face(5)], FONTS) == pytest.approx([1 / 6] * 3, abs=0.01)


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_picture_has_the_pixels_that_it_announces_and_is_turned_clockwise(turn):
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60"><rect width="40" height="60" fill="#ffffff"/>'
           '<rect width="20" height="20" fill="#d00000"/></svg>')
    picture = FacePicture(face=Face(svg=svg, size=Size(40, 60), bleed=0), width=80, height=120, dpi=50, turn=turn)
    (png,) = take_pictures([picture], FONTS)
    with Image.open(io.BytesIO(png)) as image:
        assert image.size == picture.pixels == ((120, 80) if turn else (80, 120))
        corner = {0: (10, 10), 90: (image.width - 10, 10), 270: (10, image.height - 10)}[turn]
        red = [place for place in ((10, 10), (image.width - 10, 10), (10, image.height - 10),
                                   (image.width - 10, image.height - 10))
               if image.convert("RGB").getpixel(place) == (208, 0, 0)]
        assert red == [corner]
