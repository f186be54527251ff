"""The calibration page: rulers that show the scale, and a pair of grids that shows the duplex drift."""

from __future__ import annotations

from math import degrees

from ppgen.engine.component import Component, Part
from ppgen.engine.drawing.faces import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.backs import mirrors_columns
from ppgen.engine.imposition.values import Backs, Flip, SheetSpec
from ppgen.errors import InputError, Problem
from ppgen.texts import Texts

GRID_DISTANCE = 100.0
"""Between the centres of the two drift scales, in mm."""


CALIBRATION = "calibration"
SMALLEST = Size(134, 232)
"""The room that the page needs, in mm: rulers must not shrink."""


def calibration(texts: Texts, spec: SheetSpec, room: Size) -> Part:
    """One page with a back; what is read off it are the numbers for ``--back-offset`` and ``--back-rotation``.

    Held against the light, the back's cross lies on the front's scales, which bear the offset to
    type. Turned over at the long edge, left and right change sides on the back, at the short edge
    top and bottom do: so the signs of the scales, and which grid is called A, follow the flip.
    """
    if room.width < SMALLEST.width or room.height < SMALLEST.height:
        raise InputError([Problem(place="--paper", key=CALIBRATION, what=f"the page needs room of {SMALLEST}, "
                                  f"here are {room}", remedy="print it on A4 or Letter")])
    flip = spec.flip if spec.backs is Backs.DUPLEX else Flip.LONG
    columns = mirrors_columns(spec.paper.size, flip)
    signs = ("+", "−") if columns else ("−", "+")
    grids = {"distance": GRID_DISTANCE, "names": ("A", "B") if columns else ("B", "A"),
             "right": signs[0], "left": signs[1], "up": signs[0], "down": signs[1]}
    values = {"grids": grids, "flip": flip.value, "slope": texts.number(degrees(1 / GRID_DISTANCE), 2)}
    faces = [FaceRequest(template=f"shared/calibration-{side}.svg.j2", size=room, values=values)
             for side in ("front", "back")]
    return Part(name=CALIBRATION, title=texts("parts.calibration"), pages=True,
                components=(Component(id="calibration", front=faces[0], back=faces[1]),))
