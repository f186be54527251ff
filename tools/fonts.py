"""Makes the shipped fonts again: those of the ``fonts.toml`` files, ppgen's signs, versals and invisible words.

    python -m tools.fonts [fetch] [signs] [versals] [words]

``fetch`` fetches the fonts of ``data/fonts`` and of the looks with the ordinary npm client. A font with ``blocks``,
``characters`` or ``more`` is reduced to these Unicode blocks, this set of characters and these single characters; the
others stay complete. With ``lining`` its digits are as high as capitals. The licence texts are fetched, too. ``signs``
makes ``Signs.ttf`` from ``tools/signs.toml``: ppgen's icons, and signs of the Noto fonts, each from the first that has
it. ``versals`` makes ``Versals.ttf`` from the outlines in ``tools/versals.toml``. ``words`` makes ``Words.ttf``, whose
glyphs are all alike, for the invisible words over outlines.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
import tomllib
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.misc.transform import Transform
from fontTools.pens.areaPen import AreaPen
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import DecomposingRecordingPen, RecordingPen
from fontTools.pens.reverseContourPen import ReverseContourPen
from fontTools.pens.roundingPen import RoundingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import dropImpliedOnCurvePoints

from ppgen.engine.drawing.fonts import WORDS_ADVANCE, WORDS_FAMILY, WORDS_SHIFT
from ppgen.engine.drawing.lettering import CAPITAL_HEIGHT, ICON_HEIGHT, ICON_MARGIN

TOOLS = Path(__file__).resolve().parent
DATA = TOOLS.parent / "data"
FONTS, LOOKS, ICONS = DATA / "fonts", DATA / "looks", DATA / "icons"
LETTERS = FONTS / "EBGaramond-Regular.ttf"


# Fonts of others

def fetch_package(package: str, folder: Path) -> Path:
    """Fetch and unpack the npm package ``@expo-google-fonts/<package>``, unless it is there."""
    target = folder / package
    if not target.exists():
        subprocess.run(["npm", "pack", "--silent", f"@expo-google-fonts/{package}"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        with tarfile.open(next(folder.glob(f"expo-google-fonts-{package}-[0-9]*.tgz"))) as tar:
            tar.extractall(target, filter="data")
    return target / "package"


def jis_rows(first: int, last: int) -> set[int]:
    """The characters of some rows of JIS X 0208, from Python's EUC-JP codec: row and cell, each plus 0xA0."""
    cells = (bytes([0xA0 + row, 0xA0 + cell]) for row in range(first, last + 1) for cell in range(1, 95))
    return {ord(character) for code in cells if len(character := code.decode("euc_jp", "ignore")) == 1}


CHARACTERS = {"jis-level-1": lambda: jis_rows(16, 47), "jis-level-2": lambda: jis_rows(48, 84)}
"""Values of ``characters``: the 2,965 kanji of everyday Japanese, and the 3,390 rarer ones."""


def code_points(blocks: Iterable[str], characters: str, more: str) -> set[int]:
    """The code points of blocks like ``3000-30FF`` or ``203B``, of a named set, and of single characters."""
    ranges = (tuple(int(end, 16) for end in block.split("-")) for block in blocks)
    return {code for ends in ranges for code in range(ends[0], ends[-1] + 1)} | (
        CHARACTERS[characters]() if characters else set()) | {ord(sign) for sign in more if not sign.isspace()}


def drop_implied_points(font: TTFont) -> None:
    """Remove points that lie on a curve anyway; the outlines do not change."""
    for name in font.getGlyphOrder():
        if font["glyf"][name].numberOfContours > 0:
            dropImpliedOnCurvePoints(font["glyf"][name])


def subset_font(font: TTFont, unicodes: set[int]) -> None:
    """Keep only these characters and the tables for horizontal text, without hinting."""
    options = subset.Options(layout_features=["kern", "liga", "palt"], name_IDs=["*"], notdef_outline=True,
                             hinting=False, drop_tables=["vhea", "vmtx", "VORG", "DSIG", "BASE", "gasp"])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=unicodes)
    cutter.subset(font)
    drop_implied_points(font)


def use_lining_digits(font: TTFont) -> None:
    """Give the digits the glyphs of the feature ``lnum``."""
    table = font["GSUB"].table
    lookups = {index for record in table.FeatureList.FeatureRecord if record.FeatureTag == "lnum"
               for index in record.Feature.LookupListIndex}
    lining = {old: new for index in sorted(lookups) for part in table.LookupList.Lookup[index].SubTable
              for old, new in getattr(part, "ExtSubTable", part).mapping.items()}
    for cmap in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            if cmap.cmap.get(code) in lining:
                cmap.cmap[code] = lining[cmap.cmap[code]]


def fetch_fonts(temporary: Path) -> None:
    """Fetch the fonts that each ``fonts.toml`` lists."""
    for folder in (FONTS, *sorted(LOOKS.glob("*/fonts"))):
        entries = tomllib.loads((folder / "fonts.toml").read_text(encoding="utf-8")).get("fonts", [])
        for entry in (entry for entry in entries if "package" in entry):
            package = fetch_package(entry["package"], temporary)
            font = TTFont(package / entry["source"], recalcTimestamp=False)
            if entry.get("lining"):
                use_lining_digits(font)
            if unicodes := code_points(entry.get("blocks", ()), entry.get("characters", ""), entry.get("more", "")):
                subset_font(font, unicodes)
            font.save(folder / entry["file"])
            (folder / entry["licence"]).write_bytes((package / "LICENSE_FONT").read_bytes())
            print(f"{entry['file']}: {(folder / entry['file']).stat().st_size // 1000} kB")


# Fonts of our own

EM, ICON_GRID = 1000, 24
START = 3_800_000_000
"""The fonts' date, in seconds since 1904: the same bytes each time."""
INVISIBLE = [0x200D, 0x20E3, 0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)]
"""What only changes how the sign before it looks: joiner, frame of a key, variation selectors, skin tones."""
BOX = "□"
"""Printed for what no font has."""
VERSAL_SCALE = 1.36
"""Of versals to the capitals of the text that they begin, if both have one font size."""
WORDS_BLOCKS = ("20-7E", "A0-24F", "590-109F", "1780-17FF", "1900-1CFF", "2000-206F", "20A0-20BF", "A800-AAFF",
                "ABC0-ABFF", "FB1D-FDFF", "FE70-FEFF")
Glyph = tuple[object, int]
"""Outline and advance."""


def draw_icon(name: str) -> Glyph:
    """Draw an icon as ``{name}`` in a text has it: as wide, and with its middle at that of capitals."""
    path = ElementTree.parse(ICONS / f"{name}.svg").getroot()[0].attrib["d"]
    scale = EM * ICON_HEIGHT / ICON_GRID
    top = EM * (CAPITAL_HEIGHT + ICON_HEIGHT) / 2
    pen = TTGlyphPen(None)
    parse_path(path, TransformPen(Cu2QuPen(RoundingPen(pen), max_err=1),
                                  Transform(scale, 0, 0, -scale, EM * ICON_MARGIN, top)))
    return pen.glyph(), round(EM * (ICON_HEIGHT + 2 * ICON_MARGIN))


def draw_letters(font: TTFont, letters: str, scale: float = 1, lift: float = 0) -> Glyph:
    """Draw glyphs of a font side by side."""
    glyphs, names, pen = font.getGlyphSet(), font.getBestCmap(), TTGlyphPen(None)
    factor, x = scale * EM / font["head"].unitsPerEm, 0.0
    for letter in letters:
        glyph, recording = glyphs[names[ord(letter)]], DecomposingRecordingPen(glyphs)
        glyph.draw(recording)
        recording.replay(TransformPen(RoundingPen(pen), Transform(factor, 0, 0, factor, x, lift * EM)))
        x += glyph.width * factor
    return pen.glyph(), round(x)


def draw_versal(outlines: list[str]) -> Glyph:
    """Draw outlines that may overlap as one glyph as wide as its ink: all run clockwise, as TrueType fills them."""
    pen = TTGlyphPen(None)
    scaled = TransformPen(Cu2QuPen(RoundingPen(pen), max_err=1), (VERSAL_SCALE, 0, 0, VERSAL_SCALE, 0, 0))
    for outline in outlines:
        recording, area = RecordingPen(), AreaPen()
        parse_path(outline, recording)
        recording.replay(area)
        recording.replay(ReverseContourPen(scaled) if area.value > 0 else scaled)
    glyph = pen.glyph()
    glyph.recalcBounds(None)
    return glyph, glyph.xMax


def write_font(file: str, family: str, glyphs: dict[int, Glyph], missing: Glyph) -> None:
    """Write a font into ``data/fonts``: glyphs by code point, and the one for what is missing."""
    first = {id(glyph): code for code, glyph in sorted(glyphs.items(), reverse=True)}  # signs of one icon share it
    names = {code: f"u{first[id(glyph)]:04X}" for code, glyph in sorted(glyphs.items())}
    outlines = {".notdef": missing, **{names[code]: glyphs[code] for code in names}}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(outlines))
    builder.setupCharacterMap(names)
    builder.setupGlyf({name: glyph for name, (glyph, _) in outlines.items()})
    drop_implied_points(builder.font)
    builder.setupHorizontalMetrics({name: (advance, getattr(builder.font["glyf"][name], "xMin", 0))
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
    print(f"{file}: {len(glyphs)} characters, {(FONTS / file).stat().st_size // 1000} kB")


def make_signs(temporary: Path) -> None:
    signs = tomllib.loads((TOOLS / "signs.toml").read_text(encoding="utf-8"))
    glyphs: dict[int, Glyph] = dict.fromkeys(INVISIBLE, (TTGlyphPen(None).glyph(), 0))
    for name, characters in signs["icons"].items():
        glyphs |= dict.fromkeys(map(ord, characters), draw_icon(name))
    text_font = TTFont(LETTERS)
    glyphs |= {ord(sign): draw_letters(text_font, letters) for sign, letters in signs["letters"].items()}
    others = signs["others"]
    wanted = code_points(others["blocks"], "", others["more"])
    for entry in signs["fonts"]:
        package = fetch_package(entry["package"], temporary)
        font = TTFont(package / entry["source"])
        glyphs |= {code: draw_letters(font, chr(code), entry["scale"], entry.get("lift", 0))
                   for code in sorted((wanted - glyphs.keys()) & font.getBestCmap().keys())}
    if missing := {ord(sign) for sign in others["more"] if not sign.isspace()} - glyphs.keys():
        raise SystemExit(f"no font has {' '.join(map(chr, sorted(missing)))}: take them out of signs.toml")
    write_font("Signs.ttf", "ppgen Signs", glyphs, glyphs[ord(BOX)])
    (FONTS / "OFL-Signs.txt").write_bytes((package / "LICENSE_FONT").read_bytes())


def make_versals(_: Path) -> None:
    letters = tomllib.loads((TOOLS / "versals.toml").read_text(encoding="utf-8"))
    glyphs = {ord(letter): draw_versal(outlines) for letter, outlines in letters.items()}
    write_font("Versals.ttf", "ppgen Versals", glyphs, (TTGlyphPen(None).glyph(), 500))


def make_words(_: Path) -> None:
    """Make a glyph for each character of the scripts that are set as outlines: a sliver as high as a line."""
    sliver, advance = TTGlyphPen(None), round(EM * WORDS_ADVANCE)
    sliver.moveTo((0, -200))
    sliver.lineTo((advance - 1, 800))
    sliver.lineTo((advance, 800))
    sliver.closePath()
    glyphs: dict[int, Glyph] = {}
    for code in code_points(WORDS_BLOCKS, "", ""):
        pen = TTGlyphPen({".notdef": None})
        pen.addComponent(".notdef", (1, 0, 0, 1, 0, 0))
        glyphs[WORDS_SHIFT + code] = pen.glyph(), advance
    write_font("Words.ttf", WORDS_FAMILY, glyphs, (sliver.glyph(), advance))


STEPS = {"fetch": fetch_fonts, "signs": make_signs, "versals": make_versals, "words": make_words}


def main() -> None:
    steps = sys.argv[1:] or [*STEPS]
    if unknown := sorted(set(steps) - STEPS.keys()):
        raise SystemExit(f"unknown: {', '.join(unknown)} (known: {', '.join(STEPS)})")
    with tempfile.TemporaryDirectory() as temporary:
        for step in steps:
            STEPS[step](Path(temporary))


if __name__ == "__main__":
    main()
