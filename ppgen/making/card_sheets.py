"""Sheets of finished cards: what is on their pages, and the grid of cards."""

from __future__ import annotations

import io
import warnings
from array import array
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product, takewhile, zip_longest
from math import ceil, fsum, hypot, isclose, pi, sqrt
from statistics import fmean, median
from typing import Any
from zlib import crc32

import pypdfium2
from pikepdf import (Array, ContentStreamInstruction, Matrix, ObjectStreamMode, Operator, Page, Pdf, Rectangle, new,
                     parse_content_stream, unparse_content_stream)
from PIL import Image, ImageChops, ImageDraw, ImageOps

from ppgen.engine.geometry import Size
from ppgen.engine.pictures import picture as pdf_pages
from ppgen.engine.pictures.picture import POINTS_PER_MM
from ppgen.errors import InputError, Phrase
from ppgen.process.supervision import Options
from ppgen.records import dataclass, field, replace

# --- Contents of pages ---

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in mm from the upper left corner of the page as it is seen."""
MAX_INSTRUCTIONS, MAX_FORM_DEPTH = 150_000, 4
MIN_SCAN_PX, MAX_SCAN_PX = 4.0, 48.0
_PAINTS, _SHOWS = frozenset("f F f* S s B B* b b*".split()), frozenset(("Tj", "TJ"))
_MOVES = frozenset(("Td", "TD", "Tm", "T*", "'", '"', "ET"))
_KEPT_KEYS = frozenset("/Type /Parent /Contents /Resources /Rotate /UserUnit /Group".split())
MIN_TRIM_MM = 0.3
TOUCH_MM = 0.15  # what reaches no farther into a card than this is of its neighbour, and left out of its page


@dataclass(slots=True)
class PageContent:
    """The instructions of a page, and the places in mm that they draw at, by their numbers, if known.

    ``boxes`` are those of shapes, pictures, forms and clips, also in forms; ``texts`` the numbers of what shows words;
    ``scan_px`` the pixels per mm of a picture that is the whole page.
    """

    instructions: Sequence[Any]
    matrix: Matrix
    places: dict[int, Box] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    scan_px: float = 0.0
    trim: Box | None = None  # the TrimBox, if it is smaller than the page on each side (ISO 32000-1, 14.11.2)


def transform(matrix: Matrix, box: Iterable[Any]) -> Box:
    found = matrix.transform(Rectangle(*map(float, box)))
    return found.llx, found.lly, found.urx, found.ury


def read_content(page: Page) -> PageContent:
    """Read the instructions of a page, and where they draw (ISO 32000-1, 8 and 9)."""
    turned = _matrix(page.as_form_xobject())
    left, _, _, top = transform(turned, page.cropbox)
    k = 1 / POINTS_PER_MM
    content = PageContent([*parse_content_stream(page)], turned @ Matrix(k, 0, 0, -k, -left * k, top * k))
    _walk(content.instructions, page.obj.get("/Resources", {}), content.matrix, None, content, 0)
    _, _, width, height = transform(content.matrix, page.cropbox)
    trim = transform(content.matrix, page.trimbox)
    if min(trim[0], trim[1], width - trim[2], height - trim[3]) > MIN_TRIM_MM:
        content.trim = trim
    if content.texts or len(content.boxes) > 3 or all(
            (box[2] - box[0]) * (box[3] - box[1]) < 0.8 * width * height for box in content.boxes):
        content.scan_px = 0.0
    return content


def _matrix(form: Any) -> Matrix:
    return Matrix(*map(float, form.get("/Matrix", (1, 0, 0, 1, 0, 0))))


def _walk(instructions: Sequence[Any], resources: Any, matrix: Matrix, clip: Box | None, content: PageContent,
          depth: int) -> None:
    """Follow the matrix, the clip and the paths of instructions; on the page itself note the place of each."""
    stack: list[tuple[Matrix, Box | None]] = []
    path: list[float] = []
    clips = False

    def place(matrix: Matrix, box: Iterable[Any]) -> Box:
        left, top, right, bottom = transform(matrix, box)
        return (max(left, clip[0]), max(top, clip[1]), min(right, clip[2]), min(bottom, clip[3])) if clip else (
            left, top, right, bottom)

    for n, (operands, operator) in enumerate((each.operands, str(each.operator)) for each in instructions):
        if n + len(content.boxes) > MAX_INSTRUCTIONS:
            return
        box: Box | None = None
        if operator == "q":
            stack.append((matrix, clip))
        elif operator == "Q" and stack:
            matrix, clip = stack.pop()
        elif operator == "cm":
            matrix = Matrix(*map(float, operands)) @ matrix
        elif operator in ("m", "l", "c", "v", "y"):
            path += map(float, operands)
        elif operator == "re":
            x, y, width, height = map(float, operands)
            path += (x, y, x + width, y + height)
        elif operator in ("W", "W*"):
            clips = True
        elif operator == "n" or operator in _PAINTS:
            if path:
                box = place(matrix, (min(path[::2]), min(path[1::2]), max(path[::2]), max(path[1::2])))
                clip = box if clips else clip
            path, clips = [], False
        elif operator in ("Do", "INLINE IMAGE"):
            thing: Any = resources.get("/XObject", {}).get(operands[0], {}) if operator == "Do" else {}
            if thing.get("/Subtype") == "/Form":
                inner = _matrix(thing) @ matrix
                box = place(inner, thing.BBox)
                if depth < MAX_FORM_DEPTH:
                    _walk([*parse_content_stream(thing)], thing.get("/Resources", resources), inner, box, content,
                          depth + 1)
            else:
                box = place(matrix, (0, 0, 1, 1))
                dots = int(thing.get("/Width", 0)) / max(box[2] - box[0], 1)
                content.scan_px = max(content.scan_px, min(max(dots, MIN_SCAN_PX), MAX_SCAN_PX))
        elif operator in _SHOWS and not depth and (operator == "TJ" or bytes(operands[0])):
            content.texts.append(n)
        if box:
            content.boxes.append(box)
            if not depth and operator != "n":
                content.places[n] = box


def cut_cards(pdf: Pdf, content: bytes, number: int, cards: Sequence[Box], upside_down: Sequence[int]) -> list[bytes]:
    """Make a page of each part of a page that shows a card; what is drawn elsewhere is left out of it."""
    page = read_content(pdf.pages[number])
    operators = [str(each.operator) for each in page.instructions]
    with pypdfium2.PdfDocument(content) as document:
        shows = [each.get_bounds() for each in document[number].get_objects(
            [pypdfium2.raw.FPDF_PAGEOBJ_TEXT], max_depth=1)]
    for n, box in zip(page.texts, shows if len(shows) == len(page.texts) else (), strict=False):
        following = (each for each in operators[n + 1:n + 60] if each in _MOVES | _SHOWS)
        if next(following, "Tj") not in _SHOWS:  # else the next one begins where it ends
            page.places[n] = transform(page.matrix, box)
    nothing = ContentStreamInstruction([], Operator("n"))  # ends a path that is not painted
    files = []
    for card, (left, top, right, bottom) in enumerate(cards):
        out = {n for n, box in page.places.items() if box[0] > right - TOUCH_MM or box[2] < left + TOUCH_MM
               or box[1] > bottom - TOUCH_MM or box[3] < top + TOUCH_MM}
        kept = [nothing if n in out else each for n, each in enumerate(page.instructions)
                if n not in out or operators[n] in _PAINTS]
        with new() as single:
            single.pages.append(pdf.pages[number])
            cut = single.pages[0]
            cut.Contents = single.make_stream(unparse_content_stream(kept))
            for key in {*cut.obj.keys()} - _KEPT_KEYS:
                del cut.obj[key]
            cut.MediaBox = Array([round(x, 4) for x in transform(page.matrix.inverse(), cards[card])])
            cut.rotate(180 if card in upside_down else 0, relative=True)
            single.remove_unreferenced_resources()
            target = io.BytesIO()
            single.save(target, deterministic_id=True, object_stream_mode=ObjectStreamMode.generate)
            files.append(target.getvalue())
    return files


# --- Sheets ---
# Pixels alone are averaged along rows and columns, as a grid is what all of them have in common.

PX_PER_MM = 5.0  # pixels per mm of the picture that grids are found in
MAX_SHEET_PIXELS = 160_000_000
PAPERS_MM = (210.0, 297.0), (215.9, 279.4), (297.0, 420.0)
MIN_DPI, MAX_DPI = 90, 1300
EDGE_STEP, DARK, PAPER = 24, 200, 245  # difference of neighbours that is an edge, and greys that are a mark, and paper
MARK_MM, MAX_BREAK_MM = 1.6, 16  # least length of a crop mark, and most between cards
TURN_STEP, MAX_TURN = 0.05, 2.5
SMALL_PX_PER_MM = 4.0  # pixels per mm of the pictures in which cards are compared, and the grid is shown
MAX_DIFFERENCE = {"pdf": 60, "png": 28, "jpg": 28}
"""Difference of a colour in a square of 0.75 mm up to which two cards are the same. Pages have equal words and
pictures besides."""
MAX_TINT_DIFFERENCE = 12  # difference of the colour of a sixteenth of a card, which is compared first
BLANK_SPREAD, BLANK_GREY = 30, 200
SCAN_QUALITY = 95
OPAQUE = 250
MOST_OF_PICTURE = 0.97
MIN_ROUND_PX = 12  # least radius of a circle on a small picture
MIN_ROUNDING_PX, MAX_ROUNDING = 4, 0.16
"""Least radius of rounded corners, and most, as a share of the shorter side: more is a shape of its own."""


def _open(content: bytes, name: str) -> tuple[Image.Image, float]:
    """A picture and its pixels per mm: its own, else those of a sheet of paper of its proportions, else 0."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image: Image.Image = Image.open(io.BytesIO(content), formats=["PNG", "JPEG", "WEBP"])
            if image.width * image.height > MAX_SHEET_PIXELS:
                raise InputError.at(name, f"has more than {MAX_SHEET_PIXELS / 1e6:.0f} megapixels",
                                    "scan it at 300 to 600 dpi")
            dpi = float(image.info.get("dpi", (0, 0))[0])
            image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    except (InputError, MemoryError):
        raise
    except Exception as error:
        kind = "PDF" if name.lower().endswith(".pdf") else "picture"
        raise InputError.at(name, f"is a damaged {kind}", Phrase("save_again")) from error
    if image.mode == "RGBA":
        image = Image.alpha_composite(Image.new("RGBA", image.size, "#ffffff"), image).convert("RGB")
    short, long = sorted(image.size)
    if not MIN_DPI <= dpi <= MAX_DPI:
        dpi = next((long / paper[1] * 25.4 for paper in PAPERS_MM
                    if isclose(long / short, paper[1] / paper[0], rel_tol=0.01)), 0.0)
    return image, dpi / 25.4


def _draw(content: bytes, options: Options, scale: float) -> tuple[Image.Image, float]:
    """Draw a page at a scale in pixels per mm; a picture without a scale keeps its pixels, and 0 is returned."""
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
    its columns and rows; ``turn``; its ``scale`` in pixels per mm, 1 if nothing says it; its ``sides`` and ``trim``
    box; and the number of ``pages`` of the file.
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
                    MARK_MM <= box[3 - axis] - box[1 - axis] <= MAX_BREAK_MM) for axis in (0, 1)]
    marks = [[min(line, key=lambda at: abs(at - mark), default=mark) if any(
        abs(at - mark) < 0.3 for at in line) else mark for mark in found]
             for line, found in zip(lines, marks, strict=True)]
    whole = [[round(edge, 3) for edge in box] for box in boxes if min(box[2] - box[0], box[3] - box[1]) > 15]
    return {"boxes": whole[:20_000], "marks": marks, "turn": turn, "is_vector": is_vector, "own_scale": own,
            "edges": [_find_edges(image, ink, axis) for axis in (0, 1)],
            "tones": [[round(tone, 3) for tone in _means(grey.crop((ink[0], ink[1], ink[2], ink[3])), axis)]
                      for axis in (0, 1)],
            "ink": [edge / scale for edge in ink], "scale": scale,
            "sides": sides or [side / scale for side in image.size], "trim": trim, "pages": count}


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
        spans = [(int(group[0]), int(group[-1]) + 1) for group in group_near(printed, MAX_BREAK_MM * PX_PER_MM)]
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


# --- Cards ---

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
        if kind == "jpg":
            piece.save(target := io.BytesIO(), format="JPEG", quality=SCAN_QUALITY, subsampling=0, dpi=dpi)
            data = target.getvalue()
        else:
            data = pdf_pages.save_png(piece, dpi=dpi)
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


def _describe(small: Image.Image, options: Options, kind: str, data: bytes, words: str = "") -> dict[str, Any]:
    small = ImageOps.crop(small, round(options["bleed"] * SMALL_PX_PER_MM))
    low, high = small.convert("L").crop((4, 4, max(small.width - 4, 5), max(small.height - 4, 5))).getextrema()
    return {"kind": kind, "data": b64encode(data).decode(), "sides": small.size, "words": words,
            "is_blank": low > BLANK_GREY and high - low < BLANK_SPREAD,  # type: ignore[operator]
            "is_round": _is_round(small), "tints": [*small.resize((4, 4), Image.Resampling.BOX).tobytes()],
            "small": b64encode(small.tobytes()).decode()}


def _is_round(card: Image.Image) -> bool:
    """True for a circle on a ground of one colour, as large as its square cell."""
    width, height = card.size
    radius = min(width, height) / 2
    if abs(width - height) > 0.04 * radius or radius < MIN_ROUND_PX:
        return False
    rings: list[list[tuple[int, ...]]] = [[], []]  # just inside, and beyond
    for x, y in product(range(width), range(height)):
        away = hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) / radius
        if 0.82 < away < 0.92 or away > 1.08:
            rings[away > 1].append(card.getpixel((x, y)))  # type: ignore[arg-type]
    spans = [(min(band), max(band)) for band in zip(*rings[1], strict=True)]
    if max(high - low for low, high in spans) > BLANK_SPREAD:
        return False
    apart = sum(any(value < low - BLANK_SPREAD or value > high + BLANK_SPREAD for value, (low, high) in zip(
        pixel, spans, strict=True)) for pixel in rings[0])
    return apart >= 0.97 * len(rings[0])


def are_alike(one: Options, other: Options) -> bool:
    """Whether two cards look the same, to the smallest letter."""
    if any(one[name] != other[name] for name in ("sides", "kind", "words")) or any(
            abs(a - b) > MAX_TINT_DIFFERENCE for a, b in zip(one["tints"], other["tints"], strict=True)):
        return False
    difference = ImageChops.difference(*(Image.frombytes("RGB", tuple(each["sides"]), b64decode(each["small"]))
                                         for each in (one, other)))
    difference = difference.crop((3, 3, max(difference.width - 3, 4), max(difference.height - 3, 4)))
    return max(high for _, high in difference.reduce(3).getextrema()) <= MAX_DIFFERENCE[one["kind"]]  # type: ignore[misc]


# --- Rounded corners ---

def fill_picture(content: bytes, options: Options) -> dict[str, Any]:
    """A card with its rounded corners ``filled``, as a PNG in Base64, empty if it has none; its ``dpi``, or 0."""
    image = Image.open(io.BytesIO(content))
    filled = _fill_corners(image) if image.mode in ("L", "LA", "P", "RGB", "RGBA") else None
    profile = image.info.get("icc_profile") if image.mode[0] != "L" else None
    across, down = map(float, image.info.get("dpi", (0, 0)))
    return {"dpi": across if isclose(across, down, rel_tol=0.001) else 0.0, "filled": b64encode(
        pdf_pages.save_png(filled, exif=image.info.get("exif"), icc_profile=profile)).decode() if filled else ""}


def _fill_corners(image: Image.Image) -> Image.Image | None:
    """Fill the four rounded corners of a card, transparent or of one colour, from its edge; None if it has none."""
    card, depth = image.convert("RGB"), None
    width, height = card.size
    side = round(MAX_ROUNDING * min(card.size))
    if image.has_transparency_data:
        depth = image.convert("RGBA").getchannel("A")
        holes = [depth.crop(box).point(lambda alpha: alpha < OPAQUE).getbbox() for box in (
            (0, 0, width, height), (side, 0, width - side, height), (0, side, width, height - side))]
        if any(holes[1:]):
            return None  # it is transparent on purpose
        depth = depth if holes[0] else None
    radii, outside = [], card.getpixel((0, 0))
    for turn, (x, y) in enumerate(((0, 0), (width - side, 0), (width - side, height - side), (0, height - side))):
        box = (x, y, x + side, y + side)
        corner = card.crop(box)
        depths = depth.crop(box) if depth else ImageChops.difference(
            corner, Image.new("RGB", corner.size, outside)).convert("L")
        corner, depths = (each.rotate(90 * turn) for each in (corner, depths))
        radii.append(_fill_corner(corner, depths))
        if not radii[-1]:
            return None
        card.paste(corner.rotate(-90 * turn), box)
    return card if max(radii) <= 1.2 * min(radii) + 1 else None


def _fill_corner(card: Image.Image, depth: Image.Image) -> float:
    """Fill the upper left corner of a card from inside; return its radius in pixels, or 0.

    The ``depth`` grows from 0 outside over a soft rim.
    """
    side, depths, corner = depth.width, depth.tobytes(), card.copy()
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


# --- Grids ---
# Shapes of one size on a grid are cards, their frames or their bleeds. Else sizes are tried that fill what is printed,
# known ones and those between marks. Marks or edges at the cuts make a grid sure.

SURE, WORTH_A_LOOK = 0.9, 0.3
"""The confidence from which on a grid is taken without a look, and that from which on it is shown."""
SAME_MM = 0.5
MIN_CARD_MM, MAX_CARD_MM, MAX_GAP_MM = 18.0, 210.0, 60.0
MAX_SINGLE_MM = 180.0  # the longer side of a page that is a card by itself
KEPT_BLEEDS_MM = 3.0, 2.0, 1.5
PAGE_BLEEDS_MM = 3.0, 3.175, 2.0  # bleeds of a page that is a card of a known size
MAX_BLEED_MM = 6.0
MAX_COUNT, MAX_MARKS = 12, 40
TABLE_SHEET = 10, 7  # columns and rows of a sheet for Tabletop Simulator
MAX_DIVIDED = 6  # the most columns and rows that what is printed is divided into
WHOLE_LINE = 0.85  # the share of a line from which on it crosses all of what is printed
BORDER_TONE, WHITE_TONE, PAPER_TONE = 0.05, 0.93, 0.985
STRONG = 0.3  # the share of a line that differs from its neighbour where a cut runs along it

PageStudy = Mapping[str, Any]  # what study_page() found


@dataclass(frozen=True, slots=True)
class GridAxis:
    """Cards along an axis, in mm."""

    start: float
    length: float
    gap: float
    count: int

    @property
    def cuts(self) -> list[float]:
        return [self.start + n * (self.length + self.gap) + end for n in range(self.count) for end in (0, self.length)]

    @property
    def end(self) -> float:
        return self.cuts[-1]

    def resized(self, length: float) -> GridAxis:
        """Cards of another length with the same middles; without gaps that come of rounding."""
        gap = self.gap + self.length - length if self.count > 1 else 0.0
        rounding = gap if abs(gap) < 0.15 else 0.0
        return GridAxis(self.start + (self.length - length + (self.count - 1) * rounding) / 2, length, gap - rounding,
                        self.count)


@dataclass(frozen=True, slots=True)
class CardGrid:
    """Where the cards of a sheet lie, how sure that is, from 0 to 1, and by what it was found."""

    across: GridAxis
    down: GridAxis
    confidence: float
    how: str

    @property
    def axes(self) -> tuple[GridAxis, GridAxis]:
        return self.across, self.down

    @property
    def counts(self) -> tuple[int, int]:
        return self.across.count, self.down.count

    @property
    def boxes(self) -> dict[tuple[int, int], tuple[float, float, float, float]]:
        """The cards by row and column: left, upper, right and lower edge."""
        x, y = self.across.cuts, self.down.cuts
        return {(row, column): (x[2 * column], y[2 * row], x[2 * column + 1], y[2 * row + 1])
                for row in range(self.down.count) for column in range(self.across.count)}

    def has_size(self, size: Size) -> bool:
        return max(abs(self.across.length - size.width), abs(self.down.length - size.height)) < SAME_MM

    def find_bleed(self, pages: Iterable[PageStudy]) -> float:
        """The bleed in mm that is printed around each card, as far as it is a usual one."""
        inks = [*zip(*(page["ink"] for page in pages), strict=True)]
        room = [distance for n, axis in enumerate(self.axes) for distance in (
            axis.start - min(inks[n]), max(inks[n + 2]) - axis.end, min(axis.gap / 2, 5) if axis.count > 1 else 5)]
        is_label = max(room) > MAX_BLEED_MM
        return max((bleed for bleed in KEPT_BLEEDS_MM if bleed < min(room) + 0.3 and not is_label), default=0.0)

    def is_on(self, page: PageStudy) -> bool:
        """Whether a page has such cards, rather than words of rules or a title."""
        if "given" in self.how or page["scale"] == 1 or any(
                fmean(any(abs(cut - mark) < SAME_MM for mark in marks) for cut in axis.cuts) >= 0.8
                for axis, marks in zip(self.axes, page["marks"], strict=True)):
            return True
        if "outline" in self.how:
            return all(abs(page["ink"][n] - axis.start) < 2 > min(abs(page["ink"][n + 2] - cut) for cut in axis.cuts)
                       for n, axis in enumerate(self.axes))
        least = self.across.length * self.down.length / 2
        if any(max(abs(box[n] + box[n + 2] - cell[n] - cell[n + 2]) for n in (0, 1)) < 3 for box in page["boxes"]
               if least < (box[2] - box[0]) * (box[3] - box[1]) < 4 * least for cell in self.boxes.values()):
            return True
        if page["is_vector"] and "edges" not in self.how:
            return False
        for n, (axis, edges) in enumerate(zip(self.axes, page["edges"], strict=True)):
            first, last = (round(end * page["scale"]) for end in page["ink"][n::2])
            least = max(0.15, 2 * median(edges[first:last + 1]))  # lines of words are edges everywhere
            near = (max(edges[max(round(at * page["scale"]) - 4, 0):][:9], default=0) for at in axis.cuts)
            if axis.count > 1 and max(near) <= least:
                return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenGrid:
    """What the user says of a grid; 0 or None if nothing."""

    columns: int = 0
    rows: int = 0
    size: Size | None = None
    gaps: tuple[float, float] | None = None
    margin: tuple[float, float] | None = None

    def allows(self, grid: CardGrid) -> bool:
        """Whether a grid agrees with what is given."""
        return ((not self.columns or grid.counts == (self.columns, self.rows))
                and (not self.size or grid.has_size(self.size) or grid.has_size(self.size.turned))
                and (self.gaps is None or all(axis.count == 1 or abs(axis.gap - gap) < SAME_MM
                                              for axis, gap in zip(grid.axes, self.gaps, strict=True)))
                and (self.margin is None or all(abs(axis.start - margin) < 2
                                                for axis, margin in zip(grid.axes, self.margin, strict=True))))

    def lay_out(self, width: float, height: float, scale: float) -> CardGrid:
        """The grid by hand: from its margin, else in the middle of the page."""
        assert self.size
        size = self.size
        if scale == 1:
            size = size if (width > height) == (size.width * self.columns > size.height * self.rows) else size.turned
            width, height = size.width * self.columns, size.height * self.rows
        axes = []
        for n, (side, length, count) in enumerate(((width, size.width, self.columns),
                                                   (height, size.height, self.rows))):
            gap = self.gaps[n] if self.gaps and count > 1 else 0.0
            start = self.margin[n] if self.margin else (side - count * (length + gap) + gap) / 2
            axes.append(GridAxis(start, length, gap, count))
        return CardGrid(axes[0], axes[1], SURE, "hand, as given")


def find_grids(pages: Sequence[PageStudy], sizes: Sequence[Size], given: GivenGrid) -> list[CardGrid]:
    """Find the grid that pages of one size share; more than one if cards of two sizes lie beside each other."""
    known = [*dict.fromkeys(each for size in ([given.size] if given.size else sizes) for each in (size, size.turned))]
    (width, height), scale = pages[0]["sides"], pages[0]["scale"]
    marks = [[fmean(group) for group in group_near((mark for page in pages for mark in page["marks"][axis]), SAME_MM)
              if 2 * len(group) >= len(pages)] for axis in (0, 1)]
    ink = [pick(page["ink"][n] for page in pages) for n, pick in enumerate((min, min, max, max))]
    edges = [[fmean(line) for line in zip(*(page["edges"][axis] for page in pages), strict=False)] for axis in (0, 1)]
    if scale == 1:
        found = [*_divide_picture(width, height, edges, known, given)]
    else:
        filled = [*_fill_ink(ink, marks, edges, scale, known)]
        found = [replace(grid, confidence=0.99, how=f"{grid.how} and crop marks")
                 if any("marks" in other.how and not _differ(grid, other) for other in filled) else grid
                 for grid in _fit_shapes([*_find_shapes(pages)], known)] + filled
        has_marks = any(grid.counts == (1, 1) for grid in filled)
        found += _find_single(pages[0], known, given) if pages[0]["trim"] or not has_marks else ()
        if not any(grid.confidence > WORTH_A_LOOK and given.allows(grid) for grid in found):
            found += _space_edges(edges, scale, known)
            found += (grid for page in pages for grid in _divide_outline(page, known, given))
    allowed = [grid for grid in found if grid.confidence > WORTH_A_LOOK and given.allows(grid)]
    best = max(allowed, key=lambda grid: (round(grid.confidence, 2), grid.across.count * grid.down.count), default=None)
    if best and not pages[0]["is_vector"]:  # a photo may be askew in ways that no grid is
        best = replace(best, confidence=min(best.confidence, MOST_OF_PICTURE))
    if given.columns and given.size and (best is None or best.confidence < SURE or given.margin):
        return [replace(best, confidence=SURE, how=f"{best.how}, as given")
                if best and not given.margin and given.gaps is None else given.lay_out(width, height, scale)]
    grids = [best] if best else []
    for rival in (grid for grid in allowed if best and grid.confidence > best.confidence - 0.02):
        if all(_are_apart(rival, grid) for grid in grids):
            grids.append(rival)
        elif all(_differ(rival, grid) for grid in grids):
            other = f"{rival.across.count} × {rival.down.count} by {rival.how}"
            return [replace(grids[0], confidence=0.6, how=f"{grids[0].how}, or {other}")]
    return grids


def _find_single(page: PageStudy, known: Sequence[Size], given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the card that a page is: its trim box, else all of it (to be looked at), with or without a bleed."""
    def card(left: float, top: float, right: float, bottom: float) -> CardGrid:
        return CardGrid(GridAxis(left, right - left, 0, 1), GridAxis(top, bottom - top, 0, 1), 0.97, how)

    width, height = page["sides"]
    trim, how = page["trim"], "its trim box"
    if trim and max(trim[2] - trim[0], trim[3] - trim[1]) <= MAX_SINGLE_MM:
        yield card(*trim)
    elif max(width, height) <= MAX_SINGLE_MM:
        how = "the size of its pages"
        whole = card(0, 0, width, height)
        is_known = any(max(abs(width - size.width), abs(height - size.height)) < SAME_MM / 2 for size in known)
        bleeds = [] if is_known else [(size, bleed) for size, bleed in product(known, PAGE_BLEEDS_MM) if max(
            abs(width - size.width - 2 * bleed), abs(height - size.height - 2 * bleed)) < 0.2]
        if not bleeds:
            yield whole if is_known else replace(whole, confidence=SURE if given.columns else 0.8)
        for size, _ in bleeds[:1]:
            left, top = (width - size.width) / 2, (height - size.height) / 2
            how += " with a bleed"
            yield replace(card(left, top, left + size.width, top + size.height), confidence=0.93)


def _are_apart(one: CardGrid, other: CardGrid) -> bool:
    return any(a.end < b.start + SAME_MM or b.end < a.start + SAME_MM
               for a, b in zip(one.axes, other.axes, strict=True))


def _differ(one: CardGrid, other: CardGrid) -> bool:
    return any(a.count != b.count or abs(a.start - b.start) > 1 or abs(a.length - b.length) > 1
               for a, b in zip(one.axes, other.axes, strict=True))


def _space(lines: Sequence[float]) -> GridAxis | None:
    """The cards between lines, if they are of one length, and touch or have one gap."""
    spans = [end - start for start, end in pairwise(lines)]
    for lengths, gaps in (spans, [0.0]), (spans[::2], spans[1::2]):
        if len(lengths) >= len(gaps) > 0 and all(max(each) - min(each) < 2 * SAME_MM for each in (lengths, gaps)):
            axis = GridAxis(lines[0], fmean(lengths), fmean(gaps), len(lengths))
            if MIN_CARD_MM <= axis.length <= MAX_CARD_MM and axis.gap <= MAX_GAP_MM and axis.count <= MAX_COUNT:
                return axis
    return None


# --- Shapes ---

def _find_shapes(pages: Sequence[PageStudy]) -> Iterator[CardGrid]:
    """Yield the grids of shapes, pictures, forms or clips of one size."""
    boxes: dict[tuple[int, int], set[tuple[float, ...]]] = defaultdict(set)
    for box in (box for page in pages for box in page["boxes"]):
        boxes[round(2 * (box[2] - box[0])), round(2 * (box[3] - box[1]))].add(tuple(box))
    for key in boxes:
        near = [box for width, height in product((-1, 0, 1), repeat=2)
                for box in boxes.get((key[0] + width, key[1] + height), ())]
        across, down = (_space([fmean(group) for group in group_near((edge for box in near for edge in box[n::2]),
                                                                     2 * SAME_MM)]) for n in (0, 1))
        if across and down and max(abs(across.length - key[0] / 2), abs(down.length - key[1] / 2)) < 2 * SAME_MM:
            places = {(round(box[0] / SAME_MM), round(box[1] / SAME_MM)) for box in near}
            if len(places) >= max(2, 0.5 * across.count * down.count):
                yield CardGrid(across, down, 0.75, "shapes")


def _fit_shapes(shapes: Sequence[CardGrid], known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the cards of known sizes that shapes are, or their bleeds, or frames in cards that touch.

    Other shapes are cards if they are the ground of such frames, unless they touch, as bleeds may.
    """
    for grid in shapes:
        is_known = False
        for size in known:
            across, down = grid.across.resized(size.width), grid.down.resized(size.height)
            bleed, other = across.start - grid.across.start, down.start - grid.down.start
            if max(abs(bleed), abs(other)) < SAME_MM / 2:
                confidence, how = 0.94, grid.how
            elif min(grid.counts) > 1 and across.gap == down.gap == 0 > max(bleed, other):
                confidence, how = 0.91, grid.how
            elif 1 < bleed < MAX_BLEED_MM and abs(bleed - other) < SAME_MM / 4:
                confidence, how = 0.87, f"{grid.how} with a bleed"
            else:
                continue
            is_known = True
            yield CardGrid(across, down, confidence, how)
        if not is_known:
            margins = [[edge for one, outer in zip(other.axes, grid.axes, strict=True)
                        for edge in (one.start - outer.start, outer.end - one.end)]
                       for other in shapes if other.counts == grid.counts]
            has_frame = any(SAME_MM < min(each) <= max(each) < min(each) + SAME_MM for each in margins)
            is_outer = all(min(each) > -SAME_MM for each in margins)
            is_touching = max(axis.gap for axis in grid.axes) < 0.2 and max(grid.counts) > 1
            yield replace(grid, confidence=0.9 if has_frame and is_outer and not is_touching else 0.75)


# --- Marks and edges ---

def _fill_ink(ink: Sequence[float], marks: Sequence[Sequence[float]], edges: Sequence[Sequence[float]], scale: float,
              known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grids that fill what is printed but for a bleed, with one gap: by marks, else edges at all cuts.

    Where only one direction has marks, a known size says the other.
    """
    marked = [_space(each) for each in marks]
    bleed = max((ink[n + 2] - ink[n] - axis.end + axis.start for n, axis in enumerate(marked) if axis), default=0.0) / 2
    if bleed > MAX_BLEED_MM:
        return
    own = [Size(marked[0].length, marked[1].length)] if marked[0] and marked[1] else []
    for size in (*known, *own):
        options = [[*_fill(ink[n] + bleed, ink[n + 2] - bleed, side)] if axis is None else
                   [axis.resized(side)] if abs(axis.length - side) < SAME_MM / 2 else []
                   for n, (axis, side) in enumerate(zip(marked, (size.width, size.height), strict=True))]
        for across, down in product(*options):
            gaps = [axis.gap for axis in (across, down) if axis.count > 1]
            if (not gaps and (not own or max(across.length, down.length) > MAX_SINGLE_MM)) or (
                    gaps and max(gaps) - min(gaps) > SAME_MM and not own):
                continue
            if any(marked):
                yield CardGrid(across, down, 0.95 if size in known else 0.92, "crop marks")
            else:
                seen = fmean([*_see_cuts(across, edges[0], scale), *_see_cuts(down, edges[1], scale)])
                yield CardGrid(across, down, 0.93 if seen == 1 else 0.8 * seen, "edges")


def _fill(first: float, last: float, length: float) -> Iterator[GridAxis]:
    """Yield the axes that fill what is printed."""
    for count in range(1, MAX_COUNT + 1):
        spare = last - first - count * length
        if abs(spare) < 3 * SAME_MM:
            yield GridAxis(first + spare / 2, length, 0.0, count)
        elif count > 1 and 0.8 <= spare / (count - 1) <= MAX_GAP_MM / 4:
            yield GridAxis(first, length, spare / (count - 1), count)


def _space_edges(edges: Sequence[Sequence[float]], scale: float, known: Sequence[Size]) -> Iterator[CardGrid]:
    """Yield the grid of lines that cross all of what is printed, as around white cards."""
    across, down = (_space([fmean(group) for group in group_near(
        ((n + 0.5) / scale for n, edge in enumerate(line) if edge > WHOLE_LINE), 3 * SAME_MM)]) for line in edges)
    if across and down and min(across.count, down.count) > 1:
        grid = CardGrid(across, down, 0.75, "edges of lines")
        size = next((size for size in known if grid.has_size(size)), None)
        yield replace(grid, across=across.resized(size.width), down=down.resized(size.height),
                      confidence=0.92) if size else grid


def _divide_outline(page: PageStudy, known: Sequence[Size], given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of what is printed into cards that touch: as given, or of a known size whose border repeats.

    A count that is given alone is to be looked at where there is paper between the cards.
    """
    ink = page["ink"]
    for counts in [(given.columns, given.rows)] if given.columns else product(range(2, MAX_DIVIDED + 1), repeat=2):
        axes = []
        for n, count in enumerate(counts):
            gap = given.gaps[n] if given.gaps and count > 1 else 0.0
            axes.append(GridAxis(ink[n], (ink[n + 2] - ink[n] - (count - 1) * gap) / count, gap, count))
        grid = CardGrid(axes[0], axes[1], 0, "the outline of what is printed")
        if size := next((size for size in known if grid.has_size(size)), None):
            grid = replace(grid, across=axes[0].resized(size.width), down=axes[1].resized(size.height))
        repeats = all(_repeats_border(axis, tones, page["scale"], axis.start) for axis, tones in zip(
            grid.axes, page["tones"], strict=True))
        if size and (repeats or given.size):
            yield replace(grid, confidence=0.92 if repeats else SURE)
        elif given.columns and min(axes[0].length, axes[1].length) >= MIN_CARD_MM:
            has_white_cuts = any(max(tones[2:-2], default=0.0) > PAPER_TONE for tones in page["tones"])
            yield replace(grid, confidence=SURE if repeats or not has_white_cuts else 0.8)


def _repeats_border(axis: GridAxis, tones: Sequence[float], scale: float, start: float) -> bool:
    """Whether the columns on both sides of each cut have the tone of the outer border, and most others have not."""
    near = [max(round(rim * scale), 1) for rim in (0.4, 0.8, 1.2, 1.6)]
    places = [round((cut - start) * scale) for cut in axis.cuts]
    if places[-2] + near[-1] >= len(tones):
        return False
    border = fmean(tones[rim] for rim in near)
    sides = (tones[place + way * rim] for place in places[1:-1] for rim in near for way in (-1, 1))
    others = sum(abs(tone - border) > BORDER_TONE for tone in tones)
    return border < WHITE_TONE and 2 * others > len(tones) and all(abs(tone - border) < BORDER_TONE for tone in sides)


def _see_cuts(axis: GridAxis, edges: Sequence[float], scale: float) -> Iterator[bool]:
    """For each cut between cards: whether an edge runs along it."""
    least = max(STRONG, 2 * median(edges))
    for at in (round(cut * scale) for cut in axis.cuts[1:-1]):
        yield max(edges[max(at - 2, 0):at + 3], default=0.0) > least


def _divide_picture(width: float, height: float, edges: Sequence[Sequence[float]], known: Sequence[Size],
                    given: GivenGrid) -> Iterator[CardGrid]:
    """Yield the divisions of a picture without a scale into cards of known proportions, as virtual tables have them."""
    for columns, rows in product(range(1, MAX_COUNT + 1), repeat=2):
        size = next((size for size in known
                     if abs(width * rows * size.height / (height * columns * size.width) - 1) < 0.012), None)
        if columns * rows > 1 and size:
            seen = fmean([*_see_cuts(GridAxis(0, width / columns, 0, columns), edges[0], 1),
                          *_see_cuts(GridAxis(0, height / rows, 0, rows), edges[1], 1)])
            confidence = 0.95 if given.columns or seen == 1 else 0.8 * seen
            yield CardGrid(GridAxis(0, size.width, 0, columns), GridAxis(0, size.height, 0, rows),
                           confidence + 0.03 * ((columns, rows) == TABLE_SHEET), "equal parts of the picture")
