"""Sheets of finished cards, drawn for each test: those of shops, scans, virtual tables."""

import random
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image, ImageDraw, ImageFilter
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

LETTER, A4 = (215.9, 279.4), (210.0, 297.0)
POKER = 63.5, 88.9


def draw_card(canvas: Canvas, number: int, x: float, y: float, size: tuple[float, float] = POKER, bleed: float = 0,
              ground: bool = True, turned: bool = False) -> None:
    """A card with its upper left corner there, in mm from that of the page; number 0 is the back."""
    dice, (width, height) = random.Random(number), size
    canvas.saveState()
    canvas.translate(x * mm, canvas._pagesize[1] - (y + height) * mm)
    if turned:
        canvas.translate(width * mm, height * mm)
        canvas.rotate(180)
    if ground:
        canvas.setFillColorRGB(*((dice.uniform(0.2, 0.8) for _ in range(3)) if number else (0.15, 0.2, 0.5)))
        canvas.rect(-bleed * mm, -bleed * mm, (width + 2 * bleed) * mm, (height + 2 * bleed) * mm, stroke=0, fill=1)
    canvas.setFillColorRGB(0.97, 0.95, 0.88)
    canvas.roundRect(4 * mm, 4 * mm, (width - 8) * mm, (height - 8) * mm, 2 * mm, stroke=1, fill=1)
    canvas.setFillColorRGB(*(dice.random() for _ in range(3)))
    canvas.circle(width / 2 * mm, height * 0.6 * mm, min(width, height) * 0.22 * mm, stroke=0, fill=1)
    canvas.setFillColorRGB(0, 0, 0)
    canvas.setFont("Helvetica-Bold", 11)
    canvas.drawString(6 * mm, (height - 11) * mm, f"Card {number}" if number else "BACK")
    canvas.setFont("Helvetica", 7)
    for line in range(3 if number else 0):
        canvas.drawString(6 * mm, (6 + 3 * line) * mm, f"Rule {line} of card {number}, {dice.randrange(10 ** 6)}")
    canvas.restoreState()


def draw_marks(canvas: Canvas, xs: list[float], ys: list[float], off: float = 1.5, length: float = 5) -> None:
    """Crop marks beyond the outermost cuts."""
    height = canvas._pagesize[1] / mm
    canvas.setLineWidth(0.25)
    for x in xs:
        for start, end in ((ys[0] - off - length, ys[0] - off), (ys[-1] + off, ys[-1] + off + length)):
            canvas.line(x * mm, (height - start) * mm, x * mm, (height - end) * mm)
    for y in ys:
        for start, end in ((xs[0] - off - length, xs[0] - off), (xs[-1] + off, xs[-1] + off + length)):
            canvas.line(start * mm, (height - y) * mm, end * mm, (height - y) * mm)


Numbers = Callable[[int, int, int], int]


def draw_sheets(path: Path, columns: int, rows: int, *, pages: int = 1, paper: tuple[float, float] = LETTER,
                size: tuple[float, float] = POKER, gap: float = 0, bleed: float = 0, marks: bool = False,
                ground: bool = True, turned_rows: int = 0, rotate: int = 0, top: float | None = None,
                numbers: Numbers | None = None) -> Path:
    """A PDF of sheets; ``numbers(page, row, column)`` says which card lies there: 0 is the back, -1 none."""
    canvas = Canvas(str(path), pagesize=(paper[0] * mm, paper[1] * mm), invariant=1)
    width, height = columns * (size[0] + gap) - gap, rows * (size[1] + gap) - gap
    left, top = (paper[0] - width) / 2, (paper[1] - height) / 2 if top is None else top
    xs = [left + n * (size[0] + gap) for n in range(columns)]
    ys = [top + n * (size[1] + gap) for n in range(rows)]
    for page in range(pages):
        for row, y in enumerate(ys):
            for column, x in enumerate(xs):
                number = numbers(page, row, column) if numbers else 1 + page * columns * rows + row * columns + column
                if number >= 0:
                    draw_card(canvas, number, x, y, size, bleed, ground, turned=row >= rows - turned_rows)
        if marks:
            draw_marks(canvas, sorted({each for x in xs for each in (x, x + size[0])}),
                       sorted({each for y in ys for each in (y, y + size[1])}))
        canvas.showPage()
    canvas.save()
    if rotate:  # as seen the same, stored on its side
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            for page in pdf.pages:
                page.contents_add(b"q 0 1 -1 0 %f 0 cm" % float(page.mediabox[3]), prepend=True)
                page.contents_add(b"Q")
                page.mediabox = [0, 0, page.mediabox[3], page.mediabox[2]]
                page.Rotate = 90
            pdf.save(path)
    return path


def scan(pdf: Path, path: Path, dpi: float = 200, turn: float = 0, page: int = 0, noise: float = 0,
         has_dpi: bool = True) -> Path:
    """A page as a picture, perhaps askew and blurred, as scanners make it."""
    with pypdfium2.PdfDocument(pdf) as document:
        image = document[page].render(scale=dpi / 72).to_pil().convert("RGB")
    if turn:
        image = image.rotate(turn, Image.Resampling.BICUBIC, fillcolor="white")
    if noise:
        grain = Image.frombytes("L", image.size, random.Random(60).randbytes(image.width * image.height))
        grain = grain.point(lambda tone: 128 + (tone - 127.5) * 3 ** 0.5 * noise * 2).convert("RGB")
        image = Image.blend(image.filter(ImageFilter.GaussianBlur(0.8)), grain, noise / 2)
    image.save(path, quality=90, **({"dpi": (dpi, dpi)} if has_dpi else {}))
    return path


def draw_picture_card(number: int, width: int, height: int, radius: int = 0) -> Image.Image:
    dice = random.Random(number)
    card = Image.new("RGB", (width, height), tuple(dice.randrange(40, 210) for _ in range(3)))
    pen = ImageDraw.Draw(card)
    for line in range(-height, width, max(8, width // 12)):
        pen.line((line, 0, line + height, height), fill=tuple(dice.randrange(256) for _ in range(3)), width=3)
    colour = tuple(dice.randrange(256) for _ in range(3))
    pen.ellipse((width // 4, height // 5, width * 3 // 4, height // 2), fill=colour)
    if radius:
        ground, mask = Image.new("RGB", card.size, "white"), Image.new("L", card.size, 0)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), radius, fill=255)
        ground.paste(card, mask=mask)
        return ground
    return card


def paste_sheet(path: Path, columns: int, rows: int, width: int, height: int, *, gap: int = 0,
                sheet: tuple[int, int] | None = None, radius: int = 0, dpi: int = 0, count: int = 1000) -> Path:
    """A picture of cards, in pixels; without a ``sheet`` nothing is around them."""
    inner = columns * (width + gap) - gap, rows * (height + gap) - gap
    image = Image.new("RGB", sheet or inner, "white")
    left, top = (image.width - inner[0]) // 2, (image.height - inner[1]) // 2
    for n in range(min(columns * rows, count)):
        image.paste(draw_picture_card(n + 1, width, height, radius),
                    (left + n % columns * (width + gap), top + n // columns * (height + gap)))
    image.save(path, **({"dpi": (dpi, dpi)} if dpi else {}))
    return path
