"""What every PDF of the house has in common: how it is saved, how boxes are written, how a page becomes a form."""

from __future__ import annotations

import io

from pikepdf import Array, Name, Object, ObjectStreamMode, Page, Pdf

from ppgen.engine.geometry import Rect, Size
from ppgen.engine.units import pdf_box


def saved(pdf: Pdf) -> bytes:
    """The finished document: the same input gives the same bytes."""
    target = io.BytesIO()
    pdf.save(target, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate, compress_streams=True,
             fix_metadata_version=False)  # it is right already
    return target.getvalue()


def box_of(rect: Rect, page: Size) -> Array:
    """A rectangle of a page (mm, y down) as a PDF has it."""
    return Array([round(edge, 4) for edge in pdf_box(rect, page)])


def form_of(pdf: Pdf, page: Page) -> Object:
    """A page of another document as a Form XObject of this one (ISO 32000-1, 8.10); there its content becomes it, too.

    The content is taken as it is: pikepdf's own way unpacks it, so that it is packed anew when the document is saved.
    """
    page.contents_coalesce()
    form = page.obj.Contents
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.mediabox
    for name in (Name.Resources, Name.Group):
        if name in page.obj:
            form[name] = page.obj[name]
    return pdf.copy_foreign(form)
