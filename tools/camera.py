"""Turns a table seen from above into what somebody sees who sits at it; stands boxes on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps

Spot = tuple[float, float, float]
"""A place over the table in mm: to the right, towards who looks, up."""
Pixel = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """An eye over the table that looks at ``target``; ``zoom`` is in pixels, the picture ``width`` x ``height``."""

    eye: Spot
    target: Spot
    zoom: float
    width: int
    height: int

    def seen(self, spot: Spot) -> Pixel:
        """Where a spot stands in the picture."""
        ahead = _unit(_less(self.target, self.eye))
        up = (-ahead[0] * ahead[2], -ahead[1] * ahead[2], 1 - ahead[2] ** 2)  # the part of "up" across the view
        up = _unit(up)
        right = (ahead[1] * up[2] - ahead[2] * up[1], ahead[2] * up[0] - ahead[0] * up[2],
                 ahead[0] * up[1] - ahead[1] * up[0])
        right = (-right[0], -right[1], -right[2])  # y grows towards the eye
        way = _less(spot, self.eye)
        depth = _dot(way, ahead)
        return (self.width / 2 + self.zoom * _dot(way, right) / depth,
                self.height / 2 - self.zoom * _dot(way, up) / depth)

    def view(self, picture: Image.Image, corners: Sequence[Spot]) -> Image.Image:
        """A flat picture whose corners (upper left, upper right, lower right, lower left) stand at these spots."""
        wide, high = picture.size
        there = [self.seen(corner) for corner in corners]
        table = _mapping(there, [(0, 0), (wide, 0), (wide, high), (0, high)])
        return picture.transform((self.width, self.height), Image.Transform.PERSPECTIVE, table,
                                 Image.Resampling.BICUBIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carton:
    """A box that stands upright: its panels as pictures, its sizes in mm, where the middle of its front stands.

    ``turn`` is in degrees, below 0: its ``side`` is the one at the left of its front.
    """

    front: Image.Image
    side: Image.Image
    lid: Image.Image
    width: float
    depth: float
    height: float
    at: tuple[float, float]
    turn: float

    def _corner(self, along: float, back: float, up: float) -> Spot:
        turn = radians(self.turn)
        x, y = along - self.width / 2, -back
        return self.at[0] + x * cos(turn) - y * sin(turn), self.at[1] + x * sin(turn) + y * cos(turn), up

    def cast(self, ground: Image.Image, scale: float, fall: tuple[float, float]) -> None:
        """Its shadow on the table; the top of it falls so many times its height to the right and towards the eye."""
        foot = [self._corner(x, y, 0) for x, y in ((0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth))]
        for share, soft in ((1.0, 5.0), (0.3, 2.5), (0.1, 1.0)):  # sharper where it begins
            shadow = Image.new("L", ground.size)
            draw = ImageDraw.Draw(shadow)
            for step in range(25):
                up = self.height * share * step / 24
                draw.polygon([((x + fall[0] * up) * scale, (y + fall[1] * up) * scale) for x, y, _ in foot], fill=110)
            ground.paste((16, 9, 5), (0, 0), shadow.filter(ImageFilter.GaussianBlur(soft * scale)))

    def stand(self, picture: Image.Image, camera: Camera) -> None:
        """Draw it: its side, its lid, its front."""
        w, d, h = self.width, self.depth, self.height
        faces = (
            (_shaded(self.side, 0.72), [(0, d, h), (0, 0, h), (0, 0, 0), (0, d, 0)]),
            (_shaded(self.lid, 1.12), [(0, d, h), (w, d, h), (w, 0, h), (0, 0, h)]),
            (_shaded(self.front, 0.96), [(0, 0, h), (w, 0, h), (w, 0, 0), (0, 0, 0)]))
        for face, corners in faces:
            spots = [self._corner(*corner) for corner in corners]
            seen = camera.view(_padded(face), spots)
            picture.paste(seen, (0, 0), seen)


def lit(picture: Image.Image, lamp: Pixel, reach: float) -> Image.Image:
    """The picture by the warm light of a lamp at that place: its surroundings bright, the far corners dark."""
    width, height = picture.size
    small = Image.new("L", (width // 8, height // 8))
    pixels = [max(0, round(255 * (1 - (hypot(x * 8 - lamp[0], (y * 8 - lamp[1]) * 1.35) / reach) ** 2)))
              for y in range(small.height) for x in range(small.width)]
    small.putdata(pixels)
    light = small.filter(ImageFilter.GaussianBlur(6)).resize(picture.size, Image.Resampling.BICUBIC)
    warm = ImageOps.colorize(light, black=(120, 99, 86), white=(255, 250, 236))
    bright = ImageEnhance.Brightness(picture).enhance(1.1)
    return ImageChops.multiply(bright, warm)


def focused(picture: Image.Image, near: int, far: int, blur: float) -> Image.Image:
    """Sharp between two heights of the picture (pixels from above), softer above and below."""
    mask = Image.new("L", (1, picture.height))
    mask.putdata([round(255 * min(1.0, max(0.0, (far - y) / far, (y - near) / (picture.height - near) * 0.8)))
                  for y in range(picture.height)])
    soft = picture.filter(ImageFilter.GaussianBlur(blur))
    return Image.composite(soft, picture, mask.resize(picture.size))


def _shaded(picture: Image.Image, share: float) -> Image.Image:
    return ImageEnhance.Brightness(picture.convert("RGB")).enhance(share).convert("RGBA")


def _padded(picture: Image.Image) -> Image.Image:
    """With edges that are smooth when it is turned: its outermost pixels fade."""
    mask = Image.new("L", picture.size)
    mask.paste(255, (2, 2, picture.width - 2, picture.height - 2))
    picture.putalpha(mask.filter(ImageFilter.GaussianBlur(1)))
    return picture


def _mapping(seen: Sequence[Pixel], flat: Sequence[Pixel]) -> list[float]:
    """The eight numbers with which Pillow finds the flat pixel of a seen one."""
    rows = []
    for (x, y), (u, v) in zip(seen, flat, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]]
    for n in range(8):
        pivot = max(range(n, 8), key=lambda row: abs(rows[row][n]))
        rows[n], rows[pivot] = rows[pivot], rows[n]
        rows[n] = [value / rows[n][n] for value in rows[n]]
        for other in range(8):
            if other != n:
                share = rows[other][n]
                rows[other] = [a - share * b for a, b in zip(rows[other], rows[n], strict=True)]
    return [row[8] for row in rows]


def _less(one: Spot, other: Spot) -> Spot:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2]


def _dot(one: Spot, other: Spot) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]


def _unit(way: Spot) -> Spot:
    long = _dot(way, way) ** 0.5
    return way[0] / long, way[1] / long, way[2] / long
