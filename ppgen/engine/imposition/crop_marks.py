"""Cut marks around placements: the cut lines outside all bleeds, as ticks or in full; outlines and fold marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from ppgen.engine.geometry import LineSegment, Point, Rect
from ppgen.engine.imposition.sheets import SLACK, Marks, Placement
from ppgen.engine.svg.outlines import Outline

TICK = 4.0  # length of a tick in mm; a shorter gap is marked in full
MIN_TICK = 1.5  # a shorter tick, in mm, is a speck that does not guide a ruler: it is left out
FOLD_TICK = 3.0  # reach of a fold mark beyond the bleed of its piece, in mm
CLEARANCE = 0.25  # distance of marks from bleeds, in mm, so that no ink runs into them

MarkSpan = tuple[float, float]
MarkBox = tuple[float, float, float, float]  # as seen from a cut: from and to across it, from and to along it


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """The facts of a placement that marks depend on: trim, bleed box, and whether its trim is cut along a ruler."""

    trim: Rect
    bleed: Rect
    is_ruled: bool

    @property
    def size(self) -> tuple[float, float]:
        return round(self.trim.width, 6), round(self.trim.height, 6)


@dataclass(frozen=True, slots=True)
class MarkedBox:
    """A piece as seen from the cuts of one direction: its trim and bleed boxes, and the cuts at its edges."""

    trim: MarkBox
    bleed: MarkBox
    cuts: tuple[float, ...]
    size: tuple[float, float]


def cut_marks(placements: Sequence[Placement], area: Rect, style: Marks,
              folds: Sequence[LineSegment] = ()) -> tuple[LineSegment, ...]:
    """The marks on one side of a sheet, inside ``area`` (mm) and outside every bleed.

    ``TICKS`` stand at both ends of each free stretch of a cut line: at the sheet's edges and between the bleeds.
    ``LINES`` are the whole stretches, and the cuts that two faces share. Pieces of another size are another grid,
    with cuts elsewhere: each of two grids marks its own half of the room between them, so that their marks never mix.
    Shaped pieces are parted in the middle between their bleeds, but not at the ``folds``, and then cut out by hand.
    Sheets for a machine have none: its camera might take them for its own marks.
    """
    if style in (Marks.NONE, Marks.SILHOUETTE):
        return ()
    pieces = tuple(MarkedPiece(placement.trim, placement.bleed_box, placement.shape.is_ruled)
                   for placement in placements)
    return _cut_marks(pieces, area, style, tuple(folds))


def outline_marks(placements: Sequence[Placement], style: Marks) -> tuple[Outline, ...]:
    """The outlines of fronts that a ruler can't cut out: lines for scissors, unless marks are off or for a machine."""
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    return tuple(placement.outline for placement in placements
                 if placement.face == "front" and not placement.shape.is_ruled)


def fold_marks(placements: Sequence[Placement], area: Rect, style: Marks) -> tuple[LineSegment, ...]:
    """Short lines next to the fronts, inside ``area`` (mm), that prolong each upright or level fold beyond the bleed.

    Two neighbours have half the gap each; where their bleeds leave too little of it, there are no marks. Nor are there
    any where the outline itself prolongs the fold, as beside the squares of a die.
    """
    if style not in (Marks.TICKS, Marks.LINES):
        return ()
    folded = [placement for placement in placements if placement.face == "front" and placement.shape.folds]
    boxes = {upright: [_mark_box(placement.trim, upright) for placement in placements]
             for upright in (True, False) if folded}
    return tuple(mark for placement in folded for fold in placement.folds
                 for mark in _prolong_fold(fold, placement, area, boxes))


def _prolong_fold(fold: LineSegment, placement: Placement, area: Rect,
                  boxes: Mapping[bool, Sequence[MarkBox]]) -> Iterator[LineSegment]:
    upright = abs(fold.start.x - fold.end.x) < SLACK
    if not upright and abs(fold.start.y - fold.end.y) > SLACK:
        return
    at = fold.start.x if upright else fold.start.y
    ends = sorted((fold.start.y, fold.end.y) if upright else (fold.start.x, fold.end.x))
    own, bleed = _mark_box(placement.trim, upright), placement.bleed
    bleeds = (bleed.top, bleed.bottom) if upright else (bleed.left, bleed.right)
    cut = [sorted((start.at.y, end.at.y) if upright else (start.at.x, end.at.x))
           for start, end in placement.outline.segments
           if max(abs((each.at.x if upright else each.at.y) - at) for each in (start, end)) < SLACK]
    in_way = [box[2:] for box in boxes[upright] if box[0] < at < box[1] and box != own]
    limits = _mark_box(area, upright)[2:]
    before = [(ends[0] - box[1]) / 2 for box in in_way if box[1] <= ends[0] + SLACK] + [ends[0] - limits[0]]
    after = [(box[0] - ends[1]) / 2 for box in in_way if box[0] >= ends[1] - SLACK] + [limits[1] - ends[1]]
    for end, sign, room, around in ((ends[0], -1, min(before), bleeds[0]), (ends[1], 1, min(after), bleeds[1])):
        start = around + CLEARANCE
        if (length := min(room, around + FOLD_TICK)) - start > MIN_TICK - SLACK:
            near, far = sorted((end + sign * start, end + sign * length))
            if any(begin < far and near < stop for begin, stop in cut):
                continue
            yield _line(round(at, 6), (near, far), upright)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def _cut_marks(pieces: tuple[MarkedPiece, ...], area: Rect, style: Marks,
               folds: tuple[LineSegment, ...]) -> tuple[LineSegment, ...]:
    lines: dict[LineSegment, None] = {}
    max_length = TICK if style is Marks.TICKS else inf
    for upright in (True, False):
        boxes = list(_marked_boxes(pieces, upright, [fold.start.x if upright else fold.start.y for fold in folds
                                                     if (abs(fold.start.x - fold.end.x) < SLACK) == upright]))
        limits = _mark_box(area, upright)
        cuts: dict[float, list[MarkedBox]] = {}
        for box in boxes:
            for edge in dict.fromkeys(box.cuts):
                cuts.setdefault(edge, []).append(box)
        # Grids lie below each other, so they meet along upright cuts only.
        several_grids = upright and len({box.size for box in boxes}) > 1
        for cut, own in sorted(cuts.items()):
            if not limits[0] <= cut <= limits[1]:
                continue  # an offset moved it off the area
            sizes = {box.size for box in own} if several_grids else set()
            foreign = [box.bleed for box in boxes if several_grids and box.size not in sizes]
            crossed = sorted((box.bleed[2] - CLEARANCE, box.bleed[3] + CLEARANCE) for box in boxes
                             if box.bleed[0] - CLEARANCE < cut < box.bleed[1] + CLEARANCE)
            for free in _subtract_spans((limits[2], limits[3]), crossed):
                for stretch in _marked_spans(free, limits[2:], [box.bleed for box in own], foreign, max_length):
                    lines[_line(cut, stretch, upright)] = None
            if style is Marks.LINES:
                for shared in _shared_edges(cut, boxes):
                    lines[_line(cut, shared, upright)] = None
    return tuple(lines)


def _marked_boxes(pieces: Sequence[MarkedPiece], upright: bool, folds: Sequence[float]) -> Iterator[MarkedBox]:
    """The pieces as seen from the cuts of one direction; shaped ones reach to the middle of the gaps."""
    shaped = [piece for piece in pieces if not piece.is_ruled]
    for piece in pieces:
        trim, bleed = _mark_box(piece.trim, upright), _mark_box(piece.bleed, upright)
        if piece.is_ruled:
            yield MarkedBox(trim, bleed, (round(trim[0], 6), round(trim[1], 6)), piece.size)
            continue
        # Rows of all sizes lie below each other, columns of each size apart.
        beside = [_mark_box(each.trim, upright)[:2] for each in shaped if not upright or each.size == piece.size]
        middles = list(_gap_middles(beside))
        before = max((cut for cut in middles if cut < trim[0] + SLACK), default=bleed[0])
        after = min((cut for cut in middles if cut > trim[1] - SLACK), default=bleed[1])
        cuts = tuple(cut for cut in (before, after)
                     if cut in middles and all(abs(cut - fold) > SLACK for fold in folds))
        across = min(before, bleed[0]), max(after, bleed[1])
        yield MarkedBox((*across, bleed[2] - CLEARANCE, bleed[3] + CLEARANCE), (*across, *bleed[2:]), cuts, piece.size)


def _gap_middles(spans: Sequence[MarkSpan]) -> Iterator[float]:
    reach = -inf
    for start, end in sorted(spans):
        if reach > -inf and start > reach - SLACK:
            yield round((reach + start) / 2, 6)
        reach = max(reach, end)


def _marked_spans(free: MarkSpan, limits: MarkSpan, own: Sequence[MarkBox], foreign: Sequence[MarkBox],
                  max_length: float) -> Iterator[MarkSpan]:
    """The marks at the ends of a free stretch of a cut, up to half way to ``foreign`` pieces; bleed boxes."""
    start, end = free
    begins = any(abs(box[3] + CLEARANCE - start) < SLACK for box in own)
    ends = any(abs(box[2] - CLEARANCE - end) < SLACK for box in own)
    ahead = [(start + box[2] - CLEARANCE) / 2 for box in foreign if begins and start < box[2] < end + 2 * CLEARANCE]
    behind = [(end + box[3] + CLEARANCE) / 2 for box in foreign if ends and start - 2 * CLEARANCE < box[3] < end]
    marked = []
    if begins or (ends and not behind and start == limits[0]):
        marked.append((start, min([end, start + max_length, *ahead])))
    if ends or (begins and not ahead and end == limits[1]):
        marked.append((max([start, end - max_length, *behind]), end))
    if len(marked) > 1 and marked[0][1] > marked[1][0] - SLACK:
        marked = [free]
    yield from ((first, last) for first, last in marked if last - first > MIN_TICK - SLACK)


def _mark_box(rect: Rect, upright: bool) -> MarkBox:
    if upright:
        return rect.x, rect.right, rect.y, rect.bottom
    return rect.y, rect.bottom, rect.x, rect.right


def _line(cut: float, stretch: MarkSpan, upright: bool) -> LineSegment:
    start, end = (round(value, 4) for value in stretch)
    if upright:
        return LineSegment(Point(cut, start), Point(cut, end))
    return LineSegment(Point(start, cut), Point(end, cut))


def _subtract_spans(whole: MarkSpan, others: Sequence[MarkSpan]) -> Iterator[MarkSpan]:
    at = whole[0]
    for start, end in others:
        if start > at + SLACK:
            yield at, min(start, whole[1])
        at = max(at, end)
    if at < whole[1] - SLACK:
        yield at, whole[1]


def _shared_edges(cut: float, boxes: Sequence[MarkedBox]) -> Iterator[MarkSpan]:
    """Stretches of a cut that two trims share as an edge, without a bleed between them."""
    before = {box.trim[2:] for box in boxes if abs(box.trim[1] - cut) < SLACK and abs(box.bleed[1] - cut) < SLACK}
    for box in boxes:
        if abs(box.trim[0] - cut) < SLACK and abs(box.bleed[0] - cut) < SLACK and box.trim[2:] in before:
            yield box.trim[2], box.trim[3]
