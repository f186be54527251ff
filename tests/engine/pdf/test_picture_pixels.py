"""Pixels of pictures on their way to paper: grey stays grey, depths and profiles are honoured."""

import io
import struct

import pytest
from PIL import Image

from ppgen.engine.pictures.picture import Picture, content_digest
from ppgen.engine.pictures.picture_pixels import copy_picture, vanishes_on_dark


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
    content = path.read_bytes()
    return Picture(name="a.png", path=path, digest=content_digest(content), kind="png", mode=image.mode,
                   width=image.width, height=image.height)


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
