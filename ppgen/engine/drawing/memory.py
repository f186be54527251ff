"""Turns face requests into faces that were drawn before in this run, perhaps in another language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ppgen.engine.drawing.faces import Face, FaceRequest, Studio
from ppgen.engine.svg.subset import MARK
from ppgen.reading.texts import Texts

MOST = 4_000
"""Requests whose faces are remembered, some 80 MB; then it begins anew."""
_TAG, _MARK = re.compile(r"<[A-Za-z][^>]*>"), re.compile(rf' {MARK}="[^"]*"')


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A face, marked; the words behind the texts that its template asked for, and what was said."""

    face: Face
    words: Mapping[str, str | None]
    said: Mapping[str, set[str]]


class Memory:
    """The faces of one set of templates and fonts.

    A face that shipped templates drew is the same in every language in which the texts that it asked for are: these
    templates know nothing else of a language. What those of strangers know is not counted on.
    """

    def __init__(self) -> None:
        self._faces: dict[tuple[FaceRequest, float, str, str], list[_Drawn]] = {}

    def draw(self, studio: Studio, request: FaceRequest, bleed: float, subject: str) -> Face:
        """As :meth:`Studio.draw`."""
        texts = studio.common.get("t")
        if not isinstance(texts, Texts):
            return studio.drawn(request, bleed, subject)[0]
        if len(self._faces) > MOST:
            self._faces.clear()
        name = request, bleed, studio.ink, "" if studio.templates.are_ours else texts.lang
        drawn = next((each for each in self._faces.get(name, ())
                      if all(texts.words.get(key) == words for key, words in each.words.items())), None)
        if drawn:
            studio.note(drawn.said)
        else:
            face, said = studio.marking.drawn(request, bleed, subject)
            drawn = _Drawn(face, {key: texts.words.get(key) for key in said}, said)
            self._faces.setdefault(name, []).append(drawn)
        return drawn.face if studio.marked else unmarked(drawn.face)


def unmarked(face: Face) -> Face:
    """The face as it is drawn without marks. In tags ``>`` and ``"`` stand for nothing else, as lxml writes them."""
    return replace(face, svg=_TAG.sub(lambda tag: _MARK.sub("", tag[0]), face.svg))
