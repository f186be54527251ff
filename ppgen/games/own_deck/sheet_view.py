"""Sheets of finished cards as a page shows them, to lay the grid by hand."""

from __future__ import annotations

from base64 import b64decode
from itertools import islice
from pathlib import Path

from ppgen.engine.geometry import read_formats
from ppgen.errors import Problems
from ppgen.games.interface import SheetView
from ppgen.games.own_deck.art_sheets import read_pages, sort_sizes
from ppgen.games.own_deck.card_grid import SURE, CardGrid, GivenGrid, find_grids
from ppgen.reading.card_sheets import draw_grid
from ppgen.shipped import shipped_root

MAX_STUDIED_PAGES = 8


def view_sheets(file: Path) -> SheetView:
    """Find the grid of the first pages of a file, and draw the first of them that has cards. Raises InputError."""
    problems = Problems()
    read = [*islice(read_pages(file, problems), MAX_STUDIED_PAGES)]
    problems.raise_if_any()
    first = read[0].study
    pages = [page for page in read if [*map(round, page.study["sides"])] == [*map(round, first["sides"])]]
    formats = read_formats(shipped_root() / "data")
    sizes = {name: formats.sizes[name].portrait for name in sort_sizes(formats)}
    grids = find_grids([page.study for page in pages], [*sizes.values()], GivenGrid())
    shown = next((page for page in pages if grids and grids[0].is_on(page.study)), pages[0])
    return SheetView(
        picture=b64decode(shown.ask(draw_grid, boxes=[], turn=shown.study["turn"])),
        sides=first["sides"], has_scale=first["scale"] != 1, grid=_describe(grids[0]) if grids else None,
        is_sure=bool(grids) and grids[0].confidence >= SURE,
        others=[box for grid in grids[1:] for box in grid.boxes.values()],
        sizes={name: (size.width, size.height) for name, size in sizes.items()})


def _describe(grid: CardGrid) -> dict[str, float]:
    across, down = grid.axes
    return {"columns": across.count, "rows": down.count, "width": across.length, "height": down.length,
            "gap": across.gap, "gap_down": down.gap,
            "left": across.start, "top": down.start}
