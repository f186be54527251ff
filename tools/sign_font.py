"""Makes ``data/fonts/Signs.ttf`` from ``tools/signs.toml``: ppgen's icons, and signs of the Noto fonts, as glyphs.

    python tools/sign_font.py

The Noto fonts are fetched with the ordinary npm client. A sign is taken from the first place that has it.
"""

from __future__ import annotations

import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.misc.transform import Transform
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import dropImpliedOnCurvePoints

from ppgen.engine.drawing.lettering import CAPITAL_HEIGHT, ICON_HEIGHT, ICON_MARGIN
from tools.fetch_fonts import FONTS, code_points, fetch_package

FAMILY, FILE, LICENCE = "ppgen Signs", "Signs.ttf", "OFL-Signs.txt"
EM, ICON_GRID = 1000, 24
ICONS, LETTERS = FONTS.parent / "icons", FONTS / "EBGaramond-Regular.ttf"
START = 3_800_000_000
"""The font's date, in seconds since 1904: the same bytes each time."""
INVISIBLE = [0x200D, 0x20E3, 0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)]
"""What only changes how the sign before it looks: joiner, frame of a key, variation selectors, skin tones."""
BOX = "□"
"""Printed for what no font has."""

Glyphs = dict[int, tuple[object, int]]
"""Outline and advance by code point."""


def draw_icon(name: str) -> tuple[object, int]:
    """Draw an icon as ``{name}`` in a text has it: as wide, and with its middle at that of capitals."""
    path = ElementTree.parse(ICONS / f"{name}.svg").getroot()[0].attrib["d"]
    scale = EM * ICON_HEIGHT / ICON_GRID
    top = EM * (CAPITAL_HEIGHT + ICON_HEIGHT) / 2
    pen = TTGlyphPen(None)
    parse_path(path, TransformPen(Cu2QuPen(RoundingPen(pen), max_err=1),
                                  Transform(scale, 0, 0, -scale, EM * ICON_MARGIN, top)))
    return pen.glyph(), round(EM * (ICON_HEIGHT + 2 * ICON_MARGIN))


def draw_letters(font: TTFont, letters: str, scale: float = 1, lift: float = 0) -> tuple[object, int]:
    """Draw glyphs of a font side by side."""
    glyphs, names, pen = font.getGlyphSet(), font.getBestCmap(), TTGlyphPen(None)
    factor, x = scale * EM / font["head"].unitsPerEm, 0.0
    for letter in letters:
        glyph, recording = glyphs[names[ord(letter)]], DecomposingRecordingPen(glyphs)
        glyph.draw(recording)
        recording.replay(TransformPen(RoundingPen(pen), Transform(factor, 0, 0, factor, x, lift * EM)))
        x += glyph.width * factor
    return pen.glyph(), round(x)


def collect_glyphs(folder: Path) -> Glyphs:
    """Draw the glyphs of all signs; fetch packages into the folder."""
    signs = tomllib.loads((Path(__file__).parent / "signs.toml").read_text(encoding="utf-8"))
    glyphs: Glyphs = dict.fromkeys(INVISIBLE, (TTGlyphPen(None).glyph(), 0))
    for name, characters in signs["icons"].items():
        glyphs |= dict.fromkeys(map(ord, characters), draw_icon(name))
    text_font = TTFont(LETTERS)
    glyphs |= {ord(sign): draw_letters(text_font, letters) for sign, letters in signs["letters"].items()}
    others = signs["others"]
    wanted = code_points(others["blocks"], "", others["more"])
    for entry in signs["fonts"]:
        font = TTFont(fetch_package(entry["package"], folder) / entry["source"])
        glyphs |= {code: draw_letters(font, chr(code), entry["scale"], entry.get("lift", 0))
                   for code in sorted((wanted - glyphs.keys()) & font.getBestCmap().keys())}
    if missing := {ord(sign) for sign in others["more"] if not sign.isspace()} - glyphs.keys():
        raise SystemExit(f"no font has {' '.join(map(chr, sorted(missing)))}: take them out of signs.toml")
    return glyphs


def write_font(file: str, family: str, glyphs: Glyphs, others: dict[str, tuple[object, int]]) -> None:
    """Write a font into ``data/fonts``: glyphs by code point, and others by name."""
    first = {id(glyph): code for code, glyph in sorted(glyphs.items(), reverse=True)}  # signs of one icon share it
    names = {code: f"u{first[id(glyph)]:04X}" for code, glyph in sorted(glyphs.items())}
    outlines = {**others, **{names[code]: glyphs[code] for code in names}}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(outlines))
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: glyph for name, (glyph, _) in outlines.items()})
    table = builder.font["glyf"]
    for name in outlines:
        if table[name].numberOfContours > 0:
            dropImpliedOnCurvePoints(table[name])
    builder.setupHorizontalMetrics({name: (advance, getattr(table[name], "xMin", 0))
                                    for name, (_, advance) in outlines.items()})
    text_font = TTFont(LETTERS)  # with its line height, a sign does not move lines apart
    rise, fall = text_font["hhea"].ascent, text_font["hhea"].descent
    builder.setupHorizontalHeader(ascent=rise, descent=fall)
    builder.setupOS2(sTypoAscender=rise, sTypoDescender=fall, usWinAscent=rise, usWinDescent=-fall)
    builder.setupNameTable({"familyName": family, "styleName": "Regular",
                            "psName": family.replace(" ", "") + "-Regular",
                            "licenseDescription": "SIL Open Font License 1.1"})
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=START, modified=START)
    builder.font.recalcTimestamp = False
    builder.save(FONTS / file)


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        glyphs = collect_glyphs(Path(temporary))
        licence = next(Path(temporary).rglob("LICENSE_FONT")).read_bytes()
    write_font(FILE, FAMILY, glyphs, {".notdef": glyphs[ord(BOX)]})
    (FONTS / LICENCE).write_bytes(licence)
    print(f"{FILE}: {len(glyphs)} signs, {(FONTS / FILE).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
