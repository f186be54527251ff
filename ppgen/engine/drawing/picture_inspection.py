"""Files of pictures, inspected: their kind, size and turn, and whether all of their data is sound."""

from __future__ import annotations

import io
import re
import warnings
from base64 import b64decode
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from ppgen.engine.drawing.fonts import house_fonts
from ppgen.engine.drawing.svg_check import check_svg
from ppgen.engine.geometry import Rect, format_decimal as mm
from ppgen.engine.svg.drawing_pixels import draw_pixels
from ppgen.engine.svg.elements import SVG
from ppgen.engine.svg.svg_pictures import PictureError, PixelsNeeded, clean_drawing
from ppgen.errors import InputError
from ppgen.process.supervision import Options
from ppgen.reading.pdf_pages import draw_page, measure_pages
from ppgen.shipped import Phrase

Fields = dict[str, Any]
MAX_DRAWING_BYTES = 1_000_000  # of a picture in SVG, which is on each face that shows it; others become pixels
CHECKED_SIDE_MM = 100.0  # the longer side of a drawing when it is tried on a face
MAX_PIXELS = 80_000_000  # pixels of a picture: 320 MB while it is decoded
MAX_SIDE = 65_535  # pixels of a side, as in a JPEG; Pillow lays out longer ones in pointers to each row
MAX_SCANS = 100  # Scans of a JPEG, each of which passes over the whole picture. Programs write at most a dozen.

_KINDS = {b"\xff\xd8\xff": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG"}
_OTHER_KINDS = {b"GIF8": "a GIF", b"II*\0": "a TIFF", b"MM\0*": "a TIFF", b"8BPS": "a Photoshop file",
                b"BM": "a BMP", b"\0\0\1\0": "an icon of Windows", b"PK\3\4": "an archive or document",
                b"\x1f\x8b": "a packed file"}
"""The beginnings of other files, and what people call these."""
_ORIENTATION = 0x0112  # EXIF tag: how the camera was held
TURNS = {2: "-1 0 0 1 1 0", 3: "-1 0 0 -1 1 1", 4: "1 0 0 -1 0 1", 5: "0 1 1 0 0 0", 6: "0 1 -1 0 1 0",
          7: "0 -1 -1 0 1 1", 8: "0 -1 1 0 0 1"}
"""The matrix that brings a picture of the unit square upright, by its EXIF orientation."""


def read_picture(content: bytes, options: Options) -> Fields:
    """:func:`inspect_picture` as a reader in the supervised child. Raises InputError, whose problem names the file."""
    try:
        return inspect_picture(content, options["name"], options["digest"])
    except PictureError as error:
        raise InputError.at("", str(error), error.remedy) from error


def inspect_picture(content: bytes, name: str, digest: str) -> Fields:
    """Return the fields of a sound picture that follow from its content. Raises PictureError."""
    kind = next((kind for start, kind in _KINDS.items() if content.startswith(start)), "")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        kind = "WEBP"
    if kind:
        return _inspect_bitmap(content, name, kind)
    if content.startswith(b"%PDF"):
        return _inspect_page(content, name)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") and b"<svg" in content[:10_000]:
        try:
            body, box = clean_drawing(content, name, f"picture-{digest[:16]}-")
            is_drawn = len(content) > MAX_DRAWING_BYTES or not _passes_check(body, box)
        except PixelsNeeded:
            is_drawn = True
        if is_drawn:
            return _inspect_bitmap(_draw(content, name), name, "PNG") | {"is_drawn": True}
        return {"kind": "svg", "width": box.width, "height": box.height, "body": body, "view_box": _view_box(box)}
    what = next((what for start, what in _OTHER_KINDS.items() if content.startswith(start)), "not a picture")
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypavif"):
        what = "an HEIC or AVIF"
    raise PictureError(f"{name} is {what if content else 'empty'}", "save it as PNG or JPEG")


def _draw(content: bytes, name: str) -> bytes:
    try:
        return b64decode(draw_pixels(content, {"name": name}))
    except InputError as error:
        raise PictureError(error.problems[0].what, error.problems[0].remedy) from error


def _inspect_page(content: bytes, name: str) -> Fields:
    try:
        pages = measure_pages(content, {"name": ""})
        if len(pages) > 1:
            raise PictureError(f"{name} has {len(pages)} pages", "save each as a file of its own")
        drawn = b64decode(draw_page(content, {"name": ""}))
    except InputError as error:
        raise PictureError(f"{name} {error.problems[0].what}", error.problems[0].remedy) from error
    return _inspect_bitmap(drawn, name, "PNG") | {"kind": "pdf", "is_drawn": True}


def _passes_check(body: str, box: Rect) -> bool:
    """True if a face may show the elements of a drawing: they are not too many, too far off or otherwise refused."""
    scale = CHECKED_SIDE_MM / max(box.width, box.height)
    width, height = mm(box.width * scale), mm(box.height * scale)
    svg = (f'<svg xmlns="{SVG}" viewBox="0 0 {width} {height}"><defs><symbol id="drawing" preserveAspectRatio="none" '
           f'viewBox="{_view_box(box)}">{body}</symbol></defs><use href="#drawing" x="0" y="0" width="{width}" '
           f'height="{height}"/></svg>')
    return check_svg(svg, house_fonts(), f"0 0 {width} {height}")[0] is not None


def _view_box(box: Rect) -> str:
    return f"{mm(box.x)} {mm(box.y)} {mm(box.width)} {mm(box.height)}"


def _inspect_bitmap(content: bytes, name: str, kind: str) -> Fields:
    """Check a bitmap: its size by its header, then all of its data."""
    from PIL import Image, UnidentifiedImageError  # only decks with pictures need it

    too_large = PictureError(f"{name} has more than {MAX_PIXELS / 1e6:.0f} megapixels",
                             "make it smaller: 300 dpi at its printed size are enough")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = Image.open(io.BytesIO(content), formats=[kind])
            (width, height), mode, turn = image.size, image.mode, 1
            if width * height > MAX_PIXELS:
                raise too_large
            if max(width, height) > MAX_SIDE:
                raise PictureError(f"{name} has {max(width, height):,} pixels on a side", f"at most {MAX_SIDE:,}")
            if kind == "JPEG":  # an eighth of the size takes a third of the time, and reads all of the data
                if _has_many_scans(content):
                    raise PictureError(f"{name} has more than {MAX_SCANS} scans", "save it again as JPEG")
                image.draft("L", (1, 1))
            image.load()
            with suppress(Exception):  # damaged EXIF data: the picture itself is sound. Of a PNG it is read by load()
                turn = int(image.getexif().get(_ORIENTATION, 1))
    except Image.DecompressionBombError as error:
        raise too_large from error
    except UnidentifiedImageError as error:
        raise PictureError(f"{name} is damaged: its beginning can't be read", Phrase("save_again")) from error
    except (PictureError, MemoryError):
        raise
    except Exception as error:  # of any kind: the readers of Pillow meet data that their authors never saw
        raise PictureError(f"{name} is damaged: {str(error)[:100]}", Phrase("save_again")) from error
    turn = turn if turn in TURNS else 1
    width, height = (height, width) if turn > 4 else (width, height)
    return {"kind": kind.lower(), "width": width, "height": height, "turn": turn, "mode": mode,
            "intact": kind == "JPEG" and mode in ("RGB", "L") and _has_plain_form(content),
            "lossy": kind == "JPEG" or (kind == "WEBP" and b"VP8L" not in islice(_riff_chunks(content), 20))}


def _has_many_scans(jpeg: bytes) -> bool:
    scans = (marker for marker, _, _ in jpeg_segments(jpeg) if marker == START_OF_SCAN)
    return next(islice(scans, MAX_SCANS, None), None) is not None


def _has_plain_form(jpeg: bytes) -> bool:
    """True if PDF viewers know how a JPEG is compressed (baseline, extended, progressive), and it is whole to its end.

    Pillow makes up for what is missing; a JPEG whose segments don't lead to its end would lose data where its segments
    are copied one by one.
    """
    markers = [marker for marker, _, _ in jpeg_segments(jpeg)]
    coding = next((marker for marker in markers if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC)), 0)
    return coding in (0xC0, 0xC1, 0xC2) and markers[-1] == END_OF_IMAGE


def _riff_chunks(content: bytes) -> Iterator[bytes]:
    at = 12
    while at + 8 <= len(content):
        yield content[at:at + 4]
        at += 8 + (int.from_bytes(content[at + 4:at + 8], "little") + 1) // 2 * 2


_NEXT_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")  # behind compressed data: no stuffed byte, no restart
START_OF_SCAN, END_OF_IMAGE = 0xDA, 0xD9


def jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment of a JPEG up to its end (ITU T.81, annex B); a scan with its data."""
    at = 2
    while match := _NEXT_MARKER.search(content, at):
        marker, start = match[1][0], match.end() - 2
        if marker == END_OF_IMAGE:
            yield marker, start, match.end()
            return
        end = at = match.end() + int.from_bytes(content[match.end():match.end() + 2], "big")
        if marker == START_OF_SCAN:
            following = _NEXT_MARKER.search(content, at)
            end = at = following.start() if following else len(content)
        yield marker, start, end
