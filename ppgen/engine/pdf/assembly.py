"""Turns drawn pages and faces into the finished PDF: each face once, placed; boxes; metadata.

The home of pikepdf. Page boxes are those of ISO 32000-1, 14.11.2.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import UNSCALED, Insets, Rect, Scale, Size, bounds
from ppgen.engine.imposition.values import Flip, Sheet, Side, Tile
from ppgen.engine.pdf.marks import marks_of
from ppgen.engine.pdf_file import box_of, form_of, saved
from ppgen.engine.units import decimal, pdf_box, points

SEAM = 0.1
"""How far a face reaches over a cut that it shares with its neighbour, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """What a PDF says about itself. ``bookmarks`` and ``page_labels`` have an entry for each page."""

    title: str
    author: str
    subject: str
    lang: str
    creator: str
    bookmarks: Sequence[str]
    page_labels: Sequence[str]
    flip: Flip | None = None
    date: str = ""
    """A PDF date (ISO 32000-1, 7.9.4), or empty for none."""


def assemble(pages: bytes, sheets: Sequence[Sheet], faces: Mapping[tuple[str, str], Face],
             drawn: Iterable[tuple[Sequence[Face], bytes]], info: DocumentInfo, scale: Scale = UNSCALED) -> bytes:
    """Put the faces on the pages and finish the document.

    ``faces`` tells the face of an item's front or back, ``drawn`` the PDF pages of all faces, which lie on one another
    where a face has several; ``scale`` makes up for a printer that shrinks or stretches. The same input gives the same
    bytes.
    """
    with Pdf.open(io.BytesIO(pages)) as pdf:
        forms = forms_of(pdf, drawn)
        marks: dict[bytes, pikepdf.Stream] = {}  # once for all pages that show the same
        sides = [(sheet, side) for sheet in sheets for side in sheet.sides]
        for page, (sheet, side) in zip(pdf.pages, sides, strict=True):
            if (content := marks_of(sheet, side)) not in marks:
                marks[content] = pdf.make_stream(content)
            # A cut line between two cards lies on top of them.
            page.contents_add(marks[content], prepend=True)
            _place(pdf, page, sheet.size, side, faces, forms)
            _set_boxes(page, sheet.size, side, scale)
            if scale != UNSCALED:
                _scale(pdf, page, sheet.size, scale)
        describe(pdf, info)
        return saved(pdf)


def forms_of(pdf: Pdf, drawn: Iterable[tuple[Sequence[Face], bytes]]) -> dict[Face, pikepdf.Object]:
    """Each face as a Form XObject of the document (ISO 32000-1, 8.10)."""
    forms: dict[Face, pikepdf.Object] = {}
    for batch, document in drawn:
        with Pdf.open(io.BytesIO(document)) as source:
            for face, page in zip(batch, source.pages, strict=True):
                form = form_of(pdf, page)
                if face in forms:
                    _lay_upon(pdf, form, forms[face])
                forms[face] = form
    return forms


def _lay_upon(pdf: Pdf, form: pikepdf.Object, below: pikepdf.Object) -> None:
    """Let the form show another of the same size first."""
    form.write(b"/Below Do\n" + form.read_bytes())
    shown = {**form.Resources.get(Name.XObject, {}), "/Below": below}
    form.Resources = pdf.make_indirect(Dictionary({**form.Resources, "/XObject": Dictionary(shown)}))


def _place(pdf: Pdf, page: pikepdf.Page, size: Size, side: Side,
           faces: Mapping[tuple[str, str], Face], forms: Mapping[Face, pikepdf.Object]) -> None:
    names: dict[Face, str] = {}
    xobjects = Dictionary()
    content = [_turned_page(size, side.rotation)]
    for placement in side.placements:
        face = faces[placement.item, placement.face]
        if face not in names:
            names[face] = f"/Face{len(names)}"
            xobjects[names[face]] = forms[face]
        shown = _shown(placement.trim, placement.bleed, placement.turn, placement.tile, face.size, face.bleed, size)
        content.append(f"q {shown} {names[face]} Do Q")
    page.resources[Name.XObject] = xobjects
    body = "q\n" + "\n".join(filter(None, content)) + "\nQ\n"
    page.contents_add(pdf.make_stream(body.encode("ascii")), prepend=True)


def _turned_page(size: Size, degrees: float) -> str:
    """The matrix that turns a page clockwise about its centre (ISO 32000-1, 8.3.3)."""
    if not degrees:
        return ""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    x, y = points(size.width / 2), points(size.height / 2)
    return f"{_numbers(c, -s, s, c, x - c * x - s * y, y + s * x - c * y)} cm"


@lru_cache(maxsize=1024)  # the same places on most sheets
def _shown(trim: Rect, bleed: Insets, turn: int, tile: Tile | None, size: Size, around: float, page: Size) -> str:
    """Content that puts what follows in its place, clipped to its bleed: a face of that size and bleed, or a tile."""
    # Where two faces share a cut they show the same edge: a hair of overlap keeps viewers from drawing a seam.
    seams = Insets(*(0.0 if length else SEAM for length in (bleed.top, bleed.right, bleed.bottom, bleed.left)))
    left, bottom, right, top = pdf_box(trim.grown(bleed).grown(seams), page)
    at = pdf_box(trim, page)
    window = tile.window if tile else Rect(0, 0, size.width, size.height)
    across, up = points(window.x + around), points(size.height - window.bottom + around)
    if turn == 180:
        matrix = f"-1 0 0 -1 {_numbers(at[2] + across, at[3] + up)}"
    else:
        matrix = f"1 0 0 1 {_numbers(at[0] - across, at[1] - up)}"
    return f"{_numbers(left, bottom, right - left, top - bottom)} re W n {matrix} cm"


def _numbers(*numbers: float) -> str:
    return " ".join(map(decimal, numbers))


def _scale(pdf: Pdf, page: pikepdf.Page, size: Size, scale: Scale) -> None:
    """Everything on the page so much wider and higher, about its centre."""
    x, y = points(size.width / 2), points(size.height / 2)
    matrix = (scale.x, 0, 0, scale.y, x - scale.x * x, y - scale.y * y)
    page.contents_add(pdf.make_stream(f"q {_numbers(*matrix)} cm\n".encode("ascii")), prepend=True)
    page.contents_add(pdf.make_stream(b"\nQ\n"))


def _scaled(rect: Rect, size: Size, scale: Scale) -> Rect:
    return Rect(size.width / 2 + (rect.x - size.width / 2) * scale.x,
                size.height / 2 + (rect.y - size.height / 2) * scale.y, rect.width * scale.x, rect.height * scale.y)


def _set_boxes(page: pikepdf.Page, size: Size, side: Side, scale: Scale) -> None:
    """Trim and bleed box around all placements; the media box is the paper, exactly."""
    whole = Rect(0, 0, size.width, size.height)
    page.mediabox = box_of(whole, size)
    page.cropbox = box_of(whole, size)
    if side.placements:
        trim = _scaled(bounds(tuple(p.trim for p in side.placements)), size, scale)
        page.trimbox = box_of(_inside(trim, whole), size)
        bled = _scaled(bounds(tuple(p.bled for p in side.placements)), size, scale)
        page.obj[Name.BleedBox] = box_of(_inside(bled, whole), size)


def _inside(rect: Rect, page: Rect) -> Rect:
    """The part of a box that is on the page (boxes never leave the media box)."""
    x, y = max(rect.x, page.x), max(rect.y, page.y)
    return Rect(x, y, min(rect.right, page.right) - x, min(rect.bottom, page.bottom) - y)


def describe(pdf: Pdf, info: DocumentInfo) -> None:
    """Write what the document says of itself: how to print it, bookmarks, labels, metadata."""
    root = pdf.Root
    root.Lang = String(info.lang)
    root.PageMode = Name.UseOutlines
    # ISO 32000-1, 12.2: print at 100 %, on the paper that the page asks for.
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
    if profile := _srgb(pdf):
        root.OutputIntents = Array([pdf.make_indirect(Dictionary(
            Type=Name.OutputIntent, S=Name.GTS_PDFA1, OutputConditionIdentifier=String("sRGB IEC61966-2.1"),
            Info=String("sRGB IEC61966-2.1"), DestOutputProfile=profile))])
    del pdf.docinfo
    about = {"/Title": info.title, "/Author": info.author, "/Subject": info.subject,
             "/Creator": info.creator, "/Producer": info.creator}
    if info.date:
        about |= {"/CreationDate": info.date, "/ModDate": info.date}
    for name, value in about.items():
        pdf.docinfo[Name(name)] = String(value)
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as meta:
        meta["dc:title"] = info.title
        meta["dc:creator"] = [info.author]
        meta["dc:description"] = info.subject
        meta["dc:language"] = [info.lang]
        meta["xmp:CreatorTool"] = meta["pdf:Producer"] = info.creator


def _srgb(pdf: Pdf) -> pikepdf.Object | None:
    """The sRGB profile that the faces bring along."""
    for item in pdf.objects:
        if isinstance(item, Array) and len(item) == 2 and item[0] == Name.ICCBased and item[1].get("/N") == 3:
            return item[1]
    return None
