"""Pixels of a deck's pictures: placeholders on the way to PDF, small copies on the way to PNG, and low ink.

typst never gets the pixels for a PDF: it sets a PNG of 8 × 4 pixels whose 96 bytes are the picture's digest, and keeps
them as they are. So it works as fast as without pictures, and its documents, which are cached, stay small.
"""

from __future__ import annotations

import base64
import io
import re
import struct
import warnings
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from math import ceil, fsum, inf, log2
from typing import TYPE_CHECKING

from ppgen.cache import cached_by
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import INCH
from ppgen.engine.pictures.picture import SCHEME, Picture, lighten, png_chunk, save_png
from ppgen.engine.pictures.picture_files import LOW, PLACED, placed_pictures

if TYPE_CHECKING:
    from PIL import Image


PLACEHOLDER_SIZE = (8, 4)
MAX_LOW_INK_SIDE = 1000  # pixels along the longer side of a picture in low ink
LOW_INK_QUALITY, COPY_QUALITY = 78, 90  # quality of JPEGs: grey ones in low ink, and copies of photographs
_VIEW_BOX_WIDTH = re.compile(r'viewBox="\S+ \S+ (\S+) ')
_MAGIC = b"ppgen\0im"
_STEPS_PER_OCTAVE = 2  # sizes of copies per doubling: few, so that faces of similar sizes share them


# --- Placeholders ---

@lru_cache(maxsize=4096)
def placeholder(digest: str, variant: str) -> str:
    """Return the placeholder of a picture as a data URI."""
    about = _MAGIC + bytes.fromhex(digest) + variant.encode().ljust(8, b"\0")
    pixels = about + blake2b(about, digest_size=48).digest()
    return _data_uri("png", encode_png(*PLACEHOLDER_SIZE, "RGB", pixels, 9))


def encode_png(width: int, height: int, mode: str, pixels: bytes, level: int, *more: tuple[bytes, bytes]) -> bytes:
    """Write ``RGB`` or ``RGBA`` pixels, line by line from the top, as a PNG file (RFC 2083) with ``more`` chunks.

    Flat colours pack smaller and twice as fast without the filters that every PNG library tries out on each line, and
    zlib works outside Python's lock. The same pixels give the same bytes.
    """
    line = len(mode) * width
    lines = b"".join(b"\0" + pixels[start:start + line] for start in range(0, len(pixels), line))
    header = struct.pack(">IIBBBBB", width, height, 8, {"RGB": 2, "RGBA": 6}[mode], 0, 0, 0)
    chunks = ((b"IHDR", header), *more, (b"IDAT", zlib.compress(lines, level)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*chunk) for chunk in chunks)


def _data_uri(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def parse_placeholder(pixels: bytes) -> tuple[str, str] | None:
    """Return the digest and variant of a placeholder's 96 bytes; None if they are something else."""
    about, check = pixels[:48], pixels[48:]
    if len(pixels) != 96 or about[:8] != _MAGIC or blake2b(about, digest_size=48).digest() != check:
        return None
    return about[8:40].hex(), about[40:].rstrip(b"\0").decode()


def with_placeholders(svg: str) -> str:
    """Return the SVG for typst on its way to PDF."""
    if SCHEME not in svg:
        return svg
    return PLACED.sub(lambda tag: tag[0].replace(f"{SCHEME}{tag[2]}.{tag[3]}", placeholder(tag[2], tag[3])), svg)


# --- Copies in PNG ---

def with_pixels(face: Face, dpi: float) -> str:
    """Return a face's SVG for typst on its way to PNG: with its pictures, each once, as fine as needed."""
    sides = needed_sides([face], dpi)
    if not sides:
        return face.svg
    pictures = {picture.digest: picture for picture in face.pictures.values()}
    images = "".join(f'<image id="pixels-{digest}-{variant}" width="1" height="1" preserveAspectRatio="none" '
                     f'href="{_copy_uri(pictures[digest], variant, side)}"/>'
                     for (digest, variant), side in sides.items())
    svg = PLACED.sub(lambda tag: f'<use transform="{tag[1]}" href="#pixels-{tag[2]}-{tag[3]}"/>', face.svg)
    root, body = svg.split(">", 1)
    return f"{root}><defs>{images}</defs>{body}"


def needed_sides(faces: Iterable[Face], dpi: float) -> Mapping[tuple[str, str], int]:
    """Longer sides in pixels, by digest and variant, that pictures of faces need, rounded up to a few sizes."""
    sides: dict[tuple[str, str], int] = {}
    for face in faces:
        if not face.pictures:
            continue
        width, largest = face.size.width + 2 * face.bleed, max(face.size.width, face.size.height) + 2 * face.bleed
        scale = width / float(_VIEW_BOX_WIDTH.findall(face.svg)[0])  # a board may be printed smaller than drawn
        for placed in placed_pictures(face.svg, face.pictures):
            length = max(placed.width, placed.height)
            pixels = max(1.0, (2 * largest if length == inf else length * scale) / INCH * dpi)
            side = ceil(2 ** (ceil(log2(pixels) * _STEPS_PER_OCTAVE) / _STEPS_PER_OCTAVE))
            key = placed.picture.digest, placed.variant
            sides[key] = max(side, sides.get(key, 0))
    return sides


@lru_cache(maxsize=64)
def _copy_uri(picture: Picture, variant: str, side: int) -> str:
    """A copy of a picture as a data URI; its longer side has at most that number of pixels."""
    colours, mask = copy_picture(picture, variant, side)
    if mask:
        from PIL import Image

        image = Image.open(io.BytesIO(colours)).convert("RGB")
        image.putalpha(Image.open(io.BytesIO(mask)))
        return _data_uri("png", save_png(image, level=1))
    return _data_uri("jpeg" if colours.startswith(b"\xff\xd8") else "png", colours)


def copy_picture(picture: Picture, variant: str, side: int = 0, brightness: float = 100) -> tuple[bytes, bytes]:
    """Return a picture in sRGB as a JPEG or PNG, and its transparency as a grey PNG, empty if it is opaque.

    ``side`` is the longer side in pixels at most, 0 for all. Copies are kept in the cache. Pictures that were
    photographs or are in low ink become JPEG; others stay as they are, pixel by pixel. A ``brightness`` in percent
    changes all but those in low ink: black and white stay what they are.
    """
    if variant == LOW:
        side = min(side or MAX_LOW_INK_SIDE, MAX_LOW_INK_SIDE)
    side = 0 if side >= max(picture.width, picture.height) else side

    def make() -> bytes:
        colours, mask = _copy(picture, variant, side, brightness)
        return struct.pack(">I", len(colours)) + colours + mask

    content = cached_by("picture copy", picture.digest, variant, side, brightness, make=make)
    end = 4 + struct.unpack(">I", content[:4])[0]
    return content[4:end], content[end:]


def _copy(picture: Picture, variant: str, side: int, brightness: float) -> tuple[bytes, bytes]:
    image = _open_pixels(picture, side, variant == LOW)
    mask = b""
    if image.mode in ("LA", "RGBA"):
        alpha = image.getchannel("A")
        image = _lay_on_paper(image) if variant == LOW else image.convert(image.mode[:-1])
        if alpha.getextrema() != (255, 255):
            mask = save_png(alpha)
    if variant == LOW:
        return _save_jpeg(_lighten(image, stretch=not mask), LOW_INK_QUALITY), mask
    if brightness != 100:
        image = image.point([brighten(value, brightness) for value in range(256)] * len(image.getbands()))
    return _save_jpeg(image, COPY_QUALITY) if picture.lossy else save_png(image), mask


def brighten(value: int, percent: float) -> int:
    """Return a value from 0 to 255 as bright as that: by a power, so that black and white stay."""
    return round(255 * float((value / 255) ** (100 / percent)))


def _save_jpeg(image: Image.Image, quality: int) -> bytes:
    target = io.BytesIO()
    image.save(target, "JPEG", quality=quality, subsampling=0)
    return target.getvalue()


def _open_pixels(picture: Picture, side: int, grey: bool) -> Image.Image:
    """The pixels as stored, in sRGB with 8 bits a channel; for ``grey`` a JPEG's colours are not decoded."""
    from PIL import Image, ImageCms

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        image: Image.Image = Image.open(io.BytesIO(picture.read()))
        if picture.kind == "jpeg":  # decodes it at a half, a quarter or an eighth of its size
            image.draft("L" if grey else image.mode, (side, side) if side else image.size)
        image.load()
    profile = image.info.get("icc_profile")
    transparent = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    elif image.mode not in ("1", "L", "LA", "CMYK", "RGB", "RGBA"):
        image = image.convert("RGBA" if transparent else "RGB")
    if profile and image.mode in ("CMYK", "RGB", "RGBA"):
        with suppress(ImageCms.PyCMSError, OSError):  # a damaged profile: the colours stay as they are
            image = ImageCms.profileToProfile(  # type: ignore[assignment]
                image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"),
                outputMode="RGBA" if image.mode == "RGBA" else "RGB")
    colourless = image.mode in ("1", "L", "LA")
    mode = ("LA" if colourless else "RGBA") if transparent else "L" if colourless else "RGB"
    image = image if image.mode == mode else image.convert(mode)
    if side:
        image.thumbnail((side, side), reducing_gap=2)
    return image


DARK_GREY = 0.35  # mean grey, in parts of white, up to which what is drawn of a transparent picture counts as dark
_DRAWN_COLOUR = re.compile(r'\b(?:fill|stroke|stop-color)="(#[0-9a-fA-F]{6})"')


def vanishes_on_dark(picture: Picture) -> bool:
    """True if a picture is transparent somewhere and dark elsewhere; of a drawing each colour counts alike."""
    if picture.is_opaque or not picture.digest:
        return False
    if picture.is_drawing:
        colours = _DRAWN_COLOUR.findall(picture.body)
        greys = [_grey(colour) for colour in colours] or [0.0]
        return fsum(greys) / len(greys) <= DARK_GREY
    return cached_by("vanishes on dark", picture.digest, make=lambda: b"yes" if _is_dark(picture) else b"no") == b"yes"


def _is_dark(picture: Picture) -> bool:
    image = _open_pixels(picture, 64, grey=False)
    if image.mode not in ("LA", "RGBA"):
        return False
    alpha = image.getchannel("A")
    if alpha.getextrema()[0] == 255:
        return False
    grey = image.convert("LA").getchannel("L")
    drawn = [tone for tone, cover in zip(grey.tobytes(), alpha.tobytes(), strict=True) if cover > 127]
    return bool(drawn) and sum(drawn) / len(drawn) / 255 <= DARK_GREY


def _grey(colour: str) -> float:
    red, green, blue = (int(colour[at:at + 2], 16) for at in (1, 3, 5))
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def _lay_on_paper(image: Image.Image) -> Image.Image:
    """Lay a transparent picture on white: the colour of what can't be seen, often black, would count as its own."""
    from PIL import Image

    paper = Image.new("RGBA", image.size, "#ffffff")
    return Image.alpha_composite(paper, image.convert("RGBA")).convert("L")


def _lighten(image: Image.Image, stretch: bool) -> Image.Image:
    """Make a picture grey and pale, with dark edges; ``stretch`` from black to white, but not on paper."""
    from PIL import ImageChops, ImageFilter, ImageOps

    grey = image.convert("L").filter(ImageFilter.BoxBlur(1))
    grey = ImageOps.autocontrast(grey, cutoff=1) if stretch else grey
    pale = grey.point([lighten(value) for value in range(256)])
    blurred = grey.filter(ImageFilter.GaussianBlur(max(grey.size) / 250))
    edges = ImageChops.subtract(blurred, grey).point([min(255, 4 * value) for value in range(256)])
    return ImageChops.subtract(pale, edges)
