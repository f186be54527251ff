"""Turns a set into drawings for a cutting machine: one for each sheet of what is cut out, as ``ppgen build`` prints it.

A drawing has the leaf's size and the pieces where the manifest of the build has them on its front side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from ppgen import __version__
from ppgen.documents.names import BOX
from ppgen.documents.tuck_box import NET
from ppgen.engine.component import Part, Stock
from ppgen.engine.cutting.dxf import to_dxf
from ppgen.engine.cutting.outlines import CutSheet, cut_sheet, registration_of
from ppgen.engine.cutting.svg import to_svg
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Line, Point
from ppgen.engine.imposition.values import Imposition, Sheet
from ppgen.engine.shapes.net import Net
from ppgen.engine.shapes.outline import polygon
from ppgen.errors import InputError, Problem, Problems, RequestError, listed
from ppgen.production.boards import draw_to_print
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart
from ppgen.production.manifest import Json, registration_entry, size_entry
from ppgen.production.request import BuildRequest
from ppgen.production.selection import spelled_out
from ppgen.production.sheet_files import file_stem, impose_part
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

FORMATS = {"svg": to_svg, "dxf": to_dxf}
"""The kinds of files, and what writes them."""
CORNERS = 3.0
"""Radius of the corners of bought cards, in mm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSet:
    """The drawings, what they hold for programs (a document for each language and paper), and warnings."""

    files: tuple[BuiltFile, ...]
    documents: tuple[Json, ...]
    warnings: tuple[Problem, ...] = ()


def is_cut_out(part: Part) -> bool:
    """Whether a machine has something to cut: pieces on sheets, or the net of the box on its page."""
    return part.stock is Stock.BOX or not part.pages


def cut_set(request: BuildRequest, workshop: Workshop, corners: float = CORNERS,
            formats: Sequence[str] = tuple(FORMATS)) -> CutSet:
    """Draw the cuts of every sheet; ``corners`` is the radius of the pieces' corners in mm.

    Raises RequestError for parts that are not cut out and for corners that are too large, InputError with the
    problems of every language and paper; then nothing is drawn.
    """
    problems = Problems()
    made: list[CutSet] = []
    for lang in request.langs:
        for paper in request.papers:
            with problems.gathering():
                made.append(_cut_set(request, workshop, workshop.texts(lang), paper, corners, formats))
    problems.raise_if_any()
    return CutSet(files=tuple(file for one in made for file in one.files),
                  documents=tuple(document for one in made for document in one.documents),
                  warnings=tuple(dict.fromkeys(problem for one in made for problem in one.warnings)))


def _cut_set(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format, corners: float,
             formats: Sequence[str]) -> CutSet:
    spec = request.spec(paper)
    chosen = workshop.parts(texts, request.card_size, spec, request.parts, request.pack)
    parts = [part for part in chosen.parts if is_cut_out(part)]
    cut_out = {name for part in parts for name in (part.name, *part.only)}
    if whole := [name for name in spelled_out(request.parts, workshop.game.groups) if name not in cut_out]:
        offered = workshop.parts(texts, request.card_size, spec, (), request.pack).parts
        remedy = f"cut out are: {listed(part.name for part in offered if is_cut_out(part))}"
        raise RequestError(Problem(place="--only", what=f"'{name}' is not cut out", remedy=remedy) for name in whole)
    files: list[BuiltFile] = []
    entries: list[Json] = []
    for part in draw_to_print(parts, workshop.studio(texts, request.ink), request, paper, texts.lang):
        name, stem = part.part.name, file_stem(part.part, request, paper)
        for number, page, sheet in _numbered(impose_part(part, request, paper)):
            cuts = _drawing(part, sheet, corners)
            for kind in formats:
                path = f"{texts.lang}/cut-{stem}-{number}.{kind}"
                content = FORMATS[kind](cuts)
                files.append(BuiltFile(path=path, content=content))
                entries.append({
                    "path": f"{request.folder}/{path}", "part": name, "sha256": hashlib.sha256(content).hexdigest(),
                    "sheet": number, "page": page, **size_entry(cuts.size), "cuts": len(cuts.cuts),
                    "folds": len(cuts.folds), "registration": registration_entry(sheet.sides[0].registration)})
    document: Json = {
        "version": __version__, "game": workshop.game.id, "lang": texts.lang,
        "paper": {"name": paper.name, **size_entry(paper.size)},
        "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
        "marks": request.marks.value, "corners_mm": corners, "files": entries}
    return CutSet(files=tuple(files), documents=(document,),
                  warnings=tuple(problem for problem in chosen.left_out if problem.key == BOX))


def _numbered(imposition: Imposition) -> Iterator[tuple[int, int, Sheet]]:
    """Each sheet with its number, and the page of its front side in the PDF (both from 1)."""
    page = 1
    for number, sheet in enumerate(imposition.sheets, 1):
        yield number, page, sheet
        page += len(sheet.sides)


def _drawing(part: DrawnPart, sheet: Sheet, corners: float) -> CutSheet:
    if part.part.stock is Stock.BOX:
        return _net(part, sheet)
    try:
        return cut_sheet(sheet, corners)
    except ValueError as error:
        raise RequestError([Problem(place="--corners", key=part.part.name, what=str(error),
                                    remedy="at most half of the shorter side")]) from error


def _net(part: DrawnPart, sheet: Sheet) -> CutSheet:
    """The net of the box where its face says that it lies. Raises InputError for a face that does not say so."""
    placed, request = sheet.sides[0].placements[0], part.part.components[0].front
    lies, box = part.faces[placed.item, placed.face].anchors.get(NET), request.values["box"]
    assert isinstance(box, Net)
    if lies is None:
        raise InputError([Problem(place=request.template, key=BOX, what="does not say where the net of the box lies",
                                  remedy=f'put data-anchor="{NET} 0 0" on the group in which it is drawn')])
    across, down = cos(radians(lies.turn)), sin(radians(lies.turn))

    def place(point: Point) -> Point:
        return Point(placed.trim.x + lies.x + across * point.x - down * point.y,
                     placed.trim.y + lies.y + down * point.x + across * point.y)

    return CutSheet(size=sheet.leaf, cuts=(polygon(tuple(map(place, box.outline))),),
                    folds=tuple(Line(place(fold.start), place(fold.end)) for fold in box.folds),
                    registration=registration_of(sheet))
