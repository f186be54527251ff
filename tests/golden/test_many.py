"""What comes of many random inputs, as records: a slip in a bound, a key, an order or a term changes some of them.

``pytest --update-golden`` writes them anew; read the diff.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from ppgen.engine.component import Component, Part, Stock
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.shapes import CIRCLE, HEXAGON, RECTANGLE, die, rounded_shape, standee, tent
from ppgen.errors import InputError, Problems
from ppgen.making.card_sheets import PX_PER_MM, GivenGrid, _fill_corners, _is_round, find_grids
from ppgen.making.finished_art import USUAL_BLEEDS, USUAL_DPI, FinishedFace, _guess_size, deck_from_art, read_names
from ppgen.making.first_layout import looks
from ppgen.making.new_deck import add_score_file, deck_from_sheet
from ppgen.making.sheet_columns import PLACES, bad_copies, kind_signs, layout_data, understand_columns
from ppgen.making.starters import ArtRequest, SheetRequest
from ppgen.printing.request import Pack
from ppgen.printing.tuck_box import tuck_box_part
from ppgen.reading.tables import read_table
from tests.games.own_deck.drawn_sheets import draw_sheets, paste_sheet, scan
from tests.golden.records import digest, shown, tones, weigh
from tests.golden.test_zoo import quarters
from tests.reading.test_tables import workbook

SIZES = [Size(63.5, 88.9), Size(63, 88), Size(44, 68), Size(70, 120), Size(57, 87)]
SHAPES = [RECTANGLE, RECTANGLE, CIRCLE, HEXAGON, rounded_shape(3)]


# --- Tables ---

CELLS: list[Callable[[random.Random, int], str]] = [
    lambda chance, n: str(chance.randint(0, 12)), lambda _, n: str(n + 1), lambda _, n: f"hero {n * 7}",
    lambda chance, n: chance.choice(["Orc", "Elf", "Red"]), lambda chance, n: chance.choice(["red", "blau", "vert"]),
    lambda chance, n: "Draw a card, then each player may discard one. " * chance.randint(1, 3),
    lambda _, n: f"art/{n}.png", lambda _, n: f"https://example.org/{n}", lambda _, n: f"#0{n}a0b0",
    lambda chance, n: chance.choice(["yes", "no"]), lambda chance, n: chance.choice(["{sword}", "**Run** {zorg}", "—"]),
    lambda chance, n: chance.choice(["2-3", "+4", "50%", "J"]), lambda chance, n: chance.choice(["x2", "3x", "1"]),
    lambda chance, n: chance.choice(["♥", "♠", "♣"]), lambda _, n: str(n % 4 + 1), lambda _, n: "" if n else "1",
    lambda _, n: "♥♦♠♣★⚡☁"[n % 7], lambda _, n: f"goblin{n}", lambda chance, n: f"<b>Goblin</b> {n}",
    lambda _, n: ["Name", "Cost", "Text", "Kind"][n % 4]]
HEADINGS = [[*words] for lang in ("en", "en", "de", "ja") for words in (each.split() for each in layout_data()[
    "headings"][lang].values())] + [["No", "n", "Zorg", "Zorg Blip", "★", "Effect Text", "Type (en)", "Type (de)"]] * 3


def any_table(chance: random.Random) -> list[list[str]]:
    kinds = [chance.choice(CELLS) for _ in range(chance.choice((1, 2, 3, 4, 6, 9, 14)))]
    rows = [[kind(chance, n) if chance.random() < 0.95 else "" for kind in kinds] for n in range(
        chance.choice((1, 2, 4, 7, 9, 15)))]
    return [[chance.choice(chance.choice(HEADINGS)) for _ in kinds], *rows]


def write_table(path: Path, table: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    return path


def understand(chance: random.Random, folder: Path) -> Iterator[object]:
    table = read_table(folder, write_table(folder / "sheet.csv", any_table(chance)).name, Problems())
    given = {name: PLACES[chance.choice([*PLACES])] for name in table.headings if chance.random() < 0.05}
    found = understand_columns(table, {"goblin1", "goblin2"} if chance.random() < 0.5 else (), given)
    yield f"{found.lang}: " + ", ".join(f"{each.heading} {role}" for role, each in found.roles.items())
    for name in ("texts", "facts", "numbers"):
        yield from (f"{name} {', '.join(each.heading for each in getattr(found, name))}",) * bool(getattr(found, name))
    for name in ("left_out", "doubts", "files", "repeats", "is_list", "is_suit", "kinds", "colours", "has_words_alone"):
        yield from (f"{name} {getattr(found, name)}",) * bool(getattr(found, name))
    yield from kind_signs([*found.kinds]).items()
    yield from bad_copies(found)


def write_art(folder: Path) -> Path:
    """Pictures for some of the cells, of some proportions; one is of another kind, one dark without a ground."""
    (art := folder / "art").mkdir(exist_ok=True)
    for n, name in enumerate(("0.png", "1.png", "2.jpg", "hero 7.png", "goblin3.png", "Orc.png", "red.png", "zorg.png",
                              "goblin2.png", "back.png", "goblins.png")):
        quarters(40 + 7 * n, 60 - 4 * n, alpha=n == 5).save(art / name, "GIF" if name == "1.png" else None)
    return art


def make_deck(chance: random.Random, folder: Path) -> Iterator[object]:
    sheet, roles = write_table(folder / "sheet.csv", table := any_table(chance)), ["cost", "left", "text", "", "x"]
    if chance.random() < 0.3:
        (sheet := folder / "sheet.xlsx").write_bytes(workbook(
            Cards=table, Extra=any_table(chance), Maps=any_table(chance)))
    size, shape = chance.choice((("", "rectangle"), ("70x50mm", "rectangle"), ("mini-euro", "rectangle"), (
        "18mm", "rectangle"), ("60mm", "hexagon"), ("40mm", "circle")))
    try:
        deck = add_score_file(deck_from_sheet(SheetRequest(
            sheet=sheet, title="A “deck”", book_title="Book", art=write_art(folder) if chance.random() < 0.6 else None,
            page=chance.choice(("", "", "all", "Maps")) if sheet.suffix == ".xlsx" else "", size=size, shape=shape,
            look=chance.choice(["", *sorted(looks())]), lang=chance.choice(("", "", "fr")), user_lang="de",
            roles=[f"{each}={chance.choice(roles)}" for each in table[0] if chance.random() < 0.06])))
    except InputError as refused:
        yield refused
        return
    yield from (": ".join(each) for each in deck.columns)
    yield from (line for line in map(str, (*deck.notes, *deck.warnings, *deck.deck_warnings)) if "no font" not in line)
    yield from deck.found.items()
    yield " ".join(f"{name} {digest(content) if isinstance(content, bytes) else content.name}"
                   for name, content in deck.files.items() if not name.startswith("fonts/") and ".xlsx" not in name)


# --- Pictures and sheets ---

def read_any_names(chance: random.Random, folder: Path) -> Iterator[object]:
    words = "goblin Goblin orc card back front (back) [B] a b 2 x2 (2) 3x 01a 01b 0 v2 copies Rückseite dos 裏".split()
    folders = ["", "", "front/", "backs/", "red/", "red/back/", "double_sided/", "red front/", "red back/", "dos/"]
    paths = {Path(chance.choice(folders) + chance.choice("-_ ").join(chance.choices(words, k=n % 3 + 1)) + ".png")
             for n in range(chance.randint(1, 9))}
    for file in read_names(Path(), paths, chance.random() < 0.1):
        yield (f"{file.path}: {file.folder} {file.card or 'all'} × {file.copies}" + " back" * file.is_back
               + " guess" * file.is_guess)


def guess_size(chance: random.Random, formats) -> Iterator[object]:
    name = chance.choice([*formats.sizes])
    trim, bleed, dpi = formats.sizes[name], chance.choice(USUAL_BLEEDS), chance.choice(USUAL_DPI)
    is_real, near = chance.random() < 0.4, chance.choice((0.0, 0.0, 0.15, 0.5, 2.0))
    width, height = (side + 2 * bleed + near for side in (trim.width, trim.height))
    width, height = (width, height) if is_real else (round(width / 25.4 * dpi), round(height / 25.4 * dpi))
    face = FinishedFace(path="", content=b"", width=width, height=height, is_real=is_real,
                        bleed=bleed * (chance.random() < 0.2), dpi=0 if is_real else chance.choice((0, dpi, 72)))
    yield f"{shown(width)} × {shown(height)} {face.dpi:g}: {_guess_size(face, formats)}"


def find_any_grid(chance: random.Random, folder: Path) -> Iterator[object]:
    """Of pages whose cards show by some signs, which are not quite right."""
    size, gap, bleed = chance.choice(SIZES), chance.choice((0, 0, 2, 5)), chance.choice((0, 0, 2, 3))
    counts, starts = [[chance.choice((1, 2, 3)) for _ in "xy"], [chance.uniform(4, 30) for _ in "xy"]]
    scale, sides, pages = chance.choice((PX_PER_MM, PX_PER_MM, 1)), [], []
    cuts = [[start + n * (side + gap) + end for n in range(count) for end in (0, side)] for start, side, count in zip(
        starts, (size.width, size.height), counts, strict=True)]
    sides = [each[-1] + chance.choice((start, 25, 60)) for each, start in zip(cuts, starts, strict=True)]
    for _ in range(chance.choice((1, 1, 2))):
        has, off = [chance.random() < 0.4 for _ in range(5)], lambda: chance.choice((0, 0.1, -0.2, 0.3))
        lines = [[chance.choice((0.0, 0.05, 0.2)) for _ in range(round(side * scale) + 1)] for side in sides]
        for own, line in zip(cuts, lines, strict=True):
            for at in own if has[0] else ():
                line[min(int(at * scale), len(line) - 1)] = chance.choice((0.4, 0.7, 1.0))
        boxes = [[x + off() - bleed, y + off() - bleed, right + bleed, bottom + bleed]
                 for x, right in zip(cuts[0][::2], cuts[0][1::2], strict=True)
                 for y, bottom in zip(cuts[1][::2], cuts[1][1::2], strict=True) if chance.random() < 0.9] * has[1]
        ink = [each[0] - bleed - off() for each in cuts] + [each[-1] + bleed + off() for each in cuts]
        tones = [[0.3 if any(abs(at / scale + own[0] - cut) < 2.2 for cut in own) or chance.random() < 0.2 else 0.7
                  for at in range(round((own[-1] - own[0]) * scale))] for own in cuts]
        pages.append({"boxes": boxes, "edges": lines, "scale": scale, "sides": sides, "ink": ink, "tones": tones,
                      "marks": [[at + off() for at in sorted({*own}) if chance.random() < 0.97] * has[2 + n]
                                for n, own in enumerate(cuts)], "is_vector": has[4], "own_scale": 0.0, "turn": 0.0,
                      "trim": [cuts[0][0], cuts[1][0], cuts[0][-1], cuts[1][-1]] if chance.random() < 0.2 else None})
    given = GivenGrid() if chance.random() < 0.6 else GivenGrid(
        columns=counts[0], rows=counts[1], size=size if chance.random() < 0.5 else None,
        gaps=(gap, gap + 1) if chance.random() < 0.4 else None, margin=starts if chance.random() < 0.3 else None)
    for grid in find_grids(pages, SIZES, given):
        numbers = [number for axis in grid.axes for number in (axis.start, axis.length, axis.gap, axis.count)]
        yield (f"{grid.how} {shown(grid.confidence)}: {' '.join(map(shown, numbers))} bleed {grid.find_bleed(pages)} "
               f"on {''.join(str(int(grid.is_on(page))) for page in pages)}")


def cut_sheets(chance: random.Random, folder: Path) -> Iterator[object]:
    """Of a PDF, a scan or a picture of sheets, with what somebody says of them."""
    columns, rows = chance.randint(1, 4), chance.randint(1, 3)
    backs = chance.choice(("", "pages", "fold", "one", "first"))
    size, gap = chance.choice(((63.5, 88.9), (44, 68), (40, 40))), chance.choice((0, 2, 5))
    path = draw_sheets(folder / "a.pdf", columns, rows, pages=chance.choice((1, 2, 3)), paper=(300, 320), size=size,
                       gap=gap, bleed=gap / 2, marks=chance.random() < 0.6,
                       numbers=lambda page, row, column: chance.randint(-1, 6))
    if chance.random() < 0.4:
        path = scan(path, folder / "a.png", 90, chance.choice((0, 0.7, -1.2)), has_dpi=chance.random() < 0.8)
    elif chance.random() < 0.3:
        path = paste_sheet(folder / "a.png", columns, rows, 75, 105, gap=gap, radius=chance.choice((0, 8)), count=7)
    margin = ((side - count * (length + gap) + gap) / 2 for side, count, length in zip(
        (300, 320), (columns, rows), size, strict=True))
    given = {"grid": f"{columns}x{rows}", "size": "x".join(map(str, size)), "gap": f"{gap}mm",
             "margin": "x".join(f"{each:.1f}" for each in margin)}
    given = {key: value for key, value in given.items() if chance.random() < 0.3}
    try:
        deck = deck_from_art(ArtRequest(source=path, title="T", backs=backs, **given))
    except InputError as refused:
        yield str(refused).replace(str(folder), "")
        return
    yield f"{path.suffix} {columns} x {rows} of {size}, {given}, {backs}: {deck.found}"
    yield from (*deck.notes, *deck.warnings)
    yield " ".join(name for name in deck.files)
    yield from deck.files["cards.csv"].decode().splitlines() if "cards.csv" in deck.files else ()


def fill_corners(chance: random.Random, folder: Path) -> Iterator[object]:
    width, height, mode = chance.randint(60, 130), chance.randint(60, 130), chance.choice(("RGB", "RGBA", "L"))
    height = width if chance.random() < 0.3 else height
    card = Image.new(mode, (width, height), chance.choice((255, 0, 128)) if mode == "L" else chance.choice((
        "#ffffff", "#000000", "#ff8000" if mode == "RGB" else "#ff800000")))
    depth = min(width, height) / 2 if width == height else chance.choice((2, 5, 9, 14, 30))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((0, 0, width - 1, height - 1), depth, 90 if mode == "L" else "#3070a0", corners=tuple(
        width == height or chance.random() < 0.95 for _ in range(4)))
    pen.rectangle((0, height // 2, width - 1, height // 2 + 9), 40 if mode == "L" else "#a03020")
    filled = _fill_corners(card)
    yield (f"{mode} {width} × {height} {depth}: round {_is_round(card.convert('RGB'))} "
           + (f"{tones(filled)} {weigh(filled.tobytes()):.0f}" if filled else "left"))


# --- Pieces ---

def any_parts(chance: random.Random) -> list[Part]:
    parts = list[Part]()
    for n in range(chance.randint(1, 4)):
        pieces, stock = list[Component](), chance.choice([Stock.CARD, *Stock])
        for m in range(chance.randint(1, 4)):
            net = chance.choice((None, None, standee(Size(25, 45), 10), tent(40, 18, 25, 7), die(16)))
            size = chance.choice((*SIZES, Size(22, 24), Size(31.7, 38.1), Size(80, 83), Size(90, 60), Size(12, 10)))
            size, shape = (net.size, net.shape) if net else (size, chance.choice(SHAPES))
            pieces.append(Component(id=f"{n}-{m}", copies=chance.randint(1, 30), front=FaceRequest(
                template="x", size=size, shape=shape, values={"net": net} if net else {}),
                may_be_rectangle=chance.random() < 0.2))
        parts.append(Part(name=f"part-{n}", title=f"Part {n}", stock=stock, components=tuple(pieces)))
    return parts


def box_any_parts(chance: random.Random, folder: Path) -> Iterator[object]:
    pack = Pack(thickness=chance.choice((0.3, 0.32, 0.4)), sleeved=chance.random() < 0.4,
                home="h" * chance.randint(0, 1), rules_sheets=chance.randint(0, 3))
    parts = [*any_parts(chance), Part(name="z", title="", stock=Stock.CARD, components=(Component(
        id="z", copies=20, front=FaceRequest(template="x", size=chance.choice(SIZES), values={})),))]
    try:
        made = tuck_box_part(lambda key: key, "x", parts, pack, chance.choice((Size(194, 281), Size(281, 404), Size(
            150, 240))), chance.random() < 0.6, chance.random() < 0.7)
    except InputError as refused:
        yield refused
        return
    for box in made.components:
        values, net = box.front.values, box.front.values["box"]
        rects = [each for rect in (*net.panels.values(), *net.tucks, net.glue) for each in (
            rect.x, rect.y, rect.width, rect.height)]
        lines = [each for line in (*net.folds, *net.marks) for at in (line.start, line.end) for each in (at.x, at.y)]
        points = [each for at in net.outline for each in (at.x, at.y)]
        yield (f"{box.id} {net.size}, notch {shown(net.notch)}: rects {shown(weigh(rects))}, lines {len(lines)} "
               f"{shown(weigh(lines))}, points {len(points)} {shown(weigh(points))}")
        yield " ".join([f"turned {values['turned']} paper {values['paper']} {values['address']} {values['cards']}", *(
            f"{each['id']}×{each['copies']}" for key in ("pieces", "beside") for each in (*values[key], {
                "id": "", "copies": ""}))])


ASKED: dict[str, tuple[Callable[..., Iterator[object]], int]] = {
    "columns": (understand, 200), "decks": (make_deck, 120), "names": (read_any_names, 120), "sizes": (guess_size, 200),
    "grids": (find_any_grid, 150), "sheets": (cut_sheets, 16), "corners": (fill_corners, 60),
    "boxes": (box_any_parts, 25)}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in ("decks", "sheets")))
                                  for name in ASKED])
def test_what_comes_of_many_inputs_has_not_changed(golden, formats, tmp_path, name):
    ask, number = ASKED[name]
    lines = (f"{seed}: {line}" for seed in range(number) for line in ask(
        random.Random(f"{name} {seed}"), formats if name == "sizes" else tmp_path))
    golden(f"many-{name}.txt", "\n".join(lines).replace(f"{tmp_path}/", "") + "\n")
