"""Makes the pictures of the README from real faces and a real build, into ``docs/images/``.

    python -m tools.pictures [--contact DIR] [--lang de]

sheet.png             a printed sheet of cards
faces.jpg             a front of each country, the back, the tablets, the stones; faces-low.png in low ink
table.jpg             the card game on a table during a game, with both boxes
board.jpg             the board game on a table
manuscript.jpg        cards and tablets of the manuscript skin; woodcut.png of the woodcut skin
functions.png         the examples of docs/functions.md
own-game.png          some pieces of the game in docs/your-own-game.md
looks.png             a card, a back and a number in each look of ppgen new (docs/looks.md)
starter-NAME.png      pieces of a starter (data/starters)
icons.png             the shipped icons with their names, in the order of docs/icons.md
DIR/contact-INK.png   with --contact: each distinct face of the set, in both inks
"""

from __future__ import annotations

import argparse
import io
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pypdfium2
from PIL import Image, ImageDraw, ImageFont, ImageOps

from ppgen.assets import Assets
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Format, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.games.catalogue import deck_from_sheet, looks
from ppgen.games.interface import SheetRequest
from ppgen.printing.drawn_parts import draw_parts, sheet_bleed
from ppgen.printing.output_files import deck_files
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import build_set
from ppgen.printing.workshop import Workshop
from tools.board_picture import board_on_table
from tools.functions_page import write_example_deck
from tools.picture_craft import RENDERED, cut, lay, wood
from tools.table_picture import table

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
A4 = Format("a4", Size(210, 297))
CARD = Format("mini-euro", Size(44, 68))

GROUND = "#8C8172"
MAX_COLOURS = 256
"""Flat art needs few colours."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--contact", type=Path, help="also write contact sheets of all faces to this folder")
    parser.add_argument("--lang", default="de")
    options = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    workshop = Workshop.open(Assets.at())
    save(sheet(workshop, options.lang), IMAGES / "sheet.png")
    sets = {ink: draw_set(workshop, ink, options.lang) for ink in ("full", "low")}
    full = sets["full"]
    save_jpeg(table(full.cards, full.tablets, full.tablet_back, [*full.stones.values()], options.lang),
              IMAGES / "table.jpg")
    save_jpeg(board_on_table(options.lang), IMAGES / "board.jpg")
    save_jpeg(overview(sets["full"]), IMAGES / "faces.jpg")
    save(overview(sets["low"]), IMAGES / "faces-low.png")
    save(woodcut(options.lang), IMAGES / "woodcut.png", 48)
    save_jpeg(manuscript(options.lang), IMAGES / "manuscript.jpg")
    save(functions(), IMAGES / "functions.png", 64)
    save(own_game(), IMAGES / "own-game.png")
    save(icons(), IMAGES / "icons.png", 16)
    save(all_looks(), IMAGES / "looks.png", 96)
    for name, shown in STARTERS.items():
        save(starter(name, shown), IMAGES / f"starter-{name}.png", 48)
    if options.contact:
        options.contact.mkdir(parents=True, exist_ok=True)
        for ink, pieces in sets.items():
            save(in_rows([*chunks([*pieces.cards.values()], 14), pieces.others], 5),
                 options.contact / f"contact-{ink}.png")


# Pieces

@dataclass(frozen=True, slots=True)
class Pieces:
    """Pictures of a set: card fronts, tablets and stones by id, and the two backs."""

    cards: Mapping[str, Image.Image]
    tablets: Mapping[str, Image.Image]
    stones: Mapping[str, Image.Image]
    card_back: Image.Image
    tablet_back: Image.Image

    @property
    def others(self) -> list[Image.Image]:
        return [self.card_back, *self.tablets.values(), self.tablet_back, *self.stones.values()]


def draw_set(workshop: Workshop, ink: str, lang: str) -> Pieces:
    """Draw every distinct face of the set, cut to its trim."""
    texts, spec = workshop.texts(lang), SheetSpec(paper=A4)
    parts = workshop.parts(texts, CARD, spec, ("cards", "tablets", "stones")).parts
    cards, tablets, _ = draw_parts(parts, workshop.studio(texts, ink), sheet_bleed(spec), lang)
    (stones,) = draw_parts(parts[2:], workshop.studio(texts, ink), lambda *_: 0.0, lang)  # cut out along their shape

    def cut_out(faces: Mapping[str, Face], corner: float) -> dict[str, Image.Image]:
        pictures = cut_faces(tuple(faces.values()), workshop, corner)
        return dict(zip(faces, pictures, strict=True))

    fronts = {key: face for (key, side), face in cards.faces.items() if side == "front"}
    laws = {key: face for (key, side), face in tablets.faces.items() if side == "front"}
    figures = {key: face for (key, side), face in stones.faces.items() if side == "front"}
    return Pieces(
        cards=cut_out(fronts, 3), tablets=cut_out(laws, 2),
        stones=cut_out(figures, 0),
        card_back=cut_out({"back": cards.faces[next(iter(fronts)), "back"]}, 3)["back"],
        tablet_back=cut_out({"back": tablets.faces[next(iter(laws)), "back"]}, 2)["back"])


def cut_faces(faces: Sequence[Face], workshop: Workshop, corner: float) -> list[Image.Image]:
    """Render faces, cut to their trim with round corners (mm)."""
    pictures = faces_png(faces, workshop.fonts.folder, 25.4 * RENDERED)
    return [cut(Image.open(io.BytesIO(picture)), face, corner)
            for face, picture in zip(faces, pictures, strict=True)]


# Pictures

def sheet(workshop: Workshop, lang: str) -> Image.Image:
    """Render a printed sheet of cards."""
    built = build_set(BuildRequest(langs=(lang,), papers=(A4,)), workshop)
    cards = next(file.content for file in built.files if "/cards-" in file.path)
    with pypdfium2.PdfDocument(cards) as document:
        picture: Image.Image = document[2].render(scale=100 / 72).to_pil()
        return picture.convert("RGB")


SEED = 2001
OWN = ("cards-5", "cards-8", "cards-11", "cards-19")
OWN_SCALE = 3.0


def own_game() -> Image.Image:
    """Draw a card of each suit, a back and two coins of the game in docs/your-own-game.md, on a table."""
    with TemporaryDirectory() as folder:
        page = (IMAGES.parent / "your-own-game.md").read_text(encoding="utf-8")
        for file, body in re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
            target = Path(folder) / file.replace("lanterns.csv", "cards.csv")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(body, encoding="utf-8")
        workshop = Workshop.open(Assets.at(Path(folder)))
        texts, spec = workshop.texts("en"), SheetSpec(paper=A4)
        card = Format("poker", Size(63.5, 88.9))
        parts = workshop.parts(texts, card, spec, ("cards", "coins")).parts
        cards, coins = draw_parts(parts, workshop.studio(texts, "full"), sheet_bleed(spec), "en")
    sides = [cards.faces[key, "front"] for key in OWN] + [cards.faces[OWN[0], "back"]]
    money = [coins.faces["spark", "front"], coins.faces["flame", "front"]]
    pictures = cut_faces(sides, workshop, 3) + cut_faces(money, workshop, money[0].size.width / 2)
    ground = wood(round(400 * OWN_SCALE), round(116 * OWN_SCALE), random.Random(SEED))
    for n, (picture, turn) in enumerate(zip(pictures[:5], (-3, 1, -1, 2, -2), strict=True)):
        lay(ground, OWN_SCALE, picture, 46 + n * 70, 58, turn)
    for picture, y in zip(pictures[5:], (42, 74), strict=True):
        lay(ground, OWN_SCALE, picture, 376, y, 0, lift=1.4)
    return ground


ICON_SHEET = '''title = "Icons"
[sheet]
size = "{width}mm x {height}mm"
front = "sheet.svg.j2"
'''
ICON_CELLS = """{{{{ fill("#ffffff") }}}}
{{% set names = {names} %}}
{{% for box in rows({count}, columns={columns}, width={width}, height={height}) %}}
  {{{{ icon(names[box.n], box.cx, box.y + 6, 8) }}}}
  {{{{ text(names[box.n], x=box.cx, y=box.y + 13.6, width=box.width, size=2.7, anchor="middle") }}}}
{{% endfor %}}"""
ICON_COLUMNS, ICON_SCALE = 12, 5


def icons() -> Image.Image:
    """Draw the shipped icons, as a deck's template draws them."""
    page = (IMAGES.parent / "icons.md").read_text(encoding="utf-8")
    names = re.findall(r"`([a-z0-9-]+)`", page.partition("## The set")[2].partition("Capitals")[0])
    size = {"width": ICON_COLUMNS * 15, "height": -(-len(names) // ICON_COLUMNS) * 15}
    with TemporaryDirectory() as folder:
        for file, text in (("deck.toml", ICON_SHEET), ("sheet.svg.j2", ICON_CELLS)):
            (Path(folder) / file).write_text(
                text.format(names=names, count=len(names), columns=ICON_COLUMNS, **size), encoding="utf-8")
        workshop = Workshop.open(Assets.at(Path(folder)))
        texts = workshop.texts("en")
        (part,) = workshop.parts(texts, CARD, SheetSpec(paper=A4), ("sheet",)).parts
        (drawn,) = draw_parts([part], workshop.studio(texts, "full"), lambda *_: 0.0, "en")
        (picture,) = faces_png([*drawn.faces.values()], workshop.fonts.folder, 25.4 * ICON_SCALE)
    return Image.open(io.BytesIO(picture)).convert("RGB")


STARTERS = {
    "trick-taking": (("cards", "sun-1", "moon-7", "herald-of-moons", "oracle-of-stars", "sovereign-of-comets",
                      "eclipse", "back"),),
    "hidden-role": (("roles", "saboteur", "forger", "detective", "conductor", "countess", "back"),
                    ("votes", "votes", "back"), ("stations", "marrow-bridge", "back")),
    "tile-laying": (("tiles", "start", "great-meadow", "mere", "pond", "shore", "narrows", "back"),
                    ("huts", "huts-1", "huts-2", "huts-3", "huts-4"), ("points", "points", "back")),
    "roll-and-write": (("sheets", "sheets"), ("dice", "honey-die", "flower-die")),
    "wargame": (("map", "the-valley-of-the-arl"), ("counters", "1st-foot", "hussars", "1st-guns", "marshal", "wardens",
                                                   "great-guns", "general", "back")),
    "deck-builder": (("cards", "skiff", "clipper", "pilot", "fish-market", "shipyard", "lighthouse", "back"),),
    "word-game": (("words", "bridge", "snowman", "lighthouse", "volcano", "silence", "deadline", "back"),),
}
"""Pictured pieces of each starter, a row a part: its name, the pieces, and ``back`` for the back of the first piece."""


def starter(name: str, pieces: Sequence[Sequence[str]]) -> Image.Image:
    """Draw some pieces of a starter; small parts share a row."""
    workshop = Workshop.open(Assets.at(Assets.at().data / "starters" / name))
    texts, spec = workshop.texts("en"), SheetSpec(paper=A4)
    rows: list[list[Image.Image]] = []
    for part, *keys in pieces:
        (drawn,) = draw_parts(workshop.parts(texts, CARD, spec, (part,)).parts, workshop.studio(texts, "full"),
                              sheet_bleed(spec), "en")
        faces = [drawn.faces[(keys[0], "back") if key == "back" else (key, "front")] for key in keys]
        size, is_counter = faces[0].size, part == "counters"
        pictures = cut_faces(faces, workshop, 0 if is_counter else size.width / 2 if size.width == size.height else 3)
        if rows and size.height < 50:
            rows[1:] = [[*(rows[1] if len(rows) > 1 else []), *pictures]]
        else:
            rows.append(pictures)
    return in_rows(rows, 2)


HEROES = """\
Name,Cost,Type,Text,Flavour,Attack,Defence
Ember Drake,5,Beast,**Flying.** When Ember Drake enters play deal {sword} 2.,It nests where the lava cools.,4,3
Field Surgeon,2,Hero,*Once per turn:* remove all wounds from another hero.,,1,3
"""
NUMBERS = "Suit,Value\nSuns,7\nMoons,3\nLeaves,5\n"


def all_looks() -> Image.Image:
    """Draw a card, a back and a number in each look, two looks in a row."""
    pieces = [[*in_look(HEROES, look, ("front", "back")), *in_look(NUMBERS, look, ("front",))] for look in looks()]
    return in_rows([[*left, *right] for left, right in zip(pieces[::2], pieces[1::2], strict=True)], 2)


def in_look(table: str, look: str, sides: Sequence[str]) -> list[Image.Image]:
    """Draw sides of the first card of a table in a look."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "cards.csv").write_text(table, encoding="utf-8")
        for file in deck_files(deck_from_sheet(SheetRequest(sheet=folder / "cards.csv", title="Heroes", look=look))):
            (folder / "deck" / file.path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "deck" / file.path).write_bytes(file.content)
        workshop = Workshop.open(Assets.at(folder / "deck"))
        texts, spec = workshop.texts("en"), SheetSpec(paper=A4)
        (drawn,) = draw_parts(workshop.parts(texts, workshop.game.card_size, spec, ("cards",)).parts,
                              workshop.studio(texts, "full"), sheet_bleed(spec), "en")
        first, *_ = drawn.faces
        return cut_faces([drawn.faces[first[0], side] for side in sides], workshop, 3)


EXAMPLE_SCALE, EXAMPLE_COLUMNS = 3, 6
"""Pixels per millimetre, and examples in a row, of the picture of template functions."""
CAPTION_FONT, CAPTION_SIZE = "EBGaramond-Regular.ttf", 17
FACES = ("france-1", "saxony-2", "hungary-3", "castile-6", "franconia-1", "bavaria-3", "italy-5", "england-3",
         "denmark-2")
"""A card of each country: different kinds of scenes, by day, in the evening and by night."""


def functions() -> Image.Image:
    """Draw the examples of docs/functions.md, each with the name of its function."""
    with TemporaryDirectory() as folder:
        names = write_example_deck(Path(folder))
        wanted = tuple(name.replace("_", "-") for name in names)
        workshop = Workshop.open(Assets.at(Path(folder)))
        texts, spec = workshop.texts("en"), SheetSpec(paper=A4)
        parts = draw_parts(workshop.parts(texts, CARD, spec, wanted).parts, workshop.studio(texts, "full"),
                           lambda *_: 0.0, "en")
        faces = [face for part in parts for face in part.faces.values()]
        pictures = faces_png(faces, workshop.fonts.folder, 25.4 * EXAMPLE_SCALE)
    side, gap, caption = round(50 * EXAMPLE_SCALE), 3 * EXAMPLE_SCALE, 8 * EXAMPLE_SCALE
    lines = -(-len(names) // EXAMPLE_COLUMNS)
    ground = Image.new("RGB", (EXAMPLE_COLUMNS * (side + gap) + gap, lines * (side + caption) + gap), "#e9e2d4")
    pen, font = ImageDraw.Draw(ground), ImageFont.truetype(Assets.at().data / "fonts" / CAPTION_FONT, CAPTION_SIZE)
    for n, (name, picture) in enumerate(zip(names, pictures, strict=True)):
        x, y = gap + n % EXAMPLE_COLUMNS * (side + gap), gap + n // EXAMPLE_COLUMNS * (side + caption)
        ground.paste("#ffffff", (x, y, x + side, y + side))
        face = Image.open(io.BytesIO(picture)).convert("RGBA")
        ground.paste(face, (x, y), face)
        pen.text((x + side / 2, y + side + caption / 3), f"{name}()", "#2e2117", font, "mm")
    return ground


def overview(pieces: Pieces) -> Image.Image:
    """Draw a front of each country with the back, and all tablets and stones."""
    cards = [*(pieces.cards[key] for key in FACES), pieces.card_back]
    return in_rows([cards[:5], cards[5:], pieces.others[1:]], 5)


WOODCUTS = ("france-7", "saxony-7", "hungary-3", "castile-1", "bavaria-3", "england-5", "denmark-1")


def woodcut(lang: str) -> Image.Image:
    """Draw some cards of the woodcut skin with their back, and its tablets and stones."""
    pieces = draw_set(Workshop.open(Assets.at(), "woodcut"), "full", lang)
    return in_rows([[*(pieces.cards[key] for key in WOODCUTS), pieces.card_back], pieces.others[1:]], 3)


LARGE_LEAVES, LEAVES = ("france-1", "hungary-3"), ("saxony-3", "italy-5")


def manuscript(lang: str) -> Image.Image:
    """Draw two large cards of the manuscript skin; beside them smaller ones with their back, and the tablets."""
    pieces = draw_set(Workshop.open(Assets.at(), "manuscript"), "full", lang)
    large = in_rows([[pieces.cards[key] for key in LARGE_LEAVES]], 7.35)
    small = in_rows([[*(pieces.cards[key] for key in LEAVES), pieces.card_back], [*pieces.tablets.values()]], 4.54)
    picture = ImageOps.expand(large, (0, 0, small.width, 0), GROUND)
    picture.paste(small, (large.width, (large.height - small.height) // 2))
    return picture


def in_rows(rows: Iterable[Sequence[Image.Image]], scale: float) -> Image.Image:
    """Lay pieces in centred rows on a plain ground; ``scale`` is in pixels per millimetre."""
    gap, lines = 4.0, [list(row) for row in rows]
    widths = [sum(piece.width / RENDERED + gap for piece in line) + gap for line in lines]
    heights = [max(piece.height for piece in line) / RENDERED for line in lines]
    width, height = max(widths), sum(heights) + gap * (len(lines) + 1)
    ground = Image.new("RGB", (round(width * scale), round(height * scale)), GROUND)
    y = gap
    for line, wide, tall in zip(lines, widths, heights, strict=True):
        x = (width - wide) / 2 + gap
        for piece in line:
            lay(ground, scale, piece, x + piece.width / RENDERED / 2, y + tall / 2, 0, lift=0.4)
            x += piece.width / RENDERED + gap
        y += tall + gap
    return ground


def chunks(pieces: Sequence[Image.Image], size: int) -> list[list[Image.Image]]:
    return [list(pieces[start:start + size]) for start in range(0, len(pieces), size)]


def save_jpeg(picture: Image.Image, path: Path) -> None:
    """Write a small JPEG, for pictures with light and shadow."""
    picture.save(path, quality=80, optimize=True, progressive=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size // 1000} kB")


def save(picture: Image.Image, path: Path, colours: int = MAX_COLOURS) -> None:
    """Write a small PNG."""
    picture.quantize(colours, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
