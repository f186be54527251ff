"""Measures the growth of time and memory with the number of different faces.

    python benchmarks/many_faces.py [250 500 1000 2000 …]

Each number of faces has a process of its own: it draws as many different cards of 63 × 88 mm and one back, lays them
out on A4 for duplex printing and writes them as one PDF. A constant time per face means linear growth. The clock starts
after the imports; memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Seconds of each stage, peak memory of the process (MB) and size of the PDF (MB)."""

    faces: int
    draw: float
    impose: float
    write: float
    memory: float
    pdf: float

    @property
    def seconds(self) -> float:
        return self.draw + self.impose + self.write


def make_part(number: int) -> Part:
    """A part of this number of cards, all different."""
    back = FaceRequest(template="back.svg.j2", size=CARD, values={})
    return Part(name="cards", title="Cards", components=tuple(
        Component(id=f"card-{n}", back=back, front=FaceRequest(
            template="front.svg.j2", size=CARD, key=f"card-{n}",
            values={"number": n, "name": f"Card number {n}", "colour": f"#{n * 8191 % 0x1000000:06X}"}))
        for n in range(1, number + 1)))


def measure(number: int) -> Measures:
    """Draw, impose and write this number of faces in this process."""
    fonts = read_fonts(Assets.at().common("fonts"))
    spec = SheetSpec(paper=A4)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "front.svg.j2").write_text(FRONT, encoding="utf-8")
        (Path(folder) / "back.svg.j2").write_text(BACK, encoding="utf-8")
        studio = FaceRenderer(templates=TemplateSet((Path(folder),), helpers(fonts)), fonts=fonts, ink="full",
                              common={})
        start = perf_counter()
        (part,) = draw_parts([make_part(number)], studio, sheet_bleed(spec), "en")
    drawn = perf_counter()
    sheets = impose(part.items, spec, "cards").sheets
    imposed = perf_counter()
    names = [f"{n} {side.name}" for n, sheet in enumerate(sheets, 1) for side in sheet.sides]
    info = DocumentInfo(title="Many faces", author="", subject="", lang="en", creator="", bookmarks=names,
                        page_labels=names)
    pages = draw_pages(sheets, [Captions(label=name, hint="100 %") for name in names], fonts)
    pdf = assemble(pages, sheets, part.faces, layers_pdf(part.distinct, fonts.folder), info)
    written = perf_counter()
    unit = 1e6 if sys.platform == "darwin" else 1e3  # bytes on macOS, kilobytes on Linux
    return Measures(faces=number, draw=drawn - start, impose=imposed - drawn, write=written - imposed,
                    memory=getrusage(RUSAGE_SELF).ru_maxrss / unit, pdf=len(pdf) / 1e6)


def measure_in_process(number: int) -> Measures:
    """Measure in a new process."""
    done = subprocess.run([sys.executable, __file__, "--child", str(number)], check=True, stdout=subprocess.PIPE)
    return Measures(**json.loads(done.stdout))


def table(numbers: list[int]) -> Iterator[str]:
    yield "faces   draw s  impose s   write s   total s  ms/face  peak MB   PDF MB"
    for number in numbers:
        one = measure_in_process(number)
        yield (f"{one.faces:5}  {one.draw:7.2f}  {one.impose:8.2f}  {one.write:8.2f}  {one.seconds:8.2f}"
               f"  {one.seconds / one.faces * 1000:7.2f}  {one.memory:7.0f}  {one.pdf:7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Time and memory of many different faces.")
    parser.add_argument("numbers", type=int, nargs="*", default=[250, 500, 1000, 2000], metavar="FACES")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        gc.set_threshold(*GC_THRESHOLD)  # begin and end like a run of ppgen
        print(json.dumps(asdict(measure(*options.numbers))), flush=True)
        os._exit(0)
    for line in table(options.numbers):
        print(line, flush=True)


if __name__ == "__main__":
    main()
