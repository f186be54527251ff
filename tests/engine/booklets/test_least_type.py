"""No type in the pictures of the rules is smaller than 5 pt, no stroke under 0.1 mm, as a PDF reader sees them.

test_booklets has their words.
"""

import pypdfium2
import pytest

from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import BookletPicture, FigureLabel, iter_figures, iter_pictures
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.svg_check import MIN_STROKE, MIN_TYPE_SIZE
from ppgen.engine.pdf.typesetting import faces_pdf
from ppgen.printing.drawn_parts import parts_on_a4
from ppgen.printing.set_booklets import A5, HALF_LETTER
from ppgen.printing.workshop import Workshop
from tests.pdf_reading import strokes_on, type_on


@pytest.mark.slow
@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(("game", "lang", "page"), [("card-game", "de", A5), ("board-game", "ja", HALF_LETTER)])
def test_no_picture_in_the_rules_has_smaller_type(game, lang, page):
    """In the language with the longest words, and in the one with the widest characters."""
    workshop = Workshop.open(Assets.at(), game=game)
    texts = workshop.texts(lang)
    book = workshop.game.rules(texts, parts_on_a4(workshop, texts, workshop.game.card_size), page, "full")
    figures, studio = [*iter_figures(book.blocks)], workshop.studio(texts, "full")
    labels = [part for figure in figures for part in figure.parts if isinstance(part, FigureLabel)]
    assert not [label for label in labels if label.size < MIN_TYPE_SIZE]
    shown: dict[Face, list[BookletPicture]] = {}
    for picture in (picture for figure in figures for picture in iter_pictures(figure)):
        shown.setdefault(studio.draw(picture.request, 0, "test"), []).append(picture)
    lettered = [face for face in shown if "<text" in face.svg]
    assert lettered
    for batch, document in faces_pdf(lettered, workshop.fonts):
        with pypdfium2.PdfDocument(document) as pdf:
            for face, drawn in zip(batch, pdf, strict=True):
                for picture in shown[face]:
                    scale = picture.box.width / picture.request.size.width
                    assert not [(sign, size * scale) for sign, size, y in type_on(drawn) if size * scale < MIN_TYPE_SIZE
                                - 0.01 and (y - face.bleed) * scale < picture.box.height], picture.request.template


@pytest.mark.slow
def test_no_stroke_in_a_booklet_is_too_fine_to_print(german_set):
    for path in german_set.folder.glob("output/de/rules-*.pdf"):
        with pypdfium2.PdfDocument(path) as document:
            for number, page in enumerate(document, 1):
                widths = [width for width, _ in strokes_on(page)]
                assert min(widths, default=1) >= MIN_STROKE - 0.001, (path.name, number, min(widths))
