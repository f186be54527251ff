"""Ornament for templates: diapers, bands, rulers; and QR codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import product
from typing import TypeAlias

from ppgen.engine.geometry import format_decimal as mm
from ppgen.engine.svg.elements import svg_element

# --- Diapers and bands ---
# Computed SVG: rulers, scales, diapers and bands.
#
# Templates call these as functions; lengths are millimetres.

SCALE_INK = "#3B2A1E"  # the umber of all outlines
THIN, FINE_LINE = 0.2, 0.15
TICK, FAN = 3.4, 10.0  # length of a scale's ticks, and how far from the scale their lines lead, in mm
MAX_SCALE_MM = 1_000  # length of a ruler, and reach of a scale: more than any paper has, and few enough ticks
MAX_MOTIFS = 5_000  # the longest side of a band in widths of the band


# --- Rulers and scales ---

def ruler(*, x: float, y: float, length: int, upright: bool = False, ink: str = SCALE_INK) -> str:
    """Draw a ruler from x, y to the right (or down) with a tick each millimetre, longer each 5 and 10."""
    _check_length("length", length)
    lines = [_line(x, y, x, y + length) if upright else _line(x, y, x + length, y)]
    for at in range(length + 1):
        tick = 5.0 if at % 10 == 0 else 3.5 if at % 5 == 0 else 2.0
        lines.append(_line(x, y + at, x + tick, y + at) if upright else _line(x + at, y, x + at, y + tick))
    return _group(lines, ink, THIN)


def drift_scale(*, x: float, y: float, reach: int, upright: bool = False, far: bool = False, fan: float = 1.0,
                length: float = FAN, ink: str = SCALE_INK) -> str:
    """Draw a scale with its zero at x, y and a tick each 0.5 mm to ``reach`` mm on both sides.

    The ticks of a level scale point up, those of an upright one to the left; with ``far`` down and right. The ticks of
    whole millimetres lead on until, ``length`` mm from the scale, they are ``fan`` mm apart, with room for labels.
    """
    _check_length("reach", reach)
    side = 1 if far else -1
    lines = []

    def add(at: float, start: float, to: float, end: float) -> None:
        lines.append(_line(x + side * start, y + at, x + side * end, y + to) if upright else
                     _line(x + at, y + side * start, x + to, y + side * end))

    for half in range(-2 * reach, 2 * reach + 1):
        at = half / 2
        add(at, 0, at, 1.8 if half % 2 else TICK if half or fan != 1 else 1.5 * TICK)
        if half % 2 == 0 and fan != 1:
            add(at, TICK, at * fan, length)
    return _group(lines, ink, FINE_LINE)


def _check_length(name: str, length: int) -> None:
    if length > MAX_SCALE_MM:
        raise ValueError(f"{name} is at most {MAX_SCALE_MM:,} mm")


def _group(lines: list[str], ink: str, width: float) -> str:
    return svg_element("g", *lines, fill="none", stroke=ink, stroke_width=width)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return svg_element("line", x1=x1, y1=y1, x2=x2, y2=y2)


# --- Diapers: repeated ornament to fill shapes with ---

def lozenge_pattern(*, id: str, size: float, stroke: str, width: float = FINE_LINE, dot: str = "none") -> str:
    """Return a ``<pattern>`` of lozenges ``size`` mm wide, with a dot in each, to fill shapes with."""
    height = round(size * 1.4, 3)
    half, middle = round(size / 2, 3), round(height / 2, 3)
    inside = [svg_element("path", d=f"M0 0L{size} {height}M{size} 0L0 {height}", stroke=stroke, stroke_width=width,
                          fill="none")]
    if dot != "none":
        inside += [svg_element("circle", cx=cx, cy=cy, r=round(size / 12, 3), fill=dot)
                   for cx, cy in ((half, 0), (0, middle), (size, middle), (half, height))]
    return svg_element("pattern", *inside, id=id, x=0, y=0, width=size, height=height, patternUnits="userSpaceOnUse")


@dataclass(frozen=True, slots=True)
class _Tile:
    """One repeat of a diaper, ``width`` × ``height`` units: path data of lines, and of filled parts."""

    width: float
    height: float
    lines: str
    fills: str = ""


@lru_cache(maxsize=1000)
def diaper(*, id: str, kind: str, size: float, stroke: str, fill: str = "none", x: float = 0, y: float = 0,
           width: float = FINE_LINE) -> str:
    """Return a ``<pattern>`` of computed ornament to fill shapes with; ``kind`` is one of ``DIAPERS``.

    A repeat is ``size`` mm wide and begins at ``x``, ``y`` (mm): at the middle of the shape the ornament becomes
    symmetrical. ``width`` is the thickness of its lines in mm, ``fill`` the colour of its small solid parts.
    """
    tile = DIAPERS[kind]()
    scale = size / tile.width
    solid = [svg_element("path", d=tile.fills, fill=fill)] if tile.fills and fill != "none" else []
    lines = svg_element("path", d=tile.lines, fill="none", stroke=stroke, stroke_width=_short(width / scale))
    return svg_element(
        "pattern", *solid, lines, id=id, x=0, y=0, width=_short(tile.width), height=_short(tile.height),
        patternUnits="userSpaceOnUse",
        patternTransform=f"translate({_short(x)} {_short(y)}) scale({scale:.4f})")


def _lozengy() -> _Tile:
    """Lozenges, in each a smaller one with a pellet."""
    inner = "".join(_polygon((x, y - 8), (x + 5.7, y), (x, y + 8), (x - 5.7, y))
                    for x, y in ((10, 0), (10, 28), (0, 14), (20, 14)))
    pellets = "".join(_circle(x, y, 1.7) for x, y in ((10, 0), (10, 28), (0, 14), (20, 14)))
    return _Tile(20, 28, "M0 0L20 28M20 0L0 28" + inner, pellets)


def _quatrefoils() -> _Tile:
    """Quatrefoils that touch, with a star between each four."""
    foil = "M6.5 6.5a4.5 4.5 0 0 1 9 0a4.5 4.5 0 0 1 0 9a4.5 4.5 0 0 1 -9 0a4.5 4.5 0 0 1 0 -9Z"
    stars = "".join(_star(x, y, 4, 3.6, 0.3) for x in (0, 22) for y in (0, 22))
    return _Tile(22, 22, foil, _circle(11, 11, 2.2) + stars)


def _stars() -> _Tile:
    """Stars of eight rays that touch; the ground between them is crosses."""
    fills = _star(12, 12, 8, 5, 0.5) + "".join(_star(x, y, 4, 3.2, 0.4) for x in (0, 24) for y in (0, 24))
    return _Tile(24, 24, _star(12, 12, 8, 12, 0.7654), fills)


def _scales() -> _Tile:
    """Scales, each with a smaller one in it."""
    rows = "M0 0a10 10 0 0 0 20 0M-10 10a10 10 0 0 0 20 0a10 10 0 0 0 20 0"
    inner = "M4.5 0a5.5 5.5 0 0 0 11 0M-5.5 10a5.5 5.5 0 0 0 11 0M14.5 10a5.5 5.5 0 0 0 11 0"
    return _Tile(20, 20, rows + inner, "".join(_circle(x, y, 1.4) for x, y in ((10, 1.8), (0, 11.8), (20, 11.8))))


def _fretty() -> _Tile:
    """Two sets of bands, woven over and under each other, with a small lozenge in each opening."""
    c = 3.2  # half the width of a band, along an edge of the tile
    over = f"M0 {24 - c}L{24 - c} 0M{c} 24L24 {c}"
    under = (f"M0 {c}L{12 - c} 12M12 {12 + c}L{24 - c} 24"
             f"M{c} 0L12 {12 - c}M{12 + c} 12L24 {24 - c}")
    openings = "".join(_polygon((x, y - 3), (x + 3, y), (x, y + 3), (x - 3, y))
                       for x, y in ((12, 0), (12, 24), (0, 12), (24, 12)))
    return _Tile(24, 24, over + under, openings)


def _circles() -> _Tile:
    """Circles that meet in petals, a pellet in each opening."""
    r = _short(10 * math.sqrt(2))
    petals = (f"M10 -10A{r} {r} 0 0 1 10 10A{r} {r} 0 0 1 10 -10ZM10 10A{r} {r} 0 0 1 10 30A{r} {r} 0 0 1 10 10Z"
              f"M-10 10A{r} {r} 0 0 1 10 10A{r} {r} 0 0 1 -10 10ZM10 10A{r} {r} 0 0 1 30 10A{r} {r} 0 0 1 10 10Z")
    return _Tile(20, 20, petals + "".join(_star(x, y, 4, 2.6, 0.4) for x in (0, 20) for y in (0, 20)), petals)


def _chequers() -> _Tile:
    squares = "M0 0H10V10H0ZM10 10H20V20H10Z"
    roses = "".join(_foil(x, y, 2.1, 1.35, 5) for x, y in ((15, 5), (5, 15)))
    return _Tile(20, 20, "M0 0H20M0 10H20M0 0V20M10 0V20" + roses, squares)


def _waves() -> _Tile:
    """Rows of waves, each with a curl under its crest."""
    def row(x: float, y: float) -> str:
        return (f"M{x} {y + 5}C{x + 7} {y + 5} {x + 6} {y} {x + 12} {y}C{x + 18} {y} {x + 17} {y + 5} {x + 24} {y + 5}"
                f"M{x + 8.6} {y + 7}C{x + 8.6} {y + 2.2} {x + 15.4} {y + 2.2} {x + 15.4} {y + 7}")
    return _Tile(24, 16, row(0, 1) + row(-12, 9) + row(12, 9) + row(0, -15) + row(0, 17))


def _vine() -> _Tile:
    """A climbing stem with a curling shoot and a leaf on either side by turns."""
    stem = "M12 0C23 4 23 12 12 16C1 20 1 28 12 32"
    shoots = ("M12 0C4 1.5 1.5 8 5 11C8.5 13.8 13 10.5 10.5 7.5"
              "M12 16C20 17.5 22.5 24 19 27C15.5 29.8 11 26.5 13.5 23.5")
    leaves = _foil(8.6, 6.4, 2, 1.75, 3, 45) + _foil(15.4, 22.4, 2, 1.75, 3, -45)
    buds = _circle(21.5, 15, 1.2) + _circle(2.5, 31, 1.2) + _circle(23.3, 4, 1.2) + _circle(0.7, 20, 1.2)
    return _Tile(24, 32, stem + shoots, leaves + buds)


DIAPERS: Mapping[str, Callable[[], _Tile]] = {
    "lozengy": _lozengy, "vine": _vine, "quatrefoils": _quatrefoils, "stars": _stars, "scales": _scales,
    "fretty": _fretty, "circles": _circles, "chequers": _chequers, "waves": _waves}
"""The diapers by name."""


# --- Bands: borders around a picture ---

BandOutline: TypeAlias = Sequence[tuple[float, float]]
"""A closed line: a start, then three points for each cubic curve. A point is the distance along a side and across it,
from the outer edge to the inner, in mm."""


@lru_cache(maxsize=1000)
def band(*, kind: str, x: float, y: float, width: float, height: float, thick: float, fill: str = "none",
         stroke: str = "none", line: float = FINE_LINE, level: bool = False) -> str:
    """Draw a border of computed ornament just inside the rectangle, ``thick`` mm wide; ``kind`` is one of ``BANDS``.

    A ``level`` band is only its upper side, from corner to corner. The motifs run clockwise and are stretched a little
    so that a whole number of them fills each side; each corner has a small star. ``line`` is the thickness of the
    ``stroke``.
    """
    pitch, motif = BANDS[kind]
    if not max(width, height) <= MAX_MOTIFS * thick:
        raise ValueError(f"thick is at least a {MAX_MOTIFS:,}th of the sides")
    sides = ((x + thick, y, 1, 0, width), (x + width, y + thick, 0, 1, height),
             (x + width - thick, y + height, -1, 0, width), (x, y + height - thick, 0, -1, height))
    parts: list[str] = []
    for start_x, start_y, right, down, length in sides[:1] if level else sides:
        room = length - 2 * thick
        count = max(1, round(room / (pitch * thick)))
        step = room / count
        # across is along, turned right by 90 degrees: towards the picture
        parts += (_curved([(start_x + right * (n * step + along) - down * across,
                            start_y + down * (n * step + along) + right * across) for along, across in outline])
                  for n in range(count) for outline in motif(step, thick))
    ends = (y + thick / 2, y + height - thick / 2)
    corners = product((x + thick / 2, x + width - thick / 2), ends[:1] if level else ends)
    parts += (_star(*corner, 4, thick * 0.42, 0.42) for corner in corners)
    return svg_element("path", d="".join(parts), fill=fill, stroke=stroke, stroke_width=_short(line),
                       stroke_linejoin="round")


def _bezants(p: float, t: float) -> list[BandOutline]:
    return [_round(p / 2, t / 2, t * 0.3)]


def _dentils(p: float, t: float) -> list[BandOutline]:
    return [_straight((p * 0.27, t * 0.2), (p * 0.73, t * 0.2), (p * 0.73, t * 0.68), (p, t * 0.68), (p, t * 0.83),
                      (0, t * 0.83), (0, t * 0.68), (p * 0.27, t * 0.68))]


def _zigzag(p: float, t: float) -> list[BandOutline]:
    return [_straight((0, t * 0.88), (p / 2, t * 0.12), (p, t * 0.88))]


def _rope(p: float, t: float) -> list[BandOutline]:
    low, high = t * 0.86, t * 0.14
    return [((p * 0.04, low), (p * 0.3, low), (p * 0.3, high), (p * 0.86, high), (p * 0.9, high), (p * 0.95, high),
             (p * 0.98, high), (p * 0.72, high), (p * 0.72, low), (p * 0.16, low), (p * 0.1, low), (p * 0.08, low),
             (p * 0.04, low))]


def _fusils(p: float, t: float) -> list[BandOutline]:
    return [_straight((0, t / 2), (p / 2, t * 0.14), (p, t / 2), (p / 2, t * 0.86))]


def _chequy(p: float, t: float) -> list[BandOutline]:
    low, half, high = t * 0.86, t / 2, t * 0.14
    return [_straight((0, high), (p / 2, high), (p / 2, half), (0, half)),
            _straight((p / 2, half), (p, half), (p, low), (p / 2, low))]


def _wavy(p: float, t: float) -> list[BandOutline]:
    low, high = t * 0.74, t * 0.22
    deep = t * 0.3
    return [((0, low), (p * 0.28, low), (p * 0.22, high), (p / 2, high), (p * 0.78, high), (p * 0.72, low), (p, low),
             (p, low), (p, low), (p, low + deep * 0.45), (p * 0.72, low + deep * 0.45), (p * 0.78, high + deep),
             (p / 2, high + deep), (p * 0.22, high + deep), (p * 0.28, low + deep * 0.45), (0, low + deep * 0.45))]


def _beads(p: float, t: float) -> list[BandOutline]:
    return [_straight((p * 0.02, t / 2), (p * 0.33, t * 0.26), (p * 0.64, t / 2), (p * 0.33, t * 0.74)),
            _round(p * 0.82, t / 2, t * 0.2)]


def _leaves(p: float, t: float) -> list[BandOutline]:
    def leaf(side: float) -> BandOutline:
        def at(along: float, across: float) -> tuple[float, float]:
            return p * along, t * (0.5 + side * across)
        return (at(0, 0.02), at(0.1, 0.2), at(0.4, 0.42), at(0.98, 0.4), at(0.9, 0.2), at(0.5, 0.02), at(0, 0.02))
    return [leaf(-1), leaf(1)]


BANDS: Mapping[str, tuple[float, Callable[[float, float], list[BandOutline]]]] = {
    "bezants": (0.95, _bezants), "dentils": (1.1, _dentils), "zigzag": (0.85, _zigzag), "rope": (0.85, _rope),
    "fusils": (1.1, _fusils), "chequy": (0.8, _chequy), "wavy": (1.3, _wavy), "beads": (1.6, _beads),
    "leaves": (1.0, _leaves)}
"""The bands by name: the length of a motif in thicknesses, and a function from its length and thickness in mm to its
outlines."""


# --- Small shapes, as path data ---

def _circle(x: float, y: float, r: float) -> str:
    return f"M{_short(x - r)} {_short(y)}a{r} {r} 0 1 0 {_short(2 * r)} 0a{r} {r} 0 1 0 {_short(-2 * r)} 0Z"


def _polygon(*points: tuple[float, float]) -> str:
    return "M" + "L".join(f"{_short(x)} {_short(y)}" for x, y in points) + "Z"


def _star(x: float, y: float, rays: int, r: float, depth: float) -> str:
    """A star with a ray upright; ``depth`` is the inner radius as a share of the outer."""
    tips = ((math.pi * n / rays, r * depth if n % 2 else r) for n in range(2 * rays))
    return _polygon(*((x + math.sin(turn) * reach, y - math.cos(turn) * reach) for turn, reach in tips))


def _foil(x: float, y: float, reach: float, r: float, leaves: int, turn: float = 0) -> str:
    """Round leaves around a point, at the distance ``reach``; ``turn`` in degrees."""
    angles = (math.radians(turn) + 2 * math.pi * n / leaves for n in range(leaves))
    return "".join(_circle(x + math.sin(angle) * reach, y - math.cos(angle) * reach, r) for angle in angles)


def _round(along: float, across: float, r: float) -> BandOutline:
    k = 0.5523 * r  # a circle in four cubic curves
    return ((along, across - r), (along + k, across - r), (along + r, across - k), (along + r, across),
            (along + r, across + k), (along + k, across + r), (along, across + r), (along - k, across + r),
            (along - r, across + k), (along - r, across), (along - r, across - k), (along - k, across - r),
            (along, across - r))


def _straight(*corners: tuple[float, float]) -> BandOutline:
    return (corners[0], *(corner for corner in corners[1:] for _ in range(3)))


def _curved(points: BandOutline) -> str:
    """Return path data; a curve of three equal points is a straight line."""
    start, data = points[0], []
    for first, second, end in zip(points[1::3], points[2::3], points[3::3], strict=True):
        data.append(f"L{_pair(end)}" if first == second == end else f"C{_pair(first)} {_pair(second)} {_pair(end)}")
    return f"M{_pair(start)}{''.join(data)}Z"


def _pair(point: tuple[float, float]) -> str:
    return f"{_short(point[0])} {_short(point[1])}"


def _short(number: float) -> str:
    """Format a number with the two decimals that matter in print."""
    return f"{round(number, 2) + 0:g}"


# --- QR codes ---
# QR codes as SVG: one outline around all dark modules, so that no hairline shows between them.

QUIET = 4  # light modules around a code (ISO/IEC 18004)
MIN_MODULE, MIN_CODE_CONTRAST = 0.4, 4.0  # side of a module (mm), and contrast, below which phones fail


@dataclass(frozen=True, slots=True)
class QrCode:
    """The outline of the dark modules as path data, and the modules of a side with the quiet zone; each is 1 wide."""

    outline: str
    side: int


@lru_cache(maxsize=500)
def make_qr_code(words: str) -> QrCode:
    """Encode the words, with a seventh of the code restorable at least. Raises ValueError if they are too long."""
    import segno  # few decks have codes

    try:
        matrix = segno.make(words, error="m", micro=False).matrix
    except segno.DataOverflowError:
        raise ValueError(f"{len(words)} characters are too many for a QR code") from None
    outline = "".join(f"M{'L'.join(f'{x} {y}' for x, y in loop)}z" for loop in _outlines(matrix))
    return QrCode(outline, len(matrix) + 2 * QUIET)


def draw_qr_code(words: str, x: float, y: float, size: float, fill: str = "#000000", ground: str = "#FFFFFF") -> str:
    """Draw the code of some words on its ground, whose left upper corner is given. Raises ValueError as above."""
    code = make_qr_code(words)
    return (svg_element("rect", x=mm(x), y=mm(y), width=mm(size), height=mm(size), fill=ground)
            + f'<path transform="translate({mm(x)} {mm(y)}) scale({size / code.side:.5f})" fill="{escape(fill)}" '
              f'd="{code.outline}"/>')


def _outlines(matrix: Sequence[Sequence[int]]) -> Iterator[list[tuple[int, int]]]:
    """Trace the edges between dark and light modules, with the dark ones to the right, corner by corner."""
    edges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for y, row in enumerate(matrix, QUIET):
        for x, _ in filter(lambda module: module[1], enumerate(row, QUIET)):
            corners = (x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)
            for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                if start in edges.get(end, ()):
                    edges[end].remove(start)  # an edge between two dark modules
                else:
                    edges.setdefault(start, []).append(end)
    for start, ends in edges.items():
        while ends:
            loop, here = [start], ends.pop()
            while here != start:
                if len(loop) > 1 and (loop[-2][0] == loop[-1][0] == here[0] or loop[-2][1] == loop[-1][1] == here[1]):
                    loop.pop()  # in the middle of a straight line
                loop.append(here)
                here = edges[here].pop()
            yield loop
