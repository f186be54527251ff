"""Looks of first layouts (``ppgen new --look``): each suits any table, and a deck without one stays as it was."""

import io
import re
import tomllib
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from ppgen.assets import Assets
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.pictures.face_pictures import at_dpi, take_pictures
from ppgen.making.first_layout import looks
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tests.printing.test_new_deck import make_deck, paint

LOOKS = sorted(looks())
ROOT = shipped_root() / "data" / "looks"
HEROES = ("Name,Cost,Type,Text,Flavour,Attack,Defence,Rarity,Qty\n"
          "Ember Drake,5,Beast,**Flying.** Deal {sword} 2 to any target.,It nests where the lava cools.,4,3,Rare,2\n"
          "Moss Golem,3,Construct,\"At the start of your turn, heal 1.\",,2,5,Common,3\n"
          "Lady Aurelia of the Silver Marches,6,Hero,\"Once per turn, exhaust her: return a hero of cost 3 or less "
          "from your discard pile to your hand, and all others get +1/+1 until the end of the turn.\",,3,6,Rare,1\n")
PLACES = ("Name,Type,Cost,Effect,Art,VP\nGolden Valley,Region,4,Gain {coin}{coin}.,valley.png,3\n"
          "Cold Pass,Pass,2,Travellers pay 1.,,2\nSunken Road,Road,1,Move two travellers.,valley.png,1\n")
NUMBERS = "Suit,Value\nSuns,1\nMoons,13\nLeaves,5\nWaves,10\n"
TILES = "Name,Terrain,Value,Effect\nOld Mill,Forest,3,Gain wood\nIron Vein,Mountain,5,Gain 1 ore\nSalt Marsh,Swamp,2,\n"
COUNTERS = "Unit,Side,Attack,Movement\nInfantry,Red,3,4\nArmour,Red,6,8\nArtillery,Blue,5,3\n"
QUESTIONS = "Question\nWhat is the worst thing to hear from a surgeon?\nName three things that you would never lend.\n"
TABLES = {"heroes": (HEROES, "poker", "rectangle"), "places": (PLACES, "poker", "rectangle"),
          "numbers": (NUMBERS, "poker", "rectangle"), "tiles": (TILES, "60mm", "hexagon"),
          "counters": (COUNTERS, "20mm", "rectangle"), "questions": (QUESTIONS, "poker", "rectangle"),
          "maps": (PLACES, "70mm", "hexagon")}
ACCENTS = "ÄÖÜäöüßÀÂÇÈÉÊËÎÏÔÙÛŒàâçèéêëîïôùûœÆØÅæøåÁÍÓÚÑáíóúñÌÒìòÃÕãõ¿¡«»„“”‘’–—…·€×−"
"""What the nine languages of headings write besides ASCII; Japanese has a font of its own."""

FITTED = [
    (HEROES, "mini-us", "rectangle"), (HEROES, "89x63mm", "rectangle"), (TILES, "40mm", "circle"),
    (NUMBERS, "mini-euro", "rectangle"),
    ("Cost,Text\n3,Draw.\n12,Discard all that you have in your hand.\n", "poker", "rectangle"),
    ("カード名,種類,効果\n竜,怪物,相手に4点のダメージ。\n市場,場所,1枚引く。\n", "japanese", "rectangle"),
    ("Name,Typ,Text\nDonaudampfschifffahrtskapitän,Großmütterchen,Öffne die Tür.\nEs,Ö,Ü.\n", "poker", "rectangle"),
    ("Name,HP,AC,Speed,Size\nOrc,15,13,30,Medium\nOgre,59,11,40,Large\n", "poker", "rectangle")]
"""Sheets with card size and shape; the looks share them out, as they do with the kinds of tables."""


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
@pytest.mark.parametrize(("look", "name"), [
    (look, name) for at, look in enumerate(LOOKS) for nth, name in enumerate(TABLES) if (at + nth) % 6 == 0])
def test_each_look_suits_each_kind_of_table(desk, look, name):
    text, size, shape = TABLES[name]
    (desk.folder / "cards.csv").write_text(text, encoding="utf-8")
    paint(desk.folder / "art/valley.png", (800, 600))
    made = desk.ppgen("new", "deck", "--from", "cards.csv", "--art", "art", "--look", look, "--size", size,
                      "--shape", shape)
    assert (made.exit_code, "warning" in made.stderr) == (0, False), made.output
    done = desk.ppgen("check", "--data", "deck")
    assert (done.exit_code, [line for line in done.stderr.splitlines() if not line.startswith("No problems")]) == (
        0, []), done.output


@pytest.mark.slow
@pytest.mark.parametrize(("look", "size", "shape"), [
    (look, *((("poker", "rectangle"), ("60mm", "hexagon"))[at % 2])) for at, look in enumerate(LOOKS)])
def test_a_back_looks_the_same_when_it_is_turned_round(tmp_path, look, size, shape):
    make_deck(tmp_path, QUESTIONS, size=size, shape=shape, look=look)
    shop = Workshop.open(Assets.at(tmp_path / "deck"))
    texts = shop.texts("en")
    piece = shop.game.parts(texts, shop.game.card_size)[0].components[0]
    face = shop.studio(texts, "full").draw(piece.back, 0, piece.id)
    (content,) = take_pictures([at_dpi(face, 72)], shop.fonts.folder)
    with Image.open(io.BytesIO(content)) as picture:
        back = picture.convert("L")
    assert back.getextrema() != (255, 255)
    difference = ImageChops.difference(back, back.rotate(180))
    assert sum(difference.histogram()[110:]) < back.width * back.height * 0.004


@pytest.mark.parametrize("look", LOOKS)
def test_a_deck_has_the_files_of_its_look_to_change_them(tmp_path, look):
    make_deck(tmp_path, HEROES, look=look)
    deck = tmp_path / "deck"
    assert {*(deck / "fonts").iterdir()} == {deck / "fonts" / path.name for path in (ROOT / look / "fonts").iterdir()}
    for template in ("card.svg.j2", "back.svg.j2"):
        assert '{% import "look.svg.j2" as look with context %}' in (deck / template).read_text("utf-8")


@pytest.mark.parametrize("look", LOOKS)
def test_the_fonts_of_a_look_are_small_free_and_have_all_accents(look):
    folder = ROOT / look / "fonts"
    entries = tomllib.loads((folder / "fonts.toml").read_text(encoding="utf-8"))["fonts"]
    for entry in entries:
        assert (folder / entry["file"]).stat().st_size <= 120_000
        licence = (folder / entry["licence"]).read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE" in licence.upper()
        assert "with Reserved Font Name" not in licence
    book = read_fonts(folder, has_house=True)
    own = {entry["family"] for entry in entries}
    title = book.styles["title"][0]
    assert title.family in own
    for font in (font for font in book.fonts if font.family in own):
        assert font.missing_characters(ACCENTS) == []


@pytest.mark.parametrize("look", LOOKS)
def test_the_page_of_the_looks_shows_each_with_its_macros(look):
    page = (Path(__file__).parents[2] / "docs/looks.md").read_text(encoding="utf-8")
    assert f"\n| `{look}` | " in page
    macros = re.findall(r"^{% macro (\w+)\(", (ROOT / look / "look.svg.j2").read_text(encoding="utf-8"), re.MULTILINE)
    documented = set(re.findall(r"`(\w+)`", page[page.index("| macro |"):]))
    assert documented <= set(macros)
