"""PDF pages as pictures: exactly the trim, on white paper, also from several threads at once."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from ppgen.engine.drawing.face import Face
from ppgen.engine.geometry import Size
from ppgen.engine.pdf.typesetting import faces_pdf
from ppgen.engine.pictures.face_pictures import page_png, page_sizes


@pytest.fixture(scope="module")
def document(fonts) -> bytes:
    """Two faces with a red bleed of 2 mm around a blue trim; the second leaves half of it blank."""
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 24 34"><path d="M-2-2h24v34h-24zM0 0v30h20v-30z" '
           'fill="#FF0000"/><rect width="{}" height="30" fill="#0000FF"/></svg>')
    faces = [Face(svg=svg.format(width), size=Size(20, 30), bleed=2) for width in (20, 10)]
    ((_, pdf),) = faces_pdf(faces, fonts.folder)
    return pdf


def opened(content: bytes) -> Image.Image:
    with Image.open(io.BytesIO(content)) as picture:
        return picture.convert("RGB")


def test_pages_have_their_size_in_millimetres(document):
    assert [(round(size.width, 3), round(size.height, 3)) for size in page_sizes(document)] == [(24, 34)] * 2


@pytest.mark.parametrize("dpi", [72, 127, 254])
def test_the_inset_is_what_is_left_away(document, dpi):
    whole, trim = (opened(page_png(document, 0, dpi, inset)) for inset in (0, 2))
    assert whole.size == pytest.approx((24 / 25.4 * dpi, 34 / 25.4 * dpi), abs=1)
    assert trim.size == pytest.approx((20 / 25.4 * dpi, 30 / 25.4 * dpi), abs=1)
    assert whole.getpixel((1, 1)) == (255, 0, 0)
    inner = trim.crop((1, 1, trim.width - 1, trim.height - 1))
    assert inner.getcolors() == [(inner.width * inner.height, (0, 0, 255))]
