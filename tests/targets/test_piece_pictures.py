"""Pictures have exactly the pixels that were asked for, sort by name, and are the same each time."""

import json

import pytest

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pictures.face_pictures import FacePicture, take_pictures
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.targets.piece_pictures import PieceSide, export_png, name_faces, name_pieces
from tests.targets.plain_game import asked, contents, face, opened, part, piece

LOW = ("--lang", "de", "--dpi", "37")
TOKENS = (
    "stones-01-claim-stone-1-both.png", "stones-02-claim-stone-2-both.png", "stones-03-claim-stone-3-both.png",
    "stones-04-claim-stone-4-both.png", "stones-05-claim-stone-5-both.png",
    "tablets-01-law-take-back-stone-front.png", "tablets-02-law-three-symbols-front.png",
    "tablets-03-law-mixed-countries-front.png", "tablets-04-law-minus-two-front.png", "tablets-back.png")


def pictures(desk):
    return {path.rpartition("/")[2]: content for path, content in desk.files().items()}


@pytest.mark.slow
def test_names_sort_as_the_set_does_and_backs_are_there_once(desk):
    done = desk.ppgen("export", "png", *LOW, "--skin", "plain")
    assert done.exit_code == 0, done.output
    made = [path.removeprefix("output/de/png-37dpi-plain/") for path in desk.files()]
    assert made[:2] == ["cards-01-france-1-front.png", "cards-02-france-2-front.png"]
    assert made[55:] == ["cards-56-denmark-4-front.png", "cards-back.png", *TOKENS]
    assert done.stdout.splitlines()[0] == "output/de/png-37dpi-plain/cards-01-france-1-front.png  64 × 99 px"
    assert "Files written: 67." in done.stderr


def test_each_pixel_of_a_face_is_a_pixel_of_its_picture(fonts):
    """No resampling: a chequerboard of pixels stays black and white, whatever the ratio of its sides."""
    for size, (width, height), bleed in ((Size(44, 68), (125, 193), 0), (Size(31.7, 38.1), (101, 119), 2),
                                         (Size(120, 70), (138, 80), 0), (Size(22, 22), (41, 41), 1)):
        across, down = (size.width + 2 * bleed) / width, (size.height + 2 * bleed) / height
        black = "".join(f'<rect x="{x * across - bleed}" y="{y * down - bleed}" width="{across}" height="{down}"/>'
                        for y in range(height) for x in range(y % 2, width, 2))
        box = f"{-bleed} {-bleed} {size.width + 2 * bleed} {size.height + 2 * bleed}"
        svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><rect x="-9" y="-9" width="999" height="999" '
               f'fill="#fff"/>{black}</svg>')
        chequered = FacePicture(face=Face(svg=svg, size=size, bleed=bleed), width=width, height=height, dpi=72)
        (content,) = take_pictures([chequered], fonts.folder)
        with opened(content) as picture:
            assert picture.size == (width, height)
            greys = sum(times for level, times in enumerate(picture.convert("L").histogram()) if 40 < level < 215)
            assert greys == 0


def test_names_of_faces_cost_the_same_for_each_card(monkeypatch):
    """Whether all cards share a back or two at a time do, faces are compared and hashed a fixed number of times."""
    work = []
    monkeypatch.setattr(Face, "__hash__", lambda face: work.append(face) or id(face))
    monkeypatch.setattr(PieceSide, "__hash__", lambda side: work.append(side) or id(side))
    monkeypatch.setattr(Face, "__eq__", lambda face, other: work.append(face) or face is other)

    def count(cards: int, sharing: int) -> int:
        faces = [Face(svg="<svg/>", size=Size(30, 40), bleed=0) for _ in range(cards + cards // sharing)]
        pieces = tuple(piece(f"card-{n}", back=face()) for n in range(cards))
        drawn = DrawnPart(part=part("cards", *pieces), faces={
            (each.id, side): faces[n if side == "front" else cards + n // sharing]
            for n, each in enumerate(pieces) for side in ("front", "back")})
        work.clear()
        named = name_faces(name_pieces(drawn))
        assert len(named) == len(faces) and sum(len(each.shows) for each in named) == 2 * cards
        return len(work)

    for sharing in (20, 2):
        assert count(400, sharing) <= 4.2 * count(100, sharing)


def test_bleed_is_drawn_around_the_trim(plain):
    game = plain(part("deck", piece("one", Size(30, 40), "#FF0000")))
    (content,) = contents(export_png(game, asked(), 254, bleed=3)).values()
    with opened(content) as picture:
        assert picture.size == (360, 460)
        assert picture.getpixel((0, 0)) == picture.getpixel((359, 459)) == picture.getpixel((15, 200)) == (255, 0, 0)
        assert picture.getpixel((29, 31)) == (255, 0, 0)  # the bar is of the trim only
        assert picture.getpixel((30, 30)) == (0, 0, 0)


def test_corners_are_round_smooth_and_transparent(plain):
    game = plain(part("deck", piece("one", Size(30, 40), "#FF0000")))
    ((path, content),) = contents(export_png(game, asked(), 254, corners=3)).items()
    assert path == "en/png-254dpi-corners3/deck-01-one-front.png"
    with opened(content) as picture:
        alpha = picture.getchannel("A")
        assert [alpha.getpixel(corner) for corner in ((0, 0), (299, 0), (0, 399), (299, 399))] == [0] * 4
        assert alpha.getpixel((150, 0)) == alpha.getpixel((0, 200)) == alpha.getpixel((30, 30)) == 255
        assert 20 < sum(alpha.histogram()[1:255]) < 400
        # the arc is where a circle of 3 mm puts it: 30 pixels, at 45 degrees 8.8 pixels from both edges
        assert alpha.getpixel((8, 8)) < 200 < alpha.getpixel((10, 10))


def test_a_picture_that_is_too_large_is_left_out_and_the_others_are_written(plain):
    board = piece("map", Size(500, 400), "#FF0000")
    (export,) = export_png(plain(part("deck", piece("one", Size(30, 40), "#FF0000"), board)), asked(), 1200)
    assert [file.file.path for file in export.files(lambda *_: None)] == ["en/png-1200dpi/deck-01-one-front.png"]
    (problem,) = export.left_out
    assert problem.key == "[deck-02-map-front.png]" and problem.what.key == "left_out"


def test_json_tells_of_every_file(desk):
    done = desk.ppgen("export", "png", "-l", "en", "-l", "de", "--dpi", "37", "--only", "tablets", "--json")
    english, german = json.loads(done.stdout)
    assert (english["export"], english["lang"], english["folder"]) == ("png", "en", "output/en/png-37dpi")
    assert german["lang"] == "de"
    first, last = english["files"][0], english["files"][-1]
    assert first["path"] == "output/en/png-37dpi/tablets-01-law-take-back-stone-front.png"
    assert (first["width_px"], first["height_px"], first["dpi"], first["bleed_mm"]) == (46, 56, 37, 0)
    assert first["shows"] == [{"component": "law-take-back-stone", "title": first["shows"][0]["title"],
                               "side": "front", "copies": 2}]
    assert {shown["component"] for shown in last["shows"]} == {
        "law-take-back-stone", "law-three-symbols", "law-mixed-countries", "law-minus-two"}
    assert len({file["sha256"] for file in english["files"]}) == 5
