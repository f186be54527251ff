"""Pictures and words in a booklet: strokes are printable, faces are exchanged, and long words are broken."""

import io

import pikepdf
import pypdfium2
import pytest

from ppgen.engine.booklets.booklet import SLACK, Booklet, BookletPicture, Figure, Panel, Paragraph, Span, _Fitter
from ppgen.engine.booklets.booklet_pdf import LARGE_FACE, typeset
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.svg_check import MIN_STROKE
from ppgen.engine.geometry import Rect, Size
from tests.pdf_reading import strokes_on

LINE = '<path d="M5 5L35 35" fill="none" stroke="#000000" stroke-width="0.2"/>'


def pictured(fonts, drawing, sides):
    """A booklet with a picture in several sizes."""
    line = FaceRequest(template="line", size=Size(40, 40), values={})
    face = Face(svg=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40">{drawing}</svg>', size=Size(40, 40),
                bleed=0)
    ornament = FaceRequest(template="ornament", size=Size(1, 1), values={})
    blank = Face(svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', size=Size(1, 1), bleed=0)
    figure = Figure(size=Size(60, 45), alt="Lines", parts=tuple(
        BookletPicture(request=line, box=Rect(x, 0, side, side), outline=False) for x, side in sides))
    booklet = Booklet(title="A", running="A", lang="en", page=Size(105, 148), author="B", ink="full",
                      blocks=(figure,), ornament=ornament)
    return typeset(booklet, {line: face, ornament: blank}, fonts, picture_dpi=0)


def test_a_picture_that_is_shown_large_and_small_has_no_stroke_too_fine_for_the_small_one(fonts):
    with pypdfium2.PdfDocument(pictured(fonts, LINE, ((0, 40), (45, 8)))) as pdf:
        widths = sorted(width for page in pdf for width, _ in strokes_on(page))
    assert len(widths) >= 2 and widths[0] >= MIN_STROKE - 1e-3


def test_a_large_face_is_drawn_itself_not_its_placeholder(fonts):
    content = pictured(fonts, LINE * (LARGE_FACE // len(LINE) + 1), ((0, 40),))
    with pikepdf.open(io.BytesIO(content)) as pdf:
        assert "/Image" not in [item.get("/Subtype") for item in pdf.objects if isinstance(item, pikepdf.Stream)]
    with pypdfium2.PdfDocument(content) as pdf:
        assert [*strokes_on(pdf[0])]


@pytest.mark.parametrize(("less", "wrap"), [(0, lambda line: line), (6, lambda line: Panel(blocks=(line,)))])
def test_a_word_is_broken_just_where_no_line_has_room_for_it(fonts, less, wrap):
    """A panel has 3 mm on both sides."""
    word, fitter = "Donaudampfschiff", _Fitter(fonts, 4.0)
    wide = fonts.width(word, "text", 4.0) * SLACK + less
    for room, is_broken in ((wide + 0.1, False), (wide - 0.1, True)):
        (block,) = fitter.fit_blocks([wrap(Paragraph((Span(word),)))], room)
        paragraph = block.blocks[0] if less else block
        assert ("\u00ad" in paragraph.words[0].words) == is_broken
