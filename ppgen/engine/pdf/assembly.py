"""Finished PDFs: pages with marks and captions, faces placed on them, plans of corrections."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import cos, fsum, radians, sin, sqrt
from typing import TYPE_CHECKING, Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

from ppgen.cache import cache_key, cached, folder_digest
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fonts import JOINED, Font, FontBook, has_truetype_outlines, house_fonts, report_damaged_font
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.geometry import (MM, UNSCALED, Insets, LineSegment, Point, Rect, Scale, Size, bounding_box,
                                   format_decimal, pdf_box, points)
from ppgen.engine.imposition.sheets import Captions, DocumentInfo, Flip, Furniture, Sheet, SheetSide, SheetTile
from ppgen.engine.pdf.typesetting import page_to_form, pdf_rectangle, save_pdf
from ppgen.engine.pictures.picture_embedding import embed_pictures, has_foreign_pages
from ppgen.engine.shapes import Outline
from ppgen.engine.svg.elements import path_steps
from ppgen.records import dataclass, replace

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas


# --- Pages of sheets ---
# Sheets as PDF pages: cut and registration marks, folds, crosses, scale bars, keys to tiles, captions.
# Marks: operators of ISO 32000-1, 8.4 and 8.5.

MARK_WIDTH = 0.15  # width of cut marks in mm: under 0.09 mm inkjets lose them
CASING = 0.3  # width of the white line under a mark that lies on a picture, in mm
SCALE_BAR = 50.0  # length of the scale bar on every sheet, in mm
BAR_INSET = 2.0  # distance of the scale bar from the strip's end, where a cross stands, in mm
BASELINE = 0.72  # position of the scale bar and of words in their strip: a share of its thickness
KEY_LENGTH, KEY_APART = 20.0, 2.0  # maximum length of the key to the tiles, and its distance from the label, in mm
ARM, RING = 1.5, 0.9  # half the length of a cross, and the radius of its circle, in mm
_KAPPA = 4 / 3 * (sqrt(2) - 1)  # from the ends of a quarter circle's Bézier curve to its control points, by the radius

FIXED_MARKS = "0 g"  # content before the marks that stay where the paper is, whatever the back's shift and rotation

PointWriter = Callable[[Point], str]  # writes a point of the page in PDF coordinates


def draw_marks(sheet: Sheet, side: SheetSide) -> bytes:
    """Draw everything on a side except faces and captions, as PDF content."""
    return _draw(sheet.size, sheet.furniture, replace(side, name="", placements=()), _side_tile(side))


def _side_tile(side: SheetSide) -> SheetTile | None:
    """The tile on the side, if its face is larger than the paper."""
    return next((placement.tile for placement in side.placements if placement.tile), None)


@lru_cache(maxsize=64)  # most sheets of a deck are alike, and so are those of another language
def _draw(page: Size, furniture: Furniture, side: SheetSide, tile: SheetTile | None) -> bytes:
    straight, turned = _point_writer(page, 0), _point_writer(page, side.rotation)
    content = [
        "q 0 G",
        _stroke(_path(side.cuts, turned)),
        _stroke(_path(side.folds, turned), (2, 1.2)),
        _stroke_cased(" ".join(_outline_path(outline, turned) for outline in side.outlines)),
        _stroke_cased(_path(side.creases, turned), (0.5, 0.3)),
        _stroke(_path((line for seam in side.seams for line in _arrowhead(seam)), turned)),
        FIXED_MARKS,  # black ink only: a camera looks for these
        *(_fill(rect, page) for mark in side.registration for rect in mark.ink),
        *(_cross(at, straight) for at in furniture.crosses),
        *(_tile_key(tile, furniture, page) if tile else ()),
        _stroke(_path(_scale_bar(furniture), straight)),
        "Q"]
    return "\n".join(filter(None, content)).encode("ascii")


def _point_writer(page: Size, degrees: float) -> PointWriter:
    c, s, x, y = cos(radians(degrees)), sin(radians(degrees)), page.width / 2, page.height / 2

    def straight(at: Point) -> str:
        return f"{_format_length(points(at.x))} {_format_length(points(page.height - at.y))}"

    def turned(at: Point) -> str:
        across, down = at.x - x, at.y - y
        return straight(Point(x + c * across - s * down, y + s * across + c * down))

    return turned if degrees else straight


def _format_length(length: float) -> str:
    """Format a number of points: PDF has no exponents."""
    return f"{length:.7g}" if abs(length) >= 1 else f"{length:.6f}"


def _path(lines: Iterable[LineSegment], at: PointWriter) -> str:
    return " ".join(f"{at(line.start)} m {at(line.end)} l" for line in lines)


def _outline_path(outline: Outline, at: PointWriter) -> str:
    corners = [at(point) for point in outline.points]
    ends = corners[:1] if outline.closed else []
    return " ".join(f"{start} m {end} l" for start, end in pairwise((*corners, *ends)))


def _stroke(path: str, dash: tuple[float, ...] = (), width: float = MARK_WIDTH) -> str:
    lengths = " ".join(_format_length(points(length)) for length in dash)
    return f"{_format_length(points(width))} w [{lengths}] 0 d {path} S" if path else ""


def _stroke_cased(path: str, dash: tuple[float, ...] = ()) -> str:
    """Stroke marks that lie on a picture, with a white line under them to be visible on dark colours, too."""
    return f"1 G {_stroke(path, width=CASING)} 0 G {_stroke(path, dash)}" if path else ""


def _fill(rect: Rect, page: Size) -> str:
    left, bottom, right, top = pdf_box(rect, page)
    return f"{' '.join(map(_format_length, (left, bottom, right - left, top - bottom)))} re f"


def _arrowhead(line: LineSegment) -> tuple[LineSegment, LineSegment]:
    """An arrowhead with its tip at the start of the line, so that it is not taken for a cut mark."""
    across, down = (line.end.x - line.start.x) / 2, (line.end.y - line.start.y) / 2
    return (LineSegment(line.start, Point(line.end.x + down, line.end.y + across)),
            LineSegment(line.start, Point(line.end.x - down, line.end.y - across)))


def _cross(at: Point, write: PointWriter) -> str:
    """A cross in a circle: held against the light, those of front and back should coincide."""
    def near(x: float, y: float) -> str:
        return write(Point(at.x + x, at.y + y))

    far = RING * _KAPPA
    quarters = " ".join(
        f"{near(x * RING + y * far, y * RING - x * far)} {near(x * far + y * RING, y * far - x * RING)}"
        f" {near(y * RING, -x * RING)} c" for x, y in ((1, 0), (0, -1), (-1, 0), (0, 1)))
    lines = f"{near(-ARM, 0)} m {near(ARM, 0)} l {near(0, -ARM)} m {near(0, ARM)} l"
    return f"{_stroke(lines)} {near(RING, 0)} m {quarters} S"


def _scale_bar(furniture: Furniture) -> Iterator[LineSegment]:
    """The scale bar: a tick every 5 mm, longer ones every 10 mm."""
    strip, upright = furniture.foot, furniture.upright
    base = (strip.height if upright else strip.width) * BASELINE

    def at(along: float, across: float) -> Point:  # an upright strip is read from the bottom to the top
        return Point(strip.x + along, strip.y + across) if upright else Point(strip.x + across, strip.bottom - along)

    yield LineSegment(at(BAR_INSET, base), at(BAR_INSET + SCALE_BAR, base))
    for n in range(11):
        along, height = BAR_INSET + n * SCALE_BAR / 10, 1.6 if n % 2 == 0 else 0.9
        yield LineSegment(at(along, base), at(along, base - height))


def _key_scale(tile: SheetTile, furniture: Furniture) -> float:
    strip, width, height = furniture.label, tile.columns[-1], tile.rows[-1]
    if furniture.upright:
        return min(strip.height / height, KEY_LENGTH / width)
    return min(strip.width / width, KEY_LENGTH / height)


def _tile_key(tile: SheetTile, furniture: Furniture, page: Size) -> tuple[str, str]:
    """A small picture of all tiles at the end of a strip, with that of the sheet filled."""
    strip, scale = furniture.label, _key_scale(tile, furniture)
    width, height, own = tile.columns[-1], tile.rows[-1], tile.own
    left = strip.right - width * scale if furniture.upright else strip.x

    def at(x: float, y: float) -> Point:
        return Point(left + x * scale, strip.y + y * scale)

    corner = at(own.x, own.y)
    lines = [*(LineSegment(at(x, 0), at(x, height)) for x in tile.columns),
             *(LineSegment(at(0, y), at(width, y)) for y in tile.rows)]
    return (_fill(Rect(corner.x, corner.y, own.width * scale, own.height * scale), page),
            _stroke(_path(lines, _point_writer(page, 0))))


# Captions: the label in one strip, the hint next to the scale bar in the other

BAR_APART = 2.0  # distance of the hint from the scale bar, in mm
LETTER_SIZE = 5.8 * MM["pt"]  # maximum type size of the label and the hint, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaptionLine:
    """Words in a strip of a page, ``start`` from its beginning, at most ``room`` long. All in mm."""

    text: str
    strip: Rect
    start: float
    room: float


def draw_pages(sheets: Sequence[Sheet], captions: Sequence[Captions], fonts: FontBook) -> bytes:
    """A PDF with a page for each side of each sheet; ``captions`` has an entry for each page. Cached between runs."""
    sides = [(sheet, side) for sheet in sheets for side in sheet.sides]
    pages = [(sheet.size, sheet.furniture.upright, tuple(_caption_lines(sheet.furniture, _side_tile(side), words)))
             for (sheet, side), words in zip(sides, captions, strict=True)]
    digest = folder_digest(fonts.folder)
    return cached(cache_key("pages", digest, fonts, pages) if digest else None, lambda: _draw_canvas(pages, fonts))


def _caption_lines(furniture: Furniture, tile: SheetTile | None, captions: Captions) -> Iterator[_CaptionLine]:
    """The label, up to the key to the tiles at the end of its strip, and the hint after the scale bar."""
    length, key, start = max(furniture.label.width, furniture.label.height), 0.0, BAR_INSET + SCALE_BAR + BAR_APART
    if tile:
        key = (tile.columns if furniture.upright else tile.rows)[-1] * _key_scale(tile, furniture) + KEY_APART
    yield _CaptionLine(text=captions.label, strip=furniture.label, start=0.0, room=length - key)
    yield _CaptionLine(text=captions.hint, strip=furniture.foot, start=start, room=length - start)


def _draw_canvas(pages: Sequence[tuple[Size, bool, tuple[_CaptionLine, ...]]], fonts: FontBook) -> bytes:
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # pikepdf compresses the pages again
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, initialFontName=_register_font(
        next(filter(has_truetype_outlines, (*fonts.labels, *house_fonts().labels)))))
    for size, upright, lines in pages:
        canvas.setPageSize((points(size.width), points(size.height)))
        for line in lines:
            canvas.saveState()
            if upright:
                canvas.translate(points(line.strip.x), points(size.height - line.strip.y))
                base = line.strip.height * BASELINE
            else:  # read from the bottom to the top
                canvas.translate(points(line.strip.x), points(size.height - line.strip.bottom))
                canvas.rotate(90)
                base = line.strip.width * BASELINE
            _set_line(line, base, canvas, fonts)
            canvas.restoreState()
        canvas.showPage()
    with report_damaged_font(fonts.folder):  # subsets the fonts
        canvas.save()
    return target.getvalue()


def _set_line(line: _CaptionLine, base: float, canvas: Canvas, fonts: FontBook) -> None:
    """Set words on a baseline ``base`` mm below the canvas's origin, in the largest type that fits.

    reportlab neither shapes words nor takes PostScript outlines: what needs either is drawn.
    """
    runs = fonts.label_runs(line.text)
    if JOINED.search(line.text) or not all(map(has_truetype_outlines, {run.font for run in runs})):
        letters = Lettering(fonts=replace(fonts, styles={"text": fonts.labels}))
        outline, width = letters.outline(line.text, points(LETTER_SIZE))
        share = points(line.room) / max(width, points(line.room))
        path, (x, y) = canvas.beginPath(), (0.0, 0.0)
        draw = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for command, numbers in path_steps(outline):
            places = [points(line.start) + number * share if n % 2 == 0 else -points(base) - number * share
                      for n, number in enumerate(numbers)]
            if command == "Q":  # PDF has cubic curves only
                middle_x, middle_y, end_x, end_y = places
                places = [(x + 2 * middle_x) / 3, (y + 2 * middle_y) / 3,
                          (end_x + 2 * middle_x) / 3, (end_y + 2 * middle_y) / 3, end_x, end_y]
            draw["C" if command == "Q" else command](*places)
            x, y = places[-2:] if places else (x, y)
        canvas.drawPath(path, stroke=0, fill=1)
        return
    named = [(run.text, _register_font(run.font)) for run in runs]
    widths = [float(canvas.stringWidth(text, name, points(LETTER_SIZE))) for text, name in named]
    share = points(line.room) / max(fsum(widths), points(line.room))
    at = points(line.start)
    for (text, name), width in zip(named, widths, strict=True):
        canvas.setFont(name, points(LETTER_SIZE) * share)
        canvas.drawString(at, -points(base), text)
        at += width * share


def _register_font(font: Font) -> str:
    """The name of the font in reportlab; the file is read when the first words in it are set."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = str(font.path)
    if name not in pdfmetrics.getRegisteredFontNames():
        with report_damaged_font(font.path):
            pdfmetrics.registerFont(TTFont(name, str(font.path), asciiReadable=False))
    return name


# --- Plans of corrections ---
# Plan for correcting a finished PDF without a PDF library: the objects of its pages, as text. A script appends new page
# objects and small content streams to the file (an incremental update, ISO 32000-1, 7.5.6), as a build for that printer
# would have drawn them: the scale round the whole page, the back's shift and rotation round faces and cut marks only.
# Label, crosses and scale bar stay where the paper is.

_BOXES = ("/TrimBox", "/BleedBox")


def plan_correction(content: bytes, backs: Sequence[bool]) -> dict[str, Any]:
    """Describe the pages of a PDF of :func:`~ppgen.engine.pdf.assembly.assemble`; ``backs`` says which are backs.

    - ``length``, ``prev``, ``size``, ``trailer``: bytes of the file, offset of its cross-reference stream, number of
      its objects, and what its trailer holds besides.
    - ``marks``: cut marks of backs, each in two parts: those that move with the backs, and those that don't.
    - ``pages``: number of the object, the page without contents and boxes, the contents, the boxes, the paper's width
      and height (pt); of a back the number of its marks.
    """
    (*_, start) = re.findall(rb"startxref\s+(\d+)", content)
    marks: list[tuple[str, str]] = []
    pages = []
    with Pdf.open(io.BytesIO(content)) as pdf:
        trailer = {name: _unparse(pdf.trailer[name]) for name in ("/Root", "/Info", "/ID")}
        for page, is_back in zip(pdf.pages, backs, strict=True):
            faces, drawn, captions = page.obj.Contents.as_list()
            rest = Dictionary({name: value for name, value in page.obj.items() if name not in ("/Contents", *_BOXES)})
            entry = {"object": page.obj.objgen[0], "page": _unparse(rest),
                     "contents": [_unparse(each) for each in (faces, drawn, captions)],
                     "boxes": {name: [float(edge) for edge in page.obj[name].as_list()]
                               for name in _BOXES if name in page.obj},
                     "paper": [float(edge) for edge in page.obj[Name.MediaBox].as_list()[2:]]}
            if is_back:
                moving, _, fixed = drawn.read_bytes().decode("ascii").partition(f"\n{FIXED_MARKS}\n")
                if (split := (f"{moving}\nQ", f"q 0 G\n{FIXED_MARKS}\n{fixed}")) not in marks:
                    marks.append(split)
                entry["marks"] = marks.index(split)
            pages.append(entry)
        return {"length": len(content), "prev": int(start), "size": int(pdf.trailer["/Size"]), "trailer": trailer,
                "marks": marks, "pages": pages}


def _unparse(value: Object) -> str:
    return value.unparse().decode("latin-1")


# --- Assembly ---
# Assembly of finished PDFs: sheets with each face embedded once, page boxes, metadata; card pages for print shops.
# Page boxes: ISO 32000-1, 14.11.2.

SEAM = 0.1  # overlap of a face and its neighbour over a shared cut, in mm


def assemble(pages: bytes, sheets: Sequence[Sheet], faces: Mapping[tuple[str, str], Face],
             drawn: Iterable[tuple[Sequence[Face], bytes]], info: DocumentInfo, scale: Scale = UNSCALED,
             picture_dpi: float = 0.0, brightness: float = 100, finish: Callable[[Pdf], None] | None = None) -> bytes:
    """Put the faces on the pages and finish the document.

    ``faces`` is by item and side. ``drawn`` are PDF documents with the pages of all faces; several pages of a face are
    laid on one another. ``scale`` compensates for a printer that shrinks or stretches. Finer pictures than
    ``picture_dpi``, if any, are reduced; ``brightness`` (percent) is that of pictures. ``finish`` adds to the document
    before it is saved. The same input gives the same bytes.
    """
    with Pdf.open(io.BytesIO(pages)) as pdf:
        for item in pdf.objects:  # reportlab maps .notdef to U+0000, which ISO 14289-1, 7.21.7 forbids
            if isinstance(item, Dictionary) and isinstance(item.get(Name.ToUnicode), Stream):
                item.ToUnicode.write(item.ToUnicode.read_bytes().replace(b"<00> <0000>", b"<00> <FFFD>"))
        forms = face_forms(pdf, drawn)
        embed_pictures(pdf, forms, picture_dpi, brightness)
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
        if finish:
            finish(pdf)
        return save_pdf(pdf)


def face_forms(pdf: Pdf, drawn: Iterable[tuple[Sequence[Face], bytes]]) -> dict[Face, pikepdf.Object]:
    """Each face as a Form XObject of the document (ISO 32000-1, 8.10)."""
    forms: dict[Face, pikepdf.Object] = {}
    for batch, document in drawn:
        with Pdf.open(io.BytesIO(document)) as source:
            for face, page in zip(batch, source.pages, strict=True):
                form = page_to_form(pdf, page)
                if face in forms:  # it lies on that one, and draws it first
                    form.write(b"/Below Do\n" + form.read_bytes())
                    xobjects = Dictionary({**form.Resources.get(Name.XObject, {}), "/Below": forms[face]})
                    form.Resources = pdf.make_indirect(Dictionary({**form.Resources, "/XObject": xobjects}))
                forms[face] = form
    return forms


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
    page.mediabox = page.cropbox = pdf_rectangle(whole, size)
    if side.placements:
        trim = _scale_rect(bounding_box(tuple(p.trim for p in side.placements)), size, scale)
        page.trimbox = pdf_rectangle(trim.shared(whole), size)  # boxes never exceed the media box
        bleed = _scale_rect(bounding_box(tuple(p.bleed_box for p in side.placements)), size, scale)
        page.obj[Name.BleedBox] = pdf_rectangle(bleed.shared(whole), size)


def write_metadata(pdf: Pdf, info: DocumentInfo) -> None:
    """Write print preferences, bookmarks, page labels, output intent and metadata (PDF/A-2b where untagged)."""
    root = pdf.Root
    root.Lang = String(info.lang)
    root.PageMode = Name.UseOutlines
    # ISO 32000-1, 12.2: print at 100 %, on paper of the size of the page.
    duplex = {Flip.LONG: Name.DuplexFlipLongEdge, Flip.SHORT: Name.DuplexFlipShortEdge, None: Name.Simplex}
    root.ViewerPreferences = Dictionary(DisplayDocTitle=True, PrintScaling=Name("/None"), PickTrayByPDFSize=True,
                                        Duplex=duplex[info.flip])
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
