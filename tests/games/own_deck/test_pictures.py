"""Pictures of a deck: every kind is printed upright and in colour, once in a file; wrong ones are reported."""

import base64
import io
import json
import os
import struct
import zlib
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageCms, ImageDraw

from ppgen.assets import Assets
from ppgen.cache import open_cache
from ppgen.engine.drawing import rendering
from ppgen.engine.pictures import picture_files
from ppgen.engine.pictures.picture import PictureError, content_digest
from ppgen.engine.pictures.picture_files import PictureFolder, find_shipped_icon, jpeg_segments
from ppgen.printing.workshop import Workshop
from ppgen.process.supervision import read_supervised, run_supervised
from tests.conftest import CACHE_FOLDER, CACHE_VARIABLE, run_ppgen

DECK = 'title = "Night"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
FRONT = "{{ image(card.art, 0, 0, 63.5, 40) }}"
CORNERS = {"top left": (255, 0, 0), "top right": (0, 160, 0), "bottom left": (0, 0, 255), "bottom right": (250, 220, 0)}
"""The quarters of the picture that the tests print."""


@pytest.fixture
def deck(desk):
    """A deck of cards with pictures, in the working folder."""
    for folder in ("art", "icons"):
        (desk.folder / folder).mkdir()
    (desk.folder / "deck.toml").write_text(DECK, encoding="utf-8")
    write_cards(desk, "plain.png")
    write_front(desk, FRONT)
    picture().save(art(desk) / "plain.png")
    return desk


def art(desk) -> Path:
    return desk.folder / "art"


def write_cards(desk, *names: str) -> None:
    lines = "".join(f"c{number},{name}\n" for number, name in enumerate(names))
    (desk.folder / "cards.csv").write_text(f"id,art\n{lines}", encoding="utf-8")


def write_front(desk, front: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{{{ face.view_box }}}}">\n{front}\n</svg>'
    (desk.folder / "card.svg.j2").write_text(svg, encoding="utf-8")


def picture(width: int = 127, height: int = 80) -> Image.Image:
    image = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(image)
    for (_, colour), (x, y) in zip(CORNERS.items(), ((0, 0), (1, 0), (0, 1), (1, 1)), strict=True):
        draw.rectangle((x * width // 2, y * height // 2, width, height), fill=colour)
    return image


def build(desk, *options: str) -> Path:
    desk.run("build", "--only", "cards", *options)
    (path,) = (desk.folder / "output" / "en").glob("*.pdf")
    return path


def seen_corners(pdf: Path) -> list[list[tuple[int, int, int]]]:
    """The colours in the quarters of each card's picture, as printed: it is 63.5 × 40 mm."""
    (manifest,) = pdf.parent.glob("manifest*.json")
    sides = json.loads(manifest.read_text("utf-8"))["files"][0]["sides"]
    seen = {}
    for page, side in zip(pypdfium2.PdfDocument(pdf), sides, strict=True):
        image = page.render(scale=2).to_pil().convert("RGB")
        for place in side["placements"]:
            seen[place["component"]] = [
                image.getpixel(tuple(round(mm * 2 * 72 / 25.4) for mm in (place["x_mm"] + x, place["y_mm"] + y)))
                for y in (10, 30) for x in (63.5 / 4, 63.5 * 3 / 4)]
    return [seen[f"c{number}"] for number in range(len(seen))]


def is_near(one: tuple[int, ...], other: tuple[int, ...], tolerance: int = 40) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(one, other, strict=True))


def images(pdf: Path) -> list[int]:
    """The widths of the file's images, in pixels."""
    with pikepdf.open(pdf) as opened:
        return [int(item.Width) for item in opened.objects if isinstance(item, pikepdf.Stream)
                and item.get("/Subtype") == "/Image"]


def exif(turn: int) -> Image.Exif:
    about = Image.Exif()
    about[0x0112], about[0x010F] = turn, "SecretCamera"
    return about


TRANSPOSED = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
              5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
              8: Image.Transpose.ROTATE_270}
SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def opaque() -> Image.Image:
    image = picture()
    image.putalpha(255)
    return image


def sixteen_bits() -> Image.Image:
    grey = picture().convert("L")
    return Image.frombytes("I;16", grey.size, b"".join(bytes((value, value)) for value in grey.tobytes()))


def half(mode: str = "RGBA") -> Image.Image:
    """The left half of the picture."""
    image = picture()
    mask = Image.new("L", image.size, 255)
    mask.paste(0, (image.width // 2, 0, image.width, image.height))
    image.putalpha(mask)
    return image.convert(mode)


def keyed() -> Image.Image:
    """A red half and one of a colour that counts as transparent."""
    image = Image.new("P", picture().size, 1)
    image.putpalette([255, 0, 255, 255, 0, 0])
    image.paste(0, (image.width // 2, 0, image.width, image.height))
    return image


COLOURED = {
    "plain.png": (picture, {}), "plain.jpg": (picture, {}), "progressive.jpg": (picture, {"progressive": True}),
    "profile.jpg": (picture, {"icc_profile": SRGB}), "cmyk.jpg": (lambda: picture().convert("CMYK"), {}),
    "palette.png": (lambda: picture().quantize(8), {}), "alpha.png": (opaque, {}),
    "lossy.webp": (picture, {}), "lossless.webp": (picture, {"lossless": True}),
    **{f"turned{turn}.jpg": (lambda how=how: picture().transpose(how), {"exif": exif(turn)})
       for turn, how in TRANSPOSED.items()}}
GREY = {
    "grey.jpg": (lambda: picture().convert("L"), {}), "bits16.png": (sixteen_bits, {}),
    "grey.png": (lambda: picture().convert("L"), {}),
    "bilevel.png": (lambda: picture().convert("1", dither=Image.Dither.NONE), {})}
TRANSPARENT = {
    "half.png": (half, {}), "half.webp": (half, {}), "grey-half.png": (lambda: half("LA"), {}),
    "keyed.png": (keyed, {"transparency": 0})}


@pytest.mark.slow
def test_a_picture_of_any_kind_is_printed_upright_in_its_colours_and_shows_the_ground_through(deck):
    kinds = COLOURED | GREY | TRANSPARENT
    for name, (make, options) in kinds.items():
        make().save(art(deck) / name, **options)
    write_cards(deck, *kinds)
    write_front(deck, f'{{{{ fill("#00c8c8") }}}}{FRONT}')
    ground = (0, 200, 200)
    pdf, profiles = build(deck), 0
    for (name, (make, _)), seen in zip(kinds.items(), seen_corners(pdf), strict=True):
        if name in TRANSPARENT:
            assert [is_near(colour, ground) for colour in seen] == [False, True, False, True], name
        elif name in GREY:
            grey = picture().convert("L") if name == "bits16.png" else make().convert("L")
            levels = [grey.getpixel((x, y)) for y in (20, 60) for x in (30, 95)]
            assert all(is_near(colour, (level,) * 3) for colour, level in zip(seen, levels, strict=True)), name
        else:
            assert all(map(is_near, seen, CORNERS.values())), name
    with pikepdf.open(pdf) as opened:
        for item in opened.objects:
            if isinstance(item, pikepdf.Stream) and item.get("/Filter") == "/DCTDecode":
                with Image.open(io.BytesIO(item.read_raw_bytes())) as jpeg:
                    assert (item.Width, item.Height) == jpeg.size
                profiles += isinstance(item.ColorSpace, pikepdf.Array) and item.ColorSpace[1].read_bytes() == SRGB
    assert profiles == 1


def test_a_drawing_is_printed_as_paths_without_its_programs_data(deck):
    (art(deck) / "moon.svg").write_text(
        '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg xmlns="http://www.w3.org/2000/svg" '
        'xmlns:k="urn:k" width="127px" height="80px"><style>.a{fill:rgb(255,0,0)}</style><k:view/><metadata/>'
        '<g k:label="x"><path class="a" id="p" d="M0 0h127v80H0z"/><use href="#p" style="fill:#0a0;opacity:1"/></g>'
        "</svg>", encoding="utf-8")
    write_cards(deck, "moon")
    pdf = build(deck)
    assert is_near(seen_corners(pdf)[0][0], (255, 0, 0)) and not images(pdf)


def photograph(number: int) -> Image.Image:
    image = Image.effect_noise((120, 90), 60 + number).convert("RGB")
    ImageDraw.Draw(image).rectangle((10, 10, 10 + number, 80), fill=(200, 30, number))
    return image


def test_photographs_are_in_the_file_once_each_with_their_own_data_and_no_exif(deck, tmp_path):
    names = [f"p{number:02}" for number in range(12)]
    for number, name in enumerate(names):
        photograph(number).save(art(deck) / f"{name}.jpg", quality=90, exif=exif(1), comment=b"SecretNote")
    write_cards(deck, *names)
    write_front(deck, FRONT + "{{ image(card.art, 5, 45, 20, 20) }}" * 2)
    pdf = build(deck)
    assert len(images(pdf)) == 12
    scans = {scan_data(path.read_bytes()) for path in art(deck).glob("p*.jpg")}
    with pikepdf.open(pdf) as opened:
        assert {scan_data(item.read_raw_bytes()) for item in opened.objects if isinstance(item, pikepdf.Stream)
                and item.get("/Subtype") == "/Image"} == scans
    assert b"Secret" not in pdf.read_bytes()
    first = pdf.read_bytes()
    pdf.unlink()
    assert build(deck, "--no-cache").read_bytes() == first


def test_a_picture_is_read_by_the_child_that_draws_it_and_not_again(deck, own_cache, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(picture_files, "read_supervised", lambda read, content, options, *more: asked.append(
        options["name"]) or read_supervised(read, content, options, *more))
    build(deck, "--no-cache")
    assert not asked
    Workshop.open(Assets.at(deck.folder, None)).pictures.find("plain.png")
    assert asked == ["art/plain.png"]


def test_a_child_that_lies_about_the_picture_of_another_deck_changes_nothing(deck, own_cache, monkeypatch):
    other = deck.folder.parent / "other"
    other.mkdir()
    picture(30, 20).save(other / "fool.png")
    icon = find_shipped_icon("sword")
    lies = {content_digest(path.read_bytes()): {"kind": "png", "width": 1, "height": 900}
            for path in (other / "fool.png", icon)}
    monkeypatch.setattr(rendering, "run_supervised", lambda *order: [
        answer | {"news": lies} for answer in run_supervised(*order)])
    write_front(deck, FRONT + '{{ icon("sword", 5, 45, 20) }}')
    build(deck)
    with open_cache(Path(os.environ[CACHE_VARIABLE]) / CACHE_FOLDER):
        found = [PictureFolder(other).find(name) for name in ("fool.png", "{sword}")]
    assert [(picture.width, picture.height) for picture in found] == [(30, 20), (24, 24)]


def scan_data(jpeg: bytes) -> bytes:
    return b"".join(jpeg[start:end] for marker, start, end in jpeg_segments(jpeg) if marker == 0xDA)


def test_a_changed_picture_is_drawn_again(deck):
    pdf = build(deck)
    before = pdf.read_bytes()
    picture().transpose(TRANSPOSED[3]).save(art(deck) / "plain.png")
    assert build(deck).read_bytes() != before
    assert is_near(seen_corners(pdf)[0][0], CORNERS["bottom right"])


def test_a_template_cannot_write_a_reference_of_its_own(deck):
    write_front(deck, '<image width="1" height="1" preserveAspectRatio="none" transform="scale(9)" '
                f'href="picture:{"0" * 64}.full"/>')
    done = deck.ppgen("build", "--only", "cards")
    assert done.exit_code == 1 and "<image> is not supported (draw pictures with image())" in done.stderr


def png_chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def huge_png(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", head) + png_chunk(b"IDAT", zlib.compress(bytes(100_000)))


def saved(kind: str, **options) -> bytes:
    target = io.BytesIO()
    photograph(5).save(target, kind, **options)
    return target.getvalue()


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def spoilt_png() -> bytes:
    """A PNG whose header and checksums are sound, but not what is compressed in it."""
    content = saved("PNG")
    at = content.index(b"IDAT") + 4
    length = int.from_bytes(content[at - 8:at - 4], "big")
    middle = at + length // 2
    data = content[at:middle] + bytes([content[middle] ^ 0xFF]) + content[middle + 1:at + length]
    return content[:at] + data + zlib.crc32(b"IDAT" + data).to_bytes(4, "big") + content[at + length + 4:]


def many_scans() -> bytes:
    target = io.BytesIO()
    picture().save(target, "JPEG", progressive=True)
    content = target.getvalue()
    *_, (_, start, end), _ = jpeg_segments(content)
    return content[:end] + content[start:end] * 100 + content[end:]


WRONG = {
    "spoilt.png": (spoilt_png, "art/spoilt.png is damaged: "),
    "scans.jpg": (many_scans, "art/scans.jpg has more than 100 scans (save it again as JPEG"),
    "thread.png": (lambda: huge_png(70_000, 1), "art/thread.png has 70,000 pixels on a side (at most 65,535"),
    "torn.jpg": (lambda: saved("JPEG")[:2000], "art/torn.jpg is damaged: "),
    "torn.png": (lambda: saved("PNG")[:2000], "art/torn.png is damaged: "),
    "torn.webp": (lambda: saved("WEBP")[:500], "art/torn.webp is damaged: "),
    "lie.png": (lambda: saved("GIF"), "art/lie.png is a GIF (save it as PNG or JPEG)"),
    "photo.tif": (lambda: saved("TIFF"), "art/photo.tif is a TIFF"),
    "bomb.png": (lambda: huge_png(60_000, 60_000), "art/bomb.png has more than 80 megapixels (make it smaller"),
    "large.png": (lambda: huge_png(9_500, 9_000), "art/large.png has more than 80 megapixels"),
    "heavy.jpg": (lambda: saved("JPEG") + bytes(41_000_000), "art/heavy.jpg has 41 MB (at most 40)"),
    "empty.png": (lambda: b"", "art/empty.png is empty"),
    "note.png": (lambda: b"hello", "art/note.png is not a picture"),
    "words.svg": (lambda: SVG.format("<text>a</text>").encode(), "has words, which can't be printed (turn them into"),
    "link.svg": (lambda: SVG.format('<image href="a.png" width="9" height="9"/>').encode(),
                 "art/link.svg links to a picture that is not in it (embed that picture"),
    "copies.svg": (lambda: SVG.format("".join(
        f'<g id="{n}">' + f'<use href="#{n + 1}"/>' * 20 + "</g>" for n in range(9)) + '<rect id="9"/>').encode(),
                   "art/copies.svg has more shapes than can be drawn (simplify it, or save it as PNG"),
    "entity.svg": (lambda: b'<!DOCTYPE svg [<!ENTITY a SYSTEM "b">]>' + SVG.encode(), "art/entity.svg has entities"),
    "sizeless.svg": (lambda: SVG.replace("0 0 9 9", "0 0 0 9").encode(), "art/sizeless.svg has no size"),
}


@pytest.mark.slow
def test_each_wrong_file_is_one_line_with_the_templates_place(deck):
    for name, (make, _) in WRONG.items():
        (art(deck) / name).write_bytes(make())
    write_cards(deck, *WRONG, *WRONG)
    done = deck.ppgen("build", "--only", "cards")
    lines = done.stderr.splitlines()
    assert done.exit_code == 1 and len(lines) == len(WRONG)
    for _, message in WRONG.values():
        assert sum(message in line and "card.svg.j2:2" in line for line in lines) == 1, message


PNG_DATA = "data:image/png;base64," + base64.b64encode(saved("PNG")).decode()
PIXELS = {
    "blur": '<filter id="f"><feGaussianBlur stdDeviation="1"/></filter><rect x="2" y="2" width="5" height="5" '
            'style="filter:url(#f)"/>',
    "picture": f'<image href="{PNG_DATA}" width="9" height="9"/>',
    "blend": '<rect width="9" height="9" fill="red"/><rect width="5" height="5" style="mix-blend-mode:multiply"/>',
    "arrow": '<marker id="m"><path d="M0 0L9 9"/></marker><path d="M1 1L8 8" marker-end="url(#m)" stroke="red"/>',
    "loop": '<rect width="9" height="9"/><g id="a"><use href="#a"/></g>',
}
SHAPES = {
    "what nothing refers to": '<filter id="f"><feBlend/></filter><marker id="m"/><rect width="9" height="9"/>',
    "far away": '<rect width="9" height="9"/><rect x="90000" width="9" height="9"/>',
    "one id twice": '<rect id="a" width="9" height="4"/><rect id="a" width="4" height="9"/>',
    "hidden words": '<g display="none"><text>a</text></g><rect width="9" height="9"/>',
    "shares of the page": '<rect width="100%" height="50%" fill="red"/>',
    "what Illustrator keeps": '<switch><foreignObject requiredExtensions="ns"/><g><rect width="9" height="9"/></g>'
                              '</switch>',
}


@pytest.mark.slow
def test_a_drawing_stays_shapes_or_becomes_pixels(deck):
    """What the subset lacks is drawn as browsers draw it; anything else stays sharp at any size."""
    drawings = {name.replace(" ", "-"): body for name, body in (PIXELS | SHAPES).items()}
    for name, body in drawings.items():
        svg = SVG.replace("0 0 9 9", "0 0 90 9") if name in PIXELS else SVG  # a tenth of the pixels
        (art(deck) / f"{name}.svg").write_text(svg.format(body), encoding="utf-8")
    found = {name: PictureFolder(deck.folder).find(f"{name}.svg") for name in drawings}
    assert [each.is_drawn for each in found.values()] == [True] * len(PIXELS) + [False] * len(SHAPES)
    assert all(each.is_drawing != each.is_drawn for each in found.values())
    write_cards(deck, *(f"{name}.svg" for name in drawings))
    made = run_ppgen("build", "-q", "--only", "cards", cwd=deck.folder)  # here typst has threads, and its child none
    assert made.returncode == 0, made.stderr
    for name, each in found.items():
        if each.is_drawn:
            image = Image.open(io.BytesIO(each.read()))
            assert image.size == (2000, 200) and image.convert("RGBA").getbbox(), f"{name}: something is drawn"


@pytest.mark.parametrize(("bound", "most", "fit"), [("MAX_DECK_PIXELS", 35_000, 3), ("MAX_DECK_BYTES", 3_000, 2)])
def test_all_pictures_beyond_those_of_a_deck_are_one_line(tmp_path, monkeypatch, bound, most, fit):
    monkeypatch.setattr(f"ppgen.engine.pictures.picture_files.{bound}", most)
    folder, found, said = PictureFolder(tmp_path), [], set()
    for name in "abcde":
        picture(100, 100).save(tmp_path / f"{name}.png")
        (tmp_path / f"{name}.png").write_bytes((tmp_path / f"{name}.png").read_bytes().ljust(1_200, name.encode()))
        try:
            found.append(folder.find(name))
        except PictureError as error:
            said.add((str(error), error.remedy))
    assert len(found) == fit and len(said) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_check_warns_of_coarse_pictures_once_for_each_line(deck):
    write_cards(deck, "plain", "plain")
    done = deck.ppgen("check")
    (line,) = (line for line in done.stderr.splitlines() if "dpi" in line)
    assert done.exit_code == 0 and "card.svg.j2:2 [c0 front en full poker] and 1 more" in line
    assert "shows a picture at 51 dpi (200 dpi look sharp" in line


@pytest.mark.parametrize("has_words", [False, True])
def test_each_row_has_the_picture_of_its_own_on_either_side(tmp_path, has_words):
    """Also where a drawing has words, which the deck draws."""
    words = '<text x="5" y="9" font-family="EB Garamond" font-size="4">Hi</text>' * has_words
    names = ["a", "b", "a-back", "b-back"]
    for n, name in enumerate(names):
        (tmp_path / f"{name}.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 63.5 88.9">'
            f'<rect width="63.5" height="88.9" fill="#10203{n}"/>{words}</svg>', encoding="utf-8")
    (tmp_path / "deck.toml").write_text('[cards]\ntable = "cards.csv"\nsize = "poker"\n', encoding="utf-8")
    (tmp_path / "cards.csv").write_text("id,art,back_art\na,a.svg,a-back.svg\nb,b.svg,b-back.svg\n", encoding="utf-8")
    workshop = Workshop.open(Assets.at(tmp_path))
    texts = workshop.texts("en")
    [part] = workshop.game.parts(texts, workshop.game.card_size)
    studio = workshop.studio(texts, "full")
    for piece in part.components:
        for (side, face), number in zip(piece.faces(), ("ab".index(piece.id), "ab".index(piece.id) + 2), strict=True):
            drawn = studio.draw(face, 2, "")
            shown = drawn.svg if has_words else "".join(str(key) for key in drawn.pictures)
            assert (f"#10203{number}" if has_words else f"{names[number]}.svg") in shown, (piece.id, side)
