"""Turns a drawn part into its faces with their names: in the order of the set, each back once."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from ppgen.engine.component import Component
from ppgen.engine.drawing.face import Face
from ppgen.export.exported import file_name
from ppgen.production.drawn import DrawnPart
from ppgen.production.manifest import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A side of a component, as it is told of."""

    component: str
    title: str
    side: str
    copies: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFace:
    """A face with the name that its file gets; ``shows`` tells the components and their sides that look so."""

    name: str
    face: Face
    shows: tuple[Shown, ...]

    @property
    def is_shared_back(self) -> bool:
        return len(self.shows) > 1 and all(shown.side == "back" for shown in self.shows)

    @property
    def facts(self) -> Json:
        return {"shows": [asdict(shown) for shown in self.shows]}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPiece:
    """A component with its faces; ``back`` is None if it has none, and the front itself if both sides look alike."""

    component: Component
    front: NamedFace
    back: NamedFace | None


def named_pieces(drawn: DrawnPart) -> tuple[NamedPiece, ...]:
    """The components of a part, in order: ``cards-01-france-1-front``; a back that several share is ``cards-back``."""
    components = drawn.part.components
    backs = {component.id: drawn.faces.get((component.id, "back")) for component in components}
    fronts = {component.id: drawn.faces[component.id, "front"] for component in components}
    own = {id for id, back in backs.items() if back == fronts[id]}
    shared = [face for face, times in Counter(back for id, back in backs.items() if back and id not in own).items()
              if times > 1]
    part, digits = file_name(drawn.part.name), max(2, len(str(len(components))))
    common = {face: NamedFace(name=f"{part}-back" if len(shared) == 1 else f"{part}-back-{number}", face=face,
                              shows=tuple(_shown(each, "back") for each in components if backs[each.id] == face))
              for number, face in enumerate(shared, 1)}

    def piece(number: int, component: Component) -> NamedPiece:
        stem, back = f"{part}-{number:0{digits}}-{file_name(component.id)}", backs[component.id]
        if component.id in own:
            both = NamedFace(name=f"{stem}-both", face=fronts[component.id],
                             shows=(_shown(component, "front"), _shown(component, "back")))
            return NamedPiece(component=component, front=both, back=both)
        front = NamedFace(name=f"{stem}-front", face=fronts[component.id], shows=(_shown(component, "front"),))
        if not back:
            return NamedPiece(component=component, front=front, back=None)
        its_own = NamedFace(name=f"{stem}-back", face=back, shows=(_shown(component, "back"),))
        return NamedPiece(component=component, front=front, back=common.get(back, its_own))

    return tuple(piece(number, component) for number, component in enumerate(components, 1))


def named_faces(pieces: tuple[NamedPiece, ...]) -> tuple[NamedFace, ...]:
    """The faces of the pieces, each once: fronts and backs of their own, then the backs that they share."""
    faces = dict.fromkeys(face for piece in pieces for face in (piece.front, piece.back) if face)
    return tuple(sorted(faces, key=lambda face: face.is_shared_back))


def _shown(component: Component, side: str) -> Shown:
    return Shown(component=component.id, title=component.title, side=side, copies=component.copies)
