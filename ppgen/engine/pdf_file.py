"""What every PDF of the house has in common: how it is saved, how boxes are written, how a page becomes a form."""

from __future__ import annotations

import io

from pikepdf import Array, Name, Object, ObjectStreamMode, Page, Pdf

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


def form_of(pdf: Pdf, page: Page, source: Pdf) -> Object:
    """A page of another document as a Form XObject of this one (ISO 32000-1, 8.10).

    Its content is taken as it is: pikepdf's own way unpacks it, so that it is packed anew when the document is saved.
    """
    page.contents_coalesce()
    form = pdf.copy_foreign(page.obj.Contents)
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, Array([*page.mediabox])
    for name in (Name.Resources, Name.Group):
        if name in page.obj:
            form[name] = pdf.copy_foreign(source.make_indirect(page.obj[name]))
    return form
