"""Turns face requests into faces that were drawn before in this run, perhaps in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.room import fits_for
from ppgen.engine.svg.subset import MARK
from ppgen.reading.texts import Texts

Said = Mapping[str, set[str]]
"""What was said under each key of a text that a template asked for."""
Drawing = Callable[[], tuple[Face, Said]]
MOST = 4_000
"""Requests whose faces are remembered, some 80 MB; then it begins anew."""
_TAG, _MARK = re.compile(r"<[A-Za-z][^>]*>"), re.compile(rf' {MARK}="[^"]*"')


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A face, marked; the words behind the texts that its template asked for, and what was said."""

    face: Face
    words: Mapping[str, str | None]
    said: Said


class Memory:
    """The faces of one set of templates and fonts.

    A face that shipped templates drew is the same in every language in which the texts that it asked for are: these
    templates know nothing else of a language. What those of strangers know is not counted on.

    One that ``borrows`` takes a face from another language, too, if that has more to set: to look at, not to print.
    """

    def __init__(self, borrows: bool = False) -> None:
        self.borrows = borrows
        self._faces: dict[tuple[FaceRequest, float, str], list[_Drawn]] = {}
        self._alike: dict[tuple[FaceRequest, float, str], list[tuple[Mapping[str, object], str, _Drawn]]] = {}
        """The same by what is asked for but for its values, with these and the language."""
        self._words: dict[str, frozenset[str]] = {}
        """All texts of each language."""

    def drawn(self, request: FaceRequest, bleed: float, kind: str, texts: Texts, draw: Drawing) -> tuple[Face, Said]:
        """The marked face and what was said on it: as ``draw`` makes it, or as it was made before.

        ``kind`` tells apart what else goes into a face: the ink and, where templates know it, the language.
        """
        if len(self._faces) > MOST:
            self._faces.clear()
            self._alike.clear()
        name = request, bleed, kind
        found = next((each for each in self._faces.get(name, ())
                      if all(texts.words.get(key) == words for key, words in each.words.items())), None)
        if not found:
            face, said = draw()
            found = _Drawn(face, {key: texts.words.get(key) for key in said}, said)
            self._faces.setdefault(name, []).append(found)
            self._alike.setdefault((_but_values(request), bleed, kind), []).append(
                (request.values, texts.lang, found))
            self._words_of(texts)
        return found.face, found.said

    def roomier(self, request: FaceRequest, bleed: float, kind: str, texts: Texts,
                fonts: FontBook) -> tuple[Face, Said] | None:
        """The marked face with other texts, and what is said on one that need not be drawn to see whether its own fit:
        where those did so do these. None if no such face was drawn."""
        for values, lang, each in self._alike.get((_but_values(request), bleed, kind), ()):
            own = {key: texts.words.get(key) for key in each.words}
            written = self._words_of(texts), self._words[lang]
            if fits_for(own, each.words, written, fonts) and fits_for(request.values, values, written, fonts):
                return each.face, {key: each.said[key] if words == each.words[key] else {str(words)}
                                   for key, words in own.items()}
        return None

    def _words_of(self, texts: Texts) -> frozenset[str]:
        return self._words.setdefault(texts.lang, frozenset(texts.words.values()))


def _but_values(request: FaceRequest) -> FaceRequest:
    return replace(request, values={}, written={})


def unmarked(face: Face) -> Face:
    """The face as it is drawn without marks. In tags ``>`` and ``"`` stand for nothing else, as lxml writes them."""
    return replace(face, svg=_TAG.sub(lambda tag: _MARK.sub("", tag[0]), face.svg))
