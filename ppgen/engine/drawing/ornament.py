"""Ornament for templates: diapers, bands, rulers; and QR codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from html import escape
from itertools import product
from typing import Any

from ppgen.engine.geometry import format_decimal as mm
from ppgen.engine.svg.elements import path_steps, svg_element
from ppgen.shipped import parse_toml_text, shipped_root

# --- Diapers and bands ---
# Templates call these as functions; lengths are millimetres.

SCALE_INK = "#000000"
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


@cache
def ornament() -> Mapping[str, Mapping[str, Any]]:
    """Return the shapes of ``diapers`` and ``bands`` by name; templates/shared/ornament.toml describes them."""
    return parse_toml_text((shipped_root() / "templates" / "shared" / "ornament.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1000)
def diaper(*, id: str, kind: str, size: float, stroke: str, fill: str = "none", x: float = 0, y: float = 0,
           width: float = FINE_LINE) -> str:
    """Return a ``<pattern>`` of ornament to fill shapes with; ``kind`` is a diaper of templates/shared/ornament.toml.

    A repeat is ``size`` mm wide and begins at ``x``, ``y`` (mm): at the middle of the shape the ornament becomes
    symmetrical. ``width`` is the thickness of its lines in mm, ``fill`` the colour of its small solid parts.
    """
    tile = ornament()["diapers"][kind]
    across, down = tile["size"]
    scale = size / across
    solid = [svg_element("path", d=tile["fills"], fill=fill)] if "fills" in tile and fill != "none" else []
    lines = svg_element("path", d=tile["lines"], fill="none", stroke=stroke, stroke_width=_short(width / scale))
    return svg_element(
        "pattern", *solid, lines, id=id, x=0, y=0, width=across, height=down, patternUnits="userSpaceOnUse",
        patternTransform=f"translate({_short(x)} {_short(y)}) scale({scale:.4f})")


# --- Bands: borders around a picture ---

@lru_cache(maxsize=1000)
def band(*, kind: str, x: float, y: float, width: float, height: float, thick: float, fill: str = "none",
         stroke: str = "none", line: float = FINE_LINE, level: bool = False) -> str:
    """Draw a border just inside the rectangle, ``thick`` mm wide; ``kind`` is a band of templates/shared/ornament.toml.

    A ``level`` band is only its upper side, from corner to corner. The motifs run clockwise and are stretched a little
    so that a whole number of them fills each side; each corner has a small star. ``line`` is the thickness of the
    ``stroke``.
    """
    motif = ornament()["bands"][kind]
    if not max(width, height) <= MAX_MOTIFS * thick:
        raise ValueError(f"thick is at least a {MAX_MOTIFS:,}th of the sides")
    sides = ((x + thick, y, 1, 0, width), (x + width, y + thick, 0, 1, height),
             (x + width - thick, y + height, -1, 0, width), (x, y + height - thick, 0, -1, height))
    parts: list[str] = []
    for start_x, start_y, right, down, length in sides[:1] if level else sides:
        room = length - 2 * thick
        count = max(1, round(room / (motif["pitch"] * thick)))
        step = room / count
        outlines = _motif_outlines(motif, step, thick)
        for n in range(count):  # across is along, turned right by 90 degrees: towards the picture
            parts += (command + " ".join(f"{_short(start_x + right * (n * step + along) - down * across)} "
                                         f"{_short(start_y + down * (n * step + along) + right * across)}"
                                         for along, across in points) for command, points in outlines)
    ends = (y + thick / 2, y + height - thick / 2)
    corners = product((x + thick / 2, x + width - thick / 2), ends[:1] if level else ends)
    parts += (_star(*corner, thick * 0.42, 0.42) for corner in corners)
    return svg_element("path", d="".join(parts), fill=fill, stroke=stroke, stroke_width=_short(line),
                       stroke_linejoin="round")


_K = 0.5523  # a circle of radius 1 in four cubic curves
_DISC = (("M", ((0, -1),)), ("C", ((_K, -1), (1, -_K), (1, 0))), ("C", ((1, _K), (_K, 1), (0, 1))),
         ("C", ((-_K, 1), (-1, _K), (-1, 0))), ("C", ((-1, -_K), (-_K, -1), (0, -1))), ("Z", ()))


def _motif_outlines(motif: Mapping[str, Any], step: float, thick: float) -> list[tuple[str, list[tuple[float, float]]]]:
    """The commands of a motif's path data, with their points along and across a side in mm."""
    path = [(command, [(step * x, thick * y) for x, y in zip(shares[::2], shares[1::2], strict=True)])
            for command, shares in path_steps(motif.get("path", ""))]
    return path + [(command, [(step * x + a * (thick * r), thick * y + b * (thick * r)) for a, b in points])
                   for x, y, r in motif.get("discs", ()) for command, points in _DISC]


def _star(x: float, y: float, r: float, depth: float) -> str:
    """Path data of a star with four rays, one upright; ``depth`` is the inner radius as a share of the outer."""
    tips = ((math.pi * n / 4, r * depth if n % 2 else r) for n in range(8))
    return "M" + "L".join(f"{_short(x + math.sin(turn) * reach)} {_short(y - math.cos(turn) * reach)}"
                          for turn, reach in tips) + "Z"


def _short(number: float) -> str:
    """Format a number with the two decimals that matter in print."""
    return f"{round(number, 2) + 0:g}"


# --- QR codes ---
# QR codes as SVG: one outline around all dark modules, so that no hairline shows between them.

QUIET = 4  # light modules around a code (ISO/IEC 18004)
MIN_MODULE, MIN_CODE_CONTRAST = 0.4, 4.0  # side of a module (mm), and contrast, below which phones fail


@lru_cache(maxsize=500)
def make_qr_code(words: str) -> tuple[str, int]:
    """Encode the words, with a seventh of the code restorable at least. Raises ValueError if they are too long.

    Returns the outline of the dark modules as path data, and the modules of a side with the quiet zone; each is 1 wide.
    """
    import segno  # few decks have codes

    try:
        matrix = segno.make(words, error="m", micro=False).matrix
    except segno.DataOverflowError:
        raise ValueError(f"{len(words)} characters are too many for a QR code") from None
    outline = "".join(f"M{'L'.join(f'{x} {y}' for x, y in loop)}z" for loop in _outlines(matrix))
    return outline, len(matrix) + 2 * QUIET


def draw_qr_code(words: str, x: float, y: float, size: float, fill: str = "#000000", ground: str = "#FFFFFF") -> str:
    """Draw the code of some words on its ground, whose left upper corner is given. Raises ValueError as above."""
    outline, side = make_qr_code(words)
    return (svg_element("rect", x=mm(x), y=mm(y), width=mm(size), height=mm(size), fill=ground)
            + f'<path transform="translate({mm(x)} {mm(y)}) scale({size / side:.5f})" fill="{escape(fill)}" '
              f'd="{outline}"/>')


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
