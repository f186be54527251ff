"""Small pictures of faces to keep, and how they differ from those of today.

A face that is remembered as printed is a WebP of 300 dpi, some 20 kB for a card of poker size: enough for a proof
beside the new one. Faces with equal digests look the same. Others are compared by their pixels, because a new version
of ppgen, or a template that was tidied up, may write other SVG for the same look.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, Rect, Size
from ppgen.engine.pictures.face_pictures import FacePicture, at_dpi, crop_face, take_pictures

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURE_DPI = 300.0
MAX_PICTURE_PIXELS = 2_500_000
"""Larger faces, such as boards, are kept at a lower resolution."""
MAX_PICTURE_BYTES = 2_000_000
QUALITY = 82
BLOCK_PX = 3
"""Pixels across and down that are averaged before they are compared, so that the edges of letters may move a little."""
MAX_DIFFERENCE = 36
"""Difference (of 255) of such a block that is still the same look; a changed comma makes over 60."""


def encode_faces(faces: Sequence[Face], fonts: Path) -> tuple[bytes, ...]:
    """Return the WebP of each face, without its bleed. The same faces give the same bytes."""
    from PIL import Image

    encoded = []
    for picture in take_pictures([_to_keep(face) for face in faces], fonts):
        target = io.BytesIO()
        with Image.open(io.BytesIO(picture)) as image:
            image.save(target, "WEBP", quality=QUALITY, method=4)
        encoded.append(target.getvalue())
    return tuple(encoded)


def _to_keep(face: Face) -> FacePicture:
    trim = crop_face(face, Rect(0, 0, face.size.width, face.size.height)) if face.bleed else face
    square_inches = face.size.width * face.size.height / INCH ** 2
    picture = at_dpi(trim, min(PICTURE_DPI, sqrt(MAX_PICTURE_PIXELS / square_inches)))
    return FacePicture(face=trim, width=picture.width, height=picture.height, dpi=picture.dpi, on_paper=True)


def decode_picture(content: bytes) -> Image:
    """Return the pixels of a kept picture, which may come from a stranger. Raises ValueError if it is not one."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=["WEBP"]) as image:
                if image.width * image.height > 1.1 * MAX_PICTURE_PIXELS:
                    raise ValueError("is too large")
                return image.convert("RGB")
    except (OSError, SyntaxError, EOFError, Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise ValueError("is not a WebP picture") from error


def png_of(image: Image) -> bytes:
    """Return the pixels as PNG, for typst."""
    target = io.BytesIO()
    image.save(target, "PNG")
    return target.getvalue()


def find_difference(old: bytes, new: bytes, size: Size) -> Rect | None:
    """Return the area (mm of the trim) in which two kept pictures look different; None if they look the same."""
    from PIL import ImageChops

    before, after = decode_picture(old), decode_picture(new)
    if old == new:
        return None
    if before.size != after.size:
        return Rect(0, 0, size.width, size.height)
    bands = ImageChops.difference(before, after).reduce(BLOCK_PX).split()
    difference = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    box = difference.point([0] * MAX_DIFFERENCE + [255] * (256 - MAX_DIFFERENCE)).getbbox()
    if not box:
        return None
    across, down = size.width / difference.width, size.height / difference.height
    return Rect(box[0] * across, box[1] * down, (box[2] - box[0]) * across, (box[3] - box[1]) * down)
