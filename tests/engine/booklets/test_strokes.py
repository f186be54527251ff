"""A picture's strokes are printable in each place of a booklet, however large it is in another."""

import pypdfium2

from ppgen.engine.booklets.booklet import Booklet, BookletPicture, Figure
from ppgen.engine.booklets.booklet_pdf import typeset
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fineness import MIN_STROKE
from ppgen.engine.geometry import Rect, Size
from tests.pdf_reading import strokes_on


def test_a_picture_that_is_shown_large_and_small_has_no_stroke_too_fine_for_the_small_one(fonts):
    line = FaceRequest(template="line", size=Size(40, 40), values={})
    face = Face(svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><path d="M5 5L35 35" fill="none" '
                    'stroke="#000000" stroke-width="0.2"/></svg>', size=Size(40, 40), bleed=0)
    ornament = FaceRequest(template="ornament", size=Size(1, 1), values={})
    blank = Face(svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', size=Size(1, 1), bleed=0)
    figure = Figure(size=Size(60, 45), alt="Lines", parts=tuple(
        BookletPicture(request=line, box=Rect(x, 0, side, side), outline=False) for x, side in ((0, 40), (45, 8))))
    booklet = Booklet(title="A", running="A", lang="en", page=Size(105, 148), author="B", ink="full",
                      blocks=(figure,), ornament=ornament)
    content = typeset(booklet, {line: face, ornament: blank}, fonts, picture_dpi=0)
    with pypdfium2.PdfDocument(getattr(content, "content", content)) as pdf:
        widths = sorted(width for page in pdf for width, _ in strokes_on(page))
    assert len(widths) >= 2 and widths[0] >= MIN_STROKE - 1e-3
