"""Assembly of finished PDFs: sheets with each face embedded once, page boxes, metadata; card pages for print shops."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, Stream, String

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import (UNSCALED, Insets, Point, Rect, Scale, Size, bounding_box, format_decimal, pdf_box,
                                   points)
from ppgen.engine.imposition.sheets import Flip, Sheet, SheetSide, SheetTile
from ppgen.engine.pdf.pdf_objects import page_to_form, pdf_rectangle, save_pdf
from ppgen.engine.pdf.picture_embedding import embed_pictures, has_foreign_pages
from ppgen.engine.pdf.sheet_pages import draw_marks

# --- Page boxes: ISO 32000-1, 14.11.2 ---

SEAM = 0.1  # overlap of a face and its neighbour over a shared cut, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """The metadata of a PDF. ``bookmarks`` and ``page_labels`` have an entry for each page."""

    title: str
    author: str
    subject: str
    lang: str
    creator: str
    bookmarks: Sequence[str]
    page_labels: Sequence[str]
    flip: Flip | None = None
    date: str = ""  # a PDF date (ISO 32000-1, 7.9.4), or empty for none


def assemble(pages: bytes, sheets: Sequence[Sheet], faces: Mapping[tuple[str, str], Face],
             drawn: Iterable[tuple[Sequence[Face], bytes]], info: DocumentInfo, scale: Scale = UNSCALED,
             picture_dpi: float = 0.0) -> bytes:
    """Put the faces on the pages and finish the document.

    ``faces`` is by item and side. ``drawn`` are PDF documents with the pages of all faces; several pages of a face are
    laid on one another. ``scale`` compensates for a printer that shrinks or stretches. Finer pictures than
    ``picture_dpi``, if any, are reduced. The same input gives the same bytes.
    """
    with Pdf.open(io.BytesIO(pages)) as pdf:
        _repair_character_maps(pdf)
        forms = face_forms(pdf, drawn)
        embed_pictures(pdf, forms, picture_dpi)
        marks: dict[bytes, pikepdf.Stream] = {}  # one for all pages with the same marks
        sides = [(sheet, side) for sheet in sheets for side in sheet.sides]
        for page, (sheet, side) in zip(pdf.pages, sides, strict=True):
            if (content := draw_marks(sheet, side)) not in marks:
                marks[content] = pdf.make_stream(content)
            # Prepended before the faces are, so it is drawn after them: a line between two cards lies on top of them.
            page.contents_add(marks[content], prepend=True)
            _place_faces(pdf, page, sheet.size, side, faces, forms)
            _set_boxes(page, sheet.size, side, scale)
            if scale != UNSCALED:
                _scale_page(pdf, page, sheet.size, scale)
        write_metadata(pdf, info)
        return save_pdf(pdf)


def _repair_character_maps(pdf: Pdf) -> None:
    """Map .notdef to the replacement character: reportlab maps it to U+0000, which ISO 14289-1, 7.21.7 forbids."""
    for item in pdf.objects:
        if isinstance(item, Dictionary) and isinstance(item.get(Name.ToUnicode), Stream):
            item.ToUnicode.write(item.ToUnicode.read_bytes().replace(b"<00> <0000>", b"<00> <FFFD>"))


def face_forms(pdf: Pdf, drawn: Iterable[tuple[Sequence[Face], bytes]]) -> dict[Face, pikepdf.Object]:
    """Each face as a Form XObject of the document (ISO 32000-1, 8.10)."""
    forms: dict[Face, pikepdf.Object] = {}
    for batch, document in drawn:
        with Pdf.open(io.BytesIO(document)) as source:
            for face, page in zip(batch, source.pages, strict=True):
                form = page_to_form(pdf, page)
                if face in forms:
                    _overlay(pdf, form, forms[face])
                forms[face] = form
    return forms


def _overlay(pdf: Pdf, form: pikepdf.Object, below: pikepdf.Object) -> None:
    """Lay the form on another of the same size: it draws that first."""
    form.write(b"/Below Do\n" + form.read_bytes())
    xobjects = {**form.Resources.get(Name.XObject, {}), "/Below": below}
    form.Resources = pdf.make_indirect(Dictionary({**form.Resources, "/XObject": Dictionary(xobjects)}))


def _place_faces(pdf: Pdf, page: pikepdf.Page, size: Size, side: SheetSide,
                 faces: Mapping[tuple[str, str], Face], forms: Mapping[Face, pikepdf.Object]) -> None:
    names: dict[Face, str] = {}
    xobjects = Dictionary()
    content = [_page_rotation(size, side.rotation)]
    for placement in side.placements:
        face = faces[placement.item, placement.face]
        if face not in names:
            names[face] = f"/Face{len(names)}"
            xobjects[names[face]] = forms[face]
        position = _position(placement.trim, placement.bleed, placement.turn, placement.tile, face.size, face.bleed,
                             size, placement.clip)
        content.append(f"q {position} {names[face]} Do Q")
    page.resources[Name.XObject] = xobjects
    body = "q\n" + "\n".join(filter(None, content)) + "\nQ\n"
    page.contents_add(pdf.make_stream(body.encode("ascii")), prepend=True)


def _page_rotation(size: Size, degrees: float) -> str:
    """The matrix that turns a page clockwise about its centre (ISO 32000-1, 8.3.3)."""
    if not degrees:
        return ""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    x, y = points(size.width / 2), points(size.height / 2)
    return f"{_numbers(c, -s, s, c, x - c * x - s * y, y + s * x - c * y)} cm"


@lru_cache(maxsize=1024)  # the same places on most sheets
def _position(trim: Rect, bleed: Insets, turn: int, tile: SheetTile | None, size: Size, around: float,
              page: Size, clip: tuple[Point, ...]) -> str:
    """Operators that move a face, with a bleed ``around`` its ``size``, or a tile of it into place and clip it."""
    # Faces that share a cut show the same edge: a small overlap keeps viewers from drawing a seam.
    seams = Insets(*(0.0 if length else SEAM for length in (bleed.top, bleed.right, bleed.bottom, bleed.left)))
    left, bottom, right, top = pdf_box(trim.grown(bleed).grown(seams), page)
    at = pdf_box(trim, page)
    window = tile.window if tile else Rect(0, 0, size.width, size.height)
    across, up = points(window.x + around), points(size.height - window.bottom + around)
    if turn == 180:
        matrix = f"-1 0 0 -1 {_numbers(at[2] + across, at[3] + up)}"
    else:
        matrix = f"1 0 0 1 {_numbers(at[0] - across, at[1] - up)}"
    corners = [_numbers(points(point.x), points(page.height - point.y)) for point in clip]
    path = " ".join(f"{corner} {'l' if n else 'm'}" for n, corner in enumerate(corners))
    return f"{path or f'{_numbers(left, bottom, right - left, top - bottom)} re'} W n {matrix} cm"


def _numbers(*numbers: float) -> str:
    return " ".join(map(format_decimal, numbers))


def _scale_page(pdf: Pdf, page: pikepdf.Page, size: Size, scale: Scale) -> None:
    x, y = points(size.width / 2), points(size.height / 2)
    matrix = (scale.x, 0, 0, scale.y, x - scale.x * x, y - scale.y * y)
    page.contents_add(pdf.make_stream(f"q {_numbers(*matrix)} cm\n".encode("ascii")), prepend=True)
    page.contents_add(pdf.make_stream(b"\nQ\n"))


def _scale_rect(rect: Rect, size: Size, scale: Scale) -> Rect:
    return Rect(size.width / 2 + (rect.x - size.width / 2) * scale.x,
                size.height / 2 + (rect.y - size.height / 2) * scale.y, rect.width * scale.x, rect.height * scale.y)


def _set_boxes(page: pikepdf.Page, size: Size, side: SheetSide, scale: Scale) -> None:
    """Set the trim and bleed box around all placements; the media box is exactly the paper."""
    whole = Rect(0, 0, size.width, size.height)
    page.mediabox = pdf_rectangle(whole, size)
    page.cropbox = pdf_rectangle(whole, size)
    if side.placements:
        trim = _scale_rect(bounding_box(tuple(p.trim for p in side.placements)), size, scale)
        page.trimbox = pdf_rectangle(_intersection(trim, whole), size)
        bleed = _scale_rect(bounding_box(tuple(p.bleed_box for p in side.placements)), size, scale)
        page.obj[Name.BleedBox] = pdf_rectangle(_intersection(bleed, whole), size)


def _intersection(rect: Rect, page: Rect) -> Rect:
    """The part of a box on the page: boxes never exceed the media box."""
    x, y = max(rect.x, page.x), max(rect.y, page.y)
    return Rect(x, y, min(rect.right, page.right) - x, min(rect.bottom, page.bottom) - y)


def write_metadata(pdf: Pdf, info: DocumentInfo) -> None:
    """Write print preferences, bookmarks, page labels, output intent and metadata (PDF/A-2b where untagged)."""
    root = pdf.Root
    root.Lang = String(info.lang)
    root.PageMode = Name.UseOutlines
    # ISO 32000-1, 12.2: print at 100 %, on paper of the size of the page.
    preferences = {"/DisplayDocTitle": True, "/PrintScaling": Name("/None"), "/PickTrayByPDFSize": True}
    if info.flip:
        preferences["/Duplex"] = (Name.DuplexFlipLongEdge if info.flip is Flip.LONG else Name.DuplexFlipShortEdge)
    else:
        preferences["/Duplex"] = Name.Simplex
    root.ViewerPreferences = Dictionary(preferences)
    root.PageLabels = Dictionary(Nums=Array([
        entry for n, label in enumerate(info.page_labels) for entry in (n, Dictionary(P=String(label)))]))
    with pdf.open_outline() as outline:
        outline.root.extend(pikepdf.OutlineItem(title, n) for n, title in enumerate(info.bookmarks))
    if colours := _colour_profile(pdf):
        name, profile = colours
        root.OutputIntents = Array([pdf.make_indirect(Dictionary(
            Type=Name.OutputIntent, S=Name.GTS_PDFA1, OutputConditionIdentifier=String(name), Info=String(name),
            DestOutputProfile=profile))])
    del pdf.docinfo
    entries = {"/Title": info.title, "/Author": info.author, "/Subject": info.subject,
               "/Creator": info.creator, "/Producer": info.creator}
    if info.date:
        entries |= {"/CreationDate": info.date, "/ModDate": info.date}
    for key, value in entries.items():
        pdf.docinfo[Name(key)] = String(value)
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
        meta.load_from_docinfo(pdf.docinfo, delete_missing=True)
        meta["dc:language"] = [info.lang]
        if colours and "pdfuaid:part" not in meta and not has_foreign_pages(pdf):
            meta["pdfaid:part"], meta["pdfaid:conformance"] = "2", "B"


def _colour_profile(pdf: Pdf) -> tuple[str, pikepdf.Object] | None:
    """The sRGB profile that typst embeds with faces, with its name; in a document without colours its grey one."""
    profiles: dict[int, pikepdf.Object] = {}
    for item in pdf.objects:
        if isinstance(item, Array) and len(item) == 2 and item[0] == Name.ICCBased and isinstance(item[1], Stream):
            profiles.setdefault(int(item[1].get(Name.N, 0)), item[1])  # those of photographs come later
    return next(((name, profiles[n]) for n, name in ((3, "sRGB IEC61966-2.1"), (1, "sGray")) if n in profiles), None)


# Card pages for print shops: the media box is the bleed box, the trim box lies inside it.

@dataclass(frozen=True, slots=True, kw_only=True)
class CardPage:
    """A page with a face, turned clockwise by 0, 90 or 270 degrees."""

    face: Face
    turn: int = 0

    @property
    def trim(self) -> Size:
        """The trim of the page in mm."""
        return self.face.size.turned if self.turn else self.face.size


def card_pages(pages: Sequence[CardPage], drawn: Iterable[tuple[Sequence[Face], bytes]], info: DocumentInfo,
               picture_dpi: float = 0.0) -> bytes:
    """Make a document of these pages; ``drawn`` and ``picture_dpi`` are as for :func:`assemble`."""
    with Pdf.new() as pdf:
        forms = face_forms(pdf, drawn)
        embed_pictures(pdf, forms, picture_dpi)
        for card in pages:
            _add_page(pdf, card, forms[card.face])
        write_metadata(pdf, info)
        return save_pdf(pdf)


def _add_page(pdf: Pdf, card: CardPage, form: pikepdf.Object) -> None:
    bleed, trim = card.face.bleed, card.trim
    size = Size(trim.width + 2 * bleed, trim.height + 2 * bleed)
    whole = Rect(0, 0, size.width, size.height)
    page = pdf.add_blank_page(page_size=(round(points(size.width), 4), round(points(size.height), 4)))
    page.mediabox = page.cropbox = pdf_rectangle(whole, size)
    page.obj[Name.BleedBox] = pdf_rectangle(whole, size)
    page.trimbox = pdf_rectangle(whole.grown(Insets.all(-bleed)), size)
    # Turned about the corner, then moved back onto the page (ISO 32000-1, 8.3.3).
    matrix = {0: "1 0 0 1 0 0", 90: f"0 -1 1 0 0 {points(size.height):.4f}",
              270: f"0 1 -1 0 {points(size.width):.4f} 0"}[card.turn]
    page.resources[Name.XObject] = Dictionary(Face=form)
    page.contents_add(pdf.make_stream(f"q {matrix} cm /Face Do Q".encode("ascii")))
