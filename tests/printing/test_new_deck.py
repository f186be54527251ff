"""``ppgen new``: decks from sheets and pictures, whatever these hold."""

import csv
import io
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.colours import MERGED, Swatch, find_clashes
from ppgen.errors import InputError, Problems
from ppgen.making.new_deck import deck_from_sheet
from ppgen.making.sheet_columns import layout_data, understand_columns
from ppgen.making.starters import NewDeck, SheetRequest, deck_files
from ppgen.printing.drawn_parts import draw_parts
from ppgen.printing.workshop import Workshop
from ppgen.reading.tables import read_table
from tests.games.own_deck.decks import draw_fronts
from tests.reading.test_tables import workbook

GOBLINS = ("Name,Cost,Type,Rules Text,Flavour Text,Art,Quantity\n"
           "Goblin,0,Creature,Deal 2 {sword}.,“Run.”,goblin.png,4\n"
           "Knight,1,Hero,**Guard.**,,Knight,2\nTroll,3,Creature,Heal 1.,,troll.png,1\n")


def make_deck(folder: Path, text: str, art: Path | None = None, size: str = "poker", shape: str = "rectangle",
              lang: str = "", look: str = "") -> NewDeck:
    """Make a deck of a CSV text in a folder, and write it to its subfolder ``deck``."""
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    deck = deck_from_sheet(SheetRequest(sheet=folder / "sheet.csv", title="New deck", art=art, size=size, shape=shape,
                                        lang=lang, look=look))
    for file in deck_files(deck):
        (folder / "deck" / file.path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "deck" / file.path).write_bytes(file.content)
    return deck


def test_a_deck_is_not_warned_of_the_signs_of_the_one_before(tmp_path: Path) -> None:
    warned = [[problem for problem in make_deck(tmp_path, f"Name,Text\nAnt,{word}\n").deck_warnings
               if "no font" in problem.what] for word in ("𓀀𓀁", "Run.")]
    assert [len(each) for each in warned] == [1, 0]


def draw_faces(folder: Path, inks: tuple[str, ...] = ("full", "low")) -> None:
    """Draw all faces of the deck in a folder, as a build does. Raises InputError."""
    shop = Workshop.open(Assets.at(folder))
    texts = shop.texts(shop.game.lang)
    for ink in inks:
        draw_parts(shop.game.parts(texts, shop.game.card_size), shop.studio(texts, ink), lambda part, side: 2.0, "")


def understand(folder: Path, text: str, *pictures: str):
    (folder / "sheet.csv").write_text(text, encoding="utf-8")
    return understand_columns(read_table(folder, "sheet.csv", Problems()), pictures)


def roles(columns) -> dict[str, str]:
    return {role: column.heading for role, column in columns.roles.items()}


def paint(path: Path, size: tuple[int, int] = (40, 30)) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, "#446688").save(path)


LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFGHIXYZ0123456789 .,:;!?*=-{}()/'&<>äéß竜の「」%\n")
HEADINGS = st.one_of(st.sampled_from(sorted({word for lang, roles in layout_data()["headings"].items()
                                             if lang not in ("ar", "he", "ko", "zh")  # no font has their signs
                                             for words in roles.values() for word in words.split()})),
                     st.text(LETTERS, min_size=1, max_size=25), st.sampled_from(("☁️", "★", "+", "⚡ 🔥", "-", "♥")))
CELLS = st.one_of(st.just(""), st.integers(0, 20).map(str), st.sampled_from(("Red", "Hero", "x", "{sword}", "**b**")),
                  st.text(LETTERS, max_size=30), st.text(LETTERS, max_size=600))


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data(), st.sampled_from((("poker", "rectangle"), ("poker", "rectangle"), ("89x63mm", "rectangle"),
                                   ("50mm", "hexagon"), ("15mm", "rectangle"), ("25mm", "circle"))),
       st.sampled_from(("full", "low")))
def test_any_table_gives_a_deck_whose_faces_can_be_drawn(tmp_path_factory, data, cut, ink):
    folder = tmp_path_factory.mktemp("deck")
    width = data.draw(st.integers(1, 9))
    rows = data.draw(st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=3))
    sheet = io.StringIO()
    csv.writer(sheet).writerows([data.draw(st.lists(HEADINGS, min_size=width, max_size=width)), *rows])
    try:
        make_deck(folder, sheet.getvalue(), size=cut[0], shape=cut[1])
    except InputError as refused:  # of what no deck could be made
        assert "sheet.csv" in str(refused)
        return
    draw_faces(folder / "deck", (ink,))


@pytest.mark.slow
def test_columns_and_tables_are_understood_as_they_were(golden_cases, tmp_path):
    def answer(text):
        columns = understand(tmp_path, f"{text}\n", *["goblin"] * ("goblin.png" in text))
        yield f"{columns.lang}: " + ", ".join(f"{heading} {role}" for role, heading in roles(columns).items())
        yield from ("facts " + ", ".join(column.heading for column in columns.facts),) * bool(columns.facts)
        deck = make_deck(tmp_path, f"{text}\n")
        said = (str(each).replace(f"{tmp_path}/", "") for each in (*deck.notes, *deck.warnings, *deck.deck_warnings))
        yield from (each for each in said if "no font has" not in each)  # computers have others
        yield from [" | ".join(map(str, row.cells.values()))
                    for row in read_table(tmp_path / "deck", "cards.csv", Problems()).rows][:1]

    golden_cases("columns", answer)


def test_colours_of_kinds_can_be_told_apart_by_everybody():
    swatches = [Swatch(name=colour, colour=colour, cue="") for colour in layout_data()["drawing"]["palette"]]
    assert list(find_clashes(swatches, MERGED)) == []


def test_a_word_that_fits_no_line_makes_its_own_card_smaller_and_no_other(tmp_path):
    usual = "When you play this card you may look at the top three cards of the deck. " * 3
    deck = make_deck(tmp_path, f"Name,Text\nBee,{'Gesetz' * 14}.\n" + f"Ant,{usual}\n" * 20)
    assert [(each.line, "its word of 85 letters is set in" in each.what) for each in deck.warnings] == [(2, True)]
    small, usual_size = (float(re.search(r'<text x="6.*?font-size="(.+?)"', face.svg)[1])
                         for face in draw_fronts(tmp_path / "deck")[:2])
    assert small < 1.6 and usual_size > 2.8


def test_names_of_pictures_are_compared_by_letters_and_digits(tmp_path):
    for name in ("fire-giant", "ice_giant", "StormGiant", "frostgiant"):
        paint(tmp_path / "art" / f"{name}.png")
    deck = make_deck(tmp_path, "Name,Text\nFire Giant,a\nIce Giant,b\nStorm giant,c\nFrst Giant,d\n", tmp_path / "art")
    assert deck.notes[:2] == ("pictures: 3, found by Name", "lines without a picture: 5 (did you mean frostgiant.png?)")


def test_a_picture_that_can_not_be_printed_is_left_out_and_told(tmp_path):
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "goblin.png").write_bytes(b"GIF89a")
    paint(tmp_path / "art" / "dragon.png")
    deck = make_deck(tmp_path, "Name,Text\nGoblin,Bites\nDragon,Burns\n", tmp_path / "art")
    (warning,) = deck.warnings
    assert (Path(warning.place).name, warning.what) == ("goblin.png", "left out: is a GIF")
    assert "lines without a picture: 2" in deck.notes and [*filter(lambda name: "art/" in name, deck.files)] == [
        "art/Dragon.png"]
    draw_faces(tmp_path / "deck")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_picture_that_is_none_is_told_as_a_table_and_a_pipe_is_passed_over(tmp_path):
    (tmp_path / "sheet.gif").write_bytes(b"GIF89a\xff\xff")
    with pytest.raises(InputError, match=r"sheet.gif: is a GIF \(save it as PNG or JPEG\)"):
        deck_from_sheet(SheetRequest(sheet=tmp_path / "sheet.gif", title="New deck", size="poker"))
    paint(tmp_path / "art" / "goblin.png")
    os.mkfifo(tmp_path / "art" / "back.png")
    assert not make_deck(tmp_path, "Name,Text\nGoblin,Bites\n", tmp_path / "art").warnings


def test_no_file_is_taken_through_a_link_out_of_the_folder(tmp_path):
    (tmp_path / "art").mkdir()
    paint(tmp_path / "secret.png")
    for name in ("goblin.png", "sword.png", "back.png"):
        (tmp_path / "art" / name).symlink_to(tmp_path / "secret.png")
    deck = make_deck(tmp_path, GOBLINS, tmp_path / "art")
    assert [Path(problem.place).name for problem in deck.warnings] == ["goblin.png", "back.png", "sword.png"]
    assert (tmp_path / "secret.png") not in [path.resolve() for path in deck.files.values() if isinstance(path, Path)]


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
@pytest.mark.parametrize(("sheet", "cut"), [
    (GOBLINS, ("poker", "rectangle")),
    ("Unit,Side,Attack,Move\nFoot,Red,4,2\nHorse,Blue,5,4\n", ("15mm", "rectangle")),
    ("Terrain,Number\nForest,4\nLake,5\n", ("60mm", "hexagon")),
    ("カード名,効果\n竜,すべての相手に4点のダメージを与える。\n市場,1枚引く。\n", ("japanese", "rectangle"))])
def test_a_first_layout_passes_the_check(desk, sheet, cut):
    make_deck(desk.folder, sheet, size=cut[0], shape=cut[1])
    desk.run("check", "--data", "deck")


HEROES = [["Name", "Type", "Text", "Qty"], ["Ann", "Mage", "Draw 2.", 2], ["Bob", "Knight", "Guard.", 1]]
MONSTERS = [["Name", "Cost", "Rules Text", "Type"], ["Wolf", 2, "Bites.", "Beast"], ["Imp", 5, "Heals.", "Mage"]]
NOTES = [["To do"], ["balance the wolf"], ["more art"]]
LOG = [["Date", "Name", "Faction", *(f"Gold of player {n}" for n in range(1, 31)), "Remarks"],
       *([f"2026-03-0{n}", f"Ann {n}", "Mage", *range(30), "Too long."] for n in range(1, 4))]
SETTINGS = [["Key", "Value"], ["rounds", 5], ["players", 4]]


def book(folder: Path, **sheets) -> Path:
    (folder / "dragon-hunt_v2.xlsx").write_bytes(workbook(**sheets))
    return folder / "dragon-hunt_v2.xlsx"


def test_lists_of_signs_and_tables_of_relations_are_not_cards(desk):
    lists = "Icon,Name\n☁️,Cloud\n{sword},Sword\n♥,Heart\n"
    relations = "Name,Type,Text,Cost\nType,1,2,0\nText,2,1,1\nCost,0,0,0\n"
    book(desk.folder, Heroes=HEROES, List=lists, Relations=relations)
    done = desk.run("new", "mine", "--from", "dragon-hunt_v2.xlsx")
    assert "sheets without cards, left out: List, Relations" in done.stdout


@settings(max_examples=6)
@given(st.lists(st.sampled_from(("Title", "Datei", "Art", "Bild 2", "Text", "Foo")), min_size=2, unique=True),
       st.sampled_from(("png", "JPG", "gif", "webp", "tiff")))
def test_names_of_picture_files_are_never_printed_as_words(tmp_path_factory, headings, ending):
    folder = tmp_path_factory.mktemp("deck")
    rows = [[f"file-{n}{heading[0]}.{ending}" for heading in headings] for n in range(3)]
    deck = make_deck(folder, "\n".join(map(",".join, (["Name", *headings], *(["Ant", *row] for row in rows)))))
    words = [text for face in draw_fronts(folder / "deck") for text in re.findall(r">([^<>]+)</tspan>", face.svg)]
    assert not [text for text in words if "file-" in text or ending in text]
    meanings = [meaning for heading, meaning in deck.columns if heading in headings]
    missing = "picture, none found (--art FOLDER brings them)"
    assert sorted({*meanings}) in ([missing], ["more pictures, not printed", missing])


@pytest.mark.parametrize("sheets, request_, problem", [
    ({"Notes": NOTES, "Settings": SETTINGS}, {}, 'has 2 sheets: Notes, Settings (name one of them: --sheet "Notes")'),
    ({"A": HEROES, "B": MONSTERS}, {"roles": ("Cots=left",)},
     "--as: there is no column 'Cots' (did you mean Cost? known: Name, Type, Text, Qty, Cost, Rules Text)"),
    ({"A": HEROES}, {"front": Path("no.svg")}, "--front: there is no file 'no.svg'"),
    ({"A": HEROES}, {"front": Path(__file__)}, "is not a drawing (save it as SVG)")])
def test_what_can_not_become_a_deck_is_said(tmp_path, sheets, request_, problem):
    with pytest.raises(InputError) as refused:
        deck_from_sheet(SheetRequest(sheet=book(tmp_path, **sheets), title="Mine", **request_))
    assert problem in str(refused.value)


@pytest.mark.parametrize("width, height, size", [
    ("63.5mm", "88.9mm", "poker"), ("69.5mm", "94.9mm", "poker"), ("744", "1039", "standard"),
    ("70mm", "120mm", "tarot"), ("2000", "1000", "88.9x44.45mm"),
    ("900", "1500", "53.34x88.9mm"), ("1000", "900", "70.556x63.5mm")])
def test_a_drawing_says_how_large_its_cards_are_and_shows_the_columns(tmp_path, width, height, size):
    box = " ".join(re.sub("[a-z]", "", side) for side in (width, height))
    (tmp_path / "frame.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box}" width="{width}" height="{height}">'
        '<text id="Name" x="9" y="20" font-size="6">Any</text><text x="9" y="40" font-size="6">{type}</text></svg>')
    deck = deck_from_sheet(SheetRequest(sheet=book(tmp_path, Cards=HEROES), title="Mine", front=tmp_path / "frame.svg"))
    part = tomllib.loads(deck.files["deck.toml"].decode())["cards"]
    assert (part["size"], part["front"], "card.svg.j2" in deck.files) == (size, "frame.svg", False)
    assert deck.columns == (("Name", "words: 'Name'"), ("Type", "in its words: 'text'"),
                            ("Text", "nothing in the drawing has this label"), ("Qty", "copies: 3 cards"))


def test_pictures_beside_a_drawing_come_along_but_none_from_elsewhere(desk):
    given = desk.folder / "given"
    paint(given / "hero.png")
    paint(desk.folder / "secret.png")
    (given / "out.png").symlink_to(desk.folder / "secret.png")
    links = "".join(f'<image x="9" y="9" width="20" height="20" xlink:href="{name}"/>'
                    for name in ("hero.png", "out.png", "../secret.png"))
    (given / "card.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" '
                                    f'viewBox="0 0 63.5 88.9">{links}</svg>')
    (desk.folder / "cards.csv").write_text("Name\nGoblin\n", encoding="utf-8")
    desk.run("new", "deck", "--from", "cards.csv", "--front", "given/card.svg")
    assert {path.name for path in (desk.folder / "deck").rglob("*.png")} == {"hero.png"}
