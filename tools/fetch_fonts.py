"""Fetches the fonts of ``data/fonts/fonts.toml`` and of the looks again, and subsets the large ones.

The ordinary npm client fetches them.

    python tools/fetch_fonts.py

A font with ``blocks``, ``characters`` or ``more`` is reduced to these Unicode blocks, this set of characters and
these single characters (fontTools); the others stay complete. With ``lining`` its digits are as high as capitals. The
licence texts are fetched, too.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import dropImpliedOnCurvePoints

DATA = Path(__file__).resolve().parent.parent / "data"
FONTS, LOOKS = DATA / "fonts", DATA / "looks"


def fetch_package(package: str, folder: Path) -> Path:
    """Fetch and unpack the npm package ``@expo-google-fonts/<package>``."""
    subprocess.run(["npm", "pack", "--silent", f"@expo-google-fonts/{package}"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    archive = next(folder.glob(f"expo-google-fonts-{package}-[0-9]*.tgz"))
    target = folder / package
    with tarfile.open(archive) as tar:
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


def subset_font(font: TTFont, unicodes: set[int]) -> None:
    """Keep only these characters and the tables for horizontal text.

    Removes hinting, and implied on-curve points; the outlines do not change.
    """
    options = subset.Options(layout_features=["kern", "liga", "palt"], name_IDs=["*"], notdef_outline=True,
                             hinting=False, drop_tables=["vhea", "vmtx", "VORG", "DSIG", "BASE", "gasp"])
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=unicodes)
    cutter.subset(font)
    glyphs = font["glyf"]
    for glyph in (glyphs[name] for name in font.getGlyphOrder()):
        if glyph.numberOfContours > 0:
            dropImpliedOnCurvePoints(glyph)


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


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        packages: dict[str, Path] = {}
        for folder in (FONTS, *sorted(LOOKS.glob("*/fonts"))):
            fetch_fonts(folder, packages, Path(temporary))


def fetch_fonts(folder: Path, packages: dict[str, Path], temporary: Path) -> None:
    """Fetch the fonts that a folder's ``fonts.toml`` lists; ``packages`` are those that are unpacked already."""
    entries = tomllib.loads((folder / "fonts.toml").read_text(encoding="utf-8")).get("fonts", [])
    for entry in (entry for entry in entries if "package" in entry):
        name = entry["package"]
        if name not in packages:
            packages[name] = fetch_package(name, temporary)
        font = TTFont(packages[name] / entry["source"], recalcTimestamp=False)
        if entry.get("lining"):
            use_lining_digits(font)
        if unicodes := code_points(entry.get("blocks", ()), entry.get("characters", ""), entry.get("more", "")):
            subset_font(font, unicodes)
        font.save(folder / entry["file"])
        (folder / entry["licence"]).write_bytes((packages[name] / "LICENSE_FONT").read_bytes())
        print(f"{entry['file']}: {(folder / entry['file']).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
