"""Pages of strangers' PDFs, as the supervised child reads them: their sides and pixels.

A page is seen as viewers show it: its crop box, turned, without annotations.
"""

from __future__ import annotations

import io
import logging
import struct
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ppgen.errors import InputError, Problem
from ppgen.process.supervision import Options
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    import pikepdf
    from PIL import Image

POINTS_PER_MM = 72 / 25.4
LONGEST_PX = 2000
"""The longer side of a page as a picture: 500 dpi on a card."""
MAX_PAGES = 500
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
        raise refuse(name, "is protected by a password", Phrase("save_without_password")) from error
    except Exception as error:
        raise refuse(name, "is a damaged PDF", Phrase("save_again")) from error


def refuse(name: str, what: str, remedy: str) -> InputError:
    return InputError([Problem(place=name, what=what, remedy=remedy)])


def measure_pages(content: bytes, options: Options) -> list[tuple[float, float]]:
    """The sides in mm of each page of the PDF of that ``name``. Raises InputError."""
    name = options["name"]
    with open_pdf(content, name) as pdf:
        if not 0 < len(pdf.pages) <= MAX_PAGES:
            raise refuse(name, f"has {len(pdf.pages):,} pages", f"give at most {MAX_PAGES}: save a part of it")
        sizes = []
        for number, page in enumerate(pdf.pages, 1):
            width, height = page_sides(page)
            if not 1 <= min(width, height) <= max(width, height) <= MAX_SIDE_MM:
                raise refuse(name, f"page {number} is {width:,.0f} x {height:,.0f} mm",
                              f"sides of 1 to {MAX_SIDE_MM:,} mm: print it to a PDF of the right size")
            sizes.append((width, height))
        return sizes


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
    head, lines, content, at = b"", [], target.getvalue(), 8
    while at < len(content):
        end = at + 12 + int.from_bytes(content[at:at + 4], "big")
        if content[at + 4:at + 8] == b"IDAT":
            lines.append(content[at + 8:end - 4])
        elif not lines:
            head += content[at:end]
        at = end
    packer = zlib.compressobj(level, memLevel=9, strategy=zlib.Z_FILTERED)
    return content[:8] + head + b"".join(png_chunk(kind, data) for kind, data in (
        (b"IDAT", packer.compress(zlib.decompress(b"".join(lines))) + packer.flush()), (b"IEND", b"")))


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
