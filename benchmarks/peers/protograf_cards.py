"""56 poker-size cards (mm) of 9 types with protograf: writes ``cards.pdf`` into the working folder."""

from __future__ import annotations

from importlib import import_module
from typing import Any

WIDTH, HEIGHT = 63.5, 88.9
TYPES = (("France", "FR", "#2B4C9B"), ("Saxony", "SA", "#4E9A51"), ("Hungary", "HU", "#C7662C"),
         ("Castile", "CA", "#D9B13B"), ("Franconia", "FN", "#8A4FA0"), ("Bavaria", "BA", "#7FB2D9"),
         ("Italy", "IT", "#5A7A3A"), ("England", "EN", "#B03A3A"), ("Denmark", "DK", "#E0E0D8"))
CARDS = tuple((*TYPES[n % len(TYPES)], n // len(TYPES) + 1) for n in range(56))
"""Name, code, colour and number of each card."""


def main() -> None:
    pg: Any = import_module("protograf")
    pg.Create(filename="cards.pdf", paper="A4", units="mm", margin=5)
    pg.Data(data_list=[["NAME", "CODE", "COLOUR", "NUMBER"], *map(list, CARDS)])
    pg.Deck(cards=len(CARDS), width=WIDTH, height=HEIGHT, grid_marks=True)
    pg.Card(
        "*",
        pg.rectangle(x=0, y=0, width=WIDTH, height=HEIGHT, fill=pg.T("{{ COLOUR }}")),
        pg.text(x=10, y=20, font_size=36, text=pg.T("{{ NUMBER }}")),
        pg.text(x=40, y=14, font_size=16, text=pg.T("{{ NAME }}")),
        pg.text(x=40, y=80, font_size=12, text=pg.T("{{ CODE }}")),
        pg.circle(cx=20, cy=40, radius=6, fill="white"),
        pg.circle(cx=40, cy=40, radius=6, fill="white"),
        pg.line(x=5, y=60, x1=58, y1=60))
    pg.CardBack(
        "*",
        pg.rectangle(x=0, y=0, width=WIDTH, height=HEIGHT, fill="#9E4238"),
        pg.circle(cx=WIDTH / 2, cy=HEIGHT / 2, radius=15, fill="white"))
    pg.Save()


if __name__ == "__main__":
    main()
