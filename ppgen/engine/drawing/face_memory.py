"""Drawn faces that are kept: in memory for a run, and in the cache between runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import le
from typing import Any

from ppgen.engine.drawing.face import Anchor, Face, FaceRequest
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.geometry import Seams
from ppgen.engine.svg.subset import SOURCE_ATTRIBUTE
from ppgen.reading.texts import Texts

TextsUsed = Mapping[str, Iterable[str]]
"""The texts that a template used, by key: each as it came out, placeholders filled in."""
DrawFace = Callable[[], tuple[Face, TextsUsed]]
TemplateWords = tuple[frozenset[str], frozenset[str]]
"""All texts of a language, and of the other one."""
MAX_REMEMBERED = 4_000
"""Requests whose faces are remembered, some 80 MB; beyond that the memory is cleared."""
_TAG, _SOURCE = re.compile(r"<[A-Za-z][^>]*>"), re.compile(rf' {SOURCE_ATTRIBUTE}="[^"]*"')


# Faces of this run

@dataclass(frozen=True, slots=True)
class _CachedFace:
    """A marked face, the texts its template used, and the unformatted text behind each of them."""

    face: Face
    words: Mapping[str, str | None]
    used: TextsUsed


class FaceMemory:
    """The faces that one set of templates and fonts has drawn in this run, perhaps in another language.

    A face of shipped templates is the same in every language in which the texts that it uses are the same: these
    templates know nothing else of a language. Strangers' templates may know more.

    A memory that ``borrows`` also takes a face from another language if that has more to set: for checks, not for
    printing.
    """

    def __init__(self, borrows: bool = False) -> None:
        self.borrows = borrows
        self._faces: dict[tuple[FaceRequest, float, str], list[_CachedFace]] = {}
        self._by_frame: dict[tuple[FaceRequest, float, str], list[tuple[Mapping[str, object], str, _CachedFace]]] = {}
        """The same faces by request without values; each with these values and its language."""
        self._words: dict[str, frozenset[str]] = {}
        """All texts of each language."""

    def find_or_draw(self, request: FaceRequest, bleed: float, variant: str, texts: Texts,
                     draw: DrawFace) -> tuple[Face, TextsUsed]:
        """Return the marked face and its texts, from an earlier drawing if there is one.

        ``variant`` stands for all other inputs of a face: the ink and, where templates know it, the language.
        """
        if len(self._faces) > MAX_REMEMBERED:
            self._faces.clear()
            self._by_frame.clear()
        key = request, bleed, variant
        match = next((each for each in self._faces.get(key, ())
                      if all(texts.words.get(name) == words for name, words in each.words.items())), None)
        if not match:
            face, used = draw()
            match = _CachedFace(face, {name: texts.words.get(name) for name in used}, used)
            self._faces.setdefault(key, []).append(match)
            self._by_frame.setdefault((_without_values(request), bleed, variant), []).append(
                (request.values, texts.lang, match))
            self._all_words(texts)
        return match.face, match.used

    def find_fitting(self, request: FaceRequest, bleed: float, variant: str, texts: Texts,
                     fonts: FontBook) -> tuple[Face, TextsUsed] | None:
        """Find a marked face with other texts that all fit, if the request's texts surely fit in their places.

        Returns it with the texts that the requested face would use; None if there is no such face.
        """
        for values, lang, each in self._by_frame.get((_without_values(request), bleed, variant), ()):
            own = {key: texts.words.get(key) for key in each.words}
            words = self._all_words(texts), self._words[lang]
            if predict_fit(own, each.words, words, fonts) and predict_fit(request.values, values, words, fonts):
                return each.face, {key: each.used[key] if text == each.words[key] else {str(text)}
                                   for key, text in own.items()}
        return None

    def _all_words(self, texts: Texts) -> frozenset[str]:
        return self._words.setdefault(texts.lang, frozenset(texts.words.values()))


def _without_values(request: FaceRequest) -> FaceRequest:
    return replace(request, values={}, origins={})


@lru_cache(maxsize=MAX_REMEMBERED)
def strip_markers(face: Face) -> Face:
    """Remove the ``data-src`` of a marked face. lxml writes ``>`` and ``"`` in tags as delimiters only."""
    return replace(face, svg=_TAG.sub(lambda tag: _SOURCE.sub("", tag[0]), face.svg))


def predict_fit(values: object, others: object, texts: TemplateWords, fonts: FontBook) -> bool:
    """Whether values equal others except for texts that surely fit wherever those did.

    That holds for a single word that the fonts can set, if one of the words of the other text has at least as many
    characters and is at least as wide in each style, also in capitals. Several words may break into lines differently.
    """
    if isinstance(values, Mapping) and isinstance(others, Mapping):
        return values.keys() == others.keys() and all(
            predict_fit(values[key], others[key], texts, fonts) for key in values)
    if isinstance(values, list | tuple) and isinstance(others, list | tuple):
        return len(values) == len(others) and all(
            predict_fit(*pair, texts, fonts) for pair in zip(values, others, strict=True))
    if values == others:
        return True
    return (isinstance(values, str) and values in texts[0] and isinstance(others, str) and others in texts[1]
            and _word_fits(values, others, fonts))


def _word_fits(words: str, others: str, fonts: FontBook) -> bool:
    if len(words.split()) != 1 or "{" in words:  # several words, or a placeholder
        return False
    needed = _widths(words, fonts)
    return _can_be_set(words, fonts) and any(len(word) >= len(words) and all(map(le, needed, _widths(word, fonts)))
                                             for word in others.split() if "{" not in word)


@lru_cache(maxsize=5_000)
def _can_be_set(word: str, fonts: FontBook) -> bool:
    """Whether every style has all characters of a word, also in capitals."""
    return all(any(font.has(character) for font in style) for style in fonts.styles.values()
               for character in word + word.upper())


@lru_cache(maxsize=5_000)
def _widths(word: str, fonts: FontBook) -> tuple[float, ...]:
    return tuple(fonts.width(letters, style, 1.0) for letters in (word, word.upper()) for style in fonts.styles)


# Faces in the cache between runs

def dump_face(face: Face, used: TextsUsed) -> bytes:
    """Serialize a face without size and bleed, and the texts that it uses: a line of JSON, then the SVG."""
    header = json.dumps({
        "edge": face.edge, "seams": [face.seams.x, face.seams.y],
        "anchors": {name: [each.x, each.y, each.turn] for name, each in face.anchors.items()},
        "pictures": {name: picture.digest for name, picture in face.pictures.items()}, "cuts": dict(face.cuts),
        "used": {key: sorted(outputs) for key, outputs in used.items()}})
    return f"{header}\n{face.svg}".encode()


def load_face(content: bytes) -> tuple[dict[str, Any], TextsUsed, Mapping[str, str]]:
    """Return the fields of a serialized face, the texts that it uses, and the digests of its pictures by name."""
    header, _, svg = content.decode().partition("\n")
    about = json.loads(header)
    return {"svg": svg, "edge": about["edge"], "seams": Seams(*map(tuple, about["seams"])),
            "anchors": {name: Anchor(*numbers) for name, numbers in about["anchors"].items()},
            "cuts": about["cuts"]}, about["used"], about["pictures"]
