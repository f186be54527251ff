"""Imposition of a part: items on sheets, fronts and backs, with cuts and folds. Pure, no PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, groupby
from math import floor, inf

from ppgen.engine.geometry import ORIGIN, Insets, LineSegment, Point, Rect, Size, bounding_box, clip_to_zero
from ppgen.engine.imposition.crop_marks import CLEARANCE, TICK, cut_marks, fold_marks, outline_marks
from ppgen.engine.imposition.nested_hexes import candidate_honeycombs, clip_placements, nested_outlines
from ppgen.engine.imposition.page_areas import (STRIP, TICK_ROOM, PageArea, largest_item, mark_inset, mark_reach,
                                                narrow, page_furniture, silhouette_marks)
from ppgen.engine.imposition.page_grid import (Grid, GridCell, ItemGroup, candidate_grids, grid_cells, group_blocks,
                                               group_items)
from ppgen.engine.imposition.sheets import (SLACK, Backs, Flip, Fold, Imposition, Item, Layout, Marks, Order, Placement,
                                            Sheet, SheetSide, SheetSpec)
from ppgen.engine.imposition.tiling import Tiling, candidate_tilings, tile_sheets
from ppgen.errors import InputError, Problem
from ppgen.shipped import Phrase

MAX_TILES = 500  # maximum number of tiles of a part, all copies together
NO_INSETS = Insets.all(0.0)
BACK_EXTRA = 1.5  # extra bleed of backs, in mm, where no ticks stand: home duplex drifts by 1 to 4 mm


def impose(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay the items out on sheets. Raises InputError with the largest size that would fit the paper."""
    return _impose(tuple(items), spec, part)


@lru_cache(maxsize=64)  # a set in another language has the same items
def _impose(items: tuple[Item, ...], spec: SheetSpec, part: str) -> Imposition:
    if not any(item.has_back for item in items):
        spec = replace(spec, backs=Backs.NONE)
    groups = group_items(items)
    grids = candidate_grids(groups, spec)
    if blocks := group_blocks(items):
        grids = sorted([*candidate_grids(blocks, spec), *grids], key=lambda grid: grid.rank)
    if not grids:
        if too_large := [group.size for group in groups if not candidate_grids([group], spec)]:
            raise InputError(_too_large(size, spec, part) for size in too_large)
        return _concatenate([impose(group.items, spec, part) for group in groups])
    grid = grids[0]
    places: list[list[tuple[Item, GridCell]]] = [[] for _ in grid.sheets]
    for group, cells in groupby(grid_cells(grid), key=lambda cell: cell[1]):
        _fill(places, group, [(number, position, cell) for number, _, position, cell in cells], spec.order)
    sheets = tuple(_sheet(place, grid.area, spec) for place in places)
    return Imposition(sheets=sheets, layout=_layout(grid, grids))


def page_area(spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Size:
    """The room for an item that fills a page, or its share of a landscape page: inside the margins and strips.

    An item that is ``cut_out`` by a machine stays between the registration marks, too. A page that is too narrow for
    strips between them has no room.
    """
    page = _page_of(spec, abreast)
    paper = Size(page.width / abreast, page.height)
    side, rim = spec.margin, spec.margin + STRIP + TICK_ROOM
    if cut_out and spec.marks is Marks.SILHOUETTE:
        if not page_furniture(page, spec.margin, False, crosses=True, machine=True).is_long_enough:
            return Size(0, 0)
        side, rim = mark_inset(spec.margin), max(rim, mark_reach(spec.margin))
    return Size(clip_to_zero(paper.width - 2 * side), clip_to_zero(paper.height - 2 * rim))


def impose_pages(items: Sequence[Item], spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Imposition:
    """Lay out one item per sheet, in the middle of a portrait page, without cut marks; its back, if any, behind it.

    Back offset and rotation don't move it: such pages measure the printer. Items without backs may stand ``abreast``
    on a landscape page, with marks where it is cut apart. A page that is ``cut_out`` has registration marks if a
    machine is to cut it; its items must fit :func:`page_area`.
    """
    page = _page_of(spec, abreast)
    share = page.width / abreast
    machine = cut_out and spec.marks is Marks.SILHOUETTE
    marks = silhouette_marks(page, spec.margin) if machine else ()
    crosses = spec.backs is Backs.DUPLEX and any(item.has_back for item in items)
    furniture = page_furniture(page, spec.margin, False, crosses, machine)
    cuts = tuple(cut for n in range(1, abreast) for cut in _parting_marks(n * share, page, spec))
    sheets = []
    for start in range(0, len(items), abreast):
        together = items[start:start + abreast]
        trims = tuple(Rect(n * share + (share - item.size.width) / 2, (page.height - item.size.height) / 2,
                           item.size.width, item.size.height) for n, item in enumerate(together))
        sides = [replace(_side("front", together, trims, 0, 0), cuts=cuts, registration=marks)]
        if together[0].has_back:
            behind = tuple(mirror_rect(trim, page, spec.flip) for trim in trims)
            sides.append(_side("back", together, behind, 0, back_rotation(page, spec.flip)))
        sheets.append(Sheet(size=page, sides=tuple(sides), furniture=furniture))
    layout = Layout(orientation="portrait" if abreast == 1 else "landscape", columns=abreast, rows=1,
                    shared_bleeds=False, margin=spec.margin, cuts=abreast - 1,
                    why=f"{'one' if abreast == 1 else abreast} to a page")
    return Imposition(sheets=tuple(sheets), layout=layout)


def impose_tiled(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay out items without backs, those larger than the paper in tiles first. Raises InputError."""
    spec = replace(spec, backs=Backs.NONE)
    whole = {item for item in dict.fromkeys(items) if candidate_grids(group_items([item]), spec)}
    tilings = {item: _best_tiling(item, spec, part) for item in dict.fromkeys(items) if item not in whole}
    if (sheets := sum(tilings[item].sheets for item in items if item in tilings)) > MAX_TILES:
        what = Phrase("too_many_tiles", number=f"{sheets:,}", paper=spec.paper.name, measure=spec.paper.size,
                      most=MAX_TILES)
        raise InputError.at("--paper", what, Phrase("larger_paper"), key=part)
    impositions = [_impose_tiles(item, tilings[item], spec) for item in items if item in tilings]
    if others := [item for item in items if item in whole]:
        impositions.append(impose(others, spec, part))
    return impositions[0] if len(impositions) == 1 else _concatenate(impositions)


def impose_nested(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay out hexagons of one size as a honeycomb, or side by side if that saves sheets. Raises InputError."""
    if not any(item.has_back for item in items):
        spec = replace(spec, backs=Backs.NONE)
    combs, grids = candidate_honeycombs(len(items), items[0].size, spec), candidate_grids(group_items(items), spec)
    if not combs or (grids and len(grids[0].sheets) < combs[0].sheets):
        return impose(items, spec, part)
    comb = combs[0]
    places: list[list[tuple[Item, GridCell]]] = [[] for _ in range(comb.sheets)]
    _fill(places, ItemGroup(items=tuple(items), shares_bleeds=True),
          [(number, position, cell) for number in range(comb.sheets) for position, cell in enumerate(comb.cells)],
          spec.order)
    sheets = tuple(_nested_sheet(place, comb.area, spec) for place in places)
    cuts = sum(len(list(outline.segments)) for sheet in sheets for outline in nested_outlines(
        [placement for placement in sheet.sides[0].placements if placement.face == "front"]))
    why = f"{len(sheets)} sheets, {cuts} cuts, nested"
    if grids:
        why += f"; side by side, the pieces need {len(grids[0].sheets)} sheets"
    layout = Layout(orientation=_orientation(comb.area), columns=comb.columns, rows=comb.rows, shared_bleeds=True,
                    margin=comb.area.margin, cuts=cuts, why=why)
    return Imposition(sheets=sheets, layout=layout)


def _nested_sheet(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> Sheet:
    page, limits, fold = area.page, area.limits, area.middle
    backed = [(item, cell.trim) for item, cell in place if item.has_back and spec.backs is not Backs.NONE]
    fronts = clip_placements([_placement(item, "front", cell.trim, NO_INSETS, 0) for item, cell in place], spec.bleed)
    marked = spec.marks in (Marks.TICKS, Marks.LINES)
    front = SheetSide(name="front", placements=fronts, outlines=nested_outlines(fronts) if marked else (),
                      registration=area.registration)
    if fold:
        backs = [_placement(item, "back", fold_rect(trim, fold), NO_INSETS, fold.turn) for item, trim in backed]
        front = replace(front, placements=(*fronts, *clip_placements(backs, spec.bleed)),
                        folds=(_fold_line(fold.upright, fold.at, limits),))
    elif backed:
        behind = [_placement(item, "back", mirror_rect(trim, page, spec.flip).shifted(spec.back_offset), NO_INSETS,
                             back_rotation(page, spec.flip)) for item, trim in backed]
        around = bounding_box(tuple(placed.trim for placed in behind)).grown(Insets.all(spec.bleed))
        inside = narrow(limits, limits, spec.back_rotation)
        extra = clip_to_zero(min(BACK_EXTRA, around.x - inside.x, around.y - inside.y, inside.right - around.right,
                                 inside.bottom - around.bottom))
        back = SheetSide(name="back", placements=clip_placements(behind, spec.bleed + extra),
                         rotation=spec.back_rotation)
        return Sheet(size=page, sides=(front, back), furniture=area.furniture)
    return Sheet(size=page, sides=(front,), furniture=area.furniture)


def _best_tiling(item: Item, spec: SheetSpec, part: str) -> Tiling:
    if tilings := candidate_tilings(item, spec):
        return tilings[0]
    what = Phrase("too_small_for_tiles", paper=spec.paper.name, measure=spec.paper.size, size=item.size)
    raise InputError.at("--paper", what, Phrase("larger_paper_smaller_margin"), key=part)


def _impose_tiles(item: Item, tiling: Tiling, spec: SheetSpec) -> Imposition:
    why = f"{tiling.sheets} tiles, {tiling.wanted_seams} seams where the face wants them"
    layout = Layout(orientation=_orientation(tiling.area), columns=len(tiling.columns) - 1, rows=len(tiling.rows) - 1,
                    shared_bleeds=False, margin=tiling.area.margin, cuts=4 * tiling.sheets, why=why)
    return Imposition(sheets=tuple(tile_sheets(item, tiling, spec)), layout=layout)


def _page_of(spec: SheetSpec, abreast: int) -> Size:
    return spec.paper.size if abreast == 1 else spec.paper.size.portrait.turned


def _parting_marks(x: float, page: Size, spec: SheetSpec) -> tuple[LineSegment, ...]:
    """The marks of a cut from edge to edge: ticks next to the strips, or a whole line."""
    top, bottom = spec.margin + STRIP, page.height - spec.margin - STRIP
    if spec.marks is Marks.NONE:
        return ()
    if spec.marks is Marks.LINES:
        return (LineSegment(Point(x, top), Point(x, bottom)),)
    return (LineSegment(Point(x, top), Point(x, top + TICK_ROOM)),
            LineSegment(Point(x, bottom - TICK_ROOM), Point(x, bottom)))


def _concatenate(impositions: Sequence[Imposition]) -> Imposition:
    """Join the sheets of groups that don't fit on one sheet together, as some need it upright and some landscape."""
    sheets = tuple(sheet for imposition in impositions for sheet in imposition.sheets)
    cuts = sum(imposition.layout.cuts for imposition in impositions)
    why = f"{len(sheets)} sheets, {cuts} cuts; each size on sheets of its own"
    margin = min(imposition.layout.margin for imposition in impositions)
    return Imposition(sheets=sheets, layout=replace(impositions[0].layout, margin=margin, cuts=cuts, why=why))


def _too_large(size: Size, spec: SheetSpec, part: str) -> Problem:
    largest = largest_item(spec)
    width, height = (floor(length * 10 + 1e-6) / 10 for length in (largest.width, largest.height))
    fits = Phrase("largest_fit", width=width, height=height) if min(width, height) > 0 else Phrase("nothing_fits")
    what = Phrase("does_not_fit", size=size, bleed=f"{spec.bleed:g}", paper=spec.paper.name, measure=spec.paper.size,
                  message=fits)
    return Problem("--paper", what, Phrase("larger_paper_smaller_cards"), key=part)


def _fill(places: list[list[tuple[Item, GridCell]]], group: ItemGroup,
          cells: list[tuple[int, int, GridCell]], order: Order) -> None:
    """Assign the items of a group to its cells; the last cells may stay empty."""
    used = cells[:len(group.items)]
    if order is Order.STACK:  # one place after the other, each from the first sheet to the last
        used = sorted(used, key=lambda cell: (cell[1], cell[0]))
    for item, (number, _, cell) in zip(group.items, used, strict=True):
        places[number].append((item, cell))


def _sheet(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> Sheet:
    page, limits = area.page, area.limits
    items, trims = [item for item, _ in place], tuple(cell.trim for _, cell in place)
    backed = [n for n, item in enumerate(items) if item.has_back]
    if spec.backs is Backs.FOLD:
        return Sheet(size=page, sides=(_folded_side(place, area, spec),), furniture=area.furniture)
    front = replace(_side("front", items, trims, spec.bleed, 0, limits, spec), registration=area.registration)
    if spec.backs is Backs.NONE or not backed:
        return Sheet(size=page, sides=(front,), furniture=area.furniture)
    behind = tuple(mirror_rect(trims[n], page, spec.flip).shifted(spec.back_offset) for n in backed)
    back = _side("back", [items[n] for n in backed], behind, spec.bleed + BACK_EXTRA,
                 back_rotation(page, spec.flip), narrow(limits, limits, spec.back_rotation), spec,
                 _back_limits(limits, spec))
    return Sheet(size=page, sides=(front, back), furniture=area.furniture)


def _side(name: str, items: Sequence[Item], trims: tuple[Rect, ...], bleed: float, turn: int,
          area: Rect | None = None, spec: SheetSpec | None = None, limits: BackLimits | None = None) -> SheetSide:
    placements = tuple(_placement(item, name, trim, around, turn)
                       for item, trim, around in zip(items, trims, place_bleeds(trims, bleed, limits), strict=True))
    if area is None or spec is None:
        return SheetSide(name=name, placements=placements)
    return SheetSide(name=name, placements=placements, cuts=cut_marks(placements, area, spec.marks),
                     outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, area, spec.marks),
                     rotation=spec.back_rotation if name == "back" else 0)


def _placement(item: Item, face: str, trim: Rect, bleed: Insets, turn: int) -> Placement:
    return Placement(item=item.id, face=face, trim=trim, bleed=bleed, turn=turn,
                     shape=item.shape if face == "front" else item.shape.mirrored)


def _back_limits(area: Rect, spec: SheetSpec) -> BackLimits | None:
    """The limits of back bleeds: the mark area, which moves with the backs, as far as it stays inside when turned."""
    inside = narrow(area, area, spec.back_rotation)
    if spec.marks in (Marks.NONE, Marks.SILHOUETTE):
        is_straight = (spec.back_offset, spec.back_rotation) == (ORIGIN, 0)
        return None if is_straight else BackLimits(area=inside, ticks=0.0, bleed=spec.bleed)
    ticks = CLEARANCE + TICK
    area = area.shifted(spec.back_offset).shared(inside.grown(Insets.all(ticks)))
    return BackLimits(area=area, ticks=ticks, bleed=spec.bleed)


def _folded_side(place: list[tuple[Item, GridCell]], area: PageArea, spec: SheetSpec) -> SheetSide:
    """Fronts and their backs beyond fold lines: of a row, of each two of its fronts, or of the whole sheet."""
    faces = [(item, "front", cell.trim, 0) for item, cell in place]
    backed = [(item, cell.trim, cell.fold) for item, cell in place if item.has_back and cell.fold]
    faces += [(item, "back", fold_rect(trim, fold), fold.turn) for item, trim, fold in backed]
    around = place_bleeds(tuple(trim for _, _, trim, _ in faces), spec.bleed)
    placements = tuple(_placement(item, face, trim, bleed, turn)
                       for (item, face, trim, turn), bleed in zip(faces, around, strict=True))
    folds = sorted({(cell.fold.upright, round(cell.fold.at, 6)) for item, cell in place
                    if cell.fold and (item.has_back or area.middle)})
    limits = area.limits
    lines = tuple(_fold_line(upright, at, limits) for upright, at in folds)
    return SheetSide(name="front", placements=placements, folds=lines,
                     cuts=cut_marks(placements, limits, spec.marks, lines),
                     outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, limits, spec.marks),
                     registration=area.registration)


def _fold_line(upright: bool, at: float, limits: Rect) -> LineSegment:
    if upright:
        return LineSegment(Point(at, limits.y), Point(at, limits.bottom))
    return LineSegment(Point(limits.x, at), Point(limits.right, at))


def _orientation(area: PageArea) -> str:
    return "portrait" if area.page.height >= area.page.width else "landscape"


def _layout(grid: Grid, candidates: Sequence[Grid]) -> Layout:
    rival = next((other for other in candidates[1:] if (other.area.page, other.shared_bleeds)
                  != (grid.area.page, grid.shared_bleeds)), None)
    why = f"{len(grid.sheets)} sheets, {grid.cuts} cuts"
    if rival:
        bleeds = "shared" if rival.shared_bleeds else "own"
        why += (f"; the next best, {_orientation(rival.area)} with {bleeds} bleeds, needs {len(rival.sheets)} sheets, "
                f"{rival.cuts} cuts")
    return Layout(orientation=_orientation(grid.area), columns=grid.columns, rows=grid.rows,
                  shared_bleeds=grid.shared_bleeds, margin=grid.area.margin, cuts=grid.cuts, why=why)


# --- Backs: behind their fronts (duplex), or beyond a fold line ---

@dataclass(frozen=True, slots=True, kw_only=True)
class BackLimits:
    """Limits that keep the extra bleed of backs off their ticks, which are to be as long as those of fronts. In mm."""

    area: Rect
    ticks: float  # the least between the edges of the area and a bleed, unless fronts leave less
    bleed: float  # of fronts


def mirrors_columns(page: Size, flip: Flip) -> bool:
    """True if turning the sheet over at that edge mirrors left and right, rather than top and bottom."""
    return (flip is Flip.LONG) == (page.height >= page.width)


def mirror_rect(trim: Rect, page: Size, flip: Flip) -> Rect:
    """The trim of the back on the other side of the sheet. Its own inverse."""
    if mirrors_columns(page, flip):
        return Rect(page.width - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, page.height - trim.bottom, trim.width, trim.height)


def back_rotation(page: Size, flip: Flip) -> int:
    """The turn of backs in degrees: upside down on a sheet that is turned over at its top edge."""
    return 0 if mirrors_columns(page, flip) else 180


def fold_rect(trim: Rect, fold: Fold) -> Rect:
    """The trim of the back beyond a fold line. Its own inverse."""
    if fold.upright:
        return Rect(2 * fold.at - trim.right, trim.y, trim.width, trim.height)
    return Rect(trim.x, 2 * fold.at - trim.bottom, trim.width, trim.height)


@lru_cache(maxsize=64)  # most sheets of a large deck are alike
def place_bleeds(trims: tuple[Rect, ...], bleed: float, limits: BackLimits | None = None) -> tuple[Insets, ...]:
    """The bleed of each edge of each trim, at most half way to a neighbour, else within the ``limits``."""
    insets = [_bleed(trim, [other for other in trims if other is not trim], bleed, limits) for trim in trims]
    boxes = [trim.grown(by) for trim, by in zip(trims, insets, strict=True)]

    def update(n: int, by: Insets) -> None:
        insets[n], boxes[n] = by, trims[n].grown(by)

    for (n, one), (m, other) in combinations(enumerate(trims), 2):
        if boxes[n].overlaps(boxes[m]):
            # At the end of a short row a bleed meets the one across the corner: each stops half way.
            across = max(other.x - one.right, one.x - other.right)
            along = max(other.y - one.bottom, one.y - other.bottom)
            if along > SLACK and across > SLACK:
                upper, lower = (n, m) if one.y < other.y else (m, n)
                update(upper, replace(insets[upper], bottom=min(insets[upper].bottom, along / 2)))
                update(lower, replace(insets[lower], top=min(insets[lower].top, along / 2)))
            elif across > SLACK:
                left, right = (n, m) if one.x < other.x else (m, n)
                update(left, replace(insets[left], right=min(insets[left].right, across / 2)))
                update(right, replace(insets[right], left=min(insets[right].left, across / 2)))
    return tuple(insets)


def _bleed(trim: Rect, others: list[Rect], bleed: float, limits: BackLimits | None) -> Insets:
    in_column = [other for other in others  # and rows of another grid, however wide, as ticks stand between
                 if (trim.x < other.right - SLACK and other.x < trim.right - SLACK) or not _same_size(other, trim)]
    in_row = [other for other in others if trim.y < other.bottom - SLACK and other.y < trim.bottom - SLACK]

    def length(neighbours: list[tuple[float, Rect]], to_border: float) -> float:
        facing = [(distance, other) for distance, other in neighbours if distance > -SLACK]
        distance, nearest = min(facing, key=lambda neighbour: neighbour[0], default=(inf, None))
        allowed = bleed
        if limits and nearest is None:
            allowed = max(limits.bleed, min(bleed, to_border - limits.ticks))
        elif limits and limits.ticks and nearest and not _same_size(nearest, trim):
            allowed = limits.bleed
        return min(allowed, max(0.0, round(distance / 2, 6) if nearest else bleed))

    area = limits.area if limits else trim
    return Insets(top=length([(trim.y - other.bottom, other) for other in in_column], trim.y - area.y),
                  bottom=length([(other.y - trim.bottom, other) for other in in_column], area.bottom - trim.bottom),
                  left=length([(trim.x - other.right, other) for other in in_row], trim.x - area.x),
                  right=length([(other.x - trim.right, other) for other in in_row], area.right - trim.right))


def _same_size(one: Rect, other: Rect) -> bool:
    return abs(one.width - other.width) < SLACK and abs(one.height - other.height) < SLACK
