"""Differences between two faces: by their pixels, because a template that was tidied up may write other SVG for the
same look.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, Rect, Size
from ppgen.engine.pictures.face_pictures import FacePicture, at_dpi, crop_face, take_pictures

PICTURE_DPI = 300.0
MAX_PICTURE_PIXELS = 2_500_000  # larger faces, such as boards, are compared at a lower resolution
BLOCK_PX = 3  # across and down, averaged before they are compared: the edges of letters may move a little
MAX_DIFFERENCE = 36  # difference (of 255) of such a block that is still the same look; a changed comma makes over 60


def draw_faces(faces: Sequence[Face], fonts: Path) -> list[bytes]:
    """Return a PNG of each face to compare, without its bleed."""
    return [*take_pictures([_trim(face) for face in faces], fonts)]


def _trim(face: Face) -> FacePicture:
    trim = crop_face(face, Rect(0, 0, face.size.width, face.size.height)) if face.bleed else face
    square_inches = face.size.width * face.size.height / INCH ** 2
    picture = at_dpi(trim, min(PICTURE_DPI, sqrt(MAX_PICTURE_PIXELS / square_inches)))
    return FacePicture(face=trim, width=picture.width, height=picture.height, dpi=picture.dpi, on_paper=True)


def find_difference(old: bytes, new: bytes, size: Size) -> Rect | None:
    """Return the area (mm of the trim) in which two pictures of faces look different; None if they look the same."""
    from PIL import Image, ImageChops

    if old == new:
        return None
    before, after = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (old, new))
    if before.size != after.size:
        return Rect(0, 0, size.width, size.height)
    bands = ImageChops.difference(before, after).reduce(BLOCK_PX).split()
    difference = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    box = difference.point([0] * MAX_DIFFERENCE + [255] * (256 - MAX_DIFFERENCE)).getbbox()
    if not box:
        return None
    across, down = size.width / difference.width, size.height / difference.height
    return Rect(box[0] * across, box[1] * down, (box[2] - box[0]) * across, (box[3] - box[1]) * down)
