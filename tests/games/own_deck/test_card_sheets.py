"""``ppgen new --from`` sheets: grids that are found, asked for or given; backs; cards that stay vectors."""

import io
import json
import random
import tomllib
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path

import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFilter
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from ppgen.engine.geometry import read_formats
from ppgen.engine.pdf.typesetting import faces_png
from ppgen.errors import InputError, Problems
from ppgen.making.card_sheets import find_turn
from ppgen.making.new_deck import read_cut
from ppgen.shipped import shipped_root
from tests.games.own_deck.decks import draw_fronts, make_deck, rows
from tests.games.own_deck.drawn_sheets import A4, LETTER, draw_picture_card, draw_sheets, paste_sheet, scan
from tests.golden.records import wrapped
from tests.pdf_reading import texts_of

# --- Sheets of the cases ---

def drawn(folder: Path, columns: int, rows: int, numbers: str = "", name: str = "s.pdf", **more: object) -> Path:
    """A PDF; ``numbers`` are those of its cards, row after row, with a bar between pages."""
    pages = [page.split() for page in numbers.split("|")]
    return draw_sheets(folder / name, columns, rows, **{"pages": len(pages), **more}, numbers=numbers and (
        lambda page, row, column: int(pages[page][row * columns + column])))


def scanned(folder: Path, sheet: Path, dpi: float, turn: float = 0, name: str = "s.jpg", **more: object) -> Path:
    return scan(sheet, folder / name, dpi, turn, **more)


def bound(folder: Path, sheet: Path, dpi: float, turn: float = 0) -> Path:
    """A PDF of scans of all pages."""
    first, *others = (Image.open(scan(sheet, folder / f"{page}.jpg", dpi, turn, page))
                      for page in range(len(texts_of(sheet.read_bytes()))))
    first.save(folder / "bound.pdf", save_all=True, append_images=others, resolution=dpi)
    return folder / "bound.pdf"


def pasted(folder: Path, *counts: int, **more: object) -> Path:
    return paste_sheet(folder / "s.png", *counts, **more)


def photograph(folder: Path) -> Path:
    image = draw_picture_card(7, 225, 175).resize((620, 877)).filter(ImageFilter.GaussianBlur(4))
    image.save(folder / "photo.jpg", dpi=(100, 100))
    return folder / "photo.jpg"


def bordered(folder: Path, columns: int, rows: int, size: tuple[float, float], border: str) -> Path:
    """A scan of touching cards with borders of one colour, so that no edge is at their cuts."""
    dice, px = random.Random(columns * rows), 6
    image = Image.new("RGB", (240 * px, 320 * px), "white")
    pen = ImageDraw.Draw(image)
    for column, row in product(range(columns), range(rows)):
        x, y = (round((12 + n * side) * px) for n, side in zip((column, row), size, strict=True))
        right, bottom = round((12 + (column + 1) * size[0]) * px) - 1, round((12 + (row + 1) * size[1]) * px) - 1
        pen.rectangle((x, y, right, bottom), border)
        for inset in (18, 40):
            fill = tuple(dice.randrange(60, 250) for _ in range(3))
            pen.rectangle((x + inset, y + inset, right - inset, bottom - inset), fill)
    image.save(folder / "s.png", dpi=(px * 25.4, px * 25.4))
    return folder / "s.png"


def lined(folder: Path, size: tuple[float, float]) -> Path:
    """White cards with lines around them."""
    canvas = Canvas(str(folder / "s.pdf"), pagesize=(A4[0] * mm, A4[1] * mm))
    for x, y in product((10.5 + n * size[0] for n in range(3)), (16.5 + n * size[1] for n in range(3))):
        canvas.rect(x * mm, y * mm, size[0] * mm, size[1] * mm)
        canvas.drawString((x + 6) * mm, (y + size[1] - 12) * mm, "Some card")
        canvas.rect((x + 8) * mm, (y + 35) * mm, 30 * mm, 25 * mm, fill=1)
    canvas.save()
    return folder / "s.pdf"


def block(folder: Path, kind: str, size: tuple[float, float]) -> Path:
    """A cover, photograph or page of words as large as a block of cards."""
    px, dice = 6, random.Random(5)
    image, inner = Image.new("RGB", (1260, 1782), "white"), (round(size[0] * px), round(size[1] * px))
    if kind == "photo":
        small = Image.frombytes("RGB", (24, 32), dice.randbytes(3 * 24 * 32))
        picture = small.resize(inner, Image.Resampling.BICUBIC)
    else:
        picture = Image.new("RGB", inner, "#203040" if kind == "cover" else "white")
        pen = ImageDraw.Draw(picture)
        pen.ellipse((inner[0] // 4, 200, inner[0] * 3 // 4, 900), "#c0a030") if kind == "cover" else None
        for line in range(0, inner[1], 34) if kind == "words" else ():
            for word in range(0, inner[0], 60):
                pen.rectangle((word, line, word + dice.randrange(20, 52), line + 14), "black")
    image.paste(picture, ((1260 - inner[0]) // 2, (1782 - inner[1]) // 2))
    image.save(folder / "s.png", dpi=(px * 25.4, px * 25.4))
    return folder / "s.png"


def tokens(folder: Path, kind: str) -> Path:
    sheet = Image.new("RGB", (1240, 1754), "white")  # A4 at 150 dpi
    pen = ImageDraw.Draw(sheet)
    for n in range(35):
        x, y = 120 + n % 5 * 200, 100 + n // 5 * 220
        getattr(pen, kind)((x, y, x + 147, y + 147), fill=(40 + 5 * n, 90, 160))
        getattr(pen, kind)((x + 30, y + 30, x + 117, y + 117), fill=(240, 240 - 4 * n, 60))
        pen.text((x + 60, y + 60), str(n), fill="black")
    sheet.save(folder / "tokens.png", dpi=(150, 150))
    return folder / "tokens.png"


def pictured(folder: Path, spots: str, width: int, height: int, gap: float) -> Path:
    """The same picture for each card, with a spot of a grey."""
    canvas = Canvas(str(folder / "s.pdf"), pagesize=(LETTER[0] * mm, LETTER[1] * mm))
    for n, spot in enumerate(spots):
        (card := draw_picture_card(1, width, height)).paste(f"#{spot * 6}", (30, 30, 40, 40))
        canvas.drawImage(ImageReader(card), (10 + n % 3 * (63.5 + gap)) * mm, (6 + n // 3 * (88.9 + gap)) * mm,
                         63.5 * mm, 88.9 * mm)
    canvas.save()
    return folder / "s.pdf"


def overlaid(folder: Path, sheet: Path, other: Path) -> Path:
    with pikepdf.open(sheet) as pdf, pikepdf.open(other) as over:
        pdf.pages[0].add_overlay(over.pages[0])
        pdf.save(folder / "both.pdf")
    return folder / "both.pdf"


def with_rules(folder: Path, sheet: Path) -> Path:
    """With a page of words behind it."""
    rules, dice = Canvas(str(folder / "rules.pdf"), pagesize=(LETTER[0] * mm, LETTER[1] * mm)), random.Random(7)
    words = "Shuffle the cards and deal five to each player, who draws or plays one in turn".split()
    for line in range(45):
        rules.drawString(25 * mm, (260 - 5 * line) * mm, " ".join(dice.choices(words, k=14)))
    rules.save()
    with pikepdf.open(sheet, allow_overwriting_input=True) as pdf, pikepdf.open(folder / "rules.pdf") as other:
        pdf.pages.append(other.pages[0])
        pdf.save(sheet)
    return sheet


def encrypted(folder: Path, sheet: Path) -> Path:
    with pikepdf.open(sheet) as pdf:
        pdf.save(folder / "bad.pdf", encryption=pikepdf.Encryption(owner="a", user="b"))
    return folder / "bad.pdf"


def blank(folder: Path, count: int, side: float) -> Path:
    with pikepdf.new() as pdf:
        for _ in range(count):
            pdf.add_blank_page(page_size=(side, side))
        pdf.save(folder / "bad.pdf")
    return folder / "bad.pdf"


def written(folder: Path, content: bytes, name: str = "bad.pdf") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


DRAWINGS = (drawn, scanned, bound, pasted, photograph, bordered, lined, block, tokens, pictured, overlaid, with_rules,
            encrypted, blank, written)


def look(name: str, content: bytes | Path) -> str:
    """The first words of a page and its turn, or the size of a picture and how many of its corners are white."""
    if name.endswith(".pdf"):
        with pikepdf.open(io.BytesIO(content)) as pdf:
            turn = pdf.pages[0].rotation
        return " ".join([*texts_of(content)[0].split()[:2], *[f"{turn}°"] * bool(turn)])
    with Image.open(io.BytesIO(content)) as image:
        corners = [image.convert("L").getpixel((x, y)) for x in (0, image.width - 1) for y in (0, image.height - 1)]
        return f"{image.width} × {image.height} {image.mode} {sum(corner > 250 for corner in corners)}"


def cut(folder: Path, case: str) -> Iterator[object]:
    """What a deck of sheets becomes: what was found, its parts, and each card with what its sides show."""
    sheet, _, options = case.partition("\n")
    names = {"POKER": (63.5, 88.9), "STANDARD": (63, 88), "A4": A4, **{
        each.__name__: partial(each, folder) for each in DRAWINGS}}
    try:
        deck = make_deck(eval(sheet, names), **eval(f"dict({options})"))
    except InputError as refused:
        yield str(refused).replace(f"{folder}/", "")
        return
    picture = Image.open(io.BytesIO(deck.picture or deck.files["grid.png"]))
    yield ", ".join([*(f"{name} {value}" for name, value in deck.found.items()), f"picture {picture.size}"])
    yield from (*deck.notes, *(str(problem).replace(f"{folder}/", "") for problem in deck.warnings))
    parts = tomllib.loads(deck.files["deck.toml"].decode()) if deck.files else {}
    for name, part in parts.items():
        if isinstance(part, dict):
            yield f"{name}: {part}"
            yield from wrapped("  ", (f"{row['name']} × {row['copies']} " + " | ".join(
                look(row[side], deck.files[row[side]]) for side in ("front", "back") if row.get(side))
                for row in rows(deck, part["table"].removesuffix(".csv"))))


@pytest.mark.parametrize("name", [pytest.param(f"sheets-{name}", marks=pytest.mark.slow) for name in (
    "drawn", "scanned", "painted", "backs")] + ["sheets-bad"])
def test_what_comes_of_sheets(golden_cases, tmp_path_factory, name):
    golden_cases(name, lambda case: cut(tmp_path_factory.mktemp("sheet"), case))


NAMED = [size.portrait for size in read_formats(shipped_root() / "data").sizes.values()]
dice = random.Random(60)
SIDES = [*((size.width, size.height) for size in NAMED),
         *((dice.randrange(300, 900) / 10, dice.randrange(910, 1600) / 10) for _ in range(4))]
PAGES = [*(("page", 0, size) for size in SIDES[::3]), *(("trim", 3, size) for size in SIDES[1::8]),
         *(("marks", n % 2 * 3, size) for n, size in enumerate(SIDES[3::8]))]


@pytest.mark.slow
@pytest.mark.parametrize(("box", "bleed", "size"), PAGES)
def test_a_page_of_a_card_becomes_a_card_of_its_size(tmp_path, box, bleed, size):
    margin = {"page": 0, "trim": bleed + 1, "marks": bleed + 12}[box]
    paper = [side + 2 * margin for side in size]
    path = draw_sheets(tmp_path / "s.pdf", 1, 1, size=(*size,), paper=(*paper,), bleed=bleed, marks=box == "marks")
    if box == "trim":
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            pdf.pages[0].trimbox = [margin * mm, margin * mm, (margin + size[0]) * mm, (margin + size[1]) * mm]
            pdf.save(path)
    deck = make_deck(path, grid="1x1" if box == "page" else "")
    assert deck.found["size_mm"] == pytest.approx(size, abs=0.06), deck.notes
    part = tomllib.loads(deck.files["deck.toml"].decode())["cards"]
    cut = read_cut(part["size"], "rectangle", Problems())
    assert sorted((cut.width, cut.height)) == pytest.approx(sorted(size), abs=0.06)
    assert not bleed or part["bleed"] == "3mm"
    for name, content in deck.files.items():
        (tmp_path / "deck" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "deck" / name).write_bytes(content.read_bytes() if isinstance(content, Path) else content)
    (png,) = faces_png(draw_fronts(tmp_path / "deck"), shipped_root() / "data" / "fonts", 300)
    image = Image.open(io.BytesIO(png)).convert("L")
    across, down = image.crop((0, image.height // 2, 50, image.height // 2 + 1)), image.crop((
        image.width // 2, 0, image.width // 2 + 1, 50))
    assert max(across.getextrema()[1], down.getextrema()[1]) < 225  # the ground of the card, nowhere paper


def test_the_turn_of_a_scan_is_found_to_a_twentieth_of_a_degree(tmp_path):
    sheet = draw_sheets(tmp_path / "s.pdf", 2, 2, paper=(145, 195))
    with Image.open(scan(sheet, tmp_path / "s.png", 100, -1.63)) as image:
        assert find_turn(image) == pytest.approx(1.63, abs=0.05)


@pytest.mark.slow
def test_a_doubtful_grid_is_asked_for_and_given_by_hand(desk):
    draw_sheets(desk.folder / "s.pdf", 2, 3, size=(77, 58), gap=9, ground=False)
    done = desk.ppgen("new", "deck", "--from", "s.pdf", "--json")
    assert (done.exit_code, sorted(path.name for path in desk.folder.iterdir())) == (1, ["deck-grid.png", "s.pdf"])
    assert json.loads(done.stdout)["confidence"] < 0.9 and "--grid 2x3 --size" in done.stderr
    assert "ppgen open s.pdf" in done.stderr
    words = ("--from", "s.pdf", "--grid", "2x3", "--size", "77x58mm", "--gap", "9x8.5mm", "--json")
    found = json.loads(desk.run("new", "deck", *words).stdout)
    assert (found["grid"], found["gap_mm"], found["cards"]) == ([2, 3], [9, 8.5], 6)
    assert (desk.folder / "deck/grid.png").is_file()


@pytest.mark.slow
def test_sheets_that_were_printed_here_are_cut_anew(desk):
    draw_sheets(desk.folder / "s.pdf", 2, 2, pages=2,
                numbers=lambda page, row, column: 0 if page else 1 + row * 2 + column)
    desk.run("new", "deck", "--from", "s.pdf", "--backs", "one")
    desk.run("build", "--data", "deck", "--only", "cards", "--backs", "fold", "-o", "out")
    (sheets,) = desk.folder.glob("out/**/cards*.pdf")
    found = make_deck(sheets, backs="fold").found
    assert (found["size_mm"], found["cards"], found["backs"]) == ([63.5, 88.9], 4, 1)


