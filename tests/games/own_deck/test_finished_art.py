"""``ppgen new --from`` finished art: folders of faces, and pictures with and without a bleed."""

import io
import random
import shutil
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import Image, ImageChops, ImageDraw

from ppgen.engine.drawing.face_tools import find_bleed
from ppgen.engine.geometry import Rect
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.engine.pictures.picture_files import placed_pictures
from ppgen.errors import InputError, Problems
from ppgen.making.finished_art import read_art_folder, read_names
from ppgen.making.new_deck import read_cut
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, lay_out, make_deck, rows
from tests.games.own_deck.drawn_sheets import draw_sheets

POKER = Rect(0, 0, 63.5, 88.9)
PICTURE = {"deck.toml": '[cards]\nsize = "poker"\nfront = "card.png"\n'}
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="63.5mm" height="88.9mm" viewBox="0 0 635 889">{}</svg>'


def paint(path: Path, width: int = 250, height: int = 350, colour: str = "#446688") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (width, height), colour).save(path)
    return path


def parts(deck) -> dict:
    return {name: keys for name, keys in tomllib.loads(deck.files["deck.toml"].decode()).items()
            if isinstance(keys, dict)}


def test_names_say_card_side_and_copies_as_they_did(golden_cases):
    def answer(names):
        for file in read_names(Path(), [Path(f"{name}.png") for name in names.split("\n")], False):
            side = f"back of {file.card or 'all'}" if file.is_back else file.card
            yield f"{file.path.with_suffix('')}: {side}" + f" × {file.copies}" * (file.copies != 1)

    golden_cases("art-names", answer)


@pytest.mark.parametrize("seed", range(40))
def test_each_picture_of_a_folder_is_a_face_or_named_in_a_line(tmp_path, seed):
    dice = random.Random(seed)
    words = ["ant", "bee", "Wölf", "01001", "a", "b", "back", "front", "(back)", "[B]", "x2", "(2)", "Rückseite", "dos",
             "verso", "card", "裏", "cards", "c"]
    folders = ["", "", "front/", "backs/", "double_sided/", "red/", "red/back/", "card back/", "dos/"]
    for _ in range(dice.randint(1, 12)):
        name = dice.choice("-_ .").join(dice.choices(words, k=dice.randint(1, 3)))
        paint(tmp_path / f"{dice.choice(folders)}{name}.png", *dice.choice([(25, 35), (25, 35), (30, 60)]))
    try:
        deck = make_deck(tmp_path)
    except InputError as error:
        assert error.problems and all("front is missing" in problem.what for problem in error.problems)
        return
    paths = {content for content in deck.files.values() if isinstance(content, Path)}
    said = "\n".join(deck.notes)
    assert all(path in paths or path.relative_to(tmp_path).as_posix() in said for path in tmp_path.rglob("*.png"))


def test_pixels_and_dpi_say_the_size(golden_cases, tmp_path):
    def answer(text):
        width, height, dpi = map(int, text.split())
        Image.new("RGB", (width, height), "#446688").save(tmp_path / "card.png", **({"dpi": (dpi, dpi)} if dpi else {}))
        deck = make_deck(tmp_path)
        yield parts(deck)["cards"]["size"]
        yield from (note for note in deck.notes if "guessed" in note)

    golden_cases("art-sizes", answer)


@pytest.mark.parametrize("size", [(85, 55), (61.5, 88), (63.5, 88.9), (70, 120)])
def test_a_page_in_a_folder_has_its_own_size(tmp_path, size):
    draw_sheets(tmp_path / "plain.pdf", 1, 1, size=size, paper=size)
    draw_sheets(tmp_path / "marked.pdf", 1, 1, size=size, paper=(size[0] + 30, size[1] + 30), bleed=3, marks=True)
    deck = make_deck(tmp_path)
    assert {read_cut(part["size"], "rectangle", Problems()).width for part in parts(deck).values()} == {min(size)}
    assert not any("guessed" in note for note in deck.notes)


def test_other_proportions_are_a_part_of_their_own(tmp_path):
    for name, sides in {"a": (375, 525), "b": (411, 561), "c": (525, 375), "map": (450, 250)}.items():
        paint(tmp_path / f"{name}.png", *sides)
    deck = make_deck(tmp_path)
    assert ([row["name"] for row in rows(deck)], [row["name"] for row in rows(deck, "cards-2")]) == (
        ["A", "B", "C"], ["Map"])
    assert [*parts(make_deck(tmp_path, size="poker"))] == ["cards"]


def test_drawings_keep_their_words(desk):
    folder = desk.folder / "art"
    paint(folder / "orc.png", 750, 1050)
    (folder / "ant-front.svg").write_text(DRAWING.format('<text x="50" y="90" font-size="60">Ant</text>'))
    (folder / "ant-back.svg").write_text(DRAWING.format('<rect width="635" height="889" fill="#336"/>'))
    desk.run("new", "deck", "--from", "art")
    assert [face.svg.count(">Ant<") for face in draw_fronts(desk.folder / "deck")] == [1, 0]


def test_a_drawing_with_words_is_as_good_in_a_column_as_in_front(desk):
    words = '<g style="letter-spacing:0px"><text x="50" y="90" font-size="60">Ant</text></g>'
    paint(desk.folder / "art/bee.png", 750, 1050)
    lay_out(desk.folder, {"art/ant.svg": DRAWING.format(words), "cards.csv": "Name,art\nAnt,ant.svg\nBee,bee.png\n",
                          "deck.toml": '[cards]\ntable = "cards.csv"\nsize = "poker"\n'})
    assert [face.svg.count(">Ant<") for face in draw_fronts(desk.folder)] == [1, 0]


@pytest.mark.usefixtures("faces_only")
def test_a_font_that_many_drawings_miss_is_one_warning(desk):
    words = '<text y="90" font-family="Fancy">a</text>' * 2
    lay_out(desk.folder, {**{f"{name}.svg": DRAWING.format(words) for name in "abc"},
                          "cards.csv": "Name,art\nA,a.svg\nB,b.svg\nC,c.svg\n",
                          "deck.toml": '[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "{art}"\n'})
    assert desk.ppgen("check").stderr.count("the font 'Fancy' is not in the deck") == 1


@pytest.mark.parametrize(("name", "content", "said"), [
    ("torn.png", b"\x89PNG\r\n\x1a\n", "is damaged"), ("page.svg", b"<svg", "page.svg"),
    ("goblin-back.png", None, "is the back of a card whose front is missing")])
def test_what_is_wrong_with_a_file_is_told_and_nothing_is_made(tmp_path, name, content, said):
    paint(tmp_path / "good.png")
    paint(tmp_path / name) if content is None else (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        make_deck(tmp_path)


def test_options_of_tables_are_refused(desk):
    paint(desk.folder / "art/orc.png")
    done = desk.ppgen("new", "deck", "--from", "art", "--look", "parchment")
    assert done.exit_code == 2 and "--look: is for tables" in done.stderr and not (desk.folder / "deck").exists()


def round_card(path: Path, ground: str, radius: int = 20, size: tuple[int, int] = (250, 350)) -> Image.Image:
    """A card with a soft rounding, and the transparent or coloured ground outside; return it before it was rounded."""
    path.parent.mkdir(parents=True, exist_ok=True)
    card = Image.new("RGB", size, "#446688")
    card.paste("#cc8822", (0, 0, size[0] // 2, size[1]))
    mask = Image.new("L", (size[0] * 4, size[1] * 4))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, size[0] * 4 - 1, size[1] * 4 - 1), radius * 4, fill=255)
    rounded = card.convert("RGBA")
    rounded.putalpha(mask.resize(size, Image.Resampling.BOX))
    (Image.alpha_composite(Image.new("RGBA", size, ground), rounded).convert("RGB") if ground else rounded).save(path)
    return card


@pytest.mark.parametrize("ground", ["", "#ffffff", "#000000"])
def test_rounded_corners_are_filled_from_the_edge(tmp_path, ground):
    card = round_card(tmp_path / "orc.png", ground)
    deck = make_deck(tmp_path)
    filled = Image.open(io.BytesIO(deck.files["art/orc.png"]))
    assert max(high for _, high in ImageChops.difference(filled, card).getextrema()) < (10 if ground else 1)
    inside = Image.new("L", card.size)
    ImageDraw.Draw(inside).rounded_rectangle((1, 1, 248, 348), 20, fill=255)
    given = Image.open(tmp_path / "orc.png").convert("RGB")
    assert not ImageChops.multiply(ImageChops.difference(filled, given), inside.convert("RGB")).getbbox()
    assert any(note.startswith("rounded corners of 1 picture filled") for note in deck.notes)


def test_pictures_of_another_shape_and_square_ones_keep_their_bytes(tmp_path):
    round_card(tmp_path / "round.png", "", 125, (250, 250))
    round_card(tmp_path / "white/round.png", "#ffffff", 125, (250, 250))
    window = Image.new("RGBA", (250, 350), "#446688")
    window.paste((0, 0, 0, 0), (100, 100, 150, 150))
    window.save(tmp_path / "window.png")
    outline = Image.new("RGB", (250, 350), "white")
    ImageDraw.Draw(outline).rounded_rectangle((0, 0, 249, 349), 20, outline="black", width=3)
    outline.save(tmp_path / "outline.png")
    chamfer = Image.new("RGB", (250, 350), "white")
    ImageDraw.Draw(chamfer).polygon([(20, 0), (229, 0), (249, 20), (249, 329), (229, 349), (20, 349), (0, 329),
                                     (0, 20)], "#446688")
    chamfer.save(tmp_path / "chamfer.png")
    paint(tmp_path / "plain.jpg")
    deck = make_deck(tmp_path)
    kept = [content for path, content in deck.files.items() if path.startswith("art/")]
    assert len(kept) == 6 and all(isinstance(content, Path) for content in kept)
    assert not any("rounded" in note for note in deck.notes)


@pytest.mark.parametrize(("aspect", "bleed"), [
    (63.5 / 88.9, 0), (744 / 1039, 0), (822 / 1122, 3.05), (67.5 / 92.9, 2), (3 / 4, None), (1, None), (0.5, None)])
def test_proportions_show_the_bleed(aspect, bleed):
    found = find_bleed(aspect, POKER)
    assert found == (None if bleed is None else pytest.approx(bleed, abs=0.03))


@pytest.mark.parametrize(("pixels", "keys", "width", "tags"), [
    ((750, 1050), "", 63.5, 9), ((822, 1122), "", 69.6, 1), ((797, 1097), "", 67.5, 1), ((750, 1050), "0mm", 63.5, 9),
    ((600, 800), "", 69.675, 1), ((600, 800), "0mm", 66.675, 9)])
def test_a_picture_lies_exactly_on_the_card_and_its_edge_is_mirrored(desk, pixels, keys, width, tags):
    paint(desk.folder / "card.png", *pixels)
    lay_out(desk.folder, PICTURE, deck_toml=PICTURE["deck.toml"] + (f'bleed = "{keys}"\n' if keys else ""))
    (face,) = draw_fronts(desk.folder)
    placed = placed_pictures(face.svg, face.pictures)
    assert (placed[-1].width, len(placed)) == (pytest.approx(width, abs=0.05), tags)


def test_a_mirrored_edge_prints_what_is_inside_of_the_cut(desk):
    picture = Image.new("RGB", (250, 350), "#ffffff")
    picture.paste("#cc0000", (0, 0, 8, 350))  # 2 mm of red at the left
    picture.save(desk.folder / "card.png")
    (face,) = draw_fronts(lay_out(desk.folder, PICTURE))
    (png,) = faces_png([face], shipped_root() / "data" / "fonts", 254)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert [image.getpixel((x, 300))[1] > 128 for x in (5, 18, 36, 50, 640, 670)] == [False] * 3 + [True] * 3


@pytest.mark.parametrize(("pixels", "said"), [
    ((250, 350), ""), ((250, 325), "6% of the picture 'card.png' is cut away")])
def test_a_picture_of_other_proportions_is_warned_of_from_a_twentieth_on(desk, pixels, said):
    paint(desk.folder / "card.png", *pixels)
    lay_out(desk.folder, PICTURE)
    done = desk.run("build", "--only", "cards", "--dry-run")
    assert said in done.stderr and ("cut away" in done.stderr) == bool(said)


# --- Zip files and folders ---

@pytest.mark.parametrize("files", [("a.png", "tokens/b.png"), ("cards.csv", "art/a.png", "art/b.png"), ("cards.csv",)])
@pytest.mark.parametrize("top", ["", "kelp bay/"])
def test_a_zip_makes_what_its_folder_makes(desk, files, top):
    for name in files:
        file = desk.folder / "files" / top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".png"):
            paint(file, colour="#446688" if name == "a.png" else "#884466")
        else:
            file.write_text("Name,Art\nOtter,a.png\nCrab,b.png\n", encoding="utf-8")
    shutil.make_archive(str(desk.folder / "files"), "zip", desk.folder / "files")
    with ZipFile(desk.folder / "files.zip", "a") as packed:
        packed.writestr(f"__MACOSX/{top}._cards.csv", "of the system")
    for name, source in (("one/deck", "files"), ("two/deck", "files.zip")):
        done = desk.ppgen("new", name, "--from", source)
        assert done.exit_code == 0, done.output
    one, two = ({file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
                for folder in (desk.folder / "one", desk.folder / "two"))
    assert one == two and len([path for path in one if path.suffix == ".png"]) == len(files) - ("cards.csv" in files)


@pytest.mark.parametrize(("names", "said"), [
    (["../up.png"], "not a name for one on every system"), (["/etc/x.png"], "not a name for one on every system"),
    (["C:\\x.png"], "not a name for one on every system"), (["a/x.png", "a\\x.png"], "can't be unpacked"),
    (["a.csv", "b.csv"], "holds several tables: a.csv, b.csv"), (["deck.toml", "a.csv"], "is a deck already"),
    (["sub/a.png"], "files.zip/sub/a.png: is not a picture"),
    ([f"{n}.png" for n in range(501)], "more than 500 files")])
def test_a_zip_that_makes_no_deck_leaves_nothing(desk, names, said):
    with ZipFile(desk.folder / "files.zip", "w") as packed:
        for name in names:
            packed.writestr(name, "nothing")
    done = desk.ppgen("new", "deck", "--from", "files.zip")
    assert (done.exit_code, said in done.output, "Traceback" in done.output) == (1, True, False), done.output
    assert [path.name for path in desk.folder.iterdir()] == ["files.zip"]


def test_a_zip_is_bounded_by_what_it_unpacks_to(desk, monkeypatch):
    monkeypatch.setattr("ppgen.making.starters.MAX_DROPPED_BYTES", 1_000)
    with ZipFile(desk.folder / "files.zip", "w", 8) as packed:
        packed.writestr("a.png", bytes(9_000))
    assert "or 0 MB" in desk.ppgen("new", "deck", "--from", "files.zip").output


def test_a_folder_with_too_many_pictures_is_refused_before_one_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("ppgen.making.finished_art.MAX_DECK_BYTES", 25)
    for name in "abc":
        (tmp_path / f"{name}.png").write_bytes(b"not a picture")
    assert read_art_folder(tmp_path, "", [], problems := Problems()) == []
    assert [problem.what for problem in problems] == ["has 0 MB of pictures; a deck has at most 0"]


def test_a_project_of_cider_says_which_of_its_tables_to_give(tmp_path):
    (tmp_path / "decks" / "sea").mkdir(parents=True)
    (tmp_path / "decks" / "sea" / "cards.csv").write_text("name,count\nOrc,3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"of Cider \(give a table of its: --from .*cards\.csv --art .*assets"):
        make_deck(tmp_path)
