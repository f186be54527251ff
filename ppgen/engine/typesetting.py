"""Turns faces into PDF or PNG, and booklets into PDF: the home of typst."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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


def faces_pdf(faces: Sequence[Face], fonts: Path) -> Iterator[tuple[tuple[Face, ...], bytes]]:
    """PDF documents with a page for each face, in batches: the faces and their document.

    The page is the trim with its bleed. The same faces give the same bytes.
    """
    for batch in _batches(faces):
        yield batch, _pdf(_FACES, fonts, _inputs(batch))


def faces_png(faces: Sequence[Face], fonts: Path, ppi: float) -> list[bytes]:
    """A PNG for each face, bleed included, at so many pixels an inch."""
    return [picture for batch in _batches(faces)
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


def _batches(faces: Sequence[Face]) -> Iterator[tuple[Face, ...]]:
    for start in range(0, len(faces), BATCH):
        yield tuple(faces[start:start + BATCH])


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
    """The PDF of a document, if an earlier run has not kept it. typst sees an empty folder."""
    def compiled() -> bytes:
        with TemporaryDirectory() as nothing:
            (document,) = _compiled(source, fonts, inputs, root=nothing, format="pdf", **wanted)
            return document

    digest = digest_of(fonts)
    return made(mark_of("pdf", digest, source, inputs, wanted) if digest else None, compiled)


def _compiled(source: bytes, fonts: Path, inputs: Mapping[str, str], **wanted: Any) -> list[bytes]:
    """What typst makes of a document: one PDF, or a PNG for each page. Raises InputError with typst's words.

    What it is given was checked before, so that what it refuses is mostly a font that it can't read.
    """
    import typst

    try:
        made = typst.compile(source, font_paths=_fonts(fonts), timestamp=0, sys_inputs=dict(inputs), **wanted)
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
