"""Makes the pictures of the README from a real build, into ``docs/images/``.

    python tools/pictures.py
"""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PIL import Image

from ppgen.assets import Assets
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.games.catalogue import CARD_GAME
from ppgen.production.build import Workshop, build
from ppgen.production.request import BuildRequest

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
A4 = Format("a4", Size(210, 297))


def page(pdf: bytes, number: int, dpi: float) -> Image.Image:
    """A page of a PDF (from 0) as a picture."""
    with pypdfium2.PdfDocument(pdf) as document:
        return document[number].render(scale=dpi / 72).to_pil().convert("RGB")


def save(picture: Image.Image, name: str) -> None:
    """Write a small PNG: flat art needs few colours."""
    picture.quantize(128, dither=Image.Dither.NONE).save(IMAGES / name, optimize=True)
    print(f"{name}: {(IMAGES / name).stat().st_size // 1000} kB")


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    built = build(BuildRequest(langs=("de",), papers=(A4,)), Workshop.open(CARD_GAME, Assets.at()))
    cards = next(file.content for file in built.files if "/cards-" in file.path)
    save(page(cards, 2, 100), "sheet.png")


if __name__ == "__main__":
    main()
