"""A picture of a deck: pixels, a page of a PDF, or an SVG drawing, read and checked."""

from __future__ import annotations

import io
import logging
import re
import struct
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

from ppgen.cache import cached_by
from ppgen.engine.colours import six_digits
from ppgen.engine.geometry import Rect
from ppgen.engine.svg.drawing_cleaning import (NOT_IN_PLACE, UNSEEN, Drawing, DrawingError, add_opacity, clean_colour,
                                               clean_value, embedded_picture, parse_drawing, reference, url_target)
from ppgen.engine.svg.elements import HREFS, SVG, local_tag
from ppgen.engine.svg.subset import ELEMENTS, OWN_ATTRIBUTES, SOURCE_ATTRIBUTE, VALUES, is_valid_value
from ppgen.errors import InputError, Phrase, display_path
from ppgen.process.supervision import Options, read_supervised
from ppgen.records import dataclass, field

if TYPE_CHECKING:
    import pikepdf
    from PIL import Image


# --- Drawings that typst sets ---
# Drawings with what the subset can't have: blur, shadows, pictures in them. In PDFs they are pages, elsewhere pixels.
# Of a drawing that is a template only what shapes can't show is set by typst, element by element: a layer.

LONGEST_PX = 2000  # the longer side: 300 dpi on a piece of 170 mm
LAYER_GROWTH = 0.15  # a layer reaches beyond the page by this share of its width, as far as a bleed may
LAYER = "data-layer"  # an attribute of a layer's root: typst sets it, whatever its definitions hold
_INSIDE = ("#", "data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif")
_PAGE = b"""\
#set page(width: float(sys.inputs.width) * 1pt, height: float(sys.inputs.height) * 1pt, margin: 0pt, fill: none)
#image(bytes(sys.inputs.drawing), format: "svg", width: 100%, height: 100%, fit: "stretch")"""


def draw_pixels(content: bytes, options: Options) -> str:
    """Draw an SVG file of that ``name`` in the supervised child: a PNG in Base64. Raises InputError."""
    return _set(content, options, format="png", ppi=72.0)


def draw_vectors(content: bytes, options: Options) -> str:
    """Draw an SVG file as the page of a PDF: shapes stay shapes."""
    return _set(content, options, format="pdf", timestamp=0)


def _set(content: bytes, options: Options, **how: Any) -> str:
    import typst

    drawing = _parse(content, options["name"])
    for element in drawing.root.iter():
        for name in HREFS:
            if not element.get(name, "#").strip().startswith(_INSIDE):
                del element.attrib[name]  # nothing outside of the file is read, nor a drawing in the drawing
    sides = {"width": drawing.box.width, "height": drawing.box.height}
    for side, length in sides.items():
        drawing.root.set(side, f"{length:g}")
    pixels = {side: str(max(1, round(length * LONGEST_PX / max(sides.values())))) for side, length in sides.items()}
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[])
    inputs = {"drawing": etree.tostring(drawing.root, encoding="unicode"), **pixels}
    try:
        made = typst.compile(_PAGE, font_paths=fonts, sys_inputs=inputs, **how)
    except typst.TypstError as error:
        is_large, name = "limit" in str(error), options["name"]
        what = f"{name} has more shapes than can be drawn" if is_large else f"{name} is a damaged drawing"
        raise InputError.at("", what, "simplify it, or save it as PNG") from error
    return b64encode(made if isinstance(made, bytes) else made[0]).decode()


def _parse(content: bytes, name: str) -> Drawing:
    try:
        return parse_drawing(content.decode("utf-8-sig", "replace"), keeps_pictures=True)
    except DrawingError as error:
        raise InputError.at("", f"{name} {error.what}", error.remedy) from error


def cut_layer(content: bytes, options: Options) -> str:
    """Cut siblings out of an SVG file by their numbers; all else is only defined. Raises InputError."""
    drawing = _parse(content, options["name"])
    elements = [*drawing.root.iter()]
    first, last = int(options["first"]), int(options["last"])
    if not 0 < first <= last < len(elements) or elements[first].getparent() is not elements[last].getparent():
        raise InputError.at("", f"{options['name']} is not in the drawing", Phrase("save_again"))
    parent: etree._Element | None = elements[first].getparent()
    kept = {each for each in elements[first:last + 1] if each.getparent() is parent}
    while parent is not None:
        for child in [*parent]:
            if child not in kept and local_tag(child) not in NOT_IN_PLACE:
                hidden = etree.Element(f"{{{SVG}}}defs")
                parent.replace(child, hidden)
                hidden.append(child)
        if local_tag(parent) == "switch":  # its first child is hidden now
            parent.tag = f"{{{SVG}}}g"
        parent.set("style", f"{parent.get('style', '')};opacity:1;filter:none;mask:none;clip-path:none")
        kept, parent = {parent}, parent.getparent()
    box = layer_box(drawing.box)
    for name in ("x", "y", "width", "height", "preserveAspectRatio"):
        drawing.root.attrib.pop(name, "")
    drawing.root.set(LAYER, "typst")
    drawing.root.set("viewBox", f"{box.x:.9g} {box.y:.9g} {box.width:.9g} {box.height:.9g}")
    return etree.tostring(drawing.root, encoding="unicode")


def layer_box(page: Rect) -> Rect:
    """The box of each layer of a page, in its units."""
    by = page.width * LAYER_GROWTH
    return Rect(page.x - by, page.y - by, page.width + 2 * by, page.height + 2 * by)


# --- SVG pictures ---
# Drawings as pictures: an SVG file of any program becomes elements of the subset that can be laid into a face. Programs
# write styles, classes, units and data of their own. What only they need is left out; styles become attributes; ids get
# a prefix, so that two drawings on a face don't clash. What the subset lacks, blur, shadows and pictures in the
# drawing, is for typst; words are refused, as their font is unknown.

_LEFT_OUT = UNSEEN | {"filter", "marker"}
_LOST = {**dict.fromkeys(("text", "tspan", "textPath"), ("words", "turn them into paths")),
         "foreignObject": ("text that only browsers show", "turn it into paths")}
_ROOT_ATTRIBUTES = frozenset(("x", "y", "width", "height", "viewBox", "preserveAspectRatio", "id", "transform"))


class PictureError(Exception):
    """A picture that can't be printed: what is wrong with it, and a remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


class PageNeeded(Exception):
    """A drawing that is sound, but has what shapes can't show."""


def clean_drawing(content: bytes, name: str, prefix: str) -> tuple[str, Rect]:
    """The elements of an SVG file, and the box that it shows. Raises PictureError, PageNeeded."""
    try:
        drawing = parse_drawing(content.decode("utf-8-sig", "replace"))
    except DrawingError as error:
        raise PictureError(f"{name} {error.what}", error.remedy) from error
    root = drawing.root
    if root.get(LAYER):
        raise PageNeeded
    for element in [*root.iter()]:
        if (not element.tag.startswith(f"{{{SVG}}}") or local_tag(element) in _LEFT_OUT
                or drawing.styles[element].get("display") == "none"
                or (local_tag(element) == "foreignObject" and element.get("requiredExtensions"))) and (
                    (parent := element.getparent()) is not None):
            parent.remove(element)
    for choice in [*root.iter(f"{{{SVG}}}switch")]:
        _take_first(choice)
    elements = [*root.iter()]
    ids: dict[str, str] = {}
    for n, each in enumerate(elements):
        if each.get("id", "") in ids:
            del each.attrib["id"]  # an id stands for the first that has it
        elif each.get("id"):
            ids[each.get("id", "")] = f"{prefix}{n}"
    needs_pixels = bool(drawing.unread) or any(local_tag(each) == "image" or drawing.effects(each) for each in elements)
    for element in elements:
        tag = local_tag(element)
        if tag in _LOST or (tag not in ELEMENTS and tag != "image"):
            what, remedy = _LOST.get(tag, (f"<{tag}>", "see docs/svg-subset.md"))
            raise PictureError(f"{name} has {what}, which can't be printed", remedy)
        if tag == "image" and not reference(element).startswith("data:"):
            raise PictureError(f"{name} links to a picture that is not in it", "embed that picture")
        if not needs_pixels:
            _clean_attributes(drawing, element, ids, name)
    if needs_pixels:
        raise PageNeeded
    group = etree.Element(f"{{{SVG}}}g", {str(key): str(value) for key, value in root.attrib.items()
                                          if key not in _ROOT_ATTRIBUTES},
                          nsmap={None: SVG})  # type: ignore[dict-item]
    group.extend([*root])
    etree.cleanup_namespaces(group)
    return etree.tostring(group, encoding="unicode").replace(f' xmlns="{SVG}"', "", 1), drawing.box


def _take_first(choice: etree._Element) -> None:
    """Make a choice (``<switch>``) the group of its first child that is for all languages, else of its first."""
    chosen = next((child for child in choice if not child.get("systemLanguage")), next(iter(choice), None))
    for child in [*choice]:
        if child is not chosen:
            choice.remove(child)
    choice.tag = f"{{{SVG}}}g"


def _clean_attributes(drawing: Drawing, element: etree._Element, ids: Mapping[str, str], name: str) -> None:
    """Turn styles into attributes, and keep those that the subset knows."""
    given = {str(key): str(value).strip() for key, value in element.attrib.items()} | drawing.styles[element]
    for key in ("fill", "stroke", "stop-color"):
        if (opacity := clean_colour(given.get(key, "none"))[1]) < 1:
            given = add_opacity(given, f"{key.removesuffix('-color')}-opacity", opacity)
    element.attrib.clear()
    element.text = element.tail = None  # no words are left: these are blanks
    for key, plain in given.items():
        if key == "id":
            element.set("id", ids[plain])
        elif key in HREFS:
            if plain[1:] in ids:
                element.set("href", f"#{ids[plain[1:]]}")
        elif (key in VALUES and key not in OWN_ATTRIBUTES and plain != "inherit"
              and not key.startswith(("font-", "letter-", "text-"))):
            if (target := url_target(plain)) is not None:
                value = f"url(#{ids[target]})" if target in ids else "none"
            else:
                value = clean_value(key, plain)
                if not value and plain.endswith("%"):
                    value = clean_value(key, f"{drawing.length(key, plain):g}")
            if value:
                element.set(key, value)
            elif plain and element.getparent() is not None:  # the root's width may be "100%"
                raise PictureError(f"{name} has {key} '{plain[:40]}', which is not understood",
                                   VALUES[key][2] or "see docs/svg-subset.md")


# --- Icons ---

_BLACK_SQUARE = re.compile(r'^(<g\b[^>]*>)<path (?=[^>]*\bd="M0 0h512v512H0z")[^>]*/>')
_PAINT = re.compile(r'\b(fill|stroke)="([^"]*)"')
_NO_COLOUR, _BLACK, _WHITE = ("none", "currentColor"), ("#000", "#000000", "black"), ("#fff", "#ffffff", "white")
_MATERIAL_BOX = "0 -960 960 960"  # of Material Symbols: a path each, in the colour chosen for the screen


@lru_cache(maxsize=200)
def recolour_icon(body: str, view_box: str) -> str:
    """Let an icon take the colour asked for where its own is its package's; a black square behind it goes."""
    body, squares = _BLACK_SQUARE.subn(r"\1", body)
    colours = {value for _, value in _PAINT.findall(body)}.difference(_NO_COLOUR)
    if squares or view_box == _MATERIAL_BOX or colours.issubset(_BLACK):
        fixed = _WHITE if squares else colours
        return _PAINT.sub(lambda paint: f'{paint[1]}="currentColor"' if paint[2] in fixed else paint[0], body)
    return body


# --- Low ink ---

_FILL = re.compile(r'\b(fill|stop-color)="(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3})"')
_GREY_LEVELS = (150, 105)


@lru_cache(maxsize=200)
def lighten_drawing(body: str) -> str:
    """Make the areas of a drawing pale grey, as low ink does with pictures; its lines stay as they are."""
    def pale(match: re.Match[str]) -> str:
        red, green, blue = (int(six_digits(match[2])[n:n + 2], 16) for n in (1, 3, 5))
        grey = lighten(0.299 * red + 0.587 * green + 0.114 * blue)
        return f'{match[1]}="#{grey:02x}{grey:02x}{grey:02x}"'

    return _FILL.sub(pale, body)


def lighten(grey: float) -> int:
    """Return the grey (0 to 255) that low ink prints for a grey: between 150 and 255, darker tones apart."""
    least, span = _GREY_LEVELS
    return round(least + span * float((grey / 255) ** 0.8))


# --- Pages of PDFs ---
# Pages of strangers' PDFs, as the supervised child reads them: their sides and pixels. A page is seen as viewers show
# it: its crop box, turned, without annotations.

POINTS_PER_MM = 72 / 25.4
MAX_PAGES = 500
FOREIGN_PAGE = "/Page"  # the resource name of a page of another PDF
MAX_SIDE_MM = 1_500


@contextmanager
def open_pdf(content: bytes, name: str) -> Iterator[pikepdf.Pdf]:
    """Open a PDF; whatever its data make the library raise becomes an InputError."""
    import pikepdf

    logging.getLogger("pikepdf").setLevel(logging.CRITICAL)
    try:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            yield pdf
    except (InputError, MemoryError):
        raise
    except pikepdf.PasswordError as error:
        raise InputError.at(name, "is protected by a password", Phrase("save_without_password")) from error
    except Exception as error:
        raise InputError.at(name, "is a damaged PDF", Phrase("save_again")) from error


def measure_pages(content: bytes, options: Options) -> list[tuple[float, float]]:
    """The sides in mm of each page of the PDF of that ``name``. Raises InputError."""
    name = options["name"]
    with open_pdf(content, name) as pdf:
        if not 0 < len(pdf.pages) <= MAX_PAGES:
            raise InputError.at(name, f"has {len(pdf.pages):,} pages", f"give at most {MAX_PAGES}: save a part of it")
        sizes = []
        for number, page in enumerate(pdf.pages, 1):
            width, height = page_sides(page)
            if not 1 <= min(width, height) <= max(width, height) <= MAX_SIDE_MM:
                raise InputError.at(name, f"page {number} is {width:,.0f} x {height:,.0f} mm",
                                     f"sides of 1 to {MAX_SIDE_MM:,} mm: print it to a PDF of the right size")
            sizes.append((width, height))
        return sizes


def fit_pages(content: bytes, options: Options) -> dict[str, object]:
    """Put each page of the PDF of that ``name`` on a page of ``width`` x ``height`` mm, as large as it fits.

    Returns that PDF in Base64, and the sides of the given pages in mm. Raises InputError.
    """
    import pikepdf

    sides = measure_pages(content, options)
    width, height = (options[side] * POINTS_PER_MM for side in ("width", "height"))
    made = io.BytesIO()
    with open_pdf(content, options["name"]) as source, pikepdf.new() as pdf:
        for page, (across, up) in zip(source.pages, sides, strict=True):
            page.trimbox = page.cropbox
            form = pdf.copy_foreign(page.as_form_xobject())
            blank = pdf.add_blank_page(page_size=(width, height)).obj
            scale = min(width / across, height / up)
            room = Rect((width - across * scale) / 2, (height - up * scale) / 2, across * scale, up * scale)
            blank.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({FOREIGN_PAGE: form}))
            blank.Contents = pdf.make_stream(place_form(form, FOREIGN_PAGE, room).encode())
        pdf.save(made, deterministic_id=True)
    return {"pdf": b64encode(made.getvalue()).decode(), "sides": sides}


def place_form(form: pikepdf.Object, name: str, room: Rect) -> str:
    """What draws a form of that ``name``, such as a page that is turned, so that it fills a room in points."""
    a, b, c, d, e, f = (float(number) for number in form.get("/Matrix", [1, 0, 0, 1, 0, 0]))
    left, bottom, right, top = map(float, form.BBox)
    across, up = zip(*((a * x + c * y + e, b * x + d * y + f) for x in (left, right) for y in (bottom, top)),
                     strict=True)
    x_scale, y_scale = room.width / (max(across) - min(across)), room.height / (max(up) - min(up))
    return (f"{x_scale:.9f} 0 0 {y_scale:.9f} {room.x - min(across) * x_scale:.9f} "
            f"{room.y - min(up) * y_scale:.9f} cm {name} Do")


def page_sides(page: pikepdf.Page) -> tuple[float, float]:
    """The sides of a page in mm, as it is seen."""
    left, bottom, right, top = map(float, page.cropbox)
    unit = float(page.obj.get("/UserUnit", 1)) / POINTS_PER_MM
    width, height = abs(right - left) * unit, abs(top - bottom) * unit
    return (height, width) if page.rotation % 180 else (width, height)


def draw_page(content: bytes, options: Options) -> str:
    """Draw the only page of the PDF of that ``name``: a PNG in Base64. Raises InputError."""
    (sides,) = measure_pages(content, options)
    return b64encode(save_png(render_page(content, 0, LONGEST_PX / max(sides) * 25.4), level=1)).decode()


def save_png(image: Image.Image, level: int = 6, **more: Any) -> bytes:
    """Save a picture as PNG, packed by Python's zlib: Pillow's own differs between systems.

    Pillow chooses the filter of each line (RFC 2083, 6); at level 0 it leaves the lines unpacked.
    """
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=0, **more)
    chunks = [*png_chunks(target.getvalue())]
    lines = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    packer = zlib.compressobj(level, memLevel=9, strategy=zlib.Z_FILTERED)
    head = [chunk for chunk in chunks if chunk[0] not in (b"IDAT", b"IEND")]
    return target.getvalue()[:8] + b"".join(png_chunk(*chunk) for chunk in (
        *head, (b"IDAT", packer.compress(lines) + packer.flush()), (b"IEND", b"")))


def png_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG file (RFC 2083, 3.2): kind and content."""
    at = 8
    while at < len(content):
        length = int.from_bytes(content[at:at + 4], "big")
        yield content[at + 4:at + 8], content[at + 8:at + 8 + length]
        at += 12 + length


def packed_lines(png: bytes) -> bytes:
    return b"".join(data for kind, data in png_chunks(png) if kind == b"IDAT")


def png_chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG file (RFC 2083, 3.2)."""
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def render_page(content: bytes, number: int, dpi: float) -> Image.Image:
    """Draw a page in RGB."""
    import pypdfium2

    with pypdfium2.PdfDocument(content) as document:
        return render(document[number], dpi)


def render(page: Any, dpi: float) -> Image.Image:
    """Draw an open page in RGB."""
    bitmap = page.render(scale=dpi / 72, draw_annots=False, fill_color=(255, 255, 255, 255))
    return bitmap.to_pil().convert("RGB")  # type: ignore[no-any-return]


# --- Pictures ---

MAX_FILE_BYTES = 40_000_000  # size of a picture
SCHEME = "picture:"
_REFERENCE = re.compile(r"picture:([0-9a-f]{64})\.(full|low|edge)")
_TAG_NAMES = ("width", "height", "preserveAspectRatio", "transform", "href")


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A checked picture file. One without a digest is missing: a grey box on the page of ``ppgen open``."""

    name: str  # its path in the deck's folder
    path: Path
    digest: str = ""
    kind: str = ""
    width: float = 1.0  # as it is seen, in pixels; or the size of a drawing
    height: float = 1.0
    turn: int = 1  # EXIF orientation, 1 to 8
    mode: str = "RGB"  # its pixels as Pillow names them
    intact: bool = False  # a JPEG or PNG that goes into PDFs with its own compressed data
    lossy: bool = False  # may be compressed so again
    body: str = field(default="", repr=False)  # of a drawing; its ids begin with its digest
    view_box: str = ""
    inside: str = ""  # number of a picture in the file of a drawing, or the elements of a layer: `5-9`
    is_drawn: bool = False  # a drawing that has become pixels

    def read(self) -> bytes:
        """Read its pixels again, as a file. Raises InputError if they are not those that were checked."""
        content = self.read_file()
        if not self.is_drawn:
            return content
        reader = draw_page if self.kind == "pdf" else draw_pixels
        return cached_by("pixels of a drawing", self.digest, make=lambda: b64decode(read_supervised(
            reader, content, {"name": self.name}, self.name, "save it as PNG")))

    def read_file(self) -> bytes:
        """Read the bytes of the picture again: only those that were checked. Raises InputError for others."""
        with suppress(OSError, PictureError):
            content = read_content(self.path, self.name, self.inside)
            if content_digest(content) == self.digest:
                return content
        raise InputError.at(display_path(self.path), "has changed since it was checked",
                            "wait until it is saved, then try again")

    def read_page(self) -> bytes:
        """Return it as a PDF of one page."""
        content = self.read_file()
        if self.kind == "pdf":
            return content
        return cached_by("page of a drawing", self.digest, make=lambda: b64decode(read_supervised(
            draw_vectors, content, {"name": self.name}, self.name, "save it as PNG")))

    @property
    def is_drawing(self) -> bool:
        return bool(self.view_box)

    @property
    def is_page(self) -> bool:
        """Whether it is a page of a PDF or a drawing, which stays one in a PDF."""
        return self.kind == "pdf" or (self.kind == "svg" and self.is_drawn)

    @property
    def is_opaque(self) -> bool:
        """True if it is a bitmap that covers its ground everywhere."""
        return not self.is_drawing and self.mode in ("RGB", "L", "CMYK", "1")

    @property
    def aspect(self) -> float:
        return self.width / self.height


def read_content(path: Path, name: str, inside: str) -> bytes:
    """Read a file, or the picture or layer ``inside`` of it. Raises PictureError, OSError."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise PictureError(f"{name} has {path.stat().st_size / 1e6:,.0f} MB", f"at most {MAX_FILE_BYTES / 1e6:.0f}")
    first, sign, last = inside.partition("-")
    if sign:
        return _read_layer(content, {"name": name, "first": first, "last": last})
    try:
        return embedded_picture(content.decode("utf-8", "replace"), int(inside)) if inside else content
    except ValueError as error:
        raise PictureError(f"{name} is damaged", "put that picture into the drawing again") from error


def _read_layer(content: bytes, options: Options) -> bytes:
    """The layer of a drawing as a drawing of its own. Raises PictureError."""
    def cut() -> bytes:
        return str(read_supervised(cut_layer, content, options, options["name"], Phrase("save_again"))).encode()

    try:
        return cached_by("layer of a drawing", content_digest(content), options, make=cut)
    except InputError as error:
        raise PictureError(error.problems[0].what, error.problems[0].remedy) from error


def content_digest(content: bytes) -> str:
    return blake2b(content, digest_size=32).hexdigest()


# --- Its tag ---

def is_picture_tag(attributes: Sequence[tuple[str, str]]) -> bool:
    """True if an <image> has exactly the form that :func:`picture_tag` writes, so that its place is found again."""
    given = [*attributes[attributes[0][0] == SOURCE_ATTRIBUTE:]] if attributes else []
    return (tuple(name for name, _ in given) == _TAG_NAMES and [value for _, value in given[:3]] == ["1", "1", "none"]
            and is_valid_value(*given[3]) and bool(_REFERENCE.fullmatch(given[4][1])))


def picture_digest(reference: str) -> str:
    """Return the digest in ``picture:DIGEST.VARIANT``."""
    return reference.removeprefix(SCHEME).partition(".")[0]
