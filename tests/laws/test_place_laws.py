"""Laws of small computations: places of words, sizes of pictures, values, names, and files that are left alone."""

import hashlib
import io
import zlib
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from ppgen.cli.new import _title
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pdf.assembly import _CaptionLine, _set_line
from ppgen.engine.pictures.face_pictures import MAX_PICTURE_PIXELS, PICTURE_DPI, _trim, blank_face
from ppgen.engine.pictures.picture import PictureError
from ppgen.engine.pictures.picture_files import inspect_picture
from ppgen.engine.shapes import is_inside
from ppgen.engine.svg.subset import COLOUR_KINDS, VALUES, is_valid_value
from ppgen.pages.site_folder import SUMS, find_stale_files
from ppgen.play.line_points import PLACES, _place_clauses
from ppgen.printing.tuck_box import _fits
from ppgen.review.word_table import _table_files
from tests.games.own_deck.decks import lay_out
from tests.laws.sheets import tenths

SIZES = st.builds(Size, tenths(10, 900), tenths(10, 900))


@given(SIZES, st.sampled_from([0, 3]))
def test_faces_are_compared_in_as_many_pixels_as_there_may_be(size: Size, bleed: float) -> None:
    picture = _trim(blank_face(size, bleed))
    assert picture.dpi <= PICTURE_DPI and picture.width / picture.height == pytest.approx(
        size.width / size.height, rel=2 / min(picture.width, picture.height))
    assert picture.width * picture.height <= MAX_PICTURE_PIXELS * 1.01
    assert picture.dpi == PICTURE_DPI or picture.width * picture.height > 0.98 * MAX_PICTURE_PIXELS


@given(SIZES, SIZES)
def test_a_net_fits_if_it_lies_inside_on_one_of_its_sides(net: Size, room: Size) -> None:
    assert _fits(net, room) == any(each.width <= room.width and each.height <= room.height
                                   for each in (net, net.turned))


@given(*[st.complex_numbers(max_magnitude=50, allow_nan=False)] * 3, *[st.floats(-0.9, 1.9)] * 2)
def test_a_point_is_inside_of_a_ring_if_it_lies_between_its_corners(a: complex, b: complex, c: complex, s: float,
                                                                    t: float) -> None:
    area = (b - a).real * (c - a).imag - (b - a).imag * (c - a).real
    if abs(area) > 1 and min(abs(s), abs(t), abs(1 - s - t)) > 0.01:
        at = a + s * (b - a) + t * (c - a)
        inside = s > 0 and t > 0 and s + t < 1
        assert [is_inside(ring, at.real, at.imag) for ring in ((a, b, c), (c, b, a), (b, c, a))] == [inside] * 3


SAMPLES = {
    "a number": "-1.5e1 +2 .5 7.", "a number or share": "50% 0.5 -3", "a colour": "#abc #a0b1c2 none url(#a) red",
    "a plain colour": "#abc black tomato", "a reference": "none url(#a.b-c)", "a weight": "400 700", "a name": "a.b-1",
    "a font's name": "Garamond 'x'", "an alignment": "none xMidYMax", "four numbers": "0,0,63.5,88.9",
    "path data": "M1,1L2,2h3v4c1,1,2,2,3,3s1,1,2,2a1,1,0,0,1,2,2z", "a transform": "rotate(45) scale(2,3)",
    "a list of points": "1,2,3,4", "a list of numbers": "none 1,2"}


@pytest.mark.parametrize("name", sorted(name for name, (kind, *_) in VALUES.items() if kind in SAMPLES))
def test_an_attribute_takes_its_values_whole_and_nothing_before_or_behind_them(name: str) -> None:
    kind = VALUES[name][0]
    for value in SAMPLES[kind].split():
        assert is_valid_value(name, value) and is_valid_value("unknown", value)
        for spoilt in ("{};", "{})", "({}", '{}" onload="x', "{}<", "javascript:{}"):
            assert not is_valid_value(name, spoilt.format(value))
    assert is_valid_value(name, "tomato") == (kind in COLOUR_KINDS or kind in ("a name", "a font's name"))


@pytest.mark.parametrize(("mode", "is_plain"), [
    ("RGB", True), ("L", True), ("RGBA", False), ("P", False), ("1", False)])
@pytest.mark.parametrize("size", [(7, 5), (40, 300)])
def test_lines_of_a_png_are_taken_as_they_are_if_they_are_whole_plain_and_packed(mode: str, is_plain: bool,
                                                                               size: tuple[int, int]) -> None:
    def save(image: Image.Image, level: int = 9) -> bytes:
        target = io.BytesIO()
        image.save(target, "PNG", compress_level=level)
        return target.getvalue()

    noise = save(Image.effect_noise(size, 90).convert(mode))
    def is_intact(png: bytes) -> bool:
        return bool(inspect_picture(png, "noise.png", "")["intact"])

    assert is_intact(noise) == is_plain
    at = noise.index(b"IDAT")
    length = int.from_bytes(noise[at - 4:at], "big")
    lines = zlib.decompress(noise[at + 4:at + 4 + length])
    for torn in (lines[:-1], lines + b"\0", b"\5" + lines[1:]):
        packed = zlib.compress(torn)
        data = noise[:at - 4] + len(packed).to_bytes(4, "big") + b"IDAT" + packed
        with suppress(PictureError):
            assert not is_intact(data + zlib.crc32(b"IDAT" + packed).to_bytes(4, "big") + noise[at + 8 + length:])
    assert not is_intact(save(Image.new(mode, (300, 300)), 0))


@pytest.mark.parametrize("want", ["most", "fewest"])
def test_each_place_is_named_by_its_word_or_its_number(want: str) -> None:
    players = len(PLACES) + 3
    words = SimpleNamespace(common={f"places.{each}": each for each in PLACES}, join=", ".join)
    call = type("Words", (SimpleNamespace,), {"__call__": lambda self, key, group, **values: values.get("place")})
    line = SimpleNamespace(only="", want=want, group="", before=False)
    counts = [*range(1, players + 1)]
    clauses = [*_place_clauses(line, counts, [9] * players, [*map(str, counts)], call(**vars(words)))]
    assert clauses[1:] == [*PLACES, *map(str, range(len(PLACES) + 2, players + 1))]


@pytest.mark.parametrize("room", [10, 30, 300])
@pytest.mark.parametrize("words", ["Blatt 1", "Blatt 竜 1 龍 x", "竜"])
def test_words_of_a_caption_follow_each_other_within_their_room(fonts: FontBook, words: str, room: float) -> None:
    drawn = list[tuple[float, str, float]]()
    canvas = SimpleNamespace(size=0.0, stringWidth=lambda text, name, size: len(text) * size / 2,
                             drawString=lambda at, base, text: drawn.append((at, text, len(text) * canvas.size / 2)))
    canvas.setFont = lambda name, size: setattr(canvas, "size", size)
    _set_line(_CaptionLine(text=words, strip=Rect(0, 0, 300, 5), start=20, room=room), 3, canvas, fonts)
    points = 72 / 25.4
    ends = [20 * points, *(at + width for at, _, width in drawn)]
    assert [at for at, *_ in drawn] == pytest.approx(ends[:-1]) and ends[-1] <= (20 + room) * points + 1e-6
    assert "".join(text for _, text, _ in drawn) == words


def test_of_an_earlier_site_only_unchanged_files_inside_are_stale(tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside"
    (folder / "files").mkdir(parents=True)
    for path in (folder / "old", folder / "files/old", folder / "changed", folder / "again", outside):
        path.write_bytes(b"x")
    (folder / "link").symlink_to(folder / "old")
    names = ["old", "files/old", "changed", "again", "link", "missing", "../outside", str(outside)]
    digest = {True: hashlib.sha256(b"x").hexdigest(), False: hashlib.sha256(b"y").hexdigest()}
    (folder / SUMS).write_text("".join(f"{digest[name != 'changed']}  {name}\n" for name in names), encoding="utf-8")
    stale = find_stale_files(folder, [SimpleNamespace(path="again")])
    assert {*stale} == {folder / "old", folder / "files/old"}


def test_tables_whose_words_are_translated_are_those_that_can_be_written(tmp_path: Path) -> None:
    tables = ["a.csv", "b.TSV", "c.Csv", "d.xlsx", "e.ods", "missing.csv", "a.csv"]
    lay_out(tmp_path, {**dict.fromkeys(tables, "Name\n"), "deck.toml": "".join(
        f'[part{n}]\ntable = "{name}"\n' for n, name in enumerate(tables))})
    (tmp_path / "missing.csv").unlink()
    assert _table_files(tmp_path) == ["a.csv", "b.TSV", "c.Csv"]


@settings(max_examples=30)
@given(st.text("aBc-_ é竜{}", max_size=8))
def test_a_deck_is_called_as_its_folder_with_a_capital(name: str) -> None:
    title = _title(name)
    assert title and title[0] == title[0].upper() and not {*title} & {*"-_{}"}
    assert title.casefold().replace(" ", "") == ("".join(filter(str.isalpha, name)).casefold() or "deck")
