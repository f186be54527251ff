"""Ink coverage of faces, shares of a colour, and the tones of places as seen from a distance."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH
from ppgen.engine.pdf.typesetting import faces_png

INK_PPI = 25.0  # pixels per inch to measure ink: lines thinner than a pixel count as their share of grey
COLOUR_PPI = 100.0  # pixels per inch to look for a colour
COLOUR_TOLERANCE = 12  # a pixel has a colour if each of its channels (0 to 255) differs by no more


def colour_shares(faces: Sequence[Face], colours: Sequence[str], top: float, fonts: Path) -> tuple[float, ...]:
    """Share (0 to 1) of each face's colour (``#rrggbb``) in the upper part of its trim, ``top`` (0 to 1) high."""
    from PIL import Image, ImageChops, ImageColor

    shares = []
    for face, colour, png in zip(faces, colours, faces_png(faces, fonts, COLOUR_PPI), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / INCH * COLOUR_PPI)
            height = round((picture.height - 2 * edge) * top)
            part = picture.convert("RGB").crop((edge, edge, picture.width - edge, edge + height))
            difference = ImageChops.difference(part, Image.new("RGB", part.size, ImageColor.getrgb(colour)))
            red, green, blue = difference.split()
            largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
            shares.append(sum(largest.histogram()[:COLOUR_TOLERANCE + 1]) / (part.width * part.height))
    return tuple(shares)


def coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    """The mean ink coverage of each face's trim: 0 is blank, 1 is solid black.

    It is the mean of cyan, magenta and yellow; solid red counts 2/3.
    """
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


# Tones at a distance

SEEN_PREFIX = "seen-"
"""Prefix of anchors at places that must be visible from a distance; the rest of the name says what is there."""
DISTANT_PPI = 96.0
"""Pixels per inch: at 60 cm and in fair light, anything finer than such a pixel merges with its surroundings."""
REACH = 0.06  # distance around a place that is looked at, as a share of the face's shorter side
OUTLIER_SHARE = 0.06  # share of a place's pixels that is ignored at both ends


def tonal_extremes(faces: Sequence[Face], fonts: Path) -> Iterator[dict[str, tuple[str, str]]]:
    """For each face the darkest and lightest tone (``#rrggbb``) of each ``seen-`` anchor, by the rest of its name."""
    from PIL import Image

    for face, png in zip(faces, faces_png(faces, fonts, DISTANT_PPI), strict=True):
        with Image.open(io.BytesIO(png)) as opened:
            picture = opened.convert("RGB")
        tones, reach = {}, REACH * min(face.size.width, face.size.height)
        for name, place in face.anchors.items():
            if not name.startswith(SEEN_PREFIX):
                continue
            left, top, right, bottom = (round((at + face.bleed + by) / INCH * DISTANT_PPI) for by in (-reach, reach)
                                        for at in (place.x, place.y))
            part = picture.crop((max(left, 0), max(top, 0), min(right, picture.width), min(bottom, picture.height)))
            ignored = round(part.width * part.height * OUTLIER_SHARE)
            pixels = sorted(zip(*(channel.tobytes() for channel in part.split()), strict=True), key=_luma)
            tones[name.removeprefix(SEEN_PREFIX)] = _hex(pixels[ignored]), _hex(pixels[-1 - ignored])
        yield tones


def _luma(pixel: tuple[int, ...]) -> int:
    red, green, blue = pixel
    return 299 * red + 587 * green + 114 * blue


def _hex(pixel: tuple[int, ...]) -> str:
    return "#{:02X}{:02X}{:02X}".format(*pixel)
