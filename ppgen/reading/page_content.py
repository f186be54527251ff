"""What strangers' PDF pages draw, and where; and pages cut out of them, for the supervised child."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2
from pikepdf import (Array, ContentStreamInstruction, Matrix, ObjectStreamMode, Operator, Page, Pdf, Rectangle, new,
                     parse_content_stream, unparse_content_stream)

from ppgen.reading.pdf_pages import POINTS_PER_MM

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in mm from the upper left corner of the page as it is seen."""
MAX_INSTRUCTIONS, MAX_FORM_DEPTH = 150_000, 4
MIN_SCAN_PX, MAX_SCAN_PX = 4.0, 48.0
_PAINTS, _SHOWS = frozenset("f F f* S s B B* b b*".split()), frozenset(("Tj", "TJ"))
_MOVES = frozenset(("Td", "TD", "Tm", "T*", "'", '"', "ET"))
_KEPT_KEYS = frozenset("/Type /Parent /Contents /Resources /Rotate /UserUnit /Group".split())
MIN_TRIM_MM = 0.3
TOUCH_MM = 0.15
"""What reaches no farther into a card than this is of its neighbour, and left out of its page."""


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
    trim: Box | None = None
    """The TrimBox, if it is smaller than the page on each side (ISO 32000-1, 14.11.2)."""


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
