"""Turns faces into the darkest and the lightest that is seen from afar around the places that they name for it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from ppgen.engine.drawing.face import Face
from ppgen.engine.typesetting import faces_png
from ppgen.engine.units import INCH

SEEN = "seen-"
"""So begin the names of places (anchors) that must be made out from afar; the rest says what is there."""
SHARP = 96.0
"""Pixels an inch: what is finer than such a pixel melts into its surroundings, at 60 cm and in fair light."""
REACH = 0.06
"""How far around a place is looked, as a share of the face's shorter side."""
FEW = 0.06
"""The share of a place's pixels that count for nothing, at both ends."""


def extremes(faces: Sequence[Face], fonts: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """For each face the dark and the light (``#rrggbb``) of each place that must be made out, by what is there."""
    from PIL import Image

    for face, png in zip(faces, faces_png(faces, fonts, SHARP), strict=True):
        with Image.open(io.BytesIO(png)) as opened:
            picture = opened.convert("RGB")
        seen, reach = {}, REACH * min(face.size.width, face.size.height)
        for name, place in ((name, place) for name, place in face.anchors.items() if name.startswith(SEEN)):
            left, top, right, bottom = (round((at + face.bleed + by) / INCH * SHARP) for by in (-reach, reach)
                                        for at in (place.x, place.y))
            part = picture.crop((max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height)))
            few = round(part.width * part.height * FEW)
            pixels = sorted(zip(*(channel.tobytes() for channel in part.split()), strict=True), key=_luma)
            seen[name.removeprefix(SEEN)] = _written(pixels[few]), _written(pixels[-1 - few])
        yield seen


def _luma(pixel: tuple[int, ...]) -> int:
    red, green, blue = pixel
    return 299 * red + 587 * green + 114 * blue


def _written(pixel: tuple[int, ...]) -> str:
    return "#{:02X}{:02X}{:02X}".format(*pixel)
