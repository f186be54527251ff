"""Fetches the fonts of ``data/fonts/fonts.toml`` again, with the ordinary npm client, and cuts the large ones.

    python tools/fetch_fonts.py

A font with ``blocks`` is cut to those Unicode blocks (fontTools); the others are kept whole. The
licence texts come along.
"""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
import tomllib
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FONTS = Path(__file__).resolve().parent.parent / "data" / "fonts"


def unpacked(package: str, folder: Path) -> Path:
    """The unpacked npm package ``@expo-google-fonts/<package>``."""
    subprocess.run(["npm", "pack", "--silent", f"@expo-google-fonts/{package}"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    archive = next(folder.glob(f"expo-google-fonts-{package}-[0-9]*.tgz"))
    target = folder / package
    with tarfile.open(archive) as tar:
        tar.extractall(target, filter="data")
    return target / "package"


def cut(font: TTFont, blocks: list[str]) -> None:
    """Keep only the characters of the blocks, written like ``3000-30FF``."""
    options = subset.Options(layout_features=["kern", "liga", "palt"], name_IDs=["*"], notdef_outline=True,
                             drop_tables=["vhea", "vmtx", "VORG", "DSIG"])
    cutter = subset.Subsetter(options)
    ranges = [tuple(int(end, 16) for end in block.split("-")) for block in blocks]
    cutter.populate(unicodes=[sign for first, last in ranges for sign in range(first, last + 1)])
    cutter.subset(font)


def main() -> None:
    entries = tomllib.loads((FONTS / "fonts.toml").read_text(encoding="utf-8"))["fonts"]
    with tempfile.TemporaryDirectory() as temporary:
        packages: dict[str, Path] = {}
        for entry in entries:
            name = entry["package"]
            if name not in packages:
                packages[name] = unpacked(name, Path(temporary))
            font = TTFont(packages[name] / entry["source"], recalcTimestamp=False)
            if "blocks" in entry:
                cut(font, entry["blocks"])
            font.save(FONTS / entry["file"])
            (FONTS / entry["licence"]).write_bytes((packages[name] / "LICENSE_FONT").read_bytes())
            print(f"{entry['file']}: {(FONTS / entry['file']).stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
