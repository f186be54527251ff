"""Turns a set into pictures for Tabletopia: a file for each face, of one size within a type of component."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from ppgen.engine.pictures.faces import Picture
from ppgen.engine.units import INCH
from ppgen.export.archive import archived
from ppgen.export.exported import Export, ExportedFile, ExportRequest, Watch, facts_of
from ppgen.export.pictures.files import PictureFile, picture_files
from ppgen.export.pictures.naming import NamedFace, NamedPiece, named_faces, named_pieces
from ppgen.export.pictures.pieces import draw_all, pieces
from ppgen.export.readme import README, heading, paragraph, readme, steps, table
from ppgen.production.built import BuiltFile
from ppgen.production.drawn import DrawnPart
from ppgen.production.selection import stem_of
from ppgen.production.workshop import Workshop

PER_MM = 10.0
LARGEST_SIDE = 4000
"""Pixels of a mm, and of a picture's longer side (Tabletopia's knowledge base, preparing graphics)."""


def export_tabletopia(workshop: Workshop, request: ExportRequest, zipped: bool = False) -> tuple[Export, ...]:
    """The pictures of each language with a README, as a folder or as a zip. Raises InputError."""
    folder = request.variant("tabletopia", *stem_of(request.parts))
    exports = []
    for texts, parts in draw_all(workshop, request, pieces(workshop, request, flat=True), lambda *_: 0.0):
        here = f"{texts.lang}/{folder}"
        named = [(part, named_pieces(part)) for part in parts]
        wanted = [PictureFile(path=f"{here}/{face.name}.png", picture=_picture(face),
                              facts={"part": part.part.name, **face.facts})
                  for part, each in named for face in named_faces(each)]
        files = partial(_files, wanted, f"{here}/{README}", _readme(texts("game.title"), named), workshop.fonts.folder)
        exports.append(Export(
            folder=here, facts=facts_of("tabletopia", workshop.game, texts.lang, request), pictures=len(wanted),
            files=partial(archived, files, f"{here}.zip") if zipped else files))
    return tuple(exports)


def _picture(named: NamedFace) -> Picture:
    size = named.face.size
    scale = min(PER_MM, LARGEST_SIDE / max(size.width, size.height))
    return Picture(face=named.face, width=max(1, round(size.width * scale)), height=max(1, round(size.height * scale)),
                   dpi=round(scale * INCH, 2))


def _files(wanted: Sequence[PictureFile], path: str, text: bytes, fonts: Path, watch: Watch) -> Iterator[ExportedFile]:
    yield from picture_files(wanted, fonts, watch)
    yield ExportedFile(file=BuiltFile(path=path, content=text), facts={})


def _readme(title: str, named: Sequence[tuple[DrawnPart, tuple[NamedPiece, ...]]]) -> bytes:
    blocks = [
        heading(f"{title} for Tabletopia"),
        steps((
            "Sign in at tabletopia.com, open the Workshop, and make a game or open yours.",
            "In My Objects, create an object for each piece below: a card, or a tile for what is of board. Choose its "
            "front and its back picture; where no back is named, use the front.",
            "Put each object into the setup as often as the table below says; cards that share a back can be made a "
            "deck there.")),
        paragraph("All pictures of a type have the same number of pixels, 10 to a millimetre, as Tabletopia wants "
                  "them. They end at the trim: there is no bleed. Menus may be named otherwise by now."),
    ]
    for part, pieces_of_part in named:
        rows = [("piece", "copies", "front", "back")]
        rows += [(piece.component.title or piece.component.id, str(piece.component.copies), f"{piece.front.name}.png",
                  f"{piece.back.name}.png" if piece.back else "-") for piece in pieces_of_part]
        blocks += (heading(part.part.title), table(rows))
    return readme(blocks)
