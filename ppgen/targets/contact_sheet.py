"""Contact sheet: one picture of all faces of a set in proportion, with their names. typst lays it out."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from math import fsum, sqrt
from pathlib import Path
from typing import Any

from ppgen.engine.booklets.booklet_pdf import add_picture
from ppgen.engine.component import PrintWay
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import INCH
from ppgen.engine.pdf.typesetting import document_pdf
from ppgen.engine.pictures.face_pictures import page_png
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.manifest import Json
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.process.system import Progress
from ppgen.targets.exported_files import Export, ExportedFile, export_facts, variant
from ppgen.targets.piece_pictures import NamedFace, choose_parts, draw_all, name_faces, name_pieces

MAX_WIDTH_PX, MAX_DPI = 2400, 120.0  # of a large screen; and its resolution with few faces
SPREAD = 2.2  # square of a sheet's width by the area of its faces: some 1.3 times as wide as high
MIN_WIDTH_MM, NAME_ROOM_MM = 120.0, 5.0  # of a sheet, and what a face with its name takes beyond its size
LARGE_SCALE = 0.5  # scale of whole pages and boards
NAME_PX = 17.0  # type size of names: legible without magnifying


def export_contact(workshop: Workshop, request: BuildRequest) -> tuple[Export, ...]:
    """Export a contact sheet in each language. Raises InputError with every problem of the faces."""
    exports = []
    for texts, parts in draw_all(workshop, request, choose_parts(workshop, request), lambda *_: 0.0):
        folder = f"{texts.lang}/{variant(request, 'png-contact', *stem_words(request.parts))}"
        facts = " · ".join((texts("language.name"), str(request.card_size.size), texts(f"ink.{request.ink}")))
        sheet: Json = {"lang": texts.lang.partition("-")[0], "title": texts("game.title"), "facts": facts}
        exports.append(Export(
            folder=folder, facts=export_facts("png", workshop.game, texts.lang, request), pictures=1,
            files=partial(_sheet_file, f"{folder}/contact-sheet.png", sheet, parts, workshop.fonts)))
    return tuple(exports)


def _sheet_file(path: str, sheet: Json, parts: Sequence[DrawnPart], fonts: FontBook,
                watch: Progress) -> Iterator[ExportedFile]:
    """Set the sheet; the more faces it has, the wider it is, and the larger are the names on it."""
    faces = {part.part.name: name_faces(name_pieces(part)) for part in parts}
    inputs: dict[str, str] = {}
    sections = [_describe(part, faces[part.part.name], inputs) for part in parts]
    shots = [shot for section in sections for shot in section["shots"]]
    area = fsum((shot["width"] + NAME_ROOM_MM) * (shot["height"] + 2 * NAME_ROOM_MM) for shot in shots)
    width = max(sqrt(SPREAD * area), 1.2 * max(shot["width"] for shot in shots), MIN_WIDTH_MM)
    dpi = min(MAX_DPI, (MAX_WIDTH_PX - 1) / width * INCH)
    inputs["sheet"] = json.dumps({
        **sheet, "width": width, "type": NAME_PX / dpi * INCH, "sections": sections,
        "fonts": {style: [*dict.fromkeys(font.family for font in fonts.styles.get(style, fonts.styles["text"]))]
                  for style in ("text", "title")}}, ensure_ascii=False, sort_keys=True)
    document = document_pdf((Path(__file__).parent / "contact.typ").read_bytes(), inputs, fonts.folder)
    content = page_png(document, 0, dpi)
    width_px, height_px = struct.unpack(">II", content[16:24])  # the PNG's header (RFC 2083, 4.1.1)
    shows = [asdict(side) for named in faces.values() for face in named for side in face.shows]
    watch("", 1, 1)
    yield ExportedFile(file=BuiltFile(path=path, content=content), facts={
        "width_px": width_px, "height_px": height_px, "dpi": round(dpi, 2), "shows": shows})


def _describe(part: DrawnPart, faces: Sequence[NamedFace], inputs: dict[str, str]) -> dict[str, Any]:
    large = part.part.layout.way in (PrintWay.PAGE, PrintWay.TILED)
    scale, count = LARGE_SCALE if large else 1.0, sum(component.copies for component in part.part.components)
    return {"title": part.part.title, "note": f"{count} · 1 : {1 / scale:g}" if large else str(count), "shots": [
        {"name": named.label, "copies": named.shows[0].copies if named.shows[0].side == "front" else 1,
         "width": named.face.size.width * scale, "height": named.face.size.height * scale,
         "picture": add_picture(named.face, inputs)} for named in faces]}
