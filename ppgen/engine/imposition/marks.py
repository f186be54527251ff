"""Turns placements into cut marks: the cut lines, less the bleeds, less what ticks leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf

from ppgen.engine.geometry import Line, Point, Rect
from ppgen.engine.imposition.values import Marks, Placement
from ppgen.engine.shapes.outline import Outline

TICK = 4.0
"""Length of a tick in mm; a shorter gap is marked in full."""
LEAST_TICK = 1.5
"""A shorter tick is a speck that guides no ruler, in mm: it is left out."""
FOLD_TICK = 3.0
"""How far the mark of a fold reaches beyond its piece, in mm."""
CLEARANCE = 0.25
"""Marks keep this far from bleeds, in mm, so that no ink runs into them."""

Span = tuple[float, float]
Box = tuple[float, float, float, float]
"""Across and along a cut: (from, to) across it, then (from, to) along it."""


def cut_marks(placements: Sequence[Placement], area: Rect, style: Marks) -> tuple[Line, ...]:
    """The marks on one side of a sheet, inside ``area`` (mm) and outside every bleed.

    ``TICKS`` stand at both ends of each free stretch of a cut line, so at the sheet's edges and between the bleeds;
    ``LINES`` are the whole stretches, and the cuts that two faces share. Pieces of another size are another grid,
    whose cuts lie elsewhere: of the room between two grids each marks its own half, so that their marks never mix.
    What a machine cuts has none: its camera might take them for its own marks.
    """
    if style in (Marks.NONE, Marks.SILHOUETTE):
        return ()
    return _marks(tuple((placement.trim, placement.bled) for placement in placements), area, style)


def outline_marks(placements: Sequence[Placement], style: Marks) -> tuple[Outline, ...]:
    """The outlines of fronts that no ruler cuts out: lines for scissors, where anything is marked for the eye."""
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    return tuple(placed.outline for placed in placements if placed.face == "front" and not placed.shape.is_ruled)


def fold_marks(placements: Sequence[Placement], area: Rect, style: Marks) -> tuple[Line, ...]:
    """Short lines beside the fronts, inside ``area`` (mm), that prolong each upright or level fold beyond the piece.

    Between two pieces each has half the way; where they touch, there are none.
    """
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    folded = [placed for placed in placements if placed.face == "front" and placed.shape.folds]
    boxes = {upright: [_flat(placed.trim, upright) for placed in placements] for upright in (True, False) if folded}
    return tuple(mark for placed in folded for fold in placed.folds
                 for mark in _beside(fold, placed.trim, area, boxes))


def _beside(fold: Line, trim: Rect, area: Rect, boxes: Mapping[bool, Sequence[Box]]) -> Iterator[Line]:
    upright = abs(fold.start.x - fold.end.x) < 1e-6
    if not upright and abs(fold.start.y - fold.end.y) > 1e-6:
        return
    at = fold.start.x if upright else fold.start.y
    ends = sorted((fold.start.y, fold.end.y) if upright else (fold.start.x, fold.end.x))
    own = _flat(trim, upright)
    in_way = [box[2:] for box in boxes[upright] if box[0] < at < box[1] and box != own]
    limits = _flat(area, upright)[2:]
    before = [(ends[0] - box[1]) / 2 for box in in_way if box[1] <= ends[0] + 1e-6] + [ends[0] - limits[0]]
    after = [(box[0] - ends[1]) / 2 for box in in_way if box[0] >= ends[1] - 1e-6] + [limits[1] - ends[1]]
    for end, sign, room in ((ends[0], -1, min(before)), (ends[1], 1, min(after))):
        if (long := min(room, FOLD_TICK)) - CLEARANCE > LEAST_TICK - 1e-6:
            near, far = sorted((end + sign * CLEARANCE, end + sign * long))
            yield _line(round(at, 6), (near, far), upright)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def _marks(pieces: tuple[tuple[Rect, Rect], ...], area: Rect, style: Marks) -> tuple[Line, ...]:
    """The marks around ``pieces``: the trim of each, and its trim with its bleed."""
    lines: dict[Line, None] = {}
    longest = TICK if style is Marks.TICKS else inf
    for upright in (True, False):
        boxes = [(_flat(trim, upright), _flat(bled, upright)) for trim, bled in pieces]
        limits = _flat(area, upright)
        cuts: dict[float, list[tuple[Box, Box]]] = {}
        for box in boxes:
            for edge in dict.fromkeys((round(box[0][0], 6), round(box[0][1], 6))):
                cuts.setdefault(edge, []).append(box)
        # Grids lie below each other, so none is in the way of level cuts.
        grids = upright and len({_size(trim) for trim, _ in boxes}) > 1
        for cut, own in sorted(cuts.items()):
            if not limits[0] <= cut <= limits[1]:
                continue  # pushed off the area by an offset: nothing of it can be marked
            sizes = {_size(trim) for trim, _ in own} if grids else set()
            strange = [bled for trim, bled in boxes if grids and _size(trim) not in sizes]
            crossed = sorted((bled[2] - CLEARANCE, bled[3] + CLEARANCE) for _, bled in boxes
                             if bled[0] - CLEARANCE < cut < bled[1] + CLEARANCE)
            for free in _less((limits[2], limits[3]), crossed):
                for stretch in _stretches(free, limits[2:], [bled for _, bled in own], strange, longest):
                    lines[_line(cut, stretch, upright)] = None
            if style is Marks.LINES:
                for shared in _shared(cut, boxes):
                    lines[_line(cut, shared, upright)] = None
    return tuple(lines)


def _stretches(free: Span, limits: Span, own: Sequence[Box], strange: Sequence[Box],
               longest: float) -> Iterator[Span]:
    """What is marked of a free stretch of a cut: its ends at the cut's ``own`` pieces and at the sheet's edges.

    Nothing is, beyond half the way to the ``strange`` pieces of another grid.
    """
    start, end = free
    begins = any(abs(bled[3] + CLEARANCE - start) < 1e-6 for bled in own)
    ends = any(abs(bled[2] - CLEARANCE - end) < 1e-6 for bled in own)
    ahead = [(start + bled[2] - CLEARANCE) / 2 for bled in strange if begins and start < bled[2] < end + 2 * CLEARANCE]
    behind = [(end + bled[3] + CLEARANCE) / 2 for bled in strange if ends and start - 2 * CLEARANCE < bled[3] < end]
    marked = []
    if begins or (ends and not behind and start == limits[0]):
        marked.append((start, min([end, start + longest, *ahead])))
    if ends or (begins and not ahead and end == limits[1]):
        marked.append((max([start, end - longest, *behind]), end))
    if len(marked) > 1 and marked[0][1] > marked[1][0] - 1e-6:
        marked = [free]
    yield from ((first, last) for first, last in marked if last - first > LEAST_TICK - 1e-6)


def _size(box: Box) -> tuple[float, float]:
    return round(box[1] - box[0], 6), round(box[3] - box[2], 6)


def _flat(rect: Rect, upright: bool) -> Box:
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


def _shared(cut: float, boxes: Sequence[tuple[Box, Box]]) -> Iterator[Span]:
    """Stretches of a cut that are the edge of two trims without a bleed between them."""
    before = {trim[2:] for trim, bled in boxes if abs(trim[1] - cut) < 1e-6 and abs(bled[1] - cut) < 1e-6}
    for trim, bled in boxes:
        if abs(trim[0] - cut) < 1e-6 and abs(bled[0] - cut) < 1e-6 and trim[2:] in before:
            yield trim[2], trim[3]
