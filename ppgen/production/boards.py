"""Turns parts into the faces that are printed, boards larger or smaller than they are meant where that is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import floor

from ppgen.engine.component import Component, Part, Way
from ppgen.engine.drawing.face import Face
from ppgen.engine.drawing.faces import Studio
from ppgen.engine.formats import Format
from ppgen.engine.geometry import Seams, Size
from ppgen.engine.imposition.areas import areas
from ppgen.engine.imposition.values import Backs, SheetSpec
from ppgen.errors import InputError, Problem
from ppgen.production.drawn import DrawnPart, draw_parts, on_sheets
from ppgen.production.request import FIT, BuildRequest

SMALLEST = 0.1
"""On a board that is smaller than this share of itself nobody plays."""


def draw_to_print(parts: Iterable[Part], studio: Studio, request: BuildRequest, paper: Format,
                  subject: str) -> tuple[DrawnPart, ...]:
    """Every face as it is printed on that paper. Raises InputError with the problems of all faces."""
    parts, spec = tuple(parts), request.spec(paper)
    scales = {part.name: scale_of(part, request.board_scale, spec) for part in parts}
    usual = on_sheets(spec)

    def bleed(part: Part, side: str) -> float | None:
        length = usual(part, side)
        return None if length is None else length / scales[part.name]

    return tuple(_scaled(part, scales[part.part.name]) for part in draw_parts(parts, studio, bleed, subject))


def scale_of(part: Part, asked: float, spec: SheetSpec) -> float:
    """How much larger a part is printed than it is meant; only boards are ever anything but 1.

    Raises InputError where a sheet of the paper would hold next to nothing of it.
    """
    if part.layout.way is not Way.TILED or asked != FIT:
        return asked if part.layout.way is Way.TILED else 1.0
    rooms = [area.room for area in areas(replace(spec, backs=Backs.NONE)) if area.clear]
    scale = min((max((min(room.width / piece.size.width, room.height / piece.size.height) for room in rooms), default=0)
                 for piece in part.components), default=1.0)
    if scale < SMALLEST:
        raise InputError([Problem(place="--board-scale", key=part.name, what=f"next to nothing of it would be left on "
                                  f"{spec.paper.name} ({spec.paper.size})", remedy="choose a larger paper")])
    return min(1.0, floor(scale * 1000) / 1000)


def scale_warnings(parts: Iterable[Part], request: BuildRequest, paper: Format) -> Iterator[Problem]:
    """What to think of where boards are not printed as they are meant."""
    for part in parts:
        if (scale := scale_of(part, request.board_scale, request.spec(paper))) != 1:
            size = part.components[0].size
            yield Problem(place="--board-scale", key=part.name,
                          what=f"printed at {scale * 100:g} %, {_by(size, scale)} instead of {size}",
                          remedy=f"pieces stay as they are: where 10 mm were meant for one, there are {10 * scale:g} mm"
                                 f"{', so look for smaller ones' if scale < 1 else ''}")


def _scaled(drawn: DrawnPart, scale: float) -> DrawnPart:
    """The part so much larger: its faces are drawn as ever and shown larger."""
    if scale == 1:
        return drawn

    def component(each: Component) -> Component:
        return replace(each, front=replace(each.front, size=_by(each.size, scale)),
                       back=each.back and replace(each.back, size=_by(each.back.size, scale)))

    def face(each: Face) -> Face:
        places = [tuple(round(place * scale, 6) for place in along) for along in (each.seams.x, each.seams.y)]
        anchors = {name: replace(anchor, x=anchor.x * scale, y=anchor.y * scale)
                   for name, anchor in each.anchors.items()}
        return replace(each, size=_by(each.size, scale), bleed=round(each.bleed * scale, 6), seams=Seams(*places),
                       anchors=anchors)

    return DrawnPart(part=replace(drawn.part, components=tuple(map(component, drawn.part.components))),
                     faces={key: face(each) for key, each in drawn.faces.items()})


def _by(size: Size, scale: float) -> Size:
    return Size(round(size.width * scale, 2), round(size.height * scale, 2))
