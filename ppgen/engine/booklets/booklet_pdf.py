"""Booklets and proof sheets as PDF."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ppgen.cache import cached_by
from ppgen.engine.booklets.booklet import (CELL_INSET_MM, COLUMN_GAP_MM, COVER_SIZE_PT, HEADING_SIZES_PT,
                                           PANEL_INSET_MM, Booklet, FigureLabel, Gallery, Mention, Numbers, Stroke,
                                           iter_figures, iter_pictures, iter_words)
from ppgen.engine.drawing.face import Anchor, Face, FaceRequest
from ppgen.engine.drawing.fonts import BOX_SIGN, LEFTWARD, Font, FontBook
from ppgen.engine.drawing.svg_check import MIN_STROKE, thicken_strokes
from ppgen.engine.geometry import MM, Point, Rect, Size, points
from ppgen.engine.imposition.impose import back_rotation
from ppgen.engine.imposition.sheets import BookletLayout, DocumentInfo, Flip
from ppgen.engine.pdf.typesetting import bare_layers_pdf, document_pdf, page_to_form, save_pdf, text_to_outlines
from ppgen.engine.pictures.face_pictures import crop_face
from ppgen.engine.pictures.picture_pixels import placeholder, with_pixels, with_placeholders
from ppgen.errors import Spot
from ppgen.records import asdict, dataclass, field, fields, is_dataclass, replace

if TYPE_CHECKING:  # imported where a document is not in the cache: it takes longer than all of ppgen
    from pikepdf import Object, Pdf

# --- Faces in booklets ---
# Faces in booklets: for a large one typst sets a placeholder, which is exchanged for the face as a Form XObject. So a
# face is drawn once for all languages, papers and editions of the booklets that show it, and is in each of their files
# once. Its words become outlines: the alt text describes a picture, and the words on it don't belong in the text.

LARGE_FACE = 1500  # length in characters from which a face is worth a form of its own
VARIANT = "face"  # the variant of placeholders that stand for faces
_VIEW_BOX = re.compile(r'viewBox="(\S+) (\S+) (\S+) ([^"\s]+)"')


def set_face(svg: str, fonts: FontBook) -> str:
    """Return the SVG that typst sets for a face: a large one is represented by a placeholder of its size."""
    if len(svg) < LARGE_FACE:
        return with_placeholders(text_to_outlines(svg, fonts))
    box = _VIEW_BOX.search(svg)
    assert box, "the check has found the view box"
    x, y, width, height = box.groups()
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {box[0]}><image x="{x}" y="{y}" width="{width}" '
            f'height="{height}" preserveAspectRatio="none" href="{placeholder(_digest(svg), VARIANT)}"/></svg>')


def embed_faces(pdf: Pdf, faces: Sequence[Face], fonts: FontBook) -> None:
    """Exchange the placeholders in a document for those of these faces that have one."""
    distinct = {_digest(face.svg): face for face in faces if len(face.svg) >= LARGE_FACE}
    if not distinct:
        return
    from pikepdf import Array

    from ppgen.engine.pdf.assembly import face_forms
    from ppgen.engine.pictures.picture_embedding import exchange_placeholders

    drawn = bare_layers_pdf([*distinct.values()], lambda words: text_to_outlines(words, fonts), fonts.folder)
    forms = face_forms(pdf, drawn)
    for form in forms.values():  # an image fills the unit square (ISO 32000-1, 8.9.5)
        _, _, width, height = map(float, form.BBox)
        form.Matrix = Array([1 / width, 0, 0, 1 / height, 0, 0])
    exchange_placeholders(pdf, lambda digest, variant, _: forms[distinct[digest]] if variant == VARIANT else None)


def _digest(svg: str) -> str:
    return blake2b(svg.encode(), digest_size=32).hexdigest()


# --- Booklets ---

SEAL = 4.4  # the diameter of a seal, in mm
SEAL_GAP = 0.4  # minimum distance between two seals, in mm

SealSide = Literal["left", "right", "top"]


def missing_anchors(booklet: Booklet, faces: Mapping[FaceRequest, Face]) -> tuple[tuple[str, str], ...]:
    """The anchors that pictures have numbers for but their faces don't have: template and name of each."""
    numbered = [(part.picture.request, name) for figure in iter_figures(booklet.blocks) for part in figure.parts
                if isinstance(part, Numbers) for name in part.anchors]
    return tuple((request.template, name) for request, name in numbered if name not in faces[request].anchors)


def place_seals(numbers: Numbers, anchors: Mapping[str, Anchor]) -> Iterator[Stroke | FigureLabel]:
    """A line and a seal for each anchor of the face, at the nearest edge; they move apart."""
    box = numbers.picture.box
    scale = box.width / numbers.picture.request.size.width
    sides: dict[SealSide, list[tuple[float, int, Point]]] = {"left": [], "right": [], "top": []}
    for number, name in enumerate(numbers.anchors, 1):
        if anchor := anchors.get(name):
            x, y = anchor.x * scale, anchor.y * scale
            distances: dict[SealSide, float] = {"left": x, "right": box.width - x, "top": y}
            side = min(distances, key=lambda side: distances[side])
            sides[side].append((x if side == "top" else y, number, Point(box.x + x, box.y + y)))
    out = numbers.room - SEAL / 2
    for side, seals in sides.items():
        free = float("-inf")
        for along, number, anchor_point in sorted(seals):
            free = max(along, free)
            middle = {"left": Point(box.x - out, box.y + free), "right": Point(box.right + out, box.y + free),
                      "top": Point(box.x + free, box.y - out)}[side]
            free += SEAL + SEAL_GAP
            yield Stroke(start=middle, end=anchor_point, width=0.4, seal=True)
            yield FigureLabel(words=str(number), box=Rect(middle.x - SEAL / 2, middle.y - SEAL / 2, SEAL, SEAL),
                              align="center", size=7.4, style="title", seal=True)


# --- Input of booklet.typ ---

_BREAKS = "\t\n\u2028\u2029"  # white space between lines and words, which does not need a glyph
_DISALLOWED = "\ufeff"  # the byte order mark: PDF/UA-1 does not allow it in text (ISO 14289-1, 7.21.7)


def typeset(booklet: Booklet, faces: Mapping[FaceRequest, Face], fonts: FontBook, picture_dpi: float,
            scenes: bool = False) -> bytes:
    """Set a booklet, page by page, as tagged PDF; ``faces`` are by request. Raises InputError if it can't be set.

    For ``scenes`` its blocks are figures, and each is drawn on a page of its size. Finer pictures than ``picture_dpi``
    are reduced, if it is not 0.
    """
    scales = _picture_scales(booklet, faces)
    shown = {request: replace(face, svg=thicken_strokes(face.svg, MIN_STROKE / scales.get(face.svg, 1.0)))
             for request, face in faces.items()}
    standard = {} if scenes else {"pdf_standards": "ua-1"}  # PDF/UA-1 (ISO 14289-1), which every character must fit
    source = (Path(__file__).parent / "booklet.typ").read_bytes()  # code, no template: in those typst fetches packages
    document = document_pdf(source, _typst_settings(booklet, shown, fonts, scenes), fonts.folder, fonts,
                            finish=lambda pdf: embed_faces(pdf, [*shown.values()], fonts), **standard)
    if not any(face.pictures for face in faces.values()):
        return document
    from ppgen.engine.pictures.picture_embedding import embed_in_document

    return embed_in_document(document, faces.values(), picture_dpi)


def _typst_settings(booklet: Booklet, faces: Mapping[FaceRequest, Face], fonts: FontBook,
                    scenes: bool) -> dict[str, str]:
    """The inputs of booklet.typ: the booklet as JSON, and the placeholder of each picture."""
    svgs = list(dict.fromkeys(face.svg for face in faces.values()))
    numbers = {svg: n for n, svg in enumerate(svgs)}
    of_request = {request: numbers[face.svg] for request, face in faces.items()}
    values = {
        **_plain_values(replace(booklet, source=None, warnings=()), of_request, faces),
        "lang": booklet.lang.partition("-")[0],  # typst does not know en-GB
        **({"dir": fonts.direction} if fonts.direction else {}),  # else that of the language
        "leftward": LEFTWARD.pattern,
        "cell-inset": CELL_INSET_MM, "panel-inset": PANEL_INSET_MM, "column-gap": COLUMN_GAP_MM,
        "heading-sizes": HEADING_SIZES_PT, "cover-size": COVER_SIZE_PT,
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles[style])] for style in ("text", "title")},
        **({"scenes": True} if scenes else {})}
    missing = find_missing(booklet, fonts)
    fonts.missing.update(missing.difference(_DISALLOWED))
    words = json.dumps(values, ensure_ascii=False, sort_keys=True)
    for character in missing:
        words = words.replace(character, "" if character in _DISALLOWED else BOX_SIGN)
    return {"book": words, **{f"svg{n}": set_face(svg, fonts) for n, svg in enumerate(svgs)}}


def _picture_scales(booklet: Booklet, faces: Mapping[FaceRequest, Face]) -> Mapping[str, float]:
    scales: dict[str, float] = {}
    for figure in iter_figures(booklet.blocks):
        for picture in iter_pictures(figure):
            svg, scale = faces[picture.request].svg, picture.box.width / picture.request.size.width
            scales[svg] = min(scale, scales.get(svg, scale))
    for shown in booklet.inline_pictures():
        svg, scale = faces[shown.request].svg, shown.height * booklet.size * MM["pt"] / shown.request.size.height
        scales[svg] = min(scale, scales.get(svg, scale))
    return scales


def find_missing(booklet: Booklet, fonts: FontBook) -> set[str]:
    """Find the characters that typst would refuse, as no font has them."""
    return {character for style, character in {(style, each) for style, words in dict.fromkeys(iter_words(booklet))
                                               for each in words}
            if not _is_printable(character, fonts.styles[style])}


@lru_cache(maxsize=20_000)
def _is_printable(character: str, fonts: tuple[Font, ...]) -> bool:
    return character in _BREAKS or (character not in _DISALLOWED and any(font.can_set(character) for font in fonts))


def _plain_values(value: object, numbers: Mapping[FaceRequest, int], faces: Mapping[FaceRequest, Face]) -> Any:
    """The JSON of a booklet's values: a dataclass as its fields and its ``type``, a face as the number of its SVG."""
    def plain(value: object) -> Any:
        match value:
            case None | str() | int() | float():
                return value
            case Spot():  # a tuple, too
                return True
            case tuple():
                return [*map(plain, value)]
            case FaceRequest(size=size):
                return {"face": numbers[value], "width": size.width, "height": size.height,
                        "ruled": value.shape.is_ruled}
            case Numbers():
                return [*map(plain, (value.picture, *place_seals(value, faces[value.picture.request].anchors)))]
            case Gallery():
                raise TypeError("a gallery must become a figure before it is set")
            case Mention():
                return None
        assert is_dataclass(value)
        return {"type": type(value).__name__, **{each.name: plain(getattr(value, each.name)) for each in fields(value)}}

    return plain(value)


# Finished PDFs: page by page, or on sheets to fold in the middle
#
# Folded sheets hold the pages as Form XObjects without their tags, so the page-by-page edition is the one for screen
# readers.

SPREAD = 4  # pages on a folded sheet of paper
FOLD_TICK_LENGTH = 9.0  # of the marks at both ends of the fold, in mm: the outer 4 to 7 mm stay blank


@dataclass(frozen=True, slots=True)
class BookletSheet:
    """The pages on a sheet, counted from 0, left before right; None is blank. A sheet may have no back."""

    front: tuple[int | None, int | None] | None
    back: tuple[int | None, int | None] | None = None

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(name for name in ("front", "back") if getattr(self, name) is not None)


def arrange_pages(layout: BookletLayout, pages: int) -> tuple[BookletSheet, ...]:
    """Arrange pages on sheets, side by side in reading order unless they are to be folded."""
    match layout:
        case BookletLayout.FOLDED:
            return saddle_stitch(pages)
        case BookletLayout.SIDE_BY_SIDE:
            return tuple(BookletSheet(front=(n, n + 1 if n + 1 < pages else None)) for n in range(0, pages, 2))
        case BookletLayout.PAGES:
            return tuple(BookletSheet(front=(n, None)) for n in range(pages))


def saddle_stitch(pages: int) -> tuple[BookletSheet, ...]:
    """Arrange pages on sheets that are folded into each other, the outermost sheet first.

    Blank pages come before the last page, so that this stays on the back. Two pages lie side by side, on one side of
    a sheet that is folded with both of them inside.
    """
    if pages <= SPREAD // 2:
        return arrange_pages(BookletLayout.SIDE_BY_SIDE, pages)
    blanks = -pages % SPREAD
    order: list[int | None] = [*range(pages - 1), *[None] * blanks, pages - 1]
    last = len(order) - 1
    return tuple(BookletSheet(front=(order[last - 2 * n], order[2 * n]),
                              back=(order[2 * n + 1], order[last - 2 * n - 1])) for n in range(len(order) // SPREAD))


def page_count(document: bytes) -> int:
    def count() -> bytes:
        from pikepdf import Pdf

        with Pdf.open(io.BytesIO(document)) as pdf:
            return str(len(pdf.pages)).encode()

    return int(cached_by("pages", document, make=count))


def finish_booklet(document: bytes, info: DocumentInfo) -> bytes:
    """Add metadata to the document; its tags and bookmarks stay. The same input gives the same bytes."""
    def finish() -> bytes:
        from pikepdf import Name, Pdf

        from ppgen.engine.pdf.assembly import write_metadata

        with Pdf.open(io.BytesIO(document)) as pdf:
            write_metadata(pdf, info)
            marked = pdf.Root.get(Name.MarkInfo)
            if marked is not None and Name.Suspects in marked:
                del marked[Name.Suspects]  # false is the default; poppler warns about the key
            seen: set[tuple[int, int]] = set()
            for page in pdf.pages:
                _separate_resources(page.obj, seen)
                page.trimbox = page.mediabox
            return save_pdf(pdf)

    return cached_by("finished", document, info, make=finish)


def _separate_resources(page: Object, seen: set[tuple[int, int]]) -> None:
    """Give a page or form, and the forms on it, resources of its own: typst shares some dictionaries."""
    from pikepdf import Dictionary, Name

    if page.objgen in seen or Name.Resources not in page:
        return
    seen.add(page.objgen)
    resources = page.Resources = copy(page.Resources)
    for kind in (Name.Font, Name.XObject):
        if kind in resources:
            resources[kind] = copy(resources[kind])
    for form in resources.get(Name.XObject, Dictionary()).values():
        if form.get(Name.Subtype) == Name.Form:
            _separate_resources(form, seen)


def pair_pages(document: bytes, sheets: Sequence[BookletSheet], paper: Size, page: Size, flip: Flip | None,
               info: DocumentInfo) -> bytes:
    """Put the pages in pairs on landscape paper; with a ``flip`` on both sides, with marks at the fold."""
    def pair_up() -> bytes:
        from pikepdf import Pdf

        from ppgen.engine.pdf.assembly import write_metadata

        with Pdf.open(io.BytesIO(document)) as source, Pdf.new() as pdf:
            forms = [page_to_form(pdf, each) for each in source.pages]
            turned = flip is not None and back_rotation(paper, flip) != 0
            for sheet in sheets:
                for pair, turn in ((sheet.front, False), (sheet.back, turned)):
                    if pair is not None:
                        _add_side(pdf, [None if n is None else forms[n] for n in pair], paper, page, turn,
                                  folded=flip is not None)
            for each in pdf.pages:
                each.trimbox = each.mediabox
            write_metadata(pdf, info)
            return save_pdf(pdf)

    return cached_by("paired", document, sheets, paper, page, flip, info, make=pair_up)


def _add_side(pdf: Pdf, pair: Sequence[Object | None], paper: Size, page: Size, turn: bool, folded: bool) -> None:
    from pikepdf import Array, Dictionary, Name

    width, height, fold = points(paper.width), points(paper.height), points(paper.width / 2)
    low, tick = points((paper.height - page.height) / 2), points(FOLD_TICK_LENGTH)
    content = [f"-1 0 0 -1 {width:.4f} {height:.4f} cm"] if turn else []
    xobjects = Dictionary()
    for name, x, form in zip(("/Left", "/Right"), (fold - points(page.width), fold), pair, strict=True):
        if form is not None:
            xobjects[name] = form
            content.append(f"q 1 0 0 1 {x:.4f} {low:.4f} cm {name} Do Q")
    if folded:
        content.append(f"0.6 G 0.4 w {fold:.4f} 0 m {fold:.4f} {tick:.4f} l {fold:.4f} {height - tick:.4f} m "
                       f"{fold:.4f} {height:.4f} l S")
    side = pdf.add_blank_page(page_size=(width, height))
    side.obj[Name.MediaBox] = Array([0, 0, round(width, 4), round(height, 4)])
    side.obj[Name.Resources] = Dictionary(XObject=xobjects)
    side.contents_add(pdf.make_stream(("q\n" + "\n".join(content) + "\nQ\n").encode("ascii")))


# --- Proof sheets ---

MARGIN_MM = 10.0
AREA_MARGIN_MM = 0.8  # between what looks different and the frame around it
PICTURE_DPI = 300.0  # resolution of the photographs on new faces


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofEntry:
    """A side of a piece before and after."""

    id: str
    part: str
    size: Size  # the trim now
    old_size: Size | None = None  # the trim before, if it was another
    old: Face | None
    new: Face | None
    area: Rect | None = None  # where they look different, in mm of the trim
    cells: Sequence[tuple[str, str, str]] = ()  # column, old and new text
    note: str = ""  # words about the piece
    missing: str = ""  # words in place of a missing side


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofWords:
    """Words on each page of a proof sheet: its title, what it is about, a summary, and labels of both sides."""

    title: str
    about: str
    summary: str
    before: str
    now: str
    lang: str
    fonts: Mapping[str, Sequence[str]] = field(default_factory=dict)


def proof_pdf(entries: Sequence[ProofEntry], words: ProofWords, page: Size, fonts: Path) -> bytes:
    """Set the entries on pages, in order; those of the same size share lines. Raises InputError."""
    inputs: dict[str, str] = {}
    groups = [[_entry(each, inputs) for each in group] for _, group in groupby(entries, key=lambda each: each.size)]
    values = {**asdict(words), "page": {"width": page.width, "height": page.height}, "margin": MARGIN_MM,
              "groups": groups}
    inputs["proof"] = json.dumps(values, ensure_ascii=False, sort_keys=True)
    return document_pdf((Path(__file__).parent / "proof_sheet.typ").read_bytes(), inputs, fonts)


def _entry(entry: ProofEntry, inputs: dict[str, str]) -> dict[str, object]:
    def side(face: Face | None, size: Size, name: str) -> dict[str, object]:
        return {"picture": face and add_picture(face, inputs), "alt": f"{entry.id}, {name}", "missing": entry.missing,
                "width": size.width, "height": size.height}

    before, after = entry.old_size or entry.size, entry.size
    return {"id": entry.id, "part": entry.part, "note": entry.note, "width": max(before.width, after.width),
            "height": max(before.height, after.height), "old": side(entry.old, before, "old"),
            "new": side(entry.new, after, "new"),
            "area": None if entry.old_size or not entry.area else asdict(_frame(entry.area, entry.size)),
            "cells": [{"name": name, "old": old, "new": new} for name, old, new in entry.cells]}


def _frame(area: Rect, size: Size) -> Rect:
    """The frame around an area, within the trim."""
    left, top = max(0.0, area.x - AREA_MARGIN_MM), max(0.0, area.y - AREA_MARGIN_MM)
    return Rect(left, top, min(size.width, area.right + AREA_MARGIN_MM) - left,
                min(size.height, area.bottom + AREA_MARGIN_MM) - top)


def add_picture(face: Face, inputs: dict[str, str]) -> str:
    """Add a face to the inputs as SVG of the trim, once; return its name."""
    svg = with_pixels(face, PICTURE_DPI) if face.pictures else face.svg
    if face.bleed:
        svg = crop_face(replace(face, svg=svg), Rect(0, 0, face.size.width, face.size.height)).svg
    name = f"svg-{sha256(svg.encode()).hexdigest()[:24]}"
    inputs[name] = svg
    return name
