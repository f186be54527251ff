"""Words lie on their drawings as if they were one; what has not changed is not set anew."""

from __future__ import annotations

import io
from itertools import count

import pytest
from PIL import Image, ImageChops

from ppgen.cache import open_cache
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pdf import typesetting
from ppgen.engine.pdf.assembly import CardPage, DocumentInfo, card_pages
from ppgen.engine.pdf.typesetting import DRAWING_BATCH_SIZE, LARGE_DRAWING, faces_pdf, layers_pdf
from ppgen.engine.pictures.face_pictures import page_png

ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 44 64">'
WORDS = '<text x="3" y="{}" font-size="9" fill="#FFF" font-family="Cinzel" font-weight="700">{}</text>'
INFO = DocumentInfo(title="", author="", subject="", lang="en", creator="", bookmarks=(), page_labels=())


def drawing(n: int) -> str:
    lines = "".join(f'<path d="M{x % 40} {(x * 7 + n) % 60}L{x % 17} {x % 53}" stroke="#963"/>'
                    for x in range(LARGE_DRAWING // 30))
    return f'<rect x="-2" y="-2" width="44" height="64" fill="#24{n % 10}"/>{lines}'


def face(inner: str) -> Face:
    return Face(svg=f"{ROOT}{inner}</svg>", size=Size(40, 60), bleed=2)


def card(n: int, word: str = "Rome") -> Face:
    return face(drawing(n) + WORDS.format(20, word) + "\n " + WORDS.format(50, n))


def set_of(*faces: Face) -> list[Face]:
    """These and so many others that drawings have pages of their own."""
    return [*faces, *(card(100 + n) for n in range(DRAWING_BATCH_SIZE))]


def test_words_lie_on_their_drawing_as_if_both_were_one(fonts):
    faces = set_of(card(0), face(drawing(1)))
    parted, whole = (card_pages([CardPage(face=one) for one in faces], pages(faces, fonts.folder), INFO)
                     for pages in (layers_pdf, faces_pdf))
    for number in (0, 1, DRAWING_BATCH_SIZE):
        first, second = (Image.open(io.BytesIO(page_png(pdf, number, 200))).convert("RGB") for pdf in (parted, whole))
        assert not ImageChops.difference(first, second).getbbox()
        assert len(first.getcolors(1_000_000)) > 2


@pytest.mark.parametrize("inner", [
    drawing(0) + WORDS.format(20, "below") + "<rect width='9' height='9'/>",
    drawing(0) + f"<g>{WORDS.format(20, 'in a group')}</g>",
    drawing(0) + f"<g>{WORDS.format(20, 'in a group')}</g>" + WORDS.format(50, "and not"),
    drawing(0) + WORDS.format(20, "its own").replace("<text ", '<text id="name" '),
    drawing(0) + WORDS.format(20, "gilt").replace("#FFF", "url(#gilt)"),
    "<rect width='9' height='9'/>" + WORDS.format(20, "little to draw"),
])
def test_what_belongs_together_stays_together(fonts, inner):
    one = face(inner)
    assert sum(one in batch for batch, _ in layers_pdf(set_of(one), fonts.folder)) == 1


@pytest.mark.parametrize(("changed", "set_anew"), [
    (card(0, "Roma"), 1),
    (face(drawing(1) + WORDS.format(9, "Rome")), 2),
])
def test_other_words_leave_drawings_alone_and_a_changed_drawing_most(fonts, monkeypatch, tmp_path, changed, set_anew):
    calls, compiled = count(), typesetting._compile
    monkeypatch.setattr(typesetting, "_compile", lambda *given, **more: (next(calls), compiled(*given, **more))[1])
    with open_cache(tmp_path / "cache"):
        assert len([*layers_pdf(set_of(card(0)), fonts.folder)]) == 3
        before = next(calls)
        assert len([*layers_pdf(set_of(changed), fonts.folder)]) == 3
        assert next(calls) - before - 1 == set_anew
