"""Turns a set into PNG pictures: every face once, at any resolution, with or without bleed."""

from __future__ import annotations

from functools import partial

from ppgen.engine.pictures.faces import at_dpi
from ppgen.errors import Problem, Problems, RequestError
from ppgen.export.exported import Export, ExportRequest, facts_of
from ppgen.export.pictures.files import PictureFile, picture_files, too_large
from ppgen.export.pictures.naming import named_faces, named_pieces
from ppgen.export.pictures.pieces import all_parts, draw_all
from ppgen.production.workshop import Workshop


def export_png(workshop: Workshop, request: ExportRequest, dpi: float, bleed: float = 0.0,
               corners: float = 0.0) -> tuple[Export, ...]:
    """The pictures of each language at so many pixels an inch; ``bleed`` and the radius of ``corners`` are in mm.

    Raises InputError with every problem of the faces, RequestError for pictures that can't be made so.
    """
    folder = request.variant(f"png-{dpi:g}dpi", *([f"bleed{bleed:g}"] if bleed else ()),
                             *([f"corners{corners:g}"] if corners else ()))
    exports, problems = [], Problems()
    for texts, parts in draw_all(workshop, request, all_parts(workshop, request), lambda *_: bleed):
        wanted = [
            PictureFile(path=f"{texts.lang}/{folder}/{named.name}.png", picture=at_dpi(named.face, dpi, corners),
                        facts={"part": part.part.name, **named.facts})
            for part in parts for named in named_faces(named_pieces(part))]
        problems.extend(too_large(wanted, dpi, "--dpi"))
        problems.extend(_too_round(wanted, corners))
        exports.append(Export(
            folder=f"{texts.lang}/{folder}", facts=facts_of("png", workshop.game, texts.lang, request),
            pictures=len(wanted), files=partial(picture_files, wanted, workshop.fonts.folder)))
    if problems:
        raise RequestError(problems)
    return tuple(exports)


def _too_round(wanted: list[PictureFile], corners: float) -> list[Problem]:
    smallest = min((min(each.picture.face.size.width, each.picture.face.size.height) for each in wanted), default=0)
    if corners <= smallest / 2:
        return []
    return [Problem(place="--corners", what=f"{corners:g} mm is more than half of a piece's side",
                    remedy=f"at most {smallest / 2:g} mm")]
