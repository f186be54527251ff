"""A deck with pictures with protograf: ``python -m benchmarks.peers.protograf_deck FOLDER`` writes ``cards.pdf``.

The folder has ``cards.csv``, ``art/`` and ``back.png``. Icons among words are left out: protograf has none.
"""

from __future__ import annotations

import csv
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

COLOURS = {"common": "#8a8a8a", "uncommon": "#3f8f5b", "rare": "#2f63b5", "mythic": "#c9622b"}


def markup(words: str) -> str:
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    words = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", words)
    words = re.sub(r"\*(.+?)\*", r"<i>\1</i>", words)
    return re.sub(r"\{\w+\}", "", words).replace("\n", "<br/>")


def main(deck: Path) -> None:
    pg: Any = import_module("protograf")
    with (deck / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"Text": markup(row["Text"]), "Flavour": f"<i>{markup(row.pop('Flavour Text'))}</i>",
                "Art": str(deck / "art" / row["Art"]), "Colour": COLOURS[row["Rarity"]],
                "Disc": "#b02a2a" if int(row["Cost"]) > 3 else "#2b2a33"}
    names = [*rows[0]]
    pg.Create(filename="cards.pdf", paper="A4", units="mm", margin=5)
    pg.Data(data_list=[names, *([row[name] for name in names] for row in rows)])
    pg.Deck(width=63.5, height=88.9, copy="Quantity", grid_marks=True)
    pg.Card(
        "*",
        pg.rectangle(x=0, y=0, width=63.5, height=88.9, fill="#2b2a33"),
        pg.rectangle(x=3, y=3, width=57.5, height=82.9, rounding=2.5, fill="#f4ecd8", stroke=pg.T("{{ Colour }}"),
                     stroke_width=1.7),
        pg.image(pg.T("{{ Art }}"), x=5, y=13, width=53.5, height=40),
        pg.circle(cx=9, cy=9, radius=4.4, fill=pg.T("{{ Disc }}"), stroke="white"),
        pg.text(x=9, y=10.6, text=pg.T("{{ Cost }}"), font_size=14, stroke="white", align="centre"),
        pg.text(x=15, y=10.6, text=pg.T("{{ Name }}"), font_size=14, align="left"),
        pg.text(x=6, y=58, width=51.5, height=16, text=pg.T("{{ Text }}"), font_size=11, html=True, align="centre"),
        pg.text(x=7, y=75, width=49.5, height=8, text=pg.T("{{ Flavour }}"), font_size=9, html=True, align="centre"))
    pg.CardBack("*", pg.image(str(deck / "back.png"), x=0, y=0, width=63.5, height=88.9))
    pg.Save()


if __name__ == "__main__":
    main(Path(sys.argv.pop()))  # protograf reads the others
