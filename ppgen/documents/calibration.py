"""The calibration page: rulers that show the scale, and a pair of scales that shows the duplex drift."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees

from ppgen.documents.names import CALIBRATION
from ppgen.engine.component import PAGE, Component, Part
from ppgen.engine.drawing.face import FaceRequest
from ppgen.engine.geometry import Size
from ppgen.engine.imposition.backs import mirrors_columns
from ppgen.engine.imposition.values import Backs, Flip, SheetSpec
from ppgen.engine.vision import Swatch
from ppgen.errors import InputError, Problem
from ppgen.reading.texts import Texts

SMALLEST = Size(154, 232)
"""The room that the page needs, in mm: rulers must not shrink."""
SCALES_APART = 114.6
"""From the Y scale of A to that of B, in mm: where they differ by 1 mm, the back is askew by half a degree."""
SLOPE = round(degrees(1 / SCALES_APART), 2)
"""Degrees a millimetre that A and B differ in Y."""
FROM_CROSS = 12.0
"""From the middle of a cross to its scales, in mm, so that it lies on no line of theirs."""
REACH = 6
"""The largest drift that the scales show, in mm."""
GROUPS = 2
"""Groups of colours that there is room for."""


def calibration(texts: Texts, spec: SheetSpec, room: Size, swatches: Sequence[Sequence[Swatch]] = (),
                game: str = "") -> Part:
    """One page with a back; what is read off it are the numbers for ``--back-offset`` and ``--back-rotation``.

    Held up to the light, the back's crosses lie on the front's scales, which bear the offset to type. Turned over at
    the long edge, left and right change sides on the back, at the short edge top and bottom do: so the signs of the
    scales, and which pair is called A, follow the flip. B is A turned by half about the middle of the page, where
    backs are turned, too: so the mean of both is the shift, however askew the back is. Where backs are not printed
    on the other side, there is nothing to hold up to the light, and no back. ``swatches`` are the colours that players
    must tell apart: so many groups that there is room for are printed, to see whether the printer keeps them apart.
    ``game`` is to be named by the command that prints the set.
    """
    if room.width < SMALLEST.width or room.height < SMALLEST.height:
        raise InputError([Problem(place="--paper", key=CALIBRATION, what=f"the page needs room of {SMALLEST}, "
                                  f"here are {room}", remedy="print it on A4 or Letter")])
    print_it = {way: texts(f"calibration.print-{way}") for way in ("long", "short", "front")}
    duplex = spec.backs is Backs.DUPLEX
    flip = spec.flip if duplex else Flip.LONG
    names, signs = ("AB", "−+") if mirrors_columns(spec.paper.size, flip) else ("BA", "+−")
    grids = {"apart": SCALES_APART, "from_cross": FROM_CROSS, "reach": REACH, "names": names,
             "left": signs[0], "right": signs[1], "down": signs[0], "up": signs[1]}
    values = {"grids": grids if duplex else None, "print_it": print_it[flip.value if duplex else "front"],
              "colours": [[swatch.colour for swatch in group] for group in swatches[:GROUPS] if group],
              "decimal": texts("language.decimal"), "build": f"ppgen build --game {game}" if game else "ppgen build"}
    faces = [FaceRequest(template=f"shared/calibration-{side}.svg.j2", size=room, values=values)
             for side in ("front", "back")]
    return Part(name=CALIBRATION, title=texts("parts.calibration"), layout=PAGE,
                components=(Component(id="calibration", front=faces[0], back=faces[1] if duplex else None),))
