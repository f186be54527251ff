"""What every PDF of the house has in common: how it is saved, and how its boxes are written."""

from __future__ import annotations

import io

from pikepdf import Array, ObjectStreamMode, Pdf

from ppgen.engine.geometry import Rect, Size
from ppgen.engine.units import pdf_box


def saved(pdf: Pdf) -> bytes:
    """The finished document: the same input gives the same bytes."""
    target = io.BytesIO()
    pdf.save(target, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate, compress_streams=True)
    return target.getvalue()


def box_of(rect: Rect, page: Size) -> Array:
    """A rectangle of a page (mm, y down) as a PDF has it."""
    return Array([round(edge, 4) for edge in pdf_box(rect, page)])
