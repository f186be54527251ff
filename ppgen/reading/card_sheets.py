"""Sheets of cards, as the supervised child reads them: what of a page shows its grid, and the cards cut out of it.

Pixels alone are averaged along rows and columns, as a grid is what all of them have in common.
"""

from __future__ import annotations

import io
import warnings
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise, product, takewhile, zip_longest
from math import ceil, fsum, hypot, isclose, pi, sqrt
from typing import Any
from zlib import crc32

import pypdfium2
from PIL import Image, ImageChops, ImageDraw, ImageOps

from ppgen.errors import InputError
from ppgen.process.supervision import Options
from ppgen.reading import pdf_pages
from ppgen.reading.page_content import Box, cut_cards, read_content
from ppgen.shipped import Phrase

PX_PER_MM = 5.0
"""Pixels per mm of the picture that grids are found in."""
MAX_SHEET_PIXELS = 160_000_000
PAPERS_MM = (210.0, 297.0), (215.9, 279.4), (297.0, 420.0)
MIN_DPI, MAX_DPI = 90, 1300
EDGE_STEP, DARK, PAPER = 24, 200, 245
"""Difference of neighbours that is an edge, and greys that are a mark, and paper."""
MARK_MM, MAX_GAP_MM = 1.6, 16
"""Least length of a crop mark, and most between cards."""
TURN_STEP, MAX_TURN = 0.05, 2.5
SMALL_PX_PER_MM = 4.0
"""Pixels per mm of the pictures in which cards are compared, and the grid is shown."""
MAX_DIFFERENCE = {"pdf": 60, "png": 28, "jpg": 28}
"""Difference of a colour in a square of 0.75 mm up to which two cards are the same. Pages have equal words and
pictures besides."""
MAX_TINT_DIFFERENCE = 12
"""Difference of the colour of a sixteenth of a card, which is compared first."""
BLANK_SPREAD, BLANK_GREY = 30, 200
SCAN_QUALITY = 95
OPAQUE = 250
MIN_ROUNDING_PX, MAX_ROUNDING = 4, 0.16
"""Least radius of rounded corners, and most, as a share of the shorter side: more is a shape of its own."""


def _open(content: bytes, name: str) -> tuple[Image.Image, float]:
    """A picture and its pixels per mm: its own, else those of a sheet of paper of its proportions, else 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image: Image.Image = Image.open(io.BytesIO(content), formats=["PNG", "JPEG", "WEBP"])
            if image.width * image.height > MAX_SHEET_PIXELS:
                raise pdf_pages.refuse(name, f"has more than {MAX_SHEET_PIXELS / 1e6:.0f} megapixels",
                                       "scan it at 300 to 600 dpi")
            dpi = float(image.info.get("dpi", (0, 0))[0])
            image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    except (InputError, MemoryError):
        raise
    except Exception as error:
        kind = "PDF" if name.lower().endswith(".pdf") else "picture"
        raise pdf_pages.refuse(name, f"is a damaged {kind}", Phrase("save_again")) from error
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "#ffffff"), image).convert("RGB")
    short, long = sorted(image.size)
    if not MIN_DPI <= dpi <= MAX_DPI:
        dpi = next((long / paper[1] * 25.4 for paper in PAPERS_MM
                    if isclose(long / short, paper[1] / paper[0], rel_tol=0.01)), 0.0)
    return image, dpi / 25.4


def _draw(content: bytes, options: Options, scale: float) -> tuple[Image.Image, float]:
    """A page with so many pixels per mm; a picture that doesn't say its scale has its own, and 0 is returned."""
    if content.startswith(b"%PDF"):
        return pdf_pages.render_page(content, options["number"], scale * 25.4), scale
    return _resize(*_open(content, options["name"]), scale)


def _resize(image: Image.Image, own: float, scale: float) -> tuple[Image.Image, float]:
    sides = (round(side / own * scale) for side in image.size) if own else image.size
    return image.resize((*sides,), Image.Resampling.BOX), scale if own else 0.0


def study_page(content: bytes, options: Options) -> dict[str, Any]:
    """Find what shows the grid of the page ``number`` of a file with that ``name``: lengths in mm.

    ``boxes`` of shapes; ``marks`` across and down, where lines end beyond the cards; ``edges``, the share of each
    column and row of pixels that differs from the one before; ``ink``, the box of what is printed, and the ``tones`` of
    its columns and rows; ``turn``; its
    ``scale`` in pixels per mm, 1 if nothing says it; its ``sides`` and ``trim`` box; and the number of ``pages`` of the
    file.
    """
    boxes: list[Box] = []
    sides, trim, own, count = None, None, 0.0, 1
    if is_pdf := content.startswith(b"%PDF"):
        count = len(pdf_pages.measure_pages(content, options)) if not options["number"] else 1
        with pdf_pages.open_pdf(content, options["name"]) as pdf:
            page = read_content(pdf.pages[options["number"]])
            sides = pdf_pages.page_sides(pdf.pages[options["number"]])
        boxes, own, trim = page.boxes, page.scan_px, page.trim
        image, scale = _draw(content, options, PX_PER_MM)
    else:
        picture, own = _open(content, options["name"])
        image, scale = _resize(picture, own, PX_PER_MM)
    is_vector = is_pdf and not own
    turn = 0.0 if is_vector or not scale else find_turn(image)
    image = _turned(image, turn)
    grey = image.convert("L")
    ink = _find_ink(grey)
    marks = [_find_marks(grey, ink, axis) if scale else [] for axis in (0, 1)]
    scale = scale or 1.0
    lines = [sorted((box[axis] + box[axis + 2]) / 2 for box in boxes if box[axis + 2] - box[axis] < 0.6 and
                    MARK_MM <= box[3 - axis] - box[1 - axis] <= MAX_GAP_MM) for axis in (0, 1)]
    marks = [[min(line, key=lambda at: abs(at - mark), default=mark) if any(
        abs(at - mark) < 0.3 for at in line) else mark for mark in found]
             for line, found in zip(lines, marks, strict=True)]
    whole = [[round(edge, 3) for edge in box] for box in boxes if min(box[2] - box[0], box[3] - box[1]) > 15]
    return {"boxes": whole[:20_000], "marks": marks, "turn": turn, "is_vector": is_vector, "own_scale": own,
            "edges": [_find_edges(image, ink, axis) for axis in (0, 1)],
            "tones": [[round(tone, 3) for tone in _means(grey.crop((ink[0], ink[1], ink[2], ink[3])), axis)]
                      for axis in (0, 1)],
            "ink": [edge / scale for edge in ink],
            "scale": scale, "sides": sides or [side / scale for side in image.size], "trim": trim, "pages": count}


def _turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)) if degrees else image


def group_near(positions: Iterable[float], slack: float) -> list[list[float]]:
    """The positions in groups of those that are less than the slack apart."""
    groups: list[list[float]] = []
    for position in sorted(positions):
        if not groups or position - groups[-1][-1] >= slack:
            groups.append([])
        groups[-1].append(position)
    return groups


def _means(image: Image.Image, axis: int) -> list[float]:
    """The mean of each column (axis 0) or row of a grey picture, from 0 to 1."""
    line = image.convert("F").resize((image.width, 1) if axis == 0 else (1, image.height), Image.Resampling.BOX)
    return [grey / 255 for grey in array("f", line.tobytes())]


def find_turn(image: Image.Image) -> float:
    """The angle by which a scan must be turned so that its edges are straight: up to 2.5 degrees."""
    grey = image.convert("L")
    grey.thumbnail((700, 700), Image.Resampling.BOX)

    @cache
    def sharpness(step: int, resampling: Image.Resampling = Image.Resampling.BICUBIC) -> float:
        turned = grey.rotate(step * TURN_STEP, resampling, fillcolor=255)
        lines = (_means(turned, axis)[4:-4] for axis in (0, 1))
        return sum(max(abs(b - a) for a, b in pairwise(line)) for line in lines)

    # Roughly by the fastest way to turn a picture, then up to the peak.
    best = coarse = max(range(-50, 51, 5), key=lambda step: sharpness(step, Image.Resampling.NEAREST))
    for way in (1, -1):
        while abs(best + way - coarse) < 5 and sharpness(best + way) > sharpness(best):
            best += way
    turn = round(best * TURN_STEP, 2)
    return turn if 0.08 < abs(turn) <= MAX_TURN and sharpness(best) > 1.1 * sharpness(0) else 0.0


def _find_ink(grey: Image.Image) -> list[int]:
    """The box of what is printed, in pixels. Rows and columns that only marks cross don't count, nor labels far off."""
    dark = grey.point(lambda level: 255 if level < PAPER else 0)
    ends: list[tuple[int, int]] = []
    for axis in (0, 1):
        means = _means(dark, axis)
        least = max(0.06, 0.25 * max(means))
        printed = (n for n, mean in enumerate(means) if mean > least)
        spans = [(int(group[0]), int(group[-1]) + 1) for group in group_near(printed, MAX_GAP_MM * PX_PER_MM)]
        ends.append(max(spans, key=lambda span: span[1] - span[0], default=(0, grey.size[axis])))
    return [end[n] for n in (0, 1) for end in ends]


def _find_edges(image: Image.Image, ink: Sequence[int], axis: int) -> list[float]:
    """For each column (axis 0) or row, the share of its inked pixels that differs between its two sides."""
    inked = image.crop((0, ink[1], image.width, ink[3]) if axis == 0 else (ink[0], 0, ink[2], image.height))
    steps = ImageChops.difference(inked, ImageChops.offset(inked, *((-2, 0) if axis == 0 else (0, -2)))).split()
    most = ImageChops.lighter(ImageChops.lighter(*steps[:2]), steps[2])
    shares = _means(most.point(lambda step: 255 if step > EDGE_STEP else 0), axis)[:-2]
    return [0.0, *(round(share, 3) for share in shares), 0.0]


def _find_marks(grey: Image.Image, ink: Sequence[int], axis: int) -> list[float]:
    """Where dark lines lie beyond what is printed, on both sides if both have any: crop marks, in mm."""
    dark = grey.point(lambda level: 255 if level < DARK else 0)
    width, height = grey.size
    strips = (((0, 0, width, ink[1] - 2), (0, ink[3] + 2, width, height)) if axis == 0 else
              ((0, 0, ink[0] - 2, height), (ink[2] + 2, 0, width, height)))
    least = MARK_MM * PX_PER_MM
    lines = [[mean * (strip[3 - axis] - strip[1 - axis]) for mean in _means(dark.crop(strip), axis)]
             for strip in strips if min(strip[2] - strip[0], strip[3] - strip[1]) > least]
    lines = [line for line in lines if max(line) >= least]
    found = [n for n in range(grey.size[axis] if lines else 0)
             if all(max(line[max(n - 1, 0):n + 2]) >= least for line in lines)]
    return [(fsum(group) / len(group) + 0.5) / PX_PER_MM for group in group_near(found, 3) if len(group) <= 6]


# Cards

def cut_page(content: bytes, options: Options) -> list[dict[str, Any]]:
    """Cut the ``cards`` (boxes in mm) out of the page ``number``, turned by ``turn``; a picture at its own ``scale``.

    Each has its ``data`` in Base64, the ``kind`` of its file, a small picture and words to compare, and whether it
    ``is_blank``. Their rim of ``bleed`` mm may hold crop marks, and is not compared. ``upside_down`` are the numbers of
    those that stand on their heads.
    """
    return [*(_cut_vectors if options["is_vector"] else _cut_pixels)(content, options)]


def _cut_pixels(content: bytes, options: Options) -> Iterator[dict[str, Any]]:
    scale = options["scale"]
    is_page = content.startswith(b"%PDF")
    image = _draw(content, options, scale)[0] if is_page else _open(content, options["name"])[0]
    image = _turned(image, options["turn"])
    kind = "jpg" if is_page or content.startswith(b"\xff\xd8") or options["turn"] else "png"
    for n, card in enumerate(options["cards"]):
        piece = image.crop(tuple(round(edge * scale) for edge in card))
        piece = piece.rotate(180) if n in options["upside_down"] else piece
        filled = _fill_corners(piece)
        piece = filled or piece
        sides = (max(1, round((card[2 + axis] - card[axis]) * SMALL_PX_PER_MM)) for axis in (0, 1))
        dpi = (scale * 25.4,) * 2
        data = _save_jpeg(piece, dpi) if kind == "jpg" else pdf_pages.save_png(piece, dpi=dpi)
        small = piece.resize((*sides,), Image.Resampling.BOX)
        yield {**_describe(small, options, kind, data), "is_filled": bool(filled)}


def _cut_vectors(content: bytes, options: Options) -> Iterator[dict[str, Any]]:
    with pdf_pages.open_pdf(content, options["name"]) as pdf:
        files = cut_cards(pdf, content, options["number"], options["cards"], options["upside_down"])
    for data in files:
        with pypdfium2.PdfDocument(data) as document:
            page = document[0]
            # A side may be a pixel longer otherwise. Pictures drawn at half the size depend on where they lie.
            small = pdf_pages.render(page, 2 * SMALL_PX_PER_MM * 25.4 * (1 - 2e-5)).reduce(2)
            pictures = {crc32(each.get_data()) for each in page.get_objects([pypdfium2.raw.FPDF_PAGEOBJ_IMAGE])}
            yield _describe(small, options, "pdf", data, f"{page.get_textpage().get_text_bounded()} {sorted(pictures)}")


def _save_jpeg(image: Image.Image, dpi: tuple[float, float]) -> bytes:
    target = io.BytesIO()
    image.save(target, format="JPEG", quality=SCAN_QUALITY, subsampling=0, dpi=dpi)
    return target.getvalue()


def _describe(small: Image.Image, options: Options, kind: str, data: bytes, words: str = "") -> dict[str, Any]:
    small = ImageOps.crop(small, round(options["bleed"] * SMALL_PX_PER_MM))
    low, high = small.convert("L").crop((4, 4, max(small.width - 4, 5), max(small.height - 4, 5))).getextrema()
    return {"kind": kind, "data": b64encode(data).decode(), "sides": small.size, "words": words,
            "is_blank": low > BLANK_GREY and high - low < BLANK_SPREAD,  # type: ignore[operator]
            "tints": [*small.resize((4, 4), Image.Resampling.BOX).tobytes()],
            "small": b64encode(small.tobytes()).decode()}


def are_alike(one: Options, other: Options) -> bool:
    """Whether two cards look the same, to the smallest letter."""
    if any(one[name] != other[name] for name in ("sides", "kind", "words")) or any(
            abs(a - b) > MAX_TINT_DIFFERENCE for a, b in zip(one["tints"], other["tints"], strict=True)):
        return False
    difference = ImageChops.difference(*(Image.frombytes("RGB", tuple(each["sides"]), b64decode(each["small"]))
                                         for each in (one, other)))
    difference = difference.crop((3, 3, max(difference.width - 3, 4), max(difference.height - 3, 4)))
    return max(high for _, high in difference.reduce(3).getextrema()) <= MAX_DIFFERENCE[one["kind"]]  # type: ignore[misc]


# Rounded corners

def fill_picture(content: bytes, options: Options) -> dict[str, Any]:
    """A finished card with its rounded corners ``filled``, as a PNG in Base64, empty if it has none; and its ``dpi``,
    0 if it says none.
    """
    image = Image.open(io.BytesIO(content))
    filled = _fill_corners(image) if image.mode in ("L", "LA", "P", "RGB", "RGBA") else None
    profile = image.info.get("icc_profile") if image.mode[0] != "L" else None
    across, down = map(float, image.info.get("dpi", (0, 0)))
    return {"dpi": across if isclose(across, down, rel_tol=0.001) else 0.0, "filled": b64encode(
        pdf_pages.save_png(filled, exif=image.info.get("exif"), icc_profile=profile)).decode() if filled else ""}


def _fill_corners(image: Image.Image) -> Image.Image | None:
    """Fill the four rounded corners of a card, transparent or of one colour, from its edge; None if it has none."""
    card, depth = image.convert("RGB"), image.convert("RGBA").getchannel("A")
    width, height = card.size
    side = round(MAX_ROUNDING * min(card.size))
    holes = [depth.crop(box).point(lambda alpha: alpha < OPAQUE).getbbox() for box in (
        (0, 0, width, height), (side, 0, width - side, height), (0, side, width, height - side))]
    if any(holes[1:]):
        return None  # it is transparent on purpose
    if not holes[0]:
        depth = ImageChops.difference(card, Image.new("RGB", card.size, card.getpixel((0, 0)))).convert("L")
    radii = []
    for _ in range(4):
        card, depth = (each.transpose(Image.Transpose.ROTATE_90) for each in (card, depth))
        radii.append(_fill_corner(card, depth.crop((0, 0, side, side))))
    return card if min(radii) and max(radii) <= 1.2 * min(radii) + 1 else None


def _fill_corner(card: Image.Image, depth: Image.Image) -> float:
    """Fill the upper left corner of a card from the nearest pixels inside; return its radius in pixels, 0 if it has
    none. The ``depth`` grows from 0 outside over a soft rim.
    """
    side, depths, corner = depth.width, depth.tobytes(), card.crop((0, 0, *depth.size))
    rows = (depths[y * side:(y + 1) * side] for y in range(side))
    runs = [*takewhile(bool, (next((x for x, here in enumerate(row) if here > EDGE_STEP), side) for row in rows))]
    radius = sqrt(fsum(runs) / (1 - pi / 4))
    if not MIN_ROUNDING_PX <= radius < side or sum(
            abs(run - radius + sqrt(radius ** 2 - (radius - y - 0.5) ** 2)) for y, run in zip_longest(
                range(ceil(radius)), runs, fillvalue=0)) > radius * (0.4 + 0.01 * radius):
        return 0
    if depths[round(0.65 * radius) * (side + 1)] <= EDGE_STEP:
        return 0  # only an outline between two like grounds
    for x, y in product(range(ceil(radius)), repeat=2):
        across, down = radius - x - 0.5, radius - y - 0.5
        if (away := hypot(across, down)) > radius - 1.5:
            inwards = [(x + round(n * across / away), y + round(n * down / away))
                       for n in range(ceil(away - radius) + 5)]
            line = [depths[b * side + a] for a, b in inwards]
            source = next(place for place, here in zip(inwards, line, strict=True) if here >= 0.97 * max(line))
            card.putpixel((x, y), corner.getpixel(source))  # type: ignore[arg-type]
    return radius


def draw_grid(content: bytes, options: Options) -> str:
    """Draw the ``boxes`` of a grid in mm over a page: a PNG in Base64. ``scale`` is that of a picture without one."""
    image, scale = _draw(content, options, SMALL_PX_PER_MM)
    image = _turned(image, options["turn"])
    pen = ImageDraw.Draw(image)
    for box in options["boxes"]:
        for colour, width in (("#ffffff", 0.005), ("#e0007a", 0.002)):
            pen.rectangle([edge * (scale or options["scale"]) for edge in box], outline=colour,
                          width=max(2, round(max(image.size) * width)))
    image.thumbnail((1400, 1400))
    return b64encode(pdf_pages.save_png(image)).decode()
