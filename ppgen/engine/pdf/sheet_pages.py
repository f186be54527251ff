"""Sheets as PDF pages: cut and registration marks, folds, crosses, scale bars, keys to tiles, captions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import cos, fsum, radians, sin, sqrt
from typing import TYPE_CHECKING

from ppgen.cache import cache_key, cached, folder_digest
from ppgen.engine.drawing.fonts import Font, FontBook, report_damaged_font
from ppgen.engine.geometry import MM, LineSegment, Point, Rect, Size, pdf_box, points
from ppgen.engine.imposition.sheets import Furniture, Sheet, SheetSide, SheetTile
from ppgen.engine.svg.outlines import Outline

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas


# --- Marks: operators of ISO 32000-1, 8.4 and 8.5 ---

MARK_WIDTH = 0.15  # width of cut marks in mm: under 0.09 mm inkjets lose them
CASING = 0.3  # width of the white line under a mark that lies on a picture, in mm
SCALE_BAR = 50.0  # length of the scale bar on every sheet, in mm
BAR_INSET = 2.0  # distance of the scale bar from the strip's end, where a cross stands, in mm
BASELINE = 0.72  # position of the scale bar and of words in their strip: a share of its thickness
GREY = 0.25  # grey of strips and crosses (0 is black)
KEY_LENGTH, KEY_APART = 20.0, 2.0  # maximum length of the key to the tiles, and its distance from the label, in mm
ARM, RING = 1.5, 0.9  # half the length of a cross, and the radius of its circle, in mm
_KAPPA = 4 / 3 * (sqrt(2) - 1)  # from the ends of a quarter circle's Bézier curve to its control points, by the radius

FIXED_MARKS = "0 g"  # content before the marks that stay where the paper is, whatever the back's shift and rotation

PointWriter = Callable[[Point], str]  # writes a point of the page in PDF coordinates


def draw_marks(sheet: Sheet, side: SheetSide) -> bytes:
    """Draw everything on a side except faces and captions, as PDF content."""
    return _draw(sheet.size, sheet.furniture, replace(side, name="", placements=()), _side_tile(side))


def _side_tile(side: SheetSide) -> SheetTile | None:
    """The tile on the side, if its face is larger than the paper."""
    return next((placement.tile for placement in side.placements if placement.tile), None)


@lru_cache(maxsize=64)  # most sheets of a deck are alike, and so are those of another language
def _draw(page: Size, furniture: Furniture, side: SheetSide, tile: SheetTile | None) -> bytes:
    straight, turned = _point_writer(page, 0), _point_writer(page, side.rotation)
    content = [
        "q 0 G",
        _stroke(_path(side.cuts, turned)),
        _stroke(_path(side.folds, turned), (2, 1.2)),
        _stroke_cased(" ".join(_outline_path(outline, turned) for outline in side.outlines)),
        _stroke_cased(_path(side.creases, turned), (0.5, 0.3)),
        _stroke(_path((line for seam in side.seams for line in _arrowhead(seam)), turned)),
        FIXED_MARKS,  # black ink only: a camera looks for these
        *(_fill(rect, page) for mark in side.registration for rect in mark.ink),
        f"{GREY} G {GREY} g",
        *(_cross(at, straight) for at in furniture.crosses),
        *(_tile_key(tile, furniture, page) if tile else ()),
        _stroke(_path(_scale_bar(furniture), straight)),
        "Q"]
    return "\n".join(filter(None, content)).encode("ascii")


def _point_writer(page: Size, degrees: float) -> PointWriter:
    c, s, x, y = cos(radians(degrees)), sin(radians(degrees)), page.width / 2, page.height / 2

    def straight(at: Point) -> str:
        return f"{_number(points(at.x))} {_number(points(page.height - at.y))}"

    def turned(at: Point) -> str:
        across, down = at.x - x, at.y - y
        return straight(Point(x + c * across - s * down, y + s * across + c * down))

    return turned if degrees else straight


def _number(length: float) -> str:
    """Format a number of points: PDF has no exponents."""
    return f"{length:.7g}" if abs(length) >= 1 else f"{length:.6f}"


def _path(lines: Iterable[LineSegment], at: PointWriter) -> str:
    return " ".join(f"{at(line.start)} m {at(line.end)} l" for line in lines)


def _outline_path(outline: Outline, at: PointWriter) -> str:
    corners = [at(point) for point in outline.points]
    ends = corners[:1] if outline.closed else []
    return " ".join(f"{start} m {end} l" for start, end in pairwise((*corners, *ends)))


def _stroke(path: str, dash: tuple[float, ...] = (), width: float = MARK_WIDTH) -> str:
    lengths = " ".join(_number(points(length)) for length in dash)
    return f"{_number(points(width))} w [{lengths}] 0 d {path} S" if path else ""


def _stroke_cased(path: str, dash: tuple[float, ...] = ()) -> str:
    """Stroke marks that lie on a picture, with a white line under them to be visible on dark colours, too."""
    return f"1 G {_stroke(path, width=CASING)} 0 G {_stroke(path, dash)}" if path else ""


def _fill(rect: Rect, page: Size) -> str:
    left, bottom, right, top = pdf_box(rect, page)
    return f"{' '.join(map(_number, (left, bottom, right - left, top - bottom)))} re f"


def _arrowhead(line: LineSegment) -> tuple[LineSegment, LineSegment]:
    """An arrowhead with its tip at the start of the line, so that it is not taken for a cut mark."""
    across, down = (line.end.x - line.start.x) / 2, (line.end.y - line.start.y) / 2
    return (LineSegment(line.start, Point(line.end.x + down, line.end.y + across)),
            LineSegment(line.start, Point(line.end.x - down, line.end.y - across)))


def _cross(at: Point, write: PointWriter) -> str:
    """A cross in a circle: held against the light, those of front and back should coincide."""
    def near(x: float, y: float) -> str:
        return write(Point(at.x + x, at.y + y))

    far = RING * _KAPPA
    quarters = " ".join(
        f"{near(x * RING + y * far, y * RING - x * far)} {near(x * far + y * RING, y * far - x * RING)}"
        f" {near(y * RING, -x * RING)} c" for x, y in ((1, 0), (0, -1), (-1, 0), (0, 1)))
    lines = f"{near(-ARM, 0)} m {near(ARM, 0)} l {near(0, -ARM)} m {near(0, ARM)} l"
    return f"{_stroke(lines)} {near(RING, 0)} m {quarters} S"


def _scale_bar(furniture: Furniture) -> Iterator[LineSegment]:
    """The scale bar: a tick every 5 mm, longer ones every 10 mm."""
    strip, upright = furniture.foot, furniture.upright
    base = (strip.height if upright else strip.width) * BASELINE

    def at(along: float, across: float) -> Point:  # an upright strip is read from the bottom to the top
        return Point(strip.x + along, strip.y + across) if upright else Point(strip.x + across, strip.bottom - along)

    yield LineSegment(at(BAR_INSET, base), at(BAR_INSET + SCALE_BAR, base))
    for n in range(11):
        along, height = BAR_INSET + n * SCALE_BAR / 10, 1.6 if n % 2 == 0 else 0.9
        yield LineSegment(at(along, base), at(along, base - height))


def _key_length(tile: SheetTile, furniture: Furniture) -> float:
    """The length of the key to the tiles with its distance from the label, in mm."""
    return (tile.columns[-1] if furniture.upright else tile.rows[-1]) * _key_scale(tile, furniture) + KEY_APART


def _key_scale(tile: SheetTile, furniture: Furniture) -> float:
    strip, width, height = furniture.label, tile.columns[-1], tile.rows[-1]
    if furniture.upright:
        return min(strip.height / height, KEY_LENGTH / width)
    return min(strip.width / width, KEY_LENGTH / height)


def _tile_key(tile: SheetTile, furniture: Furniture, page: Size) -> tuple[str, str]:
    """A small picture of all tiles at the end of a strip, with that of the sheet filled."""
    strip, scale = furniture.label, _key_scale(tile, furniture)
    width, height, own = tile.columns[-1], tile.rows[-1], tile.own
    left = strip.right - width * scale if furniture.upright else strip.x

    def at(x: float, y: float) -> Point:
        return Point(left + x * scale, strip.y + y * scale)

    corner = at(own.x, own.y)
    lines = [*(LineSegment(at(x, 0), at(x, height)) for x in tile.columns),
             *(LineSegment(at(0, y), at(width, y)) for y in tile.rows)]
    return (_fill(Rect(corner.x, corner.y, own.width * scale, own.height * scale), page),
            _stroke(_path(lines, _point_writer(page, 0))))


# Captions: the label in one strip, the hint next to the scale bar in the other

BAR_APART = 2.0  # distance of the hint from the scale bar, in mm
LETTER_SIZE = 5.8 * MM["pt"]  # maximum type size of the label and the hint, in mm


@dataclass(frozen=True, slots=True, kw_only=True)
class Captions:
    """The words on one page: its label, and the hint next to the scale bar."""

    label: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _CaptionLine:
    """Words in a strip of a page, ``start`` from its beginning, at most ``room`` long. All in mm."""

    text: str
    strip: Rect
    start: float
    room: float


def draw_pages(sheets: Sequence[Sheet], captions: Sequence[Captions], fonts: FontBook) -> bytes:
    """A PDF with a page for each side of each sheet; ``captions`` has an entry for each page. Cached between runs."""
    sides = [(sheet, side) for sheet in sheets for side in sheet.sides]
    pages = [(sheet.size, sheet.furniture.upright, tuple(_caption_lines(sheet.furniture, _side_tile(side), words)))
             for (sheet, side), words in zip(sides, captions, strict=True)]
    digest = folder_digest(fonts.folder)
    return cached(cache_key("pages", digest, fonts, pages) if digest else None, lambda: _draw_canvas(pages, fonts))


def _caption_lines(furniture: Furniture, tile: SheetTile | None, captions: Captions) -> Iterator[_CaptionLine]:
    """The label, up to the key to the tiles at the end of its strip, and the hint after the scale bar."""
    length = max(furniture.label.width, furniture.label.height)
    key, start = _key_length(tile, furniture) if tile else 0.0, BAR_INSET + SCALE_BAR + BAR_APART
    yield _CaptionLine(text=captions.label, strip=furniture.label, start=0.0, room=length - key)
    yield _CaptionLine(text=captions.hint, strip=furniture.foot, start=start, room=length - start)


def _draw_canvas(pages: Sequence[tuple[Size, bool, tuple[_CaptionLine, ...]]], fonts: FontBook) -> bytes:
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # pikepdf compresses the pages again
    target = io.BytesIO()
    canvas = Canvas(target, invariant=1, initialFontName=_register_font(fonts.labels[0]))
    for size, upright, lines in pages:
        canvas.setPageSize((points(size.width), points(size.height)))
        canvas.setFillGray(GREY)
        for line in lines:
            canvas.saveState()
            if upright:
                canvas.translate(points(line.strip.x), points(size.height - line.strip.y))
                base = line.strip.height * BASELINE
            else:  # read from the bottom to the top
                canvas.translate(points(line.strip.x), points(size.height - line.strip.bottom))
                canvas.rotate(90)
                base = line.strip.width * BASELINE
            _set_line(line, base, canvas, fonts)
            canvas.restoreState()
        canvas.showPage()
    with report_damaged_font(fonts.folder):  # subsets the fonts
        canvas.save()
    return target.getvalue()


def _set_line(line: _CaptionLine, base: float, canvas: Canvas, fonts: FontBook) -> None:
    """Set words on a baseline ``base`` mm below the canvas's origin, in the largest type that fits."""
    runs = [(run.text, _register_font(run.font)) for run in fonts.label_runs(line.text)]
    widths = [float(canvas.stringWidth(text, name, points(LETTER_SIZE))) for text, name in runs]
    share = points(line.room) / max(fsum(widths), points(line.room))
    at = points(line.start)
    for (text, name), width in zip(runs, widths, strict=True):
        canvas.setFont(name, points(LETTER_SIZE) * share)
        canvas.drawString(at, -points(base), text)
        at += width * share


def _register_font(font: Font) -> str:
    """The name of the font in reportlab; the file is read when the first words in it are set."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    name = str(font.path)
    if name not in pdfmetrics.getRegisteredFontNames():
        with report_damaged_font(font.path):
            pdfmetrics.registerFont(TTFont(name, str(font.path), asciiReadable=False))
    return name
