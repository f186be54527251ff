"""Makes the picture of the scorer page for the README, ``docs/images/scorer.png``: three screens side by side.

    python -m tools.page_picture

It needs Node, Chromium and the npm packages of the tests (``npm install --prefix tests/forms``).
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from ppgen.assets import Assets
from ppgen.pages.scorer_page import scorer_page
from ppgen.printing.workshop import Workshop
from tools.pictures import IMAGES, save

HERE = Path(__file__).resolve().parent
GAP = 16


def main() -> None:
    chromium = shutil.which("chromium")
    if not chromium:
        raise SystemExit("chromium is not to be found: install it first")
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        games = [Workshop.open(Assets.at(), game=name) for name in ("card-game", "board-game")]
        (folder / "page.html").write_text(scorer_page(games), encoding="utf-8")
        subprocess.run(["node", HERE / "page_picture.mjs", HERE.parent / "tests" / "forms" / "node_modules", chromium,
                        folder / "page.html", folder], check=True, timeout=120)
        save(join_pictures([Image.open(path) for path in sorted(folder.glob("*.png"))]), IMAGES / "scorer.png", 256)


def join_pictures(pictures: list[Image.Image]) -> Image.Image:
    """Join pictures of the same height in a row."""
    row = Image.new("RGB", (sum(each.width for each in pictures) + GAP * (len(pictures) - 1), pictures[0].height),
                    "#8C8172")
    x = 0
    for each in pictures:
        row.paste(each.convert("RGB"), (x, 0))
        x += each.width + GAP
    return row


if __name__ == "__main__":
    main()
