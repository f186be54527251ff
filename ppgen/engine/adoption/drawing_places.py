"""Pages and shapes of drawings: how a page becomes the piece, boxes around shapes, view ports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from lxml import etree

from ppgen.engine.geometry import Rect, Size
from ppgen.engine.svg.drawing_cleaning import MAX_REACH, PX, Drawing, DrawingError, clean_value, to_units
from ppgen.engine.svg.elements import IDENTITY, Matrix, apply_matrix, local_tag, multiply, parse_transform
from ppgen.engine.svg.outlines import parse_chains
from ppgen.engine.svg.subset import NUMBER

DOTS_PER_INCH = (25.4, 96.0, 72.0, 90.0, 150.0, 300.0, 600.0)
"""Candidates for the unit of a page without millimetres: a millimetre, a pixel of CSS, a point, a pixel of Inkscape
before 0.92, and pixels of pictures in print, as Figma and Affinity count them."""
MIN_BLEED_MM, MAX_BLEED_MM = 0.5, 10.0  # a page that is larger than the piece by this much has a bleed of its own
USUAL_BLEED_MM = 2.85, 3.35  # bleed of a page in pixels of the piece's proportions: 3 mm or an eighth of an inch
SIZE_TOLERANCE_MM, PROPORTION_TOLERANCE, SAME_PROPORTION = 0.3, 0.02, 0.001


# --- Pages ---

def page_size(drawing: Drawing) -> Size:
    """The size of the page; without a unit a length is a pixel of CSS."""
    width, height = _page_units(drawing)
    return Size(width * PX, height * PX)


def has_real_size(drawing: Drawing) -> bool:
    """True if its page is in millimetres, inches or the like, and not in pixels."""
    given = (str(drawing.root.get(side, "")) for side in ("width", "height"))
    return any(re.search(r"(?:mm|cm|in|pt|pc|q)\s*$", side, re.IGNORECASE) for side in given)


def _page_units(drawing: Drawing) -> tuple[float, float]:
    lengths = [to_units(str(drawing.root.get(side, "")), 0) or 0.0 for side in ("width", "height")]
    return (lengths[0] if lengths[0] > 0 else drawing.box.width), (lengths[1] if lengths[1] > 0 else drawing.box.height)


def place_page(drawing: Drawing, size: Size) -> tuple[Matrix, str]:
    """Return the matrix from its units to mm of the trim, and a word on how its page becomes the piece."""
    box, units, real = drawing.box, _page_units(drawing), has_real_size(drawing)
    pages = [Size(*(unit * 25.4 / dots for unit in units)) for dots in ((96.0,) if real else DOTS_PER_INCH)]
    for page in pages:
        over = (page.width - size.width) / 2, (page.height - size.height) / 2
        if max(map(abs, over)) < SIZE_TOLERANCE_MM:
            return _page_matrix(box, size, 0), "as large as the piece"
    stretch = abs(box.width / box.height * size.height / size.width - 1)
    # by chance, any number of pixels of a square page is the piece with some bleed
    least, most = USUAL_BLEED_MM if not real and stretch < SAME_PROPORTION else (MIN_BLEED_MM, MAX_BLEED_MM)
    for page in pages:
        over = (page.width - size.width) / 2, (page.height - size.height) / 2
        if abs(over[0] - over[1]) < SIZE_TOLERANCE_MM / 2 and least <= over[0] <= most:
            return _page_matrix(box, page, over[0]), f"with a bleed of {over[0]:.3g} mm"
    if stretch > PROPORTION_TOLERANCE:
        page = pages[0] if real else Size(*units)
        unit = " mm" if real else ""
        raise DrawingError(drawing.lines[drawing.root], f"the page is {page.width:.4g} × {page.height:.4g}{unit}, the "
                           f"piece {size}", "give both the same proportions, or the page a bleed on all sides")
    if not real:
        return _page_matrix(box, size, 0), f"scaled to {size}"
    page = pages[0]
    return (_page_matrix(box, size, 0),
            f"{page.width:.4g} × {page.height:.4g} mm, scaled to {size.width / page.width:.0%}")


def _page_matrix(box: Rect, page: Size, bleed: float) -> Matrix:
    scale = page.width / box.width
    return scale, 0, 0, scale, -box.x * scale - bleed, -box.y * scale - bleed


# --- Shapes ---

def own_matrix(element: etree._Element) -> Matrix:
    """The transform of an element itself; one that is not understood is none."""
    matrix = parse_transform(clean_value("transform", str(element.get("transform", ""))))
    return matrix if all(map(isfinite, matrix)) else IDENTITY


def is_visible(matrix: Matrix) -> bool:
    """True if anything is left of a shape under a matrix: layers are hidden by a scale of nothing, too."""
    a, b, c, d, _, _ = matrix
    return all(map(isfinite, matrix)) and abs(a * d - b * c) > 1e-12


def format_matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{number:.7g}' for number in matrix)})"


def shape_box(drawing: Drawing, element: etree._Element, matrix: Matrix = IDENTITY) -> Rect | None:
    """The rectangle around a shape or picture after the transform; None for one without points, or far away."""
    if element not in drawing.boxes:
        drawing.boxes[element] = _enclose(_outline_points(drawing, element))
    own = drawing.boxes[element]
    if matrix == IDENTITY or own is None:
        return own
    return _enclose([apply_matrix(matrix, x, y) for x in (own.x, own.right) for y in (own.y, own.bottom)])


def is_rectangle(drawing: Drawing, element: etree._Element) -> bool:
    """Check that a path is an upright rectangle."""
    own = shape_box(drawing, element)
    chains = parse_chains(clean_value("d", element.get("d", "")))
    return own is not None and len(chains) == 1 and all(
        min(abs(point.real - own.x), abs(point.real - own.right)) < 1e-3 * own.width
        and min(abs(point.imag - own.y), abs(point.imag - own.bottom)) < 1e-3 * own.height for point in chains[0][0])


def _enclose(points: Sequence[tuple[float, float]]) -> Rect | None:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    if not points or not all(abs(number) < MAX_REACH for number in (*xs, *ys)):
        return None
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _outline_points(drawing: Drawing, element: etree._Element) -> Sequence[tuple[float, float]]:
    """Points that a shape lies between, in its own units."""
    tag, number = local_tag(element), drawing.number
    if tag in ("rect", "image", "circle", "ellipse", "svg", "use"):
        if tag in ("circle", "ellipse"):
            rx, ry = number(element, "r") or number(element, "rx"), number(element, "r") or number(element, "ry")
            x, y = number(element, "cx") - rx, number(element, "cy") - ry
            width, height = 2 * rx, 2 * ry
        else:
            x, y, width, height = (number(element, name) for name in ("x", "y", "width", "height"))
        return [(x, y), (x + width, y + height)]
    if tag == "line":
        return [(number(element, f"x{n}"), number(element, f"y{n}")) for n in (1, 2)]
    if tag == "path":
        data = clean_value("d", str(element.get("d", "")))
        return [(point.real, point.imag) for chain, _ in parse_chains(data) for point in chain] if data else []
    numbers = [float(each) for each in NUMBER.findall(str(element.get("points", "")))]
    return [*pairwise(numbers)][::2]


def viewport_matrix(drawing: Drawing, element: etree._Element, given: etree._Element) -> Matrix:
    """The matrix of a symbol or an inner ``<svg>``; x, y, width and height stand on the ``given`` element."""
    place: Matrix = (1, 0, 0, 1, drawing.number(given, "x"), drawing.number(given, "y"))
    box = [float(number) for number in NUMBER.findall(element.get("viewBox", ""))]
    width, height = drawing.number(given, "width"), drawing.number(given, "height")
    if len(box) != 4 or not (box[2] > 0 and box[3] > 0 and width > 0 and height > 0):
        return place
    scale = min(width / box[2], height / box[3])
    middle: Matrix = (scale, 0, 0, scale, (width - box[2] * scale) / 2 - box[0] * scale,
                      (height - box[3] * scale) / 2 - box[1] * scale)
    return multiply(place, middle)
