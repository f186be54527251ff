"""Turns a build request into nothing but what is wrong: all is drawn, laid out and set, and no file is put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ppgen.documents.names import CALIBRATION, RULES, has_words
from ppgen.engine.booklets.folding import saddle_stitch
from ppgen.engine.component import Part
from ppgen.engine.drawing.face import Face
from ppgen.engine.formats import A4, Format
from ppgen.engine.imposition.values import Flip
from ppgen.engine.typesetting import layers_pdf
from ppgen.production.boards import draw_to_print
from ppgen.production.booklet_files import made_file, read_file, set_guide, set_rules
from ppgen.production.booklets import page_of
from ppgen.production.request import BuildRequest
from ppgen.production.sheet_files import impose_part, kind_of, sheet_pages
from ppgen.production.workshop import Workshop
from ppgen.reading.texts import Texts

_TEXT, _TAG = re.compile(r"<text\b(?:[^>]*[^/>])?>.*?</text>", re.DOTALL), re.compile("<[^>]*>")
_FONT = re.compile(r'font-(?:family|weight|style)="[^"]*"')


class Typeset:
    """What typst could set: drawings without the texts on them, and the characters of these, each in its font."""

    def __init__(self) -> None:
        self._seen: set[object] = set()

    def fresh(self, faces: Iterable[Face]) -> list[Face]:
        """The faces on which there is something else. From now on that is known."""
        found = []
        for face in faces:
            marks = {_TEXT.sub("", face.svg)} | {(tuple(_FONT.findall(text)), character) for text in
                                                 _TEXT.findall(face.svg) for character in _TAG.sub("", text)}
            if not marks <= self._seen:
                self._seen |= marks
                found.append(face)
        return found


def prove_set(request: BuildRequest, workshop: Workshop, texts: Texts, paper: Format, known: Typeset) -> None:
    """Do all that may go wrong with the files of a language on a paper that takes booklets to fold.

    Raises InputError. ``known`` is what typst need not set again: other languages have the same with other words.
    """
    spec = request.spec(paper)
    chosen = workshop.parts(texts, request.card_size, spec, request.parts, request.pack, request.on_pad(paper))
    made = []
    for part in draw_to_print(chosen.parts, workshop.studio(texts, request.ink), request, paper, texts.lang):
        imposition = impose_part(part, request, paper)
        made.append(made_file(part, imposition))
        sheet_pages(part, imposition, request.touching(kind_of(part.part)), workshop, texts, paper)
        for _ in layers_pdf(known.fresh(part.distinct), workshop.fonts.folder):
            pass
    for name in chosen.booklets:
        if name == RULES:
            sheets = len(saddle_stitch(set_rules(request, workshop, texts, paper).count))
            made.append(read_file(name, sheets, request, texts))
        else:
            set_guide(made, request, workshop, texts, paper)


def prove_language(workshop: Workshop, texts: Texts, card_size: Format, parts: Sequence[Part], known: Typeset) -> None:
    """Print the set of a language on A4, with all that it may say (``texts`` notes it). Raises InputError.

    What is ``known`` is not set anew.
    """
    request = BuildRequest(langs=(texts.lang,), papers=(A4,), card_size=card_size)
    prove_set(request, workshop, texts, A4, known)
    # The other flip changes words of this part only, the other ink those of labels, and the pictures of the rules.
    prove_set(replace(request, flip=Flip.SHORT, ink="low", parts=(CALIBRATION,)), workshop, texts, A4, known)
    if workshop.game.rules and has_words(texts, RULES):
        studio = workshop.studio(texts, "low")
        for face in workshop.game.rules(texts, parts, page_of(A4.size), "low").requests():
            studio.draw(face, 0, f"[{RULES} {texts.lang} low ink]")
