"""Pictures in finished PDFs: placeholders are exchanged for the pictures, each once in a file, however often shown.

A JPEG keeps its compressed data (ISO 32000-1, 7.4.8), without EXIF, XMP and comments: where a photograph was taken is
private. Its colour profile becomes the colour space. So do the lines of a PNG of plain colours, without the rest of its
file. All other pictures are converted to sRGB.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Rect
from ppgen.engine.pdf.typesetting import make_printable, save_pdf
from ppgen.engine.pictures.picture import FOREIGN_PAGE, Picture, packed_lines, place_form
from ppgen.engine.pictures.picture_files import EDGE, FULL, LOW, jpeg_segments
from ppgen.engine.pictures.picture_pixels import PLACEHOLDER_SIZE, copy_picture, needed_sides, parse_placeholder

_ICC_START = b"ICC_PROFILE\0"
_PROFILE_COLOURS = {"RGB": b"RGB ", "L": b"GRAY"}  # of a profile (ICC.1:2022, 7.2.8), by the mode of the picture
_APP0, _APP2, _APP14, _APP15, _COMMENT = 0xE0, 0xE2, 0xEE, 0xEF, 0xFE


def embed_pictures(pdf: Pdf, faces: Iterable[Face], dpi: float = 0.0, brightness: float = 100) -> None:
    """Exchange the placeholders of all faces in the document for their pictures; with a ``dpi`` none is finer.

    Another ``brightness`` (percent) makes copies of them, but not of pages of PDFs.
    """
    faces = [face for face in faces if face.pictures]
    pictures = {picture.digest: picture for face in faces for picture in face.pictures.values()}
    if not pictures:
        return
    sides = needed_sides(dict.fromkeys(faces), dpi) if dpi else {}
    writer = _PictureWriter(pdf, pictures, sides, brightness)
    exchange_placeholders(pdf, writer.image)


def exchange_placeholders(pdf: Pdf, find: Callable[[str, str, Object], Object | None]) -> None:
    """Exchange each placeholder for the object that is found for its digest, variant and colour space, if any."""
    exchanged = {item.objgen: found for item in pdf.objects
                 if (known := _parse(item)) and (found := find(*known, item.ColorSpace)) is not None}
    for item in pdf.objects:
        if not isinstance(item, Stream | Dictionary) or Name.Resources not in item:
            continue
        shown = item.Resources.get(Name.XObject, Dictionary())
        for name, drawn in list(shown.items()):
            if drawn.objgen in exchanged:
                shown[name] = exchanged[drawn.objgen]


def embed_in_document(document: bytes, faces: Iterable[Face], dpi: float) -> bytes:
    """:func:`embed_pictures` for a document that is not open; it stays as it is if the faces have no pictures."""
    faces = [face for face in faces if face.pictures]
    if not faces:
        return document
    with Pdf.open(io.BytesIO(document)) as pdf:
        embed_pictures(pdf, faces, dpi)
        return save_pdf(pdf)


def has_foreign_pages(pdf: Pdf) -> bool:
    """Return whether a page of another PDF is shown in the document: its fonts and colours are what they are."""
    return any(FOREIGN_PAGE in item.Resources.get(Name.XObject, {}) for item in pdf.objects
               if isinstance(item, Stream | Dictionary) and Name.Resources in item)


def _parse(item: Object) -> tuple[str, str] | None:
    if not isinstance(item, Stream) or item.get(Name.Subtype) != Name.Image or (
            [item.get(Name.Width), item.get(Name.Height)] != [*PLACEHOLDER_SIZE]):
        return None
    return parse_placeholder(item.read_bytes())


class _PictureWriter:
    """Writes each picture once into a document, and each colour profile."""

    def __init__(self, pdf: Pdf, pictures: Mapping[str, Picture], sides: Mapping[tuple[str, str], int],
                 brightness: float) -> None:
        self._pdf, self._pictures, self._sides, self._brightness = pdf, pictures, sides, brightness
        self._images: dict[tuple[str, str], Object] = {}
        self._pages: dict[str, Object] = {}
        self._profiles: dict[bytes, Object] = {}

    def image(self, digest: str, variant: str, srgb: Object) -> Object:
        """The picture as an image XObject (ISO 32000-1, 8.9.5); ``srgb`` is the colour space of the placeholder."""
        key = digest, variant
        if key not in self._images:
            picture, side = self._pictures[digest], self._sides.get(key, 0)
            if picture.is_page and variant != LOW:
                self._images[key] = self._page(picture, variant)
                return self._images[key]
            if side >= max(picture.width, picture.height) or (
                    side and variant == FULL and _weight(picture, side) >= _weight(picture)):
                side = 0
            is_same = variant == FULL and not side and self._brightness == 100
            self._images[key] = (self._original(picture, srgb) if picture.intact and is_same
                                 else self._copy(*copy_picture(picture, variant, side, self._brightness), srgb))
        return self._images[key]

    def _page(self, picture: Picture, variant: str) -> Object:
        """A page of a PDF as a form of a unit square (ISO 32000-1, 8.10); beyond an edge without text (14.9.4)."""
        if picture.digest not in self._pages:
            with Pdf.open(io.BytesIO(picture.read_page())) as source:
                if picture.kind != "pdf":
                    make_printable(source)
                page = source.pages[0]
                page.trimbox = page.cropbox
                self._pages[picture.digest] = self._pdf.copy_foreign(page.as_form_xobject())
        form = self._pages[picture.digest]
        name = FOREIGN_PAGE if picture.kind == "pdf" else "/Drawing"
        place = place_form(form, name, Rect(0, 0, 1, 1))
        if variant == EDGE:
            place = f"/Span <</ActualText ()>> BDC {place} EMC"
        square = Stream(self._pdf, place.encode(), Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 1, 1]),
                        Resources=Dictionary(XObject=Dictionary({name: form})))
        return self._pdf.make_indirect(square)

    def _original(self, picture: Picture, srgb: Object) -> Object:
        if picture.kind == "png":
            return self._file(picture.read(), srgb)
        content, profile = strip_jpeg(picture.read())
        space = srgb if picture.mode == "RGB" else Name.DeviceGray
        is_whole = int.from_bytes(profile[:4], "big") == len(profile)
        if is_whole and profile[16:20] == _PROFILE_COLOURS[picture.mode]:
            if profile not in self._profiles:
                stream = self._pdf.make_stream(profile)
                stream.N = 3 if picture.mode == "RGB" else 1
                self._profiles[profile] = self._pdf.make_indirect(Array([Name.ICCBased, stream]))
            space = self._profiles[profile]
        width, height = int(picture.width), int(picture.height)
        width, height = (height, width) if picture.turn > 4 else (width, height)
        return self._stream(content, width, height, space, Name.DCTDecode)

    def _copy(self, colours: bytes, mask: bytes, srgb: Object) -> Object:
        image = self._file(colours, srgb)
        if mask:
            image[Name.SMask] = self._file(mask, srgb)
        return image

    def _file(self, content: bytes, srgb: Object) -> Object:
        """A JPEG, or a PNG of 8-bit greys or colours: PDF has the filters of PNG (ISO 32000-1, 7.4.4.4)."""
        if content.startswith(b"\xff\xd8"):
            start = next(start for marker, start, _ in jpeg_segments(content) if marker in (0xC0, 0xC1, 0xC2))
            height, width = (int.from_bytes(content[start + at:start + at + 2], "big") for at in (5, 7))
            grey = content[start + 9] == 1
            return self._stream(content, width, height, Name.DeviceGray if grey else srgb, Name.DCTDecode)
        width, height = (int.from_bytes(content[at:at + 4], "big") for at in (16, 20))
        data, grey = packed_lines(content), content[25] == 0
        return self._stream(data, width, height, Name.DeviceGray if grey else srgb, Name.FlateDecode,
                            Dictionary(Predictor=15, Colors=1 if grey else 3, BitsPerComponent=8, Columns=width))

    def _stream(self, data: bytes, width: int, height: int, space: Object, filter_name: Name,
                parameters: Dictionary | None = None) -> Object:
        stream = Stream(self._pdf, b"", Type=Name.XObject, Subtype=Name.Image, Width=width, Height=height,
                        BitsPerComponent=8, ColorSpace=space)
        stream.write(data, filter=filter_name, decode_parms=parameters)
        return self._pdf.make_indirect(stream)


def _weight(picture: Picture, side: int = 0) -> int:
    """Bytes of a picture in full ink in a PDF: a smaller copy of few colours may take more."""
    if picture.intact and not side:
        return len(picture.read()) if picture.inside else picture.path.stat().st_size
    return sum(map(len, copy_picture(picture, FULL, side)))


def strip_jpeg(content: bytes) -> tuple[bytes, bytes]:
    """Return a JPEG without what only tells of its maker, and its colour profile, if any."""
    kept, profile = [content[:2]], []
    for marker, start, end in jpeg_segments(content):
        body = content[start + 4:end]
        if marker == _APP2 and body.startswith(_ICC_START) and len(body) > 14:  # behind it number and count
            profile.append((body[12], body[14:]))
        # JFIF and Adobe's marker say how the colours are coded
        if not (_APP0 <= marker <= _APP15 or marker == _COMMENT) or marker == _APP14 or (
                marker == _APP0 and body.startswith(b"JFIF\0")):
            kept.append(content[start:end])
    return b"".join(kept), b"".join(part for _, part in sorted(profile))
