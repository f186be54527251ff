"""No type in the pictures of the rules is smaller than 5 pt, as a PDF reader sees it; test_booklets has their words."""

from __future__ import annotations

import pypdfium2
import pytest

from ppgen.assets import Assets
from ppgen.engine.booklets.document import Booklet, Label, Picture, figures_in, pictures_in
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.fineness import LEAST_TYPE
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.values import SheetSpec
from ppgen.engine.typesetting import faces_pdf
from ppgen.production.booklets import A5, HALF_LETTER
from ppgen.production.workshop import Workshop

from .reading import type_on

A4 = Format("a4", Size(210, 297))
LANGUAGES = ("de", "fr", "ja", "nl")
"""Those with the longest words, and the one with the widest characters."""


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
    shown: dict[Face, list[tuple[str, Picture]]] = {}
    found: list[tuple] = []
    for lang, ink, book in books:
        studio = workshop.studio(workshop.texts(lang), ink)
        found += [(lang, part.words, part.size) for figure in figures_in(book.blocks) for part in figure.parts
                  if isinstance(part, Label) and part.size < LEAST_TYPE]
        for picture in (picture for figure in figures_in(book.blocks) for picture in pictures_in(figure)):
            face = studio.draw(picture.request, 0, "test")
            shown.setdefault(face, []).append((lang, picture))
    assert shown
    type_of = read_faces([face for face in shown if "<text" in face.svg], workshop)
    assert type_of
    for face, signs in type_of.items():
        for lang, picture in shown[face]:
            scale = picture.box.width / picture.request.size.width
            found += [(lang, picture.request.template, sign, round(size * scale, 2)) for sign, size, y in signs
                      if y * scale < picture.box.height and size * scale < LEAST_TYPE - 0.01]
    return sorted({*found})


def book(workshop: Workshop, lang: str, card: Format, page: Size, ink: str = "full") -> Booklet:
    texts = workshop.texts(lang)
    parts = workshop.parts(texts, card, SheetSpec(paper=A4), ()).parts
    return workshop.game.rules(texts, parts, page, ink)


@pytest.mark.parametrize(("game", "langs"), [("card-game", LANGUAGES), ("board-game", ("de", "ja"))])
def test_no_picture_in_the_rules_has_smaller_type(game, langs):
    workshop = Workshop.open(Assets.at(), game=game)
    usual = workshop.game.card_size
    books = [(lang, "full", book(workshop, lang, usual, HALF_LETTER)) for lang in langs]
    books += [("de", "low", book(workshop, "de", usual, A5, "low"))]
    assert smallest_in_pictures(workshop, books) == []


@pytest.mark.parametrize("size", ["micro", "square-70", "tarot"])
def test_nor_has_one_of_cards_of_another_size(workshop, formats, size):
    card = Format(size, formats.sizes[size])
    assert smallest_in_pictures(workshop, [("de", "full", book(workshop, "de", card, HALF_LETTER))]) == []
