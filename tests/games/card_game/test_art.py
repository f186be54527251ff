"""What the drawings must get right, seen on pictures of the cards."""

import io
import re
import shutil
from dataclasses import replace
from itertools import product

import pytest
from PIL import Image, ImageChops, ImageFilter

from ppgen.assets import Assets
from ppgen.engine.colours import Swatch, contrast, find_clashes
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fineness import find_fine_details
from ppgen.engine.drawing.night import MOONLIT, SUNLIT, to_night
from ppgen.engine.geometry import Format, Size
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.printing.workshop import Workshop
from ppgen.review.set_check import SPEC
from ppgen.shipped import shipped_root

MINI_EURO = Format("mini-euro", Size(44, 68))


def drawn(workshop, piece, ink="full", size=MINI_EURO, **changed):
    """The front of a piece as SVG, with other values of its card."""
    texts = workshop.texts("de")
    request = next(component.front for part in workshop.parts(texts, size, SPEC, ("cards",)).parts
                   for component in part.components if component.id == piece)
    card = {**request.values["card"], **changed}
    return workshop.studio(texts, ink).draw(replace(request, values={"card": card}), 0, piece)


@pytest.mark.slow
@pytest.mark.parametrize("size", [Format("micro", Size(31.75, 44.45)), Format("poker", Size(63.5, 88.9))])
def test_a_name_stands_clear_of_the_lines_of_its_ribbon(workshop, size):
    """Around its letters the panel is bare, for at least 0.25 mm; on a bend, too."""
    faces = [drawn(workshop, "denmark-1", size=size, name=words) for words in ("", "Dänemark")]
    bare, named = (Image.open(io.BytesIO(png)).convert("RGB") for png in faces_png(faces, workshop.fonts.folder, 508))
    letters = ImageChops.difference(bare, named).convert("L").point(lambda tone: 255 if tone else 0)
    around = letters.filter(ImageFilter.MaxFilter(11))
    assert len(Image.composite(bare, Image.new("RGB", bare.size), around).getcolors()) == 2  # the panel, and outside


@pytest.mark.parametrize("player", [1, 5])
def test_a_stone_has_its_colour_alone_for_08_mm_inside_of_what_is_cut(workshop, player):
    """A cut that is a little off shows no other colour."""
    parts = workshop.game.parts(workshop.texts("de"), workshop.game.card_size)
    request = {piece.id: piece for part in parts for piece in part.components}[f"claim-stone-{player}"].front
    face = workshop.studio(workshop.texts("de"), "full").draw(request, 2.0, "stone")
    image = Image.open(io.BytesIO(faces_png([face], workshop.fonts.folder, 508)[0])).convert("RGBA")
    left = min(point.x for point in request.shape.outline(request.size).points)
    # A twentieth of a mm in the middle of each pixel, and of the stone's height: there all sides are upright.
    across = [image.getpixel((at, (13 * 20))) for at in range(260)]
    begin, cut = round(left * 20), round((left + 2) * 20)
    assert all(pixel[3] == 0 for pixel in across[:max(begin - 1, 0)])
    colour = across[cut]
    assert across[begin + 1:cut + 15] == [colour] * (cut + 15 - begin - 1)
    assert next(at for at in range(cut, 260) if across[at] != colour) >= cut + 0.8 * 20


@pytest.mark.parametrize("width", [31.75, 44])
def test_a_law_has_a_scene_where_people_are_large_enough(workshop, width):
    texts = workshop.texts("de")
    (part,) = workshop.parts(texts, Format("own", Size(width, width * 1.5)), SPEC, ("tablets",)).parts
    faces = [workshop.studio(texts, "full").draw(component.front, 0, component.id) for component in part.components]
    pictures = {face.svg.partition('id="picture"')[2].partition('fill="url(#daylight)"')[0] for face in faces}
    assert len(pictures - {""}) == (4 if width > 40 else 0)
    assert not [fine for face in faces for fine in find_fine_details(face) if fine.kind == "stroke"]


SCENES = tuple(product(((), ("rose",), ("rose", "rose"), ("rose", "key")), (None, "ship", "carriage")))


@pytest.mark.slow
@pytest.mark.parametrize("country", ["italy", "nowhere"])
def test_every_kind_of_card_has_a_scene_in_every_country(workshop, country):
    """Those of decks of one's own, too: no country has all of them in ours, and some are in no file of ours."""
    scenes = {(symbols, route): drawn(workshop, "italy-1", country=country, symbols=symbols, route=route).svg
              for symbols, route in SCENES}
    assert all('id="picture"' in svg for svg in scenes.values())
    assert len(set(scenes.values())) == len(SCENES)


def test_the_second_of_two_alike_has_evening_light(workshop):
    day, evening = (drawn(workshop, f"france-{n}").svg for n in (1, 2))
    assert day != evening
    assert drawn(workshop, "france-2", twin=0, nth=1).svg == day
    assert "#FFD65C" in evening and "#FFD65C" not in day  # windows are lit
    by_day, by_night = (drawn(workshop, "france-2", "low", twin=twin).svg for twin in (0, 1))
    assert by_day != by_night  # another hall, and the sun, in low ink too


@pytest.mark.slow
def test_each_card_has_a_picture_of_its_own(workshop):
    """By what is drawn, not by words alone; also the two pairs of cards that mean the same."""
    cards = workshop.parts(workshop.texts("de"), MINI_EURO, SPEC, ("cards",)).parts[0].components
    values = [card.front.values["card"] for card in cards]
    assert len({(card["country"], card["symbols"], card["route"]) for card in values}) == len(values) - 2
    pictures = {re.sub(r"<text.*?</text>", "", drawn(workshop, card["id"]).svg) for card in values}
    assert len(pictures) == 56


def test_a_night_has_windows_lighter_than_their_walls_and_nothing_else_is_lighter_than_by_day():
    wall, window, lamp = "#C9A26A", "#3A2C22", "#FFD65D"
    paths = [f'<path d="M0 0H9V9Z" fill="{paint}"/>' for paint in (wall, window, lamp)]
    found = re.findall(r'fill="(#\w+)"', to_night(drawing="".join(paths)))
    dark, *glow, lit, flame = (contrast(paint, "#000000") for paint in found)
    assert len(glow) == 2 and dark < contrast(wall, "#000000") < lit == max(glow)
    assert flame == contrast(lamp, "#000000")


def test_an_edge_in_the_sun_lies_in_the_moon_by_night_and_glows_in_the_evening(workshop):
    edge = '<path d="M0 0H9V9Z" fill="#FFF1C6" fill-opacity=".6"/>'
    assert re.findall("#[0-9A-F]{6}", to_night(drawing=edge)) == [MOONLIT]
    day, night, evening = (drawn(workshop, f"france-{n}").svg for n in (1, 2, 7))
    assert [SUNLIT in svg for svg in (day, night, evening)] == [True, False, False]
    assert MOONLIT in night and "#FFC266" in evening


POSES = ("bargain", "up", "down", "carry", "row", "lead", "reap", "kneel", "pray", "drive", "ride", "write")


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """A face with a person on it, half as large as in the scenes, drawn by pose, dress, kind of hat and look."""
    folder = tmp_path_factory.mktemp("people") / "templates"
    shutil.copytree(shipped_root() / "templates", folder)
    (folder / "person.svg.j2").write_text(
        '{% import "card_game/art/people.svg.j2" as people %}\n<svg xmlns="http://www.w3.org/2000/svg" '
        'viewBox="{{ face.view_box }}">'
        '{{ people.person(5, 11, 0.5, pose=pose, dress=dress, hat="#00FF00", kind=kind, face=look) }}</svg>')
    studio = (workshop := Workshop.open(Assets.at(None, folder))).studio(workshop.texts("de"), "full")
    return lambda pose="bargain", dress="tunic", kind="hat", look=0: studio.draw(
        FaceRequest(template="person.svg.j2", size=Size(12, 12), key="person",
                    values={"pose": pose, "dress": dress, "kind": kind, "look": look}), 0, "person")


@pytest.mark.slow
@pytest.mark.parametrize(("pose", "dress"), [
    (pose, ("tunic", "gown", "habit")[n % 3]) for n, pose in enumerate(POSES)])
def test_in_every_pose_the_head_is_the_highest_and_no_stroke_is_lost(people, pose, dress):
    face = people(pose, dress)
    assert find_fine_details(face) == ()
    image = Image.open(io.BytesIO(faces_png([face], None, 508)[0])).convert("RGB")
    hat = [y for y in range(image.height) for x in range(image.width) if image.getpixel((x, y)) == (0, 255, 0)]
    robe = [y for y in range(image.height) for x in range(image.width) if image.getpixel((x, y)) == (0x8A, 0x4B, 0x3C)]
    assert hat and max(hat) < min(robe)


def test_a_key_reads_the_same_where_the_scene_is_mirrored(workshop):
    """It is the only badge with a left and a right: its bow lies on the other side in the mirrored drawing."""
    keys = [re.findall(r'd="M(-?5) -38A15', drawn(workshop, card).svg) for card in ("italy-5", "bavaria-3", "saxony-2")]
    assert keys == [["-5", "-5", "5"], ["5", "5", "5"], ["5"] * 4]  # the last ones are on the strip


@pytest.mark.parametrize("size", [Size(31.75, 44.45), Size(70, 70)])
def test_the_scene_gives_way_where_there_is_no_room(workshop, size):
    assert 'id="picture"' not in drawn(workshop, "france-1", size=Format("", size)).svg


def test_a_tablet_with_its_name_has_no_second_number(workshop):
    """The small picture of it in the rules has no name, so the number is cut into the stone."""
    texts = workshop.texts("de")
    (part,) = workshop.parts(texts, MINI_EURO, SPEC, ("tablets",)).parts
    front = next(component.front for component in part.components if component.id == "law-minus-two")
    number = "M22 76H44V84H22Z"
    assert number not in workshop.studio(texts, "full").draw(front, 0, "").svg
    assert number in workshop.studio(texts, "full").draw(replace(front, small=True), 0, "").svg


def test_circle_symbols_stand_on_discs_that_differ_for_every_eye_and_in_grey(workshop):
    discs = []
    for kind in ("cross", "fan", "rose", "crescent", "star", "key"):
        face = drawn(workshop, "france-1", symbols=[kind])
        colour = re.search(r'<circle r="47(?:\.0)?" fill="(#\w+)"', face.svg)[1]
        discs.append(Swatch(name=kind, colour=colour, cue=kind))
    least = {}
    for pair in find_clashes(discs, least=99):
        least[pair.vision] = min(least.get(pair.vision, 99), pair.distance)
    assert least.pop("grey") >= 8
    assert min(least.values()) >= 10
