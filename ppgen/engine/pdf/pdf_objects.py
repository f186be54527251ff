"""PDF objects that all documents have in common: saved files, boxes, pages as Form XObjects."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable

from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Page, Pdf, Stream

from ppgen.engine.geometry import Rect, Size, pdf_box

TILING = 1  # the type of patterns that are repeated (ISO 32000-1, 8.7.3)


def save_pdf(pdf: Pdf) -> bytes:
    """Save the finished document. The same input gives the same bytes."""
    _blend_patterns(pdf)
    _write_zeros(pdf)
    target = io.BytesIO()
    pdf.save(target, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate, compress_streams=True,
             fix_metadata_version=False)  # it is right already
    # After data that end in CR, LF would make CR LF, a single end of line (ISO 19005-2, 6.1.7.1). CR alone is one too.
    return target.getvalue().replace(b"\r\nendstream", b"\r\rendstream")


def _blend_patterns(pdf: Pdf) -> None:
    """Give patterns a transparent graphics state, or Ghostscript blends their edges with white (ISO 32000-1, 8.4.5)."""
    for item in pdf.objects:
        if isinstance(item, Stream) and item.get(Name.PatternType) == TILING:
            resources = item.get(Name.Resources)
            if isinstance(resources, Dictionary) and Name.ExtGState not in resources:
                resources.ExtGState = Dictionary(Blended=Dictionary(ca=0.99))


_NEARLY_ZERO = re.compile(rb"(?<=[\s\[])-?0\.0{6,}\d+(?=[\s\]])")
_INLINE_IMAGE = re.compile(rb"\sID\s")


def _write_zeros(pdf: Pdf) -> None:
    """Write 0 for what is nearly zero: it stems from sines and cosines, which differ between systems."""
    contents = {part.objgen for page in pdf.pages for part in _parts(page.obj.get(Name.Contents))}
    for item in pdf.objects:
        if isinstance(item, Stream) and (item.get(Name.Subtype) == Name.Form or item.get(Name.PatternType) == TILING
                                         or item.objgen in contents):
            content = item.read_bytes()
            if _NEARLY_ZERO.search(content) and not _INLINE_IMAGE.search(content):
                item.write(_NEARLY_ZERO.sub(b"0", content))


def _parts(contents: Object | None) -> Iterable[Object]:
    return () if contents is None else contents if isinstance(contents, Array) else (contents,)


def pdf_rectangle(rect: Rect, page: Size) -> Array:
    """A rectangle of a page (mm, y down) as a PDF array."""
    return Array([round(edge, 4) for edge in pdf_box(rect, page)])


def page_to_form(pdf: Pdf, page: Page) -> Object:
    """Copy a page of another document as a Form XObject (ISO 32000-1, 8.10); changes the page in that document, too.

    The content is taken as it is: pikepdf's own function unpacks it, so that saving would have to pack it again.
    """
    page.contents_coalesce()
    form = page.obj.Contents
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, page.mediabox
    for name in (Name.Resources, Name.Group):
        if name in page.obj:
            form[name] = page.obj[name]
    return pdf.copy_foreign(form)


def without_marks(document: bytes) -> bytes:
    """The document without marks of pages as artifacts (14.8.2.2), not allowed in marked content of another."""
    with Pdf.open(io.BytesIO(document)) as pdf:
        for page in pdf.pages:
            page.contents_coalesce()
            content = page.obj.Contents.read_bytes()
            page.obj.Contents.write(content.removeprefix(b"/Artifact BMC\n").removesuffix(b"EMC"))
        return save_pdf(pdf)
