"""What a PDF page shows, in mm from its top left corner: faces, lines and filled boxes; characters and thin strokes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_float, c_int, c_uint
from dataclasses import dataclass, field, replace
from math import hypot, sqrt

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium

from ppgen.engine.geometry import LineSegment, Point, Rect

MM = 25.4 / 72
"""Millimetres in a point (ISO 32000-1, 8.3.2.3)."""
Matrix = tuple[float, ...]
Corners = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line with its width and dashes in mm; ``grey`` is 0 for black."""

    start: Point
    end: Point
    width: float
    dash: tuple[float, ...]
    grey: float

    @property
    def line(self) -> LineSegment:
        return LineSegment(self.start, self.end)

    @property
    def length(self) -> float:
        return hypot(self.end.x - self.start.x, self.end.y - self.start.y)


@dataclass(frozen=True, slots=True)
class PlacedFace:
    """A Form XObject: the corners of its box on the page, from the top left of its drawing clockwise, and its clip."""

    name: str
    form: pikepdf.Object
    corners: Corners
    clip: Corners

    @property
    def turn(self) -> int:
        return 0 if self.corners[0].x < self.corners[1].x else 180

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its box, bleed included."""
        left, bottom, right, top = map(float, self.form.BBox)
        return (right - left) * MM, (top - bottom) * MM

    @property
    def middle(self) -> Point:
        return Point(sum(at.x for at in self.corners) / 4, sum(at.y for at in self.corners) / 4)

    @property
    def shown(self) -> Rect:
        """The smallest rectangle around its clip."""
        return box_around(self.clip)


@dataclass(slots=True)
class PageContent:
    """What is drawn on a page directly; ``boxes`` are filled rectangles, ``curves`` Bézier curves.

    ``moving`` is the number of strokes that move with the backs: those before the marks that lie where the paper is.
    """

    width: float
    height: float
    faces: list[PlacedFace] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)
    boxes: list[Rect] = field(default_factory=list)
    curves: list[Corners] = field(default_factory=list)
    moving: int = 0

    def of(self, *, grey: float | None = None, dashed: bool | None = None) -> list[Stroke]:
        """The strokes in this grey, dashed or solid."""
        return [stroke for stroke in self.strokes if grey in (None, stroke.grey)
                and dashed in (None, bool(stroke.dash))]


@dataclass(frozen=True, slots=True)
class _State:
    matrix: Matrix
    width: float = 1.0
    dash: tuple[float, ...] = ()
    pen: float = 0.0
    clip: Corners = ()


def read_page(page: pikepdf.Page) -> PageContent:
    """Follow the content of a page (ISO 32000-1, 8.2)."""
    width, height = (float(edge) * MM for edge in page.mediabox[2:])
    return read_content(page, width, height, page.resources.get("/XObject", {}))


def read_content(content: object, width: float, height: float, forms: object = None) -> PageContent:
    """Follow a stream of content on a page of that size."""
    found, stack = PageContent(width, height), list[_State]()
    state = _State((MM, 0.0, 0.0, -MM, 0.0, height))
    lines, curves, corners, boxes = list[LineSegment](), list[Corners](), list[Point](), list[Corners]()
    for operands, operator in pikepdf.parse_content_stream(content):
        name = str(operator)
        numbers = [float(each) for each in operands] if name in _NUMERIC else []
        match name:
            case "q":
                stack.append(state)
            case "Q":
                state = stack.pop()
            case "cm":
                state = replace(state, matrix=multiply(numbers, state.matrix))
            case "w":
                state = replace(state, width=numbers[0] * MM)
            case "d":
                state = replace(state, dash=tuple(float(each) * MM for each in operands[0]))
            case "G":
                state = replace(state, pen=numbers[0])
            case "g":
                found.moving = len(found.strokes)
            case "m":
                corners.append(place(state.matrix, *numbers))
            case "l":
                corners.append(place(state.matrix, *numbers))
                lines.append(LineSegment(corners[-2], corners[-1]))
            case "c":
                curves.append((corners[-1], *(place(state.matrix, *numbers[n:n + 2]) for n in (0, 2, 4))))
                corners.append(curves[-1][-1])
            case "re":
                x, y, across, up = numbers
                boxes.append(tuple(place(state.matrix, *at) for at in (
                    (x, y + up), (x + across, y + up), (x + across, y), (x, y))))
            case "W":
                state = replace(state, clip=(*boxes[-1],) if boxes else (*corners,))
            case "S":
                found.strokes += (Stroke(line.start, line.end, state.width, state.dash, state.pen) for line in lines)
                found.curves += curves
            case "f":
                found.boxes += map(box_around, boxes)
            case "Do":
                form = forms[str(operands[0])]
                left, bottom, right, top = map(float, form.BBox)
                box = ((left, top), (right, top), (right, bottom), (left, bottom))
                found.faces.append(PlacedFace(str(operands[0]), form, tuple(place(state.matrix, *at) for at in box),
                                              state.clip))
        if name in ("S", "f", "n"):
            lines, curves, corners, boxes = [], [], [], []
    assert not stack
    return found


_NUMERIC = {"cm", "w", "G", "g", "m", "l", "c", "re"}


def multiply(one: Sequence[float], other: Sequence[float]) -> Matrix:
    """The matrix that does ``one``, then the ``other``."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def place(matrix: Sequence[float], x: float, y: float) -> Point:
    a, b, c, d, e, f = matrix
    return Point(a * x + c * y + e, b * x + d * y + f)


def box_around(corners: Sequence[Point]) -> Rect:
    """The smallest rectangle around the corners."""
    left, top = min(at.x for at in corners), min(at.y for at in corners)
    return Rect(left, top, max(at.x for at in corners) - left, max(at.y for at in corners) - top)


# What a viewer makes of a page

def type_on(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float, float]]:
    """Each character with its size in points and its distance from the top of the page in mm."""
    words, height = page.get_textpage(), page.get_height()
    for at, sign in enumerate(words.get_text_range()):
        if sign.isspace():
            continue
        matrix = pdfium.FS_MATRIX()
        pdfium.FPDFText_GetMatrix(words, at, byref(matrix))
        stretched = sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c))
        yield sign, pdfium.FPDFText_GetFontSize(words, at) * stretched, (height - matrix.f) * MM


def strokes_on(page: pypdfium2.PdfPage) -> Iterator[tuple[float, float]]:
    """The width in mm of each stroke, where its matrix shrinks it most, and its distance from the top of the page."""
    height = page.get_height()
    for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=15):
        fill, stroke, width, matrix = c_int(), c_int(), c_float(), found.get_matrix()
        for outer in _containers(found):
            matrix = matrix.multiply(outer.get_matrix())
        pdfium.FPDFPath_GetDrawMode(found, byref(fill), byref(stroke))
        pdfium.FPDFPageObj_GetStrokeWidth(found, byref(width))
        if stroke.value:
            a, b, c, d, _, f = matrix.get()
            least = abs(hypot(a + d, b - c) - hypot(a - d, b + c)) / 2
            yield width.value * least * MM, (height - f) * MM


def ink_of_letters(page: pypdfium2.PdfPage, deep: bool) -> Iterator[str]:
    """The colour of each run of letters; ``deep`` in forms, too."""
    for found in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=15 if deep else 1):
        channels = [c_uint() for _ in range(4)]
        pdfium.FPDFPageObj_GetFillColor(found, *map(byref, channels))
        yield "#" + "".join(f"{each.value:02x}" for each in channels[:3])


def _containers(found: pypdfium2.PdfObject) -> Iterator[pypdfium2.PdfObject]:
    """The forms that an object stands in, from the innermost."""
    while found.container is not None:
        found = found.container
        yield found


def texts_of(content: bytes) -> list[str]:
    """The words of each page."""
    with pypdfium2.PdfDocument(content) as document:
        return [page.get_textpage().get_text_range() for page in document]


def tags(node: pikepdf.Object) -> Iterator[tuple[str, pikepdf.Dictionary]]:
    """Every element of a structure tree with its kind, in reading order."""
    if isinstance(node, pikepdf.Array):
        for kid in node:
            yield from tags(kid)
    elif isinstance(node, pikepdf.Dictionary) and "/S" in node:
        yield str(node.S), node
        yield from tags(node.get("/K", pikepdf.Array()))
