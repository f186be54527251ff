"""Faces and pages as pixels: pictures of them, their ink, and how far two differ."""

from __future__ import annotations

import atexit
import io
import os
import re
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from math import sqrt
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ppgen.cache import cache_key, current_store, folder_digest
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH, MM, Rect, Size
from ppgen.engine.pdf.typesetting import RasterImage, faces_png, rasters_png
from ppgen.engine.pictures.picture_pixels import encode_png
from ppgen.process.supervision import is_limited, start_supervision
from ppgen.process.system import Progress
from ppgen.records import dataclass, replace

if TYPE_CHECKING:
    from PIL.Image import Image


# --- Pictures of faces ---

LEVEL = 6  # default compression level of zlib (1 to 9)
SCREEN_LEVEL = 1  # compression level of pictures for the screen: packed in half the time, a sixth larger
BATCH_PIXELS = 6_000_000  # in one typst document: enough to share its overhead, few enough for memory
MAX_PIXELS = 80_000_000  # maximum size of a picture in pixels: 320 MB while it is drawn
WORKERS = min(os.cpu_count() or 1, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class FacePicture(RasterImage):
    """A picture of a face, bleed included, and what is done to it after drawing."""

    dpi: float  # that the file states
    on_paper: bool = False  # white ground, no transparency; else transparent where the face is
    turn: int = 0  # clockwise after drawing: 0, 90 or 270 degrees

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the finished picture."""
        return (self.height, self.width) if self.turn else (self.width, self.height)


def whole_pixels(length: float, dpi: float) -> int:
    """A length in mm as a number of pixels, rounded, at least 1."""
    return max(1, round(length / INCH * dpi))


def at_dpi(face: Face, dpi: float, corner: float = 0.0) -> FacePicture:
    """A picture of a face with ``dpi`` pixels per inch; ``corner`` is the radius of its corners in mm."""
    return FacePicture(face=face, width=whole_pixels(face.size.width + 2 * face.bleed, dpi),
                       height=whole_pixels(face.size.height + 2 * face.bleed, dpi), dpi=dpi,
                       corner=corner / INCH * dpi)


def blank_face(size: Size, bleed: float) -> Face:
    """A white face, as the back of pieces without one where a back is required; mm."""
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-bleed:g} {-bleed:g} {width:g} {height:g}">'
           f'<rect x="{-bleed:g}" y="{-bleed:g}" width="{width:g}" height="{height:g}" fill="#FFFFFF"/></svg>')
    return Face(svg=svg, size=size, bleed=bleed)


def crop_face(face: Face, rect: Rect, turned: bool = False) -> Face:
    """A part of a face (mm of its trim) as a face of its own, without bleed, ``turned`` by 180 degrees if set."""
    root, body = face.svg.removesuffix("</svg>").split(">", 1)
    root = re.sub(r'\sviewBox="[^"]*"', f' viewBox="0 0 {rect.width:g} {rect.height:g}"', root)
    move = f"translate({-rect.x:g} {-rect.y:g})"
    if turned:
        move = f"rotate(180 {rect.width / 2:g} {rect.height / 2:g}) {move}"
    return Face(svg=f'{root}><g transform="{move}">{body}</g></svg>', size=rect.size, bleed=0.0, pictures=face.pictures)


def take_pictures(pictures: Sequence[FacePicture], fonts: Path, quality: int = 0) -> Iterator[bytes]:
    """Draw the PNG of each picture, or a WebP of this ``quality``, in order, on all cores, a few at a time."""
    if is_limited():
        start_supervision()
    executor = ThreadPoolExecutor(max_workers=WORKERS)
    pending: deque[Future[list[bytes]]] = deque()
    try:
        for batch in _batches(pictures):
            pending.append(executor.submit(_take_batch, batch, fonts, quality))
            if len(pending) > WORKERS:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        executor.shutdown(cancel_futures=True)


def contact_print(pictures: Iterable[tuple[int, bytes]], columns: int, rows: int, slot: tuple[int, int],
                  dpi: float) -> bytes:
    """A PNG of pictures in a grid of ``slot`` pixels, each after its position from 0 line by line, on white."""
    from PIL import Image

    sheet = Image.new("RGB", (columns * slot[0], rows * slot[1]), "white")
    for place, content in pictures:
        with Image.open(io.BytesIO(content)) as picture:
            sheet.paste(picture, (place % columns * slot[0], place // columns * slot[1]))
    return _to_png(sheet, dpi)


def _batches(pictures: Sequence[FacePicture]) -> Iterator[list[FacePicture]]:
    batch: list[FacePicture] = []
    for picture in pictures:
        batch.append(picture)
        if sum(each.width * each.height for each in batch) > BATCH_PIXELS:
            yield batch
            batch = []
    if batch:
        yield batch


def _take_batch(pictures: Sequence[FacePicture], fonts: Path, quality: int) -> list[bytes]:
    drawings = rasters_png(pictures, fonts)
    finished = (_finish_picture(drawing, picture) for drawing, picture in zip(drawings, pictures, strict=True))
    return [_to_webp(image, quality) if quality else _to_png(image, picture.dpi)
            for image, picture in zip(finished, pictures, strict=True)]


def _finish_picture(drawing: bytes, picture: FacePicture) -> Image:
    from PIL import Image

    with Image.open(io.BytesIO(drawing)) as opened:
        image = opened.convert("RGBA")
    if image.getchannel("A").getextrema() == (255, 255):  # nothing of it is transparent
        image = image.convert("RGB")
    if image.mode == "RGBA" and picture.on_paper:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper.convert("RGB")
    if picture.turn:
        image = image.transpose(Image.Transpose.ROTATE_270 if picture.turn == 90 else Image.Transpose.ROTATE_90)
    return image


def _to_png(image: Image, dpi: float, level: int = LEVEL) -> bytes:
    """Write a picture as an sRGB file with ``dpi`` pixels per inch."""
    per_metre = round(dpi / 0.0254)
    return encode_png(image.width, image.height, image.mode, image.tobytes(), level, (b"sRGB", b"\0"),
                      (b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)))


# Pictures of PDF pages, drawn with PDFium, which Chromium shows PDFs with: as people see the file

_PDFIUM = Lock()  # PDFium must not be called from two threads at once, not even for two documents


def page_sizes(document: bytes) -> tuple[Size, ...]:
    """The size of each page of a PDF, in mm."""
    with _PDFIUM:
        pdf = _open_pdf(document)
        sizes = [pdf.get_page_size(n) for n in range(len(pdf))]
    return tuple(Size(width * MM["pt"], height * MM["pt"]) for width, height in sizes)


def page_png(document: bytes, page: int, dpi: float) -> bytes:
    """Draw a page of a PDF (from 0) on white paper."""
    with _PDFIUM:
        picture = _open_page(document, page).render(scale=dpi / 72).to_pil()
    return _to_png(picture, dpi, SCREEN_LEVEL)


def page_webp(document: bytes, page: int, dpi: float, area: Rect | None = None, clear: bool = False) -> bytes:
    """Draw an ``area`` (shares of 1) of a page of a PDF (from 0) as WebP, on white or, ``clear``, on nothing."""
    with _PDFIUM:
        opened = _open_page(document, page)
        fill = (255, 255, 255, 0 if clear else 255)
        width, height = opened.get_size()
        outside = (area.x * width, (1 - area.bottom) * height, (1 - area.right) * width, area.y * height) if area else (
            0, 0, 0, 0)  # left, bottom, right, top
        rendered = opened.render(scale=dpi / 72, fill_color=fill, rev_byteorder=True, crop=outside)
        picture = rendered.to_pil().copy()
    return _to_webp(picture)


WEBP_QUALITY, WEBP_METHOD = 82, 2
"""Quality of pictures for the web (0 to 100), and effort of packing (0 to 6): 3 takes twice as long as 2 for files 2 %
smaller.
"""


def faces_webp(pictures: Sequence[FacePicture], fonts: Path, quality: int = WEBP_QUALITY,
               watch: Progress = lambda *_: None) -> list[bytes]:
    """Draw the WebP of each picture, or find it in the cache."""
    store, ground = current_store(), folder_digest(fonts)
    keys = [cache_key("face-webp", ground, each.face.svg, [shown.digest for shown in each.face.pictures.values()],
                      each.width, each.height, each.corner, quality) if store and ground else None for each in pictures]
    found = {n: content for n, key in enumerate(keys) if store and key and (content := store.find(key))}
    watch("", len(found), len(pictures))
    missing = [n for n in range(len(pictures)) if n not in found]
    for n, content in zip(missing, take_pictures([pictures[n] for n in missing], fonts, quality), strict=True):
        found[n] = content
        watch("", len(found), len(pictures))
        if store and (key := keys[n]):
            store.keep(key, content)
    return [found[n] for n in range(len(pictures))]


def _to_webp(picture: Image, quality: int = WEBP_QUALITY) -> bytes:
    target = io.BytesIO()
    picture.save(target, "WEBP", quality=quality, method=WEBP_METHOD)
    return target.getvalue()


@lru_cache(maxsize=8)
def _open_pdf(document: bytes) -> Any:
    """A PDF that stays open, so that its fonts are read once for all pages. Call it only with the lock held."""
    import pypdfium2

    # pypdfium2's own handler closes the library. Handlers run in reverse order, so this one runs before it.
    atexit.unregister(_close_pdfs)
    atexit.register(_close_pdfs)
    return pypdfium2.PdfDocument(document)


@lru_cache(maxsize=4)
def _open_page(document: bytes, page: int) -> Any:
    """A page that stays open: to read a sheet of pieces takes longer than to draw it. Call it with the lock held."""
    return _open_pdf(document)[page]


def _close_pdfs() -> None:
    """At exit, wait for threads that draw, lock out others, and close all documents."""
    _PDFIUM.acquire()
    _open_page.cache_clear()
    _open_pdf.cache_clear()


# --- Ink ---

INK_PPI = 25.0  # pixels per inch to measure ink: lines thinner than a pixel count as their share of grey


def coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    """The mean ink coverage of each face's trim, 0 to 1: of cyan, magenta and yellow, or of black for greys."""
    store, digest = current_store(), folder_digest(fonts)
    if store is None or digest is None:
        return _measure_coverage(faces, fonts)
    keys = [cache_key("ink", digest, face.svg, face.size, face.bleed) or "" for face in faces]
    shelf = cache_key("inks", digest) or ""
    shares = {face: float(entry) for face, key in zip(faces, keys, strict=True) if (entry := store.find(key, shelf))}
    missing = tuple(dict.fromkeys(face for face in faces if face not in shares))
    shares |= zip(missing, _measure_coverage(missing, fonts), strict=True)
    for face, key in zip(faces, keys, strict=True):
        if face in missing:
            store.keep(key, repr(shares[face]).encode(), shelf)
    return tuple(shares[face] for face in faces)


def _measure_coverage(faces: Sequence[Face], fonts: Path) -> tuple[float, ...]:
    if not faces:
        return ()
    from PIL import Image, ImageChops, ImageStat

    shares = []
    for face, png in zip(faces, faces_png(faces, fonts, INK_PPI), strict=True):
        with Image.open(io.BytesIO(png)) as picture:
            edge = round(face.bleed / INCH * INK_PPI)
            trim = picture.convert("RGBA").crop((edge, edge, picture.width - edge, picture.height - edge))
            paper = Image.new("RGBA", trim.size, "white")
            paper.alpha_composite(trim)
            red, green, blue = paper.convert("RGB").split()
            lightest = ImageChops.lighter(red, ImageChops.lighter(green, blue))
            darkest = ImageChops.darker(red, ImageChops.darker(green, blue))
            grey = ImageChops.difference(lightest, darkest).point([255] * 3 + [0] * 253)
            inks = [red, *(ImageChops.lighter(channel, grey) for channel in (green, blue))]
            shares.append(1 - sum(ImageStat.Stat(ink).mean[0] for ink in inks) / 3 / 255)
    return tuple(shares)


# --- Comparison ---
# Differences between two faces: by their pixels, because a template that was tidied up may write other SVG for the same
# look.

PICTURE_DPI = 300.0
MAX_PICTURE_PIXELS = 2_500_000  # larger faces, such as boards, are compared at a lower resolution
BLOCK_PX = 3  # across and down, averaged before they are compared: the edges of letters may move a little
MAX_DIFFERENCE = 36  # difference (of 255) of such a block that is still the same look; a changed comma makes over 60


def draw_faces(faces: Sequence[Face], fonts: Path) -> list[bytes]:
    """Return a PNG of each face to compare, without its bleed."""
    return [*take_pictures([_trim(face) for face in faces], fonts)]


def _trim(face: Face) -> FacePicture:
    trim = crop_face(face, Rect(0, 0, face.size.width, face.size.height)) if face.bleed else face
    square_inches = face.size.width * face.size.height / INCH ** 2
    return replace(at_dpi(trim, min(PICTURE_DPI, sqrt(MAX_PICTURE_PIXELS / square_inches))), on_paper=True)


def find_difference(old: bytes, new: bytes, size: Size) -> Rect | None:
    """Return the area (mm of the trim) in which two pictures of faces look different; None if they look the same."""
    from PIL import Image, ImageChops

    if old == new:
        return None
    before, after = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (old, new))
    if before.size != after.size:
        return Rect(0, 0, size.width, size.height)
    bands = ImageChops.difference(before, after).reduce(BLOCK_PX).split()
    difference = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    box = difference.point([0] * MAX_DIFFERENCE + [255] * (256 - MAX_DIFFERENCE)).getbbox()
    if not box:
        return None
    across, down = size.width / difference.width, size.height / difference.height
    return Rect(box[0] * across, box[1] * down, (box[2] - box[0]) * across, (box[3] - box[1]) * down)
