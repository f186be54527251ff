"""Prints a number of different faces, for measuring how time and memory grow with it.

    python -m benchmarks.many_faces NUMBER

It draws as many different cards of 63 × 88 mm and one back, lays them out on A4 for duplex printing and makes one PDF.
"""

from __future__ import annotations

import gc
import os
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from ppgen.assets import Assets
from ppgen.cli.start import GC_THRESHOLD
from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.drawing.fonts import read_fonts
from ppgen.engine.drawing.rendering import FaceRenderer, helpers
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Format, Size
from ppgen.engine.imposition.impose import impose
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.assembly import DocumentInfo, assemble
from ppgen.engine.pdf.sheet_pages import Captions, draw_pages
from ppgen.engine.pdf.typesetting import layers_pdf
from ppgen.printing.drawn_parts import draw_parts, sheet_bleed

A4, CARD = Format("a4", Size(210, 297)), Size(63, 88)
FRONT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">
  <defs><linearGradient id="sky"><stop offset="0" stop-color="{{ colour }}"/>
    <stop offset="1" stop-color="#FFFFFF"/></linearGradient></defs>
  <rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" height="{{ face.all.height }}"
    fill="url(#sky)"/>
  {% for ring in range(1, 6) %}
  <circle cx="31.5" cy="50" r="{{ ring * 4 + number % 7 / 7 }}" fill="none" stroke="#222222" stroke-width="0.4"/>
  {% endfor %}
  {{ text(number, x=6, y=16, width=50, size=12, style="title") }}
  {{ text(name, x=31.5, y=82, width=55, size=5, anchor="middle") }}
</svg>"""
BACK = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="{{ face.view_box }}">
  <rect x="{{ face.all.x }}" y="{{ face.all.y }}" width="{{ face.all.width }}" height="{{ face.all.height }}"
    fill="#9E4238"/></svg>"""


def make_part(number: int) -> Part:
    """A part of this number of cards, all different."""
    back = FaceRequest(template="back.svg.j2", size=CARD, values={})
    return Part(name="cards", title="Cards", components=tuple(
        Component(id=f"card-{n}", back=back, front=FaceRequest(
            template="front.svg.j2", size=CARD, key=f"card-{n}",
            values={"number": n, "name": f"Card number {n}", "colour": f"#{n * 8191 % 0x1000000:06X}"}))
        for n in range(1, number + 1)))


def print_faces(number: int) -> bytes:
    """Draw, impose and write this number of faces."""
    fonts = read_fonts(Assets.at().common("fonts"))
    spec = SheetSpec(paper=A4)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "front.svg.j2").write_text(FRONT, encoding="utf-8")
        (Path(folder) / "back.svg.j2").write_text(BACK, encoding="utf-8")
        studio = FaceRenderer(templates=TemplateSet((Path(folder),), helpers(fonts)), fonts=fonts, ink="full",
                              common={})
        (part,) = draw_parts([make_part(number)], studio, sheet_bleed(spec), "en")
    sheets = impose(part.items, spec, "cards").sheets
    names = [f"{n} {side.name}" for n, sheet in enumerate(sheets, 1) for side in sheet.sides]
    info = DocumentInfo(title="Many faces", author="", subject="", lang="en", creator="", bookmarks=names,
                        page_labels=names)
    pages = draw_pages(sheets, [Captions(label=name, hint="100 %") for name in names], fonts)
    return assemble(pages, sheets, part.faces, layers_pdf(part.distinct, fonts.folder), info)


if __name__ == "__main__":
    gc.set_threshold(*GC_THRESHOLD)  # begin and end like a run of ppgen
    pdf = print_faces(int(sys.argv[1]))
    print(f"{len(pdf) / 1e6:.2f} MB, with {getrusage(RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB of memory", flush=True)
    os._exit(0)
