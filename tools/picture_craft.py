"""Parts of the README's pictures: pieces cut out along their trim, pieces on a table, and the table itself."""

from __future__ import annotations

import random
from functools import partial

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps

from ppgen.engine.drawing.face import Face

RENDERED = 10.0
"""Pixels per millimetre of rendered faces; they are scaled down on the table."""


def cut(picture: Image.Image, face: Face, corner: float) -> Image.Image:
    """Cut a face to its trim, with round corners (mm)."""
    bleed = round(face.bleed * RENDERED)
    width, height = (round(side * RENDERED) for side in (face.size.width, face.size.height))
    trim = picture.convert("RGBA").crop((bleed, bleed, bleed + width, bleed + height))
    mask = Image.new("L", trim.size)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, width - 1, height - 1), corner * RENDERED, fill=255)
    trim.putalpha(ImageChops.multiply(mask, trim.getchannel("A")))
    return trim


def lay(ground: Image.Image, scale: float, piece: Image.Image, x: float, y: float, turn: float,
        lift: float = 0.7) -> None:
    """Lay a piece down with its middle at x, y (mm), turned (degrees), with a shadow for its thickness.

    ``scale`` is in pixels per millimetre.
    """
    turned = piece.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    share = scale / RENDERED
    small = turned.resize((round(turned.width * share), round(turned.height * share)), Image.Resampling.LANCZOS)
    left, top = round(x * scale - small.width / 2), round(y * scale - small.height / 2)
    reach = round(4 * lift * scale)
    shadow = Image.new("L", (small.width + 2 * reach, small.height + 2 * reach))
    shadow.paste(small.getchannel("A").point(lambda level: level * 0.55), (reach, reach))
    shadow = shadow.filter(ImageFilter.GaussianBlur(lift * scale * 0.8))
    fall = left - reach + round(lift * scale * 0.4), top - reach + round(lift * scale * 0.8)
    ground.paste((18, 10, 6), fall, shadow)
    ground.paste(small, (left, top), small)


def lay_thick(lay_down: partial[None], stone: Image.Image, x: float, y: float, turn: float) -> None:
    """Lay down a stone glued to board, with its front edge."""
    edge = ImageEnhance.Brightness(stone).enhance(0.45)
    lay_down(edge, x, y, turn, lift=1.5)
    for step in (0.4, 0.8, 1.2):
        lay_down(edge, x, y - step, turn, lift=0.05)
    lay_down(stone, x, y - 1.6, turn, lift=0.05)


def wood(width: int, height: int, chance: random.Random) -> Image.Image:
    """Draw a plain dark table: boards with a few lines of grain."""
    ground = Image.new("RGB", (width, height))
    draw = ImageDraw.Draw(ground)
    boards = 5
    for board in range(boards):
        top, bottom = height * board // boards, height * (board + 1) // boards
        shade = chance.choice((-4, 0, 3, 5))
        draw.rectangle((0, top, width, bottom), fill=(66 + shade, 46 + shade, 35 + shade))
        for _ in range(14):
            y, start = chance.randint(top + 2, bottom - 2), chance.randint(-width // 2, width)
            tone = shade + chance.choice((-5, -4, 4))
            draw.line((start, y, start + chance.randint(width // 8, width), y + chance.randint(-1, 1)),
                      fill=(66 + tone, 46 + tone, 35 + tone))
        draw.line((0, bottom, width, bottom), fill=(40, 27, 20), width=2)
    return ground


def planks(width: int, height: int, chance: random.Random) -> Image.Image:
    """Draw an oak table: boards of several shades with long grain."""
    ground = Image.new("RGB", (width, height))
    boards, top = 7, 0
    for board in range(boards):
        bottom = height * (board + 1) // boards
        size = width, bottom - top
        grain = Image.new("L", size, 128)
        for across, along, share in ((3, 300, 0.5), (9, 700, 0.45), (40, 1200, 0.4)):
            rough = size[0] // along + 2, size[1] // across + 2
            noise = Image.frombytes("L", rough, chance.randbytes(rough[0] * rough[1]))
            grain = Image.blend(grain, noise.resize(size, Image.Resampling.BICUBIC), share)
        shade = chance.uniform(0.86, 1.06)
        wooden = ImageOps.colorize(grain, black=(52, 30, 19), mid=(104, 66, 41), white=(142, 97, 62))
        ground.paste(ImageEnhance.Brightness(wooden).enhance(shade), (0, top))
        ImageDraw.Draw(ground).rectangle((0, bottom - 3, width, bottom), fill=(36, 21, 14))
        top = bottom
    return ground.filter(ImageFilter.GaussianBlur(0.6))
