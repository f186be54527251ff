"""Makes ``data/fonts/Versals.ttf`` from the outlines in ``tools/versals.toml``.

    python tools/versal_font.py
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from fontTools.pens.areaPen import AreaPen
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.reverseContourPen import ReverseContourPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path

from tools.fetch_fonts import FONTS
from tools.sign_font import write_font

FAMILY, FILE = "ppgen Versals", "Versals.ttf"
SCALE = 1.36
"""Of the letters to the capitals of the text that they begin, if both have one font size."""


def draw_letter(outlines: list[str]) -> tuple[Any, int]:
    """Draw outlines that may overlap as one glyph as wide as its ink: all run clockwise, as TrueType fills them."""
    pen = TTGlyphPen(None)
    scaled = TransformPen(Cu2QuPen(RoundingPen(pen), max_err=1), (SCALE, 0, 0, SCALE, 0, 0))
    for outline in outlines:
        recording, area = RecordingPen(), AreaPen()
        parse_path(outline, recording)
        recording.replay(area)
        recording.replay(ReverseContourPen(scaled) if area.value > 0 else scaled)
    glyph = pen.glyph()
    glyph.recalcBounds(None)
    return glyph, glyph.xMax


def main() -> None:
    letters = tomllib.loads((Path(__file__).parent / "versals.toml").read_text(encoding="utf-8"))
    glyphs = {ord(letter): draw_letter(outlines) for letter, outlines in letters.items()}
    write_font(FILE, FAMILY, glyphs, {".notdef": (TTGlyphPen(None).glyph(), 500)})
    print(f"{FILE}: {len(glyphs)} letters, {(FONTS / FILE).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
