"""Words lie on their drawings as if they were one; what has not changed is not set anew."""

import io
import os
import subprocess
import sys
from itertools import count

import pytest
from PIL import Image, ImageChops

from ppgen.cache import open_cache
from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.sheets import DocumentInfo
from ppgen.engine.pdf import typesetting
from ppgen.engine.pdf.assembly import CardPage, card_pages
from ppgen.engine.pdf.typesetting import DRAWING_BATCH_SIZE, LARGE_DRAWING, faces_pdf, layers_pdf
from ppgen.engine.pictures.face_pictures import page_png
from ppgen.shipped import shipped_root

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
    parted, whole = (card_pages([CardPage(face=one) for one in faces], pages(faces, fonts), INFO)
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
    assert sum(one in batch for batch, _ in layers_pdf(set_of(one), fonts)) == 1


@pytest.mark.parametrize(("changed", "set_anew"), [
    (card(0, "Roma"), 1),
    (face(drawing(1) + WORDS.format(9, "Rome")), 2),
])
def test_other_words_leave_drawings_alone_and_a_changed_drawing_most(fonts, monkeypatch, tmp_path, changed, set_anew):
    calls, compiled = count(), typesetting._compile
    monkeypatch.setattr(typesetting, "_compile", lambda *given, **more: (next(calls), compiled(*given, **more))[1])
    with open_cache(tmp_path / "cache"):
        assert len([*layers_pdf(set_of(card(0)), fonts)]) == 3
        before = next(calls)
        assert len([*layers_pdf(set_of(changed), fonts)]) == 3
        assert next(calls) - before - 1 == set_anew


STRANGERS = """
from math import inf
from ppgen.engine.pdf.typesetting import faces_pdf, faces_png
from ppgen.errors import InputError
from ppgen.process import supervision
from ppgen.engine.drawing.fonts import house_fonts
from tests.engine.pdf.test_typesetting import card, drawing, face

fonts = house_fonts()
supervision.limit_run(1, print)
pages = list(faces_pdf([card(1)], fonts))
supervision.MAX_CPU_S = 0.1
supervision._forget_child()
try:
    faces_png([face('<g opacity="0.5">' * 50 + drawing(1) + "</g>" * 50)] * 50, fonts.folder, 1200)
except InputError as error:
    print(*error.problems)
supervision._most_s = inf
print(pages == list(faces_pdf([card(1)], fonts)))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs timers")
def test_pages_of_strangers_are_set_in_the_child_in_bounds_with_the_same_bytes():
    """In a process of its own: typst has threads, and what was forked after it would wait for them.

    They take over twenty times their bound of processor time, whatever else the machine does.
    """
    done = subprocess.run([sys.executable, "-c", STRANGERS], capture_output=True, text=True, cwd=shipped_root())
    assert [line.partition(" than Cinzel")[0] for line in done.stdout.splitlines()] == [
        "PDF: takes more than 0.4 s to set (draw less on a face, or take other fonts", "True"], done.stderr
