"""The deck with protograf, in whose folder this runs. It has no bleed, and no drawn icons: polygons stand for them."""

from __future__ import annotations

import csv
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.decks import HEIGHT, WIDTH, to_markup


def main() -> None:
    pg: Any = import_module("protograf")
    with Path("deck/cards.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row["name"], str(Path("deck/art", row["art"]).resolve()), to_markup(row["text"])]
                for row in csv.DictReader(file)]
    pg.Create(filename="protograf.pdf", paper="A4", units="mm", margin=5)
    pg.Data(data_list=[["name", "art", "text"], *rows])
    pg.Deck(cards=len(rows), width=WIDTH, height=HEIGHT, grid_marks=True)
    pg.Card(
        "*",
        pg.image(pg.T("{{ art }}"), x=0, y=0, width=WIDTH, height=HEIGHT),
        pg.rectangle(x=3, y=3, width=57.5, height=82.9, rounding=3, fill=None, stroke="#2b2a33", stroke_width=2.8),
        pg.rectangle(x=6, y=50, width=51.5, height=32, rounding=1.5, fill="#f4ecd8", transparency=10),
        pg.text(x=8, y=12, text=pg.T("{{ name }}"), font_size=14, stroke="white", align="left"),
        *(pg.polygon(cx=17 + 14.7 * n, cy=45, sides=sides, radius=3.5, fill="white")
          for n, sides in enumerate((3, 5, 6))),
        pg.text(x=8, y=52, width=47.5, height=28, text=pg.T("{{ text }}"), font_size=10, html=True, align="left"))
    pg.CardBack(
        "*",
        pg.rectangle(x=0, y=0, width=WIDTH, height=HEIGHT, fill="#2b4c6b"),
        pg.rectangle(x=6, y=6, width=51.5, height=76.9, rounding=3, fill=None, stroke="white"),
        pg.circle(cx=WIDTH / 2, cy=HEIGHT / 2, radius=15, fill="white"))
    pg.Save()


if __name__ == "__main__":
    main()
