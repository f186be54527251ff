"""One deck of any number of poker cards, for ppgen and for each peer: the same drawing, as far as the peer has it.

Each card has a full picture with bleed (one of six JPEGs), a frame, a pale panel, a title, a paragraph with bold and
italic words and three icons; the back is drawn. All titles and paragraphs differ.
"""

from __future__ import annotations

import csv
import random
import re
import shutil
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image

WIDTH, HEIGHT = 63.5, 88.9
FIRST = "Scout Smith Miller Pilot Warden Baker Weaver Harper Tanner".split()
PLACES = "river hills marsh forest harbour meadow quarry bridge mill".split()
ICONS = {"drop": "M12 2C16 8 19 12 19 15A7 7 0 0 1 5 15C5 12 8 8 12 2Z", "bolt": "M13 2L4 14H11L9 22L20 9H13Z",
         "gem": "M6 3H18L22 9L12 21L2 9Z"}
DECK = {
    "deck.toml": 'title = "Many"\nlang = "en"\n\n[cards]\ntable = "cards.csv"\nsize = "poker"\n'
                 'front = "card.svg.j2"\nback = "back.svg.j2"\n',
    "card.svg.j2": """{{ image(card.art, fit="bleed") }}
{{ panel(margin=3, radius=3, stroke="#2b2a33", stroke_width=1) }}
{{ panel(x=6, y=50, width=51.5, height=32, radius=1.5, fill="#f4ecd8", opacity=0.9) }}
{{ text(card.name, x=8, y=12, width=47, size=5, style="text/bold", fill="#fff") }}
{% for name in ("drop", "bolt", "gem") %}
{{ icon(name, x=17 + 14.7 * loop.index0, y=45, size=7, fill="#fff") }}
{% endfor %}
{{ rich(card.text, x=8, y=52, width=47.5, height=28, size=3.6, min_size=3) }}
""",
    "back.svg.j2": '{{ fill("#2b4c6b") }}\n{{ panel(margin=6, radius=3, stroke="#fff") }}\n'
                   '<circle cx="31.75" cy="44.45" r="15" fill="#fff"/>\n',
}
STYLE = """@page{size:A4;margin:0}@font-face{font-family:G;src:url(fonts/EBGaramond-Regular.ttf)}
@font-face{font-family:G;font-weight:bold;src:url(fonts/EBGaramond-Bold.ttf)}
@font-face{font-family:G;font-style:italic;src:url(fonts/EBGaramond-Italic.ttf)}
body{margin:0;font-family:G}.p{position:relative;width:210mm;height:297mm;break-after:page;overflow:hidden}
.c{position:absolute;width:63.5mm;height:88.9mm;overflow:hidden}.c>*{position:absolute}
.a{left:-3mm;top:-3mm;width:69.5mm;height:94.9mm}
.f{left:3mm;top:3mm;width:56.5mm;height:81.9mm;border:1mm solid #2b2a33;border-radius:3mm}
.q{left:6mm;top:50mm;width:51.5mm;height:32mm;border-radius:1.5mm;background:#f4ecd8;opacity:.9}
.t{left:8mm;top:6mm;font-size:5mm;font-weight:bold;color:#fff}
.r{left:8mm;top:52mm;width:47.5mm;font-size:3.6mm;line-height:1.2}.i{top:41.5mm;width:7mm;height:7mm}
.b{background:#2b4c6b}.b i{left:6mm;top:6mm;width:50.3mm;height:75.7mm;border:.6mm solid #fff;border-radius:3mm}
.b b{left:16.75mm;top:29.45mm;width:30mm;height:30mm;border-radius:15mm;background:#fff}"""
TYPST = Template("""#set page(width: 210mm, height: 297mm, margin: 0mm)
#set text(font: "EB Garamond", size: 3.6mm)
#let rows = csv("deck/cards.csv", row-type: dictionary)
#let italics(t) = for (j, q) in t.split("*").enumerate() { if calc.odd(j) [_#{q}_] else [#q] }
#let mixed(t) = for (i, p) in t.split("**").enumerate() { if calc.odd(i) [*#p*] else { italics(p) } }
#let front(r) = box(width: 63.5mm, height: 88.9mm, clip: true, {
  place(dx: -3mm, dy: -3mm, image("deck/art/" + r.art, width: 69.5mm, height: 94.9mm))
  place(dx: 3mm, dy: 3mm, rect(width: 57.5mm, height: 82.9mm, radius: 3mm, stroke: 1mm + rgb("#2b2a33")))
  place(dx: 6mm, dy: 50mm, rect(width: 51.5mm, height: 32mm, radius: 1.5mm, fill: rgb("#f4ecd8e6")))
  place(dx: 8mm, dy: 8mm, text(size: 5mm, weight: "bold", fill: white, r.name))
  for (j, n) in $icons.enumerate() { place(dx: 13.5mm + j * 14.7mm, dy: 41.5mm, image(n, width: 7mm)) }
  place(dx: 8mm, dy: 52mm, box(width: 47.5mm, par(leading: 0.5em, mixed(r.text)))) })
#let back = box(width: 63.5mm, height: 88.9mm, fill: rgb("#2b4c6b"), {
  place(dx: 6mm, dy: 6mm, rect(width: 51.5mm, height: 76.9mm, radius: 3mm, stroke: 0.6mm + white))
  place(dx: 16.75mm, dy: 29.45mm, circle(radius: 15mm, fill: white)) })
#for group in rows.chunks(9) { for side in (false, true) {
  for (k, r) in group.enumerate() { place(dx: 9.75mm + calc.rem(k, 3) * 63.5mm,
    dy: 15.15mm + calc.quo(k, 3) * 88.9mm, if side { back } else { front(r) }) }
  pagebreak(weak: false) } }
""")


def make_deck(number: int, folder: Path, fonts: Path) -> None:
    """Write the deck for ppgen into ``deck``, and beside it what the peers read."""
    (folder / "deck" / "art").mkdir(parents=True)
    (folder / "deck" / "icons").mkdir()
    (folder / "fonts").mkdir()
    for font in fonts.glob("EBGaramond*.ttf"):
        shutil.copy(font, folder / "fonts")
    for n in range(6):
        make_picture(n, (821, 1121), 2).save(folder / "deck" / "art" / f"pic{n}.jpg", quality=88)
    for name, outline in ICONS.items():
        (folder / "deck" / "icons" / f"{name}.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path '
            f'fill="#fff" d="{outline}"/></svg>', encoding="utf-8")
    rows = [_row(n) for n in range(1, number + 1)]
    with (folder / "deck" / "cards.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)
    for name, text in DECK.items():
        (folder / "deck" / name).write_text(text, encoding="utf-8")
    icons = ", ".join(f'"deck/icons/{name}.svg"' for name in ICONS)
    (folder / "cards.typ").write_text(TYPST.substitute(icons=f"({icons})"), encoding="utf-8")
    pages = "".join(f"<div class=p>{''.join(side)}</div>" for start in range(0, number, 9)
                    for side in zip(*map(_html, range(9), rows[start:start + 9]), strict=True))
    (folder / "cards.html").write_text(f"<!doctype html><meta charset=utf-8><style>{STYLE}</style>{pages}",
                                       encoding="utf-8")


def make_picture(number: int, size: tuple[int, int], blur: int) -> Image.Image:
    """A picture of soft spots of colour, or of grain without ``blur``, the same one on every machine."""
    from PIL import Image, ImageFilter  # peers import this module, too

    spots = Image.frombytes("RGB", (23, 31), random.Random(number).randbytes(23 * 31 * 3)).resize(size)
    if blur:
        return spots.filter(ImageFilter.GaussianBlur(blur))
    grain = Image.frombytes("L", (400, 400), random.Random(number).randbytes(160_000)).resize(size)
    return Image.blend(spots, grain.convert("RGB"), 0.02)


def to_markup(text: str) -> str:
    """Markdown's bold and italics as HTML, which the peers take."""
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text))


def _row(n: int) -> dict[str, str]:
    first, place = FIRST[n % 9], PLACES[n // 9 % 9]
    return {"name": f"{first} {place} {n}", "art": f"pic{n % 6}.jpg",
            "text": f"**Arrive:** look at the top {n % 4 + 2} cards of the pile, keep one and put the others *below "
                    f"the pile in any order.* Then the {first.lower()} of the {place} moves by {n} steps."}


def _html(position: int, row: dict[str, str]) -> tuple[str, str]:
    place = f'style="left:{9.75 + position % 3 * WIDTH}mm;top:{15.15 + position // 3 * HEIGHT}mm"'
    icons = "".join(f'<svg class=i style="left:{13.5 + 14.7 * n}mm" viewBox="0 0 24 24">'
                    f'<path fill="#fff" d="{outline}"/></svg>' for n, outline in enumerate(ICONS.values()))
    return (f'<div class=c {place}><img class=a src="deck/art/{row["art"]}"><div class=f></div><div class=q></div>'
            f'<div class=t>{row["name"]}</div>{icons}<div class=r>{to_markup(row["text"])}</div></div>',
            f'<div class="c b" {place}><i></i><b></b></div>')
