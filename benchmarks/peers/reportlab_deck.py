"""The deck with ReportLab, by hand: what a program for this one deck takes. It runs in the deck's folder."""

from __future__ import annotations

import csv
from pathlib import Path

from reportlab.lib.colors import HexColor, white
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from benchmarks.decks import HEIGHT, WIDTH, to_markup

MM = 72 / 25.4
W, H = WIDTH * MM, HEIGHT * MM
STYLE = ParagraphStyle("text", fontName="G", fontSize=3.6 * MM, leading=4.32 * MM)
DROP = ("moveTo", 12, 22), ("curveTo", 16, 16, 19, 12, 19, 9), ("curveTo", 19, 5, 16, 2, 12, 2), (
    "curveTo", 8, 2, 5, 5, 5, 9), ("curveTo", 5, 12, 8, 16, 12, 22)
BOLT = ("moveTo", 13, 22), *(("lineTo", *at) for at in ((4, 10), (11, 10), (9, 2), (20, 15), (13, 15)))
GEM = ("moveTo", 6, 21), *(("lineTo", *at) for at in ((18, 21), (22, 15), (12, 3), (2, 15)))


def draw_back(page: Canvas) -> None:
    page.setFillColor(HexColor("#2b4c6b"))
    page.rect(0, 0, W, H, 0, 1)
    page.setStrokeColor(white)
    page.setLineWidth(0.6 * MM)
    page.roundRect(6 * MM, 6 * MM, 51.5 * MM, 76.9 * MM, 3 * MM)
    page.setFillColor(white)
    page.circle(W / 2, H / 2, 15 * MM, 0, 1)


def draw_front(page: Canvas, row: dict[str, str]) -> None:
    trim = page.beginPath()
    trim.rect(0, 0, W, H)
    page.clipPath(trim, 0, 0)
    page.drawImage(f"deck/art/{row['art']}", -3 * MM, -3 * MM, W + 6 * MM, H + 6 * MM)
    page.setStrokeColor(HexColor("#2b2a33"))
    page.setLineWidth(MM)
    page.roundRect(3 * MM, 3 * MM, W - 6 * MM, H - 6 * MM, 3 * MM)
    page.setFillColor(HexColor("#f4ecd8"))
    page.setFillAlpha(0.9)
    page.roundRect(6 * MM, H - 82 * MM, 51.5 * MM, 32 * MM, 1.5 * MM, 0, 1)
    page.setFillAlpha(1)
    page.setFillColor(white)
    page.setFont("GB", 5 * MM)
    page.drawString(8 * MM, H - 12 * MM, row["name"])
    for n, icon in enumerate((DROP, BOLT, GEM)):
        page.saveState()
        page.translate((13.5 + 14.7 * n) * MM, H - 48.5 * MM)
        page.scale(7 / 24 * MM, 7 / 24 * MM)
        path = page.beginPath()
        for step, *at in icon:
            getattr(path, str(step))(*at)
        path.close()
        page.drawPath(path, 0, 1)
        page.restoreState()
    text = Paragraph(to_markup(row["text"]), STYLE)
    _, height = text.wrap(47.5 * MM, 28 * MM)
    text.drawOn(page, 8 * MM, H - 52 * MM - height)


def main() -> None:
    for name, style in (("G", "Regular"), ("GB", "Bold"), ("GI", "Italic")):
        pdfmetrics.registerFont(TTFont(name, f"fonts/EBGaramond-{style}.ttf"))
    pdfmetrics.registerFontFamily("G", "G", "GB", "GI", "GB")
    with Path("deck/cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    page = Canvas("reportlab.pdf", pagesize=(210 * MM, 297 * MM))
    page.beginForm("back", 0, 0, W, H)
    draw_back(page)
    page.endForm()
    for start in range(0, len(rows), 9):
        for is_front in (True, False):
            for n, row in enumerate(rows[start:start + 9]):
                page.saveState()
                page.translate(9.75 * MM + n % 3 * W, 281.85 * MM - (n // 3 + 1) * H)
                if is_front:
                    draw_front(page, row)
                else:
                    page.doForm("back")
                page.restoreState()
            page.showPage()
    page.save()


if __name__ == "__main__":
    main()
