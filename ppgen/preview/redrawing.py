"""Turns a set into its album, drawing only faces that may look different from the last time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase

from ppgen.engine.component import Part
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.faces import Studio
from ppgen.engine.formats import Format
from ppgen.engine.shapes.shape import Kind
from ppgen.errors import Problem, RequestError, listed
from ppgen.preview.album import Album, sections_of, sharers
from ppgen.preview.request import PreviewRequest
from ppgen.production.drawn import draw_parts, on_sheets
from ppgen.production.workshop import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Faces that were drawn, with the ``marks`` of their templates and the other ``conditions``: fonts, texts, ink.

    ``drawn`` are those that were not found among the earlier ones.
    """

    conditions: object = None
    marks: Mapping[str, str] = field(default_factory=dict)
    faces: dict[tuple[FaceRequest, float], Face] = field(default_factory=dict)
    drawn: list[Face] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientStudio(Studio):
    """A studio that draws no face twice: neither in this round nor if it was drawn in the one before."""

    earlier: Kept
    now: Kept

    def draw(self, request: FaceRequest, bleed: float, subject: str) -> Face:
        if request.shape.kind is not Kind.RECTANGLE:
            bleed = 0.0  # it is shown as it is when it is cut out
        if face := self.now.faces.get((request, bleed)):
            return face
        face = self.earlier.faces.get((request, bleed)) if self._is_as_before(request.template) else None
        if face is None:
            face = Studio.draw(self, request, bleed, subject)
            self.now.drawn.append(face)
        self.now.faces[request, bleed] = face
        return face

    def _is_as_before(self, template: str) -> bool:
        mark = self.now.marks.get(template)
        return mark is not None and mark == self.earlier.marks.get(template)


def draw_album(workshop: Workshop, request: PreviewRequest, lang: str, paper: Format,
               marks: Mapping[str, str], earlier: Kept) -> tuple[Album, Kept, tuple[Problem, ...]]:
    """The album of a language on a paper; what was drawn for it, to be kept; what was left out.

    ``marks`` are those of the templates (:func:`ppgen.preview.marks.marks_of`). Raises InputError with every
    problem, RequestError for names that no component has.
    """
    texts = workshop.texts(lang)
    build = request.build
    spec = build.spec(paper)
    chosen = workshop.parts(texts, build.card_size, spec, build.parts, build.pack, build.on_pad(paper))
    plain = workshop.studio(texts, build.ink)
    now = Kept(conditions=(workshop.fonts, plain.ink, plain.common), marks=marks)
    studio = PatientStudio(templates=plain.templates, fonts=plain.fonts, ink=plain.ink, common=plain.common, now=now,
                           earlier=earlier if earlier.conditions == now.conditions else Kept())
    parts = named(chosen.parts, request.names)
    album = Album(lang=lang, paper=paper.name, title=texts("game.title"),
                  label=f"{texts('language.name')} · {paper.title}",
                  facts=" · ".join((texts("language.name"), str(build.card_size.size), texts(f"ink.{build.ink}"))),
                  sections=sections_of(draw_parts(parts, studio, on_sheets(spec), lang), sharers(chosen.parts)))
    return album, now, chosen.left_out


def named(parts: Iterable[Part], names: Iterable[str]) -> tuple[Part, ...]:
    """The parts with the components that one of the names or patterns means. Raises RequestError for one without."""
    parts, names = tuple(parts), tuple(names)
    if not names:
        return parts
    ids = [component.id for part in parts for component in part.components]
    if strange := [name for name in names if not any(fnmatchcase(id, name) for id in ids)]:
        raise RequestError(
            Problem(place="NAME", what=f"nothing that is shown is called '{name}'",
                    remedy=f"like {listed(near)}?" if (near := get_close_matches(name, ids)) else "see ppgen list")
            for name in strange)
    return tuple(replace(part, components=tuple(
        component for component in part.components
        if any(fnmatchcase(component.id, name) for name in names))) for part in parts)
