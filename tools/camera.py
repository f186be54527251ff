"""Perspective view of a table drawn from above, with boxes on it and light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, radians, sin

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps

Point3 = tuple[float, float, float]
"""A point above the table in mm: to the right, towards the viewer, up."""
Pixel = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A camera that looks at ``target``; ``zoom`` is in pixels, the picture ``width`` x ``height``."""

    eye: Point3
    target: Point3
    zoom: float
    width: int
    height: int

    def project(self, point: Point3) -> Pixel:
        """The pixel of a point."""
        ahead = _unit(_difference(self.target, self.eye))
        up = (-ahead[0] * ahead[2], -ahead[1] * ahead[2], 1 - ahead[2] ** 2)  # the part of "up" across the view
        up = _unit(up)
        right = (ahead[1] * up[2] - ahead[2] * up[1], ahead[2] * up[0] - ahead[0] * up[2],
                 ahead[0] * up[1] - ahead[1] * up[0])
        right = (-right[0], -right[1], -right[2])  # y grows towards the eye
        ray = _difference(point, self.eye)
        depth = _dot(ray, ahead)
        return (self.width / 2 + self.zoom * _dot(ray, right) / depth,
                self.height / 2 - self.zoom * _dot(ray, up) / depth)

    def view(self, picture: Image.Image, corners: Sequence[Point3]) -> Image.Image:
        """Project a flat picture with its corners (upper left, upper right, lower right, lower left) there."""
        width, height = picture.size
        projected = [self.project(corner) for corner in corners]
        coefficients = _perspective(projected, [(0, 0), (width, 0), (width, height), (0, height)])
        return picture.transform((self.width, self.height), Image.Transform.PERSPECTIVE, coefficients,
                                 Image.Resampling.BICUBIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Carton:
    """An upright box: pictures of its panels, its size in mm, the position ``at`` of the middle of its front.

    ``turn`` is in degrees, below 0: ``side`` is the panel at the left of the front.
    """

    front: Image.Image
    side: Image.Image
    lid: Image.Image
    width: float
    depth: float
    height: float
    at: tuple[float, float]
    turn: float

    def _corner(self, along: float, back: float, up: float) -> Point3:
        turn = radians(self.turn)
        x, y = along - self.width / 2, -back
        return self.at[0] + x * cos(turn) - y * sin(turn), self.at[1] + x * sin(turn) + y * cos(turn), up

    def cast(self, ground: Image.Image, scale: float, fall: tuple[float, float]) -> None:
        """Draw its shadow on the table. ``fall`` is the shadow of the top, in box heights to the right and forward."""
        foot = [self._corner(x, y, 0) for x, y in ((0, 0), (self.width, 0), (self.width, self.depth), (0, self.depth))]
        for share, soft in ((1.0, 5.0), (0.3, 2.5), (0.1, 1.0)):  # sharper near the box
            shadow = Image.new("L", ground.size)
            draw = ImageDraw.Draw(shadow)
            for step in range(25):
                up = self.height * share * step / 24
                draw.polygon([((x + fall[0] * up) * scale, (y + fall[1] * up) * scale) for x, y, _ in foot], fill=110)
            ground.paste((16, 9, 5), (0, 0), shadow.filter(ImageFilter.GaussianBlur(soft * scale)))

    def stand(self, picture: Image.Image, camera: Camera) -> None:
        """Draw its side, lid and front."""
        w, d, h = self.width, self.depth, self.height
        faces = (
            (_shade(self.side, 0.72), [(0, d, h), (0, 0, h), (0, 0, 0), (0, d, 0)]),
            (_shade(self.lid, 1.12), [(0, d, h), (w, d, h), (w, 0, h), (0, 0, h)]),
            (_shade(self.front, 0.96), [(0, 0, h), (w, 0, h), (w, 0, 0), (0, 0, 0)]))
        for face, corners in faces:
            panel = camera.view(_fade_edges(face), [self._corner(*corner) for corner in corners])
            picture.paste(panel, (0, 0), panel)


def light(picture: Image.Image, lamp: Pixel, reach: float) -> Image.Image:
    """Light the picture by a warm lamp at this pixel: bright around it, dark in the far corners."""
    width, height = picture.size
    small = Image.new("L", (width // 8, height // 8))
    pixels = [max(0, round(255 * (1 - (hypot(x * 8 - lamp[0], (y * 8 - lamp[1]) * 1.35) / reach) ** 2)))
              for y in range(small.height) for x in range(small.width)]
    small.putdata(pixels)
    brightness = small.filter(ImageFilter.GaussianBlur(6)).resize(picture.size, Image.Resampling.BICUBIC)
    warm = ImageOps.colorize(brightness, black=(120, 99, 86), white=(255, 250, 236))
    bright = ImageEnhance.Brightness(picture).enhance(1.1)
    return ImageChops.multiply(bright, warm)


def focus(picture: Image.Image, near: int, far: int, blur: float) -> Image.Image:
    """Blur the picture above and below two heights (pixels from above)."""
    mask = Image.new("L", (1, picture.height))
    mask.putdata([round(255 * min(1.0, max(0.0, (far - y) / far, (y - near) / (picture.height - near) * 0.8)))
                  for y in range(picture.height)])
    soft = picture.filter(ImageFilter.GaussianBlur(blur))
    return Image.composite(soft, picture, mask.resize(picture.size))


def _shade(picture: Image.Image, share: float) -> Image.Image:
    return ImageEnhance.Brightness(picture.convert("RGB")).enhance(share).convert("RGBA")


def _fade_edges(picture: Image.Image) -> Image.Image:
    """Fade the outermost pixels, so that the edges are smooth when the picture is turned."""
    mask = Image.new("L", picture.size)
    mask.paste(255, (2, 2, picture.width - 2, picture.height - 2))
    picture.putalpha(mask.filter(ImageFilter.GaussianBlur(1)))
    return picture


def _perspective(projected: Sequence[Pixel], flat: Sequence[Pixel]) -> list[float]:
    """Pillow's eight coefficients of the map from projected to flat pixels, by Gaussian elimination."""
    rows = []
    for (x, y), (u, v) in zip(projected, flat, strict=True):
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


def _difference(a: Point3, b: Point3) -> Point3:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point3, b: Point3) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _unit(vector: Point3) -> Point3:
    length = _dot(vector, vector) ** 0.5
    return vector[0] / length, vector[1] / length, vector[2] / length
