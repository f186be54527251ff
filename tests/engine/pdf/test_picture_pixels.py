"""Pixels of pictures on their way to paper: grey stays grey, depths and profiles are honoured."""

import io
import struct
import zlib

import pytest
from hypothesis import given, strategies as st
from pikepdf import Name, Pdf, PdfImage
from PIL import Image

from ppgen.engine.pictures.picture import Picture, content_digest, packed_lines, png_chunk, png_chunks, save_png
from ppgen.engine.pictures.picture_embedding import _PictureWriter
from ppgen.engine.pictures.picture_files import inspect_picture
from ppgen.engine.pictures.picture_pixels import _grey, copy_picture, vanishes_on_dark


def grey_profile() -> bytes:
    """An ICC profile of grey with a gamma of 1 (ICC.1:2010, 7.2 and 8.3.5)."""
    tags = {b"wtpt": b"XYZ \0\0\0\0" + struct.pack(">3i", 63190, 65536, 54061), b"kTRC": b"curv\0\0\0\0\0\0\0\0",
            b"desc": b"desc\0\0\0\0\0\0\0\x02g\0" + bytes(80), b"cprt": b"text\0\0\0\0-\0\0\0"}
    start, table, data = 128 + 4 + 12 * len(tags), b"", b""
    for name, body in tags.items():
        table += name + struct.pack(">2I", start + len(data), len(body))
        data += body + bytes(-len(body) % 4)
    head = struct.pack(">I4sI4s4s4s", start + len(data), bytes(4), 0x02400000, b"mntr", b"GRAY", b"XYZ ")
    head += bytes(12) + b"acsp" + bytes(28) + struct.pack(">3i", 63190, 65536, 54061)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + data


def picture_of(folder, image: Image.Image, **facts: object) -> Picture:
    path = folder / "a.png"
    image.save(path, **facts)
    return read_picture(path)


def read_picture(path) -> Picture:
    content = path.read_bytes()
    digest = content_digest(content)
    return Picture(name=path.name, path=path, digest=digest, **inspect_picture(content, path.name, digest))


def copied(picture: Picture, side: int = 0) -> Image.Image:
    return Image.open(io.BytesIO(copy_picture(picture, "full", side)[0]))


def test_grey_with_a_profile_of_its_own_stays_grey(tmp_path):
    image = Image.linear_gradient("L").resize((16, 16))
    made = copied(picture_of(tmp_path, image, icc_profile=grey_profile()))
    assert (made.mode, made.tobytes()) == ("L", image.tobytes())


@pytest.mark.parametrize("mode", ["1", "L", "RGB", "P"])
def test_a_small_copy_has_the_longer_side_that_was_asked_for_and_a_large_one_all_pixels(tmp_path, mode):
    picture = picture_of(tmp_path, Image.new(mode, (40, 20)))
    assert copied(picture, 10).size == (10, 5)
    assert copied(picture, 40).size == copied(picture, 0).size == (40, 20)


@pytest.mark.parametrize(("colour", "vanishes"), [
    ((20, 20, 30, 255), True), ((230, 220, 200, 255), False), ((20, 20, 30, 0), False)])
def test_dark_shapes_on_a_transparent_ground_vanish_on_dark_paper(tmp_path, colour, vanishes):
    image = Image.new("RGBA", (40, 20))
    image.paste(colour, (5, 5, 30, 15))
    assert vanishes_on_dark(picture_of(tmp_path, image)) == vanishes
    assert not vanishes_on_dark(picture_of(tmp_path, Image.new("RGB", (40, 20))))


MODES = st.sampled_from(["L", "LA", "RGB", "RGBA", "P", "1", "I;16"])


@given(mode=MODES, size=st.tuples(st.integers(1, 40), st.integers(1, 40)), level=st.integers(0, 9))
def test_a_saved_png_has_the_pixels_and_the_facts_of_its_picture(mode, size, level):
    image = Image.effect_mandelbrot(size, (-2, -1, 1, 1), 50).convert(mode)
    content = save_png(image, level=level, dpi=(300, 300))
    with Image.open(io.BytesIO(content)) as read:
        assert (read.mode, read.size, read.tobytes()) == (image.mode, image.size, image.tobytes())
        assert read.info["dpi"] == pytest.approx((300, 300), abs=0.1)


def photograph(mode: str = "RGB") -> Image.Image:
    return Image.effect_noise((60, 90), 40).resize((240, 360), Image.Resampling.BICUBIC).convert(mode)


def embedded(picture: Picture) -> tuple[bytes, Image.Image]:
    """The data of a picture in a PDF, and its pixels as another reader sees them."""
    with Pdf.new() as pdf:
        found = _PictureWriter(pdf, {picture.digest: picture}, {}, 100).image(picture.digest, "full", Name.DeviceRGB)
        return found.read_raw_bytes(), PdfImage(found).as_pil_image()


@pytest.mark.parametrize(("mode", "facts", "as_it_is"), [
    ("RGB", {}, True), ("L", {}, True), ("RGB", {"dpi": (300, 300)}, True), ("P", {}, False), ("RGBA", {}, False),
    ("RGB", {"compress_level": 0}, False)])
def test_a_plain_png_keeps_its_packed_lines_unless_they_are_packed_badly(tmp_path, mode, facts, as_it_is):
    image = photograph(mode)
    picture = picture_of(tmp_path, image, **facts)
    data, seen = embedded(picture)
    assert (data == packed_lines(picture.path.read_bytes())) == as_it_is
    assert seen.convert("RGB").tobytes() == image.convert("RGB").tobytes()


@pytest.mark.parametrize("spoil", [
    lambda lines: lines + lines[:721], lambda lines: lines + bytes(10_000_000)], ids=["a line more", "a bomb"])
def test_lines_beyond_a_picture_never_reach_a_pdf(tmp_path, spoil):
    picture = picture_of(tmp_path, photograph())
    chunks = [*png_chunks(picture.path.read_bytes())]
    lines = zlib.compress(spoil(zlib.decompress(packed_lines(picture.path.read_bytes()))))
    spoilt = b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*chunk) for chunk in (
        chunks[0], (b"IDAT", lines), (b"IEND", b"")))
    picture.path.write_bytes(spoilt)
    data, seen = embedded(read_picture(picture.path))
    assert len(zlib.decompress(data)) == 360 * (1 + 3 * 240) and seen.size == (240, 360)


@given(st.from_regex(r"#[0-9a-f]{6}", fullmatch=True))
def test_the_grey_of_a_colour_is_that_of_pillow(colour):
    grey = Image.new("RGB", (1, 1), colour).convert("L").getpixel((0, 0))
    assert _grey(colour) == pytest.approx(grey / 255, abs=0.005)
