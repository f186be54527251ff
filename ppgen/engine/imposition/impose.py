"""Turns items and a sheet spec into sheets: what lies where on which side, and how it is cut. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import floor

from ppgen.engine.geometry import Insets, Line, Point, Rect, Size, rest
from ppgen.engine.imposition.areas import STRIP, TICK_ROOM, Area, furniture_of, largest
from ppgen.engine.imposition.backs import Rim, bleeds, folded_over, shifted, turn_of_backs, turned_over
from ppgen.engine.imposition.grid import Cell, Grid, Group, cells_of, grids, groups_of
from ppgen.engine.imposition.marks import CLEARANCE, TICK, cut_marks, fold_marks, outline_marks
from ppgen.engine.imposition.registration import inset_of, reach_of, silhouette_marks
from ppgen.engine.imposition.tiles import Tiling, tiled_sheets, tilings
from ppgen.engine.imposition.values import (
    Backs,
    Imposition,
    Item,
    Layout,
    Marks,
    Order,
    Placement,
    Sheet,
    SheetSpec,
    Side,
)
from ppgen.errors import InputError, Problem

MOST_TILES = 500
"""The most tiles of a part, all copies together: nobody glues more."""
BACK_EXTRA = 1.5
"""Backs bleed up to this much further than fronts, where no ticks stand, in mm: home duplex drifts by 1 to 4 mm."""


def impose(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Lay the items out on sheets.

    Raises InputError if an item does not fit the paper, with the largest size that would.
    """
    return _imposed(tuple(items), spec, part)


@lru_cache(maxsize=16)  # a set in another language has the same items
def _imposed(items: tuple[Item, ...], spec: SheetSpec, part: str) -> Imposition:
    if not any(item.has_back for item in items):
        spec = replace(spec, backs=Backs.NONE)
    groups = groups_of(items)
    found = grids(groups, spec)
    if not found:
        if too_large := [group.size for group in groups if not grids([group], spec)]:
            raise InputError(_too_large(size, spec, part) for size in too_large)
        return _one_after_the_other([impose(group.items, spec, part) for group in groups])
    grid = found[0]
    places: list[list[tuple[Item, Cell]]] = [[] for _ in grid.sheets]
    for group, cells in groupby(cells_of(grid), key=lambda cell: cell[1]):
        _fill(places, group, [(number, position, cell) for number, _, position, cell in cells], spec.order)
    sheets = tuple(_sheet(place, grid.area, spec) for place in places)
    return Imposition(sheets=sheets, layout=_layout(grid, found))


def page_area(spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Size:
    """The room for a document that fills a page, or its share of a landscape page: inside the margins and strips.

    What is ``cut_out`` by a machine stays between its registration marks, too; no room at all is left on a page
    that is too narrow for strips between them.
    """
    page = _page_of(spec, abreast)
    paper = Size(page.width / abreast, page.height)
    side, rim = spec.margin, spec.margin + STRIP + TICK_ROOM
    if cut_out and spec.marks is Marks.SILHOUETTE:
        if not furniture_of(page, spec.margin, False, crosses=True, machine=True).is_long_enough:
            return Size(0, 0)
        side, rim = inset_of(spec.margin), max(rim, reach_of(spec.margin))
    return Size(rest(paper.width - 2 * side), rest(paper.height - 2 * rim))


def impose_pages(items: Sequence[Item], spec: SheetSpec, abreast: int = 1, cut_out: bool = False) -> Imposition:
    """One item a sheet, in the middle of a portrait page, without cut marks; its back (if any) behind it.

    Back offset and rotation don't move it: such pages measure the printer. Items without backs may
    stand ``abreast`` on a landscape page, with marks where it is cut apart. A page that is ``cut_out``
    has registration marks if a machine is to cut it; its items are no larger than :func:`page_area` says.
    """
    page = _page_of(spec, abreast)
    share = page.width / abreast
    machine = cut_out and spec.marks is Marks.SILHOUETTE
    marks = silhouette_marks(page, spec.margin) if machine else ()
    crosses = spec.backs is Backs.DUPLEX and any(item.has_back for item in items)
    furniture = furniture_of(page, spec.margin, False, crosses, machine)
    cuts = tuple(cut for n in range(1, abreast) for cut in _parting(n * share, page, spec))
    sheets = []
    for start in range(0, len(items), abreast):
        together = items[start:start + abreast]
        trims = tuple(Rect(n * share + (share - item.size.width) / 2, (page.height - item.size.height) / 2,
                           item.size.width, item.size.height) for n, item in enumerate(together))
        sides = [replace(_side("front", together, trims, 0, 0), cuts=cuts, registration=marks)]
        if together[0].has_back:
            behind = tuple(turned_over(trim, page, spec.flip) for trim in trims)
            sides.append(_side("back", together, behind, 0, turn_of_backs(page, spec.flip)))
        sheets.append(Sheet(size=page, sides=tuple(sides), furniture=furniture))
    layout = Layout(orientation="portrait" if abreast == 1 else "landscape", columns=abreast, rows=1,
                    shared_bleeds=False, margin=spec.margin, cuts=abreast - 1,
                    why=f"{'one' if abreast == 1 else abreast} to a page")
    return Imposition(sheets=tuple(sheets), layout=layout)


def impose_tiled(items: Sequence[Item], spec: SheetSpec, part: str) -> Imposition:
    """Items without backs: those that the paper can't bear in tiles, on sheets of their own, then all others whole.

    Raises InputError for paper that is too small even for tiles, or that takes too many.
    """
    spec = replace(spec, backs=Backs.NONE)
    whole = {item for item in dict.fromkeys(items) if grids(groups_of([item]), spec)}
    ways = {item: _tiling(item, spec, part) for item in dict.fromkeys(items) if item not in whole}
    if (sheets := sum(ways[item].sheets for item in items if item in ways)) > MOST_TILES:
        raise InputError([Problem(place="--paper", key=part, what=f"takes {sheets:,} tiles on {spec.paper.name} "
                                  f"({spec.paper.size}), more than {MOST_TILES}", remedy="choose a larger paper")])
    found = [_tiled(item, ways[item], spec) for item in items if item in ways]
    if rest_of := [item for item in items if item in whole]:
        found.append(impose(rest_of, spec, part))
    return found[0] if len(found) == 1 else _one_after_the_other(found)


def _tiling(item: Item, spec: SheetSpec, part: str) -> Tiling:
    if found := tilings(item, spec):
        return found[0]
    raise InputError([Problem(place="--paper", key=part, what=f"{spec.paper.name} ({spec.paper.size}) is too small "
                              f"for tiles of {item.size}", remedy="choose a larger paper, or a smaller margin")])


def _tiled(item: Item, way: Tiling, spec: SheetSpec) -> Imposition:
    layout = Layout(orientation=_orientation(way.area), columns=len(way.columns) - 1, rows=len(way.rows) - 1,
                    shared_bleeds=False, margin=way.area.margin,
                    cuts=4 * way.sheets, why=f"{way.sheets} tiles, {way.kept} seams where the face wants them")
    return Imposition(sheets=tuple(tiled_sheets(item, way, spec)), layout=layout)


def _page_of(spec: SheetSpec, abreast: int) -> Size:
    return spec.paper.size if abreast == 1 else spec.paper.size.portrait.turned


def _parting(x: float, page: Size, spec: SheetSpec) -> tuple[Line, ...]:
    """The marks of a cut from edge to edge: ticks between the strips and what is printed, or a whole line."""
    top, bottom = spec.margin + STRIP, page.height - spec.margin - STRIP
    if spec.marks is Marks.NONE:
        return ()
    if spec.marks is Marks.LINES:
        return (Line(Point(x, top), Point(x, bottom)),)
    return (Line(Point(x, top), Point(x, top + TICK_ROOM)), Line(Point(x, bottom - TICK_ROOM), Point(x, bottom)))


def _one_after_the_other(impositions: Sequence[Imposition]) -> Imposition:
    """Groups that don't go on one sheet together, some upright and some across, get sheets of their own."""
    sheets = tuple(sheet for found in impositions for sheet in found.sheets)
    cuts = sum(found.layout.cuts for found in impositions)
    why = f"{len(sheets)} sheets, {cuts} cuts; each size on sheets of its own"
    margin = min(found.layout.margin for found in impositions)
    return Imposition(sheets=sheets, layout=replace(impositions[0].layout, margin=margin, cuts=cuts, why=why))


def _too_large(size: Size, spec: SheetSpec, part: str) -> Problem:
    most = largest(spec)
    width, height = (floor(length * 10 + 1e-6) / 10 for length in (most.width, most.height))
    fits = f"the largest that would is {width} × {height} mm" if min(width, height) > 0 else "nothing would"
    return Problem(place="--paper", key=part, what=f"{size} with {spec.bleed:g} mm bleed does not fit "
                   f"{spec.paper.name} ({spec.paper.size}); {fits}", remedy="choose a larger paper or smaller cards")


def _fill(places: list[list[tuple[Item, Cell]]], group: Group,
          cells: list[tuple[int, int, Cell]], order: Order) -> None:
    """Put the items of a group into its cells, the last of which may stay empty."""
    used = cells[:len(group.items)]
    if order is Order.STACK:  # one place after the other, each from the first sheet to the last
        used = sorted(used, key=lambda cell: (cell[1], cell[0]))
    for item, (number, _, cell) in zip(group.items, used, strict=True):
        places[number].append((item, cell))


def _sheet(place: list[tuple[Item, Cell]], area: Area, spec: SheetSpec) -> Sheet:
    page, limits = area.page, area.limits
    items, trims = [item for item, _ in place], tuple(cell.trim for _, cell in place)
    backed = [n for n, item in enumerate(items) if item.has_back]
    if spec.backs is Backs.FOLD:
        return Sheet(size=page, sides=(_folded(place, area, spec),), furniture=area.furniture)
    front = replace(_side("front", items, trims, spec.bleed, 0, limits, spec), registration=area.registration)
    if spec.backs is Backs.NONE or not backed:
        return Sheet(size=page, sides=(front,), furniture=area.furniture)
    behind = shifted(tuple(turned_over(trims[n], page, spec.flip) for n in backed), spec.back_offset)
    back = _side("back", [items[n] for n in backed], behind, spec.bleed + BACK_EXTRA,
                 turn_of_backs(page, spec.flip), limits, spec, _rim(limits, spec))
    return Sheet(size=page, sides=(front, back), furniture=area.furniture)


def _side(name: str, items: Sequence[Item], trims: tuple[Rect, ...], bleed: float, turn: int,
          area: Rect | None = None, spec: SheetSpec | None = None, rim: Rim | None = None) -> Side:
    placements = tuple(_placement(item, name, trim, around, turn)
                       for item, trim, around in zip(items, trims, bleeds(trims, bleed, rim), strict=True))
    if area is None or spec is None:
        return Side(name=name, placements=placements)
    return Side(name=name, placements=placements, cuts=cut_marks(placements, area, spec.marks),
                outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, area, spec.marks),
                rotation=spec.back_rotation if name == "back" else 0)


def _placement(item: Item, face: str, trim: Rect, bleed: Insets, turn: int) -> Placement:
    return Placement(item=item.id, face=face, trim=trim, bleed=bleed, turn=turn,
                     shape=item.shape if face == "front" else item.shape.mirrored)


def _rim(area: Rect, spec: SheetSpec) -> Rim | None:
    """What the bleeds of backs leave of the mark area, which moves with them."""
    if spec.marks in (Marks.NONE, Marks.SILHOUETTE):
        return None
    return Rim(area=area.shifted(spec.back_offset), ticks=CLEARANCE + TICK, bleed=spec.bleed)


def _folded(place: list[tuple[Item, Cell]], area: Area, spec: SheetSpec) -> Side:
    """Fronts, and their backs beyond fold lines: of a row, of two and two of its fronts, or of the whole sheet."""
    faces = [(item, "front", cell.trim, 0) for item, cell in place]
    backed = [(item, cell.trim, cell.fold) for item, cell in place if item.has_back and cell.fold]
    faces += [(item, "back", folded_over(trim, fold), fold.turn) for item, trim, fold in backed]
    around = bleeds(tuple(trim for _, _, trim, _ in faces), spec.bleed)
    placements = tuple(_placement(item, face, trim, bleed, turn)
                       for (item, face, trim, turn), bleed in zip(faces, around, strict=True))
    folds = sorted({(cell.fold.upright, round(cell.fold.at, 6)) for item, cell in place
                    if cell.fold and (item.has_back or area.middle)})
    limits = area.limits
    lines = tuple(Line(Point(at, limits.y), Point(at, limits.bottom)) if upright else
                  Line(Point(limits.x, at), Point(limits.right, at)) for upright, at in folds)
    return Side(name="front", placements=placements, cuts=cut_marks(placements, limits, spec.marks), folds=lines,
                outlines=outline_marks(placements, spec.marks), creases=fold_marks(placements, limits, spec.marks),
                registration=area.registration)


def _orientation(area: Area) -> str:
    return "portrait" if area.page.height >= area.page.width else "landscape"


def _layout(grid: Grid, found: Sequence[Grid]) -> Layout:
    rival = next((other for other in found[1:]
                  if (other.area.page, other.shared) != (grid.area.page, grid.shared)), None)
    why = f"{len(grid.sheets)} sheets, {grid.cuts} cuts"
    if rival:
        why += (f"; the next best, {_orientation(rival.area)} with {'shared' if rival.shared else 'own'} bleeds, "
                f"needs {len(rival.sheets)} sheets, {rival.cuts} cuts")
    return Layout(orientation=_orientation(grid.area), columns=grid.columns, rows=grid.rows, shared_bleeds=grid.shared,
                  margin=grid.area.margin, cuts=grid.cuts, why=why)
