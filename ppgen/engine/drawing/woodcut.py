"""Drawings drawn anew: as lines, by night, and as a woodcut in black, one more ink and paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import islice, pairwise
from math import ceil, fsum, log10
from random import Random
from zlib import crc32

from lxml import etree

from ppgen.engine.colours import contrast, mix_colours, six_digits
from ppgen.engine.drawing.sandbox import RefusedError
from ppgen.engine.shapes import PointChain, is_inside, parse_chains
from ppgen.engine.svg.elements import (IDENTITY, REMOVED, Matrix, local_tag, multiply, parse_fragment, parse_transform,
                                       write_fragment)
from ppgen.records import dataclass, field

MAX_REDRAWN = 500  # drawings that a function redraws once in a run, some 20 MB: those of a game in all its looks


# --- Line drawings ---
# Line drawings for low ink.

LARGE_AREA = 3.0  # square units of a dark area above which a drawing of thin lines outlines it
DARK_CONTRAST, LIGHT_CONTRAST = 9.5, 2.4  # contrasts to white: darker areas are ink, lighter lines are paint
_PALE = ("fill-opacity", "stroke-opacity")
_ANY_PAINT = re.compile(r"#[0-9A-Fa-f]{6}|url\(.*\)")


@lru_cache(maxsize=MAX_REDRAWN)
def to_line_drawing(*, drawing: str, line: str, width: float = 0.0) -> str:
    """Turn a coloured drawing into lines: lines and dark areas get the colour ``line``, other areas become white.

    Elements with an opacity are shade and are removed. Only colours of six digits and references are replaced. With a
    ``width`` (in units of the drawing), lines up to four times as wide get it, and large dark areas become outlines.
    """
    root = parse_fragment(drawing)
    for element in root.iter(etree.Element):
        if len(element) == 0 and any(name in element.attrib for name in _PALE):
            element.tag = REMOVED
            continue
        for name, limit in (("fill", DARK_CONTRAST), ("stroke", LIGHT_CONTRAST)):
            if (paint := element.get(name)) and _ANY_PAINT.fullmatch(paint):
                dark = paint.startswith("#") and contrast(paint, "#FFFFFF") > limit
                element.set(name, line if dark else "#FFFFFF")
    if width:
        _thin_lines(root, line, width, 1.0)
    return write_fragment(root)


def _thin_lines(element: etree._Element, line: str, width: float, scale: float) -> None:
    """Set the width of lines in an element that is drawn at this scale, and outline its large dark areas.

    Those are areas proper, and wide lines with another on them, such as arms and masts.
    """
    for inner in element.iterchildren(etree.Element):
        a, b, c, d, _, _ = parse_transform(inner.get("transform", ""))
        size = scale * abs(a * d - b * c) ** 0.5
        given, below, wide = inner.get("stroke-width"), inner.getprevious(), 0.0
        if given and below is not None and below.get("d") == inner.get("d"):
            wide = float(below.get("stroke-width", 0))
        if wide * size > 4 * width:
            inner.set("stroke", "#FFFFFF")
            inner.set("stroke-width", f"{wide - 2 * width / size:.3g}")
        elif float(given) * size <= 4 * width if given else size != scale:
            inner.set("stroke-width", f"{width / size:.3g}")
        if inner.get("fill") == line and _largest_area(inner.get("d", "")) * size ** 2 > LARGE_AREA:
            inner.set("fill", "#FFFFFF")
            inner.set("stroke", line)
        _thin_lines(inner, line, width, size)


def _largest_area(data: str) -> float:
    """The largest of the rectangles around the lines of path data."""
    return max(((max(at.real for at in points) - min(at.real for at in points))
                * (max(at.imag for at in points) - min(at.imag for at in points))
                for points, _ in parse_chains(data, 0.1)), default=0.0)


# --- Night ---

NIGHT, SHARE = "#1B2250", 0.32  # the colour of the night, and its share in all others
WINDOW, LAMPLIGHT = "#3A2C22", "#FFD65C"  # the colour of windows by day, and of light; lamps have it or one next to it
MOONLIT = {"#FFF1C6": "#B9C8F2",  # the lit edges of things by day, and by moonlight
           "#E6B83F": "#E2C26A"}  # gold cloth behind a dark sign: a banner with a key
LIGHTS = frozenset((LAMPLIGHT, "#FFD65D", "#FFF3B8"))
GLOW = ((0.12, 2.2), (0.16, 1.3))  # opacity and width of the glow around a window, the outer one first
_SOLID = re.compile("#[0-9a-fA-F]{6}")


@lru_cache(maxsize=MAX_REDRAWN)
def to_night(*, drawing: str) -> str:
    """Show a coloured drawing by night: all colours are darker and bluer, windows (areas of ``#3A2C22``) are lit, and
    edges in the sun (``#FFF1C6``) and gold cloth (``#E6B83F``) lie in the moon.

    A window's glow is painted just before it: so what stands before the window hides both. Flames of ``#FFD65D`` stay.
    """
    root = parse_fragment(drawing)
    for element in [*root.iter(etree.Element)]:
        if element.tag == "path" and element.get("fill") == WINDOW:
            element.set("fill", LAMPLIGHT)
            for opacity, width in GLOW:
                element.addprevious(_glow(element, opacity, width))
    for element in root.iter(etree.Element):
        for name in ("fill", "stroke", "stop-color"):
            paint = element.get(name, "")
            if paint in MOONLIT:
                element.set(name, MOONLIT[paint])
            elif _SOLID.fullmatch(paint) and paint.upper() not in LIGHTS:
                element.set(name, mix_colours(paint, NIGHT, SHARE))
    return write_fragment(root)


def _glow(window: etree._Element, opacity: float, width: float) -> etree._Element:
    glow = deepcopy(window)
    glow.tail = None
    for name in [*glow.attrib]:
        if name not in ("d", "transform"):
            del glow.attrib[name]
    glow.attrib.update({"fill": LAMPLIGHT, "fill-opacity": f"{opacity:g}", "stroke": LAMPLIGHT,
                        "stroke-opacity": f"{opacity:g}", "stroke-width": f"{width:g}"})
    return glow


# --- Inks of a woodcut ---

DARK = 2.75  # colours with a higher contrast to white become black
RED, BRIGHT = 2.2, 0x90  # a colour is red if that channel is so many times each other, and at least so bright
PALE = 1.35  # shade with a lower contrast to white is a highlight
_NAMED = {"black": "#000000", "white": "#FFFFFF"}


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of black, a second ink and paper; ``overrides`` are paints with the ink (or paint) to use instead."""

    black: str
    red: str
    paper: str
    overrides: tuple[tuple[str, str], ...] = ()

    def ink(self, paint: str, use: str = "fill") -> str:
        """The ink of a paint; overrides for its ``use`` precede general ones, other references become paper."""
        return _choose_ink(self, paint, use)

    def shade_ink(self, paint: str) -> str:
        """Return the ink of a transparent area: shade, or a highlight."""
        colour = six_digits(paint)
        return self.paper if colour and contrast(colour, "#FFFFFF") < PALE else self.black


def parse_inks(paints: str) -> Iterator[tuple[str, str]]:
    """Parse overrides like ``#C9A860=#FFFFFF stroke:#E6B83E=none``. Raises ValueError for other words."""
    for word in paints.split():
        paint, equals, ink = word.partition("=")
        if not equals:
            raise ValueError(f"paints has '{word[:40]}', not paint=ink")
        yield paint, ink


@lru_cache(maxsize=10_000)
def _choose_ink(inks: Inks, paint: str, use: str) -> str:
    overrides = dict(inks.overrides)
    if (ink := overrides.get(f"{use}:{paint}", overrides.get(paint))) is not None:
        return ink
    if paint.startswith("url"):
        return inks.paper
    named = _NAMED.get(paint, paint)
    colour = six_digits(named)
    if not colour or named in (inks.black, inks.red, inks.paper):
        return paint
    r, g, b = (int(colour[at:at + 2], 16) for at in (1, 3, 5))
    if r >= BRIGHT and r > RED * max(g, b):
        return inks.red
    return inks.black if contrast(colour, "#FFFFFF") > DARK else inks.paper


# --- Areas painted on top of each other ---

@dataclass(frozen=True, slots=True)
class _Area:
    paint: str
    points: tuple[complex, ...]
    left: float
    top: float
    right: float
    bottom: float


@dataclass(slots=True)
class PaintLayers:
    """The areas painted so far, the uppermost last, compared within a ``budget``."""

    budget: int
    areas: list[_Area] = field(default_factory=list)

    def add(self, paint: str, ring: Sequence[complex], matrix: Matrix) -> None:
        a, b, c, d, e, f = matrix
        points = tuple([complex(a * point.real + c * point.imag + e, b * point.real + d * point.imag + f)
                        for point in ring])
        across, down = [point.real for point in points], [point.imag for point in points]
        self.areas.append(_Area(paint, points, min(across), min(down), max(across), max(down)))

    def paint_at(self, place: complex, matrix: Matrix, first: int = 0) -> str:
        """Return the paint visible at a place, of the ``first`` area or a later one; empty if there is none."""
        a, b, c, d, e, f = matrix
        x, y = a * place.real + c * place.imag + e, b * place.real + d * place.imag + f
        comparisons, paint = 0, ""
        for area in islice(reversed(self.areas), len(self.areas) - first):
            comparisons += 1
            if area.left <= x <= area.right and area.top <= y <= area.bottom:
                comparisons += len(area.points)
                if is_inside(area.points, x, y):
                    paint = area.paint
                    break
        self.spend(comparisons)
        return paint

    def spend(self, comparisons: int) -> None:
        """Take comparisons from the budget. Raises RefusedError if it is exceeded."""
        self.budget -= comparisons
        if self.budget < 0:
            raise RefusedError("woodcut() is given too many lines and areas one over another", "draw less of it")


def midpoint(points: Sequence[complex], closed: bool) -> complex:
    """Return a point in the middle of a line or a closed ring."""
    if not closed:
        return points[len(points) // 2]
    return complex(fsum(each.real for each in points), fsum(each.imag for each in points)) / len(points)


# Knife cuts: a few straight cuts for each curve, none exactly where it should be

BEND, CUT, MAX_CUTS = 0.07, 2.4, 60  # from a cut to its curve, and length of a straight cut, in mm; cuts of a line
MAX_PATH_POINTS = 10_000  # points of a path, in addition to one for each character of its data
SMALL = 0.03  # points are displaced by at most this share of the line's size
PRECISION = 0.02  # precision of the path data, in mm


@dataclass(frozen=True, slots=True)
class KnifeCut:
    """A line as it is cut: path data, its points in the path's units, whether it is closed."""

    data: str
    points: tuple[complex, ...]
    closed: bool


@lru_cache(maxsize=20_000)
def carve(data: str, knife: float, scale: float) -> tuple[KnifeCut, ...]:
    """Cut the lines of path data with a knife; the same data is always cut in the same way.

    ``knife`` is the largest displacement of a point in mm, ``scale`` the mm of a unit of the path. Raises RefusedError
    for lines that are far too long.
    """
    random = Random(crc32(data.encode()))
    decimals = max(0, ceil(log10(scale / PRECISION)))
    left, cuts = MAX_PATH_POINTS + len(data), []
    for points, closed in parse_chains(data, BEND / scale):
        if len(points) > 1:
            cut = tuple(islice(_displace((points, closed), knife, scale, random), left + 1))
            left -= len(cut)
            if left < 0:
                raise RefusedError("woodcut() is given lines that are far too long", "draw them in millimetres")
            cuts.append(KnifeCut(_path_data(cut, closed, decimals), cut, closed))
    return tuple(cuts)


def _displace(chain: PointChain, knife: float, scale: float, random: Random) -> Iterator[complex]:
    points, closed = chain
    size = abs(complex(max(p.real for p in points) - min(p.real for p in points),
                       max(p.imag for p in points) - min(p.imag for p in points)))
    far, number = min(knife / scale, SMALL * size), random.random

    def push(point: complex, share: float = 1.0) -> complex:
        return point + complex(-far + 2 * far * number(), -far + 2 * far * number()) * share

    if closed and abs(points[0] - points[-1]) < PRECISION / scale:
        points = points[:-1]
    ends = (*points, points[0]) if closed else points
    yield (first := push(points[0]))
    for start, end in pairwise(ends):
        steps = min(MAX_CUTS, max(1, round(abs(end - start) * scale / CUT)))
        for n in range(1, steps):
            yield push(start + (end - start) * (n + random.uniform(-0.2, 0.2)) / steps, 0.6)
        if end is not ends[-1] or not closed:
            yield push(end)
    if closed:
        yield first


def _path_data(points: tuple[complex, ...], closed: bool, decimals: int) -> str:
    """Format relative steps, rounded so that errors do not accumulate."""
    grid = 10 ** decimals
    at = [(round(point.real * grid), round(point.imag * grid)) for point in (points[:-1] if closed else points)]
    data = f"M{_number(at[0][0], decimals)}{_after(_number(at[0][1], decimals))}"
    steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(at) if (a, b) != (c, d)]
    for n, (x, y) in enumerate(steps):
        word = _number(x, decimals)
        data += ("l" + word if n == 0 else _after(word)) + _after(_number(y, decimals))
    return data + ("Z" if closed else "")


def _after(word: str) -> str:
    return word if word.startswith("-") else " " + word


@lru_cache(maxsize=20_000)
def _number(units: int, decimals: int) -> str:
    """Format a number, given in units of its last decimal, as short as SVG allows."""
    if not decimals or not units:
        return str(units)
    digits = str(abs(units)).rjust(decimals + 1, "0")
    whole, part = digits[:-decimals].lstrip("0"), digits[-decimals:].rstrip("0")
    return ("-" if units < 0 else "") + whole + ("." + part if part else "" if whole else "0")


# --- Woodcuts ---

MIN_LINE, HALO = 0.17, 0.16  # width of the thinnest lines, and of the paper between black and black, in mm
BUDGET, BUDGET_PER_CHARACTER, COST_OF_A_POINT = 200_000, 10, 20
"""Comparisons to find what lies under a line: their number, more for each character of the drawing, and the price of
cutting a point."""
EXACT = "black"  # lines of this name are marks to cut or to measure by, and stay as they are
_GRADIENTS, _UNCUT = ("linearGradient", "radialGradient"), ("pattern", "clipPath", "mask")
_SHAPES = {"path": ("d",), "polygon": ("points",), "circle": ("cx", "cy", "r"), "rect": ("x", "y", "width", "height")}
"""Shapes that are cut, and the attributes of their contours."""
_SHADE = ("fill-opacity", "opacity")
_REPLACED = (*_SHADE, "stroke-opacity", "fill", "stroke", "stroke-width", "stroke-linejoin")

AttributeValues = dict[str, str]
PaintedShape = Iterator[tuple[str, AttributeValues]]  # contours, each with the attributes that paint it


@lru_cache(maxsize=MAX_REDRAWN)
def to_woodcut(*, drawing: str, black: str, red: str, paper: str, knife: float = 0.09, line: float = 1.25,
               scale: float = 1.0, paints: str = "") -> str:
    """Turn a coloured drawing into three inks, with contours cut by a knife.

    Dark colours become ``black``, bright reds ``red``, all others ``paper``; ``paints`` overrides single ones
    (``#C9A860=#FFFFFF url(#sea)=#000000``). Elements with an opacity are shade, and become black. Black on black is cut
    out of it as paper. Gradients are removed; their areas become paper. Lines of the stroke ``black``, by name, are
    marks to cut by, and stay as they are. ``knife`` is the deviation of contours (mm), ``line`` the factor by which
    lines grow, ``scale`` the mm of a unit around the drawing.
    """
    root = parse_fragment(drawing)
    patterns = [(f"url(#{name})",) * 2 for each in root.iter("{*}pattern") if (name := each.get("id"))]
    inks = Inks(black, red, paper, (*patterns, *parse_inks(paints)))
    layers = PaintLayers(BUDGET + BUDGET_PER_CHARACTER * len(drawing))
    try:
        _Cutter(inks, knife, line, layers).cut(root, _Context(matrix=(scale, 0, 0, scale, 0, 0)))
        return write_fragment(root)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ValueError("woodcut() is given path data, or a number, that is none") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """An element with its inherited transform and paints (empty: the ``<use>`` of it decides)."""

    tag: str = ""
    matrix: Matrix = IDENTITY
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    uncut: bool = False
    first_layer: int = 0  # number of areas painted before the definitions that contain it: those do not lie under it

    @property
    def scale(self) -> float:
        a, b, c, d, _, _ = self.matrix
        return round(float(abs(a * d - b * c) ** 0.5), 4)

    def enter(self, tag: str, given: AttributeValues, painted: int) -> _Context:
        return _Context(
            tag=tag, matrix=multiply(self.matrix, parse_transform(given.get("transform", ""))),
            fill=given.get("fill", self.fill), stroke=given.get("stroke", self.stroke),
            width=float(given.get("stroke-width", self.width)), uncut=self.uncut or tag in _UNCUT,
            first_layer=painted if tag in ("defs", "symbol") else self.first_layer)


@dataclass(frozen=True, slots=True)
class _Cutter:
    inks: Inks
    knife: float
    line: float
    layers: PaintLayers

    def cut(self, element: etree._Element, outer: _Context) -> None:
        """Cut all elements inside an element of this context."""
        for inner in [*element.iterchildren(etree.Element)]:
            tag, given = local_tag(inner), _attributes(inner)
            if tag in _GRADIENTS:
                inner.tag = REMOVED
                continue
            context = outer.enter(tag, given, len(self.layers.areas))
            self._cut_element(inner, tag, given, context)
            self.cut(inner, context)

    def _cut_element(self, element: etree._Element, tag: str, given: AttributeValues, context: _Context) -> None:
        """Put the contours of an element in its place; the first keeps what is in it."""
        data = "" if context.uncut or not context.scale else _contour(tag, given)
        if not data or context.stroke == EXACT:
            for name in (*_SHADE, "stroke-opacity"):
                if name in given:
                    del element.attrib[name]
            for name in ("fill", "stroke"):
                if given.get(name, EXACT) != EXACT:
                    element.set(name, self.inks.ink(given[name], name))
            return
        others = {name: value for name, value in given.items() if name not in (*_REPLACED, *_SHAPES[tag])}
        lines = carve(data, self.knife, context.scale)
        self.layers.spend(COST_OF_A_POINT * sum(len(cut.points) for cut in lines))
        after = _attributes(next(element.itersiblings(etree.Element), None))
        element.tag = f"{str(element.tag).removesuffix(tag)}path"
        last = None
        for contour, paints in self._paint_shape(lines, given, context, after):
            if not paints.get("transform", "-"):
                others = {name: value for name, value in others.items() if name != "transform"}
                del paints["transform"]
            path = element if last is None else element.makeelement(element.tag)
            path.attrib.clear()
            for name, value in {**others, "d": contour, **paints}.items():
                path.set(name, value)
            if last is not None:
                last.addnext(path)
            last = path
        if last is None:
            element.tag = REMOVED

    def _paint_shape(self, lines: Sequence[KnifeCut], given: AttributeValues, context: _Context,
                     after: AttributeValues) -> PaintedShape:
        """Yield the contours of a shape with their paints; ``after`` are the attributes of the next element."""
        inks, contour = self.inks, "".join(cut.data for cut in lines)
        fill, stroke = inks.ink(context.fill), inks.ink(context.stroke, "stroke")
        width = max(context.width * self.line, MIN_LINE / context.scale)
        if not contour:
            return
        if not fill:
            yield contour, _stroke(stroke, width) if stroke else {}
        elif fill == "none":
            yield from self._paint_lines(lines, stroke, width, context)
        elif "transform" in given and "transform" not in after and given.get("d") and after.get("d") == given["d"]:
            # a shadow: the contour of the next element, shifted; under black it becomes a rim of paper
            if inks.ink(after.get("fill", context.fill)) == inks.black:
                yield contour, {"transform": "", "fill": "none", **_stroke(inks.paper, 2 * HALO / context.scale)}
            else:
                yield contour, {"fill": inks.black, **_stroke("none" if stroke in ("", "none") else inks.black, width)}
        else:
            under = self._ink_under(lines, context)
            if (stroke or "none") == "none":
                if any(name in given for name in _SHADE):
                    fill = inks.shade_ink(context.fill)
                    if under == fill:
                        return
                elif fill == under == inks.black:
                    fill = inks.paper
            elif context.fill == context.stroke:  # a mark enlarged by its stroke
                fill = stroke = inks.paper if fill == under == inks.black else fill
            elif fill == inks.black:
                stroke, width = inks.paper, max(context.width, MIN_LINE / context.scale)
            for cut in lines if not context.first_layer else ():
                self.layers.add(fill, cut.points, context.matrix)
            yield contour, {"fill": fill, **_stroke(stroke or "none", width)}

    def _ink_under(self, lines: Sequence[KnifeCut], context: _Context) -> str:
        """Return the ink under all contours of a shape; empty if they differ: some may lie on others, or be clipped."""
        inks = {self.layers.paint_at(midpoint(cut.points, cut.closed), context.matrix, context.first_layer)
                for cut in lines}
        return inks.pop() if len(inks) == 1 else ""

    def _paint_lines(self, lines: Sequence[KnifeCut], stroke: str, width: float, context: _Context) -> PaintedShape:
        """Yield lines by ink; black lines over black become paper."""
        black, paper = self.inks.black, self.inks.paper
        by_ink: dict[str, list[str]] = {}
        for cut in lines if stroke not in ("", "none") else ():
            hidden = stroke == black == self.layers.paint_at(midpoint(cut.points, False), context.matrix,
                                                             context.first_layer)
            by_ink.setdefault(paper if hidden else stroke, []).append(cut.data)
        for ink, data in by_ink.items():
            yield "".join(data), {"fill": "none", **_stroke(ink, width)}


def _contour(tag: str, given: Mapping[str, str]) -> str:
    """Return the path data of a shape; empty for elements that are not cut."""
    if tag == "path":
        return given.get("d", "")
    if tag == "polygon":
        return f"M{given.get('points', '')}Z"
    if tag == "circle":
        x, y, r = (float(given.get(name, 0)) for name in _SHAPES[tag])
        return f"M{x - r:.6g} {y:.6g}a{r:.6g} {r:.6g} 0 1 1 {2 * r:.6g} 0a{r:.6g} {r:.6g} 0 1 1 {-2 * r:.6g} 0Z"
    if tag == "rect" and "rx" not in given:
        x, y, width, height = (float(given.get(name, 0)) for name in _SHAPES[tag])
        return f"M{x:.6g} {y:.6g}h{width:.6g}v{height:.6g}h{-width:.6g}Z"
    return ""


def _stroke(ink: str, width: float) -> AttributeValues:
    return {"stroke": ink, **({"stroke-width": f"{round(width, 2):g}"} if ink != "none" else {})}


def _attributes(element: etree._Element | None) -> AttributeValues:
    return {} if element is None else {str(name): str(value) for name, value in element.items()}
