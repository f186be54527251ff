"""Turns a sheet into the straight cuts that part it, in their order, and into a small picture that numbers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ppgen.engine.booklets.document import Area, Label, Stroke
from ppgen.engine.geometry import Point, Rect
from ppgen.engine.imposition.values import Placement, Sheet

NUMBERS = 5.0
"""Of the strips beside the picture of a sheet that its cuts are numbered in, in mm."""
ROOM = 3.0
"""What the number of a cut takes along the edge, in mm."""
CUT, MARK, FOLD, PIECE, BACK = "#B8352E", "#3B2A1E", "#3565A6", "#EFE3C6", "#D5DCE2"
"""Colours of the picture: cuts, cut marks, folds, fronts, backs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A straight cut in mm: how far from the left (if it is upright) or from the top, and from where to where."""

    at: float
    upright: bool
    runs: tuple[tuple[float, float], ...]


def cuts_of(sheet: Sheet) -> tuple[tuple[Cut, ...], tuple[Cut, ...]]:
    """Every straight cut of the sheet from tick to tick: the long ones, then those across them.

    Nothing goes through the margin, so the sheet stays whole until the last cuts. A folded sheet is cut with its
    fronts up.
    """
    upright, across = (tuple(_cuts(sheet, way)) for way in (True, False))
    longest = [max(end - start for cut in cuts for start, end in cut.runs) for cuts in (upright, across)]
    first, later = (upright, across) if longest[0] >= longest[1] else (across, upright)
    return first, later


def _cuts(sheet: Sheet, upright: bool) -> Iterator[Cut]:
    """The cuts in one direction; pieces further apart than one of them is long are not cut in one go."""
    boxes = [(trim.x, trim.right, bled.y, bled.bottom, trim.height) if upright
             else (trim.y, trim.bottom, bled.x, bled.right, trim.width)
             for trim, bled in ((piece.trim, piece.bled) for piece in fronts(sheet))]
    for at in sorted({round(edge, 3) for box in boxes for edge in box[:2]}):
        runs: list[tuple[float, float]] = []
        for _, _, start, end, length in sorted(
                (box for box in boxes if at in (round(box[0], 3), round(box[1], 3))), key=lambda box: box[2]):
            if runs and start - runs[-1][1] < length:
                runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
            else:
                runs.append((start, end))
        yield Cut(at=at, upright=upright, runs=tuple(runs))


def fronts(sheet: Sheet) -> list[Placement]:
    """The pieces of a sheet whose fronts are up."""
    return [placement for placement in sheet.sides[0].placements if placement.face == "front"]


def sheet_parts(sheet: Sheet, cuts: Sequence[Cut], scale: float) -> Iterator[Area | Stroke | Label]:
    """The sheet small: its pieces, marks and folds, and each cut with its number at the left or at the top."""

    def placed(point: Point) -> Point:
        return Point(NUMBERS + point.x * scale, NUMBERS + point.y * scale)

    def box(rect: Rect) -> Rect:
        corner = placed(Point(rect.x, rect.y))
        return Rect(corner.x, corner.y, rect.width * scale, rect.height * scale)

    side = sheet.sides[0]
    yield Area(box=box(Rect(0, 0, sheet.size.width, sheet.size.height)), stroke="#8A7A66", fill="#FFFFFF")
    for piece in side.placements:
        yield Area(box=box(piece.trim), fill=BACK if piece.face == "back" else PIECE)
    for mark in side.cuts:
        yield Stroke(start=placed(mark.start), end=placed(mark.end), width=0.12, colour=MARK)
    for fold in side.folds:
        yield Stroke(start=placed(fold.start), end=placed(fold.end), dashed=True, width=0.35, colour=FOLD)
    taken = {(upright, line): -9.0 for upright in (True, False) for line in (0, 1)}
    for number, cut in enumerate(cuts, 1):
        for start, end in cut.runs:
            ends = [Point(cut.at, along) if cut.upright else Point(along, cut.at) for along in (start, end)]
            yield Stroke(start=placed(ends[0]), end=placed(ends[1]), width=0.25, colour=CUT)
        at = NUMBERS + cut.at * scale
        # Numbers of cuts that lie close together stand in two lines, those of the closest are left out.
        free = [line for line in (0, 1) if at - taken[cut.upright, line] >= ROOM]
        if free:
            taken[cut.upright, free[0]] = at
            out = 0 if free[0] else 2.3
            place = Rect(at - 2, out, 4, 2.4) if cut.upright else Rect(out, at - 1.5, 2.4, 3)
            yield Label(words=str(number), box=place, align="center" if cut.upright else "right", size=6, style="title")
