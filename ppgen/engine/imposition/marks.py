"""Turns placements into cut marks: the cut lines, less the bleeds, less what ticks leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgen.engine.geometry import Line, Point, Rect
from ppgen.engine.imposition.values import Marks, Placement

TICK = 4.0
"""Length of a tick in mm; a shorter gap is marked in full."""
CLEARANCE = 0.25
"""Marks keep this far from bleeds, in mm, so that no ink runs into them."""

Span = tuple[float, float]


def cut_marks(placements: Sequence[Placement], area: Rect, style: Marks) -> tuple[Line, ...]:
    """The marks on one side of a sheet, inside ``area`` (mm) and outside every bleed.

    ``TICKS`` stand at both ends of each free stretch of a cut line, so at the sheet's edges and
    between the bleeds; ``LINES`` are the whole stretches, and the cuts that two faces share. What a machine
    cuts has none: its camera might take them for its own marks.
    """
    if style in (Marks.NONE, Marks.SILHOUETTE):
        return ()
    lines: dict[Line, None] = {}
    for upright in (True, False):
        boxes = [(_flat(placement.trim, upright), _flat(placement.bled, upright)) for placement in placements]
        limits = _flat(area, upright)
        cuts = sorted({round(edge, 6) for trim, _ in boxes for edge in (trim[0], trim[1])})
        for cut in cuts:
            if not limits[0] <= cut <= limits[1]:
                continue  # pushed off the area by an offset: nothing of it can be marked
            own = [bled for trim, bled in boxes if cut in (round(trim[0], 6), round(trim[1], 6))]
            crossed = sorted((bled[2] - CLEARANCE, bled[3] + CLEARANCE) for _, bled in boxes
                             if bled[0] - CLEARANCE < cut < bled[1] + CLEARANCE)
            ends = {round(end, 6) for bled in own for end in (bled[2] - CLEARANCE, bled[3] + CLEARANCE)}
            for start, end in _less((limits[2], limits[3]), crossed):
                if not ends & {round(start, 6), round(end, 6)}:
                    continue  # another row's cards lie between: this cut is not theirs
                for stretch in [(start, end)] if style is Marks.LINES else _ticks(start, end):
                    lines[_line(cut, stretch, upright)] = None
            if style is Marks.LINES:
                for shared in _shared(cut, boxes):
                    lines[_line(cut, shared, upright)] = None
    return tuple(lines)


def _flat(rect: Rect, upright: bool) -> tuple[float, float, float, float]:
    """Across and along a cut: (from, to) across it, then (from, to) along it."""
    if upright:
        return rect.x, rect.right, rect.y, rect.bottom
    return rect.y, rect.bottom, rect.x, rect.right


def _line(cut: float, stretch: Span, upright: bool) -> Line:
    start, end = (round(value, 4) for value in stretch)
    if upright:
        return Line(Point(cut, start), Point(cut, end))
    return Line(Point(start, cut), Point(end, cut))


def _less(whole: Span, taken: Sequence[Span]) -> Iterator[Span]:
    """What is left of a span without the taken ones (sorted)."""
    at = whole[0]
    for start, end in taken:
        if start > at + 1e-6:
            yield at, min(start, whole[1])
        at = max(at, end)
    if at < whole[1] - 1e-6:
        yield at, whole[1]


def _ticks(start: float, end: float) -> Iterator[Span]:
    if end - start <= 2 * TICK:
        yield start, end
    else:
        yield start, start + TICK
        yield end - TICK, end


def _shared(cut: float, boxes: Sequence[tuple[tuple[float, float, float, float], ...]]) -> Iterator[Span]:
    """Stretches of a cut that are the edge of two trims without a bleed between them."""
    before = {trim[2:] for trim, bled in boxes if abs(trim[1] - cut) < 1e-6 and abs(bled[1] - cut) < 1e-6}
    for trim, bled in boxes:
        if abs(trim[0] - cut) < 1e-6 and abs(bled[0] - cut) < 1e-6 and trim[2:] in before:
            yield trim[2], trim[3]
