"""``ppgen new --from`` sheets: grids that are found, asked for or given; backs; cards that stay vectors."""

import io
import json
import random
import tomllib
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
from tests.pdf_reading import texts_of


def photograph(folder: Path) -> Path:
    image = draw_picture_card(7, 225, 175).resize((620, 877)).filter(ImageFilter.GaussianBlur(4))
    image.save(folder / "photo.jpg", dpi=(100, 100))
    return folder / "photo.jpg"


def scanned_pdf(folder: Path) -> Path:
    sheet = draw_sheets(folder / "drawn.pdf", 2, 2, size=(88.9, 63.5), paper=(190, 140))
    Image.open(scan(sheet, folder / "s.jpg", 150, 0.6)).save(folder / "s.pdf", resolution=150)
    return folder / "s.pdf"


POKER, STANDARD, TAROT = (63.5, 88.9), (63, 88), (70, 120)
SMALL = 145, 195
KINDS = {
    "drawn": (lambda at: draw_sheets(at / "s.pdf", 3, 3), (3, 3), POKER),
    "across": (lambda at: draw_sheets(at / "s.pdf", 2, 4, size=(88.9, 63.5)), (2, 4), (88.9, 63.5)),
    "squares": (lambda at: draw_sheets(at / "s.pdf", 3, 3, size=(40, 40), gap=5), (3, 3), (40, 40)),
    "marked": (lambda at: draw_sheets(at / "s.pdf", 3, 2, gap=2, marks=True, turned_rows=1), (3, 2), POKER),
    "frames": (lambda at: draw_sheets(at / "s.pdf", 2, 4, size=(88, 63), ground=False), (2, 4), (88, 63)),
    "two on a page": (lambda at: draw_sheets(at / "s.pdf", 2, 1, size=TAROT, gap=8, bleed=3, marks=True), (2, 1),
                      TAROT),
    "on its side": (lambda at: draw_sheets(at / "s.pdf", 3, 3, rotate=90), (3, 3), POKER),
    "noisy scan": (lambda at: scan(draw_sheets(at / "s.pdf", 2, 2, paper=SMALL), at / "s.jpg", 150, -1.6, noise=0.06),
                   (2, 2), POKER),
    "scan with marks": (lambda at: scan(draw_sheets(at / "s.pdf", 2, 1, gap=6, bleed=3, marks=True, paper=(180, 130)),
                                        at / "s.jpg", 150, 1.9, noise=0.03), (2, 1), POKER),
    "scanned PDF": (scanned_pdf, (2, 2), (88.9, 63.5)),
    "without a resolution": (lambda at: scan(draw_sheets(at / "s.pdf", 3, 3, size=STANDARD, paper=A4), at / "s.webp",
                                             100, has_dpi=False), (3, 3), STANDARD),
    "virtual table": (lambda at: paste_sheet(at / "s.png", 10, 7, 120, 168, count=60), (10, 7), POKER),
    "single cards": (lambda at: draw_sheets(at / "s.pdf", 1, 1, pages=4, paper=POKER), (1, 1), POKER),
    "photograph": (photograph, None, None),
}


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "grid", "size"), KINDS.values(), ids=KINDS)
def test_a_grid_is_found_or_nothing_is_made(tmp_path, draw, grid, size):
    deck = make_deck(draw(tmp_path))
    assert bool(deck.files) == (grid is not None)
    assert Image.open(io.BytesIO(deck.picture or deck.files["grid.png"])).width > 200
    if grid:
        assert (tuple(deck.found["grid"]), deck.found["size_mm"]) == (grid, pytest.approx(size, abs=0.4))


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


def draw_borders(path: Path, columns: int, rows: int, size: tuple[float, float], border: str, seed: int) -> Path:
    """A scan of touching cards with borders of one colour, so that no edge is at their cuts."""
    dice, px = random.Random(seed), 6
    image = Image.new("RGB", (240 * px, 320 * px), "white")
    pen = ImageDraw.Draw(image)
    for column, row in product(range(columns), range(rows)):
        x, y = (round((12 + n * side) * px) for n, side in zip((column, row), size, strict=True))
        right, bottom = round((12 + (column + 1) * size[0]) * px) - 1, round((12 + (row + 1) * size[1]) * px) - 1
        pen.rectangle((x, y, right, bottom), border)
        for inset in (18, 40):
            fill = tuple(dice.randrange(60, 250) for _ in range(3))
            pen.rectangle((x + inset, y + inset, right - inset, bottom - inset), fill)
    image.save(path, dpi=(px * 25.4, px * 25.4))
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "size", "border"), [
    (3, 3, STANDARD, "#0f0f0f"), (3, 2, POKER, "#203080"), (4, 4, (44, 68), "#333333"), (5, 6, (41, 47), "#0f0f0f"),
    (2, 4, (88, 63), "#104010")])
def test_touching_cards_with_one_border_are_found_by_their_outline_or_by_their_count(tmp_path, columns, rows, size,
                                                                                     border):
    sheet = draw_borders(tmp_path / "s.png", columns, rows, size, border, columns * rows)
    for options in ({}, {"grid": f"{columns}x{rows}"}, {"size": f"{size[0]}x{size[1]}mm"}):
        deck = make_deck(sheet, **options)
        assert bool(deck.files) == (bool(options) or size != (41, 47))
        if deck.files:
            assert (deck.found["grid"], deck.found["size_mm"]) == ([columns, rows], pytest.approx(size, abs=0.4))


@pytest.mark.slow
@pytest.mark.parametrize(("turn", "size"), [(0, STANDARD), (-1.2, STANDARD), (0.8, (50, 77))])
def test_scans_of_white_cards_are_found_by_their_lines_or_proposed(tmp_path, turn, size):
    canvas = Canvas(str(tmp_path / "s.pdf"), pagesize=(A4[0] * mm, A4[1] * mm))
    for x, y in product((10.5 + n * size[0] for n in range(3)), (16.5 + n * size[1] for n in range(3))):
        canvas.rect(x * mm, y * mm, size[0] * mm, size[1] * mm)
        canvas.drawString((x + 6) * mm, (y + size[1] - 12) * mm, "Some card")
        canvas.rect((x + 8) * mm, (y + 35) * mm, 30 * mm, 25 * mm, fill=1)
    canvas.save()
    deck = make_deck(scan(tmp_path / "s.pdf", tmp_path / "s.jpg", 150, turn, noise=0.04))
    assert (deck.found["grid"], deck.found["size_mm"]) == ([3, 3], pytest.approx(size, abs=0.4))
    assert bool(deck.files) == (size == STANDARD)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "size"), [
    ("cover", (189, 264)), ("cover", (176, 272)), ("photo", (127, 177.8)), ("photo", (189, 264)),
    ("words", (190.5, 266.7)), ("words", (127, 177.8))])
def test_what_is_as_large_as_a_block_of_cards_is_not_cut(tmp_path, kind, size):
    px, dice = 6, random.Random(5)
    image, inner = Image.new("RGB", (1260, 1782), "white"), (round(size[0] * px), round(size[1] * px))
    if kind == "photo":
        picture = Image.effect_noise((24, 32), 120).convert("RGB").resize(inner, Image.Resampling.BICUBIC)
    else:
        picture = Image.new("RGB", inner, "#203040" if kind == "cover" else "white")
        pen = ImageDraw.Draw(picture)
        pen.ellipse((inner[0] // 4, 200, inner[0] * 3 // 4, 900), "#c0a030") if kind == "cover" else None
        for line in range(0, inner[1], 34) if kind == "words" else ():
            for word in range(0, inner[0], 60):
                pen.rectangle((word, line, word + dice.randrange(20, 52), line + 14), "black")
    image.paste(picture, ((1260 - inner[0]) // 2, (1782 - inner[1]) // 2))
    image.save(tmp_path / "s.png", dpi=(px * 25.4, px * 25.4))
    assert not make_deck(tmp_path / "s.png").files


def test_the_turn_of_a_scan_is_found_to_a_twentieth_of_a_degree(tmp_path):
    sheet = draw_sheets(tmp_path / "s.pdf", 2, 2, paper=SMALL)
    with Image.open(scan(sheet, tmp_path / "s.png", 100, -1.63)) as image:
        assert find_turn(image) == pytest.approx(1.63, abs=0.05)


@pytest.mark.slow
def test_rounded_corners_of_cut_cards_are_filled(tmp_path):
    deck = make_deck(paste_sheet(tmp_path / "s.png", 2, 2, 375, 525, gap=18, sheet=(860, 1160), radius=20, dpi=150))
    assert (deck.found["grid"], deck.found["size_mm"]) == ([2, 2], pytest.approx(POKER, abs=0.4))
    for number in range(1, 5):
        card = Image.open(io.BytesIO(deck.files[f"art/cards-front-{number:02}.png"]))
        assert (255, 255, 255) not in {card.getpixel((x, y)) for x in (0, 374) for y in (0, 524)}
    assert any(note.startswith("rounded corners of 4 pictures filled") for note in deck.notes)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "shape"), [("ellipse", 'shape = "circle"\n'), ("rectangle", "")])
def test_circles_are_cut_as_circles(tmp_path, kind, shape):
    sheet = Image.new("RGB", (1240, 1754), "white")  # A4 at 150 dpi
    pen = ImageDraw.Draw(sheet)
    for n in range(35):
        x, y = 120 + n % 5 * 200, 100 + n // 5 * 220
        getattr(pen, kind)((x, y, x + 147, y + 147), fill=(40 + 5 * n, 90, 160))
        getattr(pen, kind)((x + 30, y + 30, x + 117, y + 117), fill=(240, 240 - 4 * n, 60))
        pen.text((x + 60, y + 60), str(n), fill="black")
    sheet.save(tmp_path / "tokens.png", dpi=(150, 150))
    deck = make_deck(tmp_path / "tokens.png", grid="5x7", size="25mm", gap="8.87x12.25mm", margin="20.3x16.9mm")
    assert f'size = "25mm"\n{shape}front' in deck.files["deck.toml"].decode()


def draw_pictures(path: Path, cards: list[Image.Image], gap: float) -> Path:
    canvas = Canvas(str(path), pagesize=(LETTER[0] * mm, LETTER[1] * mm))
    for n, card in enumerate(cards):
        canvas.drawImage(ImageReader(card), (10 + n % 3 * (63.5 + gap)) * mm, (6 + n // 3 * (88.9 + gap)) * mm,
                         63.5 * mm, 88.9 * mm)
    canvas.save()
    return path


def test_cards_whose_pictures_differ_a_little_are_not_equal(tmp_path):
    cards = [draw_picture_card(1, 375, 525) for _ in range(9)]
    for n, card in enumerate(cards):
        card.paste(("#999999", "#aaaaaa", "#bbbbbb")[n % 3], (30, 30, 40, 40))
    deck = make_deck(draw_pictures(tmp_path / "s.pdf", cards, 0))
    assert [row["copies"] for row in rows(deck)] == ["3"] * 3


@pytest.mark.slow
def test_equal_pictures_are_copies_wherever_they_lie(tmp_path):
    deck = make_deck(draw_pictures(tmp_path / "s.pdf", [draw_picture_card(1, 750, 1050)] * 6, 2.1))
    assert [row["copies"] for row in rows(deck)] == ["6"]


def test_cards_of_two_sizes_on_a_page_are_two_parts(tmp_path):
    paths = [draw_sheets(tmp_path / f"{n}.pdf", columns, rows, size=size, top=top) for n, (columns, rows, size, top)
             in enumerate(((3, 1, POKER, 10), (4, 2, (44, 68), 110)))]
    with pikepdf.open(paths[0]) as pdf, pikepdf.open(paths[1]) as other:
        pdf.pages[0].add_overlay(other.pages[0])
        pdf.save(tmp_path / "both.pdf")
    deck = make_deck(tmp_path / "both.pdf")
    assert [len(rows(deck, part)) for part in ("cards", "cards-sheet-2")] == [8, 3]


BACKS = {"pages": ({"pages": 2, "numbers": lambda page, row, column: 1 + row * 3 + column if not page else
                    11 + row * 3 + 2 - column}, 6, 6),
         "one": ({"pages": 2, "numbers": lambda page, row, column: 0 if page else 1 + row * 3 + column}, 6, 1),
         "first": ({"pages": 2, "numbers": lambda page, row, column: 1 + row * 3 + column if page else 0}, 6, 1),
         "fold": ({"turned_rows": 1, "numbers": lambda page, row, column: 1 + column + 10 * row}, 3, 3)}


@pytest.mark.slow
@pytest.mark.parametrize("backs", BACKS)
def test_backs_come_from_where_they_are_said_to_be(tmp_path, backs):
    options, cards, count = BACKS[backs]
    deck = make_deck(draw_sheets(tmp_path / "s.pdf", 3, 2, **options), backs=backs)
    assert (deck.found["cards"], deck.found["backs"]) == (cards, count)
    for row in rows(deck) if backs in ("pages", "fold") else ():  # the back of card 2 is number 12
        front, back = (texts_of(deck.files[row[side]])[0].split("Card ")[1].split()[0] for side in ("front", "back"))
        assert int(back) == int(front) + 10
    if backs == "fold":
        with pikepdf.open(io.BytesIO(deck.files[rows(deck)[0]["back"]])) as pdf:
            assert pdf.pages[0].rotation == 180


@pytest.mark.slow
@pytest.mark.parametrize(("pages", "number", "proposed"), [
    (2, lambda page, row, column: 0 if page else 1 + row * 3 + column, "one"),
    (2, lambda page, row, column: 1 + row * 3 + column if page else 0, "first"),
    (4, lambda page, row, column: 0 if page % 2 else 1 + page * 6 + row * 3 + column, "pages"),
    (2, lambda page, row, column: 0 if row else 1 + page * 3 + column, "fold"),
    (2, lambda page, row, column: 1 + page * 6 + row * 3 + column, ""), (1, lambda *place: 5, "")])
def test_equal_cards_are_proposed_as_backs_and_stay_cards(tmp_path, pages, number, proposed):
    deck = make_deck(draw_sheets(tmp_path / "s.pdf", 3, 2, pages=pages, numbers=number))
    said = [note.rpartition(" ")[2] for note in deck.notes if "seem to be their backs" in note]
    assert (deck.found["backs"], said) == (0, [proposed] if proposed else [])


@pytest.mark.slow
def test_sheets_that_lie_across_say_how_they_were_turned_over(tmp_path):
    deck = make_deck(draw_sheets(tmp_path / "s.pdf", 4, 2, pages=2, paper=LETTER[::-1]), backs="pages")
    assert deck.found["cards"] == 8 and any("turned over the short edge" in note for note in deck.notes)


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


WORDS = "Shuffle the cards and deal five to each player, who draws or plays one in turn".split()


@pytest.mark.slow
@pytest.mark.parametrize("is_scan", [False, True])
def test_pages_of_rules_are_left_out(tmp_path, is_scan):
    draw_sheets(tmp_path / "s.pdf", 3, 3)
    rules = Canvas(str(tmp_path / "rules.pdf"), pagesize=(LETTER[0] * mm, LETTER[1] * mm))
    dice = random.Random(7)
    for line in range(45):
        rules.drawString(25 * mm, (260 - 5 * line) * mm, " ".join(dice.choices(WORDS, k=14)))
    rules.save()
    with pikepdf.open(tmp_path / "s.pdf", allow_overwriting_input=True) as pdf, pikepdf.open(
            tmp_path / "rules.pdf") as other:
        pdf.pages.append(other.pages[0])
        pdf.save(tmp_path / "s.pdf")
    if is_scan:
        first, *others = (Image.open(scan(tmp_path / "s.pdf", tmp_path / f"{n}.jpg", 100, page=n)) for n in range(2))
        first.save(tmp_path / "s.pdf", save_all=True, append_images=others, resolution=100)
    deck = make_deck(tmp_path / "s.pdf")
    assert (deck.found["cards"], "pages without such cards, left out: 2" in deck.notes) == (9, True)


def encrypted(folder: Path) -> Path:
    with pikepdf.open(draw_sheets(folder / "plain.pdf", 1, 1)) as pdf:
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


@pytest.mark.parametrize(("draw", "options", "said"), [
    (encrypted, {}, "password"), (lambda at: written(at, b"%PDF-1.7\nnothing"), {}, "damaged PDF"),
    (lambda at: written(at, b""), {}, "damaged PDF"), (lambda at: blank(at, 1, 600), {}, "shows no grid of cards"),
    (lambda at: written(at, b"\x89PNG\r\n\x1a\n", "bad.png"), {}, "damaged picture"),
    (lambda at: blank(at, 600, 300), {}, "has 600 pages"),
    (lambda at: blank(at, 1, 14_200), {}, "page 1 is 5,009 x 5,009"),
    (lambda at: draw_sheets(at / "s.pdf", 1, 1), {"grid": "3x9", "size": "poker"}, "beyond the sheet"),
])
def test_what_can_not_be_read_is_said_with_its_cure(tmp_path, draw, options, said):
    with pytest.raises(InputError, match=said) as caught:
        deck = make_deck(draw(tmp_path), **options)
        raise InputError(deck.warnings)
    assert all(problem.remedy for problem in caught.value.problems)
