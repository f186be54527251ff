"""Turns face requests into faces: checked SVG of a trim with its bleed around it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ppgen.cache.marks import mark_of
from ppgen.cache.store import digest_of, store
from ppgen.engine.drawing.colours import ink_on, mixed
from ppgen.engine.drawing.face import Face, FaceRequest, FrameOfFace
from ppgen.engine.drawing.fonts import FontBook
from ppgen.engine.drawing.kept import read, written
from ppgen.engine.drawing.lettering import Lettering
from ppgen.engine.drawing.lines import line_drawing
from ppgen.engine.drawing.memory import Memory, unmarked
from ppgen.engine.drawing.ornament import band, diaper
from ppgen.engine.drawing.scales import drift_scale, lozenges, ruler
from ppgen.engine.drawing.svgcheck import check_svg
from ppgen.engine.drawing.templates import TemplateSet
from ppgen.engine.geometry import Size
from ppgen.engine.guard.cost import sheets_of
from ppgen.engine.shapes.outline import Outline, grown, rings_svg
from ppgen.engine.shapes.shape import Kind, Shape
from ppgen.errors import BadText, InputError, Problem, Problems
from ppgen.reading.texts import Texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Studio:
    """Where faces are drawn: templates, fonts, the ink, and the values that every template sees.

    ``marked`` faces keep the lines of templates that drew them (``data-src``): to look into, not to print. A studio
    with a ``memory`` draws no face twice.
    """

    templates: TemplateSet
    fonts: FontBook
    ink: str
    common: Mapping[str, object]
    marked: bool = False
    memory: Memory | None = None

    def draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        """One face. Raises InputError with every problem; ``subject`` names component, face and language."""
        try:
            if self.memory and isinstance(texts := self.common.get("t"), Texts):
                if self.memory.borrows and (lent := self.borrowed(request, bleed)):
                    return lent if self.marked else unmarked(lent)
                face, asked = self.memory.drawn(request, bleed, self._kind(texts), texts,
                                                lambda: self.marking.drawn(request, bleed, subject))
                self.note(asked)
                return face if self.marked else unmarked(face)
            opened, measured = store(), self._measured(request)
            marks = self._marks(request, bleed, measured) if opened else None
            if opened and marks and (found := opened.find(marks[0]) or opened.find(marks[1])):
                kept, texts_asked = read(found)
                self.note(texts_asked)
                return Face(size=request.size, bleed=bleed, **kept)
            face, said = self.drawn(request, bleed, subject, measured)
            if opened and marks:
                opened.keep(marks[bool(said)], written(face.svg, face.edge, face.anchors, face.seams, said))
            return face
        except InputError as error:
            raise InputError(map(request.traced, error.problems)) from error

    def borrowed(self, request: FaceRequest, bleed: float) -> Face | None:
        """The marked face of another language, if the texts of this one surely fit where those do: they take less room.

        That is only told of shipped templates: they set texts with ``text()`` and ``paragraph()`` and do nothing else
        with them. Notes what is asked for, as if the face were drawn.
        """
        texts = self.common.get("t")
        if not self.memory or not isinstance(texts, Texts) or not self.templates.are_ours or request.measured:
            return None
        found = self.memory.roomier(request, bleed, self._kind(texts), texts, self.fonts)
        if found is None:
            return None
        self.note(found[1])
        return found[0]

    def _kind(self, texts: Texts) -> str:
        """What else goes into a face that is remembered."""
        return f"{self.ink} {'' if self.templates.are_ours else texts.lang}"

    @property
    def marking(self) -> Studio:
        """The studio that draws marked faces."""
        return self if self.marked else replace(self, marked=True)

    def _measured(self, request: FaceRequest) -> Mapping[str, object]:
        return request.measured(self.fonts) if request.measured else {}

    def _marks(self, request: FaceRequest, bleed: float, measured: Mapping[str, object]) -> tuple[str, str] | None:
        """What the face is kept under between runs if its template asks for no texts, so that it is the same in all
        languages; and if it does. None if something that goes into it can't be told."""
        ground, texts = _ground(self.templates, self.fonts, self.common)
        keys = _tables(request, lambda table, words: {**table, **words}) if self.templates.are_ours else {}
        alone = ground and mark_of("face", ground, self.ink, self.marked, request.template, {**request.values, **keys},
                                   measured, request.size, bleed, request.shape, request.uncut, request.small)
        worded = alone and texts and mark_of("worded face", alone, texts, request.values if keys else {})
        return (alone, worded) if alone and worded else None

    def note(self, asked: Mapping[str, Iterable[str]]) -> None:
        """Note that these texts were asked for, and what was said."""
        if isinstance(texts := self.common.get("t"), Texts):
            for key, said in asked.items():
                texts.asked.setdefault(key, set()).update(said)

    def drawn(self, request: FaceRequest, bleed: float, subject: str, measured: Mapping[str, object] | None = None,
              ) -> tuple[Face, Mapping[str, set[str]]]:
        """The face, drawn anew, and what the texts said that its template asked for. Raises InputError."""
        measured = self._measured(request) if measured is None else measured
        texts = self.common.get("t")
        own = replace(texts, asked={}) if isinstance(texts, Texts) else None
        try:
            face = self._filled_in(request, bleed, {**self.common, **({"t": own} if own else {})}, measured, subject)
        finally:
            self.note(own.asked if own else {})
        return face, own.asked if own else {}

    def _filled_in(self, request: FaceRequest, bleed: float, common: Mapping[str, object],
                   measured: Mapping[str, object], subject: str) -> Face:
        frame = FrameOfFace(width=request.size.width, height=request.size.height, bleed=bleed,
                            outline=_outline(request.shape, request.size), small=request.small)
        values = {**common, **request.values, **measured, "face": frame, "ink": self.ink}
        if self.templates.are_ours and isinstance(texts := common.get("t"), Texts):
            values |= _tables(request, lambda table, words: _Asking(table, words, texts))
        svg = self.templates.render(request.template, values, subject, sheets_of(frame.view_box))
        checked, violations = check_svg(svg, self.fonts, frame.view_box, self.marked, self.templates.are_ours)
        if checked is None:
            problems = Problems()
            for violation in violations:
                place, line = self.templates.place(violation.mark or f"{request.template}:0")
                problem = Problem(place=place, line=line, key=subject, what=violation.what, remedy=violation.remedy)
                problems.append(BadText.of(problem, violation.words, violation.share) if violation.words else problem)
            raise InputError(problems)
        whole = request.uncut or request.shape.kind is Kind.RECTANGLE
        shown = checked.text if whole else _cut_out(checked.text, request.shape.outline(request.size), bleed)
        return Face(svg=shown, size=request.size, bleed=bleed, edge=checked.edge,
                    anchors=checked.anchors, seams=checked.seams)


@lru_cache(maxsize=100)
def _outline(shape: Shape, size: Size) -> str:
    return shape.outline(size).svg


class _Asking(Mapping[str, object]):
    """A table of values whose texts are asked for, too, when a template reads them: so it is known whether it does.

    It is no dict, whose ``get`` and ``items`` would read them without a word.
    """

    def __init__(self, table: Mapping[str, object], words: Mapping[str, str], texts: Texts) -> None:
        self._table, self._words, self._texts = table, words, texts

    def __getitem__(self, entry: str) -> object:
        if entry in self._words:
            self._texts(self._words[entry])
        return self._table[entry]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)


def _tables(request: FaceRequest, change: Callable[[Mapping[str, object], Mapping[str, str]], Mapping[str, object]],
            ) -> dict[str, Mapping[str, object]]:
    """The tables among the values that have texts, each changed, given which entries these are and their keys."""
    return {name: change(table, request.words[name]) for name, table in request.values.items()
            if name in request.words and isinstance(table, Mapping)}


_GROUNDS: list[tuple[TemplateSet, FontBook, Mapping[str, object], tuple[str | None, str | None]]] = []
"""Those of the last studios."""


def _ground(templates: TemplateSet, fonts: FontBook, common: Mapping[str, object]) -> tuple[str | None, str | None]:
    """The marks of what all faces of a studio have in common: templates and whether they are ours, fonts; and texts.

    Strangers' templates may know a language without asking for a text of it.
    """
    for *known, marks in _GROUNDS:
        if all(one is other for one, other in zip(known, (templates, fonts, common), strict=True)):
            return marks
    digests, ours = (templates.digest, digest_of(fonts.folder)), templates.are_ours
    seen = {name: value for name, value in common.items() if not ours or not isinstance(value, Texts)}
    marks = mark_of("ground", digests, ours, fonts, seen) if all(digests) else None, mark_of("texts", common)
    _GROUNDS[:] = [*_GROUNDS[-3:], (templates, fonts, common, marks)]
    return marks


def _cut_out(svg: str, outline: Outline, bleed: float) -> str:
    """The drawing without what lies further beyond the outline than the bleed."""
    path = rings_svg(grown(outline, bleed)) if bleed else outline.svg
    root, body = svg.removesuffix("</svg>").split(">", 1)
    name = "cut-out"
    while f'"{name}"' in svg:
        name += "-"
    return f'{root}><clipPath id="{name}"><path d="{path}"/></clipPath><g clip-path="url(#{name})">{body}</g></svg>'


def helpers(fonts: FontBook) -> dict[str, Callable[..., str]]:
    """The functions that templates may call (``docs/templates.md``)."""
    lettering = Lettering(fonts=fonts)
    return {"text": lettering.text, "paragraph": lettering.paragraph, "mixed": mixed, "ink_on": ink_on,
            "ruler": ruler, "drift_scale": drift_scale, "lozenges": lozenges, "diaper": diaper, "band": band,
            "line_drawing": line_drawing, "woodcut": _woodcut}


def _woodcut(**asked: Any) -> str:
    from ppgen.engine.drawing.woodcut import woodcut  # for few templates

    return woodcut(**asked)
