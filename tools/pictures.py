"""Makes the pictures of the README and of docs/ from real faces and a real build, into ``docs/images/``.

    python -m tools.pictures [NAME ...]

Without names it makes all of ``PICTURES``. It needs Chromium; for the scorer page also Node, and the npm packages of
the tests (``npm install --prefix tests/forms``).
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pypdfium2
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.geometry import A4, INCH, Rect, Size
from ppgen.games.board_game.board import load_board
from ppgen.making.first_layout import looks
from ppgen.making.new_deck import deck_from_sheet
from ppgen.making.starters import SheetRequest, deck_files
from ppgen.pages.single_pages import scorer_page
from ppgen.printing.request import BuildRequest
from ppgen.printing.set_build import build_set, fill_score_sheet
from ppgen.printing.tuck_box import BoxNet
from ppgen.printing.workshop import Workshop
from ppgen.shipped import shipped_root
from tools.browser_picture import FOLDER, SPEC, Piece, Table, draw, find_chromium, in_rows, keep, mm, take
from tools.functions_page import write_example_deck

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
LANG = "de"


def faces(part: str, side: str = "front", *, skin: str = "", game: str = "", ink: str = "full",
          corner: float = 3) -> dict[str, Piece]:
    """Draw a side of the pieces of a shipped part."""
    drawn = draw(Workshop.open(Assets.at(), skin, game), LANG, part, ink=ink, corner=corner)
    return {name: piece for (name, of), piece in drawn.items() if of == side}


def backs(part: str, **options: Any) -> Piece:
    return next(iter(faces(part, "back", **options).values()))


# The card game on a table

TABLE = Table(size=Size(1240, 900), eye=(583, 1720, 1250), target=(583, 356), zoom=4345, picture=(1600, 780),
              lamp=(640, 230), reach=1300)
TAKEN = ((2, 3), (2, 3), (1, 3), (3, 3))  # cards taken from the left and the right end of each row of 14
STONES = {(0, 4): 0, (1, 7): 2, (2, 1): 3, (2, 6): 1, (3, 11): 0, (0, 10): 3, (3, 7): 4}  # by row and column
HANDS = (  # cards of the players around the table: the first, the next of a country, the next country, turn
    ("france france england england denmark hungary hungary bavaria bavaria", (405, 508), (0, 19.5), (50, 0), 0),
    ("saxony saxony italy italy castile", (640, 113), (0, -19.5), (-50, 0), 180),
    ("franconia franconia castile castile saxony", (283, 187), (-19.5, 0), (0, 50), 90))
NAMES = {"p1.name": "Anna", "p2.name": "Ben", "p3.name": "Clara"}
PENCIL = f"""<b style="left: {mm(683)}; top: {mm(530)}; width: {mm(165)}; height: {mm(7)}; transform: rotate(-70deg);
filter: drop-shadow(3px 4px 3px #120a06a0)"><b style="inset: 0;
clip-path: polygon(0 0, 87% 0, 100% 50%, 87% 100%, 0 100%);
background: linear-gradient(90deg, #d9b24a 4%, #0000 0 87%, #e2be8b 0 96%, #3a3433 0),
linear-gradient(#c8564a 33%, #a8352c 0 66%, #74211c 0)"></b></b>"""


def table() -> Image.Image:
    """Lay out a display with both ends taken, cards of the players and, beside it, the boxes of both games."""
    chance, cards = random.Random(2001), [*faces("cards").items()]
    tablets, tablet_back, stones = (faces("tablets", corner=2), backs("tablets"), [*faces("stones", corner=0).values()])
    chance.shuffle(cards)
    lying: list[str] = []
    for lands, at, next_card, next_land, turn in HANDS:
        for n, land in enumerate(dict.fromkeys(lands.split())):
            for row in range(lands.split().count(land)):
                card = cards.pop(next(n for n, (name, _) in enumerate(cards) if name.startswith(land)))[1]
                lying.append(card.lie(at[0] + n * next_land[0] + row * next_card[0] + chance.uniform(-1, 1),
                                      at[1] + n * next_land[1] + row * next_card[1], turn + chance.gauss(0, 1.5)))
    for row, (first, last) in enumerate(TAKEN):
        for column in range(first, 14 - last):
            x, y = 285 + column * 46.8 + chance.uniform(-0.7, 0.7), 205 + row * 70.6 + chance.uniform(-0.7, 0.7)
            lying.append(cards.pop()[1].lie(x, y, chance.gauss(0, 0.9)))
            if column in (1 + row, 12 - row):
                lying.append(tablet_back.lie(x, y + 14, chance.uniform(-3, 3), lift=1))
            elif (row, column) in STONES:
                lying.append(stones[STONES[row, column]].lie(x, y + 10, chance.uniform(-14, 14), thick=True))
    lying += [tablet.lie(658 + 37 * n, 528 + 3 * n, -4 + 7 * n) for n, tablet in enumerate([*tablets.values()][1:3])]
    lying += [stones[player].lie(x, y, chance.uniform(-20, 20), thick=True) for x, y, player in (
        (338, 514, 0), (358, 532, 0), (728, 124, 3), (752, 113, 3), (272, 334, 2))]
    with pypdfium2.PdfDocument(fill_score_sheet("card-game", NAMES, LANG)) as document:
        document.init_forms()
        page: Image.Image = document[0].render(scale=5 * INCH / 72, may_draw_forms=True).to_pil()
    lying += [keep(page, Size(148, 210)).lie(852, 550, 9), PENCIL]
    boxes = [tuck_box(game, *place) for game, *place in (
        ("board-game", 899, 300, -32), ("card-game", 851, 366, -20))]
    soft = "".join(f'<div class="soft" style="{edge}: 0; height: 140px; mask-image: linear-gradient(to {edge}, #0000, '
                   '#000)"></div>' for edge in ("top", "bottom"))
    return take(TABLE.show("".join([*lying, *(shadow for shadow, _ in boxes)]), "".join(box for _, box in boxes), soft))


def tuck_box(game: str, x: float, y: float, turn: float) -> tuple[str, str]:
    """Fold the tuck box of a game; of two, the one for the cards. Returns its shadow, and its three visible panels."""
    workshop = Workshop.open(Assets.at(), game=game)
    parts = workshop.parts(workshop.texts(LANG), workshop.game.card_size, SPEC, ("box",)).parts
    net = parts[0].components[0].front.values["box"]
    assert isinstance(net, BoxNet)
    printed = next(iter(draw(workshop, LANG, "box", corner=0).values()))
    panel, front, lid = partial(printed.panel, net.panels), net.panels["front"], net.panels["lid"]
    high = mm(front.height)
    place = f"transform: translate3d({mm(x)}, {mm(y)}, 0) rotateZ({turn}deg)"
    left, back = mm(-front.width / 2), mm(-lid.height)
    ground = f"left: {left}; top: {back}; width: {mm(front.width)}; height: {mm(lid.height)}"
    fall = ", ".join(f"{mm(front.height * .45 * n / 16)} {mm(front.height * .3 * n / 16)} {mm(n / 4)} #120a0630"
                     for n in range(17))
    walls = (panel("right", f"translate3d({left}, {back}, {high}) rotateZ(90deg) rotateX(-90deg)",
                   "brightness(.72)"),
             panel("front", f"translate3d({left}, 0, {high}) rotateX(-90deg)", "brightness(.96)"),
             panel("lid", f"translate3d({left}, {back}, {high}) rotateZ(180deg)",
                   "brightness(1.12)", "50% 50%"))
    return (f'<u style="{place}"><b style="{ground}; box-shadow: {fall}"></b></u>',
            f'<u style="{place}">{"".join(walls)}</u>')


# The board game on a table

BOARD_TABLE = Table(size=Size(850, 714), eye=(425, 1290, 1290), target=(425, 358), zoom=3575, picture=(1500, 800),
                    lamp=(620, 250), reach=1350)
TENT, STANDEE = Rect(0, 17, 0, 9), Rect(0, 23, 0, 18)  # the panels of folded pieces that are seen, on their nets


def board() -> Image.Image:
    """Lay out the board during a game, with pieces on it and cards beside it."""
    chance, data = random.Random(2000), load_board(shipped_root() / "data" / "board_game")
    drawn = {name: piece for part, corner in (("board", 0), ("cards", 3), ("pieces", 0))
             for name, piece in faces(part, game="board-game", corner=corner).items()}
    left = top = 170.0
    lying = [drawn["board"].lie(left + data.width / 2, top + data.height / 2, lift=1.2)]
    standing: list[tuple[float, str]] = []

    def stand(name: str, panel: Rect, lean: float, x: float, y: float, turn: float) -> None:
        shadow, piece = drawn[name].stand(panel, lean, x, y, turn)
        lying.append(shadow)
        standing.append((y, piece))

    for space in data.spaces:
        if chance.random() < 0.55:
            favoured = sum(map(ord, space.country)) % 4  # a main builder for each country
            player = 1 + (favoured if chance.random() < 0.5 else chance.randrange(4))
            stand(f"cloister-{player}", TENT, 27, left + space.at.x, top + space.at.y + 4, chance.uniform(-24, 24))
    for country in data.countries:
        for place in range(chance.choice((0, 1, 2, 3))):
            stand(f"councillor-{1 + chance.randrange(4)}", STANDEE, 0, left + country.court.at.x - 9 + 9 * place,
                  top + country.court.at.y + 5 - 4 * (place % 2), chance.uniform(-16, 16))
    squares = data.track()
    lying += [drawn[f"score-marker-{player}"].lie(
        left + squares[points].x + data.square / 2, top + squares[points].y + data.square / 2, chance.uniform(-9, 9),
        thick=True) for player, points in enumerate((23, 25, 19, 27), 1)]
    right, middle = left + data.width + 36, top + data.height / 2
    lying += [backs("cards", game="board-game").lie(right + 0.3 * n, middle - 78 - 0.4 * n) for n in range(5)]
    lying += [drawn[name].lie(x, middle + y, chance.gauss(0, 1.5)) for name, x, y in (
        ("lotharingia-italy", right, 0), ("england-swabia", right, 74), ("france", left - 36, -74),
        ("france", left - 36, 0), ("bavaria-burgundy", left - 36, 74))]
    return take(BOARD_TABLE.show("".join(lying), "".join(piece for _, piece in sorted(standing))))


# Pieces in rows

FACES = ("france-1", "saxony-2", "hungary-3", "castile-6", "franconia-1", "bavaria-3", "italy-5", "england-3",
         "denmark-2")
"""A card of each country: different kinds of scenes, by day, in the evening and by night."""
WOODCUTS = ("france-7", "saxony-7", "hungary-3", "castile-1", "bavaria-3", "england-5", "denmark-1")
LARGE_LEAVES, LEAVES = ("france-1", "hungary-3"), ("saxony-3", "italy-5")


def small_pieces(**options: Any) -> list[Piece]:
    return [*faces("tablets", corner=2, **options).values(), backs("tablets", **options),
            *faces("stones", corner=0, **options).values()]


def overview(ink: str) -> Image.Image:
    """Show a front of each country with the back, and all tablets and stones."""
    cards = faces("cards", ink=ink)
    shown = [*(cards[key] for key in FACES), backs("cards", ink=ink)]
    return take(in_rows([shown[:5], shown[5:], small_pieces(ink=ink)], 5))


def woodcut() -> Image.Image:
    """Show some cards of the woodcut skin with their back, and its tablets and stones."""
    cards = faces("cards", skin="woodcut")
    return take(in_rows([[*(cards[key] for key in WOODCUTS), backs("cards", skin="woodcut")],
                         small_pieces(skin="woodcut")], 3))


def manuscript() -> Image.Image:
    """Show two large cards of the manuscript skin; beside them smaller ones with their back, and the tablets."""
    cards, tablets = faces("cards", skin="manuscript"), faces("tablets", skin="manuscript", corner=2)
    return take(f'''<div class="side">{in_rows([[cards[key] for key in LARGE_LEAVES]], 7.35)}{in_rows(
        [[*(cards[key] for key in LEAVES), backs("cards", skin="manuscript")], [*tablets.values()]], 4.54)}</div>''')


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


def starter(name: str) -> Image.Image:
    """Show some pieces of a starter; small parts share a row."""
    workshop = Workshop.open(Assets.at(shipped_root() / "data" / "starters" / name))
    rows: list[list[Piece]] = []
    for part, *keys in STARTERS[name]:
        drawn = draw(workshop, "en", part)
        pieces = [drawn[(keys[0], "back") if key == "back" else (key, "front")] for key in keys]
        if rows and pieces[0].size.height < 50:
            rows[1:] = [[*(rows[1] if len(rows) > 1 else []), *pieces]]
        else:
            rows.append(pieces)
    return take(in_rows(rows, 2))


HEROES = """\
Name,Cost,Type,Text,Flavour,Attack,Defence
Ember Drake,5,Beast,**Flying.** When Ember Drake enters play deal {sword} 2.,It nests where the lava cools.,4,3
Field Surgeon,2,Hero,*Once per turn:* remove all wounds from another hero.,,1,3
"""
NUMBERS = "Suit,Value\nSuns,7\nMoons,3\nLeaves,5\n"


def all_looks() -> Image.Image:
    """Show a card, a back and a number in each look, two looks in a row."""
    pieces = [[*in_look(HEROES, look)[:2], in_look(NUMBERS, look)[0]] for look in looks()]
    return take(in_rows([[*left, *right] for left, right in zip(pieces[::2], pieces[1::2], strict=True)], 2))


def in_look(text: str, look: str) -> list[Piece]:
    """Draw the front and the back of the first card of a table in a look."""
    with TemporaryDirectory() as temporary:
        sheet = Path(temporary, "cards.csv")
        sheet.write_text(text, encoding="utf-8")
        made = deck_files(deck_from_sheet(SheetRequest(sheet=sheet, title="Heroes", look=look)))
        write_files(Path(temporary, "deck"), {file.path: file.content for file in made})
        return [*draw(Workshop.open(Assets.at(Path(temporary, "deck"))), "en", "cards").values()][:2]


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


# Examples of the documentation

OWN = ("cards-5", "cards-8", "cards-11", "cards-19")


def own_game() -> Image.Image:
    """Lay a card of each suit, a back and two coins of the game in docs/your-own-game.md on a table."""
    page = (IMAGES.parent / "your-own-game.md").read_text(encoding="utf-8")
    found = re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with TemporaryDirectory() as folder:
        write_files(Path(folder), {file.replace("lanterns.csv", "cards.csv"): body.encode() for file, body in found})
        workshop = Workshop.open(Assets.at(Path(folder)))
        cards, coins = draw(workshop, "en", "cards"), draw(workshop, "en", "coins", corner=99)
    shown = [*(cards[key, "front"] for key in OWN), cards[OWN[0], "back"]]
    lying = [piece.lie(46 + 70 * n, 58, turn) for n, (piece, turn) in enumerate(
        zip(shown, (3, -1, 1, -2, 2), strict=True))]
    lying += [coins[key, "front"].lie(376, y, lift=1.4) for key, y in (("spark", 42), ("flame", 74))]
    return take(f'''<div class="table" style="position: relative; transform: none; --mm: 3px; width: 1200px;
        height: 348px; background: repeating-linear-gradient(#423023 0 68px, #281b14 0 70px)">{"".join(lying)}</div>''')


ICON_SHEET = 'title = "Icons"\n[sheet]\nsize = "{width}mm x {height}mm"\nfront = "sheet.svg.j2"\n'
ICON_CELLS = """{{{{ fill("#ffffff") }}}}
{{% set names = {names} %}}
{{% for box in rows({count}, columns={columns}, width={width}, height={height}) %}}
  {{{{ icon(names[box.n], box.cx, box.y + 6, 8) }}}}
  {{{{ text(names[box.n], x=box.cx, y=box.y + 13.6, width=box.width, size=2.7, anchor="middle") }}}}
{{% endfor %}}"""


def icons() -> Image.Image:
    """Draw the shipped icons, as a deck's template draws them."""
    page = (IMAGES.parent / "icons.md").read_text(encoding="utf-8")
    names = re.findall(r"`([a-z0-9-]+)`", page.partition("## The set")[2].partition("Capitals")[0])
    facts = {"names": names, "count": len(names), "columns": 12, "width": 180, "height": -(-len(names) // 12) * 15}
    with TemporaryDirectory() as folder:
        write_files(Path(folder), {"deck.toml": ICON_SHEET.format(**facts).encode(),
                                   "sheet.svg.j2": ICON_CELLS.format(**facts).encode()})
        (sheet,) = draw(Workshop.open(Assets.at(Path(folder))), "en", "sheet", corner=0).values()
    return sheet.open().reduce(2)


def functions() -> Image.Image:
    """Show the examples of docs/functions.md, each with the name of its function."""
    with TemporaryDirectory() as folder:
        names = write_example_deck(Path(folder))
        workshop = Workshop.open(Assets.at(Path(folder)))
        drawn = [draw(workshop, "en", name.replace("_", "-"), corner=0) for name in names]
    cells = "".join(f"<p>{next(iter(each.values())).html('background-color: #fff; filter: none')}{name}()</p>"
                    for name, each in zip(names, drawn, strict=True))
    return take(f'<div class="cells" style="--mm: 3px">{cells}</div>')


def printed_sheet() -> Image.Image:
    """Render a printed sheet of cards."""
    built = build_set(BuildRequest(langs=(LANG,), papers=(A4,), parts=("cards",)), Workshop.open(Assets.at()))
    with pypdfium2.PdfDocument(next(file.content for file in built.files if "/cards-" in file.path)) as document:
        picture: Image.Image = document[2].render(scale=100 / 72).to_pil()
        return picture.convert("RGB")


def scorer() -> Image.Image:
    """Show three screens of the scorer page side by side, as a phone shows them."""
    folder, here = Path(FOLDER.name), Path(__file__).resolve().parent
    games = [Workshop.open(Assets.at(), game=name) for name in ("card-game", "board-game")]
    (folder / "scorer.html").write_text(scorer_page(games), encoding="utf-8")
    subprocess.run(["node", here / "scorer_picture.mjs", here.parent / "tests" / "forms" / "node_modules",
                    find_chromium(), folder / "scorer.html", folder], check=True, timeout=120)
    screens = "".join(f'<img src="{path.name}" width="360">' for path in sorted(folder.glob("scorer-*.png")))
    return take(f'<div class="side" style="gap: 16px">{screens}</div>')


PICTURES: dict[str, tuple[Callable[[], Image.Image], int]] = {
    "table.jpg": (table, 0), "board.jpg": (board, 0), "faces.jpg": (partial(overview, "full"), 0),
    "faces-low.png": (partial(overview, "low"), 256), "woodcut.png": (woodcut, 48), "manuscript.jpg": (manuscript, 0),
    "sheet.png": (printed_sheet, 256), "functions.png": (functions, 64), "own-game.png": (own_game, 256),
    "icons.png": (icons, 16), "scorer.png": (scorer, 96), "looks.png": (all_looks, 96),
    **{f"starter-{name}.png": (partial(starter, name), 48) for name in STARTERS}}
"""What makes each picture, and the number of its colours: flat art needs few."""


def save(picture: Image.Image, path: Path, colours: int) -> None:
    """Write a small PNG, or a small JPEG of a picture with light and shadow."""
    if colours:
        picture.quantize(colours, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
    else:
        picture.save(path, quality=80, optimize=True, progressive=True)
    print(f"{path.name}: {picture.width} x {picture.height}, {path.stat().st_size // 1000} kB")


def main(names: Sequence[str]) -> None:
    for name in names or PICTURES:
        make, colours = PICTURES[name]
        save(make(), IMAGES / name, colours)


if __name__ == "__main__":
    main(sys.argv[1:])
