"""Faces in booklets: for a large one typst sets a placeholder, which is exchanged for the face as a Form XObject.

So a face is drawn once for all languages, papers and editions of the booklets that show it, and is in each of their
files once. Its words become outlines: the alt text describes a picture, and the words on it don't belong in the text.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import blake2b

from pikepdf import Array, Pdf

from ppgen.cache import cached_by
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.lettering import text_to_outlines
from ppgen.engine.pdf.assembly import face_forms
from ppgen.engine.pdf.pdf_objects import save_pdf
from ppgen.engine.pdf.picture_embedding import exchange_placeholders
from ppgen.engine.pdf.picture_pixels import placeholder, with_placeholders
from ppgen.engine.pdf.typesetting import bare_layers_pdf

LARGE_FACE = 1500  # length in characters from which a face is worth a form of its own
VARIANT = "face"  # the variant of placeholders that stand for faces
_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) ([^"\s]+)"')


def set_face(svg: str, fonts: FontBook) -> str:
    """Return the SVG that typst sets for a face: a large one is represented by a placeholder of its size."""
    if len(svg) < LARGE_FACE:
        return with_placeholders(text_to_outlines(svg, fonts))
    box = _VIEW_BOX.search(svg)
    assert box, "the check has found the view box"
    x, y, width, height = box.groups()
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {box[0]}><image x="{x}" y="{y}" width="{width}" '
            f'height="{height}" preserveAspectRatio="none" href="{placeholder(_digest(svg), VARIANT)}"/></svg>')


def embed_faces(document: bytes, faces: Sequence[Face], fonts: FontBook) -> bytes:
    """Exchange the placeholders in a document for those of these faces that have one."""
    distinct = {_digest(face.svg): face for face in faces if len(face.svg) >= LARGE_FACE}
    if not distinct:
        return document
    return cached_by("booklet", document, [*distinct], fonts, make=lambda: _embed(document, distinct, fonts))


def _embed(document: bytes, faces: dict[str, Face], fonts: FontBook) -> bytes:
    with Pdf.open(io.BytesIO(document)) as pdf:
        drawn = bare_layers_pdf([*faces.values()], lambda words: text_to_outlines(words, fonts), fonts.folder)
        forms = face_forms(pdf, drawn)
        for form in forms.values():  # an image fills the unit square (ISO 32000-1, 8.9.5)
            _, _, width, height = map(float, form.BBox)
            form.Matrix = Array([1 / width, 0, 0, 1 / height, 0, 0])
        exchange_placeholders(pdf, lambda digest, variant, _: forms[faces[digest]] if variant == VARIANT else None)
        return save_pdf(pdf)


def _digest(svg: str) -> str:
    return blake2b(svg.encode(), digest_size=32).hexdigest()
