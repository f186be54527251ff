"""Turns faces into how much ink they take, and how much of a colour they show."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from ppgen.cache.marks import mark_of
from ppgen.cache.store import digest_of, store
from ppgen.engine.drawing.face import Face
from ppgen.engine.typesetting import faces_png
from ppgen.engine.units import INCH

PPI = 25.0
"""Coarse is enough: lines thinner than a pixel are counted as their share of grey."""


SHARP, NEAR = 100.0, 12
"""Pixels an inch to look for a colour; a pixel has it if none of its channels (0 to 255) is further from it."""


def shown(faces: Sequence[Face], colours: Sequence[str], top: float, fonts: Path) -> tuple[float, ...]:
    """How much of the upper part of each face's trim (``top`` of its height) has its colour (``#rrggbb``): 0 to 1."""
    from PIL import Image, ImageChops, ImageColor

    shares = []
    for face, colour, png in zip(faces, colours, faces_png(faces, fonts, SHARP), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / INCH * SHARP)
            height = round((picture.height - 2 * edge) * top)
            part = picture.convert("RGB").crop((edge, edge, picture.width - edge, edge + height))
            apart = ImageChops.difference(part, Image.new("RGB", part.size, ImageColor.getrgb(colour)))
            furthest = ImageChops.lighter(ImageChops.lighter(*apart.split()[:2]), apart.split()[2])
            shares.append(sum(furthest.histogram()[:NEAR + 1]) / (part.width * part.height))
    return tuple(shares)


def coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    """The mean ink coverage of each face's trim: 0 is blank, 1 is solid black.

    That is the mean of the cyan, magenta and yellow that the picture takes; solid red counts 2/3.
    """
    opened, digest = store(), digest_of(fonts)
    if opened is None or digest is None:
        return _measured(faces, fonts)
    marks = [mark_of("ink", digest, face.svg, face.size, face.bleed) or "" for face in faces]
    found = {face: float(kept) for face, mark in zip(faces, marks, strict=True) if (kept := opened.find(mark))}
    missing = tuple(dict.fromkeys(face for face in faces if face not in found))
    found |= zip(missing, _measured(missing, fonts), strict=True)
    for face, mark in zip(faces, marks, strict=True):
        if face in missing:
            opened.keep(mark, repr(found[face]).encode())
    return tuple(found[face] for face in faces)


def _measured(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    if not faces:
        return ()
    from PIL import Image, ImageStat

    shares = []
    for face, png in zip(faces, faces_png(faces, fonts, PPI), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / INCH * PPI)
            trim = picture.convert("RGBA").crop((edge, edge, picture.width - edge, picture.height - edge))
            paper = Image.new("RGBA", trim.size, "white")
            paper.alpha_composite(trim)
            shares.append(1 - sum(ImageStat.Stat(paper).mean[:3]) / 3 / 255)
    return tuple(shares)
