"""Pages of strangers' PDFs, behind the wall: what they are, their pixels, and single pages cut out of them.

A page is seen as viewers show it: its crop box, turned, without annotations.
"""

from __future__ import annotations

import io
import logging
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ppgen.errors import InputError, Problem
from ppgen.process.supervision import Options
from ppgen.shipped import Phrase

if TYPE_CHECKING:
    import pikepdf
    from PIL import Image

POINTS_PER_MM = 72 / 25.4
LONGEST_PX = 2000
"""The longer side of a page as a picture: 500 dpi on a card."""
MAX_PAGES = 500
MAX_SIDE_MM = 1_500


@contextmanager
def open_pdf(content: bytes, name: str) -> Iterator[pikepdf.Pdf]:
    """Open a PDF; whatever its data make the library raise becomes an InputError."""
    import pikepdf

    logging.getLogger("pikepdf").setLevel(logging.CRITICAL)
    try:
        with pikepdf.open(io.BytesIO(content)) as pdf:
            yield pdf
    except (InputError, MemoryError):
        raise
    except pikepdf.PasswordError as error:
        raise refuse(name, "is protected by a password", Phrase("save_without_password")) from error
    except Exception as error:
        raise refuse(name, "is a damaged PDF", Phrase("save_again")) from error


def refuse(name: str, what: str, remedy: str) -> InputError:
    return InputError([Problem(place=name, what=what, remedy=remedy)])


def measure_pages(content: bytes, options: Options) -> list[tuple[float, float]]:
    """The sides in mm of each page of the PDF of that ``name``. Raises InputError."""
    name = options["name"]
    with open_pdf(content, name) as pdf:
        if not 0 < len(pdf.pages) <= MAX_PAGES:
            raise refuse(name, f"has {len(pdf.pages):,} pages", f"give at most {MAX_PAGES}: save a part of it")
        sizes = []
        for number, page in enumerate(pdf.pages, 1):
            left, bottom, right, top = map(float, page.cropbox)
            unit = float(page.obj.get("/UserUnit", 1)) / POINTS_PER_MM
            width, height = abs(right - left) * unit, abs(top - bottom) * unit
            if not 1 <= min(width, height) <= max(width, height) <= MAX_SIDE_MM:
                raise refuse(name, f"page {number} is {width:,.0f} x {height:,.0f} mm",
                              f"sides of 1 to {MAX_SIDE_MM:,} mm: print it to a PDF of the right size")
            sizes.append((height, width) if page.rotation % 180 else (width, height))
        return sizes


def draw_page(content: bytes, options: Options) -> str:
    """Draw the only page of the PDF of that ``name``: a PNG in Base64. Raises InputError."""
    (sides,) = measure_pages(content, options)
    target = io.BytesIO()
    render_page(content, 0, LONGEST_PX / max(sides) * 25.4).save(target, "PNG", compress_level=1)
    return b64encode(target.getvalue()).decode()


def render_page(content: bytes, number: int, dpi: float) -> Image.Image:
    """Draw a page in RGB."""
    import pypdfium2

    with pypdfium2.PdfDocument(content) as document:
        bitmap: Any = document[number].render(scale=dpi / 72, draw_annots=False, fill_color=(255, 255, 255, 255))
        return bitmap.to_pil().convert("RGB")  # type: ignore[no-any-return]


# What is on a page

Matrix = tuple[float, float, float, float, float, float]
Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in mm from the upper left corner of the page as it is seen."""
MAX_INSTRUCTIONS, MAX_FORM_DEPTH = 150_000, 4
_PAINTS = frozenset("f F f* S s B B* b b*".split())
_MOVES, _SHOWS = frozenset(("Td", "TD", "Tm", "T*", "'", '"', "ET")), frozenset(("Tj", "TJ"))
TOUCH_MM = 0.15
"""What reaches no farther into a card than this is of its neighbour, and left out of its page."""


@dataclass(slots=True)
class PageContent:
    """The instructions of a page, each with the box that it draws in, if that is known.

    ``boxes`` are those of shapes, pictures, forms and clips, also in forms; ``is_scan`` if a picture is the whole page.
    """

    instructions: list[Any]
    places: dict[int, Box] = field(default_factory=dict)
    beginnings: dict[int, int] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    image_px: float = 0.0
    is_scan: bool = False


def page_matrix(page: pikepdf.Page) -> Matrix:
    """The matrix from the units of a page to mm from the upper left corner of what is seen."""
    left, bottom, right, top = map(float, page.cropbox)
    k = float(page.obj.get("/UserUnit", 1)) / POINTS_PER_MM
    return {0: (k, 0, 0, -k, -left * k, top * k), 90: (0, k, k, 0, -bottom * k, -left * k),
            180: (-k, 0, 0, k, right * k, -bottom * k), 270: (0, -k, -k, 0, top * k, right * k)}[page.rotation % 360]


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)


def _bounds(matrix: Matrix, points: Sequence[tuple[float, float]]) -> Box:
    a, b, c, d, e, f = matrix
    xs, ys = [a * x + c * y + e for x, y in points], [b * x + d * y + f for x, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _corners(box: Iterable[Any]) -> list[tuple[float, float]]:
    left, bottom, right, top = map(float, box)
    return [(left, bottom), (right, bottom), (left, top), (right, top)]


def _common(box: Box, clip: Box | None) -> Box:
    return box if clip is None else (max(box[0], clip[0]), max(box[1], clip[1]), min(box[2], clip[2]),
                                     min(box[3], clip[3]))


def read_content(page: pikepdf.Page) -> PageContent:
    """Read the instructions of a page, and where they draw (ISO 32000-1, 8 and 9)."""
    import pikepdf

    content = PageContent([*pikepdf.parse_content_stream(page)])
    _walk(content.instructions, page.obj.get("/Resources", {}), page_matrix(page), None, content, 0)
    left, bottom, right, top = _bounds(page_matrix(page), _corners(page.cropbox))
    area = (right - left) * (top - bottom)
    pictures = [box for n, box in content.places.items() if str(content.instructions[n].operator) == "Do"]
    content.is_scan = not content.texts and len(content.boxes) < 4 and any(
        (box[2] - box[0]) * (box[3] - box[1]) > 0.8 * area for box in pictures) and content.image_px > 0
    return content


def _walk(instructions: Sequence[Any], resources: Any, matrix: Matrix, clip: Box | None, content: PageContent,
          depth: int) -> None:
    """Follow the matrix, the clip and the paths of instructions; on the page itself note the place of each."""
    stack: list[tuple[Matrix, Box | None]] = []
    points: list[tuple[float, float]] = []
    start, clips = -1, False
    for n, (operands, operator) in enumerate((each.operands, str(each.operator)) for each in instructions):
        if n > MAX_INSTRUCTIONS or len(content.boxes) > MAX_INSTRUCTIONS:
            return
        box: Box | None = None
        if operator == "q":
            stack.append((matrix, clip))
        elif operator == "Q":
            matrix, clip = stack.pop() if stack else (matrix, clip)
        elif operator == "cm":
            matrix = _times(tuple(map(float, operands)), matrix)  # type: ignore[arg-type]
        elif operator in ("m", "l", "c", "v", "y", "re"):
            numbers = [float(number) for number in operands]
            if operator == "re":
                x, y, width, height = numbers
                numbers = [x, y, x + width, y + height]
            start = n if not points else start
            points += zip(numbers[::2], numbers[1::2], strict=True)
        elif operator in ("W", "W*"):
            clips = True
        elif operator == "n" or operator in _PAINTS:
            if points and len(points) < 400:
                box = _common(_bounds(matrix, points), clip)
                content.boxes.append(box)
                clip = box if clips else clip
                if not depth and operator in _PAINTS and not clips:
                    content.places[n], content.beginnings[n] = box, start
            points, clips = [], False
        elif operator in ("Do", "INLINE IMAGE"):
            thing = resources.get("/XObject", {}).get(operands[0]) if operator == "Do" else None
            if thing is not None and thing.get("/Subtype") == "/Form":
                inner = _times(tuple(map(float, thing.get("/Matrix", (1, 0, 0, 1, 0, 0)))), matrix)  # type: ignore[arg-type]
                box = _common(_bounds(inner, _corners(thing.BBox)), clip)
                if depth < MAX_FORM_DEPTH:
                    _walk(_parse(thing), thing.get("/Resources", resources), inner, box, content, depth + 1)
            else:
                box = _common(_bounds(matrix, _corners((0, 0, 1, 1))), clip)
                if thing is not None and "/Width" in thing:
                    content.image_px = max(content.image_px, int(thing.Width) / max(box[2] - box[0], 1))
            content.boxes.append(box)
            if not depth:
                content.places[n] = box
        elif operator == "sh" and clip and not depth:
            content.places[n] = clip
        elif operator in _SHOWS and not depth and (operator == "TJ" or bytes(operands[0])):
            content.texts.append(n)


def _parse(form: Any) -> Sequence[Any]:
    import pikepdf

    return [*pikepdf.parse_content_stream(form)]


def place_box(matrix: Matrix, box: Iterable[Any]) -> Box:
    """The box in mm of one in the units of a page."""
    return _bounds(matrix, _corners(box))


def cut_card(pdf: pikepdf.Pdf, number: int, content: PageContent, card: Box, is_upside_down: bool) -> bytes:
    """Make a page of the part of a page that shows a card; what is drawn elsewhere is left out of it."""
    import pikepdf

    left, top, right, bottom = card
    a, b, c, d, e, f = page_matrix(pdf.pages[number])
    det = a * d - b * c
    inverse = (d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det)
    out: set[int] = set()
    for n, box in content.places.items():
        if (box[2] < left + TOUCH_MM or box[0] > right - TOUCH_MM or box[3] < top + TOUCH_MM
                or box[1] > bottom - TOUCH_MM):
            if str(content.instructions[n].operator) in _SHOWS:  # one that the next show follows on its line stays
                following = (str(each.operator) for each in content.instructions[n + 1:n + 60])
                if next((each for each in following if each in _MOVES | _SHOWS), "Tj") in _SHOWS:
                    continue
            out.update(range(content.beginnings.get(n, n), n + 1))
    kept = [each for n, each in enumerate(content.instructions) if n not in out]
    with pikepdf.new() as single:
        single.pages.append(pdf.pages[number])
        page = single.pages[0]
        page.contents_coalesce()
        page.Contents = single.make_stream(pikepdf.unparse_content_stream(kept))
        for name in "/Annots /CropBox /TrimBox /BleedBox /ArtBox /Thumb /B /AA /StructParents".split():
            if name in page:
                del page[name]
        x0, y0, x1, y1 = _bounds(inverse, [(left, top), (right, bottom)])
        page.MediaBox = pikepdf.Array([round(x, 4) for x in (x0, y0, x1, y1)])
        page.rotate(180 if is_upside_down else 0, relative=True)
        _leave_out_unused(page, kept)
        target = io.BytesIO()
        single.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return target.getvalue()


def _leave_out_unused(page: pikepdf.Page, instructions: Iterable[Any]) -> None:
    """Leave out the pictures and forms that the instructions don't draw; those of other cards may be large."""
    import pikepdf

    drawn = {str(each.operands[0]) for each in instructions if str(each.operator) == "Do"}
    if "/XObject" in page.Resources:
        resources = pikepdf.Dictionary({**page.Resources})
        resources["/XObject"] = pikepdf.Dictionary({name: thing for name, thing in page.Resources.XObject.items()
                                                    if name in drawn})
        page.Resources = resources
