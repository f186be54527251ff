"""Job of ``build_cards.py`` with Jinja2 and typst alone: the floor. Writes ``cards.pdf`` into the working folder.

No checks, no bleed, no marks, no boxes: 56 SVG fronts and a back go straight into one document.

    python -m benchmarks.peers.typst_cards FONTS
"""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import typst

from benchmarks.peers.job import CARDS, HEIGHT, WIDTH

FRONT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9" font-family="EB Garamond">
<rect width="63.5" height="88.9" fill="{{ colour }}"/>
<text x="10" y="20" font-size="12.7">{{ number }}</text>
<text x="40" y="14" font-size="5.6" text-anchor="middle">{{ name }}</text>
<text x="40" y="80" font-size="4.2" text-anchor="middle">{{ code }}</text>
<circle cx="20" cy="40" r="6" fill="#fff"/><circle cx="40" cy="40" r="6" fill="#fff"/>
<path d="M5 60H58" stroke="#000" stroke-width=".3"/></svg>"""
BACK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">
<rect width="63.5" height="88.9" fill="#9e4238"/>
<circle cx="31.75" cy="44.45" r="15" fill="#fff"/></svg>"""
SHEETS = f"""
#set page(paper: "a4", margin: (x: 9.75mm, y: 15mm))
#let card(name) = image(bytes(sys.inputs.at(name)), format: "svg", width: {WIDTH}mm, height: {HEIGHT}mm)
#let sheet(names) = grid(columns: 3, ..names.map(card))
#for start in range(0, 56, step: 9) {{
  let numbers = range(start, calc.min(start + 9, 56))
  sheet(numbers.map(n => "card" + str(n)))
  pagebreak()
  sheet(numbers.map(n => "back"))
  pagebreak(weak: true)
}}
"""


def main() -> None:
    template = jinja2.Environment(autoescape=True).from_string(FRONT)
    faces = {"back": BACK}
    for n, (name, code, colour, number) in enumerate(CARDS):
        faces[f"card{n}"] = template.render(name=name, code=code, colour=colour, number=number)
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[sys.argv[1]])
    Path("cards.pdf").write_bytes(typst.compile(SHEETS.encode(), font_paths=fonts, timestamp=0, sys_inputs=faces))


if __name__ == "__main__":
    main()
