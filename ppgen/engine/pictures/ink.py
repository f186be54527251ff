"""Ink coverage of faces."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH
from ppgen.engine.pdf.typesetting import faces_png

INK_PPI = 25.0  # pixels per inch to measure ink: lines thinner than a pixel count as their share of grey


def coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    """The mean ink coverage of each face's trim, 0 to 1: the mean of cyan, magenta and yellow."""
    store, digest = current_store(), folder_digest(fonts)
    if store is None or digest is None:
        return _measure_coverage(faces, fonts)
    keys = [cache_key("ink", digest, face.svg, face.size, face.bleed) or "" for face in faces]
    shares = {face: float(entry) for face, key in zip(faces, keys, strict=True) if (entry := store.find(key))}
    missing = tuple(dict.fromkeys(face for face in faces if face not in shares))
    shares |= zip(missing, _measure_coverage(missing, fonts), strict=True)
    for face, key in zip(faces, keys, strict=True):
        if face in missing:
            store.keep(key, repr(shares[face]).encode())
    return tuple(shares[face] for face in faces)


def _measure_coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    if not faces:
        return ()
    from PIL import Image, ImageStat

    shares = []
    for face, png in zip(faces, faces_png(faces, fonts, INK_PPI), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / INCH * INK_PPI)
            trim = picture.convert("RGBA").crop((edge, edge, picture.width - edge, picture.height - edge))
            paper = Image.new("RGBA", trim.size, "white")
            paper.alpha_composite(trim)
            shares.append(1 - sum(ImageStat.Stat(paper).mean[:3]) / 3 / 255)
    return tuple(shares)
