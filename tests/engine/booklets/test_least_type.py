"""No type in the pictures of the rules is smaller than 5 pt, no stroke under 0.1 mm, as a PDF reader sees them.

test_booklets has their words.
"""

import json

import pypdfium2
import pytest

from ppgen.assets import Assets
from ppgen.engine.booklets.booklet import Booklet, BookletPicture, FigureLabel, iter_figures, iter_pictures
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fineness import MIN_STROKE, MIN_TYPE_SIZE
from ppgen.engine.geometry import Format, Size
from ppgen.engine.imposition.sheets import SheetSpec
from ppgen.engine.pdf.typesetting import faces_pdf
from ppgen.printing.set_booklets import A5, HALF_LETTER
from ppgen.printing.workshop import Workshop
from tests.pdf_reading import strokes_on, type_on

A4 = Format("a4", Size(210, 297))


def read_faces(faces: list[Face], workshop: Workshop) -> dict[Face, list[tuple[str, float, float]]]:
    """The type of each face; the distance is from the top of its trim."""
    found = {}
    for batch, document in faces_pdf(faces, workshop.fonts.folder):
        with pypdfium2.PdfDocument(document) as pdf:
            for face, page in zip(batch, pdf, strict=True):
                found[face] = [(sign, size, y - face.bleed) for sign, size, y in type_on(page)]
    return found


def smallest_in_pictures(workshop: Workshop, books: list[tuple[str, str, Booklet]]) -> list[tuple]:
    """What is too small, with the language and the ink of each booklet."""
    shown: dict[Face, list[tuple[str, BookletPicture]]] = {}
    found: list[tuple] = []
    for lang, ink, book in books:
        studio = workshop.studio(workshop.texts(lang), ink)
        found += [(lang, part.words, part.size) for figure in iter_figures(book.blocks) for part in figure.parts
                  if isinstance(part, FigureLabel) and part.size < MIN_TYPE_SIZE]
        for picture in (picture for figure in iter_figures(book.blocks) for picture in iter_pictures(figure)):
            face = studio.draw(picture.request, 0, "test")
            shown.setdefault(face, []).append((lang, picture))
    assert shown
    type_of = read_faces([face for face in shown if "<text" in face.svg], workshop)
    assert type_of
    for face, signs in type_of.items():
        for lang, picture in shown[face]:
            scale = picture.box.width / picture.request.size.width
            found += [(lang, picture.request.template, sign, round(size * scale, 2)) for sign, size, y in signs
                      if y * scale < picture.box.height and size * scale < MIN_TYPE_SIZE - 0.01]
    return sorted({*found})


def book(workshop: Workshop, lang: str, page: Size, ink: str) -> Booklet:
    texts = workshop.texts(lang)
    parts = workshop.parts(texts, workshop.game.card_size, SheetSpec(paper=A4), ()).parts
    return workshop.game.rules(texts, parts, page, ink)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang", "ink", "page"), [
    ("card-game", "de", "full", HALF_LETTER), ("board-game", "ja", "low", A5)])
def test_no_picture_in_the_rules_has_smaller_type(game, lang, ink, page):
    """In the language with the longest words, and in the one with the widest characters."""
    workshop = Workshop.open(Assets.at(), game=game)
    assert smallest_in_pictures(workshop, [(lang, ink, book(workshop, lang, page, ink))]) == []


@pytest.mark.slow
def test_no_stroke_in_a_booklet_is_too_fine_to_print(desk):
    done = desk.ppgen("build", "--only", "rules", "--lang", "de", "--skin", "woodcut", "--json")
    assert done.exit_code == 0, done.output
    for entry in json.loads(done.stdout)[0]["files"]:
        with pypdfium2.PdfDocument(desk.folder / entry["path"]) as document:
            for number, page in enumerate(document, 1):
                widths = [width for width, _ in strokes_on(page)]
                assert min(widths, default=1) >= MIN_STROKE - 0.001, (entry["path"], number, min(widths))
