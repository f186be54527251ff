"""Turns a drawing in colours into a woodcut: black, one more ink and paper, every contour cut with a knife."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape

from ppgen.engine.drawing.grounds import Grounds, middle
from ppgen.engine.drawing.inks import Inks, said
from ppgen.engine.drawing.knife import Cut, cuts
from ppgen.engine.svg.matrix import IDENTITY, Matrix, matrix_of, product

LEAST, HALO = 0.17, 0.16
"""In mm: lines are at least so wide, and black is parted from black by so much paper."""

LOOKS, OF_A_CHARACTER, OF_A_POINT = 200_000, 10, 20
"""Looks that may be taken at areas and their points to see what lies under a line, and so many more for each character
of the drawing; as many as one point costs to cut."""

EXACT = "#000000"
"""Lines of pure black are marks to cut or to measure by, and stay as they are."""
_TAG = re.compile(r'<(/?)([A-Za-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(/?)>')
_ATTRIBUTE = re.compile(r'([\w:-]+)="([^"]*)"')
_PATTERN = re.compile(r'<pattern[^<>]*\sid="([^"]+)"')
_GRADIENTS, _UNCUT = ("linearGradient", "radialGradient"), ("pattern", "clipPath", "mask")
_SHAPES = {"path": ("d",), "polygon": ("points",), "circle": ("cx", "cy", "r"), "rect": ("x", "y", "width", "height")}
"""What is cut, and the attributes that say its contour."""
_SHADE = ("fill-opacity", "opacity")
_REPLACED = (*_SHADE, "stroke-opacity", "fill", "stroke", "stroke-width", "stroke-linejoin")

Words = dict[str, str]
Painted = Iterator[tuple[str, Words]]
"""Contours, and the attributes that paint them."""


def woodcut(*, drawing: str, black: str, red: str, paper: str, knife: float = 0.09, line: float = 1.25,
            scale: float = 1.0, paints: str = "") -> str:
    """The drawing in three inks, with contours that a knife has cut.

    Dark colours are cut ``black``, bright reds ``red``, all others are left as ``paper``; ``paints`` says otherwise
    of single ones (``#C9A860=#FFFFFF url(#sea)=#000000``). What has an opacity is shade, and black. Black on black
    is cut out of it. Gradients go, their areas are paper. Lines of pure black stay as they are, marks to cut by.
    ``knife`` is how far contours stray (mm), ``line`` by how much lines grow, ``scale`` the mm of a unit around the
    drawing.
    """
    patterns = [(f"url(#{name})",) * 2 for name in _PATTERN.findall(drawing)]
    inks = Inks(black, red, paper, (*patterns, *said(paints)))
    grounds = Grounds(LOOKS + OF_A_CHARACTER * len(drawing))
    try:
        return "".join(_Cutter(inks, knife, line, grounds).cut(drawing, scale))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise ValueError("woodcut() is given path data, or a number, that is none") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """An element, and what it inherits: where it lies, its paints (empty: whatever uses it says them)."""

    tag: str = ""
    matrix: Matrix = IDENTITY
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    uncut: bool = False
    ground: int = 0
    """How many areas had been painted before the definitions that it stands in: those do not lie under it."""

    @property
    def scale(self) -> float:
        a, b, c, d, _, _ = self.matrix
        return round(float(abs(a * d - b * c) ** 0.5), 4)

    def inside(self, tag: str, given: Words, painted: int) -> _Around:
        return _Around(
            tag=tag, matrix=product(self.matrix, matrix_of(given.get("transform", ""))),
            fill=given.get("fill", self.fill), stroke=given.get("stroke", self.stroke),
            width=float(given.get("stroke-width", self.width)), uncut=self.uncut or tag in _UNCUT,
            ground=painted if tag in ("defs", "symbol") else self.ground)


@dataclass(frozen=True, slots=True)
class _Cutter:
    inks: Inks
    knife: float
    line: float
    grounds: Grounds

    def cut(self, drawing: str, scale: float) -> Iterator[str]:
        stack = [_Around(matrix=(scale, 0, 0, scale, 0, 0))]
        gradient, at = "", 0
        tags = list(_TAG.finditer(drawing))
        for found, after in zip(tags, (*(tag[3] for tag in tags[1:]), ""), strict=False):
            closing, tag, words, alone = found.groups()
            if not gradient:
                yield drawing[at:found.start()]
            at = found.end()
            if gradient or tag in _GRADIENTS:
                gradient = "" if (closing or alone) and tag == (gradient or tag) else gradient or tag
            elif closing:
                if len(stack) > 1:
                    stack.pop()
                yield found[0]
            else:
                given = {name: unescape(value) for name, value in _ATTRIBUTE.findall(words)}
                around = stack[-1].inside(tag, given, len(self.grounds.areas))
                yield from self._element(tag, given, around, after, alone)
                if not alone:
                    stack.append(around)
        yield drawing[at:]

    def _element(self, tag: str, given: Words, around: _Around, after: str, alone: str) -> Iterator[str]:
        data = "" if around.uncut or not around.scale else _data(tag, given)
        if not data or around.stroke == EXACT:
            yield _tag(tag, {name: self.inks.of(value, name) if name in ("fill", "stroke") and value != EXACT else value
                             for name, value in given.items() if name not in (*_SHADE, "stroke-opacity")}, alone)
            return
        kept = {name: value for name, value in given.items() if name not in (*_REPLACED, *_SHAPES[tag])}
        lines = cuts(data, self.knife, around.scale)
        self.grounds.spend(OF_A_POINT * sum(len(cut.points) for cut in lines))
        for contour, paints in self._painted(lines, given, around, dict(_ATTRIBUTE.findall(after))):
            if not paints.get("transform", "-"):
                kept = {name: value for name, value in kept.items() if name != "transform"}
                del paints["transform"]
            yield _tag("path", {**kept, "d": contour, **paints}, alone)

    def _painted(self, lines: Sequence[Cut], given: Words, around: _Around, after: Words) -> Painted:
        """What a shape is cut as."""
        inks, contour = self.inks, "".join(cut.data for cut in lines)
        fill, stroke = inks.of(around.fill), inks.of(around.stroke, "stroke")
        width = max(around.width * self.line, LEAST / around.scale)
        if not contour:
            return
        if not fill:
            yield contour, _stroke(stroke, width) if stroke else {}
        elif fill == "none":
            yield from self._lines(lines, stroke, width, around)
        elif "transform" in given and "transform" not in after and given.get("d") and after.get("d") == given["d"]:
            # its own contour, moved away from the light: beneath black a rim of paper
            if inks.of(after.get("fill", around.fill)) == inks.black:
                yield contour, {"transform": "", "fill": "none", **_stroke(inks.paper, 2 * HALO / around.scale)}
            else:
                yield contour, {"fill": inks.black, **_stroke("none" if stroke in ("", "none") else inks.black, width)}
        else:
            under = self._under(lines, around)
            if (stroke or "none") == "none":
                if any(name in given for name in _SHADE):
                    fill = inks.of_shade(around.fill)
                    if under == fill:
                        return
                elif fill == under == inks.black:
                    fill = inks.paper
            elif around.fill == around.stroke:  # a mark that its stroke makes larger
                fill = stroke = inks.paper if fill == under == inks.black else fill
            elif fill == inks.black:
                stroke, width = inks.paper, max(around.width, LEAST / around.scale)
            for cut in lines if not around.ground else ():
                self.grounds.paint(fill, cut.points, around.matrix)
            yield contour, {"fill": fill, **_stroke(stroke or "none", width)}

    def _under(self, lines: Sequence[Cut], around: _Around) -> str:
        """The ink under all contours of a shape, or none: some may lie on another, or beyond what it is clipped to."""
        found = {self.grounds.under(middle(cut.points, cut.closed), around.matrix, around.ground) for cut in lines}
        return found.pop() if len(found) == 1 else ""

    def _lines(self, lines: Sequence[Cut], stroke: str, width: float, around: _Around) -> Painted:
        """Lines, black ones in paper where they run over black."""
        black, paper = self.inks.black, self.inks.paper
        shown: dict[str, list[str]] = {}
        for cut in lines if stroke not in ("", "none") else ():
            hidden = stroke == black == self.grounds.under(middle(cut.points, False), around.matrix, around.ground)
            shown.setdefault(paper if hidden else stroke, []).append(cut.data)
        for ink, data in shown.items():
            yield "".join(data), {"fill": "none", **_stroke(ink, width)}


def _data(tag: str, given: Mapping[str, str]) -> str:
    """The path data of a shape; empty for what is not cut."""
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


def _stroke(ink: str, width: float) -> Words:
    return {"stroke": ink, **({"stroke-width": f"{round(width, 2):g}"} if ink != "none" else {})}


def _tag(tag: str, given: Mapping[str, str], alone: str) -> str:
    words = "".join(f' {name}="{escape(value)}"' for name, value in given.items())
    return f"<{tag}{words}{alone}>"
