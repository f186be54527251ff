"""Turns drawn parts into an album: every piece with its pictures, each under a name of its own."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ppgen.engine.component import Component, Part, Way
from ppgen.engine.drawing.face import Face, FaceRequest
from ppgen.engine.geometry import Size
from ppgen.production.drawn import DrawnPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture to be made of a face, as it is when it is cut out: ``size`` is the trim, in mm.

    ``key`` is the same for faces that look the same, and only for those.
    """

    name: str
    size: Size
    key: str
    face: Face = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A component with its pictures. A back that several components share is one shot with one name."""

    id: str
    title: str
    copies: int
    front: Shot
    back: Shot | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The pieces of a part; ``large`` ones are whole pages, and boards that are printed in tiles."""

    name: str
    title: str
    large: bool
    pieces: tuple[Piece, ...]

    @property
    def shots(self) -> tuple[Shot, ...]:
        """Every picture once: the fronts, then the backs that are others."""
        backs = (piece.back for piece in self.pieces if piece.back)
        return tuple(dict.fromkeys((*(piece.front for piece in self.pieces), *backs)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The pictures of a set in one language on one paper.

    ``label`` names these two for people; ``title`` and ``facts`` are for a head line.
    """

    lang: str
    paper: str
    label: str
    title: str
    facts: str
    sections: tuple[Section, ...]

    @property
    def id(self) -> str:
        """What sets the album apart from the others of a preview."""
        return f"{self.lang}-{self.paper}"

    @property
    def shots(self) -> tuple[Shot, ...]:
        return tuple(shot for section in self.sections for shot in section.shots)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(piece for section in self.sections for piece in section.pieces)

    @property
    def frames(self) -> Album:
        """The album without what its pictures show: the same as long as their names and sizes are."""
        def empty(piece: Piece) -> Piece:
            return replace(piece, front=replace(piece.front, key=""),
                           back=replace(piece.back, key="") if piece.back else None)

        return replace(self, sections=tuple(
            replace(section, pieces=tuple(map(empty, section.pieces))) for section in self.sections))


def sharers(parts: Iterable[Part]) -> frozenset[str]:
    """The ids of the components whose back is another's too."""
    together: dict[tuple[str, FaceRequest], list[str]] = {}
    for part in parts:
        for component in part.components:
            if component.back:
                together.setdefault((part.name, component.back), []).append(component.id)
    return frozenset(id for ids in together.values() if len(ids) > 1 for id in ids)


def sections_of(parts: Iterable[DrawnPart], sharing: frozenset[str]) -> tuple[Section, ...]:
    """The sections of an album, without parts that have nothing to show; ``sharing`` are ids of :func:`sharers`."""
    names = _Names()
    return tuple(_section(part, sharing, names) for part in parts if part.part.components)


def _section(drawn: DrawnPart, sharing: frozenset[str], names: _Names) -> Section:
    part, faces = drawn.part, drawn.faces
    fronts = {component.id: _shot(names.free(component.id), faces[component.id, "front"])
              for component in part.components}
    backs: dict[Face, Shot] = {}

    def back(component: Component) -> Shot | None:
        face = faces.get((component.id, "back"))
        if face is None or component.back == component.front:  # the same picture, though with another bleed
            return fronts[component.id] if face else None
        if face not in backs:
            whose = part.name if component.id in sharing else component.id
            backs[face] = _shot(names.free(f"{whose}-back"), face)
        return backs[face]

    return Section(
        name=part.name, title=part.title, large=part.layout.way is not Way.GRID,
        pieces=tuple(Piece(id=component.id, title=component.title, copies=component.copies,
                           front=fronts[component.id], back=back(component)) for component in part.components))


def _shot(name: str, face: Face) -> Shot:
    looks = f"{face.size.width} {face.size.height} {face.bleed} {face.svg}"
    return Shot(name=name, size=face.size, key=hashlib.sha256(looks.encode()).hexdigest()[:24], face=face)


class _Names:
    """Gives out each name once."""

    def __init__(self) -> None:
        self._given: Counter[str] = Counter()

    def free(self, name: str) -> str:
        self._given[name] += 1
        return name if self._given[name] == 1 else self.free(f"{name}-{self._given[name]}")
