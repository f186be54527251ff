"""Sheets of cards, as the supervised child reads them: what of a page shows its grid, and the cards cut out of it.

Pixels alone are averaged along rows and columns, as a grid is what all of them have in common.
"""

from __future__ import annotations

import io
import warnings
from array import array
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isclose
from typing import Any

from PIL import Image, ImageChops, ImageOps, ImageStat

from ppgen.errors import InputError
from ppgen.process.supervision import Options
from ppgen.reading import pdf_pages
from ppgen.shipped import Phrase

PX_PER_MM = 5.0
"""Pixels per mm of the picture that grids are found in."""
MAX_SHEET_PIXELS = 160_000_000
PAPERS_MM = (210.0, 297.0), (215.9, 279.4), (297.0, 420.0)
MIN_DPI = 90
EDGE_STEP, DARK, PAPER = 24, 200, 245
"""Difference of neighbours that is an edge, and greys that are a mark, and paper."""
MARK_MM = 1.6
"""Least length of a crop mark."""
MAX_GAP_MM = 16
MAX_TURN = 2.5
COMPARED_PX_PER_MM = 4.0
"""Pixels per mm of the grey pictures in which cards are compared."""
MAX_DIFFERENCE = {"pdf": 60, "png": 28, "jpg": 28}
"""Difference of a colour in a square of 0.75 mm up to which two cards are the same. Pages have equal words besides."""
MAX_TINT_DIFFERENCE = 12
"""Difference of the colour of a sixteenth of a card, which is compared first."""
GRID_PX_PER_MM = 4.0
BLANK_SPREAD, BLANK_GREY = 3.0, 200
SCAN_QUALITY = 95


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
        raise pdf_pages.refuse(name, "is a damaged picture", Phrase("save_again")) from error
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "#ffffff"), image).convert("RGB")
    short, long = sorted(image.size)
    if not MIN_DPI <= dpi <= 1300 or not 100 < long / dpi * 25.4 < 1200:
        dpi = next((long / paper[1] * 25.4 for paper in PAPERS_MM
                    if isclose(long / short, paper[1] / paper[0], rel_tol=0.01)), 0.0)
    return image, dpi / 25.4


def _draw(content: bytes, options: Options, scale: float) -> tuple[Image.Image, float]:
    """A page with so many pixels per mm; a picture that doesn't say its scale has its own, and 0 is returned."""
    if content.startswith(b"%PDF"):
        return pdf_pages.render_page(content, options["number"], scale * 25.4), scale
    image, own = _open(content, options["name"])
    sides = (round(side / own * scale) for side in image.size) if own else image.size
    return image.resize((*sides,), Image.Resampling.BOX), scale if own else 0.0


def study_page(content: bytes, options: Options) -> dict[str, Any]:
    """Find what shows the grid of the page ``number`` of a file with that ``name``: lengths in mm.

    ``boxes`` of shapes; ``marks`` across and down, where lines end beyond the cards; ``edges``, the share of each
    column and row of pixels that differs from the one before; ``ink``, the box of what is printed; ``turn``; its
    ``scale`` in pixels per mm, 1 if nothing says it; and the number of ``pages`` of the file.
    """
    boxes: list[pdf_pages.Box] = []
    own, is_vector, count = 0.0, False, 1
    if content.startswith(b"%PDF"):
        count = len(pdf_pages.measure_pages(content, options)) if not options["number"] else 1
        with pdf_pages.open_pdf(content, options["name"]) as pdf:
            page = pdf_pages.read_content(pdf.pages[options["number"]])
        boxes, is_vector = page.boxes, not page.is_scan
        own = 0.0 if is_vector else min(max(page.image_px, 4), 48)
    else:
        _, own = _open(content, options["name"])
    image, scale = _draw(content, options, PX_PER_MM)
    turn = 0.0 if is_vector or not scale else find_turn(image)
    image = _turned(image, turn)
    ink = _find_ink(image)
    whole = [[round(edge, 3) for edge in box] for box in boxes if min(box[2] - box[0], box[3] - box[1]) > 15]
    marks = [_find_marks(image, ink, axis) if scale else [] for axis in (0, 1)]
    edges = [_find_edges(image, axis, ink) for axis in (0, 1)]
    scale = scale or 1.0
    return {"boxes": whole[:20_000], "marks": marks, "turn": turn, "edges": edges,
            "ink": [edge / scale for edge in ink], "scale": scale, "sides": [side / scale for side in image.size],
            "is_vector": is_vector, "own_scale": own, "pages": count}


def _turned(image: Image.Image, degrees: float) -> Image.Image:
    return image.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=(255, 255, 255)) if degrees else image


def _means(image: Image.Image, axis: int) -> list[float]:
    """The mean of each column (axis 0) or row of a grey picture."""
    line = image.convert("F").resize((image.width, 1) if axis == 0 else (1, image.height), Image.Resampling.BOX)
    return [*array("f", line.tobytes())]


def find_turn(image: Image.Image) -> float:
    """The angle by which a scan must be turned so that its edges are straight: up to 2.5 degrees."""
    grey = image.convert("L")
    grey.thumbnail((700, 700), Image.Resampling.BOX)

    def sharpness(angle: float) -> float:
        turned = grey.rotate(angle, Image.Resampling.BICUBIC, fillcolor=255)
        lines = (_means(turned, axis)[4:-4] for axis in (0, 1))
        return sum(max(abs(b - a) for a, b in pairwise(line)) for line in lines)

    straight = sharpness(0)
    coarse = max((n * 0.25 for n in range(-10, 11)), key=sharpness)
    fine = max((coarse + n * 0.05 for n in range(-4, 5)), key=sharpness)
    return round(fine, 2) if abs(fine) <= MAX_TURN and abs(fine) > 0.08 and sharpness(fine) > 1.1 * straight else 0.0


def _find_ink(image: Image.Image) -> tuple[int, int, int, int]:
    """The box of what is printed, in pixels. Rows and columns that only marks cross don't count."""
    dark = image.convert("L").point(lambda grey: 255 if grey < PAPER else 0)
    edges: list[list[int]] = []
    for axis in (0, 1):
        means = _means(dark, axis)
        least = max(0.06 * 255, 0.25 * max(means))
        printed = [n for n, mean in enumerate(means) if mean > least]
        spans: list[list[int]] = []
        for n in printed:  # labels lie far from the cards
            if not spans or n - spans[-1][1] > MAX_GAP_MM * PX_PER_MM:
                spans.append([n, n])
            spans[-1][1] = n + 1
        edges.append(max(spans, key=lambda span: span[1] - span[0], default=[0, image.size[axis]]))
    return edges[0][0], edges[1][0], edges[0][1], edges[1][1]


def _find_edges(image: Image.Image, axis: int, ink: Sequence[int]) -> list[float]:
    """For each column (axis 0) or row, the share of its inked pixels that differs between its two sides."""
    inked = image.crop((0, ink[1], image.width, ink[3]) if axis == 0 else (ink[0], 0, ink[2], image.height))
    width, height = inked.size
    moved = inked.crop((2, 0, width + 2, height) if axis == 0 else (0, 2, width, height + 2))
    red, green, blue = ImageChops.difference(inked, moved).split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    shares = _means(most.point(lambda step: 255 if step > EDGE_STEP else 0), axis)[:-2]
    return [0.0, *(round(share / 255, 3) for share in shares), 0.0]


def _find_marks(image: Image.Image, ink: Sequence[int], axis: int) -> list[float]:
    """Where dark lines lie beyond what is printed, on both sides if both have any: crop marks, in mm."""
    dark = image.convert("L").point(lambda grey: 255 if grey < DARK else 0)
    width, height = image.size
    strips = (((0, 0, width, ink[1] - 2), (0, ink[3] + 2, width, height)) if axis == 0 else
              ((0, 0, ink[0] - 2, height), (ink[2] + 2, 0, width, height)))
    least = MARK_MM * PX_PER_MM
    counts = [[mean / 255 * (strip[3 - axis] - strip[1 - axis]) for mean in _means(dark.crop(strip), axis)]
              for strip in strips if min(strip[2] - strip[0], strip[3] - strip[1]) > least]
    counts = [line for line in counts if max(line) >= least]
    both = [min(max(line[max(n - 1, 0):n + 2]) for line in counts) for n in range(len(counts[0]))] if counts else []
    groups: list[list[int]] = []
    for n in (n for n, length in enumerate(both) if length >= least):
        if groups and n - groups[-1][-1] <= 2:
            groups[-1].append(n)
        else:
            groups.append([n])
    return [(sum(group) / len(group) + 0.5) / PX_PER_MM for group in groups if len(group) <= 6]


# Cards

def cut_page(content: bytes, options: Options) -> list[dict[str, Any]]:
    """Cut the ``cards`` (boxes in mm) out of the page ``number``, turned by ``turn``; a picture at its own ``scale``.

    Their rim of ``bleed`` mm may hold crop marks, and is not compared. Each has its ``data`` in Base64, the ``kind`` of
    its file, a small picture and words to compare, and whether it ``is_blank``. ``upside_down`` are the numbers of
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
        target = io.BytesIO()
        how = {"quality": SCAN_QUALITY, "subsampling": 0} if kind == "jpg" else {}
        piece.save(target, "JPEG" if how else "PNG", dpi=(scale * 25.4,) * 2, **how)
        sides = (max(1, round((card[2 + axis] - card[axis]) * COMPARED_PX_PER_MM)) for axis in (0, 1))
        yield _describe(piece.resize((*sides,), Image.Resampling.BOX), options, kind, target.getvalue())


def _cut_vectors(content: bytes, options: Options) -> Iterator[dict[str, Any]]:
    import pypdfium2

    number = options["number"]
    with pdf_pages.open_pdf(content, options["name"]) as pdf:
        page = pdf_pages.read_content(pdf.pages[number])
        with pypdfium2.PdfDocument(content) as document:
            texts = [each.get_bounds() for each in document[number].get_objects(
                [pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=1)]
        if len(texts) == len(page.texts):
            page.places |= {n: pdf_pages.transform(page.matrix, box) for n, box in zip(page.texts, texts, strict=True)}
        for n, card in enumerate(options["cards"]):
            data = pdf_pages.cut_card(pdf, number, page, card, n in options["upside_down"])
            with pypdfium2.PdfDocument(data) as single:
                single_page = single[0]
                dpi = COMPARED_PX_PER_MM * 25.4 * (1 - 2e-5)  # else a side may be a pixel longer
                shown = pdf_pages.render(single_page, dpi)
                yield _describe(shown, options, "pdf", data, single_page.get_textpage().get_text_bounded())


def _describe(small: Image.Image, options: Options, kind: str, data: bytes, words: str = "") -> dict[str, Any]:
    small = ImageOps.crop(small, round(options["bleed"] * COMPARED_PX_PER_MM))
    inner = small.convert("L").crop((4, 4, max(small.width - 4, 5), max(small.height - 4, 5)))
    low, high = map(int, inner.getextrema())  # type: ignore[arg-type]
    is_blank = low > BLANK_GREY and ImageStat.Stat(inner).stddev[0] < BLANK_SPREAD and high - low < 40
    return {"kind": kind, "data": b64encode(data).decode(), "is_blank": is_blank, "sides": small.size, "words": words,
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


def draw_grid(content: bytes, options: Options) -> str:
    """Draw the ``boxes`` of a grid in mm over a page: a PNG in Base64. ``scale`` is that of a picture without one."""
    from PIL import ImageDraw

    image, scale = _draw(content, options, GRID_PX_PER_MM)
    image = _turned(image, options["turn"])
    pen = ImageDraw.Draw(image)
    for box in options["boxes"]:
        for colour, width in (("#ffffff", 0.005), ("#e0007a", 0.002)):
            pen.rectangle([edge * (scale or options["scale"]) for edge in box], outline=colour,
                          width=max(2, round(max(image.size) * width)))
    image.thumbnail((1400, 1400))
    target = io.BytesIO()
    image.save(target, "PNG")
    return b64encode(target.getvalue()).decode()
