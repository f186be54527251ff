"""Turns faces into how much ink they take."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from ppgen.engine.drawing.faces import Face
from ppgen.engine.typesetting import faces_png

PPI = 25.0
"""Coarse is enough: lines thinner than a pixel are counted as their share of grey."""


def coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    """The mean ink coverage of each face's trim: 0 is blank, 1 is solid black.

    That is the mean of the cyan, magenta and yellow that the picture takes; solid red counts 2/3.
    """
    from PIL import Image, ImageStat

    shares = []
    for face, png in zip(faces, faces_png(faces, fonts, PPI), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / 25.4 * PPI)
            trim = picture.convert("RGBA").crop((edge, edge, picture.width - edge, picture.height - edge))
            paper = Image.new("RGBA", trim.size, "white")
            paper.alpha_composite(trim)
            shares.append(1 - sum(ImageStat.Stat(paper).mean[:3]) / 3 / 255)
    return tuple(shares)
