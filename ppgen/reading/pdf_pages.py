"""Pages of strangers' PDFs, as the supervised child reads them: what they are, their pixels, and pages cut out of them.

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
        return render(document[number], dpi)


def render(page: Any, dpi: float) -> Image.Image:
    """Draw an open page in RGB."""
    bitmap = page.render(scale=dpi / 72, draw_annots=False, fill_color=(255, 255, 255, 255))
    return bitmap.to_pil().convert("RGB")  # type: ignore[no-any-return]


# What is on a page

Box = tuple[float, float, float, float]
"""Left, top, right and bottom edge in mm from the upper left corner of the page as it is seen."""
MAX_INSTRUCTIONS, MAX_FORM_DEPTH = 150_000, 4
_PAINTS, _SHOWS = frozenset("f F f* S s B B* b b*".split()), frozenset(("Tj", "TJ"))
_MOVES = frozenset(("Td", "TD", "Tm", "T*", "'", '"', "ET"))
TOUCH_MM = 0.15
"""What reaches no farther into a card than this is of its neighbour, and left out of its page."""


@dataclass(slots=True)
class PageContent:
    """The instructions of a page, and the places in mm that they draw at, by their numbers, if known.

    ``boxes`` are those of shapes, pictures, forms and clips, also in forms; ``is_scan`` if a picture is the whole page.
    """

    instructions: Sequence[Any]
    matrix: pikepdf.Matrix
    places: dict[int, Box] = field(default_factory=dict)
    boxes: list[Box] = field(default_factory=list)
    texts: list[int] = field(default_factory=list)
    image_px: float = 0.0
    is_scan: bool = False


def page_matrix(page: pikepdf.Page) -> pikepdf.Matrix:
    """The matrix from the units of a page to mm from the upper left corner of what is seen."""
    import pikepdf

    left, bottom, right, top = map(float, page.cropbox)
    k = float(page.obj.get("/UserUnit", 1)) / POINTS_PER_MM
    return pikepdf.Matrix(*{0: (k, 0, 0, -k, -left * k, top * k), 90: (0, k, k, 0, -bottom * k, -left * k),
                            180: (-k, 0, 0, k, right * k, -bottom * k),
                            270: (0, -k, -k, 0, top * k, right * k)}[page.rotation % 360])


def transform(matrix: pikepdf.Matrix, box: Iterable[Any]) -> Box:
    import pikepdf

    found = matrix.transform(pikepdf.Rectangle(*map(float, box)))
    return found.llx, found.lly, found.urx, found.ury


def _clip(box: Box, clip: Box | None) -> Box:
    return box if clip is None else (*map(max, box[:2], clip[:2]), *map(min, box[2:], clip[2:]))  # type: ignore[return-value]


def read_content(page: pikepdf.Page) -> PageContent:
    """Read the instructions of a page, and where they draw (ISO 32000-1, 8 and 9)."""
    import pikepdf

    content = PageContent([*pikepdf.parse_content_stream(page)], page_matrix(page))
    _walk(content.instructions, page.obj.get("/Resources", {}), content.matrix, None, content, 0)
    left, top, right, bottom = transform(content.matrix, page.cropbox)
    content.is_scan = not content.texts and len(content.boxes) < 4 and content.image_px > 0 and any(
        (box[2] - box[0]) * (box[3] - box[1]) > 0.8 * (right - left) * (bottom - top) for box in content.boxes)
    return content


def _walk(instructions: Sequence[Any], resources: Any, matrix: pikepdf.Matrix, clip: Box | None, content: PageContent,
          depth: int) -> None:
    """Follow the matrix, the clip and the paths of instructions; on the page itself note the place of each."""
    import pikepdf

    stack: list[tuple[pikepdf.Matrix, Box | None]] = []
    path: list[float] = []
    clips = False
    for n, (operands, operator) in enumerate((each.operands, str(each.operator)) for each in instructions):
        if n + len(content.boxes) > MAX_INSTRUCTIONS:
            return
        box: Box | None = None
        if operator == "q":
            stack.append((matrix, clip))
        elif operator == "Q" and stack:
            matrix, clip = stack.pop()
        elif operator == "cm":
            matrix = pikepdf.Matrix(*map(float, operands)) @ matrix
        elif operator in ("m", "l", "c", "v", "y"):
            path += map(float, operands)
        elif operator == "re":
            x, y, width, height = map(float, operands)
            path += (x, y, x + width, y + height)
        elif operator in ("W", "W*"):
            clips = True
        elif operator == "n" or operator in _PAINTS:
            if path:
                xs, ys = path[::2], path[1::2]
                box = _clip(transform(matrix, (min(xs), min(ys), max(xs), max(ys))), clip)
                clip = box if clips else clip
            path, clips = [], False
        elif operator in ("Do", "INLINE IMAGE"):
            thing: Any = resources.get("/XObject", {}).get(operands[0], {}) if operator == "Do" else {}
            if thing.get("/Subtype") == "/Form":
                inner = pikepdf.Matrix(*map(float, thing.get("/Matrix", (1, 0, 0, 1, 0, 0)))) @ matrix
                box = _clip(transform(inner, thing.BBox), clip)
                if depth < MAX_FORM_DEPTH:
                    _walk([*pikepdf.parse_content_stream(thing)], thing.get("/Resources", resources), inner, box,
                          content, depth + 1)
            else:
                box = _clip(transform(matrix, (0, 0, 1, 1)), clip)
                content.image_px = max(content.image_px, int(thing.get("/Width", 0)) / max(box[2] - box[0], 1))
        elif operator == "sh" and not depth and clip:
            content.places[n] = clip
        elif operator in _SHOWS and not depth and (operator == "TJ" or bytes(operands[0])):
            content.texts.append(n)
        if box:
            content.boxes.append(box)
            if not depth and operator != "n":
                content.places[n] = box


def cut_card(pdf: pikepdf.Pdf, number: int, content: PageContent, card: Box, is_upside_down: bool) -> bytes:
    """Make a page of the part of a page that shows a card; what is drawn elsewhere is left out of it."""
    import pikepdf

    left, top, right, bottom = card
    out: set[int] = set()
    for n, box in content.places.items():
        if (box[0] < right - TOUCH_MM and box[2] > left + TOUCH_MM and box[1] < bottom - TOUCH_MM
                and box[3] > top + TOUCH_MM):
            continue
        if str(content.instructions[n].operator) in _SHOWS:  # one that the next show follows on its line stays
            following = (str(each.operator) for each in content.instructions[n + 1:n + 60])
            if next((each for each in following if each in _MOVES | _SHOWS), "Tj") in _SHOWS:
                continue
        out.add(n)
    nothing = pikepdf.ContentStreamInstruction([], pikepdf.Operator("n"))  # ends a path that is not painted
    kept = [nothing if n in out else each for n, each in enumerate(content.instructions)
            if n not in out or str(each.operator) in _PAINTS]
    with pikepdf.new() as single:
        single.pages.append(pdf.pages[number])
        page = single.pages[0]
        page.contents_coalesce()
        page.Contents = single.make_stream(pikepdf.unparse_content_stream(kept))
        for name in "/Annots /CropBox /TrimBox /BleedBox /ArtBox /Thumb /B /AA /StructParents".split():
            if name in page:
                del page[name]
        page.MediaBox = pikepdf.Array([round(x, 4) for x in transform(content.matrix.inverse(), card)])
        page.rotate(180 if is_upside_down else 0, relative=True)
        single.remove_unreferenced_resources()
        target = io.BytesIO()
        single.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
        return target.getvalue()
