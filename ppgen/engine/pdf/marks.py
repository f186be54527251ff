"""Turns sides of sheets into PDF content: cut and registration marks, folds, crosses, scale bars, keys to tiles. Pure.

Operators are those of ISO 32000-1, 8.4 and 8.5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import cos, radians, sin, sqrt

from ppgen.engine.geometry import Line, Point, Rect, Size
from ppgen.engine.imposition.values import Furniture, Sheet, Side, Tile
from ppgen.engine.shapes.outline import Outline
from ppgen.engine.units import pdf_box, points

MARK_WIDTH = 0.15
"""Width of cut marks in mm: under 0.09 mm inkjets lose them."""
CASING = 0.3
"""Width of the white line below a mark that lies on a picture, in mm."""
SCALE_BAR = 50.0
"""Length of the scale bar on every sheet in mm."""
BAR_INSET = 2.0
"""The scale bar keeps this far from the strip's end, where a cross stands, in mm."""
BASELINE = 0.72
"""Where the scale bar and words stand in their strip: a share of its thickness."""
GREY = 0.25
"""How dark strips and crosses are (0 is black)."""
KEY_LENGTH, KEY_APART = 20.0, 2.0
"""Length of the key to the tiles of a long face at most, and how far the label keeps from it, in mm."""
ARM, RING = 1.5, 0.9
"""Half the length of a cross, and the radius of its circle, in mm."""
_KAPPA = 4 / 3 * (sqrt(2) - 1)
"""A quarter of a circle as a Bézier curve: how far its controls are from its ends, as a share of the radius."""

Writing = Callable[[Point], str]
"""What writes a point of the page as PDF has it."""


def marks_of(sheet: Sheet, side: Side) -> bytes:
    """All that is drawn on a side beside faces and words."""
    return _drawn(sheet.size, sheet.furniture, replace(side, name="", placements=()), tile_on(side))


def tile_on(side: Side) -> Tile | None:
    """What the side shows of a face that is larger than the paper, if it does."""
    return next((placed.tile for placed in side.placements if placed.tile), None)


@lru_cache(maxsize=64)  # most sheets of a deck are alike, and so are those of another language
def _drawn(page: Size, furniture: Furniture, side: Side, tile: Tile | None) -> bytes:
    here, turned = _writing(page, 0), _writing(page, side.rotation)
    drawn = [
        "q 0 G",
        _stroked(_path(side.cuts, turned)),
        _stroked(_path(side.folds, turned), (2, 1.2)),
        _cased(" ".join(_around(outline, turned) for outline in side.outlines)),
        _cased(_path(side.creases, turned), (0.5, 0.3)),
        _stroked(_path((line for seam in side.seams for line in _arrow(seam)), turned)),
        "0 g",  # black ink only: a camera looks for these
        *(_filled(rect, page) for mark in side.registration for rect in mark.ink),
        f"{GREY} G {GREY} g",
        *(_cross(at, here) for at in furniture.crosses),
        *(_key(tile, furniture, page) if tile else ()),
        _stroked(_path(_bar(furniture), here)),
        "Q"]
    return "\n".join(filter(None, drawn)).encode("ascii")


def _writing(page: Size, degrees: float) -> Writing:
    """What writes points of a page that is turned clockwise about its centre."""
    c, s, x, y = cos(radians(degrees)), sin(radians(degrees)), page.width / 2, page.height / 2

    def straight(at: Point) -> str:
        return f"{_number(points(at.x))} {_number(points(page.height - at.y))}"

    def turned(at: Point) -> str:
        across, down = at.x - x, at.y - y
        return straight(Point(x + c * across - s * down, y + s * across + c * down))

    return turned if degrees else straight


def _number(length: float) -> str:
    """Points as PDF writes them: it knows no exponents."""
    return f"{length:.7g}" if abs(length) >= 1 else f"{length:.6f}"


def _path(lines: Iterable[Line], at: Writing) -> str:
    return " ".join(f"{at(line.start)} m {at(line.end)} l" for line in lines)


def _around(outline: Outline, at: Writing) -> str:
    """What is cut along with scissors."""
    corners = [at(point) for point in outline.points]
    return " ".join(f"{start} m {end} l" for start, end in pairwise((*corners, corners[0])))


def _stroked(path: str, dash: tuple[float, ...] = (), width: float = MARK_WIDTH) -> str:
    lengths = " ".join(_number(points(length)) for length in dash)
    return f"{_number(points(width))} w [{lengths}] 0 d {path} S" if path else ""


def _cased(path: str, dash: tuple[float, ...] = ()) -> str:
    """Marks that lie on the picture: with a white line below, so that they show on dark colours, too."""
    return f"1 G {_stroked(path, width=CASING)} 0 G {_stroked(path, dash)}" if path else ""


def _filled(rect: Rect, page: Size) -> str:
    left, bottom, right, top = pdf_box(rect, page)
    return f"{' '.join(map(_number, (left, bottom, right - left, top - bottom)))} re f"


def _arrow(line: Line) -> tuple[Line, Line]:
    """An arrowhead whose tip is where the line starts: no mark to cut by."""
    across, down = (line.end.x - line.start.x) / 2, (line.end.y - line.start.y) / 2
    return (Line(line.start, Point(line.end.x + down, line.end.y + across)),
            Line(line.start, Point(line.end.x - down, line.end.y - across)))


def _cross(at: Point, write: Writing) -> str:
    """Where front and back meet: hold the sheet against the light, and both crosses should be one."""
    def near(x: float, y: float) -> str:
        return write(Point(at.x + x, at.y + y))

    far = RING * _KAPPA
    quarters = " ".join(
        f"{near(x * RING + y * far, y * RING - x * far)} {near(x * far + y * RING, y * far - x * RING)}"
        f" {near(y * RING, -x * RING)} c" for x, y in ((1, 0), (0, -1), (-1, 0), (0, 1)))
    lines = f"{near(-ARM, 0)} m {near(ARM, 0)} l {near(0, -ARM)} m {near(0, ARM)} l"
    return f"{_stroked(lines)} {near(RING, 0)} m {quarters} S"


def _bar(furniture: Furniture) -> Iterator[Line]:
    """The scale bar: a tick every 5 mm, longer ones every 10 mm."""
    strip, upright = furniture.foot, furniture.upright
    base = (strip.height if upright else strip.width) * BASELINE

    def at(along: float, across: float) -> Point:  # an upright strip is read from the bottom to the top
        return Point(strip.x + along, strip.y + across) if upright else Point(strip.x + across, strip.bottom - along)

    yield Line(at(BAR_INSET, base), at(BAR_INSET + SCALE_BAR, base))
    for n in range(11):
        along, height = BAR_INSET + n * SCALE_BAR / 10, 1.6 if n % 2 == 0 else 0.9
        yield Line(at(along, base), at(along, base - height))


def key_length(tile: Tile, furniture: Furniture) -> float:
    """How much of its strip the key to the tiles takes, with what the label keeps from it, in mm."""
    return (tile.columns[-1] if furniture.upright else tile.rows[-1]) * _key_scale(tile, furniture) + KEY_APART


def _key_scale(tile: Tile, furniture: Furniture) -> float:
    strip, width, height = furniture.label, tile.columns[-1], tile.rows[-1]
    if furniture.upright:
        return min(strip.height / height, KEY_LENGTH / width)
    return min(strip.width / width, KEY_LENGTH / height)


def _key(tile: Tile, furniture: Furniture, page: Size) -> tuple[str, str]:
    """All tiles small at the end of a strip, the sheet's own filled."""
    strip, scale = furniture.label, _key_scale(tile, furniture)
    width, height, own = tile.columns[-1], tile.rows[-1], tile.own
    left = strip.right - width * scale if furniture.upright else strip.x

    def at(x: float, y: float) -> Point:
        return Point(left + x * scale, strip.y + y * scale)

    corner = at(own.x, own.y)
    lines = [*(Line(at(x, 0), at(x, height)) for x in tile.columns),
             *(Line(at(0, y), at(width, y)) for y in tile.rows)]
    return (_filled(Rect(corner.x, corner.y, own.width * scale, own.height * scale), page),
            _stroked(_path(lines, _writing(page, 0))))
