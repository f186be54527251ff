"""Turns faces into PNG pictures of exactly so many pixels, and pictures into sheets of pictures. A home of Pillow."""

from __future__ import annotations

import io
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Rect, Size
from ppgen.engine.pictures.png import png
from ppgen.engine.typesetting import Raster, rasters_png
from ppgen.engine.units import INCH

if TYPE_CHECKING:
    from PIL.Image import Image

BATCH_PIXELS = 6_000_000
"""So many pixels are drawn at once: enough to share the work of setting out, few enough to bound memory."""
LARGEST = 80_000_000
"""The most pixels of one picture: 320 MB while it is drawn."""
WORKERS = min(os.cpu_count() or 1, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A face as it is to be taken: all of it, bleed included, in ``width`` × ``height`` pixels.

    ``dpi`` is what the file says of itself; ``corner`` is the radius of round transparent corners, in pixels. A
    picture ``on_paper`` has a white ground and no transparency; others have some where the face has.
    ``turn`` is what it is turned clockwise after it is drawn, 0, 90 or 270 degrees.
    """

    face: Face
    width: int
    height: int
    dpi: float
    corner: float = 0.0
    on_paper: bool = False
    turn: int = 0

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the finished picture."""
        return (self.height, self.width) if self.turn else (self.width, self.height)


def whole_pixels(length: float, dpi: float) -> int:
    """The pixels of a length in mm: to the nearest, at least one."""
    return max(1, round(length / INCH * dpi))


def at_dpi(face: Face, dpi: float, corner: float = 0.0) -> Picture:
    """A face at so many pixels an inch; ``corner`` is the radius of its corners in mm."""
    return Picture(face=face, width=whole_pixels(face.size.width + 2 * face.bleed, dpi),
                   height=whole_pixels(face.size.height + 2 * face.bleed, dpi), dpi=dpi,
                   corner=corner / INCH * dpi)


def blank(size: Size, bleed: float) -> Face:
    """A white face, for what has no back where one is needed; mm."""
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-bleed:g} {-bleed:g} {width:g} {height:g}">'
           f'<rect x="{-bleed:g}" y="{-bleed:g}" width="{width:g}" height="{height:g}" fill="#FFFFFF"/></svg>')
    return Face(svg=svg, size=size, bleed=bleed)


def window(face: Face, rect: Rect, turned: bool = False) -> Face:
    """A part of a face (mm of its trim) as a face of its own, without bleed; perhaps turned by half."""
    root, body = face.svg.removesuffix("</svg>").split(">", 1)
    root = re.sub(r'\sviewBox="[^"]*"', f' viewBox="0 0 {rect.width:g} {rect.height:g}"', root)
    move = f"translate({-rect.x:g} {-rect.y:g})"
    if turned:
        move = f"rotate(180 {rect.width / 2:g} {rect.height / 2:g}) {move}"
    return Face(svg=f'{root}><g transform="{move}">{body}</g></svg>', size=rect.size, bleed=0.0)


def take_pictures(pictures: Sequence[Picture], fonts: Path) -> Iterator[bytes]:
    """The PNG of each picture, in order, on all cores. Only a few are in memory at a time."""
    hands = ThreadPoolExecutor(max_workers=WORKERS)
    waiting: deque[Future[list[bytes]]] = deque()
    try:
        for batch in _batches(pictures):
            waiting.append(hands.submit(_taken, batch, fonts))
            if len(waiting) > WORKERS:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        hands.shutdown(cancel_futures=True)


def sheet_of(pictures: Iterable[tuple[int, bytes]], columns: int, rows: int, slot: tuple[int, int],
             dpi: float) -> bytes:
    """A PNG with pictures side by side: each with its place, counted from 0 line by line, and as large as a slot.

    ``slot`` is in pixels; what is left is white.
    """
    from PIL import Image

    sheet = Image.new("RGB", (columns * slot[0], rows * slot[1]), "white")
    for place, content in pictures:
        with Image.open(io.BytesIO(content)) as picture:
            sheet.paste(picture, (place % columns * slot[0], place // columns * slot[1]))
    return _written(sheet, dpi)


def _batches(pictures: Sequence[Picture]) -> Iterator[list[Picture]]:
    batch: list[Picture] = []
    for picture in pictures:
        batch.append(picture)
        if sum(each.width * each.height for each in batch) > BATCH_PIXELS:
            yield batch
            batch = []
    if batch:
        yield batch


def _taken(pictures: Sequence[Picture], fonts: Path) -> list[bytes]:
    rasters = [Raster(face=each.face, width=each.width, height=each.height, corner=each.corner) for each in pictures]
    return [_finished(drawn, picture) for drawn, picture in zip(rasters_png(rasters, fonts), pictures, strict=True)]


def _finished(drawn: bytes, picture: Picture) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(drawn)) as opened:
        image = opened.convert("RGBA")
    if image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    elif picture.on_paper:
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper.convert("RGB")
    if picture.turn:
        image = image.transpose(Image.Transpose.ROTATE_270 if picture.turn == 90 else Image.Transpose.ROTATE_90)
    return _written(image, picture.dpi)


def _written(image: Image, dpi: float) -> bytes:
    return png(image.width, image.height, image.mode, image.tobytes(), dpi)
