"""Turns parts into their faces, or into every problem of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.faces import Face, Studio
from ppgen.engine.imposition import BACK_EXTRA
from ppgen.engine.imposition.values import Backs, Item, SheetSpec
from ppgen.engine.ink import coverage
from ppgen.errors import InputError, Problem, Problems


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPart:
    """A part with the face of each component's front and back, and its items in printing order."""

    part: Part
    faces: Mapping[tuple[str, str], Face]
    items: tuple[Item, ...]

    @property
    def distinct(self) -> tuple[Face, ...]:
        return tuple(dict.fromkeys(self.faces.values()))


def draw_parts(parts: Iterable[Part], studio: Studio, spec: SheetSpec, lang: str) -> tuple[DrawnPart, ...]:
    """Draw every face. Raises InputError with the problems of all faces."""
    problems = Problems()
    drawn: list[DrawnPart] = []
    known: dict[tuple[int, float], Face] = {}  # a request that several components share is drawn once
    for part in parts:
        faces: dict[tuple[str, str], Face] = {}
        for component in part.components:
            for side, request in component.faces():
                if side == "back" and not has_back(part, component, spec):
                    continue
                key = id(request), bleed_of(part, side, spec)
                try:
                    known[key] = known.get(key) or studio.draw(request, key[1], f"[{component.id} {side} {lang}]")
                except InputError as error:
                    problems.extend(error.problems)
                else:
                    faces[component.id, side] = known[key]
        if not problems:
            items = tuple(_item(part, component, faces, spec)
                          for component in part.components for _ in range(component.copies))
            drawn.append(DrawnPart(part=part, faces=faces, items=items))
    if problems:
        raise InputError(_merged(problems))
    return tuple(drawn)


def _merged(problems: Iterable[Problem]) -> Iterator[Problem]:
    """One problem for each mistake: a slip in a template shows on every card that it draws."""
    alike: dict[Problem, list[str]] = {}
    for problem in problems:
        alike.setdefault(replace(problem, key=""), []).append(problem.key)
    for problem, subjects in alike.items():
        more = f" and {len(subjects) - 1} more" if len(subjects) > 1 else ""
        yield replace(problem, key=subjects[0] + more)


def ink_of(part: DrawnPart, fonts: Path) -> dict[tuple[str, str], float]:
    """The ink coverage (0 to 1) of each item's front and back; nothing for whole pages, which are mostly blank."""
    if part.part.pages:
        return {}
    shares = dict(zip(part.distinct, coverage(part.distinct, fonts), strict=True))
    return {key: shares[face] for key, face in part.faces.items()}


def has_back(part: Part, component: Component, spec: SheetSpec) -> bool:
    """Whole pages are printed on both sides only where the paper is."""
    return component.back is not None and (
        spec.backs is Backs.DUPLEX or (spec.backs is Backs.FOLD and not part.pages))


def bleed_of(part: Part, side: str, spec: SheetSpec) -> float:
    """How far a face is drawn beyond its trim, in mm."""
    if part.pages:
        return 0.0
    return spec.bleed + (BACK_EXTRA if side == "back" and spec.backs is Backs.DUPLEX else 0.0)


def _item(part: Part, component: Component, faces: Mapping[tuple[str, str], Face], spec: SheetSpec) -> Item:
    has = has_back(part, component, spec)
    edges = [faces[component.id, side].edge for side in (("front", "back") if has else ("front",))]
    return Item(id=component.id, size=component.size, edge="|".join(edges) if all(edges) else "", has_back=has)
