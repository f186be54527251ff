"""Turns faces into PDF or PNG, and booklets into PDF: the home of typst."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ppgen.cache.marks import mark_of
from ppgen.cache.store import digest_of, made
from ppgen.engine.drawing.face import Face
from ppgen.errors import InputError
from ppgen.reading.limits import refusal

BATCH = 100
"""So many faces are handed to typst at once: enough to share fonts, few enough to bound memory."""
DRAWINGS = 29
"""So many drawings without their words are handed to typst at once: when one of them changes, those are set anew. Each
document brings some 2 kB of its own, so that half of a set of cards is about right."""
LARGE = 4000
"""A drawing of so many characters is worth a page of its own below its words."""
Pages = tuple[tuple[Face, ...], bytes]
"""Faces, and a PDF with a page for each."""
_ROOT = re.compile(r'<svg xmlns="[^"]*" viewBox="[^"]*">')
"""A root that says nothing of how all in it is drawn together."""

_FACES = b"""
#set document(title: "faces")
#let given(name) = sys.inputs.at(name)
#for n in range(int(given("count"))) {
  let w = float(given("w" + str(n))) * 1mm
  let h = float(given("h" + str(n))) * 1mm
  page(width: w, height: h, margin: 0mm, fill: none,
    pdf.artifact(image(bytes(given("svg" + str(n))), format: "svg", width: w, height: h)))
}
"""

_RASTERS = b"""
#let given(name) = sys.inputs.at(name)
#for n in range(int(given("count"))) {
  let length(name) = float(given(name + str(n))) * 1pt
  let (w, h, side, corner) = (length("w"), length("h"), length("side"), length("corner"))
  let drawing = place(top + left, image(bytes(given("svg" + str(n))), format: "svg", width: side, height: side))
  page(width: w, height: h, margin: 0pt, fill: none,
    block(width: w, height: h, clip: corner > 0pt, radius: corner, drawing))
}
"""
_EMPTY = b"#page(width: 1pt, height: 1pt, margin: 0pt)[]"
_KEPT = 10
"""So many documents typst remembers what it drew for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raster:
    """A face in ``width`` × ``height`` pixels, bleed included; ``corner`` is the radius of its corners in pixels."""

    face: Face
    width: int
    height: int
    corner: float = 0.0


def faces_pdf(faces: Sequence[Face], fonts: Path) -> Iterator[Pages]:
    """PDF documents with a page for each face, in batches: the faces and their document.

    The page is the trim with its bleed. The same faces give the same bytes.
    """
    documents = ((batch, _pdf(_FACES, fonts, _inputs(batch))) for batch in _batches(faces, BATCH))
    return _ahead(documents) if len(faces) > BATCH else documents


def layers_pdf(faces: Sequence[Face], fonts: Path) -> Iterator[Pages]:
    """As :func:`faces_pdf`; but of many faces some have two pages: the drawing, and then the words that lie on it.

    Drawings are the same in all languages, and without words they need no fonts, which each document has again. So
    they come in smaller batches, most of which an earlier run or another language may have kept.
    """
    if len(faces) <= DRAWINGS:
        yield from faces_pdf(faces, fonts)
        return
    drawings: dict[Face, Face] = {}
    worded: dict[Face, Face] = {}
    for face in faces:
        drawing, words = _parted(face.svg)
        if drawing:
            drawings[face] = replace(face, svg=drawing)
        if words:
            worded[face] = replace(face, svg=words)
    documents = ((batch, _pdf(_FACES, fonts, _inputs([layer[face] for face in batch])))
                 for layer, most in ((drawings, DRAWINGS), (worded, BATCH)) for batch in _batches([*layer], most))
    yield from _ahead(documents) if len(faces) > BATCH else documents


def _ahead(documents: Iterator[Pages]) -> Iterator[Pages]:
    """Each document, while the next one is being set: typst works outside Python's lock."""
    with ThreadPoolExecutor(max_workers=1) as aside:
        coming = aside.submit(next, documents, None)
        while document := coming.result():
            coming = aside.submit(next, documents, None)
            yield document


def _parted(svg: str) -> tuple[str, str]:
    """What a face draws, and the words that come last in it: two drawings of the same size.

    The first is empty if it is small, or can't do without the second; the second, if there are no words.
    """
    drawing, *words = svg.removesuffix("</svg>").split("<text ")
    root = _ROOT.match(svg)
    alone = all(each.rstrip().endswith("</text>") and "url(#" not in each and 'id="' not in each for each in words)
    if not alone or not root or len(drawing) < LARGE:
        return "", svg
    return f"{drawing}</svg>", "<text ".join((root[0], *words)) + "</svg>" if words else ""


def faces_png(faces: Sequence[Face], fonts: Path, ppi: float) -> list[bytes]:
    """A PNG for each face, bleed included, at so many pixels an inch."""
    return [picture for batch in _batches(faces, BATCH)
            for picture in _compiled(_FACES, fonts, _inputs(batch), format="png", ppi=ppi)]


def rasters_png(rasters: Sequence[Raster], fonts: Path) -> list[bytes]:
    """A PNG (RGBA) of exactly the asked size for each of them; transparent is what the face leaves blank."""
    inputs = {"count": str(len(rasters))}
    for n, raster in enumerate(rasters):
        inputs |= {f"svg{n}": _fitted(raster), f"w{n}": str(raster.width), f"h{n}": str(raster.height),
                   f"side{n}": str(max(raster.width, raster.height)), f"corner{n}": f"{raster.corner:.4f}"}
    pictures = _compiled(_RASTERS, fonts, inputs, format="png", ppi=72)
    for _ in range(_KEPT):  # else it keeps these pixels, which may be gigabytes, until it has set ten documents more
        _compiled(_EMPTY, fonts, {}, format="png", ppi=1)
    return pictures


def _fitted(raster: Raster) -> str:
    """The SVG of a face, drawn so that each of its pixels is a pixel of the page.

    typst works out one side of an SVG from the other and their ratio, and resamples the picture if that comes out a
    fraction too long. So the drawing is a square, whose ratio is exact; what lies beyond the face is off the page.
    """
    root, body = raster.face.svg.split(">", 1)
    root = re.sub(r'\s(?:width|height|viewBox|preserveAspectRatio)="[^"]*"', "", root)
    side, bleed, size = max(raster.width, raster.height), raster.face.bleed, raster.face.size
    width = (size.width + 2 * bleed) * side / raster.width
    height = (size.height + 2 * bleed) * side / raster.height
    return (f'{root} width="{side}" height="{side}" preserveAspectRatio="none" '
            f'viewBox="{-bleed:g} {-bleed:g} {width:.9g} {height:.9g}">{body}')


def _batches(faces: Sequence[Face], most: int) -> Iterator[tuple[Face, ...]]:
    for start in range(0, len(faces), most):
        yield tuple(faces[start:start + most])


def _inputs(faces: Sequence[Face]) -> dict[str, str]:
    inputs = {"count": str(len(faces))}
    for n, face in enumerate(faces):
        inputs[f"svg{n}"] = face.svg
        inputs[f"w{n}"] = f"{face.size.width + 2 * face.bleed:.6f}"
        inputs[f"h{n}"] = f"{face.size.height + 2 * face.bleed:.6f}"
    return inputs


@lru_cache(maxsize=4)
def _fonts(folder: Path) -> Any:
    import typst

    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(folder)])


def booklet_pdf(source: bytes, inputs: Mapping[str, str], fonts: Path) -> bytes:
    """The PDF of a typst document that gets everything through ``inputs``: tagged, to PDF/UA-1 (ISO 14289-1).

    typst sees an empty folder and no file of this machine. Raises InputError if the document can't be set.
    """
    return _pdf(source, fonts, inputs, pdf_standards="ua-1")


def _pdf(source: bytes, fonts: Path, inputs: Mapping[str, str], **wanted: str) -> bytes:
    """The PDF of a document, if an earlier run has not kept it."""
    def compiled() -> bytes:
        (document,) = _compiled(source, fonts, inputs, format="pdf", **wanted)
        return document

    digest = digest_of(fonts)
    return made(mark_of("pdf", digest, source, inputs, wanted) if digest else None, compiled)


def _compiled(source: bytes, fonts: Path, inputs: Mapping[str, str], **wanted: Any) -> list[bytes]:
    """What typst makes of a document: one PDF, or a PNG for each page. Raises InputError with typst's words.

    What it is given was checked before, so that what it refuses is mostly a font that it can't read. It sees a folder
    with nothing but the source: as that always has the same name, typst remembers the pictures of earlier documents.
    """
    import typst

    try:
        with TemporaryDirectory() as folder:
            file = Path(folder, "main.typ")
            file.write_bytes(source)
            made = typst.compile(file, root=folder, font_paths=_fonts(fonts), timestamp=0, sys_inputs=dict(inputs),
                                 **wanted)
    except typst.TypstError as error:
        raise _refused(fonts, str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what a panic in Rust comes out as; it is no Exception
            raise
        raise _refused(fonts, str(error)) from error
    return made if isinstance(made, list) else [made]  # typst gives a single page bare


def _refused(fonts: Path, words: str) -> InputError:
    return refusal(fonts, f"typst can't set a text or picture with these fonts: {words.splitlines()[0]}",
                   "fetch the fonts again, or leave out what they can't show")
