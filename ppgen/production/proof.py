"""Turns a build request into nothing but what is wrong: all is drawn, laid out and set, and no file is put together."""

from __future__ import annotations

from ppgen.documents.names import RULES
from ppgen.engine.booklets.folding import saddle_stitch
from ppgen.engine.drawing.face import Face
from ppgen.engine.formats import Format
from ppgen.engine.typesetting import faces_pdf
from ppgen.production.boards import draw_to_print
from ppgen.production.booklet_files import made_file, read_file, set_guide, set_rules
from ppgen.production.request import BuildRequest
from ppgen.production.sheet_files import impose_part, kind_of, sheet_pages
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts


def prove_set(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format, known: set[Face]) -> None:
    """Do all that may go wrong with the files of a language on a paper that takes booklets to fold.

    Raises InputError. ``known`` are faces that typst could set, to which those of this set are added: in other
    languages many are the same.
    """
    spec = request.spec(paper)
    chosen = workshop.parts(texts, request.card_size, spec, request.parts, request.pack, request.on_pad(paper))
    made = []
    for part in draw_to_print(chosen.parts, workshop.studio(texts, request.ink), request, paper, texts.lang):
        imposition = impose_part(part, request, paper)
        made.append(made_file(part, imposition))
        sheet_pages(part, imposition, request.touching(kind_of(part.part)), workshop, texts, paper)
        for faces, _ in faces_pdf([face for face in part.distinct if face not in known], workshop.fonts.folder):
            known.update(faces)
    for name in chosen.booklets:
        if name == RULES:
            sheets = len(saddle_stitch(set_rules(request, workshop, texts, paper).count))
            made.append(read_file(name, sheets, request, texts))
        else:
            set_guide(made, request, workshop, texts, paper)
