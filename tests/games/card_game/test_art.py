"""What the drawings must get right, seen on pictures of the cards."""

import io
import re
from dataclasses import replace
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageFilter

from ppgen.engine.colours import Swatch, contrast, find_clashes
from ppgen.engine.drawing.woodcut import to_night
from ppgen.engine.geometry import Format, Size
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.engine.pictures.face_pictures import coverage
from ppgen.review.set_check import SPEC


@pytest.fixture(scope="module")
def workshop(workshop):
    """The shipped set, whose texts and parts are made once."""
    return replace(workshop, results={})


def drawn(workshop, piece, ink="full", size=None, **changed):
    """The front of a piece as SVG, with other values of its card."""
    texts = workshop.texts("de")
    parts = workshop.parts(texts, size or workshop.game.card_size, SPEC, ("cards",)).parts
    request = next(component.front for part in parts for component in part.components if component.id == piece)
    card = {**request.values["card"], **changed}
    return workshop.studio(texts, ink).draw(replace(request, values={"card": card}), 0, piece)


@pytest.mark.slow
def test_a_name_stands_clear_of_the_lines_of_its_ribbon(workshop):
    """Around its letters the panel is bare, for at least 0.25 mm; on a bend, too."""
    size = Format("micro", Size(31.75, 44.45))
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
def test_in_low_ink_no_robe_is_a_plane_of_ink(workshop):
    """Two oaths: the family of one wears a colour so dark that it would be printed."""
    dark, light = coverage([drawn(workshop, name, "low") for name in ("saxony-3", "castile-3")], workshop.fonts.folder)
    assert dark < 1.2 * light


@pytest.mark.slow
def test_each_card_has_a_picture_of_its_own(workshop):
    """By what is drawn, not by words alone; also the two pairs of cards that mean the same."""
    cards = workshop.parts(workshop.texts("de"), workshop.game.card_size, SPEC, ("cards",)).parts[0].components
    values = [card.front.values["card"] for card in cards]
    assert len({(card["country"], card["symbols"], card["route"]) for card in values}) == len(values) - 2
    pictures = {re.sub(r"<text.*?</text>", "", drawn(workshop, card["id"]).svg) for card in values}
    assert len(pictures) == 56


@pytest.mark.slow
def test_no_two_councils_have_the_same_faces(workshop):
    """Of the curves that are drawn on a scene alone (not of tents, shields and ribbons) two share less than half."""
    def curves(svg):
        return set(re.findall(r' d="([^"]{90,})"', svg))

    cards = workshop.parts(workshop.texts("de"), workshop.game.card_size, SPEC, ("cards",)).parts[0].components
    councils = [curves(drawn(workshop, card.id).svg) for card in cards
                if not card.front.values["card"]["route"] and len({*card.front.values["card"]["symbols"]}) == 2]
    assert len(councils) == 6
    usual = set.intersection(*councils)
    for one, other in combinations(councils, 2):
        assert len(one & other - usual) < 0.5 * len((one | other) - usual)


def test_a_night_has_windows_lighter_than_their_walls_and_nothing_else_is_lighter_than_by_day():
    wall, window, lamp = "#C9A26A", "#3A2C22", "#FFD65D"
    paths = [f'<path d="M0 0H9V9Z" fill="{paint}"/>' for paint in (wall, window, lamp)]
    found = re.findall(r'fill="(#\w+)"', to_night(drawing="".join(paths)))
    dark, *glow, lit, flame = (contrast(paint, "#000000") for paint in found)
    assert len(glow) == 2 and dark < contrast(wall, "#000000") < lit == max(glow)
    assert flame == contrast(lamp, "#000000")


def test_a_dark_sign_is_seen_on_gold_cloth_by_night():
    paths = [f'<path d="M0 0H9V9Z" fill="{paint}"/>' for paint in ("#E6B83F", "#4B3B30")]
    cloth, sign = re.findall(r'fill="(#\w+)"', to_night(drawing="".join(paths)))
    assert contrast(cloth, sign) > 5


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
