"""Export for Tabletopia: a picture for each face, of one size within a type of component."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ppgen.engine.geometry import INCH
from ppgen.engine.pictures.face_pictures import FacePicture
from ppgen.printing.drawn_parts import DrawnPart
from ppgen.printing.request import BuildRequest, stem_words
from ppgen.printing.workshop import Workshop
from ppgen.process.file_writing import BuiltFile
from ppgen.targets.exported_files import (README, Export, export_facts, heading, numbered_list, paragraph, readme,
                                          table, variant)
from ppgen.targets.piece_pictures import (NamedFace, NamedPiece, PictureFile, choose_pieces, draw_all, name_faces,
                                          name_pieces, picture_files)

PIXELS_PER_MM = 10.0
MAX_SIDE_PX = 4000  # resolution, and maximum side of a picture (Tabletopia's knowledge base, preparing graphics)


def export_tabletopia(workshop: Workshop, request: BuildRequest) -> tuple[Export, ...]:
    """Export the pictures of each language with a README. Raises InputError."""
    folder = variant(request, "tabletopia", *stem_words(request.parts))
    exports = []
    for texts, parts in draw_all(workshop, request, choose_pieces(workshop, request), lambda *_: 0.0):
        here = f"{texts.lang}/{folder}"
        named = [(part, name_pieces(part)) for part in parts]
        pictures = [PictureFile(path=f"{here}/{face.name}.png", picture=_picture(face),
                                facts={"part": part.part.name, **face.facts})
                    for part, each in named for face in name_faces(each)]
        text = BuiltFile(path=f"{here}/{README}", content=_readme(texts("game.title"), named))
        exports.append(Export(
            folder=here, facts=export_facts("tabletopia", workshop.game, texts.lang, request), pictures=len(pictures),
            files=partial(picture_files, pictures, workshop.fonts.folder, [text])))
    return tuple(exports)


def _picture(named: NamedFace) -> FacePicture:
    size = named.face.size
    scale = min(PIXELS_PER_MM, MAX_SIDE_PX / max(size.width, size.height))
    return FacePicture(face=named.face, width=max(1, round(size.width * scale)),
                       height=max(1, round(size.height * scale)),
                       dpi=round(scale * INCH, 2))


def _readme(title: str, named: Sequence[tuple[DrawnPart, tuple[NamedPiece, ...]]]) -> bytes:
    blocks = [
        heading(f"{title} for Tabletopia"),
        numbered_list((
            "Sign in at tabletopia.com, open the Workshop, and make a game or open yours.",
            "In My Objects, create an object for each piece below: a card, or a tile for what is of board. Choose its "
            "front and its back picture; where no back is named, use the front.",
            "Put each object into the setup as often as the table below says; cards that share a back can be made a "
            "deck there.")),
        paragraph("All pictures of a type have the same number of pixels, 10 to a millimetre, as Tabletopia wants "
                  "them. They end at the trim: there is no bleed. Menus may be named otherwise by now."),
    ]
    for part, pieces in named:
        rows = [("piece", "copies", "front", "back")]
        rows += [(piece.component.title or piece.component.id, str(piece.component.copies), f"{piece.front.name}.png",
                  f"{piece.back.name}.png" if piece.back else "-") for piece in pieces]
        blocks += (heading(part.part.title), table(rows))
    return readme(blocks)
