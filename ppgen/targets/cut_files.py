"""Drawings for cutting machines, one for each sheet with pieces to cut out, as ``ppgen build`` prints it.

A drawing has the size of the sheet, with the pieces where the build's manifest has them on the front side.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from math import cos, radians, sin

from ppgen import __version__
from ppgen.engine.component import Part, Stock
from ppgen.engine.cutting import CutSheet, cut_sheet, registration_outlines, to_dxf, to_svg
from ppgen.engine.geometry import LineSegment, Point
from ppgen.engine.imposition.sheets import Sheet
from ppgen.engine.shapes import Net, polygon
from ppgen.errors import InputError, Phrase, Problem, Problems, RequestError, join_names
from ppgen.printing.drawn_parts import DrawnPart, draw_to_print, file_stem, impose_part
from ppgen.printing.manifest import Json, registration_entry, size_entry
from ppgen.printing.request import BOX, BuildRequest, expand_names
from ppgen.printing.tuck_box import NET
from ppgen.printing.workshop import PrintRun, Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.records import dataclass

FORMATS = {"svg": to_svg, "dxf": to_dxf}  # writers by file type
DEFAULT_CORNERS_MM = 3.0  # corner radius of bought cards


@dataclass(frozen=True, slots=True, kw_only=True)
class CutSet:
    """Drawings, a JSON document about them for each language and paper, and warnings."""

    files: tuple[BuiltFile, ...]
    documents: tuple[Json, ...]
    warnings: tuple[Problem, ...] = ()


def is_cut_out(part: Part) -> bool:
    """True if there is something to cut: pieces on sheets, or the net of the box on its page."""
    return part.stock is Stock.BOX or not part.is_full_page


def cut_set(request: BuildRequest, workshop: Workshop, corners: float = DEFAULT_CORNERS_MM,
            formats: Sequence[str] = tuple(FORMATS)) -> CutSet:
    """Draw the cuts of every sheet, with round ``corners`` (mm). Raises RequestError, InputError."""
    problems = Problems()
    cut_sets: list[CutSet] = []
    for lang in request.langs:
        for paper in request.papers:
            with problems.collect_errors():
                run = PrintRun(request, workshop, workshop.texts(lang), paper)
                cut_sets.append(_cut_set(run, corners, formats))
    problems.raise_if_any()
    return CutSet(files=tuple(file for one in cut_sets for file in one.files),
                  documents=tuple(document for one in cut_sets for document in one.documents),
                  warnings=tuple(dict.fromkeys(problem for one in cut_sets for problem in one.warnings)))


def _cut_set(run: PrintRun, corners: float, formats: Sequence[str]) -> CutSet:
    request, game, lang, paper, selected = run.request, run.workshop.game, run.texts.lang, run.paper, run.parts()
    parts = [part for part in selected.parts if is_cut_out(part)]
    names = {name for part in parts for name in (part.name, *part.only)}
    if uncut := [name for name in expand_names(request.parts, game.groups) if name not in names]:
        offered = run.parts(()).parts
        remedy = Phrase("cut_parts", names=join_names(part.name for part in offered if is_cut_out(part)))
        raise RequestError(Problem("--only", Phrase("not_cut", name=name), remedy) for name in uncut)
    files: list[BuiltFile] = []
    entries: list[Json] = []
    for part in draw_to_print(parts, run):
        name, stem = part.part.name, file_stem(part.part, request, paper)
        page = 1  # of the front side in the PDF
        for number, sheet in enumerate(impose_part(part, request, paper).sheets, 1):
            cuts = _draw_cuts(part, sheet, corners)
            for kind in formats:
                path = f"{lang}/cut-{stem}-{number}.{kind}"
                content = FORMATS[kind](cuts)
                files.append(BuiltFile(path=path, content=content))
                entries.append({
                    "path": f"{request.folder}/{path}", "part": name, "sha256": hashlib.sha256(content).hexdigest(),
                    "sheet": number, "page": page, **size_entry(cuts.size), "cuts": len(cuts.cuts),
                    "folds": len(cuts.folds), "registration": registration_entry(sheet.sides[0].registration)})
            page += len(sheet.sides)
    document: Json = {
        "version": __version__, "game": game.id, "lang": lang,
        "paper": {"name": paper.name, **size_entry(paper.size)},
        "card_size": {"name": request.card_size.name, **size_entry(request.card_size.size)},
        "marks": request.marks.value, "corners_mm": corners, "files": entries}
    return CutSet(files=tuple(files), documents=(document,),
                  warnings=tuple(problem for problem in selected.left_out if problem.key == BOX))


def _draw_cuts(part: DrawnPart, sheet: Sheet, corners: float) -> CutSheet:
    if part.part.stock is Stock.BOX:
        return _draw_net(part, sheet)
    try:
        return cut_sheet(sheet, corners)
    except ValueError as error:
        raise RequestError.at("--corners", str(error), Phrase("half_side"), key=part.part.name) from error


def _draw_net(part: DrawnPart, sheet: Sheet) -> CutSheet:
    """Draw the net of the box at the anchor on its face. Raises InputError for a face without it."""
    placed = sheet.sides[0].placements[0]
    request = next(component.front for component in part.part.components if component.id == placed.item)
    anchor, box = part.faces[placed.item, placed.face].anchors.get(NET), request.values["box"]
    assert isinstance(box, Net)
    if anchor is None:
        raise InputError.at(request.template, "does not say where the net of the box lies",
                            f'put data-anchor="{NET} 0 0" on the group in which it is drawn', key=BOX)
    across, down = cos(radians(anchor.turn)), sin(radians(anchor.turn))

    def place(point: Point) -> Point:
        return Point(placed.trim.x + anchor.x + across * point.x - down * point.y,
                     placed.trim.y + anchor.y + down * point.x + across * point.y)

    return CutSheet(size=sheet.leaf, cuts=(polygon(tuple(map(place, box.outline))),),
                    folds=tuple(LineSegment(place(fold.start), place(fold.end)) for fold in box.folds),
                    registration=registration_outlines(sheet))
