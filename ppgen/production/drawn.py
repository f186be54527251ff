"""Turns parts into their faces, or into every problem of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.drawing.faces import Studio
from ppgen.engine.geometry import ANYWHERE
from ppgen.engine.imposition.impose import BACK_EXTRA
from ppgen.engine.imposition.values import Backs, Item, SheetSpec
from ppgen.engine.pictures.ink import coverage
from ppgen.errors import InputError, Problems, merged

Bleed = Callable[[Part, str], float | None]
"""How far the front or back of a part's components is drawn beyond its trim, in mm; None: it is not drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPart:
    """A part with the face of each component's front and back."""

    part: Part
    faces: Mapping[tuple[str, str], Face]

    @property
    def distinct(self) -> tuple[Face, ...]:
        return tuple(dict.fromkeys(self.faces.values()))

    @property
    def items(self) -> tuple[Item, ...]:
        """What is to be laid out, each component as often as there are copies of it."""
        return tuple(self._item(component) for component in self.part.components for _ in range(component.copies))

    def _item(self, component: Component) -> Item:
        faces = [face for side in ("front", "back") if (face := self.faces.get((component.id, side)))]
        edges = [face.edge for face in faces]
        shared = all(edges) and component.shape.is_ruled  # scissors need a bleed all around
        return Item(id=component.id, size=component.size, shape=component.shape, edge="|".join(edges) if shared else "",
                    has_back=len(faces) > 1, seams=faces[0].seams if faces else ANYWHERE)


def draw_parts(parts: Iterable[Part], studio: Studio, bleed: Bleed, subject: str) -> tuple[DrawnPart, ...]:
    """Draw every face. Raises InputError with the problems of all faces, named by component, side and ``subject``."""
    problems = Problems()
    drawn: list[DrawnPart] = []
    known: dict[tuple[FaceRequest, float], Face] = {}
    for part in parts:
        faces: dict[tuple[str, str], Face] = {}
        for component in part.components:
            for side, request in component.faces():
                if (around := bleed(part, side)) is None:
                    continue
                with problems.gathering():
                    if (request, around) not in known:
                        known[request, around] = studio.draw(request, around, f"[{component.id} {side} {subject}]")
                    faces[component.id, side] = known[request, around]
        drawn.append(DrawnPart(part=part, faces=faces))
    if problems:
        raise InputError(merged(problems))
    return tuple(drawn)


def on_sheets(spec: SheetSpec) -> Bleed:
    """The bleeds of faces that are printed on such sheets."""

    def bleed(part: Part, side: str) -> float | None:
        backless = spec.backs is Backs.NONE or part.one_sided or (part.pages and spec.backs is not Backs.DUPLEX)
        if side == "back" and backless:
            return None  # whole pages are printed on both sides only where the paper is
        if part.pages:
            return 0.0
        return spec.bleed + (BACK_EXTRA if side == "back" and spec.backs is Backs.DUPLEX else 0.0)

    return bleed


def ink_of(part: DrawnPart, fonts: Path) -> dict[tuple[str, str], float]:
    """The ink coverage (0 to 1) of each item's front and back; nothing for whole pages, which are mostly blank."""
    if part.part.pages:
        return {}
    shares = dict(zip(part.distinct, coverage(part.distinct, fonts), strict=True))
    return {key: shares[face] for key, face in part.faces.items()}
