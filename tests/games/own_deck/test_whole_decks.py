"""Whole decks as designers make them, with pictures everywhere, through every command: nothing is lost or stale."""

import json

import pypdfium2
import pytest
from PIL import Image, ImageDraw

from tests.games.own_deck.decks import lay_out
from tests.games.own_deck.test_pictures import exif, images

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'
SWORD = SVG.format('<path d="M1 9L9 1" stroke="#000" stroke-width="2"/>')
RED, BLUE, GREEN = (200, 30, 30), (30, 60, 200), (20, 150, 60)
GOBLINS = {
    "deck.toml": ('title = "Goblins at the Gate"\n[cards]\ntable = "cards.csv"\nsize = "poker"\nfront = "card.svg.j2"\n'
                  'back = "back.png"\n[colours.rarity]\ncommon = "#8a8a8a"\nrare = "#2f63b5"\n'),
    "cards.csv": ("Name (en),Name (de),Type,Text,Art,Rarity,Quantity\n"
                  "Goblin,Kobold,Creature,**Attack:** deal 2 {sword}. *Then* flip.,goblin.jpg,common,4\n"
                  "Knight,Ritter,Hero,==Guard.== Prevent 1 {sword} \\*.,knight.png,rare,5\n"
                  "Dragon,Drache,Creature,**Fly.**,goblin.jpg,rare,\n"),
    "card.svg.j2": ('{{ fill("#2b2a33") }}\n'
                    '<rect x="3" y="3" width="57.5" height="82.9" fill="#f4ecd8" '
                    'stroke="{{ colours.rarity[card.rarity] }}"/>\n'
                    '{{ image(card.art, x=5, y=13, width=53.5, height=40, radius=2) }}\n'
                    '{{ text(card.name, x=6, y=10.6, width=50, size=5, style="title") }}\n'
                    '{{ rich(card.text, x=6, y=58, width=51.5, height=16, size=3.8, min_size=3, align="center") }}\n'),
    "words/de.toml": '[game]\ntitle = "Kobolde am Tor"\n[parts]\ncards = "Karten"\n',
    "icons/sword.svg": SWORD}
TILES = {
    "deck.toml": ('title = "Hexland"\n[tiles]\ntable = "tiles.csv"\nshape = "hexagon"\nsize = "68.4mm"\n'
                  'stock = "board"\nfront = "tile.svg.j2"\nback = "tile.svg.j2"\n'),
    "tiles.csv": "Terrain;Back;Anzahl\nforest;sea;3\nsea;forest;1\n",
    "tile.svg.j2": '{{ image("terrain/" ~ (card.terrain if side == "front" else card.back), fit="bleed") }}\n'}


def save(path, colour: tuple[int, int, int], width: int = 160, height: int = 120) -> None:
    """A small picture with a dark frame and corner."""
    image = Image.new("RGB", (width, height), colour)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width // 3, height // 3), fill=(0, 0, 0))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, **({"exif": exif(1), "quality": 95} if path.suffix == ".jpg" else {}))


@pytest.fixture
def goblins(desk):
    lay_out(desk.folder, GOBLINS)
    for name, colour in {"art/goblin.jpg": RED, "art/knight.png": BLUE, "back.png": GREEN}.items():
        save(desk.folder / name, colour)
    return desk


def tones_of(image: Image.Image) -> set[str]:
    """Which of the pictures' colours an image shows."""
    seen = [colour for _, colour in image.convert("RGB").resize((150, 200)).getcolors(1 << 20)]
    return {name for name, wanted in (("red", RED), ("blue", BLUE), ("green", GREEN))
            if any(all(abs(a - b) < 20 for a, b in zip(colour, wanted, strict=True)) for colour in seen)}


def tones(desk, pdf: str, page: int = 0) -> set[str]:
    return tones_of(pypdfium2.PdfDocument(desk.folder / pdf)[page].render(scale=0.5).to_pil())


@pytest.mark.slow
@pytest.mark.usefixtures("faces_only")
def test_cards_of_an_untouched_sheet_show_each_picture_once_and_tell_what_is_unused(goblins):
    done = goblins.run("build", "--only", "cards", "--lang", "en", "--json")
    (file,) = json.loads(done.stdout)[0]["files"]
    assert file["sheets"] == 2 and len(file["sides"][0]["placements"]) == 8
    assert len(images(goblins.folder / file["path"])) == 3
    assert [line for line in done.stderr.splitlines() if "cards.csv" in line] == [
        "warning: cards.csv:1 Type: no template reads this column (card.type in a template prints it; leave it so if "
        "it is a note of yours)"]
    assert tones(goblins, file["path"]) == {"red", "blue"} and tones(goblins, file["path"], 1) == {"green"}
    assert b"Secret" not in (goblins.folder / file["path"]).read_bytes()
    checked = goblins.run("check", "--lang", "en").output
    assert "dpi" in checked and "ink" not in checked and "as it stands" not in checked


def test_hexes_with_pictures_that_bleed_mirror_on_their_backs(desk):
    lay_out(desk.folder, TILES)
    save(desk.folder / "terrain/forest.jpg", GREEN)
    save(desk.folder / "terrain/sea.jpg", BLUE)
    (file,) = desk.built("--only", "tiles", "--backs", "duplex")["files"]
    assert (file["sheets"], len(images(desk.folder / file["path"]))) == (1, 2)
    front, back = ({round(place["x_mm"]): place["component"] for place in side["placements"]} for side in file["sides"])
    middle = min(front) + max(front)
    assert {middle - x: piece for x, piece in front.items()}.keys() == back.keys()
    assert tones(desk, file["path"]) == tones(desk, file["path"], 1) == {"green", "blue"}


def test_an_export_shows_the_pictures(goblins):
    goblins.run("export", "png", "--dpi", "50", "--lang", "en")
    pictures = [tones_of(Image.open(path)) for path in goblins.folder.glob("output/en/png-50dpi/*.png")]
    assert set().union(*pictures) == {"red", "blue", "green"}


def test_a_shops_pdf_has_each_picture_once_and_reduced_on_request(goblins):
    save(goblins.folder / "art" / "goblin.jpg", RED, 1600, 1200)
    goblins.run("export", "drivethru", "--lang", "en")
    goblins.run("export", "drivethru", "--lang", "en", "--pictures", "100dpi")
    whole, small = (images(goblins.folder / "output/en" / name / "cards-poker.pdf")
                    for name in ("drivethru-poker", "drivethru-poker-pictures100"))
    assert (len(whole), max(whole)) == (3, 1600) and len(small) == 3 and max(small) < 600
